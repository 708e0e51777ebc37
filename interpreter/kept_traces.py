"""Traces kept right while things move: after a move only the places around it are asked again, and the answer is repaired.

A ban of a declared trace looks at what stands in a place, next to it, or within so many steps of it. How far it looks is
read off its expression here; where that cannot be told, the trace is worked out anew instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from dsl.bind import BodyBinder
from dsl.ir import E, S
from interpreter.routes import Trace
from interpreter.supply_field import SupplyField

if TYPE_CHECKING:
    from interpreter.world import World

FARTHEST = 6
"""A ban that looks farther than this is asked of the whole map again: that is then as quick."""

_NEAR = {"in": 0, "next": 1}


def sight(binder: BodyBinder, part: Any, depth: int = 0) -> int | None:
    """How many steps from the entered place a condition looks for things; None when that cannot be told."""
    if isinstance(part, E):
        return _sight_of(binder, part, depth)
    if isinstance(part, S):
        return _farthest(sight(binder, x, depth) for x in (*part.fields.values(), *part.body))
    if isinstance(part, tuple | list):
        return _farthest(sight(binder, x, depth) for x in part)
    return 0


def _farthest(found: Iterable[int | None]) -> int | None:
    most = 0
    for steps in found:
        if steps is None or steps > FARTHEST:
            return None
        most = max(most, steps)
    return most


def _sight_of(binder: BodyBinder, e: E, depth: int) -> int | None:
    inner = _farthest(sight(binder, a, depth) for a in e.args)
    if inner is None:
        return None
    if e.op in {"things_near", "placed", "places_near", "narrow"}:
        near, arg, amount = e.args[-3:]
        steps = amount.args[0] if near == "within" and amount is not None and amount.op == "const" else _NEAR.get(near)
        around_entered = isinstance(arg, E) and arg.op in {"local", "places_near"}
        if e.op == "narrow" or not isinstance(steps, int) or not around_entered:
            return None
        return inner + steps
    if e.op in {
        "all",
        "members",
        "held",
        "holder",
        "place_of",
        "standing",
        "distance",
        "bearing",
        "direction",
        "line",
        "path_exists",
        "path_cost",
    }:
        return None
    if e.op == "call":
        routine = binder.routines.get(e.args[0])
        plain = all(a.op in {"local", "side_of", "active"} for a in e.args[2])
        if routine is None or e.args[1] is not None or not plain or depth > 8:
            return None
        body = sight(binder, routine.body, depth + 1)
        return None if body is None else inner + body
    return inner


class KeptTrace:
    """One trace of one side (or mover), repaired as things move.

    ground: the kind of place that it leads over. world.stirred logs the places that things came to or left; `at` is how much of the log has been worked in.
    """

    def __init__(self, world: World, trace: Trace, shut: Callable[[Any], bool], steps: int, ground: str) -> None:
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
            self.at = len(stirred)
            asked = [p for p in sorted(around) if places[p].kind == self.ground]
            close = [p for p in asked if self.shut(places[p])]
            self.field.update(close, sorted(set(asked).difference(close)))
        return self.field
