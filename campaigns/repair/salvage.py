"""Reading what can still be read of a damaged campaign file, value by value.

Nothing here decides what is true; see `campaigns.repair.file_doctor`. The database engine reads a copy of the file and runs nothing
in it: only tables are read, and no trigger fires for that.
"""

import contextlib
import hashlib
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from attrs import field, frozen

from campaigns.desk.copies import copies_beside
from campaigns.file.beside import ALL_LETTERS, ALL_NOTES, Kept, kept_of, note_of
from campaigns.file.errors import FAILURES
from campaigns.file.file_rows import COLUMNS, NAMES, Unsound, document_of, entry_of, setting_of, typed
from campaigns.file.file_schema import APPLICATION_ID, CURRENT, MAGIC, PATIENCE, Schema, connect, first_bytes, too_new
from campaigns.file.history import Document, Entry
from campaigns.file.looking_through import differences
from campaigns.file.watching import Watched
from interpreter.messages.inputs import Input

__all__ = ["Damage", "ReadBeside", "ReadFile", "ReadRow", "copy_to_look_at", "look_into"]

HEADER = 100
FRACTIONS = bytes((64, 32, 32))
"""Bytes in the header of every database, at byte 21."""
MOST_NUMBERS = 5_000_000
MOST_MISSING = 2_000
"""If entries cannot be listed, this many consecutive numbers without one mean that there are no more."""
MOST_COMPLAINTS = 20
OF_ANY_VERSION = Schema(())
ONE = f"SELECT {COLUMNS} FROM entry WHERE number = ?"
DOCUMENTS = "SELECT name, kind, text, sha256 FROM document ORDER BY number"
SETTINGS = "SELECT name, json FROM setting ORDER BY name"
TYPES: dict[str, tuple[type, ...]] = {
    "batch": (int, int, str),
    "branch": (int, str, str, int, int, int),
    "stretch": (int, int, int),
    "kept_text": (str, str),
    "version": (str, int, str, str, str),
}
"""The tables whose rows are carried over unchanged, except for the numbers of entries in them."""


@frozen
class Damage:
    """One problem of a file. kind: what it concerns; text: a full sentence; entry: the number of the entry, if it concerns one."""

    kind: str
    text: str
    entry: int | None = None


@frozen
class ReadRow:
    """What can be read of an entry.

    Attributes:
        number: its number.
        parent, given, hash, time: the number of its parent, its input, its hash and when it was accepted; None if unreadable.
        entry: the entry, if all of it can be read.
        is_torn: whether some of it cannot.
    """

    number: int
    parent: int | None
    given: Input | None
    hash: str | None
    time: str | None
    entry: Entry | None

    @property
    def is_torn(self) -> bool:  # noqa: D102 - see above
        return self.entry is None


@frozen
class ReadBeside:
    """What can be read beside the chain. rows: of the tables of TYPES; snapshots: entry, bytes and digest."""

    notes: Mapping[str, Any] = field(factory=dict)
    letters: Sequence[Kept] = ()
    rows: Mapping[str, Sequence[tuple[Any, ...]]] = field(factory=dict)
    snapshots: Sequence[tuple[int, bytes, str]] = ()


@frozen
class ReadFile:
    """What can be read of a file.

    Attributes:
        wrong: what is wrong with it so far.
        documents, settings: what the campaign was made from; None if unreadable.
        rows: what can be read of entries, by number.
        numbers: the numbers that entries must have: all up to the last.
        head, tip: the current entry, and where redo leads; None if unreadable.
        beside: what is stored beside the chain.
    """

    wrong: tuple[Damage, ...] = ()
    documents: tuple[Document, ...] | None = None
    settings: Mapping[str, Any] | None = None
    rows: Mapping[int, ReadRow] = field(factory=dict)
    numbers: range = range(0)
    head: int | None = None
    tip: int | None = None
    beside: ReadBeside = field(factory=ReadBeside)
    continued_by: Mapping[int, Sequence[int]] = field(factory=dict)


def copy_to_look_at(path: Path, folder: Path) -> tuple[Path | None, list[Damage]]:
    """A copy of a file in a folder, with its first bytes repaired, and what was wrong with them; None if it is not a database.

    Raises:
        CampaignError: there is no such file, it cannot be read, or a newer program wrote it.
    """
    first = first_bytes(path)
    if not first:
        return None, [Damage("file", "The file is empty.")]
    copy = folder / "copy.ophex"
    if not _copied_while_open(path, copy):
        shutil.copyfile(path, copy)
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(path.with_name(f"{path.name}-wal"), copy.with_name("copy.ophex-wal"))
    wrong: list[Damage] = []
    data = bytearray(copy.read_bytes()[:HEADER])
    if len(data) < HEADER:
        return None, [Damage("file", "The file is truncated: even its first 100 bytes are incomplete.")]
    if data[: len(MAGIC)] != MAGIC:
        if data[21:24] != FRACTIONS:
            return None, [Damage("file", "The file is not a database at all.")]
        wrong.append(Damage("file", "The first bytes of the file are not those of a database."))
        data[: len(MAGIC)] = MAGIC
    version = int.from_bytes(data[60:64], "big")
    if int.from_bytes(data[68:72], "big") != APPLICATION_ID:
        wrong.append(Damage("file", "The file is not marked as a campaign file."))
        data[68:72] = APPLICATION_ID.to_bytes(4, "big")
    elif version > CURRENT.version:
        raise too_new(path, version, CURRENT)
    elif version < 1:
        wrong.append(Damage("file", "The file does not say which version its tables have, or was never finished."))
    size, wanted = copy.stat().st_size, _size_of(data)
    with copy.open("rb+") as file:
        file.write(data)
        if size < wanted and not copy.with_name("copy.ophex-wal").exists():
            wrong.append(Damage("file", f"The file is truncated: {size:,} of {wanted:,} bytes are there."))
            file.truncate(min(wanted, MOST_NUMBERS * 4096))
    return copy, wrong


