"""Choices: several or a number for each of several things, splits, and questions that are asked of all sides at once.

The map is that of toy/kit.rules: blue a (strength 7) in 0202, b (4) and the battery g in 0203, the train t1 in 0101;
red x (5) in 0303, y (3) in 0603, z (9) in 0803.
"""

import random

import pytest

from interpreter.automated.random_policy import RandomPolicy
from interpreter.messages.inputs import Input, Refused, RuleFailure
from interpreter.runtime.runtime import say
from tests.interpreter.rulebook import answer, ask, do, game_of, names, roll, texts, waits

TURN = """\
order start of u (a regiment):
  given by side of u
  do pick with u as lead
procedure pick of lead (a regiment):
{lines}
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may start
"""


def picking(*lines, **settings):
    """A game in which `start a` has just begun a procedure of these lines."""
    game = game_of(TURN.format(lines="".join(f"  {line}\n" for line in lines)), **settings)
    do(game, "start a")
    return game


def refused(game, text, side=None):
    before = game.digest()
    with pytest.raises(Refused) as error:
        answer(game, text, side)
    assert game.digest() == before
    return error.value


# ---- several for each ------------------------------------------------------------------------------------------------
def test_each_chooses_some():
    game = picking("each u in own regiments chooses foes: some of enemy regiments", "active rolls 1d6 as die")
    (asked,) = game.awaiting
    assert asked.prompt == "The Blues must choose foes for a, b: any number for each."
    assert (asked.form, asked.count) == ("some for each", 6)
    assert asked.choices == ("a x", "a y", "a z", "b x", "b y", "b z")
    answer(game, "a x, z, b none")
    assert names(ask(game, "foes of a")) == ["x", "z"]
    assert ask(game, "foes of b") == []
    assert ask(game, "count of foes of a") == 2
    assert ask(game, "sum strength of foes of a") == 14


@pytest.mark.parametrize(
    ("said", "first", "second"),
    [
        ("a x, y, b z", ["x", "y"], ["z"]),
        ("a: x, y; b: z", ["x", "y"], ["z"]),
        ("a x and y, b z", ["x", "y"], ["z"]),
        ("b z, others x", ["x"], ["z"]),
        ("all x, y", ["x", "y"], ["x", "y"]),
        ("all none", [], []),
        ("none", [], []),
        ("x, y", ["x", "y"], ["x", "y"]),  # what names no thing is meant for all of them
        ("others all, b none", ["x", "y", "z"], []),
        ("b all, a y", ["y"], ["x", "y", "z"]),
    ],
)
def test_how_several_for_each_are_said(said, first, second):
    game = picking("each u in own regiments chooses foes: some of enemy regiments", "active rolls 1d6 as die")
    answer(game, said)
    assert names(ask(game, "foes of a")) == first
    assert names(ask(game, "foes of b")) == second


def test_up_to_and_exactly_count_for_each_thing():
    """a (strength 7) may take two of the three, b (4) one; then a must take two and b one."""
    game = picking(
        "each u in own regiments chooses foes: up to ((strength of u - 3) / 2) of enemy regiments when lead is tired",
        "each u in own regiments chooses shy: up to (strength of u - 3) of enemy regiments",
        "each u in own regiments chooses due: exactly (strength of u - 3) of enemy regiments",
        "active rolls 1d6 as die",
    )
    (asked,) = game.awaiting
    assert asked.prompt == "The Blues must choose shy for a, b: up to a 4, b 1."
    assert refused(game, "a x, b x, y").message == "b: you may choose at most 1, not 2."
    assert refused(game, "a x").message == "The answer to shy is missing for b."
    assert refused(game, "a x, b a").message == "`a` is not an answer to shy."
    answer(game, "a x, y, z, b none")
    (asked,) = game.awaiting
    assert asked.form == "exactly so many for each"
    assert refused(game, "a all, others x, z").message == "b: you must choose exactly 1, not 2."
    answer(game, "b z")  # a must take all three that there are
    assert names(ask(game, "due of a")) == ["x", "y", "z"]
    assert names(ask(game, "due of b")) == ["z"]


