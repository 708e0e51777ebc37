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


_WORDS: dict[type[Node], str] = {
    t.Binary: "op", t.Direction: "way", t.Aggregated: "which", t.Extremes: "which", t.Relative: "which", ln.Case: "shift",
}  # fmt: skip
"""Nodes with a word that can become another one: its field."""
_LEFT_OUT: dict[type[Node], dict[str, dict[str, object]]] = {
    ln.Choose: {"such that": {"such_that": None}},
    ln.EachChooses: {"such that": {"such_that": None}},
    ln.Put: {"named": {"naming": None, "called": ()}, "like": {"like": None}},
}
"""Lines with parts that can be left out: their first words, and the fields without them; the first one is None without the part."""


@singledispatch
def own_changes(node: Node) -> Iterator[Change]:
    """The possible changes to a node itself; most have none. Each class with changes unlike those of the tables has a function."""
    word = getattr(node, _WORDS.get(type(node), ""), None)
    if word in _OTHER:
        yield evolved(node, **{_WORDS[type(node)]: _OTHER[word]}), _becomes(word)
    for said, without in _LEFT_OUT.get(type(node), {}).items():
        if getattr(node, next(iter(without))) is not None:
            yield evolved(node, **without), f"`{said} …` left out"
    if isinstance(getattr(node, "until", None), ln.Until):
        yield evolved(node, until=None), "`until …` left out"


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


# ---- things and sets of them
@own_changes.register
def _(node: t.Of) -> Iterator[Change]:
    if node.word.startswith("full "):
        yield evolved(node, word=node.word.removeprefix("full ")), "`full` left out"


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
