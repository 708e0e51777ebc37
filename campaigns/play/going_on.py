"""Continuing where nobody has a decision: windows in which only `done` is left, questions with a single answer."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.messages.inputs import Event, Input
from interpreter.messages.sides import UMPIRE

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = ["go_on", "step_on"]

MOST_STEPS = 1000


def go_on(
    campaign: "Campaign[Game]", seat: str = UMPIRE, reached: Callable[[list[Event]], bool] | None = None
) -> tuple[list[Event], bool]:
    """Gives the inputs that need no decision.

    Args:
        campaign: the campaign.
        seat: who advances: a side gives only its own inputs, the umpire those of all.
        reached: called before the first input, with nothing, and after each, with its events; if true, advancing ends.

    Returns:
        What happened, and whether `reached` ended it.
    """
    happened: list[Event] = []
    events: list[Event] = []
    for _ in range(MOST_STEPS):
        if reached is not None and reached(events):
            return happened, True
        head = campaign.head
        events = step_on(campaign, seat)
        if campaign.head == head:
            break
        happened += events
    return happened, False


def step_on(campaign: "Campaign[Game]", seat: str = UMPIRE) -> list[Event]:
    """Gives the next input that needs no decision, if there is one. seat: as for `go_on`."""
    given = _needless(campaign.game, seat)
    return [] if given is None else campaign.offer(given)


def _needless(game: "Game", seat: str) -> Input | None:
    """The only possible input, or None if somebody has a choice."""
    for one in game.view(seat).awaiting:
        if seat not in {UMPIRE, one.side}:
            continue
        if one.kind == "question" and one.form in {"one", "each"} and one.count == 1 == len(one.choices):
            return game.in_own_words(Input("answer", one.side, one.choices[0], one.name))
        if one.kind == "orders" and game.legal(one.side, 2) in ([], ["done"]) and not game.unfinished:
            return Input("do", one.side, "done")
    return None
