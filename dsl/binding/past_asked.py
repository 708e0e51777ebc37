"""Binding conditions on the past: `u has done march this turn`."""

from __future__ import annotations

import functools

from dsl import ir
from dsl.binding.context import Binder, asks
from dsl.binding.quantified import quantified
from dsl.binding.scope import Scope
from dsl.ir import ERROR, MARK, E
from dsl.rules.chains import nodes_in
from dsl.rules.weave import phases_of
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean


@asks(t.HasDone)
def done_before(b: Binder, node: t.HasDone, scope: Scope) -> E:
    """`u has done march this turn`, also with `any`, `every` or `no`."""
    subject = b.expr(node.subject, scope)
    if node.quantifier is None:
        return _has_done(b, node, subject)
    return quantified(
        b,
        node.quantifier,
        subject,
        node.subject,
        lambda e: _has_done(b, node, e),
        node.span,
    )


@functools.lru_cache(maxsize=8192)
def asked_of_the_past(declaration: d.Declaration) -> frozenset[str]:
    """The orders and procedures that a declaration checks with `has done`."""
    return frozenset(node.word for node in nodes_in(declaration) if isinstance(node, t.HasDone))


def _has_done(b: Binder, node: t.HasDone, subject: E) -> E:
    """`u has done march this turn`."""
    if subject is ERROR:
        return ERROR
    if subject.type.name != "thing":
        hint = "Write `any … has done`, `every … has done` or `no … has done`." if subject.type.name == "set" else ""
        message = f"Only a thing or a side can have done something, but this is {subject.type}."
        return b.problem("E201", message, node.subject.span, hint)
    keys = tuple(k for k in (f"order {node.word}", f"procedure {node.word}") if k in b.ruleset.bodied)
    if not keys:
        declared = {
            x.name for x in b.ruleset.everything if isinstance(x, d.Bodied) and x.word in {"order", "procedure"}
        }
        if node.word not in declared:
            hint = did_you_mean(node.word, declared)
            return b.problem("E200", f"There is no order or procedure {node.word}.", node.span, hint, word=node.word)
        return ir.Constant(node.negated, type=MARK, span=node.span)
    if node.word not in b.past:
        message = f"The game remembers only what a rule checks with `has done`, and no rule checks `{node.word}`."
        return b.problem("E235", message, node.span, word=node.word)
    periods = {"turn"} if node.last else {"turn", "phase", *phases_of(b.ruleset)}
    if node.period not in periods:
        hint = (
            did_you_mean(node.period, periods)
            or "Write `this turn`, `last turn`, `this phase` or `this` and the name of a phase."
        )
        return b.problem(
            "E235",
            f"`has done` can check {'only the last turn' if node.last else 'turns and phases'}, not `{node.period}`.",
            node.span,
            hint,
            word=node.period,
        )
    found = ir.HasDone(keys, subject, node.last, node.period, span=node.span)
    return ir.Not(found, span=node.span) if node.negated else found
