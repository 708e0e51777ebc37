"""The places of a map and which of them touch: hex grids, square grids and drawn graphs.

A place is an int id from 0 to n-1 inside the program and a label ("0304", "Lorraine") for people. Grids are
implicit: nothing is stored for a hex until somebody asks for its neighbours. What stands on a place, what it costs
to enter, and who owns it are no business of this room.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from math import atan2, degrees, prod
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

from attrs import define, field, frozen

if TYPE_CHECKING:
    import networkx as nx


class Around(Protocol):
    """Neighbours by subscript: place id -> adjacent ids, ascending."""

    def __getitem__(self, place: int, /) -> tuple[int, ...]: ...


class PlaceGraph(ABC):
    """Places with ids and labels, and which of them are adjacent. Adjacency is symmetric, and no place adjoins itself."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int:
        """The number of places, n. Ids run from 0 to n-1."""

    @abstractmethod
    def label(self, place: int) -> str:
        """The label of an id. Raises IndexError if there is no such id."""

    @abstractmethod
    def index(self, label: str) -> int:
        """The id of a label. Raises ValueError, as a sentence for people, if the map has no such place."""

    @property
    @abstractmethod
    def around(self) -> "Around":
        """The same as `neighbours`, by subscript: `around[place]`, for inner loops."""

    @property
    def holes(self) -> frozenset[int]:
        """The ids that stand for no place: nothing adjoins them, and no label means one."""
        return frozenset()

    def neighbours(self, place: int) -> tuple[int, ...]:
        """The adjacent ids, ascending. Raises IndexError if there is no such id."""
        return self.around[place]

    def labels(self) -> Iterator[str]:
        """All labels, in the order of their ids."""
        return (self.label(place) for place in range(len(self)))

    def edges(self) -> Iterator[tuple[int, int]]:
        """Every adjacent pair once, as (lower id, higher id), in ascending order."""
        for place in range(len(self)):
            for other in self.adjacent(place):
                if other > place:
                    yield place, other

    def distance(self, a: int, b: int) -> int:
        """The fewest steps from one place to another. Raises ValueError if no way joins them."""
        found = self.steps_from(a).get(b)
        if found is None:
            raise ValueError(f"No chain of borders joins {self.label(a)} and {self.label(b)}.")
        return found

    def within(self, place: int, steps: int) -> list[int]:
        """The ids at most `steps` steps away, the place itself included, ascending. Empty if `steps` is negative."""
        return sorted(other for other, far in self.steps_from(place).items() if far <= steps)

    def graph(
        self,
        attributes: Mapping[str, Mapping[str, Any]] | None = None,
        links: Mapping[str, Iterable[tuple[str, str]]] | None = None,
    ) -> "nx.Graph[str]":
        """The same map as a networkx graph, for readers, tests and exports.

        Nodes are labels and carry `id` and what `attributes` says of them (label -> name -> value). Every edge
        carries `adjacent` (bool) and `links` (frozenset of link names); `links` gives each link name (such as "road")
        its pairs of labels. A link may join places that are not adjacent. Raises ValueError for an unknown label.
        """
        import networkx as nx

        built: nx.Graph[str] = nx.Graph()
        names = list(self.labels())
        holes = self.holes
        for place, name in enumerate(names):
            if place not in holes:
                built.add_node(name, id=place)
        for a, b in self.edges():
            built.add_edge(names[a], names[b], adjacent=True, links=frozenset())
        for name, values in (attributes or {}).items():
            built.nodes[self.label(self.index(name))].update(values)
        for link, pairs in (links or {}).items():
            for first, second in pairs:
                here, there = self.label(self.index(first)), self.label(self.index(second))
                if not built.has_edge(here, there):
                    built.add_edge(here, there, adjacent=False, links=frozenset())
                built.edges[here, there]["links"] |= {link}
        return built

    def adjacent(self, place: int) -> tuple[int, ...]:
        """The neighbours, worked out afresh and not kept: for walks over the whole map. The id is not checked."""
        return self.around[place]

    def steps_from(self, place: int) -> dict[int, int]:
        """Steps to every place that can be reached, nearest first."""
        self.label(place)
        steps = {place: 0}
        queue = deque([place])
        while queue:
            here = queue.popleft()
            far = steps[here] + 1
            for other in self.neighbours(here):
                if other not in steps:
                    steps[other] = far
                    queue.append(other)
        return steps


