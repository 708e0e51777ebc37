"""What is drawn in characters between the places of a map that stand apart: lines along its links, and the ends of long labels.

The text map and the app draw cells of a fixed size; this fills the gaps between them.
"""

from collections.abc import Iterator, Mapping

from ui.maps.chart import Chart

__all__ = ["SHORT", "wires_of"]

SHORT = 4
"""The letters of a label that its own cell shows."""


def wires_of(chart: Chart, width: int, height: int) -> Mapping[tuple[int, int], str]:
    """The characters outside the cells, by their column and line; none if the places do not stand apart.

    width, height: of a cell, in characters and lines.
    """
    if not chart.apart:
        return {}
    found: dict[tuple[int, int], str] = {}
    for first, second, names in chart.joined():
        ends = [(width * cell.column + width // 2, height * cell.row + height // 2) for cell in (first, second)]
        signs = [chart.way_signs[name] for name in names]
        for number, (x, y, slope) in enumerate(_line(*ends[0], *ends[1])):
            found[x, y] = signs[number // 2 % len(signs)] if signs else slope
    if SHORT <= width < 2 * SHORT:
        for column, row in sorted(chart.cells):
            found |= _tail(chart, column, row, width, height)
    return found


def _tail(chart: Chart, column: int, row: int, width: int, height: int) -> dict[tuple[int, int], str]:
    """The rest of a label, as far as there is room before the next cell."""
    label = chart.cells[column, row].label
    free = next((x for x in range(column + 1, chart.columns) if (x, row) in chart.cells), chart.across) - column
    rest = label[SHORT : width * free - 1]
    return {(width * column + SHORT + at, height * row): letter for at, letter in enumerate(rest)}


def _line(x1: int, y1: int, x2: int, y2: int) -> Iterator[tuple[int, int, str]]:
    """The characters on the way from one to the other, with a stroke that looks like the slope there."""
    steps = max(abs(x2 - x1), abs(y2 - y1), 1)
    rising = "/" if (x2 - x1) * (y2 - y1) < 0 else "\\"
    before = (x1, y1)
    for step in range(steps + 1):
        x, y = (x1 + round((x2 - x1) * step / steps), y1 + round((y2 - y1) * step / steps))
        yield x, y, "-" if y == before[1] and x1 != x2 else "|" if x == before[0] else rising
        before = (x, y)
