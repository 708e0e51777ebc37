"""Binding aggregates over several things: `count`, `sum`, `first`, `highest`, `prevailing`, `whose F is highest`."""

from __future__ import annotations

from dsl import ir
from dsl.binding.absence import with_gaps
from dsl.binding.call_values import takes_set
from dsl.binding.context import Binder, expresses
from dsl.binding.dice_written import figure
from dsl.binding.fitting import type_name
from dsl.binding.property_of import entries_of_kind, names_of_fields, property_of, property_of_one, several_things
from dsl.binding.scope import Scope, local
from dsl.ir import ERROR, NOTHING, NUMBER, SIDE, E, Type
from dsl.syntax import syntax_tree as t
from dsl.text.source import Span

LAST_TIES = frozenset({"lower", "higher", "average"})
"""The last tie-breakers of `prevailing`."""


@expresses(t.Aggregated)
def aggregated(b: Binder, node: t.Aggregated, scope: Scope, want: Type | None) -> E:
    """`count S`, `sum F of S`, `first S`, `highest F of S`."""
    arg = several_things(b, node.arg, scope)
    if arg is ERROR:
        return ERROR
    told = figure(node.which, arg, node.span)
    if told is not None:
        return told
    if arg.type.name != "set":
        return b.problem("E214", f"`{node.which}` needs a list, but this is {arg.type}.", node.span)
    if node.which == "count":
        return ir.Aggregate("count", arg, None, type=NUMBER, span=node.span)
    if node.which == "first":
        return _first(arg, node.span)
    return _figured(b, node, with_gaps(arg))


def _first(arg: E, span: Span) -> E:
    """`first S`; absent if S is empty."""
    inner = arg.type.of or NOTHING
    always = isinstance(arg, ir.AllOf) and inner.same(SIDE) and not arg.whose  # every game has sides
    return ir.Aggregate("first", arg, None, type=inner if always else inner.maybe(), span=span)


def _figured(b: Binder, node: t.Aggregated, arg: E) -> E:
    """`sum`, `highest`, `lowest`, `average` of numbers; also the highest and lowest of words of a scale and of dice."""
    inner, which, span = arg.type.of or NOTHING, node.which, node.span
    sure = isinstance(arg, ir.Listed) and all(not a.type.optional for a in arg.items)
    type_ = inner if sure else inner.maybe()
    if which in {"highest", "lowest"}:
        if inner.name == "enum" and b.ruleset.enums[inner.word].ordered:
            return ir.Aggregate(which, arg, inner.word, type=type_, span=span)
        if inner.name == "dice":
            return ir.BestDice(which, arg, type=type_, span=span)
    if not inner.same(NUMBER):
        return b.problem("E201", f"`{which}` needs numbers, but these are of type {type_name(inner)}.", node.arg.span)
    return ir.Aggregate(which, arg, None, type=NUMBER if which == "sum" or sure else NUMBER.maybe(), span=span)


def _each_of(b: Binder, node: t.Node, scope: Scope) -> tuple[E, list[str]]:
    """The things that `A of B of THINGS` iterates over, and the properties read from each, innermost first."""
    asked: list[str] = []
    while isinstance(node, t.Of) and entries_of_kind(b, node, scope) is None:
        inner = b.expr(node.arg, scope)
        if inner is ERROR:
            return ERROR, asked
        if inner.type.name != "set" or takes_set(b, node.word):
            break
        one = property_of_one(b, node.word, local("", inner.type.of or NOTHING), scope, node.span)
        if one is ERROR:
            return ERROR, asked
        if one.type.name == "set":
            break
        asked.insert(0, node.word)
        node = node.arg
    return b.expr(node, scope), asked


@expresses(t.Prevailing)
def prevailing(b: Binder, node: t.Prevailing, scope: Scope, want: Type | None) -> E:
    """`prevailing F of S, by W, then …`: the most frequent value in a set."""
    base, asked = _each_of(b, node.arg, scope)
    if base is ERROR:
        return ERROR
    if base.type.name != "set":
        return b.problem("E214", f"`prevailing` needs a list, but this is {base.type}.", node.span)
    variable = b.fresh()
    one = value = local(variable, base.type.of or NOTHING)
    for word in asked:
        value = property_of(b, word, value, scope, node.arg.span)
    type_ = value.type.sure()
    scale = type_.word if type_.name == "enum" and b.ruleset.enums[type_.word].ordered else None
    ties, last = list(node.ties), ""
    if ties and ties[-1] in LAST_TIES and (one.type.name != "thing" or not _is_property(b, ties[-1], one)):
        last = ties.pop()
    if (last and type_.name != "number" and not scale) or (last == "average" and scale):
        needed = "numbers" if last == "average" else "numbers or words of a scale"
        return b.problem("E201", f"`then {last}` needs {needed}, but these are of type {type_name(type_)}.", node.span)
    weights = [ir.Constant(1, type=NUMBER) if node.by is None else _weight_of(b, node.by, one, scope, node.span)]
    weights += [_weight_of(b, word, one, scope, node.span) for word in ties]
    return ir.Prevailing(base, variable, value, tuple(weights), last, scale, type=type_.maybe(), span=node.span)


def _is_property(b: Binder, word: str, one: E) -> bool:
    return word in names_of_fields(b, one.type)


def _weight_of(b: Binder, word: str, one: E, scope: Scope, span: Span) -> E:
    weight = property_of(b, word, one, scope, span)
    return weight if weight is ERROR else b.needs(weight, NUMBER, span)


@expresses(t.Extremes)
def extremes(b: Binder, node: t.Extremes, scope: Scope, want: Type | None) -> E:
    """`S whose F is highest`."""
    base = b.expr(node.base, scope)
    if base is ERROR:
        return ERROR
    if base.type.name != "set":
        return b.problem(
            "E214",
            f"`whose` needs a list, but this is {base.type}.",
            node.base.span,
            hint="Put the list in brackets: `(units of b) whose strength is highest`.",
        )
    variable = b.fresh()
    one = local(variable, base.type.of or NOTHING)
    if node.args:
        inner = scope.inner(it=one)
        head = t.Of(node.span, node.word, t.It(node.span))
        value = b.expr(t.Called(node.span, head, node.args), inner)
    else:
        value = property_of(b, node.word, one, scope, node.span)
    if value is ERROR:
        return ERROR
    scale = value.type.word if value.type.name == "enum" and b.ruleset.enums[value.type.word].ordered else None
    value = figure("average", value, node.span) or value
    if not scale and not value.type.same(NUMBER):
        message = f"Only numbers and words of a scale can be highest or lowest, but these are of type {type_name(value.type)}."
        return b.problem("E201", message, node.span)
    return ir.Extremes(base, variable, value, node.which, scale, type=base.type, span=node.span)
