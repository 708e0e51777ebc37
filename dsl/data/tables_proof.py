"""The proof of a table: every entry finds its row, and no two rows conflict."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

import attrs

from dsl.data.table_data import ANY, Cell, Key, TableInfo, fits, say
from dsl.text.diagnostics import Diagnostic, Mark, at

MOST_TRIES = 2_000_000
"""A table is proved complete by trying every entry against every row, up to this many tries."""


def prove(info: TableInfo, problems: list[Diagnostic]) -> None:
    """Gaps (E307), clashes (E308) and unreachable rows (W309), by trying one value of each class that the rows distinguish."""
    if info.hit == "last row reached":
        _check_rising(info, problems)
        return
    if info.hit == "all rows" or not info.rows:
        return
    sorts = [_sorts(key, [row.matches[i] for row in info.rows]) for i, key in enumerate(info.keys)]
    size = math.prod(len(s) for s in sorts)
    if size * len(info.rows) > MOST_TRIES:
        message = f"The table {info.name} is too large to be proved complete: it has {size:,} different entries."
        problems.append(at("W311", message, info.node.span, word=info.name, hint="Split it by one of its keys."))
        return
    tried = _try_all(info, sorts)
    _gaps(info, tried.missing, problems)
    if tried.double is not None:
        entry, one, other = tried.double
        also = [Mark(info.rows[one].span, "the other row")]
        hint = "Make their keys differ, or write `first row` in the heading of the table."
        message = f"Two rows of {info.name} match {_shown(info, entry)}."
        problems.append(at("E308", message, info.rows[other].span, also=also, hint=hint))
    hint = (
        "Move it up or remove it: rows above it match every entry that it matches." if info.hit == "first row" else ""
    )
    for number, row in enumerate(info.rows):
        if number not in tried.reached:
            problems.append(at("W309", f"This row of {info.name} can never be reached.", row.span, hint=hint))


def _check_rising(info: TableInfo, problems: list[Diagnostic]) -> None:
    """E306: in a table with `last row reached` the numbers must rise."""
    firsts = [r.matches[-1] for r in info.rows]
    numbers = [m[0] for m in firsts if m is not ANY and m]
    if len(info.keys) == 1 and numbers != sorted(set(numbers)):
        fallen = next((i for i, (a, b) in enumerate(itertools.pairwise(numbers), 1) if a >= b), 0)
        hint = "With `last row reached`, give each row a higher number than the row above it."
        problems.append(
            at("E306", f"The numbers in the rows of {info.name} do not rise.", info.rows[fallen].span, hint=hint)
        )


@attrs.define(slots=True)
class _Tried:
    """The result of trying every entry: those without a row, the first with two rows, and the rows that are reached."""

    missing: list[tuple[Cell, ...]] = attrs.field(factory=list)
    double: tuple[tuple[Cell, ...], int, int] | None = None
    reached: set[int] = attrs.field(factory=set)


def _try_all(info: TableInfo, sorts: Sequence[Sequence[Cell]]) -> _Tried:
    """Tries every entry against every row. sorts: the values of each key that are tried."""
    tried = _Tried()
    fitting = [
        {v: {n for n, row in enumerate(info.rows) if fits(row.matches[i], v)} for v in values}
        for i, values in enumerate(sorts)
    ]
    for entry in itertools.product(*sorts):
        rows = set.intersection(*(fitting[i][v] for i, v in enumerate(entry)))
        if not rows:
            tried.missing.append(entry)
        elif info.hit == "first row":
            tried.reached.add(min(rows))
        else:
            tried.reached |= rows
            if len(rows) > 1 and tried.double is None:
                one, other = sorted(rows)[:2]
                tried.double = (entry, one, other)
    return tried


def _gaps(info: TableInfo, missing: Sequence[tuple[Cell, ...]], problems: list[Diagnostic]) -> None:
    if not missing:
        return
    open_key = next((i for i, k in enumerate(info.keys) if _open(k)), None)
    if open_key is not None:
        key = info.keys[open_key]
        ends = _ends([row.matches[open_key] for row in info.rows])
        inside = [e for e in missing if ends and ends[0] <= e[open_key] <= ends[-1]]
        if not inside:
            beyond = f" ({ends[0]} to {ends[-1]})" if ends else ""
            message = f"{info.name} does not cover {key.name} beyond its rows{beyond}."
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


def _shown(info: TableInfo, entry: Sequence[Cell]) -> str:
    return ", ".join(f"{k.name} {say(v)}" for k, v in zip(info.keys, entry, strict=True))


def _open(key: Key) -> bool:
    """Whether a key can be any number."""
    return key.type.name == "number" and key.domain is None and key.low is None


def _ends(matches: Iterable[Cell]) -> list[Cell]:
    """Every number that a row names for a key, and the ends of every range, in ascending order."""
    out: set[Cell] = set()
    for match in matches:
        for item in () if match is ANY else match:
            out.update(item if isinstance(item, tuple) else (item,))
    return sorted(out)


def _sorts(key: Key, matches: Sequence[Cell]) -> list[Cell]:
    """Values of a key, one of each class that the rows distinguish; of a number without bounds whole ones."""
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
