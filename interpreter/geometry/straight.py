"""The straightest route from one place to another over neighbouring places."""

from __future__ import annotations

import functools

from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.place_graph import PlaceGraph

__all__ = ["straight"]


def straight(grid: PlaceGraph, first: int, last: int) -> list[int]:
    """The places from one to another by steps that each come nearer; the lowest id if two do. It goes around holes."""
    holes = grid.holes
    far = functools.partial(grid.distance, last) if not holes else grid.steps_from(last).__getitem__
    way = [first]
    while way[-1] != last:
        here = far(way[-1])
        way.append(
            min(
                (n for n in grid.neighbours(way[-1]) if far(n) < here),
                key=lambda n: (_off(grid, first, last, n), n),
            )
        )
    return way


def _off(grid: PlaceGraph, first: int, last: int, place: int) -> float:
    """The distance of a place from the straight line between two others, for choosing among equal steps."""
    if not isinstance(grid, HexGrid):
        return 0.0
    (x1, y1), (x2, y2), (x, y) = (_centre(grid, p) for p in (first, last, place))
    return round(abs((y2 - y1) * x - (x2 - x1) * y + x2 * y1 - y2 * x1), 6)


def _centre(grid: HexGrid, place: int) -> tuple[float, float]:
    column, row = grid.position(place)
    return column * 0.866, row + (0.5 if grid.is_low(column) else 0.0)
