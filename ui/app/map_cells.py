"""The map drawn in character cells at three sizes: which cells of which line show which hex, and how.

    far     2 by 1 cells a hex: the lie of the land; half blocks give columns their half step
    middle  4 by 2: number, then terrain, side and strength
    near    8 by 4: true hexagons with number, counter, name and routes

Drawing is by line and by column, so only what is visible is ever made. Nothing here knows a widget.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from attrs import field, frozen
from rich.segment import Segment
from rich.style import Style

from ui.maps.chart import Cell, Chart, Stack, short_label
from ui.maps.symbols import Colour, echelon_of, number_of, short_name, states_shown
from ui.maps.wires import SHORT, wires_of

__all__ = ["FAR", "MIDDLE", "NEAR", "ZOOMS", "MapSheet", "Zoom"]

VOID: Final[Colour] = (24, 26, 28)
"""The colour outside the hexes."""
LIT: Final[Colour] = (255, 214, 64)
"""The cursor."""
DARK: Final[Colour] = (16, 16, 16)
WHITE: Final[Colour] = (255, 255, 255)
STRUCK: Final = Style(strike=True)
"""For the words on a counter whose state crosses it out."""
EDGE: Final[Colour] = (104, 100, 84)
WAY: Final[Colour] = (128, 40, 16)
WIRE: Final[Colour] = (196, 184, 152)
"""Lines between places that stand apart, on the void."""


@frozen
class Zoom:
    """A drawing size: the width and height of a hex in cells."""

    name: str
    width: int
    height: int


FAR = Zoom("far", 2, 1)
MIDDLE = Zoom("middle", 4, 2)
NEAR = Zoom("near", 8, 4)
ZOOMS = (FAR, MIDDLE, NEAR)

BORDER_AT = (1, 0, 0, 1)
"""Near: the indentation of a hex's left border on each of its four lines."""


@lru_cache(maxsize=4096)
def _style(ink: Colour, ground: Colour, bold: bool = False, underline: bool = False) -> Style:
    return Style(
        color="#{:02x}{:02x}{:02x}".format(*ink),
        bgcolor="#{:02x}{:02x}{:02x}".format(*ground),
        bold=bold,
        underline=underline,
    )


