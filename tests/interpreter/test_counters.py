"""Counters with two sides: a thing that changes to another entry of a list, and fields written in printed notation."""

from fractions import Fraction

import pytest

from dsl.rules.variants import variants
from interpreter.examples.examples import run_example
from interpreter.machine import resume
from interpreter.messages.inputs import Refused, RuleFailure
from interpreter.queries.project import view
from tests.interpreter.rulebook import KIT, ask, compiled, do, game_of, names, texts

GUNS = """\
rating shot:
  written "<plus:+><force>(<reach>)"
  written "<force>"
  force  number
  reach  number, optional
  plus   mark
unit gun, held by corps:
  speed    number, starts 1
  shot     shot, optional
  shield   number, optional
  balls    list of shot, joined by "/"
  back     entry, optional
  dirty    mark
  weight   number, starts 3
  printed plate "<speed>-<shield>"
list park of gun:
  name   | title         | shot  | speed | shield | back   | weight | balls
  field  | Field gun     | 4(2)  | 3     | --     | dug-in | 3      | 1/2
  dug-in | Field gun dug | +9(3) | 0     | 5      | field  | 3      | --
  mortar | Mortar        | 6     | 1     | --     | --     | 8      | 4
order flip of g (a gun):
  given by side of g
  g becomes back of g
order load of g (a gun):
  given by side of g
  shot of g becomes "+{}({})" with (force of shot of g else 0) + 1/2, speed of g
  balls of g becomes "{}/7" with weight of g
order trade of g (a gun):
  given by side of g
  g becomes mortar
order wreck of g (a gun):
  given by side of g
  shot of g becomes "{}H" with 3
order plate of g (a gun):
  given by side of g
  plate of g becomes "6-{}" with shield of g
order bind-up of g (a gun):
  given by side of g
  shot of g becomes "1" until end of turn
path roll-out of g (a gun):
  from place of g
  at most 9 points
  entering h (a hex) costs 1 when g is field
  entering h (a hex) costs 5
order both of g (a gun):
  given by side of g
  simultaneously:
    g becomes back of g
    speed of g becomes speed of g + 7
sequence game-turn:
  for each s in turn-order, as active:
    phase firing:
      active may flip, load, trade, wreck, plate, bind-up, both
scenario range "The range" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of gun:
    name | type  | in
    g-1  | field | 0202
    g-2  | field | 0203
  forces red of gun:
    name | type  | in
    r-1  | field | 0603
  turn-order is blue, red
"""


@pytest.fixture
def game():
    return game_of(GUNS, scenario="range")


def test_a_counter_turned_over_shows_its_other_side_only(game):
    game.world.effects.set(game.world.by_id["g-1"], "dirty", True)
    events = do(game, "flip g-1")
    assert "g-1 becomes Field gun dug." in texts(events)
    assert (ask(game, "force of shot of g-1"), ask(game, "plus of shot of g-1")) == (9, True)
    assert (ask(game, "speed of g-1"), ask(game, "shield of g-1")) == (0, 5)
    assert ask(game, "count balls of g-1") == 0
    assert ask(game, "dirty of g-1") is True  # not printed: it stays
    assert ask(game, "force of shot of g-2") == 4
    do(game, "flip g-1")
    assert ask(game, "shield of g-1") is None
    assert ask(game, "sum force of balls of g-1") == 3


def test_its_entry_is_what_it_became(game):
    text = GUNS + "value sort of g (a gun):\n  1 when g is field\n  otherwise 2\n"
    game = game_of(text, scenario="range")
    assert ask(game, "sort of g-1") == 1
    do(game, "flip g-1")
    assert ask(game, "sort of g-1") == 2


def test_a_path_knows_that_the_counter_was_turned(game):
    assert ask(game, "cost of reaching 0302 by roll-out of g-1") == 1
    do(game, "flip g-1")
    assert ask(game, "cost of reaching 0302 by roll-out of g-1") == 5


def test_a_counter_without_another_side_cannot_be_turned(game):
    do(game, "trade g-1")
    assert ask(game, "weight of g-1") == 8
    with pytest.raises(RuleFailure, match="g-1 cannot become another entry: the thing or the entry is absent"):
        do(game, "flip g-1")


