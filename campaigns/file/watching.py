"""Reading a campaign file that cannot be written: on a read-only disk, or without the right to write it.

The database engine wants to write its log beside a file even to read it. So a file without a log is read as one that
does not change, and read again when it does. A log of a live session is read together with the file. A log that was left
behind may hold data that is not yet in the file; it is played into a temporary copy. Nothing is written beside the file.
"""

import contextlib
import os
import shutil
import sqlite3
from pathlib import Path
from tempfile import TemporaryDirectory

from campaigns.file.errors import FAILURES, CampaignError
from campaigns.file.file_schema import CURRENT, Schema, connect, upgrade

__all__ = ["Watched", "may_write"]


def may_write(path: Path) -> bool:
    """Whether a campaign file can be written here: the file itself, and the log beside it."""
    with contextlib.suppress(OSError, ValueError):
        return os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK)
    return False


class Watched:
    """A campaign file that is only read. `connection` may change in `look_again`.

    Args:
        path: the file.
        patience: how many seconds to wait for another session's transaction.
        schema: the schema that is understood; a file of an older one is upgraded as a copy.

    Raises:
        CampaignError, sqlite3.Error: it cannot be read.
    """

    def __init__(self, path: Path, patience: float, schema: Schema = CURRENT) -> None:
        self._path, self._patience, self.schema = path, patience, schema
        self._copy: TemporaryDirectory[str] | None = None
        self._seen = self._signs()
        self.connection = self._connected()

    def look_again(self) -> bool:
        """Reconnect if another session has written since and the connection cannot see it; returns whether it did."""
        signs = self._signs()
        if self._live or signs == self._seen or self.connection.in_transaction:
            return False
        self.close()
        self._seen = signs
        self.connection = self._connected()
        return True

    def close(self) -> None:
        """Close the connection and delete the copy."""
        with contextlib.suppress(*FAILURES):
            self.connection.close()
        if self._copy is not None:
            self._copy.cleanup()
            self._copy = None

    def _beside(self, ending: str) -> Path:
        return self._path.with_name(self._path.name + ending)

    def _signs(self) -> list[tuple[int, int]]:
        """What shows that something was written: times and sizes of the file and its log."""
        found = []
        for file in (self._path, self._beside("-wal")):
            try:
                state = file.stat()
            except OSError:
                found.append((0, 0))
            else:
                found.append((state.st_mtime_ns, state.st_size))
        return found

    def _connected(self) -> sqlite3.Connection:
        self._live = False
        connection: sqlite3.Connection | None = None
        try:
            if not self._seen[1][1]:  # no log, or an empty one
                connection = connect(self._path, self._patience, "mode=ro&immutable=1")
            elif self._beside("-shm").exists():
                connection = self._with_log()
                self._live = connection is not None
            if connection is not None:
                (version,) = connection.execute("PRAGMA user_version").fetchone()
                if version >= self.schema.version:
                    return connection
                connection.close()
            self._live = False
            return self._of_a_copy()
        except BaseException:
            if connection is not None:
                connection.close()
            raise

    def _with_log(self) -> sqlite3.Connection | None:
        """A connection that reads the log of a living session; None if there is no readable one."""
        connection = connect(self._path, self._patience, "mode=ro")
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except FAILURES as error:
            connection.close()
            if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
                raise
            return None
        return connection

    def _of_a_copy(self) -> sqlite3.Connection:
        self._copy = TemporaryDirectory(prefix="ophex-")
        copy = Path(self._copy.name) / "campaign.ophex"
        try:
            for ending in ("", "-wal"):
                with contextlib.suppress(FileNotFoundError):
                    shutil.copyfile(self._beside(ending), copy.with_name(copy.name + ending))
            connection = connect(copy, self._patience)
            try:
                (version,) = connection.execute("PRAGMA user_version").fetchone()
                if version < self.schema.version:
                    from sqlite_utils import Database  # half of the time of opening a file, needed only here

                    upgrade(Database(connection, execute_plugins=False), self.schema)
            except BaseException:
                connection.close()
                raise
        except BaseException as error:
            self._copy.cleanup()
            self._copy = None
            if isinstance(error, OSError):
                raise CampaignError(
                    f"The campaign file {self._path} cannot be read with its log: {error.strerror}.",
                    "Check that you can read the file and the -wal file beside it, and that there is space for temporary files.",
                ) from error
            raise
        return connection
