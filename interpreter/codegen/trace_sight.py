"""How far the bans of a declared trace look: how many steps from a place things can matter to them."""

from __future__ import annotations

from collections.abc import Iterable

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import E, S

__all__ = ["sight"]

FARTHEST = 6
"""A ban that looks farther than this is checked again for the complete map, which is then just as fast."""

_NEAR = {"in": 0, "next": 1}


def sight(rules: BoundRuleset, part: object, depth: int = 0) -> int | None:
    """Within how many steps of the entered place a condition looks for things; None if that is unknown."""
    if isinstance(part, E):
        return _sight_of(rules, part, depth)
    if isinstance(part, S):
        return _farthest(sight(rules, x, depth) for x in ir.inner(part))
    if isinstance(part, tuple | list):
        return _farthest(sight(rules, x, depth) for x in part)
    return 0


def _farthest(found: Iterable[int | None]) -> int | None:
    most = 0
    for steps in found:
        if steps is None or steps > FARTHEST:
            return None
        most = max(most, steps)
    return most


def _sight_of(rules: BoundRuleset, e: E, depth: int) -> int | None:
    inner = _farthest(sight(rules, x, depth) for x in ir.inner(e))
    if inner is None:
        return None
    if isinstance(e, ir.ThingsNear | ir.IsPlaced | ir.PlacesNear | ir.Near):
        steps = ir.number_in(e.amount) if e.near == "within" else _NEAR.get(e.near)
        around_entered = isinstance(e.place, ir.Local | ir.PlacesNear)
        if isinstance(e, ir.Near) or not isinstance(steps, int) or not around_entered:
            return None
        return inner + steps
    if isinstance(
        e,
        ir.AllOf
        | ir.Members
        | ir.HeldBy
        | ir.HolderOf
        | ir.PlaceOf
        | ir.StandingIn
        | ir.Distance
        | ir.Bearing
        | ir.Direction
        | ir.StraightLine
        | ir.PathExists
        | ir.PathCost,
    ):
        return None
    if isinstance(e, ir.Call):
        routine = rules.routines.get(e.name)
        plain = all(isinstance(a, ir.Local | ir.SideOf | ir.Active) for a in e.arguments)
        if routine is None or e.frame is not None or not plain or depth > 8:
            return None
        body = sight(rules, routine.body, depth + 1)
        return None if body is None else inner + body
    return inner
