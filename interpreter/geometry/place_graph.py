"""The places of a map of any shape, and which of them are adjacent.

A place is an int id from 0 to n-1 inside the program and a label ("0304", "Lorraine") for people. This package does not know
what is in a place, what it costs to enter, or who owns it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["Around", "PlaceGraph", "steps_between"]

UNCONNECTED = 10_000
"""The assumed distance of places that no route connects, for putting places in order."""


class Around(Protocol):
    """Neighbours by subscript: place id -> adjacent ids, ascending."""

    def __getitem__(self, place: int, /) -> tuple[int, ...]: ...


class PlaceGraph(ABC):
    """Places with ids and labels, and which of them are adjacent. Adjacency is symmetric, and no place adjoins itself."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int:
        """The number of places, n. Ids run from 0 to n-1."""

    @abstractmethod
    def label(self, place: int) -> str:
        """The label of an id. Raises IndexError if there is no such id."""

    @abstractmethod
    def index(self, label: str) -> int:
        """The id of a label. Raises ValueError, as a sentence for people, if the map has no such place."""

    @property
    @abstractmethod
    def around(self) -> Around:
        """The same as `neighbours`, by subscript: `around[place]`, for inner loops."""

    @property
    def holes(self) -> frozenset[int]:
        """The ids without a place: nothing adjoins them, and no label means one."""
        return frozenset()

    def neighbours(self, place: int) -> tuple[int, ...]:
        """The adjacent ids, ascending. Raises IndexError if there is no such id."""
        return self.around[place]

    def labels(self) -> Iterator[str]:
        """All labels, in the order of their ids."""
        return (self.label(place) for place in range(len(self)))

    def edges(self) -> Iterator[tuple[int, int]]:
        """Every adjacent pair once, as (lower id, higher id), in ascending order."""
        for place in range(len(self)):
            for other in self.adjacent(place):
                if other > place:
                    yield place, other

    def distance(self, a: int, b: int) -> int:
        """The fewest steps from one place to another. Raises ValueError if no route connects them."""
        found = self.steps_from(a).get(b)
        if found is None:
            raise ValueError(
                f"{self.label(a)} and {self.label(b)} are not connected: there is no distance between them."
            )
        return found

    def within(self, place: int, steps: int) -> list[int]:
        """The ids at most `steps` steps away, the place itself included, ascending. Empty if `steps` is negative."""
        return sorted(other for other, far in self.steps_from(place).items() if far <= steps)

    def graph(
        self,
        attributes: Mapping[str, Mapping[str, Any]] | None = None,
        links: Mapping[str, Iterable[tuple[str, str]]] | None = None,
    ) -> nx.Graph[str]:
        """The same map as a networkx graph, for readers, tests and exports.

        Nodes are labels and carry `id` and their `attributes` (label -> name -> value). Every edge
        carries `adjacent` (bool) and `links` (frozenset of link names); `links` gives each link name (such as "road")
        its pairs of labels. A link may join places that are not adjacent. Raises ValueError for an unknown label.
        """
        import networkx as nx  # slow to import, and play does not need it

        built: nx.Graph[str] = nx.Graph()
        names = list(self.labels())
        holes = self.holes
        for place, name in enumerate(names):
            if place not in holes:
                built.add_node(name, id=place)
        for a, b in self.edges():
            built.add_edge(names[a], names[b], adjacent=True, links=frozenset())
        for name, values in (attributes or {}).items():
            built.nodes[self.label(self.index(name))].update(values)
        for link, pairs in (links or {}).items():
            for first, second in pairs:
                here, there = self.label(self.index(first)), self.label(self.index(second))
                if not built.has_edge(here, there):
                    built.add_edge(here, there, adjacent=False, links=frozenset())
                built.edges[here, there]["links"] |= {link}
        return built

    def adjacent(self, place: int) -> tuple[int, ...]:
        """The neighbours, computed without keeping them: for walks over the complete map. The id is not checked."""
        return self.around[place]

    def steps_from(self, place: int) -> dict[int, int]:
        """Steps to every place that can be reached, nearest first."""
        self.label(place)
        steps = {place: 0}
        queue = deque([place])
        while queue:
            here = queue.popleft()
            far = steps[here] + 1
            for other in self.neighbours(here):
                if other not in steps:
                    steps[other] = far
                    queue.append(other)
        return steps


def steps_between(graph: PlaceGraph, a: int, b: int) -> int:
    """The distance of two places; very far if no route connects them, or on different maps."""
    try:
        return int(graph.distance(a, b))
    except ValueError:
        return UNCONNECTED
