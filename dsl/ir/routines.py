"""Routines: the bound form of values, statuses, orders, procedures, paths and waiting rules."""

from __future__ import annotations

import attrs

from dsl.ir.clauses import Except
from dsl.ir.expression import Expression, Value
from dsl.ir.statement import Body, Statement
from dsl.ir.types import Type
from dsl.text.nodes import frozen
from dsl.text.source import Span


def added_lines(body: Body) -> Body:
    """The lines of a value that rules add to it: an exception replaces the printed lines, these modify their result."""
    return tuple(s for s in body if not isinstance(s, Except) and s.rule)


def is_disputed(routine: Routine) -> bool:
    """Whether several rules except a value, so that two of them may apply at once with different results."""
    return routine.word == "value" and sum(isinstance(s, Except) for s in routine.body) > 1


@frozen
class Param:
    """A parameter after binding: preposition, name, type (a set's members for `some`), whether several."""

    prep: str
    name: str
    type: Type
    many: bool = False


@attrs.define(slots=True, eq=False)
class Routine:
    """A bound value, status, order, procedure, path or sequence.

    frame: names that its frame holds, with their types (procedures and orders). within: the procedure it is bound to.
    """

    word: str
    name: str
    params: tuple[Param, ...]
    type: Type
    span: Span
    within: str | None = None
    body: Body = ()
    frame: dict[str, Type] = attrs.field(factory=dict)
    cites: tuple[str, ...] = ()
    clauses: Body = ()
    stops: bool = False
    """Rules: whether they are triggered by a movement, which they can then stop."""
    side_only: bool = False
    """Paths: whether the route depends on the mover only through its side, so that one result serves a whole side."""
    ground: str = ""
    """Paths: the kind of place that it crosses."""


def cited(s: Statement, routine: Routine) -> tuple[str, ...]:
    """The citations of a line: its own, or those of its declaration; a line from another rule never has those of its new place."""
    brought = s.rule or (s.module and routine.word != "rule")
    return s.cites or (() if brought else routine.cites)


@frozen
class Trigger:
    """The event that a rule waits for. event: leaves enters within next becomes removed always.

    params: the one or two things. whose: own or enemy, of the first's side, for the second; empty for anybody's. bound: the
    only order or procedure in which it applies, as `order march`. amount: N of `within N of`. when: of an event. test: of a
    standing condition, or of a status that becomes true, with the things as local names. order: which of several comes first.
    field, words: the new value of a field.
    """

    rule: str
    event: str
    params: tuple[Param, ...]
    whose: str
    span: Span
    cites: tuple[str, ...]
    bound: str = ""
    amount: Expression | None = None
    when: Expression | None = None
    test: Expression | None = None
    order: Expression | None = None
    field: str = ""
    words: tuple[Value, ...] = ()

    @property
    def stands(self) -> bool:
        """Whether it must be checked again and again, since nothing else shows when it is triggered."""
        return self.test is not None
