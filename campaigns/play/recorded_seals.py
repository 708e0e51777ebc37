"""Seals in the record: a link is valid only if nobody could have known it before. A side's own seals are also found again here.

Once a link has been given on any line, everybody knows it. So on every line of the tree only later links of a chain are valid, and
a player who goes back and plays on differently needs new ones. The machine sees one line alone; here all of them are seen.
"""

import contextlib
import hashlib
import secrets
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from attrs import frozen

from campaigns.file.errors import CampaignError
from campaigns.file.file_schema import publish
from campaigns.file.history import Entry
from campaigns.file.store import Store
from campaigns.library.reading_files import data_of
from interpreter.messages.inputs import SEAL, Awaited, Input
from interpreter.play.sealed_dice import MOST_LINKS, anchor_of, link_of, read_link
from interpreter.runtime.refusals import Why

__all__ = [
    "LinkWatch",
    "Secret",
    "asked_for",
    "check_link",
    "given_before",
    "last_given",
    "link_needed",
    "new_secret",
    "read_secret",
]

GIVEN = "SELECT text FROM entry WHERE kind = 'seal' AND side = ?"
ANCHOR = 64
LEAST = 8


def check_link(store: Store, given: Input, line: Sequence[Entry]) -> None:
    """Check that a link may be given now.

    Args:
        store: the file.
        given: the input that gives it.
        line: the entries that precede it and are not in the file yet, after the head; or only the head; or none, if nothing
            that precedes it can have asked for a link.

    Raises:
        Refused: it was already known on another line, or it is for another situation.
    """
    link = read_link(given.text)
    if link is None:
        return
    last = last_given(store, given.side, link.chain)
    if link.index <= last:
        raise Why.NO_CHANGE(
            f"Link {link.index} of {given.side} is already known: it was given on another line of the campaign.",
            hint=f"Give link {last + 1}.",
            side=given.side,
            number=link.index,
        )
    if link.asked and not any(one.hash.startswith(link.asked) for one in _asking(store, line)):
        raise Why.NOT_NOW(
            f"That link is for another situation: no entry {link.asked} asks for it here.",
            hint="Make the link again, for the entry that awaits one now.",
        )


def given_before(store: Store, side: str, way: Collection[int]) -> set[str]:
    """The seals of a side among some entries, in the words of `ophex seal`."""
    rows = store.rows([int, str], "SELECT number, text FROM entry WHERE kind = 'seal' AND side = ?", (side,))
    return {" ".join(text.lower().split()) for number, text in rows if number in way}


def last_given(store: Store, side: str, chain: str) -> int:
    """The index of the last link of a chain that anybody knows, on any line; 0 for none."""
    known = [read_link(text) for (text,) in store.rows([str], GIVEN, (side,))]
    return max((one.index for one in known if one is not None and one.chain == chain), default=0)


def link_needed(store: Store, head: Entry, awaited: Awaited) -> tuple[int, str] | None:
    """The number of the link that a party has to give now, and what `asked_for` says; None if its anchor is needed."""
    if awaited.name != "link":
        return None
    chain, _, index = awaited.form.partition(" ")
    return max(int(index), last_given(store, awaited.side, chain) + 1), asked_for(store, head)


def asked_for(store: Store, head: Entry) -> str:
    """The first digits of the hash of the entry that awaits links now: a side makes its link for it."""
    return _asking(store, [head])[-1].hash[:16]


def _asking(store: Store, line: Sequence[Entry]) -> list[Entry]:
    """The entries that a link can be given for: the last one that is not a seal, and the seals since."""
    found = []
    entry = line[-1] if line else None
    among = {one.number: one for one in line}
    while entry is not None:
        found.append(entry)
        if entry.input.kind != SEAL or entry.parent is None:
            break
        entry = among.get(entry.parent) or store.entry(entry.parent)
    return found


