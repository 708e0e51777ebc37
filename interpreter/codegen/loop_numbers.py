"""Numbers in loops: fractions as integer counts of parts.

`halved when …`, `times 3/4`, a table with quarters in it: within a loop every such number is counted in halves, quarters
or whatever parts the rule text requires. This is known when the loop is written. So the loop multiplies and adds
integers, and only its result is divided, once. If a number of the game is itself a fraction, the result is just as exact, only
slower: Python's own operators continue with fractions.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any, NamedTuple

from attrs import define, field

from dsl import ir
from dsl.ir import E, Routine, S, added_lines, is_disputed
from dsl.text.source import Span
from interpreter.codegen.blocks import FALSE, TRUE, CodeBlock, Fork, Value
from interpreter.codegen.python_names import py
from interpreter.codegen.shapes import are_apart
from interpreter.codegen.values_in_place import ValueEmitter, number_of

WITH_PARTS = frozenset({"times", "divided", "plus", "minus", "instead"})
"""Steps that can be taken in parts."""

PLAIN = (ir.Field, ir.Otherwise)
"""Operations that nearly always give whole numbers: they read what is printed or counted."""


class WholeParts(NamedTuple):
    """A number as parts: value divided by `of`. sure: whether it is hardly ever a fraction itself."""

    value: Value
    of: int = 1
    sure: bool = True


@define(slots=True)
class Counting:
    """A result that is counted in parts while its lines are written.

    of: the parts it is counted in. open: the lines that set its first value, each with its text and parts, as long
    as nothing has been done to it. last: the lines of exceptions, with their numbers.
    """

    of: int = 1
    open: list[tuple[CodeBlock, Any, str, int]] = field(factory=list)
    last: list[tuple[CodeBlock, Any, int]] = field(factory=list)


@define(slots=True)
class Choices:
    """Steps of which at most one is taken: each multiplies by above/below. of: the parts before any of them."""

    result: str
    of: int
    arms: list[tuple[CodeBlock, Fraction, Span | None]]
    other: CodeBlock


class NumberEmitter(ValueEmitter):
    """Writes numbers in parts."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.counted: dict[str, Counting] = {}
        self.to_count = False
        self.parts: dict[str, int] = {}
        self.choices: tuple[Fork, Choices] | None = None

    # ---- expressions
    def amount(self, e: E) -> WholeParts:
        """A number, in the most suitable parts."""
        known = number_of(e)
        if known is not None:
            return WholeParts(Value(repr(known.numerator), 0), known.denominator)
        if isinstance(e, ir.Arithmetic) and e.type.name == "number":
            made = self.arithmetic(e.sign, e.left, e.right)
            if made is not None:
                return made
        elif isinstance(e, ir.Call):
            return self.amount_of_call(e)
        elif isinstance(e, ir.Aggregate) and self.is_sum(e):
            return self.sum(e)
        elif isinstance(e, ir.Column) and isinstance(e.row, ir.LookUp):
            name, keys = e.row.table, e.row.keys
            below = self.below(name, e.index)
            if below:
                return WholeParts(self.nest(e.row, name, keys, e.index, below), below)
        return WholeParts(self.value(e), 1, isinstance(e, PLAIN))

    def below(self, name: str, column: int) -> int:
        """The parts in which a column of a table is whole, or 0 where it has other things than numbers."""
        table = self.tables[name]
        if table.hit not in {"exactly one row", "first row"} or table.entries() is None:
            return 0
        cells = [row.cells[column] for row in table.rows]
        if any(isinstance(c, bool) or not isinstance(c, int | Fraction) for c in cells):
            return 0
        return lcm(*(c.denominator for c in cells))

    def arithmetic(self, op: str, a: E, b: E) -> WholeParts | None:
        """A sum, a difference, or what a number of the rule text multiplies or divides."""
        if op in {"+", "-"}:
            left, right = self.amount(a), self.amount(b)
            of = lcm(left.of, right.of)
            text = "({} " + op + " {})"
            return WholeParts(
                self.joined(text, self.raised(left, of), self.raised(right, of)), of, left.sure and right.sure
            )
        by = number_of(b)
        if by is not None and by > 0 and op in {"*", "/"}:
            by = by if op == "*" else 1 / Fraction(by)
            made = self.amount(a)
            return WholeParts(self.multiplied(made.value, by.numerator), made.of * by.denominator, made.sure)
        return None

    def raised(self, number: WholeParts, of: int) -> Value:
        """A number in smaller parts."""
        return self.multiplied(number.value, of // number.of)

    def multiplied(self, value: Value, by: int) -> Value:
        """A text that multiplies by a number of the rule text."""
        if by == 1:
            return value
        if value.text.isdecimal():
            return Value(repr(int(value.text) * by), 0)
        return Value(f"({value.text} * {by})", value.depth)

    def amount_of_call(self, e: ir.Call) -> WholeParts:
        """A used value, computed here in parts if its lines allow it."""
        name, args = e.name, e.arguments
        routine = self.owner.routine(name)
        if routine is None or self.called_whole(e, routine) or not self.is_countable(routine):
            return WholeParts(self.value(e), 1, sure=False)
        values = [self.named(self.value(a)) for a in args]
        key = f"v_{py(name)}({', '.join(v.text for v in values)})"
        found = self.find(key)
        if found is not None:
            return WholeParts(found, 1, sure=False)
        found = self.find("parts of " + key)
        if found is not None:
            return WholeParts(found, self.parts[f"{key}: {found.text}"])
        held, span = self.names, self.span
        self.names = {p.name: v for p, v in zip(routine.params, values, strict=True)}
        self.stack.append(name)
        made = self.in_parts(routine)
        self.stack.pop()
        value = made.value
        if value.depth >= self.block.depth and len(value.text) > 30:
            value = self.named(value)
        self.block.learn("parts of " + key, value)
        self.parts[f"{key}: {value.text}"] = made.of
        self.names, self.span = held, span
        return WholeParts(value, made.of, made.sure)

    @staticmethod
    def is_countable(routine: Routine) -> bool:
        """Whether all steps of a value can be done in parts."""

        def fits(s: S) -> bool:
            if isinstance(s, ir.Let):
                return True
            if isinstance(s, ir.Except):
                whole = all(isinstance(x, ir.Let) or type(number_of(ir.value_of(x))) is int for x in s.body)
                return whole and not added_lines(routine.body)
            value = ir.value_of(s)
            if value is None or value.type.name != "number" or value.type.optional or ir.scale_of(s):
                return False
            if isinstance(s, ir.Adjust):
                by = number_of(value)
                return s.how in WITH_PARTS and (s.how != "divided" or (by is not None and by > 0))
            return isinstance(s, ir.Start | ir.Case | ir.Add)

        return (
            routine.word == "value"
            and not is_disputed(routine)
            and routine.type.name == "number"
            and not routine.type.optional
            and all(fits(s) for s in routine.body)
        )

    def in_parts(self, routine: Routine) -> WholeParts:
        """A value's lines, computed here."""
        body = routine.body
        if len(body) == 1 and isinstance(body[0], ir.Start | ir.Case) and body[0].when is None:
            self.span = body[0].span
            return self.amount(body[0].value)
        self.to_count = True
        made = self.pipeline(routine)
        counting = self.counted[made.text]
        self.settle(made.text)
        for block, line, known in counting.last:
            _rewrite(block, line, f"{made.text} = {known * counting.of}")
        return WholeParts(made, counting.of)

    # ---- lines
    def begun(self, result: str) -> None:
        """Begins the lines of a value that set this result."""
        if self.to_count:
            self.counted[result] = Counting()
            self.to_count = False

    def assign(self, result: str, e: E | None, *, last: bool = False) -> None:
        """Sets a result. last: whether it is that of an exception, after which nothing more changes it."""
        counting = self.counted.get(result)
        if counting is None or e is None:
            super().assign(result, e, last=last)
            return
        made = self.amount(e)
        text = self.near(made.value)
        self.put(f"{result} = {text}")
        line = self.block.items[-1]
        if last:
            counting.last.append((self.block, line, int(text)))
        else:
            counting.open.append((self.block, line, text, made.of))

    def near(self, value: Value) -> str:
        """A text to be used once, here."""
        return (self.named(value) if value.depth < self.block.depth else value).text

    def settle(self, result: str, of: int = 1) -> None:
        """Counts all first values of a result in the same parts, and at least in parts of `of`."""
        counting = self.counted[result]
        if not counting.open:
            return
        counting.of = lcm(of, *(x[3] for x in counting.open))
        for number, (block, line, text, own) in enumerate(counting.open):
            by = counting.of // own
            more = str(int(text) * by) if text.isdecimal() else text if by == 1 else f"({text}) * {by}"
            counting.open[number] = (block, _rewrite(block, line, f"{result} = {more}"), text, own)

    def step(self, s: S, result: str, known: int | Fraction | None) -> None:
        """One step. known: its value, if that is a literal in the rule text."""
        counting = self.counted.get(result)
        if counting is None:
            super().step(s, result, known)
            return
        self.settle(result)
        factor = number_of(ir.value_of(s)) if ir.how_of(s) in {"times", "divided"} else None
        if factor is not None and ir.how_of(s) == "divided":
            factor = 1 / Fraction(factor)
        if type(factor) is int and known is None and s.when is not None and isinstance(s.when, ir.And):
            by = factor
            counting.open.clear()
            self.where(s.when, lambda: self.block.items.extend(_multiplied(result, by, self.span)))
            return
        test = TRUE if s.when is None else self.value(s.when)
        if known is not None and test != FALSE:
            self.settle(result, known.denominator)
            counting.open.clear()
            if test == TRUE:
                self.put(f"{result} = {int(known * counting.of)}")
            else:
                self.fork(test, lambda: self.put(f"{result} = {int(known * counting.of)}"))
            return
        counting.open.clear()
        if test == TRUE:
            counting.of = self.stepped_in_parts(s, result)
        elif test != FALSE:
            if factor is not None:
                self.choose(test, result, Fraction(factor))
                return
            parent = self.block
            other = self.fork(test, partial(self.take, s, result))
            by = counting.of // self.taken
            if by == 1 and not parent.items[-1].arms[0][1].items:
                parent.items.pop()
            if by > 1:
                other.items.append((f"{result} *= {by}", self.span))

    taken = 1
    """The parts of the result before the step that was written last."""

    def take(self, s: S, result: str) -> None:
        """Writes a step that may be taken."""
        counting = self.counted[result]
        before = counting.of
        counting.of = self.stepped_in_parts(s, result, least=before)
        self.taken = before

    def fork(self, test: Value, then: Callable[[], None]) -> CodeBlock:
        """`if test: then`, and the block for the `else`."""
        parent = self.block
        yes, no = CodeBlock(parent, parent.depth), CodeBlock(parent, parent.depth)
        fork = Fork((self.near(test), yes), (None, no), span=self.span)
        parent.items.append(fork)
        with self.inside(parent, fork, yes):
            then()
        return no

    def choose(self, test: Value, result: str, factor: Fraction) -> None:
        """A step that multiplies by a number of the rule text, possibly one of several of which only one can be taken."""
        parent, counting = self.block, self.counted[result]
        arm = CodeBlock(parent, parent.depth)
        last = parent.items[-1] if parent.items else None
        if (
            self.choices is not None
            and self.choices[0] is last
            and self.choices[1].result == result
            and are_apart([t for t, _ in self.choices[0].arms[:-1]], test.text, result)
        ):
            fork, choices = self.choices
            fork.arms.insert(-1, (test.text, arm))
        else:
            choices = Choices(result, counting.of, [], CodeBlock(parent, parent.depth))
            fork = Fork((self.near(test), arm), (None, choices.other), span=self.span)
            parent.items.append(fork)
            self.choices = fork, choices
        choices.arms.append((arm, factor, self.span))
        below = lcm(*(f.denominator for _, f, _ in choices.arms))
        counting.of = choices.of * below
        for block, by, span in choices.arms:
            block.items[:] = _multiplied(result, int(by * below), span)
        choices.other.items[:] = _multiplied(result, below, self.span)

    def stepped_in_parts(self, s: S, result: str, least: int = 1) -> int:
        """Writes a step and returns the parts that the result is counted in after it, a multiple of `least`."""
        of, how, value = self.counted[result].of, ir.how_of(s) or "plus", ir.value_of(s)
        assert value is not None, s
        factor = number_of(value)
        if how in {"times", "divided"} and factor is not None:
            factor = Fraction(factor) if how == "times" else 1 / Fraction(factor)
            for line in _multiplied(result, factor.numerator, self.span):
                self.put(line[0])
            return of * factor.denominator
        made = self.amount(value)
        if how == "times":
            if made.value.text == "1":
                return of * made.of
            if made.sure:
                self.put(f"{result} *= {self.near(made.value)}")
            else:
                name = self.named(made.value).text
                self.put(
                    f"{result} = {result} * {name} if type({result}) is type({name}) is int else times({result}, {name})"
                )
            return of * made.of
        together = lcm(made.of, least) if how == "instead" else lcm(of, made.of)
        text = self.near(self.raised(made, together))
        if how == "instead":
            self.put(f"{result} = {text}")
        else:
            sign = "-" if how == "minus" else "+"
            self.put(
                f"{result} {sign}= {text}"
                if together == of
                else f"{result} = {result} * {together // of} {sign} {text}"
            )
        return together

    # ---- sums
    def is_sum(self, e: ir.Aggregate) -> bool:
        """Whether an aggregate is a sum that is gathered here."""
        raise NotImplementedError

    def sum(self, e: ir.Aggregate) -> WholeParts:
        """A sum that is gathered here."""
        raise NotImplementedError


def _rewrite(block: CodeBlock, line: Any, text: str) -> Any:
    """Replaces the text of a line."""
    new = (text, line[1])
    block.items[next(i for i, x in enumerate(block.items) if x is line)] = new
    return new


def _multiplied(result: str, by: int, span: Span | None) -> list[Any]:
    """The lines that multiply a result by a whole number."""
    return [] if by == 1 else [(f"{result} *= {by}" if by else f"{result} = 0", span)]
