"""Routines: the bound form of values, statuses, orders, procedures, paths and waiting rules."""

from __future__ import annotations

import attrs

from dsl.ir.clauses import Except
from dsl.ir.expression import Expression, Value
from dsl.ir.statement import Body, Statement
from dsl.ir.types import Type
from dsl.text.source import Span


def added_lines(body: Body) -> Body:
    """The lines of a value that rules add to it: an exception takes the place of the printed lines, these are done to it."""
    return tuple(s for s in body if not isinstance(s, Except) and s.rule)


def is_disputed(routine: Routine) -> bool:
    """Whether several rules except a value, so that two of them may hold at once and say different things."""
    return routine.word == "value" and sum(isinstance(s, Except) for s in routine.body) > 1


@attrs.frozen(slots=True, eq=False)
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
    """Rules: whether they come about on a movement, which they can then stop."""
    side_only: bool = False
    """Paths: whether the way depends on the mover through its side alone, so that one answer serves a whole side."""
    ground: str = ""
    """Paths: the kind of place that it leads over."""


def cited(s: Statement, routine: Routine) -> tuple[str, ...]:
    """What a line cites: itself, else its declaration; a line that another rule brought in never what it was brought into."""
    brought = s.rule or (s.module and routine.word != "rule")
    return s.cites or (() if brought else routine.cites)


@attrs.frozen(slots=True, eq=False)
class Trigger:
    """What a rule waits for. event: leaves enters within next becomes removed always.

    params: the one or two things. whose: own or enemy, of the first's side, for the second; "" for anybody's. bound: the
    order or procedure in which alone it counts, as `order march`. amount: N of `within N of`. when: of an event. test: of a
    standing condition, or of a status that is become, on the things as local names. order: which of several goes first.
    field, words: what a field becomes.
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
        """Whether it must be asked again and again, since nothing else tells when it comes about."""
        return self.test is not None
