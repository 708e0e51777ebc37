"""The map as a networkx graph: its contents, layers, what a side may know of it, and GraphML that networkx reads back."""

import networkx as nx
import pytest

from interpreter.messages.inputs import Refused
from tests.interpreter.rulebook import game_of

RULES = """\
unit scout:
  pace       number, starts 2
  hidden from enemy: place
path walk of u (a scout):
  from place of u
  at most pace of u points
  entering h (a hex) costs 3/2 when terrain of h is wood
  entering h (a hex) costs 1
  never into h (a hex) when terrain of h is lake because "too deep"
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may walk-on
order walk-on of u (a scout) to goal (a hex):
  given by side of u
  reaching goal by walk of u
  move u to goal
scenario patrol "A patrol" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of scout:
    name | in
    s-1  | 0302
    s-2  | 0302
  forces red of scout:
    name | in
    r-1  | 0401
  turn-order is blue, red
"""


@pytest.fixture
def game():
    return game_of(RULES, scenario="patrol")


def test_places_have_their_fields_and_who_stands_there(game):
    graph = game.map_graph("umpire")
    assert graph.nodes["0302"] == {
        "map": "field", "column": 3, "row": 2, "things": "s-1, s-2", "things of blue": 2, "terrain": "wood", "town": "no",
    }  # fmt: skip
    assert graph.nodes["0401"]["things"] == "r-1"


def test_edges_join_neighbours_and_say_which_links_lead_along_them(game):
    graph = game.map_graph("umpire")
    assert set(graph["0202"]) == {"0201", "0203", "0102", "0103", "0302", "0303"}
    assert graph.edges["0105", "0205"] == {"adjacent": True, "trail": True}
    assert graph.edges["0501", "0502"] == {"adjacent": True, "river": True}
    assert graph.edges["0101", "0102"] == {"adjacent": True}
    assert sum(1 for _, _, trail in graph.edges(data="trail") if trail) == 3


def test_a_layer_is_an_expression_about_each_place(game):
    """0402 touches 0302 over 0303's side; into a wood a step costs 1 1/2, into the lake at 0503 none leads."""
    graph = game.map_graph(
        "umpire", {"far": "distance from s-1 to here", "cost": "cost of reaching here by walk of s-1"}
    )
    assert [graph.nodes[x]["far"] for x in ("0302", "0303", "0801")] == [0, 1, 5]
    assert graph.nodes["0303"]["cost"] == 1
    assert "cost" not in graph.nodes["0801"], "out of reach"
    back = game.map_graph("umpire", {"cost": "cost of reaching here by walk of r-1"})
    assert back.nodes["0302"]["cost"] == 1.5


def test_a_side_sees_no_more_than_it_may_know(game):
    seen = game.map_graph("blue", {"foes": "count scouts in here"})
    assert "things" not in seen.nodes["0401"]
    assert sum(foes for _, foes in seen.nodes(data="foes")) == 2, "its own"
    assert game.map_graph("umpire", {"foes": "count scouts in here"}).nodes["0401"]["foes"] == 1


@pytest.mark.parametrize("asked", ["distance from r-1 to here", "distance from r-9 to here", "pace of r-1"])
def test_a_layer_of_what_a_side_may_not_know_is_refused_like_one_of_nothing(game, asked):
    with pytest.raises(Refused) as refused:
        game.map_graph("blue", {"x": asked})
    assert refused.value.message == f"Unknown name `{asked.split()[2 if 'from' in asked else -1]}`."


def test_layers_have_names_of_their_own_and_values_in_some_place(game):
    with pytest.raises(Refused, match="already have a field `terrain`"):
        game.map_graph("umpire", {"terrain": "distance from s-1 to here"})
    with pytest.raises(Refused, match="is not a valid expression"):
        game.map_graph("umpire", {"x": "distance distance"})
    with pytest.raises(Refused, match="no value in any place"):
        game.map_graph("umpire", {"x": "cost of reaching 0801 by walk of s-1"})


def test_graphml_is_read_again_by_networkx(game):
    graph = game.map_graph("blue", {"cost": "cost of reaching here by walk of s-1"})
    text = "\n".join(nx.generate_graphml(graph))
    again = nx.parse_graphml(text)
    assert dict(again.nodes(data=True)) == dict(graph.nodes(data=True))
    assert again.adj == graph.adj
