"""Binding statements: what lines of procedures, orders and sequences do."""

from __future__ import annotations

from typing import Any

import attrs

from dsl import ir
from dsl.binding.absent import needed
from dsl.binding.becoming import becomes, gains
from dsl.binding.choices import choose, dice_count, draws, each_chooses, each_rolls
from dsl.binding.context import Binder
from dsl.binding.dice_written import rolled
from dsl.binding.doing import check_reason, check_telling, do_procedure
from dsl.binding.known import narrowed
from dsl.binding.properties import several_things
from dsl.binding.putting import put_thing
from dsl.binding.scope import Scope, framed
from dsl.binding.targets import declare, may_go, may_move, some_side, winner_of
from dsl.ir import ERROR, NOTHING, NUMBER, Routine, S, alike
from dsl.rules.ruleset import guarded
from dsl.rules.weave import module_of
from dsl.syntax import lines as ln
from dsl.text.diagnostics import did_you_mean

ENDLESS = 10_000
"""`repeat at most N times`: N may not be more than this."""


def statement(b: Binder, line: ln.Line, scope: Scope, routine: Routine) -> list[S]:
    """One line of an active body as statements; none when a module that is off guards it."""
    when = b.condition(line.when, scope) if line.when is not None and not isinstance(line, ln.When) else None
    scope = narrowed(b, when, scope) if when is not None else scope
    head = ir.Head(line.span, when, line.because, line.label, line.cites, scope.module)

    def block(body: tuple[ln.Line, ...], inner: Scope = scope) -> tuple[S, ...]:
        return tuple(s for item in body for s in statement(b, item, inner, routine))

    match line:
        case ln.Let():
            value = b.condition(line.value, scope) if line.whether else b.expr(line.value, scope)
            declare(
                b,
                routine,
                line.name,
                value.type.maybe() if when is not None and value.type.name != "set" else value.type,
                line.span,
            )
            return [ir.Let(head, name=line.name, value=value)]
        case ln.When():
            test = b.condition(line.when, scope) if line.when is not None else None
            body = block(line.body, narrowed(b, test, scope) if test is not None else scope)
            return [ir.When(attrs.evolve(head, because=None, label=None), line.arm, test, body)]
        case ln.Holds() if line.because is not None and routine.word != "sequence":
            return []
        case ln.ForEach():
            return _for_each(b, line, scope, routine, head)
        case ln.Repeat():
            return _repeat_lines(b, line, scope, head, block)
        case ln.Simultaneously():
            return [ir.Simultaneously(head, body=block(line.body))]
        case ln.Phase():
            if not guarded(line.guards, b.ruleset.active):
                return []
            refusals = tuple(_refusal(b, r, scope) for r in line.body if isinstance(r, ln.Refused))
            rest = block(tuple(x for x in line.body if not isinstance(x, ln.Refused)))
            if f"phase {line.name}" in b.woven:
                rest, more = _joined_lines(b, line.name, rest, scope, routine)
                refusals += more
            return [ir.Phase(head, body=rest, name=line.name, title=line.title, step=line.step, refusals=refusals)]
        case ln.May():
            return _may_window(b, line, scope, head)
        case ln.Stop():
            if line.because and when is not None:
                check_reason(b, when)
            return [ir.Stop(head, name=_stopped(b, line, routine))]
        case ln.EndGame():
            winner = winner_of(b, line.winner, scope) if line.winner is not None else None
            return [ir.EndGame(head, winner=winner)]
        case ln.Choose():
            return choose(b, line, scope, routine, head)
        case ln.EachChooses():
            return each_chooses(b, line, scope, routine, head)
        case ln.Rolls():
            declare(b, routine, line.name, NUMBER, line.span)
            return [
                ir.Roll(
                    head,
                    who=some_side(b, line.who, scope),
                    dice=rolled(b, line.dice.value, scope),
                    count=dice_count(b, line.dice, scope),
                    name=line.name,
                )
            ]
        case ln.Draws():
            return draws(b, line, scope, routine, head)
        case ln.EachRolls():
            return each_rolls(b, line, scope, routine, head)
        case ln.Becomes():
            return becomes(b, line, scope, head)
        case ln.Gains():
            return gains(b, line, scope, head)
        case ln.Move():
            what = needed(b, line.what, scope)
            may_move(b, what, line.what.span)
            to = needed(b, line.to, scope) if line.to is not None else None
            if line.to is not None and to is not None and to is not ERROR and to.type.name != "thing":
                b.problem("E201", f"Things move to one place, but this is {to.type}.", line.to.span)
            return [ir.Move(head, what=what, to=to)]
        case ln.Put():
            return put_thing(b, line, scope, routine, head)
        case ln.Remove():
            what = needed(b, line.what, scope)
            may_go(b, what.type, line.what.span, "is not removed")
            return [ir.Remove(head, what=what)]
        case ln.Reveal():
            known = ir.Hide if line.hide else ir.Reveal
            return [known(head, needed(b, line.what, scope), some_side(b, line.whom, scope))]
        case ln.Do():
            return do_procedure(b, line, scope, head)
        case ln.Tell():
            whom = some_side(b, line.whom, scope)
            told = tuple(b.expr(a, scope) for a in line.args)
            check_telling(b, whom, told, line)
            return [ir.Tell(head, whom=whom, message=line.message, arguments=told)]
        case ln.Story():
            told = tuple(b.expr(a, scope) for a in line.args)
            gaps = line.message.count("{}")
            if gaps != len(told):
                message = f"The title has {gaps} gaps; {len(told)} stand behind `with`."
                b.problem("E236", message, line.span, "Behind `with` stands one value for each `{}`.")
            return [ir.Story(head, message=line.message, arguments=told)]
        case ln.Relate():
            return _relate(b, line, scope, head)
    if isinstance(line, ln.Warned):
        b.problem("E225", "Only a setup warns.", line.span, hint="In play, `tell` it to a side.")
        return []
    b.problem("E225", "This line does not belong in a procedure, an order or a sequence.", line.span)
    return []


