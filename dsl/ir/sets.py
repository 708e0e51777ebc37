"""Expressions, one class each: sets of things by kind, place or condition, and aggregates over them."""

from __future__ import annotations

from typing import ClassVar

from dsl.ir.expression import Expression, OverSet, Rests
from dsl.text.nodes import frozen


@frozen
class AllOf(Expression):
    """All things of a kind; whose: own or enemy, seen from a side, or empty."""

    RESTS_ON: ClassVar[Rests] = Rests.POSITION
    kind: str
    whose: str
    side: Expression | None


@frozen
class ThingsNear(Expression):
    """The things of a kind in, next to or within a distance of a place."""

    RESTS_ON: ClassVar[Rests] = Rests.POSITION
    kind: str
    whose: str
    side: Expression | None
    near: str
    place: Expression
    amount: Expression | None


@frozen
class PlacesNear(Expression):
    """The places in, next to or within a distance of others."""

    RESTS_ON: ClassVar[Rests] = Rests.PLACED
    near: str
    place: Expression
    amount: Expression | None


@frozen
class Near(Expression):
    """The members of a set in, next to or within a distance of a place."""

    RESTS_ON: ClassVar[Rests] = Rests.POSITION
    base: Expression
    near: str
    place: Expression
    amount: Expression | None


@frozen
class OfKind(Expression):
    """The members of a set that are of a kind."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    base: Expression
    kind: str


@frozen
class StraightLine(Expression):
    """The places on the straight line between two."""

    RESTS_ON: ClassVar[Rests] = Rests.PLACED
    one: Expression
    other: Expression


@frozen
class EndsOf(Expression):
    """The two places that a hexside lies between."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    between: Expression


@frozen
class PlacesBetween(Expression):
    """The hexsides of a place."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    kind: str
    place: Expression


@frozen
class Filter(OverSet):
    """The members of a set for which a condition holds."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    condition: Expression


@frozen
class MapOver(OverSet):
    """A value for each member of a set; flat: the members of all these sets."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    body: Expression
    flat: bool


@frozen
class Together(Expression):
    """The members of both sets."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    left: Expression
    right: Expression


@frozen
class LeaveOut(Expression):
    """The members of a set that are not in another."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    base: Expression
    less: Expression


@frozen
class Beside(Expression):
    """The members of a set after or before one of them."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    base: Expression
    which: str
    one: Expression


@frozen
class HeldBy(Expression):
    """The members of a set that something holds."""

    RESTS_ON: ClassVar[Rests] = Rests.POSITION
    base: Expression
    holder: Expression


@frozen
class SidesInTurn(Expression):
    """The sides, the acting one first."""

    RESTS_ON: ClassVar[Rests] = Rests.ACTIVE


@frozen
class Aggregate(Expression):
    """The count, sum, highest, lowest, average or first of a set. scale: the scale of its words."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    LOOPS: ClassVar[bool] = True
    which: str
    base: Expression
    scale: str | None


@frozen
class Prevailing(OverSet):
    """The most frequent value of a set; ties are broken by weights in turn, finally by the lower, the higher or the average."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    value: Expression
    weights: tuple[Expression, ...]
    last: str
    scale: str | None


@frozen
class Extremes(OverSet):
    """The members of a set with the highest or lowest value."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    value: Expression
    which: str
    scale: str | None


def of_each(e: Expression) -> tuple[Expression, ...]:
    """What a filter or a mapping evaluates for each member of its set; nothing for other expressions."""
    match e:
        case Filter(condition=asked) | MapOver(body=asked):
            return (asked,)
    return ()
