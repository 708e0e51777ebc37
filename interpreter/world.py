"""The world of one game: things, places and facts, and the only ways in which they change."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import count, zip_longest
from typing import TYPE_CHECKING, Any

import attrs

from dsl import ir
from dsl.analysis.effects import lines_done
from dsl.data.dates import part_of
from dsl.data.maps import has_label
from dsl.data.naming import may_be_called
from dsl.rules.notation import BadNotation, attribute, read_field
from dsl.rules.parts import part_headings
from dsl.rules.ruleset import PLACE
from dsl.syntax.declarations import full_name
from dsl.text.source import Span
from interpreter.changed_places import PlaceStart
from interpreter.codegen.reads import ACTIVE, ALL, ENTRY, MOVES, PHASE
from interpreter.geometry.hexgrid import HexGrid, PlaceGraph
from interpreter.geometry.traces import Links
from interpreter.ground import Ground
from interpreter.knowledge import Knowledge
from interpreter.lasting import Durations
from interpreter.making import Maker
from interpreter.naming import numbered, unlike_names
from interpreter.program import Printed, Program
from interpreter.rulings import Rulings
from interpreter.runtime import RuleTrouble, printed, say
from interpreter.stories import Stories
from interpreter.telling import Journal
from interpreter.written_rows import Rows

if TYPE_CHECKING:
    from interpreter.incognito import Incognito

LONGEST_NAME = 60
"""What a rule calls a thing has so many letters at most: rules that call things after each other would go on and on."""
MOST_ROUNDS = 100_000
"""Loops may go round so often before somebody is asked."""
ENDLESS = "The rules go round without end and nobody is asked."


class TroubleAt(RuleTrouble):
    """A trouble whose rule line the machine knows better than where it came up."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


@attrs.define(slots=True)
class Sheet:
    """One map of a world: the kind of its places and the ids from `start` up to, not including, `end`.

    shape: hex, square, drawn, or between for the places between neighbours of another map.
    """

    name: str
    title: str
    kind: str
    shape: str
    low: str
    start: int
    end: int


