"""Where loops are written: aggregates and tests of sets become functions of their own, and options are decided once."""

from __future__ import annotations

from fractions import Fraction

import attrs

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import E, Routine
from dsl.text.source import Span
from interpreter.codegen.blocks import TooHard
from interpreter.codegen.emitted_source import NestedTable
from interpreter.codegen.expressions import ExpressionEmitter
from interpreter.codegen.loop_owner import HelperCall
from interpreter.codegen.loops import loop, whole
from interpreter.codegen.plain_expressions import PlainEmitter
from interpreter.codegen.python_names import py
from interpreter.codegen.remembered import Remembered
from interpreter.codegen.text_writer import TextWriter

__all__ = ["Loops"]


class Loops:
    """Writes loops as separate functions of a text, where loops are needed: the `LoopOwner` of each.

    Attributes:
        plain: what writes expressions without loops.
        numbers: fractions in emitted text, by name.
        options: the names under which options are settled.
        nests: tables that are read as nested dicts, by name.
    """

    def __init__(self, rules: BoundRuleset, text: TextWriter, memory: Remembered) -> None:
        self.ruleset, self.tables, self.words = rules.ruleset, rules.tables, text.words
        self.plain = ExpressionEmitter(rules.ruleset, rules.tables, text.words)
        self.numbers: dict[str, Fraction] = {}
        self.options: dict[tuple[str, str | None], str] = {}
        self.nests: dict[str, NestedTable] = {}
        self.routine, self.is_light, self.is_long = memory.routine, memory.is_light, memory.is_long
        self._text = text

    @property
    def span(self) -> Span | None:
        """The rule line that is being written."""
        return self._text.span

    def option(self, name: str, word: str | None = None) -> str:
        """An option, or a test whether it has a value: fixed for a world, so evaluated when its functions are created."""
        return self.options.setdefault((name, word), f"o_{len(self.options) + 1}")

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

    def whole(self, routine: Routine) -> list[tuple[str, Span | None]] | None:
        """The lines of a value with everything that it uses computed in place, or None if that is too hard."""
        try:
            return whole(routine, self)
        except TooHard:
            return None

    def helper(self, e: E) -> HelperCall:
        """A call of a separate function for an aggregate. Raises TooHard if it must be emitted plainly."""
        names = tuple(sorted(self.free(e, frozenset())))
        lines = loop(e, names, self)
        plain = self.plain.emit(e)
        call = HelperCall(self._text.fresh("q"), ("F",) if _is_framed(e) else (), names)
        place = e.span if e.span.file else self.span
        self._text.postponed += [
            (f"def {call.text(*(f'l_{py(n)}' for n in names))}:", place), ("    try:", place), *(("        " + t, x) for t, x in lines),
            ("    except TROUBLE:", place), (f"        return {plain}", place),
        ]  # fmt: skip
        return call

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

    def written(self, e: E, by: PlainEmitter) -> str | None:
        """The call of a loop for an expression, or the name of an option; None for what is written in place."""
        match e:
            case ir.Aggregate(base=things) | ir.IsThere(value=things):
                return self._as_loop(e, *ir.of_each(things))
            case ir.Quantified() if e.quantifier != "most":
                return self._as_loop(e, e.condition, *ir.of_each(e.base))
            case ir.Filter(condition=ir.And(items=(ir.WordIs(subject=ir.OptionRead()) as first, *_)) as both):
                rest = attrs.evolve(e, condition=ir.without_first(both))
                return f"({by.emit(rest)} if {by.emit(first)} else [])"
            case ir.Filter():
                return self._as_loop(e, e.condition)
            case ir.MapOver():
                return self._as_loop(e, e.body, *ir.of_each(e.base))
            case ir.OptionRead():
                return f"int({self.option(e.name)})" if e.type.name == "number" else self.option(e.name)
            case (
                ir.WordIs(subject=ir.OptionRead(name=name), words=(word,))
                | ir.WordOf(subject=ir.OptionRead(name=name), words=(word,))
            ):
                return self.option(name, word)
        return None

    def _as_loop(self, e: E, *asked: E) -> str | None:
        """An expression as a loop, if it evaluates values for each element of a set."""
        if next(ir.find(asked, ir.Call), None) is None:
            return None
        try:
            call = self.helper(e)
            return call.text(*(f"l_{py(n)}" for n in call.names))
        except TooHard:
            return None


def _is_framed(e: E) -> bool:
    """Whether an expression needs the frame of its routine."""

    def own(frame: str | None) -> bool:
        return (frame or "").split(".")[0] == "F"

    return any(
        isinstance(x, ir.SidesInTurn)
        or (isinstance(x, ir.FrameName | ir.FrameEntry | ir.Acting | ir.Call) and own(x.frame))
        for x in ir.walk(e)
    )
