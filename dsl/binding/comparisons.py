"""Binding comparisons, and tests whether something exists."""

from __future__ import annotations

import attrs

from dsl import ir
from dsl.binding.absence import holds_of
from dsl.binding.after_is import equal, never_asked
from dsl.binding.context import Binder, asks
from dsl.binding.quantified import negate, quantified
from dsl.binding.running_phase import phase_is
from dsl.binding.scope import Scope
from dsl.binding.scoping import means_phase
from dsl.ir import ERROR, E
from dsl.syntax import syntax_tree as t


@asks(t.Compare)
def compare(b: Binder, node: t.Compare, scope: Scope) -> E:
    """`A = B`, `A < B`, `every … > B`."""
    if node.op in {"=", "!="} and not node.quantifier and means_phase(b, node.left, scope):
        return phase_is(b, (node.right,), node.op == "!=", node.span)
    if node.quantifier:
        subject = b.expr(node.left, scope)
        return quantified(b, node.quantifier, subject, node.left, lambda e: _compare_each(b, node, e, scope), node.span)
    left_want = (
        b.expr(node.right, scope).type if isinstance(node.left, t.Literal) and node.left.kind != "number" else None
    )
    return _compare_one(b, node, b.expr(node.left, scope, left_want), scope)


def _compare_each(b: Binder, node: t.Compare, left: E, scope: Scope) -> E:
    """A comparison for one member of a set, which may be absent."""
    if node.op in {"=", "!="} or not left.type.optional:
        return _compare_one(b, node, left, scope)
    test = _compare_one(b, node, attrs.evolve(left, type=left.type.sure()), scope)
    return test if test is ERROR else holds_of(left, test)


def _compare_one(b: Binder, node: t.Compare, left: E, scope: Scope) -> E:
    right = b.expr(node.right, scope, left.type)
    if left is ERROR or right is ERROR:
        return ERROR
    if node.op in {"=", "!="}:
        return negate(equal(b, left, right, node.span), node.op == "!=")
    left = b.needs(left, left.type.sure(), node.left.span) if left.type.optional else left
    right = b.needs(right, right.type.sure(), node.right.span) if right.type.optional else right
    if left is ERROR or right is ERROR:
        return ERROR
    if not left.type.same(right.type):
        return b.problem(
            "E201", f"{str(left.type).capitalize()} cannot be compared with {right.type}.", node.right.span
        )
    if left.type.name == "enum":
        if not b.ruleset.enums[left.type.word].ordered:
            return b.problem(
                "E220",
                f"The words of {left.type.word} have no order.",
                node.span,
                hint=f"Declare it as a scale: scale {left.type.word}: low < high",
            )
        return ir.CompareWords(node.op, left.type.word, left, right, span=node.span)
    if left.type.name != "number":
        message = f"Only numbers and words of a scale can be compared, but this is {left.type}."
        hint = (
            "Compare a number that describes them: `average of …`, `highest of …`." if left.type.name == "dice" else ""
        )
        return b.problem("E201", message, node.left.span, hint)
    return ir.Compare(node.op, left, right, span=node.span)


@asks(t.Exists)
def exists(b: Binder, node: t.Exists, scope: Scope) -> E:
    """`there is S`, `there is no x`."""
    # A repeated guard is no error: it is checked as if the first were not there.
    subject = b.expr(node.subject, scope.inner(known=()))
    if subject is ERROR:
        return ERROR
    subject = _asked_holder(subject)
    if isinstance(subject, ir.PathExists) or subject.type.name == "set" or subject.type.optional:
        return negate(
            subject if isinstance(subject, ir.PathExists) else ir.IsThere(subject, span=node.span), node.negated
        )
    if subject.type.name == "mark":
        return negate(subject, node.negated)
    if isinstance(subject, ir.FrameName):
        return negate(ir.IsThere(subject, span=node.span), node.negated)
    return never_asked(b, subject, node.subject.span)


def _asked_holder(subject: E) -> E:
    """A holder whose presence is checked: the thing, or its holder, may have no holder."""
    if not isinstance(subject, ir.HolderOf):
        return subject
    return ir.HolderOf(_asked_holder(subject.held), subject.kind, True, type=subject.type.maybe(), span=subject.span)
