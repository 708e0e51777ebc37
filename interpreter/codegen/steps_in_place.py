"""Emitting steps in place: the tests of a value's lines, and how its result is set and changed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from fractions import Fraction

from attrs import define

from dsl import ir
from dsl.ir import E, Routine, S, is_disputed
from interpreter.codegen.block_writing import Writer
from interpreter.codegen.blocks import FALSE, TRUE, Deferred, Fork, Names, Value
from interpreter.codegen.expressions import SUMS, is_whole
from interpreter.codegen.inline import in_place, value
from interpreter.codegen.python_names import py
from interpreter.codegen.shapes import are_apart, is_bare, is_named_once
from interpreter.codegen.value_steps import step_text

MOST_LINES = 900
"""A loop with more lines than this calls further values instead of computing them in place."""

MOST_NESTED = 14
"""The maximum nesting of values computed in place."""

SIGNS = {"plus": "+", "minus": "-"}
"""The steps that add and subtract."""


@define(slots=True)
class PlainResult:
    """The result of a value while its lines are written."""

    w: Writer
    name: str

    def assign(self, e: E | None) -> None:
        """Sets it."""
        self.w.put(f"{self.name} = {self.w.near(value(e, self.w) if e is not None else TRUE)}")

    conclude = assign
    """Sets it to the value of an exception, after which only additions change it."""

    def step(self, s: S, known: int | Fraction | None) -> None:
        """One step. known: its value, if that is a literal in the rule text."""
        w = self.w

        def write() -> None:
            w.put(self._changed(s) if known is None else f"{self.name} = {w.owner.exact(known)}")

        if s.when is None:
            write()
            return
        if isinstance(s.when, ir.And):
            where(s.when, write, w)
            return
        items = w.block.items
        last = items[-1] if items else None
        test = value(s.when, w)
        if test == FALSE:
            return
        if (
            isinstance(last, Fork)
            and last is items[-1] is w.stepped
            and are_apart([t for t, _ in last.arms], test.text, self.name)
        ):
            arm = w.inner()
            last.arms.append((test.text, arm))
            with w.inside(last, arm):
                write()
            return
        with w.branch(w.near(test)) as w.stepped:
            write()

    def _changed(self, s: S) -> str:
        """One step as Python text."""
        w, name, by, how = self.w, self.name, ir.value_of(s), ir.how_of(s)
        if how == "times" and by is not None and not isinstance(by, ir.Constant) and not ir.scale_of(s):
            made = value(by, w)
            factor = (w.named(made) if made.depth < w.block.depth or not is_bare(made.text) else made).text
            return f"{name} = {name} * {factor} if type({name}) is type({factor}) is int else times({name}, {factor})"
        if by is not None and by.type.name == "set" and (isinstance(s, ir.Add) or how == "put-in"):
            more = w.named(value(by, w)).text
            return f"if {more}: {name} = union({name}, {more})"
        sign = "+" if isinstance(s, ir.Add) else "" if ir.scale_of(s) else SIGNS.get(how, "")
        if sign and by is not None and not is_whole(by):
            more = w.named(value(by, w)).text
            whole = f"type({name}) is type({more}) is int"
            return f"{name} = {name} {sign} {more} if {whole} else {SUMS[sign]}({name}, {more})"
        return step_text(s, name, in_place(w, w.block.depth).emit, w.words)


def let(s: ir.Let, w: Writer) -> None:
    """Sets a name to its value: computed where it is used, if nothing else depends on it."""
    if s.when is None and s.value.type.name != "set":
        w.names = {**w.names, s.name: Deferred("", w.depth_of(s.value), s.value, w.names)}
        return
    made = value(s.value, w)
    if s.when is not None:
        empty = "[]" if s.value.type.name == "set" else "None"
        test = value(s.when, w)
        made = Value(f"({made.text} if {test.text} else {empty})", max(made.depth, test.depth, w.block.depth))
    w.names = {**w.names, s.name: w.named(made)}


def arms(deeper: contextlib.ExitStack, test: Value, then: Callable[[], None], w: Writer) -> None:
    """`if test: then`, and what is written next goes into its `else`."""
    if test == TRUE:
        then()
        deeper.enter_context(w.nowhere())
    elif test != FALSE:
        with w.branch(w.near(test), otherwise=True) as fork:
            then()
        deeper.enter_context(w.inside(fork, fork.arms[1][1]))


def where(test: E, then: Callable[[], None], w: Writer) -> None:
    """Writes something only where a test is true: a test of several parts becomes nested `if`s."""
    if isinstance(test, ir.And):
        rest = ir.without_first(test)
        where(test.items[0], lambda: where(rest, then, w), w)
        return
    one = _one_test(test, w)
    if one is not None:
        outer, (when, inner) = w.names, one

        def back() -> None:
            with w.scope(outer):
                then()

        with w.scope(inner):
            where(when, back, w)
        return
    fact = value(test, w)
    if fact == TRUE:
        then()
    elif fact != FALSE:
        head = w.near(fact)
        last = w.block.items[-1] if w.block.items else None
        if isinstance(last, Fork) and [t for t, _ in last.arms] == [head] and is_named_once(head):
            with w.inside(last, last.arms[0][1]):
                then()
        else:
            with w.branch(head):
                then()


def _one_test(e: E, w: Writer) -> tuple[E, Names] | None:
    """The single condition equivalent to a status, with its names."""
    if not isinstance(e, ir.Call) or e.frame not in {None, "F"}:
        return None
    routine = w.owner.routine(e.name)
    if routine is None or routine.word != "status" or len(routine.body) != 1:
        return None
    line = routine.body[0]
    if not isinstance(line, ir.Holds) or not isinstance(line.when, ir.And) or called_whole(e, routine, w):
        return None
    values = [w.named(value(a, w)) for a in e.arguments]
    if w.find(called_with(e, values)) is not None:
        return None
    return line.when, of_arguments(routine, values)


def called_with(e: ir.Call, values: list[Value]) -> str:
    """The text by which the value for these arguments is found again."""
    return f"v_{py(e.name)}({', '.join(v.text for v in values)})"


def of_arguments(routine: Routine, values: list[Value]) -> Names:
    """The names in scope in the lines of a value for these arguments."""
    return {p.name: v for p, v in zip(routine.params, values, strict=True)}


def called_whole(e: ir.Call, routine: Routine, w: Writer) -> bool:
    """Whether a value is called as a function rather than computed in place."""
    return (
        e.frame not in {None, "F"}
        or routine.name in w.stack
        or len(w.stack) >= MOST_NESTED
        or w.written > MOST_LINES
        or w.owner.is_long(routine)
        or is_disputed(routine)
        or w.depth_of(e.arguments) < w.block.depth
    )