def test_each_chooses_a_number():
    game = picking(
        "each u in own regiments chooses drawn: a number up to strength of u"
        ' such that drawn of u != 3 because "three is unlucky"',
        "active rolls 1d6 as die",
    )
    (asked,) = game.awaiting
    assert asked.prompt == "The Blues must choose drawn for a, b: a number up to a 7, b 4."
    assert refused(game, "a 8, b 1").message == "a: 8 is not a number from 0 to 7."
    assert refused(game, "a 3, b 1").message == "3 is not allowed for a: three is unlucky."
    assert refused(game, "a, b").message == "The answer for b is missing."
    answer(game, "a 7, others 2")
    assert ask(game, "drawn of a + drawn of b") == 9
    game = picking("each u in own regiments chooses drawn: a number up to strength of u", "active rolls 1d6 as die")
    answer(game, "a, b 2")
    assert ask(game, "drawn of a + drawn of b") == 4


def test_what_can_only_be_answered_in_one_way_is_not_asked():
    game = picking(
        "each u in own regiments chooses foes: exactly 3 of enemy regiments",
        "each u in own regiments chooses more: some of enemy trains",
        "each u in own regiments chooses nought: a number up to strength of u - strength of u",
        "active rolls 1d6 as die",
    )
    assert waits(game) == [("dice", "", "die")]
    assert names(ask(game, "foes of b")) == ["x", "y", "z"]
    assert ask(game, "more of a") == []
    assert ask(game, "nought of a") == 0


def test_what_the_condition_forbids_is_refused_with_its_reason():
    game = picking(
        'active chooses foe-named: one of enemy regiments such that foe-named is not first enemy regiments because "the first is spared"',
        "active rolls 1d6 as die",
    )
    assert refused(game, "x").message == "The first is spared."
    assert refused(game, "a").message == "`a` is not an answer to foe-named."
    answer(game, "y")


def test_a_fraction_counts_nothing():
    with pytest.raises(RuleFailure, match="must be a whole number"):
        picking("active chooses foes: up to (strength of lead / 2) of enemy regiments")


# ---- splits ----------------------------------------------------------------------------------------------------------
SPLIT = "active chooses shares: a split of strength of lead among own regiments"


def test_a_split_shares_out_a_number():
    game = picking(SPLIT, "active rolls 1d6 as die")
    (asked,) = game.awaiting
    assert asked.prompt == "The Blues must choose shares: 7 split among a, b. Answer like this: `a 7`; or `even`."
    assert asked.form == "split of 7"
    assert asked.choices == ("a 4, b 3", "a 7", "b 7")
    assert game.legal("blue") == ["a 4, b 3", "a 7", "b 7"]
    answer(game, "a 5, b 2")
    assert (ask(game, "shares of a"), ask(game, "shares of b"), ask(game, "shares of x")) == (5, 2, 0)
    assert ask(game, "sum shares of own regiments") == 7


@pytest.mark.parametrize(
    ("said", "shares"), [("a 7", (7, 0)), ("even", (4, 3)), ("a 1; others 6", (1, 6)), ("a: 0, b: 7", (0, 7))]
)
def test_how_a_split_is_said(said, shares):
    game = picking(SPLIT, "active rolls 1d6 as die")
    answer(game, said)
    assert (ask(game, "shares of a"), ask(game, "shares of b")) == shares


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("a 5, b 3", "You must split 7, but these shares add up to 8."),
        ("none", "You must split 7, but these shares add up to 0."),
        ("a", "`a` is not a share."),
        ("x 7", "`x` is not an answer to shares."),
        ("a 3, a 4", "a has two shares."),
        ("a -1, b 8", "`a -1` is not a share."),
    ],
)
def test_a_wrong_split_is_refused(said, why):
    assert refused(picking(SPLIT, "active rolls 1d6 as die"), said).message == why


def test_a_split_may_be_bound_by_a_condition():
    game = picking(
        SPLIT + ' such that every shares of own regiments <= 5 because "nobody takes more than five"',
        "active rolls 1d6 as die",
    )
    assert game.awaiting[0].choices == ("a 4, b 3",)
    assert refused(game, "a 6, b 1").message == "Nobody takes more than five."
    answer(game, "a 5, b 2")


def test_a_split_that_can_be_made_in_one_way_is_not_asked():
    game = picking(
        "active chooses shares: a split of 5 among own batteries",
        "active chooses nil: a split of 0 among own regiments",
        "active chooses maybe: a split of 2 among own regiments when lead is tired",
        "active rolls 1d6 as die",
    )
    assert waits(game) == [("dice", "", "die")]
    assert ask(game, "shares of g") == 5
    assert ask(game, "nil of a + maybe of b") == 0
    with pytest.raises(RuleFailure, match="there is nothing to split it among"):
        picking("active chooses shares: a split of 5 among enemy trains")


