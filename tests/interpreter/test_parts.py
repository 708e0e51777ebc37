"""Things made of parts: parts come with them, stay and leave with their whole, and are reported and hidden with it.

The game is `toy/ships.rules`. Its unit lists say what parts a cruiser, a trader and an eel have.
"""

from functools import lru_cache
from pathlib import Path

import pytest

from campaigns.library.diagnosing import diagnose
from dsl.checks.mutants import mutants
from dsl.load import bound_or_raise, read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.machine import begin, resume
from interpreter.messages.inputs import Input, Refused
from interpreter.play.state import restore, state_of
from interpreter.runtime.runtime import RuleTrouble
from interpreter.setup.compile_rules import compile_program
from tests.interpreter.rulebook import ask, do, names, roll, texts

SHIPS = Path(__file__).with_name("toy") / "ships.rules"
MEN = SHIPS.with_name("men.rules")
CRUISER = ["iris-main", "iris-secondary-1", "iris-secondary-2", "iris-secondary-3", "iris-secondary-4"]


@lru_cache
def ships():
    text = read_system([SourceFile("ships.rules", SHIPS.read_text(encoding="utf-8"))])
    found = next(x for x in text.declarations if isinstance(x, d.Scenario))
    return compile_program(bound_or_raise(text, frozenset()), text.files), found


@pytest.fixture
def game():
    return begin(*ships(), {"dice": "typed", "seed": 1})


def pass_turns(game, number):
    """Every side is done, so many turns."""
    last = game.world.turn + number
    while game.world.turn < last:
        game.offer(Input("do", game.awaiting[0].side, "done"))


def test_a_thing_comes_with_what_its_entry_lists_named_after_it(game):
    assert [x.id for x in ask(game, "guns of iris")] == [*CRUISER, "long-tom"]
    assert names(ask(game, "sailors of iris")) == sorted(
        f"iris-cutter-{n}-{who}" for n in (1, 2) for who in ("rower-1", "rower-2", "cox")
    )
    assert ask(game, "attack of iris-main") == 6
    assert ask(game, "ship of iris-cutter-2-cox").id == "iris"


def test_a_row_of_the_scenario_takes_the_place_of_what_the_entry_lists(game):
    assert ask(game, "count guns of trade") == 0
    pass_turns(game, 1)
    assert names(ask(game, "guns of late")) == ["late-main-1", "late-main-2", "late-main-3"]


def test_parts_arrive_with_their_whole(game):
    assert "late-main-1" not in game.world.by_id
    pass_turns(game, 1)
    assert ask(game, "place of late-main-1").label == "0303"


def test_a_part_stands_where_its_whole_stands_and_that_alone_is_told(game):
    told = do(game, "sail iris to 0302")
    assert texts(told) == ["blue: sail iris to 0302.", "iris moves from 0202 to 0302."]
    assert {x.place.label for x in ask(game, "guns of iris")} == {"0302"}
    assert names(ask(game, "own guns in 0302")) == sorted([*CRUISER, "long-tom"])
    assert ask(game, "count guns in 0202") == 0
    assert ask(game, "distance from iris-main to otto-main") == ask(game, "distance from iris to otto")


def test_what_is_next_to_and_near_a_place_finds_parts(game):
    assert ask(game, "count enemy guns next to iris") == 5
    assert ask(game, "count guns within 1 of 0203") == 11
    assert ask(game, "count (boats in 0202)") == 2


def test_a_part_that_is_removed_is_told_and_its_whole_stays(game):
    do(game, "shell iris-main against otto-secondary-2")
    told = roll(game, "6")
    assert "otto-secondary-2 in 0203 is removed: blown away." in texts(told)
    assert names(ask(game, "guns of otto")) == ["otto-main", "otto-secondary-1", "otto-secondary-3", "otto-secondary-4"]
    with pytest.raises(Refused):
        do(game, "shell iris-main against otto-secondary-2")


def test_what_goes_takes_its_parts_and_that_it_goes_is_told_once(game):
    world = game.world
    world.effects.set(world.by_id["otto"], "hull", 1)
    told = do(game, "hole iris-main against otto")
    assert [t for t in texts(told) if "removed" in t] == ["otto in 0203 is removed: it sinks."]
    assert not [x for x in world.all_of("gun") if x.id.startswith("otto")]
    assert not [x for x in world.all_of("sailor") if x.id.startswith("otto")]
    assert world.by_id["otto-main"].place is None


