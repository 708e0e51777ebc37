"""Sets of places as boards: one big integer with one bit a place, so that a complete map is spread or masked in a few steps.

A board is a plain int: `a & b`, `a | b` and `a & ~b` mean what they say, and 0 is the empty board. Only the `Boards` of a map
knows which bit belongs to which place. Grids leave an unused bit below each column so that a shift
never carries a place from one column into the next. This package knows nothing of costs and routes on boards.
"""

import struct
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache
from itertools import compress

from interpreter.geometry.atlas import Atlas
from interpreter.geometry.grid import Grid
from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.place_graph import PlaceGraph
from interpreter.geometry.squares import SquareGrid

_TO_FLAGS = bytes(int(value == ord("1")) for value in range(256))
_TO_DIGITS = bytes(ord("1") if value else ord("0") for value in range(256))
_DENSE = 40  # Below one place in this many, looking for words with a bit in them beats unpacking every bit.


class Boards(ABC):
    """The boards of one map. `graph` is the map, `full` the board of all its places."""

    __slots__ = ("_bits", "full", "graph")

    graph: PlaceGraph
    full: int
    _bits: int

    @property
    def width(self) -> int:
        """The maximum number of bits of its boards."""
        return self._bits

    @abstractmethod
    def bit(self, place: int) -> int:
        """The number of the bit that stands for a place id."""

    @abstractmethod
    def spread(self, board: int) -> int:
        """The board of all places adjacent to some place of the board.

        A place of the board itself is in the result only if it adjoins another place of the board.
        """

    @abstractmethod
    def _place(self, bit: int) -> int: ...

    @abstractmethod
    def _with_gaps(self, digits: bytes) -> bytes:
        """One digit a bit, from one digit a place."""

    @abstractmethod
    def _drop_gaps(self, digits: bytearray) -> None:
        """Leave one digit a place, where there is one a bit."""

    def board(self, places: Iterable[int]) -> int:
        """The board of some place ids."""
        raw = bytearray(self._bits // 8 + 1)
        bit = self.bit
        for place in places:
            at = bit(place)
            raw[at >> 3] |= 1 << (at & 7)
        return int.from_bytes(raw, "little")

    def has(self, board: int, place: int) -> bool:
        """Whether a place is on the board. Its time grows with the map: for many places use `flags` once."""
        return bool(board >> self.bit(place) & 1)

    def count(self, board: int) -> int:
        """How many places are on the board."""
        return board.bit_count()

    def places(self, board: int) -> list[int]:
        """The place ids on the board, ascending. Raises ValueError if the board has bits that are not places."""
        if board & ~self.full:
            raise ValueError("This board has places beyond the edge of its map, so it belongs to another map.")
        if board.bit_count() * _DENSE > self._bits:
            return list(compress(range(len(self.graph)), self.flags(board)))
        words = self._bits // 64 + 1
        place = self._place
        found: list[int] = []
        for number, word in enumerate(struct.unpack(f"<{words}Q", board.to_bytes(words * 8, "little"))):
            while word:
                lowest = word & -word
                found.append(place(number * 64 + lowest.bit_length() - 1))
                word ^= lowest
        return found

    def flags(self, board: int) -> bytearray:
        """One byte for each place, 1 if it is on the board and 0 if not, shape (n,), in the order of ids."""
        digits = bytearray(f"{board:0{self._bits}b}".encode())
        digits.reverse()
        self._drop_gaps(digits)
        return digits.translate(_TO_FLAGS)

    def from_flags(self, flags: bytes | bytearray) -> int:
        """The board of the places whose byte is not 0; shape (n,). The inverse of `flags`."""
        if len(flags) != len(self.graph):
            raise ValueError(f"There must be one byte for each place: {len(self.graph)} bytes, not {len(flags)}.")
        return int(self._with_gaps(bytes(flags).translate(_TO_DIGITS))[::-1], 2) & self.full


class DrawnBoards(Boards):
    """Boards over any graph, spread place by place: suitable for maps of at most a few thousand places."""

    __slots__ = ("_near",)

    def __init__(self, graph: PlaceGraph) -> None:
        self.graph = graph
        self._bits = max(1, len(graph))
        self.full = (1 << len(graph)) - 1
        self._near = tuple(sum(1 << other for other in graph.neighbours(place)) for place in range(len(graph)))

    def bit(self, place: int) -> int:
        """The number of the bit that stands for a place id."""
        return place

    def spread(self, board: int) -> int:
        """The board of all places adjacent to some place of the board."""
        found = 0
        for place in self.places(board):
            found |= self._near[place]
        return found

    def _place(self, bit: int) -> int:
        return bit

    def _with_gaps(self, digits: bytes) -> bytes:
        return digits or b"0"

    def _drop_gaps(self, digits: bytearray) -> None:
        del digits[len(self.graph) :]


class GridBoards(Boards):
    """Boards over a grid: column by column, with one bit under each column that stays 0."""

    __slots__ = ("_rows", "_stride", "_whole")

    graph: Grid

    def __init__(self, grid: Grid) -> None:
        self.graph = grid
        self._rows = grid.rows
        self._stride = grid.rows + 1
        self._bits = self._stride * grid.columns
        self._whole = int(("0" + "1" * grid.rows) * grid.columns, 2)
        self.full = self._whole
        if grid.holes:
            self.full ^= self.board(grid.holes)

    def bit(self, place: int) -> int:
        """The number of the bit that stands for a place id."""
        return place + place // self._rows

    def _place(self, bit: int) -> int:
        return bit - bit // self._stride

    def _with_gaps(self, digits: bytes) -> bytes:
        rows = self._rows
        return b"0".join(digits[start : start + rows] for start in range(0, len(digits), rows))

    def _drop_gaps(self, digits: bytearray) -> None:
        del digits[self._rows :: self._stride]


class HexBoards(GridBoards):
    """Boards over a hex grid: six shifts, two of which depend on whether the column stands lower."""

    __slots__ = ("_above_high", "_below_low")

    graph: HexGrid

    def __init__(self, grid: HexGrid) -> None:
        super().__init__(grid)
        column, nothing = "0" + "1" * grid.rows, "0" * self._stride
        # The digits of an int start with its highest bits, so the last column comes first.
        lows = (column if grid.is_low(number) else nothing for number in reversed(range(grid.columns)))
        low = int("".join(lows), 2)
        # The bits one row below the places of lower columns, and one above those of higher ones.
        self._below_low = low << 1
        self._above_high = (self._whole ^ low) >> 1

    def spread(self, board: int) -> int:
        """The board of all places adjacent to some place of the board."""
        stride, down, up = self._stride, board << 1, board >> 1
        beside = board | down & self._below_low | up & self._above_high
        return (down | up | beside << stride | beside >> stride) & self.full


class SquareBoards(GridBoards):
    """Boards over a square grid, with or without diagonals."""

    __slots__ = ("_diagonals",)

    def __init__(self, grid: SquareGrid) -> None:
        super().__init__(grid)
        self._diagonals = grid.diagonals

    def spread(self, board: int) -> int:
        """The board of all places adjacent to some place of the board."""
        stride = self._stride
        upright = board << 1 | board >> 1
        beside = board | upright if self._diagonals else board
        return (upright | beside << stride | beside >> stride) & self.full


class AtlasBoards(Boards):
    """Boards over several maps: the boards of each, one above the other."""

    __slots__ = ("_masks", "_parts", "_shifts")

    graph: Atlas

    def __init__(self, atlas: Atlas) -> None:
        self.graph = atlas
        self._parts = tuple(boards_of(part) for part in atlas.parts)
        shifts, bits, full = [], 0, 0
        for part in self._parts:
            shifts.append(bits)
            full |= part.full << bits
            bits += part.width
        self._shifts, self._bits, self.full = tuple(shifts), max(1, bits), full
        self._masks = tuple((1 << part.width) - 1 for part in self._parts)

    def bit(self, place: int) -> int:
        """The number of the bit that stands for a place id."""
        number, inner = self.graph.split(place)
        return self._shifts[number] + self._parts[number].bit(inner)

    def spread(self, board: int) -> int:
        """The board of all places adjacent to some place of the board."""
        found = 0
        for part, shift, mask in zip(self._parts, self._shifts, self._masks, strict=True):
            own = board >> shift & mask
            if own:
                found |= part.spread(own) << shift
        return found

    def _place(self, bit: int) -> int:
        number = bisect_right(self._shifts, bit) - 1
        return self.graph.starts[number] + self._parts[number]._place(bit - self._shifts[number])  # noqa: SLF001 (boards as well)

    def _with_gaps(self, digits: bytes) -> bytes:
        out = []
        for part, start in zip(self._parts, self.graph.starts, strict=True):
            own = digits[start : start + len(part.graph)]
            out.append(part._with_gaps(own).ljust(part.width, b"0"))  # noqa: SLF001 (boards as well)
        return b"".join(out) or b"0"

    def _drop_gaps(self, digits: bytearray) -> None:
        out = bytearray()
        for part, shift in zip(self._parts, self._shifts, strict=True):
            own = digits[shift : shift + part.width]
            part._drop_gaps(own)  # noqa: SLF001 (boards as well)
            out += own
        digits[:] = out


@lru_cache(maxsize=64)
def boards_of(graph: PlaceGraph) -> Boards:
    """The boards of a map: shifts for grids, neighbour masks for drawn graphs, one above the other for several maps. Created once for each map."""
    if isinstance(graph, Atlas):
        return AtlasBoards(graph)
    if isinstance(graph, HexGrid):
        return HexBoards(graph)
    if isinstance(graph, SquareGrid):
        return SquareBoards(graph)
    return DrawnBoards(graph)
