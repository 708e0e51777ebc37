"""Reactions: how rules that wait for an event or a standing condition fire while a game runs."""

from __future__ import annotations

import functools
from functools import partial

import attrs

from dsl import ir
from dsl.analysis.effects_of import lines_done
from dsl.binding.bound import BoundRuleset
from dsl.binding.triggers import MOVING, REMOVED
from dsl.ir import Trigger, lines_in
from dsl.rules.editions import OWN_STOP, asks
from dsl.rules.notation import attribute
from interpreter.codegen.python_names import py, slot_of
from interpreter.codegen.waiting_rules import rests_on_hidden, trigger_reads
from interpreter.messages.asking import Run
from interpreter.messages.happenings import RuleApplied
from interpreter.messages.inputs import Event
from interpreter.runtime.frames import Frame
from interpreter.runtime.runtime import Halt, RuleTrouble
from interpreter.runtime.things import Thing, Value
from interpreter.runtime.trouble import TroubleAt
from interpreter.world.reacting_worlds import Reacting

MOST_FIRINGS = 1_000
"""The most rules that may fire after one effect."""
MOST_NESTED = 20
"""The maximum depth of movements that trigger each other."""
STOP_MOVE, STOP_ORDER = "@move", "@order"
FAR = 1_000_000
"""The distance between things of which one is off the map."""


@attrs.define(slots=True, eq=False)
class WaitingRule:
    """A trigger in one world. sorts: each of its kinds, or the kinds of a group. amount to order: the names of its emitted functions, "" for none.

    reads: what its condition depends on; secret: whether knowing of it would reveal something hidden; passing: whether it is reported only if its effects are reported; stamp: when it was last checked; new: the things for which it was then true and has not fired.
    """

    trigger: Trigger
    kinds: tuple[str, ...]
    sorts: tuple[tuple[str, ...], ...]
    slots: tuple[str, ...]
    on_place: bool
    amount: str
    when: str
    test: str
    order: str
    reads: frozenset[str]
    secret: bool
    passing: bool
    stamp: int | None = None
    new: list[tuple[Thing, ...]] = attrs.field(factory=list)

    @property
    def edge(self) -> bool:
        """Whether it fires when its condition becomes true, not while it is true."""
        return self.trigger.event == "becomes"


@attrs.frozen(slots=True, eq=False)
class ToldRule:
    """The events when a rule fired. Nothing later depends on them."""

    events: tuple[Event, ...]


@attrs.define(slots=True, eq=False)
class Stride:
    """A movement in progress: the labels of the route since its last event."""

    thing: Thing
    way: list[str]
    site: int


@functools.lru_cache(maxsize=16)
def _rules_waiting(rules: BoundRuleset) -> tuple[WaitingRule, ...]:
    """The waiting rules, by name, before anything has happened."""
    return tuple(_waiting(rules, t) for t in sorted(rules.triggers, key=lambda t: t.rule))


def _waiting(rules: BoundRuleset, t: Trigger) -> WaitingRule:
    stem = f"rule_{py(t.rule)}"
    kinds = tuple(p.type.word for p in t.params)
    on_place = len(kinds) > 1 and rules.ruleset.kinds[kinds[1]].word == "place"
    reads = trigger_reads(rules, t) if t.test is not None else frozenset()
    slots = tuple(slot_of(p.name) for p in t.params)

    def name(letter: str, e: object) -> str:
        return f"{letter}_{stem}" if e is not None else ""

    return WaitingRule(
        t, kinds, tuple(map(rules.ruleset.sorts, kinds)), slots, on_place, name("n", t.amount), name("t", t.when), name("s", t.test), name("o", t.order), reads,
        rests_on_hidden(rules, t), not _works_unseen(rules, t.rule),
    )  # fmt: skip


def _works_unseen(rules: BoundRuleset, rule: str) -> bool:
    """Whether a rule has an effect without an event of its own: it stops something else, or lets a side see something."""
    own = f"rule {rule}"
    unheard = [s for s in lines_done(rules.routines, rules.hooks, own) if s.DOES.unheard]
    stops = {s for s in lines_in(rules.routines[own].body) if isinstance(s, ir.Stop)}
    if asks(rules.ruleset.edition, OWN_STOP):
        stops = {s for s in stops if s.name not in {None, rule}}
    return any(not isinstance(s, ir.Stop) or s in stops for s in unheard)


