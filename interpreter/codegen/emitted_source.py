"""Emitted text with everything that belongs to it: rule lines, words, options, tables as nested dicts, fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import attrs

from dsl.text.source import Span
from interpreter.codegen.emitted_code import SCOPE, Word
from interpreter.codegen.units import RuleSite

__all__ = ["FunctionText", "NestedTable", "Source"]


class NestedTable(NamedTuple):
    """A table as nested dicts. column: -1 for the complete row; order: of its keys; of: the parts its numbers count."""

    table: str
    column: int
    order: tuple[int, ...]
    of: int


class FunctionText(NamedTuple):
    """The Python text of one function, indented once. first: the number of its first line within the whole text."""

    name: str
    first: int
    text: str


@attrs.define(slots=True)
class Source:
    """Emitted Python: functions which find each other, `W` (the world) and `O` (its options) in the scope around them."""

    functions: tuple[FunctionText, ...]
    lines: dict[int, Span]
    """For each line of the whole text the rule line it came from."""
    sites: list[RuleSite]
    words: tuple[Word, ...]
    """The words of the rules that names such as `K_7` in it stand for."""
    options: dict[str, tuple[str, str | None]] = attrs.field(factory=dict)
    """The options that it reads, by their names in it: each as its value, or as whether it has a value."""
    nests: dict[str, NestedTable] = attrs.field(factory=dict)
    """Tables that it reads as nested dicts, by their names in it."""
    numbers: dict[str, Fraction] = attrs.field(factory=dict)
    """Its fractions, by name."""

    @property
    def text(self) -> str:
        """The whole text: the functions in one scope."""
        return SCOPE + "".join(function.text for function in self.functions)
