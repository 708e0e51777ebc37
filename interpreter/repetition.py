"""Which sets of words nobody counts: then a word that is in one twice need not be carried twice.

`highest letters of s` comes to the same however often each letter was gathered. A value whose every reader asks only such
things (the highest, whether any or every, whether something is there) is gathered without repetitions.
"""

from __future__ import annotations

from collections.abc import Collection
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
    if not found:
        return frozenset()
    others: tuple[Any, ...] = (*binder.triggers, *binder.lasting)
    counted: set[str] = set()
    _count(
        ((*binder.endings.values(), *binder.hints.values()), tuple(attrs.astuple(x, recurse=False) for x in others)),
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
    """The values that a routine asks for where it matters how often something is in them.

    whole: whether that does not matter of what the routine itself comes to.
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
    return {s["name"] for s in body if s.op == "let"}


def _count(part: Any, out: set[str], free: bool = False, names: Collection[str] = (), whole: bool = False) -> None:
    """Notes the values (and, after `let`, the names) that are asked for where it matters how often something is in them.

    free: whether it does not matter here; names: lets for which it does not; whole: whether it does not for the routine.
    """
    if isinstance(part, E):
        op = part.op
        if not free and op == "call":
            out.add(part.args[0])
        elif not free and op == "local":
            out.add(f"let {part.args[0]}")
        for number, arg in enumerate(part.args):
            if isinstance(arg, E | tuple | list | dict):
                _count(arg, out, _is_free(part, number, free), names, whole)
    elif isinstance(part, tuple | list):
        for one in part:
            if one is not None and not isinstance(one, str):
                _count(one, out, free, names, whole)
    elif isinstance(part, S):
        for key, value in part.fields.items():
            if value is None or isinstance(value, str):
                continue
            result = key == "value" and (
                whole if part.op in {"start", "case", "add"} else part.op == "let" and part["name"] in names
            )
            _count(value, out, result, names, whole)
        _count(part.body, out, False, names, whole)
    elif isinstance(part, dict):
        _count(tuple(part.values()), out, free, names, whole)


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
