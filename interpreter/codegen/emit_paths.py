"""Emitting paths: functions for their start, budget, costs, bans, halts and legs; `interpreter/world/ways.py` runs them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

import attrs

from dsl import ir
from dsl.ir import Routine, set_of, thing
from dsl.text.source import Span
from interpreter.codegen.emit_values import emit_let
from interpreter.codegen.plain_expressions import PlainEmitter
from interpreter.codegen.python_names import py
from interpreter.codegen.routine_emitter import RoutineEmitter
from interpreter.codegen.way_tables import hangs_on, looks_back, tables_of

BANS: dict[str, type[ir.Never | ir.Halting]] = {"never": ir.Never, "halting": ir.Halting}

Line = tuple[str, Span]
"""A line of Python, and its rule line."""
Function = tuple[str, str, list[Line]]
"""A function of a path: its name, its arguments besides the path's, its lines."""


def emit_path(m: RoutineEmitter, routine: Routine) -> None:
    """Functions for a path's start, budget, costs, bans, halts and legs; `interpreter/world/ways.py` runs them."""
    for name, extra, body in chain(_ends(m, routine), _costs(m, routine), _bans(m, routine), _legs(m, routine)):
        with _function(m, routine, name, extra):
            _put(m, body)
    if any(isinstance(s, ir.Budget) for s in routine.body) and not m.traced:
        with _function(m, routine, "ready", ""):
            _ready(m, routine)


@contextmanager
def _function(m: RoutineEmitter, routine: Routine, name: str, extra: str) -> Iterator[None]:
    """A function of a path, which begins with the names that the path sets."""
    args = [f"l_{py(p.name)}" for p in routine.params]
    m.text.span = routine.span
    with m.text.function(f"w_{py(routine.name)}_{name}", ", ".join([*args, extra] if extra else args)):
        for s in routine.body:
            if isinstance(s, ir.Let):
                m.text.span = s.span
                emit_let(m, s)
        yield


def _put(m: RoutineEmitter, lines: list[Line]) -> None:
    for text, m.text.span in lines:
        m.put(text)


def _ends(m: RoutineEmitter, routine: Routine) -> Iterator[Function]:
    """Writes where the path begins, and how far it may lead."""
    for s in routine.body:
        if isinstance(s, ir.From | ir.Budget):
            yield "from" if isinstance(s, ir.From) else "budget", "", [(f"return {m.emit(s.value)}", s.span)]


def _costs(m: RoutineEmitter, routine: Routine) -> Iterator[Function]:
    costs = []
    for s in routine.body:
        if isinstance(s, ir.Costs):
            costs.append((f"l_{py(s.place)} = l__entered", s.span))
            costs.append((f"if {m.test(s.when)}: return {m.test(s.value)}", s.span))
    if costs:
        yield "cost", "l_previous, l__entered", [*costs, ("return None", routine.span)]


def _bans(m: RoutineEmitter, routine: Routine) -> Iterator[Function]:
    """Writes what may not be entered, and where a move must halt."""
    for kind, ban in BANS.items():
        for number, s in enumerate(x for x in routine.body if isinstance(x, ban)):
            yield f"{kind}{number}", f"l_previous, l_{py(s.place)}", [(f"return {m.test(s.when)}", s.span)]
            if (
                kind == "never"
                and s.when is not None
                and not looks_back(s.when)
                and any(isinstance(x, ir.Leg) for x in routine.body)
            ):
                yield from _all_at_once(m, routine, f"{kind}{number}", s.place, s.when)


def _legs(m: RoutineEmitter, routine: Routine) -> Iterator[Function]:
    """Writes the limits of the legs of a trace, where they end, and when its start is exempt."""
    for number, s in enumerate(x for x in routine.body if isinstance(x, ir.Leg)):
        if s.limit is not None:
            yield f"limit{number}", "", [(f"return {m.emit(s.limit)}", s.span)]
        if s.reaches is not None:
            yield f"until{number}", "l_it", [(f"return {m.emit(s.reaches)}", s.span)]
            yield from _all_at_once(m, routine, f"until{number}", "it", s.reaches)
    for number, exempt in enumerate(x for x in routine.body if isinstance(x, ir.Exempt)):
        if exempt.when is not None:
            yield f"exempt{number}", "", [(f"return {m.emit(exempt.when)}", exempt.span)]


def _all_at_once(
    m: RoutineEmitter, routine: Routine, name: str, variable: str, condition: ir.Expression
) -> Iterator[Function]:
    """All places for which a condition of a trace is true: what does not depend on the place is computed once for all of them.

    A trace checks this for the complete map. When each place is explained, they are checked one by one.
    """
    if not m.traced:
        kind = set_of(thing(routine.ground))
        places = ir.AllOf(routine.ground, "", None, type=kind, span=condition.span)
        chosen = ir.Filter(places, variable, condition, type=kind, span=condition.span)
        yield f"{name}_all", "", [(f"return {m.emit(chosen)}", condition.span)]


class _Ahead:
    """Calls that depend only on the mover, which are computed once, in advance.

    movers: the names of the mover; names: what is computed, by its text.
    """

    def __init__(self, movers: set[str]) -> None:
        self.movers = movers
        self.names: dict[str, str] = {}

    def written(self, e: ir.Expression, by: PlainEmitter) -> str | None:
        """The name of such a call."""
        if not isinstance(e, ir.Call) or not hangs_on(e, self.movers):
            return None
        return self.names.setdefault(by.visit(e), f"_h{len(self.names)}")


def _ready(m: RoutineEmitter, routine: Routine) -> None:
    """The costs, bans and halts of a path for one mover, with what depends only on the mover computed in advance."""
    ahead = _Ahead({p.name for p in routine.params})
    within = attrs.evolve(m, elsewhere=ahead)
    names: dict[str, list[str]] = {"costs": [], "never": [], "halting": []}
    body: list[Line] = []
    for name, args, lines in _costs(within, routine):
        names["costs"].append(name)
        body += [(f"def {name}({args}):", routine.span), *((f"    {text}", span) for text, span in lines)]
    for kind, ban in BANS.items():
        for number, s in enumerate(x for x in routine.body if isinstance(x, ban)):
            names[kind].append(f"{kind}{number}")
            body.append((f"def {kind}{number}(l_previous, l_{py(s.place)}): return {within.test(s.when)}", s.span))
    m.text.span = routine.span
    for text, name in ahead.names.items():
        m.put(f"{name} = {text}")
    _put(m, body)
    m.text.span = routine.span
    groups = tables_of(m.rules, routine)
    classes = ", ".join(f"({''.join(m.emit(p) + ', ' for p in group.parts)})" for group in groups.values())
    asked = ", ".join(f"({''.join(n + ', ' for n in group)})" for group in names.values())
    m.put(f"return {asked}, ({classes})")
