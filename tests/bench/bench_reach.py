"""Reach of one piece on 10,000 and on 100,000 hexes, against networkx Dijkstra with a cutoff in the same process.

22 half points, some 340 hexes in reach: three terrains, roads at half a point, closed enemy hexes, and a stop beside
every enemy. networkx gets a directed graph with the costs on its edges and a short weight function; a second variant
gets a graph from which closed hexes and the steps out of stops are already gone, at no charge (which no game could
keep up, since both change with every move). Both are asked for costs only, as a dict. Answers are compared before
anything is timed. Run: python tests/bench/bench_reach.py
"""

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import networkx as nx
from measure import in_turns, kept_bytes, peak_bytes, table

from interpreter.hexgrid import HexGrid
from interpreter.reach import CLOSED, CostLayers, reach

BUDGET = 22
STARTS = 100


def bench(side: int, rounds: int, seed: int = 5) -> None:
    rng = random.Random(seed)
    grid = HexGrid(side, side)
    n = len(grid)
    entry = rng.choices([2, 3, 4, CLOSED], [70, 15, 12, 3], k=n)
    roads = {
        pair: 1 for c in range(0, side, 9) for r in range(side - 1) for pair in _both(c * side + r, c * side + r + 1)
    }
    closed, stop = bytearray(n), bytearray(n)
    for enemy in rng.sample(range(n), n // 50):
        closed[enemy] = 1
        for place in grid.adjacent(enemy):
            stop[place] = 1
    starts = [place for place in rng.sample(range(n), 2 * STARTS) if not stop[place] and entry[place] != CLOSED][
        :STARTS
    ]

    layers, layers_kept = kept_bytes(lambda: CostLayers(grid, {"any": entry}, {"any": roads}, scale=2))
    drawn, drawn_kept = kept_bytes(lambda: _drawn(grid, entry, roads))
    bare = drawn.copy()
    bare.remove_edges_from([(a, b) for a, b in drawn.edges if closed[b] or stop[a]])
    points = Fraction(BUDGET, 2)

    def tables(start: int) -> Any:
        return layers.reach(start, points, "any", closed=closed, stop=stop).points

    def function(start: int) -> Any:
        def cost(here: int, there: int) -> int | None:
            units = roads.get((here, there), entry[there])
            return None if closed[there] or units == CLOSED else units

        return reach(grid, start, BUDGET, cost, stop.__getitem__).points

    def weighed(start: int) -> Any:
        def weight(here: int, there: int, edge: dict[str, int]) -> int | None:
            return None if closed[there] or (stop[here] and here != start) else edge["cost"]

        return nx.single_source_dijkstra_path_length(drawn, start, cutoff=BUDGET, weight=weight)

    def prepared(start: int) -> Any:
        return nx.single_source_dijkstra_path_length(bare, start, cutoff=BUDGET, weight="cost")

    ways: dict[str, Callable[[int], Any]] = {
        "CostLayers.reach (ours)": tables,
        "reach with a cost function (ours)": function,
        "networkx, cutoff and weight function": weighed,
        "networkx, state prepared for nothing": prepared,
    }
    found = 0
    for start in starts:
        expected = weighed(start)
        found += len(expected)
        for name, way in ways.items():
            assert way(start) == expected, name
    runs = {name: (lambda way=way: [way(start) for start in starts]) for name, way in ways.items()}
    times = {name: taken / len(starts) for name, taken in in_turns(runs, rounds).items()}
    memory = {name: peak_bytes(lambda way=way: way(starts[0])) for name, way in ways.items()}
    title = (
        f"Reach of one piece on {n:,} hexes ({found / len(starts):.0f} reached on average); memory: peak of one call"
    )
    print(table(title, "networkx, cutoff and weight function", times, memory))
    _, grown = kept_bytes(
        lambda: CostLayers(grid, {"any": entry}, {"any": roads}, scale=2).reach(starts[0], points, "any")
    )
    print(
        f"  kept: layers {layers_kept / 1e6:.2f} MB, after one search {grown / 1e6:.2f} MB; "
        f"networkx graph {drawn_kept / 1e6:.2f} MB\n"
    )


def _both(a: int, b: int) -> tuple[tuple[int, int], tuple[int, int]]:
    return (a, b), (b, a)


def _drawn(grid: HexGrid, entry: list[int], roads: dict[tuple[int, int], int]) -> "nx.DiGraph[int]":
    drawn: nx.DiGraph[int] = nx.DiGraph()
    for here in range(len(grid)):
        for there in grid.adjacent(here):
            cost = roads.get((here, there), entry[there])
            if cost != CLOSED:
                drawn.add_edge(here, there, cost=cost)
    return drawn


if __name__ == "__main__":
    bench(100, 11)
    bench(316, 11)
