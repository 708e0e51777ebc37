"""Making a chart from a map of a view: places in columns and rows, letters and marks for terrain, the things in each place, links by pairs.

Places of a drawn map stand at the spots that it gives them, or in rows in the order of the map.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from campaigns.views.parts_in_words import PartsOfThings
from dsl.data.drawings import GROUND
from interpreter.messages.view import MapView, PlaceView, SideView, ThingView, View
from ui.maps.chart import Between, Cell, Chart, Stack
from ui.maps.symbols import WAYS, Colour, Drawn, colour_of_side, ground_of, letters_for, number_of, usual_way

__all__ = ["chart_of", "chart_of_board", "charts_of"]

GROUND_FIELDS = ("terrain", "ground", "landscape")
OTHER_WAYS = (":", "+", "%", "^")
DRAWN_COLUMNS = 6
"""How many places of a drawn map are in one row."""


def charts_of(view: View) -> tuple[Chart, ...]:
    """All maps of a view."""
    return tuple(chart_of(view, board) for board in view.maps)


def chart_of(view: View, board: MapView | None = None) -> Chart:
    """A map of a view, by default the first, with everything that the view shows on it."""
    return chart_of_board(board or view.map, view.sides, view.things)


def chart_of_board(board: MapView, of: Iterable[SideView] = (), things: Iterable[ThingView] = ()) -> Chart:
    """A map with the things on it. of: the sides of these things."""
    placed = list(_positions(board))
    ground_field = _ground_field(board.places, board.drawn)
    grounds = sorted({place.fields.get(ground_field, "") for place in board.places})
    letters = _ground_letters(grounds)
    ground_looks = {ground: ground_of(ground, grounds, board.drawn) for ground in grounds}
    sides = _sides(tuple(of))
    things = tuple(things)
    parts = PartsOfThings(things)
    standing = _standing(things, sides, parts, board.drawn)
    cells = {
        (column, row): Cell(
            place.label,
            place.name,
            column,
            row,
            letters.get(place.fields.get(ground_field, ""), " "),
            ground_looks[place.fields.get(ground_field, "")],
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
        _has_grid(board),
        _has_spots(board),
    )


def _between(board: MapView, standing: Mapping[str, tuple[Stack, ...]]) -> Iterator[Between]:
    """What lies between places, if there is anything to say about it."""
    for one in board.between:
        said = tuple(
            name if value == "yes" else value if not value[:1].isdigit() else f"{name} {value}"
            for name, value in one.fields.items()
            if value not in {"no", "none", "", "--", "0"}
        )
        if said or one.label in standing:
            yield Between(one.label, one.first, one.last, said, standing.get(one.label, ()))


def _has_grid(board: MapView) -> bool:
    """Whether its places are in columns and rows."""
    return board.grid in {"hex", "square"}


def _has_spots(board: MapView) -> bool:
    """Whether a drawn map says where its places are shown."""
    return not _has_grid(board) and bool(board.places) and all(place.column > 0 for place in board.places)


def _positions(board: MapView) -> Iterator[tuple[PlaceView, int, int]]:
    """The places with column and row counted from 0."""
    if (_has_grid(board) and board.places) or _has_spots(board):
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
    """The field for the terrain: one that the rules name, one with a usual name, or the one with the most different words; never a number."""
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
    """A letter for each terrain; the plainest, open one is a dot."""
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
    things: tuple[ThingView, ...], sides: Mapping[str, tuple[SideView, str, Colour]], parts: PartsOfThings, drawn: Drawn
) -> dict[str, tuple[Stack, ...]]:
    """The things in each occupied place."""
    gathered: dict[str, dict[str, list[ThingView]]] = defaultdict(lambda: defaultdict(list))
    for thing in things:
        if thing.place and not thing.part:  # parts are shown with their whole
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
    parts: PartsOfThings,
    drawn: Drawn,
) -> Stack:
    first = sorted(things, key=lambda thing: (thing.word != "unit", -int(number_of(thing) or 0)))
    _, letter, colour = sides.get(side, (None, "*", (90, 90, 90)))
    made = {thing.id: said for thing in first if (said := parts.summary(thing))}
    return Stack(side, letter, colour, tuple(first), made, drawn)


def _ways(
    links: Iterable[tuple[str, str, str]],
) -> tuple[dict[tuple[str, str], tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """The links by pair of places in both orders, and by place."""
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
        usual = WAYS.get(usual_way(name, drawn), "")
        signs[name] = usual if usual and usual not in signs.values() else next(spare)
    return signs
