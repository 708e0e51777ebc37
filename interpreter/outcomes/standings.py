"""Standings: a world and some frames as they stand, to be set back to, and what changes of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from operator import attrgetter

from interpreter.codegen.reads import ALL
from interpreter.runtime.frames import Frame
from interpreter.runtime.things import Value
from interpreter.world.on_the_way import reactions_of
from interpreter.world.ways import Ways
from interpreter.world.world import World

__all__ = ["COLLECTED", "FACTS", "KeptSlots", "SideStanding", "facts_of", "parts_of", "slots_kept", "slots_of"]

_STILL = frozenset({"near", "index", "label", "column", "row", "id", "kind"})
"""What never changes of a thing."""


class SideStanding:
    """A world and some frames as they stand, to be set back to: the things stay the same things."""

    def __init__(self, world: World, frames: list[Frame]) -> None:
        self.world = world
        held = [*world.by_id.values(), *([world.game] if world.game is not None else [])]
        self.things = [KeptSlots(x) for x in held]
        self.places = [KeptSlots(p) for p in world.places]
        self.frames = [KeptSlots(f) for f in [*world.frames.values(), *frames]]
        self.order = dict(world.frames)
        self.queue = list(world.heed.queue) if world.heed is not None else []
        self.options = dict(world.options)
        self.facts = {name: _copied(getattr(world, name)) for name in FACTS}
        self.events = list(world.journal.events)
        self.parts = {name: _copied(getattr(part, name)) for part, names in parts_of(world) for name in names}

    def set_back(self) -> None:
        """Makes everything as it was."""
        world = self.world
        for kept in self.places:
            if list(kept.x.things) != list(kept.values["things"]):
                world.stirred.append(kept.x.index)
        for group in (self.things, self.places, self.frames):
            for kept in group:
                kept.set_back()
        for name, value in self.facts.items():
            setattr(world, name, _copied(value))
        world.journal.events = list(self.events)
        for part, names in parts_of(world):
            for name in names:
                setattr(part, name, _copied(self.parts[name]))
        if world.options != self.options:
            world.rulings.amend(self.options)
        world.frames = dict(self.order)
        world.ways = Ways(world)
        world.heed = reactions_of(world)
        if world.heed is not None:
            world.heed.queue = list(self.queue)
        world.touch(ALL)
        world.moves += 1
        for kept in self.frames:
            kept.x.memo = {}


FACTS = (
    "by_kind", "by_id", "turn", "active", "phases", "over", "winner", "closing", "rounds", "memory",
)  # fmt: skip
"""What a world knows besides its things."""
COLLECTED = ("together", "nested")
"""What is being collected of lines that are done together."""
LASTING = ("expiries", "lasting", "lasted", "past", "clock", "begun", "running")
"""What it knows of what lasts and of what was done."""


def parts_of(world: World) -> tuple[tuple[object, tuple[str, ...]], ...]:
    """The parts of a world that hold what changes, each with the names that it has there."""
    return (world.durations, LASTING), (world.effects, COLLECTED)


def facts_of(world: World) -> dict[str, Value]:
    """What a world knows besides its things, by the names that it has there."""
    return {name: getattr(part, name) for part, names in ((world, FACTS), *parts_of(world)) for name in names}


def slots_of(x: object) -> list[str]:
    """The names of what a thing or frame holds."""
    slots = getattr(type(x), "__slots__", None)
    return [s for s in (slots if slots is not None else vars(x)) if s not in _STILL and s not in {"memo", "stamp"}]


def slots_kept(x: object) -> dict[str, Value]:
    """What a thing or frame holds now."""
    return {s: _copied(getattr(x, s)) for s in slots_of(x) if hasattr(x, s)}


class KeptSlots:
    """What a thing or frame held at some moment. Most of a map never changes, however often a chance is tried."""

    def __init__(self, x: Value) -> None:
        self.x = x
        self.values = slots_kept(x)
        self._all = tuple(self.values.values())
        self._read = _getter_of(x.__class__, tuple(self.values))
        self._ordered = [s for s, value in self.values.items() if isinstance(value, dict) and len(value) > 1]

    def still(self) -> bool:
        """Whether it holds the same now."""
        if self._read is None:
            return False
        try:
            if self._read(self.x) != self._all:
                return False
        except AttributeError:
            return False
        return all(list(getattr(self.x, s)) == list(self.values[s]) for s in self._ordered)

    def set_back(self) -> None:
        """Makes it hold what it held."""
        if self.still():
            return
        for slot in [s for s in slots_of(self.x) if s not in self.values and hasattr(self.x, s)]:
            delattr(self.x, slot)
        for slot, value in self.values.items():
            setattr(self.x, slot, _copied(value))


@functools.cache
def _getter_of(type_: type, slots: tuple[str, ...]) -> Callable[[object], Value] | None:
    """Reads all of these at once; None where they are not all that such a thing or frame can hold."""
    every = [s for s in getattr(type_, "__slots__", ()) if s not in _STILL and s not in {"memo", "stamp"}]
    return attrgetter(*slots) if len(slots) > 1 and list(slots) == every else None


def _copied(value: Value) -> Value:
    if isinstance(value, dict):
        return type(value)({k: _copied(v) for k, v in value.items()})
    if isinstance(value, list):
        return [_copied(v) for v in value]
    return set(value) if isinstance(value, set) else value
