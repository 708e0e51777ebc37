"""What one side may see: the only form in which state leaves the machine for people. Secrecy is already applied in it."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from interpreter.messages.inputs import Awaited


@attrs.frozen(slots=True)
class SideView:
    """A side: its id, title and colour name ("" when the scenario gives none).

    fields: its printed values by field name, only those visible to the viewer; changed: names of those that are not as they began.
    """

    id: str
    title: str
    colour: str
    fields: dict[str, str] = attrs.field(factory=dict)
    changed: tuple[str, ...] = ()

    @property
    def state(self) -> dict[str, str]:
        """What is worth telling of it: the values that are not as they began."""
        return {name: self.fields[name] for name in self.changed}


@attrs.frozen(slots=True)
class ThingView:
    """A thing that is visible to the viewer.

    kind: its kind's name; word: unit, formation, component, marker, record or pool; template: the entry of a unit
    list it was made from, or ""; place: a label of the map or ""; holder: id of the thing that holds it, or "".
    fields: printed values by field name, only those visible to the viewer; changed: names of the fields whose value
    differs from its unit list or `starts`, or is `stated` (never its title); pointing: names of the fields that name things
    or places.
    part: whether it is a part of its holder, in the same place; tracks: the initial value of each of its tracks;
    made: its parts: entry (or kind, if a part was made without an entry), kind, how many are left, of how many.
    unknown: names of the fields that are hidden from the viewer, or may name something hidden. carried: names of fields that hold unit list entries
    or several words, such as what a sailor carries. texts: names of the fields that hold a text, which is not a state.
    boxes: fields that the rules draw as boxes to fill, each with the number of boxes.
    counter: the number on its counter if the rules compute it (their value `counter-shows`), as far as the viewer may know it.
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
    """A place of the map: its label, name ("" if none), column and row (on a drawn map the spot where it is shown, below 1 without one), fields.

    inside: the label of the place of another map that contains it, or "". plain: names of the fields that are still as `starts` gives
    them, which need not be shown.
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
    """A map. grid: hex, square or drawn; low: which columns are half a hex lower (odd or even).

    links: (name, label, label) for every road, river or the like, with the sort before the name: `major river`.
    kind: of its places; between: the places between neighbours; borders: the neighbours of a drawn map, each pair once.
    sides: the names of links on the sides between two places, such as rivers, that do not lead from one to the other.
    drawn: how words of the rules are drawn, if the rules say so: see `dsl.data.drawings`.
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

    maps: all maps of the game; map: the first of them; date: of the turn, or "" without a calendar.
    hints: what the scenario's lesson advises this side to do now.
    over: why the game is over, "" while it continues; winner: the side that has won it, "" for none.
    gone: wholes and parts that are no longer in the game, in their final state.
    phase_around: the title of the phase that contains the current step, "" if a phase itself is in progress.
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
    """An option of the rules: its name, title, current value, possible values; changed: whether the umpire changed it."""

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