def test_a_field_is_written_as_it_is_printed(game):
    do(game, "load g-1")
    assert ask(game, "force of shot of g-1") == Fraction(9, 2)
    assert (ask(game, "reach of shot of g-1"), ask(game, "plus of shot of g-1")) == (3, True)
    assert ask(game, "sum force of balls of g-1") == 10


def test_a_printed_heading_fills_its_fields_and_nothing_is_a_dash(game):
    do(game, "plate g-1")
    assert (ask(game, "speed of g-1"), ask(game, "shield of g-1")) == (6, None)


def test_what_is_printed_under_a_heading_of_several_fields_can_be_asked(game):
    assert ask(game, 'plate of g-1 is "3---"') is True
    assert ask(game, 'plate of g-1 is "3-5"') is False
    assert ask(game, 'plate of g-1 is not "3-5"') is True
    assert ask(game, 'plate of g-1 is "0-5" or "3---"') is True
    do(game, "flip g-1")
    assert ask(game, 'plate of g-1 is "0-5"') is True
    assert names(ask(game, 'guns (where plate of it is "3---")')) == ["g-2", "r-1"]


def test_an_example_says_what_is_printed_and_is_told_what_came():
    text = GUNS + (
        'example "Turned over":\n'
        "  put g (a gun field, side blue) in 0202\n"
        '  then plate of g is "3---"\n'
        "  g becomes back of g\n"
        '  then plate of g is "3-5"\n'
    )
    program, read = compiled((KIT, text))
    (example,) = [x for x in read.declarations if getattr(x, "name", "") == "Turned over"]
    (variant,) = variants(example, frozenset())
    outcome = run_example(program, example, variant)
    assert [(f.expected, f.got) for f in outcome.failures] == [('then plate of g is "3-5"', "speed 0, shield 5")]


def test_what_does_not_fit_the_notation_stops_the_game_with_the_line(game):
    with pytest.raises(RuleFailure, match="`3H` does not match any notation of shot"):
        do(game, "wreck g-1")


def test_what_was_written_for_a_while_is_taken_back(game):
    do(game, "bind-up g-1")
    assert ask(game, "force of shot of g-1") == 1
    do(game, "done", "blue")
    do(game, "done", "red")
    assert ask(game, "force of shot of g-1") == 4


def test_together_the_entry_comes_first(game):
    do(game, "both g-1")
    assert (ask(game, "speed of g-1"), ask(game, "shield of g-1")) == (10, 5)


def test_it_plays_again_to_the_same_end(game):
    for command in ("flip g-1", "load g-1", "trade g-2"):
        do(game, command)
    do(game, "done", "blue")
    do(game, "done", "red")
    later = resume(game.program, game.scenario, game.settings, game.snapshot())
    assert later.digest() == game.digest()
    assert ask(later, "force of shot of g-1") == Fraction(19, 2)


def test_an_enemy_is_not_told_what_is_hidden():
    game = game_of(GUNS.replace("  weight   number", "  hidden from enemy: shot\n  weight   number"), scenario="range")
    events = do(game, "flip g-1")
    told = [e.to for e in events if "Field gun dug" in e.text]
    assert told == ["blue"]
    seen = next(t for t in view(game, "red").things if t.id == "g-1")
    assert "shot" not in seen.fields
    assert seen.template == ""
    assert next(t for t in view(game, "blue").things if t.id == "g-1").fields["shot"] == "+9(3)"


def test_refused_commands_change_nothing(game):
    with pytest.raises(Refused):
        do(game, "flip r-1")


def test_a_table_may_name_entries_of_the_lists():
    text = (
        GUNS
        + "enum yard: big-yard, small-yard\n"
        + "table stock-of by yard, all rows:\n  yard || gun | number\n"
        + "  big-yard || mortar | 2\n  big-yard || dug-in | 1\n  small-yard || field | 1\n"
        + "order fill-up of g (a gun) by yard (a yard):\n  given by side of g\n"
        + "  for each part in stock-of at yard:\n    repeat at most number of part times:\n"
        + "      put made (a gun, side side of g) in 0101\n      made becomes gun of part\n"
    )
    game = game_of(text.replace("bind-up, both", "bind-up, both, fill-up"), scenario="range")
    do(game, "fill-up g-1 by big-yard")
    assert ask(game, "count guns in 0101") == 3
    assert ask(game, "sum weight of guns in 0101") == 19
