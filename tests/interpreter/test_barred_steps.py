"""A trace may be barred by what lies between two places, in one direction or both."""

import pytest

from interpreter.messages.inputs import Input
from tests.interpreter.rulebook import ask, game_of

RULES = """\
place town:
  depot  mark
  height number, starts 0
  rail   link
place line, between towns:
  broken mark
unit wagon, stands in town:
  stopped mark
path rails of u (a wagon):
  from place of u
  leg home: {leg}, until it is depot
  never into t (a town) when line from previous to t is broken because "the line is broken"
path downhill of u (a wagon):
  from place of u
  leg home: at most 3 towns, until it is depot
  never into t (a town) when height of t > height of previous because "it is uphill"
map land "Land" of town:
  places:
    town | height | depot
    alba | 0      | yes
    bern | 1      | no
    cork | 2      | no
    dale | 3      | no
  alba next to bern
  bern next to cork
  alba next to dale
  dale next to cork
  rail along alba to bern to cork
  rail along alba to dale to cork
scenario land "Land" on land:
  side blue "Blue"
  side red "Red"
  forces blue of wagon:
    name | in
    b-1  | cork
sequence game-turn:
  phase all:
    sides may linger together
order linger of u (a wagon):
  given by side of u
  stopped of u becomes yes
"""


def world(leg):
    return game_of(RULES.format(leg=leg), scenario="land")


def break_line(game, *lines):
    for line in lines:
        game.offer(Input("override", "umpire", f"broken of {line} = yes", "blown up"))


@pytest.mark.parametrize("leg", ["along rail", "at most 2 towns"])
def test_a_trace_goes_round_a_broken_line_and_ends_where_all_are_broken(leg):
    game = world(leg)
    assert ask(game, "there is rails of b-1") is True
    assert game.explain("there is rails of b-1").steps[0].value == "cork → bern → alba"
    break_line(game, "alba-bern")
    assert ask(game, "there is rails of b-1") is True
    assert game.explain("there is rails of b-1").steps[0].value == "cork → dale → alba"
    break_line(game, "cork-dale")
    assert ask(game, "there is rails of b-1") is False


def test_why_names_the_step_and_the_ban():
    """From cork by bern or by dale: one step of each is broken; by bern the ids are lower."""
    game = world("along rail")
    break_line(game, "alba-bern", "cork-dale")
    told = game.explain("there is rails of b-1")
    assert told.value == "no"
    assert told.steps[0].because == "The route from cork is cut between bern and alba."
    assert (told.steps[1].value, told.steps[1].because) == ("alba may not be entered from bern", "the line is broken")
    assert told.steps[-1].text == "with the step to alba open: cork → bern → alba"


def test_where_several_steps_are_barred_the_first_is_named():
    game = world("along rail")
    break_line(game, "alba-bern", "bern-cork", "cork-dale", "alba-dale")
    steps = game.explain("there is rails of b-1").steps
    assert [s.value or s.because for s in steps] == [
        "The route from cork is cut between cork and bern.", "bern may not be entered from cork",
    ]  # fmt: skip


def test_a_ban_may_hold_in_one_direction():
    game = world("along rail")
    assert ask(game, "there is downhill of b-1") is True, "cork 2, bern 1, alba 0"
    game.offer(Input("override", "umpire", "place of b-1 = dale", "moved"))
    assert ask(game, "there is downhill of b-1") is True, "dale 3"
    game.offer(Input("override", "umpire", "height of alba = 4", "surveyed"))
    assert ask(game, "there is downhill of b-1") is False
    game.offer(Input("override", "umpire", "height of dale = 5", "surveyed"))
    assert ask(game, "there is downhill of b-1") is True
