"""Reading the campaign file: documents, settings, the tree of entries, its head, and snapshots. Nothing is written here.

A row is read as the type it was written with; otherwise the reader gets a clear error. Hashes and states are not
checked here; see `campaigns.file.history` and `campaigns.play.campaign`.
"""

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from campaigns.file.beside import ALL_LETTERS, ALL_NOTES, Kept, kept_of, note_of
from campaigns.file.errors import FAILURES, from_sqlite
from campaigns.file.file_rows import (
    COLUMNS,
    Unsound,
    document_of,
    entry_of,
    head_of,
    input_of,
    number_of,
    setting_of,
    typed,
)
from campaigns.file.history import Document, Entry, HeadRow
from campaigns.file.looking_through import look_through
from campaigns.file.versions import FILES, NAMES, Version, versions_in
from campaigns.file.watching import Watched
from interpreter.messages.inputs import Input

if TYPE_CHECKING:
    pass

__all__ = ["StoreReader"]


ONE_ENTRY = f"SELECT {COLUMNS} FROM entry WHERE number = ?"
NEXT_ENTRIES = f"SELECT {COLUMNS} FROM entry WHERE number > ? ORDER BY number LIMIT 1000"
NEWEST_ENTRIES = f"SELECT {COLUMNS} FROM entry WHERE number > 0 ORDER BY number DESC LIMIT ?"
STAND = "SELECT entry, (SELECT max(number) FROM entry), (SELECT hash FROM entry WHERE number = head.entry) FROM head WHERE id = 1"
LAST = "SELECT max(number) FROM entry"


