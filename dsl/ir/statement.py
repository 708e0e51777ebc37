"""What every statement of bound rules has, and what its class declares.

Each statement is a class of its own with typed fields (`effects`, `course`, `clauses`). What it does is declared once, beside
its fields. Secrecy, waiting rules, `why`, undo and mutants all use that declaration.
"""

from __future__ import annotations

from typing import ClassVar, Self

import attrs

from dsl.ir.expression import Expression
from dsl.text.nodes import frozen
from dsl.text.source import NOWHERE, Span

CHANGES = frozenset({"field", "entry", "holder", "side", "place", "being", "known"})
"""What can change in a thing: one of its fields, its list entry with all its printed values, its holder, its owner,
its place, whether it exists at all, and to whom it was revealed.
"""


@attrs.frozen(slots=True)
class Does:
    """The effects of a statement.

    changes: one of CHANGES, empty if no thing changes. things: its attribute with the changed things; gets: those with their new
    values; fields: those that name the fields, or the headings for several, that it changes. names: those with the names that it
    sets; around: the one of them that it sets as a loop over things. assigns: whether it sets an existing name. asks, rolls: whether it may stop for an
    answer or for dice. unheard: whether it may have an effect that no event reports.
    """

    changes: str = ""
    things: str = ""
    gets: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    around: str = ""
    assigns: bool = False
    asks: bool = False
    rolls: bool = False
    unheard: bool = False


@attrs.frozen(slots=True)
class Moment:
    """A moment until which something lasts. name: as `end movement`; whose: own or enemy, of the owner of the changed thing.

    following: of the next one that begins, not of the running one.
    """

    name: str
    whose: str = ""
    following: bool = False


@frozen
class Lasting:
    """A condition until which something lasts. number: its number among all; taken: what it takes from the running procedure, by name."""

    number: int
    test: Expression
    taken: tuple[tuple[str, Expression], ...]


Until = str | Moment | Lasting | None
"""When a change ends: a moment as text, a moment that depends on the owner, or a condition."""


@attrs.frozen(slots=True)
class Head:
    """What every statement may have: its place, condition, reason, label and citations, and the text it is from.

    rule: the rule that brought it into another text. module: its module, empty for the base.
    """

    span: Span = NOWHERE
    when: Expression | None = None
    because: str | None = None
    label: str | None = None
    cites: tuple[str, ...] = ()
    module: str = ""
    rule: str | None = None


@frozen
class Statement:
    """A statement with every name resolved. DOES: its effects; a class that only judges or groups others has none."""

    DOES: ClassVar[Does] = Does()
    head: Head

    @property
    def span(self) -> Span:
        """Its place in the text."""
        return self.head.span

    @property
    def when(self) -> Expression | None:
        """The condition under which it applies."""
        return self.head.when

    @property
    def because(self) -> str | None:
        """Its reason, in words."""
        return self.head.because

    @property
    def label(self) -> str | None:
        """Its label in the text."""
        return self.head.label

    @property
    def cites(self) -> tuple[str, ...]:
        """The rules of the catalog that it cites."""
        return self.head.cites

    @property
    def module(self) -> str:
        """The module that it is from."""
        return self.head.module

    @property
    def rule(self) -> str | None:
        """The rule that brought it into another text."""
        return self.head.rule

    @property
    def body(self) -> Body:
        """The statements inside it."""
        return ()

    @property
    def until(self) -> Until:
        """How long its change lasts; None: permanently."""
        return None

    def brought_by(self, rule: str | None, cites: tuple[str, ...], module: str) -> Self:
        """The same statement as brought into another text by a rule."""
        return attrs.evolve(self, head=attrs.evolve(self.head, rule=rule, cites=cites, module=module))


Body = tuple[Statement, ...]
"""Statements in order."""
