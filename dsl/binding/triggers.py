"""Binding triggers: rules that wait for an event or for a standing condition."""

from __future__ import annotations

import attrs

from dsl import ir
from dsl.binding.after_is import is_one
from dsl.binding.context import Binder
from dsl.binding.scope import Scope, local
from dsl.binding.signatures import bind_params, spoken_for
from dsl.binding.statements import statements
from dsl.binding.targets import WORDS_TO_STAY
from dsl.ir import MARK, NOTHING, E, Param, Routine, Trigger, set_of
from dsl.ir.expression import Value
from dsl.rules.ruleset import KindInfo
from dsl.rules.weave import module_of
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean
from dsl.text.phrases import an
from dsl.text.source import Span

MOVING = ("leaves", "enters", "within", "next")
"""Events of moving things, in the order in which they fire at one step."""


REMOVED = "removed"
"""The event of a thing that is about to be removed."""


MOST_THINGS = 2
"""The maximum number of things in a standing condition."""


def bind_trigger(b: Binder, rule: d.Rule) -> None:
    """A rule `whenever …` or `always …`: its body becomes a routine, its event or condition a trigger."""
    relation, event = rule.relation, rule.relation.event
    given = relation.params if event is None else tuple(p for p in (event.first, event.second) if p is not None)
    params = _trigger_params(b, given, event)
    if params is None:
        return
    routine = Routine("rule", rule.name, params, NOTHING, rule.span, None, cites=rule.cites)
    routine.stops = event is not None and event.kind in MOVING
    b.routines[f"rule {rule.name}"] = routine
    around = b.procedure(event.bound, event.span) if event is not None and event.bound is not None else None
    frames: tuple[tuple[Routine, str], ...] = ((routine, "F"),)
    bound = ""
    if around is not None:
        frames += ((around, "F.up"),)
        routine.within, bound = around.name, f"{around.word} {around.name}"
    names = _things_named(b, routine, relation.span)
    inside = Scope({}, ir.Acting("F"), None, frames, module=module_of(rule))
    free = Scope(dict(names), spoken_for(b, params, names) or ir.Active())
    trigger = Trigger(
        rule.name, event.kind if event else "always", params, given[-1].whose, rule.span, rule.cites or (), bound
    )
    waits = _standing(b, trigger, relation, free) if event is None else _happening(b, trigger, event, free, inside)
    b.triggers.append(waits)
    routine.body = statements(b, rule.body, inside, routine)


def _things_named(b: Binder, routine: Routine, span: Span) -> dict[str, E]:
    """The things of a trigger, by the names that the rule gives them."""
    names: dict[str, E] = {}
    for p in routine.params:
        if p.name in routine.frame:
            b.problem("E224", f"`{p.name}` already has a meaning here.", span, hint="Choose another name.")
        routine.frame[p.name] = p.type
        names[p.name] = local(p.name, p.type)
    return names


def _standing(b: Binder, trigger: Trigger, relation: d.Relation, free: Scope) -> Trigger:
    """A trigger that waits for a standing condition."""
    assert relation.condition is not None
    order = b.number(relation.order, free) if relation.order is not None else None
    return attrs.evolve(trigger, test=b.condition(relation.condition, free), order=order)


def _happening(b: Binder, trigger: Trigger, event: d.Event, free: Scope, inside: Scope) -> Trigger:
    """A trigger that waits for an event. inside: the scope of the rule's lines, also used for its amount and its `when`."""
    if event.kind == "becomes":
        trigger = _becoming_event(b, trigger, event, free)
    amount = b.number(event.amount, inside) if event.amount is not None else None
    when = b.condition(event.when, inside) if event.when is not None else None
    return attrs.evolve(trigger, amount=amount, when=when)


def _trigger_params(b: Binder, given: tuple[d.Param, ...], event: d.Event | None) -> tuple[Param, ...] | None:
    """The things of a trigger; None if a trigger cannot have them."""
    wrong = len(b.problems)
    params = bind_params(b, d.Signature(given[0].span, "", given))
    if len(given) > MOST_THINGS:
        hint = "Check the others inside the rule: `any … is`."
        b.problem("E242", "A standing condition can be about at most two things.", given[-1].span, hint)
    for node, param in zip(given, params, strict=True):
        if node.many or param.type.name != "thing" or param.type.word == "side":
            met = set_of(param.type) if node.many else param.type
            message = f"An event can happen only to a single thing, but this is {met}."
            b.problem("E242", message, node.span, "Write, for example: u (a unit)")
        if node.whose and node is given[0]:
            message = f"`{node.whose}` is relative to the side of the first thing: only the second can be {node.whose}."
            b.problem("E242", message, node.span, f"Remove `{node.whose}`.")
    if len(b.problems) == wrong and event is not None and event.kind in {REMOVED, *MOVING}:
        _check_happens(b, b.ruleset.kinds[params[0].type.word], event.kind, given[0].span)
    return params if len(b.problems) == wrong else None


def _check_happens(b: Binder, info: KindInfo, kind: str, span: Span) -> None:
    """Reports an event that never happens to things of a kind: some are never removed, some never move."""
    if kind == REMOVED and info.word in WORDS_TO_STAY:
        hint = "Name something that can be removed: u (a unit) is removed."
        b.problem("E242", f"{WORDS_TO_STAY[info.word]} exists for the whole game: it cannot be removed.", span, hint)
    elif kind in MOVING and info.word == "place":
        b.problem("E242", "A place cannot move.", span, "Put the thing that moves first: u (a unit) enters h (a hex).")
    elif kind in MOVING and info.part:
        hint = f"Name the whole instead: u ({an(b.ruleset.whole(info.name))})."
        b.problem("E242", f"{an(info.name).capitalize()} moves with its {info.holder}.", span, hint)


def _becoming_event(b: Binder, trigger: Trigger, event: d.Event, free: Scope) -> Trigger:
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
        test = is_one(b, free.names[param.name], (t.Name(event.span, word),), free, event.span)
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


def _watching(b: Binder, trigger: Trigger, field: str, words: tuple[Value, ...]) -> Trigger:
    b.used.add(f"field {trigger.params[0].type.word}.{field}")
    return attrs.evolve(trigger, field=field, words=words)
