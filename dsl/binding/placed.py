"""Binding where things are: `u is in h`, `next to`, `within 3 of`, `on road`, `on the map`."""

from __future__ import annotations

import attrs

from dsl import ir
from dsl.binding.absence import holds_of
from dsl.binding.absent import set_of_one
from dsl.binding.context import Binder, asks
from dsl.binding.fitting import alike
from dsl.binding.quantified import negate, quantified
from dsl.binding.scope import Scope
from dsl.ir import ERROR, E, thing
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean

EDGES = ("north", "east", "south", "west", "any")


@asks(t.IsPlaced)
def placed(b: Binder, node: t.IsPlaced, scope: Scope) -> E:
    """`u is in h`, `u is on road`, also with `any`, `every` or `no`."""
    subject = b.expr(node.subject, scope)
    if node.quantifier:
        return quantified(b, node.quantifier, subject, node.subject, lambda e: _place_one(b, e, node, scope), node.span)
    return _place_one(b, subject, node, scope)


def _place_one(b: Binder, subject: E, node: t.IsPlaced, scope: Scope) -> E:
    """A condition on the place of one thing; an absent thing has no place."""
    if subject is ERROR:
        return ERROR
    if subject.type.name == "thing" and subject.type.optional:
        sure = attrs.evolve(subject, type=subject.type.sure())
        test = _place_one(b, sure, attrs.evolve(node, negated=False), scope)
        return test if test is ERROR else negate(holds_of(subject, test), node.negated)
    match node.kind:
        case "edge":
            test = _on_edge(b, subject, node)
        case "on":
            test = _on_link(b, subject, node)
        case _:
            test = _among_or_near(b, subject, node, scope)
    return test if test is ERROR else negate(test, node.negated)


def _on_edge(b: Binder, subject: E, node: t.IsPlaced) -> E:
    """`u is on the north edge`."""
    assert isinstance(node.arg, t.Name)
    if node.arg.word not in EDGES:
        hint = f"Choose one of: {', '.join(EDGES)}."
        return b.problem("E210", f"A map has no {node.arg.word} edge.", node.span, hint)
    return ir.OnEdge(subject, node.arg.word, span=node.span)


def _on_link(b: Binder, subject: E, node: t.IsPlaced) -> E:
    """`u is on road`, `u is on map`."""
    assert isinstance(node.arg, t.Name)
    word, links = node.arg.word, b.ruleset.links()
    if word == "map" and subject.type.name == "thing":
        where = ir.PlaceOf(subject, type=thing(b.ruleset.ground(subject.type.word)))
        return ir.IsThere(where, span=node.span)
    if word not in links:
        return b.problem("E210", f"`{word}` is not a link of the map.", node.span, did_you_mean(word, links))
    return ir.OnLink(subject, word, span=node.span)


def _among_or_near(b: Binder, subject: E, node: t.IsPlaced, scope: Scope) -> E:
    """`u is in S`: a member of a set; `u is in h`, `next to h`, `within 3 of h`: its place."""
    arg = b.expr(node.arg, scope)
    if arg is ERROR:
        return ERROR
    if node.kind == "in" and arg.type.name == "set" and arg.type.of and alike(b.ruleset, arg.type.of, subject.type):
        return ir.Member(subject, arg, span=node.span)
    if subject.type.name != "thing":
        return b.problem("E201", f"Only a thing can be in a place, but this is {subject.type}.", node.subject.span)
    if arg.type.name == "thing" and arg.type.optional:
        arg = set_of_one(b, arg)
    inner = arg.type.of if arg.type.name == "set" else arg.type
    if inner is None or inner.name not in {"thing", "nothing"}:
        return b.problem("E201", f"A place or a thing is needed here, but this is {arg.type}.", node.arg.span)
    amount = b.number(node.extra, scope) if node.extra is not None else None
    return ir.IsPlaced(subject, node.kind, arg, amount, span=node.span)
