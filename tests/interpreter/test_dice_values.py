"""Dice as values: the dice that knights roll in a joust are in a list, and are counted, compared, and rolled.

Ann's Roland has a lance (2d6) and a mace (1d6-3); Bob's Olivier a whip (1d3) and no second weapon. A blow with a torch
rolls one d5 for each point of fire. Every chance here is computed by hand or by going through all faces.
"""

import itertools
from fractions import Fraction

import pytest

from dsl.load import bound_or_raise, check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.machine import begin, resume
from interpreter.messages.inputs import Input, Refused, RuleFailure
from interpreter.runtime.die_rolls import faces_of, read_dice
from interpreter.setup.compile_rules import compile_program
from tests.interpreter.rulebook import ask, compiled, do, roll, texts

JOUST = """
system joust "A joust" version 1.0
option bite "The dog's bite": 2d5, 2d6; default 2d5
enum anger: none, 1d3, 1d6
unit knight:
  main         entry of weapon
  second       entry of weapon, optional
  fire         number, starts 0
  mood         anger, starts none
  luck         dice, optional
  kick         dice, starts d4
record weapon:
  blow         dice
  parry        dice, optional
list weapons of weapon:
  name  | blow  | parry
  lance | 2d6   | --
  mace  | 1D6-3 | 1d2
  whip  | 1d3   | --
table temper by 1d6, exactly one row:
  1d6  || add
  1..3 || --
  4..5 || 1d3
  6    || 2d6+1
place field, on hex grid:
  wet          mark
campaign game:
  turn-order   list of side
value best of k (a knight):
  highest blow of (main of k, second of k)
value all-fire of k (a knight):
  (fire of k) d5
value strong of k (a knight):
  3d6 when luck of k is 1d6
  blow of main of k when fire of k > 3
  otherwise kick of k
procedure strike of k (a knight):
  side of k rolls blow of main of k as first-blow
  side of k rolls (blow of second of k else kick of k) as second-blow
procedure burn of k (a knight):
  side of k rolls all-fire of k as flames
procedure burn-more of k (a knight):
  side of k rolls (fire of k + 1) d6+2 as flames
procedure snap of k (a knight):
  side of k rolls bite as teeth
  side of k rolls mood of k as growl
procedure rage of k (a knight):
  side of k rolls 1d6 as die
  side of k rolls (add of (temper at die) else 1d2) as extra
procedure bursts of k (a knight):
  side of k rolls (fire of k) dice of 1d6 as pops
order joust of k (a knight):
  given by side of k
  do strike with k as k
order torch of k (a knight):
  given by side of k
  do burn with k as k
order arm of k (a knight) with w (an entry of weapon):
  given by side of k
  main of k becomes w
  kick of k becomes blow of w
  luck of k becomes 1d6 when w is lance
  luck of k becomes absent when w is whip
sequence game-turn:
  for each s in turn-order, as active:
    phase lists:
      active may joust, torch, arm
map meadow "A meadow" of field, 3 by 3:
  letters:
    letter | wet
    .      | no
map proving-ground "Trials" of field, 3 by 3:
  letters:
    letter | wet
    .      | no
scenario lists "The lists" on meadow:
  side ann "Ann" blue
  side bob "Bob" red
  forces ann of knight:
    name   | main  | second | fire | in
    roland | lance | mace  | 4    | 0101
  forces bob of knight:
    name    | main | second | luck | in
    olivier | whip | --    | 1d6  | 0202
  turn-order is ann, bob
  end game when turn > 3 because "dusk"
"""


def joust(text=JOUST, **settings):
    program, read = compiled((text,))
    scenario = next(x for x in read.declarations if isinstance(x, d.Scenario))
    return begin(program, scenario, {"dice": "typed", "seed": 1, **settings})


def chance_of(faces, test):
    """By going through every face of every die."""
    throws = list(itertools.product(*(range(1, n + 1) for n in faces)))
    return Fraction(sum(bool(test(*t)) for t in throws), len(throws))


