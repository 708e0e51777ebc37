"""Emitting values in place: the lines of a value or status, written out inside the loop that uses it."""

# ruff: noqa: ARG002 (every operation of the rules is a method that is called in the same way)

from __future__ import annotations

import contextlib
from collections.abc import Callable
from fractions import Fraction
from functools import partial

from dsl import ir
from dsl.ir import E, Routine, S, added_lines, is_disputed
from dsl.text.source import Span
from interpreter.codegen.blocks import (
    FALSE,
    TRUE,
    CodeBlock,
    Deferred,
    Fork,
    TooHard,
    Value,
    lines_of,
)
from interpreter.codegen.expressions import SUMS, is_whole
from interpreter.codegen.inline import InlineEmitter
from interpreter.codegen.optimizing import optimized
from interpreter.codegen.python_names import py
from interpreter.codegen.shapes import are_apart, is_bare, is_named_once

MOST_LINES = 900
"""A loop with more lines than this calls further values instead of computing them in place."""

SIGNS = {"plus": "+", "minus": "-"}
"""The steps that add and subtract."""

MOST_NESTED = 14
"""The maximum nesting of values computed in place."""


class ValueEmitter(InlineEmitter):
    """Writes the lines of values into blocks."""

    def of_call(self, e: ir.Call) -> Value:
        """A value for these arguments."""
        routine = self.owner.routine(e.name)
        values = [self.value(a) for a in e.arguments]
        given = ", ".join(([self.access(e.frame)] if e.frame else []) + ["{}"] * len(values))
        if routine is None or self.called_whole(e, routine):
            return self.called(f"v_{py(e.name)}({given})", *values)
        values = [self.named(v) for v in values]
        key = f"v_{py(e.name)}({', '.join(v.text for v in values)})"
        found = self.find(key)
        if found is not None:
            return found
        held, span = self.names, self.span
        self.names = {p.name: v for p, v in zip(routine.params, values, strict=True)}
        self.stack.append(e.name)
        made = self.status(routine) if routine.word == "status" else self.pipeline(routine)
        self.stack.pop()
        if made.depth >= self.block.depth and len(made.text) > 30:
            made = self.named(made)
        self.block.learn(key, made)
        self.names, self.span = held, span
        return made

    def called_whole(self, e: ir.Call, routine: Routine) -> bool:
        """Whether a value is called as a function rather than computed in place."""
        return (
            e.frame not in {None, "F"}
            or routine.name in self.stack
            or len(self.stack) >= MOST_NESTED
            or self.written > MOST_LINES
            or self.owner.is_long(routine)
            or is_disputed(routine)
            or self.depth_of(e.arguments) < self.block.depth
        )

    def whole(self, routine: Routine) -> list[tuple[str, Span | None]]:
        """The lines of a function that computes a value with everything that it uses. Raises TooHard."""
        if is_disputed(routine):  # it has few lines, and objections to one of them occur in plain functions
            raise TooHard
        self.names = {p.name: Value("l_" + py(p.name), 0) for p in routine.params}
        self.stack.append(routine.name)
        return self.finished(self.status(routine) if routine.word == "status" else self.pipeline(routine))

    def finished(self, made: Value) -> list[tuple[str, Span | None]]:
        """The lines written so far, and the result."""
        self.put(f"return {made.text}")
        for places in self.unused.values():
            ((_, run),) = places[-1][1].arms
            if len(run.items) > 1:  # something that depends only on the side is computed there
                continue
            for block, item in places:
                block.items[:] = [x for x in block.items if x is not item]
        out: list[tuple[str, Span | None]] = []
        lines_of(self.top, 0, out)
        return optimized(out)

    def status(self, routine: Routine) -> Value:
        """A status's lines, computed here."""
        lines = self.owner.flat(routine.body)
        tests = [s for s in lines if not isinstance(s, ir.Let)]
        if (
            all(isinstance(s, ir.Holds) for s in tests)
            and not any(isinstance(s, ir.Let) for s in lines[1:])
            and all(s.when is not None for s in tests)
        ):
            for s in lines:
                if isinstance(s, ir.Let):
                    self.let(s)
            return self.either(tuple(s.when for s in tests if s.when is not None), "or", TRUE, FALSE)
        result = self.fresh("a")
        start = self.block
        with contextlib.ExitStack() as deeper:
            for s in lines:
                self.span = s.span
                if isinstance(s, ir.Let):
                    self.let(s)
                    continue
                if s.when is None:
                    self.answer(s, result)
                    break
                self.arms(
                    deeper,
                    self.value(s.when),
                    partial(self.answer, s, result),
                )
            else:
                self.put(f"{result} = False")
        self.homes[result] = start
        return Value(result, start.depth)

    def answer(self, s: S, result: str) -> None:
        """Sets a status's result from one of its lines."""
        value = ir.value_of(s)
        self.put(f"{result} = {'True' if value is None else self.value(value).text}")

    def arms(self, deeper: contextlib.ExitStack, test: Value, then: Callable[[], None]) -> None:
        """`if test: then`, and what is written next goes into its `else`."""
        parent = self.block
        if test in {TRUE, FALSE}:
            if test == TRUE:
                then()
                deeper.enter_context(self.nowhere())
            return
        yes, no = CodeBlock(parent, parent.depth), CodeBlock(parent, parent.depth)
        fork = Fork(
            (self.named(test).text if test.depth < parent.depth else test.text, yes),
            (None, no),
            span=self.span,
        )
        parent.items.append(fork)
        with self.inside(parent, fork, yes):
            then()
        deeper.enter_context(self.inside(parent, fork, no))

    def let(self, s: ir.Let) -> None:
        """Sets a name to its value: computed where it is used, if nothing else depends on it."""
        if s.when is None and s.value.type.name != "set":
            self.names = {**self.names, s.name: Deferred("", self.depth_of(s.value), s.value, self.names)}
            return
        value = self.value(s.value)
        if s.when is not None:
            empty = "[]" if s.value.type.name == "set" else "None"
            test = self.value(s.when)
            value = Value(f"({value.text} if {test.text} else {empty})", max(value.depth, test.depth, self.block.depth))
        self.names = {**self.names, s.name: self.named(value)}

    def pipeline(self, routine: Routine) -> Value:
        """A value's lines, computed here."""
        body = routine.body
        if len(body) == 1 and isinstance(body[0], ir.Start | ir.Case) and body[0].when is None:
            self.span = body[0].span
            return self.value(body[0].value)
        result = self.fresh("a")
        self.begun(result)
        start = self.block
        started = opened = False
        empty = "[]" if routine.type.name == "set" else "None"
        products = self._products(routine)
        constant: int | Fraction | None = None
        with contextlib.ExitStack() as excepted, contextlib.ExitStack() as cases:
            for number, s in enumerate(body):
                self.span = s.span
                stands = started and not opened
                if stands and number == products and not constant:
                    parent, arm = self.block, CodeBlock(self.block, self.block.depth)
                    fork = Fork((result, arm), span=self.span)
                    parent.items.append(fork)
                    cases.enter_context(self.inside(parent, fork, arm))
                if isinstance(s, ir.Except):
                    self._exceptions(excepted, s, result, body, opened=opened)
                elif isinstance(s, ir.Let):
                    self.let(s)
                elif isinstance(s, ir.Start | ir.Case) and not stands:
                    if s.when is None:
                        self.assign(result, s.value)
                        constant = number_of(s.value) if not opened else None
                        cases.close()
                        started, opened = True, False
                        continue
                    self.arms(cases, self.value(s.when), partial(self.assign, result, s.value))
                    opened = True
                else:
                    if opened:
                        self.put(f"{result} = {_nothing(routine)}")
                        cases.close()
                    elif not started:
                        self.put(f"{result} = {'[]' if routine.type.name == 'set' else '0'}")
                    opened, started = False, True
                    self._step_from(s, result, constant)
                    constant = None
            if opened:
                self.put(f"{result} = {empty}")
        self.homes[result] = start
        return Value(result, start.depth)

    def _exceptions(
        self, excepted: contextlib.ExitStack, s: ir.Except, result: str, body: ir.Body, *, opened: bool
    ) -> None:
        """Lines that apply instead of all others. opened: whether cases before them still need their `else`."""
        for line in s.body:
            self.span = line.span
            if isinstance(line, ir.Let):
                self.let(line)
                continue
            text = ir.value_of(line)
            test = self.value(line.when) if line.when is not None else TRUE
            if opened:
                raise TooHard
            self.arms(excepted, test, partial(self.excepted, result, text, added_lines(body)))

    def _step_from(self, s: S, result: str, constant: int | Fraction | None) -> None:
        """A line that changes a result. constant: the previous result, if known."""
        factor = number_of(ir.value_of(s)) if ir.how_of(s) == "times" and not ir.scale_of(s) else None
        self.step(s, result, None if factor is None or constant is None else constant * factor)

    @staticmethod
    def _products(routine: Routine) -> int:
        """Where the steps begin that only multiply: 0 stays 0 there, and needs no further steps."""
        number = len(routine.body)
        while number and ir.how_of(routine.body[number - 1]) == "times" and routine.type.name == "number":
            number -= 1
        return number

    def begun(self, result: str) -> None:
        """Begins the lines of a value that set this result."""

    def assign(self, result: str, e: E | None, *, last: bool = False) -> None:
        """Sets a result. last: whether it is that of an exception, after which nothing more changes it."""
        value = self.value(e) if e is not None else TRUE
        self.put(f"{result} = {(self.named(value) if value.depth < self.block.depth else value).text}")

    def excepted(self, result: str, e: E | None, added: tuple[S, ...]) -> None:
        """Sets a result to the value of an exception, including additions by rules."""
        self.assign(result, e, last=True)
        names = self.names
        for s in added:
            self.span = s.span
            if isinstance(s, ir.Let):
                self.let(s)
            else:
                self.step(s, result, None)
        self.names = names

    def step(self, s: S, result: str, known: int | Fraction | None) -> None:
        """One step. known: its value, if that is a literal in the rule text."""

        def text() -> str:
            return self.step_text(s, result) if known is None else f"{result} = {self.owner.exact(known)}"

        if s.when is None:
            self.put(text())
            return
        if isinstance(s.when, ir.And):
            self.where(s.when, lambda: self.put(text()))
            return
        parent = self.block
        last = parent.items[-1] if parent.items else None
        test = self.value(s.when)
        if test == FALSE:
            return
        if (
            isinstance(last, Fork)
            and last is parent.items[-1] is self.stepped
            and are_apart([t for t, _ in last.arms], test.text, result)
        ):
            arm = CodeBlock(parent, parent.depth)
            last.arms.append((test.text, arm))
            with self.inside(parent, last, arm):
                self.put(text())
            return
        arm = CodeBlock(parent, parent.depth)
        fork = Fork(((self.named(test) if test.depth < parent.depth else test).text, arm), span=self.span)
        parent.items.append(fork)
        self.stepped = fork
        with self.inside(parent, fork, arm):
            self.put(text())

    def one_test(self, e: E) -> tuple[E, dict[str, Value | Deferred]] | None:
        """The single condition equivalent to a status, with its names."""
        if not isinstance(e, ir.Call):
            return None
        name, access, args = e.name, e.frame, e.arguments
        routine = self.owner.routine(name)
        if routine is None or routine.word != "status" or len(routine.body) != 1 or access not in {None, "F"}:
            return None
        line = routine.body[0]
        if (
            not isinstance(line, ir.Holds)
            or line.when is None
            or not isinstance(line.when, ir.And)
            or self.called_whole(e, routine)
        ):
            return None
        values = [self.named(self.value(a)) for a in args]
        if self.find(f"v_{py(name)}({', '.join(v.text for v in values)})") is not None:
            return None
        return line.when, {p.name: v for p, v in zip(routine.params, values, strict=True)}

    def where(self, test: E, then: Callable[[], None]) -> None:
        """Writes something only where a test is true: a test of several parts becomes nested `if`s."""
        if isinstance(test, ir.And):
            rest = ir.without_first(test)
            self.where(test.items[0], lambda: self.where(rest, then))
            return
        one = self.one_test(test)
        if one is not None:
            outer, (when, self.names) = self.names, one

            def back() -> None:
                held, self.names = self.names, outer
                then()
                self.names = held

            self.where(when, back)
            self.names = outer
            return
        fact = self.value(test)
        if fact == TRUE:
            then()
        elif fact != FALSE:
            parent = self.block
            head = (self.named(fact) if fact.depth < parent.depth else fact).text
            last = parent.items[-1] if parent.items else None
            if isinstance(last, Fork) and [t for t, _ in last.arms] == [head] and is_named_once(head):
                fork, arm = last, last.arms[0][1]
            else:
                arm = CodeBlock(parent, parent.depth)
                fork = Fork((head, arm), span=self.span)
                parent.items.append(fork)
            with self.inside(parent, fork, arm):
                then()

    def step_text(self, s: S, result: str) -> str:
        """One step as Python text."""
        value, how = ir.value_of(s), ir.how_of(s)
        if how == "times" and value is not None and not isinstance(value, ir.Constant) and not ir.scale_of(s):
            factor = self.value(value)
            name = (self.named(factor) if factor.depth < self.block.depth or not is_bare(factor.text) else factor).text
            return f"{result} = {result} * {name} if type({result}) is type({name}) is int else times({result}, {name})"
        if value is not None and value.type.name == "set" and (isinstance(s, ir.Add) or how == "put-in"):
            more = self.named(self.value(value)).text
            return f"if {more}: {result} = union({result}, {more})"
        sign = "+" if isinstance(s, ir.Add) else "" if ir.scale_of(s) else SIGNS.get(how, "")
        if sign and value is not None and not is_whole(value):
            more = self.named(self.value(value)).text
            whole = f"type({result}) is type({more}) is int"
            return f"{result} = {result} {sign} {more} if {whole} else {SUMS[sign]}({result}, {more})"
        held, self.wanted = self.wanted, self.block.depth
        text = self.owner.step_text(s, result, self.emit)
        self.wanted = held
        return text


def number_of(e: object) -> int | Fraction | None:
    """A literal number in the rule text."""
    value = e.value if isinstance(e, E) and isinstance(e, ir.Constant) else None
    return value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None


def _nothing(routine: Routine) -> str:
    """A value when none of its cases applies, as the starting point of its changes."""
    if routine.type.name == "number" and not routine.type.optional:
        return "0"
    return "[]" if routine.type.name == "set" else "None"
