"""Boards drawn once: the places of some maps before anything is placed on them, copied for every new world."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from dsl.rules.notation import attribute
from dsl.rules.ruleset import Ruleset
from interpreter.codegen.emitted_code import compiled, defined
from interpreter.geometry.place_graph import PlaceGraph
from interpreter.geometry.traces import Links
from interpreter.runtime.things import BASE, Thing
from interpreter.world.changed_places import PlaceStart, starts
from interpreter.world.ground import Sheet
from interpreter.world.world import World

MOST_COPIED = 20_000
"""A board with more places is created every time: keeping a copy would take too much memory."""


@attrs.frozen(slots=True, eq=False)
class Drawing:
    """A board. places: must never be changed, since all worlds copy them; no world changes the rest."""

    classes: dict[str, type]
    places: tuple[Thing, ...]
    near: tuple[tuple[int, ...], ...]
    held: tuple[tuple[int, int], ...]
    copiers: dict[str, Callable[[Thing], Thing]]
    grid: PlaceGraph
    maps: tuple[Sheet, ...]
    ends: dict[int, tuple[int, ...]]
    links: dict[str, dict[tuple[int, int], str]]
    link_graph: Links
    linked_places: dict[str, set[int]]
    started: dict[str, PlaceStart]

    def put_into(self, world: World) -> None:
        """Gives a world that has no map yet the places of this board."""
        copiers = self.copiers
        made = [copiers[place.kind](place) for place in self.places]
        for place, near in zip(made, self.near, strict=True):
            place.near = tuple([made[i] for i in near])
            world.places.append(place)
            if place.label:
                world.by_kind[place.kind].append(place)
                world.maker.chart(place)
        for part, whole in self.held:
            made[part].holder = made[whole]
            made[whole].members.append(made[part])
        world.grid, world.link_graph = self.grid, self.link_graph
        world.maps += self.maps
        world.links, world.linked_places, world.started = self.links, self.linked_places, self.started
        world.ends = {place: [made[i] for i in ends] for place, ends in self.ends.items()}


def drawn(world: World) -> Drawing | None:
    """The board of a world with nothing on it yet; None if places name things, or there are too many of them."""
    places = tuple(world.places)
    if len(places) > MOST_COPIED or any(map(_names_things, places)):
        return None
    held = [(part, whole) for whole in places for part in whole.members]
    if any(x.index < 0 for pair in held for x in pair):
        return None
    return Drawing(
        world.classes,
        places,
        tuple(tuple(x.index for x in place.near) for place in places),
        tuple((part.index, whole.index) for part, whole in held),
        {kind: _copier(world.ruleset, world.classes[kind], kind) for kind in {place.kind for place in places}},
        world.grid,
        tuple(world.maps),
        {place: tuple(x.index for x in ends) for place, ends in world.ends.items()},
        world.links,
        world.link_graph,
        world.linked_places,
        starts(world.ruleset, places),
    )


def _names_things(place: Thing) -> bool:
    fields = [getattr(place, slot) for slot in type(place).__slots__ if slot not in BASE]
    return any(hasattr(x, "members") for field in fields for x in (field if isinstance(field, list) else [field]))


def _copier(ruleset: Ruleset, made: type[Thing], kind: str) -> Callable[[Thing], Thing]:
    """A function that copies a place except its neighbours: generated as code, since every example copies every place."""
    own = {"place": "q", "things": "{}", "members": "[]", "known": "set()", "near": "None", "holder": "None"}
    sets = [attribute(f.name) for f in ruleset.kinds[kind].fields.values() if f.type.name == "set"]
    own |= {slot: f"p.{slot}[:] if type(p.{slot}) is list else p.{slot}" for slot in sets}
    lines = [f"    q.{slot} = {own.get(slot, f'p.{slot}')}" for slot in made.__slots__]
    text = "\n".join(["def copy(p):", "    q = new(made)", *lines, "    return q"])
    space: dict[str, object] = {"new": made.__new__, "made": made, "type": type, "list": list, "set": set}
    copy: Callable[[Thing], Thing] = defined(compiled(text, (), "<copier>"), space)["copy"]
    return copy
