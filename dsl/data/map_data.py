"""A map as data: its places and the links between them, how a grid is numbered, and which places are adjacent."""

from __future__ import annotations

import re

import attrs

from dsl.rules.rows import cells
from dsl.syntax import declarations as d

MOST_PLACES = 250_000
"""A map has at most this many places."""
_NUMBERED = re.compile(r"((?:[A-Za-z][A-Za-z0-9]*-)*)(\d+)")
NO_PLACE = "no place"
"""In the row of a letter: the letter stands for no place."""


@attrs.frozen(slots=True)
class Stretch:
    """A link from one place to another. word: the type of link; touching: on the side between two neighbours."""

    link: str
    first: str
    last: str
    word: str = ""
    touching: bool = False


@attrs.define(slots=True)
class MapData:
    """A map as read: the fields of each place by label in map order, names, links, and what lies where.

    inside: for a place, the place of another map that contains it, both by label. borders: pairs of neighbours of a drawn map.
    between: fields of the places between neighbours, by kind and pair of labels. holes: columns and rows of a grid,
    counted from 0, where there is no place. spots: the column and row in which each place of a drawn map is shown, if it says so.
    """

    node: d.Map
    fields: dict[str, dict[str, str]] = attrs.field(factory=dict)
    names: dict[str, str] = attrs.field(factory=dict)
    stretches: list[Stretch] = attrs.field(factory=list)
    inside: dict[str, str] = attrs.field(factory=dict)
    borders: list[tuple[str, str]] = attrs.field(factory=list)
    between: dict[tuple[str, str, str], dict[str, str]] = attrs.field(factory=dict)
    holes: set[tuple[int, int]] = attrs.field(factory=set)
    spots: dict[str, tuple[int, int]] = attrs.field(factory=dict)


@attrs.frozen(slots=True)
class Numbering:
    """How the places of a grid are numbered: the prefix, the first column and row, and the digits of each."""

    prefix: str
    first_column: int
    first_row: int
    digits: int

    def label(self, column: int, row: int) -> str:
        """The label of a column and a row counted from 0."""
        return f"{self.prefix}{column + self.first_column:0{self.digits}}{row + self.first_row:0{self.digits}}"


def numbering(node: d.Map) -> Numbering | None:
    """How a grid's places are numbered; None if the text after `numbered` is not the label of a first place."""
    prefix, first_column, first_row, digits = "", 1, 1, 2
    if node.numbered:
        found = _NUMBERED.fullmatch(node.numbered)
        if found is None or len(found[2]) % 2 or len(found[2]) < 4:
            return None
        prefix, digits = found[1], len(found[2]) // 2
        first_column, first_row = int(found[2][:digits]), int(found[2][digits:])
    last = max(first_column + node.columns, first_row + node.rows) - 1
    return Numbering(prefix, first_column, first_row, max(2, len(str(last))))


def between_label(a: str, b: str) -> str:
    """The label of the place between two neighbours, in whichever order they are named."""
    return f"{min(a, b)}-{max(a, b)}"


def _letter_rows(node: d.Map) -> list[d.Row]:
    return [row for section in node.sections if section.name == "letters" for row in section.rows[1:]]


def void_letters(node: d.Map) -> set[str]:
    """The letters of a map's grid that stand for no place."""
    return {cells(row)[0] for row in _letter_rows(node) if means_no_place(row)}


def means_no_place(row: d.Row) -> bool:
    """Whether the row of a letter says that there is no place: `x | no place`."""
    found = [" ".join(cell.split()) for cell in cells(row)]
    return found[1:2] == [NO_PLACE] and all(cell in {"--", ""} for cell in found[2:])


def neighbours_on_grid(grid: str, corners: bool, low: str, a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether two places of a grid are adjacent; each is given by its printed column and row."""
    across, down = b[0] - a[0], b[1] - a[1]
    if across == 0:
        return abs(down) == 1
    if abs(across) > 1:
        return False
    if grid == "square":
        return down == 0 or (corners and abs(down) == 1)
    sunk = (a[0] % 2 == 1) == (low == "odd")
    return down in ((0, 1) if sunk else (-1, 0))


def in_line(grid: str, corners: bool, low: str, a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether a straight line of neighbours joins two places of a grid: along a column, a row, or a diagonal.

    Each is given by its printed column and row. On hexes a diagonal climbs half a row with each column.
    """
    across, down = abs(b[0] - a[0]), abs(b[1] - a[1])
    if across == 0 or down == 0:
        return True
    if grid == "square":
        return corners and across == down
    sunk = [(x[0] % 2 == 1) == (low == "odd") for x in (a, b)]
    return abs(2 * (b[1] - a[1]) + sunk[1] - sunk[0]) == across
