"""The map as a picture in SVG: hexes in the colours of their terrain, links, named places, counters with their symbols.

Counters look as on staff maps: a box in the side's colour with the symbol of the arm, the mark of the
size above it and the strength below. Every colour has a letter beside it, for terrain and for sides.
"""

from collections.abc import Collection, Iterator, Sequence
from math import hypot, sqrt
from xml.sax.saxutils import escape

from interpreter.messages.view import MapView, View
from ui.maps.chart import Cell, Chart, Stack
from ui.maps.charting import chart_of_board, charts_of
from ui.maps.svg_legend import INK, LEGEND_LINE, Legend, border_styles, colour_of, crossing, legend_of, way_style
from ui.maps.symbols import arm_of, echelon_of, short_name, states_shown

__all__ = ["draw", "figure"]

SIZE = 36.0
"""From the centre of a hex to its corner, in pixels."""
HALF = SIZE * sqrt(3) / 2
FONT = 'font-family="Helvetica, Arial, sans-serif"'
COUNTER = 32
HALO = ' stroke="#f6f4ec" stroke-width="2.5" paint-order="stroke"'
LONGEST_NAME = 8
"""A counter without a number shows a name of so many characters in full, in smaller letters."""
WIDE = 0.65
"""The average width of a bold letter in a picture, as a part of its height."""
MARGIN = 24.0
TITLE = 40.0
NAMED = 16.0
"""The height of the line with the title of a map, where there are several."""
LEAST_WIDTH = 420.0


def draw(view: View, charts: Sequence[Chart] = (), ringed: Collection[str] = ()) -> str:
    """The complete picture as the text of an SVG file: all maps of a view, or some, one below the other.

    ringed: the labels of places that have a dashed ring around them.
    """
    shown = tuple(charts) or charts_of(view)
    phase = f", {view.phase_title or view.phase}" if view.phase else ""
    title = escape(f"{view.scenario_title or view.scenario} — turn {view.turn}{phase}")
    width, top = max(LEAST_WIDTH, 10.0 * len(title) + 2 * MARGIN), TITLE  # no title is truncated
    parts = []
    for chart in shown:
        legend = legend_of(chart, max(LEAST_WIDTH, _map_width(chart)) - 2 * MARGIN)
        if len(shown) > 1:
            parts.append(
                f'<text x="{MARGIN}" y="{top + NAMED - 4:.0f}" font-size="13" fill="{INK}">{escape(chart.title)}</text>'
            )
            top += NAMED
        rings = _rings(chart, ringed)
        parts += [f'<g transform="translate(0 {top - TITLE:.0f})">', *_sheet(chart, legend), *rings, "</g>"]
        width = max(width, _map_width(chart), legend.width + 2 * MARGIN)
        top += MARGIN * 2 + HALF * (2 * chart.rows + chart.staggered) + LEGEND_LINE + legend.height
    size = f'width="{width:.0f}" height="{top:.0f}"'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width:.0f} {top:.0f}" {FONT}>',
        f"<title>{title}</title>",
        f'<rect width="{width:.0f}" height="{top:.0f}" fill="#f6f4ec"/>',
        f'<text x="{MARGIN}" y="28" font-size="18" font-weight="bold" fill="{INK}">{title}</text>',
    ]
    return "\n".join([*head, *parts, "</svg>", ""])


def figure(board: MapView) -> str:
    """A single map as an SVG element in a page: on the page's own background, in its ink, with a name for screen readers."""
    chart = chart_of_board(board)
    legend = legend_of(chart, max(LEAST_WIDTH, _map_width(chart)) - 2 * MARGIN)
    wide = max(_map_width(chart), legend.width + 2 * MARGIN)
    high = MARGIN + HALF * (2 * chart.rows + chart.staggered) + LEGEND_LINE + legend.height
    named = escape(f"Map: {chart.title}", {'"': "&quot;"})
    drawn = [part.replace(f'fill="{INK}">', 'fill="currentColor">') for part in _sheet(chart, legend)]
    head = f'<svg width="{wide:.0f}" height="{high:.0f}" viewBox="0 {TITLE - MARGIN / 4:.0f} {wide:.0f} {high:.0f}" {FONT} role="img" aria-label="{named}">'
    return "\n".join([head, *drawn, "</svg>"])


def _sheet(chart: Chart, legend: Legend) -> Iterator[str]:
    """One map and the legend below it."""
    places = sorted(chart.cells)
    ground = [part for place in places for part in _hex(chart, chart.cells[place])]
    yield from ground if not chart.apart else ()
    yield from _borders(chart)
    yield from _ways(chart)
    yield from ground if chart.apart else ()  # places that stand apart hide the ends of the lines between them
    yield from (part for place in places for part in _names(chart, chart.cells[place]))
    yield from (part for place in places for part in _counters(chart, chart.cells[place]))
    for one in chart.between:
        first, second = chart.at(one.first), chart.at(one.last)
        if first is not None and second is not None:
            (x1, y1), (x2, y2) = _middle(chart, first), _middle(chart, second)
            for number, stack in enumerate(one.stacks[:2]):
                yield from _stack(stack, (x1 + x2) / 2 + 6 * number, (y1 + y2) / 2)
    below = TITLE + MARGIN + HALF * (2 * chart.rows + chart.staggered) + LEGEND_LINE * 1.5
    yield from legend.drawn(MARGIN, below)


