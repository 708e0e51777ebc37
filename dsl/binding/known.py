"""What is known about names where a condition holds."""

from __future__ import annotations

import attrs

from dsl import ir
from dsl.analysis.effects_of import names_given
from dsl.binding.absence import shown_there
from dsl.binding.context import Binder
from dsl.binding.scope import Scope
from dsl.ir import E, S
from dsl.ir import alike as same
from dsl.rules.kind_groups import narrowed_to


def narrowed(b: Binder, cond: E, scope: Scope) -> Scope:
    """The scope where a condition holds: after `x is tank`, x of a group is a tank; after `there is x`, x is present."""
    if isinstance(cond, ir.And):
        for item in cond.items:
            scope = narrowed(b, item, scope)
        return scope
    if found := shown_there(cond):
        return scope.inner(known=(*scope.known, *found))
    tests = cond.items if isinstance(cond, ir.Or) else (cond,)
    kinds = [x for x in tests if isinstance(x, ir.KindIs)]
    if len(kinds) < len(tests) or any(not same(x.thing, kinds[0].thing) for x in kinds):
        return scope
    subject = kinds[0].thing
    type_ = narrowed_to(b.ruleset, subject.type, [x.kind for x in kinds])
    if type_ is None or not isinstance(subject, ir.Local | ir.FrameName):
        return scope
    known = attrs.evolve(subject, type=type_)
    if scope.it is not None and same(scope.it, subject):
        return scope.inner(it=known)
    called = [n for n, e in scope.names.items() if same(e, subject)]
    if isinstance(subject, ir.FrameName) and subject.name not in scope.names:
        called.append(subject.name)
    return scope.inner(names={**scope.names, **dict.fromkeys(called, known)}) if called else scope


def passed(scope: Scope, line: S) -> Scope:
    """The scope after a line: after `stop when there is no x`, x is present, until a line sets it again."""
    named = {name for s in ir.lines_in((line,)) for name in names_given(s)}
    known = tuple(e for e in scope.known if not any(x.name in named for x in ir.find((e,), ir.FrameName)))
    match line:
        case ir.Stop(when=E() as cond):
            known = (*known, *_shown_otherwise(cond))
        case ir.When(arm="when", test=E() as cond, body=(*_, ir.Stop(when=None))):
            known = (*known, *_shown_otherwise(cond))
    return scope if known == scope.known else scope.inner(known=known)


def _shown_otherwise(cond: E) -> tuple[E, ...]:
    """The values known to be present if a condition does not hold."""
    if isinstance(cond, ir.Or):
        return tuple(e for item in cond.items for e in _shown_otherwise(item))
    held = cond.item if isinstance(cond, ir.Not) else ir.Not(cond, type=cond.type, span=cond.span)
    return tuple(e for item in (held.items if isinstance(held, ir.And) else (held,)) for e in shown_there(item))
