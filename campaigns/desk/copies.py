"""A copy of a campaign file before each turn, beside it, made by the database engine when the desk first goes on in that turn."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from campaigns.campaign import Campaign
    from interpreter.play import Game

__all__ = ["back_up"]


def folder_of(whose: str) -> str:
    """The folder of the copies of a campaign file."""
    return f"{whose}.backups"


def back_up(campaign: "Campaign[Game]") -> Path | None:
    """Copies the file if there is no copy of this turn yet; gives the copy, or None where there is one.

    Raises:
        CampaignError: the copy cannot be made.
        OSError: its folder cannot be made.
    """
    file = Path(campaign.path)
    folder = file.with_name(folder_of(file.name))
    copy = folder / f"turn-{campaign.game.turn:03d}.ophex"
    if copy.exists():
        return None
    folder.mkdir(exist_ok=True)
    campaign.backup(copy)
    return copy