def look_into(copy: Path, path: Path) -> ReadFile:
    """What can be read of a file. copy: the copy to examine; path: the file itself, to find backups beside it."""
    try:
        with closing(connect(copy)) as db:
            return _Reader(db, path).found()
    except FAILURES as error:
        return ReadFile((Damage("file", f"The database cannot be opened: {_cause(error)}."),))


class _Reader:
    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self.db, self.path = db, path
        self.wrong: list[Damage] = []

    def found(self) -> ReadFile:
        listed = self.db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
        self.tables = {
            name
            for kind, name, _, sql in listed
            if kind == "table" and not str(sql).upper().startswith("CREATE VIRTUAL")
        }
        self._look_at_tables(listed)
        self._look_at_pages()
        rows = {row.number: row for row in self._rows()}
        numbers = range(max(rows) + 1) if rows else range(0)
        documents, settings = self._beginning(rows.get(0))
        head, tip = self._head()
        continued_by: dict[int, list[int]] = {}
        for row in rows.values():
            if row.parent is not None:
                continued_by.setdefault(row.parent, []).append(row.number)
        beside = self._beside()
        return ReadFile(tuple(self.wrong), documents, settings, rows, numbers, head, tip, beside, continued_by)

    def _look_at_tables(self, listed: Sequence[Sequence[Any]]) -> None:
        (version,) = self.db.execute("PRAGMA user_version").fetchone()
        of = version if type(version) is int and 1 <= version <= CURRENT.version else CURRENT.version
        with contextlib.suppress(ValueError, TypeError):
            for kind, name, foreign in differences(listed, CURRENT, of):
                what = f"the {kind} {str(name)[:80]!r}"
                text = f"It contains something that ophex never creates: {what}." if foreign else f"Missing or not as ophex creates it: {what}."  # fmt: skip
                self.wrong.append(Damage("tables", text))

    def _look_at_pages(self) -> None:
        try:
            told = [str(x) for (x,) in self.db.execute(f"PRAGMA integrity_check({MOST_COMPLAINTS})").fetchall()]
            lines = [line for text in told for line in text.splitlines() if line != "ok" and not line.startswith("***")]
        except FAILURES as error:
            lines = [_cause(error)]
        self.wrong += [Damage("pages", f"The database is damaged: {line[:200]}.") for line in lines[:MOST_COMPLAINTS]]

    def _rows(self) -> Iterator[ReadRow]:
        if "entry" not in self.tables:
            return
        missing = 0
        for number in self._numbers():
            row = self._row(number)
            if row is not None:
                yield row
            missing = 0 if row is not None else missing + 1
            if missing > MOST_MISSING:
                return

    def _numbers(self) -> "Iterator[int] | list[int]":
        """The numbers of the entries; if they cannot be listed, all possible ones."""
        with contextlib.suppress(*FAILURES):
            listed = [n for (n,) in self.db.execute("SELECT number FROM entry ORDER BY number").fetchall()]
            sound = [n for n in listed if type(n) is int and 0 <= n < 2 * len(listed) + MOST_MISSING]
            if len(sound) < len(listed):
                self.wrong.append(Damage("entry", "Some entries have impossible numbers."))
            return sound
        return iter(range(MOST_NUMBERS))

    def _row(self, number: int) -> ReadRow | None:
        try:
            row = self.db.execute(ONE, (number,)).fetchone()
            if row is None:
                return None
            values = list(row)
        except FAILURES:
            if self._value("kind", number) is None:  # then nothing of it can be read
                return None
            values = [number, *(self._value(name, number) for name in NAMES[1:])]
        known = dict(zip(NAMES, values, strict=True))
        texts = {name: value if type(value) is str else None for name, value in known.items()}
        parent = known["parent"] if type(known["parent"]) is int else None
        step = [texts[name] for name in ("kind", "side", "text", "subject")]
        given = Input(*(str(one) for one in step)) if all(one is not None for one in step) else None
        entry = None
        with contextlib.suppress(Unsound):
            entry = entry_of(values)
        if entry is not None and (entry.parent is None) != (number == 0):
            entry = None
        return ReadRow(number, parent, given, texts["hash"], texts["written_at"], entry)

    def _value(self, name: str, number: int) -> Any:
        with contextlib.suppress(*FAILURES):
            found = self.db.execute(f"SELECT {name} FROM entry WHERE number = ?", (number,)).fetchone()
            return None if found is None else found[0]
        return None

    def _beginning(self, first: ReadRow | None) -> tuple[tuple[Document, ...] | None, dict[str, Any] | None]:
        """The texts and settings; if one is damaged, those of a backup beside the file that begins with the same hash."""
        documents, settings = self._documents(), self._settings()
        if documents is not None and settings is not None:
            return documents, settings
        for copy in copies_beside(self.path):
            with contextlib.suppress(*FAILURES, ValueError, TypeError):
                watched = Watched(copy, PATIENCE, OF_ANY_VERSION)
                try:
                    db = watched.connection
                    (begun,) = db.execute("SELECT hash FROM entry WHERE number = 0").fetchone()
                    if first is not None and begun == first.hash:
                        text = f"Damaged texts and settings are taken from the backup {copy.name}, which begins with the same hash."
                        self.wrong.append(Damage("document", text))
                        return tuple(map(document_of, db.execute(DOCUMENTS))), dict(
                            map(setting_of, db.execute(SETTINGS))
                        )
                finally:
                    watched.close()
        return None, None

    def _documents(self) -> tuple[Document, ...] | None:
        if "document" not in self.tables:
            return None
        try:
            rows = self.db.execute(DOCUMENTS).fetchall()
            if rows:
                return tuple(map(document_of, rows))
            self._no("document", "The texts of the campaign are gone")
        except (*FAILURES, ValueError) as error:
            self._no("document", f"A text of the campaign is damaged: {_cause(error)}")
        return None

    def _settings(self) -> dict[str, Any] | None:
        if "setting" not in self.tables:
            return None
        try:
            return dict(map(setting_of, self.db.execute(SETTINGS).fetchall()))
        except (*FAILURES, ValueError) as error:
            self._no("setting", f"A setting of the campaign is damaged: {_cause(error)}")
        return None

    def _no(self, kind: str, text: str) -> None:
        self.wrong.append(Damage(kind, f"{text}. Without it nothing can be replayed."))

    def _head(self) -> tuple[int | None, int | None]:
        try:
            entry, tip = self.db.execute("SELECT entry, tip FROM head WHERE id = 1").fetchone()
            if type(entry) is int and type(tip) is int:
                return entry, tip
        except (*FAILURES, TypeError):
            pass
        self.wrong.append(Damage("head", "The current entry of the campaign cannot be read."))
        return None, None

    def _beside(self) -> ReadBeside:
        notes = dict(self._each("desk", ALL_NOTES, note_of, "A note of the desk"))
        letters = list(self._each("letter", ALL_LETTERS, kept_of, "A letter"))
        rows = {}
        for table, types in TYPES.items():
            if table in self.tables:
                rows[table] = list(
                    self._each(table, f"SELECT * FROM {table}", partial(typed, types), f"A row of the table {table}")
                )
        snapshots = list(self._each("snapshot", "SELECT entry, bytes, digest FROM snapshot", _image, "A snapshot"))
        return ReadBeside(notes, letters, rows, snapshots)

    def _each(self, table: str, sql: str, read: Any, what: str) -> Iterator[Any]:
        """The rows of a table, as far as they can be read."""
        if table not in self.tables:
            return
        damaged = 0
        try:
            for row in self.db.execute(sql):
                try:
                    yield read(row)
                except (ValueError, TypeError):
                    damaged += 1
        except FAILURES:
            damaged += 1
        if damaged:
            harmless = "; it does no harm" if table == "snapshot" else " and is left out"
            self.wrong.append(Damage(table, f"{what} is damaged{harmless} ({damaged} in all)."))


def _image(row: tuple[Any, ...]) -> tuple[int, bytes, str]:
    number, image, digest = row
    if (type(number), type(image), type(digest)) != (int, bytes, str) or hashlib.sha256(image).hexdigest() != digest:
        raise Unsound("a snapshot differs from what was written")
    return number, image, digest


def _copied_while_open(path: Path, copy: Path) -> bool:
    """Let the engine copy a file that a living session may be writing; returns whether that was necessary and possible."""
    if not path.with_name(f"{path.name}-shm").exists():
        return False
    try:
        with closing(connect(path, mode="mode=ro")) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
    except FAILURES:
        copy.unlink(missing_ok=True)
        return False
    return True


def _size_of(header: bytes | bytearray) -> int:
    """How large a database must be, as its header says."""
    page = int.from_bytes(header[16:18], "big")
    return (65536 if page == 1 else page) * int.from_bytes(header[28:32], "big")


def _cause(error: Exception) -> str:
    return str(error).partition(" with text ")[0][:200] or type(error).__name__
