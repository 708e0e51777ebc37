"""How far a piece can move: the cheapest exact cost of every place within a budget, and the route there.

`reach` calls a function for the cost of each step, and accepts integers and fractions. The caller says which places are closed.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from heapq import heappop, heappush
from math import floor, lcm

from attrs import field, frozen

from interpreter.geometry.place_graph import PlaceGraph


@frozen
class Reach:
    """The places one piece can reach.

    `points` has the cheapest cost of each place id as a whole number of units, `scale` units to a movement point;
    the start is in it at 0. `through`, if steps may end a move, has those of the places from which it can continue,
    which may cost more to reach in this way; None if only the place ends a move.
    """

    start: int
    points: Mapping[int, int]
    scale: int
    _before: Callable[[int], int] = field(repr=False, eq=False)
    through: Mapping[int, int] | None = field(default=None, repr=False, eq=False)
    _through_before: Callable[[int], int] | None = field(default=None, repr=False, eq=False)

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
        """The ids of a cheapest route, from the start to the place, both included.

        Among equally cheap routes, the one that, going backwards, comes from the lowest id each time. Raises KeyError if
        the place is out of reach.
        """
        return self._path(place, self.points, self._before)

    def cost_through(self, place: int) -> int | Fraction:
        """The cheapest cost of a place from which the move can continue. Raises KeyError if it cannot continue from there."""
        return _exact((self.points if self.through is None else self.through)[place], self.scale)

    def path_through(self, place: int) -> list[int]:
        """Like `path_to`, the cheapest route from which the move can continue."""
        if self.through is None or self._through_before is None:
            return self.path_to(place)
        return self._path(place, self.through, self._through_before)

    def _path(self, place: int, known: Mapping[int, int], before: Callable[[int], int]) -> list[int]:
        if place not in known:
            raise KeyError(place)
        path = [place]
        while path[-1] != self.start:
            path.append(before(path[-1]))
            before = self._through_before or before
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
        start: the id of the piece's place.
        budget: movement points.
        cost: the exact cost of the step between two adjacent ids, 0 or more, or None if it is closed.
        stop: whether a place ends the move of a piece that enters it. The start may always be left.

    Raises:
        ValueError: a cost is negative.
        TypeError: a cost is not exact, such as a float.
    """
    # Costs are counted in whole units of 1/scale; a cost that does not fit makes all units finer. The order of the
    # queue stays valid, since every cost in it grows by the same factor.
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
                raise ValueError(f"Entering {graph.label(there)} costs {step}, but a cost cannot be below 0.")
            if type(step) is not int and scale % _denominator(step):
                finer = lcm(scale, _denominator(step)) // scale
                scale, limit, spent = scale * finer, limit * finer, spent * finer
                queue = _queue_in_finer(queue, finer)
                points, found = _in_finer(points, finer), _in_finer(found, finer)
            total = spent + (step * scale if type(step) is int else int(step * scale))
            known = found.get(there)
            if total <= limit and (known is None or total < known):
                found[there] = total
                before[there] = here
                heappush(queue, (total, there))
            elif total == known and here < before[there]:
                before[there] = here
    return Reach(start, points, scale, before.__getitem__)


def reach_by_steps(
    graph: PlaceGraph,
    start: int,
    budget: int | Fraction,
    cost: Callable[[int, int], int | Fraction | None],
    ends: Callable[[int, int], bool],
) -> Reach:
    """The same as `reach` if the step into a place may end the move, whatever other routes lead there.

    ends: whether a step ends the move in the place that it enters.
    """
    # Every place counts as two: entered so that the move continues, and entered by a step that ends it. Only the first
    # is continued from; the cost of the place itself is the lower of both.
    scale = _denominator(budget)
    limit = int(budget * scale)
    queue = [(0, start)]
    through: dict[int, int] = {}
    found, ended = {start: 0}, dict[int, int]()
    before: dict[int, int] = {}
    ended_before: dict[int, int] = {}
    while queue:
        spent, here = heappop(queue)
        if here in through:
            continue
        through[here] = spent
        for there in graph.around[here]:
            if through.get(there, spent) < spent:
                continue  # it costs less already, however this step would end
            step = cost(here, there)
            if step is None:
                continue
            if step < 0:
                raise ValueError(f"Entering {graph.label(there)} costs {step}, but a cost cannot be below 0.")
            if type(step) is not int and scale % _denominator(step):
                finer = lcm(scale, _denominator(step)) // scale
                scale, limit, spent = scale * finer, limit * finer, spent * finer
                queue = _queue_in_finer(queue, finer)
                through, found, ended = (_in_finer(known, finer) for known in (through, found, ended))
            total = spent + int(step * scale)
            if total > limit or there == start:
                continue
            last = ends(here, there)
            costs, ways = (ended, ended_before) if last else (found, before)
            known = costs.get(there)
            if known is None or total < known:
                costs[there], ways[there] = total, here
                if not last:
                    heappush(queue, (total, there))
            elif total == known and here < ways[there] and (last or there not in through):
                ways[there] = here

    def came_from(place: int) -> int:
        ways = [
            (costs[place], comes[place])
            for costs, comes in ((through, before), (ended, ended_before))
            if place in comes and place in costs
        ]
        return min(ways)[1]

    return Reach(start, _cheaper_of(through, ended), scale, came_from, through, before.__getitem__)


