"""Durations: values that end at a moment or under a condition, and what was done this turn and the last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeAlias

import attrs

from interpreter.codegen.python_names import IF
from interpreter.codegen.reads import PAST
from interpreter.messages.json_data import JsonObject, JsonValue
from interpreter.runtime.exact_numbers import Number
from interpreter.runtime.things import Thing, Value

TURNS_KNOWN = 2
"""The number of turns for which past actions are kept: this one and the last."""


Until: TypeAlias = str | tuple[str, str, bool, tuple[object, ...]]
"""A moment until which something lasts: its name, or also whose it is, whether it must begin first, and the arguments of its condition."""


@attrs.define(slots=True, eq=False)
class Lasting:
    """A value of a field that lasts until a moment. before: the value beneath; gained: what was added instead, if it was.

    whose: own or enemy, the moment being one of the owner's or of another side's; waits: whether it must begin first.
    taken: the arguments of its condition. number: rises with each, so that the order of values on a field is known.
    """

    thing: Thing
    slot: str
    value: Value
    before: Value
    number: int
    gained: Number | None = None
    whose: str = ""
    waits: bool = False
    taken: tuple[object, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether it only needs the value beneath."""
        return self.gained is None and not self.whose and not self.waits and not self.taken

    def concerns(self, active: Thing | None) -> bool:
        """Whether it waits for this moment of the active side."""
        return not self.whose or (self.whose == "own") == (self.thing.side is active)


def _more(value: Value, amount: Number) -> Value:
    """The value of a field plus an amount; an absent value stays absent."""
    return value if value is None or not amount else value + amount


class Falling(Protocol):
    """Handles the consequences when something no longer lasts."""

    def fell(self, lasting: Lasting, before: object) -> None:
        """A field has changed because something no longer lasts. before: what it held."""


class KnowingPast(Protocol):
    """The past as one side knows it."""

    def has_done(
        self, past: Mapping[str, list[tuple[Thing, int, int]]], keys: Iterable[str], thing: Thing, turn: int, since: int
    ) -> bool:
        """Whether a thing or side has done one of these in a turn, since a moment of it. Raises Hidden if the side cannot know."""


class Timed(Protocol):
    """The parts of a world that lasting values need."""

    turn: int
    """The number of the turn."""
    active: Thing | None
    """The side whose turn it is."""

    @property
    def functions(self) -> Mapping[str, Callable[..., Value]]:
        """The emitted functions, among them the conditions until which something lasts."""

    @property
    def effects(self) -> Falling:
        """The handler of consequences."""

    def touch(self, name: str, *whose: Thing) -> None:
        """A field has changed on things or places, by its attribute, or a fact that rules read."""


