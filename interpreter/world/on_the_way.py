"""Rules that fire while something moves or leaves the game: step by step, at each place that is left, entered or approached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from dsl.rules.ruleset import PLACE
from interpreter.messages.asking import Run
from interpreter.runtime.frames import Frame
from interpreter.runtime.nearness import things_here
from interpreter.runtime.runtime import Halt, RuleTrouble
from interpreter.runtime.things import Thing, Value
from interpreter.runtime.trouble import TroubleAt
from interpreter.world.reacting_worlds import Reacting
from interpreter.world.reactions import Reactions, Stride, WaitingRule

__all__ = ["ReactionsOnTheWay", "reactions_of"]


MOST_FALLING = 60
"""The maximum depth of removals that trigger each other."""


class ReactionsOnTheWay(Reactions):
    """The waiting rules of one world, including those about movement."""

    def moved(self, thing: Thing, origin: Thing | None, place: Thing) -> None:
        """A thing has moved in one step; its consequences are queued."""
        if thing.kind not in self.movers:
            return
        left, entered = _apart_from(origin, place), _apart_from(place, origin)
        self.queue += [partial(self._left, w, thing, other) for w, other in self._around("leaves", thing, left)]
        thing.place = origin
        near = self._near(thing)
        thing.place = place
        self.queue += [
            partial(self._meeting, w, thing, other, place) for w, other in self._arrivals(thing, entered, near)
        ]

    def _left(self, w: WaitingRule, thing: Thing, other: Thing, frame: Frame | None) -> tuple[WaitingRule, Run] | None:
        return self._happening(w, (thing, other), frame) if thing.alive and other.alive else None

    def take_out(self, thing: Thing, frame: Frame | None, site: int) -> Run:
        """Removes a thing from the game after the rules on its removal have fired; what it holds goes after them, before it.

        A part is reported with its whole, and ends with it.
        """
        if _is_out(thing) or thing in self.falling:
            return
        if len(self.falling) >= MOST_FALLING:
            names = self.losing[0].trigger if self.losing else None
            message = f"More than {MOST_FALLING} removals trigger each other."
            raise TroubleAt(message, names.span) if names is not None else RuleTrouble(message)
        self.falling.append(thing)
        nested, self.nested = self.nested, 0
        try:
            for w in self.losing:
                if (
                    not _is_out(thing)
                    and thing.kind in w.sorts[0]
                    and (run := self._happening(w, (thing,), frame)) is not None
                ):
                    yield from run[1]
            for member in list(thing.members):
                yield from self.take_out(member, frame, site)
        finally:
            self.falling.remove(thing)
            self.nested = nested
        if not thing.part or thing.holder not in self.falling:
            self.world.positions.remove(thing, site)

    def travel(self, thing: Thing, to: Thing | None, frame: Frame | None, site: int) -> Run:
        """Moves a thing step by step along its route. Ends early if a rule stops, moves or removes it."""
        world = self.world
        if _is_out(thing):
            return
        start = thing.place.label if thing.place is not None else ""
        stride = Stride(thing, [start], site)
        self.strides.append(stride)
        try:
            for place in self._way(thing, to, frame):
                origin = thing.place
                for w, other in list(self._around("leaves", thing, _apart_from(origin, place))):
                    yield from self._event(w, thing, other, origin, frame)
                    if _is_out(thing) or thing.place is not origin:
                        return
                near = self._near(thing)
                if place is None:
                    self.strides.remove(stride)
                    self._tell_stride(stride)
                    world.positions.move_off(thing, site)
                    yield from self.react(frame)
                    return
                world.positions.stand(thing, place)
                stride.way.append(place.label)
                for w, other in self._arrivals(thing, _apart_from(place, origin), near):
                    yield from self._event(w, thing, other, place, frame)
                    if _is_out(thing) or thing.place is not place:
                        return
                yield from self.react(frame)
                if _is_out(thing) or thing.place is not place:
                    return
        except Halt as halt:
            self._stopped(halt, frame)
        finally:
            if stride in self.strides:
                self.strides.remove(stride)
                self._tell_stride(stride)

    def _event(self, w: WaitingRule, thing: Thing, other: Thing, place: Thing | None, frame: Frame | None) -> Run:
        """One event of a movement, if the things are still unchanged."""
        found = self._meeting(w, thing, other, place, frame)
        if found is not None:
            yield from found[1]

    def _meeting(
        self, w: WaitingRule, thing: Thing, other: Thing, place: Thing | None, frame: Frame | None
    ) -> tuple[WaitingRule, Run] | None:
        if not thing.alive or thing.place is not place or not other.alive:
            return None
        inside = _and_around(place)
        if w.trigger.event in {"leaves", "enters"} and other not in inside and other.place not in inside:
            return None
        if w.trigger.event in {"within", "next"} and not self._is_near(w, thing, other, frame):
            return None
        return self._happening(w, (thing, other), frame)

    def _around(self, event: str, thing: Thing, places: list[Thing]) -> Iterator[tuple[WaitingRule, Thing]]:
        """The rules on entering or leaving some places, each with the place or with the things there."""
        for w in self.moving[event]:
            if thing.kind not in w.sorts[0]:
                continue
            if w.on_place:
                found = [p for p in places if p.kind == w.kinds[1]] or places[: w.kinds[1] == PLACE]
            else:
                there = [x for x in things_here(places, w.sorts[1]) if x is not thing]
                found = sorted((x for x in there if self._is_whose(w, thing, x)), key=self._named)
            for other in found:
                yield w, other

    def _near(self, thing: Thing) -> dict[str, set[Thing]]:
        """For each rule on coming near, by name, the things that this one is already near to."""
        return {
            w.trigger.rule: {x for x in self._others(w, thing) if self._is_near(w, thing, x, None)}
            for w in self._nearing(thing)
        }

    def _nearing(self, thing: Thing) -> list[WaitingRule]:
        return [w for event in ("within", "next") for w in self.moving[event] if thing.kind in w.sorts[0]]

    def _others(self, w: WaitingRule, thing: Thing) -> list[Thing]:
        return [
            x
            for x in self.world.all_of(w.kinds[1])
            if x is not thing and x.place is not None and self._is_whose(w, thing, x)
        ]

    def _arrivals(
        self, thing: Thing, places: list[Thing], near: dict[str, set[Thing]]
    ) -> list[tuple[WaitingRule, Thing]]:
        """The rules that fire when a thing has entered places, in order: entering, coming within, coming next to."""
        out = list(self._around("enters", thing, places))
        for w in self._nearing(thing):
            came = [
                x for x in self._others(w, thing) if x not in near[w.trigger.rule] and self._is_near(w, thing, x, None)
            ]
            out += [(w, x) for x in sorted(came, key=lambda x: (self._apart(thing, x), *self._named(x)))]
        return out

    def _is_near(self, w: WaitingRule, thing: Thing, other: Thing, frame: Frame | None) -> bool:
        if thing.place is None or other.place is None:
            return False
        if w.trigger.event == "next":
            return other.place in thing.place.near
        steps = self.world.functions[w.amount](self._frame(w, (thing, other), frame))
        return bool(self._apart(thing, other) <= steps)

    def _way(self, thing: Thing, to: Thing | None, frame: Frame | None) -> Sequence[Thing | None]:
        """The places that a thing goes through: along the route of its order, else straight to the last."""
        if to is None:
            return [None] if thing.place is not None else []
        here = thing.place
        goal: Value = to.place
        around = frame
        while around is not None and here is not None:
            route = getattr(around, "route", None)
            if route and route[-1] == goal.label and here.label in route[:-1]:
                return [self.world.by_label[x] for x in route[route.index(here.label) + 1 :]]
            around = getattr(around, "up", None)
        return [goal]


def _is_out(thing: Thing) -> bool:
    """Whether a thing is out of the game: checked after each event, as any event may remove it."""
    return not thing.alive


def _and_around(place: Thing | None) -> list[Thing]:
    """A place and those that contain it, from the nearest outwards."""
    out = []
    while place is not None:
        out.append(place)
        place = place.holder
    return out


def _apart_from(place: Thing | None, other: Thing | None) -> list[Thing]:
    """A place and those that contain it, without those that also contain another place."""
    shared = _and_around(other)
    return [p for p in _and_around(place) if p not in shared]


def reactions_of(world: Reacting) -> ReactionsOnTheWay | None:
    """The waiting rules of a world; None if there are none."""
    rules = world.program.rules
    return ReactionsOnTheWay(world) if rules.triggers or rules.lasting else None