@frozen(eq=False)
class MapSheet:
    """A chart at one size.

    Attributes:
        chart: what to draw.
        zoom: how large.
        plain: letters in every cell of the far size, instead of half blocks.
        marked: labels of hexes marked with a star.
        chosen: the id of the thing shown on top of its stack, or empty.
    """

    chart: Chart
    zoom: Zoom
    plain: bool = False
    marked: frozenset[str] = frozenset()
    chosen: str = ""
    wires: Mapping[tuple[int, int], str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "wires", wires_of(self.chart, self.zoom.width, self.zoom.height))

    @property
    def width(self) -> int:
        """In cells."""
        return self.chart.across * self.zoom.width + (2 if self.zoom is NEAR else 0)

    @property
    def height(self) -> int:
        """In lines."""
        half = self.zoom.height // 2 if self.zoom is not FAR else int(not self.plain)
        return self.chart.rows * self.zoom.height + (half if self.chart.staggered else 0)

    def corner(self, column: int, row: int) -> tuple[int, int]:
        """The first cell and line of a hex."""
        return column * self.zoom.width, row * self.zoom.height + self._sunk(column)

    def place_at(self, x: int, y: int) -> tuple[int, int] | None:
        """The column and row of the hex that a cell of the drawing shows."""
        for column in (x // self.zoom.width, x // self.zoom.width - 1):
            if self.start(y, column) <= x < self.start(y, column + 1):
                row = (y - self._sunk(column)) // self.zoom.height
                return (column, row) if (column, row) in self.chart.cells else None
        return None

    def start(self, y: int, column: int) -> int:
        """The cell at which a column starts on a line."""
        if self.zoom is NEAR and self.chart.staggered:
            return 8 * column + BORDER_AT[(y - self._sunk(column)) % 4]
        return self.zoom.width * column

    def line(self, y: int, first: int, last: int, cursor: tuple[int, int] | None) -> list[Segment]:
        """The part of a line that shows some columns, including the last; it starts at `start(y, first)`."""
        found: list[Segment] = []
        for column in range(first, last + 1):
            if self.zoom is NEAR:
                found += self._near(column, y, cursor)
            elif self.zoom is MIDDLE:
                found.append(self._middle(column, y, cursor))
            else:
                found.append(self._far(column, y, cursor))
        return found

    def _gap(self, x: int, y: int, width: int) -> Segment:
        """What is drawn where no place is: nothing, or what joins places that stand apart."""
        return Segment("".join(self.wires.get((x + at, y), " ") for at in range(width)), _style(WIRE, VOID))

    def _label(self, cell: Cell) -> str:
        return cell.label[:SHORT] if self.chart.apart else short_label(cell.label)

    def _sunk(self, column: int) -> int:
        """How many lines lower a column is drawn."""
        return self.zoom.height // 2 if self.chart.is_low(column) else 0

    # ---- far

    def _far(self, column: int, y: int, cursor: tuple[int, int] | None) -> Segment:
        cell = self.chart.cells.get((column, y))
        if self.plain or not self.chart.is_low(column):
            return self._far_cell(cell, (column, y) == cursor, 2 * column, y)
        above = self.chart.cells.get((column, y - 1))
        if cell and (cell.stacks or (column, y) == cursor or cell.label in self.marked):
            return self._far_cell(cell, (column, y) == cursor, 2 * column, y)
        return Segment("▀▀", _style(_far_colour(above), _far_colour(cell)))

    def _far_cell(self, cell: Cell | None, here: bool, x: int, y: int) -> Segment:
        if cell is None:
            return self._gap(x, y, 2)
        letter = cell.letter if self.plain and cell.letter != "." else " "
        text = f"{cell.stacks[0].letter}{_number(cell.stacks[0], 1)}" if cell.stacks else f"{letter} "
        if cell.label in self.marked:
            text = f"{text[0]}*"
        if here:
            return Segment(text if text.strip() else "[]", _under_cursor())
        return Segment(text, _on_counter(cell.stacks[0]) if cell.stacks else _on_ground(cell))

    # ---- middle

    def _middle(self, column: int, y: int, cursor: tuple[int, int] | None) -> Segment:
        row, second = divmod(y - self._sunk(column), 2)
        cell = self.chart.cells.get((column, row))
        if cell is None:
            return self._gap(4 * column, y, 4)
        here = (column, row) == cursor
        if not second:
            text = f"{self._label(cell):<4}"
            return Segment(text, _under_cursor() if here else _on_ground(cell, soft=True))
        star = cell.label in self.marked
        if cell.stacks:
            text = f"{'*' if star else cell.letter}{_who(cell)}"
            return Segment(text, _under_cursor() if here else _on_counter(cell.stacks[0]))
        text = f"{'■' if cell.name else ' '}{cell.letter}{self._way_sign(cell)}{'*' if star else ' '}"
        return Segment(text, _under_cursor() if here else _on_ground(cell))

    def _way_sign(self, cell: Cell) -> str:
        return next((self.chart.way_signs[name] for name in self.chart.ways_at.get(cell.label, ())), " ")

    # ---- near

    def _near(self, column: int, y: int, cursor: tuple[int, int] | None) -> list[Segment]:
        row, part = divmod(y - self._sunk(column), 4)
        cell = self.chart.cells.get((column, row))
        side = "nw" if part < 2 else "sw"
        west = self.chart.beside(column, row, side)
        lit = cursor in {(column, row), (west.column, west.row) if west else None}
        width = self.start(y, column + 1) - self.start(y, column) - 1
        border = self._border(cell, west, part, lit, self.start(y, column), y)
        if column == self.chart.across:
            return [border]
        if cell is None:
            return [border, self._gap(self.start(y, column) + 1, y, width)]
        return [border, *self._body(cell, part, width, (column, row) == cursor)]

    def _border(self, cell: Cell | None, west: Cell | None, part: int, lit: bool, x: int, y: int) -> Segment:
        if cell is None and west is None:
            return self._gap(x, y, 1)
        ground = cell.ground.colour if cell else VOID
        glyph = ("╱" if part < 2 else "╲") if self.chart.staggered else "│"
        ink = EDGE
        ways = self.chart.ways_between(cell, west)
        if ways:
            glyph, ink = self.chart.way_signs[ways[0]], WAY
        return Segment(glyph, _under_cursor() if lit else _style(ink, ground, bold=bool(ways)))

    def _body(self, cell: Cell, part: int, width: int, here: bool) -> list[Segment]:
        if part == 0:
            text = f"{self._label(cell):<4}{'*' if cell.label in self.marked else ' '}{cell.letter}"
            style = _under_cursor() if here else _on_ground(cell, soft=True)
            return [Segment(f"{text:<{width}}"[:width], style)]
        if part == 3:
            return self._foot(cell, width)
        if cell.stacks:
            return _counter(cell, part, width, self.chosen)
        return self._ways_inside(cell, part, width)

    def _ways_inside(self, cell: Cell, part: int, width: int) -> list[Segment]:
        """The links (such as roads) in the left and right half of a hex, towards the sides where they leave it."""
        halves = []
        for direction in ("nw", "ne") if part == 1 else ("sw", "se"):
            other = self.chart.beside(cell.column, cell.row, direction)
            ways = self.chart.ways_between(cell, other)
            halves.append((self.chart.way_signs[ways[0]] if ways else " ") * (width // 2))
        return [Segment(f"{''.join(halves):<{width}}", _style(WAY, cell.ground.colour))]

    def _foot(self, cell: Cell, width: int) -> list[Segment]:
        """The lowest line: the name of the place, or the link that leads south, with the edge as an underline."""
        south = self.chart.ways_between(cell, self.chart.beside(cell.column, cell.row, "s"))
        text = cell.name[:width] or (self.chart.way_signs[south[0]] * 2 if south else "")
        ink = WAY if south and not cell.name else DARK
        return [Segment(f"{text:^{width}}", _style(ink, cell.ground.colour, bool(cell.name), underline=True))]


def _under_cursor() -> Style:
    """Highlighted and underlined: without colours the highlight alone would not be visible."""
    return _style(DARK, LIT, bold=True, underline=True)


def _who(cell: Cell) -> str:
    """Middle: three cells for what is there: `M28`, `Mx3` for a stack, `MU` for two sides."""
    if len(cell.stacks) > 1:
        return f"{''.join(stack.letter for stack in cell.stacks)[:3]:<3}"
    return f"{cell.stacks[0].letter}{_number(cell.stacks[0], 2):>2}"


def _number(stack: Stack, width: int) -> str:
    """The number of things in a stack, or the strength of its only thing if that fits and is unambiguous."""
    if len(stack.things) > 1:
        return f"x{min(len(stack.things), 9)}"[-width:]
    return stack.number if width > 1 and stack.number and len(stack.number) <= width else "1"


def _counter(cell: Cell, part: int, width: int, chosen: str) -> list[Segment]:
    """Near: one of the two lines of a counter, between margins that show the terrain."""
    shown = cell.stacks if len(cell.stacks) > 1 else cell.stacks[:1]
    ground = _on_ground(cell)
    inner = width - 2
    if len(shown) > 1:
        half = inner // 2
        pieces = [
            Segment(f"{stack.letter if part == 1 else _number(stack, 2):^{half}}"[:half], _on_counter(stack))
            for stack in shown[:2]
        ]
        return [Segment(" ", ground), *pieces, Segment(" " * (width - 1 - 2 * half), ground)]
    (stack,) = shown
    top = next((thing for thing in stack.things if thing.id == chosen), stack.things[0])
    struck = STRUCK if states_shown(top, stack.drawn) else Style.null()
    if part == 1:
        more = f"+{len(stack.things) - 1}" if len(stack.things) > 1 else echelon_of(top, stack.drawn)[:2]
        text = f"{stack.letter}{number_of(top):>3}{more:>2}"
    else:
        text = f"{short_name(top, inner):^{inner}}"
    return [
        Segment(" ", ground),
        Segment(f"{text:<{inner}}"[:inner], _on_counter(stack) + struck),
        Segment(" ", ground),
    ]


def _on_ground(cell: Cell, *, soft: bool = False) -> Style:
    ground = cell.ground
    ink = tuple((2 * one + other) // 3 for one, other in zip(ground.ink, ground.colour, strict=True))
    return _style((ink[0], ink[1], ink[2]) if soft else ground.ink, ground.colour)


def _on_counter(stack: Stack) -> Style:
    light = sum(stack.colour) > 480
    return _style(DARK if light else WHITE, stack.colour, bold=True)


def _far_colour(cell: Cell | None) -> Colour:
    if cell is None:
        return VOID
    return cell.stacks[0].colour if cell.stacks else cell.ground.colour
