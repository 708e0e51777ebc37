"""The map of a view as cells in columns and rows: the terrain and marks of each, what is in it, and the links between cells.

Every drawing of a map starts from here: the text map, the picture and the app. `charting.py` makes it from a view.
"""

from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet

from attrs import evolve, field, frozen

from campaigns.views.parts_in_words import PartsOfThings
from interpreter.messages.view import SideView, ThingView
from ui.maps.map_layer import MapLayer
from ui.maps.symbols import Colour, Drawn, GroundLook, number_of, states_shown

__all__ = [
    "Between",
    "Cell",
    "Chart",
    "Stack",
    "cut",
    "part_around",
    "short_label",
]


@frozen
class Stack:
    """The things of one side in one place; the strongest first.

    Attributes:
        side: the id of the side.
        letter: the letter of the side.
        colour: the colour of the side.
        things: the things, at least one, without their parts.
        parts: what is left of things made of parts, and of tracks, by their ids.
        drawn: what words of the rules are drawn as, if the rules say so.
    """

    side: str
    letter: str
    colour: Colour
    things: tuple[ThingView, ...]
    parts: Mapping[str, str] = field(factory=dict)
    drawn: Drawn = field(factory=dict, eq=False)

    def made_of(self, thing: str) -> str:
        """What is left of the parts and tracks of a thing; empty for one that has none."""
        return self.parts.get(thing, "")

    def told(self, thing: ThingView) -> str:
        """A thing by its id, with its number and the states that its counter shows: `ht-1 4 disabled`."""
        return " ".join(filter(None, (thing.id, number_of(thing), *states_shown(thing, self.drawn))))

    @property
    def number(self) -> str:
        """The number on the counter of the first thing, as digits; empty if it has none."""
        return number_of(self.things[0])


@frozen
class Cell:
    """One place as it is drawn.

    Attributes:
        label: the place's label.
        name: its name, or empty.
        column: counted from 0.
        row: counted from 0.
        letter: the letter of its terrain; a blank if it has none.
        ground: how the terrain is drawn.
        ground_name: the terrain's own word.
        marks: other properties of the place, as words.
        stacks: the things there, in the order of the sides; those of no side last.
    """

    label: str
    name: str
    column: int
    row: int
    letter: str
    ground: GroundLook
    ground_name: str
    marks: tuple[str, ...]
    stacks: tuple[Stack, ...]

    @property
    def things(self) -> tuple[ThingView, ...]:
        """Everything in that place."""
        return tuple(thing for stack in self.stacks for thing in stack.things)


@frozen
class Between:
    """What lies between two neighbouring cells: its label, theirs, its description, and the things there."""

    label: str
    first: str
    last: str
    said: tuple[str, ...]
    stacks: tuple[Stack, ...]