class StoreReader:
    """One open campaign file, for reading. Use it from one thread at a time.

    Attributes:
        path: the file.
        read_only: whether it cannot be written.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, watched: Watched | None = None) -> None:
        self.path = path
        self.read_only = watched is not None
        self._watched = watched
        self._connection = connection
        self._execute = connection.execute

    def others(self) -> int:
        """A number that another session changes by writing."""
        with self._reading():
            return int(self._execute("PRAGMA data_version").fetchone()[0])

    def documents(self) -> tuple[Document, ...]:
        """The texts that the campaign was made from.

        Raises:
            CampaignError: one of them is not the text that was recorded.
        """
        with self._reading():
            rows = self._execute("SELECT name, kind, text, sha256 FROM document ORDER BY number").fetchall()
            return tuple(map(document_of, rows))

    def versions(self) -> dict[str, Version]:
        """The amended texts of the rules by their digests.

        Raises:
            CampaignError: one of them is not the text that was recorded.
        """
        with self._reading():
            if not self._execute(NAMES).fetchone():
                return {}
            return versions_in(self._execute(FILES).fetchall())

    def version_names(self) -> frozenset[str]:
        """The digests of the amended texts."""
        with self._reading():
            return frozenset(str(name) for (name,) in self._execute(NAMES).fetchall())

    def settings(self) -> dict[str, Any]:
        """The settings by name."""
        with self._reading():
            rows = self._execute("SELECT name, json FROM setting ORDER BY name").fetchall()
            return dict(map(setting_of, rows))

    def head(self) -> HeadRow:
        """The current position of the campaign, whichever session moved it."""
        with self._reading():
            return head_of(self._execute("SELECT entry, tip FROM head WHERE id = 1").fetchone())

    def last(self) -> int:
        """The number of the entry that was added last, on any branch."""
        with self._reading():
            (number,) = self._execute(LAST).fetchone()
            return number_of(number)

    def stand(self) -> tuple[Any, ...]:
        """The current entry, the number that was added last, and the hash of the current entry, which no other record has."""
        with self._reading():
            return tuple(self._execute(STAND).fetchone() or ())

    def entry(self, number: int) -> Entry | None:
        """One entry, or None; `on_path` is not calculated and True."""
        with self._reading():
            row = self._execute(ONE_ENTRY, (number,)).fetchone()
            return None if row is None else entry_of(row)

    def entries(self) -> Iterator[Entry]:
        """All entries in the order of their numbers, on all branches; `on_path` is not calculated and True."""
        after = -1
        while True:
            with self._reading():
                found = [entry_of(row) for row in self._execute(NEXT_ENTRIES, (after,)).fetchall()]
            if not found:
                return
            yield from found
            after = found[-1].number

    def newest(self, limit: int | None) -> list[Entry]:
        """The entries that were added last, newest first, without entry 0."""
        with self._reading():
            rows = self._execute(NEWEST_ENTRIES, (-1 if limit is None else limit,)).fetchall()
            if not rows:
                return []
            numbers = [row[0] for row in rows]
            if numbers != list(range(numbers[0], numbers[0] - len(rows), -1)) or (limit is None and numbers[-1] != 1):
                raise Unsound("an entry is missing")
            path = set(self.lineage(self.head().entry, rows[-1][0]))
            return [entry_of(row, on_path=row[0] in path) for row in rows]

    def lineage(self, number: int, floor: int = 0) -> list[int]:
        """The numbers on the line from an entry back towards the beginning.

        Args:
            number: the entry to start with.
            floor: numbers below it are left out.

        Returns:
            Entry numbers, newest first; empty if `number` is below `floor`.
        """
        with self._reading():
            sql = "SELECT number, parent FROM entry WHERE number BETWEEN ? AND ? ORDER BY number DESC"
            way, wanted = [], number
            for found, parent in self._execute(sql, (floor, number)).fetchall():
                if found == wanted:
                    way.append(found)
                    wanted = parent
            return way

    def ends(self) -> list[int]:
        """The entries that no other entry continues: where the lines of the campaign end, newest first."""
        with self._reading():
            sql = "SELECT number FROM entry WHERE number NOT IN (SELECT parent FROM entry WHERE parent IS NOT NULL) ORDER BY number DESC"
            return [number for (number,) in self._execute(sql).fetchall()]

    def end_beyond(self, number: int) -> int:
        """The newest entry that continues an entry and that nothing continues; the entry itself if nothing continues it."""
        with self._reading():
            sql = "SELECT number, parent FROM entry WHERE number > ? ORDER BY number"
            found = {number}
            end = number
            for one, parent in self._execute(sql, (number,)).fetchall():
                if parent in found:
                    found.add(one)
                    end = one
            return end

    def inputs(self, after: int, number: int) -> list[tuple[int, Input]] | None:
        """The inputs on the line from one entry to a later one, in order, with their numbers.

        Args:
            after: the entry to start from; its own input is left out.
            number: the entry to reach.

        Returns:
            The numbered inputs; None when `number` does not continue `after`.
        """
        with self._reading():
            sql = """SELECT number, parent, kind, side, text, subject FROM entry
                     WHERE number > ? AND number <= ? ORDER BY number DESC"""
            way, wanted = [], number
            for found, parent, *given in self._execute(sql, (after, number)).fetchall():
                if found == wanted:
                    way.append(input_of((found, *given)))
                    wanted = parent
            way.reverse()
            return way if wanted == after else None

    def snapshots(self, number: int) -> Iterator[tuple[int, bytes]]:
        """The undamaged snapshots on the line to an entry, newest first, with their entries."""
        with self._reading():
            found = [n for (n,) in self._execute("SELECT entry FROM snapshot WHERE entry <= ?", (number,)).fetchall()]
        at = number
        for base in sorted(found, reverse=True):
            way = self.lineage(at, base)  # no further back than requested
            if way:
                at = way[-1]
            image = self._image(base) if at == base else None
            if image is not None:
                yield base, image

    def unsound_snapshots(self) -> list[int]:
        """The entries whose snapshots are damaged."""
        with self._reading():
            found = [n for (n,) in self._execute("SELECT entry FROM snapshot ORDER BY entry").fetchall()]
        return [number for number in found if self._image(number) is None]

    def notes(self) -> dict[str, Any]:
        """The notes of the desk by name."""
        with self._reading():
            return dict(map(note_of, self._execute(ALL_NOTES).fetchall()))

    def letters(self) -> list[Kept]:
        """The letters that came, in the order in which they were read."""
        with self._reading():
            return list(map(kept_of, self._execute(ALL_LETTERS).fetchall()))

    def rows(self, types: Sequence[type], sql: str, given: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The contents of a table beside the chain. types: of its columns."""
        with self._reading():
            return [typed(types, row) for row in self._execute(sql, given).fetchall()]

    def complaints(self) -> list[str]:
        """What the database engine finds wrong with the file; empty if it is sound."""
        try:
            found = [str(text) for (text,) in self._execute("PRAGMA integrity_check").fetchall() if text != "ok"]
            broken = self._execute("PRAGMA foreign_key_check").fetchall()
        except FAILURES as error:
            return [str(error)]
        return found + [f"row {row} of the table {table} refers to a row that is missing" for table, row, *_ in broken]

    @contextlib.contextmanager
    def consistent(self) -> Iterator[None]:
        """Everything that is read within this context sees one state of the file, even if other sessions write in the meantime."""
        if self._connection.in_transaction:  # in that state, then
            yield
            return
        with self._reading():
            self._execute("BEGIN")
        try:
            yield
        finally:
            self._connection.rollback()

    def _image(self, number: int) -> bytes | None:
        """The bytes of a snapshot; None if it is damaged, which does no harm: the inputs are there."""
        with contextlib.suppress(*FAILURES):
            row = self._execute("SELECT bytes, digest FROM snapshot WHERE entry = ?", (number,)).fetchone()
            if row and isinstance(row[0], bytes) and hashlib.sha256(row[0]).hexdigest() == row[1]:
                return row[0]
        return None

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Failures of reading become errors for people; so do values of the wrong type.

        Rows are fetched completely within this context: a cursor that a traceback keeps alive would prevent the file from closing cleanly.
        """
        try:
            if self._watched is not None and self._watched.look_again():
                self._connection = self._watched.connection
                look_through(self._connection, self.path, self._watched.schema)
                self._execute = self._connection.execute
            yield
        except (*FAILURES, ValueError, TypeError, AttributeError, RecursionError) as error:
            raise from_sqlite(error, self.path) from error
