"""What one side may see: the only form in which state leaves the machine for people. Secrecy is already applied in it."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from interpreter.messages.inputs import Awaited


@attrs.frozen(slots=True)
class SideView:
    """A side: its id, title and colour name ("" when the scenario gives none)."""

    id: str
    title: str
    colour: str


@attrs.frozen(slots=True)
class ThingView:
    """A thing that the viewer may see.

    kind: its kind's name; word: unit, formation, component, marker, record or pool; template: the entry of a unit
    list it was made from, or ""; place: a label of the map or ""; holder: id of the thing that holds it, or "".
    fields: printed values by field name, only those the viewer may see; changed: names of the fields whose value
    is not the one that its unit list or `starts` gives (never its title); pointing: names of the fields that name things or places.
    part: whether it is a part of its holder, and stands where that stands; tracks: what each track of it was in the beginning;
    made: what it is made of: entry (or kind, where a part was made from none), kind, how many are left, of how many.
    unknown: names of the fields that are hidden from the viewer, or may name what is. carried: of those that hold entries of lists,
    or several words: what a sailor has with him. texts: names of the fields that hold a text, which says no state.
    boxes: fields that the rules draw as boxes which fill, each with how many there are.
    counter: the number on its counter where the rules work it out (their value `counter-shows`), as far as the viewer may know it.
    """

    id: str
    name: str
    kind: str
    word: str
    template: str
    side: str
    place: str
    holder: str
    fields: dict[str, str]
    changed: tuple[str, ...] = ()
    pointing: tuple[str, ...] = ()
    part: bool = False
    tracks: dict[str, int] = attrs.field(factory=dict)
    made: tuple[tuple[str, str, int, int], ...] = ()
    unknown: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    counter: str = ""
    boxes: dict[str, int] = attrs.field(factory=dict)


@attrs.frozen(slots=True)
class PlaceView:
    """A place of the map: its label, name ("" if none), column and row (0 in a map that is not a grid), fields.

    inside: the label of the place of another map that it lies in, or "". plain: names of the fields that are as `starts` gives
    them, of which there is nothing to tell.
    """

    label: str
    name: str
    column: int
    row: int
    fields: dict[str, str]
    inside: str = ""
    plain: tuple[str, ...] = ()


@attrs.frozen(slots=True)
class BetweenView:
    """A place between two neighbours: its label, the labels of both, its kind and fields."""

    label: str
    first: str
    last: str
    kind: str
    fields: dict[str, str]


@attrs.frozen(slots=True)
class MapView:
    """A map. grid: hex, square or drawn; low: which columns stand half a hex lower (odd or even).

    links: (name, label, label) for every road, river or the like, with the sort before the name: `major river`.
    kind: of its places; between: the places between neighbours; borders: the neighbours of a drawn map, each pair once.
    sides: the names of links that lie on the sides between two places, as a river may, and do not lead from one to the other.
    drawn: what words of the rules are drawn as, where the rules say it: see `dsl.data.drawings`.
    """

    name: str
    title: str
    grid: str
    columns: int
    rows: int
    low: str
    places: tuple[PlaceView, ...]
    links: tuple[tuple[str, str, str], ...]
    kind: str = ""
    between: tuple[BetweenView, ...] = ()
    borders: tuple[tuple[str, str], ...] = ()
    sides: frozenset[str] = frozenset()
    drawn: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)


@attrs.frozen(slots=True)
class View:
    """The situation as one side (or the umpire) may know it.

    maps: all that the game stands on; map: the first of them; date: of the turn, or "" where no calendar is given.
    hints: what the scenario's lesson for this side says to do now.
    over: why the game is over, "" while it goes on; winner: the side that has won it, "" for none.
    gone: what is made of parts, and parts, that are no longer in the game, as they were in the end.
    phase_around: the title of the phase in which the step that runs stands, "" where a phase itself runs.
    """

    side: str
    system: str
    scenario: str
    scenario_title: str
    turn: int
    phase: str
    phase_title: str
    active: str
    over: str
    sides: tuple[SideView, ...]
    things: tuple[ThingView, ...]
    facts: dict[str, str]
    maps: tuple[MapView, ...]
    awaiting: tuple[Awaited, ...]
    date: str = ""
    hints: tuple[str, ...] = ()
    gone: tuple[ThingView, ...] = ()
    winner: str = ""
    phase_around: str = ""

    @property
    def map(self) -> MapView:
        """The first map."""
        return self.maps[0]


@attrs.frozen(slots=True)
class OptionView:
    """An option of the rules: its name, title, the word it has now, those it can have; changed: whether the umpire changed it."""

    name: str
    title: str
    value: str
    words: tuple[str, ...]
    changed: bool


@attrs.frozen(slots=True)
class ModuleView:
    """A module of the rules: its name and title, and whether it is on."""

    name: str
    title: str
    on: bool
