"""Rows of text with bars between their cells, as used in lists, maps and scenarios."""

from __future__ import annotations

import functools

from dsl.syntax import declarations as d
from dsl.text.phrases import counted
from dsl.text.source import Span


def cells(row: d.Row) -> list[str]:
    """The cells of a plain row."""
    return list(_split(row.text))


def places(row: d.Row) -> list[Span]:
    """Where each cell of a plain row is; of an empty cell, the space between its bars."""
    out, begin, line = [], row.span.column, row.span.line
    for cell in row.text.split("|"):
        before = len(cell) - len(cell.lstrip()) if cell.strip() else 0
        first, last = begin + before, begin + (len(cell.rstrip()) or len(cell))
        out.append(Span(row.span.file, line, first, line, max(last, first + 1)))
        begin += len(cell) + 1
    return out


def unequal(found: list[str], header: list[str]) -> str:
    """What is wrong with a row that has more or fewer cells than its heading."""
    return f"This row has {counted(len(found), 'cell')}, but the heading has {len(header)}."


@functools.lru_cache(maxsize=16384)
def _split(text: str) -> tuple[str, ...]:
    return tuple(c.strip() for c in text.strip().removesuffix("|").split("|"))
