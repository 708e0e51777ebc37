"""Chains: which values read which others, the best order to bind them, and procedures that do each other in a circle."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dsl.rules.circles import circle, circling
from dsl.rules.ruleset import Ruleset
from dsl.rules.weave import Woven
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import Diagnostic, Mark, at
from dsl.text.source import Span

MOST_CHAIN = 60
"""A value depends on a chain of at most this many others."""


def nodes_in(item: Any) -> Iterator[t.Node]:
    """Every node in a node or a tuple of nodes, itself included."""
    waiting = [item]
    while waiting:
        item = waiting.pop()
        kind = type(item)
        if kind is str:  # the most frequent case
            continue
        if kind is tuple:
            waiting += item
        elif isinstance(item, t.Node):
            yield item
            waiting += t.values_of(item)


@functools.lru_cache(maxsize=8192)
def words_in(declaration: d.Declaration) -> frozenset[str]:
    """Every word in a declaration's lines that may be a value."""
    found: set[str] = set()
    for node in nodes_in(declaration):
        match node:
            case t.Name() | t.Of() | t.Its() | t.HasDone():
                found.add(node.word)
            case t.Filter():
                found.update(node.words)
            case t.Prevailing():
                found.update(w for w in (node.by, *node.ties) if w)
            case t.Extremes():
                found.add(node.word)
            case t.ScaleFor():
                found.add(node.scale)
            case ln.Orders() | ln.ThenMay():
                found.update(node.command.split())
            case ln.Reaching() | t.ReachCost():
                found.add(node.path)
            case ln.Leg() if node.along:
                found.add(node.along)
            case d.Event() if node.word:
                found.add(node.word)
            case d.Fact():
                found.update(x.word for x in node.values if isinstance(x, t.Name))
    return frozenset(found)


def readings(ruleset: Ruleset, woven: Mapping[str, Woven]) -> dict[str, list[str]]:
    """For each value, status and path, those that it may read, including those that rules add to it."""
    values = {n: x for n, x in ruleset.bodied.items() if x.word in {"value", "status", "path"}}
    out = {}
    for name, declared in values.items():
        found = woven.get(f"{declared.word} {name}", Woven())
        texts = [declared, *found.adds, *found.excepts, *found.replaces]
        out[name] = sorted({w for text in texts for w in words_in(text) if w in values and w != name})
    return out


def bind_order(following: Mapping[str, Iterable[str]]) -> tuple[list[str], dict[str, int]]:
    """The names in such an order that each follows those that it reads (except in circles), and the length of its chain."""
    order: list[str] = []
    length: dict[str, int] = {}
    for start in following:
        waiting: list[tuple[str, bool]] = [(start, False)]
        while waiting:
            name, done = waiting.pop()
            if done:
                length[name] = 1 + max((max(length.get(x, 0), 0) for x in following[name]), default=0)
                order.append(name)
            elif name not in length:
                length[name] = 0
                waiting.append((name, True))
                waiting += [(x, False) for x in following[name] if x not in length]
    return order, length


def procedure_circles(ruleset: Ruleset, woven: Mapping[str, Woven]) -> list[Diagnostic]:
    """Procedures that call each other, or themselves, in a circle: they would never end."""
    does: dict[str, dict[str, Span]] = {}
    for key, declared in ruleset.bodied.items():
        if declared.word not in {"procedure", "order"}:
            continue
        found = woven.get(key, Woven())
        texts: list[object] = [declared.body if not found.replaces else found.replaces[-1].body]
        texts += [rule.body for rule in (*found.before, *found.after)]
        does[key] = {f"procedure {x.name}": x.span for text in texts for x in nodes_in(text) if isinstance(x, ln.Do)}
    problems: list[Diagnostic] = []
    reported: set[str] = set()
    for key in circling(does):
        way = circle(key, does)
        if not way or reported & set(way):
            continue
        reported |= set(way)
        names = [k.partition(" ")[2] for k in way]
        also = [
            Mark(does[a][b], f"{a.partition(' ')[2]} calls it here", b.partition(" ")[2])
            for a, b in itertools.pairwise(way)
        ]
        problems.append(
            at("E240", f"Procedures call each other in a circle: {' → '.join(names)}.", also[0].span, word=names[1], also=also[1:4],
               hint="Use `repeat at most … times` in one of them instead.")
        )  # fmt: skip
    return problems
