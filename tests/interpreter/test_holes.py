"""Holes in a grid: nothing is there, nothing leads there, and nothing is drawn."""

import pytest

from interpreter.geometry.boards import boards_of
from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.squares import SquareGrid
from interpreter.messages.inputs import Refused
from tests.interpreter.rulebook import ask, do, game_of, names
from ui.maps.charting import chart_of
from ui.maps.svg_map import draw as svg
from ui.maps.text_map import draw

# The lake 0202, 0302, 0303 and the corner 0501 are no places. 0201 and 0203 lie on two sides of it.
LAKE = """\
map lake "The lake" of hex, 5 by 4, even columns low:
  letters:
    letter | terrain | town
    .      | clear   | no
    w      | wood    | no
    x      | no place
  grid:
    01 | . . . . x
    02 | . x x . .
    03 | . . x . w
    04 | . . . . .
  trail along 0201 to 0203
path walk of u (a train):
  from place of u
  at most 4 points
  entering h (a hex) costs 1
order go of u (a train) to goal (a hex):
  given by side of u
  reaching goal by walk of u
  move u to goal
order jump of u (a train) to goal (a hex):
  given by side of u
  move u to goal
sequence game-turn:
  for each s in turn-order, as active:
    phase going:
      active may go, jump
scenario shore "The shore" on lake:
  side blue "The Blues" blue
  side red "The Reds" red
  forces blue of train:
    name | stock | in
    b-1  | 1     | 0201
    b-2  | 1     | 0503
  turn-order is blue, red
"""


@pytest.fixture
def shore():
    return game_of(LAKE, scenario="shore")


def test_there_is_nothing_there(shore):
    assert ask(shore, "count hexes") == 5 * 4 - 4
    assert names(ask(shore, "hexes next to 0201")) == ["0101", "0102", "0301"], "0202 and 0302 are none"
    assert names(ask(shore, "hexes within 1 of 0403")) == ["0304", "0402", "0403", "0404", "0503", "0504"]
    assert names(ask(shore, "hexes between 0102 and 0402")) == [], "the straight line leads over the lake only"


def test_a_range_is_counted_across_and_a_way_leads_round(shore):
    assert ask(shore, "distance from 0201 to 0203") == 2
    assert ask(shore, "cost of reaching 0203 by walk of b-1") == 3, "0102, 0103, 0203"


def test_no_command_can_name_it(shore):
    with pytest.raises(Refused, match="here is no hex 0302"):
        do(shore, "jump b-1 to 0302")
    assert not any("0302" in text or "0501" in text for text in shore.legal("blue"))
    do(shore, "go b-1 to 0203")
    assert ask(shore, "b-1 is in 0203")


def test_the_edge_of_the_map_is_where_it_ends(shore):
    for place, edge, so in [
        ("0502", "north", True),
        ("0401", "east", True),
        ("0402", "east", False),
        ("0402", "west", False),
        ("0304", "north", False),
    ]:
        shore.world.positions.stand(shore.world.by_id["b-1"], shore.world.by_label[place])
        assert ask(shore, f"b-1 is on {edge} edge") is so, (place, edge)


def test_a_link_that_cannot_lead_straight_leads_round(shore):
    world = shore.world
    way = {world.grid.label(i) for i in world.linked_places["trail"]}
    assert way == {"0201", "0102", "0103", "0203"}


def test_it_is_drawn_as_blank(shore):
    chart = chart_of(shore.view("umpire"))
    assert chart.at("0302") is None
    rows = draw(chart)
    assert not any("0302" in row or "0501" in row for row in rows)
    assert any("0301" in row for row in rows)
    shown = svg(shore.view("umpire"))
    assert "0503" in shown
    assert "0302" not in shown


@pytest.mark.parametrize("grid", [HexGrid, SquareGrid])
def test_boards_spread_as_neighbours_do(grid):
    holes = frozenset({0, 6, 7, 11, 12, 19})
    graph = grid(5, 4, holes=holes)
    boards = boards_of(graph)
    assert boards.places(boards.full) == [x for x in range(20) if x not in holes]
    for place in range(20):
        around = set(graph.neighbours(place))
        assert not around & holes
        if place in holes:
            assert not around
        else:
            assert boards.places(boards.spread(boards.board([place]))) == sorted(around)
            assert all(place in graph.neighbours(other) for other in around)
            assert set(graph.within(place, 1)) == around | {place}
            assert graph.index(graph.label(place)) == place
    with pytest.raises(ValueError, match="the map has a gap there"):
        graph.index("0101")
    assert len(graph.graph()) == 14
