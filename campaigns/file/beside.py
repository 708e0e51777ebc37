"""What an organizer's desk keeps beside the chain of a campaign file: notes by name, and the letters that came.

It is not part of the campaign: no digest and no hash includes it, and a replay does not need it. It is written in the same
transaction as the inputs that it is about, so the two always agree.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from campaigns.file.errors import Stale
from campaigns.file.file_rows import Unsound
from campaigns.file.history import read_json

__all__ = ["ALL_LETTERS", "ALL_NOTES", "Beside", "Kept", "Statement", "kept_of", "note_of", "seen_of", "write"]

ALL_NOTES = "SELECT name, json FROM desk ORDER BY name"
ALL_LETTERS = "SELECT number, side, file, sha256, came_at, json FROM letter ORDER BY number"
DROP_NOTE = "DELETE FROM desk WHERE name = ?"
SET_NOTE = "INSERT OR REPLACE INTO desk (name, json) VALUES (?, ?)"
SET_LETTER = "INSERT OR REPLACE INTO letter (number, side, file, sha256, came_at, json) VALUES (?, ?, ?, ?, ?, ?)"

MOST_DIGITS = 18
"""How many digits an integer in a note or a letter has at most: the file can hold it as a number, and also the next one."""

Statement = tuple[str, Sequence[Any]]
"""A statement that writes beside the chain, and its parameters."""


AGAIN = "again"
"""Among what is told of a letter: the entries that gave it and were given again on another line, each with its new number."""
INSTEAD = "instead"
"""The same of entries that the umpire took back alone: each with the first entry of a line that goes on without it."""


@frozen
class Kept:
    """A stored letter.

    Attributes:
        number: its number, in the order in which letters were read.
        side: whose letter it is.
        file: the name of the file it came in.
        sha256: the digest of the file, as hexadecimal digits.
        came_at: when it was read, UTC, ISO 8601.
        told: what else is known about it: values that can be written as JSON, by name.
    """

    number: int
    side: str
    file: str
    sha256: str
    came_at: str
    told: Mapping[str, Any] = field(factory=dict)


@frozen
class Beside:
    """What is written beside the chain.

    Attributes:
        notes: values that can be written as JSON, by name; None removes a note.
        letters: letters that are new or have changed.
        statements: what else is written, before the head moves.
        seen: what `seen_of` returned for the letters that this depends on; if they have changed, nothing is written. None: it depends on none.
    """

    notes: Mapping[str, Any] = field(factory=dict)
    letters: Sequence[Kept] = ()
    statements: Sequence[Statement] = ()
    seen: str | None = None


def seen_of(letters: Sequence[Kept]) -> str:
    """What identifies letters as they were read: another session may read others, or give waiting commands, in the meantime."""
    rows = [[one.number, one.side, one.file, one.sha256, _json(one.told)] for one in letters]
    return hashlib.sha256(_json(rows).encode()).hexdigest()


def given_again(kept: Kept, numbers: Mapping[int, int], taken: Collection[int] = (), first: int = 0) -> Kept:
    """A letter after entries were given again on another line.

    Args:
        kept: the letter.
        numbers: the new number of each of these entries.
        taken: the entries that were taken back and not given again, although what followed was.
        first: the first entry of the new line.
    """
    sealed = kept.told.get("sealed")
    entries = [*(sealed if isinstance(sealed, list) else [])]
    entries += [number for name in ("given", AGAIN) for row in _pairs(kept, name) for number in row]
    known = sorted({number for number in entries if type(number) is int})
    goes_on = [(was, numbers[since]) for was, since in _pairs(kept, INSTEAD) if type(since) is int and since in numbers]
    more = {
        AGAIN: [(number, numbers[number]) for number in known if number in numbers],
        INSTEAD: [*((number, first) for number in known if number in taken), *goes_on],
    }
    if not any(more.values()):
        return kept
    told = {name: [*_pairs(kept, name), *map(list, rows)] for name, rows in more.items() if rows}
    return evolve(kept, told={**kept.told, **told})


def _pairs(kept: Kept, name: str) -> list[list[Any]]:
    """Rows of two values that are told of a letter under a name; others are left out."""
    rows = kept.told.get(name)
    return [row for row in rows if isinstance(row, list) and len(row) == 2] if isinstance(rows, list) else []


def carried_on(
    letters: Sequence[Kept],
    numbers: Mapping[int, int],
    statements: Sequence[Statement],
    taken: Collection[int] = (),
    first: int = 0,
) -> Beside:
    """What is written beside entries that were given again, with the letters that gave them; `taken` and `first` as for `given_again`."""
    changed = [new for old in letters if (new := given_again(old, numbers, taken, first)) is not old]
    return Beside(letters=changed, statements=statements, seen=seen_of(letters) if changed else None)


def write(execute: Callable[..., Any], beside: Beside) -> None:
    """Write it, within a transaction. Raises Stale if it depends on letters that have changed."""
    if beside.seen is not None and seen_of([kept_of(row) for row in execute(ALL_LETTERS).fetchall()]) != beside.seen:
        raise Stale("")  # the store gives the full message
    for name, value in beside.notes.items():
        if value is None:
            execute(DROP_NOTE, (name,))
        else:
            execute(SET_NOTE, (name, _json(value)))
    for sql, row in beside.statements:
        execute(sql, row)
    for one in beside.letters:
        execute(SET_LETTER, (one.number, one.side, one.file, one.sha256, one.came_at, _json(one.told)))


def note_of(row: Sequence[Any]) -> tuple[str, Any]:
    """The name of a note and its value. Raises Unsound."""
    name, text = row
    if type(name) is not str or type(text) is not str:
        raise Unsound("a note of the desk is not text")
    return name, _value(text, f"the note {name[:80]}")


def kept_of(row: Sequence[Any]) -> Kept:
    """The letter of a row. Raises Unsound."""
    number, side, file, sha256, came_at, told = row
    if type(number) is not int or not all(type(text) is str for text in row[1:]):
        raise Unsound("a letter differs from what was written")
    value = _value(told, f"letter {number}")
    if not isinstance(value, dict):
        raise Unsound(f"letter {number} differs from what was written")
    return Kept(number, side, file, sha256, came_at, value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)


def _value(text: str, what: str) -> Any:
    try:
        return read_json(text, _integer)
    except (ValueError, RecursionError):
        raise Unsound(f"{what} is not written in JSON") from None


def _integer(digits: str) -> int | None:
    """An integer; None for a larger one than anything that is counted here, so that whoever needs a number passes it over."""
    return int(digits) if len(digits.removeprefix("-")) <= MOST_DIGITS else None
