r"""What a history is made of, the chain of hashes through it, and the proof that it is whole.

Every entry carries a hash over its parent's hash and over what was given and what came of it, so that no entry can be
altered, on any branch, without all later ones telling. Written times are left out: they are no part of the campaign.

    hash of an entry = sha256 of "PARENT\nINPUT\nEVENTS", where
        PARENT  the hash of the parent, as hexadecimal digits
        INPUT   the JSON array [kind, side, subject, text, digest of the state after it], no spaces, UTF-8
        EVENTS  the JSON array of the events as it is stored
    hash of entry 0 = sha256 of the JSON array ["ophex 1", [[name, kind, sha256 of the text], ...], settings, digest]
"""

import json
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256 as hash_of
from json.encoder import encode_basestring as quoted
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol

from attrs import evolve, frozen

from campaigns.errors import CampaignError
from interpreter.inputs import Event, Input
from interpreter.recorded_events import read_happening

if TYPE_CHECKING:
    from campaigns.store import Store

__all__ = [
    "Document",
    "Entry",
    "HeadRow",
    "Progress",
    "Replaying",
    "Verdict",
    "beginning_hash",
    "entry_hash",
    "events_from_json",
    "events_to_json",
    "read_json",
    "verify",
]

encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode
"""The one writing in JSON that hashes are taken of."""

