"""Exact chances: every way in which the dice still to come can fall, from where an example's procedure stands.

The dice are enumerated one roll after the other. Where two ways of the dice lead to the same standing of everything that what
follows can read, it is followed once: sixteen shots at a target of four hits are a few dozen standings, not billions of ways.
A generator cannot be copied, so another way is tried by setting the world back and running the procedure again.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from operator import attrgetter
from types import FunctionType, GeneratorType, MethodType
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.asking import EachQuestion, Question, Roll, Sealed
from interpreter.codegen.reads import ALL
from interpreter.commands import Command
from interpreter.dice import faces_of, read_dice
from interpreter.every_answer import every_answer
from interpreter.inputs import Refused
from interpreter.program import OrderProgram
from interpreter.reactions import Stride, Told, Waiting, reactions_of
from interpreter.runner import chain_of
from interpreter.runtime import say
from interpreter.ways import Ways

if TYPE_CHECKING:
    from interpreter.session import Session
    from interpreter.world import World

MOST_WAYS = 20_000
"""A chance is worked out from at most so many runs of the procedure."""
MOST_ANSWERS = 200
"""A question that is not answered is tried with so many answers or fewer."""

_STILL = frozenset({"near", "index", "label", "column", "row", "id", "kind"})
"""What never changes of a thing."""


class Standing:
    """A world and some frames as they stand, to be set back to: the things stay the same things."""

    def __init__(self, world: World, frames: list[Any]) -> None:
        self.world = world
        held = [*world.by_id.values(), *([world.game] if world.game is not None else [])]
        self.things = [Kept(x) for x in held]
        self.places = [Kept(p) for p in world.places]
        self.frames = [Kept(f) for f in [*world.frames.values(), *frames]]
        self.order = dict(world.frames)
        self.queue = list(world.heed.queue) if world.heed is not None else []
        self.options = dict(world.options)
        self.facts = {name: _copied(getattr(world, name)) for name in FACTS}
        self.events = list(world.journal.events)
        self.parts = {name: _copied(getattr(part, name)) for part, names in parts_of(world) for name in names}

    def set_back(self) -> None:
        """Makes everything as it was."""
        world = self.world
        for kept in self.places:
            if list(kept.x.things) != list(kept.values["things"]):
                world.stirred.append(kept.x.index)
        for group in (self.things, self.places, self.frames):
            for kept in group:
                kept.set_back()
        for name, value in self.facts.items():
            setattr(world, name, _copied(value))
        world.journal.events = list(self.events)
        for part, names in parts_of(world):
            for name in names:
                setattr(part, name, _copied(self.parts[name]))
        if world.options != self.options:
            world.rulings.amend(self.options)
        world.frames = dict(self.order)
        world.ways = Ways(world)
        world.heed = reactions_of(world)
        if world.heed is not None:
            world.heed.queue = list(self.queue)
        world.touch(ALL)
        world.moves += 1
        for kept in self.frames:
            kept.x.memo = {}


FACTS = (
    "by_kind", "by_id", "turn", "active", "phases", "over", "winner", "closing", "rounds", "memory",
)  # fmt: skip
"""What a world knows besides its things."""
COLLECTED = ("together", "nested")
"""What is being collected of lines that are done together."""
LASTING = ("expiries", "lasting", "lasted", "past", "clock", "begun", "running")
"""What it knows of what lasts and of what was done."""


def parts_of(world: World) -> tuple[tuple[Any, tuple[str, ...]], ...]:
    """The parts of a world that hold what changes, each with the names that it has there."""
    return (world.durations, LASTING), (world.effects, COLLECTED)


def facts_of(world: World) -> dict[str, Any]:
    """What a world knows besides its things, by the names that it has there."""
    return {name: getattr(part, name) for part, names in ((world, FACTS), *parts_of(world)) for name in names}


def slots_of(x: Any) -> list[str]:
    """The names of what a thing or frame holds."""
    slots = getattr(type(x), "__slots__", None)
    return [s for s in (slots if slots is not None else vars(x)) if s not in _STILL and s not in {"memo", "stamp"}]


def slots_kept(x: Any) -> dict[str, Any]:
    """What a thing or frame holds now."""
    return {s: _copied(getattr(x, s)) for s in slots_of(x) if hasattr(x, s)}


class Kept:
    """What a thing or frame held at some moment. Most of a map never changes, however often a chance is tried."""

    def __init__(self, x: Any) -> None:
        self.x = x
        self.values = slots_kept(x)
        self._all = tuple(self.values.values())
        self._read = _getter_of(x.__class__, tuple(self.values))
        self._ordered = [s for s, value in self.values.items() if isinstance(value, dict) and len(value) > 1]

    def still(self) -> bool:
        """Whether it holds the same now."""
        if self._read is None:
            return False
        try:
            if self._read(self.x) != self._all:
                return False
        except AttributeError:
            return False
        return all(list(getattr(self.x, s)) == list(self.values[s]) for s in self._ordered)

    def set_back(self) -> None:
        """Makes it hold what it held."""
        if self.still():
            return
        for slot in [s for s in slots_of(self.x) if s not in self.values and hasattr(self.x, s)]:
            delattr(self.x, slot)
        for slot, value in self.values.items():
            setattr(self.x, slot, _copied(value))


@functools.cache
def _getter_of(type_: type, slots: tuple[str, ...]) -> Callable[[Any], Any] | None:
    """Reads all of these at once; None where they are not all that such a thing or frame can hold."""
    every = [s for s in getattr(type_, "__slots__", ()) if s not in _STILL and s not in {"memo", "stamp"}]
    return attrgetter(*slots) if len(slots) > 1 and list(slots) == every else None


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return type(value)({k: _copied(v) for k, v in value.items()})
    if isinstance(value, list):
        return [_copied(v) for v in value]
    return set(value) if isinstance(value, set) else value


# ---- what a standing is told from others by ---------------------------------------------------------------------------
def _keyed(value: Any) -> Any:
    """A value as part of a key: what is equal to later rules has an equal key."""
    if isinstance(value, dict):
        return tuple((k, _keyed(v)) for k, v in value.items())
    if isinstance(value, list | tuple):
        return tuple(_keyed(v) for v in value)
    if isinstance(value, set):
        return frozenset(value)
    if isinstance(value, bool | int | str | Fraction):
        return type(value).__name__, value
    return value if type(value).__hash__ is not None else _Same(value)


class _Same:
    """Something that is equal to itself alone."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def key_of(session: Session, read: frozenset[str], first: Standing) -> Any:
    """What tells where a run stands: the world, the names of all that still runs, and the answers that are left.

    read: the frames that the condition itself looks into.
    """
    world = session.world
    things = tuple(
        (x, tuple(_keyed(getattr(x, s)) for s in slots_of(x) if hasattr(x, s))) for x in world.by_id.values()
    )
    places = tuple(
        (
            kept.x,
            tuple((s, _keyed(getattr(kept.x, s))) for s, value in kept.values.items() if getattr(kept.x, s) != value),
        )
        for kept in first.places
    )
    durations = world.durations
    asked = ("lasting", "past", "clock", "begun", "running") if durations.past else ("lasting", "past")
    facts = (
        lasting_key(world), queue_key(world), *(_keyed(getattr(durations, n)) for n in asked),
        *(_keyed(getattr(world.effects, n)) for n in COLLECTED),
        *(_keyed(getattr(world, n)) for n in FACTS if n not in {"by_id", "closing", "rounds"}),
    )  # fmt: skip
    running = tuple(generator_key(g, session.pending) for g in chain_of(session.runner.run))
    frames = tuple(_frame_key(f, "") for k in sorted(read) if k in world.frames for f in _above(world.frames[k]))
    return things, tuple(p for p in places if p[1]), facts, running, frames, tuple(session.answers)


