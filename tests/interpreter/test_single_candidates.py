"""A choice with one candidate is made without asking, also if a condition on the candidates reads hidden things."""

import pytest

from dsl.rules.editions import ONE_TO_CHOOSE, SINCE
from tests.interpreter.rulebook import do, game_of

RULES = """\
unit scout:
  nerve  number, starts 2
  wounds number, starts 0
  hidden from enemy: nerve
order strike of s (a scout):
  given by side of s
  {choice}
  for each x in {hit}:
    wounds of x gains 1 points
sequence game-turn:
  phase all:
    sides may strike together
scenario one "One" on field:
  side blue "Blue"
  side red "Red"
  forces blue of scout:
    name | in
    b-1  | 0202
  forces red of scout:
    name | in   | nerve
    r-1  | 0303 | 2
    {more}
"""
BRAVE = "r-2  | 0304 | 3"
TIMID = "r-2  | 0304 | 0"
ONE = "side of s chooses victim: one of enemy scouts such that nerve of victim > 0"
SPLIT = "side of s chooses share: a split of 2 among enemy scouts such that sum nerve of enemy scouts > 0"
EXACT = "side of s chooses victim: exactly 1 of enemy scouts such that any nerve of victim > 0"
EACH = "each x in (s) chooses prey: one of enemy scouts such that nerve of prey of x > 0"


def struck(choice, hit, more="", **settings):
    """Whether the choice is asked when blue strikes, and the wounds of r-1."""
    game = game_of(RULES.format(choice=choice, hit=hit, more=more), scenario="one", **settings)
    do(game, "strike b-1", "blue")
    asked = [q.name for q in game.awaiting if q.name in {"victim", "share", "prey"}]
    return bool(asked), game.world.by_id["r-1"].f_wounds


@pytest.mark.parametrize(
    ("choice", "hit"),
    [
        (ONE, "(victim)"),
        (EXACT, "victim"),
        (SPLIT, "enemy scouts (where share of it > 0)"),
    ],
)
def test_the_only_candidate_is_taken(choice, hit):
    assert struck(choice, hit) == (False, 1)
    assert struck(choice, hit, edition=SINCE[ONE_TO_CHOOSE] - 1) == (True, 0)


@pytest.mark.parametrize("more", [BRAVE, TIMID])
def test_of_two_candidates_one_is_asked_for_whatever_is_hidden_of_them(more):
    assert struck(ONE, "(victim)", more) == (True, 0), "not asking would tell that one of them has no nerve"


@pytest.mark.parametrize("more", ["", BRAVE])
def test_what_hidden_things_gather_is_asked_for(more):
    assert struck("side of s chooses victim: one of enemy scouts (where nerve of it > 0)", "(victim)", more) == (
        True,
        0,
    )


@pytest.mark.parametrize(
    ("choice", "hit"),
    [
        (EXACT.replace("> 0", "> 2"), "victim"),
        (SPLIT.replace("> 0", "> 2"), "enemy scouts (where share of it > 0)"),
        (EACH, "enemy scouts (where it is prey of s)"),
    ],
)
def test_an_only_candidate_that_its_condition_forbids_is_not_taken_silently(choice, hit):
    assert struck(choice, hit) == (True, 0)
