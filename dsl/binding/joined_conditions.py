"""Binding conditions joined by `and` and `or`, and `X is Y`."""

from __future__ import annotations

from dsl import ir
from dsl.binding.after_is import is_one
from dsl.binding.context import Binder, asks
from dsl.binding.known import narrowed
from dsl.binding.printed_fields import headed, headed_is
from dsl.binding.quantified import negate, quantified
from dsl.binding.running_phase import phase_is
from dsl.binding.scope import Scope
from dsl.binding.scoping import means_phase
from dsl.ir import E, enum
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean


@asks(t.AnyOf)
def any_of(b: Binder, node: t.AnyOf, scope: Scope) -> E:
    """`A, or B`: each is bound independently."""
    return ir.Or(tuple(b.condition(i, scope) for i in node.items), span=node.span)


@asks(t.AllOf)
def all_of(b: Binder, node: t.AllOf, scope: Scope) -> E:
    """`A and B`: B is bound knowing that A holds."""
    items: list[E] = []
    for item in node.items:
        items.append(b.condition(item, scope))
        scope = narrowed(b, items[-1], scope)
    return ir.And(tuple(items), span=node.span)


@asks(t.Negation)
def negation(b: Binder, node: t.Negation, scope: Scope) -> E:
    """`not A`."""
    return ir.Not(b.condition(node.item, scope), span=node.span)


@asks(t.IsTest)
def is_test(b: Binder, node: t.IsTest, scope: Scope) -> E:
    """`X is A or B`."""
    if not node.quantifier and isinstance(node.subject, t.Name) and node.subject.word == "crossing" and scope.way:
        return _crossing(b, node, scope)
    if not node.quantifier and means_phase(b, node.subject, scope):
        return phase_is(b, node.alternatives, node.negated, node.span)
    under = None if node.quantifier else headed(b, node.subject, scope)
    if under is not None:
        return negate(headed_is(b, *under, node), node.negated)
    subject = b.expr(node.subject, scope)
    if node.quantifier:
        return quantified(
            b,
            node.quantifier,
            subject,
            node.subject,
            lambda e: is_one(b, e, node.alternatives, scope, node.span, node.negated),
            node.span,
        )
    return is_one(b, subject, node.alternatives, scope, node.span, node.negated)


def _crossing(b: Binder, node: t.IsTest, scope: Scope) -> E:
    assert scope.way is not None
    tests: list[E] = []
    links = b.ruleset.links()
    for word in node.alternatives:
        sorts = [
            k
            for k, home in links.items()
            if home and isinstance(word, t.Name) and word.word in b.ruleset.enums[home].words
        ]
        if isinstance(word, t.Name) and word.word in links:
            tests.append(ir.Linked(word.word, *scope.way, span=node.span))
        elif isinstance(word, t.Name) and len(sorts) == 1:
            sort = ir.LinkFrom(sorts[0], *scope.way, type=enum(links[sorts[0]]).maybe(), span=node.span)
            tests.append(ir.WordIs(sort, (word.word,), span=node.span))
        else:
            known = [*links, *(w for home in links.values() if home for w in b.ruleset.enums[home].words)]
            hint = did_you_mean(word.word, known) if isinstance(word, t.Name) else ""
            return b.problem(
                "E210", "Only a link of the map or a type of link can follow `crossing is`.", word.span, hint
            )
    return negate(tests[0] if len(tests) == 1 else ir.Or(tuple(tests), span=node.span), node.negated)