@pytest.mark.parametrize("seed", range(6))
def test_automated_sides_answer_every_kind(seed):
    game = picking(
        "each u in own regiments chooses foes: up to 2 of enemy regiments",
        "each u in own regiments chooses due: exactly 2 of enemy regiments",
        "each u in own regiments chooses drawn: a number up to 3 such that drawn of u > 1",
        SPLIT,
        "active rolls 1d6 as die",
    )
    policy = RandomPolicy(seed)
    for _ in range(4):
        game.offer(policy.choose(game, game.awaiting[0]))
    assert waits(game) == [("dice", "", "die")]
    assert ask(game, "sum shares of own regiments") == 7
    assert ask(game, "count of due of b") == 2


# ---- all at once -----------------------------------------------------------------------------------------------------
def test_secret_choices_of_each_are_put_at_once():
    game = picking("each s in sides chooses secretly bid: a number up to 5", "active rolls 1d6 as die")
    assert waits(game) == [("question", "blue", "bid"), ("question", "red", "bid")]
    told = answer(game, "3", "red")
    assert [(e.text, e.to) for e in told] == [("red chooses bid: red 3.", "red")]
    assert waits(game) == [("question", "blue", "bid")]
    assert refused(game, "2", "red").message == "red has already answered; other sides have not."
    assert game.legal("red") == []
    with pytest.raises(Refused):
        do(game, "start x", "red")
    told = answer(game, "5", "blue")
    assert [e.to for e in told if e.kind == "choice"] == ["blue"]
    assert ask(game, "bid of foe of active") == 3


def sealed():
    return picking(
        "simultaneously:",
        "  active chooses goes: one of own regiments",
        "  foe of active chooses stays: one of enemy regiments",
        "  do ask-round with foe of active as who",
        "active rolls 1d6 as die",
    )


BOTH = TURN.replace(
    "sequence",
    """\
procedure ask-round of who (a side):
  who chooses spent: a number up to 3
  who rolls 1d6 as luck
  tell who "{} spent" with spent
  strength of regiments loses spent points
sequence""",
)


def both(*lines):
    game = game_of(BOTH.replace("{lines}", "".join(f"  {line}\n" for line in lines)).replace("{{}}", "{}"))
    do(game, "start a")
    return game


def test_the_questions_of_a_simultaneous_block_are_put_at_once():
    game = both(
        "simultaneously:",
        "  active chooses goes: one of own regiments",
        "  foe of active chooses stays: one of own regiments",
        "let both be goes together with stays",
        "active rolls 1d6 as die",
    )
    assert waits(game) == [("question", "blue", "goes"), ("question", "red", "stays")]
    told = answer(game, "z", "red")
    assert [(e.text, e.to) for e in told] == [("red chooses stays: z.", "red")]
    told = answer(game, "b", "blue")
    assert {(e.text, e.to) for e in told if e.kind == "choice"} == {
        ("blue chooses goes: b.", "blue"), ("blue chooses goes: b.", "red"), ("red chooses stays: z.", "blue"),
    }  # fmt: skip
    assert names(ask(game, "both")) == ["b", "z"]


def test_rounds_of_a_loop_go_on_side_by_side_and_roll_in_their_order():
    game = both(
        "simultaneously:", "  for each s in sides:", "    do ask-round with s as who", "active rolls 1d6 as die"
    )
    assert waits(game) == [("question", "blue", "spent"), ("question", "red", "spent")]
    answer(game, "1", "blue")
    answer(game, "2", "red")
    assert [a.name for a in game.awaiting] == ["luck"]
    assert ask(game, "strength of a") == 7  # nothing is changed before the end
    roll(game, "4")
    events = roll(game, "5")
    assert "2 spent" in texts(events)
    assert ask(game, "strength of a") == 4
    assert [a.name for a in game.awaiting] == ["die"]


def test_a_line_that_reads_what_another_names_waits_for_it():
    game = both(
        "simultaneously:",
        "  active chooses goes: one of own regiments",
        "  foe of active chooses stays: one of own regiments (where strength of it < strength of goes)",
        "active rolls 1d6 as die",
    )
    assert waits(game) == [("question", "blue", "goes")]
    answer(game, "a")
    assert waits(game) == [("question", "red", "stays")]


def test_questions_one_after_another_within_a_branch_come_in_rounds():
    game = both(
        "simultaneously:",
        "  for each s in sides:",
        "    s chooses first-bid: a number up to 3",
        "    s chooses second-bid: a number up to first-bid",
        "    strength of regiments loses second-bid points",
        "active rolls 1d6 as die",
    )
    answer(game, "2", "red")
    answer(game, "3", "blue")
    assert waits(game) == [("question", "blue", "second-bid"), ("question", "red", "second-bid")]
    assert refused(game, "3", "red").message == "3 is not a number from 0 to 2."
    answer(game, "3", "blue")
    answer(game, "2", "red")
    assert ask(game, "strength of a") == 2