def lasting_key(world: World) -> Any:
    """What lasts until some moment: in the order in which it began, however long ago that was."""
    every = sorted(
        ((x, m) for m, group in world.durations.expiries.items() for x in group), key=lambda found: found[0].number
    )
    return tuple(
        (m, x.thing, x.slot, *map(_keyed, (x.value, x.before, x.gained, x.whose, x.waits, x.taken))) for x, m in every
    )


def queue_key(world: World) -> Any:
    """The rules that wait for their turn to come about."""
    waiting = world.heed.queue if world.heed is not None else ()
    return tuple((q.func.__name__, *(_local_key(a) for a in q.args)) for q in waiting)


def _local_key(value: Any) -> Any:
    """Something that a run holds."""
    if isinstance(value, Command):
        return value.text
    if isinstance(value, OrderProgram):
        return value.name
    if isinstance(value, Waiting):
        return value.trigger.rule
    return _frame_key(value, "") if hasattr(value, "memo") else _keyed(value)


def _above(frame: Any) -> Iterator[Any]:
    """A frame and those that its texts reach through it."""
    while frame is not None and hasattr(frame, "up"):
        yield frame
        frame = frame.up


def generator_key(run: Any, pending: Any) -> Any:
    """Where a generator stands, with what its names mean. pending: what it waits for."""
    frame = run.gi_frame
    named = {}
    rolled = pending.name if isinstance(pending, Roll) and pending.item is None else ""
    for name, value in frame.f_locals.items():
        if name == "F":
            named[name] = _frame_key(value, rolled)
        elif isinstance(value, GeneratorType):
            named[name] = tuple(generator_key(g, None) for g in chain_of(value))
        elif isinstance(value, list | tuple) and any(isinstance(v, GeneratorType | tuple) for v in value):
            named[name] = tuple(_branch_key(v) for v in value)
        elif _tells(value):
            named[name] = _local_key(value)
    return run.gi_code, frame.f_lasti, tuple(named.items())


