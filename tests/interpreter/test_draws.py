"""`red rolls one of S as NAME`: a die with as many faces as there are things, and the thing that it selects."""

import pytest

from dsl.text.diagnostics import RuleTextError
from interpreter.messages.inputs import Refused
from tests.interpreter.rulebook import ask, do, game_of, roll
from tests.interpreter.test_chances import met, run

STRIKE = """\
procedure hit of crowd (some regiments):
  active rolls one of crowd as unlucky
  strength of unlucky becomes 0
procedure perhaps of crowd (some regiments):
  active rolls one of crowd as unlucky when 1 = 2
  weather becomes wood when there is no unlucky
order strike of u (a regiment):
  given by side of u
  do hit with all regiments as crowd
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may strike
"""
THREE = tuple(f"put {name} (a regiment, side red, strength 5) in 0101" for name in ("k", "m", "n"))


def test_each_of_them_has_the_same_chance():
    met(
        *THREE, "do hit with k, m, n as crowd", "then chance that (strength of m = 0) = 1/3", "dice 2",
        "then strength of m = 0", "then sum strength of regiments = 10", rules=STRIKE,
    )  # fmt: skip


def test_for_a_single_one_no_die_is_rolled():
    met(*THREE, "do hit with n as crowd", "then strength of n = 0", rules=STRIKE)


def test_of_nothing_is_a_failure_of_the_rule():
    (failure, *_) = run(*THREE, "do hit with none as crowd", rules=STRIKE).failures
    assert "The roll unlucky has nothing to choose among." in failure.got


def test_what_is_not_rolled_for_is_absent():
    met(*THREE, "do perhaps with k, m as crowd", "then weather is wood", rules=STRIKE)


def test_the_die_has_as_many_faces_as_there_are_things():
    game = game_of(STRIKE)
    do(game, "strike a", "blue")
    with pytest.raises(Refused, match="6 is not a possible result of 1d5"):
        roll(game, "6")
    events = roll(game, "3")
    assert ask(game, "count (regiments (where strength of it = 0))") == 1
    assert any("rolls 3 on 1d5 (unlucky)" in event.text for event in events)


def test_one_thing_or_a_number_is_not_several():
    for wrong in ("3", "u"):
        with pytest.raises(RuleTextError) as refused:
            game_of(f"procedure hit of u (a regiment):\n  active rolls one of {wrong} as unlucky\n  remove unlucky\n")
        assert "A draw needs a list to draw from" in str(refused.value)
