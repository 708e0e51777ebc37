"""Rows of a campaign file as objects. Each value is checked for the type it was written with: a damaged file may hold anything."""

from collections.abc import Sequence
from typing import Any

from campaigns.file.history import Document, Entry, HeadRow, read_json
from interpreter.messages.inputs import Input

__all__ = [
    "COLUMNS",
    "Unsound",
    "document_of",
    "entry_of",
    "head_of",
    "input_of",
    "number_of",
    "row_of",
    "setting_of",
    "typed",
]

NAMES = ("number", "parent", "kind", "side", "subject", "text", "events", "digest", "hash", "written_at")
COLUMNS = ", ".join(NAMES)
"""The columns of an entry, in the order of `entry_of` and `row_of`."""


class Unsound(ValueError):
    """A row contains something that ophex did not write."""


def row_of(entry: Entry) -> tuple[Any, ...]:
    """The row of an entry."""
    given = entry.input
    step = (entry.number, entry.parent, given.kind, given.side, given.subject, given.text)
    return (*step, entry.events_json, entry.digest, entry.hash, entry.time)


def entry_of(row: Sequence[Any], *, on_path: bool = True) -> Entry:
    """The entry of a row. Raises Unsound."""
    number, parent, *texts = row
    _number(number, "entry", "number")
    if parent is not None:
        _number(parent, f"entry {number}", "parent")
    for name, text in zip(NAMES[2:], texts, strict=True):
        _text(text, f"entry {number}", name)
    kind, side, subject, text, events, digest, chained, written_at = texts
    return Entry(number, parent, Input(kind, side, text, subject), events, digest, chained, written_at, on_path)


def input_of(row: Sequence[Any]) -> tuple[int, Input]:
    """The number of an entry and its input, from a row of number, kind, side, text and subject. Raises Unsound."""
    number, *texts = row
    for name, text in zip(("kind", "side", "text", "subject"), texts, strict=True):
        _text(text, f"entry {number}", name)
    return number_of(number), Input(*texts)


def number_of(value: Any) -> int:
    """The number of an entry. Raises Unsound."""
    return _number(value, "entry", "number")


def head_of(row: Sequence[Any] | None) -> HeadRow:
    """The current entry of the campaign. Raises Unsound."""
    if row is None:
        raise Unsound("the row with the current entry of the campaign is missing")
    return HeadRow(_number(row[0], "head", "entry"), _number(row[1], "head", "tip"))


def document_of(row: Sequence[Any]) -> Document:
    """A text that the campaign was made from. Raises Unsound if it differs from the recorded one."""
    for name, text in zip(("name", "kind", "text", "sha256"), row, strict=True):
        _text(text, "document", name)
    name, kind, text, digest = row
    document = Document(name, kind, text)
    if document.sha256 != digest:
        raise Unsound(f"the text of {name[:80]} differs from the recorded one")
    return document


def setting_of(row: Sequence[Any]) -> tuple[str, Any]:
    """The name of a setting and its value. Raises Unsound."""
    name, text = row
    _text(name, "setting", "name")
    _text(text, f"setting {name[:80]}", "json")
    try:
        return name, read_json(text)
    except (ValueError, RecursionError):
        raise Unsound(f"the setting {name[:80]} is not written in JSON") from None


def typed(types: Sequence[type], row: Sequence[Any]) -> tuple[Any, ...]:
    """A row whose values have the given types. Raises Unsound."""
    if list(map(type, row)) != list(types):
        raise Unsound("a value does not have the type that it was written with")
    return tuple(row)


def _text(value: Any, where: str, column: str) -> None:
    if type(value) is not str:
        raise Unsound(f"{column} of {where} is not text")


def _number(value: Any, where: str, column: str) -> int:
    if type(value) is not int:
        raise Unsound(f"{column} of {where} is not a number")
    return value
