"""Sets of words in which nothing counts repetitions: a word that occurs twice need not be kept twice.

`highest letters of s` gives the same result however often each letter was gathered. A value is gathered without repetitions if
all its readers ask only such things (the highest, whether any or every, whether something is there).
"""

from __future__ import annotations

from collections.abc import Collection

import attrs

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import E, Routine, S


def uncounted(rules: BoundRuleset) -> frozenset[str]:
    """The values that are sets of words and in which repetitions of a word do not matter."""
    routines = list(rules.routines.values())
    found = {r.name for r in routines if r.word == "value" and r.type.of is not None and r.type.of.name == "enum"}
    if not found:
        return frozenset()
    others: tuple[attrs.AttrsInstance, ...] = (*rules.triggers, *rules.lasting)
    counted: set[str] = set()
    _count(
        ((*rules.endings.values(), *rules.hints.values()), tuple(attrs.astuple(x, recurse=False) for x in others)),
        counted,
    )
    for routine in routines:
        counted |= _counted_by(routine, routine.name in found)
    while lost := counted & found:
        found -= lost
        for routine in routines:
            if routine.name in lost:
                counted |= _counted_by(routine, whole=False)
    return frozenset(found)


def _counted_by(routine: Routine, whole: bool) -> set[str]:
    """The values used by a routine in which repetitions matter.

    whole: whether repetitions do not matter in the routine's own result.
    """
    parts = (routine.body, routine.clauses)
    plain: set[str] = set()
    _count(parts, plain, whole=whole)
    free = {name for name in _lets(routine.body) if f"let {name}" not in plain}
    if not free:
        return plain
    out: set[str] = set()
    _count(parts, out, names=free, whole=whole)
    return out


def _lets(body: tuple[S, ...]) -> set[str]:
    return {s.name for s in body if isinstance(s, ir.Let)}


def _count(part: object, out: set[str], free: bool = False, names: Collection[str] = (), whole: bool = False) -> None:
    """Records the values (and, after `let`, the names) in which repetitions matter.

    free: whether repetitions do not matter here; names: lets for which they do not; whole: whether they do not for the routine.
    """
    match part:
        case tuple() | list():
            for one in part:
                _count(one, out, free, names, whole)
        case ir.Statement():
            given = part.value if isinstance(part, ir.Start | ir.Case | ir.Add | ir.Let) else None
            freed = part.name in names if isinstance(part, ir.Let) else whole
            for x in ir.inner(part):
                _count(x, out, freed if x is given else False, names, whole)
        case ir.Expression():
            if not free and isinstance(part, ir.Call):
                out.add(part.name)
            elif not free and isinstance(part, ir.Local):
                out.add(f"let {part.name}")
            for x in ir.inner(part):
                _count(x, out, _is_free(part, x, free), names, whole)


def _is_free(e: E, asked: ir.Node, free: bool) -> bool:
    """Whether repetitions do not matter in the values that an expression uses."""
    match e:
        case ir.Aggregate(which=which, base=base):
            return asked is base and which in {"highest", "lowest"}
        case ir.Quantified(quantifier=quantifier, base=base):
            return asked is base and quantifier != "most"
        case ir.IsThere():
            return True
        case ir.Member(base=base):
            return asked is base
        case ir.Filter(base=base) | ir.MapOver(base=base):
            return free and asked is base
        case ir.Together() | ir.LeaveOut():
            return free
    return False
