"""The things of a force as a forest: wholes with what they hold, as far as a viewer may see them (`View`)."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from campaigns.views.strengths import is_strength, number_field, number_of
from interpreter.messages.view import ThingView, View
from interpreter.world.new_ids import in_numbers

if TYPE_CHECKING:
    from interpreter.machine import Game

__all__ = [
    "ForceNode",
    "NoSuchThing",
    "departed",
    "everything",
    "forest",
    "is_listed",
    "is_unit",
    "states",
    "title_of",
    "type_of",
]

WORDS = {"unit", "formation", "component"}
"""What is listed in a roster; markers and the like only if they are parts."""

SILENT = {"no", "", "--"}
SHORT = 12
"""A longer value of a holder is shown only if it has changed."""
WORDY = 24
"""A still longer one is a title, not a state."""


class NoSuchThing(Exception):
    """Nothing with this name is in the roster. known: what is."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name)
        self.name, self.known = name, known


@frozen(eq=False)
class ForceNode:
    """A thing of a roster, and what is under it. gone: whether it is no longer in the game."""

    thing: ThingView
    gone: bool
    below: "tuple[ForceNode, ...]"


def forest(view: View, names: Iterable[str] = ()) -> list[ForceNode]:
    """The things in a roster, side by side, wholes before what they hold.

    Args:
        view: what the viewer may see.
        names: of which things, or sides; empty: of all.

    Raises:
        NoSuchThing: the viewer knows nothing with this name.
    """
    listed = [(thing, gone) for gone, things in ((False, view.things), (True, view.gone)) for thing in things]
    listed = [(thing, gone) for thing, gone in listed if _is_of_a_roster(thing)]
    known = {thing.id for thing, _ in listed}
    made = {thing.id: [entry[:2] for entry in thing.made] for thing in view.things}
    held: dict[str, list[tuple[ThingView, bool]]] = defaultdict(list)
    for thing, gone in listed:
        row = held[thing.holder if thing.holder in known else ""]
        row.insert(_place_of_gone(thing, row, made.get(thing.holder, ())) if gone else len(row), (thing, gone))
    order = [side.id for side in view.sides]
    roots = sorted(held.pop("", []), key=lambda one: order.index(one[0].side) if one[0].side in order else len(order))
    nodes = [_node(thing, held, gone=gone) for thing, gone in roots]
    chosen = [_chosen(name, nodes, order, known) for name in names]
    if not chosen:
        return nodes
    wanted = {node.thing.id for row in chosen for node in row}
    return list(_outermost(nodes, wanted))


def departed(game: "Game", begun: View, sides: Collection[str] = ()) -> list[ForceNode]:
    """The wholes that have left the game since it began and are in no forest, for the umpire; nothing is told of their state.

    Args:
        game: the game now.
        begun: the situation when it began.
        sides: of which sides; empty: of all.
    """
    now = game.view("umpire")
    listed = {thing.id for thing in (*now.things, *now.gone)}
    left = [
        evolve(thing, unknown=tuple(thing.fields))
        for thing in begun.things
        if _is_of_a_roster(thing) and not thing.part and thing.id not in listed
    ]
    return [ForceNode(thing, gone=True, below=()) for thing in left if not sides or thing.side in sides]


def _is_of_a_roster(thing: ThingView) -> bool:
    return thing.word in WORDS or thing.part


def is_listed(view: View, name: str) -> bool:
    """Whether a thing is listed in a roster."""
    return any(thing.id == name and _is_of_a_roster(thing) for thing in view.things)


def _node(thing: ThingView, held: Mapping[str, list[tuple[ThingView, bool]]], *, gone: bool) -> ForceNode:
    return ForceNode(thing, gone, tuple(_node(one, held, gone=lost) for one, lost in held.get(thing.id, ())))


def _place_of_gone(thing: ThingView, row: Sequence[tuple[ThingView, bool]], made: Sequence[tuple[str, str]]) -> int:
    """Where a removed thing was in a row: among those of its entry in the order of their numbers.

    made: entry and kind of all that the row is made of, in the order of the lists, for what is the last of its entry.
    """
    alike = [at for at, (one, _) in enumerate(row) if (one.kind, one.template) == (thing.kind, thing.template)]
    if alike:
        later = (at for at in alike if in_numbers(row[at][0].id) > in_numbers(thing.id))
        return next(later, alike[-1] + 1)

    def rank(one: ThingView) -> int:
        entry = one.template or one.kind, one.kind
        return made.index(entry) if entry in made else len(made)

    return next((at for at, (one, _) in enumerate(row) if rank(one) > rank(thing)), len(row))


def _chosen(name: str, nodes: Sequence[ForceNode], sides: Collection[str], known: Iterable[str]) -> list[ForceNode]:
    low = name.lower()
    every = list(everything(nodes))
    found = [one for one in every if one.thing.id.lower() == low]
    found = found or [one for one in nodes if one.thing.side.lower() == low and one.thing.side in sides]
    if not found and low not in {side.lower() for side in sides}:
        raise NoSuchThing(name, tuple(sorted(known)))
    return found


def _outermost(nodes: Iterable[ForceNode], wanted: Collection[str]) -> Iterator[ForceNode]:
    for node in nodes:
        if node.thing.id in wanted:
            yield node
        else:
            yield from _outermost(node.below, wanted)


def everything(nodes: Iterable[ForceNode]) -> Iterator[ForceNode]:
    """Each of some nodes and what is under it, in the order of the roster."""
    for node in nodes:
        yield node
        yield from everything(node.below)


def type_of(thing: ThingView) -> str:
    """The entry and kind of a thing: `cruiser ship`."""
    return " ".join(dict.fromkeys(filter(None, (thing.template, thing.kind))))


def states(thing: ThingView, *, holds: bool) -> list[tuple[str, str]]:
    """What distinguishes a thing from others of its kind, as field and value: what has changed, or the state of a holder.

    Its title is not among them, nor its tracks: they are drawn.
    """
    names: Iterable[str] = thing.changed
    if holds:
        names = (
            name
            for name, value in thing.fields.items()
            if value not in SILENT and len(value) <= (WORDY if name in thing.changed else SHORT)
        )
    number, at = number_of(thing), number_field(thing)
    return [
        (name, value)
        for name in names
        if name != "title" and name not in thing.tracks and (value := thing.fields.get(name, ""))
        if value != number or not (name == at or is_strength(name))
    ]


def is_unit(thing: ThingView) -> bool:
    """Whether a thing is counted as a unit: a part is not, regardless of its kind; its whole is."""
    return thing.word == "unit" and not thing.part


def title_of(thing: ThingView) -> str:
    """The title of a thing, as far as the viewer may see it, if it says more than its name."""
    title = thing.fields.get("title", "")
    return "" if title in {thing.id, thing.name} else title
