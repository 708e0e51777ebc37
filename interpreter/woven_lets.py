"""Sets that a `let` names and one line alone asks for, put in that line's place: one loop, not two."""

from __future__ import annotations

from typing import Any

import attrs

from dsl.ir import E, Routine, S


def woven(routine: Routine) -> Routine:
    """The routine with each set that a `let` names and one line asks for in that line's place: one loop, not two."""
    body = routine.body
    for s in body:
        if s.op != "let" or s["when"] is not None or s["value"].op not in {"filter", "map"}:
            continue
        rest = tuple(x for x in body if x is not s)
        if _uses(rest, s["name"]) == 1 and not _bound_again(rest, s["name"]) and not _caught(rest, s["name"], False):
            body = _replaced(rest, s["name"], s["value"])
    return attrs.evolve(routine, body=body) if body is not routine.body else routine


def _bound_again(body: tuple[S, ...], name: str) -> bool:
    return any(s.op == "let" and s["name"] == name for s in body)


def _caught(part: Any, name: str, inside: bool) -> bool:
    """Whether a name is asked for once for each item of something else."""
    if isinstance(part, dict):
        return any(_caught(x, name, inside) for x in part.values())
    if isinstance(part, tuple | list):
        return any(_caught(x, name, inside) for x in part)
    if isinstance(part, S):
        return _caught((part.fields, part.body), name, inside)
    if not isinstance(part, E):
        return False
    if part.op == "local" and part.args[0] == name:
        return inside
    if part.op in {"filter", "map", "quantified"}:
        first, rest = (part.args[1:2], part.args[2:]) if part.op == "quantified" else (part.args[:1], part.args[1:])
        return _caught(first, name, inside) or _caught(rest, name, True)
    return _caught(part.args, name, inside)


def _uses(part: Any, name: str) -> int:
    """How often a name is asked for."""
    if isinstance(part, dict):
        return sum(_uses(x, name) for x in part.values())
    if isinstance(part, tuple | list):
        return sum(_uses(x, name) for x in part)
    if isinstance(part, S):
        return _uses((part.fields, part.body), name)
    if not isinstance(part, E):
        return 0
    return int(part.op == "local" and part.args[0] == name) + _uses(part.args, name)


def _replaced(part: Any, name: str, by: E) -> Any:
    """The same with an expression in the place of a name."""
    if isinstance(part, dict):
        return {k: _replaced(x, name, by) for k, x in part.items()}
    if isinstance(part, tuple):
        return tuple(_replaced(x, name, by) for x in part)
    if isinstance(part, list):
        return [_replaced(x, name, by) for x in part]
    if not _uses(part, name):
        return part
    if isinstance(part, S):
        return attrs.evolve(part, fields=_replaced(part.fields, name, by), body=_replaced(part.body, name, by))
    if isinstance(part, E):
        return by if part.op == "local" else attrs.evolve(part, args=_replaced(part.args, name, by))
    return part
