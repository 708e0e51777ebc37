"""Binding `do PROCEDURE …`, and what is told to whom."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ir
from dsl.analysis.hidden import hidden_reads
from dsl.binding.absence import is_none
from dsl.binding.absent import set_of_these, surely
from dsl.binding.context import Binder
from dsl.binding.fitting import looked_for, suits
from dsl.binding.said_words import empty_set
from dsl.binding.scope import Scope
from dsl.ir import ERROR, LAST, E, Routine, S, set_of
from dsl.syntax import lines as ln
from dsl.syntax import tree as t
from dsl.text.diagnostics import did_you_mean


def do_procedure(b: Binder, line: ln.Do, scope: Scope, head: ir.Head) -> list[S]:
    """`do P with A as X`: the procedure and its arguments."""
    routine = b.procedure(line.name, line.span)
    if routine is None:
        return []
    if routine.word == "order":
        message = f"`{line.name}` is an order, not a procedure: a side gives it."
        b.problem("E200", message, line.span, "Make a procedure of its effects, and let both do that.")
        return []
    b.used.add(f"procedure {line.name}")
    given: dict[str, E] = {}
    for nodes, name in (*line.bindings, *_by_heading(b, line, routine)):
        param = next((p for p in routine.params if p.name == name), None)
        if param is None:
            b.problem(
                "E211",
                f"{line.name} has nothing called {name}.",
                nodes[0].span,
                did_you_mean(name, [p.name for p in routine.params]),
                word=name,
            )
            continue
        empty = empty_set(b, nodes[0], set_of(param.type), scope) if param.many and len(nodes) == 1 else None
        values = [empty] if empty is not None else [b.expr(n, scope, looked_for(param.type)) for n in nodes]
        if any(v is ERROR for v in values):
            given[name] = ERROR
            continue
        value = values[0]
        if param.many and len(values) == 1 and is_none(value):
            value = ir.Listed((), type=set_of(param.type), span=nodes[0].span)
        elif param.many and (len(values) > 1 or value.type.name != "set"):
            wrong = next((v for v in values if not suits(b.ruleset, v.type, param.type)), None)
            if wrong is not None:
                b.problem(
                    "E201", f"{name} of {line.name} is {set_of(param.type)}, but this is {wrong.type}.", wrong.span
                )
            value = set_of_these(b, tuple(values), set_of(param.type), nodes[0].span)
        wanted = set_of(param.type) if param.many else param.type
        if not suits(b.ruleset, value.type, wanted):
            b.problem("E201", f"{name} of {line.name} is {wanted}, but this is {value.type}.", nodes[0].span)
        else:
            value = surely(b, value, scope, nodes[0].span)
        given[name] = value
    missing = [p.name for p in routine.params if p.name not in given]
    if missing:
        b.problem(
            "E211",
            f"{line.name} needs {' and '.join(missing)}.",
            line.span,
            hint=_as_headed(routine) if line.given else f"do {line.name} with … as {missing[0]}",
            word=line.name,
        )
    up = None
    if routine.within:
        up = next((access for r, access in scope.frames if r.name == routine.within), None)
        if up is None and scope.any_frame:
            up = f"{LAST}procedure {routine.within}"
        if up is None:
            b.problem(
                "E212",
                f"{line.name} belongs to a running {routine.within}, and none is running here.",
                line.span,
                word=line.name,
            )
    return [ir.Do(head, name=line.name, key=f"{routine.word} {routine.name}", given=given, up=up)]


def _by_heading(b: Binder, line: ln.Do, routine: Routine) -> Iterator[tuple[tuple[t.Node, ...], str]]:
    """The arguments of `do P of A by B`, each with the name that the heading of P gives it."""
    left = list(routine.params)
    for prep, node in line.given:
        param = next((p for p in left if p.prep == prep), None)
        if param is None:
            message = f"{line.name} has no argument by the word `{prep}`."
            b.problem("E211", message, node.span, _as_headed(routine))
            continue
        left.remove(param)
        yield (node,), param.name


def _as_headed(routine: Routine) -> str:
    """How a procedure is called by the words of its heading, or by the names of its arguments where those do not begin by `of`."""
    if routine.params and routine.params[0].prep == "of":
        return f"It is done so: do {routine.name}" + "".join(f" {p.prep} …" for p in routine.params)
    given = " and ".join(f"… as {p.name}" for p in routine.params)
    return f"It is done so: do {routine.name}" + (f" with {given}" if given else "")


def check_telling(b: Binder, whom: E, args: tuple[E, ...], line: ln.Tell) -> None:
    """W701: a message that plainly tells the other side what a field hides from it."""
    knower: E | None
    if isinstance(whom, ir.Foe):
        knower = whom.side
    elif isinstance(whom, ir.AllOf):
        knower = None
    else:
        return
    for arg, node in zip(args, line.args, strict=True):
        for read in ir.find(arg, ir.Field):
            holder, field = read.holder, read.name
            own = knower is None or (isinstance(knower, ir.SideOf) and _same_value(knower.thing, holder))
            if own and holder.type.name == "thing" and _is_hidden(b, holder.type.word, field):
                message = f"`{field}` is hidden from the enemy, and this message tells it."
                b.problem("W701", message, node.span, "Say it without what is hidden, or to the side that knows it.")


def check_reason(b: Binder, when: E) -> None:
    """W701: a reason that all are told, and that holds because of what is hidden."""
    for read in hidden_reads(b.ruleset, {}, when):
        message = f"All are told this reason, and it rests on `{read.field}`, which is hidden from the enemy."
        b.problem("W701", message, read.e.span, "Leave the reason out, or `tell` it to the side that knows.")
        return


def _same_value(one: E, other: E) -> bool:
    return one is other or (isinstance(one, ir.FrameName | ir.Local) and ir.alike(one, other))


def _is_hidden(b: Binder, kind: str, field: str) -> bool:
    node = b.ruleset.kinds[kind].node
    return node is not None and any(
        v.hidden and v.audience in {"enemy", "everyone"} and field in v.fields for v in node.visibility
    )
