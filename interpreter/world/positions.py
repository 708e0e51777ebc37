"""Positions: how things enter the game, move, leave the map and are removed from the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Protocol

from dsl.data.scenario_names import may_be_called
from dsl.rules.notation import BadNotation, attribute
from dsl.rules.parts import part_headings
from interpreter.codegen.reads import MOVES
from interpreter.messages.asking import Run
from interpreter.messages.happenings import ThingArrived, ThingMoved, ThingRemoved
from interpreter.runtime.frames import Frame
from interpreter.runtime.runtime import Printed, RuleTrouble, say
from interpreter.runtime.things import Thing, Value
from interpreter.world.new_ids import numbered, unlike_names
from interpreter.world.world_changes import Changing, Effects, must_stand_alone
from interpreter.world.world_contracts import HeedingMoves

__all__ = ["PlacesPeopled", "Positions"]

LONGEST_NAME = 60
"""The most characters of a name made by a rule: rules that name things after each other would make ever longer ones."""


class PlacesPeopled(Changing, Protocol):
    """The parts of a world that placing, moving and removing things need.

    seed: the ids of hidden things are drawn from it; None if they are numbered. numbers: the next number for the ids of each name.
    """

    by_id: dict[str, Thing]
    by_label: dict[str, Thing]
    numbers: dict[str, int]
    seed: str | None

    @property
    def heed(self) -> HeedingMoves | None:
        """The rules that wait for changes and moves, if there are any."""

    effects: Effects
    """The other changes of things."""


class Positions:
    """Moves things. fallen: things removed by simultaneous lines, which wait for the rules on their removal."""

    def __init__(self, world: PlacesPeopled) -> None:
        self.world = world
        self.fallen: list[tuple[Thing, int]] = []

    # ---- moving
    def travel(self, thing: Thing | None, to: Thing | None, frame: Frame | None, site: int = -1) -> Run:
        """Moves a thing step by step, so that rules can fire on the way. to: None takes it off the map."""
        world = self.world
        if world.heed is not None and world.effects.together is None and thing is not None:
            yield from world.heed.travel(thing, to, frame, site)
        elif to is None:
            self.move_off(thing, site)
        else:
            self.move(thing, to, frame, site)

    def move(self, thing: Thing | None, to: Thing | None, frame: Frame | None, site: int = -1) -> None:
        """Moves a thing to a place, along the route of its order if it has one."""
        if thing is None or to is None:
            raise RuleTrouble("The thing to move, or the place to move to, is absent.")
        world = self.world
        if world.effects.together is not None:
            world.effects.together.append(("move", thing, "", to, site, None))
            return
        if not thing.alive:
            return
        must_stand_alone(thing)
        origin = thing.place
        place: Value = to.place  # a thing off the map has none: this fails like any rule that needs something absent
        self._put_down(thing, place)
        route = getattr(frame, "route", None) if frame is not None else None
        way = [origin.label if origin else "", place.label] if route is None else route
        world.journal.tell_move(thing, way, site)
        if world.heed is not None:
            world.heed.moved(thing, origin, place)

    def move_off(self, thing: Thing | None, site: int = -1) -> None:
        """Takes a thing off the map; it stays in the game, and may be moved to a place again."""
        if thing is None:
            raise RuleTrouble("The thing to move off the map is absent.")
        must_stand_alone(thing)
        world, origin = self.world, thing.place
        if world.effects.together is not None:
            world.effects.together.append(("move", thing, "", None, site, None))
            return
        if origin is None:
            return
        del origin.things[thing]
        world.stir(origin)
        thing.place = None
        world.touch(MOVES, thing)
        what = ThingMoved(thing.id, (origin.label, ""), world.knowledge.called(thing))
        world.journal.happened(what, site, thing.side, about=[thing])

    def stand(self, thing: Thing, place: Thing) -> None:
        """Puts a thing on the map without an event."""
        must_stand_alone(thing)
        self._put_down(thing, place)

    def _put_down(self, thing: Thing, place: Thing) -> None:
        """Puts a thing in a place."""
        world = self.world
        if thing.place is not None:
            del thing.place.things[thing]
            world.stir(thing.place)
        world.stir(place)
        thing.place = place
        place.things[thing] = None
        world.touch(MOVES, thing)

    # ---- leaving the game
    def take_out(self, thing: Thing | None, frame: Frame | None, site: int = -1) -> Run:
        """Removes a thing and what it holds from the game, after the rules that wait for this have fired."""
        world = self.world
        if world.heed is not None and world.effects.together is None and thing is not None:
            yield from world.heed.take_out(thing, frame, site)
        else:
            self.remove(thing, site)

    def take_fallen(self, frame: Frame | None) -> Run:
        """Removes the things removed by simultaneous lines."""
        while self.fallen:
            yield from self.take_out(self.fallen[0][0], frame, self.fallen.pop(0)[1])

    def fall(self, thing: Thing, site: int) -> None:
        """Removes the things removed by simultaneous lines; if rules wait for this, they fire first."""
        if self.world.heed is not None and self.world.heed.losing:
            self.fallen.append((thing, site))
        else:
            self.remove(thing, site)

    def remove(self, thing: Thing | None, site: int = -1) -> None:
        """Removes a thing and what it holds from the game."""
        if thing is None or not thing.alive:
            return
        world = self.world
        if world.effects.together is not None:
            world.effects.together.append(("remove", thing, "", None, site, None))
            return
        for member in list(_held_besides_parts(thing)):
            self.remove(member, site)
        where = thing.place.label if thing.place is not None else ""
        because = world.sites[site].because if site >= 0 else ""
        if (
            where or because or world.ruleset.kinds[thing.kind].word not in {"record", "pool"}
        ):  # those arrive without an event, too
            what = ThingRemoved(thing.id, where, world.knowledge.called(thing), because)
            world.journal.happened(what, site, thing.side, about=[thing])
        self._drop(thing)

    def _drop(self, thing: Thing) -> None:
        """Ends a thing and its parts without an event: its own removal implies theirs."""
        world = self.world
        for part in [x for x in thing.members if x.part]:
            self._drop(part)
        if thing.part and thing.place is not None:
            world.stir(thing.place)
        thing.alive = False
        if thing.place is not None:
            del thing.place.things[thing]
            world.stir(thing.place)
            thing.place = None
        if thing.holder is not None:
            thing.holder.members.remove(thing)
            world.touch(MOVES, thing.holder)
        world.by_kind[thing.kind].remove(thing)
        world.touch(MOVES, thing)

    # ---- coming into the game
    def put(
        self, kind: str, name: str, template: str | None, settings: Mapping[str, Value], where: Thing | None,
        acting: Thing | None, site: int = -1,
    ) -> Thing:  # fmt: skip
        """Creates a thing during play or in an example; its arrival is reported to those who see it."""
        world = self.world
        holder: Value = settings.get(world.ruleset.kinds[kind].holder or "")
        side = settings.get("side") or (holder.side if holder is not None else acting)
        id_ = self._free_id(kind, name, side)
        thing = world.maker.create(kind, id_, id_, side)
        if thing.part and (holder is None or not holder.alive):
            raise RuleTrouble(f"{name} is a part, and the thing it would be part of is absent.")
        if template:
            world.maker.apply_template(thing, template)
        if holder is not None:
            world.effects.hold(thing, holder)
        self._fill(thing, name, settings)
        world.touch(MOVES, thing, *([] if holder is None else [holder]))
        if thing.part and thing.place is not None:
            world.stir(thing.place)
            self._tell_arrival(thing, side, site, world.knowledge.called(holder))
        if where is not None:
            place: Value = where.place
            self.stand(thing, place)
            self._tell_arrival(thing, side, site)
        return thing

    def _free_id(self, kind: str, name: str, side: Thing | None) -> str:
        """The id of a new thing of a name; a drawn one if a number would reveal something hidden."""
        world = self.world
        if world.knowledge.numbers_tell(kind) and world.seed is not None:
            return next(x for x in unlike_names(world.seed, name, self._letter(side)) if x not in world.by_id)
        first = world.numbers.get(name, 1)  # an id that was used once stays used
        taken = enumerate(numbered(name, first), first)
        world.numbers[name], id_ = next((n, x) for n, x in taken if x not in world.by_id and x not in world.by_label)
        return id_

    def _letter(self, side: Thing | None) -> str:
        """The letter that stands for a side in ids: two sides never draw the same id, so that neither learns of the other's."""
        sides = self.world.by_kind["side"]
        return chr(ord("a") + (sides.index(side) if side in sides else len(sides)) % 26)

    def _fill(self, thing: Thing, name: str, settings: Mapping[str, Value]) -> None:
        """Gives a new thing its stated values, and the parts of its entry. name: its intended name."""
        ruleset, maker = self.world.ruleset, self.world.maker
        parts = part_headings(ruleset, thing.kind)
        for key, value in settings.items():
            if key in {"side", ruleset.kinds[thing.kind].holder} or key in parts:
                continue
            if isinstance(value, Printed):
                try:
                    maker.fill(thing, key, value.text)
                except BadNotation as error:
                    raise RuleTrouble(f"{key} of {name}: {error}.") from None
            else:
                kept = list(value) if isinstance(value, list | tuple) else value
                setattr(thing, "name" if key == "name" else attribute(key), kept)
        maker.begin_tracks(thing)
        for key in settings:
            if key.startswith("full "):  # a copy is as full as what it is a copy of
                setattr(thing, attribute(key), settings[key])
        maker.furnish(thing, {key: settings[key].text for key in settings if key in parts})

    def _tell_arrival(self, thing: Thing, side: Thing | None, site: int, whole: str = "") -> None:
        """Reports the arrival of a thing to those who see it. whole: what a part belongs to."""
        world = self.world
        place: Value = thing.place
        what = ThingArrived(thing.id, (place.label,), world.knowledge.called(thing), whole)
        for to in world.knowledge.who_sees(thing, "place"):
            world.journal.happened(what, site, side, to, about=[thing])

    # ---- what things are called
    def named_after(self, entry: str | None, kind: str, name: str) -> str:
        """The name of a thing made from an entry during play: `heavy-3`. name: used instead if that would reveal too much."""
        if entry is None:
            raise RuleTrouble("Nothing can be placed: the entry of the unit list is absent.")
        if self.world.knowledge.numbers_tell(kind):
            return name
        return next(x for n in count(1) if (x := f"{entry}-{n}") not in self.world.by_id)

    def named_as(self, kind: str, text: str, filling: list[Value], name: str) -> str:
        """The name of a thing that a rule places. name: used instead if the made name would reveal something hidden."""
        hidden = any(
            self.world.knowledge.numbers_tell(x.kind) for x in filling if hasattr(x, "kind") and x.kind != "side"
        )
        if hidden or self.world.knowledge.numbers_tell(kind):
            return name
        if any(x is None for x in filling):
            raise RuleTrouble("Something in the new name is absent.")
        pieces = iter(text.split("{}"))
        made = next(pieces) + "".join(
            say(getattr(x, "label", None) or getattr(x, "id", x)) + rest
            for x, rest in zip(filling, pieces, strict=True)
        )
        if not may_be_called(made) or len(made) > LONGEST_NAME:
            raise RuleTrouble(
                f"`{made[:LONGEST_NAME]}` is not a valid name: use up to {LONGEST_NAME} letters, digits and hyphens."
            )
        return made


def _held_besides_parts(thing: Thing) -> Iterator[Thing]:
    """What a thing and its parts hold that is not part of them."""
    for member in thing.members:
        if member.part:
            yield from _held_besides_parts(member)
        else:
            yield member
