"""Making things: their first values, what entries of unit lists print on them, and fields filled from printed text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from dsl.data.scenario_names import first_of, fits, names_things
from dsl.rules.entries import template_cells
from dsl.rules.memo import kept
from dsl.rules.notation import BadNotation, attribute, parts_of, read, read_printed
from dsl.rules.parts import part_headings, parts_made, resting_headings, row_cells
from dsl.rules.ruleset import PLACE, Field, KindInfo, Ruleset
from interpreter.runtime.references import without_references
from interpreter.runtime.runtime import RuleTrouble, say
from interpreter.runtime.things import NO_PLACE, Thing, Value
from interpreter.world.incognito import Incognito
from interpreter.world.new_ids import numbered

MOST_THINGS = 20_000
"""The most things of a game, including removed ones; places are not counted."""

MOST_CELLS = 20_000
"""The number of cells whose content is kept; beyond that they are read again."""


Cell = tuple[tuple[str, Value], ...]
"""The values in a printed cell, by attribute."""

FirstValues = tuple[list[tuple[str, Value]], list[str]]


class Holding(Protocol):
    """Puts things under others."""

    def hold(self, thing: Thing, holder: Thing) -> None:
        """Puts a thing under its holder."""


class Stock(Protocol):
    """The parts of a world that are needed to create things. any_place: whether the kinds of place have one above them."""

    @property
    def ruleset(self) -> Ruleset:
        """The rules in force."""

    @property
    def classes(self) -> Mapping[str, type[Thing]]:
        """The class of the things of each kind."""

    by_kind: dict[str, list[Thing]]
    by_id: dict[str, Thing]
    by_label: dict[str, Thing]
    any_place: bool
    incognito: Incognito | None

    @property
    def effects(self) -> Holding:
        """Puts things under others."""


class Maker:
    """Creates things and fills them."""

    def __init__(self, world: Stock) -> None:
        self.world = world
        self._firsts: dict[int, Value] = {}
        self._fresh: dict[tuple[str, str], dict[str, Value]] = {}
        self._known: dict[str, tuple[KindInfo, FirstValues]] = {}

    def create(self, kind: str, id_: str, name: str, side: Thing | None) -> Thing:
        """A new thing with its fields at their first values; unset ones raise when read. Raises RuleTrouble for too many."""
        if len(self.world.by_id) > MOST_THINGS:
            raise RuleTrouble(f"There have been more than {MOST_THINGS:,} things: the rules create them endlessly.")
        thing: Thing = self.world.classes[kind]()
        thing.id, thing.name, thing.kind = id_, name, kind
        thing.holder = None
        thing.near = thing.things = thing.label = NO_PLACE
        if not thing.part:
            thing.side, thing.place = side, None
        thing.members, thing.template, thing.alive, thing.known = [], "", True, set()
        thing.index = thing.column = thing.row = -1
        values, sets = self._first_values(self.world.ruleset.kinds[kind])
        for slot, value in values:
            setattr(thing, slot, value)
        for slot in sets:
            setattr(thing, slot, [])
        self.world.by_kind[kind].append(thing)
        if id_:
            self.world.by_id[id_] = thing
        if self.world.incognito is not None:
            self.world.incognito.call([thing])
        return thing

    def _first_values(self, kind: KindInfo) -> FirstValues:
        """The initial values of each thing of a kind by attribute, and the attributes of sets, which each thing has separately."""
        known = self._known.get(kind.name)
        if known is None or known[0] is not kind:
            firsts = [(attribute(x.name), self.first_value(x)) for x in kind.fields.values() if x.name != "name"]
            sets = [slot for slot, value in firsts if isinstance(value, list)]
            known = kind, ([one for one in firsts if not isinstance(one[1], list)], sets)
            self._known[kind.name] = known
        return known[1]

    def chart(self, place: Thing) -> None:
        """Registers a place by its label, and in the list of all places."""
        self.world.by_label[place.label] = place
        if self.world.any_place:
            self.world.by_kind[PLACE].append(place)

    def fresh(self, kind: str, template: str) -> dict[str, Value]:
        """The fields of an unchanged thing, from its unit list entry and `starts`."""
        if (kind, template) not in self._fresh:
            self._fresh[kind, template] = self._made_fresh(kind, template)
        return self._fresh[kind, template]

    def _made_fresh(self, kind: str, template: str) -> dict[str, Value]:
        fields = self.world.ruleset.kinds[kind].fields
        thing = self.world.classes[kind]()
        thing.kind, thing.name, thing.template = kind, "", ""
        for field in fields.values():
            if field.name != "name":
                setattr(thing, attribute(field.name), self.first_value(field))
        if template:
            self.apply_template(thing, template)
        return {f: thing.name if f == "name" else getattr(thing, attribute(f)) for f in fields}

    def of_entry(self, kind: str, entry: str | None, field: str) -> Value:
        """The initial value of a field of a thing made from an entry. Raises RuleTrouble if nothing gives it a value."""
        if entry is None:
            return () if self.world.ruleset.kinds[kind].fields[field].type.name == "set" else None
        value = self.fresh(kind, entry)[field]
        if value is None and not self.world.ruleset.kinds[kind].fields[field].type.optional:
            raise RuleTrouble(f"No unit list gives a value for {field} of {entry}.")
        return value

    def first_value(self, field: Field) -> Value:
        """The value of a field when nothing gives it one; None also for a field that must be given."""
        node = field.node
        if node.starts is not None:
            if field.type.name == "set":
                return []
            if id(field) not in self._firsts:  # the ruleset keeps the fields, and so their identity
                self._firsts[id(field)] = first_of(self.world.ruleset, field)
            return self._firsts[id(field)]
        if field.type.name == "mark" and not field.type.optional:
            return False
        if field.type.name == "set":
            return []
        if field.low is not None and not field.type.optional:
            return field.low
        return None

    def fill(self, thing: Thing, name: str, text: str) -> None:
        """Sets a field, or the fields of a printed heading, from printed text. Raises BadNotation."""
        field = self.world.ruleset.kinds[thing.kind].fields.get(name)
        if field is not None and names_things(field.type) and not self._fills_several(thing.kind, name):
            setattr(thing, attribute(name), self.named_in(field, text))
            return
        for slot, value in self._printed(thing.kind, name, text):
            setattr(thing, slot, list(value) if isinstance(value, tuple) else value)

    def _fills_several(self, kind: str, heading: str) -> bool:
        info = self.world.ruleset.kinds[kind]
        return info.node is not None and any(p.name == heading for p in info.node.printed)

    def _printed(self, kind: str, name: str, text: str) -> Cell:
        """The values in a cell for a kind: the same in all worlds, and so read once. Raises BadNotation."""
        ruleset = self.world.ruleset
        cells = kept(ruleset, "cells", dict[tuple[str, str, str], Cell])
        found = cells.get((kind, name, text))
        if found is None:
            if len(cells) >= MOST_CELLS:
                cells.clear()
            found = cells[kind, name, text] = self._read(kind, name, text)
        return found

    def _read(self, kind: str, name: str, text: str) -> Cell:
        ruleset = self.world.ruleset
        if self._fills_several(kind, name):
            return tuple((attribute(x), value) for x, value in read_printed(ruleset, kind, name, text).items())
        field = ruleset.kinds[kind].fields.get(name)
        if field is None:
            raise BadNotation(f"a {kind} has no {name}")
        value = read(ruleset, field.type, text, field.node.joined)
        return (("name" if name == "name" else attribute(name), value),)

    def printed_in(self, field: Field, text: str) -> Value:
        """The value of printed text for a field that names no thing. Raises BadNotation."""
        value = read(self.world.ruleset, field.type, text, field.node.joined)
        return list(value) if isinstance(value, tuple) else value

    def named_in(self, field: Field, text: str) -> Value:
        """The thing or place, or several of them, that printed text names for a field. Raises BadNotation if there is none."""
        if field.type.of is None:
            return self.named(text, field.type.word)
        parts = [p.strip() for p in text.split(",")] if text.strip() not in {"", "--", "none"} else []
        return [self.named(p, field.type.of.word) for p in parts]

    def named(self, text: str, kind: str) -> Thing | None:
        """The thing or place of that name; None for a dash. Raises BadNotation when there is none."""
        word = text.strip()
        if word in {"--", "", "none"}:
            return None
        found = self.world.by_label.get(word) or self.world.by_id.get(word)
        if found is None or not fits(self.world.ruleset, found.kind, kind):
            raise BadNotation(f"there is no {kind} {word}")
        return found

    def apply_template(self, thing: Thing, template: str) -> None:
        """Gives a thing what its entry in a unit list prints."""
        thing.template = template
        other = {
            "name",
            *part_headings(self.world.ruleset, thing.kind),
            *resting_headings(self.world.ruleset, thing.kind),
        }
        for heading, text in template_cells(self.world.ruleset, template).items():
            if heading not in other:
                self.fill(thing, heading, text.split(" or ")[0])

    def furnish(self, thing: Thing, said: Mapping[str, str]) -> None:
        """Creates the parts that a thing comes with. said: the rest of its row besides its entry, by heading. Raises RuleTrouble."""
        if not part_headings(self.world.ruleset, thing.kind):
            return
        wholes = {thing.id: thing}
        try:
            made = list(
                parts_made(
                    self.world.ruleset,
                    without_references(thing.id),
                    thing.kind,
                    row_cells(template_cells(self.world.ruleset, thing.template), said),
                )
            )
        except BadNotation as error:
            raise RuleTrouble(f"{say(thing)}: {error}.") from None
        for one in made:
            id_ = next(x for x in numbered(one.name) if x not in self.world.by_id)
            part = wholes[one.name] = self.create(one.kind, id_, id_, None)
            self.world.effects.hold(part, wholes[one.whole])
            self.apply_template(part, one.entry)
            self.begin_tracks(part)

    def part_called(self, whole: Thing, rest: str) -> Thing:
        """The part that a thing came with whose name consists of the thing's name and this."""
        return self.world.by_id[whole.id + rest]

    def begin_tracks(self, thing: Thing) -> None:
        """Records the initial values of the tracks of a thing as full."""
        for field in self.world.ruleset.kinds[thing.kind].fields.values():
            if field.full_of:
                setattr(thing, attribute(field.name), getattr(thing, attribute(field.full_of)))

    def printed_by(self, kind: str, *entries: str) -> list[str]:
        """The fields that unit list entries fill."""
        node = self.world.ruleset.kinds[kind].node
        out: dict[str, None] = {}
        for heading in (h for e in entries for h in template_cells(self.world.ruleset, e)):
            patterns = [p.pattern for p in node.printed if p.name == heading] if node is not None else []
            out.update(dict.fromkeys(f for p in patterns for _, f, _ in parts_of(p) if f))
            if not patterns:
                out[heading] = None
        return list(out)

    def entry_title(self, entry: str) -> str:
        """The title of a unit list entry, or its name."""
        return template_cells(self.world.ruleset, entry).get("title", entry)
