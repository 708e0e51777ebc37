"""The explanation of one trace: its route, what cuts it and what would reopen it; cases by hand, and random maps against floods."""

from itertools import combinations, pairwise

import networkx as nx
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.geometry import trace_graph
from interpreter.geometry.boards import boards_of
from interpreter.geometry.drawn_graph import DrawnGraph
from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.squares import SquareGrid
from interpreter.geometry.trace_graph import GOAL, START, answer, with_closed
from interpreter.geometry.traces import Blocked, Leg, Links, Route, Trace
from tests.interpreter.test_routes import RING, ROW, row_trace, steps_of, traces


def test_a_route_lists_its_places_leg_by_leg():
    route = answer(row_trace(), 1)
    assert route == Route(
        (("0201", "0301", "0401"), ("0401", "0501", "0601", "0701", "0801", "0901", "1001")), ("0301",)
    )
    assert route.entered == 8


def test_a_leg_of_no_step_is_enough_where_the_start_is_already_there():
    assert answer(row_trace(limit=0), 8) == Route((("0901",), ("0901", "1001")), ("1001",))
    assert answer(row_trace(limit=0), 9) == Route((("1001",), ("1001",)))


def test_too_far_from_a_road_says_how_far_it_may_be():
    assert answer(row_trace(limit=2), 0) == Blocked("There is no road within 2 of 0101.", 1, (), ())
    assert answer(row_trace(limit=3), 0).legs[0] == ("0101", "0201", "0301", "0401")


def test_a_road_that_does_not_lead_to_a_source_says_so():
    trace = row_trace()
    broken = evolve(trace, links=Links({"road": [(3, 4), (8, 9)]}))
    assert answer(broken, 1) == Blocked(
        "No source can be reached along road from any road within reach of 0201.", 2, (), ()
    )


def test_a_place_no_route_leads_to_says_so():
    legs = (Leg(None, None, 0, "source"),)
    assert answer(Trace(ROW, Links(), legs), 0).reason == "No source can be reached from 0101."


def test_a_closed_place_on_the_only_way_is_named():
    way = (("0201", "0301", "0401"), ("0401", "0501", "0601", "0701", "0801", "0901", "1001"))
    assert answer(row_trace(closed=[6]), 1) == Blocked(
        "The route from 0201 is cut at 0701.", 2, ("0701",), ("0701",), way
    )
    both = answer(row_trace(closed=[2, 6]), 1)
    assert both == Blocked("The route from 0201 is cut at 0301.", 1, ("0301",), ("0301", "0701"), way)


def test_the_route_goes_round_a_closed_place_if_it_can():
    grid = HexGrid(5, 5)
    boards = boards_of(grid)
    source = boards.board([grid.index("0205")])
    trace = Trace(grid, Links(), (Leg(6, None, source, "source"),), boards.board([grid.index("0203")]))
    assert answer(trace, grid.index("0202")) == Route((("0202", "0103", "0104", "0105", "0205"),), ("0205",))


def reference_fewest(trace, start):
    """The fewest places any route enters: shortest path over (leg, place, entered on this leg)."""
    boards = boards_of(trace.graph)
    drawn = nx.DiGraph()
    last = len(trace.legs) - 1
    for number, leg in enumerate(trace.legs):
        limit = len(trace.graph) if leg.limit is None else leg.limit
        until = set(boards.places(leg.until))
        for used in range(limit + 1):
            for u, v in steps_of(trace, leg).edges:
                if used < limit:
                    drawn.add_edge((number, u, used), (number, v, used + 1), weight=1)
            for place in until:
                drawn.add_edge((number, place, used), "goal" if number == last else (number + 1, place, 0), weight=0)
            for place in boards.places(trace.legs[-1].until) if trace.direct else ():
                drawn.add_edge((number, place, used), "goal", weight=0)
    return nx.dijkstra_path_length(drawn, (0, start, 0), "goal")