def test_several_questions_of_one_side_are_told_apart_by_name():
    game = both(
        "simultaneously:",
        "  active chooses one-man: one of own regiments",
        "  active chooses bid: a number up to 3",
        "active rolls 1d6 as die",
    )
    assert "say which one you answer" in refused(game, "a").message
    game.offer(Input("answer", "blue", "2", "bid"))
    game.offer(Input("answer", "blue", "b", "one-man"))
    assert ask(game, "bid") == 2


def test_a_side_that_chooses_for_itself_is_not_told_for_whom():
    game = both('each side chooses pick "Who goes?": one of own regiments', "active rolls 1d6 as die")
    assert [x.prompt for x in game.awaiting] == ["The Blues: Who goes?"]
    game = both("each side chooses pick: one of own regiments", "active rolls 1d6 as die")
    assert [x.prompt for x in game.awaiting] == ["The Blues must choose pick."]


def test_the_umpire_answers_for_the_side_that_can_give_the_answer_or_says_for_whom():
    game = both(
        "simultaneously:",
        "  active chooses pick: one of own regiments",
        "  foe of active chooses pick: one of (regiments of foe of active)",
        "active rolls 1d6 as die",
    )
    assert waits(game) == [("question", "blue", "pick"), ("question", "red", "pick")]
    unclear = refused(game, "pick with nobody-there", "umpire")
    assert unclear.message == "Several sides are asked pick: say for which of them you answer."
    assert unclear.hint == "Answer as that side: `--as blue` or `--as red`."
    game.offer(Input("answer", "umpire", "z", "pick"))
    assert waits(game) == [("question", "blue", "pick")]
    answer(game, "a", "umpire")
    assert waits(game)[0][0] == "dice"


def test_a_sealed_answer_survives_a_rule_that_fails():
    game = both(
        "simultaneously:",
        "  active chooses bid: a number up to 3",
        "  foe of active chooses other-bid: a number up to 3",
        "let wrong be bid / (other-bid - 1)",
        "active rolls 1d6 as die",
    )
    answer(game, "2", "blue")
    before = game.digest()
    with pytest.raises(RuleFailure):
        answer(game, "1", "red")
    assert game.digest() == before
    answer(game, "3", "red")
    assert ask(game, "wrong") == 1


def test_leaving_a_procedure_from_a_simultaneous_block_applies_what_was_done():
    game = both(
        "simultaneously:",
        "  strength of lead becomes 1",
        "  stop when strength of lead = 7",
        "  losses of lead becomes 2",
        "active rolls 1d6 as die",
    )
    assert waits(game) == [("orders", "blue", "all")]
    assert ask(game, "strength of a") == 1
    assert ask(game, "losses of a") == 0
    do(game, "start b")
    assert waits(game) == [("dice", "", "die")]
    assert ask(game, "losses of b") == 2


def test_sealed_answers_are_in_the_digest_and_played_again():
    games = [
        both("simultaneously:", "  for each s in sides:", "    s chooses bid: a number up to 3", SPLIT) for _ in "ab"
    ]
    answer(games[0], "1", "red")
    answer(games[1], "2", "red")
    assert games[0].digest() != games[1].digest()
    policy = RandomPolicy(random.Random(1).random())
    while games[0].awaiting[0].kind == "question":
        games[0].offer(policy.choose(games[0], games[0].awaiting[0]))
    assert say(games[0].world.over) == ""


HEAVY = 'active chooses teams: some of own regiments such that sum strength of teams >= 10 because "too weak"'


@pytest.mark.parametrize("said", ["teams with a, b", "teams a, b", "Teams with all", "all"])
def test_an_answer_may_begin_with_the_name_of_its_question(said):
    game = picking(HEAVY, "let found be teams")
    answer(game, said)
    assert names(ask(game, "found")) == ["a", "b"]


def test_whether_an_answer_would_be_taken_can_be_asked():
    game = picking(HEAVY)
    before = game.digest()
    assert [game.may_answer("blue", "teams", x) for x in ("none", "a", "b", "all", "a, b", "x")] == [False] * 3 + [
        True
    ] * 2 + [False]
    assert not game.may_answer("red", "teams", "all")
    assert game.digest() == before
