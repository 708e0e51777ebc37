"""Whose letter a file is: by the heading of its template, which a mark proves, or by the name of the file or of its folder."""

import hmac
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from campaigns.desk.letter import Letter
from campaigns.desk.letter_orders import heading_of
from campaigns.desk.packets import mark_of
from campaigns.file.errors import CampaignError
from interpreter.runtime.refusals import Why

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = ["Arrived", "Senders", "side_named"]


@frozen
class Arrived:
    """A file that came. file: its name; data: its bytes; side: whose it is according to its name or folder, or empty."""

    file: str
    data: bytes
    side: str = ""


class Senders:
    """Those from whom letters may come: the sides, and their commanders. seats: those of the commanders."""

    def __init__(self, campaign: "Campaign[Game]", seats: Iterable[str]) -> None:
        self.campaign = campaign
        self.sides = {side.id.lower(): side.id for side in campaign.game.sides} | {seat.lower(): seat for seat in seats}
        self.titles = {side.title.lower(): side.id for side in campaign.game.sides}

    def named(self, name: str) -> str:
        """The side or the commander that a file is named after; empty if there is none."""
        return self._side(name) or ""

    def whose(self, letter: Letter, arrived: Arrived) -> str:
        """Whose letter it is. Raises CampaignError if that is not known, or the letter may be from somebody else."""
        named = self._side(arrived.side)
        heading = heading_of(letter)
        if seat := self._nearly(arrived.file, named or ""):
            if heading is None:
                like = seat.replace("/", "-")
                raise CampaignError(
                    f"{arrived.file} may be from {seat} or from {named}.",
                    f"Ask who wrote it. Name it `{like}-2.txt` if {seat} did, otherwise `{named}-2.txt`.",
                )
            named = None
        if heading is None:
            if named is None:
                raise CampaignError(
                    f"{arrived.file} does not say whose orders it contains.",
                    "Name the file after the side, as in `red-2.txt`, or keep the first line of the template in it.",
                )
            return named
        side = self._side(heading.side)
        if side is None:
            raise CampaignError(
                f"{arrived.file} says that it is from {heading.side}, but there is no such side.", kind=Why.UNKNOWN_NAME
            )
        if named is not None and named != side:
            raise CampaignError(
                f"{arrived.file} is named after {named}, but says that it contains orders of {side}.",
                "Ask who wrote it. Then rename it, or remove that line.",
            )
        mark = mark_of(self.campaign, side)
        is_proved = bool(mark) and hmac.compare_digest(heading.mark.encode(), mark.encode())
        if not is_proved and (heading.mark or named is None):
            raise CampaignError(
                f"{arrived.file} does not have the mark of the packets of {side}.",
                f"Ask who wrote it. If {side} did, rename the file to {side}.txt and remove its heading line.",
            )
        return side

    def _nearly(self, file: str, named: str) -> str:
        """The commander of a side after whom a file of that side seems to be named, as in `red-tom2.txt`; or empty."""
        file = re.sub(r"\.(txt|eml|md)$", "", file.lower())
        names = [
            said
            for said, side in (*self.sides.items(), *self.titles.items())
            if side == named and file.startswith(said)
        ]
        rest = _letters(file[max(map(len, names), default=0) :])
        seats = [seat for seat in self.sides.values() if named and seat.startswith(f"{named}/")]
        return max(
            (seat for seat in seats if rest.startswith(_letters(seat[len(named) :].lower()))), key=len, default=""
        )

    def _side(self, name: str) -> str | None:
        return self.sides.get(name.lower()) or self.titles.get(name.lower())


def _letters(name: str) -> str:
    """The letters and digits of a name alone."""
    return re.sub(r"[\W_]", "", name)


def side_named(name: str, sides: Mapping[str, str]) -> str:
    """The side whose id or title a file name begins with, or empty. sides: ids by possible names, in lower case."""
    stem = re.split(r"[\s_.]|-(?=\d)", name.lower(), maxsplit=1)[0]
    begun = [said for said in sides if name.lower().startswith(f"{said}-")]
    return sides.get(stem, "") or (sides[max(begun, key=len)] if begun else "")
