"""The parts of a game that can be replaced: code that retells a game supplies parts that report to it."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from interpreter.play.host import Asks
from interpreter.play.host_contracts import Ordering
from interpreter.world.positions import Positions
from interpreter.world.world import World
from interpreter.world.world_changes import Effects

__all__ = ["USUAL", "Parts"]


@attrs.frozen
class Parts:
    """How the parts of a world are created when its game begins, and what is done to it first."""

    effects: Callable[[World], Effects] = Effects
    positions: Callable[[World], Positions] = Positions
    host: Callable[[World, Ordering], Asks] = Asks
    prepare: Callable[[World], None] | None = None


USUAL = Parts()
