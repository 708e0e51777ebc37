"""Things whose names begin with a digit, `8th-foot`: what commands call them is also what expressions and changes call them."""

import pytest

from interpreter.machine import begin
from interpreter.messages.inputs import Input, Refused
from tests.interpreter.rulebook import KIT, ask, compiled, names

ARMY = """\
scenario guard "The guard" on field:
  side blue "The Blues" blue
  side red "The Reds" red
  forces blue of corps:
    name | posture
    1st  | holding
  forces blue of regiment:
    name      | corps | in   | strength | armor
    8th-foot  | 1st   | 0202 | 7        | --
    1-64      | 1st   | 0203 | 4        | 5
    1164th-pi | 1st   | 0204 | 4        | 5
    2d6-horse | 1st   | 0205 | 4        | 5
  forces red of regiment:
    name | in   | strength
    x    | 0303 | 5
  turn-order is blue, red
  strength of 8th-foot is 6
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may rest
order rest of u (a regiment):
  given by side of u
  u becomes tired
"""
CALLED = ("8th-foot", "1-64", "1164th-pi", "2d6-horse")


@pytest.fixture
def game():
    program, text = compiled((KIT, ARMY))
    scenario = next(x for x in text.declarations if x.name == "guard")
    return begin(program, scenario, {"dice": "typed", "seed": 1})


def change(game, *texts):
    return game.offer(Input("override", "umpire", "\n".join(texts), "counted wrong"))


@pytest.mark.parametrize("name", CALLED)
def test_they_are_asked_about_and_changed(game, name):
    assert ask(game, f"place of {name} is 0202") == (name == "8th-foot")
    assert game.explain(name).value == name
    change(game, f"strength of {name} = 2", f"{name} is tired", f"move {name} to 0303")
    assert ask(game, f"strength of {name} = 2 and {name} is tired and {name} is in 0303")
    change(game, f"remove {name}")
    assert not ask(game, f"{name} is on the map")


def test_facts_of_scenarios_and_conditions_name_them(game):
    assert ask(game, "strength of 8th-foot") == 6
    assert ask(game, "strength of 8th-foot - 1 > 4, or 1-64 is tired")
    assert names(ask(game, "all regiments except (8th-foot, 1-64)")) == ["1164th-pi", "2d6-horse", "x"]


def test_what_is_read_as_a_number_a_place_or_dice_stays_so(game):
    assert ask(game, "1500-strength of 8th-foot") == 1494
    assert ask(game, "1/2 * 8") == 4
    with pytest.raises(Refused, match="8th-fot"):
        ask(game, "strength of 8th-fot")