class Reactions:
    """The waiting rules of one world."""

    def __init__(self, world: Reacting) -> None:
        self.world = world
        waiting = [attrs.evolve(w, new=[]) for w in _rules_waiting(world.program.rules)]
        self.moving = {e: [w for w in waiting if w.trigger.event == e] for e in MOVING}
        self.losing = [w for w in waiting if w.trigger.event == REMOVED]
        self.standing = [w for w in waiting if w.trigger.stands]
        self.becoming: dict[tuple[str, str], list[WaitingRule]] = {}
        for w in waiting:
            for kind in w.sorts[0] if w.trigger.field else ():
                self.becoming.setdefault((kind, attribute(w.trigger.field)), []).append(w)
        self.movers = {kind for group in self.moving.values() for w in group for kind in w.sorts[0]}
        self.queue: list[partial[tuple[WaitingRule, Run] | None]] = []
        self.busy = False
        self.nested = 0
        self.falling: list[Thing] = []
        """The things being removed from the game, whose rules are firing now."""
        self.known = -1
        self.strides: list[Stride] = []

    # ---- reports from the world
    def became(self, thing: Thing, slot: str, before: object, value: object) -> None:
        """A field has changed; the rules that wait for this are queued."""
        for w in self.becoming.get((thing.kind, slot), ()):
            if value in w.trigger.words and before not in w.trigger.words:
                self.queue.append(partial(self._became, w, thing))

    # ---- after an effect
    def react(self, frame: Frame | None) -> Run:
        """Fires waiting rules until none is left; frame: of the routine whose effect triggered them."""
        world = self.world
        if self.busy or world.effects.together is not None or (not self.queue and self.known == world.version):
            return
        self.busy, fired = True, 0
        try:
            while (run := self._next(frame)) is not None:
                fired += 1
                if fired > MOST_FIRINGS:
                    message = f"The rule fires more than {MOST_FIRINGS:,} times after one effect. It triggers itself, perhaps through other rules."
                    raise TroubleAt(f"{run[0].trigger.rule}: {message}", run[0].trigger.span)
                try:
                    yield from run[1]
                except Halt as halt:
                    self._stopped(halt, frame)
        finally:
            self.busy = False
        self.known = world.version

    def _next(self, frame: Frame | None) -> tuple[WaitingRule, Run] | None:
        """The next rule to fire, and its run: events take precedence over standing conditions."""
        while True:
            while self.queue:
                run = self.queue.pop(0)(frame)
                if run is not None:
                    return run
            if self.world.durations.lapse():
                continue
            found = self._standing(frame)
            if found is not None or not self.queue:
                return found

    def _standing(self, frame: Frame | None) -> tuple[WaitingRule, Run] | None:
        """The first standing condition that has become true: by rule, then the nearest pair."""
        for w in self.standing:
            self._look(w)
        if self.queue:
            return None
        for w in self.standing:
            if w.new:
                things = self._first(w)
                return w, self._run(w, things, self._frame(w, things, frame))
        return None

    def _look(self, w: WaitingRule) -> None:
        """Checks a condition again, if something that it depends on has changed."""
        world = self.world
        stamp = world.stamp(w.reads) if world.ways.fine else world.version
        if w.stamp == stamp:
            return
        w.stamp = stamp
        every = self._candidates(w)
        test = world.functions[w.test]
        holding = [things for things in every if test(*things)]
        if w.edge:
            self._begun(w, every, holding)
            return
        done = [things for things in world.memory.get(w.trigger.rule, []) if things in holding]
        self._keep(w, done)
        w.new = [things for things in holding if things not in done and things[::-1] not in done]

    def _keep(self, w: WaitingRule, done: list[tuple[Thing, ...]]) -> None:
        """Remembers the things for which a rule has fired and whose condition is still true."""
        if done:
            self.world.memory[w.trigger.rule] = done
        else:
            self.world.memory.pop(w.trigger.rule, None)

    def _candidates(self, w: WaitingRule) -> list[tuple[Thing, ...]]:
        """All things, or pairs of them, for which a standing condition is checked."""
        firsts = list(self.world.all_of(w.kinds[0]))
        if len(w.kinds) == 1:
            return [(x,) for x in firsts]
        seconds = list(self.world.all_of(w.kinds[1]))
        return [(x, y) for x in firsts for y in seconds if x is not y and self._is_whose(w, x, y)]

    def _begun(self, w: WaitingRule, every: list[tuple[Thing, ...]], holding: list[tuple[Thing, ...]]) -> None:
        """Queues the things for which a status is true now and was not when last checked."""
        memory, rule = self.world.memory, w.trigger.rule
        before = memory.get(rule, [])
        for things in holding:
            if things in before:
                self.queue.append(partial(self._became, w, things[0]))
        memory[rule] = [things for things in every if things not in holding]

    def _first(self, w: WaitingRule) -> tuple[Thing, ...]:
        """The first of the things for which a condition has become true: in the stated order, the nearest pair, by name."""
        order = self.world.functions[w.order] if w.order else None

        def key(things: tuple[Thing, ...]) -> tuple[Value, ...]:
            return (order(*things) if order is not None else 0, self._apart(*things), *map(self._named, things))

        first = min(w.new, key=key)
        self._keep(w, [*self.world.memory.get(w.trigger.rule, []), first])
        w.new = [things for things in w.new if things not in {first, first[::-1]}]
        return first

    def _named(self, x: Thing) -> tuple[str]:
        """The tie-breaking sort key of things: the name, unless it may be hidden."""
        labels = self.world.incognito
        return (x.label or (x.id if labels is None else labels.lot(x.id)),)

    # ---- what has happened
    def _became(self, w: WaitingRule, thing: Thing, frame: Frame | None) -> tuple[WaitingRule, Run] | None:
        """The run of a rule on what a thing became, if that is still the case."""
        if not thing.alive:
            return None
        t = w.trigger
        still = getattr(thing, attribute(t.field)) in t.words if t.field else self.world.functions[w.test](thing)
        return self._happening(w, (thing,), frame) if still else None

    def _happening(
        self, w: WaitingRule, things: tuple[Thing, ...], frame: Frame | None
    ) -> tuple[WaitingRule, Run] | None:
        """The run of a rule on an event, if it applies and its condition is true."""
        around = frame
        if w.trigger.bound:
            wanted = self.world.program.frames[w.trigger.bound]
            while around is not None and not isinstance(around, wanted):
                around = around.up
            if around is None:
                return None
        made = self._frame(w, things, around)
        if w.when and not self.world.functions[w.when](made):
            return None
        return w, self._run(w, things, made)

    def _frame(self, w: WaitingRule, things: tuple[Thing, ...], around: Frame | None) -> Frame:
        """The frame of a rule: its things by name; the side of the first runs it."""
        acting = things[0].side or getattr(around, "acting", None)
        frame = self.world.frame(f"rule {w.trigger.rule}", acting, around)
        for slot, thing in zip(w.slots, things, strict=True):
            setattr(frame, slot, thing)
        return frame

    def _run(self, w: WaitingRule, things: tuple[Thing, ...], frame: Frame) -> Run:
        """A rule fires."""
        world, rule = self.world, w.trigger.rule
        if self.nested >= MOST_NESTED:
            raise TroubleAt(
                f"{rule}: The rule triggers itself, perhaps through other rules, {MOST_NESTED} levels deep.",
                w.trigger.span,
            )
        self._tell_moves()
        told = self._tell(w, things)
        self.nested += 1
        try:
            yield from world.functions[f"p_rule_{py(rule)}"](frame)
        except Halt as halt:
            if halt.name != rule:
                raise
        finally:
            self.nested -= 1
        if w.passing and world.effects.together is None and told.events and world.journal.events[-1] is told.events[-1]:
            del world.journal.events[-len(told.events) :]  # it had no visible effect

    def _tell(self, w: WaitingRule, things: tuple[Thing, ...]) -> ToldRule:
        """Records that a rule fires, for those from whom nothing that it depends on is hidden."""
        world, t = self.world, w.trigger
        before = len(world.journal.events)
        said = {"leaves": "leaves", "enters": "enters", "within": "comes near", "next": "comes next to"}.get(
            t.event, "and"
        )
        named = tuple(str(x.label or world.knowledge.called(x)) for x in things)
        what = RuleApplied(t.rule, tuple(str(x.label or x.id) for x in things), named, said)
        sides = [s.id for s in world.all_of("side")]
        seen = [s for s in sides if not w.secret and not any(world.knowledge.hidden_from(x, s) for x in things)]
        for to in ["all"] if seen == sides else seen or ["umpire"]:
            world.journal.happened(what, -1, things[0].side, to, cites=t.cites)
        return ToldRule(tuple(world.journal.events[before:]))

    def _stopped(self, halt: Halt, frame: Frame | None) -> None:
        """A rule has stopped something: a movement ends here, an order or a procedure where it runs."""
        if halt.name != STOP_MOVE and (halt.name != STOP_ORDER or self._in_order(frame)):
            raise halt

    def _in_order(self, frame: Frame | None) -> bool:
        """Whether an order is being carried out."""
        frames = self.world.program.frames
        orders = tuple(made for key, made in frames.items() if key.startswith("order "))
        while frame is not None:
            if isinstance(frame, orders):
                return True
            frame = getattr(frame, "up", None)
        return False

    # ---- small things
    def _is_whose(self, w: WaitingRule, first: Thing, second: Thing) -> bool:
        whose = w.trigger.whose if len(w.kinds) > 1 else ""
        return not whose or (whose == "own") == (second.side is first.side)

    def _apart(self, *things: Thing) -> int:
        """The distance between two things; 0 for a single one."""
        if len(things) < 2:
            return 0
        if any(x.place is None for x in things):
            return FAR
        try:
            apart: int = self.world.ground.distance(*things)
        except RuleTrouble:  # they are on maps that are not connected
            return FAR
        return apart

    def _tell_moves(self) -> None:
        """Reports how far moving things have got, before something else happens."""
        for stride in self.strides:
            self._tell_stride(stride)

    def _tell_stride(self, stride: Stride) -> None:
        if len(stride.way) > 1:
            self.world.journal.tell_move(stride.thing, stride.way, stride.site)
            stride.way = stride.way[-1:]
