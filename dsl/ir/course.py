"""Statements, one class each: the course of play, with its questions, rolls, loops and phases."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

import attrs

from dsl.ir.clauses import Refused
from dsl.ir.expression import Expression
from dsl.ir.statement import Body, Does, Statement

_T = TypeVar("_T")


@attrs.frozen(slots=True, eq=False)
class Choose(Statement):
    """A side is asked. kind: one, some, up_to, exactly, words, number, split; such_that, reason: which answers are legal, and why others are not.

    title: the question as people are asked it; empty where its name alone says it.
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


@attrs.frozen(slots=True, eq=False)
class EachChooses(Statement):
    """Each of several is asked, or its side for it. sides: whether these are sides themselves."""

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


@attrs.frozen(slots=True, eq=False)
class Roll(Statement):
    """Dice are rolled for a side."""

    DOES: ClassVar[Does] = Does(names=("name",), rolls=True)
    who: Expression
    dice: Expression
    count: Expression | None
    name: str


@attrs.frozen(slots=True, eq=False)
class Draw(Statement):
    """One of several things is drawn by lot."""

    DOES: ClassVar[Does] = Does(names=("name",), rolls=True)
    who: Expression
    source: Expression
    name: str


@attrs.frozen(slots=True, eq=False)
class EachRolls(Statement):
    """Dice are rolled for each of several."""

    DOES: ClassVar[Does] = Does(names=("name", "item"), around="item", rolls=True)
    item: str
    over: Expression
    dice: Expression
    count: Expression | None
    name: str
    sides: bool


@attrs.frozen(slots=True, eq=False)
class ForEach(Statement):
    """Something is done for each of several, in an order."""

    DOES: ClassVar[Does] = Does(names=("name",), around="name")
    name: str
    over: Expression
    order: Expression | None
    role: str | None
    body: Body


@attrs.frozen(slots=True, eq=False)
class Do(Statement):
    """A procedure is done. given: its arguments; up: the frame that it is bound to."""

    DOES: ClassVar[Does] = Does(gets=("given",))
    name: str
    key: str
    given: Mapping[str, Expression]
    up: str | None


@attrs.frozen(slots=True, eq=False)
class Stop(Statement):
    """A procedure, a move or an order ends here."""

    DOES: ClassVar[Does] = Does(unheard=True)
    name: str | None


@attrs.frozen(slots=True, eq=False)
class May(Statement):
    """A window of orders opens for a side."""

    who: Expression
    orders: tuple[str, ...]
    manner: str


@attrs.frozen(slots=True, eq=False)
class EndGame(Statement):
    """The game is over."""

    winner: Expression | None


@attrs.frozen(slots=True, eq=False)
class When(Statement):
    """Lines that are done when a condition holds. arm: when, otherwise when, otherwise."""

    arm: str
    test: Expression | None
    body: Body


@attrs.frozen(slots=True, eq=False)
class Repeat(Statement):
    """Lines that are done again and again."""

    times: Expression
    condition: Expression | None
    body: Body


@attrs.frozen(slots=True, eq=False)
class Simultaneously(Statement):
    """Lines whose effects come at once."""

    body: Body


@attrs.frozen(slots=True, eq=False)
class Phase(Statement):
    """A phase or step. refusals: what keeps a side from ending it."""

    name: str
    title: str | None
    step: bool
    refusals: tuple[Refused, ...]
    body: Body


class CourseVisitor(abc.ABC, Generic[_T]):
    """Part of a visitor (`statement_visitor.py`): what becomes of each statement of this file."""

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
