"""Expressions, one class each: uses of values, statuses and paths."""

from __future__ import annotations

from typing import ClassVar

import attrs

from dsl.ir.expression import Expression, Rests
from dsl.ir.types import MARK, Type


@attrs.frozen(slots=True, eq=False)
class Called(Expression):
    """What is worked out by a routine of the rules. name: the key of the routine; arguments: what it is asked of."""

    RESTS_ON: ClassVar[Rests] = Rests.CALLS
    name: str
    arguments: tuple[Expression, ...]


@attrs.frozen(slots=True, eq=False)
class Call(Called):
    """A value or status. frame: of the procedure that it is bound to, None for one that is bound to none."""

    RESTS_ON: ClassVar[Rests] = Rests.CALLS
    frame: str | None = None


@attrs.frozen(slots=True, eq=False)
class PathExists(Called):
    """Whether a path leads anywhere."""

    RESTS_ON: ClassVar[Rests] = Rests.CALLS
    type: Type = attrs.field(default=MARK, kw_only=True)


@attrs.frozen(slots=True, eq=False)
class PathCost(Called):
    """What the way to a place costs; absent where there is none."""

    RESTS_ON: ClassVar[Rests] = Rests.CALLS
    goal: Expression
