"""Traces kept up to date while things move: after a move only the places around it are checked again, and the answer is repaired.

A ban of a declared trace looks at things in a place, next to it, or within so many steps of it (`codegen/trace_sight.py`). Where
that range is not known, the trace is computed again.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.geometry.supply_field import SupplyField
from interpreter.geometry.traces import Trace
from interpreter.runtime.things import Thing
from interpreter.world.world_contracts import Stirred


class KeptTrace:
    """One trace of one side (or mover), kept up to date as things move.

    ground: the kind of place that it leads over. world.stirred logs the places that things came to or left; `at` is how much of the log has been processed.
    """

    def __init__(self, world: Stirred, trace: Trace, shut: Callable[[Thing], bool], steps: int, ground: str) -> None:
        self.world = world
        self.shut = shut
        self.steps = steps
        self.ground = ground
        self.field = SupplyField(trace)
        self.at = len(world.stirred)

    def catch_up(self) -> SupplyField:
        """The field, updated with every move since the last time."""
        stirred = self.world.stirred
        if self.at < len(stirred):
            places = self.world.places
            around = {p for index in set(stirred[self.at :]) for p in self.world.grid.within(index, self.steps)}
            asked = [p for p in sorted(around) if places[p].kind == self.ground]
            close = [p for p in asked if self.shut(places[p])]
            self.field.update(close, sorted(set(asked).difference(close)))
            self.at = len(stirred)  # only now: the result may depend on something that a side does not know
        return self.field
