"""Drawn maps: named places and the borders between them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import define, field

if TYPE_CHECKING:
    pass
from interpreter.geometry.place_graph import Around, PlaceGraph

__all__ = ["DrawnGraph"]


@define(init=False, eq=False)
class DrawnGraph(PlaceGraph):
    """Places somebody drew: zones, boxes, super-hexes. Ids follow the order of the labels.

    `borders` are pairs of labels; a pair may be given twice or either way round. Raises ValueError for a label given
    twice, a border with an unknown label, or a place that borders itself.

    >>> map = DrawnGraph(["North", "Ford", "South"], [("North", "Ford"), ("Ford", "South")])
    >>> map.distance(map.index("North"), map.index("South"))
    2
    """

    _names: tuple[str, ...]
    _ids: dict[str, int] = field(repr=False)
    _around: tuple[tuple[int, ...], ...] = field(repr=False)
    _far: dict[int, dict[int, int]] = field(repr=False)

    def __init__(self, labels: Iterable[str], borders: Iterable[tuple[str, str]] = ()) -> None:
        self._names = tuple(labels)
        self._ids = {name: place for place, name in enumerate(self._names)}
        if len(self._ids) < len(self._names):
            twice = next(name for place, name in enumerate(self._names) if self._ids[name] != place)
            raise ValueError(f"{twice!r} names two places: give each place a label of its own.")
        around: list[set[int]] = [set() for _ in self._names]
        for first, second in borders:
            a, b = self.index(first), self.index(second)
            if a == b:
                raise ValueError(f"{first!r} cannot border itself.")
            around[a].add(b)
            around[b].add(a)
        self._around = tuple(tuple(sorted(others)) for others in around)
        self._far = {}

    def __len__(self) -> int:
        return len(self._names)

    def label(self, place: int) -> str:
        """The label of an id. Raises IndexError if there is no such id."""
        if not 0 <= place < len(self._names):
            raise IndexError(f"There is no place with id {place}: this map has ids 0 to {len(self) - 1}.")
        return self._names[place]

    def index(self, label: str) -> int:
        """The id of a label. Raises ValueError if the map has no such place."""
        try:
            return self._ids[label]
        except KeyError:
            raise ValueError(f"{label!r} is not a place of this map.") from None

    @property
    def around(self) -> Around:
        """Neighbours by subscript, each computed when first needed."""
        return self._around

    def neighbours(self, place: int) -> tuple[int, ...]:
        """The adjacent ids, ascending. Raises IndexError if there is no such id."""
        self.label(place)
        return self._around[place]

    def steps_from(self, place: int) -> dict[int, int]:
        """Steps to every place that can be reached, nearest first."""
        known = self._far.get(place)
        if known is None:
            known = self._far[place] = super().steps_from(place)
        return known
