"""What emitted values remember: which are worth it, how much work each is, and what must be forgotten when a name changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from dsl import ir
from dsl.analysis.effects_of import frame_changed, names_changed, names_given
from dsl.binding.bound import BoundRuleset
from dsl.ir import E, Routine, S, lines_in
from interpreter.codegen.python_names import py
from interpreter.codegen.shapes import calls_in

__all__ = ["Remembered"]

SLIGHT = (
    ir.Constant,
    ir.Local,
    ir.FrameName,
    ir.FrameEntry,
    ir.Active,
    ir.OptionRead,
    ir.Field,
    ir.SideOf,
    ir.PlaceOf,
    ir.HolderOf,
    ir.Column,
    ir.LookUp,
    ir.Otherwise,
    ir.Or,
    ir.And,
    ir.Not,
    ir.WordIs,
    ir.WordOf,
    ir.Equal,
    ir.IsAbsent,
    ir.IsThere,
    ir.Compare,
    ir.CompareWords,
    ir.Steps,
    ir.Arithmetic,
    ir.KindIs,
    ir.TemplateIs,
)
"""Operations that are little work."""

PHASED = (ir.PhaseIs, ir.PhaseNow, ir.HasDone)
"""Operations whose answer changes when a phase or step begins or ends."""

AT_HAND = (ir.Constant, ir.Local, ir.FrameName, ir.Active, ir.Equal, ir.IsThere, ir.IsAbsent, ir.WordIs, ir.OptionRead)
"""Operations that only read existing names."""

MOST_SLIGHT = 40
"""The maximum weight of a value that a loop computes for every item, even if it turns out not to be needed."""

MOST_AT_HAND = 10
"""A value with fewer such operations is computed again faster than remembered."""


class Remembered:
    """Determines which values of a ruleset are remembered."""

    def __init__(self, rules: BoundRuleset) -> None:
        self.rules = rules
        self._weights: dict[str, int] = {}
        self._remembers: dict[str, bool] = {}
        self._named_once: dict[str, frozenset[str]] = {}

    def forgotten(self, names: Iterable[str], within: str) -> list[str] | None:
        """The remembered values that depend on names of frames; None if some do not belong to a certain procedure."""
        readers = sorted(set().union(*(self._readers.get(n, set()) for n in names)))
        found = [self.rules.routines.get(r) for r in readers]
        return readers if all(r is not None and r.within == within for r in found) else None

    def is_named_once(self, routine: Routine, name: str) -> bool:
        """Whether a name of a routine is set in only one line, which is reached once."""
        if routine.name not in self._named_once:
            self._named_once[routine.name] = named_once(self.rules, routine)
        return name in self._named_once[routine.name]

    @cached_property
    def _readers(self) -> dict[str, set[str]]:
        """For each name of a frame the remembered values that depend on it; "" for others."""
        found: dict[str, set[str]] = {}
        for routine in self.rules.routines.values():
            if self.is_remembered(routine) or routine.word == "path":
                kept = routine.name if self.is_remembered(routine) else ""
                for name in self._names_read((routine.body, routine.clauses), {routine.name}):
                    found.setdefault(name, set()).add(kept)
        return found

    def _names_read(self, part: object, seen: set[str]) -> set[str]:
        out = set()
        for x in ir.walk(part):
            if isinstance(x, ir.FrameName | ir.FrameEntry):
                out.add(x.name)
            elif isinstance(x, ir.Called) and x.name not in seen:
                seen.add(x.name)
                routine = self.rules.routines.get(x.name) or self.rules.routines.get(f"path {x.name}")
                if routine is not None:
                    out |= self._names_read((routine.body, routine.clauses), seen)
        return out

    def names_read(self, part: object) -> set[str]:
        """The names of frames that expressions read, directly and through the values that they use."""
        return self._names_read(part, set())

    def is_light(self, text: str) -> bool:
        """Whether a text may be computed before a loop that may not need it: it is little work, or kept."""
        return all(name == "W.foe" or self._is_slight(name) for name in calls_in(text))

    def _is_slight(self, name: str) -> bool:
        """Whether a function is a value that is little work, or kept."""
        routine = self._by_python.get(name)
        return routine is not None and (self.is_remembered(routine) or self.weight_of(routine) <= MOST_SLIGHT)

    @cached_property
    def _by_python(self) -> dict[str, Routine]:
        """Values and statuses by the names of their functions."""
        return {f"v_{py(r.name)}": r for _, r in self._values() if r.word != "path"}

    def weight_of(self, routine: Routine) -> int:
        """The approximate work of a value, including the values that it uses."""
        if routine.name not in self._weights:
            self._weights[routine.name] = MOST_SLIGHT + 1
            self._weights[routine.name] = self._weight(routine.body)
        return self._weights[routine.name]

    def _weight(self, part: Any) -> int:
        """The approximate work of an expression or a body."""
        if isinstance(part, tuple):
            return sum(self._weight(x) for x in part)
        if isinstance(part, ir.Call):
            routine = self.rules.routines.get(part.name)
            if routine is None or self.is_remembered(routine):
                return 3
            return self.weight_of(routine) + self._weight(part.arguments)
        own = 1 if isinstance(part, (S, *SLIGHT)) else MOST_SLIGHT
        return own + sum(self._weight(x) for x in ir.inner(part))

    def routine(self, name: str) -> Routine | None:
        """The value or status of that name."""
        return self.rules.routines.get(name)

    def is_remembered(self, routine: Routine) -> bool:
        """Whether a value is computed once for a procedure or a side, as long as nothing changes."""
        if routine.name not in self._remembers:
            self._remembers[routine.name] = True  # during the check: a value that uses itself is not remembered
            self._remembers[routine.name] = self.is_long(routine) and not self._at_hand(
                routine.body, MOST_AT_HAND, kept=True
            )
        return self._remembers[routine.name]

    def is_long(self, routine: Routine) -> bool:
        """Whether a value of a procedure or a side is enough work to be worth remembering."""
        per_side = bool(routine.within) and all(p.type.word == "side" and not p.many for p in routine.params)
        return per_side and not self._at_hand(routine.body, MOST_AT_HAND)

    def _at_hand(self, body: ir.Body, most: int, *, kept: bool = False) -> bool:
        """Whether lines only read names, fewer times than `most`.

        kept: whether a remembered value counts as a name.
        """
        for x in ir.walk(body):
            if isinstance(x, S):
                if not isinstance(x, ir.Start | ir.Case | ir.Holds):
                    return False
                continue
            if not isinstance(x, AT_HAND) and not (kept and self._is_kept(x)):
                return False
            most -= 1
            if most <= 0:
                return False
        return True

    def _is_kept(self, e: E) -> bool:
        """Whether an expression uses a remembered value."""
        routine = self.rules.routines.get(e.name) if isinstance(e, ir.Call) else None
        return routine is not None and self.is_remembered(routine)

    @cached_property
    def phased(self) -> frozenset[str]:
        """The procedures with a value that reads the current phase, or past actions in it, directly or through others."""
        asked = {key: list(ir.walk(r.body)) for key, r in self._values()}
        found = {key for key, parts in asked.items() if any(isinstance(e, PHASED) for e in parts)}
        while more := {key for key, parts in asked.items() if any(ir.asked(e) in found for e in parts)} - found:
            found |= more
        return frozenset(within for key in found if (within := self.rules.routines[key].within))

    def _values(self) -> Iterator[tuple[str, Routine]]:
        """What can be evaluated: values, statuses and paths."""
        return ((key, r) for key, r in self.rules.routines.items() if r.word in {"value", "status", "path"})


def named_once(rules: BoundRuleset, routine: Routine) -> frozenset[str]:
    """The names of a procedure that are set in only one line, which is reached once.

    Such a name makes nothing stale: anything that reads it could not have been computed before.
    """
    found: dict[str, int] = {}
    for name in _naming(routine.body, 1):
        found[name] = found.get(name, 0) + 1
    elsewhere = {
        name
        for other in rules.routines.values()
        for x in lines_in(other.body)
        for name in names_changed(x)
        if frame_changed(x) != "F"
    }
    given = {p.name for p in routine.params}
    return frozenset(name for name, count in found.items() if count == 1) - elsewhere - given


def _naming(body: tuple[S, ...], times: int) -> Iterator[str]:
    """The names that statements set, with those in loops listed several times."""
    for s in body:
        changed, names = names_changed(s), names_given(s)
        again = times if isinstance(s, ir.Phase) or (names and not isinstance(s, ir.ForEach)) else times + 1
        for name in names:
            yield from [name] * (2 if name in changed or name == getattr(s, "item", None) else again)
        yield from _naming(s.body, again)
