"""The errors of working with a campaign file, in words for people. Nothing is recorded, read or repaired here.

Each error carries a `message` (what is wrong and where, full sentences) and a `hint` (what to do next). After each of
them the campaign file is byte for byte what it was.
"""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

from interpreter.messages.inputs import Refused
from interpreter.runtime.refusals import Refusal, Why

__all__ = [
    "FAILURES",
    "Busy",
    "CampaignError",
    "RefusedAt",
    "Stale",
    "cannot_write",
    "from_sqlite",
    "in_use",
    "is_full",
    "uncertain",
]


class CampaignError(Exception):
    """A campaign file cannot be created, opened, read or written, or something in its history does not exist.

    Attributes:
        message: what is wrong and with which file or entry, in full sentences.
        hint: what to do next, a full sentence; empty if there is no advice.
        kind: the kind of error.
    """

    kind = Why.FILE

    def __init__(self, message: str, hint: str = "", kind: Why | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.kind = kind or self.kind

    @property
    def refusal(self) -> Refusal:
        """The error as a refusal."""
        return Refusal(self.message, hint=self.hint, kind=self.kind)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.hint, self.kind)


class Stale(CampaignError):
    """Another session has moved the campaign on in the meantime; the input of this session was not recorded."""

    kind = Why.BUSY


class Busy(CampaignError):
    """Other sessions did not finish writing in time; nothing was recorded."""

    kind = Why.BUSY


class RefusedAt(Refused):
    """One of several inputs that were offered together is illegal; none of them was recorded, except those whose dice were rolled.

    Attributes:
        position: which one of them, counted from 0.
        taken: how many before it were recorded, because their giver would have seen the dice.
    """

    def __init__(self, refusal: Refusal, position: int = 0, taken: int = 0) -> None:
        super().__init__(refusal)
        self.position, self.taken = position, taken

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.refusal, self.position, self.taken)


BUSY = (
    "Another program is writing to the campaign file {path} and did not finish in time.",
    "Close the other program, or wait until it is done, and try again.",
)
READ_ONLY = (
    "The campaign file {path} cannot be written.",
    "Get permission to write to the file and its folder, or copy the file to a folder of your own.",
)
FULL = ("The disk that holds {path} is full.", "Free some space and try again; the campaign has lost nothing.")
UNREADABLE = (
    "The campaign file {path} cannot be opened.",
    "Check that you can read and write the file and its folder, and that the folder is not on a network drive.",
)
DISK = (
    "Reading or writing the campaign file {path} failed with a disk error.",
    "Check the disk, then restore a backup if the file remains unreadable.",
)
UNCERTAIN = (
    "The disk failed while the campaign file {path} was being saved: it is uncertain whether your input was recorded.",
    "Check with `ophex log` whether it is there before you give it again; then check the disk.",
)
DAMAGED = (
    "The campaign file {path} is damaged ({cause}).",
    "`ophex doctor` says what can be saved; `ophex restore` lists the backups.",
)

ROOM = 64 * 1024
"""How many bytes must be free for a campaign file to be opened."""

SAYINGS = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_CANTOPEN: UNREADABLE,
    sqlite3.SQLITE_AUTH: UNREADABLE,
    sqlite3.SQLITE_IOERR: DISK,
}


FAILURES = (sqlite3.Error, OverflowError, UnicodeDecodeError)
"""How the engine fails: by itself, with numbers that it cannot hold, and with messages that quote something that is not text."""


def from_sqlite(error: Exception, path: Path) -> CampaignError:
    """The error message for a failure of the database.

    Args:
        error: the error of the database, or of reading what it returned.
        path: the campaign file.

    Returns:
        The error to raise instead; if nothing else fits, the file is called damaged.
    """
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    message, hint = SAYINGS.get(code, DAMAGED)
    if message == DISK[0] and is_full(path):
        message, hint = FULL
    cause = str(error).partition(" with text ")[0] or type(error).__name__  # what follows is a complete rule file
    kind = Busy if (message, hint) == BUSY else CampaignError
    return kind(_filled(message, path, cause), hint)


def uncertain(path: Path) -> CampaignError:
    """The error message if the disk failed at the last moment: what was written may or may not be there."""
    message, hint = UNCERTAIN
    return CampaignError(_filled(message, path), hint)


def cannot_write(path: Path) -> CampaignError:
    """The error message for an input to a file that is read-only, or on a disk that is full."""
    message, hint = FULL if is_full(path) else READ_ONLY
    return CampaignError(_filled(message, path), hint)


def in_use(path: Path) -> Busy:
    """The error message if others did not finish writing in time."""
    message, hint = BUSY
    return Busy(_filled(message, path), hint)


def _filled(message: str, path: Path, cause: str = "") -> str:
    """A message with the file and the cause in its placeholders. These are inserted as text: placeholders in them are not replaced."""
    head, gap, tail = message.partition("{cause}")
    return head.replace("{path}", str(path)) + (cause if gap else "") + tail.replace("{path}", str(path))


def is_full(path: Path) -> bool:
    """Whether the disk of a file is so full that nothing can be recorded in it."""
    try:
        return shutil.disk_usage(path.parent).free < ROOM
    except OSError:
        return False
