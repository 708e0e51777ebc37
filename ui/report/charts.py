"""Charts as inline SVG: the strengths of the sides over time. Each line has its own dash pattern, and its name at its end."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from xml.sax.saxutils import escape

from attrs import frozen

__all__ = ["ChartLine", "line_chart"]

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 48, 132, 16, 34
DASHES = ("", "7 4", "2 4", "10 3 2 3", "4 2")
MOST_TICKS = 5
LEAST_APART = 14
Scale = Callable[[int, float], tuple[float, float]]
"""The point at which a value at a moment is drawn."""


@frozen
class ChartLine:
    """A line of a chart: its name, colour, and its values; None for unknown ones."""

    name: str
    colour: str
    values: tuple[int | None, ...]


def line_chart(title: str, heads: Sequence[str], lines: Sequence[ChartLine]) -> str:
    """Lines over moments, as an SVG element; empty if there is nothing to draw. heads: the names of the moments."""
    lines = [line for line in lines if any(value is not None for value in line.values)]
    if not lines or len(heads) < 2:
        return ""
    top = max(value for line in lines for value in line.values if value is not None) or 1
    step = _step(top)
    top = -(-top // step) * step
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(number: int, value: float) -> tuple[float, float]:
        return LEFT + wide * number / (len(heads) - 1), TOP + high * (1 - value / top)

    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    font = 'font-family="Helvetica, Arial, sans-serif" font-size="11"'
    out = [
        f'<svg {size} role="img" aria-label="{_quoted(title)}" {font}>',
        f"<title>{escape(title)}</title>",
        *_heights(at, range(0, top + 1, step)),
        *_moments(at, heads),
    ]
    ends = _ends([at(0, _last(line))[1] for line in lines])
    for number, (line, end) in enumerate(zip(lines, ends, strict=True)):
        points = [at(place, value) for place, value in enumerate(line.values) if value is not None]
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = f' stroke-dasharray="{DASHES[number % len(DASHES)]}"' if DASHES[number % len(DASHES)] else ""
        out.append(f'<polyline points="{drawn}" fill="none" stroke="{line.colour}" stroke-width="2.4"{dashes}/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{line.colour}"/>' for x, y in points]
        said = escape(f"{_cut(line.name)} {_last(line)}")
        out.append(
            f'<text x="{LEFT + wide + 10}" y="{end + 4:.1f}" font-weight="bold" fill="{line.colour}">{said}</text>'
        )
    return "\n".join([*out, "</svg>"])


def _heights(at: Scale, ticks: Iterable[int]) -> Iterator[str]:
    """The grid lines and their labels."""
    for tick in ticks:
        y = at(0, tick)[1]
        yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#d8d4c4"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{tick}</text>'


def _moments(at: Scale, heads: Sequence[str]) -> Iterator[str]:
    """The labels of moments; only some if there are many, but always the last."""
    every = -(-len(heads) // 8)
    for number, head in enumerate(heads):
        if number % every == 0 or number == len(heads) - 1:
            x = at(number, 0)[0]
            yield f'<text x="{x:.1f}" y="{HEIGHT - 12}" text-anchor="middle" fill="#555">{escape(head)}</text>'


def _quoted(text: str) -> str:
    return escape(text, {'"': "&quot;"})


def _last(line: ChartLine) -> int:
    return next(value for value in reversed(line.values) if value is not None)


def _cut(name: str) -> str:
    return name if len(name) <= 16 else f"{name[:15]}…"


def _step(top: int) -> int:
    """A round step, so that there are not too many ticks."""
    step = 1
    while top / step > MOST_TICKS:
        step = step * 2 if str(step)[0] in "15" else step * 5 // 2
    return step


def _ends(heights: Sequence[float]) -> list[float]:
    """The positions of the names of lines, so that none covers another."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    found = list(heights)
    for before, after in pairwise(order):
        found[after] = max(found[after], found[before] + LEAST_APART)
    return found
