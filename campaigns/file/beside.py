"""What an organizer's desk keeps beside the chain of a campaign file: notes by name, and the letters that came.

It is no part of the campaign: no digest and no hash knows of it, and a replay does without. It is written in the same
transaction as the inputs that it speaks of, so that the two never part.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from campaigns.file.errors import Stale
from campaigns.file.file_rows import Unsound
from campaigns.file.history import read_json

__all__ = ["ALL_LETTERS", "ALL_NOTES", "Beside", "Kept", "Statement", "kept_of", "note_of", "seen_of", "write"]

ALL_NOTES = "SELECT name, json FROM desk ORDER BY name"
ALL_LETTERS = "SELECT number, side, file, sha256, came_at, json FROM letter ORDER BY number"
DROP_NOTE = "DELETE FROM desk WHERE name = ?"
SET_NOTE = "INSERT OR REPLACE INTO desk (name, json) VALUES (?, ?)"
SET_LETTER = "INSERT OR REPLACE INTO letter (number, side, file, sha256, came_at, json) VALUES (?, ?, ?, ?, ?, ?)"

Statement = tuple[str, Sequence[Any]]
"""A statement that writes beside the chain, and what it is given."""


@frozen
class Kept:
    """A letter as it is kept.

    Attributes:
        number: its number, in the order in which letters were read in.
        side: whose letter it is.
        file: the name of the file it came in.
        sha256: the digest of the file, as hexadecimal digits.
        came_at: when it was read in, UTC, ISO 8601.
        told: what else is known of it: values that can be written as JSON, by name.
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
        notes: values that can be written as JSON, by name; None takes a note away.
        letters: letters that are new, or of which something else is known now.
        statements: what else is written, while the head still stands where it stood.
        seen: what `seen_of` gave of the letters that this rests on; where they are others by now, nothing is written. None: it rests on none.
    """

    notes: Mapping[str, Any] = field(factory=dict)
    letters: Sequence[Kept] = ()
    statements: Sequence[Statement] = ()
    seen: str | None = None


def seen_of(letters: Sequence[Kept]) -> str:
    """What stands for letters as they were read: another session may read in others, or give what waits, meanwhile."""
    rows = [[one.number, one.side, one.file, one.sha256, _json(one.told)] for one in letters]
    return hashlib.sha256(_json(rows).encode()).hexdigest()


def write(execute: Callable[..., Any], beside: Beside) -> None:
    """Write it, within a transaction. Raises Stale where it rests on letters that are others by now."""
    if beside.seen is not None and seen_of([kept_of(row) for row in execute(ALL_LETTERS).fetchall()]) != beside.seen:
        raise Stale("")  # said in full by the store
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
        return read_json(text)
    except (ValueError, RecursionError):
        raise Unsound(f"{what} is not written in JSON") from None
