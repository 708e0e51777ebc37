"""What is known about names where a condition holds."""

from __future__ import annotations

import attrs

from dsl import ir
from dsl.binding.absence import shown_there
from dsl.binding.context import Binder
from dsl.binding.scope import Scope
from dsl.ir import E
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
