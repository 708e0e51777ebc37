"""Binding conditions on each of several things, and negated conditions."""

from __future__ import annotations

from dsl import ir
from dsl.binding.absence import with_gaps
from dsl.binding.context import Binder
from dsl.binding.scope import local
from dsl.ir import ERROR, NOTHING, E
from dsl.syntax import syntax_tree as t
from dsl.text.source import Span


def quantified(b: Binder, quantifier: str, subject: E, node: t.Node, test: object, span: Span) -> E:
    """A condition with a quantifier: `every`, `any` or `no`."""
    if subject is ERROR:
        return ERROR
    if subject.type.name != "set":
        return b.problem("E214", f"`{quantifier}` needs a list, but this is {subject.type}.", node.span)
    variable, of, every = b.fresh(), subject.type.of or NOTHING, with_gaps(subject)
    # Absent members are included; no condition holds for them.
    body = test(local(variable, of if every is subject else of.maybe()))  # type: ignore[operator]
    return ir.Quantified(every, variable, quantifier, body, span=span)


def negate(value: E, negated: bool) -> E:
    """The opposite of a condition if negated; an error stays one."""
    return ir.Not(value, span=value.span) if negated and value is not ERROR else value
