"""What emitted rules call for numbers and scales: exact arithmetic, rounding, steps along a scale of words. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from typing import Any

from interpreter.runtime.runtime import RuleTrouble, say

__all__ = [
    "BEYOND",
    "MANY_NUMBERS",
    "MOST",
    "Number",
    "divide",
    "fraction",
    "kept",
    "kept_word",
    "minus",
    "moved",
    "normal",
    "numbers_from",
    "odds",
    "plus",
    "round_down",
    "round_nearest",
    "round_up",
    "scale_down",
    "scale_nearest",
    "scale_up",
    "scaled",
    "times",
]

Number = int | Fraction
Steps = tuple[tuple[str, Fraction], ...]


def normal(x: Number) -> Number:
    """The number as an int when it is whole."""
    return x.numerator if x.denominator == 1 else x


def divide(a: Number, b: Number) -> Number:
    """Exact quotient. Raises RuleTrouble if the divisor is 0."""
    if type(a) is int and type(b) is int:
        above, below = a, b
    else:
        above, below = a.numerator * b.denominator, a.denominator * b.numerator
    if not below:
        raise RuleTrouble(f"{say(a)} cannot be divided by 0. The rule must say what applies in this case.")
    if not above % below:
        return above // below
    return fraction(above, below) if below > 0 else fraction(-above, -below)


def scaled(x: Number, above: int, below: int) -> Number:
    """X times above/below, exactly."""
    if type(x) is int:
        x *= above
        return fraction(x, below) if x % below else x // below
    return times(x, fraction(above, below))


MOST = 1 << 1000


BEYOND = "A number becomes too large here."
"""Exact numbers are unlimited: a rule that squares repeatedly would use up all time and memory."""


def fraction(above: int, below: int) -> Fraction:
    """above/below for a positive `below`, in lowest terms; the same as Fraction(above, below), but faster.

    Raises RuleTrouble if it is too large.
    """
    if not (-MOST <= above <= MOST and below <= MOST):
        raise RuleTrouble(BEYOND)
    common = gcd(above, below)
    made: Any = object.__new__(Fraction)
    made._numerator = above // common  # noqa: SLF001 (Fraction offers no other quick way)
    made._denominator = below // common  # noqa: SLF001
    whole: Fraction = made
    return whole


def times(a: Number, b: Number) -> Number:
    """The exact product, an int when it is whole. Zero times anything is zero."""
    if type(a) is int:
        if type(b) is int:
            product = a * b
            if not -MOST <= product <= MOST:
                raise RuleTrouble(BEYOND)
            return product
        above, below = a * b._numerator, b._denominator  # type: ignore[union-attr]  # noqa: SLF001 (its property is slow)
    elif type(b) is int:
        above, below = a._numerator * b, a._denominator  # type: ignore[union-attr]  # noqa: SLF001
    else:
        above, below = a.numerator * b.numerator, a.denominator * b.denominator
    if not above:
        return a if not a else 0
    return fraction(above, below) if above % below else above // below


def plus(a: Number, b: Number) -> Number:
    """The exact sum, an int when it is whole."""
    if type(a) is int and type(b) is int:
        return a + b
    one, other = a.denominator, b.denominator
    above, below = a.numerator * other + b.numerator * one, one * other
    return fraction(above, below) if above % below else above // below


def minus(a: Number, b: Number) -> Number:
    """The exact difference, an int when it is whole."""
    if type(a) is int and type(b) is int:
        return a - b
    one, other = a.denominator, b.denominator
    above, below = a.numerator * other - b.numerator * one, one * other
    return fraction(above, below) if above % below else above // below


def odds(a: Number, b: Number) -> Number:
    """The odds of a to b as a number. Raises RuleTrouble when b is zero."""
    if not b:
        raise RuleTrouble(f"Odds of {say(a)} to 0 have no value. The rule must say what applies in this case.")
    return divide(a, b)


def round_down(x: Number) -> int:
    """The whole number at or below x."""
    return x.numerator // x.denominator


def round_up(x: Number) -> int:
    """The whole number at or above x."""
    return -(-x.numerator // x.denominator)


def round_nearest(x: Number, halves: str = "away") -> int:
    """The nearest whole number; halves: away (from zero), up, down, even, toward zero."""
    if type(x) is int:
        return x
    below = x.denominator
    low, rest = divmod(x.numerator, below)
    if rest * 2 != below:
        return low if rest * 2 < below else low + 1
    if halves == "up" or (halves == "away" and x > 0) or (halves == "toward zero" and x < 0):
        return low + 1
    if halves == "even":
        return low if low % 2 == 0 else low + 1
    return low


def kept(x: Number, low: Number, high: Number) -> Number:
    """x, but not below low nor above high."""
    return low if x < low else min(x, high)


MANY_NUMBERS = 1000
"""The most numbers in a choice `from … to …`: they are listed one by one."""


def numbers_from(low: Number, high: Number) -> list[int]:
    """The whole numbers from one to another, both included, for a choice. Raises RuleTrouble for fractions."""
    if low != int(low) or high != int(high):
        raise RuleTrouble(f"A choice of numbers needs whole numbers, but the rule says {say(low)} to {say(high)}.")
    if high - low >= MANY_NUMBERS:
        raise RuleTrouble(
            f"The choice from {say(low)} to {say(high)} is too large: the limit is {MANY_NUMBERS:,} numbers."
        )
    return list(range(int(low), int(high) + 1))


def kept_word(word: str, rank: dict[str, int], low: str, high: str) -> str:
    """The word, but not below `low` nor above `high` on its scale."""
    return low if rank[word] < rank[low] else high if rank[word] > rank[high] else word


def moved(words: Sequence[str], rank: dict[str, int], word: str, steps: Number) -> str:
    """The word `steps` further up the scale, kept at its ends."""
    return words[min(max(rank[word] + int(steps), 0), len(words) - 1)]


def scale_down(steps: Steps, x: Number) -> str:
    """The highest word of a scale of numbers that is not above x; the lowest word below its start."""
    found = steps[0][0]
    above, below = x.numerator, x.denominator
    for word, value in steps:
        if value._numerator * below > above * value._denominator:  # type: ignore[attr-defined]  # noqa: SLF001 (compared sooner)
            break
        found = word
    return found


def scale_up(steps: Steps, x: Number) -> str:
    """The lowest word that is not below x; the highest word beyond its end."""
    return next((word for word, value in steps if value >= x), steps[-1][0])


def scale_nearest(steps: Steps, x: Number) -> str:
    """The nearest word; below 1 nearness is measured on the inverse, as with odds (1:1.5 is halfway to 1:2).

    A number exactly between two takes the lower one. A scale that reaches down to 0 has no odds: there plain distances are used.
    """

    def spoken(value: Number) -> Fraction:
        return Fraction(value) - 1 if value >= 1 else 1 - 1 / Fraction(value)

    if steps[0][1] <= 0:
        return min(steps, key=lambda s: (abs(s[1] - x), s[1]))[0]
    if x <= 0:
        return steps[0][0]
    return min(steps, key=lambda s: (abs(spoken(s[1]) - spoken(x)), s[1]))[0]
