"""Writing the usable part of a damaged campaign file into a new one: entries get new numbers, and references to them are updated."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve

from campaigns.desk.trays import renumbered
from campaigns.file.beside import Beside as Noted
from campaigns.file.beside import write as write_noted
from campaigns.file.file_rows import row_of
from campaigns.file.file_schema import CURRENT, fill
from campaigns.file.history import Entry
from campaigns.file.store import ADD_ENTRY, ADD_SNAPSHOT
from campaigns.repair.salvage import ReadBeside, ReadFile

__all__ = ["write_saved"]


def write_saved(draft: Path, found: ReadFile, entries: Sequence[Entry], head: int, beside: ReadBeside) -> None:
    """Create a campaign file from what is worth keeping.

    Args:
        draft: an empty file.
        found: what was read, for its texts and settings.
        entries: the sound entries, with their old numbers; they are renumbered if some are lost.
        head: the entry that the campaign will be at, by its old number.
        beside: what is stored beside the chain.
    """
    numbers = {entry.number: new for new, entry in enumerate(entries)}
    parents = {entry.number: entry.parent for entry in entries}
    tip = head if found.tip is None or found.tip not in parents else found.tip
    at: int | None = tip
    while at is not None and at != head:
        at = parents[at]
    tip = tip if at == head else head

    def rows(db: Any) -> None:
        execute = db.conn.execute
        for number, one in enumerate(found.documents or (), start=1):
            execute("INSERT INTO document VALUES (?, ?, ?, ?, ?)", (number, one.name, one.kind, one.text, one.sha256))
        for name, value in (found.settings or {}).items():
            execute("INSERT INTO setting VALUES (?, ?)", (name, json.dumps(value)))
        for entry in entries:
            parent = None if entry.parent is None else numbers[entry.parent]
            execute(ADD_ENTRY, row_of(evolve(entry, number=numbers[entry.number], parent=parent)))
        execute("INSERT INTO head VALUES (1, ?, ?)", (numbers[head], numbers[tip]))
        for number, image, digest in beside.snapshots:
            if number in numbers:
                execute(ADD_SNAPSHOT, (numbers[number], image, digest))
        write_noted(execute, Noted(_notes(beside.notes, numbers), [renumbered(one, numbers) for one in beside.letters]))
        for table, values in _moved(beside.rows, numbers):
            execute(f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(values))})", values)

    fill(draft, rows, CURRENT)


def _notes(notes: Mapping[str, Any], numbers: Mapping[int, int]) -> dict[str, Any]:
    """The notes of the desk, which refer to the entry after which a packet was made."""
    return {
        name: {**value, "after": _before(value["after"], numbers)}
        if isinstance(value, dict) and type(value.get("after")) is int
        else value
        for name, value in notes.items()
    }


def _moved(
    rows: Mapping[str, Sequence[tuple[Any, ...]]], numbers: Mapping[int, int]
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The rows beside the chain with the new numbers of the entries that they refer to; those of lost entries are left out."""
    known = {row[0] for row in rows.get("branch", ())}
    for table, found in rows.items():
        for row in found:
            if table == "batch":
                kept = [new for old, new in numbers.items() if row[0] <= old <= row[1]]
                if kept:
                    yield table, (min(kept), max(kept), row[2])
            elif table == "branch":
                yield table, (*row[:3], *(_before(number, numbers) for number in row[3:]))
            elif table == "stretch":
                if row[1] in known:
                    yield table, (_before(row[0], numbers), *row[1:])
            elif table != "kept_text" or hashlib.sha256(row[1].encode("utf-8", "replace")).hexdigest() == row[0]:
                yield table, row


def _before(number: int, numbers: Mapping[int, int]) -> int:
    """The new number of an entry, or of the last before it that is kept."""
    if number in numbers:
        return numbers[number]
    return max((new for old, new in numbers.items() if old <= number), default=0)
