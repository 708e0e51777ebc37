"""The scope of a line: its local names, whose side `own` is, the thing that `it` is, and running procedures."""

from __future__ import annotations

import attrs

from dsl import ir
from dsl.ir import E, Routine, Type


@attrs.frozen(slots=True)
class ThrownName:
    """Dice in a condition: a name for each die, and its number of faces.

    dice: the value that names the dice, if there is one; then a single name means their total.
    """

    names: tuple[str, ...]
    faces: int = 0
    dice: E | None = None


@attrs.define(slots=True)
class Scope:
    """names: local names. whose: the side that `own` refers to. it: the thing that a `where` checks.

    frames: the procedures whose names can be read, innermost first, each with the access path to its frame.
    any_frame: in examples, the names of every procedure can be read, as its last run left them.
    way: in a path, the expressions for the place left and the place entered.
    thrown: in `chance that (…)` the dice written in it so far, each with the names of its faces; None elsewhere.
    known: values that may be absent elsewhere but are present at this line, as after `when there is x`.
    to_come: whether things that rules place only later can be named: in examples they can, in questions about a game they cannot.
    unsaid: names that hints leave out: that they are set at all may be hidden from who asks.
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
    unsaid: frozenset[str] = frozenset()

    def inner(self, **changes: object) -> Scope:
        """A scope inside this one: its own local names are added to a copy."""
        return attrs.evolve(self, **{"names": dict(self.names), **changes})  # type: ignore[arg-type]


def local(name: str, type_: Type) -> E:
    """A local variable of a value, or of a `where`."""
    return ir.Local(name, type=type_)


def framed(access: str, name: str, type_: Type) -> E:
    """A name in a procedure's frame."""
    return ir.FrameName(access, name, type=type_)
