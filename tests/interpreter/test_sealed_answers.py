"""Examples answer a round of secret questions in any order, also where a side could only give one answer."""

from itertools import permutations

import pytest

from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from interpreter.examples.examples import run_example
from tests.interpreter.rulebook import compiled

CARDS = """\
system cards "Cards" version 1.0
record card:
  points number, starts 0
side side:
  points number, starts 0
place hex, on hex grid:
  height number
procedure play-cards:
  each side chooses secretly choice: one of own cards
  for each s in sides: points of s becomes points of choice of s
example "Both play":
  put r1 (a card, side red, points 5)
  put b1 (a card, side blue, points 7)
{more}  do play-cards
{answers}
  then points of red = 5
  then points of blue = 7
"""
ALONE = ""
SEVERAL = "  put r2 (a card, side red)\n  put b2 (a card, side blue)\n"


@pytest.mark.parametrize("more", [ALONE, SEVERAL])
@pytest.mark.parametrize(
    "answers",
    [
        *permutations(["  answer choice of red with r1", "  answer choice of blue with b1"]),
        *permutations(["  answer choice with r1", "  answer choice with b1"]),
    ],
)
def test_a_secret_round_is_answered_in_any_order(more, answers):
    program, text = compiled((CARDS.format(more=more, answers="\n".join(answers)),))
    (example,) = [x for x in text.declarations if isinstance(x, d.Example)]
    (variant,) = variants(example, text.defaults)
    assert run_example(program, example, variant).failures == []
