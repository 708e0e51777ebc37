"""Grids of squares, in columns and rows."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import field, frozen

if TYPE_CHECKING:
    pass
from interpreter.geometry.grid import Grid

__all__ = ["SquareGrid"]


_STRAIGHT = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}


_DIAGONAL = {
    "n": (0, -1), "ne": (1, -1), "e": (1, 0), "se": (1, 1), "s": (0, 1), "sw": (-1, 1), "w": (-1, 0), "nw": (-1, -1),
}  # fmt: skip


@frozen
class SquareGrid(Grid):
    """Squares (sectors) in columns and rows, numbered like hexes; with `diagonals` a corner is a border too.

    >>> grid = SquareGrid(3, 3)
    >>> [grid.label(place) for place in grid.neighbours(grid.index("0202"))]
    ['0102', '0201', '0203', '0302']
    """

    diagonals: bool = field(default=False, kw_only=True)

    def distance(self, a: int, b: int) -> int:
        """Steps from a to b on an open map."""
        (ac, ar), (bc, br) = self.position(a), self.position(b)
        across, along = abs(ac - bc), abs(ar - br)
        return max(across, along) if self.diagonals else across + along

    def within(self, place: int, steps: int) -> list[int]:
        """The ids at most `steps` steps away, the square itself included, ascending."""
        column, row = self.position(place)
        middle, level = column - self.first_column, row - self.first_row
        found: list[int] = []
        for c in range(max(0, middle - steps), min(self.columns, middle + steps + 1)):
            spare = steps if self.diagonals else steps - abs(c - middle)
            top, bottom = max(0, level - spare), min(self.rows - 1, level + spare)
            found.extend(range(c * self.rows + top, c * self.rows + bottom + 1))
        return list(self._standing(found)) if self.holes else found

    def _moves(self, _column: int, /) -> Mapping[str, tuple[int, int]]:
        return _DIAGONAL if self.diagonals else _STRAIGHT

    def adjacent(self, place: int) -> tuple[int, ...]:
        """The neighbours, computed without keeping them."""
        c, r = divmod(place, self.rows)
        found = sorted(
            place + east * self.rows + south
            for east, south in self._moves(c).values()
            if 0 <= c + east < self.columns and 0 <= r + south < self.rows
        )
        return self._standing(found, place) if self.holes else tuple(found)
