"""The emitter within a routine: what statements and paths use to write, and where they are in the text while they write."""

from __future__ import annotations

from functools import cached_property

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import E
from interpreter.codegen.looped import LoopedEmitter
from interpreter.codegen.waiting_rules import RuleWatch, watch_of
from interpreter.codegen.way_tables import hangs_on

__all__ = ["RoutineEmitter"]


class RoutineEmitter(LoopedEmitter):
    """Writes expressions within the current routine.

    Attributes:
        together: how many `simultaneously` blocks enclose the line.
        rounds: the loops over words around it, each with its scale and its name.
        subject: the name of the thing that the innermost loop is about; "" outside.
        once: what is computed before the functions of a path, with its names; None outside.
        movers: the arguments of the current path.
    """

    def __init__(self, rules: BoundRuleset, *, traced: bool = False) -> None:
        super().__init__(rules, traced=traced)
        self.together = 0
        self.rounds: tuple[tuple[str, str], ...] = ()
        self.subject = ""
        self.once: dict[str, str] | None = None
        self.movers: set[str] = set()

    @cached_property
    def watch(self) -> RuleWatch:
        """What rules wait for: only statements need it, and most emitters write only one value."""
        return watch_of(self.rules)

    def emit(self, e: E) -> str:
        """An expression as Python; inside `_ready` calls that depend only on the mover are computed once, in advance."""
        text = super().emit(e)
        if self.once is None or not isinstance(e, ir.Call) or not hangs_on(e, self.movers):
            return text
        return self.once.setdefault(text, f"_h{len(self.once)}")
