"""A table as data: its keys, its columns, its rows, and which row is found for given keys."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any, TypeAlias

import attrs

from dsl.ir import Type
from dsl.syntax import declarations as d
from dsl.text.source import Span

Cell: TypeAlias = Any
"""A cell of a table, for a key or a result: a number, a word, yes or no, dice, or a row's condition on a key. Columns have types."""
MOST_ENTRIES = 60_000
"""A table with at most this many entries is stored with all of them evaluated."""

ANY = object()


def fits(match: Cell, value: Cell) -> bool:
    """Whether a key's value matches the condition of a row."""
    if match is ANY:
        return True
    for item in match:
        if isinstance(item, tuple):
            if item[0] <= value <= item[1]:
                return True
        elif item == value:
            return True
    return False


def say(value: Cell) -> str:
    """A key's value as people write it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@attrs.define(slots=True)
class Key:
    """A key. domain: all its values, if they are known; low, high: its bounds; rounded: the direction.

    groups: the words that stand for several words of its enum.
    meant: a hint if a number may not be what its name means; told: it was given once.
    """

    name: str
    type: Type
    domain: tuple[Cell, ...] | None = None
    low: Cell = None
    high: Cell = None
    rounded: str = ""
    groups: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    meant: str = ""
    told: bool = False


@attrs.define(slots=True)
class Column:
    """A result column and the type of its cells."""

    name: str
    type: Type


@attrs.define(slots=True)
class TableRow:
    """matches: for each key ANY, or a tuple of values and (low, high) ranges. cells: one for each column."""

    matches: tuple[Cell, ...]
    cells: tuple[Cell, ...]
    span: Span


@attrs.define(slots=True)
class TableInfo:
    """A table as read: its keys, its columns, its rows, and how rows are selected."""

    name: str
    node: d.Table
    hit: str
    keys: list[Key] = attrs.field(factory=list)
    columns: list[Column] = attrs.field(factory=list)
    rows: list[TableRow] = attrs.field(factory=list)

    def column_index(self, name: str) -> int:
        """The index of a column among the results."""
        return next(i for i, c in enumerate(self.columns) if c.name == name)

    def entries(self) -> dict[tuple[Cell, ...], tuple[int, ...]] | None:
        """Every entry with the numbers of the rows that match it; None if some key has no known domain."""
        domains = [k.domain for k in self.keys]
        if any(x is None for x in domains):
            return None
        size = 1
        for x in domains:
            size *= len(x or ())
        if size > MOST_ENTRIES:
            return None
        found: dict[tuple[Cell, ...], list[int]] = {e: [] for e in itertools.product(*(x or () for x in domains))}
        for number, row in enumerate(self.rows):
            spread = [_spread(m, k.domain or ()) for m, k in zip(row.matches, self.keys, strict=True)]
            for entry in itertools.product(*spread):
                if entry in found:
                    found[entry].append(number)
        return {e: tuple(n) for e, n in found.items()}


def _spread(match: Cell, domain: Iterable[Cell]) -> list[Cell]:
    if match is ANY:
        return list(domain)
    return [v for v in domain if fits(match, v)]
