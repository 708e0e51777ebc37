"""Rows of text with bars between their cells, as used in lists, maps and scenarios."""

from __future__ import annotations

import functools

from dsl.syntax import declarations as d


def cells(row: d.Row) -> list[str]:
    """The cells of a plain row."""
    return list(_split(row.text))


@functools.lru_cache(maxsize=16384)
def _split(text: str) -> tuple[str, ...]:
    return tuple(c.strip() for c in text.strip().removesuffix("|").split("|"))
