"""The journal: it reports events to those who may know of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import attrs

from dsl.rules.editions import KNOWN_LISTS, KNOWN_STOPS, TOLD_PARTS, asks
from dsl.rules.ruleset import Ruleset
from interpreter.codegen.units import RuleSite
from interpreter.messages.happening import Happening
from interpreter.messages.happenings import FieldChanged, Noted, ThingMoved
from interpreter.messages.inputs import Event, told
from interpreter.messages.sides import UMPIRE
from interpreter.runtime.runtime import say
from interpreter.runtime.things import Thing, things_in
from interpreter.world.incognito import Incognito
from interpreter.world.knowledge import Knowledge

__all__ = ["Journal", "Listening"]


class Eventful(Protocol):
    """The parts of a world that events need."""

    ruleset: Ruleset
    by_kind: dict[str, list[Thing]]
    by_id: dict[str, Thing]
    game: Thing | None
    sites: list[RuleSite]
    incognito: Incognito | None
    knowledge: Knowledge

    def tick(self) -> None:
        """Counts events since somebody was last asked."""


class Listening(Protocol):
    """A listener for events."""

    def heard(self, event: Event) -> None:
        """An event has been recorded."""

    def heard_otherwise(self, before: Event, now: Event) -> None:
        """The last event has been replaced by another one."""


class Journal:
    """Records events. events: those since somebody last took them from here."""

    def __init__(self, world: Eventful) -> None:
        self.world = world
        self.events: list[Event] = []
        self.listener: Listening | None = None

    def happened(
        self, what: Happening, site: int = -1, side: Thing | None = None, to: str = "all", cites: tuple[str, ...] = (),
        about: Iterable[object] = (),
    ) -> None:  # fmt: skip
        """Records what happened. site: the rule line that caused it; cites: its citations if there is no line.

        about: the things that it mentions: sides that must not know of one of them do not see it.
        """
        self.world.tick()
        cites = self.world.sites[site].cites if site >= 0 else cites
        who = side.id if side is not None else ""
        labels = self.world.incognito
        for audience in self.world.knowledge.knowing(about, to):
            for known, readers in [(what, [audience])] if labels is None else labels.versions(what, audience):
                for reader in readers:
                    self._note(self.event(known, who, reader, cites))

    def event(self, what: Happening, side: str = "", to: str = "all", cites: tuple[str, ...] = ()) -> Event:
        """An event, in the form recorded for this campaign."""
        made = told(what, side, to, cites)
        return made if asks(self.world.ruleset.edition, TOLD_PARTS) else attrs.evolve(made, what=what.without_newer())

    def _note(self, event: Event) -> None:
        self.events.append(event)
        if self.listener is not None:
            self.listener.heard(event)

    def tell_change(self, thing: Thing, field: str, before: object, value: object, site: int) -> None:
        """Records that a field has changed. site: the rule line that did it."""
        node = self.world.ruleset.kinds[thing.kind].fields[field].node
        if node.untold or node.quiet:
            return
        owner = self.world.knowledge.called(thing) if thing is not self.world.game else self.world.ruleset.campaign_kind
        is_mark = isinstance(value, bool)
        what = FieldChanged((thing.id,), field, say(value), say(before), called=(owner,), is_mark=is_mark)
        lists = asks(self.world.ruleset.edition, KNOWN_LISTS)
        about = things_in((before, value)) if lists else [x for x in (before, value) if isinstance(x, Thing)]
        for to in self.world.knowledge.who_sees(thing, field):
            if not self._joins_last(thing, what, site, to):
                self.happened(what, site, thing.side, to, about=about)

    def _joins_last(self, thing: Thing, what: FieldChanged, site: int, to: str) -> bool:
        """Merges the same change of many things into one event: `a, b and c are now engaged`."""
        last = self.events[-1] if self.events else None
        if last is None or not isinstance(last.what, FieldChanged) or last.to != to or site < 0:
            return False
        if last.cites != self.world.sites[site].cites or last.side != (thing.side.id if thing.side is not None else ""):
            return False
        labels = self.world.incognito
        if last.what != attrs.evolve(what if labels is None else labels.retold(what, UMPIRE), things=last.what.things):
            return False
        things = (*last.what.things, thing.id)
        by_id, called = self.world.by_id, self.world.knowledge.called
        whole: Happening = attrs.evolve(
            what, things=things, called=tuple(called(by_id[x]) if x in by_id else x for x in things)
        )
        if labels is not None:
            (whole, _), *others = labels.versions(whole, to)
            if others:
                return False
        self.events[-1] = self.event(whole, last.side, to, last.cites)
        if self.listener is not None:
            self.listener.heard_otherwise(last, self.events[-1])
        return True

    def tell_move(self, thing: Thing, way: list[str], site: int) -> None:
        """Records that a thing has moved. way: the labels of its places, "" for off the map."""
        if len(way) < 3 and way[0] == way[-1]:
            return  # it has not moved
        what = ThingMoved(thing.id, tuple(way), self.world.knowledge.called(thing))
        self.happened(what, site, thing.side, about=[thing])

    def tell(
        self,
        side: Thing | list[Thing] | tuple[Thing, ...],
        message: str,
        args: tuple[object, ...],
        cites: tuple[str, ...],
    ) -> None:
        """Records a message of the rules to one or several sides: those that may know of the things that it names."""
        what = Noted(tuple(x if type(x) is int else say(x) for x in args), message)
        readers = list(side) if isinstance(side, list | tuple) else [side]
        everyone = len(readers) == len(self.world.by_kind["side"]) > 1
        named = things_in([self.world.by_id.get(x) if isinstance(x, str) else x for x in args])
        for to in ["all"] if everyone else [s.id for s in readers]:
            whose = None if everyone else self.world.by_id.get(to)
            self.happened(what, side=whose, to=to, cites=cites, about=named)

    def note(self, text: str, cites: tuple[str, ...], subject: Thing | None) -> None:
        """A remark of the rules about a thing, to those who may know of it; before its edition, to everybody."""
        what = Noted(message=f"{text[:1].upper()}{text[1:]}.")
        about = [subject] if asks(self.world.ruleset.edition, KNOWN_STOPS) else []
        for to in self.world.knowledge.knowing(about):
            self._note(self.event(what, to=to, cites=cites))
