"""How far a piece can move: the cheapest exact cost of every place within a budget, and the way there.

`reach` asks a function for the cost of each step and takes whole numbers and fractions. `CostLayers` holds the same
costs as tables, for a map searched thousands of times. Both give a `Reach`. What a movement class is called, and who
closes a place, is told by the caller.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from math import floor, lcm

from attrs import field, frozen

from interpreter.hexgrid import Grid, PlaceGraph

CLOSED = -1
"""The entry cost of a place that a movement class may not enter, and of a link it may not use."""

type_cost = int | Fraction
Link = tuple[int, int]


@frozen
class Reach:
    """The places one piece can reach.

    `points` has the cheapest cost of each place id as a whole number of units, `scale` units to a movement point, in
    ascending order of cost; the start is in it at 0. `before` names, for a place, the place one step nearer.
    """

    start: int
    points: Mapping[int, int]
    scale: int
    _before: Callable[[int], int] = field(repr=False, eq=False)

    @property
    def costs(self) -> dict[int, int | Fraction]:
        """The cheapest cost of each place id in movement points: exact, whole wherever it is whole."""
        if self.scale == 1:
            return dict(self.points)
        return {place: _exact(units, self.scale) for place, units in self.points.items()}

    def cost_to(self, place: int) -> int | Fraction:
        """The cheapest cost of a place in movement points. Raises KeyError if it is out of reach."""
        return _exact(self.points[place], self.scale)

    def path_to(self, place: int) -> list[int]:
        """The ids of a cheapest way, from the start to the place, both included.

        Of equally cheap ways, the one that comes, going backwards, from the lowest id each time. Raises KeyError if
        the place is out of reach.
        """
        if place not in self.points:
            raise KeyError(place)
        path = [place]
        while path[-1] != self.start:
            path.append(self._before(path[-1]))
        return path[::-1]


def _exact(units: int, scale: int) -> int | Fraction:
    whole, rest = divmod(units, scale)
    return Fraction(units, scale) if rest else whole


def reach(
    graph: PlaceGraph,
    start: int,
    budget: int | Fraction,
    cost: Callable[[int, int], int | Fraction | None],
    stop: Callable[[int], bool] | None = None,
) -> Reach:
    """Every place that can be reached for at most `budget` movement points.

    Args:
        graph: the map.
        start: the id of the place where the piece stands.
        budget: movement points.
        cost: the exact cost of the step between two adjacent ids, 0 or more, or None if it is closed.
        stop: whether a place ends the move of a piece that enters it. The start may always be left.

    Raises:
        ValueError: a cost is negative.
        TypeError: a cost is not exact, such as a float.
    """
    # Costs are counted in whole units of 1/scale; a cost that does not fit makes all units finer. The order of the
    # queue stands, since every cost in it grows by the same factor.
    scale = _denominator(budget)
    limit = int(budget * scale)
    queue = [(0, start)]
    points: dict[int, int] = {}
    found = {start: 0}
    before: dict[int, int] = {}
    around = graph.around
    while queue:
        spent, here = heappop(queue)
        if here in points:
            continue
        points[here] = spent
        if here != start and stop is not None and stop(here):
            continue
        for there in around[here]:
            if there in points:
                continue
            step = cost(here, there)
            if step is None:
                continue
            if step < 0:
                raise ValueError(f"Entering {graph.label(there)} costs {step}: a cost is never below 0.")
            if scale % _denominator(step):
                finer = lcm(scale, _denominator(step)) // scale
                scale, limit, spent = scale * finer, limit * finer, spent * finer
                queue = [(units * finer, place) for units, place in queue]
                points = {place: units * finer for place, units in points.items()}
                found = {place: units * finer for place, units in found.items()}
            total = spent + int(step * scale)
            known = found.get(there)
            if total <= limit and (known is None or total < known):
                found[there] = total
                before[there] = here
                heappush(queue, (total, there))
            elif total == known and here < before[there]:
                before[there] = here
    return Reach(start, points, scale, before.__getitem__)


def _denominator(value: int | Fraction) -> int:
    if not isinstance(value, int | Fraction):
        raise TypeError(f"{value!r} is not an exact cost: give an int or a Fraction.")
    return value.denominator


@frozen
class CostLayers:
    """The costs of a map as tables, one layer for each movement class.

    Args (costs are whole units, `scale` to a movement point, at least 1, or CLOSED):
        graph: the map.
        entry: movement class -> cost of entering each place by an ordinary step, shape (n,).
        links: movement class -> (from id, to id) -> the cost of that one step instead: roads, rivers, ferries. A
            link works one way; give both ways for a road. It may join places that are not adjacent.

    Raises ValueError for a layer of another size or a cost below 1 (`reach` takes steps that cost nothing).
    """

    graph: PlaceGraph
    entry: Mapping[str, Sequence[int]] = field(repr=False)
    links: Mapping[str, Mapping[Link, int]] = field(repr=False, factory=dict)
    scale: int = field(default=1, kw_only=True)
    _layers: dict[str, "_Layer"] = field(init=False, repr=False, eq=False)

    @_layers.default
    def _build(self) -> dict[str, "_Layer"]:
        return {kind: _Layer(self.graph, costs, self.links.get(kind, {})) for kind, costs in self.entry.items()}

    def reach(
        self,
        start: int,
        budget: int | Fraction,
        kind: str,
        *,
        closed: bytes | bytearray | None = None,
        stop: bytes | bytearray | None = None,
    ) -> Reach:
        """Every place that a piece of movement class `kind` can reach for at most `budget` movement points.

        Args:
            start: the id of the place where the piece stands; it may be closed itself.
            budget: movement points.
            kind: a movement class of `entry`. Raises KeyError if there is none of that name.
            closed: one byte a place, not 0 where it may not be entered, shape (n,): `Boards.flags`.
            stop: one byte a place, not 0 where the move ends, shape (n,). The start may always be left.
        """
        layer = self._layers[kind]
        limit = floor(budget * self.scale)
        points = layer.search(start, limit, closed, stop)

        def before(place: int) -> int:
            target = points[place]
            return min(
                other
                for other in layer.from_where(place)
                if other in points
                and points[other] + layer.step(other, place) == target
                and (other == start or stop is None or not stop[other])
            )

        return Reach(start, points, self.scale, before)
