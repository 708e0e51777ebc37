"""Rules that wait: events of movement step by step, what becomes, standing conditions, the past, and durations.

The rules of toy/mines.rules are the case book: mines that are met during a march, snipers at the edge of a wood, contact,
and clouds of smoke that wear each other off.
"""

from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsl.syntax.declarations import Scenario
from interpreter.machine import begin, resume
from interpreter.messages.inputs import Input, Refused, RuleFailure
from tests.interpreter.rulebook import TOY, answer, ask, compiled, do, game_of, names, roll, texts, waits

MINES = (TOY / "mines.rules").read_text(encoding="utf-8")
MAPS = (TOY / "maps.rules").read_text(encoding="utf-8")


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
    """a marches from 0202 through 0205, where the mines are, to 0206: a roll of 1 does no harm."""
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
    """Two steps on the mines use them up: at strength 0 they are removed."""
    game = mined()
    do(game, "jump a to 0205")
    roll(game, "1")
    assert names(game.world.all_of("minefield")) == ["f"]
    do(game, "jump b to 0205")
    roll(game, "1")
    assert names(game.world.all_of("minefield")) == []


def test_leaving_is_told_before_the_step():
    """0302 is wood: a unit that leaves it loses 1, one that only enters it does not."""
    game = game_of(MINES, modules=("traps",))
    do(game, "jump a to 0302")
    assert ask(game, "strength of a") == 7
    do(game, "jump a to 0301")
    assert ask(game, "strength of a") == 6


def test_coming_within_counts_from_outside_in():
    """x is in 0303, y in 0603. From 0102 (3 from x) to 0202 (1) is contact; a further step beside x is none."""
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
    """A march makes a unit tired until blue's next moves; being tired makes it low until the end of the next turn."""
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


# ---- what stands, and what lasts: toy/waiting.rules ------------------------------------------------------------

WAITING = (TOY / "waiting.rules").read_text(encoding="utf-8")
LAMPS = """
scenario lamps "Lamps" on field:
  side blue "The Blues" blue
  side red "The Reds" red
  forces blue of beacon:
    name | in   | size
    l1   | 0102 | 3
    l2   | 0103 | 3
    l3   | 0105 | 4
  forces red of beacon:
    name | in   | size
    l4   | 0106 | 5
  forces blue of lantern:
    name | in
    t    | 0801
  forces blue of corps:
    name | posture
    b1   | holding
  forces red of corps:
    name | posture
    r1   | holding
  forces blue of regiment:
    name | corps | in   | strength | armor
    a    | b1    | 0202 | 7        | --
    b    | b1    | 0204 | 7        | --
  forces red of regiment:
    name | corps | in   | strength | armor
    x    | r1    | 0303 | 5        | --
    y    | r1    | 0603 | 3        | 2
  turn-order is blue, red
"""


def lamps(*modules):
    return game_of(WAITING, LAMPS, modules=modules, scenario="lamps")


def lit(game):
    return [x.id for x in game.world.all_of("beacon") if x.f_lit]


def test_a_condition_spreads_until_nothing_more_holds():
    """l1 and l2 touch, l3 and l4 touch; between l2 in 0103 and l3 in 0105 there is a gap until l3 moves up to 0104."""
    game = lamps("glow")
    do(game, "light l1")
    assert lit(game) == ["l1", "l2"]
    do(game, "shift l4 to 0204")
    do(game, "shift l3 to 0104")
    assert lit(game) == ["l1", "l2", "l3", "l4"]


def test_a_pair_counts_again_only_when_its_condition_has_ceased():
    game = lamps("glow")
    do(game, "light l1")
    do(game, "shut l2")
    assert lit(game) == ["l1", "l2"]


def test_what_is_said_to_go_first_goes_first():
    """Two beacons reach the lantern at once, the larger first: only l3 (4) gains, for then the lantern is lit."""
    game = lamps("glow")
    do(game, "shift l1 to 0801")
    assert [x.f_size for x in game.world.all_of("beacon")] == [13, 3, 4, 5]
    other = lamps()
    assert [x.f_size for x in other.world.all_of("beacon")] == [3, 3, 4, 5]