def _queue_in_finer(queue: list[tuple[int, int]], by: int) -> list[tuple[int, int]]:
    """A queue with costs in units finer by a factor; its order stays valid."""
    return [(units * by, place) for units, place in queue]


def _in_finer(known: Mapping[int, int], by: int) -> dict[int, int]:
    """Costs in units finer by a factor."""
    return {place: units * by for place, units in known.items()}


def _cheaper_of(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    """The cost of each place that has one in either."""
    return {p: min(c for c in (one.get(p), other.get(p)) if c is not None) for p in (*one, *other)}


class Finer(Exception):
    """A cost that does not fit the units of a table: it now has finer ones, and the search restarts."""


class StepTable:
    """The costs of steps, place by place as they are reached: `steps[here]` has the adjacent places with their costs in units.

    scale: units to a movement point.
    """

    __slots__ = ("scale", "steps")

    def __init__(self) -> None:
        self.steps: dict[int, tuple[tuple[int, int], ...]] = {}
        self.scale = 1

    def fill(self, graph: PlaceGraph, here: int, cost: Callable[[int, int], int | Fraction | None]) -> None:
        """Computes the steps from a place. Raises Finer if the units had to change."""
        found = []
        for there in graph.around[here]:
            step = cost(here, there)
            if step is None:
                continue
            if step < 0:
                raise ValueError(f"Entering {graph.label(there)} costs {step}, but a cost cannot be below 0.")
            if self.scale % _denominator(step):
                self.scale = lcm(self.scale, step.denominator)
                self.steps.clear()
                raise Finer
            found.append((there, int(step * self.scale)))
        self.steps[here] = tuple(found)


def reach_by(
    graph: PlaceGraph,
    start: int,
    budget: int | Fraction,
    table: StepTable,
    cost: Callable[[int, int], int | Fraction | None],
    shut: Callable[[int], bool],
    stop: Callable[[int], bool],
) -> Reach | None:
    """The same as `reach` with the costs of a table, which is filled during the search; None if a step into an open place costs nothing.

    shut: whether a place may not be entered. Both tests depend only on the place.
    """
    while True:
        try:
            return _by_buckets(graph, start, budget, table, cost, shut, stop)
        except Finer:
            continue


def _by_buckets(
    graph: PlaceGraph,
    start: int,
    budget: int | Fraction,
    table: StepTable,
    cost: Callable[[int, int], int | Fraction | None],
    shut: Callable[[int], bool],
    stop: Callable[[int], bool],
) -> Reach | None:
    limit = floor(budget * table.scale)
    if limit > _MOST_UNITS:
        return None
    steps, closed = table.steps, set[int]()
    points: dict[int, int] = {}
    found = {start: 0}
    before: dict[int, int] = {}
    buckets: list[list[int]] = [[start]]
    buckets += [[] for _ in range(limit)]
    for spent, bucket in enumerate(buckets):
        for here in bucket:
            if here in points:
                continue
            points[here] = spent
            if spent and stop(here):
                continue
            if here not in steps:
                table.fill(graph, here, cost)
            for there, units in steps[here]:
                total = spent + units
                known = found.get(there)
                if not units:
                    if there in closed or shut(there):
                        continue
                    return None
                if known is None:
                    if total > limit or there in closed:
                        continue
                    if shut(there):
                        closed.add(there)
                        continue
                elif total >= known:
                    if total == known and here < before[there]:
                        before[there] = here
                    continue
                found[there] = total
                before[there] = here
                buckets[total].append(there)
    return Reach(start, points, table.scale, before.__getitem__)


_MOST_UNITS = 20_000
"""With more units to spend a search by buckets is not worth it."""


def _denominator(value: int | Fraction) -> int:
    if not isinstance(value, (int, Fraction)):
        raise TypeError(f"{value!r} is not an exact cost: give an int or a Fraction.")
    return value.denominator
