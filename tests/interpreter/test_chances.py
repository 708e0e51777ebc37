"""`chance that`: exact chances over all dice still to be rolled, from the point that an example has reached."""

import time
from fractions import Fraction
from math import comb

import pytest

from dsl.rules.variants import variants
from dsl.text.diagnostics import RuleTextError
from interpreter.examples.exact_chances import Enumeration
from interpreter.examples.examples import run_example
from interpreter.messages.asking import EachQuestion, Question, Sealed
from interpreter.messages.every_answer import every_answer
from interpreter.outcomes.standings import SideStanding
from tests.interpreter.rulebook import KIT, compiled, game_of

RULES = """\
procedure shoot of target (a regiment):
  owner of target rolls 1d6 as die
  let before be strength of target
  when die >= 5:
    strength of target loses 1 points
procedure salvo of target (a regiment) by shots (a number):
  repeat at most shots times:
    do shoot with target as target
procedure duel of lead (a regiment) against other-man (a regiment):
  let hits be 0
  let rounds be 0
  repeat at most 3 times while strength of other-man > 0:
    owner of lead chooses way: careful or bold
    owner of lead rolls 2d6 as throw
    rounds gains 1 points
    when throw >= 10 and way is bold:
      strength of other-man becomes 0
    when throw <= 3:
      stop duel
  owner of other-man rolls 1d6 as last
procedure volley of crowd (some regiments):
  each u in crowd rolls 1d6 as die
  let best be highest die of crowd
  active rolls 2 dice of 1d6 as extra
procedure hunt of prey (a regiment):
  owner of prey rolls 1d6 as die
  strength of prey loses 1 points when die >= 5
  owner of prey chooses refuge: one of hexes next to prey
  owner of prey chooses kept: some of own regiments such that count kept < 2
  owner of prey rolls 1d6 as again
  strength of prey loses 1 points when again = 6
procedure share of prey (a regiment):
  owner of prey chooses dealt: a split of 2 among own regiments
  each u in regiments chooses gear: spade or rope
  owner of prey rolls 1d6 as again
procedure guess of prey (a regiment):
  active chooses way: low or high
  active rolls 1d6 as die
  active chooses late: low or high
  let early-right be whether (way is low and die <= 3), or (way is high and die > 3)
  let late-right be whether (late is low and die <= 3), or (late is high and die > 3)
procedure gather of prey (a regiment):
  active chooses many: some of hexes within 3 of prey
procedure both-throw of one-man (a regiment):
  simultaneously:
    for each s in sides:
      do bid-and-throw with s as who
procedure bid-and-throw of who (a side):
  who chooses bid: a number up to 3
  who rolls 1d6 as luck
  weather becomes wood when luck = 6 and who is active
order fire of u (a regiment):
  given by side of u
  do salvo with u as target and 2 as shots
"""


WAITING = """\
order cross of u (a regiment) to goal (a hex):
  given by side of u
  reaching goal by trail of u
  move u to goal
path trail of u (a regiment):
  from place of u
  at most 9 points
  entering h (a hex) costs 1
rule mined whenever u (a regiment) enters h (a hex) in cross when h is hill:
  side of u rolls 1d6 as blast
  u loses 1 strength when blast = 6
rule shot-at whenever u (a regiment) comes within 1 of e (an enemy regiment) in cross:
  side of e rolls 1d6 as shot
  u loses 1 strength when shot >= 5
  stop move when shot = 6
rule broken always for u (a regiment) when strength of u <= 2:
  side of u rolls 1d6 as nerve
  remove u when nerve = 1 because "it runs"
"""


def run(*lines, rules=RULES):
    text = rules + 'example "Chances":\n' + "".join(f"  {line}\n" for line in lines)
    program, read = compiled((KIT, text))
    (example,) = [x for x in read.declarations if getattr(x, "name", "") == "Chances"]
    (variant,) = variants(example, frozenset())
    return run_example(program, example, variant)


