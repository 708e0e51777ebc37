"""Expressions, one class each: names and literals, such as values, names of procedures, the turn, options, things and places."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import attrs

from dsl.ir.expression import Expression, Rests, Value
from dsl.ir.types import MARK, NUMBER, SIDE, TEXT, Type
from dsl.text.nodes import frozen


@frozen
class Constant(Expression):
    """A constant in the rule text."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    value: Value


@frozen
class Local(Expression):
    """A local variable of a value, or of an expression over a set."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    name: str


@frozen
class FrameName(Expression):
    """A name of a running procedure. frame: the path to its frame (`LAST`)."""

    RESTS_ON: ClassVar[Rests] = Rests.NAMES
    frame: str
    name: str


@frozen
class FrameEntry(Expression):
    """A choice or roll for one of several things, under a name of a procedure."""

    RESTS_ON: ClassVar[Rests] = Rests.NAMES
    frame: str
    name: str
    key: Expression


@frozen
class Active(Expression):
    """The side whose turn it is to act."""

    RESTS_ON: ClassVar[Rests] = Rests.ACTIVE
    type: Type = attrs.field(default=SIDE, kw_only=True)


@frozen
class Acting(Expression):
    """The side for which a procedure runs."""

    RESTS_ON: ClassVar[Rests] = Rests.NAMES
    frame: str
    type: Type = attrs.field(default=SIDE, kw_only=True)


@frozen
class HasDone(Expression):
    """Whether a thing received one of these orders in a period; last: in the previous one."""

    RESTS_ON: ClassVar[Rests] = Rests.PAST
    orders: tuple[str, ...]
    subject: Expression
    last: bool
    period: str
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class Calendar(Expression):
    """A part of the date."""

    RESTS_ON: ClassVar[Rests] = Rests.TURN
    part: str


@frozen
class PhaseIs(Expression):
    """Whether one of these phases or steps is running."""

    RESTS_ON: ClassVar[Rests] = Rests.PHASE
    names: tuple[str, ...]
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class PhaseNow(Expression):
    """The running phase."""

    RESTS_ON: ClassVar[Rests] = Rests.PHASE
    type: Type = attrs.field(default=TEXT, kw_only=True)


@frozen
class Turn(Expression):
    """The number of the turn."""

    RESTS_ON: ClassVar[Rests] = Rests.TURN
    type: Type = attrs.field(default=NUMBER, kw_only=True)


@frozen
class Game(Expression):
    """The campaign itself, for fields that belong to no thing."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING


@frozen
class OptionRead(Expression):
    """The setting of an option."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    name: str
    choices: tuple[str, ...]


@frozen
class PlaceNamed(Expression):
    """The place on the map with a number or name."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    label: str


@frozen
class SideNamed(Expression):
    """A side of a scenario."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    name: str
    type: Type = attrs.field(default=SIDE, kw_only=True)


@frozen
class ThingNamed(Expression):
    """A thing by its name."""

    RESTS_ON: ClassVar[Rests] = Rests.ANYTHING
    name: str


@frozen
class ThingMade(Expression):
    """A thing that rules placed in the game, by its name."""

    RESTS_ON: ClassVar[Rests] = Rests.ANYTHING
    name: str


@frozen
class Listed(Expression):
    """A set given as a list of members."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    items: tuple[Expression, ...]


def number_in(e: Expression | None) -> int | Fraction | None:
    """The number of a constant expression; None for any other."""
    value = e.value if isinstance(e, Constant) else None
    return value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None
