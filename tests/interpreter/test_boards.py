"""Boards contain the places they were given and spread exactly to the neighbours, on every type of map."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.geometry.boards import DrawnBoards, HexBoards, boards_of
from interpreter.geometry.drawn_graph import DrawnGraph
from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.squares import SquareGrid

ring = DrawnGraph("ABCDE", [("A", "B"), ("B", "C"), ("C", "D"), ("D", "E"), ("E", "A")])
maps = (
    st.builds(HexGrid, st.integers(1, 9), st.integers(1, 9), low_columns=st.sampled_from(["even", "odd"]))
    | st.builds(SquareGrid, st.integers(1, 9), st.integers(1, 9), diagonals=st.booleans())
    | st.just(ring)
)


@st.composite
def maps_with_places(draw):
    graph = draw(maps)
    return graph, draw(st.sets(st.integers(0, len(graph) - 1)))


def test_a_hex_spreads_to_its_six_neighbours():
    grid = HexGrid(5, 5)
    boards = boards_of(grid)
    around = boards.places(boards.spread(boards.board([grid.index("0202")])))
    assert [grid.label(place) for place in around] == ["0102", "0103", "0201", "0203", "0302", "0303"]


def test_spreading_does_not_wrap_round_the_edge():
    grid = HexGrid(4, 4)
    boards = boards_of(grid)
    assert boards.places(boards.spread(boards.board([grid.index("0104")]))) == [
        grid.index("0103"),
        grid.index("0203"),
        grid.index("0204"),
    ]
    assert boards.spread(boards.full) == boards.full


def test_the_boards_of_a_map_are_made_once():
    assert boards_of(HexGrid(4, 4)) is boards_of(HexGrid(4, 4))
    assert isinstance(boards_of(HexGrid(4, 4)), HexBoards)
    assert isinstance(boards_of(ring), DrawnBoards)


def test_a_board_of_a_larger_map_is_refused():
    with pytest.raises(ValueError, match="belongs to another map"):
        boards_of(ring).places(1 << 30)
    with pytest.raises(ValueError, match="5 bytes, not 2"):
        boards_of(ring).from_flags(b"\0\1")


@given(maps_with_places())
def test_places_go_onto_a_board_and_come_back(case):
    graph, places = case
    boards = boards_of(graph)
    board = boards.board(places)
    assert boards.places(board) == sorted(places)
    assert boards.count(board) == len(places)
    assert {place for place in range(len(graph)) if boards.has(board, place)} == places
    flags = boards.flags(board)
    assert list(flags) == [int(place in places) for place in range(len(graph))]
    assert boards.from_flags(flags) == board
    assert boards.board(range(len(graph))) == boards.full


@given(maps_with_places())
def test_spread_is_the_union_of_the_neighbours(case):
    graph, places = case
    boards = boards_of(graph)
    expected = {other for place in places for other in graph.neighbours(place)}
    assert boards.places(boards.spread(boards.board(places))) == sorted(expected)


@pytest.mark.parametrize("share", [3, 2000])
def test_sparse_and_dense_boards_of_a_large_map(share):
    grid = HexGrid(120, 130, low_columns="odd")
    boards = boards_of(grid)
    places = sorted(random.Random(share).sample(range(len(grid)), len(grid) // share))
    assert boards.places(boards.board(places)) == places
