"""What emitted rules call for values of dice: multiples, possible sums and their chances, the greatest of several."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from fractions import Fraction

from dsl.rules.dice_values import NO_DICE, dice_text
from interpreter.runtime.die_rolls import DiceExpression, faces_of, read_dice
from interpreter.runtime.exact_numbers import Number, normal
from interpreter.runtime.runtime import RuleTrouble, say

MOST_COUNTED = 1_000
"""The most dice that a rule may count for one roll."""

known = functools.lru_cache(maxsize=4096)(read_dice)
"""Dice by how they are written."""


def whole_count(count: Number, what: str) -> int:
    """How many dice or rolls a rule asks for. Raises RuleTrouble for an impossible number."""
    if count.denominator != 1:
        raise RuleTrouble(f"{say(count)} is not a whole number of {what}: the rule must say how to round it.")
    if not 0 <= count <= MOST_COUNTED:
        raise RuleTrouble(f"{say(count)} {what} cannot be rolled: the number must be from 0 to {MOST_COUNTED:,}.")
    return int(count)


def many_dice(count: Number, one: str) -> str:
    """This many dice. one: a single one of them, and what is added to their sum."""
    dice = known(one)
    return dice_text(whole_count(count, f"d{dice.faces}"), dice.faces, dice.plus)


def dice_of_word(word: str) -> str:
    """The dice that a word of the rules stands for; `none` is no dice."""
    return "0d6" if word == NO_DICE else str(known(word))


def _mean(dice: DiceExpression) -> Fraction:
    return Fraction(dice.count * (dice.faces + 1), 2) + dice.plus


def dice_figure(text: str | None, which: str) -> Number | None:
    """The highest or lowest result of dice, their average, or their number."""
    if text is None:
        return None
    dice = known(text)
    if which == "average":
        return normal(_mean(dice))
    return dice.count if which == "count" else dice.highest if which == "highest" else dice.lowest


def best_dice(several: Iterable[str | None], which: str) -> str | None:
    """The dice with the highest average, and among equal ones the highest maximum; or the lowest. None if there are none."""
    there = [known(text) for text in several if text is not None]
    best = max if which == "highest" else min
    return str(best(there, key=lambda dice: (_mean(dice), dice.highest))) if there else None


def dice_sums(text: str) -> list[int]:
    """All possible sums of dice."""
    return [shown for shown, _ in faces_of(known(text))]


def dice_chance(text: str, shown: int) -> Number:
    """The probability of this sum."""
    return _chances(text)[shown]


@functools.lru_cache(maxsize=1024)
def _chances(text: str) -> dict[int, Fraction]:
    return dict(faces_of(known(text)))


__all__ = [
    "best_dice", "dice_chance", "dice_figure", "dice_of_word", "dice_sums", "known", "many_dice", "whole_count",
]  # fmt: skip
