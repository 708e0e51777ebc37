"""Dice as values: how they are written (`1d6`, `2d6+1`, `1d6-3`), how many there may be, and which words of a text are dice.

A value of type dice is its text, `2d6`, so dice are equal when they are written alike. `0d6` means no dice: nothing is rolled.
"""

from __future__ import annotations

import re

from dsl.ir import DICE, Type
from dsl.rules.ruleset import Ruleset
from dsl.syntax.dice_words import MOST_DICE, MOST_FACES, dice_of

WRITTEN = re.compile(r"(\d{0,9})[dD](\d{1,9})([+-]\d{1,9})?")
"""How dice are written."""
NO_DICE = "none"
"""The word of an enum that means no dice, beside words that are dice."""


def dice_text(count: int, faces: int, plus: int = 0) -> str:
    """Dice as text."""
    return f"{count}d{faces}" + (f"{plus:+}" if plus else "")


def read_dice_value(text: str) -> str | None:
    """Dice in the standard form, `1d6` for `D6`; None for any other text, and for more dice than people own."""
    if WRITTEN.fullmatch(text) is None:
        return None
    count, faces, plus = dice_of(text)
    return dice_text(count, faces, plus) if 0 < count <= MOST_DICE and 0 < faces <= MOST_FACES else None


def words_of(ruleset: Ruleset, type_: Type) -> tuple[str, ...]:
    """The words of an enum or of an option."""
    option = ruleset.options.get(type_.word.removeprefix("option "))
    if type_.word.startswith("option ") and option is not None:
        return tuple(option.terms)
    info = ruleset.enums.get(type_.word)
    return info.words if info is not None else ()


def stands_for_dice(ruleset: Ruleset, type_: Type) -> bool:
    """Whether a type is dice, or an enum whose words are all dice or `none`."""
    if type_.name == "dice":
        return True
    words = words_of(ruleset, type_) if type_.name == "enum" else ()
    return any(w != NO_DICE for w in words) and all(w == NO_DICE or read_dice_value(w) for w in words)


__all__ = ["DICE", "NO_DICE", "WRITTEN", "dice_text", "read_dice_value", "stands_for_dice", "words_of"]
