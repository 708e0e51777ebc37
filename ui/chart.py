"""The map of a view as cells in columns and rows: which ground, which marks, who stands there, which ways lead where.

Every drawing of a map starts from here: the text map, the picture and the app. Places of a drawn map, which have no
columns and rows, are laid out in rows in the order of the map.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from attrs import evolve, field, frozen

from campaigns.parts import Parts
from dsl.data.drawings import GROUND
from interpreter.view import MapView, PlaceView, SideView, ThingView, View
from ui.symbols import WAYS, Colour, Drawn, Ground, colour_of_side, ground_of, letters_for, number_of

__all__ = [
    "Between",
    "Cell",
    "Chart",
    "Stack",
    "chart_of",
    "chart_of_board",
    "charts_of",
    "cut",
    "labels_in",
    "short_label",
]

GROUND_FIELDS = ("terrain", "ground", "landscape")
OTHER_WAYS = (":", "+", "%", "^")
DRAWN_COLUMNS = 6
"""How many places of a drawn map stand beside each other."""


@frozen
class Stack:
    """The things of one side in one place; the strongest first.

    Attributes:
        side: the id of the side.
        letter: the letter of the side.
        colour: the colour of the side.
        things: the things, at least one; what they are made of is not among them.
        parts: of things made of parts, and of tracks, what is left, by their ids.
        drawn: what words of the rules are drawn as, where the rules say it.
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
        letter: the letter of its ground; a blank if it has none.
        ground: how the ground is drawn.
        ground_name: the ground's own word.
        marks: what else is true of the place, as words.
        stacks: who stands there, in the order of the sides; belonging to nobody last.
    """

    label: str
    name: str
    column: int
    row: int
    letter: str
    ground: Ground
    ground_name: str
    marks: tuple[str, ...]
    stacks: tuple[Stack, ...]

    @property
    def things(self) -> tuple[ThingView, ...]:
        """Everything that stands there."""
        return tuple(thing for stack in self.stacks for thing in stack.things)


@frozen
class Between:
    """What lies between two neighbouring cells: its label, theirs, what is said of it, and who stands there."""

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
        staggered: whether columns stand half a hex lower by turns.
        low: whether column 0 stands lower, if they do.
        cells: the places, by column and row.
        by_label: the column and row of a label.
        ways: for every pair of labels (in both orders) the names of the ways that join them.
        way_signs: a sign for each kind of way.
        letters: the letter of each ground.
        sides: the sides, with their letters and colours.
        ways_at: the names of the ways through a place, by its label.
        between: what lies between two cells and is worth telling, with who stands there.
        neighbours: for a drawn map the labels of the places next to each other, each pair once.
        parts: what the things on it are made of.
        on_sides: the names of ways that lie on the sides between two places.
        drawn: what words of the rules are drawn as, where the rules say it.
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
    parts: Parts = field(factory=lambda: Parts(()), eq=False)
    on_sides: frozenset[str] = frozenset()
    drawn: Drawn = field(factory=dict, eq=False)

    def is_low(self, column: int) -> bool:
        """Whether a column, counted from 0, stands half a hex lower."""
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
        """The names of the ways that join two neighbouring cells."""
        return self.ways.get((one.label, other.label), ()) if one and other else ()

    def said_of(self, cell: Cell) -> list[str]:
        """What is said of a cell in words: ground, marks, ways."""
        said = (cell.ground_name, *cell.marks, *self.ways_at.get(cell.label, ()))
        return list(dict.fromkeys(filter(None, said)))

    def of_ground(self) -> Iterator[tuple[str, str]]:
        """Letter and name of every ground, for a legend."""
        return ((letter, name) for name, letter in self.letters.items() if name)


def charts_of(view: View) -> tuple[Chart, ...]:
    """All maps of a view."""
    return tuple(chart_of(view, board) for board in view.maps)


def chart_of(view: View, board: MapView | None = None) -> Chart:
    """A map of a view, the first unless said otherwise, with everything that the view shows on it."""
    return chart_of_board(board or view.map, view.sides, view.things)


def chart_of_board(board: MapView, of: Iterable[SideView] = (), things: Iterable[ThingView] = ()) -> Chart:
    """A map with what stands on it. of: the sides whose things these are."""
    placed = list(_positions(board))
    ground_field = _ground_field(board.places, board.drawn)
    grounds = sorted({place.fields.get(ground_field, "") for place in board.places})
    letters = _ground_letters(grounds)
    sides = _sides(tuple(of))
    things = tuple(things)
    parts = Parts(things)
    standing = _standing(things, sides, parts, board.drawn)
    cells = {
        (column, row): Cell(
            place.label,
            place.name,
            column,
            row,
            letters.get(place.fields.get(ground_field, ""), " "),
            ground_of(place.fields.get(ground_field, ""), grounds, board.drawn),
            place.fields.get(ground_field, ""),
            _marks(place, ground_field),
            standing.get(place.label, ()),
        )
        for place, column, row in placed
    }
    ways, at_place = _ways(board.links)
    return Chart(
        board.title or board.name,
        max((column for _, column, _ in placed), default=-1) + 1,
        max((row for _, _, row in placed), default=-1) + 1,
        board.grid == "hex",
        _first_is_low(board),
        cells,
        {cell.label: place for place, cell in cells.items()},
        ways,
        _way_signs({name for name, _, _ in board.links}, board.drawn),
        letters,
        sides,
        at_place,
        tuple(_between(board, standing)),
        board.borders,
        board.name,
        parts,
        board.sides,
        board.drawn,
    )


def cut(chart: Chart, labels: Collection[str]) -> Chart:
    """A part of a chart: the places with these labels, moved to its upper left corner, and whatever joins them."""
    kept = [cell for cell in chart.cells.values() if cell.label in labels]
    if not kept:
        return chart
    left, top = min(cell.column for cell in kept), min(cell.row for cell in kept)
    cells = {
        (cell.column - left, cell.row - top): evolve(cell, column=cell.column - left, row=cell.row - top)
        for cell in kept
    }
    by_label = {cell.label: place for place, cell in cells.items()}
    ways = {pair: names for pair, names in chart.ways.items() if by_label.keys() >= set(pair)}
    there = {name for names in ways.values() for name in names}
    grounds = {cell.ground_name for cell in kept}
    return evolve(
        chart,
        columns=max(column for column, _ in cells) + 1,
        rows=max(row for _, row in cells) + 1,
        low=chart.low if left % 2 == 0 else not chart.low,
        cells=cells,
        by_label=by_label,
        ways=ways,
        way_signs={name: sign for name, sign in chart.way_signs.items() if name in there},
        letters={name: letter for name, letter in chart.letters.items() if name in grounds},
        ways_at={label: names for label, names in chart.ways_at.items() if label in by_label},
        between=tuple(one for one in chart.between if by_label.keys() >= {one.first, one.last}),
        neighbours=tuple(pair for pair in chart.neighbours if by_label.keys() >= set(pair)),
    )


def short_label(label: str) -> str:
    """At most four letters of a label: the digits of a number, the first letters of a name."""
    return label[-4:] if label[-1:].isdigit() else label[:4]


def _between(board: MapView, standing: Mapping[str, tuple[Stack, ...]]) -> Iterator[Between]:
    """What lies between places, where anything is to be said of it."""
    for one in board.between:
        said = tuple(
            name if value == "yes" else value if not value[:1].isdigit() else f"{name} {value}"
            for name, value in one.fields.items()
            if value not in {"no", "none", "", "--", "0"}
        )
        if said or one.label in standing:
            yield Between(one.label, one.first, one.last, said, standing.get(one.label, ()))


def labels_in(text: str, chart: Chart) -> list[str]:
    """The places of a map that a text speaks of, in its order."""
    return [word for word in re.findall(r"[\w-]+", text) if word in chart.by_label]


def _positions(board: MapView) -> Iterator[tuple[PlaceView, int, int]]:
    """The places with column and row counted from 0."""
    if board.grid in {"hex", "square"} and board.places:
        left = min(place.column for place in board.places)
        top = min(place.row for place in board.places)
        for place in board.places:
            yield place, place.column - left, place.row - top
    else:
        for number, place in enumerate(board.places):
            yield place, number % DRAWN_COLUMNS, number // DRAWN_COLUMNS


def _first_is_low(board: MapView) -> bool:
    left = min((place.column for place in board.places), default=0)
    return left % 2 == (board.low == "odd")


def _ground_field(places: Iterable[PlaceView], drawn: Drawn) -> str:
    """The field that tells the ground: one that the rules name, one with a usual name, else the one with the most different words; numbers are no ground."""
    words: dict[str, set[str]] = defaultdict(set)
    for place in places:
        for name, value in place.fields.items():
            words[name].add(value)
    for name in (*(name for name, shows in drawn.items() if GROUND in shows), *GROUND_FIELDS):
        if name in words:
            return name
    telling = {
        name: {x for x in values - {"yes", "no", "", "--"} if not x.lstrip("-")[:1].isdigit()}
        for name, values in words.items()
    }
    return max((name for name in telling if telling[name]), key=lambda name: len(telling[name]), default="")


def _ground_letters(grounds: Iterable[str]) -> dict[str, str]:
    """A letter for each ground; the plainest, open one is a dot."""
    named = [name for name in grounds if name]
    plain = next((name for word in ("clear", "open", "plain") for name in named if word in name), "")
    return {plain: ".", **letters_for(name for name in named if name != plain)} if plain else letters_for(named)


def _marks(place: PlaceView, ground_field: str) -> tuple[str, ...]:
    return tuple(
        name if value == "yes" else f"{name} {value}"
        for name, value in place.fields.items()
        if name != ground_field and name not in place.plain and value not in {"no", "", "--", "0"}
    )


def _sides(sides: Iterable[SideView]) -> dict[str, tuple[SideView, str, Colour]]:
    found = tuple(sides)
    letters = letters_for((side.title or side.id for side in found), upper=True)
    return {
        side.id: (side, letters[side.title or side.id], colour_of_side(side, place)) for place, side in enumerate(found)
    }


def _standing(
    things: tuple[ThingView, ...], sides: Mapping[str, tuple[SideView, str, Colour]], parts: Parts, drawn: Drawn
) -> dict[str, tuple[Stack, ...]]:
    """Who stands in each place that anybody stands in."""
    gathered: dict[str, dict[str, list[ThingView]]] = defaultdict(lambda: defaultdict(list))
    for thing in things:
        if thing.place and not thing.part:  # parts are told with their whole
            gathered[thing.place][thing.side].append(thing)
    order = [*sides, ""]
    return {
        place: tuple(
            _stack(side, tuple(by_side[side]), sides, parts, drawn)
            for side in sorted(by_side, key=lambda side: order.index(side) if side in order else len(order))
        )
        for place, by_side in gathered.items()
    }


def _stack(
    side: str,
    things: tuple[ThingView, ...],
    sides: Mapping[str, tuple[SideView, str, Colour]],
    parts: Parts,
    drawn: Drawn,
) -> Stack:
    first = sorted(things, key=lambda thing: (thing.word != "unit", -int(number_of(thing) or 0)))
    _, letter, colour = sides.get(side, (None, "*", (90, 90, 90)))
    made = {thing.id: said for thing in first if (said := parts.summary(thing))}
    return Stack(side, letter, colour, tuple(first), made, drawn)


def _ways(
    links: Iterable[tuple[str, str, str]],
) -> tuple[dict[tuple[str, str], tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """The ways by pair of places in both orders, and by place."""
    pairs: dict[tuple[str, str], tuple[str, ...]] = {}
    at_place: dict[str, tuple[str, ...]] = {}
    for name, one, other in links:
        for pair in ((one, other), (other, one)):
            pairs[pair] = tuple(dict.fromkeys((*pairs.get(pair, ()), name)))
        for place in (one, other):
            at_place[place] = tuple(dict.fromkeys((*at_place.get(place, ()), name)))
    return pairs, at_place


def _way_signs(names: Iterable[str], drawn: Drawn) -> dict[str, str]:
    signs: dict[str, str] = {}
    spare = iter(OTHER_WAYS * 8)
    for name in sorted(names):
        said = [one for word in name.split() for one in drawn.get(word, ())]
        usual = next((sign for word, sign in WAYS.items() if word in said), "")
        usual = usual or next((sign for word, sign in WAYS.items() if word in name), "")
        signs[name] = usual if usual and usual not in signs.values() else next(spare)
    return signs
