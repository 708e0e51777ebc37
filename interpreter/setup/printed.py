"""Printed values of the entries of unit lists, by field and entry, as emitted code reads them: computed once for all games."""

from __future__ import annotations

import attrs

from dsl.data.scenario_names import names_things
from dsl.rules.entries import entries_of
from dsl.rules.ruleset import Ruleset
from interpreter.codegen.python_names import printed_name
from interpreter.runtime.things import Thing, Value
from interpreter.world.incognito import Incognito
from interpreter.world.making_things import Maker


@attrs.define
class _Nowhere:
    """A stand-in for a game: it has rules, but no things."""

    ruleset: Ruleset
    classes: dict[str, type]
    by_kind: dict[str, list[Thing]] = attrs.field(factory=dict)
    by_id: dict[str, Thing] = attrs.field(factory=dict)
    by_label: dict[str, Thing] = attrs.field(factory=dict)
    any_place: bool = False
    incognito: Incognito | None = None

    @property
    def effects(self) -> _Nowhere:
        """Nothing changes here."""
        return self

    def hold(self, thing: Thing, holder: Thing) -> None:
        """Nothing is held here."""


class _Desk(Maker):
    """Creates things outside of any game, to read their printed values. Fields that name things of a game are left out."""

    def __init__(self, ruleset: Ruleset, classes: dict[str, type]) -> None:
        super().__init__(_Nowhere(ruleset, classes))

    def named(self, text: str, kind: str) -> None:
        """Nothing: there is no game."""
        del text, kind


class PrintedField(dict[str, Value]):
    """The initial value of a field by entry; None without an entry. Filled on demand."""

    __slots__ = ("_desk", "_field", "_kind")

    def __init__(self, desk: _Desk, kind: str, field: str) -> None:
        super().__init__()
        self._desk, self._kind, self._field = desk, kind, field

    def __missing__(self, entry: str) -> Value:
        found = self[entry] = self._desk.of_entry(self._kind, entry, self._field)
        return found


def printed_fields(ruleset: Ruleset, classes: dict[str, type]) -> dict[str, PrintedField]:
    """The fields of all kinds with unit list entries, by their names in emitted code."""
    desk = _Desk(ruleset, classes)
    return {
        printed_name(kind, field.name): PrintedField(desk, kind, field.name)
        for kind, info in ruleset.kinds.items()
        if info.word != "group" and entries_of(ruleset, kind)
        for field in info.fields.values()
        if not names_things(field.type) and not field.full_of and field.name != "name"
    }
