"""What every statement of bound rules has, and what its class declares.

Each statement is a class of its own with typed fields (`effects`, `course`, `clauses`). What it does is declared once, beside
its fields. Secrecy, waiting rules, `why`, undo and mutants all use that declaration.
"""

from __future__ import annotations

from typing import ClassVar, Self

import attrs

from dsl.ir.expression import Expression
from dsl.text.source import NOWHERE, Span

CHANGES = frozenset({"field", "entry", "holder", "side", "place", "being", "known"})
"""What of a thing can change: one of its fields, its entry of a unit list with all that it prints, who holds it, whose it is,
where it stands, whether it is there at all, and to whom it was revealed."""


@attrs.frozen(slots=True)
class Does:
    """What a statement does.

    changes: one of CHANGES, "" for nothing of a thing. things: where the statement says of which; gets: where it says what they
    get. names: where it says the names that it gives a value; around: that name of them which it gives as it goes through
    things. assigns: whether it gives a name that is there already another value. asks, rolls: whether it may stop for an
    answer or for dice. unheard: whether it can have done something of which no event tells.
    """

    changes: str = ""
    things: str = ""
    gets: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    around: str = ""
    assigns: bool = False
    asks: bool = False
    rolls: bool = False
    unheard: bool = False


@attrs.frozen(slots=True)
class Moment:
    """A moment until which something lasts. name: as `end movement`; whose: own or enemy, of the owner of what changes.

    following: of the next one that begins, not of one that runs now.
    """

    name: str
    whose: str = ""
    following: bool = False


@attrs.frozen(slots=True, eq=False)
class Lasting:
    """A condition until which something lasts. number: which of all; taken: what it takes from the running procedure, by name."""

    number: int
    test: Expression
    taken: tuple[tuple[str, Expression], ...]


Until = str | Moment | Lasting | None
"""When what is changed falls away again: a moment as text, one that is told apart by its owner, or a condition."""


@attrs.frozen(slots=True)
class Head:
    """What every statement may have: where it stands, its condition, its reason, its label, what it cites, whose text it is.

    rule: the rule that brought it into another text. module: whose it is, "" of the base.
    """

    span: Span = NOWHERE
    when: Expression | None = None
    because: str | None = None
    label: str | None = None
    cites: tuple[str, ...] = ()
    module: str = ""
    rule: str | None = None


@attrs.frozen(slots=True, eq=False)
class Statement:
    """A statement with every name settled. DOES: what it does; a class that only judges or puts others in order does nothing."""

    DOES: ClassVar[Does] = Does()
    head: Head

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.head.span

    @property
    def when(self) -> Expression | None:
        """The condition under which it counts."""
        return self.head.when

    @property
    def because(self) -> str | None:
        """Its reason, in words."""
        return self.head.because

    @property
    def label(self) -> str | None:
        """What the text calls it."""
        return self.head.label

    @property
    def cites(self) -> tuple[str, ...]:
        """The rules of the catalog that it cites."""
        return self.head.cites

    @property
    def module(self) -> str:
        """The module whose text it is."""
        return self.head.module

    @property
    def rule(self) -> str | None:
        """The rule that brought it into another text."""
        return self.head.rule

    @property
    def body(self) -> Body:
        """The statements that it owns."""
        return ()

    @property
    def field(self) -> str:
        """The field, or the heading of several, that it changes; every statement that changes one has its own."""
        return ""

    @property
    def until(self) -> Until:
        """Until when what it changes lasts; None: for good."""
        return None

    def brought_by(self, rule: str | None, cites: tuple[str, ...], module: str) -> Self:
        """The same as a rule brings it into another text."""
        return attrs.evolve(self, head=attrs.evolve(self.head, rule=rule, cites=cites, module=module))


Body = tuple[Statement, ...]
"""Statements in their order."""
