"""Turns of a campaign in which policies play all sides; every input is recorded."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from campaigns.file.errors import CampaignError
from campaigns.play.campaign import Campaign
from dsl.text.diagnostics import did_you_mean
from interpreter.automated.policies import POLICIES, make_policy, policies_of, step
from interpreter.automated.policy import NothingLegal
from interpreter.messages.inputs import Event
from interpreter.runtime.refusals import Why

__all__ = ["MOST_GIVEN", "auto_play", "known_policy"]


MOST_GIVEN = 20_000
"""After how many inputs turns are considered endless."""


def known_policy(policy: str, sides: Sequence[str]) -> None:
    """Checks a policy, or one for each side (`red=greedy,random`). Raises CampaignError for what does not exist."""
    usual, by_side = policies_of(policy)
    for one in (usual, *by_side.values()):
        if one not in POLICIES:
            hint = did_you_mean(one, POLICIES) or "The policies are: " + ", ".join(POLICIES) + "."
            raise CampaignError(f"There is no policy {one}.", hint, Why.UNKNOWN_NAME)
    for side in by_side:
        if side not in sides:
            hint = did_you_mean(side, sides) or f"Its sides are: {', '.join(sides)}."
            raise CampaignError(f"The scenario has no side {side}.", hint, Why.UNKNOWN_NAME)


def auto_play(campaign: Campaign[Any], *, turns: int = 1, policy: str = "random", seed: int | str = 0) -> list[Event]:
    """Has a policy play all sides of a campaign for some turns, or to its end; every input is recorded.

    Returns:
        What happened.

    Raises:
        CampaignError: there is no such policy, nothing legal can be done, or the turns never end.
        RuleFailure: a rule failed; what was recorded before stays.
    """
    known_policy(policy, [side.id for side in campaign.game.sides])
    player, chance = make_policy(policy, f"{seed}/{campaign.head}"), random.Random(f"{seed}/first")
    happened: list[Event] = []
    last = campaign.game.turn + turns
    for _ in range(MOST_GIVEN):
        game = campaign.game
        if game.over or game.turn >= last:
            return happened
        try:
            given = step(game, player, chance)
        except NothingLegal as error:
            raise CampaignError(str(error), "Take inputs back with `undo`.", Why.RULES) from None
        happened += campaign.offer(game.in_own_words(given))
    raise CampaignError(
        f"{turns} turn{' is' if turns == 1 else 's are'} not over after {MOST_GIVEN} inputs.",
        "Take inputs back with `undo`.",
        Why.RULES,
    )
