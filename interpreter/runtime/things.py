"""What things are to the machine's own code, and the names of the types of rule values.

The module is light: code that only mentions things does not load the language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

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
"""What rules compute, where code looks inside: numbers, words, things, several of them. Which it is was determined when the rules
were bound, so nothing checks again while they run. Where no code looks inside it is an `object`."""

NO_PLACE: Value = None
"""The label, the neighbours and the things of something that is not a place: code reads them only from places."""


class Thing:
    """A unit, a side, a place, a part: a thing of any kind in the rules. Each kind has its own class with slots for all this.

    side, holder: None if it has none. place: its place, None off the map; a place is its own place, a side has none.
    label, near, things: only for places, and read only from places; so is index, which is -1 for anything else.
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


def things_in(value: object) -> list[Thing]:
    """The things in an answer, or in the value of a name."""
    if isinstance(value, dict):
        return [x for pair in value.items() for part in pair for x in things_in(part)]
    if isinstance(value, list | tuple):
        return [x for part in value for x in things_in(part)]
    return [value] if isinstance(value, Thing) else []
