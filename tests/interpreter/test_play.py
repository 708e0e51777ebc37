"""A game is the fold of its inputs: a refused input changes nothing, and the accepted ones replay to the same digest.

Most of it uses toy/war.rules: marches by path, assaults with a secret choice, a question for each unit and dice.
"""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interpreter.machine import begin, resume
from interpreter.messages.inputs import Input, Refused, RuleFailure
from interpreter.play.state import state_of
from tests.interpreter.rulebook import KIT, WAR, answer, ask, compiled, do, game_of, roll, story, waits

ODD = [
    "", "done", "march", "march a", "march a to", "march a to 9999", "march x to 0404", "assault a against 0303", "dig a",
    "march a to 0202", "1", "7", "0", "1 2", "1 2 3", "99", "none", "all", "all bold", "others careful", "a bold", "x", "a, a",
    "a bold, b careful, x bold, y careful, z bold", "🙂", "a bold b", "-1", "bold",
]  # fmt: skip
SIDES = ["blue", "red", "umpire", "green", ""]


def frozen(game):
    """All that an input may change."""
    return (
        game.digest(),
        game.awaiting,
        json.dumps(state_of(game.world), default=str),
        game.turn,
        game.over,
        game.snapshot(),
    )


def guess(game, draw):
    """An input that is often legal."""
    awaited = draw(st.sampled_from(game.awaiting))
    wild = draw(st.integers(0, 4)) == 0
    side = draw(st.sampled_from(SIDES)) if wild else awaited.side or "umpire"
    if wild:
        return Input(
            draw(st.sampled_from(["do", "answer", "roll", "pray"])),
            side,
            draw(st.sampled_from(ODD)),
            draw(st.sampled_from(["", awaited.name, "odd"])),
        )
    if awaited.kind == "orders":
        return Input("do", side, draw(st.sampled_from(game.legal(side) or ["done"])))
    if awaited.kind == "dice":
        return Input("roll", side, draw(st.sampled_from(["1 6", "4", "6 6", "5 2", "3"])))
    if awaited.form == "each":
        names = dict.fromkeys(c.split()[0] for c in awaited.choices)
        return Input(
            "answer", side, ", ".join(f"{n} {draw(st.sampled_from(['bold', 'careful']))}" for n in names), awaited.name
        )
    chosen = draw(st.lists(st.sampled_from(awaited.choices or ("none",)), max_size=2, unique=True))
    return Input("answer", side, ", ".join(chosen) or "none", awaited.name)


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data(), st.sampled_from([(), ("supply",)]), st.sampled_from(["typed", "seeded"]))
def test_any_inputs_are_refused_without_a_trace_or_play_again_to_the_same_digests(data, modules, dice):
    game = game_of(WAR, modules=modules, dice=dice)
    accepted, digests, starts = [], [game.digest()], []
    for _ in range(data.draw(st.integers(5, 30))):
        if game.over:
            break
        given_ = guess(game, data.draw)
        before = frozen(game)
        try:
            game.offer(given_)
        except Refused:
            assert frozen(game) == before
            continue
        accepted.append(given_)
        digests.append(game.digest())
        if game.snapshot() is not None:
            starts.append((len(accepted), game.snapshot()))
    again = game_of(WAR, modules=modules, dice=dice)
    for given_, expected in zip(accepted, digests[1:], strict=True):
        again.offer(given_)
        assert again.digest() == expected
    for number, snapshot in starts:
        later = resume(game.program, game.scenario, game.settings, snapshot)
        assert later.digest() == digests[number]
        for given_, expected in zip(accepted[number:], digests[number + 1 :], strict=True):
            later.offer(given_)
            assert later.digest() == expected


def to_dice(**settings_):
    """A game in which b assaults 0303 and the dice are awaited: helpers none, all careful."""
    game = game_of(WAR, **settings_)
    do(game, "assault b against 0303")
    answer(game, "none")
    answer(game, "careful")
    answer(game, "careful")
    return game


