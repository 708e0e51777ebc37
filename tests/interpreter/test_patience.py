"""Orders with more combinations of arguments than can be tried: an honest answer after a while, never a hang."""

import pytest

from interpreter.automated import random_policy
from interpreter.automated.policies import make_policy, step
from interpreter.commands import plain_commands
from interpreter.messages.inputs import Refused
from tests.interpreter.rulebook import do, game_of

WIDE = """\
map plain "Plain" of hex, 99 by 99, even columns low:
  letters:
    letter | terrain | town
    .      | clear   | no
  grid:
GRIDunit scout:
  worth number, starts 1
order survey of u (a scout) from a (a hex) by b (a hex) to c (a hex):
  given by side of u
  refused when distance from a to c + distance from b to c > 1 because "too far off"
  refused when distance from a to 9901 > 3 because "not there"
  worth of u becomes 2
order rest of u (a scout):
  given by side of u
  worth of u becomes 3
sequence game-turn:
  phase all:
    sides may survey, rest together
scenario wide "Wide" on plain:
  side blue "The Blues"
  side red "The Reds"
  forces blue of scout:
    name | in
    s    | 0202
  turn-order is blue, red
""".replace("GRID", "".join(f"    {row:02} |{' .' * 99}\n" for row in range(1, 100)))


@pytest.fixture
def game(monkeypatch):
    monkeypatch.setattr(plain_commands, "MOST_IN_VAIN", 3_000)
    monkeypatch.setattr(random_policy, "MOST_IN_VAIN", 3_000)
    return game_of(WIDE, scenario="wide")


def test_what_is_not_looked_through_is_said(game):
    legal = game.legal("blue", 500)
    assert legal[-2:] == ["rest s", "done"]
    assert game.unfinished == ("survey",)
    assert game.legal("red") == []  # it has nobody: it is not even asked
    assert game.unfinished == ()


def test_a_window_is_open_where_it_cannot_be_told_that_nothing_is_legal(game):
    assert [a.side for a in game.awaiting] == ["blue"]
    assert "survey" in game.awaiting[0].choices


def test_any_combination_can_be_typed_and_is_judged(game):
    with pytest.raises(Refused, match="Too far off"):
        do(game, "survey s from 9801 by 0101 to 0102", "blue")
    do(game, "survey s from 9801 by 9802 to 9802", "blue")
    assert game.world.by_id["s"].f_worth == 2


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_automated_sides_decide_in_time(game, name):
    player = make_policy(name, 1)
    import random

    for _ in range(5):
        game.offer(step(game, player, random.Random(1)))