def _relate(b: Binder, line: ln.Relate, scope: Scope, head: ir.Head) -> list[S]:
    """`relate E as name, F`: without a name of its own a value goes by that of what it names or asks."""
    names, values = [], []
    for node, name in line.parts:
        value = b.expr(node, scope)
        if value is ERROR:
            continue
        called = name or (value.name if isinstance(value, ir.FrameName | ir.Call | ir.Field) else "")
        if not called:
            message = "It is not clear what this is called in the story."
            b.problem("E257", message, node.span, "Give it a name: `relate E as name`.")
            continue
        names.append(called)
        values.append(value)
    return [ir.Relate(head, names=tuple(names), values=tuple(values))] if values else []


def _refusal(b: Binder, line: ln.Refused, scope: Scope) -> ir.Refused:
    return ir.Refused(ir.Head(line.span, because=line.because, cites=line.cites), b.condition(line.condition, scope))


def _joined_lines(
    b: Binder, name: str, body: tuple[S, ...], scope: Scope, routine: Routine
) -> tuple[ir.Body, tuple[ir.Refused, ...]]:
    """A phase with what rules add to it: orders join the window of their side, if there is one; and its new refusals."""
    refusals: list[ir.Refused] = []
    for rule in b.woven[f"phase {name}"].adds:
        inner = scope.inner(module=module_of(rule))
        for line in rule.body:
            if isinstance(line, ln.Refused):
                refusals.append(_refusal(b, line, inner).brought_by(None, line.cites or rule.cites, ""))
            elif isinstance(line, ln.May) and line.when is None:
                for window in statement(b, line, inner, routine):
                    body = _with_window(body, window)
            else:
                message = "Only what a side may do, and what keeps it from ending, can be added to a phase."
                hint = "Write `active may ORDER`, or let the rule come before or after the phase."
                b.problem("E225", message, line.span, hint=hint)
    return body, tuple(refusals)