def met(*lines, rules=RULES):
    outcome = run(*lines, rules=rules)
    assert [(f.expected, f.got) for f in outcome.failures] == []
    return outcome


TARGET = "put v (a regiment, side red, strength 8) in 0101"
OTHER = "put w (a regiment, side blue, strength 8) in 0102"


def test_one_die():
    outcome = met(
        TARGET,
        "do shoot with v as target",
        "then chance that (strength of v = 7) = 1/3",
        "then chance that (die = 6) = 1/6",
        "then chance that (die is at least 3 and strength of v = 8) = 1/3",
        "then chance that (strength of v < 10) = 1",
        "then chance that (strength of v = 7) > chance that (die = 6)",
        "then strength of v = 8",
        "dice 5",
        "then strength of v = 7",
        "then chance that (strength of v = 7) = 1",
    )
    assert outcome.checks == 8


@pytest.mark.parametrize("shots", [2, 5, 16])
def test_shots_are_merged_by_what_they_leave(shots):
    hits = 3 if shots > 2 else 1
    tail = sum(Fraction(comb(shots, k) * 2 ** (shots - k), 3**shots) for k in range(hits, shots + 1))
    started = time.monotonic()
    met(
        TARGET.replace("8", "99"),
        f"do salvo with v as target and {shots} as shots",
        f"then chance that (strength of v <= {99 - hits}) = {tail.numerator}/{tail.denominator}",
        "then strength of v = 99",
    )
    assert time.monotonic() - started < 60


def test_a_chance_goes_on_from_the_dice_that_have_fallen():
    met(
        TARGET,
        "do salvo with v as target and 3 as shots",
        "dice 6, 1",
        "then chance that (strength of v = 6) = 1/3",
        "then strength of v = 7",
        "dice 2",
        "then strength of v = 7",
    )


def test_a_fact_that_is_given_while_it_stands_still_counts():
    met(
        TARGET,
        "do salvo with v as target and 3 as shots",
        "dice 6",
        "given strength of v = 20",
        "dice 6",
        "then strength of v = 19",
        "then chance that (strength of v = 18) = 1/3",
        "then strength of v = 19",
    )


def test_an_answer_that_is_laid_out_stands_for_every_time():
    """Bold: ten or more on two dice (6/36) in one of three rounds, none of which shows three or less (3/36) before."""
    ends, wins = Fraction(3, 36), Fraction(6, 36)
    goes_on = 1 - ends - wins
    chance = wins * (1 + goes_on + goes_on**2)
    met(
        TARGET, OTHER,
        "answer way with bold",
        "do duel with w as lead and v as other-man",
        "answer way with bold",
        f"then chance that (strength of v = 0) = {chance.numerator}/{chance.denominator}",
        f"then chance that (rounds = 1) = {(ends + wins).numerator}/{(ends + wins).denominator}",
    )  # fmt: skip


def test_without_an_answer_the_chance_is_refused():
    outcome = run(
        TARGET,
        OTHER,
        "do duel with w as lead and v as other-man",
        "then chance that (strength of v = 0) = 1/2",
    )
    (failure,) = outcome.failures
    assert "it depends on an answer to way" in failure.got
    assert "answer NAME with" in failure.got


def test_a_question_that_changes_nothing_needs_no_answer():
    """The prey is hit by the first die with 5 or 6, by the second with 6, whatever its owner does in between."""
    met(
        TARGET, OTHER,
        "do hunt with v as prey",
        "then chance that (strength of v = 8) = 20/36",
        "then chance that (strength of v = 7) = 14/36",
        "then chance that (strength of v = 6) = 2/36",
        "then chance that (die = 4) = 1/6",
        "dice 6",
        "then chance that (strength of v = 6) = 1/6",
        "answer refuge with 0102",
        "then chance that (strength of v = 6) = 1/6",
        "answer kept with none",
        "dice 6",
        "then strength of v = 6",
    )  # fmt: skip


