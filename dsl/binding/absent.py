"""How the binder treats values that may be absent: in sets, when something is read from them, and where a value is required.

Sets leave them out, and also the place of what is off the map, whose type does not say that it may be absent. What is read from an
absent value is absent too. Where a value is required, one that may be absent is an error.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.binding.absence import is_first, is_there
from dsl.binding.context import Binder
from dsl.binding.scope import Scope, local
from dsl.ir import E, Type, set_of
from dsl.rules.editions import PLACES_THERE, asks
from dsl.syntax import syntax_tree as t
from dsl.text.source import Span


def those_there(b: Binder, several: E) -> E:
    """The members of a set that are present."""
    variable, of = b.fresh(), several.type.of
    assert of is not None
    return ir.Filter(several, variable, is_there(local(variable, of.maybe())), type=several.type, span=several.span)


def may_be_missing(b: Binder, e: E) -> bool:
    """Whether a set made with this leaves it out when it is absent: its type says so, or it is where something stands."""
    if e.type.optional:
        return True
    where = isinstance(e, ir.PlaceOf | ir.HolderOf | ir.Call) and b.ruleset.is_place(e.type)
    return where and asks(b.ruleset.edition, PLACES_THERE)


def set_of_one(b: Binder, one: E) -> E:
    """A set of one thing, or the empty set if the thing is absent."""
    return set_of_these(b, (one,), set_of(one.type), one.span)


def set_of_these(b: Binder, items: tuple[E, ...], type_: Type, span: Span) -> E:
    """A set of things listed one by one, some of which may be absent."""
    made = ir.Listed(items, type=type_, span=span)
    return those_there(b, made) if any(may_be_missing(b, item) for item in items) else made


def asked_of(b: Binder, arg: E, ask: Callable[[E], E | None]) -> E | None:
    """A property of a thing that may be absent. If the thing is absent, so is the property, or it is the empty set."""
    variable = b.fresh()
    found = ask(local(variable, arg.type.sure()))
    if found is None or found.type.name == "nothing":
        return found
    flat = found.type.name == "set"
    type_ = set_of(found.type.of if flat else found.type)
    each = ir.MapOver(set_of_one(b, arg), variable, found, flat, type=type_, span=arg.span)
    return each if flat else ir.Aggregate("first", each, None, type=found.type.maybe(), span=arg.span)


def needed(b: Binder, node: t.Node, scope: Scope) -> E:
    """An expression that must be present; E202 if it may be absent."""
    return surely(b, b.expr(node, scope), scope, node.span)


def surely(b: Binder, bound: E, scope: Scope, span: Span) -> E:
    """A value that must be present; E202 if it may be absent. In an example, and for `first S`, the line fails instead if it is."""
    if not bound.type.optional:
        return bound
    if scope.any_frame or is_first(bound):
        return ir.Must(bound, type=bound.type.sure(), span=span)
    return b.needs(bound, bound.type.sure(), span)
