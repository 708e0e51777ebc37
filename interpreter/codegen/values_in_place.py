"""Emitting values in place: the lines of a value or status, written out inside the loop that uses it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from dsl import ir
from dsl.ir import E, Routine, S, added_lines, is_disputed
from dsl.text.source import Span
from interpreter.codegen.block_writing import Writer
from interpreter.codegen.blocks import TRUE, TooHard, Value, lines_of
from interpreter.codegen.inline import access, either, value
from interpreter.codegen.loop_numbers import CountedResult, WholeParts, amount, number_of
from interpreter.codegen.optimizing import optimized
from interpreter.codegen.python_names import py
from interpreter.codegen.steps_in_place import PlainResult, arms, called_whole, called_with, let, of_arguments
from interpreter.codegen.value_steps import flat

WITH_PARTS = frozenset({"times", "divided", "plus", "minus", "instead"})
"""Steps that can be taken in parts."""


@value.register
def _(e: ir.Call, w: Writer) -> Value:
    routine = w.owner.routine(e.name)
    values = [value(a, w) for a in e.arguments]
    if routine is None or called_whole(e, routine, w):
        given = ([access(e.frame, w)] if e.frame else []) + ["{}"] * len(values)
        return w.called(f"v_{py(e.name)}({', '.join(given)})", *values)
    values = [w.named(v) for v in values]
    key = called_with(e, values)
    found = w.find(key)
    if found is not None:
        return found
    with _within(routine, values, w):
        return _learnt(key, computed(routine, w), w)


@amount.register
def _(e: ir.Call, w: Writer) -> WholeParts:
    routine = w.owner.routine(e.name)
    if routine is None or called_whole(e, routine, w) or not is_countable(routine):
        return WholeParts(value(e, w), 1, sure=False)
    values = [w.named(value(a, w)) for a in e.arguments]
    key = called_with(e, values)
    found = w.find(key)
    if found is not None:
        return WholeParts(found, 1, sure=False)
    found = w.find("parts of " + key)
    if found is not None:
        return WholeParts(found, w.parts[f"{key}: {found.text}"])
    with _within(routine, values, w):
        made = in_parts(routine, w)
        found = _learnt("parts of " + key, made.value, w)
    w.parts[f"{key}: {found.text}"] = made.of
    return WholeParts(found, made.of, made.sure)


@contextlib.contextmanager
def _within(routine: Routine, values: list[Value], w: Writer) -> Iterator[None]:
    """Writes the lines of a value for these arguments meanwhile."""
    span = w.span
    w.stack.append(routine.name)
    with w.scope(of_arguments(routine, values)):
        yield
    w.stack.pop()
    w.span = span


def _learnt(key: str, made: Value, w: Writer) -> Value:
    """What has been computed, to be found again."""
    if made.depth >= w.block.depth and len(made.text) > 30:
        made = w.named(made)
    w.block.learn(key, made)
    return made


def whole(routine: Routine, w: Writer) -> list[tuple[str, Span | None]]:
    """The lines of a function that computes a value with everything that it uses. Raises TooHard."""
    with _within(routine, [Value("l_" + py(p.name), 0) for p in routine.params], w):
        if is_countable(routine) and any(_sums(ir.value_of(s)) for s in routine.body):
            made = in_parts(routine, w)
            return finished(Value(f"divide({made.value.text}, {made.of})", 0), w)
        if is_disputed(routine):  # it has few lines, and objections to one of them occur in plain functions
            raise TooHard
        return finished(computed(routine, w), w)


def _sums(part: object) -> bool:
    """Whether an expression itself contains a sum."""
    return any(x.which == "sum" for x in ir.find(part, ir.Aggregate))


def finished(made: Value, w: Writer) -> list[tuple[str, Span | None]]:
    """The lines written so far, and the result."""
    w.put(f"return {made.text}")
    for places in w.unused.values():
        ((_, run),) = places[-1][1].arms
        if len(run.items) > 1:  # something that depends only on the side is computed there
            continue
        for block, item in places:
            block.items[:] = [x for x in block.items if x is not item]
    out: list[tuple[str, Span | None]] = []
    lines_of(w.top, 0, out)
    return optimized(out)


# ---- statuses
def _status(routine: Routine, w: Writer) -> Value:
    """A status's lines, computed here."""
    lines = flat(routine.body)
    tests = [s.when for s in lines if isinstance(s, ir.Holds) and s.when is not None]
    lets = [s for s in lines if isinstance(s, ir.Let)]
    if len(tests) + len(lets) == len(lines) and not any(isinstance(s, ir.Let) for s in lines[1:]):
        for line in lets:
            let(line, w)
        return either(tuple(tests), w)
    result = w.fresh("a")
    start = w.block
    with contextlib.ExitStack() as deeper:
        for s in lines:
            w.span = s.span
            if isinstance(s, ir.Let):
                let(s, w)
                continue
            if s.when is None:
                _answer(s, result, w)
                break
            arms(deeper, value(s.when, w), partial(_answer, s, result, w), w)
        else:
            w.put(f"{result} = False")
    w.homes[result] = start
    return Value(result, start.depth)


