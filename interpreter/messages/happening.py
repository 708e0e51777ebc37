"""What all events have in common: what is recorded of an event, and how that is written.

Things appear by their ids, as orders take them. An id may be a reference (`references.py`): each reader gets the names that they
may know, and `sentences.py` words the event for them. A field with a stated meaning is recorded and published. The other fields
serve the sentence, which is recorded as it was worded. The chain that proves a record covers all of that, so what a campaign
records never changes once it has begun. A field that is `NEWER` is recorded only under rules of an edition that asks for it
(`dsl/rules/editions.py`).
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Annotated, ClassVar

import attrs
from attrs import frozen

from interpreter.messages.json_data import JsonObject, JsonValue
from interpreter.runtime.things import Value

__all__ = ["NEWER", "AsRecorded", "DataKey", "Happening", "as_json", "keys_of"]

NEWER = "recorded since the edition in which events list their parts"
"""Marks fields that older records lack."""


@frozen
class Happening:
    """What happened. KIND: the word for it in records and programs; MEANS: what that word means.

    veiled: whether names are replaced by labels, or a number is left out, because they are hidden from the reader.
    """

    KIND: ClassVar[str] = ""
    MEANS: ClassVar[str] = ""
    veiled: bool = attrs.field(default=False, kw_only=True)

    @property
    def kind(self) -> str:
        """The word for it in records and programs."""
        return self.KIND

    def as_data(self) -> JsonObject:
        """The data recorded besides its sentence; None is left out."""
        values = ((key.name, getattr(self, key.name)) for key in keys_of(type(self)))
        found = {name: as_json(value) for name, value in values if value is not None}
        return {**found, "veiled": True} if self.veiled else found

    def without_newer(self) -> Happening:
        """The same, without the fields that older records lack."""
        newer: dict[str, Value] = {key.name: None for key in keys_of(type(self)) if key.is_newer}
        return attrs.evolve(self, **newer) if newer else self


@frozen
class AsRecorded(Happening):
    """An event of a record that has no class today. said: its kind; data: as recorded."""

    said: str = ""
    data: JsonObject = attrs.field(factory=dict)

    @property
    def kind(self) -> str:
        """The word in the record."""
        return self.said

    def as_data(self) -> JsonObject:
        """As recorded."""
        return self.data

    def without_newer(self) -> Happening:
        """As recorded."""
        return self


@frozen
class DataKey:
    """A recorded field of a happening, or of a row of a story. hint: its type, if it is not left out."""

    name: str
    hint: Value
    means: str
    is_optional: bool
    is_newer: bool

    @classmethod
    def of(cls, name: str, said: Value) -> DataKey:
        """The key of a field. said: its annotation."""
        hint, (means, *marks) = said.__origin__, said.__metadata__
        kinds = [one for one in typing.get_args(hint) if one is not type(None)]
        is_optional = isinstance(hint, types.UnionType) and type(None) in typing.get_args(hint)
        return cls(name, kinds[0] if is_optional else hint, means, is_optional, NEWER in marks)


_KEYS: dict[type, tuple[DataKey, ...]] = {}


def keys_of(made: type) -> tuple[DataKey, ...]:
    """The recorded fields of a class: those with a meaning."""
    if made not in _KEYS:
        hints = typing.get_type_hints(made, include_extras=True)
        said = [(name, hint) for name, hint in hints.items() if typing.get_origin(hint) is Annotated]
        _KEYS[made] = tuple(DataKey.of(*one) for one in said)
    return _KEYS[made]


def as_json(value: Value) -> JsonValue:
    """A value as JSON."""
    if attrs.has(type(value)):
        found = ((key.name, getattr(value, key.name)) for key in keys_of(type(value)))
        return {name: as_json(one) for name, one in found if one is not None}
    if isinstance(value, tuple | list):
        return [as_json(one) for one in value]
    return {key: as_json(one) for key, one in value.items()} if isinstance(value, Mapping) else value
