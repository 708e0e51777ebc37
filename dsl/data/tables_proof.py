"""What can be proved of a table: that every entry finds its row, that no two rows clash, that better odds are better."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dsl.rules.ruleset import Ruleset
from dsl.syntax.layout import dice_of
from dsl.text.diagnostics import Diagnostic, Mark, at

if TYPE_CHECKING:
    from dsl.data.tables import Key, TableInfo

MOST_TRIES = 2_000_000
"""A table is proved complete by trying every entry against every row, up to so many tries."""

ANY = object()


def fits(match: Any, value: Any) -> bool:
    """Whether a key's value fits what a row says."""
    if match is ANY:
        return True
    for item in match:
        if isinstance(item, tuple):
            if item[0] <= value <= item[1]:
                return True
        elif item == value:
            return True
    return False


def say(value: Any) -> str:
    """A key's value as people write it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def prove(info: TableInfo, problems: list[Diagnostic]) -> None:
    """Gaps (E307), clashes (E308) and rows never reached (W309), by trying one value of each sort that rows tell apart."""
    if info.hit == "last row reached":
        firsts = [r.matches[-1] for r in info.rows]
        numbers = [m[0] for m in firsts if m is not ANY and m]
        if len(info.keys) == 1 and numbers != sorted(set(numbers)):
            fallen = next((i for i, (a, b) in enumerate(itertools.pairwise(numbers), 1) if a >= b), 0)
            hint = "`last row reached` wants its numbers rising, each row with a higher one."
            problems.append(at("E306", f"The rows of {info.name} do not rise.", info.rows[fallen].span, hint=hint))
        return
    if info.hit == "all rows" or not info.rows:
        return
    sorts = [_sorts(key, [row.matches[i] for row in info.rows]) for i, key in enumerate(info.keys)]
    size = math.prod(len(s) for s in sorts)
    if size * len(info.rows) > MOST_TRIES:
        message = f"The table {info.name} is too large to be proved complete: it has {size:,} sorts of entries."
        problems.append(at("W311", message, info.node.span, word=info.name, hint="Split it by one of its keys."))
        return
    missing: list[tuple[Any, ...]] = []
    double: tuple[tuple[Any, ...], int, int] | None = None
    reached: set[int] = set()
    fitting = [
        {v: {n for n, row in enumerate(info.rows) if fits(row.matches[i], v)} for v in values}
        for i, values in enumerate(sorts)
    ]
    for entry in itertools.product(*sorts):
        rows = set.intersection(*(fitting[i][v] for i, v in enumerate(entry)))
        if not rows:
            missing.append(entry)
            continue
        first = min(rows)
        if info.hit == "first row":
            reached.add(first)
            continue
        reached |= rows
        if len(rows) > 1 and double is None:
            double = (entry, *sorted(rows)[:2])  # type: ignore[assignment]
    _gaps(info, missing, problems)
    if double is not None:
        entry, one, other = double
        also = [Mark(info.rows[one].span, "the other")]
        hint = "Make them differ, or say `first row` in the heading of the table."
        problems.append(
            at(
                "E308",
                f"Two rows of {info.name} fit {_shown(info, entry)}.",
                info.rows[other].span,
                also=also,
                hint=hint,
            )
        )
    for number, row in enumerate(info.rows):
        if number not in reached:
            message = f"This row of {info.name} can never be reached."
            problems.append(
                at(
                    "W309",
                    message,
                    row.span,
                    hint="Rows above it take every entry it fits." if info.hit == "first row" else "",
                )
            )


def _gaps(info: TableInfo, missing: Sequence[tuple[Any, ...]], problems: list[Diagnostic]) -> None:
    if not missing:
        return
    open_key = next((i for i, k in enumerate(info.keys) if _open(k)), None)
    if open_key is not None:
        key = info.keys[open_key]
        ends = _ends([row.matches[open_key] for row in info.rows])
        inside = [e for e in missing if ends and ends[0] <= e[open_key] <= ends[-1]]
        if not inside:
            beyond = f" ({ends[0]} to {ends[-1]})" if ends else ""
            message = f"{info.name} says nothing of {key.name} beyond its rows{beyond}."
            hint = f"Add a line `{key.name} kept within {ends[0] if ends else 'LOW'} .. {ends[-1] if ends else 'HIGH'}`, or a row for `any`."
            problems.append(at("E307", message, info.node.span, word=info.name, hint=hint))
            return
        missing = inside
    shown = "; ".join(_shown(info, e) for e in missing[:3])
    more = f" and {len(missing) - 3:,} more" if len(missing) > 3 else ""
    problems.append(
        at(
            "E307",
            f"{info.name} has no row for {shown}{more}.",
            info.node.span,
            word=info.name,
            hint="Add the row, or use `any`, or `kept within`.",
        )
    )


def _shown(info: TableInfo, entry: Sequence[Any]) -> str:
    return ", ".join(f"{k.name} {say(v)}" for k, v in zip(info.keys, entry, strict=True))


def _open(key: Key) -> bool:
    """Whether a key can be any number."""
    return key.type.name == "number" and key.domain is None and key.low is None


def _ends(matches: Iterable[Any]) -> list[Any]:
    """Every number that a row names for a key, and the ends of every range, rising."""
    out: set[Any] = set()
    for match in matches:
        for item in () if match is ANY else match:
            out.update(item if isinstance(item, tuple) else (item,))
    return sorted(out)


def _sorts(key: Key, matches: Sequence[Any]) -> list[Any]:
    """Values of a key, one of each sort that the rows tell apart; of a number of unknown extent the whole ones."""
    if key.domain is not None and key.type.name != "number":
        return list(key.domain)
    ends = _ends(matches)
    if key.domain is not None and not any(isinstance(e, Fraction) for e in ends):
        low, high = key.domain[0], key.domain[-1]
    else:
        low, high = key.low, key.high
    near = {math.floor(e) + step for e in ends for step in (-1, 0, 1)} | set(ends)
    near |= {x for x in (low, high) if x is not None}
    kept = sorted(v for v in near if (low is None or v >= low) and (high is None or v <= high))
    return kept or [0]


def check_trend(ruleset: Ruleset, info: TableInfo, problems: list[Diagnostic]) -> None:
    """W310: on a table of two numbers by dice and a scale, a column further up the scale that is worse on average.

    Up the scale the first number should fall and the second rise, or both the other way round where most columns do.
    """
    if (
        info.node.as_printed
        or len(info.keys) != 2
        or len(info.columns) != 2
        or any(c.type.name != "number" or c.type.optional for c in info.columns)
    ):
        return
    dice = next(
        (
            i
            for i, k in enumerate(info.keys)
            if k.name[-1:].isdigit() and "d" in k.name.lower() and k.type.name == "number"
        ),
        None,
    )
    if dice is None:
        return
    scale = info.keys[1 - dice]
    if scale.type.name != "enum" or not ruleset.enums[scale.type.word].ordered:
        return
    words = [w for w in scale.domain or () if any(fits(r.matches[1 - dice], w) for r in info.rows)]
    means = [_means(info, dice, word) for word in words]
    if any(m is None for m in means) or len(words) < 2:
        return
    pairs = [
        (a, b, x, y)
        for (a, x), (b, y) in itertools.pairwise(zip(words, means, strict=True))
        if x is not None and y is not None
    ]
    turned = all(sum(_sign(y[i] - x[i]) * way for _, _, x, y in pairs) < 0 for i, way in ((0, -1), (1, 1)))
    for low, high, x, y in pairs:
        for index, way in ((0, -1), (1, 1)):
            if _sign(y[index] - x[index]) * (-way if turned else way) < 0:
                name = info.columns[index].name
                message = f"In {info.name} the column {high} is worse than {low}: on average {name} is {_short(y[index])} instead of {_short(x[index])}."
                hint = "Compare the column with the printed table; if it is printed so, add a line `as printed`."
                problems.append(at("W310", message, info.node.rows[0].span, word=high, hint=hint))


def _means(info: TableInfo, dice: int, word: str) -> tuple[Fraction, Fraction] | None:
    """The exact averages of both numbers in one column of the scale; None where a roll finds no row."""
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
