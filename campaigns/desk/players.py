"""Who plays a side: a person, with a name and perhaps a substitute, nobody for a while, or the computer. Kept beside the chain."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve, fields, frozen

from campaigns.file.beside import Beside
from campaigns.file.errors import CampaignError
from interpreter.runtime.refusals import Why

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = ["ABSENT", "MACHINE", "PERSON", "PLAYED_BY", "Player", "players_of", "set_player"]

PERSON, ABSENT, MACHINE = "person", "absent", "machine"
PLAYED_BY = (PERSON, ABSENT, MACHINE)
"""Who gives the orders of a side: a person; nobody, so that its windows end without it; the computer."""


def _named(whose: str) -> str:
    """The note about who plays a side."""
    return f"player {whose}"


MOST_LETTERS = 200


@frozen
class Player:
    """Who plays a side.

    Attributes:
        side: the side.
        played_by: one of PLAYED_BY.
        name: the name of the person; empty if unknown.
        substitute: who stands in for that person now; empty for nobody.
    """

    side: str
    played_by: str = PERSON
    name: str = ""
    substitute: str = ""

    @property
    def called(self) -> str:
        """Whom to write to; empty if unknown."""
        return self.substitute or self.name


def players_of(campaign: "Campaign[Game]") -> dict[str, Player]:
    """Who plays each side."""
    notes = campaign.notes()
    return {side.id: _player(side.id, notes.get(_named(side.id))) for side in campaign.game.sides}


def _player(side: str, note: Any) -> Player:
    said = note if isinstance(note, dict) else {}
    texts = {name: text for name in ("name", "substitute") if isinstance(text := said.get(name), str)}
    played_by = said.get("played_by")
    return Player(side, played_by if played_by in PLAYED_BY else PERSON, **texts)


def set_player(campaign: "Campaign[Game]", side: str, changes: Mapping[str, str]) -> Player:
    """Notes who plays a side. changes: fields of `Player` by name.

    Raises:
        CampaignError: there is no such side, or a text is too long.
    """
    before = players_of(campaign).get(side)
    if before is None:
        raise CampaignError(f"The scenario has no side {side}.", kind=Why.UNKNOWN_NAME)
    for name, text in changes.items():
        if len(text) > MOST_LETTERS:
            raise CampaignError(
                f"The {name} has {len(text):,} characters; the limit is {MOST_LETTERS}.", kind=Why.OUT_OF_BOUNDS
            )
    assert set(changes) <= {one.name for one in fields(Player)}
    player = evolve(before, **changes)
    campaign.keep(Beside({_named(side): asdict(player)}))
    return player
