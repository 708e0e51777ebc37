"""A set that a `let` names and only one line uses is moved into that line: one loop instead of two."""

from __future__ import annotations

from typing import Any

import attrs

from dsl import ir
from dsl.ir import E, Routine, S


def woven(routine: Routine) -> Routine:
    """The routine with each set that a `let` names and only one line uses moved into that line: one loop, not two."""
    body = routine.body
    for s in body:
        if not isinstance(s, ir.Let) or s.when is not None or not isinstance(s.value, ir.Filter | ir.MapOver):
            continue
        rest = tuple(x for x in body if x is not s)
        if _uses(rest, s.name) == 1 and not _bound_again(rest, s.name) and not _caught(rest, s.name, False):
            body = _replaced(rest, s.name, s.value)
    return attrs.evolve(routine, body=body) if body is not routine.body else routine


def _bound_again(body: tuple[S, ...], name: str) -> bool:
    return any(isinstance(s, ir.Let) and s.name == name for s in body)


def _caught(part: object, name: str, inside: bool) -> bool:
    """Whether a name is used once for each item of something else."""
    if isinstance(part, tuple):
        return any(_caught(x, name, inside) for x in part)
    if isinstance(part, ir.Local):
        return inside and part.name == name
    if not isinstance(part, E | S):
        return False
    base = part.base if isinstance(part, ir.OverSet) else None
    return any(_caught(x, name, inside or (base is not None and x is not base)) for x in ir.inner(part))


def _uses(part: object, name: str) -> int:
    """How often a name is used."""
    return sum(x.name == name for x in ir.find(part, ir.Local))


def _replaced(part: Any, name: str, by: E) -> Any:
    """The same with a name replaced by an expression."""
    return ir.transform(part, lambda x: by if isinstance(x, ir.Local) and x.name == name else x)