@pytest.mark.parametrize(
    ("asked", "comes_to"),
    [
        ("chance that (all-fire of roland >= 12)", chance_of((5,) * 4, lambda *t: sum(t) >= 12)),
        ("chance that (all-fire of olivier = 0)", 1),
        ("chance that ((fire of roland) d6-2 = 10)", chance_of((6,) * 4, lambda *t: sum(t) == 12)),
        ("chance that (blow of main of roland + 1d6 >= 9)", chance_of((6,) * 3, lambda *t: sum(t) >= 9)),
        (
            "chance that (blow of main of roland > blow of main of roland)",
            chance_of((6,) * 4, lambda a, b, c, e: a + b > c + e),
        ),
        ("chance that (1d4 > blow of main of olivier)", chance_of((4, 3), lambda a, b: a > b)),
        ("chance that ((blow of second of olivier else 1d4) >= 2)", Fraction(3, 4)),
        ("chance that ((blow of second of roland else 1d4) >= 2)", Fraction(1, 3)),
        ("chance that ((1d2) d6 = 6)", (Fraction(1, 6) + Fraction(5, 36)) / 2),
        ("chance that (strong of olivier >= 17)", Fraction(4, 216)),
        ("blow of main of roland", "2d6"),
        ("blow of second of roland", "1d6-3"),
        ("blow of second of olivier", None),
        ("kick of olivier", "1d4"),
        ("luck of olivier is 1d6", True),
        ("luck of roland is absent", True),
        ("blow of main of roland is 1d6 or 2d6", True),
        ("blow of main of roland is 2D6", True),
        ("all-fire of roland", "4d5"),
        ("all-fire of olivier", "0d5"),
        ("best of roland", "2d6"),
        ("strong of olivier", "3d6"),
        ("strong of roland", "2d6"),
        ("average of blow of main of roland", 7),
        ("average of blow of second of roland", Fraction(1, 2)),
        ("highest blow of main of roland", 12),
        ("lowest blow of second of roland", -2),
        ("count blow of main of roland", 2),
        ("average of blow of second of olivier", None),
        ("highest blow of main of knights", "2d6"),
        ("lowest blow of main of knights", "1d3"),
        ("highest (1d3, 1d6-3, 1d2)", "1d3"),
        ("highest (1d6+7, 3d6)", "3d6"),
        ("highest parry of main of knights", None),
        ("count (knights) whose kick is highest", 2),
    ],
)
def test_what_dice_are_worth(asked, comes_to):
    """3d6 and 1d6+7 both average 10.5; 3d6 can reach 18, the other 13."""
    assert ask(joust(), asked) == comes_to


def test_what_is_rolled():
    game = joust()
    do(game, "joust roland")
    (asked,) = game.awaiting
    assert (asked.kind, asked.form) == ("dice", "2d6")
    with pytest.raises(Refused, match="13 is not a possible result of 2d6"):
        roll(game, "13")
    told = texts(roll(game, "5+6 -2"))
    assert "ann rolls 11 on 2d6 (first-blow)." in told
    assert "ann rolls -2 on 1d6-3 (second-blow)." in told
    do(game, "done")
    do(game, "joust olivier")
    assert game.awaiting[0].form == "1d3"
    roll(game, "3")
    assert game.awaiting[0].form == "1d4"


def test_so_many_dice_as_a_value_says():
    game = joust()
    do(game, "torch roland")
    assert game.awaiting[0].form == "4d5"
    with pytest.raises(Refused, match="21 is not a possible result of 4d5"):
        roll(game, "21")
    assert "ann rolls 9 on 4d5 (flames)." in texts(roll(game, "1+2+3+3"))


def test_no_dice_are_not_rolled():
    game = joust()
    do(game, "done")
    told = texts(do(game, "torch olivier"))
    assert [t for t in told if "rolls" in t] == []
    assert game.awaiting[0].kind == "orders"


