"""Campaign files as such, including those that can no longer be played: the proof that one is sound, and backups of it."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from campaigns.file.errors import CampaignError
from campaigns.file.history import Entry
from campaigns.file.store import Store
from campaigns.file.versions import whole_texts
from campaigns.play.machines import Starter
from campaigns.play.proving import Progress, Verdict, verify
from campaigns.play.recorded_seals import LinkWatch
from interpreter.runtime.refusals import Why

__all__ = ["backup_file", "verify_file"]


def verify_file(
    path: str | PathLike[str],
    starter: Starter[Any],
    progress: Progress | None = None,
    noted: Sequence[str] = (),
    sealed: Mapping[str, Sequence[str]] | None = None,
) -> Verdict:
    """Prove that a campaign file is intact, even one that can no longer be played, as `Campaign.verify` does.

    Args:
        path: the file.
        starter: makes the machine.
        progress: called with how many steps are done and how many there are.
        noted: hashes that somebody wrote down; the line to the head must have them.
        sealed: by side, its anchor or the seals that it has sent; the record must have them.

    Raises:
        CampaignError: it is no campaign file, too new, or it cannot be read at all.
    """
    store = Store.open(Path(path), pages=False)
    try:

        def begin() -> Any:
            return starter(whole_texts(store.documents(), store.versions()), store.settings(), None)

        return verify(store, begin, progress, noted, LinkWatch(sealed))
    finally:
        store.close()


def backup_file(path: str | PathLike[str], copy: str | PathLike[str]) -> tuple[Entry, int]:
    """Write a backup of a campaign file, even of one that can no longer be played, as `Campaign.backup` does.

    Args:
        path: the file.
        copy: where the copy shall be; nothing may be there yet.

    Returns:
        The current entry of the backup, and how many inputs it contains on all branches.

    Raises:
        CampaignError: it is no campaign file or cannot be read, something is there already, or the copy cannot be made.
    """
    store = Store.open(Path(path))
    try:
        store.backup(Path(copy))
    finally:
        store.close()
    store = Store.open(Path(copy))
    try:
        head = store.head().entry
        entry = store.entry(head)
        if entry is None:
            raise CampaignError(
                f"The backup {copy} has no entry {head}.",
                "`ophex verify` reports what is wrong with the file.",
                Why.UNKNOWN_NAME,
            )
        return entry, store.last()
    finally:
        store.close()
