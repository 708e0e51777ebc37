"""Exact movement: costs computed by hand, and both searches against networkx on random maps."""

from fractions import Fraction
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.geometry.drawn_graph import DrawnGraph
from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.reach import reach, reach_by_steps
from interpreter.geometry.squares import SquareGrid

line = DrawnGraph("ABCDEF", [("A", "B"), ("B", "C"), ("C", "D"), ("D", "E"), ("E", "F")])


def test_thirds_and_halves_add_up_exactly():
    """A to D: 1/3 + 1/2 + 1/6 is exactly 1, which no float sum of the three is sure to be."""
    costs = {1: Fraction(1, 3), 2: Fraction(1, 2), 3: Fraction(1, 6), 4: Fraction(1, 7), 5: 1}
    found = reach(line, 0, 1, lambda here, there: costs.get(there, 0))
    assert found.costs == {0: 0, 1: Fraction(1, 3), 2: Fraction(5, 6), 3: 1}
    assert type(found.cost_to(3)) is int


def test_a_third_three_times_uses_up_one_point():
    found = reach(line, 0, 1, lambda here, there: Fraction(1, 3))
    assert sorted(found.points) == [0, 1, 2, 3]
    assert found.path_to(3) == [0, 1, 2, 3]


def test_a_closed_step_is_not_taken_either_way_round_a_closed_place():
    found = reach(line, 2, 9, lambda here, there: None if (here, there) == (2, 1) else 1)
    assert found.costs == {2: 0, 3: 1, 4: 2, 5: 3}


def test_a_stop_may_be_entered_but_not_left_and_the_start_may_always_be_left():
    found = reach(line, 1, 9, lambda here, there: 1, stop=lambda place: place in {1, 3})
    assert found.costs == {0: 1, 1: 0, 2: 1, 3: 2}


def test_of_equal_ways_the_lowest_id_is_taken():
    grid = HexGrid(5, 5)
    start, end = grid.index("0202"), grid.index("0204")
    found = reach(grid, start, 9, lambda here, there: 1)
    assert [grid.label(place) for place in found.path_to(end)] == ["0202", "0203", "0204"]
    diamond = DrawnGraph("SXYE", [("S", "X"), ("S", "Y"), ("X", "E"), ("Y", "E")])
    assert reach(diamond, 0, 9, lambda here, there: 1).path_to(3) == [0, 1, 3]


def test_the_start_alone_is_in_reach_of_nothing_to_spend():
    found = reach(line, 2, 0, lambda here, there: 1)
    assert found.costs == {2: 0}
    assert found.path_to(2) == [2]
    with pytest.raises(KeyError):
        found.path_to(3)
    with pytest.raises(KeyError):
        found.cost_to(3)


def test_costs_that_are_not_exact_or_below_nothing_are_refused():
    with pytest.raises(TypeError, match=r"0\.5 is not an exact cost"):
        reach(line, 0, 3, lambda here, there: 0.5)
    with pytest.raises(ValueError, match="Entering B costs -1"):
        reach(line, 0, 3, lambda here, there: -1)


CLOSED = -1