def test_parts_are_taken_in_the_order_in_which_they_came(game):
    assert ask(game, "first (guns of otto) (where it is not out)").id == "otto-main"
    game.world.by_id["otto-main"].f_out = True
    assert ask(game, "first (guns of otto) (where it is not out)").id == "otto-secondary-1"


def test_a_part_may_become_part_of_another_whole_and_stands_there(game):
    pass_turns(game, 1)
    do(game, "sail iris to 0303")
    told = do(game, "hand-over iris-main to late")
    assert texts(told)[1:] == ["iris-main is now a part of late."]
    do(game, "sail late to 0304")
    assert ask(game, "place of iris-main").label == "0304"
    assert ask(game, "count guns in 0303") == 5


def test_the_side_of_a_whole_is_that_of_its_parts(game):
    world = game.world
    do(game, "sail iris to 0203")
    for gun in list(world.by_id["otto"].members):
        if gun.kind == "gun":
            world.positions.remove(gun)
    do(game, "board otto by iris")
    assert {x.side.id for x in ask(game, "sailors of otto")} == {"blue"}
    assert ask(game, "count (enemy sailors)") == ask(game, "count sailors of trade") == 3


def test_a_track_runs_from_nothing_to_what_it_was(game):
    world, iris = game.world, game.world.by_id["iris"]
    world.effects.gain(iris, "hull", -9)
    assert (ask(game, "hull of iris"), ask(game, "full hull of iris"), ask(game, "pace of iris")) == (3, 12, 1)
    for amount in (-4, 10):
        with pytest.raises(RuleTrouble, match="hull of iris runs from 0 to 12"):
            world.effects.gain(iris, "hull", amount)
    world.effects.show(iris, "corvette")
    assert (ask(game, "hull of iris"), ask(game, "full hull of iris")) == (6, 6)
    assert len(ask(game, "guns of iris")) == 6, "a whole that becomes another entry keeps its parts"


def test_a_part_is_never_moved_nor_captured_by_itself(game):
    world, gun = game.world, game.world.by_id["iris-main"]
    for act in (
        lambda: world.positions.move(gun, world.by_label["0101"], None),
        lambda: world.positions.move_off(gun),
        lambda: world.positions.stand(gun, world.by_label["0101"]),
        lambda: world.effects.capture(gun, world.by_id["red"]),
    ):
        with pytest.raises(RuleTrouble, match="iris-main is part of iris"):
            act()
    assert gun.place.label == "0202"


def test_a_snapshot_holds_parts_as_they_are(game):
    world = game.world
    do(game, "shell iris-main against otto-main")
    roll(game, "5")
    do(game, "sail iris to 0302")
    again = resume(*ships(), {"dice": "typed", "seed": 1}, game.snapshot())
    there = again.world
    restore(there, state_of(world))
    assert state_of(there) == state_of(world)
    assert there.by_id["iris-cutter-1-cox"].place.label == "0302"
    assert there.by_id["otto-main"].f_out is True
    assert [x.id for x in there.by_id["iris"].members] == [x.id for x in world.by_id["iris"].members]


def test_why_a_part_stands_somewhere_is_why_its_whole_does(game):
    do(game, "sail iris to 0302")
    asked, whole = game.explain("place of iris-main"), game.explain("place of iris")
    assert asked.value == "0302"
    assert [x.text for x in asked.steps] == [x.text for x in whole.steps] == ["move s to goal"]


class TestSecrecy:
    """A part of a hidden thing is hidden; a part may be hidden while its whole is visible."""

    def test_parts_of_a_hidden_whole_are_hidden(self, game):
        seen = {thing.id for thing in game.view("red").things}
        assert not {"eel", "eel-bow-1", "eel-stern"} & seen
        assert {"eel", "eel-bow-1", "eel-stern"} <= {thing.id for thing in game.view("blue").things}
        with pytest.raises(Refused, match="eel-bow-1"):
            game.explain("place of eel-bow-1", "red")

    def test_its_moves_and_what_its_parts_do_are_told_to_nobody_else(self, game):
        told = do(game, "dive eel to 0302")
        assert {e.to for e in told} == {"blue"}
        assert not [e for e in told if "eel-bow" in e.text]

    def test_a_part_may_be_hidden_alone(self, game):
        blue = {thing.id: thing for thing in game.view("blue").things}
        red = {thing.id for thing in game.view("red").things}
        assert "trade" in blue
        assert "trade-crate-1" not in blue
        assert "trade-crate-1" in red

    def test_what_is_revealed_is_revealed_with_its_parts(self, game):
        world = game.world
        world.effects.reveal(world.by_id["eel"], world.by_id["red"])
        red = {thing.id: thing for thing in game.view("red").things}
        assert red["eel-bow-1"].fields["loaded"] == "yes"
        world.effects.reveal(world.by_id["eel"], world.by_id["red"], hide=True)
        assert "eel-bow-1" not in {thing.id for thing in game.view("red").things}


