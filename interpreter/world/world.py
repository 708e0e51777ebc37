"""The world of one game: things, places and facts, the frames of routines, time, and the parts responsible for the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from dsl.data.dates import part_of
from dsl.data.maps import has_label
from dsl.rules.ruleset import PLACE
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.text.source import Span
from interpreter.codegen.reads import ACTIVE, ALL, MOVES, PAST, PHASE, TURN
from interpreter.codegen.units import RuleSite
from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.place_graph import PlaceGraph
from interpreter.geometry.traces import Links
from interpreter.messages.asking import Run
from interpreter.messages.happenings import GameOver, PhaseBegan
from interpreter.program.program import Program, Traced
from interpreter.runtime.exact_numbers import Number
from interpreter.runtime.frames import Frame
from interpreter.runtime.runtime import Halt, RuleTrouble
from interpreter.runtime.things import Thing, Value
from interpreter.runtime.trouble import ENDLESS
from interpreter.world.changed_places import PlaceStart
from interpreter.world.ground import Ground, Sheet
from interpreter.world.hosting import Host
from interpreter.world.incognito import Incognito
from interpreter.world.knowledge import Knowledge
from interpreter.world.lasting import Durations
from interpreter.world.making_things import Maker
from interpreter.world.on_the_way import ReactionsOnTheWay
from interpreter.world.positions import Positions
from interpreter.world.rulings import Rulings
from interpreter.world.telling import Journal
from interpreter.world.told_stories import Storytelling
from interpreter.world.ways import Ways
from interpreter.world.world_changes import Effects
from interpreter.world.world_contracts import Veiling
from interpreter.world.written_rows import Rows

OF_NOTHING = {ACTIVE, PAST, PHASE, TURN}  # facts that change on no thing and no place
MOST_ROUNDS = 200_000
"""The most loop rounds, routines and events before somebody is asked."""


Closing: TypeAlias = tuple[Callable[[], bool], str, tuple[str, ...], Callable[[], list[Thing]] | None]
"""What keeps a phase from ending: the test, the reason, its citations, and the things it is about."""


class World:
    """State and its changes. Emitted rules reach everything through this; nothing else may change a thing.

    version: rises with every change, so that stale remembered values are recognized; steady: with every one except that a
    phase begins or ends. touched: counts the changes of
    each field and fact by its name; what reads only some of them looks there. altered: the things and places that changed, one
    after the other; unclear: how often something unspecified changed. mirrors: the world as sides know it.
    """

    def __init__(self, program: Program, options: Mapping[str, str]) -> None:
        self.program = program
        self.ruleset = program.ruleset
        self.options = dict(options)
        self.classes = program.classes
        self.by_kind: dict[str, list[Thing]] = {k: [] for k, x in self.ruleset.kinds.items() if x.word != "group"}
        self.by_id: dict[str, Thing] = {}
        self.grid: PlaceGraph = HexGrid(1, 1)
        self.places: list[Thing] = []
        self.by_label: dict[str, Thing] = {}
        self.links: dict[str, dict[tuple[int, int], str]] = {}
        self.link_graph = Links({})
        self.linked_places: dict[str, set[int]] = {}
        self.game: Thing | None = None
        self.maps: list[Sheet] = []
        self.ends: dict[int, list[Thing]] = {}
        self.any_place = PLACE in self.by_kind and self.ruleset.kinds[PLACE].node is None
        """Whether the kinds of place have a common super-kind."""
        self.seed: str | None = None
        """The seed of the ids of hidden things; None in examples, where they are numbered."""
        self.incognito: Incognito | None = None
        """The labels of things with hidden names; None if the scenario hides no names."""
        self.heard_frames: dict[tuple[str, str], tuple[int, Frame]] = {}
        """The last frames of routines run in secret orders of a side, and openly (""), with their positions in the sequence of all."""
        self.entries = 0
        """How many routines have begun."""
        self.last_order: tuple[Frame, str] | None = None
        """The frame of the order that was given last, and the side that gave it if it was secret, else ""."""
        self.covert: dict[str, bool] = {}
        """Which orders only their own side learns of, as far as determined."""
        self.thrown: dict[Span, tuple[str, list[Thing | None]]] = {}
        """Who rolled last for what, by the place of each roll whose result affects something that may be hidden."""
        self.turn = 0
        self.dates: ln.Begins | None = None
        self.due: dict[int, list[tuple[d.Forces, dict[str, str]]]] = {}
        self.active: Thing | None = None
        self.phases: list[tuple[str, str]] = []
        self.entered: set[str] = set()
        """The phases and steps that have begun since the world was made."""
        self.version = self.steady = 0
        self.rounds = 0
        self.numbers: dict[str, int] = {}
        self.moves = 0
        self.stirred: list[int] = []
        self.touched: dict[str, int] = {}
        self.altered: list[Thing] = []
        self.unclear = 0
        self.mirrors: dict[str, Veiling] = {}
        self.over = ""
        self.winner: Thing | None = None
        self.closing: list[Closing] = []
        self.durations: Durations = Durations(self)
        self.ground: Ground = Ground(self)
        self.maker: Maker = Maker(self)
        self.heed: ReactionsOnTheWay | None = None
        self.memory: dict[str, list[tuple[Thing, ...]]] = {}
        self.knowledge: Knowledge = Knowledge(self, program.secrecy)
        self.journal: Journal = Journal(self)
        self.stories: Storytelling
        self.frames: dict[str, Frame] = {}
        self.effects: Effects = Effects(self)
        self.positions: Positions = Positions(self)
        self.host: Host | None = None
        """The host that asks, rolls and takes orders for the rules; None if nobody plays."""
        self.sites: list[RuleSite] = []
        self.functions: dict[str, Value] = {}
        self.rulings = Rulings(self)
        self.aside: tuple[Program, Traced] | None = None
        self.ways: Ways
        self.veil: Veiling | None = None
        self.hiding_kinds = program.secrecy.hiding_kinds
        self.started: dict[str, PlaceStart] = {}
        self.rows = Rows(self.ruleset)
        self.colours: dict[str, str] = {}

    # ---- asking
    def all_of(self, kind: str) -> list[Thing]:
        """All living things of a kind; for a group of kinds, kind by kind."""
        found = self.by_kind.get(kind)
        return [x for k in self.ruleset.sorts(kind) for x in self.by_kind[k]] if found is None else found

    def place(self, label: str) -> Thing:
        """The place of a label. Raises RuleTrouble when the map has none."""
        found = self.by_label.get(label)
        if found is None:
            others = [m.name for m in self.ruleset.maps.values() if has_label(self.ruleset, m, label)]
            elsewhere = (
                f" It is on {' and on '.join(others)}: name all the maps, as in `on map A and B`." if others else ""
            )
            raise RuleTrouble(f"The map has no place {label}.{elsewhere}")
        return found

    def foe(self, side: Thing | None) -> Thing:
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
                f"`foe` needs exactly one other side, but {side.id if side else 'no side'} has {len(others)}."
            )
        return others[0]

    def sides_in_turn(self, first: Thing | None) -> list[Thing]:
        """All sides, the acting one first."""
        return sorted(self.by_kind["side"], key=lambda s: s is not first)

    def way_exists(self, name: str, args: tuple[object, ...]) -> bool:
        """Whether a path finds its goal."""
        return bool(self.ways.exists(name, args))

    def way_cost(self, name: str, args: tuple[object, ...], goal: Thing) -> Number | None:
        """The movement points of the cheapest way to a place or a thing; None where it is out of reach or off the map."""
        return self.ways.cost_to(name, args, goal.place)

    def stir(self, place: Thing | None) -> None:
        """Records that something came to or left a place, and so every place that contains it."""
        while place is not None:
            self.stirred.append(place.index)
            place = place.holder

    def calendar(self, part: str) -> str | int:
        """The date of the turn, or its day, month or year. Raises RuleTrouble if there is no calendar."""
        if self.dates is None:
            raise RuleTrouble(
                f"The scenario has no calendar, so there is no {part}: add `begins 1985-08-04, 7 days a turn` to the scenario."
            )
        try:
            return part_of(self.dates, self.turn, part)
        except OverflowError:
            raise RuleTrouble("The calendar ends in the year 9999.") from None

    def tick(self) -> None:
        """Counts loop rounds, routines and events since somebody was last asked. Raises RuleTrouble if there are too many."""
        self.rounds += 1
        if self.rounds > MOST_ROUNDS:
            raise RuleTrouble(ENDLESS)

    # ---- frames
    def frame(self, key: str, acting: Thing | None, up: Frame | None) -> Frame:
        """A fresh frame of a routine."""
        frame = self.program.frames[key]()
        frame.acting, frame.up, frame.route = acting, up, None
        frame.via, frame.chosen = [], {}
        frame.memo, frame.stamp = {}, -1
        return frame

    def enter(self, key: str, frame: Frame) -> None:
        """A routine begins: its frame becomes the one entered last. Raises RuleTrouble if too many began."""
        self.tick()
        self.frames.pop(key, None)
        self.frames[key] = frame
        if not self.program.secrecy.hides:
            return
        if key.startswith("order "):
            giver: Value = frame.acting
            self.last_order = frame, giver.id if self.is_secret(key.partition(" ")[2]) else ""
        self.heard_frames[key, self.secret_giver(key, frame)] = self.entries, frame
        self.entries += 1

    def secret_giver(self, key: str, frame: Frame) -> str:
        """The side whose secret order is being carried out without other sides learning of it; "" if it is done openly."""
        if self.last_order is None or not (key.startswith("order ") or self.is_quiet(key)):
            return ""
        while frame.up is not None:
            frame = frame.up
        return str(self.last_order[1]) if frame is self.last_order[0] else ""

    def is_quiet(self, key: str) -> bool:
        """Whether a routine asks no questions, rolls no dice and reports nothing."""
        if key not in self.covert:
            self.covert[key] = self.program.secrecy.unheard.is_quiet(key)
        return self.covert[key]

    def is_secret(self, order: str) -> bool:
        """Whether only its own side learns of an order."""
        if order not in self.covert:
            self.covert[order] = self.program.secrecy.unheard.is_covert(order)
        return self.covert[order]

    def last_frame(self, key: str) -> Frame:
        """The frame of a routine's last run, or a fresh one."""
        found = self.frames.get(key)
        if found is None:
            found = self.frames[key] = self.frame(key, self.active, None)
        return found

    def copies(self, frame: Frame, count: int) -> list[Frame]:
        """Frames with the same names as this one, for branches that run side by side."""
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
    def rejoin(frame: Frame, copies: Iterable[Frame]) -> None:
        """Takes over the names set by branches, in their order; choices or rolls for several things are merged."""
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
        """A name of a procedure has a new value, or something changed that is not counted by name."""
        self.version += 1
        self.steady += 1

    def touch(self, name: str, *whose: Thing) -> None:
        """Something of that name has changed: a field, by its attribute, or a fact of `interpreter/codegen/reads.py`.

        whose: the changed things and places, if there are any.
        """
        if whose:
            self.altered += whose
        elif name not in OF_NOTHING:
            self.unclear += 1
        self.version += 1
        touched = self.touched
        touched[name] = touched.get(name, 0) + 1
        if name != PHASE:
            self.steady += 1
            if name == MOVES:
                self.moves += 1

    def stamp(self, reads: Iterable[str]) -> int:
        """A number that stays the same only while nothing with these names changes."""
        touched = self.touched
        total = touched.get(ALL, 0)
        for name in reads:
            if name == ALL:
                return self.version
            total += touched.get(name, 0)
        return total

    def remember(self, key: str, frame: Frame) -> None:
        """An order or procedure was carried out: by the side that gave or ran it, and by each thing of its first argument."""
        first = None
        if self.program.rules.routines[key].params:
            first = getattr(frame, next(s for s in type(frame).__slots__ if s.startswith("n_")), None)
        doers = first if isinstance(first, list | tuple) else [first]
        self.durations.remember(key, [x for x in (frame.acting, *doers) if hasattr(x, "alive")])

    # ---- rules that wait
    def react(self, frame: Frame) -> Run:
        """Fires rules that wait for what has changed."""
        if self.heed is not None:
            yield from self.heed.react(frame)

    def thing_made(self, name: str) -> Thing:
        """The thing that rules have placed under a name. Raises RuleTrouble if there is none."""
        found = self.by_id.get(name)
        if found is None:
            raise RuleTrouble(f"Nothing is named {name}.")
        return found

    # ---- time
    def set_active(self, side: Thing) -> None:
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
            self.journal.happened(PhaseBegan(self.turn, name, title), side=self.active)

    def in_steps(self, run: Run) -> Run:
        """Runs a procedure with steps. If it is stopped within one, that step ends with it."""
        around, closing = len(self.phases), self.closing
        try:
            yield from run
        except Halt:
            self._leave_down_to(around, closing)
            raise
        self._leave_down_to(around, closing)

    def _leave_down_to(self, around: int, closing: list[Closing]) -> None:
        """Leaves inner steps until this many phases and steps remain."""
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
        """Whether a phase or step of one of these names is in progress."""
        return any(name in names for name, _ in self.phases)

    def phase_now(self) -> str:
        """The phases and steps in progress, the outermost first."""
        return ", ".join(name for name, _ in self.phases) or "no phase"

    def end_game(self, winner: Thing | None, because: str) -> None:
        """Ends the game; only the first end takes effect."""
        if self.over:
            return
        self.over = because or "the game is over"
        self.winner = winner
        won = ("", "") if winner is None else (winner.id, str(winner.f_title or winner.id))
        self.journal.happened(GameOver(won[0], self.over, won[1]))
