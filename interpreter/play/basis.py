"""What a game is based on: its rules, the start of its turn, and the inputs since."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import attrs

from dsl.rules.amended import Changed
from dsl.syntax.declarations import Scenario
from interpreter.messages.inputs import Input
from interpreter.messages.settings import Settings
from interpreter.messages.standing_rulings import Wording
from interpreter.program.program import Program

__all__ = ["Basis", "Coming", "Remake", "Reword", "Reworded", "Turn"]

MOST_SHOWN = 12

Remake = Callable[[frozenset[str], Sequence[tuple[str, str]]], Program]
"""Makes the program under other modules from those that are on and (`with` or `without`, module). Raises Refused."""


class Turn(NamedTuple):
    """A turn that can be replayed: the state at its start, the inputs since, and its rules."""

    start: bytes | None
    inputs: list[Input]
    program: Program
    scenario: Scenario


@attrs.frozen(eq=False)
class Reworded:
    """The rules of an amended text. changed: its differences from the previous text; remake: the same under other modules."""

    program: Program
    scenario: Scenario
    remake: Remake | None
    changed: tuple[Changed, ...]

    def titles(self, *, rules_only: bool) -> str:
        """The changes, as a sentence. rules_only: leaves out lists of forces, maps, scenarios and examples."""
        found = [x for x in self.changed if x.is_rule or not rules_only]
        shown = [x.title if x.how == "changed" else f"{x.title} {x.how}" for x in found[:MOST_SHOWN]]
        more = f" and {len(found) - MOST_SHOWN} more" if len(found) > MOST_SHOWN else ""
        return f" ({', '.join(shown)}{more})" if shown else ""


Reword = Callable[[Wording, "Wording | None", Iterable[str]], Reworded]
"""The rules by an amended text: which, the one that is in force (None: that of the beginning), the modules that are on. Raises Refused."""


@attrs.frozen
class Coming:
    """An amended text that waits for the next turn, and the reason for it."""

    wording: Wording
    reason: str


@attrs.define(eq=False)
class Basis:
    """What a game rests on: its rules, its starting point and its inputs.

    reword: finds amended texts; None where there can be none. remake: makes the program under other modules. first: the state at
    the start of the turn, None where the game begins. inputs: those since; taken: how many have been taken, with the one that is
    being taken. earlier: the turn before, where it can be told. begun_by: the amended text that it was begun by; rules: the one in
    force, where it is not that of the beginning; coming: the one that waits.
    """

    program: Program
    scenario: Scenario
    settings: Settings
    reword: Reword | None
    first: bytes | None
    remake: Remake | None = None
    inputs: list[Input] = attrs.field(factory=list)
    taken: int = 0
    earlier: Turn | None = None
    begun_by: Wording | None = None
    rules: Wording | None = None
    coming: Coming | None = None

    def kept(self) -> Basis:
        """A copy of it, to restore later."""
        return attrs.evolve(self)
