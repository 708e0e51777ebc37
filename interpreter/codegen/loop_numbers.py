"""Numbers in loops: fractions as integer counts of parts.

`halved when …`, `times 3/4`, a table with quarters in it: within a loop every such number is counted in halves, quarters
or whatever parts the rule text requires. This is known when the loop is written. So the loop multiplies and adds
integers, and only its result is divided, once. If a number of the game is itself a fraction, the result is just as exact, only
slower: Python's own operators continue with fractions.
"""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction
from functools import singledispatch
from math import lcm
from typing import Any, NamedTuple

from attrs import define, field

from dsl import ir
from dsl.ir import E, S
from dsl.text.source import Span
from interpreter.codegen.block_writing import Writer
from interpreter.codegen.blocks import FALSE, TRUE, CodeBlock, Fork, Value
from interpreter.codegen.inline import is_nested, nest, value
from interpreter.codegen.shapes import are_apart
from interpreter.codegen.steps_in_place import where


class WholeParts(NamedTuple):
    """A number as parts: value divided by `of`. sure: whether it is hardly ever a fraction itself."""

    value: Value
    of: int = 1
    sure: bool = True


# ---- expressions
@singledispatch
def amount(e: E, w: Writer) -> WholeParts:
    """A number, in the most suitable parts."""
    return WholeParts(value(e, w), 1, sure=False)


@amount.register(ir.Field)
@amount.register(ir.Otherwise)
def _(e: ir.Field | ir.Otherwise, w: Writer) -> WholeParts:
    return WholeParts(value(e, w))  # what is printed or counted is nearly always whole


@amount.register
def _(e: ir.Constant, w: Writer) -> WholeParts:
    known = number_of(e)
    if known is None:
        return WholeParts(value(e, w), 1, sure=False)
    return WholeParts(Value(repr(known.numerator), 0), known.denominator)


@amount.register
def _(e: ir.Column, w: Writer) -> WholeParts:
    below = _below(e.row, e.index, w) if isinstance(e.row, ir.LookUp) else 0
    if isinstance(e.row, ir.LookUp) and below:
        return WholeParts(nest(e.row, e.index, w, below), below)
    return WholeParts(value(e, w), 1, sure=False)


def _below(e: ir.LookUp, column: int, w: Writer) -> int:
    """The parts in which a column of a table is whole, or 0 where it has other things than numbers."""
    if not is_nested(e, w):
        return 0
    cells = [row.cells[column] for row in w.owner.tables[e.table].rows]
    if any(isinstance(c, bool) or not isinstance(c, int | Fraction) for c in cells):
        return 0
    return lcm(*(c.denominator for c in cells))


@amount.register
def _(e: ir.Arithmetic, w: Writer) -> WholeParts:
    if e.type.name == "number" and e.sign in {"+", "-"}:
        left, right = amount(e.left, w), amount(e.right, w)
        of = lcm(left.of, right.of)
        made = w.joined("({} " + e.sign + " {})", _raised(left, of), _raised(right, of))
        return WholeParts(made, of, left.sure and right.sure)
    by = number_of(e.right)
    if e.type.name == "number" and by is not None and by > 0 and e.sign in {"*", "/"}:
        by = by if e.sign == "*" else 1 / Fraction(by)
        first = amount(e.left, w)
        return WholeParts(_multiplied(first.value, by.numerator), first.of * by.denominator, first.sure)
    return WholeParts(value(e, w), 1, sure=False)


