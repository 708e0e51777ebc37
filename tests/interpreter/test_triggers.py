"""Rules that wait: events of movement step by step, what becomes, standing conditions, the past, and what lasts.

The rules of toy/mines.rules are the case book: mines that are met on the way, snipers at the edge of a wood, contact,
and clouds of smoke that wear each other off.
"""

import pytest

from interpreter.inputs import Refused
from interpreter.play import resume
from tests.interpreter.rulebook import TOY, answer, ask, do, game_of, names, roll, texts, waits

MINES = (TOY / "mines.rules").read_text(encoding="utf-8")


def mined(**settings):
    """A game in which red's y, in 0603, has sown mines; blue is to move."""
    game = game_of(MINES, modules=("traps",), **settings)
    do(game, "done")
    do(game, "jump y to 0205")
    do(game, "sow y")
    do(game, "jump y to 0603")
    do(game, "done")
    return game


def test_a_rule_fires_on_the_way_and_the_march_goes_on():
    """a marches from 0202 through 0205, where the mines lie, to 0206: a roll of 1 does no harm."""
    game = mined()
    do(game, "march a to 0206")
    assert waits(game) == [("dice", "", "die")]
    assert ask(game, "place of a is 0205")
    events = roll(game, "1")
    assert texts(events)[:3] == [
        "a moves from 0202 to 0205.",
        "Mines: a enters f.",
        "red rolls 1 on 1d6 (die).",
    ] or texts(events)[:1] == ["red rolls 1 on 1d6 (die)."]
    assert ask(game, "place of a is 0206")
    assert ask(game, "tired of a")
    assert ask(game, "strength of f") == 1


def test_stop_move_ends_the_movement_and_the_order_goes_on():
    game = mined()
    do(game, "march a to 0206")
    roll(game, "5")
    assert ask(game, "place of a is 0205")
    assert ask(game, "tired of a")


def test_stop_order_leaves_out_the_rest_of_the_order():
    game = mined()
    do(game, "march a to 0206")
    roll(game, "4")
    assert ask(game, "place of a is 0205")
    assert not ask(game, "tired of a")
    with pytest.raises(Refused, match="marched this phase"):
        do(game, "march a to 0206")


def test_what_is_removed_on_the_way_goes_no_further():
    game = mined()
    do(game, "march a to 0206")
    events = roll(game, "6")
    assert names(game.world.all_of("regiment")) == ["b", "x", "y", "z"]
    assert "a in 0205 is removed: blown up." in texts(events)
    assert waits(game) == [("orders", "blue", "moves")]


def test_a_jump_meets_only_what_lies_at_its_end():
    game = mined()
    do(game, "jump a to 0206")
    assert ask(game, "place of a is 0206")
    do(game, "jump a to 0205")
    assert waits(game) == [("dice", "", "die")]


def test_own_mines_do_no_harm():
    game = mined()
    do(game, "done")
    do(game, "jump y to 0205")
    assert waits(game) == [("orders", "red", "moves")]


def test_a_standing_condition_takes_spent_mines_away():
    """Two steps on the mines use them up: at strength 0 they are taken off."""
    game = mined()
    do(game, "jump a to 0205")
    roll(game, "1")
    assert names(game.world.all_of("minefield")) == ["f"]
    do(game, "jump b to 0205")
    roll(game, "1")
    assert names(game.world.all_of("minefield")) == []


def test_leaving_is_told_before_the_step():
    """0302 is wood: who leaves it loses 1, who only enters it does not."""
    game = game_of(MINES, modules=("traps",))
    do(game, "jump a to 0302")
    assert ask(game, "strength of a") == 7
    do(game, "jump a to 0301")
    assert ask(game, "strength of a") == 6


def test_coming_within_counts_from_outside_in():
    """x stands in 0303, y in 0603. From 0102 (3 from x) to 0202 (1) is contact; a further step beside x is none."""
    game = game_of(MINES, modules=("traps",))
    met = "a meets x"
    assert met not in texts(do(game, "jump a to 0203"))
    assert met not in texts(do(game, "jump a to 0102"))
    assert ask(game, "distance from a to x") == 2
    do(game, "jump a to 0101")
    assert ask(game, "distance from a to x") == 3
    assert met in texts(do(game, "jump a to 0202"))


def test_a_rule_bound_to_an_order_reads_its_names_and_asks():
    """`in march`: a jump beside the enemy raises no alarm; a march does if its goal is a town (0704), and red may halt it."""
    game = game_of(MINES, modules=("traps",))
    do(game, "jump a to 0501")
    do(game, "jump a to 0602")
    assert waits(game) == [("orders", "blue", "moves")]
    do(game, "jump a to 0501")
    do(game, "march a to 0704")
    assert waits(game) == [("question", "red", "alarmed")]
    where = ask(game, "place of a").label
    answer(game, "yes")
    assert ask(game, "place of a").label == where
    assert waits(game) == [("orders", "blue", "moves")]


def test_becoming_fires_and_lasts_over_the_next_turn():
    """March makes tired until blue's next moves; being tired makes low until the end of the next turn."""
    game = game_of(MINES, modules=("traps",))
    do(game, "march a to 0201")
    assert ask(game, "morale of a is low")
    do(game, "done")
    assert ask(game, "tired of a")
    do(game, "done")
    assert game.turn == 2
    assert not ask(game, "tired of a")
    assert ask(game, "morale of a is low")
    do(game, "done")
    do(game, "done")
    assert game.turn == 3
    assert ask(game, "morale of a is fair")


def smokes(game):
    return {x.id: (x.side.id, x.size if hasattr(x, "size") else x.f_size) for x in game.world.all_of("smoke")}


def test_pairs_wear_each_other_off_nearest_first_until_nothing_holds():
    """Red 2 in 0604. Blue 1 at distance 2 takes one of it; then blue 5 at distance 4 takes the other and keeps 4."""
    game = game_of(MINES, modules=("traps",))
    do(game, "done")
    do(game, "fire-smoke y against 0604 with 2")
    do(game, "done")
    do(game, "fire-smoke a against 0404 with 1")
    assert [s for _, s in smokes(game).values()] == [1]
    do(game, "fire-smoke a against 0204 with 5")
    assert list(smokes(game).values()) == [("blue", 4)]


def test_without_the_module_nothing_waits():
    game = game_of(MINES, modules=())
    assert "react" not in game.program.source.text
    assert "travel" not in game.program.source.text
    do(game, "march a to 0206")
    assert ask(game, "place of a is 0206")


def test_the_past_is_kept_through_snapshots_and_forgotten_after_two_turns():
    game = mined()
    do(game, "march b to 0201")
    digest = game.digest()
    with pytest.raises(Refused, match="this turn"):
        do(game, "sow b")
    assert game.digest() == digest
    do(game, "done")
    do(game, "done")
    assert ask(game, "b has done march last turn")
    assert not ask(game, "b has done march this turn")
    assert ask(game, "blue has done march last turn")
    assert not ask(game, "red has done march last turn")
    assert ask(game, "any regiments has done march last turn")
    later = resume(game.program, game.scenario, game.settings, game.snapshot())
    assert later.digest() == game.digest()
    assert ask(later, "b has done march last turn")
    do(game, "done")
    do(game, "done")
    assert not ask(game, "b has done march last turn")