def _answer(s: S, result: str, w: Writer) -> None:
    """Sets a status's result from one of its lines."""
    answer = ir.value_of(s)
    w.put(f"{result} = {'True' if answer is None else value(answer, w).text}")


# ---- values
def computed(routine: Routine, w: Writer) -> Value:
    """The lines of a value or status, computed here."""
    if routine.word == "status":
        return _status(routine, w)
    only = _only(routine, w)
    return value(only, w) if only is not None else _pipeline(routine, PlainResult(w, w.fresh("a")))


def in_parts(routine: Routine, w: Writer) -> WholeParts:
    """A value's lines, computed here in parts."""
    only = _only(routine, w)
    if only is not None:
        return amount(only, w)
    result = CountedResult(w, w.fresh("a"))
    made = _pipeline(routine, result)
    return WholeParts(made, result.closed())


def _only(routine: Routine, w: Writer) -> E | None:
    """The expression that is all of a value."""
    match routine.body:
        case [ir.Start() | ir.Case() as s] if s.when is None:
            w.span = s.span
            return s.value
    return None


def is_countable(routine: Routine) -> bool:
    """Whether all steps of a value can be done in parts."""

    def fits(s: S) -> bool:
        if isinstance(s, ir.Let):
            return True
        if isinstance(s, ir.Except):
            whole = all(isinstance(x, ir.Let) or type(number_of(ir.value_of(x))) is int for x in s.body)
            return whole and not added_lines(routine.body)
        by = ir.value_of(s)
        if by is None or by.type.name != "number" or by.type.optional or ir.scale_of(s):
            return False
        if isinstance(s, ir.Adjust):
            known = number_of(by)
            return s.how in WITH_PARTS and (s.how != "divided" or (known is not None and known > 0))
        return isinstance(s, ir.Start | ir.Case | ir.Add)

    return (
        routine.word == "value"
        and not is_disputed(routine)
        and routine.type.name == "number"
        and not routine.type.optional
        and all(fits(s) for s in routine.body)
    )


def _pipeline(routine: Routine, result: PlainResult | CountedResult) -> Value:
    """A value's lines, computed here."""
    w, body, name = result.w, routine.body, result.name
    start = w.block
    started = opened = False
    empty = "[]" if routine.type.name == "set" else "None"
    products = _products(routine)
    constant: int | Fraction | None = None
    with contextlib.ExitStack() as excepted, contextlib.ExitStack() as cases:
        for number, s in enumerate(body):
            w.span = s.span
            stands = started and not opened
            if stands and number == products and not constant:
                cases.enter_context(w.branch(name))
            if isinstance(s, ir.Except):
                _exceptions(excepted, s, result, body, opened=opened)
            elif isinstance(s, ir.Let):
                let(s, w)
            elif isinstance(s, ir.Start | ir.Case) and not stands:
                if s.when is None:
                    result.assign(s.value)
                    constant = number_of(s.value) if not opened else None
                    cases.close()
                    started, opened = True, False
                    continue
                arms(cases, value(s.when, w), partial(result.assign, s.value), w)
                opened = True
            else:
                if opened:
                    w.put(f"{name} = {_nothing(routine)}")
                    cases.close()
                elif not started:
                    w.put(f"{name} = {'[]' if routine.type.name == 'set' else '0'}")
                opened, started = False, True
                result.step(s, _product(constant, s))
                constant = None
        if opened:
            w.put(f"{name} = {empty}")
    w.homes[name] = start
    return Value(name, start.depth)


def _products(routine: Routine) -> int:
    """Where the steps begin that only multiply: 0 stays 0 there, and needs no further steps."""
    number = len(routine.body)
    while number and ir.how_of(routine.body[number - 1]) == "times" and routine.type.name == "number":
        number -= 1
    return number


def _product(constant: int | Fraction | None, s: S) -> int | Fraction | None:
    """A literal number after a step that multiplies it by another one."""
    factor = number_of(ir.value_of(s)) if ir.how_of(s) == "times" and not ir.scale_of(s) else None
    return None if factor is None or constant is None else constant * factor


def _nothing(routine: Routine) -> str:
    """A value when none of its cases applies, as the starting point of its changes."""
    if routine.type.name == "number" and not routine.type.optional:
        return "0"
    return "[]" if routine.type.name == "set" else "None"


def _exceptions(
    deeper: contextlib.ExitStack, s: ir.Except, result: PlainResult | CountedResult, body: ir.Body, *, opened: bool
) -> None:
    """Lines that apply instead of all others. opened: whether cases before them still need their `else`."""
    w = result.w
    for line in s.body:
        w.span = line.span
        if isinstance(line, ir.Let):
            let(line, w)
            continue
        test = value(line.when, w) if line.when is not None else TRUE
        if opened:
            raise TooHard
        arms(deeper, test, partial(_excepted, result, ir.value_of(line), added_lines(body)), w)


def _excepted(result: PlainResult | CountedResult, e: E | None, added: tuple[S, ...]) -> None:
    """Sets a result to the value of an exception, including additions by rules."""
    w = result.w
    result.conclude(e)
    with w.scope(w.names):
        for s in added:
            w.span = s.span
            if isinstance(s, ir.Let):
                let(s, w)
            else:
                result.step(s, None)
