"""The types of the language: what type of value an expression has."""

from __future__ import annotations

import attrs

from dsl.text.phrases import an

_SEVERAL = {
    "number": "numbers",
    "mark": "yes/no values",
    "text": "texts",
    "odds": "odds",
    "link": "links",
    "entry": "entries",
    "set": "lists",
    "nothing": "nothing",
    "dice": "dice",
}


def _one(word: str) -> str:
    """A value of an enum, a kind or a rating in words.

    >>> _one("tank"), _one("knight.colour"), _one("option losses")
    ('a tank', 'a word of `colour` of knight', 'a choice of the option losses')
    """
    owner, dot, name = word.rpartition(".")
    if dot:
        return f"a word of `{name}` of {owner}"
    if word.startswith("option "):
        return f"a choice of the {word}"
    return an(word)


def _several(type_: Type) -> str:
    """Several values of a type in words."""
    if type_.name == "entry" and type_.word:
        return f"entries of {type_.word}"
    owner, dot, name = type_.word.rpartition(".")
    return _SEVERAL.get(type_.name) or (f"words of `{name}` of {owner}" if dot else f"`{type_.word}`")


@attrs.frozen(slots=True)
class Type:
    """A type of the language.

    name: number, mark, text, odds, dice, enum, entry, thing, rating, row, link, nothing, set. word: which enum, kind, rating or
    table. of: what a set holds. optional: whether the value may be absent.
    """

    name: str
    word: str = ""
    of: Type | None = None
    optional: bool = False

    def __str__(self) -> str:
        if self.name == "set":
            return "an empty list" if self.of is None else f"a list of {_several(self.of)}"
        shown = {
            "number": "a number",
            "mark": "a yes/no value",
            "text": "text",
            "odds": "odds",
            "nothing": "nothing",
            "link": "a link",
            "entry": "an entry of a list",
            "dice": "dice",
        }
        text = (
            f"an entry of {self.word}"
            if self.name == "entry" and self.word
            else shown.get(self.name) or _one(self.word)
        )
        if not self.optional:
            return text
        article, _, rest = text.partition(" ")
        return f"an optional {rest}" if article in {"a", "an"} else f"optional {text}"

    @property
    def each(self) -> Type:
        """The type of each of several; of a single thing its own."""
        return self.of if self.name == "set" and self.of is not None else self

    def same(self, other: Type) -> bool:
        """Whether both are the same apart from being optional."""
        if self.name == "nothing" or other.name == "nothing":
            return True
        if self.name == "set" and other.name == "set":
            return self.of is None or other.of is None or self.of.same(other.of)
        return self.name == other.name and self.word == other.word

    def sure(self) -> Type:
        """The same, never absent."""
        return attrs.evolve(self, optional=False) if self.optional else self

    def maybe(self) -> Type:
        """The same, but optional."""
        return self if self.optional else attrs.evolve(self, optional=True)


NUMBER, MARK, TEXT, ODDS, NOTHING, LINK, DICE = (
    Type(n) for n in ("number", "mark", "text", "odds", "nothing", "link", "dice")
)
SIDE = Type("thing", "side")
ENTRY = Type("entry")
"""The name of an entry of a unit list."""


def thing(kind: str) -> Type:
    """Things of a kind."""
    return Type("thing", kind)


def enum(word: str) -> Type:
    """Words of an enum."""
    return Type("enum", word)


def set_of(of: Type | None) -> Type:
    """Several of a type; None for an empty set."""
    return Type("set", "", of.sure() if of else None)
