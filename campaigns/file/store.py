"""Writing into the campaign file: creating and opening it, adding entries, moving the head. `store_reading.py` reads what it holds.

There is one transaction for each accepted step. The head moves only if it is still where this session last saw it. Rows of
documents, settings and entries are added and never changed.
"""

import contextlib
import hashlib
import json
import math
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from attrs import asdict

from campaigns.file.beside import Beside
from campaigns.file.beside import write as write_beside
from campaigns.file.errors import FAILURES, Stale, cannot_write, from_sqlite, uncertain
from campaigns.file.file_rows import COLUMNS, row_of
from campaigns.file.file_schema import CURRENT, PATIENCE, Schema, appear, connect, make, recognise, too_new, upgrade
from campaigns.file.history import Document, Entry
from campaigns.file.looking_through import look_through
from campaigns.file.store_reading import LAST, StoreReader
from campaigns.file.watching import Watched, may_write

if TYPE_CHECKING:
    from sqlite_utils import Database

__all__ = ["Store"]

SNAPSHOTS, NEWEST = 32, 8
"""How many snapshots a file keeps, and how many of them are the newest. The others are spaced evenly, so that no state is far from one."""

ADD_ENTRY = f"INSERT INTO entry ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
ADD_SNAPSHOT = "INSERT OR REPLACE INTO snapshot (entry, bytes, digest) VALUES (?, ?, ?)"
ALL_SNAPSHOTS = "SELECT entry FROM snapshot ORDER BY entry"
DROP_SNAPSHOT = "DELETE FROM snapshot WHERE entry = ?"
FOLD_AFTER = 0.25
"""The least seconds between two mergers of the log into the file: each input of a person is merged, few of those of a computer."""
MOVE_HEAD = """UPDATE head SET entry = ?, tip = ?
               WHERE id = 1 AND entry = ? AND ? = (SELECT hash FROM entry WHERE number = head.entry)"""
Seen = tuple[int, str]
"""Where a session saw the head: the number of the entry, and its hash. A file that was restored has other entries of the same numbers."""


