"""The passive side: its windows in the other side's phase, its orders there, and what they may ask of either side.

The game is toy/interrupts.rules: a march may be shot at on the spot, a patrol flies in the other side's turn.
"""

import pytest

from interpreter.machine import resume
from interpreter.messages.inputs import Refused
from tests.interpreter.rulebook import TOY, answer, ask, do, game_of, names, roll, waits

INTERRUPTS = (TOY / "interrupts.rules").read_text(encoding="utf-8")


def test_the_passive_side_is_asked_inside_an_order_of_the_other():
    """a steps to 0203, within 2 of x: red may fire with x, rolls a 5, and a loses 1. Then blue continues."""
    game = game_of(INTERRUPTS)
    do(game, "march a to 0203")
    assert waits(game) == [("question", "red", "shooter")]
    with pytest.raises(Refused):
        answer(game, "x", side="blue")
    answer(game, "x")
    roll(game, "5")
    assert ask(game, "strength of a") == 6
    assert waits(game) == [("orders", "blue", "moves")]


def test_the_other_side_has_a_window_of_its_own_in_the_phase():
    game = game_of(INTERRUPTS)
    do(game, "done")
    assert waits(game) == [("orders", "red", "moves")]
    assert game.active == "blue"
    assert {c.split()[0] for c in game.legal("red")} == {"patrol", "done"}
    with pytest.raises(Refused):
        do(game, "march x to 0404", side="red")
    with pytest.raises(Refused):
        do(game, "patrol a against 0303", side="blue")


def test_own_and_enemy_in_an_order_are_the_givers_though_another_is_active():
    """Red's x flies against 0202 while blue is active: the enemy there is a, whose side, blue, is asked."""
    game = game_of(INTERRUPTS)
    do(game, "done")
    do(game, "patrol x against 0202")
    assert game.active == "blue"
    assert waits(game) == [("question", "blue", "gives-way")]
    answer(game, "no")
    assert waits(game) == [("dice", "", "die")]
    roll(game, "2")
    assert ask(game, "strength of a") == 5
    assert waits(game) == [("orders", "red", "moves")]


def test_what_was_done_counts_for_the_side_that_gave_it():
    game = game_of(INTERRUPTS)
    do(game, "done")
    do(game, "patrol x against 0202")
    answer(game, "yes")
    assert ask(game, "tired of a")
    assert ask(game, "red has done patrol this phase")
    assert not ask(game, "blue has done patrol this turn")
    assert ask(game, "x has done skirmish this phase")
    assert not ask(game, "a has done skirmish this phase")
    with pytest.raises(Refused, match="no rule checks `march`"):
        ask(game, "x has done march this phase")
    with pytest.raises(Refused, match="It has flown"):
        do(game, "patrol x against 0203")


def test_a_refusal_may_hang_on_who_is_active():
    game = game_of(INTERRUPTS)
    do(game, "done")
    do(game, "done")
    with pytest.raises(Refused, match="other side's turn"):
        do(game, "patrol a against 0303", side="blue")
    do(game, "patrol x against 0202", side="red")
    answer(game, "yes")
    assert sorted(waits(game)) == [("orders", "blue", "last"), ("orders", "red", "last")]


def test_it_all_plays_again_from_a_snapshot():
    inputs = [(do, "march a to 0203"), (answer, "none"), (do, "done"), (do, "patrol x against 0203"), (answer, "a yes")]
    game = game_of(INTERRUPTS)
    digests = []
    do(game, "march a to 0203")
    answer(game, "none")
    do(game, "done")
    do(game, "patrol x against 0202")
    digests.append(game.digest())
    again = game_of(INTERRUPTS)
    for give, text in inputs[:3]:
        give(again, text)
    do(again, "patrol x against 0202")
    assert again.digest() == digests[-1]
    assert names(again.world.all_of("regiment")) == ["a", "b", "x", "y", "z"]
    fresh = resume(game.program, game.scenario, game.settings, game_of(INTERRUPTS).snapshot())
    assert fresh.digest() == game_of(INTERRUPTS).digest()
