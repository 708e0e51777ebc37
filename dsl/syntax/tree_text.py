"""A parsed file as plain text and back: the contents of the cache of parsed files.

The text is JSON: a table of the nodes of the file, in which each entry refers only to earlier ones. It does not
contain the file's own name, so the same text in another file reads the same. Reading it makes nodes of the tree, places in the
text, tuples and numbers, and can make nothing else: it is data, never code.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

import attrs

from dsl.syntax import body_lines, declarations, syntax_tree
from dsl.text import diagnostics
from dsl.text.source import Span

Entry = list[object]
"""The number of a class (or TUPLE, FRACTION, INT), then its fields: a number refers to an earlier entry, anything else is itself."""

TUPLE, FRACTION, INT = -1, -2, -3


class Unreadable(Exception):
    """The text was not made by `written`."""


@functools.cache
def _classes() -> dict[str, type]:
    """Every class that a parsed file may contain, by module and name."""
    found = [
        x for module in (syntax_tree, body_lines, declarations) for x in vars(module).values() if isinstance(x, type)
    ]
    found += [diagnostics.Diagnostic, diagnostics.Mark]
    return {f"{x.__module__}.{x.__name__}": x for x in found if attrs.has(x)}


@functools.cache
def _slots(kind: type) -> tuple[str, ...]:
    """The fields of a class."""
    return tuple(a.name for a in attrs.fields(kind))


@functools.cache
def _setters(kind: type) -> tuple[Callable[[object, object], None], ...]:
    """The setters for the fields of a new object of a frozen class."""
    return tuple(getattr(kind, name).__set__ for name in _slots(cast("Any", kind)))


# ---- writing
def written(value: object, own: str = "") -> str:
    """A parsed file as text. own: the file's name, which is left out. Raises TypeError for anything that no parsed file contains."""
    writer = _Writer()
    root = writer.number(value)
    return json.dumps(
        {"classes": list(writer.classes), "files": [None if name == own else name for name in writer.files], "spans": writer.spans, "table": writer.table, "root": root},
        separators=(",", ":"),
    )  # fmt: skip


class _Writer:
    def __init__(self) -> None:
        self.classes: dict[str, int] = {}
        self.files: dict[str, int] = {}
        self.spans: list[int] = []
        self.table: list[Entry] = []
        self._known: dict[int, int] = {}
        self._alive: list[object] = []
        self._places: dict[Span, int] = {}

    def field(self, value: object) -> object:
        """The form of a field's value in an entry."""
        if value is None or isinstance(value, str | bool):
            return value
        return self.number(value)

    def number(self, value: object) -> int:
        """The number of a value's entry: even for places in the text, odd for everything else."""
        if isinstance(value, Span):
            found = self._places.get(value)
            if found is None:
                found = self._places[value] = len(self._places) * 2
                file = self.files.setdefault(value.file, len(self.files))
                self.spans += [file, value.line, value.column, value.end_line, value.end_column]
            return found
        if (known := self._known.get(id(value))) is not None:
            return known
        entry = self._entry(value)
        self.table.append(entry)
        self._alive.append(value)
        made = self._known[id(value)] = len(self.table) * 2 - 1
        return made

    def _entry(self, value: object) -> Entry:
        if isinstance(value, tuple):
            return [TUPLE, *map(self.field, value)]
        if isinstance(value, Fraction):
            return [FRACTION, str(value.numerator), str(value.denominator)]
        if type(value) is int:
            return [INT, str(value)]
        kind = type(value)
        name = f"{kind.__module__}.{kind.__name__}"
        if _classes().get(name) is not kind:
            raise TypeError(f"{name} is not part of a parsed file")
        fields = [self.field(getattr(value, slot)) for slot in _slots(cast("Any", kind))]
        return [self.classes.setdefault(name, len(self.classes)), *fields]


# ---- reading
def read(text: str, own: str = "") -> Any:
    """The parsed file that a text was written from, as if it had the name `own`. Raises Unreadable."""
    try:
        return _read(json.loads(text), own)
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise Unreadable(str(error)) from error


def _read(found: dict[str, Any], own: str) -> Any:
    kinds = [_classes()[name] for name in found["classes"]]
    makers = [(kind, _setters(kind)) for kind in kinds]
    files, flat = [own if name is None else str(name) for name in found["files"]], iter(found["spans"])
    spans = [Span(files[file], *place) for file, *place in zip(flat, flat, flat, flat, flat, strict=True)]
    made: list[object] = []
    new = object.__new__
    for kind, *fields in found["table"]:
        values: list[Any] = [(made[x >> 1] if x & 1 else spans[x >> 1]) if type(x) is int else x for x in fields]
        if kind >= 0:
            cls, setters = makers[kind]
            one = new(cls)
            for put, value in zip(setters, values, strict=True):
                put(one, value)
            made.append(one)
        elif kind == TUPLE:
            made.append(tuple(values))
        elif kind == FRACTION:
            made.append(Fraction(int(values[0]), int(values[1])))
        else:
            made.append(int(values[0]))
    return made[found["root"] >> 1]


__all__ = ["Unreadable", "read", "written"]
