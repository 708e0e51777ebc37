"""Negative numbers: a minus before any number is computed, reported, formatted and read back."""

import pytest

from dsl.syntax.format import formatted
from dsl.text.source import SourceFile
from tests.interpreter.rulebook import ask, game_of

RULES = """
value heat of r (a regiment):
  -strength of r when r is tired
  otherwise -1
value sum-of of r (a regiment):
  start with -(strength of r - losses of r)
  times -1/2
  plus -heat of r
  at least -3
value ranked of r (a regiment):
  -2 when heat of r < -strength of r
  -1 when heat of r = -1
  otherwise heat of r - -1
"""


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("-strength of a", -7),
        ("- strength of a * 2", -14),
        ("2 * -strength of a", -14),
        ("strength of a -1", 6),
        ("strength of a - -1", 8),
        ("-(strength of a - 2)", -5),
        ("-armor of b else 0", -5),
        ("armor of a else -3", -3),
        ("highest (-strength of a, -strength of b)", -4),
        ("-sum strength of (a, b)", -11),
        ("heat of a", -1),
        ("sum-of of a", 4.5),
        ("ranked of a", -1),
    ],
)
def test_what_it_comes_to(expression, value):
    assert ask(game_of(RULES), expression) == value


def test_the_line_is_told_as_it_stands():
    told = game_of(RULES).explain("heat of a")
    assert [(s.text, s.applied) for s in told.steps] == [
        ("-strength of r when r is tired", False),
        ("otherwise -1", True),
    ]


def test_one_form():
    """A sign is next to its number; a minus between two numbers has spaces, also at the start of a continued line."""
    text = """value v of u (a tank):
  - 1 when armour of u = - 1
  start with - ( a - b )
  plus a
      - b
  times - 1/2
  plus - armour of u else - 3
"""
    once = formatted(SourceFile("v.rules", text))
    assert once.text.split("\n")[1:-1] == [
        "  -1 when armour of u = -1",
        "  start with -(a - b)",
        "  plus a",
        "      - b",
        "  times -1/2",
        "  plus -armour of u else -3",
    ]
    assert formatted(SourceFile("v.rules", once.text)).text == once.text