def _raised(number: WholeParts, of: int) -> Value:
    """A number in smaller parts."""
    return _multiplied(number.value, of // number.of)


def _multiplied(made: Value, by: int) -> Value:
    """A text that multiplies by a number of the rule text."""
    if by == 1:
        return made
    if made.text.isdecimal():
        return Value(repr(int(made.text) * by), 0)
    return Value(f"({made.text} * {by})", made.depth)


def number_of(e: object) -> int | Fraction | None:
    """A literal number in the rule text."""
    known = e.value if isinstance(e, ir.Constant) else None
    return known if isinstance(known, int | Fraction) and not isinstance(known, bool) else None


# ---- lines
@define(slots=True)
class Choices:
    """Steps of which at most one is taken: each multiplies by above/below. of: the parts before any of them."""

    fork: Fork
    of: int
    arms: list[tuple[CodeBlock, Fraction, Span | None]]
    other: CodeBlock


@define(slots=True)
class CountedResult:
    """A result that is counted in parts while its lines are written.

    of: the parts it is counted in. open: the lines that set its first value, each with its text and parts, as long
    as nothing has been done to it. last: the lines of exceptions, with their numbers. choices: its last steps that
    multiply, if only one of them can be taken.
    """

    w: Writer
    name: str
    of: int = 1
    open: list[tuple[CodeBlock, Any, str, int]] = field(factory=list)
    last: list[tuple[CodeBlock, Any, int]] = field(factory=list)
    choices: Choices | None = None

    def assign(self, e: E) -> None:
        """Sets it."""
        made = amount(e, self.w)
        text = self.w.near(made.value)
        self.open.append((*self._set(text), text, made.of))

    def conclude(self, e: E | None) -> None:
        """Sets it to the value of an exception, after which nothing more changes it."""
        known = number_of(e)
        assert isinstance(known, int), e
        self.last.append((*self._set(repr(known)), known))

    def _set(self, text: str) -> tuple[CodeBlock, Any]:
        """Writes a line that sets it."""
        self.w.put(f"{self.name} = {text}")
        return self.w.block, self.w.block.items[-1]

    def closed(self) -> int:
        """The parts it is counted in after its last line."""
        self._settle()
        for block, line, known in self.last:
            _rewrite(block, line, f"{self.name} = {known * self.of}")
        return self.of

    def _settle(self, of: int = 1) -> None:
        """Counts all its first values in the same parts, and at least in parts of `of`."""
        if not self.open:
            return
        self.of = lcm(of, *(x[3] for x in self.open))
        for number, (block, line, text, own) in enumerate(self.open):
            by = self.of // own
            more = str(int(text) * by) if text.isdecimal() else text if by == 1 else f"({text}) * {by}"
            self.open[number] = (block, _rewrite(block, line, f"{self.name} = {more}"), text, own)

    def step(self, s: S, known: int | Fraction | None) -> None:
        """One step. known: its value, if that is a literal in the rule text."""
        w = self.w
        self._settle()
        factor = number_of(ir.value_of(s)) if ir.how_of(s) in {"times", "divided"} else None
        if factor is not None and ir.how_of(s) == "divided":
            factor = 1 / Fraction(factor)
        if type(factor) is int and known is None and isinstance(s.when, ir.And):
            lines = self._times(factor, w.span)
            self.open.clear()
            where(s.when, lambda: w.block.items.extend(lines), w)
            return
        test = TRUE if s.when is None else value(s.when, w)
        if known is not None and test != FALSE:
            self._settle(known.denominator)
            self.open.clear()
            with w.branch(w.near(test), otherwise=True) if test != TRUE else nullcontext():
                w.put(f"{self.name} = {int(known * self.of)}")
            return
        self.open.clear()
        if test == TRUE:
            self.of = self._stepped(s)
        elif test != FALSE and factor is not None:
            self._choose(test, Fraction(factor))
        elif test != FALSE:
            before = self.of
            with w.branch(w.near(test), otherwise=True) as fork:
                self.of = self._stepped(s, least=before)
            by = self.of // before
            if by > 1:
                fork.arms[1][1].items.append((f"{self.name} *= {by}", w.span))
            elif not fork.arms[0][1].items:
                w.block.items.pop()

    def _choose(self, test: Value, factor: Fraction) -> None:
        """A step that multiplies by a number of the rule text, possibly one of several of which only one can be taken."""
        w, choices, arm = self.w, self.choices, self.w.inner()
        if (
            choices is not None
            and choices.fork is (w.block.items[-1] if w.block.items else None)
            and are_apart([t for t, _ in choices.fork.arms[:-1]], test.text, self.name)
        ):
            choices.fork.arms.insert(-1, (test.text, arm))
        else:
            other = w.inner()
            fork = Fork((w.near(test), arm), (None, other), span=w.span)
            w.block.items.append(fork)
            choices = self.choices = Choices(fork, self.of, [], other)
        choices.arms.append((arm, factor, w.span))
        below = lcm(*(f.denominator for _, f, _ in choices.arms))
        self.of = choices.of * below
        for block, by, span in choices.arms:
            block.items[:] = self._times(int(by * below), span)
        choices.other.items[:] = self._times(below, w.span)

    def _stepped(self, s: S, least: int = 1) -> int:
        """Writes a step and returns the parts that it is counted in after it, a multiple of `least`."""
        w, name, of, how, by = self.w, self.name, self.of, ir.how_of(s) or "plus", ir.value_of(s)
        assert by is not None, s
        factor = number_of(by)
        if how in {"times", "divided"} and factor is not None:
            factor = Fraction(factor) if how == "times" else 1 / Fraction(factor)
            for line in self._times(factor.numerator, w.span):
                w.put(line[0])
            return of * factor.denominator
        made = amount(by, w)
        if how == "times":
            if made.value.text == "1":
                return of * made.of
            if made.sure:
                w.put(f"{name} *= {w.near(made.value)}")
            else:
                more = w.named(made.value).text
                w.put(f"{name} = {name} * {more} if type({name}) is type({more}) is int else times({name}, {more})")
            return of * made.of
        together = lcm(made.of, least) if how == "instead" else lcm(of, made.of)
        text = w.near(_raised(made, together))
        sign = "-" if how == "minus" else "+"
        if how == "instead":
            w.put(f"{name} = {text}")
        elif together == of:
            w.put(f"{name} {sign}= {text}")
        else:
            w.put(f"{name} = {name} * {together // of} {sign} {text}")
        return together

    def _times(self, by: int, span: Span | None) -> list[Any]:
        """The lines that multiply it by a whole number."""
        return [] if by == 1 else [(f"{self.name} *= {by}" if by else f"{self.name} = 0", span)]


def _rewrite(block: CodeBlock, line: Any, text: str) -> Any:
    """Replaces the text of a line."""
    new = (text, line[1])
    block.items[next(i for i, x in enumerate(block.items) if x is line)] = new
    return new
