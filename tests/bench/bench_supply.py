"""Supply of 1,000 units on 10,000 and on 1,000,000 hexes, against scipy.sparse.csgraph in the same process.

It runs once on an artificial map, and once on the map of a shipped theatre, tiled to a million hexes with its roads, its
depots and its enemies.

The rule: at most 12 open hexes to a road, then along roads to a source; a hex with an enemy or beside one is closed.
Both sides flood back from the sources, know the road net as a small graph of its own, and get the closed hexes
in the form they like best. Answers are compared before anything is timed. Run: python tests/bench/bench_supply.py
"""

import random
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from attrs import evolve, frozen
from measure import cpu_seconds, in_turns, kept_bytes, peak_bytes, table
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, dijkstra

from interpreter.geometry.boards import boards_of
from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.supply_field import SupplyField
from interpreter.geometry.traces import Leg, Links, Trace

RANGE = 12
UNITS = 1000
FLOOD = "boards (ours, for `why`)"


@frozen(eq=False)
class Front:
    """A made-up map: a net of winding roads, sources on it, and enemies on one hex in fifty."""

    grid: HexGrid
    roads: list[tuple[int, int]]
    sources: list[int]
    units: list[int]
    enemies: list[int]

    def zones(self) -> list[int]:
        return [place for enemy in self.enemies for place in (enemy, *self.grid.adjacent(enemy))]


