"""The map as a widget: a view of the sheet, a cursor on a hex, marks, three sizes."""

import os
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve
from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.cache import LRUCache
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ui.app.actions import bindings
from ui.app.map_cells import MIDDLE, NEAR, ZOOMS, MapSheet
from ui.maps.chart import Cell, Chart

__all__ = ["HexMap", "next_place"]

BLOCK = 32
"""How many columns are drawn and remembered together."""


class HexMap(ScrollView, can_focus=True):
    """Shows one of several charts; arrows move the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = list(bindings("map"))
    DEFAULT_CSS = """
    HexMap { background: #181a1c; scrollbar-size: 1 1; }
    """

    class Moved(Message):
        """The cursor has moved to another hex, or the hex under it has changed."""

        def __init__(self, cell: Cell | None) -> None:
            super().__init__()
            self.cell = cell

    class Pointed(Message):
        """The mouse has put the cursor on a hex."""

        def __init__(self, cell: Cell) -> None:
            super().__init__()
            self.cell = cell

    class Chosen(Message):
        """A hex was chosen, with Enter or by a second click."""

        def __init__(self, cell: Cell) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self._sheet: MapSheet | None = None
        self._strips: LRUCache[tuple[int, int, tuple[int, int] | None], Strip] = LRUCache(4096)
        self._charts: Sequence[Chart] = ()
        self._turn = 0
        self._cursor = (0, 0)
        self._plain = bool(os.environ.get("NO_COLOR"))

    @property
    def sheet(self) -> MapSheet | None:
        """What is drawn now."""
        return self._sheet

    @property
    def cell(self) -> Cell | None:
        """The cell under the cursor."""
        return self._sheet.chart.cells.get(self._cursor) if self._sheet else None

    @property
    def chart(self) -> Chart | None:
        """The map that is shown; None before the first."""
        return self._sheet.chart if self._sheet else None

    def show(self, charts: Sequence[Chart]) -> None:
        """Show the maps as they are now, each in its turn."""
        self._charts = charts
        self._turn_to(min(self._turn, len(charts) - 1))

    def show_next(self) -> bool:
        """Show the next map; whether there is one."""
        if len(self._charts) > 1:
            self._turn_to((self._turn + 1) % len(self._charts))
        return len(self._charts) > 1

    def _turn_to(self, number: int) -> None:
        """Show one of the maps; cursor, size and window stay where they were."""
        old, chart, self._turn = self._sheet, self._charts[number], number
        self._draw(evolve(old, chart=chart) if old else MapSheet(chart, MIDDLE, self._plain))
        if old is None or self._cursor not in chart.cells:
            self._cursor = next(iter(sorted(place for place, cell in chart.cells.items() if cell.stacks)), (0, 0))
            self.call_after_refresh(self._follow)
        self.post_message(self.Moved(self.cell))

    def mark(self, labels: Iterable[str], chosen: str = "") -> None:
        """Mark some hexes with a star, and no others; a chosen thing lies on top of its stack."""
        marked = frozenset(labels)
        if self._sheet and (marked, chosen) != (self._sheet.marked, self._sheet.chosen):
            self._draw(evolve(self._sheet, marked=marked, chosen=chosen))

    def go_to(self, label: str) -> bool:
        """Put the cursor on the hex of a label, on whichever map it is; whether there is one."""
        number = next((at for at, chart in enumerate(self._charts) if label in chart.by_label), self._turn)
        if number != self._turn and self._charts[self._turn].at(label) is None:
            self._turn_to(number)
        place = self._sheet.chart.by_label.get(label) if self._sheet else None
        if place:
            self._put(place)
        return bool(place)

    def render_line(self, y: int) -> Strip:
        """One line of the view."""
        left, top = self.scroll_offset
        width = self.size.width
        void = Strip.blank(width, self.rich_style)
        sheet = self._sheet
        if sheet is None or y + top >= sheet.height:
            return void
        line = y + top
        most = sheet.chart.across - (0 if sheet.zoom is NEAR else 1)
        first = max(0, left // sheet.zoom.width - 1) // BLOCK
        last = min(most, (left + width) // sheet.zoom.width + 1) // BLOCK
        strips = [self._block(line, block, most) for block in range(first, last + 1)]
        start = sheet.start(line, first * BLOCK)
        if start > left:
            strips.insert(0, Strip.blank(start - left, self.rich_style))
            start = left
        return Strip.join(strips).crop_extend(left - start, left - start + width, self.rich_style)

    def action_step(self, direction: str) -> None:
        """Move the cursor by one hex: up, down, left, right."""
        east, south = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[direction]
        if self._sheet and (place := next_place(self._sheet.chart, self._cursor, east, south)):
            self._put(place)

    def action_choose(self) -> None:
        """Choose the hex under the cursor."""
        if self.cell:
            self.post_message(self.Chosen(self.cell))

    def action_zoom(self, step: int) -> None:
        """Draw larger (1) or smaller (-1)."""
        if self._sheet:
            size = min(max(ZOOMS.index(self._sheet.zoom) + step, 0), len(ZOOMS) - 1)
            self._draw(evolve(self._sheet, zoom=ZOOMS[size]))
            self.call_after_refresh(self._follow)

    def action_letters(self) -> None:
        """Switch between letters and half blocks at the smallest size."""
        self._plain = not self._plain
        if self._sheet:
            self._draw(evolve(self._sheet, plain=self._plain))

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the clicked hex; a second click chooses it."""
        offset = event.get_content_offset(self)
        if self._sheet is None or offset is None:
            return
        place = self._sheet.place_at(offset.x + self.scroll_offset.x, offset.y + self.scroll_offset.y)
        if place is None:
            return
        if place == self._cursor:
            self.action_choose()
        else:
            self._put(place, by_mouse=True)
            self.post_message(self.Pointed(self._sheet.chart.cells[place]))

    def _put(self, place: tuple[int, int], *, by_mouse: bool = False) -> None:
        old, self._cursor = self._cursor, place
        for touched in (old, place):
            self.refresh(self._seen(touched))
        self._follow(around=not by_mouse)  # the hex stays under the mouse, so that a second click hits the same one
        self.post_message(self.Moved(self.cell))

    def _draw(self, sheet: MapSheet) -> None:
        """Draw another sheet, and discard what was drawn of the old one."""
        self._sheet = sheet
        self._strips.clear()
        self.virtual_size = Size(sheet.width, sheet.height)
        self.refresh()

    def _region(self, place: tuple[int, int]) -> Region:
        assert self._sheet is not None
        x, y = self._sheet.corner(*place)
        return Region(x, y, self._sheet.zoom.width + 2, self._sheet.zoom.height)

    def _seen(self, place: tuple[int, int]) -> Region:
        """The part of the view that a hex covers."""
        return self._region(place).translate((-self.scroll_offset.x, -self.scroll_offset.y))

    def _follow(self, *, around: bool = True) -> None:
        """Scroll so that the hex under the cursor is visible, with one hex around it."""
        if self._sheet:
            zoom, region = self._sheet.zoom, self._region(self._cursor)
            wide = region.grow((zoom.height, zoom.width, zoom.height, zoom.width))
            self.scroll_to_region(wide if around else region, animate=False, force=True)

    def _block(self, line: int, block: int, most: int) -> Strip:
        first = block * BLOCK
        last = min(first + BLOCK - 1, most)
        cursor = self._cursor if first - 1 <= self._cursor[0] <= last else None
        key = (line, block, cursor)
        strip = self._strips.get(key)
        if strip is None:
            assert self._sheet is not None
            segments: list[Segment] = self._sheet.line(line, first, last, cursor)
            strip = self._strips[key] = Strip(segments)
        return strip


def next_place(chart: Chart, place: tuple[int, int], east: int, south: int) -> tuple[int, int] | None:
    """The place beside one; where places stand apart, the nearest that lies more in this direction than across it."""
    if not chart.apart:
        beside = (place[0] + east, place[1] + south)
        return beside if beside in chart.cells else None
    ahead = {
        other: (along, across)
        for other in chart.cells
        if (along := (other[0] - place[0]) * east + (other[1] - place[1]) * south) > 0
        and (across := abs((other[0] - place[0]) * south) + abs((other[1] - place[1]) * east)) <= along
    }
    return min(ahead, key=lambda other: (sum(ahead[other]), ahead[other], other), default=None)
