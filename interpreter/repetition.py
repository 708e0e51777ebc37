"""Which sets of words nobody counts: then a word that is in one twice need not be carried twice.

`highest letters of s` comes to the same however often each letter was gathered. A value whose every reader asks only such
things (the highest, whether any or every, whether something is there) is gathered without repetitions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from dsl.bind import BodyBinder
from dsl.ir import E, Routine, S

_TESTED = {"there": 0, "member": 1, "quantified": 1}
"""Operations that do not care how often something is in a set, and which of their arguments the set is."""


def uncounted(binder: BodyBinder) -> frozenset[str]:
    """The values that are sets of words and of which nothing asks how often a word is in them."""
    routines = list(binder.routines.values())
    found = {r.name for r in routines if r.word == "value" and r.type.of is not None and r.type.of.name == "enum"}
    others: tuple[Any, ...] = (*binder.triggers, *binder.lasting)
    outside = (tuple(binder.endings.values()), tuple(attrs.astuple(x, recurse=False) for x in others))
    while found:
        counted = {name for name in _counted(outside, False, set()) if name in found}
        for routine in routines:
            counted |= _counted_by(routine, found) & found
        if not counted:
            break
        found -= counted
    return frozenset(found)


def _counted_by(routine: Routine, found: set[str]) -> set[str]:
    free = {name for name in _lets(routine.body) if not _local_counted(routine, name, found)}
    return set(_counted((routine.body, routine.clauses), False, free, routine.name in found))


def _lets(body: tuple[S, ...]) -> set[str]:
    return {s["name"] for s in body if s.op == "let"}


def _local_counted(routine: Routine, name: str, found: set[str]) -> bool:
    """Whether something in a routine asks how often a thing is in the set that a `let` names."""
    return f"let {name}" in set(_counted((routine.body, routine.clauses), False, set(), routine.name in found))


def _counted(part: Any, free: bool, names: set[str], whole: bool = False) -> Iterator[str]:
    """The values (and, after `let`, the names) that are asked for where it matters how often something is in them.

    free: whether it does not matter here; names: lets for which it does not; whole: whether it does not for the routine.
    """
    if isinstance(part, dict):
        part = tuple(part.values())
    if isinstance(part, tuple | list):
        for one in part:
            yield from _counted(one, free, names, whole)
    elif isinstance(part, S):
        for key, value in part.fields.items():
            result = key == "value" and (
                whole if part.op in {"start", "case", "add"} else part.op == "let" and part["name"] in names
            )
            yield from _counted(value, result, names, whole)
        yield from _counted(part.body, False, names, whole)
    elif isinstance(part, E):
        if part.op == "call" and not free:
            yield part.args[0]
        elif part.op == "local" and not free:
            yield f"let {part.args[0]}"
        for number, arg in enumerate(part.args):
            yield from _counted(arg, _is_free(part, number, free), names, whole)


def _is_free(e: E, number: int, free: bool) -> bool:
    if e.op == "aggregate":
        return number == 1 and e.args[0] in {"highest", "lowest"}
    if e.op == "quantified":
        return number == 1 and e.args[0] != "most"
    if e.op in _TESTED:
        return number == _TESTED[e.op]
    if e.op in {"filter", "map"}:
        return free and number == 0
    return free and e.op in {"union", "except"}