class Store(StoreReader):
    """One open campaign file. Use it from one thread at a time, and `close` it.

    Attributes:
        has_written: whether this session has written to it.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, watched: Watched | None = None) -> None:
        super().__init__(path, connection, watched)
        self._writable = False
        self._unfolded = self._is_alone = self.has_written = False
        self._folded_at = -math.inf

    @classmethod
    def create(
        cls,
        path: Path,
        documents: Iterable[Document],
        settings: Mapping[str, Any],
        beginning: Entry,
        schema: Schema = CURRENT,
    ) -> Self:
        """Create a campaign file; it appears under its name only when it is complete.

        Args:
            path: where it shall be; nothing may be there yet.
            documents: the texts it is made from, in their order.
            settings: values that can be written as JSON, by name.
            beginning: entry 0.
            schema: the schema of its tables.

        Returns:
            The open file.

        Raises:
            CampaignError: something is there already, or the folder cannot be written.
        """

        def rows(db: "Database") -> None:
            db.table("document").insert_all({**asdict(d), "sha256": d.sha256} for d in documents)
            db.table("setting").insert_all(
                {"name": name, "json": json.dumps(value)} for name, value in settings.items()
            )
            db.conn.execute(ADD_ENTRY, row_of(beginning))
            db.table("head").insert({"id": 1, "entry": beginning.number, "tip": beginning.number})

        make(path, rows, schema)
        return cls.open(path, schema=schema)

    @classmethod
    def open(cls, path: Path, *, schema: Schema = CURRENT, patience: float = PATIENCE, pages: bool = True) -> Self:
        """Open a campaign file; an older one is upgraded. Opening changes nothing else in it.

        A file that cannot be written here is opened read-only.

        Args:
            path: the file.
            schema: the schema that is understood.
            patience: how many seconds to wait for another session's transaction.
            pages: whether a file with inconsistent pages is refused.

        Raises:
            CampaignError: it is no campaign file, of a newer schema, locked, unreadable or damaged, or holds what does
                not belong into one.
        """
        recognise(path, schema)
        connection: sqlite3.Connection | None = None
        watched: Watched | None = None
        try:
            if may_write(path):
                connection = _to_write(path, patience)
            if connection is None:
                watched = Watched(path, patience, schema)
                connection = watched.connection
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > schema.version:  # written beside the file, in its log, and not yet in the header
                raise too_new(path, version, schema)
            look_through(connection, path, schema, pages=pages)
            if version < schema.version:
                from sqlite_utils import Database  # half of the time of opening a file, needed only here

                upgrade(Database(connection, execute_plugins=False), schema)
        except BaseException as error:
            if watched is not None:
                watched.close()
            elif connection is not None:
                connection.close()
            if isinstance(error, FAILURES):
                raise from_sqlite(error, path) from error
            raise
        return cls(path, connection, watched)

    def close(self) -> None:
        """Close the file; its log is merged into it as far as no other session reads it. Closing twice does no harm."""
        self.fold()
        with contextlib.suppress(*FAILURES):  # what was committed is safe in the log
            self._connection.close()
        if self._watched is not None:
            self._watched.close()

    def fold(self) -> None:
        """Merge what this session has written to the log into the file, so that a copy of only the file is complete."""
        if not self._unfolded:
            return
        self._folded_at = time.monotonic()
        with contextlib.suppress(*FAILURES):  # what was committed is safe in the log
            _, logged, folded = self._execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self._unfolded = logged != folded

    def is_folded(self) -> bool:
        """Whether everything that was written is in the file itself, as far as this session knows."""
        return not self._unfolded

    def drop_snapshots(self) -> None:
        """Delete all snapshots; nothing is lost, but the next opening takes longer."""
        self._write(lambda: self._execute("DELETE FROM snapshot"))

    def keep(self, beside: Beside, stand: tuple[Any, ...] | None = None) -> None:
        """Write something beside the chain, in one transaction.

        Args:
            beside: what is written.
            stand: what `stand` returned when this was decided, if it depends on that.

        Raises:
            Stale: another session has written since; nothing was written.
            CampaignError: the file cannot be written; nothing was written.
        """

        def write_it() -> None:
            if stand is not None and self.stand() != stand:
                raise Stale("")  # _write gives the full message
            write_beside(self._execute, beside)

        self._write(write_it)

    def append(
        self, seen: Seen, entries: Sequence[Entry], snapshot: bytes | None = None, beside: Beside | None = None
    ) -> None:
        """Add entries, each the child of the one before, and move the head to the last, in one transaction.

        Args:
            seen: where this session saw the head; usually the parent of the first entry.
            entries: at least one, with consecutive numbers after the last one that this session saw.
            snapshot: the state after the last of them, if it is to be kept.
            beside: what is written beside the chain with them, while the head still stands where it stood.

        Raises:
            Stale: another session has written since; nothing was added.
            CampaignError: the file cannot be written; nothing was added.
        """

        def add() -> None:
            if self._execute(LAST).fetchone()[0] != entries[0].number - 1:
                raise Stale("")  # _write gives the full message
            for entry in entries:
                self._execute(ADD_ENTRY, row_of(entry))
            number = entries[-1].number
            if beside is not None:
                write_beside(self._execute, beside)
            self._move(number, number, seen)
            if snapshot is not None:
                self._execute(ADD_SNAPSHOT, (number, snapshot, hashlib.sha256(snapshot).hexdigest()))
                for old in superfluous([n for (n,) in self._execute(ALL_SNAPSHOTS).fetchall()]):
                    self._execute(DROP_SNAPSHOT, (old,))

        self._write(add, entries[0].number - 1)

    def move(self, seen: Seen, target: int, tip: int, beside: Beside | None = None) -> None:
        """Move the head to another entry.

        Args:
            seen: where this session saw the head.
            target: the entry that shall be the head.
            tip: the entry that redo shall lead to in the end.
            beside: what is written beside the chain with it, while the head still stands where it stood.

        Raises:
            Stale: another session has written since; the head was not moved.
            CampaignError: the file cannot be written; the head was not moved.
        """

        def act() -> None:
            if beside is not None:
                write_beside(self._execute, beside)
            self._move(target, tip, seen)

        self._write(act)

    def backup(self, path: Path) -> None:
        """Write a copy of the file as it is now under another name.

        Raises:
            CampaignError: something is there already, or the copy cannot be made.
        """

        def copy(draft: Path) -> None:
            with contextlib.closing(sqlite3.connect(draft)) as target:
                self._connection.backup(target)

        appear(path, copy)

    @contextlib.contextmanager
    def alone(self, patience: float) -> Iterator[None]:
        """No other session writes within this context; the first thing that is written ends it.

        Args:
            patience: how many seconds to wait for others who want the same.

        Raises:
            CampaignError: the file cannot be written, or others did not finish in time.
        """
        if self.read_only:
            raise cannot_write(self.path)
        try:
            if not self._writable:
                self._prepare_to_write()
            (usual,) = self._execute("PRAGMA busy_timeout").fetchone()
            self._execute(f"PRAGMA busy_timeout = {int(patience * 1000)}")
            try:
                self._execute("BEGIN IMMEDIATE")
            finally:
                self._execute(f"PRAGMA busy_timeout = {usual}")
        except FAILURES as error:
            raise from_sqlite(error, self.path) from error
        self._is_alone = True
        try:
            yield
        finally:
            self._is_alone = False
            self._connection.rollback()

    def _move(self, target: int, tip: int, seen: Seen) -> None:
        if self._execute(MOVE_HEAD, (target, tip, *seen)).rowcount != 1:
            raise Stale("")  # _write gives the full message

    def _write(self, act: Callable[[], object], last: int | None = None) -> None:
        """Run an action in one transaction; `last` is what this session saw, to explain why it failed."""
        if self.read_only:
            raise cannot_write(self.path)
        execute = self._execute
        committing = False
        try:
            if not self._writable:
                self._prepare_to_write()
            if not self._is_alone:
                execute("BEGIN IMMEDIATE")
            try:
                act()
                committing = True
                execute("COMMIT")
            except BaseException:
                self._connection.rollback()
                raise
            self._is_alone = False
        except Stale:
            raise self.stale() from None
        except sqlite3.IntegrityError as error:
            if last is not None and self.last() != last:
                raise self.stale() from error
            raise from_sqlite(error, self.path) from error
        except FAILURES as error:
            if committing and getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_IOERR:
                raise uncertain(self.path) from error
            raise from_sqlite(error, self.path) from error
        self._unfolded = self.has_written = True
        if time.monotonic() - self._folded_at >= FOLD_AFTER:
            self.fold()

    def _prepare_to_write(self) -> None:
        """A copy made by other means may have lost the write-ahead log; reading must not create it again."""
        (mode,) = self._execute("PRAGMA journal_mode").fetchone()
        if mode != "wal":
            self._execute("PRAGMA journal_mode = WAL")
        self._writable = True

    @staticmethod
    def stale() -> Stale:
        """The same message for everybody: how far others have come may be a secret."""
        return Stale(
            "Another session has moved the campaign on. Your input was not recorded.",
            "Look at the new situation, then give your input again if you still want it.",
        )


def superfluous(entries: Sequence[int]) -> list[int]:
    """The snapshots to delete, from the entries in their order that have one: each time the one whose neighbours are nearest."""
    left, gone = list(entries), []
    while len(left) > SNAPSHOTS:
        at = min(range(1, len(left) - NEWEST), key=lambda n: left[n + 1] - left[n - 1])
        gone.append(left.pop(at))
    return gone


NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN})
"""The failure of opening if there is no space for the log beside a file, which is needed even to read it."""


def _to_write(path: Path, patience: float) -> sqlite3.Connection | None:
    """A connection to a file that is to be written; None if the disk is full, so that it is read-only."""
    connection: sqlite3.Connection | None = None
    try:
        connection = connect(path, patience)
        connection.execute("PRAGMA schema_version").fetchone()
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error) and error.sqlite_errorcode & 0xFF in NO_ROOM:
            return None
        raise
    return connection