@pytest.mark.parametrize("path", [SHIPS, MEN], ids=lambda p: p.stem)
def test_the_examples_of_the_games_hold(path):
    """In men.rules damage goes man by man, and a squad is detached; orders and sets there are of several kinds, including parts."""
    text = read_system([SourceFile(path.name, path.read_text(encoding="utf-8"))])
    program = compile_program(bound_or_raise(text, frozenset()), text.files)
    for example in program.ruleset.examples:
        for variant in variants(example, frozenset()):
            outcome = run_example(program, example, variant)
            assert outcome.failures == []
            assert outcome.passed


WRECKS = """
rule wreck whenever g (a gun) is removed:
  tell sides "{} of {} is lost in {}" with g, ship of g, place of g
rule sunk whenever s (a ship) is removed:
  tell sides "{} goes down with {} guns" with s, count guns of s
rule splash whenever s (a ship) comes next to g (an enemy gun):
  tell sides "{} is near {}" with s, g
"""


def test_rules_on_removal_see_parts_with_their_whole(game):
    text = read_system([SourceFile("ships.rules", SHIPS.read_text(encoding="utf-8") + WRECKS)])
    scenario = next(x for x in text.declarations if isinstance(x, d.Scenario))
    game = begin(compile_program(bound_or_raise(text, frozenset()), text.files), scenario, {"dice": "typed", "seed": 1})
    game.world.effects.set(game.world.by_id["otto"], "hull", 1)
    told = texts(do(game, "hole iris-main against otto"))
    assert "otto goes down with 5 guns" in told
    assert [t for t in told if "is lost" in t] == [
        f"{g} of otto is lost in 0203" for g in ("otto-main", *(f"otto-secondary-{n}" for n in (1, 2, 3, 4)))
    ]
    assert [t for t in told if "removed" in t] == ["otto in 0203 is removed: it sinks."]


def test_a_whole_that_comes_near_comes_near_to_parts():
    text = read_system([SourceFile("ships.rules", SHIPS.read_text(encoding="utf-8") + WRECKS)])
    scenario = next(x for x in text.declarations if isinstance(x, d.Scenario))
    game = begin(compile_program(bound_or_raise(text, frozenset()), text.files), scenario, {"dice": "typed", "seed": 1})
    game.world.positions.stand(game.world.by_id["iris"], game.world.by_label["0101"])
    told = texts(do(game, "sail iris to 0102"))
    assert not [t for t in told if "is near" in t]
    told = texts(do(game, "sail iris to 0103"))
    assert [t for t in told if "is near" in t] == [
        f"iris is near {g}" for g in ("otto-main", *(f"otto-secondary-{n}" for n in (1, 2, 3, 4)))
    ]


@pytest.mark.parametrize(
    ("put", "wrong"),
    [
        ('put s (a ship cruiser, guns "3 tertiary")', "no unit list has a gun named `tertiary`"),
        ('put s (a ship cruiser, guns "0 main")', "`0 main`: the number must be between 1 and 1,000"),
        ("put g (a gun main)", "A gun is part of a ship. This line does not say which."),
        ("put g (a gun main, ship s, side red)", "A gun belongs to the side of its ship."),
    ],
)
def test_what_cannot_be_put_is_told_where_the_text_is_checked(put, wrong):
    text = SHIPS.read_text(encoding="utf-8")
    text += f'example "Wrong":\n  put s (a ship corvette)\n  {put}\n  then count guns of s = 1\n'
    found = diagnose(read_system([SourceFile("ships.rules", text)]))
    assert [x.message for x in found if wrong in x.message], found
    assert all(x.span.line == text.count("\n") - 1 for x in found)