class LinkWatch:
    """Checks all entries of a file in their order for links that were already known.

    Args:
        kept: by side, what it has kept: its anchor, or lines that it has sent. All of it must be in the record.
    """

    def __init__(self, kept: Mapping[str, Sequence[str]] | None = None) -> None:
        self._last: dict[tuple[str, str], int] = {}
        self._parents: dict[int, tuple[int, str]] = {}
        self._kept = {
            (side.lower(), " ".join(text.lower().split())) for side, texts in (kept or {}).items() for text in texts
        }

    def see(self, entry: Entry) -> str:
        """What is wrong with an entry, as a sentence; empty if nothing is."""
        number = entry.number
        if entry.input.kind != SEAL:
            self._parents[number] = (-1, entry.hash)
            return ""
        self._parents[number] = (-1 if entry.parent is None else entry.parent, entry.hash)
        text = " ".join(entry.input.text.lower().split())
        self._kept = {
            (side, kept)
            for side, kept in self._kept
            if side != entry.input.side.lower() or not (text == kept or _is_anchor(kept, text))
        }
        link = read_link(text)
        if link is None:
            return ""
        key = entry.input.side, link.chain
        last, self._last[key] = self._last.get(key, 0), max(link.index, self._last.get(key, 0))
        if link.index <= last:
            return f"Entry {number} gives a link that was already known: link {link.index} of {entry.input.side}."
        if link.asked and not self._is_asked(entry.parent, link.asked):
            return f"Entry {number} gives a link of {entry.input.side} that was sent for another situation."
        return ""

    def missing(self) -> list[str]:
        """The messages about what sides have kept and the record does not have."""
        return [
            f"The record has no seal of {side[:40]} that says {text[:80]}: these are not the dice that {side[:40]} sealed."
            for side, text in sorted(self._kept)
        ]

    def _is_asked(self, parent: int | None, asked: str) -> bool:
        while parent in self._parents:
            assert parent is not None
            before, hashed = self._parents[parent]
            if hashed.startswith(asked):
                return True
            parent = before
        return False


def _is_anchor(kept: str, text: str) -> bool:
    """Whether what a side has kept is the anchor, or its first digits, that a seal commits to."""
    return text.startswith("commit ") and LEAST <= len(kept) <= ANCHOR and text.split()[1].startswith(kept)


@frozen
class Secret:
    """The secret of a party, from which its chain is made. It must not be mailed or put into a campaign file."""

    text: str
    links: int

    @property
    def anchor(self) -> str:
        """The anchor: it is published."""
        return anchor_of(self.text, self.links)

    def commitment(self) -> str:
        """The input that seals the dice."""
        return f"commit {self.anchor} {self.links}"

    def link(self, index: int, asked: str = "") -> str:
        """The input for a roll. Raises CampaignError if the chain has no such link."""
        if not 1 <= index <= self.links:
            raise CampaignError(
                f"The chain has {self.links} links; there is no link {index}.",
                "Create a new secret when a chain is used up.",
                Why.UNKNOWN_NAME,
            )
        anchor = self.anchor[:12]
        return f"{anchor} {index} {link_of(self.text, self.links, index)}" + (f" for {asked}" if asked else "")


HEADING = "ophex secret 1"


def new_secret(path: Path, links: int) -> Secret:
    """Draw a secret and store it in a file that only its owner may read.

    Raises:
        CampaignError: something is there already, or it cannot be written.
    """
    if not 1 <= links <= MOST_LINKS:
        raise CampaignError(
            f"A chain cannot have {links} links.", f"Choose a number from 1 to {MOST_LINKS:,}.", Why.OUT_OF_BOUNDS
        )
    secret = Secret(secrets.token_hex(32), links)
    text = f"{HEADING}\nlinks {links}\nsecret {secret.text}\ncheck {_check(secret)}\n"
    draft: Path | None = None
    try:
        draft = path.with_name(f".{secrets.token_hex(6)}.new")
        draft.touch(mode=0o600, exist_ok=False)
        draft.write_text(text, encoding="ascii")
        publish(draft, path)  # it appears completely or not at all, and does not replace another file
    except (OSError, ValueError) as error:
        raise CampaignError(f"The secret cannot be written to {path}: {error}.", "Choose another file.") from error
    finally:
        if draft is not None:
            with contextlib.suppress(OSError, ValueError):
                draft.unlink(missing_ok=True)
    return secret


def read_secret(path: Path) -> Secret:
    """The secret in a file. Raises CampaignError if it contains none."""
    words = [line.split() for line in data_of(path)[:4096].decode("ascii", "replace").splitlines()]
    found = {row[0]: row[1] for row in words[1:] if len(row) == 2}
    links, text = found.get("links", ""), found.get("secret", "")
    sound = (
        words[:1] == [HEADING.split()] and links.isdecimal() and len(links) < 7 and text.isalnum() and text.isascii()
    )
    if not sound or not 1 <= int(links) <= MOST_LINKS:
        raise CampaignError(
            f"{path} does not contain a secret for sealing dice.", "Create one with `ophex secret FILE --new`."
        )
    secret = Secret(text, int(links))
    if found.get("check") != _check(secret):
        raise CampaignError(f"The secret in {path} is damaged.", "Use the copy that you have kept.")
    return secret


def _check(secret: Secret) -> str:
    return hashlib.sha256(f"{secret.links} {secret.text}".encode()).hexdigest()[:16]
