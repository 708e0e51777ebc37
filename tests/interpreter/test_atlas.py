"""Several maps at once: toy/maps.rules has hexes that lie in super-hexes, squares in zones, and what lies between squares.

Its examples state what is expected of single rules; here is what is true of any maps.
"""

import random
from pathlib import Path

import networkx as nx
import pytest

from dsl.data.dates import part_of
from dsl.load import bound_or_raise, check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.text.source import NOWHERE, SourceFile
from interpreter.examples.examples import run_example
from interpreter.geometry.atlas import Atlas
from interpreter.geometry.boards import boards_of
from interpreter.geometry.drawn_graph import DrawnGraph
from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.squares import SquareGrid
from interpreter.machine import begin, resume
from interpreter.messages.inputs import Input
from interpreter.play.state import digest_of, restore, state_of
from interpreter.runtime.refusals import Refused
from interpreter.setup.compile_rules import compile_program
from tests.long import either

TEXT = (Path(__file__).with_name("toy") / "maps.rules").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def read():
    return read_system([SourceFile("maps.rules", TEXT)])


@pytest.fixture(scope="module")
def program(read):
    return compile_program(bound_or_raise(read), read.files)


def scenario_of(read, name):
    return next(x for x in read.declarations if isinstance(x, d.Scenario) and x.name == name)


@pytest.fixture
def game(read, program):
    return begin(program, scenario_of(read, "both"), {"dice": "typed", "seed": 1})


@pytest.fixture
def late(read, program):
    return begin(program, scenario_of(read, "late"), {"dice": "typed", "seed": 1})


def next_turn(game):
    turn, events = game.turn, []
    while game.turn == turn:
        events += game.offer(Input("do", game.awaiting[0].side, "done"))
    return [e.text for e in events]


def test_things_come_into_the_game_on_their_turn(late):
    world = late.world
    assert [x.id for x in world.all_of("division")] == ["d1"]
    assert [t.id for t in late.view("red").things] == ["d1", "storm"]
    told = next_turn(late)
    assert told.index("Turn 2: 1 January 1986.") < told.index("d2 arrives in 0103.")
    assert world.by_id["d2"].place.label == "0103"
    assert "d3 arrives." in next_turn(late)
    assert world.by_id["d3"].place is None
    assert [x.id for x in world.all_of("division")] == ["d1", "d2", "d3"]


def test_what_arrives_is_there_after_a_snapshot_and_what_is_due_still_comes(read, program, late):
    next_turn(late)
    again = resume(program, scenario_of(read, "late"), {"dice": "typed", "seed": 1}, late.snapshot())
    assert again.digest() == late.digest()
    assert [x.id for x in again.world.all_of("division")] == ["d1", "d2"]
    assert next_turn(again) == next_turn(late)
    assert again.digest() == late.digest()


def test_forces_may_belong_to_nobody_and_facts_name_places(late):
    assert late.world.by_id["storm"].side is None
    assert late.world.place("O-0101").f_owner.id == "red"
    assert late.view("blue").date == "29 December 1985"


@pytest.mark.parametrize(
    ("begins", "turn", "shown"),
    [
        ("1985-08-04, 7 days", 1, "4 August 1985"),
        ("1985-08-04, 7 days", 5, "1 September 1985"),
        ("1984-02-28, 12 hours", 3, "29 February 1984, 00:00"),
        ("1984-02-28, 12 hours", 2, "28 February 1984, 12:00"),
        ("1985-01-31, 1 months", 2, "28 February 1985"),
        ("1985-01-31, 1 months", 13, "31 January 1986"),
        ("1985-12-25, 1 weeks", 2, "1 January 1986"),
    ],
)
def test_a_turn_has_its_date(begins, turn, shown):
    date, count, unit = begins.replace(",", "").split()
    assert part_of(ln.Begins(NOWHERE, date=date, count=int(count), unit=unit), turn, "date") == shown


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
    """What lies between places is an attribute of the edge between them, and not a node."""
    world, built = game.world, game.map_graph("umpire")
    assert len(built) == 8 * 6 + 3 * 2 + 4 * 4 + 3
    assert built.edges["0502", "0602"]["river"] == "major"
    for place in world.places:
        if place.label not in built:
            continue
        near = nx.single_source_shortest_path_length(built.edge_subgraph(
            [(a, b) for a, b, e in built.edges(data=True) if e["adjacent"]]
        ), place.label) if built.degree(place.label) else {place.label: 0}  # fmt: skip
        assert {x.label for x in world.ground.within(place, 2)} == {label for label, far in near.items() if far <= 2}
        for label, far in near.items():
            assert world.ground.distance(place, world.place(label)) == far


