"""Parts of a world that record what they do: a turn is retold with them (`retelling.py`)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from types import FrameType
from typing import Protocol

from dsl.analysis.filled_fields import fields_filled
from dsl.ir import E, S
from interpreter.explain.story import GivenValue, WorkedLine
from interpreter.explain.told_lines import part_of
from interpreter.messages.asking import Run
from interpreter.play.host import Asks
from interpreter.play.host_contracts import Ordering
from interpreter.play.questions import one_side
from interpreter.runtime.exact_numbers import Number
from interpreter.runtime.frames import Frame
from interpreter.runtime.things import Thing, Value
from interpreter.world.hosting import Whoever
from interpreter.world.lasting import Lasting, Until
from interpreter.world.positions import Positions
from interpreter.world.world import World
from interpreter.world.world_changes import Effects

__all__ = ["ANYTHING", "Hearing", "ToldAsks", "ToldEffects", "ToldPositions", "watched"]

ANYTHING = "anything"
"""A placeholder for any attribute of a thing that may have changed."""


class Hearing(Protocol):
    """A listener for changes.

    busy: whether it is evaluating something itself. touched: the things that changed, each with the field. about: ids of
    the things that matter, if only those do. written: the evaluated lines that are currently writing fields.
    """

    busy: bool
    about: frozenset[str]
    touched: set[tuple[Thing, str]]
    written: list[WorkedLine | None]

    def line_at(self, site: int) -> S | None:
        """The line at a place of the rules, if it matters and changes something."""

    def work_out(self, line: S, part: E, thing: Thing | None, frame: Frame) -> WorkedLine | None:
        """Evaluates a line before it is carried out, if it may matter to the question."""

    def tell(self, worked: WorkedLine, word: str, thing: Thing, before: object) -> GivenValue | None:
        """A line has changed a thing."""

    def tell_on(self, told: GivenValue, thing: Thing, place: Thing) -> GivenValue | None:
        """The last recorded step of a movement has reached another place; None if something else has been recorded for it since."""

    def changing(
        self,
        word: str,
        thing: Thing | None,
        field: str,
        gets: object,
        site: int,
        caller: FrameType,
        done: Callable[[], None],
    ) -> None:
        """An effect is about to be applied."""

    def no_longer(self, lasting: Lasting, before: object) -> None:
        """A temporary value has expired."""

    def name(self, name: str, value: object, home: str, caller: FrameType) -> None:
        """A name of a frame is about to be set by a line of emitted rules."""

    def rolled(self, line_at: int, name: str, value: int, about: list[Thing | None], side: Thing, frame: Frame) -> None:
        """Dice have set a name."""


class ToldEffects(Effects):
    """Effects that are recorded."""

    def __init__(self, world: World, hearer: Hearing) -> None:
        super().__init__(world)
        self.hearer = hearer

    def set(self, thing: Thing | None, field: str, value: object, site: int = -1, until: Until | None = None) -> None:
        """Gives a field a value."""
        done = partial(super().set, thing, field, value, site, until)
        self.hearer.changing("set", thing, field, value, site, _caller(), done)

    def gain(self, thing: Thing | None, field: str, amount: Number, site: int = -1, until: Until | None = None) -> None:
        """Adds to a number field."""
        done = partial(super().gain, thing, field, amount, site, until)
        self.hearer.changing("gain", thing, field, amount, site, _caller(), done)

    def show(self, thing: Thing | None, entry: str | None, site: int = -1) -> None:
        """A thing takes what another entry prints."""
        self.hearer.changing("show", thing, "", entry, site, _caller(), partial(super().show, thing, entry, site))

    def join(self, thing: Thing | None, holder: Thing | None, site: int = -1) -> None:
        """Puts a thing under another holder."""
        self.hearer.changing("join", thing, "", holder, site, _caller(), partial(super().join, thing, holder, site))

    def capture(self, thing: Thing | None, side: Thing | None, site: int = -1) -> None:
        """A thing becomes another side's."""
        self.hearer.changing("capture", thing, "", side, site, _caller(), partial(super().capture, thing, side, site))

    def write(
        self,
        thing: Thing | None,
        field: str,
        text: str,
        filling: tuple[object, ...],
        site: int = -1,
        until: Until | None = None,
    ) -> None:
        """Gives a field, or the fields of a heading, what is written as it is printed."""
        hearer = self.hearer
        line, frame = hearer.line_at(site), _caller().f_locals.get("F")
        if thing is not None:
            hearer.touched.add((thing, ANYTHING))
        if line is None or frame is None or hearer.busy:
            super().write(thing, field, text, filling, site, until)
            return
        hearer.written.append(hearer.work_out(line, part_of(line, field), thing, frame))
        try:
            super().write(thing, field, text, filling, site, until)
        finally:
            hearer.written.pop()

    def fell(self, lasting: Lasting, before: object) -> None:
        """A field has changed because something no longer lasts."""
        super().fell(lasting, before)
        self.hearer.no_longer(lasting, before)


