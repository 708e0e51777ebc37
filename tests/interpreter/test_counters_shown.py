"""What a counter shows, which fields no log reports, and places about which there is nothing to report."""

import pytest

from dsl.load import bound_or_raise, read_system
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.machine import begin
from interpreter.messages.inputs import RuleFailure
from interpreter.setup.compile_rules import compile_program
from tests.interpreter.rulebook import ask, do, game_of, texts
from ui.maps.charting import chart_of
from ui.maps.symbols import number_field, number_of

GUNS = """\
unit gun:
  calibre number, starts 75
  laid    number, starts 0, quiet
  hits    number, starts 0
  crew    number, starts 6
  hidden from enemy: crew
value counter-shows of g (a gun):
  crew of g - hits of g
record report:
  about gun
order lay of g (an own gun):
  laid of g becomes laid of g + 1
  put r (a report, about g)
  hits of g becomes hits of g + 2
  remove r
order report-loss of g (an own gun):
  put r (a report, about g)
  remove r because "it is told"
sequence game-turn:
  for each s in turn-order, as active:
    phase laying:
      active may lay, report-loss
scenario yard "Yard" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of gun:
    name | in
    g-1  | 0202
  turn-order is blue, red
"""


def gun(game, side="umpire"):
    return next(t for t in game.view(side).things if t.id == "g-1")


def test_the_rules_say_what_stands_on_a_counter():
    game = game_of(GUNS, scenario="yard")
    assert number_of(gun(game)) == "6"
    do(game, "lay g-1")
    assert (number_of(gun(game)), number_field(gun(game))) == ("4", "counter-shows")
    assert ask(game, "counter-shows of g-1") == 4


def test_what_rests_on_what_is_hidden_stands_on_no_counter():
    game = game_of(GUNS, scenario="yard")
    assert number_of(gun(game, "blue")) == "6"
    assert number_of(gun(game, "red")) == "75", "its first number, as of any unit"


def test_a_value_for_counters_that_fails_is_told():
    text = GUNS.replace("crew of g - hits of g", "1 / hits of g")
    with pytest.raises(RuleFailure, match="divi"):
        game_of(text, scenario="yard").view("umpire")


def test_a_change_of_what_is_quiet_is_no_event_and_views_show_it():
    game = game_of(GUNS, scenario="yard")
    told = do(game, "lay g-1")
    assert texts(told) == ["blue: lay g-1.", "hits of g-1 becomes 2 (was 0)."]
    assert gun(game).fields["laid"] == "1"
    assert gun(game).changed == ("laid", "hits")


def test_a_record_that_stands_nowhere_goes_as_it_came_without_a_word_unless_there_is_a_reason():
    game = game_of(GUNS, scenario="yard")
    assert "removed" not in " ".join(texts(do(game, "lay g-1")))
    assert texts(do(game, "report-loss g-1"))[1:] == ["r-2 is removed: it is told."]


GROUND = """\
place hex, on hex grid:
  terrain  terrain
  hardness one of light or heavy, starts light
  site     one of none-here or bridge, starts none-here
"""
MAP = """\
map bank "The bank" of hex, 2 by 1, even columns low:
  letters:
    letter | terrain | hardness | site
    .      | clear   | light    | none-here
    b      | clear   | heavy    | bridge
  grid:
    01 | . b
scenario bank "Bank" on bank:
  side blue "The Blues"
  side red "The Reds"
  forces blue of gun:
    name | calibre | in
    g-1  | 75      | 0101
  turn-order is blue, red
"""
SYSTEM = """\
system bank "Bank" version 1.0
enum terrain: clear, wood
campaign game:
  turn-order list of side
unit gun:
  calibre number
order wait of g (an own gun):
  calibre of g becomes 1
sequence game-turn:
  for each s in turn-order, as active:
    phase going:
      active may wait
"""


def test_of_a_place_that_is_told_which_is_not_as_it_starts():
    text = read_system([SourceFile("bank.rules", SYSTEM + GROUND + MAP)])
    scenario = next(x for x in text.declarations if isinstance(x, d.Scenario))
    game = begin(compile_program(bound_or_raise(text), text.files), scenario, {"seed": 1})
    chart = chart_of(game.view("umpire"))
    assert [chart.cells[spot].marks for spot in sorted(chart.cells)] == [(), ("hardness heavy", "site bridge")]
