"""The policies by name, one for all sides or one for each, and a game that they play."""

from __future__ import annotations

import random
from collections.abc import Callable

from interpreter.automated.greedy_policy import GreedyPolicy
from interpreter.automated.policy import Policy
from interpreter.automated.random_policy import RandomPolicy
from interpreter.machine import Game
from interpreter.messages.inputs import Awaited, Input
from interpreter.program.failures import in_words

__all__ = ["POLICIES", "MixedPolicy", "chosen_by", "make_policy", "policies_of", "step"]


def make_policy(name: str, seed: int | str) -> Policy:
    """A policy by name, or one for each side: `red=greedy,random` is greedy for red and random for all others.

    Raises KeyError for an unknown one.
    """
    if name in POLICIES:
        return POLICIES[name](seed)
    usual, by_side = policies_of(name)
    return EachItsOwn(POLICIES[usual](seed), {side: POLICIES[one](f"{seed}/{side}") for side, one in by_side.items()})


def policies_of(name: str) -> tuple[str, dict[str, str]]:
    """Parses `red=greedy,random`: the policy of all other sides (random by default), and those of single sides."""
    usual, by_side = "random", {}
    for part in name.split(","):
        side, given, policy = part.strip().partition("=")
        if given:
            by_side[side] = policy
        else:
            usual = side
    return usual, by_side


class EachItsOwn:
    """Plays each side with its own policy."""

    def __init__(self, usual: Policy, by_side: dict[str, Policy]) -> None:
        self._usual, self._by_side = usual, by_side

    def choose(self, game: Game, awaited: Awaited) -> Input:
        """The next input for what the game is waiting for. Raises NothingLegal if there is none."""
        return self._by_side.get(awaited.side, self._usual).choose(game, awaited)


@in_words
def chosen_by(game: Game, policy: Policy, awaited: Awaited) -> Input:
    """The input that a policy chooses for a game. Raises NothingLegal, and RuleFailure if a rule that it uses fails."""
    return policy.choose(game.seen_by(awaited.side), awaited)


def step(game: Game, policies: Policy, chance: random.Random) -> Input:
    """The next input of a game that one policy plays for all sides; the first among several is drawn at random.

    Raises NothingLegal, RuleFailure: as for `chosen_by`.
    """
    awaited = game.waiting
    return chosen_by(game, policies, awaited[0] if len(awaited) == 1 else chance.choice(awaited))


class MixedPolicy:
    """Alternates between the two other policies: it gets into fights, and then does odd things in them."""

    def __init__(self, seed: int | str = 0) -> None:
        self.chance = random.Random(f"{seed}/mixed")
        self._both: tuple[Policy, ...] = (RandomPolicy(f"{seed}/random"), GreedyPolicy(f"{seed}/greedy"))

    def choose(self, game: Game, awaited: Awaited) -> Input:
        """The next input for what the game is waiting for. Raises NothingLegal if there is none."""
        return self.chance.choice(self._both).choose(game, awaited)


POLICIES: dict[str, Callable[[int | str], Policy]] = {
    "random": RandomPolicy,
    "greedy": GreedyPolicy,
    "mixed": MixedPolicy,
}
"""The policies by name."""
