"""Rows of text with bars between their cells, as used in lists, maps and scenarios."""

from __future__ import annotations

import functools

from dsl.syntax import declarations as d


def cells(row: d.Row) -> list[str]:
    """The cells of a plain row."""
    return list(_split(row.text))


def counted(number: int, word: str) -> str:
    """A number of things in words.

    >>> counted(1, "cell"), counted(3, "cell")
    ('1 cell', '3 cells')
    """
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def unequal(found: list[str], header: list[str]) -> str:
    """What is wrong with a row that has more or fewer cells than its heading."""
    return f"This row has {counted(len(found), 'cell')}, but the heading has {len(header)}."


@functools.lru_cache(maxsize=16384)
def _split(text: str) -> tuple[str, ...]:
    return tuple(c.strip() for c in text.strip().removesuffix("|").split("|"))
