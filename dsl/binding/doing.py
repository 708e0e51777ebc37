"""Binding `do PROCEDURE …`: the procedure, its arguments, and the procedure that it runs within."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ir
from dsl.binding.absence import is_none
from dsl.binding.absent import set_of_these, surely
from dsl.binding.context import Binder, Site, enacts
from dsl.binding.fitting import looked_for, suits
from dsl.binding.said_words import empty_set
from dsl.binding.scope import Scope
from dsl.ir import ERROR, LAST, E, Param, Routine, S, set_of
from dsl.syntax import body_lines as ln
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean


@enacts(ln.Do)
def do_procedure(b: Binder, line: ln.Do, site: Site) -> list[S]:
    """`do P with A as X`, `do P of A by B`."""
    routine = b.procedure(line.name, line.span)
    if routine is None:
        return []
    if routine.word == "order":
        message = f"`{line.name}` is an order, not a procedure. Only a side can give it."
        b.problem(
            "E200", message, line.span, "Move its effects into a procedure, and `do` that procedure in both places."
        )
        return []
    b.used.add(f"procedure {line.name}")
    given = _arguments_given(b, line, routine, site.scope)
    up = _around(b, line, routine, site.scope)
    return [ir.Do(site.head, name=line.name, key=f"{routine.word} {routine.name}", given=given, up=up)]


def _arguments_given(b: Binder, line: ln.Do, routine: Routine, scope: Scope) -> dict[str, E]:
    """The arguments by name; reports missing and unknown ones."""
    given: dict[str, E] = {}
    for nodes, name in (*line.bindings, *_by_heading(b, line, routine)):
        param = next((p for p in routine.params if p.name == name), None)
        if param is None:
            message = f"{line.name} has no argument named {name}."
            hint = did_you_mean(name, [p.name for p in routine.params])
            b.problem("E211", message, nodes[0].span, hint, word=name)
            continue
        values = _values_said(b, nodes, param, scope)
        given[name] = ERROR if any(v is ERROR for v in values) else _passed(b, values, nodes, param, line.name, scope)
    missing = [p.name for p in routine.params if p.name not in given]
    if missing:
        hint = _as_headed(routine) if line.given else f"do {line.name} with … as {missing[0]}"
        b.problem("E211", f"{line.name} needs {' and '.join(missing)}.", line.span, hint, word=line.name)
    return given


def _values_said(b: Binder, nodes: tuple[t.Node, ...], param: Param, scope: Scope) -> list[E]:
    """The values that a line gives for one argument: one, or several if the procedure takes a set."""
    empty = empty_set(b, nodes[0], set_of(param.type), scope) if param.many and len(nodes) == 1 else None
    return [empty] if empty is not None else [b.expr(n, scope, looked_for(param.type)) for n in nodes]


def _passed(b: Binder, values: list[E], nodes: tuple[t.Node, ...], param: Param, to: str, scope: Scope) -> E:
    """The value passed to the procedure. If it takes a set, one thing is a set of one, and `none` is the empty set."""
    value, span = values[0], nodes[0].span
    wanted = set_of(param.type) if param.many else param.type
    if param.many and len(values) == 1 and is_none(value):
        value = ir.Listed((), type=wanted, span=span)
    elif param.many and (len(values) > 1 or value.type.name != "set"):
        wrong = next((v for v in values if not suits(b.ruleset, v.type, param.type)), None)
        if wrong is not None:
            b.problem(
                "E201", f"The argument {param.name} of {to} must be {wanted}, but this is {wrong.type}.", wrong.span
            )
        value = set_of_these(b, tuple(values), wanted, span)
    if suits(b.ruleset, value.type, wanted):
        return surely(b, value, scope, span)
    b.problem("E201", f"The argument {param.name} of {to} must be {wanted}, but this is {value.type}.", span)
    return value


def _around(b: Binder, line: ln.Do, routine: Routine, scope: Scope) -> str | None:
    """The access path to the frame of the procedure to which this one is bound; None if it is not bound."""
    if not routine.within:
        return None
    up = next((access for r, access in scope.frames if r.name == routine.within), None)
    if up is None and scope.any_frame:
        up = f"{LAST}procedure {routine.within}"
    if up is None:
        message = f"{line.name} needs a running {routine.within}, but none is running here."
        b.problem("E212", message, line.span, word=line.name)
    return up


def _by_heading(b: Binder, line: ln.Do, routine: Routine) -> Iterator[tuple[tuple[t.Node, ...], str]]:
    """The arguments of `do P of A by B`, each with the name that the heading of P gives it."""
    left = list(routine.params)
    for prep, node in line.given:
        param = next((p for p in left if p.prep == prep), None)
        if param is None:
            message = f"{line.name} has no argument after `{prep}`."
            b.problem("E211", message, node.span, _as_headed(routine))
            continue
        left.remove(param)
        yield (node,), param.name


def _as_headed(routine: Routine) -> str:
    """How to call a procedure: with the prepositions of its heading, or with the names of its arguments if the first is not after `of`."""
    if routine.params and routine.params[0].prep == "of":
        return f"Write: do {routine.name}" + "".join(f" {p.prep} …" for p in routine.params)
    given = " and ".join(f"… as {p.name}" for p in routine.params)
    return f"Write: do {routine.name}" + (f" with {given}" if given else "")