def test_of_equal_routes_the_one_by_neighbours_of_lower_ids_is_taken():
    diamond = DrawnGraph("SABG", [("S", "B"), ("S", "A"), ("A", "G"), ("B", "G")])
    trace = Trace(diamond, Links(), (Leg(None, None, boards_of(diamond).board([3]), "end"),))
    assert answer(trace, 0).legs == (("S", "A", "G"),)
    assert answer(evolve(trace, closed=0b10), 0).legs == (("S", "B", "G"),)


def test_of_routes_that_go_alike_the_one_that_ends_its_first_leg_sooner_is_taken():
    boards = boards_of(ROW)
    legs = (Leg(3, None, boards.board([2, 3]), "camp"), Leg(3, None, boards.board([4]), "end"))
    assert answer(Trace(ROW, Links(), legs), 1).legs == (("0201", "0301"), ("0301", "0401", "0501"))


def net(*borders, goals, closed="", legs=1):
    """A trace of legs without limit over a drawn map from place S to some goals."""
    labels = "S" + "".join(sorted(set("".join(borders)) - {"S"}))
    drawn = DrawnGraph(labels, [tuple(pair) for pair in borders])
    boards = boards_of(drawn)
    ends = boards.board(drawn.index(x) for x in goals)
    return Trace(drawn, Links(), [Leg(None, None, ends, "end")] * legs, boards.board(drawn.index(x) for x in closed))


def test_a_route_tells_the_fewest_places_that_would_cut_it():
    two_ways = ("SA", "SB", "AC", "BC", "CD", "CE", "DG", "EH")
    assert answer(net(*two_ways, goals="GH"), 0).cut == ("C",)
    assert answer(net("SA", "SB", "AG", "BH", goals="GH"), 0).cut == ("A", "B")
    assert answer(net("SA", "SB", "AG", "BH", goals="GH", closed="B"), 0).cut == ("A",)
    assert answer(net("SA", goals="SA"), 0).cut == (), "nothing cuts off what stands on its goal"


def test_of_many_closed_places_the_fewest_that_cut_the_way_are_told_and_the_fewest_that_must_open():
    """From S by A, B and C to D; from D by E and F to G. A, B, C, E and F are closed."""
    borders = ("SA", "SB", "SC", "AD", "BD", "CD", "DE", "DF", "EG", "FG")
    blocked = answer(net(*borders, goals="G", closed="ABCEF"), 0)
    assert blocked.cut == ("E", "F")
    assert blocked.reopening == ("A", "E")
    assert blocked.legs == (("S", "A", "D", "E", "G"),)
    assert blocked.reason == "The route from S is cut at E and F."


def test_a_longer_way_that_needs_fewer_places_to_open_is_told():
    blocked = answer(net("SA", "AB", "BG", "SC", "CD", "DE", "EF", "FG", goals="G", closed="ABD"), 0)
    assert blocked.reopening == ("D",)
    assert blocked.legs == (("S", "C", "D", "E", "F", "G"),)


def test_a_cut_of_very_many_places_is_not_listed():
    grid = SquareGrid(5, 15)
    boards = boards_of(grid)
    wall = boards.board(range(30, 45))
    trace = Trace(grid, Links(), (Leg(None, None, boards.board(range(60, 75)), "end"),), wall)
    blocked = answer(trace, 7)
    assert (blocked.cut, blocked.reason) == ((), "The route from 0108 is cut by more than 12 places.")
    assert blocked.reopening == ("0308",)
    assert answer(evolve(trace, closed=0), 7).cut == ("0107", "0109", "0208"), "round the start three are enough"


def test_closed_places_are_a_view_of_one_graph():
    whole = trace_graph.trace_graph(row_trace(), 1)
    assert (0, 2, 1) in whole, "0301, on the first leg, with one place entered"
    assert (1, 6, 0) in whole, "0701, along the road"
    assert whole.edges[(0, 2, 1), (1, 3, 0)]["weight"] == 1
    left = with_closed(whole, {6})
    assert set(whole) - set(left) == {(1, 6, 0)}
    assert nx.has_path(whole, START, GOAL)
    assert not nx.has_path(left, START, GOAL)


