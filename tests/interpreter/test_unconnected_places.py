"""Places that no way connects: islands of a drawn map, and places of two maps."""

import pytest

from dsl.load import bound_or_raise, read_system
from dsl.text.source import SourceFile
from interpreter.machine import begin
from interpreter.messages.inputs import Input, RuleFailure
from interpreter.runtime.refusals import Refused, Why
from interpreter.setup.compile_rules import compile_program

RULES = """system s "S" version 1.0
unit block, stands in town:
  pace number, starts 1
place town
map realm "Realm" of town:
  places:
    town | name
    alba | Alba
    bern | Bern
    isle | Isle
    cork | Cork
    dove | Dove
  alba next to bern
  isle next to cork
  cork next to dove
order march of b (a block) to goal (a town):
  given by side of b
  reaching goal by roads of b
  move b to goal
path roads of b (a block):
  from place of b
  at most pace of b points
  entering h (a town) costs 1
sequence game-turn:
  for each s in sides, as active:
    phase marches:
      active may march
scenario war "War" on realm:
  side red "Red" red
  side blue "Blue" blue
  forces red of block:
    name | in
    r    | alba
  forces blue of block:
    name | in
    b    | cork
"""


def game_of(text):
    read = read_system([SourceFile("s.rules", text)])
    program = compile_program(bound_or_raise(read), read.files)
    return begin(program, next(iter(program.ruleset.scenarios.values())), {"seed": 1})


def test_a_goal_that_no_way_leads_to_is_out_of_reach():
    game = game_of(RULES)
    (reason,) = game.why_not("red", "march r to isle")
    assert reason.message == "isle is out of reach of r."
    assert reason.hint == "It can move as far as bern."
    assert reason.kind is Why.OUT_OF_REACH
    with pytest.raises(Refused, match="isle is out of reach of r"):
        game.offer(Input("do", "red", "march r to isle"))


def test_where_no_way_leads_anywhere_nothing_is_hinted():
    rules = RULES.replace("r    | alba", "q    | alba\n    r    | isle").replace("  isle next to cork\n", "")
    (reason,) = game_of(rules).why_not("red", "march r to alba")
    assert (reason.message, reason.hint) == ("alba is out of reach of r.", "")


FAR = RULES.replace("  reaching", '  refused when distance from b to goal > 9 because "far"\n  reaching')


def test_a_clause_that_has_no_value_does_not_hide_that_the_goal_is_out_of_reach():
    game = game_of(FAR)
    assert game.legal("red") == ["march r to bern", "done"]
    (reason,) = game.why_not("red", "march r to isle")
    assert reason.message == "isle is out of reach of r."
    with pytest.raises(Refused, match="isle is out of reach of r"):
        game.offer(Input("do", "red", "march r to isle"))


FLIGHT = FAR.replace("  reaching goal by roads of b\n", "")


@pytest.mark.parametrize(
    "asked", ["distance from b to goal > 9", "distance from b to goal * 2 > 9", "distance from b to goal < 1"]
)
def test_an_order_whose_clause_asks_for_a_distance_that_does_not_exist_is_refused_and_not_offered(asked):
    game = game_of(FLIGHT.replace("distance from b to goal > 9", asked))
    assert "march r to bern" in game.legal("red")
    assert not any(name in command for command in game.legal("red") for name in ("isle", "cork", "dove"))
    (reason,) = game.why_not("red", "march r to isle")
    assert reason.message == "alba and isle are not connected: there is no distance between them."
    assert reason.kind is Why.OUT_OF_REACH
    with pytest.raises(Refused, match="alba and isle are not connected"):
        game.offer(Input("do", "red", "march r to isle"))
    game.offer(Input("do", "red", "march r to bern"))


def test_what_an_order_names_by_such_a_distance_is_refused_too():
    named = "let far be distance from b to goal\n  refused when far > 9"
    game = game_of(FLIGHT.replace("refused when distance from b to goal > 9", named))
    assert game.legal("red") == ["march r to alba", "march r to bern", "done"]
    with pytest.raises(Refused, match="alba and isle are not connected"):
        game.offer(Input("do", "red", "march r to isle"))


def test_in_what_an_order_does_such_a_distance_fails_and_says_what_can_be_asked_instead():
    changed = FLIGHT.replace('  refused when distance from b to goal > 9 because "far"\n', "")
    game = game_of(changed.replace("  move b to goal", "  pace of b becomes distance from b to goal\n  move b to goal"))
    with pytest.raises(RuleFailure) as failure:
        game.offer(Input("do", "red", "march r to isle"))
    assert failure.value.message == (
        "alba and isle are not connected: there is no distance between them. `is within N of` can be asked of any two places."
    )
    game = game_of(FLIGHT.replace("distance from b to goal > 9", "not (b is within 9 of goal)"))
    assert game.why_not("red", "march r to isle")[0].message == "Far."
