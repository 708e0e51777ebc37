"""How far a piece can move: the cheapest exact cost of every place within a budget, and the way there.

`reach` asks a function for the cost of each step and takes whole numbers and fractions. `CostLayers` holds the same
costs as tables, for a map searched thousands of times. Both give a `Reach`. What a movement class is called, and who
closes a place, is told by the caller.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from heapq import heappop, heappush
from math import floor, lcm

from attrs import field, frozen

from interpreter.hexgrid import Grid, PlaceGraph

CLOSED = -1
"""The entry cost of a place that a movement class may not enter, and of a link it may not use."""

Link = tuple[int, int]


@frozen
class Reach:
    """The places one piece can reach.

    `points` has the cheapest cost of each place id as a whole number of units, `scale` units to a movement point;
    the start is in it at 0. `through`, where steps may end a move, has those of the places from which it can go on,
    which may be dearer to reach so; None where the place alone ends a move.
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
        """The ids of a cheapest way, from the start to the place, both included.

        Of equally cheap ways, the one that comes, going backwards, from the lowest id each time. Raises KeyError if
        the place is out of reach.
        """
        return self._path(place, self.points, self._before)

    def cost_through(self, place: int) -> int | Fraction:
        """The cheapest cost of a place from which the move can go on. Raises KeyError if there is no way to go on from it."""
        return _exact((self.points if self.through is None else self.through)[place], self.scale)

    def path_through(self, place: int) -> list[int]:
        """As `path_to`, the cheapest way from which the move can go on."""
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
            if type(step) is not int and scale % _denominator(step):
                finer = lcm(scale, _denominator(step)) // scale
                scale, limit, spent = scale * finer, limit * finer, spent * finer
                queue = [(units * finer, place) for units, place in queue]
                points = {place: units * finer for place, units in points.items()}
                found = {place: units * finer for place, units in found.items()}
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
    """The same as `reach` where the step into a place may end the move, whatever other ways lead there.

    ends: whether a step ends the move in the place that it enters.
    """
    # Every place stands for two: entered so that the move goes on, and entered by a step that ends it. Only the first
    # is gone on from; what it costs to be in the place at all is the cheaper of both.
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
            step = cost(here, there)
            if step is None:
                continue
            if step < 0:
                raise ValueError(f"Entering {graph.label(there)} costs {step}: a cost is never below 0.")
            if type(step) is not int and scale % _denominator(step):
                finer = lcm(scale, _denominator(step)) // scale
                scale, limit, spent = scale * finer, limit * finer, spent * finer
                queue = [(units * finer, place) for units, place in queue]
                through, found, ended = (
                    {place: units * finer for place, units in known.items()} for known in (through, found, ended)
                )
            total = spent + (step * scale if type(step) is int else int(step * scale))
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

    points = {p: min(c for c in (through.get(p), ended.get(p)) if c is not None) for p in (*through, *ended)}
    return Reach(start, points, scale, came_from, through, before.__getitem__)


class Finer(Exception):
    """A cost that does not fit the units of a table: it has finer ones now, and the search begins anew."""


class StepTable:
    """What steps cost, place by place as they are met: `steps[here]` has the places next to it with their costs in units.

    scale: units to a movement point.
    """

    __slots__ = ("scale", "steps")

    def __init__(self) -> None:
        self.steps: dict[int, tuple[tuple[int, int], ...]] = {}
        self.scale = 1

    def fill(self, graph: PlaceGraph, here: int, cost: Callable[[int, int], int | Fraction | None]) -> None:
        """Works out the steps from a place. Raises Finer where the units had to change."""
        found = []
        for there in graph.around[here]:
            step = cost(here, there)
            if step is None:
                continue
            if step < 0:
                raise ValueError(f"Entering {graph.label(there)} costs {step}: a cost is never below 0.")
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
    """The same as `reach` with the costs of a table, which is filled on the way; None where a step into an open place costs nothing.

    shut: whether a place may not be entered. Both tests are of the place alone.
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
            start: the id of the place where the piece stands; it may be closed itself. Raises IndexError if there
                is no such id.
            budget: movement points.
            kind: a movement class of `entry`. Raises KeyError if there is none of that name.
            closed: one byte a place, not 0 where it may not be entered, shape (n,): `Boards.flags`.
            stop: one byte a place, not 0 where the move ends, shape (n,). The start may always be left.
        """
        self.graph.label(start)
        layer = self._layers[kind]
        limit = floor(budget * self.scale)
        points = layer.search(start, limit, closed, stop)

        return Reach(start, points, self.scale, partial(layer.before, points, start, stop))


