"""Where the centres of places are in pixels on a Tiled map, and which place is nearest to a point.

Hexes have flat tops, as the rules draw them: columns are staggered, tiles are 2 × 36 pixels wide and 62 high, a side is 36 long.
"""

from attrs import frozen

__all__ = ["HEIGHT", "SIDE", "WIDTH", "TiledSheet"]

SIDE, WIDTH, HEIGHT = 36, 72, 62
"""The side of a hex, and the width and height of its tile."""


@frozen
class TiledSheet:
    """The size of a map and how it is staggered. low: whether columns with even (0) or odd (1) index are lower; None for squares."""

    columns: int
    rows: int
    low: int | None

    def middle(self, column: int, row: int) -> tuple[float, float]:
        """The centre of a place, by its column and row counted from 0."""
        if self.low is None:
            return (column + 0.5) * WIDTH, (row + 0.5) * HEIGHT
        return (
            column * (WIDTH + SIDE) / 2 + WIDTH / 2,
            row * HEIGHT + HEIGHT / 2 + (HEIGHT / 2 if column % 2 == self.low else 0),
        )

    def nearest(self, x: float, y: float) -> tuple[int, int] | None:
        """The place that contains a point; None off the map."""
        step = WIDTH if self.low is None else (WIDTH + SIDE) / 2
        about, down = int(x // step), int(y // HEIGHT)
        near = [
            (column, row)
            for column in range(max(about - 1, 0), min(about + 2, self.columns))
            for row in range(max(down - 1, 0), min(down + 2, self.rows))
        ]
        if not near:
            return None

        def apart(place: tuple[int, int]) -> float:
            across, below = self.middle(*place)
            return (across - x) ** 2 + (below - y) ** 2

        found = min(near, key=apart)
        return found if apart(found) <= WIDTH**2 / 4 + HEIGHT**2 / 4 else None
