"""Phases and steps without lines of their own, to which rules may add some."""

import pytest

from dsl.load import check_system, read_system
from dsl.text.source import SourceFile
from tests.interpreter.rulebook import KIT, do, game_of, texts

TURN = """\
module frost "Frost", default off
order wait:
  tell sides "Waiting."
procedure cool:
  tell sides "It cools."
rule chill after phase heat, with frost:
  do cool
sequence game-turn:
  for each s in turn-order, as active:
    phase moving:
      active may wait
    phase heat "The Heat"                                              -- nothing of its own
    step rest
"""


def test_nothing_is_done_in_an_empty_phase_unless_a_rule_says_so():
    game = game_of(TURN)
    assert "It cools." not in texts(do(game, "done"))
    assert "It cools." in texts(do(game_of(TURN, modules=("frost",)), "done"))


def test_it_is_a_phase_like_others():
    game = game_of(TURN + 'rule warm before phase heat:\n  tell sides "Soon." when phase is heat\n')
    assert "Soon." in texts(do(game, "done"))


@pytest.mark.parametrize("line", ['phase heat "The Heat":', "step rest:"])
def test_a_colon_promises_lines(line):
    text = (
        TURN.replace('phase heat "The Heat" ', line + " ")
        if line.startswith("phase")
        else TURN.replace("step rest", line)
    )
    found = [x.code for x in check_system(read_system([SourceFile("kit.rules", KIT), SourceFile("own.rules", text)]))]
    assert "E002" in found


STEPS = """\
order wait:
  tell sides "Waiting."
sequence game-turn:
  for each s in turn-order, as active:
    phase moving:
      step scouts "The scouts ride":
        active may wait
      step main-body:
        active may wait
    step rest "A rest"
"""


def test_a_step_has_a_title_as_a_phase_has():
    game = game_of(STEPS)
    assert game.view("blue").phase_title == "The scouts ride"
    do(game, "done")
    assert game.view("blue").phase_title == "Main body", "without a title its name stands for it"