class _Layer:
    """The search for one movement class: cheapest first, in one bucket for each number of units spent."""

    def __init__(self, graph: PlaceGraph, entry: Sequence[int], links: Mapping[Link, int]) -> None:
        self._places = len(graph)
        if len(entry) != self._places:
            raise ValueError(f"A layer has one cost for each of {self._places} places, not {len(entry)} costs.")
        for cost in (*entry, *links.values()):
            if cost < 1 and cost != CLOSED:
                raise ValueError(f"A cost in a layer is a whole number of units from 1 up, or CLOSED, not {cost}.")
        self._entry = list(entry)
        self._links = links
        self._around = graph.around
        # Place id -> the neighbours entered at their own cost: no link leads there, and their entry is not CLOSED.
        self._steps: list[tuple[int, ...] | None] = [None] * self._places
        self._onward: dict[int, list[tuple[int, int]]] = {}
        self._into: dict[int, list[int]] = {}
        for (here, there), cost in links.items():
            self._into.setdefault(there, []).append(here)
            if cost != CLOSED:
                self._onward.setdefault(here, []).append((there, cost))
        self._cheapest = min((cost for cost in (*entry, *links.values()) if cost != CLOSED), default=1)
        self._nowhere = bytes(self._places)
        self._rows = 0
        if isinstance(graph, Grid) and all(there in graph.adjacent(here) for here, there in links):
            self._rows = graph.rows

    def step(self, here: int, there: int) -> int:
        """The cost of one step, or CLOSED."""
        return self._links.get((here, there), self._entry[there])

    def before(self, points: Mapping[int, int], start: int, stop: bytes | bytearray | None, place: int) -> int:
        """The lowest id from which the place was reached for its cheapest cost."""
        target = points[place]
        return min(
            other
            for other in (*self._around[place], *self._into.get(place, []))
            if points.get(other, target) + self.step(other, place) == target
            and self.step(other, place) != CLOSED
            and (other == start or stop is None or not stop[other])
        )

    def search(
        self, start: int, limit: int, closed: bytes | bytearray | None, stop: bytes | bytearray | None
    ) -> dict[int, int]:
        """Place id -> cheapest units, for every place that `limit` units can reach."""
        # A place costs the same from every neighbour without a link to it, so the first to find it is the cheapest:
        # `fresh` is 1 until then. Links may find a place once more.
        fresh = self._fresh(start, limit)
        if closed is None:
            closed = self._nowhere
        if stop is None:
            stop = self._nowhere
        buckets: list[list[int]] = [[] for _ in range(limit + 1)]
        buckets[:1] = [[start]] if limit >= 0 else []
        points: dict[int, int] = {}
        entry, steps, onward = self._entry, self._steps, self._onward
        for spent, bucket in enumerate(buckets):
            for here in bucket:
                if here in points:
                    continue
                points[here] = spent
                if stop[here] and spent:
                    continue
                for there in steps[here] or self._from(here):
                    if fresh[there]:
                        fresh[there] = 0
                        total = spent + entry[there]
                        if total <= limit and not closed[there]:
                            buckets[total].append(there)
                if here in onward:
                    for there, cost in onward[here]:
                        total = spent + cost
                        if total <= limit and there not in points and not closed[there]:
                            buckets[total].append(there)
        return points

    def _from(self, here: int) -> tuple[int, ...]:
        entry, links = self._entry, self._links
        steps = (there for there in self._around[here] if entry[there] != CLOSED and (here, there) not in links)
        found = self._steps[here] = tuple(steps)
        return found

    def _fresh(self, start: int, limit: int) -> bytearray:
        """One byte a place, 1 where it is near enough to be worth a look."""
        low, high = 0, self._places
        if self._rows:
            # No way leads further than so many columns.
            width = (limit // self._cheapest + 1) * self._rows
            low, high = max(0, start - width), min(high, start + width)
        fresh = bytearray(self._places)
        fresh[low:high] = b"\1" * (high - low)
        fresh[start] = 0
        return fresh
