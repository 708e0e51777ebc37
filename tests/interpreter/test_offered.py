"""The prompt of a window lists the orders that its side can give to something now, as far as that side knows."""

from interpreter.messages.view import View
from interpreter.play import orders
from tests.interpreter.rulebook import do, game_of

PIER = """\
unit boat:
  fuel   number, starts 1
  leaks  mark
  hidden from enemy: leaks
order row of b (a boat):
  given by side of b
  refused when fuel of b = 0 because "no fuel"
  b loses 1 fuel
order patch of b (a boat):
  given by side of b
  refused when b is not leaks because "it is tight"
  leaks of b becomes no
order ram of b (a boat) against foe-boat (a boat):
  given by side of b
  refused when side of foe-boat is side of b because "a friend"
  refused when foe-boat is not leaks because "too stout"
  remove foe-boat
order rest:
  given by sides
  refused when turn < 2 because "too early"
sequence game-turn:
  phase sea:
    sides may row, patch, ram, rest together
scenario pier "Pier" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of boat:
    name | fuel | in   | leaks
    b-1  | 1    | 0202 | no
  forces red of boat:
    name | fuel | in   | leaks
    r-1  | 0    | 0303 | yes
    r-2  | 1    | 0304 | no
"""


def offers(game, side):
    return next(a for a in game.view(side).awaiting if a.side == side)


def test_orders_that_nothing_can_be_given_now_are_not_listed():
    game = game_of(PIER, scenario="pier")
    assert offers(game, "red").choices == ("row", "patch", "ram")
    assert offers(game, "red").prompt == "The Reds may give orders (Sea): row, patch, ram, or done."
    do(game, "row r-2", "red")
    do(game, "patch r-1", "red")
    assert offers(game, "red").choices == ("ram",), "rest comes next turn, the rest is done"


def test_what_rests_on_hidden_facts_stays_listed():
    game = game_of(PIER, scenario="pier")
    assert "ram" in offers(game, "red").choices, "b-1 is tight, but red cannot know that"
    assert "patch" not in offers(game, "blue").choices, "blue knows its own boat"


def test_others_see_that_a_side_may_give_orders_but_not_which():
    game = game_of(PIER, scenario="pier")
    view: View = game.view("blue")
    (of_red,) = [a for a in view.awaiting if a.side == "red"]
    assert (of_red.prompt, of_red.choices) == ("The Reds may give orders (Sea).", ())


def test_nothing_but_done():
    game = game_of(PIER, scenario="pier")
    do(game, "ram b-1 against r-1", "blue")
    do(game, "ram b-1 against r-2", "blue")
    do(game, "row b-1", "blue")
    assert offers(game, "blue").prompt == "The Blues may give orders (Sea): done."


def test_what_takes_long_to_settle_stays_listed(monkeypatch):
    monkeypatch.setattr(orders, "MOST_LOOKED", 2)
    game = game_of(PIER, scenario="pier")
    assert offers(game, "blue").choices == ("row", "patch", "ram"), "of patch three boats must be looked at"
    monkeypatch.setattr(orders, "MOST_LOOKED", 3)
    game = game_of(PIER, scenario="pier")
    assert "patch" not in offers(game, "blue").choices


WHARF = """\
unit boat:
  fuel   number, starts 1
  hidden from enemy: place
order row of b (a boat):
  given by side of b
  refused when fuel of b = 0 because "no fuel"
  b loses 1 fuel
sequence game-turn:
  phase sea:
    for each b in boats:
      step sailing:
        side of b may row once
scenario wharf "Wharf" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of boat:
    name | in
    b-1  | 0202
    b-2  | 0203
"""


def test_a_window_in_a_loop_says_to_its_side_what_it_is_for():
    game = game_of(WHARF, scenario="wharf")
    for boat in ("b-1", "b-2"):
        ours, theirs = (next(a for a in game.view(s).awaiting if a.side == "blue").prompt for s in ("blue", "red"))
        assert ours == f"The Blues may give orders for {boat} (Sailing): row, or done."
        assert theirs == "The Blues may give orders (Sailing).", "that there is such a boat is hidden"
        do(game, "row b-1" if boat == "b-1" else "done", "blue")
