"""The deadline: the umpire closes what an absent side has not given in time, and the log says so. It is all or nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaigns.file.errors import CampaignError
from campaigns.play.campaign import Campaign
from campaigns.play.trying import Tried
from interpreter.automated.policies import chosen_by, make_policy
from interpreter.automated.policy import NothingLegal, Policy
from interpreter.messages.inputs import Awaited, Event, Input, Refused
from interpreter.runtime.refusals import Why

__all__ = ["EVERYBODY", "close", "close_in", "stretch"]

EVERYBODY = "all"
"""Stands for every side that the game waits for."""
MOST_ORDERS = 2_000
"""The most orders that standing instructions may give in one window."""


def close(campaign: Campaign[Any], sides: Iterable[str], *, standing: bool = False) -> list[Event]:
    """Closes for absent sides what the game waits for now: windows are ended, questions are answered.

    A window ends without further orders; if the rules forbid that, standing instructions give what is needed. Questions are
    answered by standing instructions. These are what automated sides use: the `appeal-of-…` values of the rules. What only
    the players' table knows is not answered: it remains awaited.

    Args:
        campaign: the campaign.
        sides: ids of sides, or EVERYBODY.
        standing: whether standing instructions also give orders before a window is ended.

    Returns:
        What happened.

    Raises:
        CampaignError: nothing is awaited from such a side, or nothing legal is left.
        Refused, RuleFailure, Stale: as for `Campaign.offer`. In all cases nothing was recorded.
    """
    tried = Tried(campaign)
    close_in(tried, sides, standing=standing)
    return campaign.offer_all(tried.given)


def close_in(campaign: Tried, sides: Iterable[str], *, standing: bool = False) -> list[Event]:
    """The same on a trial."""
    wanted = set(sides)
    due = [a for a in _open(campaign) if a.side in wanted or EVERYBODY in wanted]
    here = {a.side for a in due}
    for side in sorted(wanted - here - {EVERYBODY}):
        raise CampaignError(
            f"The game is not waiting for {side}.", "`ophex status` shows what it is waiting for.", Why.NOT_NOW
        )
    if not due:
        raise CampaignError(
            "The game is not waiting for any side.", "`ophex status` shows what it is waiting for.", Why.NOT_NOW
        )
    if all(_table_tells(campaign, a) for a in due):
        asked = " and ".join(dict.fromkeys(f"{a.name} of {a.side}" for a in due))
        raise CampaignError(
            f"Only your table knows this, so it is not chosen for you: {asked}.",
            "Enter it with `ophex answer` when it is known.",
            Why.NOT_YOURS,
        )
    policy = make_policy("greedy", f"{campaign.head}")
    happened: list[Event] = []
    for one in due:
        if one.kind == "orders":
            happened += _end(campaign, one, policy, standing=standing)
        elif not _table_tells(campaign, one) and any(
            (a.kind, a.side, a.name) == ("question", one.side, one.name) for a in _open(campaign)
        ):
            happened += _answer(campaign, one, policy)
    return happened


def _open(campaign: Tried) -> list[Awaited]:
    """What is awaited from sides now."""
    return [a for a in campaign.game.awaiting if a.kind in {"orders", "question"}]


def _table_tells(campaign: Tried, awaited: Awaited) -> bool:
    """Whether only the players' table knows what is awaited."""
    return awaited.kind == "question" and bool(campaign.game.table_tells(awaited.name))


def stretch(campaign: Campaign[Any] | Tried) -> Any:
    """What distinguishes one window of a side from the next: the turn, the phases, and the position in loops over words."""
    game = campaign.game
    return game.turn, tuple(game.world.phases), game.active, getattr(game.pending, "rounds", ())


def _end(campaign: Tried, window: Awaited, policy: Policy, *, standing: bool) -> list[Event]:
    """Ends a window for its side."""
    side, here = window.side, stretch(campaign)
    happened: list[Event] = []
    for _ in range(MOST_ORDERS):
        mine = [a for a in _open(campaign) if a.side == side]
        asked = next((a for a in mine if a.kind == "question"), None)
        if asked is not None and _table_tells(campaign, asked):
            return happened
        if asked is not None:
            happened += _answer(campaign, asked, policy)
            continue
        open_ = next((a for a in mine if a.name == window.name), None)
        if open_ is None or stretch(campaign) != here:
            return happened  # the game waits for somebody else, or the window is over
        text = "done" if not standing else _chosen(campaign, open_, policy).text
        try:
            happened += campaign.offer(Input("deadline", "umpire", text, side))
        except Refused:
            if standing or text != "done":
                raise
            text = _chosen(campaign, open_, policy).text
            happened += campaign.offer(Input("deadline", "umpire", text, side))
        if text == "done":
            return happened
    raise CampaignError(
        f"The standing instructions for {side} never end.", "Take inputs back with `ophex undo`.", Why.RULES
    )


def _answer(campaign: Tried, asked: Awaited, policy: Policy) -> list[Event]:
    """Answers a question for its side."""
    given = _chosen(campaign, asked, policy)
    return campaign.offer(Input("deadline", "umpire", given.text, f"{asked.side} {asked.name}"))


def _chosen(campaign: Tried, awaited: Awaited, policy: Policy) -> Input:
    try:
        return chosen_by(campaign.game, policy, awaited)
    except NothingLegal as error:
        raise CampaignError(str(error), "Take inputs back with `ophex undo`.", Why.RULES) from None