def test_rules_that_set_each_other_off_without_end_are_named():
    game = lamps("loop")
    with pytest.raises(RuleFailure) as failed:
        do(game, "dim l1")
    assert "fires more than 1,000 times" in str(failed.value)
    assert failed.value.message.startswith(("up: ", "down: "))
    assert failed.value.line == line_in(WAITING, f"rule {failed.value.message.partition(':')[0]} ")


def line_in(text, words):
    found = [i for i, line in enumerate(text.split("\n"), 1) if words in line]
    assert len(found) == 1
    return found[0]


def test_movements_that_set_each_other_off_end_in_an_error():
    """a flees from x to 0101 and comes back to it, and flees again: refused, and everything is as before."""
    game = lamps("chase")
    do(game, "go a to 0801")
    before = game.digest()
    with pytest.raises(RuleFailure, match="20 levels deep") as failed:
        do(game, "go a to 0202")
    assert failed.value.line == line_in(WAITING, "rule flee ")
    assert game.digest() == before


def test_a_status_fires_when_it_begins_and_not_while_it_holds():
    """a is next to x alone. y beside it hems a in: reported once. A second step of y, still beside, reports nothing."""
    game = lamps("panic")
    assert "a is hemmed in" not in texts(do(game, "wear a"))
    do(game, "done")
    assert "a is hemmed in" in texts(do(game, "go y to 0201"))
    assert ask(game, "tired of a")
    assert "a is hemmed in" not in texts(do(game, "go y to 0102"))


def test_until_a_condition_restores_what_was_beneath():
    """a is pinned by x beside it; when x leaves it is free. `it` is a, though red moves."""
    game = lamps()
    do(game, "pin a")
    assert ask(game, "tired of a")
    do(game, "done")
    do(game, "go y to 0201")
    do(game, "go x to 0801")
    assert ask(game, "tired of a")
    do(game, "go y to 0802")
    assert not ask(game, "tired of a")


def test_a_condition_that_holds_already_ends_at_once():
    game = lamps()
    do(game, "pin b")
    assert not ask(game, "tired of b")


def test_a_condition_keeps_the_names_of_its_procedure_over_snapshots():
    """Pinned by name: until a is more than 2 from x. It ends in another turn."""
    game = lamps()
    do(game, "pin-near a by x")
    for _ in range(2):
        do(game, "done")
    later = resume(game.program, game.scenario, game.settings, game.snapshot())
    for one in (game, later):
        assert ask(one, "tired of a")
        do(one, "go b to 0801")
        assert ask(one, "tired of a")
        do(one, "go a to 0801")
        assert not ask(one, "tired of a")
    assert game.digest() == later.digest()


def test_what_is_gained_until_a_moment_is_taken_off_again_whatever_came_between():
    """7 + 3 until the end of orders, + 1 permanently, + 3 once more: 14, and 8 afterwards."""
    game = lamps()
    for command in ("hurry a", "feed a", "hurry a"):
        do(game, command)
    assert ask(game, "strength of a") == 14
    do(game, "done")
    assert ask(game, "strength of a") == 8


def test_values_lie_on_one_another():
    """Fair beneath, high until the end of the next turn, low over it until the end of this one: low, high, fair."""
    game = lamps()
    do(game, "rest a")
    do(game, "dread a")
    assert ask(game, "morale of a is low")
    do(game, "done")
    do(game, "done")
    assert ask(game, "morale of a is high")
    do(game, "done")
    do(game, "done")
    assert ask(game, "morale of a is fair")


def test_a_value_beneath_may_fall_away_first():
    """Low until the end of this turn, high over it until the end of the next: high, and then fair, not low."""
    game = lamps()
    do(game, "dread a")
    do(game, "rest a")
    do(game, "done")
    do(game, "done")
    assert ask(game, "morale of a is high")
    do(game, "done")
    do(game, "done")
    assert ask(game, "morale of a is fair")


def test_what_is_set_for_good_stays():
    game = lamps()
    do(game, "dread a")
    do(game, "settle a")
    do(game, "done")
    do(game, "done")
    assert ask(game, "morale of a is low")


def test_own_and_enemy_moments_are_those_of_the_owner():
    game = lamps()
    do(game, "mark-enemy a")
    do(game, "mark-enemy x")
    do(game, "done")
    assert not ask(game, "tired of a")
    assert ask(game, "tired of x")
    do(game, "done")
    assert not ask(game, "tired of x")


