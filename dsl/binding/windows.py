"""Binding phases and their orders windows, with everything that rules add to a phase."""

from __future__ import annotations

import attrs

from dsl import ir
from dsl.binding.context import Binder, Site, enacts
from dsl.binding.scope import Scope
from dsl.binding.statements import statement, statements
from dsl.binding.targets import some_side
from dsl.ir import S, alike
from dsl.rules.ruleset import guarded
from dsl.rules.weave import module_of
from dsl.syntax import body_lines as ln
from dsl.text.diagnostics import did_you_mean


@enacts(ln.Phase)
def phase(b: Binder, line: ln.Phase, site: Site) -> list[S]:
    """`phase P "…":`, or a step of one; nothing if it is guarded by a module that is off."""
    if not guarded(line.guards, b.ruleset.active):
        return []
    refusals = tuple(_refusal(b, r, site.scope) for r in line.body if isinstance(r, ln.Refused))
    body = statements(b, tuple(x for x in line.body if not isinstance(x, ln.Refused)), site.scope, site.routine)
    if f"phase {line.name}" in b.woven:
        body, more = _joined_lines(b, line.name, body, site)
        refusals += more
    return [ir.Phase(site.head, body=body, name=line.name, title=line.title, step=line.step, refusals=refusals)]


@enacts(ln.May)
def window(b: Binder, line: ln.May, site: Site) -> list[S]:
    """`S may move, fire`: an orders window for a side, which lasts until the side is done."""
    who = some_side(b, line.who, site.scope)
    names = []
    for name in line.orders:
        if f"order {name}" in b.ruleset.bodied:
            names.append(name)
            b.used.add(f"order {name}")
        elif not any(getattr(x, "word", "") == "order" and x.name == name for x in b.ruleset.everything):
            known = [k.split(" ")[1] for k in b.ruleset.bodied if k.startswith("order ")]
            hint = (
                "`once` stands after the last order, without a comma." if name == "once" else did_you_mean(name, known)
            )
            b.problem("E200", f"There is no order {name}.", line.span, hint, word=name)
    return [ir.May(site.head, who=who, orders=tuple(names), manner=line.manner)]


def _refusal(b: Binder, line: ln.Refused, scope: Scope) -> ir.Refused:
    return ir.Refused(ir.Head(line.span, because=line.because, cites=line.cites), b.condition(line.condition, scope))


def _joined_lines(b: Binder, name: str, body: ir.Body, site: Site) -> tuple[ir.Body, tuple[ir.Refused, ...]]:
    """A phase with what rules add to it: orders join the window of their side, if there is one. Returns the new refusals, too."""
    refusals: list[ir.Refused] = []
    for rule in b.woven[f"phase {name}"].adds:
        inner = site.scope.inner(module=module_of(rule))
        for line in rule.body:
            if isinstance(line, ln.Refused):
                refusals.append(_refusal(b, line, inner).brought_by(None, line.cites or rule.cites, ""))
            elif isinstance(line, ln.May) and line.when is None:
                for more in statement(b, line, inner, site.routine):
                    body = _with_window(body, more)
            else:
                message = "Only orders that a side may give, and refusals to end the phase, can be added to a phase."
                hint = "Write `active may ORDER`, or a rule that runs before or after the phase."
                b.problem("E225", message, line.span, hint=hint)
    return body, tuple(refusals)


def _with_window(body: ir.Body, more: S) -> ir.Body:
    """A body in which the orders of a window are added to the first window of the same side and manner."""
    for place, s in enumerate(body):
        if isinstance(s, ir.May) and isinstance(more, ir.May) and s.when is None:
            if s.manner == more.manner and alike(s.who, more.who):
                orders = tuple(dict.fromkeys((*s.orders, *more.orders)))
                return (*body[:place], attrs.evolve(s, orders=orders), *body[place + 1 :])
        elif isinstance(s, ir.Phase | ir.ForEach):
            inner = _with_window(s.body, more)
            if len(inner) == len(s.body):
                return (*body[:place], attrs.evolve(s, body=inner), *body[place + 1 :])
    return (*body, more)