def test_what_narrows_one_thing_in_place_of_its_parts_is_told_so():
    text = SHIPS.read_text(encoding="utf-8") + "value ready of s (a ship):\n  count guns of s (where it is not out)\n"
    (found,) = [x for x in diagnose(read_system([SourceFile("ships.rules", text)])) if x.is_error]
    assert found.message == "Unknown name `out`."
    assert found.hint.endswith("Write `(units of b) (where …)`.")


def test_a_mutant_asks_for_what_is_left_in_place_of_what_there_was():
    text = read_system([SourceFile("ships.rules", SHIPS.read_text(encoding="utf-8"))])
    (found,) = [x for x in mutants(text.declarations) if x.change == "`full` left out"]
    assert found.span.line == 1 + SHIPS.read_text(encoding="utf-8").splitlines().index("  divided by full hull of s")


def scenario_with(rows):
    """The findings about the scenario with some lines more, and its text."""
    text = SHIPS.read_text(encoding="utf-8").replace(
        "  turn-order is blue, red\n", f"{rows}  turn-order is blue, red\n"
    )
    return read_system([SourceFile("ships.rules", text)])


def test_a_scenario_may_say_what_a_part_is_at_first():
    text = scenario_with("  out of otto-secondary-2 is yes\n")
    scenario = next(x for x in text.declarations if isinstance(x, d.Scenario))
    made = begin(compile_program(bound_or_raise(text, frozenset()), text.files), scenario, {"dice": "typed", "seed": 1})
    assert ask(made, "broadside of otto") == 6 + 3 * 2


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ("  forces red of ship:\n    name      | type\n    otto-main | corvette\n", "The name otto-main is already used in this scenario."),
        ("  forces red of gun:\n    name      | type | ship\n    otto-main | main | otto\n", "The name otto-main is already used in this scenario."),
        ("  forces red of gun:\n    name | type | ship\n    x    | main | iris-main\n", "There is no ship iris-main above this row."),
        ("  out of otto-secondary-9 is yes\n", "There is no otto-secondary-9 in this scenario."),
    ],
)  # fmt: skip
def test_names_of_parts_are_names_of_the_scenario(rows, wrong):
    assert wrong in [x.message for x in diagnose(scenario_with(rows)) if x.is_error]


def test_a_part_of_what_is_not_declared_is_one_finding():
    text = 'system s "S" version 1.0\nplace sea, on hex grid:\n  depth number\ncomponent gun, part of ship:\n  attack number\n'
    text += "value near of g (a gun):\n  start with count guns in place of g\n"
    (found,) = [x for x in diagnose(read_system([SourceFile("s.rules", text)])) if x.is_error]
    assert found.message == "There is no kind ship that a gun can be part of."


def test_a_further_part_arrives_with_its_whole_and_only_that_is_told():
    rows = "  forces blue of gun:\n    name  | type | ship\n    extra | main | late\n"
    text = scenario_with(rows)
    scenario = next(x for x in text.declarations if isinstance(x, d.Scenario))
    made = begin(compile_program(bound_or_raise(text, frozenset()), text.files), scenario, {"dice": "typed", "seed": 1})
    assert "extra" not in made.world.by_id
    do(made, "done")
    told = do(made, "done")
    assert [t for t in texts(told) if "arrives" in t] == ["late arrives in 0303."]
    assert ask(made, "place of extra").label == "0303"
    assert ask(made, "count guns of late") == 4


def test_what_is_gone_is_listed_alike_when_a_game_goes_on_from_a_snapshot(game):
    """It used to be listed in the order in which it came, which a snapshot does not keep."""
    for name in ("iris-secondary-1", "iris-cutter-1-cox", "long-tom", "iris-cutter-2-rower-1"):
        game.world.positions.remove(game.world.by_id[name])
    shown = [x.id for x in game.view("umpire").gone]
    pass_turns(game, 1)
    again = resume(*ships(), {"dice": "typed", "seed": 1}, game.snapshot())
    assert [x.id for x in again.view("umpire").gone] == [x.id for x in game.view("umpire").gone] == shown
    assert shown == ["iris-secondary-1", "long-tom", "iris-cutter-1-cox", "iris-cutter-2-rower-1"]
