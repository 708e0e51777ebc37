"""Binding triggers: rules that wait for an event or for a standing condition, and conditions that end what lasts."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import attrs

from dsl import declarations as d
from dsl import ir
from dsl import tree as t
from dsl.bind_expressions import ERROR
from dsl.chains import nodes_in
from dsl.diagnostics import an, did_you_mean
from dsl.ir import MARK, NOTHING, E, Lasting, Param, Routine, Trigger, set_of
from dsl.scope import Scope, local
from dsl.weave import module_of

if TYPE_CHECKING:
    from dsl.bind import BodyBinder

MOVING = ("leaves", "enters", "within", "next")
"""Events of things that move, in the order in which they come about at one step."""
REMOVED = "removed"
"""The event of a thing that is about to be taken out of the game."""
WORDS_TO_STAY = {"side": "A side", "place": "A place of the map", "campaign": "The campaign"}
"""What takes part from the beginning to the end, by the word of its kind, and how a message calls it."""
MOST_THINGS = 2
"""A standing condition is of so many things at most."""


@functools.lru_cache(maxsize=8192)
def asked_of_the_past(declaration: d.Declaration) -> frozenset[str]:
    """The orders and procedures of which a declaration asks whether something has done them."""
    return frozenset(node.word for node in nodes_in(declaration) if isinstance(node, t.HasDone))


def bind_trigger(b: BodyBinder, rule: d.Rule) -> None:
    """A rule `whenever …` or `always …`: its body becomes a routine, what it waits for a trigger."""
    relation, event = rule.relation, rule.relation.event
    given = relation.params if event is None else tuple(p for p in (event.first, event.second) if p is not None)
    params = _params(b, given, event)
    if params is None:
        return
    routine = Routine("rule", rule.name, params, NOTHING, rule.span, None, cites=rule.cites)
    routine.stops = event is not None and event.kind in MOVING
    b.routines[f"rule {rule.name}"] = routine
    frames: tuple[tuple[Routine, str], ...] = ((routine, "F"),)
    bound = ""
    if event is not None and event.bound is not None:
        around = b.procedure(event.bound, event.span)
        if around is not None:
            frames += ((around, "F.up"),)
            routine.within, bound = around.name, f"{around.word} {around.name}"
    names = {}
    for p in params:
        if p.name in routine.frame:
            b.problem("E224", f"`{p.name}` already has a meaning here.", relation.span, hint="Choose another name.")
        routine.frame[p.name] = p.type
        names[p.name] = local(p.name, p.type)
    acting = ir.Acting("F")
    inside = Scope({}, acting, None, frames, module=module_of(rule))
    free = Scope(dict(names), b.whose(params, names) or ir.Active())
    trigger = Trigger(
        rule.name, event.kind if event else "always", params, given[-1].whose, rule.span, rule.cites or (), bound
    )
    if event is None:
        assert relation.condition is not None
        order = b.number(relation.order, free) if relation.order is not None else None
        trigger = attrs.evolve(trigger, test=b.condition(relation.condition, free), order=order)
    elif event.kind == "becomes":
        trigger = _becoming(b, trigger, event, free)
    if event is not None:
        amount = b.number(event.amount, inside) if event.amount is not None else None
        when = b.condition(event.when, inside) if event.when is not None else None
        trigger = attrs.evolve(trigger, amount=amount, when=when)
    b.triggers.append(trigger)
    routine.body = tuple(s for line in rule.body for s in b._statement(line, inside, routine))  # noqa: SLF001 (one binder in several files)


def _params(b: BodyBinder, given: tuple[d.Param, ...], event: d.Event | None) -> tuple[Param, ...] | None:
    """The things that a trigger is about; None when they cannot be those of one."""
    wrong = len(b.problems)
    params = b.params(d.Signature(given[0].span, "", given))
    if len(given) > MOST_THINGS:
        b.problem(
            "E242",
            "A standing condition is of one thing or of two.",
            given[-1].span,
            hint="Look for the others inside: `any … is`.",
        )
    for node, param in zip(given, params, strict=True):
        if node.many or param.type.name != "thing" or param.type.word == "side":
            b.problem(
                "E242",
                f"Events happen to single things, but this is {set_of(param.type) if node.many else param.type}.",
                node.span,
                hint="Write, for example: u (a unit)",
            )
        if node.whose and node is given[0]:
            b.problem(
                "E242",
                f"`{node.whose}` is of the first thing's side: only the second can be {node.whose}.",
                node.span,
                hint=f"Take out `{node.whose}`.",
            )
    goes = len(b.problems) == wrong and event is not None and event.kind == REMOVED
    if goes and (word := b.ruleset.kinds[params[0].type.word].word) in WORDS_TO_STAY:
        hint = "Name what can be taken out of the game: u (a unit) is removed."
        b.problem(
            "E242", f"{WORDS_TO_STAY[word]} is there from beginning to end: it is not removed.", given[0].span, hint
        )
    moves = len(b.problems) == wrong and event is not None and event.kind in MOVING
    if moves and b.ruleset.kinds[params[0].type.word].word == "place":
        hint = "First stands what moves: u (a unit) enters h (a hex)."
        b.problem("E242", "A place does not move.", given[0].span, hint)
    if moves and len(b.problems) == wrong and (info := b.ruleset.kinds[params[0].type.word]).part:
        hint = f"Say it of the whole: u ({an(b.ruleset.whole(info.name))})."
        b.problem("E242", f"{an(info.name).capitalize()} moves with its {info.holder}.", given[0].span, hint)
    return params if len(b.problems) == wrong else None


def _becoming(b: BodyBinder, trigger: Trigger, event: d.Event, free: Scope) -> Trigger:
    """`p becomes W`: a mark, a word of a field or a group of them, or a status."""
    param, word = trigger.params[0], event.word or ""
    fields = b.ruleset.kinds[param.type.word].fields
    if word in fields and fields[word].type is MARK:
        return _watching(b, trigger, word, (True,))
    homes: list[tuple[str, tuple[str, ...]]] = []
    for name, field in fields.items():
        if field.type.name == "enum":
            group = b.ruleset.groups.get(word)
            if word in b.ruleset.enums[field.type.word].words:
                homes.append((name, (word,)))
            elif group is not None and group[0] == field.type.word:
                homes.append((name, group[1]))
    if len(homes) == 1:
        return _watching(b, trigger, homes[0][0], homes[0][1])
    declared = b.ruleset.bodied.get(word)
    if declared is not None and declared.word == "status":
        test = b.is_one(free.names[param.name], (t.Name(event.span, word),), free, event.span)
        return attrs.evolve(trigger, test=test)
    marks = [n for n, f in fields.items() if f.type is MARK]
    known = [*marks, *(w for f in fields.values() if f.type.name == "enum" for w in b.ruleset.enums[f.type.word].words)]
    b.problem(
        "E236",
        f"A{an(param.type.word)[1:]} cannot become `{word}`.",
        event.span,
        did_you_mean(word, known),
        word=word,
    )
    return trigger


def _watching(b: BodyBinder, trigger: Trigger, field: str, words: tuple[Any, ...]) -> Trigger:
    b.used.add(f"field {trigger.params[0].type.word}.{field}")
    return attrs.evolve(trigger, field=field, words=words)


# ---- the past ------------------------------------------------------------------------------------------------


def has_done(b: BodyBinder, node: t.HasDone, subject: E) -> E:
    """`u has done march this turn`."""
    from dsl.weave import phases_of

    if subject is ERROR:
        return ERROR
    if subject.type.name != "thing":
        hint = "Ask `any … has done`, `every …` or `no …`." if subject.type.name == "set" else ""
        message = f"Only things and sides do something, but this is {subject.type}."
        return b.problem("E201", message, node.subject.span, hint)
    keys = tuple(k for k in (f"order {node.word}", f"procedure {node.word}") if k in b.ruleset.bodied)
    if not keys:
        declared = {
            x.name for x in b.ruleset.everything if isinstance(x, d.Bodied) and x.word in {"order", "procedure"}
        }
        if node.word not in declared:
            hint = did_you_mean(node.word, declared)
            return b.problem("E200", f"There is no order or procedure {node.word}.", node.span, hint, word=node.word)
        return ir.Constant(node.negated, type=MARK, span=node.span)
    if node.word not in b.past:
        message = f"What was done is kept only where a rule asks for it, and none asks for `{node.word}`."
        return b.problem("E235", message, node.span, word=node.word)
    periods = {"turn"} if node.last else {"turn", "phase", *phases_of(b.ruleset)}
    if node.period not in periods:
        hint = (
            did_you_mean(node.period, periods)
            or "Write `this turn`, `last turn`, `this phase` or `this` and the name of a phase."
        )
        return b.problem(
            "E235",
            f"What was done is known for {'the last turn' if node.last else 'turns and phases'}, not for `{node.period}`.",
            node.span,
            hint,
            word=node.period,
        )
    found = ir.HasDone(keys, subject, node.last, node.period, span=node.span)
    return ir.Not(found, span=node.span) if node.negated else found


# ---- what lasts until a condition holds ----------------------------------------------------------------------


def until_condition(b: BodyBinder, node: t.Node, changed: E, scope: Scope) -> Lasting | None:
    """The condition of `until C`, made to stand without the procedure: `it` is what changes, `own` its owner's."""
    inner = changed.type.of if changed.type.name == "set" and changed.type.of else changed.type
    it = local("it", inner)
    if scope.any_frame:
        b.problem(
            "E235", "In an example only moments end what lasts.", node.span, hint="Let an order or a procedure do it."
        )
        return None
    whose = ir.SideOf(it) if inner.name == "thing" and inner.word != "side" else scope.whose
    test = b.condition(node, scope.inner(it=it, whose=whose))
    taken: dict[tuple[str, str], tuple[str, E]] = {}

    def standing(part: ir.Node) -> ir.Node:
        if isinstance(part, ir.FrameName | ir.Acting):
            key = (part.frame, part.name if isinstance(part, ir.FrameName) else "")
            name, _ = taken.setdefault(key, (f"taken{len(taken) + 1}", part))
            return local(name, part.type)
        if isinstance(part, ir.FrameEntry | ir.SidesInTurn) or (isinstance(part, ir.Call) and part.frame is not None):
            b.problem(
                "E235",
                "What lasts so may outlive the procedure, whose names this condition reads.",
                part.span,
                hint="Give it a name before: `let x be …`.",
            )
            return ERROR
        return part

    made = Lasting(len(b.lasting), ir.transform(test, standing), tuple(taken.values()))
    b.lasting.append(made)
    return made


__all__ = [
    "MOVING",
    "REMOVED",
    "WORDS_TO_STAY",
    "asked_of_the_past",
    "bind_trigger",
    "has_done",
    "until_condition",
]
