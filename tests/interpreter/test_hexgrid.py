"""Places, labels, neighbours and distances, compared with values read off a drawn map and with networkx."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.geometry.drawn_graph import DrawnGraph
from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.place_graph import PlaceGraph
from interpreter.geometry.squares import SquareGrid

grids = st.builds(
    HexGrid,
    st.integers(1, 7),
    st.integers(1, 7),
    first_column=st.integers(0, 3),
    first_row=st.integers(0, 3),
    low_columns=st.sampled_from(["even", "odd"]),
) | st.builds(SquareGrid, st.integers(1, 6), st.integers(1, 6), diagonals=st.booleans())


def named(grid: PlaceGraph, places: "list[int] | tuple[int, ...]") -> list[str]:
    return [grid.label(place) for place in places]


def test_labels_are_column_then_row_and_ids_follow_their_order():
    grid = HexGrid(12, 20)
    assert grid.label(0) == "0101"
    assert grid.label(19) == "0120"
    assert grid.label(20) == "0201"
    assert grid.index("0304") == 2 * 20 + 3
    assert grid.position(grid.index("0304")) == (3, 4)
    assert list(grid.labels()) == sorted(grid.labels())


def test_a_map_over_99_columns_or_rows_takes_three_digits_each():
    assert HexGrid(99, 20).label(0) == "0101"
    assert HexGrid(100, 20).label(0) == "001001"
    assert HexGrid(20, 100).index("003004") == 203
    assert HexGrid(1000, 1000).label(0) == "00010001"


def test_numbering_may_start_anywhere():
    grid = HexGrid(10, 10, first_column=15, first_row=0)
    assert grid.label(0) == "1500"
    assert grid.at(16, 2) == 12


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("304", "'304' is not a place of this map: write column and row with 2 digits each, such as 0101."),
        ("03x4", "'03x4' is not a place of this map: write column and row with 2 digits each, such as 0101."),
        ("1301", "'1301' is not a place of this map. There is no column 13: columns run from 01 to 12."),
        ("0300", "'0300' is not a place of this map. There is no row 0: rows run from 01 to 20."),
    ],
)
def test_a_wrong_label_says_what_is_wrong(label, message):
    with pytest.raises(ValueError) as refused:
        HexGrid(12, 20).index(label)
    assert str(refused.value) == message


def test_an_id_off_the_map_is_refused():
    grid = HexGrid(3, 3)
    for wrong in (-1, 9):
        with pytest.raises(IndexError):
            grid.label(wrong)
        with pytest.raises(IndexError):
            grid.neighbours(wrong)
        with pytest.raises(IndexError):
            grid.distance(0, wrong)


def test_impossible_grids_are_refused():
    with pytest.raises(ValueError, match="The number of columns of a grid must be at least 1, not 0"):
        HexGrid(0, 4)
    with pytest.raises(ValueError, match="first_row of a grid must be at least 0, not -1"):
        HexGrid(3, 3, first_row=-1)
    with pytest.raises(ValueError, match="low_columns must be"):
        HexGrid(3, 3, low_columns="left")


# In the drawing below even columns stand half a hex lower, as on most printed maps:
#    01   02   03
#   0101      0301
#        0201
#   0102      0302
#        0202
@pytest.mark.parametrize(
    ("low", "place", "expected"),
    [
        ("even", "0202", ["0102", "0103", "0201", "0203", "0302", "0303"]),
        ("even", "0302", ["0201", "0202", "0301", "0303", "0401", "0402"]),
        ("odd", "0202", ["0101", "0102", "0201", "0203", "0301", "0302"]),
        ("even", "0101", ["0102", "0201"]),
        ("odd", "0101", ["0102", "0201", "0202"]),
    ],
)
def test_neighbours_depend_on_which_columns_stand_lower(low, place, expected):
    grid = HexGrid(5, 5, low_columns=low)
    assert named(grid, grid.neighbours(grid.index(place))) == expected
    assert named(grid, grid.around[grid.index(place)]) == expected


def test_directions_go_clockwise_from_north():
    grid = HexGrid(5, 5)
    middle = grid.index("0202")
    steps = {grid.direction(middle, place): grid.label(place) for place in grid.neighbours(middle)}
    assert steps == {"n": "0201", "ne": "0302", "se": "0303", "s": "0203", "sw": "0103", "nw": "0102"}
    with pytest.raises(ValueError, match="not adjacent"):
        grid.direction(middle, grid.index("0404"))


def test_distances_counted_on_the_drawing():
    grid = HexGrid(10, 10)

    def far(a: str, b: str) -> int:
        return grid.distance(grid.index(a), grid.index(b))

    assert far("0101", "0101") == 0
    assert far("0101", "0105") == 4
    assert far("0101", "0501") == 4
    assert far("0101", "0503") == 4  # four columns across leave two hexes of drift for nothing
    assert far("0101", "0504") == 5
    assert far("0201", "0301") == 1
    assert far("0201", "0303") == 2


def test_squares_with_and_without_diagonals():
    plain, crossed = SquareGrid(4, 4), SquareGrid(4, 4, diagonals=True)
    assert plain.distance(0, plain.index("0403")) == 5
    assert crossed.distance(0, crossed.index("0403")) == 3
    assert named(crossed, crossed.neighbours(0)) == ["0102", "0201", "0202"]
    assert plain.direction(0, 4) == "e"


def test_a_drawn_graph_keeps_its_order_and_counts_borders():
    drawn = DrawnGraph(["West", "Ford", "East", "Isle"], [("West", "Ford"), ("East", "Ford"), ("Ford", "West")])
    assert len(drawn) == 4
    assert drawn.neighbours(1) == (0, 2)
    assert drawn.distance(0, 2) == 2
    assert drawn.within(0, 1) == [0, 1]
    assert list(drawn.edges()) == [(0, 1), (1, 2)]
    with pytest.raises(ValueError, match="West and Isle are not connected"):
        drawn.distance(0, 3)
    with pytest.raises(ValueError, match="'Nord' is not a place"):
        drawn.index("Nord")


def test_a_drawn_graph_refuses_what_cannot_be_drawn():
    with pytest.raises(ValueError, match="names two places"):
        DrawnGraph(["A", "A"])
    with pytest.raises(ValueError, match="cannot border itself"):
        DrawnGraph(["A"], [("A", "A")])


def test_the_networkx_graph_carries_attributes_and_links():
    grid = HexGrid(3, 3)
    drawn = grid.graph({"0202": {"terrain": "woods"}}, {"road": [("0101", "0201")], "ferry": [("0101", "0303")]})
    assert drawn.nodes["0202"] == {"id": 4, "terrain": "woods"}
    assert drawn.edges["0201", "0101"] == {"adjacent": True, "links": frozenset({"road"})}
    assert drawn.edges["0101", "0303"] == {"adjacent": False, "links": frozenset({"ferry"})}
    with pytest.raises(ValueError):
        grid.graph(links={"road": [("0101", "9901")]})


@given(grids)
def test_distances_ranges_and_edges_agree_with_networkx(grid):
    drawn = grid.graph()
    assert [(grid.index(a), grid.index(b)) for a, b in drawn.edges] == list(grid.edges())
    for name, steps in nx.all_pairs_shortest_path_length(drawn):
        place = grid.index(name)
        assert grid.label(place) == name
        for other, far in steps.items():
            assert grid.distance(place, grid.index(other)) == far
        for radius in (-1, 0, 1, 2, 4):
            assert grid.within(place, radius) == sorted(grid.index(n) for n, far in steps.items() if far <= radius)


@given(grids)
def test_neighbours_lie_in_directions_of_their_own_and_lead_back(grid):
    for place in range(len(grid)):
        neighbours = grid.neighbours(place)
        assert len({grid.direction(place, other) for other in neighbours}) == len(neighbours)
        for other in neighbours:
            assert place in grid.neighbours(other)