class ToldPositions(Positions):
    """Positions whose changes are recorded."""

    def __init__(self, world: World, hearer: Hearing) -> None:
        super().__init__(world)
        self.hearer = hearer
        self.walking: list[tuple[Thing, WorkedLine, list[GivenValue]]] = []
        """The movements in progress: the thing, its evaluated line, and the last recorded step, if any."""

    def move(self, thing: Thing | None, to: Thing | None, frame: Frame | None, site: int = -1) -> None:
        """Moves a thing to a place."""
        self.hearer.changing("move", thing, "", to, site, _caller(), partial(super().move, thing, to, frame, site))

    def move_off(self, thing: Thing | None, site: int = -1) -> None:
        """Takes a thing off the map."""
        self.hearer.changing("move", thing, "", None, site, _caller(), partial(super().move_off, thing, site))

    def travel(self, thing: Thing | None, to: Thing | None, frame: Frame | None, site: int = -1) -> Run:
        """Moves a thing step by step."""
        hearer, world = self.hearer, self.world
        if thing is not None:
            hearer.touched.add((thing, "place"))
        line, worked = hearer.line_at(site), None
        if (
            line is not None
            and frame is not None
            and thing is not None
            and not hearer.busy
            and world.effects.together is None
        ):
            worked = hearer.work_out(line, part_of(line, ""), thing, frame)
        if worked is None or thing is None or world.heed is None:
            yield from super().travel(thing, to, frame, site)
            return
        walk: tuple[Thing, WorkedLine, list[GivenValue]] = (thing, worked, [])
        self.walking.append(walk)
        try:
            before = thing.place
            yield from super().travel(thing, to, frame, site)
            if thing.alive and thing.place is None and before is not None and not walk[2]:
                hearer.tell(worked, "place", thing, before)
        finally:
            self.walking.remove(walk)

    def stand(self, thing: Thing, place: Thing) -> None:
        """A step of a movement, or a thing placed on the map: continues the last recorded step of its line."""
        before = thing.place
        self.hearer.touched.add((thing, "place"))
        super().stand(thing, place)
        walk = next((w for w in reversed(self.walking) if w[0] is thing), None)
        if walk is not None:
            _, worked, told = walk
            on = self.hearer.tell_on(told[-1], thing, place) if told else None
            told[:] = [x for x in (on or self.hearer.tell(worked, "place", thing, before),) if x is not None]

    def put(
        self, kind: str, name: str, template: str | None, settings: Mapping[str, Value], where: Thing | None,
        acting: Thing | None, site: int = -1,
    ) -> Thing:  # fmt: skip
        """A new thing: everything that its line sets."""
        hearer = self.hearer
        line, frame = hearer.line_at(site), _caller().f_locals.get("F")
        if line is None or frame is None or hearer.busy:
            made = super().put(kind, name, template, settings, where, acting, site)
            hearer.touched.add((made, ANYTHING))
            return made
        words = {f: s for s in settings for f in fields_filled(self.world.ruleset, kind, s)}
        words |= {"entry": "entry"} if template else {}
        words |= {"place": "place"} if where is not None else {}
        about, hearer.about = hearer.about, frozenset()  # its name is known once it exists
        found = {w: hearer.work_out(line, part_of(line, setting), None, frame) for w, setting in words.items()}
        hearer.about = about
        made = super().put(kind, name, template, settings, where, acting, site)
        hearer.touched.add((made, ANYTHING))
        for word, worked in found.items():
            if worked is not None and (not about or made.id in about):
                hearer.tell(worked, word, made, None)
        return made


class ToldAsks(Asks):
    """A host whose rolls are recorded."""

    def __init__(self, world: World, orders: Ordering, hearer: Hearing) -> None:
        super().__init__(world, orders)
        self.hearer = hearer

    def roll(
        self,
        site: int,
        side: Whoever,
        dice: str,
        name: str,
        count: Number | None = None,
        item: Thing | None = None,
        subject: Thing | None = None,
    ) -> Run:
        """Rolls dice for a side."""
        value = yield from super().roll(site, side, dice, name, count, item, subject)
        frame = _caller().f_locals.get("F")
        if frame is not None:
            self.hearer.rolled(site, name, value, [item, subject], one_side(side, name), frame)
        return value


def _caller() -> FrameType:
    """The frame of the caller of a part's method: a line of emitted rules, or another part."""
    return sys._getframe(2)  # noqa: SLF001 (there is no other way to it)


def watched(made: type[Frame], slots: Mapping[str, str], hearer: Hearing) -> type[Frame]:
    """A class of frames that report when one of some names is set. slots: the names, by the slots that hold them."""
    mine = {s: n for s, n in slots.items() if s in made.__slots__}
    if not mine:
        return made

    class Watched(made):  # type: ignore[misc,valid-type]
        """A frame whose names are watched."""

        __slots__: tuple[str, ...] = ()

        def __setattr__(self, slot: str, value: object) -> None:
            if slot in mine and not hearer.busy:
                hearer.name(mine[slot], value, made.__name__, _caller())
            super().__setattr__(slot, value)

    Watched.__name__ = made.__name__
    Watched.__slots__ = made.__slots__  # frames are read through `__slots__`; the class has no slots of its own
    return Watched
