"""What commands and app ask of a running game, and the door to systems and campaigns. No text is printed here.

`campaigns.systems` is imported when it is first needed: it loads the language and the machine.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.inputs import Awaited, Input
from interpreter.view import View

if TYPE_CHECKING:
    from campaigns.campaign import Campaign
    from interpreter.explain import Explanation
    from interpreter.play import Game

    OpenCampaign = Campaign[Game]

__all__ = ["UMPIRE", "as_known", "awaited_from", "changes_of", "explain", "rooms", "sides_of"]

UMPIRE = "umpire"
"""Who sees everything and may act for every side."""


def explain(game: "Game", expression: str, side: str) -> "Explanation":
    """How a value comes about, as far as a side may know.

    Raises:
        Refused: the expression is not understood, or rests on what the side may not know.
    """
    explained: Explanation = game.explain(expression, side)
    return explained


def changes_of(campaign: "OpenCampaign", number: int, side: str) -> "list[Explanation]":
    """What an entry of the log changed of fields, each told down to what it was made of, as far as a side may know."""
    changes: list[Explanation] = campaign.state_at(number).explain_changes(side)
    return changes


def as_known(given: Input, side: str) -> Input:
    """An input as a side may know it: what another side gave stays untold."""
    told = side in {UMPIRE, given.side} or given.kind == "roll"
    return given if told else Input(given.kind, given.side, "…")


def rooms() -> Any:
    """The module `campaigns.systems`."""
    from importlib import import_module

    return import_module("campaigns.systems")


def sides_of(view: View) -> dict[str, str]:
    """The ids of the sides with their titles, in the order of the scenario."""
    return {side.id: side.title or side.id for side in view.sides}


def awaited_from(awaiting: Sequence[Awaited], side: str) -> list[Awaited]:
    """What a side can do something about: its own, what belongs to nobody, and everything for the umpire."""
    return [one for one in awaiting if one.kind != "over" and (side in {UMPIRE, one.side} or not one.side)]
