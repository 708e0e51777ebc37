"""Binding lines that contain lines: `when`, `for each`, `repeat`, `at the same time`."""

from __future__ import annotations

import attrs

from dsl import ir
from dsl.binding.context import Binder, Site, enacts
from dsl.binding.known import narrowed
from dsl.binding.property_of import several_things
from dsl.binding.scope import framed
from dsl.binding.statements import statements
from dsl.binding.targets import declare
from dsl.ir import ERROR, NOTHING, S
from dsl.syntax import body_lines as ln

ENDLESS = 10_000
"""`repeat at most N times`: the maximum of N."""


@enacts(ln.When)
def arm(b: Binder, line: ln.When, site: Site) -> list[S]:
    """`when C:`, `else when C:`, `else:` and the lines in them."""
    test = b.condition(line.when, site.scope) if line.when is not None else None
    inner = narrowed(b, test, site.scope) if test is not None else site.scope
    body = statements(b, line.body, inner, site.routine)
    return [ir.When(attrs.evolve(site.head, because=None, label=None), line.arm, test, body)]


@enacts(ln.Simultaneously)
def at_once(b: Binder, line: ln.Simultaneously, site: Site) -> list[S]:
    """Lines that all see the state before the first of them."""
    return [ir.Simultaneously(site.head, body=statements(b, line.body, site.scope, site.routine))]


@enacts(ln.ForEach)
def for_each(b: Binder, line: ln.ForEach, site: Site) -> list[S]:
    """`for each x in S, by W:`."""
    over = several_things(b, line.over, site.scope)
    inner_type = NOTHING
    if over is not ERROR:
        if over.type.name != "set":
            b.problem("E214", f"`for each` needs a list, but this is {over.type}.", line.over.span)
        inner_type = over.type.of or NOTHING
    declare(b, site.routine, line.name, inner_type, line.span)
    inner = site.scope.inner()
    order = None
    if line.order is not None:
        order = b.number(line.order, site.scope.inner(it=framed("F", line.name, inner_type)))
    if line.role == "active":
        inner.whose = ir.Active()
    elif line.role:
        b.problem("E232", f"`as {line.role}` is not allowed; only `as active` is.", line.span)
    body = statements(b, line.body, inner, site.routine)
    return [ir.ForEach(site.head, body=body, name=line.name, over=over, order=order, role=line.role)]


@enacts(ln.Repeat)
def repeated(b: Binder, line: ln.Repeat, site: Site) -> list[S]:
    """`repeat N times:`, `repeat at most N times while C:`."""
    times = b.number(line.times, site.scope)
    if isinstance(times, ir.Constant) and isinstance(times.value, int) and times.value > ENDLESS:
        b.problem("E233", f"This can run {times.value:,} times; the maximum is {ENDLESS:,}.", line.times.span)
    condition = b.condition(line.condition, site.scope) if line.condition is not None else None
    scope = narrowed(b, condition, site.scope) if condition is not None else site.scope
    return [ir.Repeat(site.head, body=statements(b, line.body, scope, site.routine), times=times, condition=condition)]
