"""References: how a sentence names a thing whose name somebody may not know, so that the name is not taken for a word of the text.

The id of such a thing is a `ShyName`. As data it is its letters: it is equal to them, and is a key, a row and JSON as they are. Put into a
sentence (`f"{thing.id} moves"`, `say(thing)`) it stands there as a reference, between two marks that no text of anybody's
holds. The gate (`seat.py`) and the journal (`telling.py`) give each reader what he may call the thing; no mark leaves the machine.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from enum import Enum
from operator import is_
from typing import Self

import attrs

from interpreter.runtime.things import Value

__all__ = ["ShyName", "mapped", "named_in", "projected", "without_marks", "without_references"]

OPENS, CLOSES = "\ufdd0", "\ufdd1"
"""Noncharacters: Unicode keeps them for the inside of programs, so that nobody's text loses anything where they are taken out."""
REFERENCE = re.compile(f"{OPENS}([^{OPENS}{CLOSES}]*)(?:{CLOSES}|$)")  # what is cut short is a reference, too
MARK = re.compile(f"[{OPENS}{CLOSES}]")

Called = Callable[[str], str]
"""What a reader may call the thing of an id."""


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
        """A name of these letters; of a name its own."""
        return super().__new__(cls, str.__str__(letters))

    def __str__(self) -> str:
        return f"{OPENS}{self.plain}{CLOSES}"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @property
    def plain(self) -> str:
        """Its letters alone."""
        return str.__str__(self)


def projected(text: str, called: Called) -> str:
    """A text as one reads it for whom things are called so. A name that is alone is a reference."""
    if type(text) is ShyName:
        return called(text.plain)
    return REFERENCE.sub(lambda found: called(found[1]), text) if OPENS in text else text


def without_references(text: str) -> str:
    """A text with every thing called by its id, as the umpire reads it, and as it is typed.

    >>> without_references(f"{ShyName('tf-7')} moves")
    'tf-7 moves'
    """
    return projected(text, str)


def without_marks(text: str) -> str:
    """What somebody wrote, without signs that would be taken for a reference."""
    return MARK.sub("", text) if OPENS in text or CLOSES in text else text


def named_in(text: str) -> tuple[str, ...]:
    """The ids that a text refers to, each once, in their order."""
    found = [text.plain] if type(text) is ShyName else REFERENCE.findall(text)
    return tuple(dict.fromkeys(found))


def mapped(value: Value, told: Callable[[str], str]) -> Value:
    """A structure with every text in it as it is told. What needs nothing told otherwise is given back as it is.

    >>> whole = ("tf-7", (1, frozenset({"moves"})))
    >>> mapped(whole, lambda text: text) is whole
    True
    """
    kind = type(value)
    if kind is str or kind is ShyName:
        return told(value)
    if kind in NO_TEXT or isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return told(value)
    if isinstance(value, tuple | list | set | frozenset):
        found = [mapped(one, told) for one in value]
        if kind in FIXED and all(map(is_, found, value)):
            return value
        return value._make(found) if isinstance(value, tuple) and hasattr(value, "_make") else kind(found)
    if isinstance(value, Mapping):
        keys = [mapped(key, told) if isinstance(key, str) else key for key in value]
        found = [mapped(one, told) for one in value.values()]
        is_same = all(map(is_, keys, value)) and all(map(is_, found, value.values()))
        return value if is_same else dict(zip(keys, found, strict=True))
    return _retold(value, told)


NO_TEXT = frozenset({int, bool, float, type(None)})
FIXED = frozenset({tuple, frozenset})
"""Sorts of sequences that nobody changes, so that they can be given away."""


def _retold(value: Value, told: Callable[[str], str]) -> Value:
    """An object with attributes, and every text in them as it is told."""
    changed = {}
    for name, given_as in _attributes(value.__class__):
        before = getattr(value, name)
        after = mapped(before, told)
        if after is not before:
            changed[given_as] = after
    return attrs.evolve(value, **changed) if changed else value


@functools.lru_cache(maxsize=1024)
def _attributes(kind: type) -> tuple[tuple[str, str], ...]:
    """The attributes that an object of a class is made with, each with the name by which it is given; of other classes none."""
    return tuple((x.name, x.alias) for x in attrs.fields(kind) if x.init) if attrs.has(kind) else ()
