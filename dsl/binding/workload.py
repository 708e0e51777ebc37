"""How often one value works out others: a chain in which each reads the next twice doubles with every link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dsl import ir
from dsl.ir import Routine

MOST_WORKED_OUT = 1_000_000
"""One value works out others at most this often, not counting that a line may do so for each of several things.

The busiest value of the systems that ophex ships with does so 24,000 times.
"""
MOST_EVER = 20 * MOST_WORKED_OUT
"""The same for campaigns made before this was bounded: beyond it no game could be played."""


def worked_out(routines: Mapping[str, Routine], order: Iterable[str]) -> dict[str, int]:
    """For each value how often it works out values, itself included. order: each after those that it reads."""
    times: dict[str, int] = {}
    for key in order:
        routine = routines.get(key)
        parts = ir.walk((routine.body, routine.clauses)) if routine is not None else ()
        times[key] = 1 + sum(times.get(x.name, 0) for x in parts if isinstance(x, ir.Call))
    return times


__all__ = ["MOST_EVER", "MOST_WORKED_OUT", "worked_out"]