def test_an_assault_from_the_order_to_the_dice():
    """b (4) against x (5): odds 1:1.25, on the scale 1:1.5; a blue 4 gives 1 loss, a red 3 none."""
    game = game_of(WAR)
    do(game, "assault b against 0303")
    assert waits(game) == [("question", "red", "helpers")]  # secret: asked although nobody can help
    answer(game, "none")
    assert waits(game) == [("question", "blue", "manner")]
    answer(game, "b careful")
    answer(game, "x careful")
    assert waits(game) == [("dice", "", "die")]
    roll(game, "4 3")
    assert [ask(game, f"losses of {u}") for u in "bx"] == [0, 1]
    assert ask(game, "odds-now is 1:1.5") is True
    assert waits(game) == [("orders", "blue", "moves")]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("0", "0 is not a possible result of 1d6."),
        ("7", "7 is not a possible result of 1d6."),
        ("3 7", "7 is not a possible result of 1d6."),
        ("3 4 5", "There is 1 roll too many."),
        ("1 2 3 4 5", "There are 3 rolls too many."),
        ("", "`` is not a list of dice results."),
        ("three", "`three` is not a list of dice results."),
        ("3.5", "`3.5` is not a list of dice results."),
        ("1+2 3", "1+2 is not a possible result of 1d6."),
        ("1+ 3", "1+3 is not a possible result of 1d6."),
        ("+3", "`+3` is not a list of dice results."),
        ("99999999999", "`99999999999` is not a list of dice results."),
    ],
)
def test_typed_dice_that_cannot_be_are_refused(typed, message):
    game = to_dice()
    before = frozen(game)
    with pytest.raises(Refused) as refused:
        roll(game, typed)
    assert refused.value.message == message
    assert frozen(game) == before
    roll(game, "3 4")
    assert waits(game) == [("orders", "blue", "moves")]


def test_dice_may_be_typed_one_at_a_time():
    game = to_dice()
    roll(game, "4")
    assert [a.prompt for a in game.awaiting] == ["The Reds must roll 1d6 (die)."]
    with pytest.raises(Refused, match="There is 1 roll too many"):
        roll(game, "2 2")
    roll(game, "3")
    together = to_dice()
    roll(together, "4 3")
    assert state_of(game.world) == state_of(together.world)
    assert game.digest() == together.digest()


def test_what_was_rolled_is_part_of_the_state_even_before_it_has_brought_anything_about():
    text = """\
order start of u (a regiment):
  given by side of u
  do guess with u as lead
procedure guess of lead (a regiment):
  active rolls 1d6 as die
  active chooses way: left-hand or right-hand
  strength of lead becomes die
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may start
"""
    games = {face: game_of(text) for face in "25"}
    for face, game in games.items():
        do(game, "start a")
        roll(game, face)
    assert games["2"].awaiting == games["5"].awaiting
    assert games["2"].digest() != games["5"].digest()


def test_dice_are_refused_where_none_are_awaited_and_orders_where_dice_are():
    game = game_of(WAR)
    for given_, why in [
        (Input("roll", "umpire", "3"), "The game is not waiting for dice."),
        (Input("answer", "blue", "yes"), "No question is open."),
        (Input("pray", "blue", "rain"), "Unknown kind of input `pray`: an input is a command, an answer or a roll."),
        (Input("do", "green", "done"), "There is no side green."),
        (Input("do", "red", "done"), "It is not red's turn to give orders."),
    ]:
        with pytest.raises(Refused) as refused:
            game.offer(given_)
        assert refused.value.message == why
    game = to_dice()
    with pytest.raises(Refused, match=r"You cannot give orders now\."):
        do(game, "done", "blue")
    with pytest.raises(Refused, match="No question is open"):
        answer(game, "all", "blue")


def test_an_answer_names_its_question_or_none():
    game = game_of(WAR)
    do(game, "assault b against 0303")
    with pytest.raises(Refused, match="The open question is helpers, not manner"):
        game.offer(Input("answer", "red", "none", "manner"))
    game.offer(Input("answer", "umpire", "none", "helpers"))
    assert waits(game) == [("question", "blue", "manner")]


