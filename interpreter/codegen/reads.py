"""What a path depends on: the fields and facts that its expressions read. Its result is recomputed only when one of them changes.

The world counts changes by name: a field by its attribute, and the facts below. The sum of the counts of everything that is read
stays the same exactly as long as none of it changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import E, Rests
from dsl.rules.notation import attribute

MOVES = "@moves"
"""Things moved, came or went."""
ACTIVE = "@active"
"""Another side became the acting one."""
TURN = "@turn"
"""A turn began."""
PHASE = "@phase"
"""A phase or step began or ended."""
PAST = "@past"
"""Something was done that a rule may ask for."""
ENTRY = "@entry"
"""A thing took another entry of a list."""
ALL = "@all"
"""Anything may have changed."""

_NAMED = {Rests.ACTIVE: ACTIVE, Rests.TURN: TURN, Rests.PHASE: PHASE, Rests.ENTRY: ENTRY}


def reads_of(rules: BoundRuleset, parts: object) -> frozenset[str]:
    """The names whose changes matter to these expressions or statements; with ALL if that is unknown."""
    out: set[str] = set()
    _read(rules, parts, out, set())
    return frozenset({ALL}) if ALL in out else frozenset(out)


def _read(rules: BoundRuleset, parts: object, out: set[str], seen: set[str]) -> None:
    for x in ir.walk(parts):
        if isinstance(x, E):
            out.update(_counted(rules, x))
        if isinstance(x, ir.Called) and x.name not in seen:
            seen.add(x.name)
            routine = rules.routines.get(x.name)
            if routine is None:
                out.add(ALL)
            else:
                _read(rules, routine.body, out, seen)


def _counted(rules: BoundRuleset, e: E) -> Iterator[str]:
    """The name that is counted when something that an expression reads directly changes."""
    match e.RESTS_ON:
        case Rests.NOTHING:
            return
        case Rests.FIELD if isinstance(e, ir.Field):
            yield "name" if e.name == "name" else attribute(e.name)
        case Rests.POSITION:
            yield MOVES
        case Rests.PAST if isinstance(e, ir.HasDone):  # past actions depend on the end of their period
            yield from (PAST, TURN) if e.period == "turn" else (PAST, TURN, PHASE)
        case Rests.PLACED:
            if any(isinstance(x, E) and not _is_place(rules, x) for x in ir.inner(e)):
                yield MOVES
        case Rests.CALLS:
            if isinstance(e, ir.Call) and e.frame is not None:
                yield ALL
        case known:
            yield _NAMED.get(known, ALL)


def _is_place(rules: BoundRuleset, e: E) -> bool:
    """Whether an expression is a place, or a plain number: places do not move."""
    if e.type.name == "number":
        return True
    type_ = e.type.of if e.type.name == "set" and e.type.of is not None else e.type
    return type_.name == "thing" and rules.ruleset.kinds[type_.word].word == "place"
