"""The map as plain text: staggered hexes with letters for terrain and sides, and a legend of who is where.

It must be readable by a screen reader, in a mail and in a test. Colour is never the only sign.
"""

import re
from collections.abc import Iterator, Mapping

from interpreter.messages.view import ThingView
from ui.maps.chart import Between, Cell, Chart, Stack, short_label
from ui.maps.wires import SHORT, wires_of

__all__ = ["draw", "legend"]


def draw(chart: Chart, *, numbers: bool = True, box: tuple[int, int, int, int] | None = None) -> list[str]:
    """The lines of the map.

    Args:
        chart: what to draw.
        numbers: with the number of every hex (five cells wide) or without (three cells wide).
        box: the columns and rows to draw, as first column, first row, last column, last row, counted from 0.

    Returns:
        Two lines for each row; with staggered columns one more. After the number of a hex, or below that of another
        place, stand the terrain's letter, a link's sign, the side's letter and how many things are there.
    """
    left, top, right, bottom = box or (0, 0, chart.across - 1, chart.rows - 1)
    if chart.staggered and numbers:
        return [
            "".join(_beside(chart, column, y, (left, top, bottom)) for column in range(left, right + 1)).rstrip()
            for y in range(2 * top, 2 * bottom + 1 + (right > left or chart.is_low(left)))
        ]
    wires = wires_of(chart, _width(numbers), 2)
    lines = [
        "".join(_at_line(chart, column, y, numbers, (top, bottom), wires) for column in range(left, right + 1)).rstrip()
        for y in range(2 * top, 2 * bottom + 2 + chart.staggered)
    ]
    while lines and not lines[-1]:
        lines.pop()
    return lines if numbers else [*_heading(chart, left, right), *_margin(chart, lines, top)]


def legend(chart: Chart, *, box: tuple[int, int, int, int] | None = None) -> list[str]:
    """What the letters and signs mean, then the things in each place."""
    lines = []
    if chart.layer is not None:
        lines.append(f"Values: {chart.layer.name} = {chart.layer.expression}")
    grounds = ", ".join(f"{letter} {name}" for letter, name in chart.of_ground())
    if grounds and chart.layer is None:
        lines.append(f"Terrain: {grounds}")
    if chart.way_signs and chart.layer is None:
        lines.append(f"Links: {', '.join(f'{sign} {name}' for name, sign in chart.way_signs.items())}")
    sides = ", ".join(f"{letter} {side.title or side.id}" for side, letter, _ in chart.sides.values())
    if sides:
        lines.append(f"Sides: {sides}; the digit is the number of counters")
    if chart.neighbours:
        lines.append(f"Next to each other: {', '.join(_joined(chart, a, b) for a, b in chart.neighbours)}")
    lines += [_said_between(one) for one in chart.between]
    standing = [cell for cell in _inside(chart, box) if cell.stacks]
    if standing:
        lines += ["", *(_roll(cell) for cell in standing)]
    return lines


def _joined(chart: Chart, one: str, other: str) -> str:
    """Two neighbours and the links between them: `alba and bern (rail)`."""
    ways = ", ".join(chart.ways.get((one, other), ()))
    return f"{one} and {other}{f' ({ways})' if ways else ''}"


def _said_between(one: Between) -> str:
    """What lies between two places: `Between 0202 and 0203: wet; M tf-1 28`."""
    told = [", ".join(one.said)] if one.said else []
    return f"Between {one.first} and {one.last}: {'; '.join([*told, *map(_stack, one.stacks)])}"


def _stack(stack: Stack) -> str:
    return f"{stack.letter} {', '.join(_told(thing, stack) for thing in stack.things)}"


def _told(thing: ThingView, stack: Stack) -> str:
    """A thing with its number and what is left of its parts: `otto 3 (main 1/1 · hull ■■□ 2/3)`."""
    made = stack.made_of(thing.id)
    return f"{stack.told(thing)}{f' ({made})' if made else ''}"


