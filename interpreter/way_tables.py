"""What a path asks about a step, taken apart: what hangs on the mover alone, and what else it depends on.

Two movers for which the parts that hang on the mover come to the same (moving by wheel, of this side, not tired) are
answered alike as long as nothing else changes that is read. So the answers can be kept in tables: one for each such class
of movers, filled as places are met.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from dsl.bind import BodyBinder
from dsl.ir import E, Routine
from interpreter.reads import ALL, reads_of

_BINDING = frozenset({"frame", "frame_map", "quantified", "filter", "map"})


@attrs.frozen(slots=True)
class Group:
    """One thing that is asked about steps. parts: what hangs on the mover alone; reads: what else the answer depends on."""

    parts: tuple[E, ...]
    reads: frozenset[str]


def tables_of(binder: BodyBinder, routine: Routine) -> dict[str, Group]:
    """What can be kept in tables of a movement path: its costs, its bans of places, its halts. Empty if nothing can."""
    movers = {p.name for p in routine.params}
    for line in routine.body:
        if line.op == "let":
            if line["when"] is not None or not hangs_on(line["value"], movers):
                return {}
            movers.add(line["name"])
    bans = [s["when"] for s in routine.body if s.op == "never" and not looks_back(s["when"])]
    asked = {
        "costs": [e for s in routine.body if s.op == "costs" for e in (s["when"], s["value"]) if e is not None],
        "never": bans,
        "halting": [s["when"] for s in routine.body if s.op == "halting"],
    }
    found = {}
    for name, questions in asked.items():
        parts = tuple(part for e in questions for part in _parts(e, movers))
        reads = reads_of(binder, [_without(e, movers) for e in questions])
        if ALL in reads:
            return {}
        found[name] = Group(parts, reads)
    return found


def looks_back(e: Any) -> bool:
    """Whether a condition looks at the step from place to place, not at the place alone."""
    if isinstance(e, tuple | list):
        return any(looks_back(a) for a in e)
    return isinstance(e, E) and ((e.op == "local" and e.args[0] == "previous") or looks_back(e.args))


def hangs_on(e: E, movers: set[str]) -> bool:
    """Whether an expression names nothing but these."""
    if e.op == "local":
        return e.args[0] in movers
    if e.op in _BINDING or (e.op == "call" and e.args[1] is not None):
        return False
    return all(hangs_on(a, movers) for a in _inner(e))


def _inner(e: E) -> Iterator[E]:
    for part in e.args:
        for a in part if isinstance(part, tuple | list) else (part,):
            if isinstance(a, E):
                yield a


def _named(e: E, movers: set[str]) -> bool:
    return (e.op == "local" and e.args[0] in movers) or any(_named(a, movers) for a in _inner(e))


def _parts(e: E, movers: set[str]) -> Iterator[E]:
    """The largest expressions in it that hang on the mover alone."""
    if not _named(e, movers):
        return
    if hangs_on(e, movers):
        yield e
        return
    for a in _inner(e):
        yield from _parts(a, movers)


def _without(part: Any, movers: set[str]) -> Any:
    """The same with what hangs on the mover alone as a value that stands there."""
    if isinstance(part, tuple | list):
        return tuple(_without(a, movers) for a in part)
    if not isinstance(part, E):
        return part
    if _named(part, movers) and hangs_on(part, movers):
        return E("const", part.type, (None,))
    return attrs.evolve(part, args=_without(tuple(part.args), movers))