def _branch_key(value: Any) -> Any:
    """A branch that waits, with what it waits for."""
    if isinstance(value, tuple):
        return tuple(_branch_key(v) for v in value)
    if isinstance(value, GeneratorType):
        return tuple(generator_key(g, None) for g in chain_of(value))
    return _local_key(value) if _tells(value) else None


def _tells(value: Any) -> bool:
    """Whether a local of a run tells anything: functions, a world and its parts are the same in every run.

    Nor does anything follow from what was told.
    """
    if isinstance(value, FunctionType | MethodType | Question | EachQuestion | Sealed | Stride | Told | Exception):
        return False
    if isinstance(value, dict) and any(isinstance(key, GeneratorType) for key in value):
        return False  # the stories of each branch
    return not hasattr(value, "by_kind") and not hasattr(value, "world")


def _frame_key(frame: Any, rolled: str) -> Any:
    """The names of a frame; the one that is about to be rolled does not count, whatever it holds."""
    from interpreter.codegen.expressions import py

    left_out = {"up", f"n_{py(rolled)}"} if rolled else {"up"}
    return tuple((s, _keyed(getattr(frame, s))) for s in slots_of(frame) if s not in left_out and hasattr(frame, s))


# ---- dice -------------------------------------------------------------------------------------------------------------
LAY_OUT = "Lay the answer out before: `answer NAME with …`; it stands for every time that it is asked."

Step = int | tuple[int]
"""What a run was given: what dice show, or an answer by its place among all that may be given."""


def _asked(pending: Question | EachQuestion | Sealed) -> list[Question | EachQuestion]:
    return pending.open if isinstance(pending, Sealed) else [pending]


def _told(answer: Any) -> str:
    """An answer as people read it; those of a sealed round, in brackets."""
    if isinstance(answer, list) and any(isinstance(x, list | dict) for x in answer):
        return " and ".join(f"({say(x)})" for x in answer)
    return say(answer)