EXAMPLE = """
example "Dice of all sorts":
  put k (a knight, main lance, second mace, fire 2, luck 1d2) in 0101
  put n (a knight, main whip, mood 1d6, kick 2d3) in 0102
  then luck of k is 1d2
  then kick of n is 2d3
  then blow of main of k is 2d6
  dice 7, -2, 9, 3, 2
  do strike with k as k
  then first-blow = 7
  then second-blow = -2
  do burn with k as k
  then flames = 9
  do strike with n as k
  then first-blow = 3
  then second-blow = 2
example "No fire":
  put k (a knight, main lance) in 0101
  do burn with k as k
  then flames = 0
  dice 8
  do burn-more with k as k
  then flames = 8
  do bursts with k as k
  then pops = 0
example "Words that are dice":
  put k (a knight, main lance) in 0101
  dice 10
  do snap with k as k
  then teeth = 10
  then growl = 0
  mood of k becomes 1d3
  given bite is 2d6
  dice 12, 3
  do snap with k as k
  then teeth = 12
  then growl = 3
example "What a table says":
  put k (a knight, main lance) in 0101
  dice 6, 13
  do rage with k as k
  then extra = 13
  dice 2, 2
  do rage with k as k
  then extra = 2
example "Chances to come":
  put k (a knight, main lance, second mace, fire 3) in 0101
  do strike with k as k
  then chance that (first-blow + second-blow >= 10) = 7/27
  dice 7, 2
  do burn with k as k
  then chance that (flames = 15) = 1/125
  dice 3
  do rage with k as k
  then chance that (extra = 3) = 25/216
"""


def outcome(text):
    system = read_system([SourceFile("own.rules", text)])
    assert [(x.code, x.message) for x in check_system(system) if x.is_error] == []
    program = compile_program(bound_or_raise(system, ()), system.files)
    return {e.name: run_example(program, e, variants(e, system.defaults)[0]) for e in program.ruleset.examples}


def test_examples():
    assert chance_of((6, 6, 6), lambda a, b, c: a + b + c - 3 >= 10) == Fraction(7, 27)
    found = outcome(JOUST + EXAMPLE)
    assert {name: x.failures for name, x in found.items() if not x.passed} == {}


@pytest.mark.parametrize("text", ["1d6", "2d6+1", "3d5-4", "7d3"])
def test_how_likely_each_sum_is(text):
    """Compared with going through all faces."""
    dice = read_dice(text)
    ways = [sum(t) + dice.plus for t in itertools.product(range(1, dice.faces + 1), repeat=dice.count)]
    assert dict(faces_of(dice)) == {n: Fraction(ways.count(n), len(ways)) for n in set(ways)}
    assert dict(faces_of(read_dice("0d6+2"))) == {2: 1}


@pytest.mark.parametrize(
    ("count", "said"),
    [
        ("fire of k / 3", r"1 1/3 is not a whole number of d5: the rule must say how to round it"),
        ("fire of k - 5", r"-1 d5 cannot be rolled: the number must be from 0 to 1,000"),
        ("fire of k * 300", r"1200 d5 cannot be rolled: the number must be from 0 to 1,000"),
    ],
)
def test_counts_that_nobody_can_throw(count, said):
    game = joust(JOUST.replace("(fire of k) d5", f"({count}) d5"))
    before = game.digest()
    with pytest.raises(RuleFailure, match=said):
        do(game, "torch roland")
    assert game.digest() == before


def test_so_many_rolls_are_counted_as_strictly():
    """Counts below 0 used to give nothing, silently, and fractions were rounded down."""
    game = joust(
        JOUST.replace("do burn with k as k", "do bursts with k as k").replace(
            "(fire of k) dice", "(fire of k - 1/2) dice"
        )
    )
    with pytest.raises(RuleFailure, match="3 1/2 is not a whole number of rolls"):
        do(game, "torch roland")


