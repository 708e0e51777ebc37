"""The code emitted for sets of things in places, and for the most extreme word of a set."""

import pytest

from tests.interpreter.rulebook import game_of, readable, story
from tests.interpreter.test_emit import every_way


@pytest.fixture
def game(request):
    return game_of(story(request.function))


def test_what_stands_in_places_is_counted_summed_and_left_at_the_first(game):
    """
    value crowd of h (a hex):
      start with sum strength of (regiments in h)
    value neighbours of u (a regiment):
      start with sum strength of (regiments next to u)
    status strong of u (a regiment):
      when strength of u > 6
    status strong-next of u (a regiment):
      when any regiments next to u is strong
    value crowds:
      start with sum crowd of hexes
    value near:
      start with sum neighbours of regiments
      plus count of regiments (where it is strong-next)
    """
    assert every_way(game, "crowd of 0202") == 7
    assert every_way(game, "crowds") == 7 + 4 + 5 + 3 + 9
    # 0202 (a 7), 0203 (b 4) and 0303 (x 5) touch one another; the others stand alone
    assert [every_way(game, f"neighbours of {u}") for u in "abxyz"] == [4 + 5, 7 + 5, 7 + 4, 0, 0]
    assert [bool(every_way(game, f"{u} is strong-next")) for u in "abxyz"] == [False, True, True, False, False]
    assert every_way(game, "near") == 9 + 12 + 11 + 2


FURTHEST = """
procedure muster:
  let ones be regiments (where strength of it > 4)
order go of u (a regiment):
  do muster
value moods of s (a side) in muster:
  start with morale of ones
value spirit of s (a side) in muster:
  let above be (moods of s) (where it > low)
  highest above when there is above
  otherwise lowest moods of s
"""


def test_the_furthest_of_words_none_of_which_is_absent_is_found_by_their_ranks():
    game = game_of(FURTHEST)
    world = game.world
    world.frames["procedure muster"] = frame = world.frame("procedure muster", world.all_of("side")[0], None)
    for given, wanted in ({"a": "low", "x": "low"}, "low"), ({"a": "elite", "x": "fair"}, "elite"), ({}, None):
        frame.n_ones = [u for u in world.all_of("regiment") if u.id in given]
        for u in frame.n_ones:
            u.f_morale = given[u.id]
        assert every_way(game, "spirit of blue") == wanted
    text = readable(game.program)
    assert "max(r2, key=R_morale.get, default=None)" in text
    assert "min(" in text.split("max(r2, key=R_morale.get")[1][:200]
