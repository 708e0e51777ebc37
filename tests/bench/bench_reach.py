"""Reach of one piece on 10,000 and on 100,000 hexes, against networkx Dijkstra with a cutoff in the same process.

22 half points, some 340 hexes in reach: three terrains, roads at half a point, closed enemy hexes, and a stop beside
every enemy. networkx gets a directed graph with the costs on its edges and a short weight function. A second variant
gets a graph from which closed hexes and the steps out of stops have already been removed, at no charge (no game could
keep that up, since both change with every move). Both are asked for costs only, as a dict. Answers are compared before
anything is timed. Run: python tests/bench/bench_reach.py
"""

import random
from collections.abc import Callable
from typing import Any

import networkx as nx
from measure import in_turns, kept_bytes, peak_bytes, table

from campaigns.library.compiling import compiled
from campaigns.library.rule_texts import load_path
from dsl.syntax.declarations import Scenario
from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.reach import reach
from interpreter.machine import begin
from interpreter.world.ways import Ways

BUDGET = 22
STARTS = 100
CLOSED = -1
"""The cost of a place that nobody may enter."""


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

    drawn, drawn_kept = kept_bytes(lambda: _drawn(grid, entry, roads))
    bare = drawn.copy()
    bare.remove_edges_from([(a, b) for a, b in drawn.edges if closed[b] or stop[a]])

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
        "reach (ours)": function,
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
    print(f"  kept: networkx graph {drawn_kept / 1e6:.2f} MB\n")


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


def in_play(rounds: int) -> None:
    """The marches of all units of a scenario, as play asks for them, from the rule file.

    networkx gets for nothing: a graph for each unit with that unit's costs on its edges, and the closed and halting places.
    Ours is asked with what it keeps while terrain and units stay as they are (the usual case: what may this unit do, and that
    one?), and with nothing kept, for every unit the tables anew.
    """
    text = load_path("bth")
    program = compiled(text)
    scenario = next(x for x in text.declarations if isinstance(x, Scenario) and x.name == "three-days")
    world = begin(program, scenario, {}).world
    name = next(n for n, p in program.ways.items() if p.moves)
    way, stem = program.ways[name], "w_" + name.replace("-", "_")
    ask = world.functions
    drawn = []
    units = [u for u in world.by_kind["battalion"] if u.place is not None]
    for unit in units:
        graph: nx.DiGraph[int] = nx.DiGraph()
        closed = {p.index for p in world.places if any(ask[f](unit, None, p) for f, _, _ in way.nevers)}
        halts = {p.index for p in world.places if any(ask[f](unit, None, p) for f, _, _ in way.haltings)}
        for place in world.places:
            for other in place.near:
                cost = ask[f"{stem}_cost"](unit, place, other)
                if cost is not None:
                    graph.add_edge(place.index, other.index, cost=int(cost * SIXTHS))
        drawn.append((graph, unit.place.index, int(ask[f"{stem}_budget"](unit) * SIXTHS), closed, halts))

    def weighed(graph: Any, start: int, budget: int, closed: set[int], halts: set[int]) -> Any:
        def weight(here: int, there: int, edge: dict[str, int]) -> int | None:
            return None if there in closed or (here in halts and here != start) else edge["cost"]

        return nx.single_source_dijkstra_path_length(graph, start, cutoff=budget, weight=weight)

    def asked(*, kept: bool, tables: bool = True) -> Callable[[], None]:
        held = Ways(world, fine=True)

        def run() -> None:
            for unit in units:
                ways = held if kept else Ways(world, fine=True)
                ways._reach.clear()
                if not tables:
                    ways._by_tables = lambda *_: None  # type: ignore[method-assign]
                ways.reach(name, (unit,))

        return run

    reached = 0
    for unit, peer in zip(units, drawn, strict=True):
        expected = weighed(*peer)
        reached += len(expected)
        assert {p: c * SIXTHS for p, c in Ways(world, fine=True).reach(name, (unit,)).costs.items()} == expected
    runs = {
        "from the rule file, tables kept (ours)": asked(kept=True),
        "from the rule file, nothing kept (ours)": asked(kept=False),
        "from the rule file, without tables (ours)": asked(kept=True, tables=False),
        "networkx, cutoff and weight function": lambda: [weighed(*peer) for peer in drawn],
    }
    times = {what: taken / len(units) for what, taken in in_turns(runs, rounds).items()}
    title = f"A march in play on {len(world.places):,} hexes ({reached / len(units):.0f} reached on average)"
    print(table(title, "networkx, cutoff and weight function", times))


SIXTHS = 6
"""Costs in the rule file are halves and thirds."""


if __name__ == "__main__":
    bench(100, 11)
    bench(316, 11)
    in_play(11)
