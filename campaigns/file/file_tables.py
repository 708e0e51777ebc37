"""The tables of a campaign file, by version. `campaigns.file.store` and `campaigns.file.beside` explain the meaning of their rows."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlite_utils import Database

__all__ = ["STEPS", "TABLES"]

DOCUMENT = """
CREATE TABLE document (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    sha256 TEXT NOT NULL
)"""
SETTING = """
CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    json TEXT NOT NULL
)"""
ENTRY = """
CREATE TABLE entry (
    number INTEGER PRIMARY KEY CHECK (number >= 0),
    parent INTEGER REFERENCES entry (number) CHECK (parent < number),
    kind TEXT NOT NULL,
    side TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    events TEXT NOT NULL,
    digest TEXT NOT NULL,
    hash TEXT NOT NULL,
    written_at TEXT NOT NULL,
    CHECK ((parent IS NULL) = (number = 0))
)"""
HEAD = """
CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    entry INTEGER NOT NULL REFERENCES entry (number),
    tip INTEGER NOT NULL REFERENCES entry (number)
)"""
SNAPSHOT = """
CREATE TABLE snapshot (
    entry INTEGER PRIMARY KEY REFERENCES entry (number),
    bytes BLOB NOT NULL,
    digest TEXT NOT NULL
)"""
DESK = """
CREATE TABLE desk (
    name TEXT PRIMARY KEY,
    json TEXT NOT NULL
)"""
LETTER = """
CREATE TABLE letter (
    number INTEGER PRIMARY KEY,
    side TEXT NOT NULL,
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    came_at TEXT NOT NULL,
    json TEXT NOT NULL
)"""
ADDED_LAST = """
CREATE TRIGGER entry_is_added_last BEFORE INSERT ON entry WHEN new.number <= (SELECT max(number) FROM entry)
BEGIN SELECT raise(ABORT, 'an entry is only added after the last one'); END"""


def _kept(table: str, act: str) -> str:
    """The trigger that prevents changes to the rows of a table."""
    return f"""
CREATE TRIGGER {table}_is_not_{act}d BEFORE {act} ON {table}
BEGIN SELECT raise(ABORT, 'the rows of {table} are never {act}d'); END"""


TRIGGERS = {
    **{
        f"{table}_is_not_{act}d": (table, _kept(table, act))
        for table in ("document", "setting", "entry")
        for act in ("update", "delete")
    },
    "entry_is_added_last": ("entry", ADDED_LAST),
}
"""The triggers by name: their tables and texts."""
MIGRATIONS = """
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
)"""
MIGRATED_ONCE = """
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name")"""
"""sqlite_utils notes the completed steps of the schema in a table of its own; these are its texts."""


def first_tables(db: "Database") -> None:
    """Version 1: the documents, the settings, the tree of entries, its head, and the snapshots."""
    for table in (DOCUMENT, SETTING, ENTRY, HEAD, SNAPSHOT):
        db.execute(table)
    for _, trigger in TRIGGERS.values():
        db.execute(trigger)


def desk_tables(db: "Database") -> None:
    """Version 2: what an organizer's desk stores beside the chain: its settings, and the letters that came."""
    for table in (DESK, LETTER):
        db.execute(table)


_FIRST: tuple[tuple[str, str, str, str | None], ...] = (
    ("table", "_sqlite_migrations", "_sqlite_migrations", MIGRATIONS),
    ("index", "idx__sqlite_migrations_migration_set_name", "_sqlite_migrations", MIGRATED_ONCE),
    ("table", "document", "document", DOCUMENT),
    ("index", "sqlite_autoindex_document_1", "document", None),
    ("table", "setting", "setting", SETTING),
    ("index", "sqlite_autoindex_setting_1", "setting", None),
    ("table", "entry", "entry", ENTRY),
    ("table", "head", "head", HEAD),
    ("table", "snapshot", "snapshot", SNAPSHOT),
    *(("trigger", name, table, text) for name, (table, text) in TRIGGERS.items()),
)
_DESK: tuple[tuple[str, str, str, str | None], ...] = (
    *_FIRST,
    ("table", "desk", "desk", DESK),
    ("index", "sqlite_autoindex_desk_1", "desk", None),
    ("table", "letter", "letter", LETTER),
)

BATCH = """
CREATE TABLE batch (
    first INTEGER PRIMARY KEY REFERENCES entry (number),
    last INTEGER NOT NULL REFERENCES entry (number) CHECK (last >= first),
    source TEXT NOT NULL
)"""
BRANCH = """
CREATE TABLE branch (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('main', 'aside', 'dropped')),
    begun INTEGER NOT NULL REFERENCES entry (number),
    entry INTEGER NOT NULL REFERENCES entry (number),
    tip INTEGER NOT NULL REFERENCES entry (number)
)"""
STRETCH = """
CREATE TABLE stretch (
    after INTEGER PRIMARY KEY REFERENCES entry (number),
    branch INTEGER NOT NULL REFERENCES branch (id),
    apart INTEGER NOT NULL CHECK (apart IN (0, 1))
)"""
KEPT_TEXT = """
CREATE TABLE kept_text (
    sha256 TEXT PRIMARY KEY,
    text TEXT NOT NULL
) WITHOUT ROWID"""
VERSION = """
CREATE TABLE version (
    version TEXT NOT NULL,
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (version, number)
) WITHOUT ROWID"""
TRIGGERS_BESIDE = {
    **{
        f"{table}_is_not_{act}d": (table, _kept(table, act))
        for table in ("batch", "kept_text", "version")
        for act in ("update", "delete")
    },
    "branch_is_not_deleted": ("branch", _kept("branch", "delete")),
}


def tables_beside(db: "Database") -> None:
    """Version 3: which inputs came together, named branches, which input was given on which branch, and amended texts."""
    for table in (BATCH, BRANCH, STRETCH, KEPT_TEXT, VERSION):
        db.execute(table)
    for _, trigger in TRIGGERS_BESIDE.values():
        db.execute(trigger)


_BESIDE: tuple[tuple[str, str, str, str | None], ...] = (
    ("table", "batch", "batch", BATCH),
    ("table", "branch", "branch", BRANCH),
    ("index", "sqlite_autoindex_branch_1", "branch", None),
    ("table", "stretch", "stretch", STRETCH),
    ("table", "kept_text", "kept_text", KEPT_TEXT),
    ("table", "version", "version", VERSION),
    *(("trigger", name, table, text) for name, (table, text) in TRIGGERS_BESIDE.items()),
)

TABLES = (_FIRST, _DESK, (*_DESK, *_BESIDE))
"""Everything in a file of each version, from version 1 on, as the engine lists it: type, name, table and text."""
STEPS: "tuple[Callable[[Database], None], ...]" = (first_tables, desk_tables, tables_beside)
"""The steps that lead to those versions."""