def test_games_with_rules_that_wait_play_again_to_the_same_digests():
    game = lamps("glow", "panic")
    commands = [
        "light l1",
        "pin a",
        "shift l4 to 0205",
        "done",
        "go y to 0201",
        "done",
        "shift l3 to 0104",
        "done",
        "done",
    ]
    digests, starts = [], []
    for number, command in enumerate(commands):
        do(game, command)
        digests.append(game.digest())
        if game.snapshot() is not None:
            starts.append((number + 1, game.snapshot()))
    assert starts
    again = lamps("glow", "panic")
    for command, digest in zip(commands, digests, strict=True):
        do(again, command)
        assert again.digest() == digest
    for number, snapshot in starts:
        later = resume(game.program, game.scenario, game.settings, snapshot)
        for command, digest in zip(commands[number:], digests[number:], strict=True):
            do(later, command)
            assert later.digest() == digest


# ---- what may be known ------------------------------------------------------------------------------------------

DARK = """
marker spy:
  eye number, starts 3
  hidden from enemy: eye
marker post:
  size number, starts 1
order sneak of s (a spy) to h (a hex):
  given by side of s
  move s to h
order send of u (a regiment) to h (a hex):
  given by side of u
  move u to h
rule spotted whenever u (a regiment) comes within (eye of s) of s (an enemy spy):
  reveal u to side of s
rule passed whenever u (a regiment) enters p (an enemy post):
  tell side of u "challenged"
scenario dark "Dark" on field:
  side blue "The Blues" blue
  side red "The Reds" red
  forces blue of corps:
    name | posture
    b1   | holding
  forces blue of regiment:
    name | corps | in   | strength | armor
    a    | b1    | 0202 | 7        | --
  forces red of spy:
    name | in
    s    | 0802
  forces red of post:
    name | in
    p    | 0302
  turn-order is blue, red
sequence game-turn:
  for each s in turn-order, as active:
    phase orders "Orders":
      active may sneak, send
"""


def test_only_who_may_know_what_a_rule_rests_on_hears_of_it():
    """The spy's eye (3) is hidden from blue. That a came within it is reported to the umpire alone; passing a post to all."""
    game = game_of(DARK, scenario="dark")
    told = [(e.kind, e.to, e.text) for e in do(game, "send a to 0502")]
    assert ("rule", "umpire", "Spotted: a comes near s.") in told
    assert not [e for e in told if e[0] == "rule" and e[1] != "umpire"]
    told = [(e.kind, e.to, e.text) for e in do(game, "send a to 0302")]
    assert ("rule", "all", "Passed: a enters p.") in told


def test_simultaneous_moves_are_met_when_all_have_come():
    """Two beacons change places at once; the rule that lights neighbours sees them where they end."""
    game = lamps("glow")
    do(game, "light l1")
    do(game, "swap l1 with l4")
    assert lit(game) == ["l1", "l2", "l3", "l4"]


def test_things_that_move_together_meet_what_lies_at_the_end_one_after_the_other():
    """Both are in the minefield before either is hit; b blows up, a stays."""
    game = mined()
    do(game, "rush a, b to 0205")
    assert waits(game) == [("dice", "", "die")]
    assert ask(game, "place of a is 0205")
    assert ask(game, "place of b is 0205")
    roll(game, "1")
    roll(game, "6")
    assert names(game.world.all_of("regiment")) == ["a", "x", "y", "z"]


@pytest.mark.parametrize("die", ["5", "4"])
def test_what_has_already_come_has_nothing_left_to_stop(die):
    game = mined()
    do(game, "rush a to 0205")
    roll(game, die)
    assert ask(game, "place of a is 0205")
    assert waits(game) == [("orders", "blue", "moves")]


def reacting(program):
    """The orders after whose effects rules are asked."""
    found, order = set(), ""
    for text in program.source.text.split("\n"):
        if text.startswith("    def "):
            order = text.split("def ")[1].split("(")[0].removeprefix("e_")
        elif "W.react" in text or "W.positions.travel" in text:
            found.add(order)
    return found


