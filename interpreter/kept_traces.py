"""Traces kept right while things move: after a move only the places around it are asked again, and the answer is repaired.

A ban of a declared trace looks at what stands in a place, next to it, or within so many steps of it. How far it looks is
read off its expression here; where that cannot be told, the trace is worked out anew instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import E, S
from interpreter.geometry.supply_field import SupplyField
from interpreter.geometry.traces import Trace
from interpreter.things import Thing
from interpreter.world_contracts import Stirred

FARTHEST = 6
"""A ban that looks farther than this is asked of the whole map again: that is then as quick."""

_NEAR = {"in": 0, "next": 1}


def sight(rules: BoundRuleset, part: object, depth: int = 0) -> int | None:
    """How many steps from the entered place a condition looks for things; None when that cannot be told."""
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


class KeptTrace:
    """One trace of one side (or mover), repaired as things move.

    ground: the kind of place that it leads over. world.stirred logs the places that things came to or left; `at` is how much of the log has been worked in.
    """

    def __init__(self, world: Stirred, trace: Trace, shut: Callable[[Thing], bool], steps: int, ground: str) -> None:
        self.world = world
        self.shut = shut
        self.steps = steps
        self.ground = ground
        self.field = SupplyField(trace)
        self.at = len(world.stirred)

    def catch_up(self) -> SupplyField:
        """The field with every move since the last time worked in."""
        stirred = self.world.stirred
        if self.at < len(stirred):
            places = self.world.places
            around = {p for index in set(stirred[self.at :]) for p in self.world.grid.within(index, self.steps)}
            asked = [p for p in sorted(around) if places[p].kind == self.ground]
            close = [p for p in asked if self.shut(places[p])]
            self.field.update(close, sorted(set(asked).difference(close)))
            self.at = len(stirred)  # only now: what is asked may rest on what a side does not know
        return self.field