def _with_window(body: ir.Body, window: S) -> ir.Body:
    """A body whose first window of the same side, given in the same manner, takes in the orders of another."""
    for place, s in enumerate(body):
        if isinstance(s, ir.May) and isinstance(window, ir.May) and s.when is None:
            if s.manner == window.manner and alike(s.who, window.who):
                orders = tuple(dict.fromkeys((*s.orders, *window.orders)))
                return (*body[:place], attrs.evolve(s, orders=orders), *body[place + 1 :])
        elif isinstance(s, ir.Phase | ir.ForEach):
            inner = _with_window(s.body, window)
            if len(inner) == len(s.body):
                return (*body[:place], attrs.evolve(s, body=inner), *body[place + 1 :])
    return (*body, window)


def _stopped(b: Binder, line: ln.Stop, routine: Routine) -> str | None:
    """What a `stop` line leaves: a procedure by its name, or the move or order that brought a rule about."""
    name = line.name
    if name in {"move", "order"} and routine.stops:
        return f"@{name}"
    known = {k.partition(" ")[2] for k in b.ruleset.bodied if " " in k}
    if name is not None and name != routine.name and name not in known:
        hint = did_you_mean(name, known)
        if name in {"move", "order"}:
            hint = f"`stop {name}` stands in a rule `whenever … enters`, `leaves` or `comes …`."
        b.problem("E243", f"There is nothing called {name} to stop here.", line.span, hint, word=name)
    return name


def _for_each(b: Binder, line: ln.ForEach, scope: Scope, routine: Routine, head: ir.Head) -> list[S]:
    over = several_things(b, line.over, scope)
    inner_type = NOTHING
    if over is not ERROR:
        if over.type.name != "set":
            b.problem("E214", f"`for each` goes through several things, but this is {over.type}.", line.over.span)
        inner_type = over.type.of or NOTHING
    declare(b, routine, line.name, inner_type, line.span)
    inner = scope.inner()
    order = None
    if line.order is not None:
        order = b.number(line.order, scope.inner(it=framed("F", line.name, inner_type)))
    if line.role == "active":
        inner.whose = ir.Active()
    elif line.role:
        b.problem("E232", f"`as {line.role}`: only `as active` is known.", line.span)
    body = tuple(s for item in line.body for s in statement(b, item, inner, routine))
    return [ir.ForEach(head, body=body, name=line.name, over=over, order=order, role=line.role)]


def _repeat_lines(b: Binder, line: ln.Repeat, scope: Scope, head: ir.Head, block: Any) -> list[S]:
    times = b.number(line.times, scope)
    if isinstance(times, ir.Constant) and isinstance(times.value, int) and times.value > ENDLESS:
        b.problem("E233", f"This may run {times.value:,} times; the most is {ENDLESS:,}.", line.times.span)
    condition = b.condition(line.condition, scope) if line.condition is not None else None
    scope = narrowed(b, condition, scope) if condition is not None else scope
    return [ir.Repeat(head, body=block(line.body, scope), times=times, condition=condition)]


def _may_window(b: Binder, line: ln.May, scope: Scope, head: ir.Head) -> list[S]:
    who = some_side(b, line.who, scope)
    names = []
    for name in line.orders:
        if f"order {name}" in b.ruleset.bodied:
            names.append(name)
            b.used.add(f"order {name}")
        elif not any(getattr(x, "word", "") == "order" and x.name == name for x in b.ruleset.everything):
            known = [k.split(" ")[1] for k in b.ruleset.bodied if k.startswith("order ")]
            b.problem("E200", f"There is no order {name}.", line.span, did_you_mean(name, known), word=name)
    return [ir.May(head, who=who, orders=tuple(names), manner=line.manner)]