class Durations:
    """What lasts, and past actions.

    expiries: what lasts, by its end; lasting: how many such values a field has; past: who did what in which turn,
    and when in it; running: the current phases, by the clock, and whether each is a step. known: the past as known to the
    side that the world is seen by; None if all of it is known.
    """

    def __init__(self, world: Timed) -> None:
        self.world = world
        self.known: KnowingPast | None = None
        self.clear()

    def clear(self) -> None:
        """Clears everything."""
        self.expiries: dict[str, list[Lasting]] = {}
        self.lasting: dict[tuple[Thing, str], int] = {}
        self.lasted = 0
        self.past: dict[str, list[tuple[Thing, int, int]]] = {}
        self.clock = 0
        self.begun: dict[str, int] = {}
        self.running: list[tuple[int, bool]] = []

    # ---- until
    def lasts(
        self, thing: Thing, slot: str, value: object, before: object, until: Until, gained: Number | None = None
    ) -> None:
        """Keeps the value beneath until a moment: its name, or (name, whose, following, what its condition was given)."""
        moment, whose, following, taken = (until, "", False, ()) if isinstance(until, str) else until
        self.lasted += 1
        waits = following and moment.startswith("end ")
        found = Lasting(thing, slot, value, before, self.lasted, gained, whose, waits, taken)
        self.expiries.setdefault(moment, []).append(found)
        self.lasting[thing, slot] = self.lasting.get((thing, slot), 0) + 1

    def settle_for_good(self, thing: Thing, slot: str) -> None:
        """A value set without an end is permanent: no value beneath it returns."""
        if not self.lasting.pop((thing, slot), 0):
            return
        for moment, found in list(self.expiries.items()):
            self._keep(moment, [x for x in found if x.thing is not thing or x.slot != slot])

    def _keep(self, moment: str, left: list[Lasting]) -> None:
        if left:
            self.expiries[moment] = left
        else:
            self.expiries.pop(moment, None)

    def begins(self, name: str) -> None:
        """A phase or turn begins: what waited for the next one of that name no longer waits."""
        for x in self.expiries.get(f"end {name}", ()):
            if x.waits and x.concerns(self.world.active):
                x.waits = False

    def expire(self, moment: str) -> None:
        """A moment has come: values that lasted until it expire, newest first."""
        found = self.expiries.get(moment)
        if found:
            self._fall(moment, [x for x in found if not x.waits and x.concerns(self.world.active)])

    def lapse(self) -> bool:
        """Expires values whose condition is now true; returns whether there were any."""
        some = False
        for moment in [m for m in self.expiries if m.startswith(IF)]:
            test = self.world.functions[moment.removeprefix(IF)]
            over = [x for x in self.expiries[moment] if not x.thing.alive or test(x.thing, *x.taken)]
            some = some or bool(over)
            self._fall(moment, over)
        return some

    def _fall(self, moment: str, over: list[Lasting]) -> None:
        if not over:
            return
        self._keep(moment, [x for x in self.expiries[moment] if x not in over])
        for x in reversed(over):
            left = self.lasting.get((x.thing, x.slot), 0) - 1
            if left > 0:
                self.lasting[x.thing, x.slot] = left
            else:
                self.lasting.pop((x.thing, x.slot), None)
            if x.thing.alive:
                self.give_back(x, self._above(x) if left > 0 else None)

    def _above(self, x: Lasting) -> Lasting | None:
        """What was set next on the same field."""
        others = [
            y for found in self.expiries.values() for y in found
            if y.thing is x.thing and y.slot == x.slot and y.number > x.number and y.gained is None
        ]  # fmt: skip
        return min(others, key=lambda y: y.number, default=None)

    def give_back(self, x: Lasting, above: Lasting | None) -> None:
        """Gives a field the value beneath, or gives the value above it that one as its value beneath. Later gains are applied again."""
        over = self._gained_between(x, above)
        held = getattr(x.thing, x.slot) if above is None else above.before
        if x.gained is not None:
            value = _more(held, -x.gained)
        elif held == _more(x.value, over):
            value = _more(x.before, over)
        else:
            return
        if above is not None:
            above.before = value
            return
        setattr(x.thing, x.slot, value)
        self.world.touch(x.slot, x.thing)
        self.world.effects.fell(x, held)

    def _gained_between(self, x: Lasting, above: Lasting | None) -> Number:
        """The temporary gains of the same field since, up to the next value set on it."""
        return sum(
            y.gained for found in self.expiries.values() for y in found
            if y.thing is x.thing and y.slot == x.slot and y.number > x.number and y.gained is not None
            and (above is None or y.number < above.number)
        )  # fmt: skip

    # ---- what was done
    def begin_turn(self) -> None:
        """A turn begins: actions before the last one are forgotten."""
        self.clock, self.begun, self.running = 0, {}, []
        oldest = self.world.turn - TURNS_KNOWN + 1
        kept = {key: [mark for mark in marks if mark[1] >= oldest] for key, marks in self.past.items()}
        self.past = {key: marks for key, marks in kept.items() if marks}
        self.begins("turn")
        self.begins("game-turn")

    def phase_begins(self, name: str, step: bool) -> None:
        """A phase or step begins."""
        self.clock += 1
        self.begun[name] = self.clock
        self.running.append((self.clock, step))
        if self.expiries:
            self.begins(name)

    def remember(self, key: str, doers: Iterable[Thing]) -> None:
        """An order or procedure was done, by these things and sides."""
        self.past.setdefault(key, []).extend((x, self.world.turn, self.clock) for x in doers)
        self.world.touch(PAST)

    def has_done(
        self, keys: tuple[str, ...], thing: Thing, last: bool, period: str, known: KnowingPast | None = None
    ) -> bool:
        """Whether a thing or side has carried out one of these orders or procedures in a period: turn, phase, or a phase by name.

        known: the past as known to the side that asks.
        """
        known = known or self.known
        turn, since = self.world.turn - last, 0
        if period == "phase":
            phases = [clock for clock, step in self.running if not step] or [clock for clock, _ in self.running]
            since = phases[-1] if phases else 0
        elif period != "turn":
            since = self.begun.get(period, self.clock + 1)
        if known is not None:
            return known.has_done(self.past, keys, thing, turn, since)
        return any(x is thing and at == turn and clock >= since for k in keys for x, at, clock in self.past.get(k, ()))

    # ---- as data
    def data(self, encode: Callable[[object], JsonValue]) -> JsonObject:
        """What lasts and past actions, as JSON data, without empty parts. encode: makes JSON data of a value."""
        several = {key for key, count in self.lasting.items() if count > 1}
        ranks = self._ranks()
        out: JsonObject = {
            "expiries": {
                m: [self._lasting_data(x, several, ranks[id(x)], encode) for x in found if x.thing.alive]
                for m, found in self.expiries.items()
                if found
            }
        }
        if self.past:
            out["past"] = {
                key: [[encode(x), turn, clock] for x, turn, clock in marks] for key, marks in self.past.items()
            }
        return out

    def _ranks(self) -> dict[int, int]:
        """The position of each among those on the same field, from 1: only this matters, not when in the game it was set."""
        fields: dict[tuple[Thing, str], list[Lasting]] = {}
        for found in self.expiries.values():
            for x in found:
                fields.setdefault((x.thing, x.slot), []).append(x)
        return {
            id(x): place
            for alike in fields.values()
            for place, x in enumerate(sorted(alike, key=lambda y: y.number), 1)
        }

    def _lasting_data(
        self, x: Lasting, several: set[tuple[Thing, str]], rank: int, encode: Callable[[object], JsonValue]
    ) -> list[JsonValue]:
        row = [encode(x.thing), x.slot, encode(x.value), encode(x.before)]
        if not x.plain or (x.thing, x.slot) in several:
            row.append([rank, encode(x.gained), x.whose, x.waits, [encode(v) for v in x.taken]])
        return row

    def restore(self, data: Mapping[str, Any], decode: Callable[[JsonValue], Value]) -> None:
        """Reads back what `data()` wrote. decode: gives the value of JSON data."""
        self.clear()
        for moment, rows in data["expiries"].items():
            for thing, slot, value, before, *rest in rows:
                number, gained, whose, waits, taken = rest[0] if rest else (0, None, "", False, [])
                holder = decode(thing)
                found = Lasting(
                    holder, slot, decode(value), decode(before), number, decode(gained), whose, waits,
                    tuple(decode(v) for v in taken),
                )  # fmt: skip
                self.expiries.setdefault(moment, []).append(found)
                self.lasting[holder, slot] = self.lasting.get((holder, slot), 0) + 1
                self.lasted = max(self.lasted, number)
        for key, marks in data.get("past", {}).items():
            self.past[key] = [(decode(x), turn, clock) for x, turn, clock in marks]
