"""The scope of a line: its local names, whose side `own` is, the thing that `it` is, and running procedures."""

from __future__ import annotations

import attrs

from dsl import ir
from dsl.ir import E, Routine, Type


@attrs.frozen(slots=True)
class ThrownName:
    """Dice in a condition: a name for each die, and how many faces it has.

    dice: where a value says which dice they are, that value; then one name stands for all that they show together.
    """

    names: tuple[str, ...]
    faces: int = 0
    dice: E | None = None


@attrs.define(slots=True)
class Scope:
    """names: local names. whose: the side that `own` speaks of. it: the thing a `where` looks at.

    frames: the procedures whose names can be read, innermost first, each with how the machine reaches its frame.
    any_frame: in examples, every procedure's names can be read, wherever its last run left them.
    way: in a path, the expressions for the place left and the place entered.
    thrown: in `chance that (…)` the dice written in it so far, each with the names of its faces; None elsewhere.
    known: what may be absent elsewhere and is there where the line stands, as after `when there is x`.
    to_come: in examples things may be named that rules put into the game only later; in what somebody asks of a game they may not.
    """

    names: dict[str, E] = attrs.field(factory=dict)
    whose: E | None = None
    it: E | None = None
    frames: tuple[tuple[Routine, str], ...] = ()
    any_frame: bool = False
    way: tuple[E, E] | None = None
    module: str = ""
    thrown: list[ThrownName] | None = None
    known: tuple[E, ...] = ()
    to_come: bool = True

    def inner(self, **changes: object) -> Scope:
        """A scope inside this one: its own local names are added to a copy."""
        return attrs.evolve(self, **{"names": dict(self.names), **changes})  # type: ignore[arg-type]


def local(name: str, type_: Type) -> E:
    """A local variable of a value, or of a `where`."""
    return ir.Local(name, type=type_)


def framed(access: str, name: str, type_: Type) -> E:
    """A name in a procedure's frame."""
    return ir.FrameName(access, name, type=type_)