def test_rules_are_asked_only_after_what_can_matter_to_them():
    """A condition that ends a value reads where regiments are; beacons light neighbours by their light and place."""
    plain = reacting(lamps().program)
    assert plain == {"pin", "pin_near", "go", "swap"}
    lit_by = reacting(lamps("glow").program) - plain
    assert lit_by == {"light", "shut", "shift", "p_rule_next_lamp", "p_rule_grow"}


# ---- any play at all -------------------------------------------------------------------------------------------


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)
@given(st.data(), st.sampled_from(["mines", "lamps"]))
def test_any_play_is_played_again_to_the_same_digests(data, which):
    """Legal commands, answers and dice at random, with all waiting rules: the same again, and from every snapshot."""

    def fresh():
        return game_of(MINES, modules=("traps",)) if which == "mines" else lamps("glow", "panic")

    game = fresh()
    taken, digests, starts = [], [game.digest()], []
    for _ in range(data.draw(st.integers(3, 25))):
        awaited = game.awaiting[0]
        if awaited.kind == "dice":
            given_ = Input("roll", "umpire", str(data.draw(st.integers(1, 6))))
        elif awaited.kind == "orders":
            given_ = Input("do", awaited.side, data.draw(st.sampled_from(game.legal(awaited.side, 60))))
        else:
            given_ = Input("answer", awaited.side, data.draw(st.sampled_from(awaited.choices)), awaited.name)
        game.offer(given_)
        taken.append(given_)
        digests.append(game.digest())
        if game.snapshot() is not None:
            starts.append((len(taken), game.snapshot()))
    again = fresh()
    for given_, digest in zip(taken, digests[1:], strict=True):
        again.offer(given_)
        assert again.digest() == digest
    for number, snapshot in starts:
        later = resume(game.program, game.scenario, game.settings, snapshot)
        for given_, digest in zip(taken[number:], digests[number + 1 :], strict=True):
            later.offer(given_)
            assert later.digest() == digest


def test_places_that_lie_in_others_are_entered_and_left_with_them():
    """From 0102 down to 0105: O-0101 is left and O-0102 entered at the last step, and the wing there is met; hexes at each."""
    more = """
    rule left whenever d (a division) leaves o (an ophex):
      tell all sides "{} leaves {}" with d, o
    rule came whenever d (a division) enters o (an ophex):
      tell all sides "{} comes into {}" with d, o
    rule met whenever d (a division) enters w (an own wing):
      tell all sides "{} meets {}" with d, w
    rule anywhere whenever d (a division) enters p (a place) in walk when p is not goal:
      tell all sides "{} on its way in {}" with d, p
    """
    program, text = compiled((MAPS, dedent(more)))
    scenario = next(x for x in text.declarations if isinstance(x, Scenario))
    game = begin(program, scenario, {"seed": 1})
    game.world.positions.stand(game.world.by_id["w1"], game.world.by_label["O-0102"])
    told = [t for e in do(game, "walk d1 to 0105") for t in [e.text] if t.startswith("d1 ") and "moves" not in t]
    assert told == [
        "d1 on its way in 0103",
        "d1 on its way in 0104",
        "d1 leaves O-0101",
        "d1 comes into O-0102",
        "d1 meets w1",
    ]


LOST = """
order follow of u (a regiment):
  given by side of u
  for each t in trains:
    move t to place of t
    move u to place of t
order drop of t (a train):
  given by side of t
  move t off the map
sequence game-turn:
  for each s in turn-order, as active:
    phase moves:
      active may follow, drop
"""
WATCH = """
rule seen whenever u (a regiment) enters h (a hex):
  tell side of u "here"
rule seen-train whenever t (a train) enters h (a hex):
  tell side of t "here"
"""


@pytest.mark.parametrize("more", ["", WATCH])
def test_who_moves_to_a_place_that_is_absent_does_not_leave_the_map(more):
    """If a rule waited for the movement, such a line used to remove the thing from the map silently."""
    game = game_of(LOST + more)
    do(game, "follow a")
    assert ask(game, "place of a is 0101")
    do(game, "drop t1")
    with pytest.raises(RuleFailure, match=r"place to move to,? is absent"):
        do(game, "follow b")
