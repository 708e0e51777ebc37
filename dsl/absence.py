"""What may be absent: what is asked of it is absent too, a set of it is empty, and what needs it there is an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import attrs

from dsl import ir
from dsl import tree as t
from dsl.ir import E, Type, set_of
from dsl.scope import Scope, local
from dsl.source import Span

if TYPE_CHECKING:
    from dsl.bind_expressions import ExpressionBinder

X = TypeVar("X", bound=E)
ALWAYS = (
    ir.Active, ir.Aggregate, ir.Arithmetic, ir.Compare, ir.Distance, ir.Game, ir.Local, ir.Negative, ir.Not, ir.OptionRead, ir.Turn,
)  # fmt: skip
"""What always comes to something, where its type does not say that it may be absent."""


def is_there(e: E) -> E:
    """Whether a value is there."""
    return ir.IsThere(e, span=e.span)


def those_there(b: ExpressionBinder, several: E) -> E:
    """Those of a set that are there: what is absent is in no set."""
    variable, of = b.fresh(), several.type.of
    assert of is not None
    return ir.Filter(several, variable, is_there(local(variable, of.maybe())), type=several.type, span=several.span)


def with_gaps(several: E) -> E:
    """The set as it was before what is absent was left out of it: aggregates of numbers leave that out themselves."""
    match several:
        case ir.Filter(
            base=ir.Listed() | ir.MapOver() as base, variable=name, condition=ir.IsThere(value=ir.Local(name=tested))
        ):
            return base if tested == name else several
    return several


def set_of_one(b: ExpressionBinder, one: E) -> E:
    """A set of one thing; the empty set where that is absent."""
    return set_of_these(b, (one,), set_of(one.type), one.span)


def set_of_these(b: ExpressionBinder, items: tuple[E, ...], type_: Type, span: Span) -> E:
    """A set of things named one by one, of which some may be absent."""
    made = ir.Listed(items, type=type_, span=span)
    return those_there(b, made) if any(item.type.optional for item in items) else made


def asked_of(b: ExpressionBinder, arg: E, ask: Callable[[E], E | None]) -> E | None:
    """What is asked of a thing that may be absent: absent, or the empty set, where the thing is."""
    variable = b.fresh()
    found = ask(local(variable, arg.type.sure()))
    if found is None or found.type.name == "nothing":
        return found
    flat = found.type.name == "set"
    type_ = set_of(found.type.of if flat else found.type)
    each = ir.MapOver(set_of_one(b, arg), variable, found, flat, type=type_, span=arg.span)
    return each if flat else ir.Aggregate("first", each, None, type=found.type.maybe(), span=arg.span)


def holds_of(subject: E, test: E) -> E:
    """A condition of a thing that may be absent: of what is absent it does not hold."""
    return ir.And((is_there(subject), test), span=test.span) if subject.type.optional else test


def needed(b: ExpressionBinder, node: t.Node, scope: Scope) -> E:
    """An expression that must be there; E202 where it may be absent."""
    return surely(b, b.expr(node, scope), scope, node.span)


def surely(b: ExpressionBinder, bound: E, scope: Scope, span: Span) -> E:
    """A value that must be there: E202 where it may be absent. A line of an example, and one of `first S`, fails where it is."""
    if not bound.type.optional:
        return bound
    if scope.any_frame or is_first(bound):
        return ir.Must(bound, type=bound.type.sure(), span=span)
    return b.needs(bound, bound.type.sure(), span)


def shown_there(cond: E) -> tuple[E, ...]:
    """What is sure to be there where a condition holds: x after `there is x`, also `first S` after `there is S`."""
    match cond:
        case (
            ir.Not(item=ir.IsAbsent(value=subject))
            | ir.IsThere(value=subject)
            | ir.WordIs(subject=subject)
            | ir.WordOf(subject=subject)
        ):
            pass
        case _:
            return ()
    if subject.type.name == "set":
        of = (subject.type.of or subject.type).maybe()
        return (ir.Aggregate("first", subject, None, type=of, span=subject.span),)
    return (subject,)


def known_there(bound: X, scope: Scope) -> X:
    """A value that may be absent elsewhere, and is known to be there where the line stands."""
    if bound.type.optional and any(_same(bound, known, {}) for known in scope.known):
        return attrs.evolve(bound, type=bound.type.sure())
    return bound


def _same(a: object, b: object, names: dict[str, str]) -> bool:
    """Whether two expressions say the same, whatever the variables of their sets are called. names: those of b, by a's."""
    if isinstance(a, E) and isinstance(b, E):
        if type(a) is not type(b):
            return False
        if isinstance(a, ir.Local) and isinstance(b, ir.Local):
            return names.get(a.name, a.name) == b.name
        if isinstance(a, ir.OverSet) and isinstance(b, ir.OverSet):
            names = {**names, a.variable: b.variable}
        parts = (n for n in ir.fields_of(type(a)) if n != "variable")
        return all(_same(getattr(a, n), getattr(b, n), names) for n in parts)
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        return len(a) == len(b) and all(_same(x, y, names) for x, y in zip(a, b, strict=True))
    return a == b


def is_first(e: E) -> bool:
    """Whether a value is the first of a set, which is taken to hold something where its side or place is asked for, or it changes."""
    return isinstance(e, ir.Aggregate) and e.which == "first"


def always_there(e: E) -> bool:
    """Whether a value is plainly there: a number or word of the text, what is worked out, a field that is not optional."""
    if e.type.optional or e.type.name == "set":
        return False
    if isinstance(e, ir.Field):
        return always_there(e.holder)
    return isinstance(e, ALWAYS) or (isinstance(e, ir.Constant) and e.value is not None)
