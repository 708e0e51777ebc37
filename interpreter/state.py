"""The state of a world as data: written for snapshots and digests, and read back into a world freshly set up."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from operator import attrgetter, is_
from typing import Any

from dsl.ir import Type
from dsl.rules.notation import RatingValue, attribute, read
from dsl.rules.ruleset import Ruleset
from interpreter.changed_places import PlaceStart, changes, put_back
from interpreter.codegen.reads import ALL

MUTABLE = (list, dict, set, tuple)
"""Values that may become others and stay the same object, or hold such."""
NOTHING_WRITTEN: tuple[tuple[Any, ...], str] = ((), "")


class Written:
    """How things of a kind are written. slots: the fields with their attributes; values: all that a row is made of, but who knows it."""

    def __init__(self, slots: tuple[tuple[str, str], ...], *, part: bool) -> None:
        self.slots = slots
        own = () if part else ("side", "place")  # of a part they are its whole's
        self.values: Callable[[Any], tuple[Any, ...]] = attrgetter(
            "id", "name", "holder", "template", *own, *[slot for _, slot in slots]
        )


_json = json.JSONEncoder(separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode


def _listed(texts: Iterable[str]) -> str:
    return f"[{','.join(texts)}]"


class Stored:
    """The part of a world that writes and reads its state."""

    ruleset: Ruleset
    classes: dict[str, type]
    _written: dict[str, Written]
    _row_texts: dict[Any, tuple[tuple[Any, ...], str]]
    by_kind: dict[str, list[Any]]
    _numbers: dict[str, int]
    by_id: dict[str, Any]
    by_label: dict[str, Any]
    places: list[Any]
    started: dict[str, PlaceStart]
    memory: dict[str, list[tuple[Any, ...]]]
    game: Any
    active: Any
    winner: Any
    turn: int
    over: str
    moves: int

    def create(self, kind: str, id_: str, name: str, side: Any) -> Any:
        """A new thing."""
        raise NotImplementedError

    def stand(self, thing: Any, place: Any) -> None:
        """Puts a thing on the map without a word."""
        raise NotImplementedError

    def hold(self, thing: Any, holder: Any) -> None:
        """Puts a thing under its holder."""
        raise NotImplementedError

    def touch(self, name: str) -> None:
        """Counts a change."""
        raise NotImplementedError

    def times(self) -> dict[str, Any]:
        """What lasts and what was done."""
        raise NotImplementedError

    def restore_times(self, data: Any) -> None:
        """Reads back what `times()` wrote."""
        raise NotImplementedError

    def rulings_data(self) -> dict[str, Any]:
        """What the umpire has ruled."""
        raise NotImplementedError

    def restore_rulings(self, data: Mapping[str, Any]) -> None:
        """Reads back what `rulings_data()` wrote."""
        raise NotImplementedError

    def encode(self, value: Any) -> Any:
        """A value as JSON data."""
        if value is None or isinstance(value, bool | int | str):
            return value
        if isinstance(value, Fraction):
            return {"q": [value.numerator, value.denominator]}
        if isinstance(value, RatingValue):
            return {"r": [value.rating, value.text]}
        if isinstance(value, list | tuple):
            return [self.encode(v) for v in value]
        if isinstance(value, dict):
            return {"d": [[self.encode(k), self.encode(v)] for k, v in value.items()]}
        if getattr(value, "label", None) is not None:
            return {"p": value.label}
        return {"t": value.id}

    def decode(self, data: Any) -> Any:
        """The value that `encode` gave this data for."""
        if isinstance(data, list):
            return [self.decode(v) for v in data]
        if not isinstance(data, dict):
            return data
        ((tag, inner),) = data.items()
        if tag == "q":
            return Fraction(*inner)
        if tag == "r":
            return read(self.ruleset, Type("rating", inner[0]), inner[1])
        if tag == "p":
            return self.by_label[inner]
        if tag == "d":
            return {self.decode(k): self.decode(v) for k, v in inner}
        return self.by_id[inner]

    def state(self) -> dict[str, Any]:
        """Everything that can change, as JSON data in a fixed order."""
        return {
            "things": [self._row(x) for x in self._living()], "gone": [self._row(x) for x in self._gone()], **self._else(),
        }  # fmt: skip

    def _living(self) -> list[Any]:
        """All things that are in the game, kind by kind."""
        kinds = self.ruleset.kinds
        return [x for kind, group in self.by_kind.items() if kinds[kind].word != "place" for x in group]

    def _gone(self) -> list[Any]:
        """All things that are no longer in the game, by their ids."""
        return [x for _, x in sorted((id_, x) for id_, x in self.by_id.items() if not x.alive)]

    def _else(self) -> dict[str, Any]:
        """Everything that can change but the things themselves."""
        return {
            "turn": self.turn, "active": self.active.id if self.active is not None else "", "over": self.over,
            "winner": self.winner.id if self.winner is not None else "",
            "stacks": {p.label: [x.id for x in p.things] for p in self.places if len(p.things) > 1},
            "members": {x.id: [m.id for m in x.members] for x in self.by_id.values() if len(x.members) > 1},
            **changes(self.places, self.started, self.encode),
            **self.times(), **({"memory": self._memory_data()} if self.memory else {}), **self.rulings_data(),
        }  # fmt: skip

    def _memory_data(self) -> dict[str, Any]:
        """What rules that wait remember: for each the things it looked at last, in an order of their own."""
        return {
            rule: sorted([x.label or x.id for x in things] for things in found) for rule, found in self.memory.items()
        }

    def _written_of(self, kind: str) -> Written:
        """How things of a kind are written."""
        found = self._written.get(kind)
        if found is None:
            slots = tuple((f, attribute(f)) for f in self.ruleset.kinds[kind].fields if f != "name")
            found = self._written[kind] = Written(slots, part=self.ruleset.kinds[kind].part)
        return found

    def _row(self, x: Any) -> list[Any]:
        slots = self._written_of(x.kind).slots
        side, place = (None, None) if x.part else (x.side, x.place)  # of a part they are its whole's
        return [
            x.kind, x.id, x.name, side.id if side is not None and x.kind != "side" else "", place.label if place is not None else "",
            x.holder.id if x.holder is not None else "", x.template, sorted(x.known), {f: self.encode(getattr(x, s)) for f, s in slots},
        ]  # fmt: skip

    def digest_of(self, extra: Any) -> str:
        """sha256 of the state and something more, as JSON with sorted keys and no spaces."""
        rest = self._else()
        things = _listed(
            text
            for kind, group in self.by_kind.items()
            if self.ruleset.kinds[kind].word != "place"
            for text in self._row_texts_of(kind, group)
        )
        gone = _listed(text for x in self._gone() for text in self._row_texts_of(x.kind, [x]))
        stretches = [
            _json({key: value for key, value in rest.items() if key < "gone"})[1:-1],
            f'"gone":{gone}',
            _json({key: value for key, value in rest.items() if "gone" < key < "things"})[1:-1],
            f'"things":{things}',
            _json({key: value for key, value in rest.items() if key > "things"})[1:-1],
        ]
        state = ",".join(filter(None, stretches))
        return hashlib.sha256(f"[{{{state}}},{_json(extra)}]".encode()).hexdigest()

    def _row_texts_of(self, kind: str, group: list[Any]) -> list[str]:
        """The rows of things of a kind as JSON; each is kept for as long as everything in it is the very same object."""
        values_of, kept = self._written_of(kind).values, self._row_texts
        texts = []
        for x in group:
            values = values_of(x)
            before, text = kept.get(x, NOTHING_WRITTEN)
            if x.known or len(before) != len(values) or not all(map(is_, values, before)):
                text = _json(self._row(x))
                if not x.known and not any(isinstance(value, MUTABLE) for value in values):
                    kept[x] = (values, text)
            texts.append(text)
        return texts

    def restore(self, data: Mapping[str, Any]) -> None:
        """Makes the world what `state()` said, from a world freshly set up from the same scenario."""
        for kind, group in self.by_kind.items():
            if self.ruleset.kinds[kind].word not in {"place", "side"}:
                for x in list(group):
                    if x is self.game:
                        continue
                    x.members = []
                    if not x.part and x.place is not None:
                        del x.place.things[x]
                        x.place = None
                    group.remove(x)
        kept = {s.id: s for s in self.by_kind["side"]}
        self._numbers.clear()
        self.by_id = {**kept, **({self.game.id: self.game} if self.game is not None else {})}
        rows = [*data["things"], *data["gone"]]
        for kind, id_, name, side, _, _, template, known, _ in rows:
            thing = self.by_id.get(id_)
            if thing is None:  # sides and the campaign are there
                thing = self.create(kind, id_, name, kept.get(side))
            thing.name, thing.template, thing.known = name, template, set(known)
        for kind, id_, *_ in data["gone"]:
            self.by_id[id_].alive = False
            self.by_kind[kind].remove(self.by_id[id_])
        for kind, id_, _, _, place, holder, _, _, fields in rows:
            thing = self.by_id[id_]
            if place and kind != "side":
                self.stand(thing, self.by_label[place])
            if holder and thing.alive:
                self.hold(thing, self.by_id[holder])
            elif holder:
                thing.holder = self.by_id[holder]
            for field, value in fields.items():
                setattr(thing, attribute(field), self.decode(value))
        for label, stack in data["stacks"].items():
            self.by_label[label].things = dict.fromkeys(self.by_id[i] for i in stack)
        for id_, members in data["members"].items():
            self.by_id[id_].members = [self.by_id.get(i) or self.by_label[i] for i in members]
        put_back(data, self.by_label, self.decode)
        self.turn, self.over = data["turn"], data["over"]
        self.active = kept.get(data["active"])
        self.winner = kept.get(data["winner"])
        self.restore_times(data)
        self.restore_rulings(data)
        self.memory = {
            rule: [tuple(self.by_label.get(i) or self.by_id[i] for i in names) for names in found]
            for rule, found in data.get("memory", {}).items()
        }
        self.moves += 1
        self.touch(ALL)