Progress = Callable[[int, int], object]
"""Called with how many steps are done and how many there are."""


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
    """One accepted input and what it brought about. Entry 0 is the beginning, and its input has the kind "begin".

    Attributes:
        number: its number, in the order of acceptance over all branches.
        parent: the number of the entry that it continues; None for entry 0.
        input: the accepted input.
        events: what it brought about, as JSON; `events` decodes it.
        digest: the digest of the state after it.
        hash: the hash that chains it to its parent, as hexadecimal digits.
        time: when it was accepted, UTC, ISO 8601; no part of the state or the hash.
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
        """What the input brought about, in order; read once. Raises CampaignError where what is recorded is no list of events."""
        try:
            return events_from_json(self.events_json)
        except (ValueError, TypeError, RecursionError) as error:
            raise CampaignError(
                f"Entry {self.number} of the campaign is damaged: what it tells cannot be read.",
                "Restore a backup. `ophex verify` tells what is still sound.",
            ) from error

    def tells_as(self, other: "Entry") -> bool:
        """Whether another entry tells the same, also where one of them was recorded before events told their parts."""
        return self.events_json == other.events_json or _as_of_old(self.events) == _as_of_old(other.events)

    def events_of(self, kinds: Collection[str]) -> tuple[Event, ...]:
        """What the input brought about, if something of one of these kinds is in it; else nothing, and it is not even read."""
        return self.events if any(f'["{kind}",' in self.events_json for kind in kinds) else ()


@frozen
class HeadRow:
    """Where a campaign stands.

    Attributes:
        entry: the number of the last entry that counts.
        tip: the number of the entry that redo leads to in the end; the same as `entry` when nothing was undone.
    """

    entry: int
    tip: int


def _as_of_old(events: Iterable[Event]) -> list[Event]:
    return [evolve(event, what=event.what.without_newer()) for event in events]


def events_to_json(events: Sequence[Event]) -> str:
    """Events in their canonical writing: an array of arrays, keys sorted, no spaces.

    Raises:
        TypeError, ValueError: the data of an event cannot be written as JSON.
    """
    if not events:
        return "[]"
    return encode([[e.kind, e.text, e.side, e.to, e.cites, e.data] for e in events])


def events_from_json(text: str) -> tuple[Event, ...]:
    """The events that `events_to_json` wrote; tuples in their data have become lists.

    Raises:
        TypeError, ValueError, RecursionError: that is not what it wrote.
    """
    return tuple(_event(*row) for row in read_json(text))


def read_json(text: str) -> Any:
    """What a text of JSON says, if it could be written again as it is. Raises ValueError, RecursionError."""
    found = json.loads(text, parse_constant=_no_number, parse_float=_number)
    if "\\ud" in text or "\\uD" in text:  # half of a sign, perhaps
        encode(found).encode()
    return found


def _number(digits: str) -> float:
    """A number that JSON can hold and the machine, too: 1e999 is none."""
    found = float(digits)
    return found if isfinite(found) else _no_number(digits)


def _no_number(word: str) -> Any:
    """What Python alone reads as numbers in JSON. Raises ValueError."""
    raise ValueError(f"{word[:80]} is not a JSON number")


def _event(kind: str, sentence: str, side: str, to: str, cites: list[str], data: dict[str, Any]) -> Event:
    if not all(isinstance(x, str) for x in (kind, sentence, side, to, *cites)) or not isinstance(data, dict):
        raise TypeError("an event is made of texts, a list of texts and an object")
    return Event(read_happening(kind, data), sentence, side, to, tuple(cites))


class Replaying(Protocol):
    """What is asked of a machine to replay a campaign."""

    def offer(self, given: Input, /) -> tuple[Event, ...]:
        """Accept an input, or raise Refused and change nothing."""

    def digest(self) -> str:
        """The digest of the state."""


@frozen
class Verdict:
    """What a proof found.

    Attributes:
        ok: whether nothing is wrong.
        entries: how many accepted inputs were looked at, on all branches.
        seconds: how long it took.
        problems: what is wrong, each a full sentence.
        head: the number of the entry at which the campaign stands.
        hash: the hash of that entry; it stands for the whole line from the beginning to it.
    """

    ok: bool
    entries: int
    seconds: float
    problems: tuple[str, ...] = ()
    head: int = 0
    hash: str = ""


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
        UnicodeEncodeError: the input holds characters that cannot be written in UTF-8.
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


class VerifyWatch(Protocol):
    """Who looks at all entries of a file beside the chain of hashes."""

    def see(self, entry: Entry) -> str:
        """What is wrong with an entry, as a sentence; empty where nothing is."""

    def missing(self) -> list[str]:
        """What is wrong with all of them together."""


@frozen
class Recorded:
    """What the record says of an entry, as far as a replay is compared with it. told: the sha256 of its events."""

    hash: str
    digest: str
    told: bytes


def verify(
    store: "Store",
    begin: Callable[[], Replaying],
    progress: Progress | None = None,
    noted: Sequence[str] = (),
    watch: "VerifyWatch | None" = None,
) -> Verdict:
    """Prove that a campaign file is whole: the database, the texts, the chain on all branches, and by playing the way to
    the head again each state on it and all that was told.

    Args:
        store: the open campaign file.
        begin: makes a machine at the beginning of the campaign.
        progress: told after each step, if given.
        noted: hashes, or their first digits, that somebody wrote down: entries of the way to the head have them.
        watch: looks at all entries in their order, and says what is wrong.

    Returns:
        What was found; what is wrong with the file is never raised.
    """
    started = time.perf_counter()
    problems: list[str] = []
    record: dict[int, Recorded] = {}
    head, end = HeadRow(0, 0), ""
    tell = progress or (lambda _done, _steps: None)
    try:
        with store.consistent():
            problems += [f"The database is damaged: {complaint}." for complaint in store.complaints()]
            problems += [f"The snapshot at entry {n} is damaged; it may be deleted." for n in store.unsound_snapshots()]
            last, head = store.last(), store.head()
            way = store.inputs(0, head.entry)
            steps = last + 1 + len(way or ())
            _check_chain(store, record, problems, lambda done: tell(done, steps), watch)
            if head.entry not in store.lineage(head.tip):
                problems.append(
                    f"Redo leads to entry {head.tip}, which does not continue entry {head.entry}, the head."
                )
            if way is None:
                problems.append(f"No unbroken line leads from the beginning to entry {head.entry}, the head.")
            else:
                problems += _not_there(noted, [record[n] for n in (0, *[n for n, _ in way]) if n in record])
                _replay(begin, way, record, problems, lambda done: tell(last + 1 + done, steps))
            end = record[head.entry].hash if head.entry in record else ""
    except CampaignError as error:
        problems.append(error.message)
    seconds = time.perf_counter() - started
    return Verdict(not problems, max(len(record) - 1, 0), seconds, tuple(problems), head.entry, end)


LEAST_NOTED = 8
"""So many digits of a hash must be given at least, or it would be found by chance."""


def _not_there(noted: Iterable[str], line: Sequence[Recorded]) -> list[str]:
    """What to say of hashes that no entry of a line has."""
    problems = []
    for said in noted:
        wanted = said.strip().lower()
        if len(wanted) < LEAST_NOTED:
            problems.append(f"`{said[:80]}` is too short for a hash: give at least its first {LEAST_NOTED} digits.")
        elif not any(one.hash.startswith(wanted) for one in line):
            problems.append(
                f"No entry on the way to the head has the hash {said[:80]}: this is not the record of which it was noted."
            )
    return problems


def _check_chain(
    store: "Store",
    record: dict[int, Recorded],
    problems: list[str],
    tell: Callable[[int], object],
    watch: "VerifyWatch | None",
) -> None:
    """Check the hash of every entry on every branch, and gather what the record says of them by number."""
    beginning = (store.documents(), store.settings())
    for place, entry in enumerate(store.entries(), start=1):
        if entry.number - 1 not in record and entry.number != 0:
            problems.append(f"Entry {entry.number - 1} is missing.")
        if entry.parent is None:
            right = beginning_hash(*beginning, entry.digest)
            blame = "the texts or the settings of the campaign were"
        else:
            before = record[entry.parent].hash if entry.parent in record else ""
            right = entry_hash(before, entry.input, entry.digest, entry.events_json)
            blame = "it or an entry before it was"
        if entry.hash != right:
            problems.append(f"The hash of entry {entry.number} is wrong: {blame} altered after the fact.")
        record[entry.number] = Recorded(entry.hash, entry.digest, _told(entry.events_json))
        if watch is not None and (wrong := watch.see(entry)):
            problems.append(wrong)
        tell(place)
    if watch is not None:
        problems += watch.missing()


def _told(events: str) -> bytes:
    return hash_of(events.encode()).digest()


MOST_DIFFERENT = 20
"""So many entries that tell otherwise are named; then the rest is no longer compared."""


def _replay(
    begin: Callable[[], Replaying],
    way: list[tuple[int, Input]],
    record: dict[int, Recorded],
    problems: list[str],
    tell: Callable[[int], object],
) -> None:
    """Play the way from the beginning to the head again; compare every state and all events. A wrong state ends it."""
    number = 0
    different = 0
    try:
        machine = begin()
        for place, (number, given) in enumerate([(0, None), *way]):
            told = machine.offer(given) if given is not None else ()
            known = record.get(number)
            if known is None or machine.digest() != known.digest:
                problems.append(f"Played again, entry {number} leads to another state than the recorded one.")
                return
            if _told(events_to_json(told)) != known.told and different < MOST_DIFFERENT:
                different += 1
                problems.append(
                    f"Played again, entry {number} tells other events than the recorded ones: they were altered, "
                    "or another ophex told them."
                )
            tell(place)
    except Exception as error:  # noqa: BLE001 - whatever the rules do in a replay is a finding, not a fault of the proof
        problems.append(f"Entry {number} cannot be played again: {str(error).rstrip('.')}.")
