"""Expressions, one class each: conditions."""

from __future__ import annotations

from typing import ClassVar

import attrs

from dsl.ir.expression import Expression, OverSet, Rests, Value
from dsl.ir.types import MARK, Type
from dsl.text.nodes import frozen


@frozen
class Or(Expression):
    """Whether one of several conditions holds."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    items: tuple[Expression, ...]

    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class And(Expression):
    """Whether all of several conditions hold."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    items: tuple[Expression, ...]

    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class Not(Expression):
    """Whether a condition does not hold."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    item: Expression
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class WordIs(Expression):
    """Whether a value is one of these words."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    subject: Expression
    words: tuple[str, ...]
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class WordOf(Expression):
    """Whether the field with these words is one of them: `u is W`."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    subject: Expression
    words: tuple[str, ...]
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class Equal(Expression):
    """Whether two values are the same."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    left: Expression
    right: Expression
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class SameSet(Expression):
    """Whether two sets have the same members."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    left: Expression
    right: Expression
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class PrintedAs(Expression):
    """Whether a rating equals a printed one."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    value: Expression
    wanted: Value
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class IsAbsent(Expression):
    """Whether a value is absent."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    value: Expression
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class IsThere(Expression):
    """Whether a value is present, or a set has members."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    value: Expression
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class KindIs(Expression):
    """Whether a thing is of a kind, or of one in a group."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    thing: Expression
    kind: str
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class TemplateIs(Expression):
    """Whether a thing shows an entry of a unit list."""

    RESTS_ON: ClassVar[Rests] = Rests.ENTRY
    thing: Expression
    entry: str
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class Quantified(OverSet):
    """Whether a condition holds for any, every, no or most of a set."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    quantifier: str
    condition: Expression
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class Compare(Expression):
    """Whether one number is above or below another."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    sign: str
    left: Expression
    right: Expression
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class CompareWords(Expression):
    """Whether one word of a scale is above or below another."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    sign: str
    scale: str
    left: Expression
    right: Expression
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class Member(Expression):
    """Whether something is in a set."""

    RESTS_ON: ClassVar[Rests] = Rests.NOTHING
    one: Expression
    base: Expression
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class IsPlaced(Expression):
    """Whether a thing is in, next to or within a distance of a place."""

    RESTS_ON: ClassVar[Rests] = Rests.PLACED
    subject: Expression
    near: str
    place: Expression
    amount: Expression | None
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class Linked(Expression):
    """Whether a link joins two neighbours."""

    RESTS_ON: ClassVar[Rests] = Rests.PLACED
    link: str
    one: Expression
    other: Expression
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class OnLink(Expression):
    """Whether a place, or the place of a thing, is on a link."""

    RESTS_ON: ClassVar[Rests] = Rests.PLACED
    subject: Expression
    link: str
    type: Type = attrs.field(default=MARK, kw_only=True)


@frozen
class OnEdge(Expression):
    """Whether a place, or the place of a thing, is on an edge of the map."""

    RESTS_ON: ClassVar[Rests] = Rests.PLACED
    subject: Expression
    edge: str
    type: Type = attrs.field(default=MARK, kw_only=True)


def without_first(e: And) -> Expression:
    """The conditions except the first."""
    return e.items[1] if len(e.items) == 2 else And(e.items[1:], span=e.span)
