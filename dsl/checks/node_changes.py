"""The possible changes of one node, for mutants. Nested nodes have changes of their own."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import singledispatch
from typing import Any, TypeVar, cast

import attrs

from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.syntax.syntax_tree import Node

N = TypeVar("N", bound=Node)
Change = tuple[Any, str]
"""A changed node, and a description of the change for people."""

_FLIPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "="}
_OTHER = {
    "any": "every", "every": "any", "no": "any", "most": "any", "own": "enemy", "enemy": "own", "+": "-", "-": "+",
    "highest": "lowest", "lowest": "highest", "down": "up", "up": "down", "nearest": "down", "left": "right",
    "right": "left",
}  # fmt: skip


def evolved(node: N, **changes: Any) -> N:
    """The node with other values in some of its fields."""
    changed: N = attrs.evolve(cast("Any", node), **changes)
    return changed


# ---- lines ---------------------------------------------------------------------------------------------------


@singledispatch
def own_changes(node: Node) -> Iterator[Change]:
    """The possible changes to a node itself; most have none. Each class that can be changed has a function."""
    del node
    yield from ()


def _becomes(word: str) -> str:
    return f"`{word}` becomes `{_OTHER[word]}`"


# ---- conditions
@own_changes.register
def _(node: t.Compare) -> Iterator[Change]:
    yield evolved(node, op=_FLIPPED[node.op]), f"{node.op} becomes {_FLIPPED[node.op]}"


@own_changes.register(t.IsTest)
@own_changes.register(t.IsPlaced)
@own_changes.register(t.HasDone)
def _(node: t.IsTest | t.IsPlaced | t.HasDone) -> Iterator[Change]:
    if node.quantifier:
        yield evolved(node, quantifier=_OTHER[node.quantifier]), _becomes(node.quantifier)
    else:
        yield _negated(node)


@own_changes.register
def _(node: t.Exists) -> Iterator[Change]:
    yield _negated(node)


def _negated(node: t.IsTest | t.IsPlaced | t.HasDone | t.Exists) -> Change:
    return evolved(node, negated=not node.negated), "`not` left out" if node.negated else "`is` becomes `is not`"


@own_changes.register
def _(node: t.Negation) -> Iterator[Change]:
    yield node.item, "`not` left out"


@own_changes.register(t.AllOf)
@own_changes.register(t.AnyOf)
def _(node: t.AllOf | t.AnyOf) -> Iterator[Change]:
    word = "and" if isinstance(node, t.AllOf) else "or"
    for i in range(len(node.items)):
        rest = node.items[:i] + node.items[i + 1 :]
        left = rest[0] if len(rest) == 1 else evolved(node, items=rest)
        yield left, f"condition {i + 1} of {len(node.items)} joined by `{word}` left out"


# ---- numbers
@own_changes.register
def _(node: t.Negative) -> Iterator[Change]:
    yield node.arg, "- left out"


@own_changes.register
def _(node: t.Literal) -> Iterator[Change]:
    if node.kind == "number" and isinstance(node.value, Fraction):
        yield evolved(node, value=node.value + 1), f"{node.value} becomes {node.value + 1}"


@own_changes.register
def _(node: t.Binary) -> Iterator[Change]:
    if node.op in {"+", "-"}:
        yield evolved(node, op=_OTHER[node.op]), _becomes(node.op)


@own_changes.register
def _(node: t.Direction) -> Iterator[Change]:
    yield evolved(node, way=_OTHER[node.way]), _becomes(node.way)


# ---- things and sets of them
@own_changes.register
def _(node: t.Of) -> Iterator[Change]:
    if node.word.startswith("full "):
        yield evolved(node, word=node.word.removeprefix("full ")), "`full` left out"


@own_changes.register(t.Aggregated)
@own_changes.register(t.Extremes)
def _(node: t.Aggregated | t.Extremes) -> Iterator[Change]:
    if node.which in {"highest", "lowest"}:
        yield evolved(node, which=_OTHER[node.which]), _becomes(node.which)


@own_changes.register
def _(node: t.Relative) -> Iterator[Change]:
    if node.which in {"own", "enemy"}:
        yield evolved(node, which=_OTHER[node.which]), _becomes(node.which)


@own_changes.register
def _(node: t.Prevailing) -> Iterator[Change]:
    if node.ties:
        yield evolved(node, ties=node.ties[:-1]), f"`then {node.ties[-1]}` left out"


@own_changes.register
def _(node: t.Filter) -> Iterator[Change]:
    if node.kind in {"where", "except", "that_are", "after", "before"}:
        yield node.base, f"`{node.kind.replace('_', ' ')} …` left out"


@own_changes.register
def _(node: d.Param) -> Iterator[Change]:
    if node.whose in {"own", "enemy"}:
        yield evolved(node, whose=_OTHER[node.whose]), _becomes(node.whose)
        yield evolved(node, whose=""), f"`{node.whose}` left out"
    if node.on_map:
        yield evolved(node, on_map=False), "`on the map` left out"


# ---- lines
@own_changes.register
def _(node: ln.Case) -> Iterator[Change]:
    if node.shift is not None:
        yield evolved(node, shift=_OTHER[node.shift]), _becomes(node.shift)


@own_changes.register(ln.Choose)
@own_changes.register(ln.EachChooses)
def _(node: ln.Choose | ln.EachChooses) -> Iterator[Change]:
    if node.such_that is not None:
        yield evolved(node, such_that=None), "`such that …` left out"


@own_changes.register
def _(node: ln.Put) -> Iterator[Change]:
    if node.naming is not None:
        yield evolved(node, naming=None, called=()), "`named …` left out"
    if node.like is not None:
        yield evolved(node, like=None), "`like …` left out"


@own_changes.register(ln.Becomes)
@own_changes.register(ln.Gains)
def _(node: ln.Becomes | ln.Gains) -> Iterator[Change]:
    if node.until is not None:
        yield evolved(node, until=None), "`until …` left out"
