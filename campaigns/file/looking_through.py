"""Checks of a campaign file before anything in it is trusted: the sender may have put anything into it.

Triggers, views, indices and constraints are code that the database engine runs by itself. So the tables must be, word for
word, those that ophex makes. This is checked before any statement could trigger something. Then the pages are checked.
"""

import contextlib
import functools
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from campaigns.file.errors import CampaignError, from_sqlite
from campaigns.file.file_schema import KNOWN_TABLES, Schema, upgrade

__all__ = ["differences", "look_through"]

MOST_NAMED = 80
"""How many characters of a name in a stranger's file are shown."""

Form = tuple[str, str, str]
"""What the engine knows about a table, an index, a trigger or a view: its type, its table and its text."""


def look_through(connection: sqlite3.Connection, path: Path, schema: Schema, *, pages: bool = True) -> None:
    """Check that a file has the tables of a campaign file and nothing else, and that its pages are consistent.

    Args:
        connection: the file, of which nothing has been read yet.
        path: the file, to name it.
        schema: the schema that is understood; the file may be of an older version.
        pages: whether the pages are checked too; `verify` reports what is wrong with them itself.

    Raises:
        CampaignError: it has not, or they are not.
    """
    try:
        with _at_one_moment(connection):  # another session may be upgrading the file right now
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
        for kind, name, foreign in differences(rows, schema, version):
            raise wrong_tables(path, kind, name, foreign=foreign)
        if pages:
            ((found,),) = connection.execute("PRAGMA quick_check(1)").fetchall()
            if found != "ok":
                raise sqlite3.DatabaseError(str(found))
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise from_sqlite(error, path) from error


@contextlib.contextmanager
def _at_one_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """What is read within is the file at one moment, whatever others write meanwhile."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


def wrong_tables(path: Path, kind: str, name: str, *, foreign: bool) -> CampaignError:
    """The error for a file with tables other than those of a campaign."""
    what = f"the {kind} {name[:MOST_NAMED]!r}"
    if foreign:
        return CampaignError(
            f"The campaign file {path} contains something that ophex never creates: {what}.",
            "Do not use the file: it could change what is recorded. Ask for a copy that was made with `ophex backup`.",
        )
    return CampaignError(
        f"The campaign file {path} is damaged ({what} is missing or not as ophex creates it).",
        "Restore a backup of it.",
    )


def differences(rows: Sequence[Sequence[Any]], schema: Schema, version: int) -> Iterator[tuple[str, str, bool]]:
    """Everything that is wrong in a file of a version: its type, its name, and whether it does not belong there at all.

    rows: type, name, table and text of what the engine lists.
    """
    found = {(kind, name): _form(kind, table, sql) for kind, name, table, sql in rows}
    right = _tables(schema, version)
    for kind, name in found:
        if (kind, name) not in right:
            yield kind, name, True
    for (kind, name), form in right.items():
        if found.get((kind, name)) != form:
            yield kind, name, False


@functools.lru_cache(maxsize=8)
def _tables(schema: Schema, version: int) -> dict[tuple[str, str], Form]:
    """What a file of a version has, by type and name."""
    known = KNOWN_TABLES.get(schema.steps[:version])
    if known is not None:
        return {(kind, name): _form(kind, table, sql) for kind, name, table, sql in known}
    from sqlite_utils import Database  # half of the time of opening a file, needed only here

    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        upgrade(Database(connection, execute_plugins=False), Schema(schema.steps[:version]))
        rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema").fetchall()
    finally:
        connection.close()
    return {(kind, name): _form(kind, table, sql) for kind, name, table, sql in rows}


def _form(kind: str, table: str, sql: str | None) -> Form:
    """Blanks and the quotes around names are ignored: other versions of the libraries write them differently."""
    text = " ".join((sql or "").translate({ord("["): '"', ord("]"): '"'}).split())
    return kind, table, text
