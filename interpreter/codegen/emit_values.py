"""Emitting values and statuses: functions of their arguments, line by line."""

from __future__ import annotations

import contextlib

import attrs

from dsl import ir
from dsl.ir import Routine, S, added_lines, is_disputed
from interpreter.codegen.python_names import py
from interpreter.codegen.routine_emitter import RoutineEmitter
from interpreter.codegen.value_steps import flat, step_text

__all__ = ["emit_let", "emit_value", "leave"]


def emit_value(m: RoutineEmitter, routine: Routine) -> None:
    """Writes a value or status as a function of its arguments."""
    m.text.span = routine.span
    args = [f"l_{py(p.name)}" for p in routine.params]
    if routine.within:
        args.insert(0, "F")
    name = f"v_{py(routine.name)}"
    if m.memory.is_remembered(routine):
        whole = m.loops.whole(routine) if m.loops is not None else None
        with m.text.function(name, ", ".join(args)):
            kept = f"_r = {_remembered(m, name, args, routine.within)} = "
            name += "_plainly"
            plainly = f"{kept}{name}({', '.join(args)})"
            if whole is None:
                m.put(plainly)
            else:
                *lines, (answer, _) = whole
                m.put("try:")
                for text, m.text.span in lines:
                    m.put("    " + text)
                m.text.span = routine.span
                m.put(f"    {kept}{answer.removeprefix('return ')}")
                m.put("except TROUBLE:")
                m.put("    " + plainly)
            m.put("return _r")
        if whole is not None:
            m = attrs.evolve(m, elsewhere=None)
    with m.text.function(name, ", ".join(args)):
        passed = "(" + "".join(a + ", " for a in args if a != "F") + ")"
        if m.traced:
            m.put(f"if PIN and (_p := PIN.get({m.word(routine.name)})) is not None:")
            if not any(param.many for param in routine.params):
                m.put(f"    if {passed} in _p: return _p[{passed}]")
            m.put("    if None in _p: return _p[None]")
            m.put(f"T.enter({m.word(routine.name)}, {passed})")
        if routine.word == "status":
            _status(m, routine)
        else:
            _pipeline(m, routine)


def _remembered(m: RoutineEmitter, name: str, args: list[str], within: str | None) -> str:
    """Writes the lookup of the value computed before, valid as long as nothing changes; returns where to keep the new one."""
    count = "W.version" if within in m.memory.phased else "W.steady"
    m.put(f"if F.stamp != {count}:")
    m.put("    F.memo.clear()")
    m.put(f"    F.stamp = {count}")
    if not args[1:]:
        m.put(f"elif {m.word(name)} in F.memo: return F.memo[{m.word(name)}]")
        return f"F.memo[{m.word(name)}]"
    key = args[1] if len(args) == 2 else f"({', '.join(args[1:])})"
    m.put(f"_m = F.memo.get({m.word(name)})")
    m.put(f"if _m is None: _m = F.memo[{m.word(name)}] = {{}}")
    m.put(f"elif {key} in _m: return _m[{key}]")
    return f"_m[{key}]"


def emit_let(m: RoutineEmitter, s: ir.Let) -> None:
    """Writes a line that sets a name to the value of its expression."""
    m.put(f"l_{py(s.name)} = {m.value(s)}")


def leave(m: RoutineEmitter, text: str) -> None:
    """Writes the end of a function that returns this."""
    m.put(f"return T.leave({text})" if m.traced else f"return {text}")


def _step(m: RoutineEmitter, s: S, routine: Routine, value: str = "acc") -> None:
    if m.traced:
        m.put(f"T.step({m.site(s, routine)}, {value})")


def _skip(m: RoutineEmitter, s: S, routine: Routine) -> None:
    if m.traced:
        m.put(f"T.skip({m.site(s, routine)})")


def _status(m: RoutineEmitter, routine: Routine) -> None:
    for s in flat(routine.body):
        m.text.span = s.span
        if isinstance(s, ir.Let):
            emit_let(m, s)
            continue
        result = m.test(ir.value_of(s))
        if s.when is None:
            _step(m, s, routine, result)
            leave(m, result)
            return
        m.put(f"if {m.emit(s.when)}:")
        with m.text.deeper():
            _step(m, s, routine, result)
            leave(m, result)
        _skip(m, s, routine)
    leave(m, "False")


def _pipeline(m: RoutineEmitter, routine: Routine) -> None:
    """Lines in order on `acc`. Cases nest in `else` blocks until the first step after them."""
    several, number = routine.type.name == "set", routine.type.name == "number"
    nothing = "[]" if several else "None"
    started = opened = False
    with contextlib.ExitStack() as cases:
        for s in routine.body:
            m.text.span = s.span
            if isinstance(s, ir.Except):
                _except_lines(m, s, routine)
            elif isinstance(s, ir.Let):
                emit_let(m, s)
            elif isinstance(s, ir.Start | ir.Case) and not (started and not opened):
                value = m.emit(s.value)
                if s.when is None:
                    m.put(f"acc = {value}")
                    _step(m, s, routine)
                    cases.close()
                    started, opened = True, False
                    continue
                m.put(f"if {m.emit(s.when)}:")
                with m.text.deeper():
                    m.put(f"acc = {value}")
                    _step(m, s, routine)
                m.put("else:")
                cases.enter_context(m.text.deeper())
                _skip(m, s, routine)
                opened = True
            else:
                if opened:
                    m.put(f"acc = {'0' if number and not routine.type.optional else nothing}")
                    cases.close()
                elif not started:
                    m.put(f"acc = {'[]' if several else '0'}")
                opened, started = False, True
                _one_step(m, s, routine)
        if opened:
            m.put(f"acc = {nothing}")
    m.text.span = routine.span
    leave(m, "acc")


def _except_lines(m: RoutineEmitter, block: ir.Except, routine: Routine) -> None:
    for s in block.body:
        m.text.span = s.span
        if isinstance(s, ir.Let):
            emit_let(m, s)
            continue
        m.put(f"if {m.test(s.when)}:")
        with m.text.deeper():
            m.put(f"acc = {m.test(ir.value_of(s))}")
            _step(m, s, routine)
            _disputed(m, block, routine)
            for more in added_lines(routine.body):
                m.text.span = more.span
                if isinstance(more, ir.Let):
                    emit_let(m, more)
                else:
                    _one_step(m, more, routine)
            leave(m, "acc")
        _skip(m, s, routine)


def _disputed(m: RoutineEmitter, block: ir.Except, routine: Routine) -> None:
    """If an exception has set a value, any other exception that applies must give the same."""
    if not is_disputed(routine):
        return
    blocks = [s for s in routine.body if isinstance(s, ir.Except)]
    for other in blocks[blocks.index(block) + 1 :]:
        with contextlib.ExitStack() as apart:
            for s in other.body:
                m.text.span = s.span
                if isinstance(s, ir.Let):
                    emit_let(m, s)
                    continue
                m.put(f"if {m.test(s.when)}:")
                m.put(f"    agreed(acc, {m.test(ir.value_of(s))}, {m.word(block.rule)}, {m.word(other.rule)})")
                m.put("else:")
                apart.enter_context(m.text.deeper())
            m.put("pass")


def _one_step(m: RoutineEmitter, s: S, routine: Routine) -> None:
    text = step_text(s, "acc", m.emit, m.text.words)
    if s.when is None:
        m.put(text)
        _step(m, s, routine)
        return
    m.put(f"if {m.emit(s.when)}:")
    with m.text.deeper():
        m.put(text)
        _step(m, s, routine)
    if m.traced:
        m.put("else:")
        with m.text.deeper():
            _skip(m, s, routine)
