"""Several maps at once: toy/maps.rules has hexes that lie in super-hexes, squares in zones, and what lies between squares.

What is expected of single rules stands in its examples; here is what holds of any maps.
"""

import random
from pathlib import Path

import networkx as nx
import pytest

from dsl import declarations as d
from dsl.load import bound_or_raise, read_system
from dsl.source import SourceFile
from interpreter.atlas import Atlas
from interpreter.boards import boards_of
from interpreter.examples import run_example, variants
from interpreter.hexgrid import DrawnGraph, HexGrid, SquareGrid
from interpreter.inputs import Input
from interpreter.play import begin
from interpreter.program import compile_program

TEXT = (Path(__file__).with_name("toy") / "maps.rules").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def read():
    return read_system([SourceFile("maps.rules", TEXT)])


@pytest.fixture(scope="module")
def program(read):
    return compile_program(bound_or_raise(read), read.files)


@pytest.fixture
def game(read, program):
    scenario = next(x for x in read.declarations if isinstance(x, d.Scenario))
    return begin(program, scenario, {"dice": "typed", "seed": 1})


def test_every_example_of_the_system_holds(read, program):
    for example in program.ruleset.examples:
        for variant in variants(example, read.defaults):
            outcome = run_example(program, example, variant)
            assert [(f.span.line, f.expected, f.got) for f in outcome.failures] == []
            assert outcome.passed


def test_boards_over_several_maps_say_what_the_graph_says():
    atlas = Atlas(
        [HexGrid(7, 5), SquareGrid(4, 3, diagonals=True, prefix="S-"), DrawnGraph(["n", "m", "s"], [("n", "m")])]
    )
    boards, dice = boards_of(atlas), random.Random(4)
    for _ in range(200):
        places = sorted(dice.sample(range(len(atlas)), dice.randint(0, len(atlas))))
        board = boards.board(places)
        assert boards.places(board) == places
        assert boards.from_flags(boards.flags(board)) == board
        assert boards.places(boards.spread(board)) == sorted({o for p in places for o in atlas.neighbours(p)})


def test_the_networkx_graph_and_the_quick_way_agree(game):
    world, built = game.world, game.world.graph()
    assert len(built) == 8 * 6 + 3 * 2 + 4 * 4 + 3 + (2 * 4 * 3 + 2 * 3 * 3)
    assert built.edges["0502", "0602"]["links"] == {"river"}
    for place in world.places:
        near = nx.single_source_shortest_path_length(built.edge_subgraph(
            [(a, b) for a, b, e in built.edges(data=True) if e["adjacent"]]
        ), place.label) if built.degree(place.label) else {place.label: 0}  # fmt: skip
        assert {x.label for x in world.within(place, 2)} == {label for label, far in near.items() if far <= 2}
        for label, far in near.items():
            assert world.distance(place, world.place(label)) == far


def test_two_maps_with_a_place_of_one_name_cannot_stand_side_by_side():
    with pytest.raises(ValueError, match="Two of the maps have a place 0101"):
        Atlas([HexGrid(2, 2), SquareGrid(1, 1)])


@pytest.mark.parametrize("grid", [HexGrid(9, 9), HexGrid(9, 9, low_columns="odd"), SquareGrid(9, 9, diagonals=True)])
def test_a_straight_line_is_the_same_both_ways_and_holds_what_it_enters(grid):
    dice = random.Random(9)
    for _ in range(150):
        a, b = dice.sample(range(len(grid)), 2)
        line = grid.line(a, b)
        assert set(line) == set(grid.line(b, a))
        (x1, y1), (x2, y2) = grid.middle(a), grid.middle(b)
        entered = set()
        for part in range(1, 60):
            x, y = x1 + (x2 - x1) * part / 60, y1 + (y2 - y1) * part / 60
            for place in range(len(grid)):
                east, south = x - grid.middle(place)[0], y - grid.middle(place)[1]
                if all(abs(p * east + q * south) < most - 1e-9 for p, q, most in grid._walls):
                    entered.add(place)
        assert entered - {a, b} <= set(line)
        assert len(line) >= grid.distance(a, b) - 1


def test_bearings_are_clockwise_from_north():
    grid = HexGrid(9, 9)
    middle = grid.index("0505")
    sides = [round(grid.bearing(middle, grid.index(x))) for x in ("0504", "0604", "0605", "0506", "0405", "0404")]
    assert sides == [0, 60, 120, 180, 240, 300]
    assert round(grid.bearing(middle, grid.index("0705")), 6) == 90
    assert round(grid.bearing(middle, grid.index("0603")), 6) == 30


def test_a_game_over_several_maps_is_what_its_inputs_say(read, program, game):
    for side, text in (
        ("blue", "fly w1 to O-0202"),
        ("blue", "storm g1 to S-0303"),
        ("blue", "done"),
        ("red", "aim m1 to 0304"),
    ):
        game.offer(Input("do", side, text))
    again = begin(
        program, next(x for x in read.declarations if isinstance(x, d.Scenario)), {"dice": "typed", "seed": 1}
    )
    again.world.restore(game.world.state())
    assert again.world.digest_of("") == game.world.digest_of("")
    assert again.world.by_id["g1"].place.label == "S-0202-S-0303"
    assert again.world.by_id["m1"].f_target.label == "0304"


def test_a_view_shows_every_map_and_what_lies_between(game):
    maps = {m.name: m for m in game.view("blue").maps}
    assert [(m.name, m.grid) for m in maps.values()] == [
        ("theatre", "hex"),
        ("air", "hex"),
        ("front", "square"),
        ("realm", "drawn"),
    ]
    assert ("major river", "0502", "0602") in maps["theatre"].links
    assert next(p for p in maps["theatre"].places if p.label == "0404").inside == "O-0201"
    assert next(p for p in maps["air"].places if p.label == "O-0101").name == "Lorraine"
    wet = [b for b in maps["front"].between if b.fields["feature"] == "wet"]
    assert [(b.label, b.first, b.last) for b in wet] == [("S-0202-S-0203", "S-0202", "S-0203")]
    assert maps["realm"].borders == (("alba", "bern"), ("alba", "cork"))
