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
from dsl.text.nodes import frozen
from dsl.text.source import NOWHERE, Span

Value = int | Fraction | str | bool | None | tuple[object, ...]
"""The value of an expression that is written as a constant in a rule text."""

LAST = "last "
"""A name that an expression reads is in a frame: `F` is that of its routine, `F.up` the one above, and this with a
routine's key is the frame of the last run of that routine.
"""


class Rests(enum.Enum):
    """What an expression itself depends on, besides its operands: if that changes, its value may change."""

    NOTHING = enum.auto()
    NAMES = enum.auto()
    FIELD = enum.auto()
    ENTRY = enum.auto()
    POSITION = enum.auto()
    PLACED = enum.auto()
    """On the places of things, if it is evaluated for things; for places it never changes."""
    ACTIVE = enum.auto()
    TURN = enum.auto()
    PHASE = enum.auto()
    PAST = enum.auto()
    CALLS = enum.auto()
    """On the dependencies of the value or path that it calls."""
    ANYTHING = enum.auto()


@frozen
class Expression:
    """A typed expression with every name resolved.

    RESTS_ON: see `Rests`. LOOPS: whether it may evaluate its operands for one thing after another.
    """

    RESTS_ON: ClassVar[Rests] = Rests.ANYTHING
    LOOPS: ClassVar[bool] = False
    type: Type = attrs.field(kw_only=True)
    span: Span = attrs.field(default=NOWHERE, repr=False, kw_only=True)

    @property
    def asks_where(self) -> bool:
        """Whether it reads the place of an operand."""
        return self.RESTS_ON in {Rests.POSITION, Rests.PLACED}


@frozen
class OverSet(Expression):
    """Evaluates something for each member of a set in turn. variable: the name of the current member."""

    LOOPS: ClassVar[bool] = True
    base: Expression
    variable: str
