"""Places in columns and rows. Grids are implicit: nothing is stored for a place until its neighbours are needed."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from math import atan2, degrees, prod
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import field, frozen

if TYPE_CHECKING:
    pass
from interpreter.geometry.place_graph import Around, PlaceGraph

__all__ = ["Grid"]


def _positive(_instance: object, attribute: Any, value: int) -> None:
    if value < 1:
        raise ValueError(f"The number of {attribute.name} of a grid must be at least 1, not {value}.")


def _not_negative(_instance: object, attribute: Any, value: int) -> None:
    if value < 0:
        raise ValueError(f"The {attribute.name} of a grid must be at least 0, not {value}.")


class _Remembered(dict[int, tuple[int, ...]]):
    """Neighbours of a grid's places, computed when first needed."""

    def __init__(self, grid: "Grid") -> None:
        self._grid = grid

    def __missing__(self, place: int) -> tuple[int, ...]:
        self._grid.position(place)
        found = self[place] = self._grid.adjacent(place)
        return found


MOST_LINES = 50_000
"""The number of straight lines that a grid remembers: lines of sight are needed repeatedly."""


@frozen
class Grid(PlaceGraph):
    """Columns of places, numbered column first ("0304" is column 03, row 04), with ids column by column.

    So the order of ids is the order of labels. Rows are numbered downwards. Columns and rows have two digits each, or as
    many as the largest of their numbers needs. `holes` are ids without a place: the ragged edge of a map, or
    gaps in its interior. Distances are counted across them.
    """

    columns: int = field(validator=_positive)
    rows: int = field(validator=_positive)
    prefix: str = field(default="", kw_only=True)
    first_column: int = field(default=1, kw_only=True, validator=_not_negative)
    first_row: int = field(default=1, kw_only=True, validator=_not_negative)
    holes: frozenset[int] = field(default=frozenset(), kw_only=True, repr=False)
    digits: int = field(init=False, repr=False, eq=False)
    _around: "_Remembered" = field(init=False, repr=False, eq=False)
    _lines: dict[tuple[int, int], tuple[int, ...]] = field(init=False, repr=False, eq=False, factory=dict)

    @digits.default
    def _digits(self) -> int:
        last = max(self.first_column + self.columns, self.first_row + self.rows) - 1
        return max(2, len(str(last)))

    @_around.default
    def _nothing_yet(self) -> "_Remembered":
        return _Remembered(self)

    def __len__(self) -> int:
        return self.columns * self.rows

    def position(self, place: int) -> tuple[int, int]:
        """The printed (column, row) numbers of an id. Raises IndexError if there is no such id."""
        if not 0 <= place < self.columns * self.rows:
            raise IndexError(f"There is no place with id {place}: this map has ids 0 to {len(self) - 1}.")
        column, row = divmod(place, self.rows)
        return column + self.first_column, row + self.first_row

    def at(self, column: int, row: int) -> int:
        """The id at printed (column, row) numbers. Raises ValueError if they are off the map."""
        c, r = column - self.first_column, row - self.first_row
        if not 0 <= c < self.columns:
            raise ValueError(f"There is no column {column}: {self._span('columns', self.first_column, self.columns)}.")
        if not 0 <= r < self.rows:
            raise ValueError(f"There is no row {row}: {self._span('rows', self.first_row, self.rows)}.")
        return c * self.rows + r

    def label(self, place: int) -> str:
        """Column and row in digits. Raises IndexError if there is no such id."""
        column, row = self.position(place)
        return f"{self.prefix}{column:0{self.digits}}{row:0{self.digits}}"

    def index(self, label: str) -> int:
        """The id of a label. Raises ValueError, as a sentence for people, if it is not one of this map."""
        digits, number = self.digits, label.removeprefix(self.prefix)
        if (
            not label.startswith(self.prefix)
            or len(number) != 2 * digits
            or not (number.isascii() and number.isdigit())
        ):
            raise ValueError(
                f"{label!r} is not a place of this map: write column and row with {digits} digits each, "
                f"such as {self.label(0)}."
            )
        try:
            place = self.at(int(number[:digits]), int(number[digits:]))
        except ValueError as off_map:
            raise ValueError(f"{label!r} is not a place of this map. {off_map}") from None
        if place in self.holes:
            raise ValueError(f"{label!r} is not a place of this map: the map has a gap there.")
        return place

    @property
    def around(self) -> Around:
        """Neighbours by subscript, each computed when first needed."""
        return self._around

    @abstractmethod
    def adjacent(self, place: int) -> tuple[int, ...]:
        """The neighbours, computed without keeping them: for walks over the complete map. The id is not checked."""

    @abstractmethod
    def _moves(self, column: int, /) -> Mapping[str, tuple[int, int]]:
        """Direction -> (columns east, rows south), from a column counted from 0."""

    def _standing(self, found: Iterable[int], place: int = -1) -> tuple[int, ...]:
        """Those of some ids that are places; none of them if `place` is a hole."""
        return () if place in self.holes else tuple(x for x in found if x not in self.holes)

    def direction(self, a: int, b: int) -> str:
        """The direction of the step from a to an adjacent b ("n", "ne"...). Raises ValueError if not adjacent."""
        here, there = divmod(a, self.rows), divmod(b, self.rows)
        for name, (east, south) in self._moves(here[0]).items():
            if (here[0] + east, here[1] + south) == there:
                return name
        raise ValueError(f"{self.label(a)} and {self.label(b)} are not adjacent.")

    _walls: ClassVar[tuple[tuple[int, int, int], ...]] = ((1, 0, 1), (0, 1, 1))
    """The bounds of a place around its middle, as (p, q, most): the absolute value of p times east plus q times south is at most that."""
    _across: ClassVar[float] = 1.0
    """The length of a unit east, if a unit south is 1."""

    def middle(self, place: int) -> tuple[int, int]:
        """The position of the middle of a place, in whole units east and south of the first one."""
        c, r = divmod(place, self.rows)
        return 2 * c, 2 * r

    def bearing(self, a: int, b: int) -> float:
        """Degrees clockwise from north, from the middle of one place to that of another."""
        (x1, y1), (x2, y2) = self.middle(a), self.middle(b)
        return degrees(atan2((x2 - x1) * self._across, y1 - y2)) % 360

    def line(self, a: int, b: int) -> tuple[int, ...]:
        """The ids between two places on the straight line from middle to middle, nearest first, without the two.

        If the line runs along the side between two places, both are on it; a place that it meets only at a corner is not.
        """
        found = self._lines.get((a, b))
        if found is None:
            if len(self._lines) >= MOST_LINES:
                self._lines.clear()
            found = self._lines[a, b] = self._drawn_line(a, b)
        return found

    def _drawn_line(self, a: int, b: int) -> tuple[int, ...]:
        (x1, y1), (x2, y2) = self.middle(a), self.middle(b)
        walls = [(p, q, most, p * (x2 - x1) + q * (y2 - y1)) for p, q, most in self._walls]
        whole = prod(abs(step) for *_, step in walls if step)
        found = []
        for place in self._near_line((x1, y1), (x2, y2)):
            x, y = self.middle(place)
            entry = _entry(x1 - x, y1 - y, walls, whole)
            if entry is not None and place not in {a, b} and place not in self.holes:
                found.append((entry, place))
        return tuple(place for _, place in sorted(found))

    def _near_line(self, start: tuple[int, int], end: tuple[int, int]) -> Iterator[int]:
        """The ids of places that a line may enter: in every column those near it."""
        (x1, y1), (x2, y2) = sorted((start, end))
        rows = self.rows
        for c in range(self.columns):
            middle = self.middle(c * rows)[0]
            if not x1 - 2 < middle < x2 + 2:
                continue
            near = (y1, y2)
            if x1 != x2:
                at = [min(max(x, x1), x2) for x in (middle - 2, middle + 2)]
                near = (y1 + (at[0] - x1) * (y2 - y1) // (x2 - x1), y1 + (at[1] - x1) * (y2 - y1) // (x2 - x1))
            yield from range(c * rows + max(0, min(near) // 2 - 1), c * rows + min(rows - 1, max(near) // 2 + 1) + 1)

    def _span(self, what: str, first: int, count: int) -> str:
        return f"{what} run from {first:0{self.digits}} to {first + count - 1:0{self.digits}}"


def _entry(x: int, y: int, walls: list[tuple[int, int, int, int]], whole: int) -> int | None:
    """How much of a way from (x, y) lies before a place round 0, 0, in parts of which the way has `whole`; None if it never enters.

    walls: what bounds the place, each with how far the way goes across it. `whole` can be divided by each of these.
    """
    first, last = 0, whole
    for p, q, most, step in walls:
        start = p * x + q * y
        if not step:
            if abs(start) > most:
                return None
            continue
        parts = whole // step
        one, other = (-most - start) * parts, (most - start) * parts
        first, last = max(first, min(one, other)), min(last, max(one, other))
    return first if first < last else None
