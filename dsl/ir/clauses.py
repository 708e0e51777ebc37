"""Statements, one class each: lines of values, statuses, orders, setups and paths, which compute or judge something."""

from __future__ import annotations

from dsl.ir.expression import Expression
from dsl.ir.statement import Body, Statement
from dsl.text.nodes import frozen


@frozen
class Holds(Statement):
    """A condition under which a status holds."""


@frozen
class Case(Statement):
    """The result of a value in one case."""

    value: Expression
    otherwise: bool


@frozen
class Start(Statement):
    """The initial result of a value."""

    value: Expression


@frozen
class Add(Statement):
    """The addition of a modifier."""

    value: Expression


@frozen
class Adjust(Statement):
    """A step in computing a value: plus, minus, times, divided, rounded, at-least, at-most, moved, put-in, take-out, instead."""

    how: str
    value: Expression | None = None
    way: str | None = None
    halves: str | None = None
    scale: str | None = None


@frozen
class Except(Statement):
    """The lines of a rule that replace the printed ones where they apply."""

    body: Body


@frozen
class GivenBy(Statement):
    """Who gives the order."""

    who: Expression


@frozen
class LegalFrom(Statement):
    """The words of a field from which, and to which, an order leads."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    held: Expression | None = None
    new: Expression | None = None
    field: str = ""


@frozen
class LegalWhen(Statement):
    """When an order is legal."""

    test: Expression


@frozen
class Refused(Statement):
    """When an order, or the end of a phase, is refused."""

    test: Expression


@frozen
class Permits(Statement):
    """When a rule permits what others refuse."""

    test: Expression


@frozen
class Reaching(Statement):
    """An order is legal if a path leads to its goal."""

    goal: str
    path: str
    mover: Expression


@frozen
class Warned(Statement):
    """When a setup gives a warning."""

    test: Expression


@frozen
class From(Statement):
    """Where a route starts."""

    value: Expression


@frozen
class Budget(Statement):
    """The points that a route may cost."""

    value: Expression


@frozen
class Leg(Statement):
    """A leg of a trace. reaches: the condition at its end."""

    name: str
    limit: Expression | None
    along: str | None
    reaches: Expression | None


@frozen
class Exempt(Statement):
    """The place where a route starts is exempt."""


@frozen
class Costs(Statement):
    """The cost of entering a place."""

    place: str
    value: Expression | None


@frozen
class Never(Statement):
    """Places that a route never enters."""

    place: str
    value: Expression | None


@frozen
class Halting(Statement):
    """Places where a route ends."""

    place: str
    value: Expression | None


ValueLine = Start | Case | Add | Adjust
"""A line that contributes to a value."""


def value_of(s: Statement) -> Expression | None:
    """Its contribution; None for a status's condition, and for a step without an operand."""
    return s.value if isinstance(s, ValueLine) else None


def how_of(s: Statement) -> str:
    """How a step changes the result of a value so far; empty for lines that are not such a step."""
    return s.how if isinstance(s, Adjust) else ""


def scale_of(s: Statement) -> str | None:
    """The scale along which a step moves a word."""
    return s.scale if isinstance(s, Adjust) else None
