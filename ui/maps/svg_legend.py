"""The legend below a picture of a map: a sample of every side, terrain, link and border, and what it stands for."""

import itertools
from collections.abc import Iterator
from xml.sax.saxutils import escape

from attrs import frozen

from ui.maps.chart import Chart
from ui.maps.symbols import WAYS, Colour, states_shown, usual_way

__all__ = ["INK", "LEGEND_LINE", "Legend", "border_styles", "colour_of", "crossing", "legend_of", "way_style"]

LEGEND_LINE = 18.0
"""The height of a line of the legend, in pixels."""
LETTER = 7.0
"""The width of a letter of the legend, at most."""
SAMPLE, GAP = 26.0, 14.0
"""The width of a sample with the space behind it, and the space between two entries."""
INK = "#222"
BORDER_STROKES = (("#6a4a8a", ""), ("#a03060", "1 6"), ("#c07010", "7 6"), ("#2a7a6a", "10 5 1 5"))
"""Colours and dashes of what lies between places and is no water, in the order of its words."""
WAY_COLOURS = {"=": "#7a3b20", "-": "#8a6a48", "#": "#303030", "~": "#3a74b0"}


@frozen
class LegendEntry:
    """One entry: a sample drawn in a box of 20 by 12 pixels around its centre, and its words. Without a sample, a heading."""

    said: str
    sample: str = ""

    @property
    def width(self) -> float:
        """The width of the entry, in pixels, at most."""
        return (SAMPLE if self.sample else 0) + LETTER * len(self.said) + GAP


@frozen
class Legend:
    """The lines of a legend: its entries, each with where it begins from the left, in pixels."""

    lines: tuple[tuple[tuple[float, LegendEntry], ...], ...]

    @property
    def height(self) -> float:
        """The height of all lines, in pixels."""
        return LEGEND_LINE * len(self.lines)

    @property
    def width(self) -> float:
        """The width of the longest line, in pixels."""
        return max((x + entry.width for line in self.lines for x, entry in line), default=0.0)

    def drawn(self, left: float, top: float) -> Iterator[str]:
        """The legend as parts of an SVG. top: the base line of the first line."""
        for number, line in enumerate(self.lines):
            y = top + number * LEGEND_LINE
            for x, entry in line:
                if entry.sample:
                    yield f'<g transform="translate({left + x + 10:.1f} {y - 4:.1f})">{entry.sample}</g>'
                words = left + x + (SAMPLE if entry.sample else 0)
                yield f'<text x="{words:.1f}" y="{y:.1f}" font-size="12" fill="{INK}">{escape(entry.said)}</text>'


def legend_of(chart: Chart, width: float) -> Legend:
    """The legend of a chart, with lines no wider than so many pixels unless a single entry is."""
    lines: list[list[tuple[float, LegendEntry]]] = []
    for heading, entries in _rows(chart):
        lines.append([(0.0, heading)])
        x = indent = heading.width
        for entry in entries:
            if x + entry.width > width and x > indent:
                lines.append([])
                x = indent
            lines[-1].append((x, entry))
            x += entry.width
    return Legend(tuple(map(tuple, lines)))


def colour_of(colour: Colour) -> str:
    """A colour in the notation of SVG."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def way_style(chart: Chart, name: str) -> str:
    """The colour and the strokes of a kind of link, as attributes of a line."""
    sign = chart.way_signs[name]
    if name in chart.on_sides and chart.staggered:
        width, dashes = "3.4", ""
    else:
        width, dashes = "2.4", ' stroke-dasharray="7 3"' if sign in {"#", "-"} else ""
    return f'stroke="{WAY_COLOURS.get(sign, "#6a4a8a")}" stroke-width="{width}" stroke-linecap="round"{dashes}'


def border_styles(chart: Chart) -> dict[str, str]:
    """What lies between the places of a chart, in the order of the legend, each with its colour and strokes as attributes of a line."""
    styles: dict[str, str] = {}
    dry = itertools.cycle(BORDER_STROKES)
    for word in sorted({word for between in chart.between for word in between.said}):
        colour, dashes = (WAY_COLOURS["~"], "") if WAYS.get(usual_way(word, chart.drawn)) == "~" else next(dry)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        styles[word] = f'stroke="{colour}" stroke-width="4" stroke-linecap="round"{dashed}'
    return styles


def _rows(chart: Chart) -> Iterator[tuple[LegendEntry, list[LegendEntry]]]:
    """The headings, each with its entries."""
    sides = [
        LegendEntry(f"{letter} = {side.title or side.id}", _counter(letter, colour))
        for side, letter, colour in chart.sides.values()
    ]
    if sides:
        yield LegendEntry("Sides:"), sides
    standing = [stack for cell in chart.cells.values() for stack in cell.stacks]
    states = {word for stack in standing for thing in stack.things for word in states_shown(thing, stack.drawn)}
    if states:
        yield LegendEntry("Crossed out:"), [LegendEntry(", ".join(sorted(states)), _crossed())]
    grounds = {cell.ground_name: cell.ground for cell in chart.cells.values()}
    if chart.layer is not None:
        yield (
            LegendEntry(f"{chart.layer.name}:"),
            [LegendEntry(said, _ground(colour_of(shade))) for said, shade in chart.layer.samples()],
        )
    elif terrain := [
        LegendEntry(f"{letter} = {name}", _ground(colour_of(grounds[name].colour)))
        for letter, name in chart.of_ground()
        if name in grounds
    ]:
        yield LegendEntry("Terrain:"), terrain
    if links := [LegendEntry(name, _stroke(way_style(chart, name))) for name in chart.way_signs]:
        yield LegendEntry("Links:"), links
    if borders := [LegendEntry(word, _stroke(style)) for word, style in border_styles(chart).items()]:
        yield LegendEntry("Between:"), borders


def _counter(letter: str, colour: Colour) -> str:
    box = f'<rect x="-7" y="-6" width="14" height="12" rx="2" fill="{colour_of(colour)}"/>'
    return (
        f'{box}<text y="3.5" font-size="9" font-weight="bold" text-anchor="middle" fill="#fff">{escape(letter)}</text>'
    )


def crossing(half: float) -> str:
    """A line across a counter around its centre; half: half of its width and height."""
    line = f'x1="{-half:.1f}" y1="{half:.1f}" x2="{half:.1f}" y2="{-half:.1f}" stroke-linecap="round"'
    return f'<line {line} stroke="#fff" stroke-width="4"/><line {line} stroke="#111" stroke-width="2.2"/>'


def _crossed() -> str:
    return f'<rect x="-7" y="-6" width="14" height="12" rx="2" fill="#888"/>{crossing(5)}'


def _ground(colour: str) -> str:
    return f'<rect x="-9" y="-6" width="18" height="12" fill="{colour}" stroke="#807a68" stroke-width="0.8"/>'


def _stroke(style: str) -> str:
    return f'<line x1="-9" y1="0" x2="9" y2="0" {style}/>'
