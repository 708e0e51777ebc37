"""The classes of things: one for each kind of a ruleset, shared by all its worlds, so that reading a field stays quick.

And what the values of rules are called in the machine's own code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from dsl.rules.memo import kept
from dsl.rules.notation import attribute
from dsl.rules.ruleset import Ruleset

BASE = (
    "id",
    "name",
    "kind",
    "side",
    "place",
    "holder",
    "members",
    "template",
    "alive",
    "known",
    "near",
    "things",
    "index",
    "label",
    "column",
    "row",
)

Value: TypeAlias = Any
"""What rules work out, where somebody looks inside: numbers, words, things, several of them. Which it is the rules have settled when
they were bound, so nothing asks again while they run. Where nobody looks inside it is an `object`."""

NO_PLACE: Value = None
"""The label, the neighbours and the things of what is no place: nobody asks for them without knowing that it is one."""


class Thing:
    """A unit, a side, a place, a part: whatever a kind of the rules names. Each kind has a class of its own with slots for all this.

    side, holder: None where it has none. place: where it stands, None off the map; a place is its own place, a side has none.
    label, near, things: of places alone, which are all that is asked for them; so is index, which is -1 for what is no place.
    """

    __slots__: tuple[str, ...] = ()

    if TYPE_CHECKING:
        id: str
        name: str
        kind: str
        side: Thing | None
        place: Thing | None
        holder: Thing | None
        members: list[Thing]
        template: str
        alive: bool
        known: set[str]
        near: tuple[Thing, ...]
        things: dict[Thing, None]
        index: int
        label: str
        column: int
        row: int
        part: bool

        def __getattr__(self, slot: str) -> Value: ...
        def __setattr__(self, slot: str, value: Value) -> None: ...


def thing_class(ruleset: Ruleset, kind: str) -> type[Thing]:
    """The class of things of a kind: what every thing has, and a slot for each field. Of a part place and side are its whole's."""
    part = ruleset.kinds[kind].part
    fields = tuple(attribute(f) for f in ruleset.kinds[kind].fields if f != "name")
    slots = (*(x for x in BASE if not part or x not in OF_THE_WHOLE), *fields)
    derived = OF_THE_WHOLE if part else {}
    return type(f"Thing_{kind.replace('-', '_')}", (Thing,), {"__slots__": slots, "part": part, **derived})


def _place_of_whole(part: Thing) -> Thing | None:
    """Where a part stands; None for one that is gone."""
    return part.holder.place if part.alive and part.holder is not None else None


def _side_of_whole(part: Thing) -> Thing | None:
    return part.holder.side if part.holder is not None else None


OF_THE_WHOLE = {"place": property(_place_of_whole), "side": property(_side_of_whole)}
"""What is kept of a whole alone, and asked of it wherever it is asked of a part: so no part can ever be elsewhere."""


def thing_classes(ruleset: Ruleset) -> dict[str, type[Thing]]:
    """The class of each kind, by its name."""
    return kept(
        ruleset, "classes", lambda: {k: thing_class(ruleset, k) for k, x in ruleset.kinds.items() if x.word != "group"}
    )
