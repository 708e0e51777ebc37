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
    """Every line that an order or procedure may run: its own, those of what it calls, and of rules before and after it."""
    waiting, seen = [key], {key}
    while waiting:
        key = waiting.pop()
        bodies = [routines[key].body] if key in routines else []  # a phase has no body of its own
        bodies += [rule.body for when in ("before", "after") for rule in hooks.get(f"{when} {key}", ())]
        for s in (s for body in bodies for s in lines_in(body)):
            yield s
            more = s.key if isinstance(s, ir.Do) else f"phase {s.name}" if isinstance(s, ir.Phase) else key
            if more not in seen:
                seen.add(more)
                waiting.append(more)


# ---- names
def names_given(s: S) -> tuple[str, ...]:
    """The names of the frame that a statement sets, new ones first."""
    return (*(getattr(s, field) for field in s.DOES.names), *names_changed(s))


def names_changed(s: S) -> tuple[str, ...]:
    """The existing names that a statement sets."""
    target = s.target if isinstance(s, ir.SetName | ir.SetEntry) else None
    return (target.name,) if isinstance(target, ir.FrameName | ir.FrameEntry) else ()


def frame_changed(s: S) -> str:
    """The path to the frame in which a statement sets an existing name; empty if it sets none."""
    target = s.target if isinstance(s, ir.SetName | ir.SetEntry) else None
    return target.frame if isinstance(target, ir.FrameName | ir.FrameEntry) else ""


def name_around(s: S) -> str | None:
    """The name for the current thing that a loop defines for the lines in it."""
    return getattr(s, s.DOES.around) if s.DOES.around else None


def got(s: S) -> tuple[object, ...]:
    """The values that a statement gives to things."""
    return tuple(getattr(s, field) for field in s.DOES.gets)


# ---- changes
def kind_of(type_: Type) -> str:
    """The kind of one thing or of several."""
    return type_.of.word if type_.name == "set" and type_.of is not None else type_.word


def things_changed(s: S) -> E | None:
    """The things that a statement changes; None if it changes none, or places a new one."""
    things: E | None = getattr(s, s.DOES.things) if s.DOES.things else None
    return things


def words_changed(s: S) -> tuple[str, ...]:
    """The fields that a statement changes, or the headings for several, as it names them."""
    return tuple(getattr(s, attribute) for attribute in s.DOES.fields)


def kind_changed(s: S) -> str:
    """The kind of the things that a statement changes; empty for none."""
    if isinstance(s, ir.Put):
        return s.kind
    things = things_changed(s)
    return kind_of(things.type) if things is not None else ""


def fields_changed(ruleset: Ruleset, s: S) -> frozenset[str]:
    """What a statement changes in its things, in the words of `hidden from`: fields, `place`, `side`, the holder."""
    kind = kind_changed(s)
    return frozenset().union(*(_fields_changed(ruleset, s, k) for k in ruleset.sorts(kind)))


def _fields_changed(ruleset: Ruleset, s: S, kind: str) -> frozenset[str]:
    info = ruleset.kinds.get(kind)
    if info is None:
        return frozenset()
    holder = {info.holder} if info.holder else set[str]()
    if s.DOES.changes == "field":
        return frozenset().union(*(fields_filled(ruleset, kind, word) for word in words_changed(s)))
    if s.DOES.changes == "entry":
        return fields_printed(ruleset, kind)
    if s.DOES.changes == "holder":  # a part moves to where its new whole is
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
    """Whether a statement changes something that may be hidden from a side.

    ever: include what is hidden only while the thing is off the map.
    """
    kind, changed = kind_changed(s), fields_changed(ruleset, s)
    hidden = hidden_fields(ruleset, kind, ever=ever, anyone=True)
    if changed & hidden or (changed and "place" in hidden):
        return True
    # The things that a thing holds are removed with it.
    held = {k for one in ruleset.sorts(kind) for k in _held_by(ruleset, one, set())}
    return isinstance(s, ir.Remove) and any("place" in hidden_fields(ruleset, k) for k in held)


def _held_by(ruleset: Ruleset, kind: str, seen: set[str]) -> set[str]:
    for name, info in ruleset.kinds.items():
        if info.holder == kind and info.word != "place" and name not in seen:
            seen.add(name)
            _held_by(ruleset, name, seen)
    return seen
