"""The questions that a path asks about a step, split into what depends on the mover alone, and what else each depends on.

Two movers get the same answers if the parts that depend on the mover have the same values (moves by wheel, of this side, not
tired), as long as nothing else changes that is read. So the answers can be kept in tables: one for each such class
of movers, filled as places are met.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import E, Routine
from interpreter.codegen.reads import ALL, reads_of

_BINDING = (ir.FrameName, ir.FrameEntry, ir.OverSet)


@attrs.frozen(slots=True)
class StepGroup:
    """One question about steps. parts: what depends only on the mover; reads: what else the answer depends on."""

    parts: tuple[E, ...]
    reads: frozenset[str]


def tables_of(rules: BoundRuleset, routine: Routine) -> dict[str, StepGroup]:
    """What can be kept in tables for a movement path: its costs, its bans of places, its halts. Empty if nothing can."""
    movers = {p.name for p in routine.params}
    for line in routine.body:
        if isinstance(line, ir.Let):
            if line.when is not None or not hangs_on(line.value, movers):
                return {}
            movers.add(line.name)
    found = {}
    for name, questions in _asked(routine).items():
        parts = tuple(part for e in questions for part in _parts(e, movers))
        reads = reads_of(rules, [_without(e, movers) for e in questions])
        if ALL in reads:
            return {}
        found[name] = StepGroup(parts, reads)
    return found


def _asked(routine: Routine) -> dict[str, list[E]]:
    """A path's question about an entered place."""
    bans = [s.when for s in routine.body if isinstance(s, ir.Never) and s.when is not None and not looks_back(s.when)]
    return {
        "costs": [e for s in routine.body if isinstance(s, ir.Costs) for e in (s.when, s.value) if e is not None],
        "never": bans,
        "halting": [s.when for s in routine.body if isinstance(s, ir.Halting) and s.when is not None],
    }


def looks_back(e: object) -> bool:
    """Whether a condition depends on the step from place to place, not only on the place."""
    return any(x.name == "previous" for x in ir.find(e, ir.Local))


def hangs_on(e: E, movers: set[str]) -> bool:
    """Whether an expression names nothing but these."""
    if isinstance(e, ir.Local):
        return e.name in movers
    if isinstance(e, _BINDING) or (isinstance(e, ir.Call) and e.frame is not None):
        return False
    return all(hangs_on(a, movers) for a in _inner(e))


def _inner(e: E) -> Iterator[E]:
    return (x for x in ir.inner(e) if isinstance(x, E))


def _named(e: E, movers: set[str]) -> bool:
    return (isinstance(e, ir.Local) and e.name in movers) or any(_named(a, movers) for a in _inner(e))


def _parts(e: E, movers: set[str]) -> Iterator[E]:
    """The largest subexpressions that depend only on the mover."""
    if not _named(e, movers):
        return
    if hangs_on(e, movers):
        yield e
        return
    for a in _inner(e):
        yield from _parts(a, movers)


def _without(part: Any, movers: set[str]) -> Any:
    """The same with the parts that depend only on the mover replaced by their values."""
    if isinstance(part, E) and _named(part, movers) and hangs_on(part, movers):
        return ir.Constant(None, type=part.type)
    return ir.with_inner(part, lambda x: _without(x, movers))
