"""Declared traces: cases computed by hand on a small map, and every fast method against a plain one written over networkx.

The daily form draws 40 traces for each comparison, the long form (`OPHEX_LONG=1`) a hundred.
"""

import networkx as nx
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.geometry.boards import boards_of
from interpreter.geometry.drawn_graph import DrawnGraph
from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.squares import SquareGrid
from interpreter.geometry.supply_field import RouteChange, SupplyField
from interpreter.geometry.trace_graph import answer
from interpreter.geometry.traces import Blocked, Leg, Links, Route, Trace
from tests.long import either

DRAWN = either(40, 100)
# One row of ten squares, 0101 to 1001. A road runs from 0401 to 1001, where the source is.
ROW = SquareGrid(10, 1)


def row_trace(limit=3, closed=(), **settings):
    boards = boards_of(ROW)
    pairs = [(place, place + 1) for place in range(3, 9)]
    road = boards.board(range(3, 10))
    source = boards.board([9])
    legs = (Leg(limit, None, road, "road"), Leg(None, "road", source, "source"))
    return Trace(ROW, Links({"road": pairs}), legs, boards.board(closed), **settings)


def supplied(trace):
    """The places from which there is a route."""
    return boards_of(trace.graph).places(trace.board())


def test_a_start_in_a_closed_place_is_exempt_or_not():
    assert isinstance(answer(row_trace(closed=[1]), 1), Route)
    assert answer(row_trace(closed=[1], start_exempt=False), 1) == Blocked(
        "0201 is itself closed.", 1, ("0201",), ("0201",)
    )
    assert supplied(row_trace(closed=[1]))[:3] == [1, 2, 3]
    assert supplied(row_trace(closed=[1], start_exempt=False))[:2] == [2, 3]


def test_an_earlier_leg_may_end_at_the_goal_itself_only_if_the_trace_is_direct():
    """The source at 0101 has no road: a unit can walk to it, but a trace by road cannot end there."""
    boards = boards_of(ROW)
    legs = (Leg(3, None, boards.board([8, 9]), "road"), Leg(None, "road", boards.board([0]), "source"))
    trace = Trace(ROW, Links({"road": [(8, 9)]}), legs)
    assert isinstance(answer(trace, 2), Blocked)
    assert trace.board() == 0
    direct = evolve(trace, direct=True)
    assert answer(direct, 2).legs == (("0301", "0201", "0101"),)
    assert supplied(direct) == [0, 1, 2, 3]


def test_wrong_traces_are_refused():
    with pytest.raises(ValueError, match="at least one leg"):
        Trace(ROW, Links(), ())
    with pytest.raises(ValueError, match="at least 0 places, not -1"):
        Leg(-1, None, 0)
    with pytest.raises(ValueError, match="no links named 'rail'"):
        Trace(ROW, Links({"road": []}), (Leg(1, "rail", 1),)).board()
    with pytest.raises(ValueError, match="to itself"):
        Links({"road": [(3, 3)]})
    with pytest.raises(IndexError):
        answer(row_trace(), -1)


def test_the_field_tells_who_gains_and_who_loses():
    field = SupplyField(row_trace())
    assert 0 in field
    assert field.update(close=[6]) == RouteChange((), (0, 1, 2, 3, 4, 5))
    assert 5 not in field
    assert 6 in field  # closed, but a route may start there
    assert field.update(close=[6]) == RouteChange((), ())
    assert answer(field.current(), 1).cut == ("0701",)
    assert field.update(open=[6], close=[2]) == RouteChange((2, 3, 4, 5), ())
    assert boards_of(ROW).places(field.board()) == [2, 3, 4, 5, 6, 7, 8, 9]
    assert field.update(close=[2], open=[2]) == RouteChange((0, 1), ())


def steps_of(trace, leg):
    """The steps a leg may take, as a directed graph: u -> v if they are joined, v is open, and the step is not barred."""
    pairs = trace.graph.edges() if leg.along is None else [p for name in leg.along for p in trace.links.named[name]]
    closed = set(boards_of(trace.graph).places(trace.closed))
    drawn = nx.DiGraph()
    drawn.add_nodes_from(range(len(trace.graph)))
    both = ((u, v) for a, b in pairs for u, v in ((a, b), (b, a)))
    drawn.add_edges_from((u, v) for u, v in both if v not in closed and u not in trace.barred.get(v, ()))
    return drawn