@st.composite
def marches(draw):
    graph = draw(
        st.sampled_from([HexGrid(9, 12), HexGrid(31, 4, low_columns="odd"), SquareGrid(7, 7, diagonals=True), line])
    )
    n = len(graph)
    places = st.integers(0, n - 1)
    entry = draw(st.lists(st.sampled_from([1, 2, 3, 7, CLOSED]), min_size=n, max_size=n))
    pairs = sorted(graph.edges())
    links = {}
    for a, b in draw(st.lists(st.sampled_from(pairs), max_size=30)):
        links[a, b] = draw(st.sampled_from([1, 2, 9, CLOSED]))
        if draw(st.booleans()):
            links[b, a] = draw(st.sampled_from([1, 9]))
    closed = bytearray(n)
    stop = bytearray(n)
    for place in draw(st.sets(places, max_size=n // 4)):
        closed[place] = 1
    for place in draw(st.sets(places, max_size=n // 4)):
        stop[place] = 1
    return graph, entry, links, closed, stop, draw(places), draw(st.integers(0, 40) | st.just(300))


def reference(graph, entry, links, closed, stop, start, budget):
    drawn = nx.DiGraph()
    drawn.add_node(start)
    pairs = {(here, there) for a, b in graph.edges() for here, there in ((a, b), (b, a))} | links.keys()
    for here, there in pairs:
        cost = links.get((here, there), entry[there])
        if cost != CLOSED and (there == start or not closed[there]) and (here == start or not stop[here]):
            drawn.add_edge(here, there, cost=cost)
    return drawn, nx.single_source_dijkstra_path_length(drawn, start, cutoff=budget, weight="cost")


@given(marches(), st.integers(1, 4))
def test_reach_agrees_with_networkx_and_its_paths_cost_what_they_say(case, scale):
    graph, entry, links, closed, stop, start, budget = case
    drawn, expected = reference(*case)

    def cost(here, there):
        units = links.get((here, there), entry[there])
        return None if units == CLOSED or closed[there] else Fraction(units, scale)

    found = reach(graph, start, Fraction(budget, scale), cost, lambda place: bool(stop[place]))
    assert found.costs == {place: Fraction(units, scale) for place, units in expected.items()}
    for place in expected:
        path = found.path_to(place)
        assert path[0] == start
        assert path[-1] == place
        assert nx.path_weight(drawn, path, "cost") == expected[place]


def test_a_step_ends_the_move_and_another_way_into_the_same_place_does_not():
    """B is entered from A over a ford for 1, or around by C and D for 3; beyond it lies E."""
    drawn = DrawnGraph("ABCDE", [("A", "B"), ("A", "C"), ("C", "D"), ("D", "B"), ("B", "E")])
    found = reach_by_steps(drawn, 0, 4, lambda here, there: 1, lambda here, there: (here, there) == (0, 1))
    assert found.costs == {0: 0, 1: 1, 2: 1, 3: 2, 4: 4}
    assert found.path_to(1) == [0, 1]
    assert found.path_to(4) == [0, 2, 3, 1, 4]
    assert (found.cost_through(1), found.path_through(1)) == (3, [0, 2, 3, 1])
    near = reach_by_steps(drawn, 0, 2, lambda here, there: 1, lambda here, there: (here, there) == (0, 1))
    assert near.costs == {0: 0, 1: 1, 2: 1, 3: 2}
    with pytest.raises(KeyError):
        near.cost_through(1)
    with pytest.raises(KeyError):
        near.path_to(4)


@st.composite
def fords(draw):
    graph = draw(st.sampled_from([HexGrid(6, 5), SquareGrid(5, 5, diagonals=True), line]))
    steps = sorted((here, there) for a, b in graph.edges() for here, there in ((a, b), (b, a)))
    prices = st.sampled_from([1, 2, Fraction(1, 3), Fraction(1, 2), 3, None])
    costs = draw(st.lists(prices, min_size=len(steps), max_size=len(steps)))
    ends = draw(st.sets(st.sampled_from(steps), max_size=len(steps) // 2))
    budget = draw(st.integers(0, 9) | st.just(Fraction(7, 2)))
    return graph, dict(zip(steps, costs, strict=True)), ends, draw(st.integers(0, len(graph) - 1)), budget


@given(fords())
def test_halts_by_the_step_agree_with_networkx_on_doubled_places(case):
    graph, costs, ends, start, budget = case
    doubled = nx.DiGraph()
    doubled.add_node((start, "goes on"))
    for (here, there), cost in costs.items():
        if cost is not None:
            doubled.add_edge((here, "goes on"), (there, "ends" if (here, there) in ends else "goes on"), cost=cost)
    expected = {}
    through = {}
    reached = nx.single_source_dijkstra_path_length(doubled, (start, "goes on"), cutoff=budget, weight="cost")
    for (place, how), cost in reached.items():
        expected[place] = min(cost, expected.get(place, cost))
        if how == "goes on":
            through[place] = cost
    found = reach_by_steps(graph, start, budget, lambda a, b: costs[a, b], lambda a, b: (a, b) in ends)
    assert found.costs == expected
    assert {p: found.cost_through(p) for p in found.through} == through
    for place, cost in expected.items():
        path = found.path_to(place)
        steps = list(pairwise(path))
        assert (path[0], path[-1]) == (start, place)
        assert sum(costs[step] for step in steps) == cost
        assert not ends & set(steps[:-1])
    for place, cost in through.items():
        steps = list(pairwise(found.path_through(place)))
        assert sum(costs[step] for step in steps) == cost
        assert not ends & set(steps)


@given(fords(), st.data())
def test_halts_by_the_place_come_to_the_same_in_both_searches(case, data):
    graph, costs, _, start, budget = case
    stops = data.draw(st.sets(st.integers(0, len(graph) - 1), max_size=len(graph) // 3))
    plain = reach(graph, start, budget, lambda a, b: costs[a, b], lambda place: place in stops)
    stepped = reach_by_steps(graph, start, budget, lambda a, b: costs[a, b], lambda _, there: there in stops)
    assert stepped.costs == plain.costs
    assert [stepped.path_to(p) for p in plain.points] == [plain.path_to(p) for p in plain.points]
