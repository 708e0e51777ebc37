"""Backups of a campaign file before each turn, beside the file, made by the database engine when the desk first continues in that turn.

Nothing in the folder of backups is ever replaced or deleted. If somebody goes back and a turn is played again, its new backup gets
a name of its own.
"""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from campaigns.file.errors import CampaignError

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = ["ENDING", "back_up", "copies_beside", "folder_of"]

ENDING = ".ophex"
STANDS = "SELECT number, hash FROM entry WHERE number = (SELECT entry FROM head)"


def folder_of(file: Path) -> Path:
    """The folder of the backups of a campaign file."""
    return file.with_name(f"{file.name}.backups")


def copies_beside(file: Path) -> list[Path]:
    """The backups of a campaign file beside it, by name."""
    folder = folder_of(file)
    with suppress(OSError):
        return sorted(one for one in folder.iterdir() if one.suffix == ENDING and one.is_file() and one.name[0] != ".")
    return []


def back_up(campaign: "Campaign[Game]") -> Path | None:
    """Backs up the file if there is no backup of this turn yet; returns the backup, or None if there is one.

    Raises:
        CampaignError: the backup cannot be made.
        OSError: its folder cannot be made.
    """
    folder = folder_of(Path(campaign.path))
    name, number = f"turn-{campaign.game.turn:03d}", 1
    while True:
        copy = folder / (f"{name}{ENDING}" if number == 1 else f"{name}-{number}{ENDING}")
        if os.path.lexists(copy):
            if _is_on_the_way(campaign, copy):
                return None
            number += 1
            continue
        folder.mkdir(exist_ok=True)
        try:
            campaign.backup(copy)
        except CampaignError:
            if not os.path.lexists(copy):  # otherwise another session has just made it
                raise
        else:
            return copy


def _is_on_the_way(campaign: "Campaign[Game]", copy: Path) -> bool:
    """Whether a backup is on the current line of the campaign; one that cannot be read is not."""
    with suppress(sqlite3.Error, OSError, TypeError, ValueError):
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
            number, chained = db.execute(STANDS).fetchone()
        entry = campaign.store.entry(number) if type(number) is int else None
        return entry is not None and entry.hash == chained and number in campaign.store.lineage(campaign.head, number)
    return False
