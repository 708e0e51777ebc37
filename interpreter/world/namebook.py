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
    """Where names can occur in typed text, since a word may also be an order, a preposition or an answer.

    spans: the parts of the text, as start and end; spared: words in them that are not names either, in lower case.
    """

    spans: tuple[tuple[int, int], ...]
    spared: frozenset[str] = frozenset()

    def has(self, word: str, at: int) -> bool:
        """Whether a word at an index of the text is a name."""
        return word not in self.spared and any(first <= at < last for first, last in self.spans)


NO_NAMES = Names(())
"""For text whose names are only looked up in the name book, such as expressions."""


class Labels(Protocol):
    """The labels of things with hidden names, for name books."""

    def label(self, name: str, side: str) -> str:
        """The label under which a side knows a thing now, by its id; empty if it has none."""

    def absent(self, here: Iterable[str], side: str) -> list[str]:
        """The names known from the scenario of things that are not in the game."""


class NamesKept(Protocol):
    """The parts of a world that name books need."""

    @property
    def by_id(self) -> Mapping[str, Thing]:
        """All things by their ids."""

    @property
    def by_label(self) -> Mapping[str, Thing]:
        """The places by their labels."""

    knowledge: Knowledge
    """Who may know what."""

    @property
    def incognito(self) -> Labels | None:
        """The labels of things with hidden names; None if the scenario hides no names."""


class NameBook:
    """The names that one side may use for things. It is made for one question, since what a side knows changes during the game.

    things: the things in the book, by the side's word for them.
    """

    def __init__(self, world: NamesKept, side: str) -> None:
        self.side = side
        self.things: dict[str, Thing] = {}
        self._ids: dict[str, str] = {}
        closed: set[str] = set()
        labels = world.incognito
        for name, thing in world.by_id.items():
            label = labels.label(name, side) if labels is not None else ""
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
                closed |= {name, labels.label(name, side)}
        known = {word.lower() for word in self.things}
        self._closed = frozenset(w.lower() for w in closed if w and w not in world.by_label) - known

    def heard(self, text: str, *, as_ids: bool = True, names: Names | None = None) -> str:
        """Converts what a side types into the program's names.

        as_ids: whether to replace labels by references, for text that is looked up by ids.
        names: where names occur in it; by default anywhere.
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
