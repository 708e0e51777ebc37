"""The names of the colours that a side's counters can have. The code that draws decides how each looks."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, at, did_you_mean

COLOURS = (
    "red",
    "blue",
    "green",
    "yellow",
    "orange",
    "purple",
    "brown",
    "grey",
    "gray",
    "black",
    "white",
    "pink",
    "teal",
    "cyan",
)
"""The colours that a scenario can name; upper and lower case are equal."""


def check_colours(node: d.Scenario) -> Iterator[Diagnostic]:
    """W346 for each side of a scenario whose colour is unknown: its counters are shown in another colour."""
    for side in node.sides:
        if side.colour and side.colour.lower() not in COLOURS:
            message = f"Unknown colour `{side.colour}`: the counters of {side.name} are shown in another colour."
            hint = did_you_mean(side.colour.lower(), COLOURS) or "It can be: " + ", ".join(COLOURS) + "."
            yield at("W346", message, side.span, word=side.colour, hint=hint)