def _rings(chart: Chart, ringed: Collection[str]) -> Iterator[str]:
    """A dashed ring around each of some places."""
    for cell in (chart.cells[place] for place in sorted(chart.cells)):
        if cell.label in ringed:
            x, y = _middle(chart, cell)
            ring = 'fill="none" stroke="#b00020" stroke-width="3" stroke-dasharray="6 4"'
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{HALF - 2:.1f}" {ring}/>'


def _borders(chart: Chart) -> Iterator[str]:
    """What lies between two places, across the line between their centres; and what joins the places of a drawn map."""
    for one, other in chart.neighbours:
        first, second = chart.at(one), chart.at(other)
        if first is not None and second is not None:
            (x1, y1), (x2, y2) = _middle(chart, first), _middle(chart, second)
            yield f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#807a68" stroke-dasharray="2 4"/>'
    styles = border_styles(chart)
    for between in chart.between:
        first, second = chart.at(between.first), chart.at(between.last)
        if first is None or second is None or not between.said:
            continue
        (x1, y1), (x2, y2) = _middle(chart, first), _middle(chart, second)
        x, y, far = (x1 + x2) / 2, (y1 + y2) / 2, max(hypot(x2 - x1, y2 - y1), 1)
        dx, dy = (y2 - y1) / far * SIZE / 2, (x1 - x2) / far * SIZE / 2
        yield (
            f'<g><title>{escape(", ".join(between.said))}</title><line x1="{x - dx:.1f}" y1="{y - dy:.1f}" '
            f'x2="{x + dx:.1f}" y2="{y + dy:.1f}" {styles[between.said[0]]}/></g>'
        )


def _middle(chart: Chart, cell: Cell) -> tuple[float, float]:
    """The centre of a cell, in pixels."""
    x = MARGIN + SIZE * (1 + 1.5 * cell.column)
    y = TITLE + MARGIN / 2 + HALF * (1 + 2 * cell.row + chart.is_low(cell.column))
    return x, y


def _hex(chart: Chart, cell: Cell) -> Iterator[str]:
    x, y = _middle(chart, cell)
    if chart.staggered:
        corners = [(SIZE, 0), (SIZE / 2, HALF), (-SIZE / 2, HALF), (-SIZE, 0), (-SIZE / 2, -HALF), (SIZE / 2, -HALF)]
    else:
        wide, high = (0.62 * SIZE, 0.86 * HALF) if chart.apart else (0.75 * SIZE, HALF)
        corners = [(wide, high), (-wide, high), (-wide, -high), (wide, -high)]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    colour, ink, said = cell.ground.colour, colour_of(cell.ground.ink), ""
    if chart.layer is not None:
        colour, ink, said = chart.layer.shade(cell.label), INK, chart.layer.text(cell.label)
    yield f'<polygon points="{points}" fill="{colour_of(colour)}" stroke="#807a68" stroke-width="0.8"/>'
    faint = ' fill-opacity="0.75"' if chart.layer is None else ""
    number = (
        f'font-size="7.5" text-anchor="middle" fill="{INK if chart.apart else ink}"{faint}{HALO if chart.apart else ""}'
    )
    yield f'<text x="{x:.1f}" y="{y - HALF + (3 if chart.apart else 9):.1f}" {number}>{escape(cell.label)}{escape(f": {said}") if said else ""}</text>'
    if cell.letter not in {" ", "."} and chart.layer is None:
        letter = f'font-size="8" text-anchor="middle" fill="{ink}" fill-opacity="0.7"'
        yield f'<text x="{x - SIZE * (0.5 if chart.apart else 0.62):.1f}" y="{y + 3:.1f}" {letter}>{escape(cell.letter)}</text>'


def _ways(chart: Chart) -> Iterator[str]:
    for (one, other), names in sorted(chart.ways.items()):
        first, second = chart.at(one), chart.at(other)
        if one > other or first is None or second is None:
            continue
        (x1, y1), (x2, y2) = _middle(chart, first), _middle(chart, second)
        across = [name for name in names if not (name in chart.on_sides and chart.staggered)]
        yield from (_on_side((x1, y1), (x2, y2), way_style(chart, name)) for name in names if name not in across)
        for number, name in enumerate(across):
            left, top, right, below = (f"{end + 3.0 * number:.1f}" for end in (x1, y1, x2, y2))
            yield f'<line x1="{left}" y1="{top}" x2="{right}" y2="{below}" {way_style(chart, name)}/>'