def test_seeded_dice_depend_on_the_seed_and_their_number_alone():
    def play(seed, first):
        game = game_of(WAR, dice="seeded", seed=seed)
        do(game, first)
        do(game, "assault b against 0303") if first != "assault b against 0303" else None
        answer(game, "none")
        answer(game, "careful")
        return [e.data["face"] for e in answer(game, "careful") if e.kind == "roll"]

    assert play(1, "march a to 0201") == play(1, "assault b against 0303")
    assert len({tuple(play(seed, "assault b against 0303")) for seed in range(12)}) > 4


# ---- a turn, and snapshots of it -------------------------------------------------------------------------------------
def test_a_snapshot_is_there_at_the_start_of_a_turn_and_at_no_other_time():
    game = game_of(WAR)
    assert game.snapshot() is not None
    do(game, "march a to 0201")
    assert game.snapshot() is None
    do(game, "done")
    assert game.snapshot() is None
    do(game, "done")
    assert (game.turn, game.snapshot() is not None) == (2, True)


def test_a_snapshot_keeps_values_that_last_marks_stacks_and_what_is_gone():
    text = """\
order muster of c (a corps) to h (a hex):
  given by side of c
  put levy (a regiment, corps c, strength 2/3, morale low) in h
  strength of levy becomes 9 until end of evening
  for each u in regiments of c:
    move u to h
  claimed-by of h becomes side of c
  terrain of 0101 becomes wood until end of evening
  weather becomes hill
order disband of u (a regiment):
  given by side of u
  remove u
sequence game-turn:
  phase morning:
    sides may muster, disband together
  phase evening:
    sides may disband together
"""
    game = game_of(text)
    do(game, "muster b1 to 0704", "blue")
    do(game, "disband z", "red")
    for _ in range(3):
        do(game, "done", "blue")
        do(game, "done", "red")
        if game.snapshot() is not None:
            break
    snapshot = game.snapshot()
    assert snapshot is not None
    later = resume(game.program, game.scenario, game.settings, snapshot)
    assert later.digest() == game.digest()
    assert state_of(later.world) == state_of(game.world)
    assert list(later.world.by_label["0704"].things) == [later.world.by_id[i] for i in ("a", "b", "levy")]
    for each in (game, later):
        do(each, "muster b1 to 0604", "blue")
        do(each, "disband a", "blue")
    assert later.digest() == game.digest()
    assert ask(later, "strength of levy-2") == 9
    for each in (game, later):
        do(each, "done", "blue")
        do(each, "done", "red")
    assert later.digest() == game.digest()


# ---- rules that fail -------------------------------------------------------------------------------------------------
def failing(text, command="attack a"):
    game = game_of(
        text + "sequence game-turn:\n  for each s in turn-order, as active:\n    phase all:\n      active may attack\n",
        dice="seeded",
    )
    before = frozen(game)
    with pytest.raises(RuleFailure) as failed:
        do(game, command)
    assert frozen(game) == before
    assert ask(game, "strength of a") == 7
    assert "done" in game.legal("blue")
    do(game, "done")
    return failed.value


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("strength of u becomes 1 / (strength of u - 99)", "1 cannot be divided by 0. The rule must say what applies in this case."),
        ("strength of u becomes odds of 3 to (strength of u - 99)", "Odds of 3 to 0 have no value. The rule must say what applies in this case."),
        ("strength of u becomes pay at strength of u", "The table pay has no row for strength 99."),
        ("active chooses prize: one of own regiments (where it is mounted)", "blue must choose prize, but there is no legal answer."),
        ("active chooses prize: one of own regiments such that prize is mounted", "blue must choose prize, but there is no legal answer."),
        ("strength of u becomes distance from u to t9", "t9 is off the map, so there is no distance to it."),
        (
            "strength of u becomes distance from u to place of t9",
            "There is no distance to or from something that is off the map.",
        ),
        ("losses of u becomes 4", "losses of a runs from 0 to 3; 4 does not fit."),
        ("terrain of 0899 becomes wood", "The map has no place 0899."),
    ],
)  # fmt: skip
def test_a_rule_that_fails_says_where_and_leaves_the_game_as_it_was(lines, message):
    text = f"""\
order attack of u (a regiment):
  given by side of u
  strength of u becomes 99
  put t9 (a train, stock 1)
  {lines}
table pay by strength, last row reached:
  strength || pay
  100      || 1
status mounted of u (a regiment):
  when mount of u is horse
"""
    failed = failing(text)
    assert failed.message == message
    assert (failed.file, failed.line) == ("own.rules", 5)


