"""Explanations of paths: the route of a trace or what blocks it, how far a movement gets, and the cheapest route to a place."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ir
from dsl.ir import Routine, cited
from dsl.text.phrases import counted
from interpreter.explain.evaluating import evaluate
from interpreter.explain.explanations import Explanation, Step
from interpreter.geometry.traces import Blocked, Route, in_words
from interpreter.program.program import Program
from interpreter.runtime.runtime import say
from interpreter.runtime.things import Thing, Value
from interpreter.world.world import World

__all__ = ["cheapest_way", "trace_or_way"]


def trace_or_way(
    program: Program, world: World, bound: ir.PathExists, expression: str, pins: dict[str, Value]
) -> Explanation:
    """A path: for a trace its route leg by leg, or what blocks it; for a movement how far it gets."""
    name, args = bound.name, bound.arguments
    things = tuple(evaluate(program, world, a, pins) for a in args)
    routine = program.rules.routines[name]
    way = program.ways[name]
    lines = [s for s in routine.body if isinstance(s, ir.Leg | ir.Budget)]

    def step(number: int, applied: bool, value: str, because: str = "") -> Step:
        """A line applied."""
        s = lines[min(number, len(lines) - 1)]
        place = f"{s.span.file}:{s.span.line}"
        return Step(program.text_of(s.span), applied, value, because, cited(s, routine), s.module, place)

    if way.moves and world.ways.start(name, things) is None:
        return Explanation(expression, "no", routine.cites, (step(0, False, "", "it does not start on this map"),), ())
    if way.moves:
        found = world.ways.reach(name, things)
        costs = sorted(
            ((c, world.grid.label(p)) for p, c in found.costs.items() if p != found.start), key=lambda x: (-x[0], x[1])
        )
        shown = ", ".join(f"{label} for {say(cost)}" for cost, label in costs[:12]) + (
            f" and {len(costs) - 12} more" if len(costs) > 12 else ""
        )
        return Explanation(
            expression, counted(len(costs), "place"), routine.cites, (step(0, True, shown or "nowhere"),), ()
        )
    answer = world.ways.answer(name, things)
    if isinstance(answer, Route):
        steps = tuple(step(n, True, " → ".join(leg)) for n, leg in enumerate(answer.legs))
        if answer.cut:
            steps += (_remark(f"closing {in_words(answer.cut)} would cut it"),)
        return Explanation(expression, f"yes, {counted(answer.entered, 'place')} long", routine.cites, steps, ())
    steps = (step(answer.leg - 1, False, "", answer.reason), *_closed(program, world, routine, things, answer))
    if answer.legs:
        opened = [label for number, leg in enumerate(answer.legs) for label in leg[bool(number) :]]
        opening = in_words(answer.reopening) if answer.reopening else f"the step to {answer.between[1]}"
        steps += (_remark(f"with {opening} open: {' → '.join(opened)}"),)
    return Explanation(expression, "no", routine.cites, steps, ())


def _closed(
    program: Program, world: World, routine: Routine, things: tuple[Thing, ...], answer: Blocked
) -> Iterator[Step]:
    """The bans that close the places where a trace is cut, and those that would have to open; or the step that is barred."""
    bans = [s for s in routine.body if isinstance(s, ir.Never)]
    shut = [(label, None) for label in dict.fromkeys((*answer.cut, *answer.reopening))][:6]
    for label, before in [answer.between[::-1]] if answer.between else shut:
        entered_from = world.by_label[before] if before is not None else None
        barred = world.ways.why_barred(routine.name, things, world.by_label[label], entered_from)
        if barred is not None and bans:
            ban = next((b for b in bans if (b.because or "") == barred.reason), bans[0])
            line, place = program.text_of(ban.span), f"{ban.span.file}:{ban.span.line}"
            yield Step(
                line,
                True,
                f"{label} {'is closed' if before is None else f'may not be entered from {before}'}",
                barred.reason,
                barred.cites,
                ban.module,
                place,
            )


def _remark(text: str) -> Step:
    """A hypothetical remark as a line."""
    return Step(text, False, "", "", (), "", "")


def cheapest_way(
    program: Program, world: World, bound: ir.PathCost, expression: str, pins: dict[str, Value]
) -> Explanation:
    """The points of the cheapest route to a place, and that route; if it is out of reach, what is closed on the straight line there."""
    name, args, goal = bound.name, bound.arguments, bound.goal
    value = evaluate(program, world, bound, pins)
    things = tuple(evaluate(program, world, a, pins) for a in args)
    place = evaluate(program, world, goal, pins).place
    routine = program.rules.routines[name]
    budget = next((s for s in routine.body if isinstance(s, ir.Budget)), None)
    start = world.ways.start(name, things)
    if budget is None or place is None or start is None:
        return Explanation(expression, say(value), routine.cites, (), ())
    span, cites = budget.span, cited(budget, routine)
    text, where = program.text_of(span), f"{span.file}:{span.line}"
    found = world.ways.reach(name, things)
    if value is not None:
        way = " → ".join(world.ways.labels(found, place.index)) if place.index in found.points else ""
        return Explanation(expression, say(value), cites, (Step(text, True, way, "", cites, budget.module, where),), ())
    steps = [Step(text, False, "", f"{place.label} is out of reach", cites, budget.module, where)]
    before = start
    for label in _straight(world, start.index, place.index):
        barred = world.ways.why_barred(name, things, world.by_label[label], before)
        before = world.by_label[label]
        if barred is not None:
            steps.append(Step(f"{label} is closed", True, "", barred.reason, barred.cites, "", ""))
    return Explanation(expression, say(value), cites, tuple(steps[:7]), ())


def _straight(world: World, first: int, last: int) -> list[str]:
    """The labels of the places on the straight line from one to another, without the first; none on different maps."""
    from interpreter.geometry.straight import straight

    try:
        return [world.grid.label(i) for i in straight(world.grid, first, last)[1:]]
    except (ValueError, LookupError):
        return []