@settings(max_examples=40)
@given(traces([HexGrid(4, 4), RING], longest=3), st.data())
def test_routes_are_legal_and_shortest(trace, data):
    graph = trace.graph
    boards = boards_of(graph)
    start = data.draw(st.integers(0, len(graph) - 1))
    route = answer(trace, start)
    if isinstance(route, Blocked):
        return
    at = start
    for places, leg in zip(route.legs, trace.legs, strict=False):
        ids = [graph.index(label) for label in places]
        assert ids[0] == at
        assert leg.limit is None or len(ids) - 1 <= leg.limit
        drawn = steps_of(trace, leg)
        assert all(drawn.has_edge(a, b) for a, b in pairwise(ids))
        at = ids[-1]
        assert boards.has(leg.until, at) or (trace.direct and boards.has(trace.legs[-1].until, at))
    assert boards.has(trace.legs[-1].until, at)
    assert len(route.legs) == len(trace.legs) or trace.direct
    assert route.entered == reference_fewest(trace, start)


def ids(trace, labels):
    return [trace.graph.index(label) for label in labels]


def leads(trace, start, closed):
    """Whether there is a route with some places closed, by the floods."""
    boards = boards_of(trace.graph)
    return boards.has(evolve(trace, closed=boards.board(closed), start_exempt=True).board(), start)


@settings(max_examples=60)
@given(traces(), st.data())
def test_what_cuts_a_route_cuts_it_and_nothing_of_it_is_needless(trace, data):
    start = data.draw(st.integers(0, len(trace.graph) - 1))
    told = answer(trace, start)
    closed = set() if isinstance(told, Blocked) else set(boards_of(trace.graph).places(trace.closed))
    if not told.cut or told.cut == (trace.graph.label(start),):
        return
    cut = ids(trace, told.cut)
    assert not leads(trace, start, closed | set(cut))
    for place in cut:
        assert leads(trace, start, closed | set(cut) - {place})
    if isinstance(told, Blocked):
        assert set(cut) <= set(boards_of(trace.graph).places(trace.closed))


@settings(max_examples=60)
@given(traces([HexGrid(4, 4), SquareGrid(4, 4), RING], longest=3), st.data())
def test_one_place_that_cuts_a_route_is_found_and_without_limits_the_fewest(trace, data):
    start = data.draw(st.integers(0, len(trace.graph) - 1))
    told = answer(trace, start)
    if isinstance(told, Blocked):
        return
    closed = set(boards_of(trace.graph).places(trace.closed))
    others = [place for place in range(len(trace.graph)) if place not in closed | {start}]
    single = [place for place in others if not leads(trace, start, closed | {place})]
    assert (len(told.cut) == 1) == bool(single)
    if len(trace.legs) == 1 and trace.legs[0].limit is None and len(told.cut) > 1:
        pairs = [pair for pair in combinations(others, 2) if not leads(trace, start, closed.union(pair))]
        assert (len(told.cut) == 2) == bool(pairs)


@settings(max_examples=60)
@given(traces([HexGrid(4, 4), SquareGrid(4, 4), RING], longest=3), st.data())
def test_what_would_reopen_a_trace_reopens_it_and_on_one_leg_nothing_less_does(trace, data):
    start = data.draw(st.integers(0, len(trace.graph) - 1))
    told = answer(trace, start)
    if isinstance(told, Route) or "itself" in told.reason:
        return
    closed = set(boards_of(trace.graph).places(trace.closed))
    opening = set(ids(trace, told.reopening))
    assert opening <= closed
    assert leads(trace, start, closed - opening) == bool(opening) == leads(trace, start, ())
    if opening and len(trace.legs) == 1:
        smaller = combinations(closed, len(opening) - 1)
        assert not any(leads(trace, start, closed - set(some)) for some in smaller)
