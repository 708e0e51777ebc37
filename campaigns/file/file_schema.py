"""What makes a file a campaign file: its marks, how foreign files are recognized, and how old ones are migrated.

A campaign file is one SQLite database with the application id "OPHX". Its `user_version` is the version of its tables
and has nothing to do with the version of the program. The tables are in `campaigns.file.file_tables`.
"""

import contextlib
import os
import secrets
import sqlite3
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from campaigns.file.errors import FAILURES, CampaignError, from_sqlite
from campaigns.file.file_tables import STEPS, TABLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlite_utils import Database

__all__ = [
    "APPLICATION_ID",
    "CURRENT",
    "KNOWN_TABLES",
    "PATIENCE",
    "Schema",
    "TooNew",
    "appear",
    "connect",
    "fill",
    "first_bytes",
    "fsync_folder",
    "make",
    "publish",
    "recognise",
    "too_new",
    "upgrade",
]

APPLICATION_ID = int.from_bytes(b"OPHX", "big")
PATIENCE = 5.0
"""How many seconds to wait for another session's transaction."""
MAGIC = b"SQLite format 3\0"

PRAGMAS = (
    "synchronous = FULL",
    "foreign_keys = ON",
    "recursive_triggers = ON",
    "trusted_schema = OFF",  # no text in the file can call a harmful function
    "cell_size_check = ON",
    "mmap_size = 0",
)
DEFENCES: tuple[int, ...] = tuple(
    getattr(sqlite3, name) for name in ("SQLITE_DBCONFIG_DEFENSIVE",) if hasattr(sqlite3.Connection, "setconfig")
)
"""What Python 3.12 and later can also turn on: no statement writes to the engine's own tables."""


@frozen
class Schema:
    """The tables of a campaign file, as the steps that lead to them.

    Attributes:
        steps: the migrations in order; the n-th one (from 1) leads from version n - 1 to version n.
    """

    steps: "tuple[Callable[[Database], None], ...]"

    @property
    def version(self) -> int:
        """The version that the last step leads to."""
        return len(self.steps)


CURRENT = Schema(STEPS)
KNOWN_TABLES = {STEPS[: number + 1]: known for number, known in enumerate(TABLES)}
"""Everything in a file, by the steps that were taken, as the engine lists it: type, name, table and text."""


def connect(path: Path, patience: float = PATIENCE, mode: str = "mode=rw") -> sqlite3.Connection:
    """A connection to an existing campaign file, with the pragmas of every session.

    Args:
        path: the file.
        patience: how many seconds to wait for another session's transaction.
        mode: how it is opened, as SQLite reads it in a URI.

    Raises:
        sqlite3.Error: the file cannot be opened.
    """
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=patience, isolation_level=None, check_same_thread=False
    )
    try:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        for switch in DEFENCES:
            connection.setconfig(switch, True)  # type: ignore[attr-defined,unused-ignore]
    except BaseException:
        connection.close()
        raise
    return connection


def make(path: Path, rows: "Callable[[Database], None]", schema: Schema = CURRENT) -> None:
    """Create a campaign file.

    Args:
        path: where it shall be; nothing may be there yet.
        rows: writes the first rows into its tables.
        schema: the schema of its tables.

    Raises:
        CampaignError: something is there already, or the folder cannot be written.
    """
    appear(path, lambda draft: fill(draft, rows, schema))


