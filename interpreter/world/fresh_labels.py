"""Labels that change: a side that has lost sight of a thing meets it again under another label.

As long as a thing stands in view, its label stays. A side looks whenever the game waits for somebody. If a thing that it has met is
then hidden from it completely, the label has had its day: where the side meets the thing again, it cannot tell that it is the same.

Each side has labels of its own: if two shared them, a new one would tell the one that the other has lost sight of the thing. All
labels of a kind have equally many digits, so none tells whether it is the first of its thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from interpreter.world.new_ids import unlike_names

__all__ = ["FreshLabels", "Groups"]

Groups = Mapping[tuple[str, str], Sequence[str]]
"""The names of things by their kind and the first letter of their side, in an order that tells nothing."""

DIGITS, LEAST = 4, 4
"""How many digits a number has at least, and how many labels each side has at least for one thing, before the first comes again."""


class FreshLabels:
    """The labels by which each side knows things, and how often it has lost sight of them.

    Args:
        seed: they are drawn from it.
        groups: the names of the things that have such labels.
        sides: the ids of the sides, in the order of the scenario.
        taken: what is no label, since something has this name.
    """

    def __init__(self, seed: str, groups: Groups, sides: Sequence[str], taken: frozenset[str]) -> None:
        self._seed, self._groups, self._sides, self._taken = seed, groups, tuple(sides), taken
        self._at = {name: (key, at) for key, names in groups.items() for at, name in enumerate(names)}
        self._number = {side: number for number, side in enumerate(sides)}
        self._times: dict[tuple[str, str], int] = {}  # odd: it has met the thing since it lost sight of it last
        self._told: set[tuple[str, str]] = set()

    def __contains__(self, name: str) -> bool:
        """Whether a thing has such labels."""
        return name in self._at

    def label(self, name: str, side: str) -> str:
        """The label by which a side knows a thing now."""
        key, at = self._at[name]
        drawn = self._drawn(key)
        row = len(self._sides) * len(self._groups[key])
        turn = self._times.get((name, side), 0) // 2 % (len(drawn) // row)
        return drawn[turn * row + self._number[side] * len(self._groups[key]) + at]

    def __iter__(self) -> Iterator[str]:
        return iter(self._at)

    def ids(self) -> dict[str, str]:
        """The names of things by every label that they have, had or will have."""
        return {
            label: names[number % len(names)]
            for key, names in self._groups.items()
            for number, label in enumerate(self._drawn(key))
        }

    def tell(self, name: str, side: str) -> None:
        """A side hears of a thing under its label, if it has one here."""
        if name in self._at:
            self._told.add((name, side))

    def look(self, seen: Iterable[tuple[str, str, bool]]) -> None:
        """The sides look at what can be seen while the game waits. seen: a thing, a side, and whether the side knows that it is there."""
        for name, side, there in seen:
            times = self._times.get((name, side), 0)
            if there != bool(times % 2):
                self._times[name, side] = times + 1
            elif not there and (name, side) in self._told:  # heard of only in passing
                self._times[name, side] = times + 2
        self._told.clear()

    def renamed(self, called: Mapping[str, str]) -> FreshLabels:
        """The same labels, for renamed things."""
        groups = {key: [called.get(name, name) for name in names] for key, names in self._groups.items()}
        found = FreshLabels(self._seed, groups, self._sides, self._taken)
        found._times = {(called.get(name, name), side): times for (name, side), times in self._times.items()}
        found._told = {(called.get(name, name), side) for name, side in self._told}
        return found

    # ---- as data
    def data(self) -> dict[str, dict[str, int]]:
        """What has been met and lost from sight, by thing and side."""
        found: dict[str, dict[str, int]] = {}
        for name, side in sorted(self._times):
            found.setdefault(name, {})[side] = self._times[name, side]
        return found

    def restore(self, data: Mapping[str, Mapping[str, int]]) -> None:
        """Restores what `data` gave; things without labels are left out."""
        self._times = {
            (name, side): times
            for name, row in data.items()
            for side, times in row.items()
            if name in self._at and side in self._number
        }

    def _drawn(self, key: tuple[str, str]) -> tuple[str, ...]:
        return _labels(self._seed, *key, len(self._sides) * len(self._groups[key]), self._taken)


@lru_cache(maxsize=64)
def _labels(seed: str, kind: str, letter: str, row: int, taken: frozenset[str]) -> tuple[str, ...]:
    """The labels of a group of things, `row` of them at a time, with equally many digits."""
    digits = DIGITS
    while _room(digits) - len(taken) < LEAST * row:
        digits += 1
    drawn = (label for label in _numbered(seed, kind, letter, digits) if label not in taken)
    return tuple(islice(drawn, (_room(digits) - len(taken)) // row * row))


def _room(digits: int) -> int:
    """How many names with so many digits there are: half of the numbers."""
    return 45 * int(10 ** (digits - 2))


def _numbered(seed: str, kind: str, letter: str, digits: int) -> Iterator[str]:
    return unlike_names(f"{seed} fresh label", kind, letter, digits)
