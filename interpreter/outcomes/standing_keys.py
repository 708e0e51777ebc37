"""Keys for states of a run: two runs with equal keys continue alike."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from types import FunctionType, GeneratorType, MethodType

from interpreter.codegen.python_names import py
from interpreter.commands.command import Command
from interpreter.messages.asking import EachQuestion, Pending, Question, Roll, Run, Sealed
from interpreter.outcomes.standings import COLLECTED, FACTS, SideStanding, same, slots_of
from interpreter.play.runner import chain_of
from interpreter.program.program_data import OrderProgram
from interpreter.runtime.frames import Frame
from interpreter.runtime.things import Value
from interpreter.world.reactions import Stride, ToldRule, WaitingRule
from interpreter.world.world import World

__all__ = ["generator_key", "key_of", "lasting_key", "queue_key"]


def _keyed(value: Value) -> object:
    """A value as part of a key: values that later rules cannot distinguish have equal keys."""
    if isinstance(value, dict):
        return tuple((k, _keyed(v)) for k, v in value.items())
    if isinstance(value, list | tuple):
        return tuple(_keyed(v) for v in value)
    if isinstance(value, set):
        return frozenset(value)
    if isinstance(value, bool | int | str | Fraction):
        return type(value).__name__, value
    try:
        hash(value)
    except TypeError:  # also if only something within it is not hashable
        return _Same(value)
    return value


class _Same:
    """Something that is equal only to itself."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def key_of(world: World, run: Run | None, pending: Pending | None, read: frozenset[str], first: SideStanding) -> object:
    """The key of a run's state: the world, and the names of everything that still runs.

    read: the frames that the condition itself looks into.
    """
    durations = world.durations
    asked = ("lasting", "past", "clock", "begun", "running") if durations.past else ("lasting", "past")
    facts = (
        lasting_key(world), queue_key(world), *(_keyed(getattr(durations, n)) for n in asked),
        *(_keyed(getattr(world.effects, n)) for n in COLLECTED),
        *(_since(getattr(world, n), first.facts[n]) for n in FACTS if n not in {"by_id", "closing", "rounds"}),
    )  # fmt: skip
    running = tuple(generator_key(g, pending) for g in chain_of(run))
    frames = tuple(_frame_key(f, "") for k in sorted(read) if k in world.frames for f in _above(world.frames[k]))
    return _things_since(world, first), facts, running, frames


def _things_since(world: World, first: SideStanding) -> object:
    """The changes of things and places."""
    changed = [kept.x for kept in first.things.changed()]
    new = [x for x in world.by_id.values() if x not in first.things.held]
    things = tuple((x, tuple(_keyed(getattr(x, s)) for s in slots_of(x) if hasattr(x, s))) for x in (*changed, *new))
    places = tuple(
        (kept.x, tuple((s, _keyed(now)) for s, was in kept.values.items() if (now := getattr(kept.x, s)) != was))
        for kept in first.places.changed()
    )
    return things, tuple(p for p in places if p[1])


def _since(value: Value, was: Value) -> object:
    """A value as part of a key; None if it is unchanged."""
    return None if same(value, was) else (_keyed(value),)


def lasting_key(world: World) -> object:
    """What lasts until some moment: in the order in which it began, however long ago that was."""
    every = sorted(
        ((x, m) for m, group in world.durations.expiries.items() for x in group), key=lambda found: found[0].number
    )
    return tuple(
        (m, x.thing, x.slot, *map(_keyed, (x.value, x.before, x.gained, x.whose, x.waits, x.taken))) for x, m in every
    )


def queue_key(world: World) -> object:
    """The waiting rules that are queued to fire."""
    waiting = world.heed.queue if world.heed is not None else ()
    return tuple((q.func.__name__, *(_local_key(a) for a in q.args)) for q in waiting)


def _local_key(value: Value) -> object:
    """A value held by a run."""
    if isinstance(value, Command):
        return value.text
    if isinstance(value, OrderProgram):
        return value.name
    if isinstance(value, WaitingRule):
        return value.trigger.rule
    return _frame_key(value, "") if hasattr(value, "memo") else _keyed(value)


def _above(frame: Frame | None) -> Iterator[Frame]:
    """A frame and its enclosing frames."""
    while frame is not None and hasattr(frame, "up"):
        yield frame
        frame = frame.up


def generator_key(run: GeneratorType[object, object, object], pending: Pending | None) -> object:
    """The position of a generator, with the values of its names. pending: what it is waiting for."""
    frame = run.gi_frame
    assert frame is not None
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


def _branch_key(value: object) -> object:
    """A waiting branch, with what it is waiting for."""
    if isinstance(value, tuple):
        return tuple(_branch_key(v) for v in value)
    if isinstance(value, GeneratorType):
        return tuple(generator_key(g, None) for g in chain_of(value))
    return _local_key(value) if _tells(value) else None


def _tells(value: object) -> bool:
    """Whether a local of a run matters: functions, a world and its parts are the same in every run.

    Past events do not matter either.
    """
    if isinstance(
        value, FunctionType | MethodType | partial | Question | EachQuestion | Sealed | Stride | ToldRule | Exception
    ):
        return False
    if isinstance(value, dict) and any(isinstance(key, GeneratorType) for key in value):
        return False  # the stories of each branch
    return not hasattr(value, "by_kind") and not hasattr(value, "world")


def _frame_key(frame: Frame, rolled: str) -> object:
    """The names of a frame, except the one that is about to be rolled."""
    left_out = {"up", f"n_{py(rolled)}"} if rolled else {"up"}
    return tuple((s, _keyed(getattr(frame, s))) for s in slots_of(frame) if s not in left_out and hasattr(frame, s))
