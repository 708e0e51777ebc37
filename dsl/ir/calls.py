"""Expressions, one class each: uses of values, statuses and paths."""

from __future__ import annotations

from typing import ClassVar

import attrs

from dsl.ir.expression import Expression, Rests
from dsl.ir.types import MARK, Type
from dsl.text.nodes import frozen


@frozen
class Called(Expression):
    """The result of a routine of the rules. name: the key of the routine; arguments: its arguments."""

    RESTS_ON: ClassVar[Rests] = Rests.CALLS
    name: str
    arguments: tuple[Expression, ...]


@frozen
class Call(Called):
    """A value or status. frame: of the procedure that it is bound to, None if it is not bound."""

    RESTS_ON: ClassVar[Rests] = Rests.CALLS
    frame: str | None = None


@frozen
class PathExists(Called):
    """Whether a path leads to a place."""

    RESTS_ON: ClassVar[Rests] = Rests.CALLS
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class PathCost(Called):
    """The cost of the route to a place; absent if there is no route."""

    RESTS_ON: ClassVar[Rests] = Rests.CALLS
    goal: Expression
