"""Branches: which lines of a `simultaneously` block can run side by side, so that their questions are asked at once.

A line waits for an earlier one only if it reads a name that the earlier one sets: changes to the world are not
visible before the end of the block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dsl import ir
from dsl.analysis.effects_of import name_around, names_given
from dsl.binding.bound import BoundRuleset
from dsl.ir import S, lines_in

Reads = Callable[[object], set[str]]
"""The names of a frame that expressions and statements read."""


def asks(rules: BoundRuleset, body: tuple[S, ...], seen: set[str] | None = None) -> bool:
    """Whether statements can ask a question, directly or through what they call."""
    seen = seen if seen is not None else set()
    for s in body:
        if s.DOES.asks or asks(rules, s.body, seen):
            return True
        if isinstance(s, ir.Do) and s.key not in seen:
            seen.add(s.key)
            routine = rules.routines.get(s.key)
            if routine is not None and asks(rules, routine.body, seen):
                return True
    return False


def names_set(rules: BoundRuleset, s: S, seen: set[str] | None = None) -> set[str]:
    """The names that a statement sets in the frame of its routine."""
    seen = seen if seen is not None else set()
    out = set(names_given(s))
    for inner in _inside(rules, s, seen):
        out |= names_set(rules, inner, seen)
    return out


def names_read(rules: BoundRuleset, s: S, reads: Reads, seen: set[str] | None = None) -> set[str]:
    """The names of its routine's frame that a statement reads, except its own loop names."""
    seen = seen if seen is not None else set()
    set_here = s.target if isinstance(s, ir.SetName) else None
    out = reads([x for x in ir.inner(s) if isinstance(x, ir.Expression) and x is not set_here])
    for inner in _inside(rules, s, seen):
        out |= names_read(rules, inner, reads, seen)
    return out - {name_around(s)}


def chains(rules: BoundRuleset, body: tuple[S, ...], reads: Reads) -> list[tuple[S, ...]]:
    """The lines of a block as branches; lines that wait for one another are in one branch, in order."""
    sets = [names_set(rules, s) for s in body]
    needs = [names_read(rules, s, reads) for s in body]
    home = list(range(len(body)))
    for later in range(len(body)):
        for earlier in range(later):
            if sets[earlier] & needs[later]:
                joined = {home[earlier], home[later]}
                home = [min(joined) if h in joined else h for h in home]
    return [tuple(s for s, h in zip(body, home, strict=True) if h == first) for first in sorted(set(home))]


def gathers(rules: BoundRuleset, loop: ir.ForEach) -> bool:
    """Whether a loop changes a name from round to round, so that one round waits for the one before it."""
    made = {n for s in loop.body for n in names_set(rules, s)} | {loop.name}
    named = {name for s in lines_in(loop.body) if not s.DOES.assigns for name in names_given(s)}
    return not made <= named | {loop.name}


def _inside(rules: BoundRuleset, s: S, seen: set[str]) -> Iterator[S]:
    """The statements within a statement, and those of a procedure that works on the names of this one."""
    yield from s.body
    if isinstance(s, ir.Do) and s.up is not None and s.key not in seen:
        seen.add(s.key)
        routine = rules.routines.get(s.key)
        yield from routine.body if routine is not None else ()
