"""Going back to a backup of a campaign file, one made by `backup` or by the desk before a turn.

The backup is proved first. If the file can still be opened, the database engine overwrites it in one transaction. So sessions that
have it open see the old state or the new one, and inputs that they meant for the old one are refused. What is replaced is kept as a
backup, too.
"""

import contextlib
import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from attrs import frozen

from campaigns.desk.copies import ENDING, copies_beside, folder_of
from campaigns.file.errors import FAILURES, Busy, CampaignError, cannot_write, from_sqlite, in_use
from campaigns.file.file_schema import CURRENT, PATIENCE, Schema, TooNew, appear, connect, fsync_folder, recognise
from campaigns.file.history import Entry
from campaigns.file.looking_through import look_through
from campaigns.file.store import Store
from campaigns.file.watching import Watched
from campaigns.play.machines import Starter
from campaigns.play.proving import Progress
from campaigns.play.whole_files import verify_file
from interpreter.runtime.refusals import Why

__all__ = ["BackupCopy", "Restored", "copies_of", "named_copy", "restore"]

LOGS = ("-wal", "-shm", "-journal")
OF_ANY_VERSION = Schema(())
REPLACED = "before-restore"
HEAD_OF = """SELECT head.entry, (SELECT max(number) FROM entry), here.hash, newest.written_at
             FROM head JOIN entry AS here ON here.number = head.entry
             JOIN entry AS newest ON newest.number = (SELECT max(number) FROM entry)"""


@frozen
class BackupCopy:
    """A backup of a campaign file beside it.

    Attributes:
        path: the copy.
        head: the entry that it is at.
        entries: how many inputs it contains on all branches.
        hash: the hash of its current entry.
        written: when its newest entry was accepted, UTC, ISO 8601.
        problem: why it cannot be read; empty if it can.
    """

    path: Path
    head: int = 0
    entries: int = 0
    hash: str = ""
    written: str = ""
    problem: str = ""


@frozen
class Restored:
    """The result of going back to a backup.

    Attributes:
        kept: the backup of what was replaced; None if there was no file.
        entry: the entry that the campaign is at now.
        entries: how many inputs it holds on all branches.
        was_damaged: whether what was replaced could no longer be read as a campaign.
    """

    kept: Path | None
    entry: Entry
    entries: int
    was_damaged: bool


def copies_of(path: Path) -> list[BackupCopy]:
    """The backups beside a campaign file, the newest input first. They are only read: `restore` proves the one that it uses."""
    found = [_looked_at(copy) for copy in copies_beside(path)]
    return sorted(found, key=lambda one: (one.written, one.entries, one.path.name), reverse=True)


def named_copy(path: Path, said: str) -> Path:
    """The backup at a path, or with a name from `copies_of`, such as `turn-003`.

    Raises:
        CampaignError: there is none.
    """
    folder = folder_of(path)
    for found in (Path(said), folder / said, folder / f"{said}{ENDING}"):
        with contextlib.suppress(OSError, ValueError):
            if found.is_file():
                return found
    raise CampaignError(
        f"There is no backup {said[:200]}.",
        f"List the backups beside the file with `ophex restore {path}`.",
        Why.UNKNOWN_NAME,
    )


def restore(path: Path, source: Path, starter: Starter[Any], progress: Progress | None = None) -> Restored:
    """Restore a campaign file from a backup.

    Args:
        path: the campaign file; it need not exist or be sound.
        source: the copy; it is only read.
        starter: makes the machine that proves the copy.
        progress: called with how far the proof is.

    Returns:
        What came of it.

    Raises:
        CampaignError: the backup is not sound or is of another campaign, or the file cannot be written; nothing has changed.
    """
    with contextlib.suppress(OSError):
        if path.samefile(source):
            raise CampaignError(
                f"{source} is the campaign file itself.", f"List the backups with `ophex restore {path}`."
            )
    with _draft_beside(path) as draft:
        _take(source, draft)
        verdict = verify_file(draft, starter, progress)
        if not verdict.ok:
            raise CampaignError(
                f"The backup {source} is not sound, and nothing was changed. {verdict.problems[0]}",
                f"Use another one; `ophex doctor {source}` reports what can be saved from it.",
            )
        store = Store.open(draft)
        try:
            entry, begun, last = store.entry(verdict.head), store.entry(0), store.last()
        finally:
            store.close()
        assert entry is not None
        assert begun is not None
        if not os.path.lexists(path):
            appear(path, lambda new: _copied(draft, new))
            return Restored(None, entry, last, was_damaged=False)
        is_sound = _is_sound(path, begun.hash)
        kept = _put(draft, path) if is_sound else _put_over_damage(draft, path)
        return Restored(kept, entry, last, was_damaged=not is_sound)


