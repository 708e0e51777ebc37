"""Binding orders, procedures, sequences, and the rules before or after them: each becomes a routine."""

from __future__ import annotations

from collections.abc import Sequence

from dsl import ir
from dsl.binding.context import Binder, binds
from dsl.binding.known import passed
from dsl.binding.order_clauses import (
    clause_of,
    demanded,
    forbid,
    outside,
    permit,
    speaks_past,
    split_order,
    unless_refused,
)
from dsl.binding.scope import Scope, framed
from dsl.binding.signatures import bind_params, frames_of
from dsl.binding.statements import statement, statements
from dsl.ir import NOTHING, Routine, set_of
from dsl.rules.weave import Woven, module_of, phases_of
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d


@binds("procedure", "order", "sequence")
def bind_active(b: Binder, declared: d.Bodied) -> Routine:
    """An order, procedure or sequence with everything that rules add to it."""
    key = f"{declared.word} {declared.name}"
    if key in b.routines:
        return b.routines[key]
    params = bind_params(b, declared.signature, order=declared.word == "order")
    woven = b.woven.get(key, Woven())
    text: d.Bodied | d.Rule = woven.replaces[-1] if woven.replaces else declared
    routine = Routine(declared.word, declared.name, params, NOTHING, declared.span, declared.bound, cites=text.cites)
    for param in params:
        routine.frame[param.name] = set_of(param.type) if param.many else param.type
    b.routines[key] = routine
    outer = frames_of(b, declared) if declared.bound else ()
    frames = ((routine, "F"), *((r, "F.up" + a[1:]) for r, a in outer))
    whose = ir.Active() if declared.word == "sequence" else ir.Acting("F")
    scope = Scope({}, whose, None, frames)
    lines: Sequence[ln.Line] = text.body
    if declared.word == "order":
        clauses, lines = split_order(b, lines)
        for line in (*demanded(b, declared.signature), *clauses):
            routine.clauses += (clause_of(b, line, scope, routine),)
            if not woven.permits:  # a clause that a permission lifts proves nothing for later lines
                scope = unless_refused(b, routine.clauses[-1], scope)
        passed = () if woven.permits else routine.clauses
        routine.clauses += tuple(c for rule in woven.forbids for c in forbid(b, rule, routine, passed))
        permits = tuple(p for rule in woven.permits for p in permit(b, rule, routine))
        if permits:
            routine.clauses += permits
    elif woven.forbids:
        b.problem("E227", "Only an order can be forbidden.", woven.forbids[0].relation.span)
    routine.body = statements(b, lines, scope, routine)
    return routine


def bind_hook(b: Binder, rule: d.Rule, key: str) -> Routine:
    """A rule that runs before or after a phase, order or procedure, as a routine of its own."""
    # A rule about several declarations becomes one routine for each; no name in rule text contains two full stops.
    name = f"{rule.name}..{key.partition(' ')[2]}" if rule.relation.more else rule.name
    routine = Routine("rule", name, (), NOTHING, rule.span, None, cites=rule.cites)
    b.routines[f"rule {name}"] = routine
    base = b.routines.get(key)
    if key.startswith("phase "):
        base = b.routines.get(phases_of(b.ruleset).get(key.removeprefix("phase "), ""))
    if base is not None and base.word in {"order", "procedure"}:
        outer = outside(b, rule, base)
        names = {n: framed("F.up", e.name, e.type) for n, e in outer.names.items() if isinstance(e, ir.FrameName)}
        scope = Scope(names, ir.Acting("F"), None, ((routine, "F"), (base, "F.up")), module=module_of(rule))
        routine.within = base.name
    else:
        scope = Scope({}, ir.Acting("F"), None, ((routine, "F"),), module=module_of(rule))
    for line in rule.body:
        if not (rule.relation.more and base is not None and speaks_past(b, rule, line, scope, base)):
            for s in statement(b, line, scope, routine):
                routine.body += (s,)
                scope = passed(scope, s)
    return routine
