"""What is left of things that are made of parts, in words: `main 1/1 · secondary 3/4 (1 out)`, and tracks as rows of boxes.

Every number appears beside its boxes, and colour is never the only sign.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction

from attrs import frozen

from interpreter.messages.view import ThingView

__all__ = ["PartLine", "PartsOfThings", "boxes", "tracks_of"]

MOST_BOXES = 20
"""A longer track is drawn with this many boxes, each for an equal share of it."""
FULL, EMPTY = "■", "□"


@frozen
class PartLine:
    """The parts of one entry in a whole: how many are left, of how many, and the states of the remaining ones.

    depth: 0 for parts of the whole itself, 1 for parts of its parts, and so on.
    """

    name: str
    left: int
    of: int
    states: tuple[str, ...]
    depth: int

    def __str__(self) -> str:
        told = f" ({', '.join(self.states)})" if self.states else ""
        return f"{self.name} {self.left}/{self.of}{told}"


def boxes(left: str, full: int, *, ascii_only: bool = False) -> str:
    """A track as a row of boxes that empties, with its numbers. The last box remains as long as anything is left.

    >>> boxes("3", 5), boxes("1", 60), boxes("0", 3, ascii_only=True)
    ('■■■□□ 3/5', '■□□□□□□□□□□□□□□□□□□□ 1/60', '... 0/3')
    """
    whole, empty = ("#", ".") if ascii_only else (FULL, EMPTY)
    count = min(full, MOST_BOXES)
    number = Fraction(left) if left.isdigit() else Fraction(0)
    filled = -(-number * count // full) if full else 0
    return f"{whole * int(filled)}{empty * (count - int(filled))} {left}/{full}".strip()


def tracks_of(thing: ThingView, *, ascii_only: bool = False, unfilled: bool = False) -> list[tuple[str, str]]:
    """The tracks of a thing, each with its boxes, and what is drawn as boxes that fill. unfilled: even if none is filled."""
    known = [(name, full) for name, full in thing.tracks.items() if name in thing.fields]
    known += [(name, full) for name, full in thing.boxes.items() if unfilled or thing.fields[name] not in {"", "0"}]
    return [(name, boxes(thing.fields[name], full, ascii_only=ascii_only)) for name, full in known]


class PartsOfThings:
    """The parts among some things of a view."""

    def __init__(self, things: Iterable[ThingView]) -> None:
        self._things = {thing.id: thing for thing in things}
        self._parts: dict[str, list[ThingView]] = defaultdict(list)
        for thing in self._things.values():
            if thing.part:
                self._parts[thing.holder].append(thing)

    def whole_of(self, name: str) -> str:
        """The id of the independent thing that a part belongs to; for anything else its own id."""
        seen = {name}
        while name in self._things and self._things[name].part and (above := self._things[name].holder) not in seen:
            seen.add(name := above)
        return name

    def below(self, name: str) -> list[str]:
        """The ids of all parts of a thing, with the parts of its parts."""
        return [one for part in self._parts.get(name, ()) for one in (part.id, *self.below(part.id))]

    def lines(self, thing: ThingView) -> list[PartLine]:
        """What is left of a thing, entry by entry; parts of parts follow their whole."""
        return list(self._lines([thing], 0))

    def of(self, name: str) -> list[ThingView]:
        """The direct parts of a thing."""
        return self._parts.get(name, [])

    def summary(self, thing: ThingView, *, ascii_only: bool = False) -> str:
        """The same in one line: its parts, its tracks, the parts of its parts; empty if it has none."""
        lines = self.lines(thing)
        tracks = [f"{name} {row}" for name, row in tracks_of(thing, ascii_only=ascii_only)]
        told = [*(str(x) for x in lines if not x.depth), *tracks, *(str(x) for x in lines if x.depth)]
        return (", " if ascii_only else " · ").join(told)

    def _lines(self, wholes: list[ThingView], depth: int) -> Iterator[PartLine]:
        left: Counter[tuple[str, str]] = Counter()
        of: Counter[tuple[str, str]] = Counter()
        for entry, kind, there, made in (one for whole in wholes for one in whole.made):
            left[entry, kind] += there
            of[entry, kind] += made
        parts = [part for whole in wholes for part in self.of(whole.id)]
        for entry, kind in of:
            these = [part for part in parts if (part.template or part.kind, part.kind) == (entry, kind)]
            yield PartLine(entry, left[entry, kind], of[entry, kind], _states(these), depth)
            yield from self._lines(these, depth + 1)


def _states(parts: list[ThingView]) -> tuple[str, ...]:
    """How some of these parts differ from fresh ones: `1 out`, `2 with wounds 1`; how many of them, then the difference."""
    found: Counter[str] = Counter()
    for part in parts:
        states = (name for name in part.changed if name not in part.texts)
        found.update(_said(name, part.fields.get(name, "")) for name in states)
    return tuple(f"{number} {said}" for said, number in found.items())


def _said(name: str, value: str) -> str:
    if value in {"yes", "no"}:
        return name if value == "yes" else f"not {name}"
    return value if value.replace("-", "").isalpha() else f"with {name} {value or 'none'}"