def test_shares_and_answers_for_each_that_change_nothing():
    another = TARGET.replace(" v ", " v2 ")
    met(TARGET, OTHER, another, "do share with v as prey", "then chance that (again is at least 5) = 1/3")


def test_a_guess_that_is_made_before_the_die_is_right_as_often_either_way():
    met(TARGET, "do guess with v as prey", "then chance that (early-right is yes) = 1/2")


def test_a_question_on_which_the_chance_hangs_is_told_with_what_it_hangs_on():
    """A player who guesses after the die was rolled may be right always or never."""
    (failure,) = run(TARGET, "do guess with v as prey", "then chance that (late-right is yes) = 1/2").failures
    assert "it depends on an answer to late. It is 1 with low, but 0 with high" in failure.got
    assert "answer NAME with" in failure.got
    (failure,) = run(TARGET, "do hunt with v as prey", "dice 1", "then chance that (refuge is 0102) = 1/2").failures
    assert "it depends on an answer to" in failure.got


def test_bids_that_are_put_at_once():
    met(TARGET, "do both-throw with v as one-man", "then chance that (weather is wood) = 1/6")


def test_a_question_with_too_many_answers_stays_open():
    (failure,) = run(TARGET, "do gather with v as prey", "then chance that (strength of v = 8) = 1").failures
    assert "the game is waiting for an answer to many" in failure.got


@pytest.mark.parametrize(
    ("kind", "amount", "count"),
    [("some", None, 8), ("up_to", 2, 7), ("exactly", 2, 3), ("one", None, 3), ("number", 4, 5), ("split", 4, 15)],
)
def test_every_answer_is_tried_once(kind, amount, count):
    things = ["a", "b", "c"]
    found = list(every_answer(Question(None, "q", kind, things, amount, None, "", False, 0)))
    assert len(found) == count
    assert len({repr(x) for x in found}) == count


def test_every_answer_of_each_and_of_sealed_rounds():
    each = EachQuestion(None, "q", "words", ["u", "v", "w"], [["A", "B"], ["A"], ["A", "B"]], [None] * 3,
                        lambda whole: "u" if whole["u"] == whole["w"] == "B" else None, "", False, 0, {})  # fmt: skip
    found = list(every_answer(each))
    assert [(x["u"], x["v"], x["w"]) for x in found] == [("A", "A", "A"), ("A", "A", "B"), ("B", "A", "A")]
    one = Question(None, "p", "number", [], 1, None, "", False, 0)
    assert len(list(every_answer(Sealed([each, one, one])))) == 12
    assert len(list(every_answer(Sealed([each, one, one], {1: 0})))) == 6


def test_dice_for_each_and_several_dice():
    met(
        TARGET, OTHER,
        "do volley with v, w as crowd",
        "then chance that (best = 6) = 11/36",
        "then chance that (die of v > die of w) = 15/36",
        "then chance that (extra = 7) = 1/6",
    )  # fmt: skip


def test_branches_that_ask_and_roll():
    outcome = run(
        TARGET,
        "answer bid with 2",
        "answer bid with 1",
        "do both-throw with v as one-man",
        "then chance that (weather is wood) = 1/6",
    )
    assert [f.got for f in outcome.failures] == []


def test_an_order_and_what_it_brings_about():
    met(
        TARGET, "red orders fire v", "then chance that (strength of v = 6) = 1/9", "dice 1, 1", "then strength of v = 8"
    )


def test_a_die_of_a_rule_that_waits():
    met(
        "put v (a regiment, side red, strength 8) in 0101",
        "given 0102 is hill",
        "given 0103 is hill",
        "given 0104 is clear",
        "red orders cross v to 0104 via 0102 0103",
        "then chance that (strength of v = 7) = 10/36",
        "then chance that (v is in 0104) = 1",
        "dice 6",
        "then chance that (strength of v = 7) = 5/6",
        "dice 1",
        "then strength of v = 7",
        rules=WAITING,
    )


