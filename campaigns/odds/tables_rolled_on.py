"""Which tables a roll is for: those in which its result is looked up, as the rules show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from dsl import ir
from dsl.ir import Routine, lines_in
from interpreter.explain.told_lines import reads

if TYPE_CHECKING:
    from dsl.binding.bound import BoundRuleset
    from dsl.text.source import Span
    from interpreter.program.program import Program

__all__ = ["tables_of"]

MOST_CALLS = 4
"""Through how many nested values the result of a roll is followed."""


def tables_of(program: Program, span: Span, name: str) -> tuple[str, ...]:
    """The tables in which the number of a roll, or a value calculated from it, is looked up.

    Args:
        program: the rules.
        span: where the roll is.
        name: the name of its number.
    """
    rules = program.rules
    home = next((r for r in rules.routines.values() if any(s.span == span for s in lines_in(r.body))), None)
    if home is None:
        return ()
    around = home.within or home.name
    near = [r for r in rules.routines.values() if r is home or around in {r.within, r.name}]

    def rests(e: ir.Expression) -> bool:
        return name in reads(rules, (e,))[1]

    return tuple(dict.fromkeys(table for routine in near for table in _looked_up(rules, routine, rests, 0)))


def _looked_up(
    rules: BoundRuleset, routine: Routine, rests: Callable[[ir.Expression], bool], depth: int
) -> Iterator[str]:
    """The tables that a routine looks up with something that depends on the roll."""
    for e in ir.find(routine.body, ir.LookUp, ir.Call):
        if isinstance(e, ir.LookUp):
            if any(map(rests, e.keys)):
                yield e.table
        elif isinstance(e, ir.Call) and depth < MOST_CALLS and (called := rules.routines.get(e.name)) is not None:
            given = zip(called.params, e.arguments, strict=False)
            names = {p.name for p, argument in given if rests(argument)}
            if names:
                yield from _looked_up(rules, called, _reads_local(names), depth + 1)


def _reads_local(names: set[str]) -> Callable[[ir.Expression], bool]:
    return lambda e: any(x.name in names for x in ir.find((e,), ir.Local))
