"""Emitting paths: functions for their start, budget, costs, bans, halts and legs; `interpreter/world/ways.py` runs them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from dsl import ir
from dsl.ir import Routine, set_of, thing
from dsl.text.source import Span
from interpreter.codegen.python_names import py
from interpreter.codegen.routine_emitter import RoutineEmitter
from interpreter.codegen.way_tables import tables_of

BANS: dict[str, type[ir.Never | ir.Halting]] = {"never": ir.Never, "halting": ir.Halting}


def _test(em: RoutineEmitter, e: ir.Expression | None) -> str:
    """An expression of a path's line; a missing one is true everywhere."""
    return em.emit(e) if e is not None else "True"


Function = tuple[str, str, list[tuple[str, Span]]]
"""A function of a path: its name, its arguments besides the path's, its lines."""


def emit_path(em: RoutineEmitter, routine: Routine) -> None:
    """Functions for a path's start, budget, costs, bans, halts and legs; `interpreter/world/ways.py` runs them."""
    args = ", ".join(f"l_{py(p.name)}" for p in routine.params)
    stem = f"w_{py(routine.name)}"
    lets = [s for s in routine.body if isinstance(s, ir.Let)]
    for name, extra, body in chain(_ends(em, routine), _costs(em, routine), _bans(em, routine), _legs(em, routine)):
        em.span = routine.span
        em.define(f"{stem}_{name}", ", ".join(x for x in (args, extra) if x))
        for s in lets:
            em.span = s.span
            em.let(s)
        for text, span in body:
            em.span = span
            em.put(text)
        em.depth -= 1
    if any(isinstance(s, ir.Budget) for s in routine.body) and not em.traced:
        _ready(em, routine, stem, args, lets)


def _ends(em: RoutineEmitter, routine: Routine) -> Iterator[Function]:
    """Writes where the path begins, and how far it may lead."""
    for s in routine.body:
        if isinstance(s, ir.From | ir.Budget):
            yield "from" if isinstance(s, ir.From) else "budget", "", [(f"return {em.emit(s.value)}", s.span)]


def _costs(em: RoutineEmitter, routine: Routine) -> Iterator[Function]:
    costs = []
    for s in routine.body:
        if isinstance(s, ir.Costs):
            costs.append((f"l_{py(s.place)} = l__entered", s.span))
            costs.append((f"if {_test(em, s.when)}: return {_test(em, s.value)}", s.span))
    if costs:
        yield "cost", "l_previous, l__entered", [*costs, ("return None", routine.span)]


def _bans(em: RoutineEmitter, routine: Routine) -> Iterator[Function]:
    """Writes what may not be entered, and where a move must halt."""
    for kind, ban in BANS.items():
        for number, s in enumerate(x for x in routine.body if isinstance(x, ban)):
            yield f"{kind}{number}", f"l_previous, l_{py(s.place)}", [(f"return {_test(em, s.when)}", s.span)]
            if kind == "never" and s.when is not None and any(isinstance(x, ir.Leg) for x in routine.body):
                yield from _all_at_once(em, routine, f"{kind}{number}", s.place, s.when)


def _legs(em: RoutineEmitter, routine: Routine) -> Iterator[Function]:
    """Writes the limits of the legs of a trace, where they end, and when its start is exempt."""
    for number, s in enumerate(x for x in routine.body if isinstance(x, ir.Leg)):
        if s.limit is not None:
            yield f"limit{number}", "", [(f"return {em.emit(s.limit)}", s.span)]
        if s.reaches is not None:
            yield f"until{number}", "l_it", [(f"return {em.emit(s.reaches)}", s.span)]
            yield from _all_at_once(em, routine, f"until{number}", "it", s.reaches)
    for number, exempt in enumerate(x for x in routine.body if isinstance(x, ir.Exempt)):
        if exempt.when is not None:
            yield f"exempt{number}", "", [(f"return {em.emit(exempt.when)}", exempt.span)]


def _all_at_once(
    em: RoutineEmitter, routine: Routine, name: str, variable: str, condition: ir.Expression
) -> Iterator[Function]:
    """All places for which a condition of a trace is true: what does not depend on the place is computed once for all of them.

    A trace checks this for the complete map. When each place is explained, they are checked one by one.
    """
    if not em.traced:
        kind = set_of(thing(routine.ground))
        places = ir.AllOf(routine.ground, "", None, type=kind, span=condition.span)
        chosen = ir.Filter(places, variable, condition, type=kind, span=condition.span)
        yield f"{name}_all", "", [(f"return {em.emit(chosen)}", condition.span)]


def _ready(em: RoutineEmitter, routine: Routine, stem: str, args: str, lets: list[ir.Let]) -> None:
    """The costs, bans and halts of a path for one mover, with what depends only on the mover computed in advance."""
    em.span = routine.span
    em.define(f"{stem}_ready", args)
    for s in lets:
        em.span = s.span
        em.let(s)
    loops, em.loops = em.loops, False
    start, begun = len(em.out), dict(em.lines)
    em.movers, em.once = {p.name for p in routine.params}, {}
    names: dict[str, list[str]] = {"costs": [], "never": [], "halting": []}
    costs = [s for s in routine.body if isinstance(s, ir.Costs)]
    if costs:
        names["costs"].append("cost")
        em.put("def cost(l_previous, l__entered):")
        for cost in costs:
            em.span = cost.span
            em.put(f"    l_{py(cost.place)} = l__entered")
            em.put(f"    if {_test(em, cost.when)}: return {_test(em, cost.value)}")
        em.put("    return None")
    for kind, ban in BANS.items():
        for number, banned in enumerate(x for x in routine.body if isinstance(x, ban)):
            names[kind].append(f"{kind}{number}")
            em.span = banned.span
            em.put(f"def {kind}{number}(l_previous, l_{py(banned.place)}): return {_test(em, banned.when)}")
    once, em.once, em.movers, em.loops = em.once, None, set(), loops
    body, moved = em.out[start:], {n: p for n, p in em.lines.items() if n not in begun}
    del em.out[start:]
    em.lines, em.span = begun, routine.span
    for text, name in once.items():
        em.put(f"{name} = {text}")
    em.out += body
    em.lines.update({n + len(once): p for n, p in moved.items()})
    groups = tables_of(em.rules, routine)
    classes = ", ".join(f"({''.join(em.emit(p) + ', ' for p in group.parts)})" for group in groups.values())
    asked = ", ".join(f"({''.join(n + ', ' for n in group)})" for group in names.values())
    em.put(f"return {asked}, ({classes})")
    em.depth -= 1
