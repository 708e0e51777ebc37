"""What writes the routines of a ruleset: expressions, the text they become part of, what is remembered, and where loops go."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import E, Routine, S, cited
from interpreter.codegen.expressions import ExpressionEmitter
from interpreter.codegen.looped import Loops
from interpreter.codegen.plain_expressions import Elsewhere
from interpreter.codegen.remembered import Remembered
from interpreter.codegen.text_writer import TextWriter
from interpreter.codegen.units import SITES, RuleSite

__all__ = ["RoutineEmitter"]


@attrs.frozen(eq=False, kw_only=True)
class RoutineEmitter:
    """Writes routines into one text. What writes their bodies holds it.

    Attributes:
        traced: with an audit trail in every value, so that values can be given.
        text: the text.
        memory: which values are remembered.
        number: the number that stands for a rule line; -1 for lines that are not in any rule text.
        loops: in text for play, what writes loops as separate functions; it is then known which values a change makes stale.
        elsewhere: what computes some expressions elsewhere than in place.
        expressions: what turns expressions into Python.
    """

    rules: BoundRuleset = attrs.field(kw_only=False)
    traced: bool = False
    text: TextWriter = attrs.Factory(TextWriter)
    memory: Remembered = attrs.Factory(lambda m: Remembered(m.rules), takes_self=True)
    number: Callable[[RuleSite], int] = attrs.Factory(
        lambda m: SITES.number if m.traced else lambda _: -1, takes_self=True
    )
    loops: Loops | None = None
    elsewhere: Elsewhere | None = attrs.Factory(lambda m: m.loops, takes_self=True)
    expressions: ExpressionEmitter = attrs.field(init=False)

    @expressions.default
    def _expressions(self) -> ExpressionEmitter:
        ruleset, tables, words = self.rules.ruleset, self.rules.tables, self.text.words
        return ExpressionEmitter(ruleset, tables, words, traced=self.traced, elsewhere=self.elsewhere)

    def emit(self, e: E) -> str:
        """An expression as Python."""
        return self.expressions.emit(e)

    def test(self, e: E | None) -> str:
        """A condition as Python; a missing one is true."""
        return "True" if e is None else self.expressions.emit(e)

    def word(self, value: object) -> str:
        """Text for a word of the rules."""
        return self.text.words.word(value)

    def put(self, text: str) -> None:
        """Writes a line."""
        self.text.put(text)

    def fresh(self, stem: str) -> str:
        """A unique name."""
        return self.text.fresh(stem)

    def site(self, s: S, routine: Routine) -> int:
        """The number that stands for a rule line."""
        reason, title = (s.reason, s.title) if isinstance(s, ir.Choose | ir.EachChooses) else (None, "")
        return self.number(RuleSite(s.span, cited(s, routine), s.because or reason or "", s.module, type(s), title))

    def value(self, s: ir.Let) -> str:
        """The value that a line gives to a name: nothing if its condition is false."""
        value = self.emit(s.value)
        if s.when is None:
            return value
        return f"({value}) if {self.emit(s.when)} else {'[]' if s.value.type.name == 'set' else 'None'}"
