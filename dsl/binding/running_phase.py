"""Binding `phase is movement`."""

from __future__ import annotations

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.quantified import negate
from dsl.ir import E
from dsl.rules.weave import declared_phases, phases_of
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean
from dsl.text.source import Span


def phase_is(b: Binder, alternatives: tuple[t.Node, ...], negated: bool, span: Span) -> E:
    """`phase is movement`: whether that phase or step is running, or one inside it."""
    known, names = phases_of(b.ruleset), []
    for node in alternatives:
        word = node.word if isinstance(node, t.Name) else ""
        if word in known:
            names.append(word)
        elif not word or word not in declared_phases(b.ruleset):
            hint = (
                did_you_mean(word, known) or "After `phase is` write the name of a phase or step, as in `phase NAME:`."
            )
            return b.problem("E200", "There is no such phase or step.", node.span, hint, word=word)
    return negate(ir.PhaseIs(tuple(names), span=span), negated)
