"""What has changed in the places of a world since the start: a board is large, so only changes are stored as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from types import MappingProxyType

import attrs

from dsl.rules.notation import attribute
from dsl.rules.ruleset import Ruleset
from interpreter.messages.json_data import JsonValue
from interpreter.messages.state_data import WorldState
from interpreter.runtime.things import Thing, Value

__all__ = ["PlaceStart", "changes", "put_back", "starts"]


BESIDE = ("holder", "members", "known")
UNTOUCHED: tuple[object, ...] = (None, [], set())
"""What a place has besides its fields, with the value that most places keep throughout a game."""


@attrs.frozen(slots=True, eq=False)
class PlaceStart:
    """A place at the start.

    fields: for each field the name, the attribute and the value; holder: the place it was in; parts: the places in it, in order.
    values: the values of the fields and of the rest, if unchanged; now: reads the current ones of a place.
    """

    fields: tuple[tuple[str, str, object], ...]
    holder: str | None
    parts: tuple[str, ...]
    values: tuple[object, ...]
    now: Callable[[Thing], tuple[object, ...]]

    def still(self, place: Thing) -> bool:
        """Whether the place is certainly unchanged; one that is in another, or contains others, must be examined."""
        return self.now(place) == self.values and self.holder is None and not self.parts


def starts(
    ruleset: Ruleset, places: Iterable[Thing], before: Mapping[str, PlaceStart] = MappingProxyType({})
) -> dict[str, PlaceStart]:
    """The current places, by their labels. before: the places at the start, of the same kinds; most are unchanged since."""
    names = {
        kind: [("name", "name")]
        + [(f.name, attribute(f.name)) for f in info.fields.values() if f.type.name != "link" and f.name != "name"]
        for kind, info in ruleset.kinds.items()
    }
    together = {kind: attrgetter(*[slot for _, slot in slots], *BESIDE) for kind, slots in names.items()}

    def start(p: Thing) -> PlaceStart:
        first = before.get(p.label)
        if first is not None and first.still(p):
            return first
        return PlaceStart(
            tuple((name, slot, getattr(p, slot)) for name, slot in names[p.kind]),
            None if p.holder is None else _called(p.holder),
            tuple(map(_called, p.members)),
            (*[getattr(p, slot) for _, slot in names[p.kind]], *UNTOUCHED),
            together[p.kind],
        )

    return {p.label: start(p) for p in places if p.label}


def changes(
    places: Iterable[Thing], started: Mapping[str, PlaceStart], encode: Callable[[object], JsonValue]
) -> dict[str, dict[str, JsonValue]]:
    """The differences from the start, as JSON data: `places` by label and field; the rest only if there is any.

    lies: the places that others are in now; parts: the places in others now, in order; shown: the sides that places are revealed to.
    """
    fields: dict[str, JsonValue] = {}
    lies: dict[str, JsonValue] = {}
    parts: dict[str, JsonValue] = {}
    shown: dict[str, JsonValue] = {}
    for place in places:
        first = started.get(place.label)
        if first is None or first.still(place):
            continue
        now = {name: encode(held) for name, slot, value in first.fields if (held := getattr(place, slot)) != value}
        if now:
            fields[place.label] = now
        if (None if place.holder is None else _called(place.holder)) != first.holder:
            lies[place.label] = encode(place.holder)
        if len(place.members) != len(first.parts) or (
            first.parts and tuple(map(_called, place.members)) != first.parts
        ):
            parts[place.label] = [encode(x) for x in place.members]
        if place.known:
            shown[place.label] = sorted(place.known)
    found = {"lies": lies, "parts": parts, "shown": shown}
    return {"places": fields, **{key: value for key, value in found.items() if value}}


def put_back(data: WorldState, by_label: Mapping[str, Thing], decode: Callable[[JsonValue], Value]) -> None:
    """Applies what `changes` wrote to places in their initial state."""
    for label, fields in data["places"].items():
        for field, value in fields.items():
            setattr(by_label[label], "name" if field == "name" else attribute(field), decode(value))
    for label, holder in data.get("lies", {}).items():
        place = by_label[label]
        place.holder = decode(holder)
        if place.holder is not None and not place.holder.label and place not in place.holder.members:
            place.holder.members.append(place)
    for label, held in data.get("parts", {}).items():
        by_label[label].members = [decode(x) for x in held]
    for label, sides in data.get("shown", {}).items():
        by_label[label].known = set(sides)


def _called(x: Thing) -> str:
    """The label of a place or the id of a thing."""
    return x.label or x.id
