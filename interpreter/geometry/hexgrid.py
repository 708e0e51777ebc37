"""Grids of hexes, in which every other column is half a hex lower."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from attrs import field, frozen

from interpreter.geometry.grid import Grid

if TYPE_CHECKING:
    pass


_HIGH_MOVES = {"n": (0, -1), "ne": (1, -1), "se": (1, 0), "s": (0, 1), "sw": (-1, 0), "nw": (-1, -1)}
_LOW_MOVES = {"n": (0, -1), "ne": (1, 0), "se": (1, 1), "s": (0, 1), "sw": (-1, 1), "nw": (-1, 0)}


@frozen
class HexGrid(Grid):
    """Flat-topped hexes in columns; `low_columns` says which column numbers are half a hex lower.

    >>> grid = HexGrid(5, 5, low_columns="even")
    >>> [grid.label(hex) for hex in grid.neighbours(grid.index("0202"))]
    ['0102', '0103', '0201', '0203', '0302', '0303']
    >>> grid.distance(grid.index("0101"), grid.index("0503"))
    4
    """

    low_columns: Literal["even", "odd"] = field(default="even", kw_only=True)

    @low_columns.validator
    def _known(self, _attribute: object, value: str) -> None:
        if value not in ("even", "odd"):
            raise ValueError(f'low_columns must be "even" or "odd", not {value!r}.')

    def is_low(self, column: int) -> bool:
        """Whether a column, numbered from 0 at the left edge, is half a hex lower."""
        return (column + self.first_column) % 2 == (self.low_columns == "odd")

    def distance(self, a: int, b: int) -> int:
        """Hexes from a to b, as rules count range: 0 for the same hex, 1 for a neighbour."""
        # Doubled rows (2 a hex, 1 for a low column) make a step sideways also a half step up or down.
        rows, odd, low = self.rows, self.first_column, self.low_columns == "odd"
        if not (0 <= a < self.columns * rows and 0 <= b < self.columns * rows):
            self.position(a), self.position(b)  # one of them raises
        (here, high), (there, other) = divmod(a, rows), divmod(b, rows)
        across = abs(here - there)
        along = abs(2 * (high - other) + ((here + odd) % 2 == low) - ((there + odd) % 2 == low))
        return across + max(0, along - across) // 2

    def within(self, place: int, steps: int) -> list[int]:
        """The ids at most `steps` hexes away, the hex itself included, ascending."""
        middle, height = self._doubled(place)
        found: list[int] = []
        for c in range(max(0, middle - steps), min(self.columns, middle + steps + 1)):
            low = self.is_low(c)
            spare = 2 * steps - abs(c - middle)
            top = max(0, -(-(height - spare - low) // 2))
            bottom = min(self.rows - 1, (height + spare - low) // 2)
            found.extend(range(c * self.rows + top, c * self.rows + bottom + 1))
        return list(self._standing(found)) if self.holes else found

    # Half a side is a unit east, half a height one south: so all corners of hexes are at whole units.
    _walls = ((0, 1, 1), (1, 1, 2), (1, -1, 2))
    _across = 3**0.5 / 3

    def middle(self, place: int) -> tuple[int, int]:
        """The position of the middle of a hex: 3 units east for each column, 2 south for each row, 1 more in a low column."""
        c, high = self._doubled(place)
        return 3 * c, high

    def _doubled(self, place: int) -> tuple[int, int]:
        column, row = self.position(place)
        c = column - self.first_column
        return c, 2 * (row - self.first_row) + self.is_low(c)

    def _moves(self, column: int, /) -> Mapping[str, tuple[int, int]]:
        return _LOW_MOVES if self.is_low(column) else _HIGH_MOVES

    def adjacent(self, place: int) -> tuple[int, ...]:
        """The neighbours, computed without keeping them."""
        rows = self.rows
        c, r = divmod(place, rows)
        # Next to a low column are rows r and r+1 of the adjacent columns, next to a high one r-1 and r.
        upper = r if self.is_low(c) else r - 1
        found = []
        if c:
            west = (c - 1) * rows
            if upper >= 0:
                found.append(west + upper)
            if upper + 1 < rows:
                found.append(west + upper + 1)
        if r:
            found.append(place - 1)
        if r + 1 < rows:
            found.append(place + 1)
        if c + 1 < self.columns:
            east = (c + 1) * rows
            if upper >= 0:
                found.append(east + upper)
            if upper + 1 < rows:
                found.append(east + upper + 1)
        return self._standing(found, place) if self.holes else tuple(found)