def _positive(_instance: object, attribute: Any, value: int) -> None:
    if value < 1:
        raise ValueError(f"A grid needs at least one of its {attribute.name}, not {value}.")


def _not_negative(_instance: object, attribute: Any, value: int) -> None:
    if value < 0:
        raise ValueError(f"The {attribute.name} of a grid is numbered from 0 up, not {value}.")


class _Remembered(dict[int, tuple[int, ...]]):
    """Neighbours of a grid's places, worked out when first asked for."""

    def __init__(self, grid: "Grid") -> None:
        self._grid = grid

    def __missing__(self, place: int) -> tuple[int, ...]:
        self._grid.position(place)
        found = self[place] = self._grid.adjacent(place)
        return found


MOST_LINES = 50_000
"""A grid remembers so many straight lines: lines of sight are asked for again and again."""


@frozen
class Grid(PlaceGraph):
    """Columns of places, numbered column first ("0304" is column 03, row 04), with ids column by column.

    So the order of ids is the order of labels. Rows count downwards. Columns and rows have two digits each, or as
    many as the largest of their numbers needs. `holes` are ids at which there is no place: the ragged edge of a map, or
    what nobody can enter in its midst. Distances are counted across them.
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
        """The id at printed (column, row) numbers. Raises ValueError if they lie off the map."""
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
            raise ValueError(f"{label!r} is not a place of this map: there is none at that spot.")
        return place

    @property
    def around(self) -> Around:
        """Neighbours by subscript, each worked out when first asked for."""
        return self._around

    @abstractmethod
    def adjacent(self, place: int) -> tuple[int, ...]:
        """The neighbours, worked out afresh and not kept: for walks over the whole map. The id is not checked."""

    @abstractmethod
    def _moves(self, column: int, /) -> Mapping[str, tuple[int, int]]:
        """Direction -> (columns east, rows south), from a column counted from 0."""

    def towards(self, place: int, direction: str) -> int | None:
        """The adjacent id in a direction ("n", "ne"...), or None at the edge of the map.

        Raises ValueError for a direction this grid does not have.
        """
        c, r = divmod(place, self.rows)
        moves = self._moves(c)
        if direction not in moves:
            raise ValueError(f"{direction!r} is not a direction here: use one of {', '.join(moves)}.")
        east, south = moves[direction]
        if 0 <= c + east < self.columns and 0 <= r + south < self.rows:
            found = place + east * self.rows + south
            return None if found in self.holes else found
        return None

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
    """What bounds a place round its middle, as (p, q, most): the size of p times east plus q times south is at most that."""
    _across: ClassVar[float] = 1.0
    """How long a unit east is, if a unit south is 1."""

    def middle(self, place: int) -> tuple[int, int]:
        """Where the middle of a place lies, in whole units east and south of the first one."""
        c, r = divmod(place, self.rows)
        return 2 * c, 2 * r

    def bearing(self, a: int, b: int) -> float:
        """Degrees clockwise from north, from the middle of one place to that of another."""
        (x1, y1), (x2, y2) = self.middle(a), self.middle(b)
        return degrees(atan2((x2 - x1) * self._across, y1 - y2)) % 360

    def line(self, a: int, b: int) -> tuple[int, ...]:
        """The ids between two places on the straight line from middle to middle, nearest first, without the two.

        Where the line runs along the side between two places both are on it; what it meets at a corner only is not.
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


_HIGH_MOVES = {"n": (0, -1), "ne": (1, -1), "se": (1, 0), "s": (0, 1), "sw": (-1, 0), "nw": (-1, -1)}
_LOW_MOVES = {"n": (0, -1), "ne": (1, 0), "se": (1, 1), "s": (0, 1), "sw": (-1, 1), "nw": (-1, 0)}