def _on_side(one: tuple[float, float], other: tuple[float, float], style: str) -> str:
    """What lies on the side between two hexes, by their centres: a line along that side, not from one to the other."""
    x, y = (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
    across, down = other[0] - one[0], other[1] - one[1]
    part = SIZE / 2 / hypot(across, down)
    return f'<line x1="{x - down * part:.1f}" y1="{y + across * part:.1f}" x2="{x + down * part:.1f}" y2="{y - across * part:.1f}" {style}/>'


def _names(chart: Chart, cell: Cell) -> Iterator[str]:
    if cell.name:
        x, y = _middle(chart, cell)
        style = 'font-size="9.5" font-style="italic" font-weight="bold" text-anchor="middle" fill="#111"'
        yield f'<text x="{x:.1f}" y="{y + HALF - 4:.1f}" {style}{HALO}>{escape(cell.name)}</text>'


def _counters(chart: Chart, cell: Cell) -> Iterator[str]:
    """The counters of a place: the first of every side, with edges behind it for the others."""
    x, y = _middle(chart, cell)
    for number, stack in enumerate(cell.stacks[:2]):
        shift = (number - (len(cell.stacks[:2]) - 1) / 2) * (COUNTER - 4)
        yield from _stack(stack, x + shift, y + 1)


def _stack(stack: Stack, x: float, y: float) -> Iterator[str]:
    colour = colour_of(stack.colour)
    told = ", ".join(" ".join(filter(None, (stack.told(thing), stack.made_of(thing.id)))) for thing in stack.things)
    yield f"<g><title>{escape(f'{stack.letter}: {told}')}</title>"
    for behind in range(min(len(stack.things), 3) - 1, -1, -1):
        at = f'x="{x - COUNTER / 2 + 2.5 * behind:.1f}" y="{y - COUNTER / 2 - 2.5 * behind:.1f}"'
        size = f'width="{COUNTER}" height="{COUNTER}" rx="2.5"'
        yield f'<rect {at} {size} fill="{colour}" stroke="#fff" stroke-width="0.8"/>'
    top = stack.things[0]
    yield f'<g transform="translate({x:.1f} {y - 1:.1f}) scale(1.2)" fill="none" stroke="#fff" stroke-width="1.1">'
    yield '<rect x="-8" y="-4.5" width="16" height="9"/>'
    yield ARM_SYMBOLS.get(arm_of(top, stack.drawn), "")
    yield "</g>"
    small = 'text-anchor="middle" fill="#fff"'
    yield f'<text x="{x:.1f}" y="{y - 8.5:.1f}" font-size="6" {small}>{escape(echelon_of(top, stack.drawn))}</text>'
    below = f"{stack.letter} {stack.number or short_name(top, LONGEST_NAME)}"
    high = min(8.5, (COUNTER - 2) / (WIDE * len(below)))
    yield f'<text x="{x:.1f}" y="{y + 13:.1f}" font-size="{high:.3g}" font-weight="bold" {small}>{escape(below)}</text>'
    if states_shown(top, stack.drawn):
        yield f'<g transform="translate({x:.1f} {y:.1f})">{crossing(COUNTER / 2 - 2)}</g>'
    yield "</g>"


ARM_SYMBOLS = {
    "infantry": '<path d="M-8,-4.5 L8,4.5 M-8,4.5 L8,-4.5"/>',
    "armor": '<ellipse rx="5.5" ry="2.6"/>',
    "mechanized": '<path d="M-8,-4.5 L8,4.5 M-8,4.5 L8,-4.5"/><ellipse rx="5.5" ry="2.6"/>',
    "air-defence": '<path d="M-8,4.5 A8,7 0 0 1 8,4.5"/>',
    "artillery": '<circle r="1.8" fill="#fff"/>',
    "reconnaissance": '<path d="M-8,4.5 L8,-4.5"/>',
    "engineers": '<path d="M-4,2.5 V-2.5 H4 V2.5 M0,-2.5 V2"/>',
    "airborne": '<path d="M-8,-4.5 L8,4.5 M-8,4.5 L8,-4.5 M-3,4.5 a1.5,1.5 0 0 1 3,0 a1.5,1.5 0 0 1 3,0"/>',
    "air": '<path d="M0,0 L-6,-2.5 V2.5 L6,-2.5 V2.5 Z"/>',
    "supply": '<path d="M-8,2 H8"/>',
    "headquarters": '<path d="M-8,4.5 V8"/>',
}
"""The drawing in the box, around its centre, 16 wide and 9 high."""


def _map_width(chart: Chart) -> float:
    return 2 * MARGIN + SIZE * (1.5 * chart.columns + 0.5)
