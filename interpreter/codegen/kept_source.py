"""A cache of the text emitted for play, so that unchanged rules need not be emitted again.

It is JSON and is read as data. The text in it is code like any other that was emitted: it passes the gate of `emitted_code.py`
before it is compiled, whoever wrote it.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import attrs

from dsl import ir
from dsl.text.source import Span
from interpreter.codegen.emitted_code import Word
from interpreter.codegen.emitted_source import FunctionText, NestedTable, Source
from interpreter.codegen.units import RuleSite

__all__ = ["UnreadableSource", "read", "written"]

KINDS = {x.__name__: x for x in vars(ir).values() if isinstance(x, type) and issubclass(x, ir.Statement)}
"""The classes of statements by name."""


class UnreadableSource(Exception):
    """The text is not one that `written` made."""


def written(source: Source) -> str:
    """Emitted text with everything that belongs to it, as text."""
    spans: dict[Span, int] = {}

    def place(span: Span) -> int:
        return spans.setdefault(span, len(spans))

    found = {
        "functions": source.functions,
        "lines": [x for number, span in source.lines.items() for x in (number, place(span))],
        "sites": [[place(x.span), x.cites, x.because, x.module, x.kind.__name__, x.title] for x in source.sites],
        "words": [_written_word(x) for x in source.words],
        "options": source.options,
        "nests": source.nests,
        "numbers": {name: [str(x.numerator), str(x.denominator)] for name, x in source.numbers.items()},
    }
    return json.dumps({**found, "spans": [attrs.astuple(x) for x in spans]}, separators=(",", ":"))


def _written_word(word: Word) -> Any:
    if isinstance(word, str):
        return word
    return ["set", *sorted(word)] if isinstance(word, frozenset) else ["tuple", *map(_written_word, word)]


def read(text: str) -> Source:
    """The emitted text that a text was written from. Raises Unreadable."""
    try:
        return _read(json.loads(text))
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise UnreadableSource(str(error)) from error


def _read(said: dict[str, Any]) -> Source:
    spans = [Span(_text(file), *map(int, place)) for file, *place in said["spans"]]
    flat = iter(said["lines"])
    return Source(
        tuple(FunctionText(_text(name), int(first), _text(text)) for name, first, text in said["functions"]),
        {number: spans[place] for number, place in zip(flat, flat, strict=True)},
        [
            RuleSite(spans[place], tuple(map(_text, cites)), _text(because), _text(module), KINDS[kind], _text(title))
            for place, cites, because, module, kind, title in said["sites"]
        ],
        tuple(map(_word, said["words"])),
        {
            name: (_text(option), None if word is None else _text(word))
            for name, (option, word) in said["options"].items()
        },
        {
            name: NestedTable(_text(table), int(column), tuple(map(int, order)), int(of))
            for name, (table, column, order, of) in said["nests"].items()
        },
        {name: Fraction(int(above), int(below)) for name, (above, below) in said["numbers"].items()},
    )


def _word(said: Any) -> Word:
    if isinstance(said, str):
        return said
    sort, *words = said
    return frozenset(map(_text, words)) if sort == "set" else tuple(map(_word, words))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value
