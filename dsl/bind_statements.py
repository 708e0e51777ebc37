"""Binding statements: what lines of procedures, orders and sequences do, who is asked, and what is rolled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from dsl import ir
from dsl import lines as ln
from dsl import tree as t
from dsl.absence import needed, set_of_one, surely
from dsl.bind_dice import rolled
from dsl.bind_effects import (
    becomes,
    check_reason,
    check_telling,
    declare,
    do,
    gains,
    may_go,
    may_move,
    put,
    some_side,
    winner_of,
)
from dsl.bind_expressions import ERROR
from dsl.diagnostics import did_you_mean
from dsl.ir import MARK, NOTHING, NUMBER, SIDE, TEXT, E, Routine, S, Type, alike, set_of
from dsl.ruleset import guarded
from dsl.scope import Scope, framed
from dsl.weave import module_of

if TYPE_CHECKING:
    from dsl.bind import BodyBinder


MANY = frozenset({"some", "up_to", "exactly"})
"""The choices whose answer is a set."""


def statement(b: BodyBinder, line: ln.Line, scope: Scope, routine: Routine) -> list[S]:
    """One line of an active body as statements; none when a module that is off guards it."""
    when = b.condition(line.when, scope) if line.when is not None and not isinstance(line, ln.When) else None
    scope = b.narrowed(when, scope) if when is not None else scope
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
            body = block(line.body, b.narrowed(test, scope) if test is not None else scope)
            return [ir.When(attrs.evolve(head, because=None, label=None), line.arm, test, body)]
        case ln.Holds() if line.because is not None and routine.word != "sequence":
            return []
        case ln.ForEach():
            return _for_each(b, line, scope, routine, head)
        case ln.Repeat():
            return _repeat(b, line, scope, head, block)
        case ln.Simultaneously():
            return [ir.Simultaneously(head, body=block(line.body))]
        case ln.Phase():
            if not guarded(line.guards, b.ruleset.active):
                return []
            refusals = tuple(_refusal(b, r, scope) for r in line.body if isinstance(r, ln.Refused))
            rest = block(tuple(x for x in line.body if not isinstance(x, ln.Refused)))
            if f"phase {line.name}" in b.woven:
                rest, more = _joined(b, line.name, rest, scope, routine)
                refusals += more
            return [ir.Phase(head, body=rest, name=line.name, title=line.title, step=line.step, refusals=refusals)]
        case ln.May():
            return _may(b, line, scope, head)
        case ln.Stop():
            if line.because and when is not None:
                check_reason(b, when)
            return [ir.Stop(head, name=_stopped(b, line, routine))]
        case ln.EndGame():
            winner = winner_of(b, line.winner, scope) if line.winner is not None else None
            return [ir.EndGame(head, winner=winner)]
        case ln.Choose():
            return _choose(b, line, scope, routine, head)
        case ln.EachChooses():
            return _each_chooses(b, line, scope, routine, head)
        case ln.Rolls():
            declare(b, routine, line.name, NUMBER, line.span)
            return [
                ir.Roll(
                    head,
                    who=some_side(b, line.who, scope),
                    dice=rolled(b, line.dice.value, scope),
                    count=_count(b, line.dice, scope),
                    name=line.name,
                )
            ]
        case ln.Draws():
            return _draws(b, line, scope, routine, head)
        case ln.EachRolls():
            return _each_rolls(b, line, scope, routine, head)
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
            return put(b, line, scope, routine, head)
        case ln.Remove():
            what = needed(b, line.what, scope)
            may_go(b, what.type, line.what.span, "is not removed")
            return [ir.Remove(head, what=what)]
        case ln.Reveal():
            known = ir.Hide if line.hide else ir.Reveal
            return [known(head, needed(b, line.what, scope), some_side(b, line.whom, scope))]
        case ln.Do():
            return do(b, line, scope, head)
        case ln.Tell():
            whom = some_side(b, line.whom, scope)
            told = tuple(b.expr(a, scope) for a in line.args)
            check_telling(b, whom, told, line)
            return [ir.Tell(head, whom=whom, message=line.message, arguments=told)]
    if isinstance(line, ln.Warned):
        b.problem("E225", "Only a setup warns.", line.span, hint="In play, `tell` it to a side.")
        return []
    b.problem("E225", "This line does not belong in a procedure, an order or a sequence.", line.span)
    return []


def _refusal(b: BodyBinder, line: ln.Refused, scope: Scope) -> ir.Refused:
    return ir.Refused(ir.Head(line.span, because=line.because, cites=line.cites), b.condition(line.condition, scope))


def _joined(
    b: BodyBinder, name: str, body: tuple[S, ...], scope: Scope, routine: Routine
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


def _stopped(b: BodyBinder, line: ln.Stop, routine: Routine) -> str | None:
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


def _count(b: BodyBinder, dice: ln.Dice, scope: Scope) -> E | None:
    return b.number(dice.count, scope) if dice.count is not None else None


def _for_each(b: BodyBinder, line: ln.ForEach, scope: Scope, routine: Routine, head: ir.Head) -> list[S]:
    over = b.several(line.over, scope)
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


def _repeat(b: BodyBinder, line: ln.Repeat, scope: Scope, head: ir.Head, block: Any) -> list[S]:
    from dsl.bind import ENDLESS

    times = b.number(line.times, scope)
    if isinstance(times, ir.Constant) and isinstance(times.value, int) and times.value > ENDLESS:
        b.problem("E233", f"This may run {times.value:,} times; the most is {ENDLESS:,}.", line.times.span)
    condition = b.condition(line.condition, scope) if line.condition is not None else None
    scope = b.narrowed(condition, scope) if condition is not None else scope
    return [ir.Repeat(head, body=block(line.body, scope), times=times, condition=condition)]


def _may(b: BodyBinder, line: ln.May, scope: Scope, head: ir.Head) -> list[S]:
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


def _choice(b: BodyBinder, choice: ln.Choice, scope: Scope) -> tuple[E | None, E | None, Type]:
    """The candidates, the amount, and the type of what is chosen."""
    if choice.kind == "words":
        items = tuple(b.expr(w, scope) for w in choice.words)
        first = items[0].type
        if any(i is ERROR for i in items):
            words = tuple(w.word for w in choice.words if isinstance(w, t.Name))
            return ir.Listed(tuple(ir.Constant(w, type=TEXT) for w in words), type=set_of(TEXT)), None, TEXT
        return ir.Listed(items, type=set_of(first), span=choice.span), None, first
    if choice.kind == "number":
        assert choice.amount is not None
        return None, b.number(choice.amount, scope), NUMBER
    if choice.kind == "split":
        return _split(b, choice, scope)
    assert choice.source is not None
    source = b.expr(choice.source, scope)
    amount = b.number(choice.amount, scope) if choice.amount is not None else None
    if source is ERROR:
        return ERROR, amount, NOTHING
    if amount is not None:
        _possible(b, choice, source, amount)
    if source.type.name in {"thing", "enum"}:
        source = set_of_one(b, surely(b, source, scope, choice.span) if choice.kind == "one" else source)
    if source.type.name != "set":
        b.problem("E214", f"A choice is among several things, but this is {source.type}.", choice.source.span)
        return ERROR, amount, NOTHING
    return source, amount, (source.type.of or NOTHING)


def _split(b: BodyBinder, choice: ln.Choice, scope: Scope) -> tuple[E | None, E | None, Type]:
    """The things that share a number out among them, and the number."""
    assert choice.source is not None
    assert choice.amount is not None
    source, amount = b.expr(choice.source, scope), b.number(choice.amount, scope)
    shared = ir.number_in(amount)
    if shared is not None and (shared < 0 or shared != int(shared)):
        b.problem("E241", f"Nobody can split {shared} into whole shares.", choice.amount.span)
    if source is ERROR:
        return ERROR, amount, NUMBER
    if source.type.name != "set" or source.type.of is None or source.type.of.name != "thing":
        b.problem("E214", f"A split is among several things, but this is {source.type}.", choice.source.span)
        return ERROR, amount, NUMBER
    return source, amount, NUMBER


def _words_type(b: BodyBinder, line: ln.Choose | ln.EachChooses, owner: str) -> None:
    """Words that only a choice knows become the words of an enum of their own."""
    from dsl.ruleset import EnumInfo

    if line.choice.kind != "words":
        return
    words = tuple(w.word for w in line.choice.words if isinstance(w, t.Name))
    if words in {("yes", "no"), ("no", "yes")} or len(words) != len(line.choice.words):
        return
    homes = [e for e in b.ruleset.enums.values() if set(words) <= set(e.words)]
    if homes:
        return
    name = f"{owner}.{line.name}"
    b.ruleset.enums[name] = EnumInfo(name, words, False, {})
    for word in words:
        b.ruleset.terms.setdefault(word, []).append(name)


def _choose(b: BodyBinder, line: ln.Choose, scope: Scope, routine: Routine, head: ir.Head) -> list[S]:
    _words_type(b, line, routine.name)
    who = some_side(b, line.who, scope)
    inner = scope.inner(whose=who)
    if line.choice.kind == "words" and not any(
        isinstance(w, t.Name) and w.word in {"yes", "no"} for w in line.choice.words
    ):
        words = {w.word for w in line.choice.words if isinstance(w, t.Name)}
        home = next((e.name for e in b.ruleset.enums.values() if words <= set(e.words)), None)
        if home is not None:
            items = tuple(
                ir.Constant(w.word, type=Type("enum", home)) for w in line.choice.words if isinstance(w, t.Name)
            )
            source, amount, type_ = ir.Listed(items, type=set_of(items[0].type)), None, items[0].type
        else:
            source, amount, type_ = _choice(b, line.choice, inner)  # type: ignore[assignment]
    else:
        source, amount, type_ = _choice(b, line.choice, inner)  # type: ignore[assignment]
    many = line.choice.kind in MANY
    split = line.choice.kind == "split"
    kept = Type("map", "", NUMBER) if split else set_of(type_) if many else type_
    if line.when is not None and not many and not split:
        kept = kept.maybe()
    if line.choice.kind == "words" and type_ is MARK:
        kept = MARK
    declare(b, routine, line.name, kept, line.span)
    such = b.condition(line.such_that.condition, inner) if line.such_that is not None else None
    reason = line.such_that.because if line.such_that is not None else None
    return [ir.Choose(head, who=who, name=line.name, kind=line.choice.kind, source=source, amount=amount, such_that=such, reason=reason, secret=line.secretly, many=many)]  # fmt: skip


def _each_chooses(b: BodyBinder, line: ln.EachChooses, scope: Scope, routine: Routine, head: ir.Head) -> list[S]:
    _words_type(b, line, routine.name)
    over = _each_in(b, line.over, scope) if line.over is not None else _each_side(b, line, "chooses")
    inner_type = (over.type.of or NOTHING) if over.type.name == "set" else NOTHING
    declare(b, routine, line.item, inner_type, line.span)
    item = framed("F", line.item, inner_type)
    inner = scope.inner(whose=item if inner_type.same(SIDE) else ir.SideOf(item))
    source, amount, type_ = _choice(b, line.choice, inner)
    if line.choice.kind == "split":
        b.problem(
            "E250",
            "A split is chosen by one side for many things, not by each of them.",
            line.choice.span,
            hint="Write `SIDE chooses shares: a split of N among S`, or let each choose `a number up to N`.",
        )
    declare(b, routine, line.name, Type("map", "", set_of(type_) if line.choice.kind in MANY else type_), line.span)
    such = b.condition(line.such_that.condition, inner) if line.such_that is not None else None
    reason = line.such_that.because if line.such_that is not None else None
    return [ir.EachChooses(head, item=line.item, over=over, name=line.name, kind=line.choice.kind, source=source, amount=amount, such_that=such, reason=reason, secret=line.secretly, sides=inner_type.same(SIDE))]  # fmt: skip


def _each_in(b: BodyBinder, node: t.Node, scope: Scope) -> E:
    """The things of which each chooses or rolls."""
    over = b.several(node, scope)
    if over is not ERROR and over.type.name != "set":
        b.problem("E214", f"`each` goes through several things, but this is {over.type}.", node.span)
    return over


def _each_side(b: BodyBinder, line: ln.EachRolls | ln.EachChooses, does: str) -> E:
    """The sides, the acting one first: what `each side` without a set goes through."""
    if line.item != "side":
        message = f"`each {line.item} {does}`: only `each side` stands alone."
        b.problem("E234", message, line.span, hint=f"each {line.item} in …")
    return ir.SidesInTurn(type=set_of(SIDE))


def _draws(b: BodyBinder, line: ln.Draws, scope: Scope, routine: Routine, head: ir.Head) -> list[S]:
    source = b.several(line.source, scope)
    drawn = NOTHING
    if source is not ERROR:
        if source.type.name != "set":
            b.problem("E214", f"One of several things is rolled for, but this is {source.type}.", line.source.span)
        drawn = source.type.of or NOTHING
    declare(b, routine, line.name, drawn if line.when is None else drawn.maybe(), line.span)
    return [ir.Draw(head, who=some_side(b, line.who, scope), source=source, name=line.name)]


def _each_rolls(b: BodyBinder, line: ln.EachRolls, scope: Scope, routine: Routine, head: ir.Head) -> list[S]:
    if line.over is None:
        over, inner_type, item = _each_side(b, line, "rolls"), SIDE, "side"
    else:
        over = _each_in(b, line.over, scope)
        inner_type = (over.type.of or NOTHING) if over.type.name == "set" else NOTHING
        item = line.item
        declare(b, routine, item, inner_type, line.span)
    declare(b, routine, line.name, Type("map", "", NUMBER), line.span)
    return [
        ir.EachRolls(
            head,
            item=item,
            over=over,
            dice=rolled(b, line.dice.value, scope),
            count=_count(b, line.dice, scope),
            name=line.name,
            sides=inner_type.same(SIDE),
        )
    ]


def _possible(b: BodyBinder, choice: ln.Choice, source: E, amount: E) -> None:
    """Reports a question that plainly has no legal answer."""
    asked = ir.number_in(amount)
    if asked is None or choice.amount is None:
        return
    if asked < 0 or (choice.kind == "exactly" and asked != int(asked)):
        b.problem("E241", f"Nobody can choose {asked} of anything.", choice.amount.span)
    elif choice.kind == "exactly" and isinstance(source, ir.Listed):
        offered = (
            len({x.value for x in source.items if isinstance(x, ir.Constant)})
            if all(isinstance(x, ir.Constant) for x in source.items)
            else len(source.items)
        )
        if asked > offered:
            b.problem(
                "E241",
                f"Exactly {asked} are to be chosen, but only {offered} are offered: no answer is legal.",
                choice.span,
            )
