"""Finding a phase or step in bound routines, with the loops and phases around it, so that an example can run it alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dsl import ir
from dsl.ir import Routine, S
from dsl.text.nodes import frozen

_WORDS = ("sequence", "procedure", "order", "rule")
"""Where to look for a phase first."""


@frozen
class LonePhase:
    """A phase or step. routine: the routine that contains it; around: the loops and phases around it, outermost first."""

    routine: Routine
    phase: ir.Phase
    around: tuple[S, ...]

    @property
    def key(self) -> str:
        """The key of the routine."""
        return f"{self.routine.word} {self.routine.name}"

    @property
    def rounds(self) -> tuple[ir.ForEach, ...]:
        """The loops around it, except those over sides that act in turn."""
        return tuple(s for s in self.around if isinstance(s, ir.ForEach) and s.role != "active")


def phase_named(routines: Mapping[str, Routine], name: str) -> LonePhase | None:
    """The phase or step with a name; the first if there are several, None if the modules that are on have none."""
    known = [r for r in routines.values() if r.word in _WORDS]
    for routine in sorted(known, key=lambda r: _WORDS.index(r.word)):
        for phase, around in _phases(routine.body, ()):
            if phase.name == name:
                return LonePhase(routine, phase, around)
    return None


def _phases(body: Iterable[S], around: tuple[S, ...]) -> Iterator[tuple[ir.Phase, tuple[S, ...]]]:
    for s in body:
        if isinstance(s, ir.Phase):
            yield s, around
        yield from _phases(s.body, (*around, s) if isinstance(s, ir.Phase | ir.ForEach) else around)


__all__ = ["LonePhase", "phase_named"]
