"""Binding arithmetic: sums and products, steps of a scale, `else`, ranges of numbers, chances."""

from __future__ import annotations

from attrs import evolve

from dsl import ir
from dsl.binding.chance_that import bind_chance
from dsl.binding.context import Binder, expresses
from dsl.binding.fitting import alike
from dsl.binding.scope import Scope
from dsl.ir import DICE, ERROR, NUMBER, E, Type, enum, set_of
from dsl.rules.kind_groups import joined
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean


@expresses(t.Chance)
def chance_of(b: Binder, node: t.Chance, scope: Scope, want: Type | None) -> E:
    """`chance that (…)`."""
    return bind_chance(b, node, scope)


@expresses(t.ScaleFor)
def scale_for(b: Binder, node: t.ScaleFor, scope: Scope, want: Type | None) -> E:
    """`odds for 7/2`: the word of a numeric scale that matches a number."""
    info = b.ruleset.enums.get(node.scale)
    if info is None or not info.numeric:
        scales = [e.name for e in b.ruleset.enums.values() if e.numeric]
        hint = did_you_mean(node.scale, scales)
        if scales and not hint:
            hint = f"The word before `for` must name a scale: write {' or '.join(f'`{x} for …`' for x in scales[:3])}."
        return b.problem("E215", f"`{node.scale}` is not a scale of numbers.", node.span, hint)
    way = node.direction.way if node.direction else "down"
    return ir.ScaleFor(node.scale, b.number(node.arg, scope), way, type=enum(node.scale), span=node.span)


@expresses(t.Else)
def otherwise(b: Binder, node: t.Else, scope: Scope, want: Type | None) -> E:
    """`A else B`."""
    value = b.expr(node.value, scope, want)
    if value.type.name == "dice":  # in a chance the dice are rolled after it is known which ones
        other = b.expr(node.other, scope.inner(thrown=None), DICE)
    else:
        other = b.expr(node.other, scope, value.type if value.type.name == "enum" else want)
    if value is ERROR or other is ERROR:
        return ERROR
    common = joined(b.ruleset, value.type, other.type)
    if common is None and not alike(b.ruleset, value.type, other.type):
        return b.problem("E201", f"This is {other.type}, but the value before `else` is {value.type}.", node.other.span)
    kept = value.type if common is None else common
    type_ = kept.sure() if not other.type.optional else kept.maybe() if value.type.optional else kept
    if value.type.name == "nothing":
        type_ = other.type
    return ir.Otherwise(_perhaps_off_the_map(value), other, type=type_, span=node.span)


@expresses(t.Numbers)
def number_range(b: Binder, node: t.Numbers, scope: Scope, want: Type | None) -> E:
    """`1 to 6`."""
    return ir.Numbers(b.number(node.low, scope), b.number(node.high, scope), type=set_of(NUMBER), span=node.span)


@expresses(t.Negative)
def negative(b: Binder, node: t.Negative, scope: Scope, want: Type | None) -> E:
    """`-A`."""
    return ir.Negative(b.number(node.arg, scope), span=node.span)


@expresses(t.Binary)
def binary(b: Binder, node: t.Binary, scope: Scope, want: Type | None) -> E:
    """`A + B`, and `W moved N` on a scale."""
    if node.op == "moved":
        left = b.expr(node.left, scope, want)
        if left is ERROR:
            return ERROR
        if left.type.name != "enum" or not b.ruleset.enums[left.type.word].ordered:
            return b.problem("E201", f"Only a word of a scale can be moved, but this is {left.type}.", node.left.span)
        b.needs(left, left.type.sure(), node.left.span)
        return ir.Moved(left.type.word, left, b.number(node.right, scope), type=left.type, span=node.span)
    left, right = b.number(node.left, scope), b.number(node.right, scope)
    if node.op == "/":
        b.divisor(right, node.right.span)
    return ir.Arithmetic(node.op, left, right, span=node.span)


def _perhaps_off_the_map(value: E) -> E:
    """A property of a thing's place, made optional because the thing may be off the map: `else` then gives the default."""
    match value:
        case ir.PlaceOf():
            return evolve(value, type=value.type.maybe())
        case ir.Field(holder=holder):
            inner = _perhaps_off_the_map(holder)
            return value if inner is holder else evolve(value, holder=inner, type=value.type.maybe())
        case ir.HolderOf(held=held):
            inner = _perhaps_off_the_map(held)
            return value if inner is held else evolve(value, held=inner, type=value.type.maybe())
    return value
