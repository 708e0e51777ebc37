"""What rules wait for: which changes they heed, so that rules are asked only after what can matter to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from dsl.bind import BodyBinder
from dsl.bind_triggers import MOVING
from dsl.ir import E, S, Type
from dsl.notation import attribute
from interpreter.reads import ACTIVE, ALL, MOVES, PHASE, reads_of


@attrs.frozen(slots=True)
class Watch:
    """What the rules of a program wait for, over all of them.

    reads: what standing conditions depend on and which fields' changes are events, by the names of `interpreter/reads.py`.
    movers: the kinds whose movement is an event; placed: those of whose places a condition may speak. passing: what changes when a moment passes: fields that fall back.
    """

    reads: frozenset[str] = frozenset()
    movers: frozenset[str] = frozenset()
    placed: frozenset[str] = frozenset()
    passing: frozenset[str] = frozenset()

    def heeds(self, changed: Iterable[str]) -> bool:
        """Whether a change of one of these matters to any rule."""
        if not self.reads and not self.movers:
            return False
        return any(
            x == ALL or x in self.reads or (x == MOVES and bool(self.movers)) or ALL in self.reads for x in changed
        )

    def heeds_moves_of(self, type_: Type) -> bool:
        """Whether it matters to any rule that such things move."""
        spoken_of = _kind(type_) in self.placed or ALL in self.reads
        return self.moves_of(type_) or (spoken_of and self.heeds((MOVES,)))

    def moves_of(self, type_: Type) -> bool:
        """Whether the movement of such things is an event."""
        return _kind(type_) in self.movers


NOTHING = Watch()


def _kind(type_: Type) -> str:
    return (type_.of if type_.name == "set" and type_.of is not None else type_).word


def watch_of(binder: BodyBinder) -> Watch:
    """What the rules of a bound ruleset wait for; nothing at all where none waits."""
    if not binder.triggers and not binder.lasting:
        return NOTHING
    reads: set[str] = set()
    for trigger in binder.triggers:
        if trigger.test is not None:
            reads |= trigger_reads(binder, trigger)
        if trigger.field:
            reads.add(attribute(trigger.field))
    for lasting in binder.lasting:
        reads |= reads_of(binder, [lasting.test])
    movers = {t.params[0].type.word for t in binder.triggers if t.event in MOVING}
    falling = {attribute(name) for routine in binder.routines.values() for name in _fall_back(routine.body)}
    placed: set[str] = set()
    tests = [t.test for t in binder.triggers if t.test is not None] + [x.test for x in binder.lasting]
    _kinds_in(binder, tests, placed, set())
    return Watch(frozenset(reads), frozenset(movers), frozenset(placed), frozenset(falling) | ({ACTIVE, PHASE} & reads))


def _kinds_in(binder: BodyBinder, part: Any, out: set[str], seen: set[str]) -> None:
    """Every kind of thing that expressions speak of in any way, with what they call."""
    if isinstance(part, tuple | list):
        for x in part:
            _kinds_in(binder, x, out, seen)
    elif isinstance(part, dict):
        _kinds_in(binder, tuple(part.values()), out, seen)
    elif isinstance(part, S):
        _kinds_in(binder, (part.fields, part.body), out, seen)
    elif isinstance(part, str):
        if part in binder.ruleset.kinds:
            out.add(part)
    elif isinstance(part, E):
        out.add(_kind(part.type))
        _kinds_in(binder, part.args, out, seen)
        name = part.args[0] if part.op in {"call", "path_exists", "reach_cost"} and part.args else None
        routine = binder.routines.get(name) if isinstance(name, str) and name not in seen else None
        if routine is not None:
            seen.add(str(name))
            out.update(p.type.word for p in routine.params)
            _kinds_in(binder, (routine.body, routine.clauses), out, seen)


def trigger_reads(binder: BodyBinder, trigger: Any) -> frozenset[str]:
    """What a standing condition depends on: what it reads, and that its things come and go."""
    return reads_of(binder, [trigger.test]) | {MOVES}


def rests_on_hidden(binder: BodyBinder, trigger: Any) -> bool:
    """Whether it would tell something that is hidden from a side to know that a rule has come about."""
    seen: set[str] = set()

    def found(part: Any) -> bool:
        if isinstance(part, tuple | list):
            return any(found(x) for x in part)
        if isinstance(part, dict):
            return found(tuple(part.values()))
        if isinstance(part, S):
            return found((part.fields, part.body))
        if not isinstance(part, E):
            return False
        if part.op == "field" and _is_hidden(binder, part.args[0].type, part.args[1]):
            return True
        if part.op in {"call", "path_exists"} and part.args[0] not in seen:
            seen.add(part.args[0])
            routine = binder.routines.get(part.args[0])
            if routine is not None and found(routine.body):
                return True
        return found(part.args)

    became = bool(trigger.field) and _is_hidden(binder, trigger.params[0].type, trigger.field)
    return became or found((trigger.when, trigger.test, trigger.amount))


def _is_hidden(binder: BodyBinder, type_: Type, field: str) -> bool:
    inner = type_.of if type_.name == "set" and type_.of is not None else type_
    info = binder.ruleset.kinds.get(inner.word) if inner.name == "thing" else None
    lines = info.node.visibility if info is not None and info.node is not None else ()
    return any(v.hidden and field in v.fields and not v.off_map for v in lines)


def _fall_back(body: Iterable[S]) -> Iterable[str]:
    """The fields that are set until a moment."""
    for s in body:
        if s["until"] is not None and s["field"] is not None:
            yield s["field"]
        yield from _fall_back(s.body)