def test_dice_of_rules_that_wait_merge_and_stop_what_moves():
    """Three hexes within one of the enemy: a shot on approach alone; then the nerve of a unit with two left."""
    met(
        "put v (a regiment, side red, strength 3) in 0101",
        "put e (a regiment, side blue, strength 9) in 0104",
        "given 0102 is clear",
        "given 0103 is hill",
        "red orders cross v to 0103 via 0102",
        # at 0103: the mine first (1/6), then the shot (1/3); below 3 the nerve is tried once (1/6 to run)
        "then chance that (v is on the map) = 1 - 1/6 * (1 - 5/6 * 2/3)",
        "then chance that (strength of v = 1) = 5/108",
        rules=WAITING,
    )


def test_a_wrong_chance_tells_the_right_one():
    (failure,) = run(TARGET, "do shoot with v as target", "then chance that (die = 6) = 1/5").failures
    assert (failure.expected, failure.got) == ("then chance that (die = 6) = 1/5", "1/6")


def test_chances_one_after_the_other_go_through_the_dice_once(monkeypatch):
    gone_through = []
    worked_out = Enumeration.chances
    monkeypatch.setattr(Enumeration, "chances", lambda self: gone_through.append(self) or worked_out(self))
    asked = [f"then chance that (strength of v = {8 - n}) = {x}" for n, x in enumerate(("4/9", "4/9", "1/9"))]
    asked.append("then chance that (strength of v = 8) = 1 - chance that (strength of v < 8)")
    met(TARGET, "do salvo with v as target and 2 as shots", *asked)
    assert len(gone_through) == 1
    after = ["dice 5", "then chance that (strength of v = 7) = 2/3", "then chance that (strength of v = 8) = 0"]
    met(TARGET, "do salvo with v as target and 2 as shots", *asked, *after)
    assert len(gone_through) == 3


def test_a_chance_that_cannot_be_worked_out_spoils_no_other():
    outcome = run(
        TARGET,
        "do guess with v as prey",
        "then chance that (die > 3 and die < 5) = 1/6",
        "then chance that (way is low) = 1/2",
    )
    (failure,) = outcome.failures
    assert (failure.expected, outcome.checks) == ("this to be allowed", 2)
    assert "it depends on an answer to" in failure.got


def test_too_many_ways_are_refused(monkeypatch):
    monkeypatch.setattr("interpreter.examples.exact_chances.MOST_WAYS", 50)
    (failure,) = run(
        TARGET.replace("8", "99"),
        "do salvo with v as target and 16 as shots",
        "then chance that (strength of v < 90) = 0",
    ).failures
    assert "more than 50 runs" in failure.got


def test_chances_stand_in_examples_alone():
    with pytest.raises(RuleTextError) as caught:
        game_of("value luck of u (a regiment):\n  start with chance that (strength of u > 3)\n")
    assert [x.code for x in caught.value.diagnostics] == ["E251"]


def test_a_standing_sets_back_what_changed_and_the_order_in_which_things_stand():
    game = game_of(RULES)
    world = game.world
    a, b, x = (world.by_id[i] for i in ("a", "b", "x"))
    world.positions.stand(b, a.place)
    before = [y.id for y in a.place.things]
    assert before == ["a", "b"]
    standing = SideStanding(world, [])
    place, holder, members = a.place, a.holder, list(a.holder.members)
    world.positions.stand(a, x.place)
    world.positions.stand(a, place)
    world.effects.set(x, "strength", 1)
    world.effects.join(a, x.holder)
    x.known.add("blue")
    assert [y.id for y in place.things] == ["b", "a"]
    standing.set_back()
    assert [y.id for y in place.things] == before
    assert (a.place, a.holder, a.holder.members) == (place, holder, members)
    assert (x.known, x.f_strength) == (set(), 5)
