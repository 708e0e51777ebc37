"""A layer of a map: the value of an expression in each place, as a shade and as text."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import frozen

from ui.maps.symbols import Colour

__all__ = ["MapLayer"]

Value = int | float | str

LOW: Colour = (255, 247, 200)
HIGH: Colour = (196, 60, 40)
"""The shades of the lowest and of the highest number."""
WORDS: tuple[Colour, ...] = (
    (166, 206, 150),
    (240, 196, 140),
    (160, 190, 224),
    (220, 160, 180),
    (200, 180, 220),
    (224, 220, 140),
)
"""The shades of words, in alphabetical order; they begin again after the last."""
NO: Colour = (228, 224, 214)
WITHOUT: Colour = (246, 244, 236)
"""The shade of a place in which the expression has no value."""
MOST_SAMPLES = 5


@frozen
class MapLayer:
    """The values of an expression, by the labels of places.

    Attributes:
        name: what the layer is called.
        expression: what it shows.
        values: the values; places in which there is none are missing.
    """

    name: str
    expression: str
    values: Mapping[str, Value]

    def text(self, label: str) -> str:
        """The value in a place as text; empty if there is none."""
        return _said(self.values[label]) if label in self.values else ""

    def shade(self, label: str) -> Colour:
        """The shade of a place."""
        return self._shade_of(self.values[label]) if label in self.values else WITHOUT

    def samples(self) -> Iterator[tuple[str, Colour]]:
        """Values for a legend, each with its shade: some numbers from the lowest to the highest, or all words."""
        numbers = self._numbers
        step = max(1, -(-(len(numbers) - 1) // (MOST_SAMPLES - 1)))
        shown: list[Value] = [*numbers[:-1:step], *numbers[-1:], *self._words]
        return ((_said(value), self._shade_of(value)) for value in shown)

    @cached_property
    def _words(self) -> list[str]:
        return sorted({value for value in self.values.values() if isinstance(value, str)})

    @cached_property
    def _numbers(self) -> list[int | float]:
        return sorted({value for value in self.values.values() if not isinstance(value, str)})

    def _shade_of(self, value: Value) -> Colour:
        if isinstance(value, str):
            return NO if value == "no" else WORDS[self._words.index(value) % len(WORDS)]
        low, high = self._numbers[0], self._numbers[-1]
        part = (value - low) / (high - low) if high > low else 0.0
        red, green, blue = (round(a + (b - a) * part) for a, b in zip(LOW, HIGH, strict=True))
        return red, green, blue


def _said(value: Value) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