def reference_answer(trace, start):
    """Whether there is a route, by the words of the rule: the ends of each leg in turn."""
    boards = boards_of(trace.graph)
    goal = set(boards.places(trace.legs[-1].until))
    if not trace.start_exempt and boards.has(trace.closed, start):
        return False
    ends = {start}
    for leg in trace.legs:
        if not ends:
            return False
        reached = set(nx.multi_source_dijkstra_path_length(steps_of(trace, leg), ends, cutoff=leg.limit))
        if trace.direct and reached & goal:
            return True
        ends = reached & set(boards.places(leg.until))
    return bool(ends)


RING = DrawnGraph("ABCDEFGH", [(a, b) for a, b in zip("ABCDEFGH", "BCDEFGHA", strict=True)])
MAPS = [HexGrid(6, 7), HexGrid(13, 2, low_columns="odd"), SquareGrid(5, 5), RING]


@st.composite
def traces(draw, maps=MAPS, longest=4):
    graph = draw(st.sampled_from(maps))
    boards = boards_of(graph)
    places = st.integers(0, len(graph) - 1)
    edges = sorted(graph.edges())
    far_pairs = st.tuples(places, places).filter(lambda pair: pair[0] != pair[1])
    links = Links({
        "road": draw(st.lists(st.sampled_from(edges), max_size=25)),
        "lane": draw(st.lists(far_pairs, max_size=4)),
    })  # fmt: skip
    ways = st.sampled_from([None, "road", ("road", "lane")])
    limits = st.none() | st.integers(0, longest)
    legs = [
        Leg(draw(limits), draw(ways), boards.board(draw(st.sets(places, max_size=size))))
        for size in draw(st.sampled_from([(4,), (12, 3), (12, 8, 3)]))
    ]
    closed = boards.board(draw(st.sets(places, max_size=len(graph) // 3)))
    return Trace(graph, links, legs, closed, start_exempt=draw(st.booleans()), direct=draw(st.booleans()))


@settings(max_examples=DRAWN)
@given(traces())
def test_floods_and_answers_agree_with_the_reference(trace):
    expected = {place for place in range(len(trace.graph)) if reference_answer(trace, place)}
    assert set(supplied(trace)) == expected
    assert {place for place in range(len(trace.graph)) if isinstance(answer(trace, place), Route)} == expected


@settings(max_examples=DRAWN)
@given(traces(), st.data())
def test_they_agree_where_steps_are_barred(trace, data):
    places = st.integers(0, len(trace.graph) - 1)
    drawn = data.draw(
        st.dictionaries(places, st.frozensets(places, min_size=1, max_size=20), max_size=len(trace.graph))
    )
    barred = evolve(trace, barred=drawn)
    expected = {place for place in range(len(trace.graph)) if reference_answer(barred, place)}
    assert set(supplied(barred)) == expected
    assert {place for place in range(len(trace.graph)) if isinstance(answer(barred, place), Route)} == expected


@settings(max_examples=DRAWN)
@given(traces(), st.data())
def test_the_field_follows_every_change(trace, data):
    boards = boards_of(trace.graph)
    places = st.integers(0, len(trace.graph) - 1)
    field = SupplyField(trace)
    before = trace.board()
    assert field.board() == before
    closed = trace.closed
    for close, opened in data.draw(
        st.lists(st.tuples(st.sets(places, max_size=7), st.sets(places, max_size=7)), max_size=6)
    ):
        change = field.update(close, opened)
        closed = (closed | boards.board(close)) & ~boards.board(opened)
        after = evolve(trace, closed=closed).board()
        assert field.board() == after
        assert list(change.gained) == boards.places(after & ~before)
        assert list(change.lost) == boards.places(before & ~after)
        before = after


def test_the_field_on_limits_too_wide_for_a_byte():
    long_row = SquareGrid(400, 1)
    boards = boards_of(long_row)
    trace = Trace(long_row, Links(), (Leg(300, None, boards.board([399])),))
    field = SupplyField(trace)
    assert boards.places(field.board()) == list(range(99, 400))
    assert field.update(close=[200]).lost == tuple(range(99, 200))
    assert field.update(open=[200]).gained == tuple(range(99, 200))