def test_dice_are_kept_and_given():
    game = joust()
    do(game, "arm roland with whip")
    assert ask(game, "kick of roland is 1d3")
    game.offer(Input("override", "umpire", "luck of roland becomes 2D4+1", "a gift"))
    do(game, "done")
    assert "kick of olivier becomes 2d6 (was 1d4)." in texts(do(game, "arm olivier with lance"))
    do(game, "done")
    later = resume(game.program, game.scenario, game.settings, game.snapshot())
    assert ask(later, "luck of roland is 2d4+1")
    assert ask(later, "kick of olivier is 2d6")
    assert later.digest() == game.digest()


def test_a_seed_rolls_what_the_dice_can_show():
    game = joust(dice="seeded", seed=3)
    told = texts(do(game, "torch roland"))
    (said,) = [t for t in told if "flames" in t]
    assert 4 <= int(said.split()[2]) <= 20
    assert "on 4d5" in said


@pytest.mark.parametrize(
    ("old", "new", "code", "said", "hint"),
    [
        ("rolls all-fire of k", "rolls fire of k", "E201", "This is a number, but dice are needed here.", "rolls (…) d6 as …"),
        ("rolls all-fire of k", "rolls k", "E201", "This is a knight, but dice are needed here.", ""),
        ("rolls all-fire of k", "rolls blow of second of k", "E202", "may be absent", ""),
        ("rolls mood of k", "rolls colour of k", "E201", "This is a word of `colour` of knight, but dice are needed here.", ""),
        ("(fire of k) d5", "(fire of k) 2d5", "E009", "`2d5` cannot follow a number of dice.", "`d5`"),
        ("(fire of k) d5", "(k) d5", "E201", "This is a knight, but a number is needed here.", ""),
        ("(fire of k) d5", "(1200) d5", "E009", "It is not possible to roll 1200 dice.", ""),
        ("(fire of k) d5", "(3/2) d5", "E009", "It is not possible to roll 3/2 dice.", ""),
        ("(fire of k) d5", "2d5 + 1", "E201", "A number is needed here, but these are dice that have not been rolled.", "active rolls 2d6 as die"),
        ("highest blow of (main of k, second of k)", "sum blow of main of knights", "E201", "`sum` needs numbers, but these are of type dice.", ""),
        ("when luck of k is 1d6", "when luck of k > 1d6", "E202", "", ""),
        ("when fire of k > 3", "when blow of main of k > 1d6", "E201", "Only numbers and words of a scale can be compared, but this is dice.", "average of"),
        ("becomes blow of w", "becomes 3", "E201", "This is a number, but dice is needed here.", ""),
        ("starts d4", "starts 4", "E311", "kick: `4` is not a dice roll.", "1d6, 2d6 or 1d6-3"),
        ("| 2d6   |", "| 2d0   |", "E311", "blow: `2d0` is not a dice roll.", ""),
        ("| 2d6   |", "| 200d6 |", "E311", "blow: `200d6` is not a dice roll.", ""),
        ("| 1d6  |", "| d    |", "E311", "luck: `d` is not a dice roll.", ""),
        ("kick         dice", "kick         dise", "E103", "There is no type dise.", "Did you mean dice?"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_dice(old, new, code, said, hint):
    text = JOUST.replace("  kick         dice", "  colour       one of red or blue, starts red\n  kick         dice")
    assert old in text
    system = read_system([SourceFile("own.rules", text.replace(old, new))])
    found = [(x.code, x.message, x.hint) for x in check_system(system) if x.is_error]
    assert any(c == code and said in m and hint in h for c, m, h in found), found


def test_a_name_of_the_game_may_be_dice():
    text = JOUST.replace("enum anger:", "enum dice: low, high\nenum anger:").replace(
        "  luck         dice, optional", "  luck         number"
    )
    system = read_system([SourceFile("own.rules", text)])
    assert any("is not a word of dice (low, high)" in x.message for x in check_system(system))
