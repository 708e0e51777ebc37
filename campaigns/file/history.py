r"""The elements of a history, and the chain of hashes through it.

Every entry has a hash over its parent's hash, its input and its events. So no entry can be altered, on any branch, without a
mismatch in all later ones. Times of writing are left out: they are not part of the campaign.

    hash of an entry = sha256 of "PARENT\nINPUT\nEVENTS", where
        PARENT  the hash of the parent, as hexadecimal digits
        INPUT   the JSON array [kind, side, subject, text, digest of the state after it], no spaces, UTF-8
        EVENTS  the JSON array of the events as it is stored
    hash of entry 0 = sha256 of the JSON array ["ophex 1", [[name, kind, sha256 of the text], ...], settings, digest]
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256 as hash_of
from json.encoder import encode_basestring as quoted
from math import isfinite
from typing import Any

from attrs import evolve, frozen

from campaigns.file.errors import CampaignError
from interpreter.messages.inputs import Event, Input
from interpreter.messages.recorded_events import read_happening

__all__ = [
    "Document",
    "Entry",
    "HeadRow",
    "beginning_hash",
    "entry_hash",
    "events_from_json",
    "events_to_json",
    "read_json",
]

encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode
"""The canonical JSON that hashes are calculated from."""


@frozen
class Document:
    """A text that the campaign was made from: rules, a map, a scenario.

    Attributes:
        name: its name, unique in the campaign, as a path with slashes.
        kind: "rule", "map", "scenario" or the like.
        text: the whole text.
    """

    name: str
    kind: str
    text: str

    @property
    def sha256(self) -> str:
        """The digest of the text in UTF-8, as hexadecimal digits."""
        return hash_of(self.text.encode()).hexdigest()


@frozen
class Entry:
    """One accepted input and its result. Entry 0 is the beginning, and its input has the kind "begin".

    Attributes:
        number: its number, in the order of acceptance over all branches.
        parent: the number of the entry that it continues; None for entry 0.
        input: the accepted input.
        events: its events, as JSON; `events` decodes it.
        digest: the digest of the state after it.
        hash: the hash that chains it to its parent, as hexadecimal digits.
        time: when it was accepted, UTC, ISO 8601; not part of the state or the hash.
        on_path: whether the head is this entry or continues it.
    """

    number: int
    parent: int | None
    input: Input
    events_json: str
    digest: str
    hash: str
    time: str
    on_path: bool = True

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The events of the input, in order; read once. Raises CampaignError if the recorded text is not a list of events."""
        try:
            return events_from_json(self.events_json)
        except (ValueError, TypeError, RecursionError) as error:
            raise CampaignError(
                f"Entry {self.number} of the campaign is damaged: its events cannot be read.",
                "`ophex doctor` says what can be saved; `ophex restore` lists the backups.",
            ) from error

    def tells_as(self, other: "Entry") -> bool:
        """Whether another entry has the same events, even if one of them was recorded before events had parts."""
        return self.events_json == other.events_json or _as_of_old(self.events) == _as_of_old(other.events)

    def events_of(self, kinds: Collection[str]) -> tuple[Event, ...]:
        """The events of the input, if they include one of these kinds; otherwise nothing, and they are not even read."""
        return self.events if any(f'["{kind}",' in self.events_json for kind in kinds) else ()


@frozen
class HeadRow:
    """The position of a campaign in its record.

    Attributes:
        entry: the number of the current entry.
        tip: the number of the last entry that redo leads to; the same as `entry` if nothing was undone.
    """

    entry: int
    tip: int


def _as_of_old(events: Iterable[Event]) -> list[Event]:
    return [evolve(event, what=event.what.without_newer()) for event in events]


def events_to_json(events: Sequence[Event]) -> str:
    """Events in their canonical form: an array of arrays, keys sorted, no spaces.

    Raises:
        TypeError, ValueError: the data of an event cannot be written as JSON.
    """
    if not events:
        return "[]"
    return encode([[e.kind, e.text, e.side, e.to, e.cites, e.data] for e in events])


def events_from_json(text: str) -> tuple[Event, ...]:
    """The events that `events_to_json` wrote; tuples in their data are now lists.

    Raises:
        TypeError, ValueError, RecursionError: `events_to_json` did not write this.
    """
    return tuple(_event(*row) for row in read_json(text))


def read_json(text: str, integer: Callable[[str], Any] = int) -> Any:
    """The value of a JSON text, if it could be written again unchanged. Raises ValueError, RecursionError.

    integer: makes a value of the digits of an integer.
    """
    found = json.loads(text, parse_constant=_no_number, parse_float=_number, parse_int=integer)
    if "\\ud" in text or "\\uD" in text:  # half of a character, perhaps
        encode(found).encode()
    return found


def _number(digits: str) -> float:
    """A number that both JSON and the machine can hold: 1e999 is not one."""
    found = float(digits)
    return found if isfinite(found) else _no_number(digits)


def _no_number(word: str) -> Any:
    """Rejects what only Python reads as numbers in JSON. Raises ValueError."""
    raise ValueError(f"{word[:80]} is not a JSON number")


def _event(kind: str, sentence: str, side: str, to: str, cites: list[str], data: dict[str, Any]) -> Event:
    if not all(isinstance(x, str) for x in (kind, sentence, side, to, *cites)) or not isinstance(data, dict):
        raise TypeError("an event consists of texts, a list of texts and an object")
    return Event(read_happening(kind, data), sentence, side, to, tuple(cites))


def entry_hash(parent: str, given: Input, digest: str, events: str) -> str:
    """The hash of an entry.

    Args:
        parent: the hash of its parent.
        given: its input.
        digest: the digest of the state after it.
        events: its events, as stored.

    Returns:
        64 hexadecimal digits.

    Raises:
        UnicodeEncodeError: the input contains characters that cannot be written in UTF-8.
    """
    words = f"{quoted(given.kind)},{quoted(given.side)},{quoted(given.subject)},{quoted(given.text)},{quoted(digest)}"
    return hash_of(f"{parent}\n[{words}]\n{events}".encode()).hexdigest()


def beginning_hash(documents: Iterable[Document], settings: Mapping[str, Any], digest: str) -> str:
    """The hash of entry 0, which binds the chain to the texts and settings that the campaign was made from.

    Args:
        documents: the texts, in their order.
        settings: values that can be written as JSON, by name.
        digest: the digest of the state at the beginning.

    Returns:
        64 hexadecimal digits.
    """
    texts = [[d.name, d.kind, d.sha256] for d in documents]
    whole = ["ophex 1", texts, settings, digest]
    return hash_of(encode(whole).encode()).hexdigest()
