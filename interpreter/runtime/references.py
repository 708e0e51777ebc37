"""References: how a sentence names a thing whose name a reader may not know, so that names cannot be confused with words.

The id of such a thing is a `ShyName`. As data it is its letters: it is equal to them, and serves as a key, a row and JSON like them.
In a sentence (`f"{thing.id} moves"`, `say(thing)`) it appears as a reference, between two marks that no other text
contains. The gate (`seat.py`) and the journal (`telling.py`) give each reader the name that they may use. No mark leaves the machine.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Self

import attrs

from interpreter.runtime.things import Value

__all__ = ["ShyName", "mapped", "named_in", "projected", "without_marks", "without_references"]

OPENS, CLOSES = "\ufdd0", "\ufdd1"
"""Noncharacters: Unicode reserves them for internal use, so removing them loses nothing from any text."""
REFERENCE = re.compile(f"{OPENS}([^{OPENS}{CLOSES}]*)(?:{CLOSES}|$)")  # a truncated reference counts, too
MARK = re.compile(f"[{OPENS}{CLOSES}]")

Called = Callable[[str], str]
"""What a reader may call the thing of an id."""
Way = Callable[[Value, Called], Value]
"""Converts a value for its reader."""


class ShyName(str):
    """The id of a thing whose name can be hidden.

    >>> name = ShyName("tf-7")
    >>> name == "tf-7", f"{name} moves" == "tf-7 moves"
    (True, False)
    >>> projected(f"{name} moves", lambda name: "fleet-b83")
    'fleet-b83 moves'
    """

    __slots__ = ()

    def __new__(cls, letters: str) -> Self:
        """A name with this text; a name returns itself."""
        return super().__new__(cls, str.__str__(letters))

    def __str__(self) -> str:
        return f"{OPENS}{self.plain}{CLOSES}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @property
    def plain(self) -> str:
        """Its plain text."""
        return str.__str__(self)


def projected(text: str, called: Called) -> str:
    """A text for a reader with these names for things. A single name is a reference."""
    if type(text) is ShyName:
        return called(text.plain)
    return REFERENCE.sub(lambda found: called(found[1]), text) if OPENS in text else text


def without_references(text: str) -> str:
    """A text with the ids of all things, as the umpire reads and types it.

    >>> without_references(f"{ShyName('tf-7')} moves")
    'tf-7 moves'
    """
    return projected(text, str)


def without_marks(text: str) -> str:
    """Somebody's text, without characters that would be taken for a reference."""
    return MARK.sub("", text) if OPENS in text or CLOSES in text else text


def named_in(text: str) -> tuple[str, ...]:
    """The ids that a text refers to, each once, in order."""
    found = [text.plain] if type(text) is ShyName else REFERENCE.findall(text)
    return tuple(dict.fromkeys(found))


def mapped(value: Value, told: Called) -> Value:
    """A structure with every text in it converted for its reader. Unchanged parts are kept as they are."""
    return WAYS[type(value)](value, told)


def _way(kind: type) -> Way:
    """How values of a type are converted."""
    if issubclass(kind, str):
        return _as_it_is if issubclass(kind, Enum) else _text
    if issubclass(kind, tuple) and hasattr(kind, "_make"):
        return lambda value, told: kind._make(_members(value, told))
    if issubclass(kind, tuple | frozenset):
        return lambda value, told: _unless_alike(value, _members(value, told), kind)
    if issubclass(kind, list | set):
        return lambda value, told: kind(_members(value, told))
    if issubclass(kind, Mapping):
        return _rows
    return _object(kind) if attrs.has(kind) else _as_it_is


def _as_it_is(value: Value, _told: Called) -> Value:
    return value


def _text(value: Value, told: Called) -> Value:
    return told(value)


def _members(value: Iterable[Value], told: Called) -> list[Value]:
    return [told(one) if type(one) is str else WAYS[type(one)](one, told) for one in value]


def _unless_alike(value: Value, members: list[Value], kind: Callable[[list[Value]], Value]) -> Value:
    """An immutable value; the same object if nothing in it changes."""
    return value if all(map(operator.is_, value, members)) else kind(members)


def _rows(value: Mapping[Value, Value], told: Called) -> dict[Value, Value]:
    keys = [told(key) if isinstance(key, str) else key for key in value]
    return dict(zip(keys, _members(value.values(), told), strict=True))


def _object(kind: Value) -> Way:
    """How objects of an attrs class are converted."""
    fields = [(x.name, x.name.removeprefix("_")) for x in attrs.fields(kind) if x.init]
    names, given = [name for name, _ in fields], [name for _, name in fields]

    def way(value: Value, told: Called) -> Value:
        before = [getattr(value, name) for name in names]
        after = _members(before, told)
        if all(map(operator.is_, before, after)):
            return value
        return kind(**dict(zip(given, after, strict=True)))

    return way


class _Ways(dict[type, Way]):
    """The converters by type: determined once for each, since a view contains very many values of few types."""

    def __missing__(self, kind: type) -> Way:
        way = self[kind] = _way(kind)
        return way


WAYS = _Ways()
