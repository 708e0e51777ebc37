"""A side takes back its own last order, whatever others have done in secret since, but never one that led to dice or hidden things."""

import pytest

from interpreter.messages.inputs import Input, Refused
from tests.interpreter.rulebook import do, game_of

PATROL = """\
unit scout:
  plan  number, starts 0
  pace  number, starts 3
  found mark
  hidden from enemy: plan
  hidden from enemy until found: name
path walk of s (a scout):
  from place of s
  at most pace of s points
  entering h (a hex) costs 1
order plot of s (a scout) to n (a number):
  given by side of s
  plan of s becomes n
order go of s (a scout) to goal (a hex):
  given by side of s
  reaching goal by walk of s
  move s to goal
order shoot of s (a scout):
  given by side of s
  side of s rolls 1d6 as die
  pace of s becomes die
order peep of s (a scout) against t (a scout):
  given by side of s
  refused when side of t is side of s because "one's own"
  t becomes found
order guess of s (a scout) against t (a scout):
  given by side of s
  refused when side of t is side of s because "one's own"
  pace of s becomes plan of t
sequence game-turn:
  phase all:
    sides may plot, go, shoot, peep, guess together
scenario patrol "Patrol" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of scout:
    name | in
    b-1  | 0202
    b-2  | 0303
  forces red of scout:
    name | in
    r-1  | 0601
    r-2  | 0602
"""


def patrol(**settings):
    return game_of(PATROL, scenario="patrol", seed=3, **{"dice": "seeded", "snapshots": True, **settings})


def takes_back(game, side="red"):
    return game.offer(game.taking_back(side))


def told(events, side):
    return [e.text for e in events if e.to in {"all", side}]


def refused(call):
    with pytest.raises(Refused) as found:
        call()
    return found.value.message, found.value.hint


NOTHING = ("You cannot undo anything now.", "Ask the umpire, who can undo and redo any input.")


def test_an_order_is_taken_back_though_another_side_has_acted_in_secret_since():
    game, other = patrol(), patrol()
    do(game, "plot r-1 to 4", "red")
    do(game, "plot b-1 to 7", "blue")
    do(other, "plot b-1 to 7", "blue")
    events = takes_back(game)
    assert (told(events, "red"), told(events, "blue")) == (["red takes back plot r-1 to 4."], [])
    assert (game.world.by_id["r-1"].f_plan, game.world.by_id["b-1"].f_plan) == (0, 7)
    assert game.digest() == other.digest()


def test_orders_are_taken_back_one_after_the_other_and_the_last_given_again():
    game = patrol()
    for order in ("plot r-1 to 4", "plot r-1 to 5", "plot r-2 to 6"):
        do(game, order, "red")
    takes_back(game)
    assert told(takes_back(game), "red") == ["red takes back plot r-1 to 5."]
    assert (game.world.by_id["r-1"].f_plan, game.world.by_id["r-2"].f_plan) == (4, 0)
    game.offer(game.given_again("red"))
    assert game.world.by_id["r-1"].f_plan == 5
    assert refused(lambda: game.given_again("red"))[0] == "You cannot redo anything now."
    takes_back(game)
    takes_back(game)
    assert refused(lambda: game.taking_back("red")) == NOTHING


def test_what_others_were_told_of_they_are_told_was_taken_back():
    game = patrol()
    do(game, "go r-1 to 0501", "red")
    events = takes_back(game)
    assert told(events, "blue") == ["red takes back what it did last."]
    assert told(events, "red") == ["red takes back go r-1 to 0501."]
    assert game.world.by_id["r-1"].place.label == "0601"
    assert game.explain("place of r-1").value == "0601"


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (["shoot r-1"], []),  # dice
        (["plot r-1 to 4"], ["go b-1 to 0302"]),  # another side's open act
        (["plot r-1 to 4"], ["shoot b-1"]),
        ([], ["plot b-1 to 4"]),  # nothing of its own
        (["peep r-1 against LABEL"], []),  # a name came to light
        (["guess r-1 against LABEL"], []),  # a hidden number did
    ],
)
def test_nothing_else_is_taken_back_and_all_is_refused_in_the_same_words(mine, theirs):
    game = patrol()
    label = game.world.incognito.label("b-2", "red")
    for order in mine:
        do(game, order.replace("LABEL", label), "red")
    for order in theirs:
        do(game, order, "blue")
    before = game.digest()
    assert refused(lambda: game.taking_back("red")) == NOTHING
    assert game.digest() == before


def test_who_may_take_back_what_is_a_setting_of_the_campaign():
    for manner, order, may in (
        ("umpire", "plot r-1 to 4", False),
        ("after-dice", "shoot r-1", True),
        ("before-dice", "shoot r-1", False),
    ):
        game = patrol(undo=manner)
        do(game, order, "red")
        if may:
            takes_back(game)
            assert game.world.by_id["r-1"].f_pace == 3
        else:
            assert refused(lambda g=game: g.taking_back("red")) == NOTHING


def test_it_can_be_played_again_from_the_same_inputs():
    given = []
    game, again = patrol(), patrol()
    for side, order in (
        ("red", "plot r-1 to 4"),
        ("blue", "plot b-1 to 2"),
        ("red", ""),
        ("red", "plot r-2 to 9"),
        ("red", ""),
    ):
        given.append(Input("do", side, order) if order else game.taking_back(side))
        game.offer(given[-1])
    for one in given:
        again.offer(one)
    assert again.digest() == game.digest()
    do(again, "plot r-1 to 1", "red")
    do(game, "plot r-1 to 1", "red")
    assert refused(lambda: do(game, "go r-1 to 0101", "red"))  # what fails leaves it as it was
    assert again.digest() == game.digest()
    assert game.explain_changes("red") == again.explain_changes("red")
