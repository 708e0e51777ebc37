"""Orders and paths of a program as data: for each clause, ban and leg, what the machine evaluates, by names of emitted functions."""

from __future__ import annotations

import attrs

from dsl import ir
from dsl.ir import Type

__all__ = ["Clause", "OrderProgram", "WayProgram"]


@attrs.define(slots=True)
class Clause:
    """One clause of an order. needs: the number of arguments that must be known before it can be checked."""

    said: ir.Statement
    name: str
    because: str
    cites: tuple[str, ...]
    module: str
    label: str
    place: str
    needs: int
    goal: str = ""
    path: str = ""


@attrs.define(slots=True)
class OrderProgram:
    """An order: its arguments (preposition, name, type, several) and its clauses in order."""

    name: str
    params: tuple[tuple[str, str, Type, bool], ...]
    clauses: tuple[Clause, ...]
    cites: tuple[str, ...]
    effect: str
    rolls: bool = False
    """Whether dice may be rolled when it is carried out."""


@attrs.define(slots=True)
class WayProgram:
    """A path: its functions, the bans and halts with their reasons, and its legs."""

    name: str
    params: int
    nevers: tuple[tuple[str, str, tuple[str, ...]], ...]
    haltings: tuple[tuple[str, str, tuple[str, ...]], ...]
    legs: tuple[tuple[str, bool, str | None, bool], ...]
    moves: bool
    exempt: str
    side_only: bool
    reads: dict[str, frozenset[str]] = attrs.field(factory=dict)
    """What each of its functions depends on, by the function's name; under "" all of them together, under "legs" where
    its legs end, how long they are and whether the start is exempt."""
    ground: str = ""
    """The kind of place that it leads over."""
    sight: int | None = None
    """Within how many steps of a place its bans look for things; None if that is unknown."""
    crossing: frozenset[str] = frozenset()
    """The bans that depend on the step from place to place, not only on the place."""
    stepwise: frozenset[str] = frozenset()
    """The halts that do so."""
    tables: dict[str, frozenset[str]] = attrs.field(factory=dict)
    """What answers about steps depend on besides the mover, if they can be kept for a class of movers."""