def test_two_maps_with_a_place_of_one_name_cannot_stand_side_by_side():
    with pytest.raises(ValueError, match="Two of the maps have a place 0101"):
        Atlas([HexGrid(2, 2), SquareGrid(1, 1)])


@pytest.mark.parametrize("grid", [HexGrid(9, 9), HexGrid(9, 9, low_columns="odd"), SquareGrid(9, 9, diagonals=True)])
def test_a_straight_line_is_the_same_both_ways_and_holds_what_it_enters(grid):
    """The daily form tries 40 pairs of places, the long form (`OPHEX_LONG=1`) 150."""
    dice = random.Random(9)
    for _ in range(either(40, 150)):
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
    again = begin(program, scenario_of(read, "both"), {"dice": "typed", "seed": 1})
    restore(again.world, state_of(game.world))
    assert digest_of(again.world, "") == digest_of(game.world, "")
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


WAYS = """system small "Small" version 1.0
place town{grid}:
  worth number, starts 0, kept for "the counter"
place way, between towns:
  torn mark
{map}
unit corps, plural corps:
  steps number, starts 1, kept for "the counter"
order rip of w (a way):
  given by active
  refused when w is torn because "torn already"
  w becomes torn
sequence game-turn:
  for each s in sides, as active:
    phase main "Main":
      active may rip
scenario one "One" on land:
  side red "Red" red
  torn of {way} is yes
  end game when {way} is not torn because "mended"
example "Named":
  put c (a corps, side blue) in {town}
  given torn of {way} is yes
  then blue may not rip {way} because "torn already"
  given {way} is not torn
  blue orders rip {way}
  then {way} is torn
"""
DRAWN = """map land "Land" of town:
  places:
    town | worth
    alba | 1
    bern | 2
    cork | 2
  alba next to bern, cork"""
SQUARES = """map land "Land" of town, 3 by 2, numbered {0}0101:
  letters:
    letter | worth
    .      | 0
  grid:
    01 | . . .
    02 | . . ."""


@pytest.mark.parametrize(("grid", "drawn", "town", "way"), [
    ("", DRAWN, "alba", "alba-bern"),
    (", on square grid", SQUARES.format("S-"), "S-0101", "S-0101-S-0201"),
])  # fmt: skip
def test_what_lies_between_two_places_is_named_after_both_wherever_a_place_is(grid, drawn, town, way):
    text = WAYS.format(grid=grid, map=drawn, town=town, way=way)
    read = read_system([SourceFile("t.rules", text)])
    assert [x.message for x in check_system(read)] == []
    program = compile_program(bound_or_raise(read), read.files)
    (variant,) = variants(program.ruleset.examples[0], read.defaults)
    assert run_example(program, program.ruleset.examples[0], variant).passed
    game = begin(program, scenario_of(read, "one"), {"dice": "typed", "seed": 1})
    with pytest.raises(Refused, match="Unknown name"):
        game.offer(Input("override", "umpire", f"torn of {way.replace('b', 'c').replace('2', '3')} = yes", "mended"))
    game.offer(Input("override", "umpire", f"torn of {way} = no", "mended"))
    game.offer(Input("do", "red", "done"))
    assert game.over
