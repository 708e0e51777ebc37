"""Statements, one class each: the course of play, with its questions, rolls, loops and phases."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from dsl.ir.clauses import Refused
from dsl.ir.expression import Expression
from dsl.ir.statement import Body, Does, Statement
from dsl.text.nodes import frozen

_T = TypeVar("_T")


@frozen
class Choose(Statement):
    """A question to a side. kind: one, some, up_to, exactly, words, number, split; such_that, reason: which answers are legal, and why.

    title: the question as the player sees it; empty if its name is clear enough.
    """

    DOES: ClassVar[Does] = Does(names=("name",), asks=True)
    who: Expression
    name: str
    kind: str
    source: Expression | None
    amount: Expression | None
    such_that: Expression | None
    reason: str | None
    secret: bool
    many: bool
    title: str


@frozen
class EachChooses(Statement):
    """A question about each of several things, to the owner of each. sides: whether these are sides themselves."""

    DOES: ClassVar[Does] = Does(names=("name", "item"), around="item", asks=True)
    item: str
    over: Expression
    name: str
    kind: str
    source: Expression | None
    amount: Expression | None
    such_that: Expression | None
    reason: str | None
    secret: bool
    sides: bool
    title: str


@frozen
class Roll(Statement):
    """A roll of dice for a side."""

    DOES: ClassVar[Does] = Does(names=("name",), rolls=True)
    who: Expression
    dice: Expression
    count: Expression | None
    name: str


@frozen
class Draw(Statement):
    """A draw of one of several things by lot."""

    DOES: ClassVar[Does] = Does(names=("name",), rolls=True)
    who: Expression
    source: Expression
    name: str


@frozen
class EachRolls(Statement):
    """A roll of dice for each of several things."""

    DOES: ClassVar[Does] = Does(names=("name", "item"), around="item", rolls=True)
    item: str
    over: Expression
    dice: Expression
    count: Expression | None
    name: str
    sides: bool


@frozen
class ForEach(Statement):
    """A loop over several things, in an order."""

    DOES: ClassVar[Does] = Does(names=("name",), around="name")
    name: str
    over: Expression
    order: Expression | None
    role: str | None
    body: Body


@frozen
class Do(Statement):
    """A call of a procedure. given: its arguments; up: the frame that it is bound to."""

    DOES: ClassVar[Does] = Does(gets=("given",))
    name: str
    key: str
    given: Mapping[str, Expression]
    up: str | None


@frozen
class Stop(Statement):
    """The end of a procedure, a move or an order."""

    DOES: ClassVar[Does] = Does(unheard=True)
    name: str | None


@frozen
class May(Statement):
    """Opens an orders window for a side."""

    who: Expression
    orders: tuple[str, ...]
    manner: str


@frozen
class EndGame(Statement):
    """The end of the game."""

    winner: Expression | None


@frozen
class When(Statement):
    """Lines that run if a condition holds. arm: when, otherwise when, otherwise."""

    arm: str
    test: Expression | None
    body: Body


@frozen
class Repeat(Statement):
    """Lines that are repeated."""

    times: Expression
    condition: Expression | None
    body: Body


@frozen
class Simultaneously(Statement):
    """Lines whose effects are simultaneous."""

    body: Body


@frozen
class Phase(Statement):
    """A phase or step. refusals: what prevents a side from ending it."""

    name: str
    title: str | None
    step: bool
    refusals: tuple[Refused, ...]
    body: Body


class CourseVisitor(abc.ABC, Generic[_T]):
    """Part of a visitor (`statement_visitor.py`): the methods for each statement of this file."""

    @abc.abstractmethod
    def visit_choose(self, s: Choose) -> _T: ...

    @abc.abstractmethod
    def visit_each_chooses(self, s: EachChooses) -> _T: ...

    @abc.abstractmethod
    def visit_roll(self, s: Roll) -> _T: ...

    @abc.abstractmethod
    def visit_draw(self, s: Draw) -> _T: ...

    @abc.abstractmethod
    def visit_each_rolls(self, s: EachRolls) -> _T: ...

    @abc.abstractmethod
    def visit_for_each(self, s: ForEach) -> _T: ...

    @abc.abstractmethod
    def visit_do(self, s: Do) -> _T: ...

    @abc.abstractmethod
    def visit_stop(self, s: Stop) -> _T: ...

    @abc.abstractmethod
    def visit_may(self, s: May) -> _T: ...

    @abc.abstractmethod
    def visit_end_game(self, s: EndGame) -> _T: ...

    @abc.abstractmethod
    def visit_when(self, s: When) -> _T: ...

    @abc.abstractmethod
    def visit_repeat(self, s: Repeat) -> _T: ...

    @abc.abstractmethod
    def visit_simultaneously(self, s: Simultaneously) -> _T: ...

    @abc.abstractmethod
    def visit_phase(self, s: Phase) -> _T: ...
