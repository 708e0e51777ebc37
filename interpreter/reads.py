"""What a path depends on: the fields and facts that its expressions read, so that it is worked out again only when one changed.

The world counts changes by name: a field by its attribute, and the facts below. A sum of the counts of what is read
stands still exactly as long as nothing of it changes.
"""

from __future__ import annotations

from typing import Any

from dsl.bind import BodyBinder
from dsl.hidden import CALLS
from dsl.ir import E, S
from dsl.notation import attribute

MOVES = "@moves"
"""Things moved, came or went."""
ACTIVE = "@active"
"""Another side became the acting one."""
TURN = "@turn"
"""A turn began."""
PHASE = "@phase"
"""A phase or step began or ended."""
PAST = "@past"
"""Something was done that a rule may ask for."""
ENTRY = "@entry"
"""A thing took another entry of a list."""
ALL = "@all"
"""Anything may have changed."""

_POSITION = frozenset({
    "place_of", "standing", "bearing", "direction", "distance", "things_near", "narrow", "all", "members", "holder", "held",
})  # fmt: skip
_PLACED = frozenset({"placed", "places_near", "on_link", "on_edge", "linked", "link_from", "place_between", "line"})
_NAMED = {
    "active": ACTIVE,
    "sides_in_turn": ACTIVE,
    "turn": TURN,
    "calendar": TURN,
    "has_done": PAST,
    "phase_is": PHASE,
    "phase_now": PHASE,
}
_STILL = frozenset({
    "absent", "aggregate", "and", "arithmetic", "beside", "best_dice", "column", "compare", "compare_words", "const", "dice_chance", "dice_figure", "dice_of_word", "dice_sums", "else", "equal", "except", "filter",
    "ends_of", "entry_field", "text_of", "foe", "game", "grid_number", "kind_is", "list", "local", "lookup", "many_dice", "map", "member", "moved", "negative", "not", "numbers", "odds", "of_kind", "option", "or",
    "extremes", "place_named", "places_between", "prevailing", "printed_as", "quantified", "same_set", "scale_for", "side_named", "side_of", "steps", "there", "union", "word_is", "word_of",
})  # fmt: skip


def reads_of(binder: BodyBinder, parts: Any, seen: set[str] | None = None) -> frozenset[str]:
    """The names that count when any of these expressions or statements is asked; with ALL if that cannot be told."""
    out: set[str] = set()
    _read(binder, parts, out, seen if seen is not None else set())
    return frozenset({ALL}) if ALL in out else frozenset(out)


def _read(binder: BodyBinder, part: Any, out: set[str], seen: set[str]) -> None:
    if isinstance(part, tuple | list):
        for one in part:
            _read(binder, one, out, seen)
    elif isinstance(part, dict):
        _read(binder, tuple(part.values()), out, seen)
    elif isinstance(part, S):
        _read(binder, (part.fields, part.body), out, seen)
    elif isinstance(part, E):
        _expression(binder, part, out, seen)


def _expression(binder: BodyBinder, e: E, out: set[str], seen: set[str]) -> None:
    if e.op == "field":
        out.add("name" if e.args[1] == "name" else attribute(e.args[1]))
    elif e.op in {"entry", "template_is"}:
        out.add(ENTRY)
    elif e.op in _POSITION:
        out.add(MOVES)
    elif e.op in _PLACED:
        if any(isinstance(a, E) and not _is_place(binder, a) for a in e.args):
            out.add(MOVES)
    elif e.op in _NAMED:
        out.add(_NAMED[e.op])
    elif e.op in CALLS:
        name = e.args[0]
        if e.op == "call" and e.args[1] is not None:
            out.add(ALL)
        elif name not in seen:
            seen.add(name)
            routine = binder.routines.get(name)
            if routine is None:
                out.add(ALL)
            else:
                _read(binder, routine.body, out, seen)
    elif e.op not in _STILL:
        out.add(ALL)
    _read(binder, e.args, out, seen)


def _is_place(binder: BodyBinder, e: E) -> bool:
    """Whether an expression is a place, or a plain number: places do not move."""
    if e.type.name == "number":
        return True
    type_ = e.type.of if e.type.name == "set" and e.type.of is not None else e.type
    return type_.name == "thing" and binder.ruleset.kinds[type_.word].word == "place"
