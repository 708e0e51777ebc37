"""Emitted text with everything that belongs to it: rule lines, words, tables as nested dicts, fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import attrs

from dsl.text.source import Span
from interpreter.codegen.emitted_code import Word
from interpreter.codegen.units import RuleSite

__all__ = ["NestedTable", "Source"]


class NestedTable(NamedTuple):
    """A table as nested dicts. column: -1 for the complete row; order: of its keys; of: the parts its numbers count."""

    table: str
    column: int
    order: tuple[int, ...]
    of: int


@attrs.define(slots=True)
class Source:
    """Emitted Python: `text` defines `make(W, O)`; lines: for each Python line the rule line it came from."""

    text: str
    lines: dict[int, Span]
    sites: list[RuleSite]
    words: tuple[Word, ...]
    """The words of the rules that names such as `K_7` in it stand for."""
    nests: dict[str, NestedTable] = attrs.field(factory=dict)
    """Tables that it reads as nested dicts, by their names in it."""
    numbers: dict[str, Fraction] = attrs.field(factory=dict)
    """Its fractions, by name."""
