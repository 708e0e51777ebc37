"""Sides that the computer plays while people play the others: in the app against a beginner, or for a player without an opponent."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import attrs

from campaigns.file.errors import CampaignError
from campaigns.play.auto_play import MOST_GIVEN, known_policy
from campaigns.play.campaign import Campaign
from dsl.text.diagnostics import did_you_mean
from interpreter.automated.policies import chosen_by, make_policy, step
from interpreter.automated.policy import NothingLegal
from interpreter.machine import Game
from interpreter.messages.inputs import Awaited, Event
from interpreter.runtime.refusals import Why

__all__ = ["MachineSides", "play_to_a_fight"]

PEOPLE = {"over", "dice"}
"""What is not awaited from a side: the end of the game, and dice that people roll."""

SECOND_TURN = 2
MOST_INPUTS = 400
"""The most inputs that are given to reach a fight."""


@attrs.define
class MachineSides:
    """The sides that a policy plays. sides: their ids; policy: its name."""

    sides: frozenset[str]
    policy: str = "greedy"

    @classmethod
    def of(cls, campaign: Campaign[Any], sides: Iterable[str], policy: str = "greedy") -> MachineSides:
        """Automated sides of a campaign. Raises CampaignError for a side or a policy that does not exist."""
        known = [side.id for side in campaign.game.sides]
        for side in (chosen := frozenset(sides)):
            if side not in known:
                hint = did_you_mean(side, known) or f"Its sides are: {', '.join(known)}."
                raise CampaignError(f"The scenario has no side {side}.", hint, Why.UNKNOWN_NAME)
        known_policy(policy, known)
        return cls(chosen, policy)

    def play(self, campaign: Campaign[Any]) -> list[Event]:
        """Gives what is awaited from these sides until it is somebody else's turn; every input is recorded.

        What only the players' table can tell (`table-tells-…`) is left to people.

        Raises:
            CampaignError: there is nothing legal that a side could give, or it never ends.
            RuleFailure: a rule failed; what was recorded before stays.
        """
        happened: list[Event] = []
        player = make_policy(self.policy, f"{campaign.game.digest()}/{campaign.head}")
        for _ in range(MOST_GIVEN):
            game: Game = campaign.game
            due = [one for one in (*game.waiting, *game.waiting_apart) if self._plays(game, one)]
            if not due:
                return happened
            awaited = due[0] if len(due) == 1 else random.Random(f"{campaign.head}").choice(due)
            try:
                given = chosen_by(game, player, awaited)
            except NothingLegal as error:
                raise CampaignError(str(error), "Take inputs back with `undo`.", Why.RULES) from None
            happened += campaign.offer(game.in_own_words(given))
        raise CampaignError(
            f"The computer is not done after {MOST_GIVEN} inputs.", "Take inputs back with `undo`.", Why.RULES
        )

    def _plays(self, game: Game, one: Awaited) -> bool:
        return one.kind not in PEOPLE and one.side in self.sides and not (one.name and game.table_tells(one.name))


def play_to_a_fight(campaign: Campaign[Any], seed: int | str = 0, policy: str = "greedy") -> None:
    """Plays all sides until, in the second turn or later, somebody is asked a question after dice were rolled.

    It stops earlier if the game is over, if nothing legal can be done, or after many inputs.
    """
    player, chance, rolled = make_policy(policy, seed), random.Random(f"{seed}/first"), False
    for _ in range(MOST_INPUTS):
        game: Game = campaign.game
        if game.over or (game.turn >= SECOND_TURN and rolled and game.waiting[0].kind == "question"):
            return
        try:
            given = step(game, player, chance)
        except NothingLegal:
            return
        events = campaign.offer(game.in_own_words(given))
        rolled = any(event.kind == "roll" for event in events) or (rolled and given.kind == "answer")
