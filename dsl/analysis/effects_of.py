"""What statements do, according to their classes: which names they set, and which fields of which kinds they change.

There is no separate list of statements. Secrecy, waiting rules, `why` and others query this module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dsl import ir
from dsl.analysis.filled_fields import fields_filled, fields_printed
from dsl.analysis.hidden_reads import hidden_fields
from dsl.ir import E, Routine, S, Type, lines_in
from dsl.rules.ruleset import Ruleset


def lines_done(routines: Mapping[str, Routine], hooks: Mapping[str, Iterable[Routine]], key: str) -> Iterator[S]:
    """Every line that may be done when an order or procedure is: its own, of what it does, and of rules before and after."""
    waiting, seen = [key], {key}
    while waiting:
        key = waiting.pop()
        bodies = [routines[key].body] if key in routines else []  # a phase has none of its own
        bodies += [rule.body for when in ("before", "after") for rule in hooks.get(f"{when} {key}", ())]
        for s in (s for body in bodies for s in lines_in(body)):
            yield s
            more = s.key if isinstance(s, ir.Do) else f"phase {s.name}" if isinstance(s, ir.Phase) else key
            if more not in seen:
                seen.add(more)
                waiting.append(more)


# ---- names
def names_given(s: S) -> tuple[str, ...]:
    """The names of the frame that a statement gives a value, new ones first."""
    return (*(getattr(s, field) for field in s.DOES.names), *names_changed(s))


def names_changed(s: S) -> tuple[str, ...]:
    """The names that a statement gives another value."""
    target = s.target if isinstance(s, ir.SetName | ir.SetEntry) else None
    return (target.name,) if isinstance(target, ir.FrameName | ir.FrameEntry) else ()


def frame_changed(s: S) -> str:
    """How the frame is reached in which a statement gives a name another value; "" where it gives none."""
    target = s.target if isinstance(s, ir.SetName | ir.SetEntry) else None
    return target.frame if isinstance(target, ir.FrameName | ir.FrameEntry) else ""


def name_around(s: S) -> str | None:
    """The name that a statement gives as it goes through things, for what stands in it."""
    return getattr(s, s.DOES.around) if s.DOES.around else None


def got(s: S) -> tuple[object, ...]:
    """What a statement says that things get."""
    return tuple(getattr(s, field) for field in s.DOES.gets)


# ---- what changes
def kind_of(type_: Type) -> str:
    """The kind of one thing or of several."""
    return type_.of.word if type_.name == "set" and type_.of is not None else type_.word


def things_changed(s: S) -> E | None:
    """The things that a statement changes; None where it changes none, or puts a new one."""
    things: E | None = getattr(s, s.DOES.things) if s.DOES.things else None
    return things


def kind_changed(s: S) -> str:
    """The kind of the things that a statement changes; "" for none."""
    if isinstance(s, ir.Put):
        return s.kind
    things = things_changed(s)
    return kind_of(things.type) if things is not None else ""


def fields_changed(ruleset: Ruleset, s: S) -> frozenset[str]:
    """What a statement changes of the things it is done to, by the words of `hidden from`: fields, `place`, `side`, the holder."""
    kind = kind_changed(s)
    return frozenset().union(*(_fields_changed(ruleset, s, k) for k in ruleset.sorts(kind)))


def _fields_changed(ruleset: Ruleset, s: S, kind: str) -> frozenset[str]:
    info = ruleset.kinds.get(kind)
    if info is None:
        return frozenset()
    holder = {info.holder} if info.holder else set[str]()
    if s.DOES.changes == "field":
        return fields_filled(ruleset, kind, s.field)
    if s.DOES.changes == "entry":
        return fields_printed(ruleset, kind)
    if s.DOES.changes == "holder":  # a part goes to where its new whole stands
        return frozenset(holder | ({"place"} if info.part else set()))
    if s.DOES.changes in {"side", "place"}:
        return frozenset({s.DOES.changes})
    if isinstance(s, ir.Put):
        given = {f for word in s.settings for f in fields_filled(ruleset, kind, word)}
        printed = fields_printed(ruleset, kind) if s.template or s.entry else frozenset()
        return frozenset({"place"} | given | printed)
    if s.DOES.changes == "being":
        return frozenset({"place"})
    return frozenset()


def is_kept_back(ruleset: Ruleset, s: S, *, ever: bool = False) -> bool:
    """Whether a statement changes what may be hidden from a side.

    ever: also what is hidden only while the thing is off the map.
    """
    kind, changed = kind_changed(s), fields_changed(ruleset, s)
    hidden = hidden_fields(ruleset, kind, ever=ever, anyone=True)
    if changed & hidden or (changed and "place" in hidden):
        return True
    # What a thing holds goes with it when it is taken out of the game.
    held = {k for one in ruleset.sorts(kind) for k in _held_by(ruleset, one, set())}
    return isinstance(s, ir.Remove) and any("place" in hidden_fields(ruleset, k) for k in held)


def _held_by(ruleset: Ruleset, kind: str, seen: set[str]) -> set[str]:
    for name, info in ruleset.kinds.items():
        if info.holder == kind and info.word != "place" and name not in seen:
            seen.add(name)
            _held_by(ruleset, name, seen)
    return seen