def appear(path: Path, write: "Callable[[Path], None]") -> None:
    """Let a campaign file appear under its name only when it is complete, and permanently.

    Args:
        path: where it shall be; nothing may be there yet.
        write: makes the whole file of an empty file, which it finds beside the place under a name of its own.

    Raises:
        CampaignError: something is there already, or the folder cannot be written.
    """
    draft = path.parent / f".ophex-{secrets.token_hex(8)}.new"
    try:
        if os.path.lexists(path):
            raise _taken(path)
        for left in (path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal")):
            if os.path.lexists(left):  # SQLite would apply a dead session's log to the new file
                raise CampaignError(
                    f"{left} is left over from another campaign file of that name.",
                    "Choose another name, or delete it if that campaign is gone permanently.",
                )
        draft.touch(exist_ok=False)
        write(draft)
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        publish(draft, path)
    except FAILURES as error:
        raise from_sqlite(error, path) from error
    except OSError as error:
        raise CampaignError(
            f"The campaign file {path} cannot be created: {error.strerror}.",
            "Check that its folder exists and that you can write to it.",
        ) from error
    except ValueError as error:  # a NUL in the path, or characters that cannot be written in UTF-8
        raise CampaignError(
            f"The campaign file {str(path)!r} cannot be created: {error}.", "Choose another name."
        ) from error
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            with contextlib.suppress(OSError, ValueError):
                draft.with_name(draft.name + ending).unlink()


def upgrade(db: "Database", schema: Schema) -> None:
    """Upgrade the tables to a schema, with all steps in one transaction: all or nothing.

    Args:
        db: a campaign file of this or an older schema, or an empty database, outside a transaction.
        schema: the schema to reach.

    Raises:
        sqlite3.Error: a step failed; the file is what it was.
    """
    from sqlite_utils import Migrations  # half of the time of opening a file, needed only here

    migrations = Migrations("ophex")
    for number, step in enumerate(schema.steps, start=1):
        migrations(name=f"to version {number}")(step)
    db.conn.execute("BEGIN IMMEDIATE")  # before checking what is pending: a second session must wait here
    try:
        migrations.apply(db)
        db.conn.execute(f"PRAGMA user_version = {schema.version}")
        db.conn.execute("COMMIT")
    except BaseException:
        db.rollback()
        raise


def recognise(path: Path, schema: Schema = CURRENT) -> None:
    """Check from the first bytes of a file that it is a campaign file that this program can read.

    The database engine does not open the file: it might leave its own files beside a foreign one.

    Args:
        path: the file.
        schema: the newest schema that is understood.

    Raises:
        CampaignError: it is missing, unreadable, not a campaign file, or written by a newer program.
    """
    first = first_bytes(path)
    if not first:
        raise CampaignError(
            f"The file {path} is empty; it is not a campaign file.", "Create a campaign with `ophex new`."
        )
    if not first.startswith(MAGIC):
        raise CampaignError(
            f"The file {path} is not a campaign file.", "Name a campaign file, or create one with `ophex new`."
        )
    if len(first) < 100:
        raise CampaignError(f"The campaign file {path} is truncated.", "Restore a backup of it.")
    if int.from_bytes(first[68:72], "big") != APPLICATION_ID:
        raise CampaignError(
            f"The file {path} is a SQLite database, but not a campaign file.",
            "Name a campaign file, or create one with `ophex new`.",
        )
    version = int.from_bytes(first[60:64], "big")
    if version > schema.version:
        raise too_new(path, version, schema)
    if version < 1:
        raise CampaignError(f"The campaign file {path} was never finished.", "Create it again with `ophex new`.")


class TooNew(CampaignError):
    """A campaign file was written by a newer program; nothing is wrong with it."""


def too_new(path: Path, version: int, schema: Schema) -> TooNew:
    """The error for a file whose schema version is above the one that is understood."""
    return TooNew(
        f"The campaign file {path} was written by a newer ophex: its tables are of version {version}, "
        f"and this program reads versions up to {schema.version}.",
        "Install a newer ophex.",
    )


def first_bytes(path: Path) -> bytes:
    """The first hundred bytes of a regular file, which contain the complete header of a database."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise CampaignError(f"{path} is a folder, not a campaign file.", "Name the campaign file in it.")
        if not stat.S_ISREG(mode):
            raise CampaignError(f"{path} is a device or a pipe, not a campaign file.", "Name a campaign file.")
        with path.open("rb") as file:
            return file.read(100)
    except FileNotFoundError as error:
        raise CampaignError(
            f"There is no campaign file {path}.", "Check the path, or create a campaign with `ophex new`."
        ) from error
    except OSError as error:
        raise CampaignError(
            f"The campaign file {path} cannot be read: {error.strerror}.",
            "Check the path and that you can read the file.",
        ) from error
    except ValueError as error:  # a NUL in the path
        raise CampaignError(f"{str(path)!r} is not the path of a file.", "Name a campaign file.") from error


def fill(draft: Path, rows: "Callable[[Database], None]", schema: Schema) -> None:
    """Make an empty file a complete campaign file."""
    from sqlite_utils import Database  # half of the time of opening a file, needed only here

    connection = connect(draft)
    try:
        connection.execute("PRAGMA journal_mode = MEMORY")  # nobody else knows the file yet
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db = Database(connection, execute_plugins=False)
        upgrade(db, schema)
        with db.atomic():
            rows(db)
        connection.execute("PRAGMA journal_mode = WAL")
    finally:
        connection.close()


def publish(draft: Path, path: Path) -> None:
    """Give a finished file its name, permanently even if the power fails right afterwards."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise _taken(path) from None
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise _taken(path) from None
        draft.rename(path)
    fsync_folder(path.parent)


def fsync_folder(path: Path) -> None:
    """Save permanently which names a folder contains."""
    with contextlib.suppress(OSError):  # folders cannot be opened everywhere
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _taken(path: Path) -> CampaignError:
    return CampaignError(f"{path} already exists; nothing was changed.", "Choose another name.")
