"""Several maps at once: one graph whose ids run through all of them, so that boards, paths and traces need not know.

No step leads from one map to another. A scenario on a single map uses that map's own graph, not an atlas.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from attrs import define, field

from interpreter.geometry.place_graph import Around, PlaceGraph


class _Shifted(dict[int, tuple[int, ...]]):
    """Neighbours by id, computed when first needed."""

    def __init__(self, atlas: Atlas) -> None:
        self._atlas = atlas

    def __missing__(self, place: int) -> tuple[int, ...]:
        found = self[place] = self._atlas.adjacent(place)
        return found


@define(init=False, eq=False)
class Atlas(PlaceGraph):
    """Some maps side by side. `parts` are the maps, `starts` the id at which each begins.

    Raises ValueError if two maps have a place with the same label.

    >>> from interpreter.geometry.drawn_graph import DrawnGraph
    >>> from interpreter.geometry.squares import SquareGrid
    >>> atlas = Atlas([SquareGrid(2, 2), DrawnGraph(["North", "South"], [("North", "South")])])
    >>> [atlas.label(place) for place in atlas.neighbours(atlas.index("North"))]
    ['South']
    """

    parts: tuple[PlaceGraph, ...]
    starts: tuple[int, ...]
    _size: int
    _ids: dict[str, int] = field(repr=False)
    _around: _Shifted = field(repr=False)

    def __init__(self, parts: Iterable[PlaceGraph]) -> None:
        self.parts = tuple(parts)
        starts, size = [], 0
        self._ids = {}
        for part in self.parts:
            starts.append(size)
            holes = part.holes
            for place, label in enumerate(part.labels()):
                if place not in holes and self._ids.setdefault(label, size + place) != size + place:
                    raise ValueError(f"Two of the maps have a place {label}: number the places of one map differently.")
            size += len(part)
        self.starts, self._size = tuple(starts), size
        self._around = _Shifted(self)

    def __len__(self) -> int:
        return self._size

    @property
    def holes(self) -> frozenset[int]:
        """The ids that stand for no place."""
        return frozenset(s + hole for s, part in zip(self.starts, self.parts, strict=True) for hole in part.holes)

    def split(self, place: int) -> tuple[int, int]:
        """The number of the map of an id, and the id on that map. Raises IndexError if there is no such id."""
        if not 0 <= place < self._size:
            raise IndexError(f"There is no place with id {place}: these maps have ids 0 to {self._size - 1}.")
        number = bisect_right(self.starts, place) - 1
        while not len(self.parts[number]):
            number -= 1
        return number, place - self.starts[number]

    def label(self, place: int) -> str:
        """The label of an id. Raises IndexError if there is no such id."""
        number, inner = self.split(place)
        return self.parts[number].label(inner)

    def index(self, label: str) -> int:
        """The id of a label. Raises ValueError if no map has such a place."""
        try:
            return self._ids[label]
        except KeyError:
            raise ValueError(f"{label!r} is not a place of these maps.") from None

    @property
    def around(self) -> Around:
        """Neighbours by subscript, each computed when first needed."""
        return self._around

    def adjacent(self, place: int) -> tuple[int, ...]:
        """The neighbours, computed without keeping them."""
        number, inner = self.split(place)
        start = self.starts[number]
        return tuple(start + other for other in self.parts[number].adjacent(inner))

    def distance(self, a: int, b: int) -> int:
        """Steps from one place to another of the same map. Raises ValueError for places of two maps."""
        (first, here), (second, there) = self.split(a), self.split(b)
        if first != second:
            raise ValueError(
                f"{self.label(a)} and {self.label(b)} are on different maps: there is no distance between them."
            )
        return self.parts[first].distance(here, there)

    def within(self, place: int, steps: int) -> list[int]:
        """The ids at most `steps` steps away, ascending."""
        number, inner = self.split(place)
        start = self.starts[number]
        return [start + other for other in self.parts[number].within(inner, steps)]
