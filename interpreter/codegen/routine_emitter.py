"""The emitter within a routine: what statements and paths use to write, and where they are in the text while they write."""

from __future__ import annotations

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.ir import E
from interpreter.codegen.looped import LoopedEmitter
from interpreter.codegen.way_tables import hangs_on

__all__ = ["RoutineEmitter"]


class RoutineEmitter(LoopedEmitter):
    """Writes expressions within the current routine.

    Attributes:
        once: what is computed before the functions of a path, with its names; None outside.
        movers: the arguments of the current path.
    """

    def __init__(self, rules: BoundRuleset, *, traced: bool = False) -> None:
        super().__init__(rules, traced=traced)
        self.once: dict[str, str] | None = None
        self.movers: set[str] = set()

    def emit(self, e: E) -> str:
        """An expression as Python; inside `_ready` calls that depend only on the mover are computed once, in advance."""
        text = super().emit(e)
        if self.once is None or not isinstance(e, ir.Call) or not hangs_on(e, self.movers):
            return text
        return self.once.setdefault(text, f"_h{len(self.once)}")
