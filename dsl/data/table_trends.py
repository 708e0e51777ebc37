"""Oddities in a table of losses: columns where better odds give worse results on average."""

from __future__ import annotations

import itertools
from fractions import Fraction

from dsl.data.table_data import Key, TableInfo, fits
from dsl.rules.ruleset import Ruleset
from dsl.syntax.dice_words import dice_of
from dsl.text.diagnostics import Diagnostic, at

WAYS = ((0, -1), (1, 1))
"""The direction in which each of the two numbers should go, up the scale."""


def check_trend(ruleset: Ruleset, info: TableInfo, problems: list[Diagnostic]) -> None:
    """W310: on a table of two numbers by dice and a scale, a column further up the scale that is worse on average.

    Up the scale the first number should fall and the second rise, or both the other way round where most columns do.
    """
    dice = _dice_by_scale(ruleset, info)
    if dice is None:
        return
    scale = info.keys[1 - dice]
    words = [w for w in scale.domain or () if any(fits(r.matches[1 - dice], w) for r in info.rows)]
    means = [_means(info, dice, word) for word in words]
    if any(m is None for m in means) or len(words) < 2:
        return
    pairs = [
        (a, b, x, y)
        for (a, x), (b, y) in itertools.pairwise(zip(words, means, strict=True))
        if x is not None and y is not None
    ]
    turned = all(sum(_sign(y[i] - x[i]) * way for _, _, x, y in pairs) < 0 for i, way in WAYS)
    for low, high, x, y in pairs:
        for index, way in WAYS:
            if _sign(y[index] - x[index]) * (-way if turned else way) < 0:
                name = info.columns[index].name
                message = f"In {info.name} the column {high} is worse than {low}: on average {name} is {_short(y[index])} instead of {_short(x[index])}."
                hint = "Compare the column with the printed table. If they agree, add a line `as printed`."
                problems.append(at("W310", message, info.node.rows[0].span, word=high, hint=hint))


def _dice_by_scale(ruleset: Ruleset, info: TableInfo) -> int | None:
    """Which key of a table of two numbers is dice, if the other is a scale; None for any other table."""
    if info.node.as_printed or len(info.keys) != 2 or len(info.columns) != 2:
        return None
    if any(c.type.name != "number" or c.type.optional for c in info.columns):
        return None
    dice = next((i for i, k in enumerate(info.keys) if _is_dice(k)), None)
    if dice is None:
        return None
    scale = info.keys[1 - dice].type
    return dice if scale.name == "enum" and ruleset.enums[scale.word].ordered else None


def _is_dice(key: Key) -> bool:
    return key.name[-1:].isdigit() and "d" in key.name.lower() and key.type.name == "number"


def _means(info: TableInfo, dice: int, word: str) -> tuple[Fraction, Fraction] | None:
    """The exact averages of both numbers in one column of the scale; None if a roll matches no row."""
    key = info.keys[dice]
    sums = [Fraction(0), Fraction(0)]
    for roll, chance in _chances(key.name).items():
        kept = min(max(roll, key.low), key.high) if key.low is not None else roll
        row = next((r for r in info.rows if fits(r.matches[dice], kept) and fits(r.matches[1 - dice], word)), None)
        if row is None:
            return None
        for i in (0, 1):
            sums[i] += chance * row.cells[i]
    return sums[0], sums[1]


def _chances(text: str) -> dict[int, Fraction]:
    """Each sum of the dice with its probability."""
    count, faces, plus = dice_of(text)
    if count * faces > 200:
        return {}
    ways = {plus: Fraction(1)}
    for _ in range(count):
        after: dict[int, Fraction] = {}
        for total, chance in ways.items():
            for face in range(1, faces + 1):
                after[total + face] = after.get(total + face, Fraction(0)) + chance / faces
        ways = after
    return ways


def _sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)


def _short(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{float(number):.2f}".rstrip("0").rstrip(".")
