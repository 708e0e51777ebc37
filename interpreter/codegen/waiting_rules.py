"""What rules wait for: which changes are relevant to them, so that they are checked only after those."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import attrs

from dsl import ir
from dsl.analysis.effects_of import fields_changed, kind_of
from dsl.analysis.hidden_reads import hidden_fields, hidden_reads
from dsl.binding.bound import BoundRuleset
from dsl.binding.triggers import MOVING, REMOVED
from dsl.ir import CHANGES, E, S, Trigger, Type, lines_in
from dsl.rules.notation import attribute
from interpreter.codegen.reads import ACTIVE, ALL, MOVES, PHASE, reads_of


@attrs.frozen(slots=True)
class RuleWatch:
    """What the rules of a program wait for, over all of them.

    reads: what standing conditions depend on and which fields' changes are events, by the names of `interpreter/codegen/reads.py`.
    movers: the kinds whose movement is an event; placed: those whose places a condition may use. losing: whether the removal of things of any kind is an event. passing: what changes when a moment passes: fields whose values expire.
    """

    reads: frozenset[str] = frozenset()
    movers: frozenset[str] = frozenset()
    placed: frozenset[str] = frozenset()
    passing: frozenset[str] = frozenset()
    losing: bool = False

    def heeds(self, changed: Iterable[str]) -> bool:
        """Whether a change of one of these matters to any rule."""
        if not self.reads and not self.movers:
            return False
        return any(
            x == ALL or x in self.reads or (x == MOVES and bool(self.movers)) or ALL in self.reads for x in changed
        )

    def heeds_moves_of(self, type_: Type) -> bool:
        """Whether the movement of such things matters to any rule."""
        spoken_of = kind_of(type_) in self.placed or ALL in self.reads
        return self.moves_of(type_) or (spoken_of and self.heeds((MOVES,)))

    def moves_of(self, type_: Type) -> bool:
        """Whether the movement of such things is an event."""
        return kind_of(type_) in self.movers


NOTHING = RuleWatch()


@functools.lru_cache(maxsize=16)
def watch_of(rules: BoundRuleset) -> RuleWatch:
    """What the rules of a bound ruleset wait for; empty if none waits.

    The result is kept, since each line of an example and each question has its own emitter.
    """
    if not rules.triggers and not rules.lasting:
        return NOTHING
    reads: set[str] = set()
    for trigger in rules.triggers:
        if trigger.test is not None:
            reads |= trigger_reads(rules, trigger)
        if trigger.field:
            reads.add(attribute(trigger.field))
    for lasting in rules.lasting:
        reads |= reads_of(rules, [lasting.test])
    movers = _with_groups(rules, {t.params[0].type.word for t in rules.triggers if t.event in MOVING})
    lines = (s for routine in rules.routines.values() for s in lines_in(routine.body))
    falling = {name for s in lines if s.until is not None for name in changed_by(rules, s)}
    tests = [t.test for t in rules.triggers if t.test is not None] + [x.test for x in rules.lasting]
    placed = _kinds_in(rules, tests)
    placed = _with_groups(rules, placed | {rules.ruleset.whole(kind) for kind in placed})  # parts go with their wholes
    return RuleWatch(frozenset(reads), frozenset(movers), frozenset(placed), frozenset(falling) | ({ACTIVE, PHASE} & reads),
                 any(t.event == REMOVED for t in rules.triggers))  # fmt: skip


def _with_groups(rules: BoundRuleset, kinds: set[str]) -> set[str]:
    """Kinds, those of groups among them, and the groups that have any of them."""
    sorts = {k for kind in kinds for k in rules.ruleset.sorts(kind)}
    return kinds | sorts | {x.name for x in rules.ruleset.kinds.values() if sorts & set(x.members)}


def _kinds_in(rules: BoundRuleset, tests: list[E]) -> set[str]:
    """Every kind of thing that expressions refer to, including those in values they call."""
    out: set[str] = set()
    for x in ir.reached(rules.routines, tests):
        if isinstance(x, E):
            out.add(kind_of(x.type))
        words = [getattr(x, name) for name in ir.fields_of(type(x))]
        out.update(w for w in words if isinstance(w, str) and w in rules.ruleset.kinds)
        routine = rules.routines.get(ir.asked(x))
        out.update(p.type.word for p in routine.params) if routine is not None else None
    return out


def trigger_reads(rules: BoundRuleset, trigger: Trigger) -> frozenset[str]:
    """What a standing condition depends on: what it reads, and the coming and going of its things."""
    return reads_of(rules, [trigger.test]) | {MOVES}


def changed_by(rules: BoundRuleset, s: S) -> frozenset[str]:
    """The names under which the world counts what a statement changes, by `interpreter/codegen/reads.py`; without inner statements."""
    if s.DOES.changes == "field":
        fields = fields_changed(rules.ruleset, s)
        return frozenset("name" if f == "name" else attribute(f) for f in fields)
    if s.DOES.changes:
        return _COUNTED[s.DOES.changes, isinstance(s, ir.Put)]
    if isinstance(s, ir.Do):
        return frozenset({ALL})
    return frozenset({ACTIVE}) if isinstance(s, ir.ForEach) and s.role == "active" else frozenset()


_COUNTED = {
    (word, put): frozenset({ALL} if word in {"entry", "side"} or put else {MOVES} if word != "known" else ())
    for word in CHANGES
    for put in (False, True)
}
"""The fields of an entry, and the sides of things, are not counted by name; no rule can test who knows a thing."""


def rests_on_hidden(rules: BoundRuleset, trigger: Trigger) -> bool:
    """Whether knowing that a rule has fired would reveal something hidden to a side."""
    kind = trigger.params[0].type.word
    became = bool(trigger.field) and trigger.field in hidden_fields(rules.ruleset, kind, anyone=True)
    asked = (trigger.when, trigger.test, trigger.amount)
    return became or next(hidden_reads(rules.ruleset, rules.routines, asked, anyone=True), None) is not None
