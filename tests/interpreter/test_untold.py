"""Bookkeeping: untold changes are in no log and no report, but still take effect, are undone and explained; changes are marked."""

import pytest

from campaigns.views.force_forest import states
from interpreter.messages.inputs import Refused
from tests.interpreter.rulebook import ask, do, game_of, texts

DRILL = """\
unit squad:
  grade  one of raw or drilled, starts raw
  drills number, starts 0, untold
  busy   mark, untold
  rested mark
order drill of s (a squad):
  given by side of s
  refused when s is busy because "it has drilled"                        [D-1]
  s becomes busy until end of turn
  drills of s becomes drills of s + 1                                      [D-2]
  grade of s becomes drilled when drills of s = 2
sequence game-turn:
  for each s in turn-order, as active:
    phase drilling:
      active may drill
scenario yard "Yard" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of squad:
    name | grade | in   | rested
    b-1  | raw   | 0202 | yes
  turn-order is blue, red
"""


def drilled(times):
    game = game_of(DRILL, scenario="yard")
    told = []
    for _ in range(times):
        told = do(game, "drill b-1")
        do(game, "done")
    return game, told


def seen(game, side="umpire"):
    return next(t for t in game.view(side).things if t.id == "b-1")


def test_a_change_of_what_is_untold_is_no_event():
    _, told = drilled(1)
    assert texts(told) == ["blue: drill b-1."]
    _, told = drilled(2)
    assert texts(told) == ["blue: drill b-1.", "grade of b-1 becomes drilled (was raw)."]


def test_no_view_shows_it_not_even_the_umpires():
    game, _ = drilled(1)
    for side in ("umpire", "blue", "red"):
        assert not {"drills", "busy"} & set(seen(game, side).fields)


def test_it_counts_like_any_other_field():
    game = game_of(DRILL, scenario="yard")
    do(game, "drill b-1")
    with pytest.raises(Refused, match="It has drilled"):
        do(game, "drill b-1")
    do(game, "done")
    assert ask(game, "drills of b-1") == 1
    do(game, "drill b-1")
    assert ask(game, "drills of b-1") == 2


def test_why_tells_it():
    game = game_of(DRILL, scenario="yard")
    do(game, "drill b-1")
    found = game.explain("drills of b-1")
    assert found.value == "1"
    assert "D-2" in {c for e in (found, *found.parts) for s in e.steps for c in s.cites} | set(found.cites)


def test_what_is_no_longer_as_printed_is_marked_as_changed():
    game, _ = drilled(0)
    assert seen(game).changed == ("rested",), "the scenario gave it, no list does"
    game, _ = drilled(2)
    assert seen(game).changed == ("grade", "rested")


def test_what_each_scenario_must_state_is_shown_even_if_it_is_the_lowest_number():
    game = game_of(
        """\
unit wagon:
  facing 0 .. 5, stated
  wear   0 .. 5
scenario park "Park" on field:
  side blue "Blue" blue
  side red "Red" red
  turn-order is blue, red
  forces blue of wagon:
    name | facing | wear | in
    w    | 0      | 0    | 0101
""",
        scenario="park",
    )
    wagon = next(t for t in game.view("umpire").things if t.id == "w")
    assert states(wagon, holds=False) == [("facing", "0")]