@frozen
class HexGrid(Grid):
    """Flat-topped hexes in columns; `low_columns` says which column numbers stand half a hex lower.

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
        """Whether a column, counted from 0 at the left edge, stands half a hex lower."""
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

    # Half a side is a unit east, half a height one south: so all corners of hexes lie on whole units.
    _walls = ((0, 1, 1), (1, 1, 2), (1, -1, 2))
    _across = 3**0.5 / 3

    def middle(self, place: int) -> tuple[int, int]:
        """Where the middle of a hex lies: 3 units east for each column, 2 south for each row, 1 more in a low column."""
        c, high = self._doubled(place)
        return 3 * c, high

    def _doubled(self, place: int) -> tuple[int, int]:
        column, row = self.position(place)
        c = column - self.first_column
        return c, 2 * (row - self.first_row) + self.is_low(c)

    def _moves(self, column: int, /) -> Mapping[str, tuple[int, int]]:
        return _LOW_MOVES if self.is_low(column) else _HIGH_MOVES

    def adjacent(self, place: int) -> tuple[int, ...]:
        """The neighbours, worked out afresh and not kept."""
        rows = self.rows
        c, r = divmod(place, rows)
        # Beside a low column stand rows r and r+1 of the next columns, beside a high one r-1 and r.
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
        """The neighbours, worked out afresh and not kept."""
        c, r = divmod(place, self.rows)
        found = sorted(
            place + east * self.rows + south
            for east, south in self._moves(c).values()
            if 0 <= c + east < self.columns and 0 <= r + south < self.rows
        )
        return self._standing(found, place) if self.holes else tuple(found)


@define(init=False, eq=False)
class DrawnGraph(PlaceGraph):
    """Places somebody drew: zones, boxes, super-hexes. Ids follow the order of the labels.

    `borders` are pairs of labels; a pair may be given twice or either way round. Raises ValueError for a label given
    twice, a border with an unknown label, or a place that borders itself.

    >>> map = DrawnGraph(["North", "Ford", "South"], [("North", "Ford"), ("Ford", "South")])
    >>> map.distance(map.index("North"), map.index("South"))
    2
    """

    _names: tuple[str, ...]
    _ids: dict[str, int] = field(repr=False)
    _around: tuple[tuple[int, ...], ...] = field(repr=False)
    _far: dict[int, dict[int, int]] = field(repr=False)

    def __init__(self, labels: Iterable[str], borders: Iterable[tuple[str, str]] = ()) -> None:
        self._names = tuple(labels)
        self._ids = {name: place for place, name in enumerate(self._names)}
        if len(self._ids) < len(self._names):
            twice = next(name for place, name in enumerate(self._names) if self._ids[name] != place)
            raise ValueError(f"{twice!r} names two places: give each place a label of its own.")
        around: list[set[int]] = [set() for _ in self._names]
        for first, second in borders:
            a, b = self.index(first), self.index(second)
            if a == b:
                raise ValueError(f"{first!r} cannot border itself.")
            around[a].add(b)
            around[b].add(a)
        self._around = tuple(tuple(sorted(others)) for others in around)
        self._far = {}

    def __len__(self) -> int:
        return len(self._names)

    def label(self, place: int) -> str:
        """The label of an id. Raises IndexError if there is no such id."""
        if not 0 <= place < len(self._names):
            raise IndexError(f"There is no place with id {place}: this map has ids 0 to {len(self) - 1}.")
        return self._names[place]

    def index(self, label: str) -> int:
        """The id of a label. Raises ValueError if the map has no such place."""
        try:
            return self._ids[label]
        except KeyError:
            raise ValueError(f"{label!r} is not a place of this map.") from None

    @property
    def around(self) -> Around:
        """Neighbours by subscript, each worked out when first asked for."""
        return self._around

    def neighbours(self, place: int) -> tuple[int, ...]:
        """The adjacent ids, ascending. Raises IndexError if there is no such id."""
        self.label(place)
        return self._around[place]

    def steps_from(self, place: int) -> dict[int, int]:
        """Steps to every place that can be reached, nearest first."""
        known = self._far.get(place)
        if known is None:
            known = self._far[place] = super().steps_from(place)
        return known
