"""The name book of a side: the names by which it may refer to the things of a game, and nothing else.

What a side types is resolved by its name book alone. A thing is listed by its id, or by its label if its name is hidden from
the side. A thing of which the side must not know is not in the book, and neither are the names beneath labels. Such a word is
marked on the way in, so that nothing resolves it, and the mark is removed on the way out. It is answered exactly like a word that
means nothing, letter for letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import attrs

from dsl.text.withheld import withheld
from interpreter.runtime.references import ShyName
from interpreter.runtime.things import Thing

if TYPE_CHECKING:
    from interpreter.world.knowledge import Knowledge

__all__ = ["NO_NAMES", "NameBook", "Names", "NamesKept"]


@attrs.frozen
class Names:
    """Where names stand in what is typed, since a word may be an order, a preposition or an answer, too.

    spans: the parts of the text, from where to where; spared: the words that are no names there either, in small letters.
    """

    spans: tuple[tuple[int, int], ...]
    spared: frozenset[str] = frozenset()

    def has(self, word: str, at: int) -> bool:
        """Whether a word that stands at a place of the text is a name."""
        return word not in self.spared and any(first <= at < last for first, last in self.spans)


NO_NAMES = Names(())
"""Of what is looked up in the name book alone, as the names of an expression are."""


class Labels(Protocol):
    """What things are called by those who may not know their names, as far as name books have it."""

    def label(self, name: str) -> str:
        """The label of a thing, by its id; empty where it has none."""

    def absent(self, here: Iterable[str], side: str) -> list[str]:
        """The names that others know of the scenario, of what is not in the game."""


class NamesKept(Protocol):
    """The world, as far as name books are made of it."""

    @property
    def by_id(self) -> Mapping[str, Thing]:
        """All things by their ids."""

    @property
    def by_label(self) -> Mapping[str, Thing]:
        """The places by their labels."""

    @property
    def knowledge(self) -> Knowledge:
        """Who may know what."""

    @property
    def incognito(self) -> Labels | None:
        """The labels of things whose names are hidden; None where no name of a scenario is."""


class NameBook:
    """What one side may call things. It is made for one question: what a side knows changes with the game.

    things: what is in the book, by the word that the side has for it.
    """

    def __init__(self, world: NamesKept, side: str) -> None:
        self.side = side
        self.things: dict[str, Thing] = {}
        self._ids: dict[str, str] = {}
        closed: set[str] = set()
        labels = world.incognito
        for name, thing in world.by_id.items():
            label = labels.label(name) if labels is not None else ""
            if world.knowledge.concealed(thing, side):
                closed |= {name, str(thing.name), label}
            elif "name" in world.knowledge.hidden_from(thing, side):
                closed |= {name, str(thing.name)}
                self.things[label or name] = thing
                if label:
                    self._ids[label.lower()] = name
            else:
                self.things[name] = thing
        if labels is not None and side != "umpire":
            for name in labels.absent(world.by_id, side):
                closed |= {name, labels.label(name)}
        known = {word.lower() for word in self.things}
        self._closed = frozenset(w.lower() for w in closed if w and w not in world.by_label) - known

    def heard(self, text: str, *, as_ids: bool = True, names: Names | None = None) -> str:
        """What a side types as the machine reads it.

        as_ids: whether references stand for the labels in it, where what is typed is looked up by ids.
        names: where names stand in it; anywhere without that.
        """
        if not self._closed and not self._ids:
            return text

        def read(found: re.Match[str]) -> str:
            word = found[0].lower()
            if word in self._closed:
                return withheld(found[0]) if names is None or names.has(word, found.start()) else found[0]
            return str(ShyName(self._ids[word])) if as_ids else found[0]

        return _any_of(self._closed | frozenset(self._ids)).sub(read, text)


@lru_cache(maxsize=256)
def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    listed = "|".join(re.escape(word) for word in sorted(words, key=lambda w: (-len(w), w)))
    return re.compile(rf"(?<![\w-])(?:{listed})(?![\w-])", re.IGNORECASE)
