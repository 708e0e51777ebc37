"""Running one phase or step alone, as examples do: with the side that acts, and with the rules before and after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType

from dsl import ir
from dsl.ir.phases import LonePhase
from interpreter.codegen.emit_statements import StatementEmitter
from interpreter.codegen.python_names import py
from interpreter.codegen.reads import PHASE
from interpreter.codegen.routine_emitter import RoutineEmitter
from interpreter.codegen.units import one_unit
from interpreter.messages.asking import Run
from interpreter.program.program import Program
from interpreter.runtime.frames import Frame
from interpreter.runtime.refusals import Why
from interpreter.runtime.things import Value
from interpreter.world.world import World


def phase_function(program: Program, found: LonePhase, space: dict[str, Value]) -> Callable[[Frame], Run]:
    """The phase as a generator on the frame of its routine. space: the globals of the emitted functions."""
    m = RoutineEmitter(program.rules, traced=True)
    m.text.span = found.phase.span
    around = [(s.over.type.of, f"F.n_{py(s.name)}") for s in found.rounds]
    rounds = tuple((of.word, name) for of, name in around if of is not None and of.name == "enum")
    with m.text.function("phase_alone", "F"):
        m.put("if False: yield")
        StatementEmitter(m, found.routine, rounds).statement(found.phase)
    unit = one_unit(m.text.unit())
    program.traced.files[unit.file] = unit  # so that a failing rule is reported with its line
    ((name, code),) = unit.functions
    return FunctionType(code, space, name)


def frame_of(world: World, found: LonePhase, given: Mapping[str, Value]) -> Frame:
    """The frame that the phase runs on, with the side that acts in it. given: the names that an example has given.

    Raises Refused if the phase runs once for each of several and the example does not say for which.
    """
    frame = world.last_frame(found.key)
    frame.acting = world.active
    if found.routine.within and frame.up is None:
        frame.up = world.last_frame(f"procedure {found.routine.within}")
    for s in found.around:
        if not isinstance(s, ir.ForEach):
            continue
        slot = f"n_{py(s.name)}"
        if s.role == "active":
            setattr(frame, slot, world.active)
        elif (value := given.get(f"let {s.name}")) is not None:
            setattr(frame, slot, value)
        elif not hasattr(frame, slot):
            message = f"{found.phase.name} runs once for each {s.name}: the example must say which one."
            raise Why.UNCLEAR(message, hint=f"Add the line `given {s.name} is …` before it.")
    return frame


def alone(world: World, found: LonePhase, run: Callable[[Frame], Run], frame: Frame) -> Run:
    """Runs a phase within its enclosing phases, without anything else in those."""
    world.phases, world.durations.running = [], []
    for s in found.around:
        if isinstance(s, ir.Phase):
            world.phases.append((s.name, s.title or s.name))
            world.durations.phase_begins(s.name, bool(s.step))
    world.touch(PHASE)
    world.enter(found.key, frame)
    yield from run(frame)
    world.phases, world.durations.running = [], []
    world.touch(PHASE)


__all__ = ["alone", "frame_of", "phase_function"]
