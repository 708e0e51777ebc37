"""Effects: the only way in which fields, sides and holders of things change, one by one or several at once."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import zip_longest
from typing import Protocol

from dsl.rules.notation import BadNotation, attribute, read_field
from dsl.rules.ruleset import Ruleset
from dsl.syntax.declarations import full_name
from interpreter.codegen.reads import ALL, ENTRY, MOVES
from interpreter.codegen.units import RuleSite
from interpreter.messages.happenings import FieldChanged, ThingJoined
from interpreter.runtime.exact_numbers import Number
from interpreter.runtime.frames import Frame
from interpreter.runtime.runtime import RuleTrouble, printed, say
from interpreter.runtime.things import Thing, Value
from interpreter.runtime.trouble import TroubleAt
from interpreter.world.knowledge import Knowledge
from interpreter.world.lasting import Durations, Lasting, Until
from interpreter.world.making_things import Maker
from interpreter.world.telling import Journal
from interpreter.world.world_contracts import Heeding

__all__ = ["Changing", "Effects", "must_stand_alone"]

Collected = tuple[str, Thing, str, Value, int, Until | None]
"""A change that is collected to be done together with others: what, to which thing, its field, the value or amount, the rule line, until when."""
BY_WORD = {"join": "holder", "show": "entry", "move": "place", "capture": "side"}
"""What an effect without a field changes."""


class Moving(Protocol):
    """Moves and removes things."""

    def move(self, thing: Thing, to: Thing, frame: Frame | None, site: int = -1) -> None:
        """Moves a thing to a place."""

    def move_off(self, thing: Thing, site: int = -1) -> None:
        """Takes a thing off the map."""

    def fall(self, thing: Thing, site: int) -> None:
        """Removes a thing from the game, now or when the rules that wait for this have fired."""


class Changing(Protocol):
    """The parts of a world that changes need."""

    by_kind: dict[str, list[Thing]]
    sites: list[RuleSite]

    @property
    def heed(self) -> Heeding | None:
        """The rules that wait for changes, if there are any."""

    ruleset: Ruleset
    """The rules in force."""
    durations: Durations
    """What lasts."""
    knowledge: Knowledge
    """Who may know what."""
    journal: Journal
    """Its journal of events."""
    maker: Maker
    """Its maker of things."""

    @property
    def positions(self) -> Moving:
        """What moves things."""

    def touch(self, name: str, *whose: Thing) -> None:
        """Something with that name has changed on things or places."""

    def stir(self, place: Thing) -> None:
        """Something has changed at a place."""


class Effects:
    """Changes the things of a world.

    together: the changes collected by simultaneous lines, or None; nested: the depth of such blocks.
    """

    def __init__(self, world: Changing) -> None:
        self.world = world
        self.together: list[Collected] | None = None
        self.nested = 0

    # ---- fields
    def set(self, thing: Thing | None, field: str, value: object, site: int = -1, until: Until | None = None) -> None:
        """Gives a field a value. until: when the value beneath returns, as `Durations.lasts` reads it."""
        if thing is None:
            raise RuleTrouble(f"The thing whose {field} would change is absent.")
        if self.together is not None:
            self.together.append(("set", thing, field, value, site, until))
            return
        if not thing.alive:
            return
        slot = attribute(field) if field != "name" else "name"
        durations = self.world.durations
        if until:
            durations.lasts(thing, slot, value, getattr(thing, slot), until)
        elif durations.lasting:
            durations.settle_for_good(thing, slot)
        self.give(thing, field, slot, value, site)

    def gain(self, thing: Thing | None, field: str, amount: Number, site: int = -1, until: Until | None = None) -> None:
        """Adds to a number field."""
        if thing is None:
            raise RuleTrouble(f"The thing whose {field} would change is absent.")
        if self.together is not None:
            self.together.append(("gain", thing, field, amount, site, until))
            return
        if not thing.alive:
            return
        slot = attribute(field)
        before = getattr(thing, slot)
        if before is None:
            raise RuleTrouble(f"{thing.name} has no {field} to add to.")
        if until:
            self.world.durations.lasts(thing, slot, before + amount, before, until, amount)
        self.give(thing, field, slot, before + amount, site)

    def give(self, thing: Thing, field: str, slot: str, value: object, site: int) -> None:
        """Puts a value into a field, if it differs."""
        self.must_hold(thing, field, value)
        before = getattr(thing, slot)
        if before == value:
            return
        setattr(thing, slot, value)
        world = self.world
        world.touch(slot, thing)
        self._opened(thing, field)
        world.journal.tell_change(thing, field, before, value, site)
        if world.heed is not None:
            world.heed.became(thing, slot, before, value)

    def must_hold(self, thing: Thing, field: str, value: Value) -> None:
        """Raises RuleTrouble for a number beyond the bounds of a field."""
        info = self.world.ruleset.kinds[thing.kind].fields[field]
        if info.track and value is not None:
            full = getattr(thing, attribute(full_name(field)))
            if value < 0 or (full is not None and value > full) or value.denominator != 1:
                raise RuleTrouble(f"{field} of {thing.name} runs from 0 to {say(full)}; {say(value)} does not fit.")
        ranged = info.low is not None and info.high is not None and isinstance(value, int | Fraction)
        if ranged and not isinstance(value, bool) and not info.low <= value <= info.high:
            raise RuleTrouble(
                f"{field} of {thing.name} runs from {info.low} to {info.high}; {say(value)} does not fit."
            )

    def _opened(self, thing: Thing, field: str) -> None:
        """What sides know of a thing changes with the mark that reveals it."""
        if field in self.world.knowledge.lifting(thing.kind):
            if thing.place is not None:
                self.world.stir(thing.place)
            self.world.touch(ALL, thing)

    def fell(self, lasting: Lasting, before: object) -> None:
        """A field has changed because something no longer lasts. before: the old value."""
        thing, slot, world = lasting.thing, lasting.slot, self.world
        for mark in world.knowledge.lifting(thing.kind):
            if attribute(mark) == slot:
                self._opened(thing, mark)
        if world.heed is not None:
            world.heed.became(thing, slot, before, getattr(thing, slot))

    def write(
        self,
        thing: Thing | None,
        field: str,
        text: str,
        filling: tuple[object, ...],
        site: int = -1,
        until: Until | None = None,
    ) -> None:
        """Sets a field, or the fields of a printed heading, from a text with filled gaps in printed notation."""
        if thing is None:
            raise RuleTrouble(f"The thing whose {field} would change is absent.")
        shown = "".join(p + q for p, q in zip_longest(text.split("{}"), map(printed, filling), fillvalue=""))
        try:
            found = read_field(self.world.ruleset, thing.kind, field, shown)
        except BadNotation as error:
            raise RuleTrouble(f"{field} of {thing.name}: {error}.") from None
        for name, value in found.items():
            self.set(thing, name, list(value) if isinstance(value, tuple) else value, site, until)

    # ---- entries of unit lists
    def show(self, thing: Thing | None, entry: str | None, site: int = -1) -> None:
        """A thing takes the printed values of another unit list entry in place of its own."""
        if thing is None or entry is None:
            raise RuleTrouble(
                f"{'A thing' if thing is None else thing.name} cannot become another entry: the thing or the entry is absent."
            )
        if self.together is not None:
            self.together.append(("show", thing, "", entry, site, None))
            return
        if not thing.alive:
            return
        changed = self._shown(thing, entry)
        self.world.touch(ENTRY, thing)
        called, titles = self.world.knowledge.called(thing), (self.world.maker.entry_title(entry),)
        what = FieldChanged((thing.id,), "entry", entry, called=(called,), titles=titles)
        sides = {s for f in changed for s in [tuple(self.world.knowledge.who_sees(thing, f))]}
        told = ["all"] if sides <= {("all",)} else sorted(frozenset.intersection(*(self._sides_of(s) for s in sides)))
        for to in told or ["umpire"]:
            self.world.journal.happened(what, site, thing.side, to, about=[thing])

    def _shown(self, thing: Thing, entry: str) -> list[str]:
        """Puts the printed values of an entry into the fields of a thing; returns the fields that changed."""
        world = self.world
        fields = world.ruleset.kinds[thing.kind].fields
        printed_ = [f for f in world.maker.printed_by(thing.kind, thing.template, entry) if f in fields and f != "name"]
        before = {f: getattr(thing, attribute(f)) for f in printed_}
        for name in printed_:
            setattr(thing, attribute(name), world.maker.first_value(fields[name]))
        try:
            world.maker.apply_template(thing, entry)
        except BadNotation as error:
            raise RuleTrouble(f"{thing.name} cannot become {entry}: {error}.") from None
        for name in printed_:
            if fields[name].track:
                setattr(thing, attribute(full_name(name)), getattr(thing, attribute(name)))
                world.touch(attribute(full_name(name)), thing)
        for slot in [attribute(f) for f in printed_] if world.durations.lasting else []:
            world.durations.settle_for_good(thing, slot)
        changed = [f for f in printed_ if before[f] != getattr(thing, attribute(f))]
        for name in changed:
            world.touch(attribute(name), thing)
            if world.heed is not None:
                world.heed.became(thing, attribute(name), before[name], getattr(thing, attribute(name)))
        return changed

    def _sides_of(self, told: tuple[str, ...]) -> frozenset[str]:
        return frozenset(s.id for s in self.world.by_kind["side"]) if told == ("all",) else frozenset(told)

    # ---- whose a thing is
    def hold(self, thing: Thing, holder: Thing) -> None:
        """Puts a thing under its holder."""
        if thing.holder is not None:
            thing.holder.members.remove(thing)
        thing.holder = holder
        holder.members.append(thing)

    def join(self, thing: Thing | None, holder: Thing | None, site: int = -1) -> None:
        """Puts a thing under another holder during play."""
        if thing is None or holder is None:
            raise RuleTrouble("The thing to hold, or its holder, is absent.")
        if self.together is not None:
            self.together.append(("join", thing, "", holder, site, None))
            return
        if not thing.alive or thing.holder is holder:
            return
        if not holder.alive:
            raise RuleTrouble(f"{holder.name} is no longer in the game and cannot hold anything.")
        if thing.part:
            self._leave_whole(thing, holder)
        before = thing.holder
        self.hold(thing, holder)
        world = self.world
        world.touch(MOVES, thing, holder, *([] if before is None else [before]))
        called = world.knowledge.called
        what = ThingJoined(thing.id, holder.id, (called(thing), called(holder)), thing.part)
        for to in world.knowledge.who_sees(thing, holder.kind):
            world.journal.happened(what, site, thing.side, to, about=[thing, holder])

    def _leave_whole(self, part: Thing, whole: Thing) -> None:
        """A part is about to move to the place and the side of another whole."""
        for place in (part.place, whole.place):
            if place is not None:
                self.world.stir(place)
        if part.side is not whole.side:
            self.world.touch(ALL, part)

    def capture(self, thing: Thing | None, side: Thing | None, site: int = -1) -> None:
        """A thing changes sides; the things it holds do not. Sides that knew it before, or know it now, see the event."""
        if thing is None or side is None:
            raise RuleTrouble("The thing to capture, or its new side, is absent.")
        must_stand_alone(thing)
        if self.together is not None:
            self.together.append(("capture", thing, "", side, site, None))
            return
        if not thing.alive or thing.side is side:
            return
        world, before = self.world, thing.side
        knew = set(world.knowledge.knowing([thing]))
        thing.side = side
        if thing.place is not None:
            world.stir(thing.place)
        world.touch(MOVES, thing)
        world.touch(ALL, thing)
        was = before.id if before is not None else "nobody"
        named = was if before is None else before.f_title or was
        titles = (str(side.f_title or side.id), str(named))
        what = FieldChanged((thing.id,), "side", side.id, was, (world.knowledge.called(thing),), titles)
        told = knew | set(world.knowledge.knowing([thing]))
        for to in ["all"] if "all" in told else sorted(told - {"umpire"}) or ["umpire"]:
            world.journal.happened(what, site, side, to)

    def reveal(self, thing: Thing, side: Thing, hide: bool = False) -> None:
        """Lets a side see everything of a thing, or no longer."""
        (thing.known.discard if hide else thing.known.add)(side.id)
        if thing.place is not None:
            self.world.stir(thing.place)
        self.world.touch(ALL, thing)

    # ---- together
    def begin_together(self) -> None:
        """Starts collecting effects."""
        if self.together is None:
            self.together = []
        self.nested += 1

    def end_together(self) -> None:
        """Applies what was collected: gains and losses add up, two different values for one field are an error."""
        self.nested -= 1
        if self.nested:
            return
        collected, self.together = self.together or [], None
        self._must_agree(collected)
        for word in ("show", "set", "gain", "capture", "join", "move", "remove"):
            for what, thing, field, value, site, until in collected:
                if what == word and thing.alive:
                    self._do(word, thing, field, value, site, until)

    def _must_agree(self, collected: Iterable[Collected]) -> None:
        """Raises TroubleAt where a field of a thing would get two values."""
        values: dict[tuple[int, str], object] = {}
        for word, thing, field, value, site, _ in collected:
            if word in {"gain", "remove"}:
                continue
            key = field or BY_WORD[word]
            if (first := values.setdefault((id(thing), key), value)) != value:
                raise TroubleAt(
                    f"{key} of {thing.name} becomes {say(first)} and {say(value)} at the same time.",
                    self.world.sites[site].span,
                )

    def _do(self, word: str, thing: Thing, field: str, value: Value, site: int, until: Until | None) -> None:
        """Applies one collected change."""
        match word:
            case "set":
                self.set(thing, field, value, site, until)
            case "gain":
                self.gain(thing, field, value, site, until)
            case "show":
                self.show(thing, value, site)
            case "join":
                self.join(thing, value, site)
            case "capture":
                self.capture(thing, value, site)
            case "remove":
                self.world.positions.fall(thing, site)
            case "move" if value is None:
                self.world.positions.move_off(thing, site)
            case "move":
                self.world.positions.move(thing, value, None, site)


def must_stand_alone(thing: Thing) -> None:
    """Raises RuleTrouble for a part: it has no place and no side of its own that could change."""
    if thing.part:
        whole: Value = thing.holder
        raise RuleTrouble(f"{thing.name} is part of {whole.name}: it always has the same place and side.")
