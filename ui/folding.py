"""Orders that differ only in which part of a whole they name, folded to one line each: thirty parts do not flood a list."""

import re
from collections.abc import Collection, Iterator, Sequence

from attrs import frozen

from campaigns.parts_in_words import PartsOfThings

__all__ = ["ListRow", "rows"]

MORE = "▸"
"""Stands behind a whole in a folded line: any of its parts."""
OF_A_WHOLE = re.compile(rf"(\S+) {MORE}")
"""A whole with that sign. People read it in words."""


@frozen
class ListRow:
    """A line of a list of orders.

    Attributes:
        said: the order, or for several the order with their wholes in place of the parts.
        count: how many orders are folded in it; 0 for an order itself.
        depth: how deep it stands under lines that were opened.
        opened: whether what is folded in it stands below.
    """

    said: str
    count: int = 0
    depth: int = 0
    opened: bool = False

    def __str__(self) -> str:
        if not self.count:
            return f"{'  ' * self.depth}{self.said}"
        said = OF_A_WHOLE.sub(r"a part of \1", self.said)
        return f"{'  ' * self.depth}{'▾' if self.opened else '▸'} {said} ({self.count})"


def rows(
    commands: Sequence[str], parts: PartsOfThings, opened: Collection[str], aimed: Collection[str] = ()
) -> list[ListRow]:
    """The lines for some orders, in their order.

    Args:
        commands: the orders.
        parts: what things are made of.
        opened: the folded lines that are open, by what they say.
        aimed: wholes whose parts are never folded: somebody aims at them.
    """
    split = [(command, tuple(command.split(" "))) for command in commands]
    return list(_rows(split, 0, 0, parts, opened, frozenset(aimed)))


def _rows(
    commands: Sequence[tuple[str, tuple[str, ...]]], first: int, depth: int, parts: PartsOfThings, opened: Collection[str],
    aimed: frozenset[str],
) -> Iterator[ListRow]:  # fmt: skip
    """Lines in which the parts among the words from `first` on are folded."""
    groups: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for command, words in commands:
        shown = [*words[:first], *(_whole(word, parts, aimed) for word in words[first:])]
        groups.setdefault(" ".join(shown), []).append((command, words))
    for found in groups.values():
        if len(found) == 1:
            yield ListRow(found[0][0], depth=depth)
            continue
        columns = zip(*(words for _, words in found), strict=True)
        said = " ".join(words[0] if len(set(words)) == 1 else _whole(words[0], parts, aimed) for words in columns)
        yield ListRow(said, len(found), depth, said in opened)
        if said in opened:
            following = min(n for n in range(first, len(found[0][1])) if len({words[n] for _, words in found}) > 1)
            yield from _rows(found, following + 1, depth + 1, parts, opened, aimed)


def _whole(word: str, parts: PartsOfThings, aimed: frozenset[str]) -> str:
    """A word with the whole in place of a part."""
    name = word.rstrip(",")
    whole = parts.whole_of(name)
    return word if whole == name or whole in aimed else f"{whole} {MORE}{word[len(name) :]}"
