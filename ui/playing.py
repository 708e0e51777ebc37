"""What the screens ask of a running game, and the doors to systems and campaigns. No text is printed here.

The commands and the app know a game only by the shapes below, so that they can be tried on any machine that has them.
`campaigns.systems` is imported when it is first needed: it loads the language and the machine.
"""

import re
from collections.abc import Sequence
from typing import Any, Protocol

from campaigns.campaign import Campaign, Machine
from interpreter.inputs import Awaited, Input, Refused
from interpreter.view import View

__all__ = [
    "UMPIRE",
    "Explained",
    "LookedAt",
    "OpenCampaign",
    "Playable",
    "Why",
    "as_known",
    "awaited_from",
    "explain",
    "rooms",
    "sides_of",
]

UMPIRE = "umpire"
"""Who sees everything and may act for every side."""


class LookedAt(Protocol):
    """One line of a value that was looked at."""

    @property
    def text(self) -> str:
        """The rule line as it is written, or its reason."""

    @property
    def applied(self) -> bool:
        """Whether it applied."""

    @property
    def value(self) -> str:
        """The value after it; empty when it did not apply."""

    @property
    def because(self) -> str:
        """The reason that the line itself gives, or empty."""

    @property
    def cites(self) -> tuple[str, ...]:
        """The citations of the line."""

    @property
    def module(self) -> str:
        """The module it belongs to, or empty."""

    @property
    def place(self) -> str:
        """File and line, as "battle.rules:41"."""


class Explained(Protocol):
    """How a value came about."""

    @property
    def name(self) -> str:
        """What was worked out."""

    @property
    def value(self) -> str:
        """What came out."""

    @property
    def cites(self) -> tuple[str, ...]:
        """The citations of its declaration."""

    @property
    def steps(self) -> "tuple[LookedAt, ...]":
        """Its lines from top to bottom."""

    @property
    def parts(self) -> "tuple[Explained, ...]":
        """The values that it was made of."""


class Why(Protocol):
    """A reason why a command is refused."""

    @property
    def text(self) -> str:
        """A full sentence."""

    @property
    def cites(self) -> tuple[str, ...]:
        """The citations of the rule that refuses."""

    @property
    def place(self) -> str:
        """File and line of that rule."""

    @property
    def hint(self) -> str:
        """What would be allowed instead, or empty."""


class Playable(Machine, Protocol):
    """A running game: what a campaign needs, and what people want to know of it."""

    def legal(self, side: str, limit: int = 500) -> list[str]:
        """Whole commands that a side may give now."""

    def why_not(self, side: str, command: str) -> "Sequence[Why]":
        """Why a command would be refused; nothing when it is legal."""

    def explain(self, expression: str) -> Explained:
        """How a value comes about."""

    def view(self, side: str) -> View:
        """What a side may see."""


OpenCampaign = Campaign[Playable]


def explain(game: Playable, expression: str, side: str) -> Explained:
    """How a value comes about, as far as a side may ask.

    A side may ask about things that it sees wholly; the machine explains without regard to sides.

    Raises:
        Refused: the expression is not understood, or it or its explanation speaks of what the side may not know.
    """
    if side == UMPIRE:
        return game.explain(expression)
    seen = {thing.id: thing for thing in game.view(side).things}
    veiled = {thing.id for thing in game.view(UMPIRE).things if seen.get(thing.id) != thing}
    refused = Refused(
        "This speaks of things that this side does not see, or not wholly.",
        hint="Ask about your own; the umpire's seat explains everything.",
    )
    if veiled & _words(expression):
        raise refused
    explained = game.explain(expression)
    if veiled & _spoken_of(explained):
        raise refused
    return explained


def as_known(given: Input, side: str) -> Input:
    """An input as a side may know it: what another side gave stays untold."""
    told = side in {UMPIRE, given.side} or given.kind == "roll"
    return given if told else Input(given.kind, given.side, "…")


def _spoken_of(explained: Explained) -> set[str]:
    """Every word of an explanation."""
    words = _words(f"{explained.name} {explained.value}")
    for step in explained.steps:
        words |= _words(f"{step.text} {step.value} {step.because}")
    return words.union(*(_spoken_of(part) for part in explained.parts))


def _words(text: str) -> set[str]:
    return set(re.findall(r"[\w-]+", text))


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
