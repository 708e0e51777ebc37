"""Batches: the inputs of one mail, one order file or one command line. Kept beside the chain, in no hash."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field, frozen

from campaigns.file.beside import Statement
from campaigns.file.history import Entry
from campaigns.file.store import Store
from interpreter.messages.inputs import Event

__all__ = ["Batch", "Trial", "batch_of", "batches", "carried_over", "mails_of", "noted_mail", "together"]

MAILS, MOST_MAILS = "mails", 50
MOST_OF_A_NAME = 200
"""How many characters of the name of a file are kept."""
ADD_BATCH = "INSERT INTO batch (first, last, source) VALUES (?, ?, ?)"


@define
class Trial:
    """What a machine has accepted and has not been recorded yet. position: the index of the current input."""

    entries: list[Entry] = field(factory=list)
    events: list[Event] = field(factory=list)
    position: int = 0


@frozen
class Batch:
    """Inputs that came together: the first and the last of their entries, and the name of their source, or ""."""

    first: int
    last: int
    source: str


def together(entries: Sequence[Entry], source: str) -> list[Statement]:
    """What is noted about entries that came together. Nothing for a single one that did not come in a file."""
    if len(entries) < 2 and not source:
        return []
    return [(ADD_BATCH, (entries[0].number, entries[-1].number, _cleaned(source)))]


def _cleaned(source: str) -> str:
    return source.encode("utf-8", "replace").decode()[-MOST_OF_A_NAME:]


def batches(store: Store, after: int, until: int) -> list[Batch]:
    """The batches among the entries after one number up to another."""
    rows = store.rows(
        [int, int, str],
        "SELECT first, last, source FROM batch WHERE last > ? AND first <= ? ORDER BY first",
        (after, until),
    )
    return [Batch(*row) for row in rows]


def batch_of(store: Store, number: int) -> Batch | None:
    """The batch of an entry; None if it came alone."""
    found = batches(store, number - 1, number)
    return found[0] if found else None


def noted_mail(notes: Mapping[str, Any], first: Entry, last: Entry) -> dict[str, Any]:
    """The note about mails with one more: the letters that were read at once gave the entries from one to another."""
    before = [[one.first, one.last, one.source] for one in mails_of(notes)]
    return {MAILS: [*before, [first.number, last.number, last.hash]][-MOST_MAILS:]}


def mails_of(notes: Mapping[str, Any]) -> list[Batch]:
    """What came with the last mails; the source is the hash of the last entry, since a repaired file counts otherwise."""
    rows = notes.get(MAILS)
    rows = [row for row in rows if isinstance(row, list)] if isinstance(rows, list) else []
    return [Batch(*row) for row in rows if [type(one) for one in row] == [int, int, str]]


def carried_over(known: Sequence[Batch], numbers: Mapping[int, int]) -> list[Statement]:
    """What is noted about replayed entries. numbers: the new number of each entry."""
    found: list[Statement] = []
    for batch in known:
        new = sorted(now for was, now in numbers.items() if batch.first <= was <= batch.last)
        if new:
            found.append((ADD_BATCH, (new[0], new[-1], batch.source)))
    return found
