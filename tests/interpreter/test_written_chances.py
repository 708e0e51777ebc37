"""Chances in values: over all outcomes of the dice that appear in a condition, with each result computed by hand beside it."""

import random
from fractions import Fraction

import pytest

from dsl.load import check_system, read_system
from dsl.rules.variants import variants
from dsl.text.source import SourceFile
from interpreter.automated.policies import make_policy, step
from interpreter.examples.examples import run_example
from tests.interpreter.rulebook import KIT, ask, compiled, game_of

RULES = """
enum outcome: miss, hurt, kill
table shots by 1d6 and ratio, exactly one row:
  1d6 kept within 1 .. 6
  cells outcome
  1d6  || 1:3  | 1:2  | 1:1.5 | 1:1  | 1.5:1 | 2:1  | 3:1
  1..3 || miss | miss | miss  | miss | hurt  | hurt | kill
  4..5 || miss | miss | hurt  | hurt | hurt  | kill | kill
  6    || miss | hurt | hurt  | kill | kill  | kill | kill
value kill-chance of r (a regiment) against s (a regiment):
  start with chance that (shots at (1d6, ratio for (odds of strength of r to strength of s)) is kill)
value expected of r (a regiment):
  start with 10 * chance that (1d6 > losses of r + 3) - 1
value boxcars:
  start with chance that (2d6 = 12)
value either:
  start with chance that (1d6 = 6, or 1d6 = 6)
value bonus:
  start with chance that (1d6+2 >= 5 and d10 <= 3)
value of-all:
  start with sum luck of regiments
value luck of r (a regiment):
  start with chance that (1d6 <= strength of r)
value nested:
  start with chance that (1d6 > 6 * chance that (1d6 > 3))
value chance-in-set of r (a regiment):
  start with chance that (any regiments (where strength of it < 1d6) is r)
order shoot of r (a regiment) against s (a regiment):
  given by side of r
  refused when side of r is side of s because "a friend"
  remove s
value appeal-of-shoot of r (a regiment) against s (a regiment):
  start with kill-chance of r against s
sequence game-turn:
  for each s in turn-order, as active:
    phase fire:
      active may shoot once
"""


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("kill-chance of a against x", Fraction(1, 6)),  # 7 to 5, at least 1:1: a 6 kills
        ("kill-chance of a against y", Fraction(1, 2)),  # 7 to 3, at least 2:1: 4, 5, 6
        ("kill-chance of y against z", 0),  # 3 to 9, 1:3
        ("kill-chance of z against y", 1),  # 9 to 3, 3:1
        ("expected of a", 4),  # 4, 5 or 6: ten halves less one
        ("boxcars", Fraction(1, 36)),
        ("either", Fraction(11, 36)),  # two throws: each time they are written
        ("bonus", Fraction(4, 6) * Fraction(3, 10)),  # 3 or more, and 1 to 3 of ten
        (
            "of-all",
            Fraction(6, 6) + Fraction(4, 6) + Fraction(5, 6) + Fraction(3, 6) + Fraction(6, 6),
        ),  # 7 and 9 always
        ("nested", Fraction(1, 2)),  # more than 3
        ("chance-in-set of y", Fraction(1, 2)),  # y has 3: 4, 5 or 6
        ("chance that (1d6 = 1)", Fraction(1, 6)),
        ("chance that (3d6 <= 4)", Fraction(4, 216)),  # 111, and three ways to 4
        ("chance that (1d6 >= 3 and 1d6 >= 3)", Fraction(4, 9)),
    ],
)
def test_each_is_exact(expression, value):
    assert ask(game_of(RULES), expression) == value


def test_nothing_is_rolled_and_why_tells_the_line():
    game = game_of(RULES)
    told = game.explain("kill-chance of a against y")
    assert told.value == "1/2"
    assert len(game.world.journal.events) == len(game_of(RULES).world.journal.events)


def test_an_automated_side_goes_by_it():
    """Blue's best shot is a at y, an even chance; its others are 1/6 or nothing."""
    game = game_of(RULES, dice="seeded")
    assert step(game, make_policy("greedy", 1), random.Random(1)).text == "shoot a against y"


def test_an_example_asks_either_kind():
    text = (
        RULES
        + """
procedure duel of r (a regiment):
  active rolls 1d6 as die
  remove r when die = 6 because "hit"
example "Both":
  put r (a regiment, side blue, strength 3) in 0101
  do duel with r as r
  then chance that (1d6 = 6) = 1/6
  then chance that (regiments are none) = 1/6
  then luck of r = 1/2
  dice 6
  then chance that (1d6 = 6) = 1/6
"""
    )
    program, read = compiled((KIT, text))
    found = run_example(program, program.ruleset.examples[-1], variants(program.ruleset.examples[-1], read.defaults)[0])
    assert found.passed, found.failures


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("value v:\n  chance that (turn > 3)", "E251"),
        ("value v:\n  chance that (6d6 > 3)", "E251"),
        ("value v:\n  chance that (100d1000 > 3)", "E251"),
        ("value v:\n  chance that (1d100 > 3 and 1d100 > 3 and 1d6 > 3)", "E251"),
        ("value v:\n  chance that (d0 > 3)", "E009"),
        ("value v:\n  1 + 1d6", "E201"),
        ("value v:\n  chance that (1d6 is ready)", "E200"),
        ("value v:\n  chance that (w = 3 and 1d6 = 1)\nvalue w:\n  1 + 1d6", "E201"),
    ],
)
def test_what_cannot_be_worked_out(line, code):
    system = read_system([SourceFile("kit.rules", KIT), SourceFile("own.rules", RULES + line + "\n")])
    found = [(x.code, x.message) for x in check_system(system) if x.is_error]
    assert code in {c for c, _ in found}, found
