"""The geometry of a world: distances, lines, bearings, edges, links and what lies between places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Protocol

import attrs

from dsl.data.map_data import between_label
from interpreter.geometry.atlas import Atlas
from interpreter.geometry.grid import Grid
from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.place_graph import PlaceGraph
from interpreter.geometry.squares import SquareGrid
from interpreter.runtime.exact_numbers import Number, normal
from interpreter.runtime.runtime import RuleTrouble, Unconnected
from interpreter.runtime.things import Thing

MOST_FAR = 200_000
"""The most distances that are kept."""

MOST_AROUND = 20_000
"""The most sets of places around a place that are kept."""


@attrs.define(slots=True)
class Sheet:
    """One map of a world: the kind of its places and the ids from `start` up to, not including, `end`.

    shape: hex, square, drawn, or between for the places between neighbours of another map.
    """

    name: str
    title: str
    kind: str
    shape: str
    low: str
    start: int
    end: int


class Mapped(Protocol):
    """The maps of a world. ends: for each place between two others, those two."""

    grid: PlaceGraph
    places: list[Thing]
    by_label: dict[str, Thing]
    links: dict[str, dict[tuple[int, int], str]]
    linked_places: dict[str, set[int]]
    ends: dict[int, list[Thing]]


class Ground:
    """Answers questions about the maps of a world."""

    def __init__(self, world: Mapped) -> None:
        self.world = world
        self.far: dict[tuple[int, int], int] = {}
        """Distances computed so far, by the ids of both places: maps do not change."""
        self.nearby: dict[tuple[int, int], tuple[Thing, ...]] = {}
        """The places within so many steps of a place computed so far, by its id and the steps."""
        self.between: dict[tuple[str, int], tuple[Thing, ...]] = {}
        """The places between one and its neighbours computed so far, by their kind and its id."""

    def distance(self, a: Thing | None, b: Thing | None) -> int:
        """Steps from one thing or place to another. Raises RuleTrouble for one that is off the map."""
        if a is None or b is None:
            raise RuleTrouble("There is no distance to or from something that is off the map.")
        first, second = a.place, b.place
        if first is None or second is None:
            raise RuleTrouble(f"{(a if first is None else b).name} is off the map, so there is no distance to it.")
        key = first.index, second.index
        known = self.far.get(key)
        if known is None:
            try:
                known = self.world.grid.distance(*key)
            except ValueError as error:
                raise Unconnected(str(error)) from None
            if len(self.far) >= MOST_FAR:
                self.far.clear()
            self.far[key] = known
        return known

    def within(self, x: Thing, steps: Number) -> list[Thing]:
        """The places within so many steps of a thing or place."""
        return list(self._within(x, steps))

    def _within(self, x: Thing, steps: Number) -> tuple[Thing, ...]:
        if x.place is None:
            return ()
        key = x.place.index, int(steps)
        known = self.nearby.get(key)
        if known is None:
            if len(self.nearby) >= MOST_AROUND:
                self.nearby.clear()
            known = self.nearby[key] = tuple([self.world.places[i] for i in self.world.grid.within(*key)])
        return known

    def within_any(self, things: Iterable[Thing], steps: Number) -> list[Thing]:
        """The places within so many steps of any of several things."""
        found: dict[Thing, None] = {}
        for x in things:
            found.update(dict.fromkeys(self._within(x, steps)))
        return list(found)

    def stands_within(self, x: Thing, steps: Number, things: Sequence[Thing]) -> bool:
        """Whether a thing is in a place within so many steps of any of several things."""
        here = x.place
        return any(here in self._within(one, steps) for one in things)

    def lies_within(self, x: Thing, steps: Number, things: Sequence[Thing]) -> bool:
        """The same for a thing in a place, or in a place within it."""
        for one in things:
            near, here = self._within(one, steps), x.place
            while here is not None:
                if here in near:
                    return True
                here = here.holder
        return False

    def linked(self, link: str, a: Thing | None, b: Thing | None) -> bool:
        """Whether a link joins two neighbouring places, or the places of things."""
        if a is None or b is None or a.place is None or b.place is None:
            return False
        return (a.place.index, b.place.index) in self.world.links.get(link, ())

    def link_from(self, link: str, a: Thing | None, b: Thing | None) -> str | None:
        """The sort of link that joins two places; None if none does, or one of them is absent."""
        if a is None or b is None or a.place is None or b.place is None:
            return None
        return self.world.links.get(link, {}).get((a.place.index, b.place.index))

    def place_between(self, kind: str, a: Thing | None, b: Thing | None) -> Thing | None:
        """The place between two neighbours; None when they are not next to each other."""
        if a is None or b is None or a.place is None or b.place is None or b.place not in a.place.near:
            return None
        found = self.world.by_label.get(between_label(a.place.label, b.place.label))
        return found if found is not None and found.kind == kind else None

    def places_between(self, kind: str, a: Thing) -> list[Thing]:
        """The places between a place and its neighbours."""
        if a.place is None:
            return []
        key = kind, a.place.index
        known = self.between.get(key)
        if known is None:
            found = (self.place_between(kind, a, b) for b in a.place.near)
            known = self.between[key] = tuple(x for x in found if x is not None)
        return list(known)

    def line(self, a: Thing, b: Thing) -> list[Thing]:
        """The places between two others on the straight line, in order; both where the line runs along a side.

        Raises RuleTrouble for what is off the map, and for maps that have no straight lines.
        """
        number, graph, here, there = self._on_one_map(a, b)
        if not isinstance(graph, Grid):
            raise RuleTrouble(f"There is no straight line from {a.name} to {b.name}: their map has no grid.")
        return [self.world.places[number + i] for i in graph.line(here, there)]

    def bearing(self, a: Thing, b: Thing) -> Number:
        """The bearing from one thing or place to another in degrees clockwise from north, exact to a hundredth."""
        _, graph, here, there = self._on_one_map(a, b)
        if here == there or not isinstance(graph, Grid):
            raise RuleTrouble(f"There is no bearing from {a.name} to {b.name}.")
        return normal(Fraction(round(graph.bearing(here, there) * 100) % 36000, 100))

    def direction(self, a: Thing, b: Thing) -> int:
        """The side of a place through which the line to another leaves it: 0 is north, counted clockwise."""
        _, graph, _, _ = self._on_one_map(a, b)
        bearing = self.bearing(a, b)
        sides = 6 if isinstance(graph, HexGrid) else 8 if isinstance(graph, SquareGrid) and graph.diagonals else 4
        return int(-((360 - bearing * 2 * sides) // 720)) % sides

    def on_edge(self, edge: str, x: Thing) -> bool:
        """Whether a thing is on that edge of its map: north, east, south, west or any."""
        if x.place is None:
            return False
        graph, inner = self._part(x.place.index)[1:]
        if not isinstance(graph, Grid):
            return False
        rows, holes = graph.rows, graph.holes
        row = inner % rows
        beyond = {
            "west": range(row, inner, rows),
            "north": range(inner - row, inner),
            "east": range(inner + rows, graph.columns * rows, rows),
            "south": range(inner + 1, inner - row + rows),
        }
        found = {name: holes.issuperset(places) for name, places in beyond.items()}
        return any(found.values()) if edge == "any" else found[edge]

    def _part(self, index: int) -> tuple[int, PlaceGraph, int]:
        """The first id of the map of an id, that map, and the id on it."""
        if isinstance(self.world.grid, Atlas):
            number, inner = self.world.grid.split(index)
            return self.world.grid.starts[number], self.world.grid.parts[number], inner
        return 0, self.world.grid, index

    def _on_one_map(self, a: Thing, b: Thing) -> tuple[int, PlaceGraph, int, int]:
        first, second = a.place, b.place
        if first is None or second is None:
            raise RuleTrouble(f"{(a if first is None else b).name} is off the map.")
        start, graph, here = self._part(first.index)
        other, _, there = self._part(second.index)
        if start != other:
            raise RuleTrouble(f"{a.name} and {b.name} are on different maps.")
        return start, graph, here, there

    def ends_of(self, between: Thing) -> list[Thing]:
        """The two neighbours that a place is between."""
        return self.world.ends[between.index]

    def on_link(self, link: str, x: Thing) -> bool:
        """Whether a thing is in a place that a link touches."""
        return x.place is not None and x.place.index in self.world.linked_places.get(link, ())