def front(side: int, seed: int = 7) -> Front:
    rng = random.Random(seed)
    grid = HexGrid(side, side)
    roads: set[tuple[int, int]] = set()

    def build(place: int, ways: tuple[str, ...]) -> None:
        while True:
            way = rng.choice(ways)
            there = next((x for x in grid.adjacent(place) if grid.direction(place, x) == way), None)
            if there is None:
                return
            roads.add((min(place, there), max(place, there)))
            place = there

    for number in range(side // 40, side, max(10, side // 40)):
        build(number * side, ("s", "s", "se", "sw"))
        build(number, ("ne", "se"))
    on_road = sorted({place for pair in roads for place in pair})
    sources = rng.sample(on_road, max(4, len(on_road) // 150))
    enemies = rng.sample(range(len(grid)), len(grid) // 50)
    closed = set(enemies)
    units = rng.sample([place for place in range(len(grid)) if place not in closed], UNITS)
    return Front(grid, sorted(roads), sources, units, enemies)


def theatre(name: str, side: int, seed: int = 7) -> Front:
    """The map of a scenario laid side by side until it has side x side hexes; the depots of its second side are the sources."""
    from campaigns.library.compiling import active_modules, chosen_options, compiled
    from campaigns.library.systems_by_name import scenario_of
    from interpreter.machine import begin

    text, scenario, _ = scenario_of(name)
    program = compiled(text, frozenset(active_modules(text, scenario, (), ())))
    world = begin(program, scenario, {"seed": seed, "options": chosen_options(text, {})}).world
    small = world.grid.parts[0]  # of the maps that the scenario stands on, the first
    wide, high = small.columns, small.rows
    grid = HexGrid(side, side)
    hexes = [p for p in world.places if p.kind == "hex"]
    at = {p.index: divmod(n, high) for n, p in enumerate(hexes)}
    foe, friend = world.all_of("side")

    def everywhere(places: set[int]) -> list[int]:
        spots = [at[p] for p in places]
        return sorted(
            (c + dc) * side + r + dr
            for dc in range(0, side, wide)
            for dr in range(0, side, high)
            for c, r in spots
            if c + dc < side and r + dr < side
        )

    roads = [
        ((a[0] + dc) * side + a[1] + dr, (b[0] + dc) * side + b[1] + dr)
        for dc in range(0, side, wide)
        for dr in range(0, side, high)
        for a, b in ((at[a], at[b]) for a, b in world.links["road"])
        if max(a[0], b[0]) + dc < side and max(a[1], b[1]) + dr < side
    ]
    depots = everywhere({d.place.index for d in world.all_of("depot") if d.side is friend})
    enemies = everywhere({u.place.index for u in world.all_of("unit") if u.side is foe and u.place in hexes})
    closed = set(enemies)
    rng = random.Random(seed)
    units = rng.sample([place for place in range(side * side) if place not in closed], UNITS)
    return Front(grid, sorted({(min(p), max(p)) for p in roads}), depots, units, enemies)


class Closures:
    """How many zones close each place, so that one opens only when the last of them goes.

    Of a zone that moves, the new places are closed before the old ones open: then no place is in both answers.
    """

    def __init__(self, places: int) -> None:
        self._zones = [0] * places

    def close(self, places: Iterable[int]) -> list[int]:
        """One more zone over each of these; those that were open until now."""
        closed = []
        for place in places:
            if not self._zones[place]:
                closed.append(place)
            self._zones[place] += 1
        return closed

    def open(self, places: Iterable[int]) -> list[int]:
        """One zone less over each of these; those that are open from now."""
        opened = []
        for place in places:
            self._zones[place] -= 1
            if not self._zones[place]:
                opened.append(place)
        return opened


def declared(made: Front) -> tuple[Trace, Closures]:
    boards = boards_of(made.grid)
    links = Links({"road": made.roads})
    on_road = boards.board({place for pair in made.roads for place in pair})
    legs = (Leg(RANGE, None, on_road, "road"), Leg(None, "road", boards.board(made.sources), "source"))
    closures = Closures(len(made.grid))
    closed = boards.board(closures.close(made.zones()))
    return Trace(made.grid, links, legs, closed), closures


class Scipy:
    """The same rule over compressed rows: leg 2 on the road net alone, leg 1 on the map with a limit."""

    def __init__(self, made: Front) -> None:
        n = len(made.grid)
        columns, rows = made.grid.columns, made.grid.rows
        c, r = np.divmod(np.arange(n), rows)
        low = np.array([made.grid.is_low(column) for column in range(columns)])[c]
        tails, heads = [], []
        for east, south in ((0, -1), (0, 1), (1, -1), (1, 0), (-1, -1), (-1, 0)):
            down = r + south + (low if east else 0)
            right = c + east
            inside = (down >= 0) & (down < rows) & (right >= 0) & (right < columns)
            tails.append(np.nonzero(inside)[0])
            heads.append((right * rows + down)[inside])
        pairs = np.concatenate(tails), np.concatenate(heads)
        self.map = csr_array((np.ones(len(pairs[0])), pairs), shape=(n, n))
        self.degrees = np.diff(self.map.indptr)
        roads = np.array(made.roads)
        self.on_road = np.unique(roads)
        ends = np.searchsorted(self.on_road, roads)
        both = np.concatenate([ends[:, 0], ends[:, 1]]), np.concatenate([ends[:, 1], ends[:, 0]])
        self.net = csr_array((np.ones(len(both[0])), both), shape=(len(self.on_road),) * 2)
        self.net_degrees = np.diff(self.net.indptr)
        self.sources = np.searchsorted(self.on_road, np.array(sorted(made.sources)))
        self.units = np.array(made.units)

    def masked(self, matrix: csr_array, degrees: np.ndarray, closed: np.ndarray) -> csr_array:
        """Copied: steps out of closed places (the flood runs backwards) made longer than any limit."""
        return csr_array(
            (np.where(np.repeat(closed, degrees), np.inf, 1.0), matrix.indices, matrix.indptr), matrix.shape
        )

    def thinned(self, matrix: csr_array, degrees: np.ndarray, closed: np.ndarray) -> csr_array:
        """Copied: steps out of closed places left out."""
        keep = ~np.repeat(closed, degrees)
        indptr = np.concatenate([[0], np.cumsum(np.where(closed, 0, degrees))]).astype(np.int32)
        return csr_array((matrix.data[keep], matrix.indices[keep], indptr), matrix.shape)

    def in_place(self, matrix: csr_array, degrees: np.ndarray, closed: np.ndarray) -> csr_array:
        """Edited in place: only the steps out of closed places are touched, and put back before the next edit."""
        matrix.data[:] = 1.0
        rows = np.nonzero(closed)[0]
        count = degrees[rows]
        first = np.repeat(matrix.indptr[rows] - np.concatenate([[0], np.cumsum(count)[:-1]]), count)
        matrix.data[first + np.arange(len(first))] = np.inf
        return matrix

    def roads_by_dijkstra(self, closed: np.ndarray) -> np.ndarray:
        net = self.masked(self.net, self.net_degrees, closed[self.on_road])
        return self.on_road[np.isfinite(dijkstra(net, indices=self.sources, min_only=True))]

    def roads_by_components(self, closed: np.ndarray) -> np.ndarray:
        shut = closed[self.on_road]
        net = self.thinned(self.net, self.net_degrees, shut)
        # A closed source serves only itself; a closed road hex is served by an open neighbour.
        keep = ~shut[net.indices]
        tails = np.repeat(np.arange(len(shut)), np.diff(net.indptr))
        inner = csr_array((net.data[keep], (tails[keep], net.indices[keep])), net.shape)
        _, part = connected_components(inner, directed=False)
        served = np.zeros(part.max() + 1, bool)
        served[part[self.sources[~shut[self.sources]]]] = True
        found = served[part] & ~shut
        found[net.indices[found[tails]]] = True
        found[self.sources] = True
        return self.on_road[found]

    def supplied(
        self,
        closed: np.ndarray,
        roads: Callable[[np.ndarray], np.ndarray],
        cut: Callable[[csr_array, np.ndarray, np.ndarray], csr_array],
    ) -> np.ndarray:
        matrix = cut(self.map, self.degrees, closed)
        far = dijkstra(matrix, indices=roads(closed), min_only=True, limit=RANGE)
        return np.isfinite(far)

    def ways(self, closed: np.ndarray) -> dict[str, Callable[[], np.ndarray]]:
        cuts = {"masked copy": self.masked, "thinned copy": self.thinned, "edited in place": self.in_place}
        nets = {"dijkstra": self.roads_by_dijkstra, "components": self.roads_by_components}
        return {
            f"csgraph, {cut}, roads by {net}": (
                lambda cut=cut, net=net: self.units[self.supplied(closed, nets[net], cuts[cut])[self.units]]
            )
            for cut in cuts
            for net in nets
        }


def moves(made: Front, count: int, seed: int = 3) -> list[tuple[int, int]]:
    """Enemies that step to a neighbouring hex and (in a later move) back: (from, to)."""
    rng = random.Random(seed)
    steps = [(enemy, rng.choice(made.grid.adjacent(enemy))) for enemy in rng.sample(made.enemies, count // 2)]
    return steps + [(there, here) for here, there in steps]


def bench(made: Front, what: str, rounds: int, calls: int) -> None:
    side = made.grid.columns
    trace, closures = declared(made)
    boards = boards_of(made.grid)
    peer, peer_kept = kept_bytes(lambda: Scipy(made))
    closed = np.frombuffer(bytes(boards.flags(trace.closed)), np.uint8).astype(bool)

    def flooded() -> set[int]:
        reached = boards.flags(trace.board())
        return {unit for unit in made.units if reached[unit]}

    def made_anew() -> set[int]:
        field = SupplyField(trace)
        return {unit for unit in made.units if unit in field}

    ways: dict[str, Callable[[], Any]] = {
        "boards (ours, for `why`)": flooded,
        "a field made anew (ours, in play)": made_anew,
    }
    ways |= peer.ways(closed)
    ours = flooded()
    everywhere = boards.places(trace.board())
    for name, way in ways.items():
        assert set(map(int, way())) == ours, name
    assert np.nonzero(peer.supplied(closed, peer.roads_by_dijkstra, peer.masked))[0].tolist() == everywhere
    times = in_turns(ways, rounds, calls=calls)
    memory = {name: peak_bytes(way) for name, way in ways.items()}
    best = min((name for name in times if name.startswith("csgraph")), key=times.__getitem__)
    title = (
        f"Supply of {UNITS:,} units on {side * side:,} hexes of {what} ({len(ours)} supplied, "
        f"{boards.count(trace.closed):,} closed, {len(peer.on_road):,} on roads); memory: peak of one call"
    )
    print(table(title, best, times, memory))
    print(f"  csgraph keeps {peer_kept / 1e6:,.2f} MB of matrices")

    field, kept = kept_bytes(lambda: SupplyField(trace))
    assert field.board() == trace.board()
    steps = moves(made, 400)
    grid = made.grid

    def one_by_one() -> None:
        for here, there in steps:
            shut = closures.close((there, *grid.neighbours(there)))
            field.update(shut, closures.open((here, *grid.neighbours(here))))

    def check() -> None:
        zones = list(made.enemies)
        for number, (here, there) in enumerate(steps):
            zones[zones.index(here)] = there
            shut = closures.close((there, *grid.neighbours(there)))
            field.update(shut, closures.open((here, *grid.neighbours(here))))
            if number % (len(steps) // 8) == 0:
                moved = evolve(made, enemies=zones)
                now = evolve(trace, closed=boards.board(moved.zones()))
                assert field.board() == now.board()

    check()
    assert field.board() == trace.board()
    move = cpu_seconds(one_by_one), cpu_seconds(one_by_one), cpu_seconds(one_by_one)
    after = {"one move, field repaired (ours)": sorted(move)[1] / len(steps)}
    after |= {"recomputed with boards (ours)": times[FLOOD], best: times[best]}
    print(
        table(
            "Supply right after one move; memory: what is kept", best, after, {"one move, field repaired (ours)": kept}
        )
    )
    print(f"  repaired / recomputed with boards: {after['one move, field repaired (ours)'] / times[FLOOD]:.5f}")
    print()


if __name__ == "__main__":
    bench(front(100), "a made-up map", 15, 20)
    bench(front(1000), "a made-up map", 5, 1)
    bench(theatre("btr/theatre", 1000), "a theatre", 5, 1)
