"""A side that has lost sight of a thing meets it again under another label; while it stands in view, its label stays."""

import pytest

from dsl.rules.editions import FRESH_LABELS, SINCE
from interpreter.machine import resume
from interpreter.messages.inputs import Refused
from tests.interpreter.rulebook import do, game_of

WATCH = """\
unit scout:
  worth  number, starts 3
  seen   mark
  named  mark
  hidden from enemy until seen: place, worth
  hidden from enemy until named: name
order show of u (a scout):
  given by side of u
  u becomes seen
order slip of u (a scout):
  given by side of u
  seen of u becomes no
  named of u becomes no
order blink of u (a scout):
  given by side of u
  seen of u becomes no
  u becomes seen
order flash of u (a scout) to goal (a hex):
  given by side of u
  u becomes seen
  move u to goal
  seen of u becomes no
order name-it of u (a scout) against v (a scout):
  given by side of u
  refused when side of v is side of u because "it is your own"
  v becomes named
order bide of u (a scout):
  given by side of u
  worth of u gains 1 points
sequence game-turn:
  phase all:
    for each s in turn-order, as active:
      active may show, slip, blink, flash, name-it, bide
scenario watch "Watch" on field:
  side blue "The Blues"
  side red "The Reds"
  side green "The Greens"
  forces blue of scout:
    name   | in
    b-one  | 0202
  forces red of scout:
    name    | in
    r-one   | 0601
    r-two   | 0602
    r-three | 0603
  forces green of scout:
    name   | in
    g-one  | 0404
  turn-order is red, blue, green
"""


def watch(**settings):
    return game_of(WATCH, scenario="watch", **{"seed": 4, **settings})


def seen_by(game, side="blue"):
    """Red's scouts as a side sees them: their labels by where they stand."""
    return {x.place: x.id for x in game.seat(side).told(game.view(side)).things if x.side == "red"}


def test_a_thing_lost_from_sight_has_another_label_when_it_is_met_again():
    game = watch()
    do(game, "show r-one", "red")
    first = seen_by(game)["0601"]
    do(game, "show r-two", "red")
    assert seen_by(game)["0601"] == first  # while it stands in view
    do(game, "slip r-one", "red")
    do(game, "show r-one", "red")
    assert seen_by(game)["0601"] not in {first, "r-one"}
    assert len(set(seen_by(game).values())) == 2
    assert game.world.incognito.id_of(first) == game.world.incognito.id_of(seen_by(game)["0601"]) == "r-one"


def test_a_label_tells_not_whether_it_is_the_first_of_its_thing():
    game = watch()
    digits = set()
    for _ in range(30):
        do(game, "show r-one", "red")
        digits.add(len(seen_by(game)["0601"]))
        do(game, "slip r-one", "red")
    assert len(digits) == 1


def test_what_is_hidden_and_found_before_anybody_looks_keeps_its_label():
    game = watch()
    do(game, "show r-one", "red")
    first = seen_by(game)["0601"]
    do(game, "blink r-one", "red")
    assert seen_by(game)["0601"] == first


def test_what_was_heard_of_only_in_passing_is_lost_too():
    game = watch()
    told = [e.text for e in do(game, "flash r-one to 0501", "red") if e.to in {"all", "blue"}]
    (first,) = {word for text in told for word in text.split() if word.startswith("scout-r")}
    do(game, "show r-one", "red")
    assert seen_by(game)["0501"].startswith("scout-r")
    assert seen_by(game)["0501"] != first


def test_a_name_that_was_known_is_not_joined_to_the_label_of_the_next_time():
    game = watch()
    do(game, "show r-one", "red")
    label = seen_by(game)["0601"]
    do(game, "done", "red")
    do(game, f"name-it b-one against {label}", "blue")
    assert seen_by(game)["0601"] == "r-one"
    for one in ("done", "done"):
        do(game, one)
    do(game, "slip r-one", "red")
    do(game, "show r-one", "red")
    assert seen_by(game)["0601"] not in {label, "r-one"}


def test_an_old_label_is_a_word_that_means_nothing():
    game = watch()
    do(game, "show r-one", "red")
    label = seen_by(game)["0601"]
    do(game, "slip r-one", "red")
    do(game, "show r-one", "red")
    do(game, "done", "red")
    said = set()
    for word in (label, "scout-r9999", game.world.incognito.label("r-two", "blue"), seen_by(game, "green")["0601"]):
        with pytest.raises(Refused) as refused:
            do(game, f"name-it b-one against {word}", "blue")
        with pytest.raises(Refused) as asked:
            game.explain(f"worth of {word}", "blue")
        said.add(repr((refused.value.refusal, asked.value.refusal)).replace(word, "…"))
    assert len(said) == 1, said


def test_each_side_has_labels_of_its_own():
    """If they shared them, a new one would tell blue that green has lost sight of it."""
    game = watch()
    do(game, "show r-one", "red")
    assert seen_by(game, "blue")["0601"] != seen_by(game, "green")["0601"]
    assert seen_by(game, "red")["0601"] == seen_by(game, "umpire")["0601"] == "r-one"


def test_labels_do_not_tell_what_a_side_does_not_see():
    """Two games differ only in what red does out of sight: blue reads the same labels."""
    busy, quiet = watch(), watch()
    for order in ("slip r-two", "slip r-two", "bide r-three"):
        do(busy, order, "red")
        do(quiet, "bide r-three", "red")
    for game in (busy, quiet):
        do(game, "show r-two", "red")
        do(game, "show r-one", "red")
    assert seen_by(busy) == seen_by(quiet)


def turned(game):
    """Red loses a scout from sight and shows it again; then a new turn begins."""
    for order in ("show r-one", "slip r-one", "show r-one", "show r-two", "slip r-two"):
        do(game, order, "red")
    for _ in range(3):
        do(game, "done")
    return game


def test_a_game_goes_on_from_a_snapshot_with_the_same_labels():
    game = turned(watch(snapshots=True, dice="seeded"))
    snapshot = game.snapshot()
    again = resume(game.program, game.scenario, {"seed": 4, "dice": "seeded"}, snapshot)
    assert seen_by(again) == seen_by(game) != {}
    assert again.digest() == game.digest()
    for one in (game, again):
        do(one, "show r-two", "red")
    assert seen_by(again) == seen_by(game)
    assert again.digest() == game.digest()


def test_a_game_replayed_from_its_inputs_has_the_same_labels():
    game = turned(watch())
    again = watch()
    for _, inputs, *_ in game.course():
        for given in inputs:
            again.offer(given)
    assert seen_by(again) == seen_by(game)
    assert again.digest() == game.digest()


def test_before_its_edition_a_label_stays_for_ever_and_the_state_is_what_it_was():
    game = watch(edition=SINCE[FRESH_LABELS] - 1)
    do(game, "show r-one", "red")
    first = seen_by(game)["0601"]
    do(game, "slip r-one", "red")
    do(game, "show r-one", "red")
    assert seen_by(game)["0601"] == first == seen_by(game, "green")["0601"]
    assert game.world.incognito.data() == {}
