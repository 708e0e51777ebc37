"""Where loops are written: aggregates and tests of sets become functions of their own, and options are decided once."""

# ruff: noqa: D102 (visitors: each method is for the class of its argument, and some need nothing of it)

from __future__ import annotations

from fractions import Fraction

import attrs

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import E, Routine
from dsl.text.source import Span
from interpreter.codegen.blocks import TooHard, Value
from interpreter.codegen.emit_lines import LineEmitter
from interpreter.codegen.emitted_source import NestedTable
from interpreter.codegen.loop_owner import OuterLoop
from interpreter.codegen.loops import LoopEmitter
from interpreter.codegen.python_names import py
from interpreter.codegen.remembered import Remembered

__all__ = ["LoopedEmitter"]


class LoopedEmitter(LineEmitter):
    """Writes loops as separate functions, where loops are needed.

    Attributes:
        loops: whether loops are written as separate functions, and values remembered.
        memory: what is remembered.
        numbers: fractions in emitted text, by name.
        options: the names under which options are settled.
        nests: tables that are read as nested dicts, by name.
        helpers: functions of loops that are still to be written.
    """

    def __init__(self, rules: BoundRuleset, *, traced: bool = False) -> None:
        super().__init__(rules.ruleset, rules.tables, traced=traced)
        self.rules = rules
        self.loops = False
        self.memory = Remembered(rules)
        self.numbers: dict[str, Fraction] = {}
        self.options: dict[tuple[str, str | None], str] = {}
        self.nests: dict[str, NestedTable] = {}
        self.helpers: dict[str, list[tuple[str, Span | None]]] = {}

    def option(self, name: str, word: str | None = None) -> str:
        """An option, or a test whether it has a value: fixed for a world, so evaluated when its functions are created."""
        return self.options.setdefault((name, word), f"o_{len(self.options) + 1}")

    def routine(self, name: str) -> Routine | None:
        """The value or status of a name."""
        return self.rules.routines.get(name)

    def is_light(self, text: str) -> bool:
        """Whether emitted text is little work."""
        return self.memory.is_light(text)

    def is_long(self, routine: Routine) -> bool:
        """Whether a value is too long to be computed in place."""
        return self.memory.is_long(routine)

    def nested(self, table: str, column: int, order: tuple[int, ...], of: int = 1) -> str:
        """A table as nested dicts, its keys in that order; column -1: the complete row; of: the parts that are counted."""
        name = f"N_{py(table)}_{column + 1}_{''.join(map(str, order))}" + (f"_in_{of}" if of > 1 else "")
        self.nests[name] = NestedTable(table, column, order, of)
        return name

    def exact(self, value: int | Fraction) -> str:
        """A number in the form used in emitted text; fractions are created once."""
        if isinstance(value, int) or value.denominator == 1:
            return repr(int(value))
        name = f"Q_{value.numerator}_{value.denominator}".replace("-", "m")
        self.numbers[name] = value
        return name

    def helper(self, e: E, around: OuterLoop | None = None) -> Value:
        """A call of a separate function for an aggregate. Raises TooHard if it must be emitted plainly."""
        names = tuple(sorted(self.free(e, frozenset())))
        inner = LoopEmitter(self, names)
        lines = inner.finished(inner.value(e))
        loops, self.loops = self.loops, False
        plain = self.emit(e)
        self.loops = loops
        args = ["F"] if self._framed(e) else []
        args += [f"l_{py(n)}" for n in names]
        name = self.fresh("q")
        place = e.span if e.span.file else self.span
        self.helpers[name] = [
            (f"def {name}({', '.join(args)}):", place), ("    try:", place), *(("        " + t, x) for t, x in lines),
            ("    except TROUBLE:", place), (f"        return {plain}", place),
        ]  # fmt: skip
        if around is None:
            return Value(f"{name}({', '.join(args)})", 0)
        given = ", ".join(args[:1] * (args[:1] == ["F"]) + ["{}"] * len(names))
        return around.joined(f"{name}({given})", *(around.local(n) for n in names))

    def flush(self) -> None:
        """Writes the functions of the loops found since."""
        span = self.span
        while self.helpers:
            name = next(iter(self.helpers))
            for text, place in self.helpers.pop(name):
                self.span = place
                self.put(text)
        self.span = span

    def free(self, e: E, bound: frozenset[str]) -> set[str]:
        """The names that an expression takes from its surroundings."""
        if isinstance(e, ir.Local):
            return set() if e.name in bound else {e.name}
        within = bound | {e.variable} if isinstance(e, ir.OverSet) else bound
        out: set[str] = set()
        for x in ir.inner(e):
            if isinstance(x, E):
                out |= self.free(x, bound if isinstance(e, ir.OverSet) and x is e.base else within)
        return out

    def _framed(self, e: E) -> bool:
        """Whether an expression needs the frame of its routine."""

        def own(frame: str | None) -> bool:
            return (frame or "").split(".")[0] == "F"

        return any(
            isinstance(x, ir.SidesInTurn)
            or (isinstance(x, ir.FrameName | ir.FrameEntry | ir.Acting | ir.Call) and own(x.frame))
            for x in ir.walk(e)
        )

    def _as_loop(self, e: E, *asked: E) -> str | None:
        """An expression as a loop, if it evaluates values for each element of a set."""
        if not self.loops or next(ir.find(asked, ir.Call), None) is None:
            return None
        span = self.span
        try:
            return self.helper(e).text
        except TooHard:
            return None
        finally:
            self.span = span

    def visit_aggregate(self, e: ir.Aggregate) -> str:
        return self._as_loop(e, *ir.of_each(e.base)) or super().visit_aggregate(e)

    def visit_quantified(self, e: ir.Quantified) -> str:
        found = self._as_loop(e, e.condition, *ir.of_each(e.base)) if e.quantifier != "most" else None
        return found or super().visit_quantified(e)

    def visit_is_there(self, e: ir.IsThere) -> str:
        return self._as_loop(e, *ir.of_each(e.value)) or super().visit_is_there(e)

    def visit_filter(self, e: ir.Filter) -> str:
        if self.loops and isinstance(e.condition, ir.And):
            first, rest = e.condition.items[0], ir.without_first(e.condition)
            if isinstance(first, ir.WordIs) and isinstance(first.subject, ir.OptionRead):
                return f"({self.emit(attrs.evolve(e, condition=rest))} if {self.emit(first)} else [])"
        return self._as_loop(e, e.condition) or super().visit_filter(e)

    def visit_map_over(self, e: ir.MapOver) -> str:
        return self._as_loop(e, e.body, *ir.of_each(e.base)) or super().visit_map_over(e)

    def visit_option_read(self, e: ir.OptionRead) -> str:
        if not self.loops:
            return super().visit_option_read(e)
        return f"int({self.option(e.name)})" if e.type.name == "number" else self.option(e.name)

    def visit_word_is(self, e: ir.WordIs) -> str:
        if self.loops and isinstance(e.subject, ir.OptionRead) and len(e.words) == 1:
            return self.option(e.subject.name, e.words[0])
        return super().visit_word_is(e)

    def visit_word_of(self, e: ir.WordOf) -> str:
        if self.loops and isinstance(e.subject, ir.OptionRead) and len(e.words) == 1:
            return self.option(e.subject.name, e.words[0])
        return super().visit_word_of(e)
