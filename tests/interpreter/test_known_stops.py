"""Why a procedure stops is told to those who may know of the thing for which it runs, as its rolls are."""

import pytest

from dsl.rules.editions import KNOWN_STOPS, SINCE
from tests.interpreter.rulebook import do, game_of

BOATS = """\
unit boat:
  worth  number, starts 3
  found  mark
  hidden from enemy until found: place
order hear of b (a boat):
  given by side of b
  do listen of b
order hark of s (a side):
  given by s
  for each b in boats (where side of it is s):
    stop when worth of b < 9 because "too dark"
order sail of b (a boat) to goal (a hex):
  given by side of b
  move b to goal
procedure listen of b (a boat):
  stop when worth of b < 9 because "too dark"
  worth of b becomes 9
rule shoals whenever b (a boat) enters h (a hex):
  stop move when worth of b < 9 because "too dark"
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may hear, hark, sail
scenario bay "Bay" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of boat:
    name | in   | found
    b-1  | 0202 | {found}
  turn-order is blue, red
"""


def readers(command, found="no", **settings):
    """Who is told why it stopped."""
    game = game_of(BOATS.format(found=found), scenario="bay", seed=4, **settings)
    return [e.to for e in do(game, command, "blue") if e.text == "Too dark."]


@pytest.mark.parametrize("command", ["hear b-1", "hark blue", "sail b-1 to 0303"])
def test_a_stop_is_told_to_those_who_may_know_of_its_thing(command):
    assert readers(command) == ["blue"]
    assert readers(command, found="yes") == ["all"]
    assert readers(command, edition=SINCE[KNOWN_STOPS] - 1) == ["all"]
