"""Addresses: where in a handbook a declaration, a name or a word of the rules is explained."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from dsl.manual.chapters import HandbookChapter, HandbookEntry
from dsl.manual.cross_references import Named, Stacks
from dsl.manual.handbook_parts import Address
from dsl.rules.chains import nodes_in
from dsl.rules.ruleset import plural_of
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d

_HELD = ("value", "status", "order", "procedure", "path", "table", "sequence", "setup")


class Addresses:
    """The addresses of declarations, names and words."""

    def __init__(self, chapters: Sequence[HandbookChapter], known: Stacks) -> None:
        self._texts = {id(e.node): self.of(e) for c in chapters for e in c.entries}
        self._words: dict[str, Address] = {}
        self._set: dict[str, dict[str, Address | None]] = {}
        for x in (x.home for meanings in known.names.values() for x in meanings if x.word == "procedure"):
            self._set[x.name] = dict.fromkeys(own_names(x), self.declared(x))
        self._all_set: dict[str, Address | None] = {word: None for names in self._set.values() for word in names}
        for name, meanings in known.names.items():
            target = self._chosen(meanings)
            if target:
                self._words[name] = target
                if any(isinstance(x.home, d.Kind) and x.whole for x in meanings):
                    plural = next(x.home.plural for x in meanings if isinstance(x.home, d.Kind))
                    self._words.setdefault(plural or plural_of(name), target)

    def of(self, entry: HandbookEntry) -> Address:
        """The address of an entry."""
        return Address(entry.page, entry.anchor)

    def declared(self, declaration: d.Declaration) -> Address | None:
        """The address of a declaration, by its node."""
        return self._texts.get(id(declaration))

    def word(self, word: str) -> Address | None:
        """The address of the most likely meaning of a word."""
        return self._words.get(word)

    def words_for(self, node: d.Declaration) -> dict[str, Address | None]:
        """The addresses of words with another meaning in a text: the names that a procedure sets.

        A value bound to a procedure reads its names; for an example it is unclear which procedure will run.
        """
        if isinstance(node, d.Example):
            return self._all_set
        bound = node.bound if isinstance(node, d.Bodied) else None
        return self._set.get(bound or "", {})

    def _chosen(self, meanings: Sequence[Named]) -> Address | None:
        """A declaration comes before a field, a field before a word; nothing if several fields have the name."""
        whole = [x for x in meanings if x.whole]
        if whole:
            return self.declared(min(whole, key=lambda x: (x.word not in _HELD, x.span)).home)
        inner = [x for x in meanings if x.word != "term"] or list(meanings)
        homes = {id(x.home) for x in inner}
        return self.declared(inner[0].home) if len(homes) == 1 else None


@functools.lru_cache(maxsize=8192)
def own_names(node: d.Declaration) -> frozenset[str]:
    """The names that a text defines itself: its arguments, `let` lines, choices and rolls."""
    found: set[str] = set()
    for x in nodes_in(node):
        match x:
            case d.Param():
                found.add(x.name)
            case ln.Let() | ln.ForEach() | ln.Put() | ln.Choose() | ln.Rolls() | ln.Draws():
                found.add(x.name)
            case ln.EachChooses() | ln.EachRolls():
                found |= {x.item, x.name}
    return frozenset(found)