def _looked_at(copy: Path) -> BackupCopy:
    try:
        recognise(copy)
        watched = Watched(copy, PATIENCE, OF_ANY_VERSION)
        try:
            look_through(watched.connection, copy, CURRENT, pages=False)
            head, entries, chained, written = watched.connection.execute(HEAD_OF).fetchone()
        finally:
            watched.close()
        if (type(head), type(entries), type(chained), type(written)) != (int, int, str, str):
            return BackupCopy(copy, problem="It is damaged.")
        return BackupCopy(copy, head, entries, chained, written)
    except CampaignError as error:
        return BackupCopy(copy, problem=error.message)
    except (sqlite3.Error, TypeError, ValueError, OverflowError):
        return BackupCopy(copy, problem="It is damaged.")


@contextlib.contextmanager
def _draft_beside(path: Path) -> Iterator[Path]:
    """A name beside a file, for a complete file that is made there; leftovers are deleted."""
    draft = path.parent / f".ophex-{secrets.token_hex(8)}.new"
    try:
        draft.touch(exist_ok=False)
        yield draft
    except OSError as error:
        raise CampaignError(
            f"{path} cannot be written: {error.strerror}.", "Check that its folder exists and that you can write to it."
        ) from error
    finally:
        for ending in ("", *LOGS):
            with contextlib.suppress(OSError):
                draft.with_name(draft.name + ending).unlink()


def _take(source: Path, draft: Path) -> None:
    """Check a campaign file and copy it to a draft; it is only read, and other sessions may read it in the meantime."""
    recognise(source)
    try:
        watched = Watched(source, PATIENCE, OF_ANY_VERSION)
        try:
            look_through(watched.connection, source, CURRENT)
            with closing(sqlite3.connect(draft)) as target:
                watched.connection.backup(target)
        finally:
            watched.close()
    except FAILURES as error:
        raise from_sqlite(error, source) from error


def _is_sound(path: Path, begun: str) -> bool:
    """Whether a campaign file can be opened. Raises CampaignError if it is of another campaign, too new, in use or not writable."""
    try:
        store = Store.open(path)
    except (Busy, TooNew):
        raise
    except CampaignError:
        return False
    try:
        if store.read_only:
            raise cannot_write(path)
        try:
            first = store.entry(0)
        except CampaignError:
            return False
    finally:
        store.close()
    if first is not None and first.hash != begun:
        raise CampaignError(
            f"The backup is of a different campaign from {path}: they begin with different texts, settings or dice.",
            "Copy it to a name of its own with your file manager; you can open it as a campaign.",
        )
    return first is not None


def _put(draft: Path, path: Path) -> Path:
    """Overwrite a file that others may have open; returns a backup of its last state."""
    kept: list[Path] = []
    try:
        _overwrite(draft, path, lambda: kept.append(_kept(path, _copied)))
    except CampaignError:
        for copy in kept:
            copy.unlink(missing_ok=True)
        raise
    return kept[0]


def _put_over_damage(draft: Path, path: Path) -> Path:
    """Overwrite a damaged file, or replace it if the engine cannot; returns a byte-for-byte backup of it, with its log."""
    path = Path(os.path.realpath(path))
    log = path.with_name(f"{path.name}-wal")
    kept = _kept(path, _copied_bytes)
    if log.exists():
        shutil.copyfile(log, kept.with_name(f"{kept.name}-wal"))
    try:
        _overwrite(draft, path, lambda: None)
    except Busy:
        kept.unlink()
        kept.with_name(f"{kept.name}-wal").unlink(missing_ok=True)
        raise
    except CampaignError:
        for ending in LOGS:  # otherwise the engine would apply it to the new file
            path.with_name(path.name + ending).unlink(missing_ok=True)
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.replace(path)
        fsync_folder(path.parent)
    return kept


def _overwrite(draft: Path, path: Path, before: Callable[[], object]) -> None:
    """Write all pages of one file over another's in one transaction. before: called once nobody else can write."""
    until = time.monotonic() + PATIENCE
    begun = False

    def step(status: int, _remaining: int, _pages: int) -> None:
        nonlocal begun
        if status == sqlite3.SQLITE_OK and not begun:  # writing the first page takes the lock
            begun = True
            before()
        elif status != sqlite3.SQLITE_OK and time.monotonic() > until:
            raise in_use(path)

    try:
        with closing(connect(draft)) as origin, closing(connect(path)) as target:
            target.execute("PRAGMA journal_mode = WAL")
            origin.backup(target, pages=1, progress=step)
            with contextlib.suppress(*FAILURES):  # what was committed is safe in the log
                target.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    except FAILURES as error:
        raise from_sqlite(error, path) from error


def _kept(path: Path, copy: Callable[[Path, Path], None]) -> Path:
    """A backup of a file under the next free name in the folder of its backups."""
    folder = folder_of(path)
    folder.mkdir(exist_ok=True)
    number = 1
    while os.path.lexists(folder / f"{REPLACED}-{number}{ENDING}"):
        number += 1
    kept = folder / f"{REPLACED}-{number}{ENDING}"
    appear(kept, lambda new: copy(path, new))
    return kept


def _copied_bytes(source: Path, new: Path) -> None:
    shutil.copyfile(source, new)


def _copied(source: Path, new: Path) -> None:
    with closing(connect(source)) as origin, closing(sqlite3.connect(new)) as target:
        origin.backup(target)
