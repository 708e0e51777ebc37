"""The value that prevails among several things, and the things whose value is highest or lowest.

blue a (strength 7, in 0202), b (4, armor 5, in 0203); red x (5, in 0303), y (3, armor 2, in 0603), z (9, in 0803).
"""

import pytest

from dsl.rules.variants import variants
from dsl.text.diagnostics import RuleTextError
from interpreter.examples.examples import run_example
from tests.interpreter.rulebook import KIT, ask, compiled, game_of, names

TEXT = """\
value worth of u (a regiment) by c (a corps):
  start with strength of u
  plus 10 when corps of u is c
value pairs of u (a regiment) with mate (a regiment):
  start with strength of u + strength of mate
value tech of u (a regiment):
  3 when strength of u <= 4
  4 when strength of u <= 7
  otherwise 5
value mood of u (a regiment):
  high when strength of u >= 7
  otherwise low
"""


@pytest.fixture(scope="module")
def game():
    return game_of(TEXT)


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        # tech: a 4, b 3, x 4, y 3, z 5; strength behind each: 3 has 4 + 3, 4 has 7 + 5, 5 has 9
        ("prevailing tech of regiments then lower", 3),
        ("prevailing tech of regiments then higher", 4),
        ("prevailing tech of regiments then average", 3.5),
        ("(prevailing tech of regiments) else 0", 0),
        ("prevailing tech of regiments then strength", 4),
        ("prevailing tech of (regiments except x)", 3),
        ("prevailing tech of (regiments except (a, x)) by strength", 5),
        ("prevailing tech of (a, b, z) by strength", 5),
        ("prevailing tech of (a, b) then strength then lower", 4),
        ("prevailing tech of (a, x) then lower", 4),
        ("prevailing (3, 4, 4, 5)", 4),
        ("prevailing (6, 9) then lower", 6),
        ("prevailing armor of regiments then higher", 5),  # those without armor are left out
        ("prevailing posture of corps of regiments", "holding"),  # b1 b1 r1 r1 r2: b1 and r2 hold
        ("prevailing mood of regiments", "low"),  # on a scale: a and z high, b x y low
        ("prevailing mood of (a, b) then higher", "high"),
    ],
)
def test_prevailing(game, asked, value):
    assert ask(game, asked) == value


@pytest.mark.parametrize(
    ("asked", "things"),
    [
        ("regiments whose strength is highest", ["z"]),
        ("(regiments of b1) whose strength is lowest", ["b"]),
        ("regiments whose armor is lowest", ["y"]),
        ("regiments whose tech is lowest", ["b", "y"]),
        ("(regiments of r1) whose distance to a is lowest", ["x"]),
        ("regiments whose mood is highest", ["a", "z"]),
        ("(regiments except z) whose worth by r1 is highest", ["x"]),
        ("(regiments of b2) whose strength is highest", []),
    ],
)
def test_those_whose_value_is_highest(game, asked, things):
    assert names(ask(game, asked)) == things


def test_values_take_arguments_by_and_with(game):
    assert ask(game, "worth of a by b1") == 17
    assert ask(game, "worth of a by r1") == 7
    assert ask(game, "pairs of a with b + 1") == 12


def test_prevailing_stands_in_loops_and_values():
    game = game_of(
        TEXT
        + """\
value common of c (a corps):
  start with (prevailing tech of regiments of c then lower) else 0
  plus count of (regiments of c) whose strength is highest
value all-common of s (a side):
  sum common of (all corpses)
"""
    )
    assert ask(game, "common of b1") == 4  # techs 4 and 3 tie: 3; one is strongest
    assert (
        ask(game, "all-common of red") == 4 + 0 + 4 + 6
    )  # techs of b1 4, 3; of b2 none; of r1 4, 3; of r2 5; each has one strongest


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("start with prevailing terrain of hexes then lower else open", "E201"),
        ("start with count of regiments whose terrain is highest", "E209"),
        ("start with prevailing tech of regiments then armor then lower", "E202"),
        ("start with prevailing tech of turn", "E20"),
        ("start with count of corpses whose posture is highest", "E201"),
    ],
)
def test_what_cannot_prevail(line, code):
    with pytest.raises(RuleTextError) as caught:
        game_of(TEXT + f"value wrong:\n  {line}\n")
    assert any(x.code.startswith(code) for x in caught.value.diagnostics), caught.value.diagnostics


def test_an_answer_before_with_is_read_as_before():
    program, text = compiled(
        (
            KIT,
            TEXT
            + """\
example "Answers":
  put p (a regiment, side blue, strength 1) in 0101
  put q (a regiment, side blue, strength 1) in 0101
  do ask-them with p, q as crowd
  answer foes of p with q
  answer foes of q with p, q
  then count of foes of p = 1
  then count of foes of q = 2
procedure ask-them of crowd (some regiments):
  each u in crowd chooses foes: some of regiments
""",
        )
    )
    (example,) = [x for x in text.declarations if getattr(x, "name", "") == "Answers"]
    (variant,) = variants(example, frozenset())
    outcome = run_example(program, example, variant)
    assert outcome.failures == []
    assert outcome.checks == 2
