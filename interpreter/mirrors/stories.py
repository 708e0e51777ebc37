"""Stories: what a procedure does, from its `story` line to its end, as one card for each reader, as far as they may know it.

A card consists of the values that `relate` lines put into it, each computed in the world as its reader knows it, and of everything
that was reported to the reader meanwhile: rolls, messages, changes and losses. Nothing depends on a story, and it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FunctionType

import attrs

from interpreter.codegen.python_names import py
from interpreter.codegen.units import SITES
from interpreter.messages.asking import Run
from interpreter.messages.happening import Happening
from interpreter.messages.happenings import (
    DiceFell,
    FieldChanged,
    Noted,
    StoryEnded,
    ThingRemoved,
    things_of,
)
from interpreter.messages.inputs import Event
from interpreter.messages.sides import UMPIRE
from interpreter.messages.story_parts import StoryFall, StoryReason, StoryRow, StoryThrow
from interpreter.mirrors.known_world import function_there
from interpreter.mirrors.mirror import Mirror, mirror_of
from interpreter.mirrors.veil import veiled
from interpreter.runtime.audit_trail import Note, Trail
from interpreter.runtime.frames import Frame
from interpreter.runtime.hidden import is_hidden
from interpreter.runtime.runtime import TROUBLE, say
from interpreter.runtime.things import Value, things_in
from interpreter.world.told_stories import ToldStory
from interpreter.world.world import World

__all__ = ["Related", "Stories"]

MOST_REASONS = 16
"""The most lines shown for a value."""

FORCES = frozenset({"unit", "formation", "component"})

Related = tuple[str, str, Callable[[], Value], Callable[[], tuple[object, ...]]]
"""A related value: its name in the story, the value of the rules that it calls (or ""), its expression, and the arguments."""


class Stories:
    """Tells the stories of a world. open: those that are being told, the innermost last; told: whether stories are told at all."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.open: tuple[ToldStory, ...] = ()
        self.told = True

    def within(self, frame: Frame, run: Run) -> Run:
        """Runs a procedure, and tells its story when it is over, however it ends."""
        try:
            yield from run
        except Exception:
            self._end_story(frame)
            raise
        self._end_story(frame)

    def begin(
        self, frame: Frame, procedure: str, message: str, args: tuple[object, ...], cites: tuple[str, ...]
    ) -> None:
        """A story begins. message: its title, with a gap for each argument."""
        if self.told:
            parts = message.split("{}")
            title = "".join(
                p + (say(args[i]) if i < len(args) and i < len(parts) - 1 else "") for i, p in enumerate(parts)
            )
            named = things_in([self.world.by_id.get(x) if isinstance(x, str) else x for x in args])
            rows: dict[str, list[StoryRow]] = {reader: [] for reader in self._readers()}
            knowing = frozenset(self.world.knowledge.knowing(named))
            self.open = (*self.open, ToldStory(frame, procedure, title, tuple(named), knowing, cites, rows))

    def relate(self, parts: Sequence[Related], cites: tuple[str, ...]) -> None:
        """Adds values to the innermost story in progress; what a reader may not know is left out of that reader's story."""
        if not self.open:
            return
        story = self.open[-1]
        for reader, rows in story.rows.items():
            rows += [row for row in self._known(reader, parts, cites) if row is not None]

    def _known(self, reader: str, parts: Sequence[Related], cites: tuple[str, ...]) -> list[StoryRow | None]:
        """The related values, as far as a reader may know them."""
        world = self.world
        if reader in {UMPIRE, "all"} or world.veil is not None:
            return [self._related(world, part, cites) for part in parts]
        if world.ways.fine:
            with mirror_of(world, reader).with_names() as mirror:
                return [self._related(mirror.world, _as_seen(mirror, part), cites) for part in parts]
        with veiled(world, reader):  # in an example, which has no other readers
            return [self._related(world, part, cites) for part in parts]

    def heard(self, event: Event) -> None:
        """Records events for the stories in progress."""
        for story in self.open:
            story.seen.append(event)

    def heard_otherwise(self, before: Event, now: Event) -> None:
        """The last event has been replaced by another one."""
        for story in self.open:
            if story.seen and story.seen[-1] is before:
                story.seen[-1] = now

    # ---- what is in it
    def _readers(self) -> list[str]:
        """The readers with different stories; only one for all if nothing is hidden from anybody."""
        if not self.world.program.secrecy.hides and self.world.incognito is None and not self.world.knowledge.conceals:
            return ["all"]
        return [UMPIRE, *(s.id for s in self.world.by_kind["side"])]

    def _related(self, seen: World, part: Related, cites: tuple[str, ...]) -> StoryRow | None:
        """A value as a row of a story; None if its reader may not know it. seen: the world as the reader knows it."""
        name, asked, value, arguments = part
        try:
            found = value()
        except TROUBLE as error:
            if is_hidden(error):
                return None
            raise
        reasons: tuple[StoryReason, ...] = ()
        if asked:
            with suppress(*TROUBLE):  # a trail reads more than the value needs: then it is shown without a trail
                reasons = self._reasons(seen, asked, arguments())
        things = things_in(found)
        who = tuple(str(x.label or self.world.knowledge.called(x)) for x in things)
        is_things = bool(things) or isinstance(found, list)
        shown = ", ".join(who) if things else say(found)
        return StoryRow(name, shown, cites, who if is_things else None, reasons or None)

    def _reasons(self, seen: World, asked: str, arguments: tuple[object, ...]) -> tuple[StoryReason, ...]:
        """The lines that made a value: each with its text, the value after it, and its citations."""
        steps = [(SITES.all[note[1]], note[2]) for note in _trail(seen, asked, arguments) if note[0] == "step"]
        if len(steps) == 1 and not steps[0][0].because:
            return ()  # a single line that sets the value says no more than the value itself
        told: list[StoryReason] = []
        for site, value in steps:
            if not told or told[-1].value != say(value):  # a line that did not change the value is left out
                because = site.because or self.world.program.text_of(site.span)
                told.append(StoryReason(because, say(value), site.cites))
        return tuple(told[:MOST_REASONS]) if len(told) > 1 else ()

    # ---- its end
    def _end_story(self, frame: Frame) -> None:
        """The story of a procedure is over; those within it that were left open are over as well."""
        at = next((n for n, one in enumerate(self.open) if one.frame is frame), None)
        if at is None:
            return
        story, self.open = self.open[at], self.open[:at]
        phase = self.world.phases[-1][1] or self.world.phases[-1][0] if self.world.phases else ""
        cards = {reader: self._card(story, reader, phase) for reader in story.rows}
        told = {*story.knowing, *self.world.knowledge.knowing(story.about)}
        events: list[tuple[str, StoryEnded]]
        if list(cards) == ["all"]:
            events = [("all", cards["all"])]
        else:
            sides = [s for s in cards if s != UMPIRE]
            alike = "all" in told and all(cards[s] == cards[UMPIRE] for s in sides)
            events = [("all", cards[UMPIRE])] if alike else [(UMPIRE, cards[UMPIRE])]
            events += [] if alike else [(s, cards[s]) for s in sides if "all" in told or s in told]
        for to, card in events:
            self.world.journal.events.append(self.world.journal.event(card, to=to, cites=story.cites))

    def _card(self, story: ToldStory, reader: str, phase: str) -> StoryEnded:
        """The complete story for one reader."""
        seen = [e for e in story.seen if e.to in {"all", reader} or (reader == UMPIRE and not e.what.veiled)]
        seen = [e for n, e in enumerate(seen) if not n or (e.kind, e.text) != (seen[n - 1].kind, seen[n - 1].text)]
        sides = sorted({own.id for x in story.about if (own := getattr(x, "side", None)) is not None})
        card = StoryEnded(story.procedure, phase, tuple(sides), tuple(story.rows[reader]), title=story.title)
        if self.world.incognito is not None:
            card = self.world.incognito.retold(card, UMPIRE if reader == "all" else reader)
        return attrs.evolve(
            card,
            rolls=tuple(
                StoryThrow(e.text, e.side, e.what.name, e.what.dice, e.what.face, e.cites)
                for e in seen
                if isinstance(e.what, DiceFell)
            ),
            results=tuple(e.text for e in seen if isinstance(e.what, Noted)),
            falls=tuple(
                StoryFall(e.text, e.side, things_of(e.what), isinstance(e.what, ThingRemoved))
                for e in seen
                if self._befalls(e.what)
            ),
        )

    def _befalls(self, what: Happening) -> bool:
        """Whether something is lost, or a unit, a formation or a part changes."""
        if not isinstance(what, FieldChanged):
            return isinstance(what, ThingRemoved)
        labels = self.world.incognito
        for name in what.things:
            thing = self.world.by_id.get(name if labels is None else labels.id_of(name))
            if thing is not None and thing.kind in self.world.ruleset.kinds:
                return self.world.ruleset.kinds[thing.kind].word in FORCES or bool(getattr(thing, "part", False))
        return False


def _as_seen(mirror: Mirror, part: Related) -> Related:
    """The related values, as the procedure would relate them in a reader's view."""
    name, asked, value, arguments = part
    return name, asked, function_there(mirror, value), function_there(mirror, arguments)


def _trail(world: World, asked: str, arguments: tuple[object, ...]) -> list[Note]:
    """The trail of one value, computed again; the values that it uses leave no trail."""
    trail = Trail()
    space = {
        **world.program.constants, **world.functions, "W": world, "O": world.options, "T": trail, "PIN": {},
    }  # fmt: skip
    for name, code in world.program.told_value(asked).functions:
        space[name] = FunctionType(code, space, name)
    space[f"v_{py(asked)}"](*arguments)
    return trail.notes