def test_a_failure_inside_a_value_is_that_of_the_value_s_line():
    text = """\
order attack of u (a regiment):
  given by side of u
  strength of u becomes share of u
value share of u (a regiment):
  start with strength of u
  divided by (strength of u - 7)
"""
    failed = failing(text)
    assert (failed.file, failed.line) == ("own.rules", 6)


def test_rules_that_go_round_without_asking_anybody_are_stopped():
    """
    procedure nothing-much:
      weather becomes clear
    sequence game-turn:
      do nothing-much
    """
    with pytest.raises(RuleFailure, match="loop endlessly") as failed:
        game_of(story(test_rules_that_go_round_without_asking_anybody_are_stopped))
    assert (failed.value.file, failed.value.line) == ("own.rules", 4)


def test_loops_in_loops_are_stopped():
    text = """\
order attack of u (a regiment):
  given by side of u
  repeat at most 10000 times:
    repeat at most 10000 times:
      strength of u becomes 3
"""
    failed = failing(text)
    assert "loop endlessly" in failed.message
    assert failed.line in {3, 4, 5}


def test_procedures_that_double_are_stopped():
    links = "".join(f"procedure p{n} of u (a regiment):\n" + f"  do p{n + 1} with u as u\n" * 2 for n in range(30))
    text = f"""\
order attack of u (a regiment):
  given by side of u
  do p0 with u as u
{links}procedure p30 of u (a regiment):
  strength of u becomes 3
"""
    assert "loop endlessly" in failing(text).message


def test_rules_that_roll_without_end_are_stopped():
    text = """\
order attack of u (a regiment):
  given by side of u
  repeat at most 10000 times:
    repeat at most 10000 times:
      active rolls 1d6 as die
"""
    failed = failing(text)
    assert "loop endlessly" in failed.message


def test_a_refusing_clause_that_fails_is_a_failure_of_the_rule_and_not_of_the_player():
    text = """\
order attack of u (a regiment):
  given by side of u
  refused when 10 / (strength of u - 7) > 1 because "odd"
  u becomes tired
"""
    whole = (
        text + "sequence game-turn:\n  for each s in turn-order, as active:\n    phase all:\n      active may attack\n"
    )
    with pytest.raises(RuleFailure, match="10 cannot be divided by 0") as failed:
        game_of(whole)
    assert (failed.value.file, failed.value.line) == ("own.rules", 3)


def test_a_failure_in_mid_turn_goes_back_to_the_inputs_before_it():
    text = """\
order attack of u (a regiment):
  given by side of u
  strength of u becomes 10 / (strength of u - 6)
"""
    whole = (
        text + "sequence game-turn:\n  for each s in turn-order, as active:\n    phase all:\n      active may attack\n"
    )
    game = game_of(whole)
    do(game, "attack a")  # 10 / 1
    do(game, "attack a")  # 10 / 4
    do(game, "attack b")  # 10 / -2
    before = frozen(game)
    game.world.by_id["b"].f_strength = 6  # as if a rule had done it
    with pytest.raises(RuleFailure, match="10 cannot be divided by 0"):
        do(game, "attack b")
    assert frozen(game) == before
    assert [ask(game, f"strength of {u}") for u in "ab"] == [5 / 2, -5]


def test_two_games_of_one_program_do_not_touch_each_other():
    program, text = compiled((KIT, WAR))
    scenario = next(x for x in text.declarations if getattr(x, "name", "") == "meeting")
    first, second = (begin(program, scenario, {"dice": "typed"}) for _ in range(2))
    before = second.digest()
    do(first, "march a to 0201")
    assert second.digest() == before
    do(second, "march a to 0201")
    assert first.digest() == second.digest()
