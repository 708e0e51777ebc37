"""Statements, one class each: lines of values, statuses, orders, setups and paths, which compute or judge something."""

from __future__ import annotations

import attrs

from dsl.ir.expression import Expression
from dsl.ir.statement import Body, Statement


@attrs.frozen(slots=True, eq=False)
class Holds(Statement):
    """A condition under which a status holds."""


@attrs.frozen(slots=True, eq=False)
class Case(Statement):
    """What a value is in one case."""

    value: Expression
    otherwise: bool


@attrs.frozen(slots=True, eq=False)
class Start(Statement):
    """What a value starts with."""

    value: Expression


@attrs.frozen(slots=True, eq=False)
class Add(Statement):
    """What a modifier adds."""

    value: Expression


@attrs.frozen(slots=True, eq=False)
class Adjust(Statement):
    """A step in working a value out: plus, minus, times, divided, rounded, at-least, at-most, moved, put-in, take-out, instead."""

    how: str
    value: Expression | None = None
    way: str | None = None
    halves: str | None = None
    scale: str | None = None


@attrs.frozen(slots=True, eq=False)
class Except(Statement):
    """The lines of a rule that stand in for the printed ones where they apply."""

    body: Body


@attrs.frozen(slots=True, eq=False)
class GivenBy(Statement):
    """Whose order it is."""

    who: Expression


@attrs.frozen(slots=True, eq=False)
class LegalFrom(Statement):
    """From which words of a field to which an order leads."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    held: Expression | None = None
    new: Expression | None = None
    field: str = ""


@attrs.frozen(slots=True, eq=False)
class LegalWhen(Statement):
    """When an order is legal."""

    test: Expression


@attrs.frozen(slots=True, eq=False)
class Refused(Statement):
    """When an order, or the end of a phase, is refused."""

    test: Expression


@attrs.frozen(slots=True, eq=False)
class Permits(Statement):
    """When a rule permits what others refuse."""

    test: Expression


@attrs.frozen(slots=True, eq=False)
class Reaching(Statement):
    """An order is legal where a path leads to its goal."""

    goal: str
    path: str
    mover: Expression


@attrs.frozen(slots=True, eq=False)
class Warned(Statement):
    """When a setup warns."""

    test: Expression


@attrs.frozen(slots=True, eq=False)
class From(Statement):
    """Where a path starts."""

    value: Expression


@attrs.frozen(slots=True, eq=False)
class Budget(Statement):
    """How many points a path may cost."""

    value: Expression


@attrs.frozen(slots=True, eq=False)
class Leg(Statement):
    """A leg of a trace. reaches: what holds where it ends."""

    name: str
    limit: Expression | None
    along: str | None
    reaches: Expression | None


@attrs.frozen(slots=True, eq=False)
class Exempt(Statement):
    """The place where a path starts is not asked about."""


@attrs.frozen(slots=True, eq=False)
class Costs(Statement):
    """What entering a place costs."""

    place: str
    value: Expression | None


@attrs.frozen(slots=True, eq=False)
class Never(Statement):
    """Where a path never leads."""

    place: str
    value: Expression | None


@attrs.frozen(slots=True, eq=False)
class Halting(Statement):
    """Where a path ends."""

    place: str
    value: Expression | None


ValueLine = Start | Case | Add | Adjust
"""A line that gives a value something."""


def value_of(s: Statement) -> Expression | None:
    """What a line of a value gives it; None for a status's condition, and for a step that needs nothing."""
    return s.value if isinstance(s, ValueLine) else None


def how_of(s: Statement) -> str:
    """How a step changes what a value has come to so far; "" for lines that are no such step."""
    return s.how if isinstance(s, Adjust) else ""


def scale_of(s: Statement) -> str | None:
    """The scale along which a step moves a word."""
    return s.scale if isinstance(s, Adjust) else None
