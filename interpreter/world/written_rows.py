"""Things as rows of JSON data, for snapshots and digests: a written row is reused until something in it changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import attrgetter, is_

from dsl.rules.notation import RatingValue, attribute
from dsl.rules.ruleset import Ruleset
from interpreter.messages.json_data import JsonValue
from interpreter.messages.state_data import ThingRow
from interpreter.runtime.things import Thing, Value

__all__ = ["Rows", "encode", "json_of"]

MUTABLE = (list, dict, set, tuple)
"""Mutable values, or values that contain such."""
NOTHING_WRITTEN: tuple[tuple[object, ...], str] = ((), "")

json_of = json.JSONEncoder(separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode
"""JSON data as text with sorted keys and no spaces."""


def encode(value: Value) -> JsonValue:
    """A value as JSON data."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return {"q": [value.numerator, value.denominator]}
    if isinstance(value, RatingValue):
        return {"r": [value.rating, value.text]}
    if isinstance(value, list | tuple):
        return [encode(v) for v in value]
    if isinstance(value, dict):
        return {"d": [[encode(k), encode(v)] for k, v in value.items()]}
    if getattr(value, "label", None) is not None:
        return {"p": value.label}
    return {"t": value.id}


class _Form:
    """How things of a kind are written. slots: the fields with their attributes; values: everything in a row except who knows it."""

    def __init__(self, slots: tuple[tuple[str, str], ...], *, part: bool) -> None:
        self.slots = slots
        own = () if part else ("side", "place")  # for a part they belong to its whole
        self.values: Callable[[Thing], tuple[object, ...]] = attrgetter(
            "id", "name", "holder", "template", *own, *[slot for _, slot in slots]
        )


class Rows:
    """The rows of the things of one world."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._forms: dict[str, _Form] = {}
        self._texts: dict[Thing, tuple[tuple[object, ...], str]] = {}

    def _form_of(self, kind: str) -> _Form:
        found = self._forms.get(kind)
        if found is None:
            slots = tuple((f, attribute(f)) for f in self.ruleset.kinds[kind].fields if f != "name")
            found = self._forms[kind] = _Form(slots, part=self.ruleset.kinds[kind].part)
        return found

    def row(self, x: Thing) -> ThingRow:
        """A thing as data: kind, id, name, side, place, holder, entry, knowing sides, fields."""
        slots = self._form_of(x.kind).slots
        side, place = (None, None) if x.part else (x.side, x.place)  # for a part they belong to its whole
        return ThingRow(
            x.kind, x.id, x.name, side.id if side is not None and x.kind != "side" else "", place.label if place is not None else "",
            x.holder.id if x.holder is not None else "", x.template, sorted(x.known), {f: encode(getattr(x, s)) for f, s in slots},
        )  # fmt: skip

    def texts(self, kind: str, group: Sequence[Thing]) -> list[str]:
        """The rows of things of a kind as JSON; each is kept as long as everything in it is the same object."""
        values_of, kept = self._form_of(kind).values, self._texts
        texts = []
        for x in group:
            values = values_of(x)
            before, text = kept.get(x, NOTHING_WRITTEN)
            if x.known or len(before) != len(values) or not all(map(is_, values, before)):
                text = json_of(self.row(x))
                if not x.known and not any(isinstance(value, MUTABLE) for value in values):
                    kept[x] = (values, text)
            texts.append(text)
        return texts