@attrs.define(slots=True, eq=False)
class Enumeration:
    """One chance that is being worked out.

    again: sets the world back and runs the procedure up to where the example stands; holds: whether the condition holds
    now; read: the frames that it looks into.
    """

    session: Session
    first: Standing
    again: Callable[[], None]
    holds: Callable[[], bool]
    read: frozenset[str]
    runs: int = 0
    known: dict[Any, Fraction] = attrs.field(factory=dict)

    def chance(self) -> Fraction:
        """The chance that the condition holds at the end. Leaves the example where it stood. Raises Refused."""
        self.session.rehearsing = True
        try:
            return self._from([])
        finally:
            self.session.rehearsing = False
            self.again()

    def _from(self, thrown: list[Step]) -> Fraction:
        """The chance from where the session stands after these dice and answers."""
        pending = self.session.pending
        if isinstance(pending, Question | EachQuestion | Sealed) and not self.session.world.over:
            return self._whatever_is_answered(pending, thrown)
        if not isinstance(pending, Roll):
            self._must_be_over(pending)
            return Fraction(bool(self.holds()))
        key = key_of(self.session, self.read, self.first)
        if key in self.known:
            return self.known[key]
        total = Fraction(0)
        for number, (face, part) in enumerate(faces_of(read_dice(pending.dice))):
            if number:
                self._run_again(thrown)
            self.session.throw(face)
            total += part * self._from([*thrown, face])
        self.known[key] = total
        return total

    def _whatever_is_answered(self, pending: Question | EachQuestion | Sealed, thrown: list[Step]) -> Fraction:
        """The chance where a question is not answered: it must be the same with every answer, so that none matters.

        Raises Refused where it hangs on the answer, or where there are too many to try.
        """
        answers = list(itertools.islice(every_answer(pending), MOST_ANSWERS + 1))
        partly = any(name in {q.name for q in _asked(pending)} for name in (laid.name for laid in self.session.answers))
        if not answers or len(answers) > MOST_ANSWERS or partly:
            self._must_be_over(pending)
        key = key_of(self.session, self.read, self.first)
        if key in self.known:
            return self.known[key]
        waits = self.session.waits_for
        found: Fraction | None = None
        for number in range(len(answers)):
            if number:
                self._run_again(thrown)
            self._reply(number)
            chance = self._from([*thrown, (number,)])
            if found is not None and chance != found:
                raise Refused(
                    f"The chance cannot be worked out: it waits for {waits}, and hangs on it: it is {say(found)} "
                    f"with {_told(answers[0])}, but {say(chance)} with {_told(answers[number])}.",
                    hint=LAY_OUT,
                )
            found = chance
        assert found is not None
        self.known[key] = found
        return found

    def _reply(self, number: int) -> None:
        """Gives the open question one of its answers, by its place among them."""
        self.session.reply(next(itertools.islice(every_answer(self.session.pending), number, None)))

    def _run_again(self, thrown: list[Step]) -> None:
        self.runs += 1
        if self.runs > MOST_WAYS:
            raise Refused(
                f"This takes more than {MOST_WAYS:,} runs of the procedure.",
                hint="Give some of the dice before, or ask after fewer of them: `dice 7`.",
            )
        self.session.rehearsing = False
        self.again()
        self.session.rehearsing = True
        self.session.feed()
        for step in thrown:
            if isinstance(step, tuple):
                self._reply(*step)
            else:
                self.session.throw(step)

    def _must_be_over(self, pending: Any) -> None:
        if pending is None or self.session.world.over:
            return
        waits = self.session.waits_for
        hint = LAY_OUT
        if not isinstance(pending, Question | EachQuestion | Sealed):
            hint = "A chance goes through dice and laid out answers alone."
        raise Refused(f"The chance cannot be worked out: it waits for {waits}.", hint=hint)


__all__ = [
    "FACTS", "MOST_WAYS", "Enumeration", "Standing", "chain_of", "faces_of", "generator_key", "lasting_key", "queue_key",
    "slots_kept", "slots_of",
]  # fmt: skip