@frozen
class Chart:
    """A map that is ready to be drawn.

    Attributes:
        title: the title of the map.
        name: its name in the rules.
        columns: how many columns it has.
        rows: how many rows it has.
        staggered: whether every other column is half a hex lower.
        low: whether column 0 is lower, if they are staggered.
        cells: the places, by column and row.
        by_label: the column and row of a label.
        ways: for every pair of labels (in both orders) the names of the links that join them.
        way_signs: a sign for each kind of link.
        letters: the letter of each terrain.
        sides: the sides, with their letters and colours.
        ways_at: the names of the links through a place, by its label.
        between: what lies between two cells and is worth showing, with the things there.
        neighbours: for a drawn map, the labels of adjacent places, each pair once.
        parts: what the things on it are made of.
        on_sides: the names of ways that lie on the sides between two places.
        drawn: what words of the rules are drawn as, where the rules say it.
        has_grid: whether columns and rows are those of the map; those of a drawn map only put its places on the page.
        apart: whether its places stand apart from each other, at the spots that a drawn map gives them.
        layer: values that are shown instead of the terrain, if there are any.
    """

    title: str
    columns: int
    rows: int
    staggered: bool
    low: bool
    cells: Mapping[tuple[int, int], Cell]
    by_label: Mapping[str, tuple[int, int]]
    ways: Mapping[tuple[str, str], tuple[str, ...]]
    way_signs: Mapping[str, str]
    letters: Mapping[str, str]
    sides: Mapping[str, tuple[SideView, str, Colour]]
    ways_at: Mapping[str, tuple[str, ...]] = field(factory=dict)
    between: tuple["Between", ...] = ()
    neighbours: tuple[tuple[str, str], ...] = ()
    name: str = ""
    parts: PartsOfThings = field(factory=lambda: PartsOfThings(()), eq=False)
    on_sides: frozenset[str] = frozenset()
    drawn: Drawn = field(factory=dict, eq=False)
    has_grid: bool = True
    apart: bool = False
    layer: MapLayer | None = None

    @property
    def across(self) -> int:
        """How many columns are drawn in characters: with room for the labels of places that stand apart."""
        return self.columns + 2 * self.apart

    def is_low(self, column: int) -> bool:
        """Whether a column, counted from 0, is half a hex lower."""
        return self.staggered and (column % 2 == 0) == self.low

    def at(self, label: str) -> Cell | None:
        """The cell of a label, or None if the map has no such place."""
        place = self.by_label.get(label)
        return self.cells.get(place) if place else None

    def beside(self, column: int, row: int, direction: str) -> Cell | None:
        """The cell next to one: "n", "s", "ne", "se", "nw", "sw" (on squares "e" and "w" are "se" and "sw")."""
        across = {"e": 1, "w": -1}.get(direction[-1], 0)
        if not across:
            down = {"n": -1, "s": 1}[direction]
        elif not self.staggered:
            down = 0
        else:
            down = (0 if direction[0] == "s" else -1) + (1 if self.is_low(column) else 0)
        return self.cells.get((column + across, row + down))

    def ways_between(self, one: Cell | None, other: Cell | None) -> tuple[str, ...]:
        """The names of the links that join two neighbouring cells."""
        return self.ways.get((one.label, other.label), ()) if one and other else ()

    def joined(self) -> Iterator[tuple[Cell, Cell, tuple[str, ...]]]:
        """The pairs of places that are next to each other or linked, each once, with the names of their links."""
        pairs = dict.fromkeys([*self.neighbours, *(pair for pair in self.ways if pair[0] < pair[1])])
        for one, other in pairs:
            first, second = self.at(one), self.at(other)
            if first is not None and second is not None and (other, one) not in self.neighbours:
                yield first, second, self.ways.get((one, other), ())

    def said_of(self, cell: Cell) -> list[str]:
        """A cell in words: terrain, marks, links."""
        said = (cell.ground_name, *cell.marks, *self.ways_at.get(cell.label, ()))
        return list(dict.fromkeys(filter(None, said)))

    def of_ground(self) -> Iterator[tuple[str, str]]:
        """Letter and name of every terrain, for a legend."""
        return ((letter, name) for name, letter in self.letters.items() if name)


def cut(chart: Chart, labels: Collection[str]) -> Chart:
    """A part of a chart: the places with these labels, moved to its upper left corner, and everything that joins them."""
    kept = [cell for cell in chart.cells.values() if cell.label in labels]
    if not kept:
        return chart
    left, top = min(cell.column for cell in kept), min(cell.row for cell in kept)
    cells = {
        (cell.column - left, cell.row - top): evolve(cell, column=cell.column - left, row=cell.row - top)
        for cell in kept
    }
    by_label = {cell.label: place for place, cell in cells.items()}
    grounds = {cell.ground_name for cell in kept}
    return evolve(
        _joined_among(chart, by_label.keys()),
        columns=max(column for column, _ in cells) + 1,
        rows=max(row for _, row in cells) + 1,
        low=chart.low if left % 2 == 0 else not chart.low,
        cells=cells,
        by_label=by_label,
        letters={name: letter for name, letter in chart.letters.items() if name in grounds},
    )


def part_around(chart: Chart, middle: Cell, within: int) -> Chart:
    """The places of a drawn map at most so many steps from one of them, and everything that joins them."""
    near = {middle.label}
    for _ in range(min(within, len(chart.cells))):
        near |= {place for pair in chart.neighbours if not near.isdisjoint(pair) for place in pair}
    return cut(chart, near)


def _joined_among(chart: Chart, labels: AbstractSet[str]) -> Chart:
    """The chart with only what joins these places, or is in them."""
    ways = {pair: names for pair, names in chart.ways.items() if labels >= set(pair)}
    there = {name for names in ways.values() for name in names}
    return evolve(
        chart,
        ways=ways,
        way_signs={name: sign for name, sign in chart.way_signs.items() if name in there},
        ways_at={label: names for label, names in chart.ways_at.items() if label in labels},
        between=tuple(one for one in chart.between if labels >= {one.first, one.last}),
        neighbours=tuple(pair for pair in chart.neighbours if labels >= set(pair)),
    )


def short_label(label: str) -> str:
    """At most four letters of a label: the digits of a number, the first letters of a name."""
    return label[-4:] if label[-1:].isdigit() else label[:4]
