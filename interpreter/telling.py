"""What is told of what happens: events, each to those who may know of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from dsl.rules.ruleset import Ruleset
from interpreter.codegen.units import RuleSite
from interpreter.inputs import Event
from interpreter.json_data import JsonValue
from interpreter.knowledge import Knowledge
from interpreter.references import without_references
from interpreter.runtime import say, typed
from interpreter.seat import UMPIRE
from interpreter.things import Thing

if TYPE_CHECKING:
    from interpreter.incognito import Incognito

__all__ = ["Journal", "Listening"]


class Eventful(Protocol):
    """The world, as far as what happens in it is told."""

    ruleset: Ruleset
    by_kind: dict[str, list[Thing]]
    by_id: dict[str, Thing]
    game: Thing | None
    sites: list[RuleSite]
    incognito: Incognito | None
    knowledge: Knowledge

    def tick(self) -> None:
        """Counts what happens since somebody was asked."""


class Listening(Protocol):
    """Who hears of each event."""

    def heard(self, event: Event) -> None:
        """An event has been noted."""

    def heard_otherwise(self, before: Event, now: Event) -> None:
        """The last event has become another one."""


class Journal:
    """Tells what happens. events: what has been told since somebody last took it from here."""

    def __init__(self, world: Eventful) -> None:
        self.world = world
        self.events: list[Event] = []
        self.listener: Listening | None = None

    def happened(
        self, kind: str, text: str, site: int = -1, side: Thing | None = None, to: str = "all", cites: tuple[str, ...] = (),
        about: Iterable[object] = (), **data: JsonValue,
    ) -> None:  # fmt: skip
        """Notes an event. site: the rule line that brought it about; cites: what it cites where no line did.

        about: the things that it speaks of: who must not know of one of them is not told.
        """
        self.world.tick()
        cites = self.world.sites[site].cites if site >= 0 else cites
        who = side.id if side is not None else ""
        for told in self.world.knowledge.knowing(about, to):
            if self.world.incognito is None:
                self._note(Event(kind, text, who, told, cites, data))
                continue
            plain = without_references(text)
            for form, readers in self.world.incognito.variants(text, told):
                for reader in readers:
                    said = self.world.incognito.retold(data, reader if form != plain else UMPIRE)
                    self._note(
                        Event(kind, form, who, reader, cites, {**said, "veiled": True} if form != plain else said)
                    )

    def _note(self, event: Event) -> None:
        self.events.append(event)
        if self.listener is not None:
            self.listener.heard(event)

    def tell_change(self, thing: Thing, field: str, before: object, value: object, site: int) -> None:
        """Notes that a field has changed. site: the rule line that did it."""
        node = self.world.ruleset.kinds[thing.kind].fields[field].node
        if node.untold or node.quiet:
            return
        owner = self.world.knowledge.called(thing) if thing is not self.world.game else self.world.ruleset.campaign_kind
        if isinstance(value, bool):
            text = f"{owner} is {'now' if value else 'no longer'} {field}."
        else:
            text = f"{field} of {owner} becomes {say(value)} (was {say(before)})."
        if field == "name":  # by its name one would not know it any more
            text = f"{say(before)} is now called {say(value)}."
        for to in self.world.knowledge.who_sees(thing, field):
            if not self._joins_last(thing, field, before, value, site, to):
                told = [x for x in (before, value) if isinstance(x, Thing)]
                self.happened(
                    "change", text, site, thing.side, to, about=told, things=[thing.id], field=field,
                    value=say(value), was=say(before),
                )  # fmt: skip

    def _joins_last(self, thing: Thing, field: str, before: object, value: object, site: int, to: str) -> bool:
        """Tells one change of many things as one event: `a, b and c are now engaged`."""
        last = self.events[-1] if self.events else None
        if (
            last is None
            or last.kind != "change"
            or last.to != to
            or site < 0
            or last.cites != self.world.sites[site].cites
        ):
            return False
        if [last.data.get(k) for k in ("field", "value", "was")] != [field, typed(value), typed(before)]:
            return False
        if last.side != (thing.side.id if thing.side is not None else ""):
            return False
        things = [*last.data["things"], thing.id]
        names = [self.world.knowledge.called(x) if (x := self.world.by_id.get(i)) is not None else i for i in things]
        who = f"{', '.join(names[:-1])} and {names[-1]}"
        text = f"{field} of {who} becomes {say(value)} (was {say(before)})."
        if isinstance(value, bool):
            text = f"{who} are {'now' if value else 'no longer'} {field}."
        if self.world.incognito is not None:
            plain = without_references(text)
            if "veiled" in last.data or self.world.incognito.variants(text, to)[0] != (plain, [to]):
                return False
            text, things = plain, [without_references(x) for x in things]
        self.events[-1] = Event("change", text, last.side, to, last.cites, {**last.data, "things": things})
        if self.listener is not None:
            self.listener.heard_otherwise(last, self.events[-1])
        return True

    def tell_move(self, thing: Thing, way: list[str], site: int) -> None:
        """Notes that a thing has moved. way: the labels of its places, "" for one off the map."""
        if len(way) < 3 and way[0] == way[-1]:
            return  # it stands where it stood
        start = f" from {way[0]}" if way[0] else ""
        text = f"{self.world.knowledge.called(thing)} moves{start} to {way[-1]}."
        self.happened("move", text, site, thing.side, about=[thing], thing=thing.id, way=way)

    def tell(
        self,
        side: Thing | list[Thing] | tuple[Thing, ...],
        message: str,
        args: tuple[object, ...],
        cites: tuple[str, ...],
    ) -> None:
        """A message of the rules to one side or several: to those who may know of the things that it names."""
        from interpreter.veil import things_in

        parts = message.split("{}")
        text = "".join(p + (say(args[i]) if i < len(args) and i < len(parts) - 1 else "") for i, p in enumerate(parts))
        told = list(side) if isinstance(side, list | tuple) else [side]
        everyone = len(told) == len(self.world.by_kind["side"]) > 1
        named = things_in([self.world.by_id.get(x) if isinstance(x, str) else x for x in args])
        for to in ["all"] if everyone else [s.id for s in told]:
            self.happened(
                "note", text, side=None if everyone else self.world.by_id.get(to), to=to, cites=cites, about=named
            )

    def note(self, text: str, cites: tuple[str, ...]) -> None:
        """A remark of the rules to everybody."""
        self._note(Event("note", text[:1].upper() + text[1:] + ".", "", "all", cites, {}))
