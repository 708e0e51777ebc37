"""What every expression of bound rules has: its type, its place in the text, and what its class declares.

Each operation is a class of its own with typed fields (`named`, `properties`, `sets`, `numbers`, `calls`, `conditions`).
What other code must know about it is declared beside its fields, so no other file keeps a list of operations.
"""

from __future__ import annotations

import enum
from fractions import Fraction
from typing import ClassVar

import attrs

from dsl.ir.types import Type
from dsl.text.source import NOWHERE, Span

Value = int | Fraction | str | bool | None | tuple[object, ...]
"""What an expression stands for that is written out in a rule text."""

LAST = "last "
"""A name that an expression reads is in a frame: `F` is that of its routine, `F.up` the one above, and this with a
routine's key is the frame that the routine ran with last."""


class Rests(enum.Enum):
    """What an expression itself rests on, beside what stands in it: when that changes, so may its value."""

    NOTHING = enum.auto()
    NAMES = enum.auto()
    FIELD = enum.auto()
    ENTRY = enum.auto()
    POSITION = enum.auto()
    PLACED = enum.auto()
    """On where things stand, if it is asked of things; of places it never changes."""
    ACTIVE = enum.auto()
    TURN = enum.auto()
    PHASE = enum.auto()
    PAST = enum.auto()
    CALLS = enum.auto()
    """On what the value or path rests on that it asks."""
    ANYTHING = enum.auto()


@attrs.frozen(slots=True, eq=False)
class Expression:
    """A typed expression: what a text says, with every name settled.

    RESTS_ON: see `Rests`. LOOPS: whether it may ask what stands in it for one thing after another.
    """

    RESTS_ON: ClassVar[Rests] = Rests.ANYTHING
    LOOPS: ClassVar[bool] = False
    type: Type = attrs.field(kw_only=True)
    span: Span = attrs.field(default=NOWHERE, repr=False, kw_only=True)

    @property
    def asks_where(self) -> bool:
        """Whether it asks where what stands in it is."""
        return self.RESTS_ON in {Rests.POSITION, Rests.PLACED}


@attrs.frozen(slots=True, eq=False)
class OverSet(Expression):
    """What asks something of each of a set in turn. variable: the name that stands for it."""

    LOOPS: ClassVar[bool] = True
    base: Expression
    variable: str
