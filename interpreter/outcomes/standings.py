"""Saved states of a world and some frames, to which they can be set back, and what changes in them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter

import attrs

from interpreter.codegen.reads import ALL
from interpreter.runtime.frames import Frame
from interpreter.runtime.things import Value
from interpreter.world.on_the_way import reactions_of
from interpreter.world.ways import Ways
from interpreter.world.world import World

__all__ = [
    "COLLECTED",
    "FACTS",
    "KeptSlots",
    "KeptThings",
    "SideStanding",
    "facts_of",
    "parts_of",
    "same",
    "slots_kept",
    "slots_of",
]

_STILL = frozenset({"near", "index", "label", "column", "row", "id", "kind"})
"""Attributes of a thing that never change."""


class SideStanding:
    """The state of a world and some frames, which can be restored: the things remain the same objects."""

    def __init__(self, world: World, frames: list[Frame]) -> None:
        self.world = world
        held = [*world.by_id.values(), *([world.game] if world.game is not None else [])]
        self.things = KeptThings(held)
        self.places = KeptThings(world.places)
        self.frames = [KeptSlots(f) for f in [*world.frames.values(), *frames]]
        self.order = dict(world.frames)
        self.queue = list(world.heed.queue) if world.heed is not None else []
        self.options = dict(world.options)
        self.facts = {name: _copied(getattr(world, name)) for name in FACTS}
        self.events = list(world.journal.events)
        self.parts = {name: _copied(getattr(part, name)) for part, names in parts_of(world) for name in names}

    def set_back(self) -> None:
        """Restores everything."""
        world = self.world
        changed = self.places.changed()
        for kept in changed:
            if list(kept.x.things) != list(kept.values["things"]):
                world.stirred.append(kept.x.index)
        for kept in (*self.things.changed(), *changed, *self.frames):
            kept.set_back()
        for name in FACTS:
            if not same(getattr(world, name), self.facts[name]):
                setattr(world, name, _copied(self.facts[name]))
        world.journal.events = list(self.events)
        for part, names in parts_of(world):
            for name in names:
                if not same(getattr(part, name), self.parts[name]):
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
"""Attributes of a world besides its things."""
COLLECTED = ("together", "nested")
"""The changes being collected from simultaneous lines."""
LASTING = ("expiries", "lasting", "lasted", "past", "clock", "begun", "running")
"""Attributes about lasting values and past actions."""


def parts_of(world: World) -> tuple[tuple[object, tuple[str, ...]], ...]:
    """The parts of a world that hold changing state, each with its attributes."""
    return (world.durations, LASTING), (world.effects, COLLECTED)


def facts_of(world: World) -> dict[str, Value]:
    """The state of a world besides its things, by attribute."""
    return {name: getattr(part, name) for part, names in ((world, FACTS), *parts_of(world)) for name in names}


def slots_of(x: object) -> list[str]:
    """The attributes of a thing or frame."""
    slots = getattr(type(x), "__slots__", None)
    return [s for s in (slots if slots is not None else vars(x)) if s not in _STILL and s not in {"memo", "stamp"}]


def slots_kept(x: object) -> dict[str, Value]:
    """The current values of a thing or frame."""
    return {s: _copied(getattr(x, s)) for s in slots_of(x) if hasattr(x, s)}


class KeptSlots:
    """The values of a thing or frame at some moment."""

    def __init__(self, x: Value) -> None:
        self.x = x
        self.values = slots_kept(x)

    def set_back(self) -> None:
        """Restores its values."""
        x = self.x
        for slot in [s for s in slots_of(x) if s not in self.values and hasattr(x, s)]:
            delattr(x, slot)
        for slot, value in self.values.items():
            if not (hasattr(x, slot) and same(getattr(x, slot), value)):
                setattr(x, slot, _copied(value))


class KeptThings:
    """The values of many things at some moment. Most of a map never changes, however often a chance is tried, so all of a type are compared at once."""

    def __init__(self, things: Iterable[Value]) -> None:
        self.kept = [KeptSlots(x) for x in things]
        self.held = frozenset(kept.x for kept in self.kept)
        groups: dict[tuple[type, tuple[str, ...]], list[int]] = {}
        for number, kept in enumerate(self.kept):
            groups.setdefault((type(kept.x), tuple(kept.values)), []).append(number)
        self._alike = [self._group(type_, slots, numbers) for (type_, slots), numbers in groups.items()]

    def _group(self, type_: type, slots: tuple[str, ...], numbers: list[int]) -> _Alike:
        group = [self.kept[n] for n in numbers]
        # Two dicts are equal even if their order differs.
        ordered = [
            n
            for n, k in zip(numbers, group, strict=True)
            if any(isinstance(v, dict) and len(v) > 1 for v in k.values.values())
        ]
        return _Alike(
            _getter_of(type_, slots), numbers, [k.x for k in group], [tuple(k.values.values()) for k in group], ordered
        )

    def changed(self) -> list[KeptSlots]:
        """Those whose values have changed, in the given order."""
        found = {number for group in self._alike for number in group.changed(self.kept)}
        return [self.kept[number] for number in sorted(found)]


@attrs.frozen(slots=True)
class _Alike:
    """Things of one type: their indexes among all, and their values.

    read: reads all slots of one at once, or None if these are not all; ordered: the indexes of those with values whose order matters.
    """

    read: Callable[[object], Value] | None
    numbers: list[int]
    things: list[Value]
    values: list[tuple[Value, ...]]
    ordered: list[int]

    def changed(self, kept: list[KeptSlots]) -> Iterator[int]:
        """The indexes of those whose values have changed."""
        try:
            now = list(map(self.read, self.things)) if self.read is not None else None
        except AttributeError:  # one has fewer values than before
            now = None
        if now is None:
            yield from self.numbers
            return
        if now != self.values:
            yield from (n for n, held, was in zip(self.numbers, now, self.values, strict=True) if held != was)
        for n in self.ordered:
            if not all(same(getattr(kept[n].x, slot), value) for slot, value in kept[n].values.items()):
                yield n


@functools.cache
def _getter_of(type_: type, slots: tuple[str, ...]) -> Callable[[object], Value] | None:
    """Reads all of these at once; None if such a thing or frame can have other attributes."""
    every = [s for s in getattr(type_, "__slots__", ()) if s not in _STILL and s not in {"memo", "stamp"}]
    return attrgetter(*slots) if len(slots) > 1 and list(slots) == every else None


def same(value: Value, was: Value) -> bool:
    """Whether a value is unchanged, including its order."""
    if value != was:
        return False
    if not isinstance(value, dict):
        return True
    return list(value) == list(was) and all(same(x, was[key]) for key, x in value.items() if isinstance(x, dict))


def _copied(value: Value) -> Value:
    if isinstance(value, dict):
        return type(value)({k: _copied(v) for k, v in value.items()})
    if isinstance(value, list):
        return [_copied(v) for v in value]
    return set(value) if isinstance(value, set) else value