def _inside(chart: Chart, box: tuple[int, int, int, int] | None) -> Iterator[Cell]:
    left, top, right, bottom = box or (0, 0, chart.columns, chart.rows)
    for column, row in sorted(chart.cells):
        if left <= column <= right and top <= row <= bottom:
            yield chart.cells[column, row]


def _width(numbers: bool) -> int:
    return 5 if numbers else 3


def _beside(chart: Chart, column: int, y: int, within: tuple[int, int, int]) -> str:
    """What staggered columns show on one line: every other column its hex, which takes the room of the next one too."""
    left, top, bottom = within
    row, second = divmod(y - chart.is_low(column), 2)
    if second:
        return " " * _width(numbers=True) if column == left else ""
    cell = chart.cells.get((column, row)) if top <= row <= bottom else None
    shown = f"{short_label(cell.label):<{SHORT}} {_content(chart, cell)}" if cell is not None else ""
    return f"{shown:<{2 * _width(numbers=True)}}"


def _at_line(
    chart: Chart, column: int, y: int, numbers: bool, rows: tuple[int, int], wires: Mapping[tuple[int, int], str]
) -> str:
    """What a column shows on one line of the map."""
    width = _width(numbers)
    down = y - chart.is_low(column)
    row, second = divmod(down, 2)
    cell = chart.cells.get((column, row)) if rows[0] <= row <= rows[1] else None
    shown = ""
    if cell is not None and numbers:
        shown = _content(chart, cell) if second else cell.label[:SHORT] if chart.apart else short_label(cell.label)
    elif cell is not None and not second:
        shown = _brief(cell) if chart.layer is None else chart.layer.text(cell.label)[:2]
    around = "".join(wires.get((column * width + at, y), " ") for at in range(len(shown), width))
    return f"{shown}{around}" if cell is None or not second else f"{shown:<{width}}"


def _content(chart: Chart, cell: Cell) -> str:
    """Terrain, link, side and number of counters, as `.=M3`; or the value of a layer."""
    if chart.layer is not None:
        return chart.layer.text(cell.label)[:SHORT]
    way = next((chart.way_signs[name] for name in chart.ways_at.get(cell.label, ())), " ")
    return f"{cell.letter}{way}{_who(cell.stacks)}"


def _brief(cell: Cell) -> str:
    return _who(cell.stacks) if cell.stacks else cell.letter


def _who(stacks: tuple[Stack, ...]) -> str:
    """`M3` for three counters of one side, `MU` for two sides."""
    if len(stacks) == 1:
        return f"{stacks[0].letter}{min(len(stacks[0].things), 9)}"
    return "".join(stack.letter for stack in stacks[:2])


def _heading(chart: Chart, left: int, right: int) -> list[str]:
    """The numbers of the columns, each over its column."""
    names = [_two(chart, column, 0) for column in range(left, right + 1)]
    return [f"    {''.join(f'{name:<3}' for name in names)}".rstrip()]


def _margin(chart: Chart, lines: list[str], top: int) -> list[str]:
    """The lines with the number of the row in front."""
    shown = []
    for number, line in enumerate(lines):
        row, second = divmod(number, 2)
        name = "" if second or row + top >= chart.rows else _two(chart, 0, row + top, rows=True)
        shown.append(f"{name:<4}{line}".rstrip())
    return shown


def _two(chart: Chart, column: int, row: int, *, rows: bool = False) -> str:
    """The digits of a column or a row in the labels of the map."""
    for other in range(chart.columns if rows else chart.rows):
        cell = chart.cells.get((other, row) if rows else (column, other))
        if cell and re.fullmatch(r"(\d\d)+", cell.label):
            half = len(cell.label) // 2
            return cell.label[half:] if rows else cell.label[:half]
    return str((row if rows else column) + 1)


def _roll(cell: Cell) -> str:
    """One place of the legend: `0304 Lorraine: M tf-1 28, tf-2 14`."""
    stacks = "; ".join(map(_stack, cell.stacks))
    return f"{cell.label}{f' {cell.name}' if cell.name else ''}: {stacks}"