class World:
    """State and its changes. Emitted rules reach everything through this; nothing else may change a thing.

    version: rises with every change, so that remembered values know when they are stale; steady: with every one but that a
    phase begins or ends. touched: counts the changes of
    each field and fact by its name; what reads only some of them looks there.
    """

    def __init__(self, program: Program, options: Mapping[str, str]) -> None:
        self.program = program
        self.ruleset = program.ruleset
        self.options = dict(options)
        self.classes = program.classes
        self.by_kind: dict[str, list[Any]] = {k: [] for k, x in self.ruleset.kinds.items() if x.word != "group"}
        self.by_id: dict[str, Any] = {}
        self.grid: PlaceGraph = HexGrid(1, 1)
        self.places: list[Any] = []
        self.by_label: dict[str, Any] = {}
        self.links: dict[str, dict[tuple[int, int], str]] = {}
        self.link_graph = Links({})
        self.linked_places: dict[str, set[int]] = {}
        self.game: Any = None
        self.maps: list[Sheet] = []
        self.ends: dict[int, list[Any]] = {}
        self.any_place = PLACE in self.by_kind and self.ruleset.kinds[PLACE].node is None
        """Whether the kinds of place have one kind above them."""
        self.seed: str | None = None
        """What the ids of hidden things are drawn from; None in examples, where they are counted."""
        self.incognito: Incognito | None = None
        self.heard_frames: dict[tuple[str, str], tuple[int, Any]] = {}
        """The last frames of what was done in secret orders of a side, and openly (""), with their places in the row of all."""
        self.entries = 0
        """How many routines have begun."""
        self.last_order: Any = None
        """The frame of the order that was given last, and the side that gave it if it was secret, else ""."""
        self.covert: dict[str, bool] = {}
        """Which orders are told to nobody but their side, as far as that was asked."""
        self.thrown: dict[Any, tuple[str, list[Any]]] = {}
        """Who rolled last for what, by the place of each roll whose number flows into what may be hidden."""
        """What things are called by those who may not know their names; None where no name of a scenario is hidden."""
        self.turn = 0
        self.dates: Any = None
        self.due: dict[int, list[Any]] = {}
        self.active: Any = None
        self.phases: list[tuple[str, str]] = []
        self.entered: set[str] = set()
        """The phases and steps that have begun since the world was made."""
        self.version = self.steady = 0
        self.rounds = 0
        self.numbers: dict[str, int] = {}
        self.moves = 0
        self.stirred: list[int] = []
        self.touched: dict[str, int] = {}
        self.over = ""
        self.winner: Any = None
        self.closing: list[tuple[Callable[[], bool], str, tuple[str, ...], Callable[[], list[Any]] | None]] = []
        self.durations, self.ground, self.maker = Durations(self), Ground(self), Maker(self)
        self.heed: Any = None
        self.memory: dict[str, list[tuple[Any, ...]]] = {}
        self.knowledge = Knowledge(self, program.secrecy)
        self.journal, self.stories = Journal(self), Stories(self)
        self.journal.listener = self.stories
        self.frames: dict[str, Any] = {}
        self.together: list[tuple[str, Any, str, Any, int, Any]] | None = None
        self.fallen: list[tuple[Any, int]] = []
        """What lines that were done together remove, which waits for the rules on its removal."""
        self.nested = 0
        self.sites: list[Any] = []
        self.functions: dict[str, Any] = {}
        self.rulings = Rulings(self)
        self.aside: tuple[Any, Any] | None = None
        self.ways: Any = None
        self.veil: Any = None
        self.hiding_kinds = program.secrecy.hiding_kinds
        self.started: dict[str, PlaceStart] = {}
        self.rows = Rows(self.ruleset)
        self.colours: dict[str, str] = {}

    # ---- asking
    def all_of(self, kind: str) -> list[Any]:
        """All living things of a kind; of a group of kinds kind by kind."""
        found = self.by_kind.get(kind)
        return [x for k in self.ruleset.sorts(kind) for x in self.by_kind[k]] if found is None else found

    def place(self, label: str) -> Any:
        """The place of a label. Raises RuleTrouble when the map has none."""
        found = self.by_label.get(label)
        if found is None:
            others = [m.name for m in self.ruleset.maps.values() if has_label(self.ruleset, m, label)]
            elsewhere = f" It is on {' and on '.join(others)}: name the maps, `on map A and B`." if others else ""
            raise RuleTrouble(f"The map has no place {label}.{elsewhere}")
        return found

    def foe(self, side: Any) -> Any:
        """The other side. Raises RuleTrouble when there is not exactly one."""
        sides = self.by_kind["side"]
        if len(sides) == 2:
            one, other = sides
            if one is side:
                return other
            if other is side:
                return one
        others = [s for s in sides if s is not side]
        if len(others) != 1:
            raise RuleTrouble(
                f"{side.id if side else 'Nobody'} has {len(others)} other sides: `foe` needs exactly one."
            )
        return others[0]

    def sides_in_turn(self, first: Any) -> list[Any]:
        """All sides, the acting one first."""
        return sorted(self.by_kind["side"], key=lambda s: s is not first)

    def way_exists(self, name: str, args: tuple[Any, ...]) -> bool:
        """Whether a path finds its goal."""
        return bool(self.ways.exists(name, args))

    def way_cost(self, name: str, args: tuple[Any, ...], goal: Any) -> Any:
        """The movement points of the cheapest way to a place or a thing; None where it is out of reach or off the map."""
        return self.ways.cost_to(name, args, goal.place)

    def stir(self, place: Any) -> None:
        """Notes that something came to or left a place, and so everything that the place lies in."""
        while place is not None:
            self.stirred.append(place.index)
            place = place.holder

    def calendar(self, part: str) -> Any:
        """The date of the turn, or its day, month or year. Raises RuleTrouble where no calendar is given."""
        if self.dates is None:
            raise RuleTrouble(f"No calendar says the {part}: add `begins 1985-08-04, 7 days a turn` to the scenario.")
        try:
            return part_of(self.dates, self.turn, part)
        except OverflowError:
            raise RuleTrouble("The calendar ends with the year 9999.") from None

    def tick(self) -> None:
        """Counts the rounds of loops, and what happens, since somebody was last asked. Raises RuleTrouble when there is no end of them."""
        self.rounds += 1
        if self.rounds > MOST_ROUNDS:
            raise RuleTrouble(ENDLESS)

    # ---- frames
    def frame(self, key: str, acting: Any, up: Any) -> Any:
        """A fresh frame of a routine."""
        frame = self.program.frames[key]()
        frame.acting, frame.up, frame.route = acting, up, None
        frame.via, frame.chosen = [], {}
        frame.memo, frame.stamp = {}, -1
        return frame

    def enter(self, key: str, frame: Any) -> None:
        """A routine begins: its frame is the one that was entered last."""
        self.frames.pop(key, None)
        self.frames[key] = frame
        if not self.program.secrecy.hides:
            return
        if key.startswith("order "):
            self.last_order = frame, frame.acting.id if self.is_secret(key.partition(" ")[2]) else ""
        self.heard_frames[key, self.secret_giver(key, frame)] = self.entries, frame
        self.entries += 1

    def secret_giver(self, key: str, frame: Any) -> str:
        """The side in whose secret order something is done of which no other side hears; "" where it is done openly."""
        if self.last_order is None or not (key.startswith("order ") or self.is_quiet(key)):
            return ""
        while frame.up is not None:
            frame = frame.up
        return str(self.last_order[1]) if frame is self.last_order[0] else ""

    def is_quiet(self, key: str) -> bool:
        """Whether a routine asks nobody, throws no dice and tells nothing."""
        if key not in self.covert:
            rules = self.program.rules
            self.covert[key] = not any(
                line.DOES.asks or line.DOES.rolls or isinstance(line, ir.May | ir.Tell | ir.Story)
                for line in lines_done(rules.routines, rules.hooks, key)
            )
        return self.covert[key]

    def is_secret(self, order: str) -> bool:
        """Whether an order is told to nobody but its side."""
        if order not in self.covert:
            from interpreter.veil import is_covert

            self.covert[order] = is_covert(self, order)
        return self.covert[order]

    def last_frame(self, key: str) -> Any:
        """The frame of a routine's last run, or a fresh one."""
        found = self.frames.get(key)
        if found is None:
            found = self.frames[key] = self.frame(key, self.active, None)
        return found

    def copies(self, frame: Any, count: int) -> list[Any]:
        """Frames with the same names as this one, for branches that go on side by side."""
        out = []
        for _ in range(count):
            copy = type(frame)()
            for slot in type(frame).__slots__:
                if hasattr(frame, slot):
                    setattr(copy, slot, getattr(frame, slot))
            copy.memo, copy.stamp = {}, -1
            out.append(copy)
        return out

    @staticmethod
    def rejoin(frame: Any, copies: Iterable[Any]) -> None:
        """Takes over what branches have named, in their order; what was chosen or rolled for several things is put together."""
        first = {x: getattr(frame, x) for x in type(frame).__slots__ if x.startswith("n_") and hasattr(frame, x)}
        for copy in copies:
            for slot in type(frame).__slots__:
                if not slot.startswith("n_") or not hasattr(copy, slot):
                    continue
                value = getattr(copy, slot)
                if slot in first and value is first[slot]:
                    continue
                held = getattr(frame, slot, None)
                setattr(frame, slot, {**held, **value} if isinstance(held, dict) and type(value) is dict else value)

    # ---- changing
    def changed(self) -> None:
        """Something changed that no count by name knows."""
        self.version += 1
        self.steady += 1

    def touch(self, name: str) -> None:
        """Something of that name has changed: a field, by its attribute, or a fact of `interpreter/codegen/reads.py`."""
        self.version += 1
        touched = self.touched
        touched[name] = touched.get(name, 0) + 1
        if name != PHASE:
            self.steady += 1
            if name == MOVES:
                self.moves += 1

    def stamp(self, reads: Iterable[str]) -> int:
        """A number that stays the same only while nothing of these names changes."""
        touched = self.touched
        total = touched.get(ALL, 0)
        for name in reads:
            if name == ALL:
                return self.version
            total += touched.get(name, 0)
        return total

    def set(self, thing: Any, field: str, value: Any, site: int = -1, until: str | None = None) -> None:
        """Gives a field a value. until: when the value beneath returns, as `Durations.lasts` reads it."""
        if thing is None:
            raise RuleTrouble(f"There is nothing whose {field} could change.")
        if self.together is not None:
            self.together.append(("set", thing, field, value, site, until))
            return
        if not thing.alive:
            return
        slot = attribute(field) if field != "name" else "name"
        if until:
            self.durations.lasts(thing, slot, value, getattr(thing, slot), until)
        elif self.durations.lasting:
            self.durations.settle_for_good(thing, slot)
        self._give(thing, field, slot, value, site)

    def _give(self, thing: Any, field: str, name: str, value: Any, site: int) -> None:
        """Puts a value into a field, if it is another."""
        self.must_hold(thing, field, value)
        before = getattr(thing, name)
        if before == value:
            return
        setattr(thing, name, value)
        self.touch(name)
        self._opened(thing, field)
        self.journal.tell_change(thing, field, before, value, site)
        if self.heed is not None:
            self.heed.became(thing, name, before, value)

    def must_hold(self, thing: Any, field: str, value: Any) -> None:
        """Raises RuleTrouble for a number beyond the bounds of a field."""
        info = self.ruleset.kinds[thing.kind].fields[field]
        if info.track and value is not None:
            full = getattr(thing, attribute(full_name(field)))
            if value < 0 or (full is not None and value > full) or value.denominator != 1:
                raise RuleTrouble(f"{field} of {thing.name} runs from 0 to {say(full)}; {say(value)} does not fit.")
        ranged = info.low is not None and info.high is not None and isinstance(value, int | Fraction)
        if ranged and not isinstance(value, bool) and not info.low <= value <= info.high:
            raise RuleTrouble(
                f"{field} of {thing.name} runs from {info.low} to {info.high}; {say(value)} does not fit."
            )

    def _opened(self, thing: Any, field: str) -> None:
        """What sides know of a thing changes with the mark that opens it."""
        if field in self.knowledge.lifting(thing.kind):
            if thing.place is not None:
                self.stir(thing.place)
            self.touch(ALL)

    def fell(self, thing: Any, slot: str, before: Any) -> None:
        """A field has changed because something no longer lasts."""
        for mark in self.knowledge.lifting(thing.kind):
            if attribute(mark) == slot:
                self._opened(thing, mark)
        if self.heed is not None:
            self.heed.became(thing, slot, before, getattr(thing, slot))

    def remember(self, key: str, frame: Any) -> None:
        """An order or procedure was done: by the side that gave or ran it, and by each thing of its first argument."""
        first = None
        if self.program.rules.routines[key].params:
            first = getattr(frame, next(s for s in type(frame).__slots__ if s.startswith("n_")), None)
        doers = first if isinstance(first, list | tuple) else [first]
        self.durations.remember(key, [x for x in (frame.acting, *doers) if hasattr(x, "alive")])

    def gain(self, thing: Any, field: str, amount: Any, site: int = -1, until: str | None = None) -> None:
        """Adds to a number field."""
        if thing is None:
            raise RuleTrouble(f"There is nothing whose {field} could change.")
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
            self.durations.lasts(thing, slot, before + amount, before, until, amount)
        self._give(thing, field, slot, before + amount, site)

    def begin_together(self) -> None:
        """From here on effects are collected."""
        if self.together is None:
            self.together = []
        self.nested += 1

    def end_together(self) -> None:
        """Applies what was collected: gains and losses add up, two different values for one field are an error."""
        self.nested -= 1
        if self.nested:
            return
        collected, self.together = self.together or [], None
        values: dict[tuple[int, str], Any] = {}
        for op, thing, field, value, site, _ in collected:
            if op in {"gain", "remove"}:
                continue
            key = field or {"join": "holder", "show": "entry", "move": "place", "capture": "side"}[op]
            if (first := values.setdefault((id(thing), key), value)) != value:
                raise TroubleAt(
                    f"{key} of {thing.name} becomes {say(first)} and {say(value)} at once.", self.sites[site].span
                )
        for op in ("show", "set", "gain", "capture", "join", "move", "remove"):
            for what, thing, field, value, site, until in collected:
                if what != op or not thing.alive:
                    continue
                if op == "remove" and self.heed is not None and self.heed.losing:
                    self.fallen.append((thing, site))
                elif op == "remove":
                    self.remove(thing, site)
                elif op == "move" and value is None:
                    self.move_off(thing, site)
                elif op == "move":
                    self.move(thing, value, None, site)
                elif op == "show":
                    self.show(thing, value, site)
                elif op == "set":
                    self.set(thing, field, value, site, until)
                elif op == "join":
                    self.join(thing, value, site)
                elif op == "capture":
                    self.capture(thing, value, site)
                else:
                    self.gain(thing, field, value, site, until)

    # ---- rules that wait
    def react(self, frame: Any) -> Generator[Any, Any, None]:
        """Lets rules come about that wait for what has changed."""
        if self.heed is not None:
            yield from self.heed.react(frame)

    def take_out(self, thing: Any, frame: Any, site: int = -1) -> Generator[Any, Any, None]:
        """Takes a thing out of the game, and what it holds, after the rules have come about that wait for that."""
        if self.heed is not None and self.together is None and thing is not None:
            yield from self.heed.take_out(thing, frame, site)
        else:
            self.remove(thing, site)

    def take_fallen(self, frame: Any) -> Generator[Any, Any, None]:
        """Takes out what lines that were done together have removed."""
        while self.fallen:
            yield from self.take_out(self.fallen[0][0], frame, self.fallen.pop(0)[1])

    def travel(self, thing: Any, to: Any, frame: Any, site: int = -1) -> Generator[Any, Any, None]:
        """Moves a thing step by step, so that rules come about on its way. to: None takes it off the map."""
        if self.heed is not None and self.together is None and thing is not None:
            yield from self.heed.travel(thing, to, frame, site)
        elif to is None:
            self.move_off(thing, site)
        else:
            self.move(thing, to, frame, site)

    def move(self, thing: Any, to: Any, frame: Any, site: int = -1) -> None:
        """Moves a thing to a place, along the route of its order if it has one."""
        if thing is None or to is None:
            raise RuleTrouble("Nothing can move nowhere.")
        if self.together is not None:
            self.together.append(("move", thing, "", to, site, None))
            return
        if not thing.alive:
            return
        _must_stand_alone(thing)
        place = to.place
        origin = thing.place
        if origin is not None:
            del origin.things[thing]
            self.stir(origin)
        self.stir(place)
        thing.place = place
        place.things[thing] = None
        self.touch(MOVES)
        route = getattr(frame, "route", None) if frame is not None else None
        way = [origin.label if origin else "", place.label] if route is None else route
        self.journal.tell_move(thing, way, site)
        if self.heed is not None:
            self.heed.moved(thing, origin, place)

    def move_off(self, thing: Any, site: int = -1) -> None:
        """Takes a thing off the map; it stays in the game, and may be moved to a place again."""
        if thing is None:
            raise RuleTrouble("Nothing can leave the map.")
        _must_stand_alone(thing)
        if self.together is not None:
            self.together.append(("move", thing, "", None, site, None))
            return
        origin = thing.place
        if origin is None:
            return
        del origin.things[thing]
        self.stir(origin)
        thing.place = None
        self.touch(MOVES)
        text = f"{self.knowledge.called(thing)} leaves the map from {origin.label}."
        self.journal.happened("move", text, site, thing.side, about=[thing], thing=thing.id, way=[origin.label, ""])

    def stand(self, thing: Any, place: Any) -> None:
        """Puts a thing on the map without a word, when a scenario is set up."""
        _must_stand_alone(thing)
        if thing.place is not None:
            del thing.place.things[thing]
            self.stir(thing.place)
        self.stir(place)
        thing.place = place
        place.things[thing] = None
        self.touch(MOVES)

    def remove(self, thing: Any, site: int = -1) -> None:
        """Takes a thing out of the game, and what it holds."""
        if thing is None or not thing.alive:
            return
        if self.together is not None:
            self.together.append(("remove", thing, "", None, site, None))
            return
        for member in list(_held_besides_parts(thing)):
            self.remove(member, site)
        where = f" in {thing.place.label}" if thing.place is not None else ""
        because = self.sites[site].because if site >= 0 else ""
        text = f"{self.knowledge.called(thing)}{where} is removed{': ' + because if because else ''}."
        if (
            where or because or self.ruleset.kinds[thing.kind].word not in {"record", "pool"}
        ):  # those come without a word, too
            self.journal.happened("remove", text, site, thing.side, about=[thing], thing=thing.id)
        self._drop(thing)

    def _drop(self, thing: Any) -> None:
        """Ends a thing without a word, and with it its parts: that it is gone says that they are."""
        for part in [x for x in thing.members if x.part]:
            self._drop(part)
        if thing.part and thing.place is not None:
            self.stir(thing.place)
        thing.alive = False
        if thing.place is not None:
            del thing.place.things[thing]
            self.stir(thing.place)
            thing.place = None
        if thing.holder is not None:
            thing.holder.members.remove(thing)
        self.by_kind[thing.kind].remove(thing)
        self.touch(MOVES)

    def put(
        self,
        kind: str,
        name: str,
        template: str | None,
        settings: Mapping[str, Any],
        where: Any,
        acting: Any,
        site: int = -1,
    ) -> Any:
        """A new thing during play or in an example; where it is put is told to those who see it there."""
        holder = settings.get(self.ruleset.kinds[kind].holder or "")
        side = settings.get("side") or (holder.side if holder is not None else acting)
        if self.knowledge.numbers_tell(kind) and self.seed is not None:
            id_ = next(x for x in unlike_names(self.seed, name, self._letter(side)) if x not in self.by_id)
        else:  # what was taken once stays taken
            first = self.numbers.get(name, 1)
            taken = enumerate(numbered(name, first), first)
            self.numbers[name], id_ = next((n, x) for n, x in taken if x not in self.by_id and x not in self.by_label)
        thing = self.maker.create(kind, id_, id_, side)
        if thing.part and (holder is None or not holder.alive):
            raise RuleTrouble(f"{name} is put as a part of nothing.")
        if template:
            self.maker.apply_template(thing, template)
        if holder is not None:
            self.hold(thing, holder)
        parts = part_headings(self.ruleset, kind)
        for key, value in settings.items():
            if key in {"side", self.ruleset.kinds[kind].holder} or key in parts:
                continue
            if isinstance(value, Printed):
                try:
                    self.maker.fill(thing, key, value.text)
                except BadNotation as error:
                    raise RuleTrouble(f"{key} of {name}: {error}.") from None
            else:
                kept = list(value) if isinstance(value, list | tuple) else value
                setattr(thing, "name" if key == "name" else attribute(key), kept)
        self.maker.begin_tracks(thing)
        for key in settings:
            if key.startswith("full "):  # a copy is as full as what it is a copy of
                setattr(thing, attribute(key), settings[key])
        self.maker.furnish(thing, {key: settings[key].text for key in settings if key in parts})
        self.touch(MOVES)
        if thing.part and thing.place is not None:
            self.stir(thing.place)
            text = f"{self.knowledge.called(thing)} is put into the game as a part of {self.knowledge.called(holder)}."
            for to in self.knowledge.who_sees(thing, "place"):
                self.journal.happened("arrive", text, site, side, to, about=[thing], thing=id_, way=[thing.place.label])
        if where is not None:
            self.stand(thing, where.place)
            text = f"{self.knowledge.called(thing)} is put into the game in {where.place.label}."
            for to in self.knowledge.who_sees(thing, "place"):
                self.journal.happened("arrive", text, site, side, to, about=[thing], thing=id_, way=[where.place.label])
        return thing

    def named_after(self, entry: Any, kind: str, name: str) -> str:
        """What a thing is called that is made of an entry during play: `heavy-3`. name: instead, where that would tell too much."""
        if entry is None:
            raise RuleTrouble("Nothing is put into the game: its entry of a list is absent.")
        if self.knowledge.numbers_tell(kind):
            return name
        return next(x for n in count(1) if (x := f"{entry}-{n}") not in self.by_id)

    def named_as(self, kind: str, text: str, filling: list[Any], name: str) -> str:
        """What a thing is to be called that a rule puts. name: instead, where that would tell what is hidden."""
        hidden = any(self.knowledge.numbers_tell(x.kind) for x in filling if hasattr(x, "kind") and x.kind != "side")
        if hidden or self.knowledge.numbers_tell(kind):
            return name
        if any(x is None for x in filling):
            raise RuleTrouble("What it is called after is absent.")
        pieces = iter(text.split("{}"))
        made = next(pieces) + "".join(
            say(getattr(x, "label", None) or getattr(x, "id", x)) + rest
            for x, rest in zip(filling, pieces, strict=True)
        )
        if not may_be_called(made) or len(made) > LONGEST_NAME:
            raise RuleTrouble(
                f"`{made[:LONGEST_NAME]}` is no name for commands: up to {LONGEST_NAME} letters, digits and hyphens."
            )
        return made

    def thing_made(self, name: str) -> Any:
        """The thing that rules have put into the game under a name. Raises RuleTrouble where they have put none."""
        found = self.by_id.get(name)
        if found is None:
            raise RuleTrouble(f"Nothing is called {name}.")
        return found

    def _letter(self, side: Any) -> str:
        """The letter that stands for a side in ids: two sides never draw one id, so that neither learns of the other's."""
        sides = self.by_kind["side"]
        return chr(ord("a") + (sides.index(side) if side in sides else len(sides)) % 26)

    def hold(self, thing: Any, holder: Any) -> None:
        """Puts a thing under its holder."""
        if thing.holder is not None:
            thing.holder.members.remove(thing)
        thing.holder = holder
        holder.members.append(thing)

    def join(self, thing: Any, holder: Any, site: int = -1) -> None:
        """Puts a thing under another holder during play."""
        if thing is None or holder is None:
            raise RuleTrouble("Nothing can be held by nothing.")
        if self.together is not None:
            self.together.append(("join", thing, "", holder, site, None))
            return
        if not thing.alive or thing.holder is holder:
            return
        if not holder.alive:
            raise RuleTrouble(f"{holder.name} is no longer in the game and holds nothing.")
        if thing.part:
            self._leave_whole(thing, holder)
        self.hold(thing, holder)
        self.touch(MOVES)
        text = f"{self.knowledge.called(thing)} is now {'a part of' if thing.part else 'held by'} {self.knowledge.called(holder)}."
        for to in self.knowledge.who_sees(thing, holder.kind):
            self.journal.happened("join", text, site, thing.side, to, about=[thing, holder], thing=thing.id)

    def _leave_whole(self, part: Any, whole: Any) -> None:
        """A part is about to stand where another whole stands, and to be its side's."""
        for place in (part.place, whole.place):
            if place is not None:
                self.stir(place)
        if part.side is not whole.side:
            self.touch(ALL)

    def capture(self, thing: Any, side: Any, site: int = -1) -> None:
        """A thing becomes another side's; what it holds stays whose it is. Who knew it before, or knows it now, is told."""
        if thing is None or side is None:
            raise RuleTrouble("Nothing can become nobody's.")
        _must_stand_alone(thing)
        if self.together is not None:
            self.together.append(("capture", thing, "", side, site, None))
            return
        if not thing.alive or thing.side is side:
            return
        before = thing.side
        knew = set(self.knowledge.knowing([thing]))
        thing.side = side
        if thing.place is not None:
            self.stir(thing.place)
        self.touch(MOVES)
        self.touch(ALL)
        was = before.id if before is not None else "nobody"
        text = f"{self.knowledge.called(thing)} is now of {side.f_title or side.id} (was of {was if before is None else before.f_title or was})."
        told = knew | set(self.knowledge.knowing([thing]))
        for to in ["all"] if "all" in told else sorted(told - {"umpire"}) or ["umpire"]:
            self.journal.happened(
                "change", text, site, side, to, things=[thing.id], field="side", value=side.id, was=was,
            )  # fmt: skip

    def show(self, thing: Any, entry: str | None, site: int = -1) -> None:
        """A thing takes what another entry of a unit list prints, in place of what its own printed."""
        if thing is None or entry is None:
            raise RuleTrouble(
                f"{'Nothing' if thing is None else thing.name} becomes an entry of a list that is absent."
            )
        if self.together is not None:
            self.together.append(("show", thing, "", entry, site, None))
            return
        if not thing.alive:
            return
        fields = self.ruleset.kinds[thing.kind].fields
        changed = [f for f in self.maker.printed_by(thing.kind, thing.template, entry) if f in fields and f != "name"]
        before = {f: getattr(thing, attribute(f)) for f in changed}
        for name in changed:
            setattr(thing, attribute(name), self.maker.first_value(fields[name]))
        try:
            self.maker.apply_template(thing, entry)
        except BadNotation as error:
            raise RuleTrouble(f"{thing.name} cannot become {entry}: {error}.") from None
        for name in changed:
            if fields[name].track:
                setattr(thing, attribute(full_name(name)), getattr(thing, attribute(name)))
                self.touch(attribute(full_name(name)))
        for slot in [attribute(f) for f in changed] if self.durations.lasting else []:
            self.durations.settle_for_good(thing, slot)
        changed = [f for f in changed if before[f] != getattr(thing, attribute(f))]
        for name in changed:
            self.touch(attribute(name))
            if self.heed is not None:
                self.heed.became(thing, attribute(name), before[name], getattr(thing, attribute(name)))
        self.touch(ENTRY)
        text = f"{thing.name} becomes {self.maker.entry_title(entry)}."
        sides = {s for f in changed for s in [tuple(self.knowledge.who_sees(thing, f))]}
        told = ["all"] if sides <= {("all",)} else sorted(frozenset.intersection(*(self._sides_of(s) for s in sides)))
        for to in told or ["umpire"]:
            self.journal.happened(
                "change", text, site, thing.side, to, about=[thing], things=[thing.id], field="entry", value=entry
            )

    def write(
        self,
        thing: Any,
        field: str,
        text: str,
        filling: tuple[Any, ...],
        site: int = -1,
        until: str | None = None,
    ) -> None:
        """Gives a field, or the fields of a printed heading, what a text with filled gaps says in printed notation."""
        if thing is None:
            raise RuleTrouble(f"There is nothing whose {field} could change.")
        shown = "".join(p + q for p, q in zip_longest(text.split("{}"), map(printed, filling), fillvalue=""))
        try:
            found = read_field(self.ruleset, thing.kind, field, shown)
        except BadNotation as error:
            raise RuleTrouble(f"{field} of {thing.name}: {error}.") from None
        for name, value in found.items():
            self.set(thing, name, list(value) if isinstance(value, tuple) else value, site, until)

    def _sides_of(self, told: tuple[str, ...]) -> frozenset[str]:
        return frozenset(s.id for s in self.by_kind["side"]) if told == ("all",) else frozenset(told)

    def reveal(self, thing: Any, side: Any, hide: bool = False) -> None:
        """Lets a side see all of a thing, or no longer."""
        (thing.known.discard if hide else thing.known.add)(side.id)
        if thing.place is not None:
            self.stir(thing.place)
        self.touch(ALL)

    # ---- time
    def set_active(self, side: Any) -> None:
        """Another side's turn begins."""
        self.active = side
        self.touch(ACTIVE)

    def enter_phase(self, name: str, title: str, step: bool) -> None:
        """A phase or step begins."""
        self.entered.add(name)
        self.phases.append((name, title))
        self.touch(PHASE)
        self.durations.phase_begins(name, step)
        if self.durations.expiries:
            self.durations.expire(f"start {name}")
        if not step:
            self.journal.happened("phase", f"{title}.", side=self.active, turn=self.turn, phase=name)

    def in_steps(self, run: Generator[Any, Any, None]) -> Generator[Any, Any, None]:
        """Does what a procedure with steps does. Where it is stopped within one, that step ends with it."""
        from interpreter.program import Halt

        around, closing = len(self.phases), self.closing
        try:
            yield from run
        except Halt:
            self._leave_down_to(around, closing)
            raise
        self._leave_down_to(around, closing)

    def _leave_down_to(self, around: int, closing: list[Any]) -> None:
        """Leaves the steps within so many phases and steps."""
        while len(self.phases) > around:
            self.leave_phase(self.phases[-1][0])
            self.closing = closing

    def leave_phase(self, name: str) -> None:
        """A phase or step is over."""
        if self.durations.expiries:
            self.durations.expire(f"end {name}")
        self.phases.pop()
        self.durations.running.pop()
        self.touch(PHASE)

    def in_phase(self, names: tuple[str, ...]) -> bool:
        """Whether a phase or step of one of these names runs."""
        return any(name in names for name, _ in self.phases)

    def phase_now(self) -> str:
        """The phases and steps that run, the outermost first."""
        return ", ".join(name for name, _ in self.phases) or "no phase"

    def end_game(self, winner: Any, because: str) -> None:
        """Ends the game; what ended it first stands."""
        if self.over:
            return
        self.over = because or "the game is over"
        self.winner = winner
        text = self.over[:1].upper() + self.over[1:]
        if winner is not None:
            text += f": {winner.f_title or winner.id} wins"
        self.journal.happened("over", text + ".", winner=winner.id if winner is not None else "")


def _held_besides_parts(thing: Any) -> Iterator[Any]:
    """What a thing and its parts hold that is no part of them."""
    for member in thing.members:
        if member.part:
            yield from _held_besides_parts(member)
        else:
            yield member


def _must_stand_alone(thing: Any) -> None:
    """A part has no place and no side of its own that could change. Raises RuleTrouble."""
    if thing.part:
        raise RuleTrouble(f"{thing.name} is a part of {thing.holder.name}: it stands where that stands, on its side.")
