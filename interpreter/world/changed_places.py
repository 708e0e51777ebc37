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
"""What a place has beside its fields, and what that is on most places from the beginning to the end."""


@attrs.frozen(slots=True, eq=False)
class PlaceStart:
    """How one place stood at the start.

    fields: of each field the name, the attribute and the value; holder: what it lay in; parts: what lay in it, in order.
    values: the values of the fields, and what is beside them where that is untouched; now: gives them of a place as it is now.
    """

    fields: tuple[tuple[str, str, object], ...]
    holder: str | None
    parts: tuple[str, ...]
    values: tuple[object, ...]
    now: Callable[[Thing], tuple[object, ...]]

    def still(self, place: Thing) -> bool:
        """Whether the place surely stands as it did; one that lies in another, or in which others lie, has to be looked at."""
        return self.now(place) == self.values and self.holder is None and not self.parts


def starts(
    ruleset: Ruleset, places: Iterable[Thing], before: Mapping[str, PlaceStart] = MappingProxyType({})
) -> dict[str, PlaceStart]:
    """How places stand now, by their labels. before: how they stood, of the same kinds; on most nothing has changed since."""
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
    """What is otherwise than at the start, as JSON data: `places` by label and field; the rest only where there is any.

    lies: in what places lie now; parts: what lies in others now, in order; shown: to which sides places are revealed.
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
    """Makes places what `changes` said, from what they were at the start."""
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
