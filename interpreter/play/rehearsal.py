"""A rehearsal: what a side's inputs would lead to, as far as that side can know it. No dice are rolled for it.

It is played on a copy of the game that is thrown away, in the world as the side knows it: what is hidden from the side does not
exist there. It ends before dice, before anything that depends on hidden things, and before the sealed answers of others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import attrs

from interpreter.messages.asking import Roll, Sealed
from interpreter.messages.inputs import Event, Input, Refused, RuleFailure
from interpreter.messages.sides import UMPIRE
from interpreter.play.contracts import Offering
from interpreter.world.seat import readable

if TYPE_CHECKING:
    from interpreter.world.seat import Seat

__all__ = ["DICE", "HIDDEN", "SEALED", "RefusedThere", "Rehearsal", "rehearse"]

DICE = "dice"
HIDDEN = "hidden"
SEALED = "sealed"


class Rehearsed(Offering, Protocol):
    """A game on which a rehearsal can be played."""

    @property
    def typed(self) -> bool:
        """Whether dice are rolled at the table and typed."""

    def seat(self, side: str) -> Seat:
        """The gate to a side."""

    def as_typed(self, given: Input) -> Input:
        """An input of a side as it was typed."""

    def spend(self, given: Input) -> bool:
        """Whether an input is a redundant `done`."""

    def blindfold(self, side: str) -> None:
        """Turns this game into a rehearsal permanently."""


@attrs.frozen
class Rehearsal:
    """What inputs would lead to.

    events: what would happen, in its order. ends: what stops it: `dice`, `hidden`, `sealed`, or empty if all inputs
    were taken to their end. taken: how many of the inputs were taken.
    """

    events: tuple[Event, ...]
    ends: str
    taken: int


class RefusedThere(Exception):
    """One of the inputs is refused when its turn comes. position: which, counted from 0; refused: why."""

    def __init__(self, position: int, refused: Refused) -> None:
        super().__init__(refused.message)
        self.position = position
        self.refused = refused


def rehearse(game: Rehearsed, inputs: Sequence[Input], side: str) -> Rehearsal:
    """Tries inputs of a side on a copy of a game, which must not be used afterwards. The umpire's inputs are played for real.

    Raises:
        RefusedThere: one of them is illegal when its turn comes.
    """
    typed = game.typed
    if side == UMPIRE:
        return _played(game, inputs)
    game.blindfold(side)
    found = _seen(game, inputs, typed=typed)
    return attrs.evolve(found, events=tuple(game.seat(side).told(readable(found.events, side))))


def _played(game: Rehearsed, inputs: Sequence[Input]) -> Rehearsal:
    """Plays inputs for real."""
    events: list[Event] = []
    for position, given in enumerate(inputs):
        if not (position and game.spend(given)):
            events += _taken(game, given, position)
    return Rehearsal(tuple(events), "", len(inputs))


def _taken(game: Rehearsed, given: Input, position: int) -> tuple[Event, ...]:
    """The events of one input. Raises RefusedThere."""
    try:
        return game.offer(game.as_typed(given))
    except Refused as refused:
        raise RefusedThere(position, refused) from refused


def _seen(game: Rehearsed, inputs: Sequence[Input], *, typed: bool) -> Rehearsal:
    """Plays inputs as far as the side can know their results."""
    events: list[Event] = []
    for position, given in enumerate(inputs):
        if position and game.spend(given):
            continue
        sealed = isinstance(game.pending, Sealed)
        try:
            events += _taken(game, given, position)
        except RuleFailure:
            return Rehearsal((*events, *game.world.journal.events), HIDDEN, position + 1)
        if sealed or (isinstance(game.pending, Roll) and not typed):
            return Rehearsal(tuple(events), SEALED if sealed else DICE, position + 1)
    return Rehearsal(tuple(events), "", len(inputs))
