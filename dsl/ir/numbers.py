"""Expressions, one class each: numbers, steps of a scale, table lookups and dice."""

from __future__ import annotations

from typing import ClassVar

import attrs

from dsl.ir.expression import Expression, Rests
from dsl.ir.types import DICE, NUMBER, ODDS, Type
from dsl.text.nodes import frozen


@frozen
class Arithmetic(Expression):
    """A sum, difference, product, quotient or percentage."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    sign: str
    left: Expression
    right: Expression
    type: Type = attrs.field(default=NUMBER, kw_only=True)


@frozen
class Negative(Expression):
    """A number with the opposite sign."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    value: Expression
    type: Type = attrs.field(default=NUMBER, kw_only=True)


@frozen
class Odds(Expression):
    """The ratio of two numbers, as odds."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    left: Expression
    right: Expression
    type: Type = attrs.field(default=ODDS, kw_only=True)


@frozen
class Distance(Expression):
    """The distance between two places."""

    RESTS_ON: ClassVar[Rests] = Rests.POSITION
    one: Expression
    other: Expression
    type: Type = attrs.field(default=NUMBER, kw_only=True)


@frozen
class Bearing(Expression):
    """The bearing from one place to another."""

    RESTS_ON: ClassVar[Rests] = Rests.POSITION
    one: Expression
    other: Expression
    type: Type = attrs.field(default=NUMBER, kw_only=True)


@frozen
class Direction(Expression):
    """The direction from one place to another."""

    RESTS_ON: ClassVar[Rests] = Rests.POSITION
    one: Expression
    other: Expression
    type: Type = attrs.field(default=NUMBER, kw_only=True)


@frozen
class Steps(Expression):
    """The number of steps on a scale from one word to another."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    scale: str
    one: Expression
    other: Expression
    type: Type = attrs.field(default=NUMBER, kw_only=True)


@frozen
class Moved(Expression):
    """The word a number of steps along a scale."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    scale: str
    word: Expression
    steps: Expression


@frozen
class ScaleFor(Expression):
    """The word of a scale that a number corresponds to."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    scale: str
    number: Expression
    way: str


@frozen
class Otherwise(Expression):
    """A value, or another if it is absent."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    value: Expression
    other: Expression


@frozen
class LookUp(Expression):
    """The row, or all rows, of a table for some keys."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    table: str
    keys: tuple[Expression, ...]


@frozen
class Numbers(Expression):
    """The whole numbers from one to another."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    low: Expression
    high: Expression


@frozen
class ManyDice(Expression):
    """A number of equal dice."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    count: Expression
    one: str
    type: Type = attrs.field(default=DICE, kw_only=True)


@frozen
class DiceOfWord(Expression):
    """Dice written in a text."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    word: Expression
    type: Type = attrs.field(default=DICE, kw_only=True)


@frozen
class DiceFigure(Expression):
    """The average, highest or lowest result of dice."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    which: str
    dice: Expression


@frozen
class BestDice(Expression):
    """The best or the worst of several dice."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    which: str
    base: Expression


@frozen
class DiceSums(Expression):
    """All results of dice."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    dice: Expression


@frozen
class DiceChance(Expression):
    """The probability that dice show a number."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    dice: Expression
    shown: Expression
    type: Type = attrs.field(default=NUMBER, kw_only=True)


@frozen
class Chance(Expression):
    """The probability that a condition becomes true, over all dice that are still to be rolled: in examples only."""

    RESTS_ON: ClassVar[Rests] = Rests.ANYTHING
    condition: Expression
    type: Type = attrs.field(default=NUMBER, kw_only=True)
