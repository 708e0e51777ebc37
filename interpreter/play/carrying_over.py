"""Whether a running game can continue under an amended text: which parts of its state have no place in the new text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import attrs

from dsl.ir import Type
from dsl.rules.amended import alike
from dsl.rules.entries import entries_of
from dsl.rules.notation import BadNotation, read
from dsl.rules.ruleset import Field, Ruleset
from dsl.syntax.declarations import Scenario
from interpreter.codegen.python_names import IF
from interpreter.messages.json_data import JsonValue
from interpreter.messages.state_data import WorldState
from interpreter.program.program import Program
from interpreter.world.world import World

__all__ = ["first_values", "lost_options", "obstacles"]

"""Columns of a thing in `Stored.state()`."""
NAMED = 6
"""The most things that the sentence of an obstacle names."""


def obstacles(
    world: World,
    state: WorldState,
    new: Program,
    scenarios: tuple[Scenario, Scenario],
    options: Mapping[str, str],
) -> list[str]:
    """The obstacles to continuing under another text, each as a sentence; empty if there are none.

    Args:
        world: a world of the game under its current rules; its places are read.
        state: the state of the game, as `Stored.state()` gives it.
        new: the program under which it is to continue.
        scenarios: what is played, in either text.
        options: the values that options have been given.
    """
    old = world.ruleset
    found = [*_played(old, new.ruleset, *scenarios), *lost_options(new.ruleset, options)]
    if any(moment.startswith(IF) for moment in state["expiries"]):
        found.append("Something lasts until a condition holds, and no other text can take that over; a later turn can.")
    things = [*_things(state, old, new.ruleset)]
    return [*found, *things, *_places(world, state, new.ruleset)]


def lost_options(new: Ruleset, options: Mapping[str, str]) -> Iterator[str]:
    """Options that were given a value they no longer have."""
    for name, word in options.items():
        if name not in new.options:
            yield f"This campaign has the option {name}, and the new text has none of that name."
        elif word not in new.options[name].terms:
            yield f"The option {name} is {word} here, and the new text has: {', '.join(new.options[name].terms)}."


def _played(old: Ruleset, new: Ruleset, before: Scenario, after: Scenario) -> Iterator[str]:
    """The scenario must be the same: only its endings and its lessons may change."""
    if not alike(*(attrs.evolve(x, endings=(), lessons=(), about="", title="") for x in (before, after))):
        yield f"The scenario {before.name} is not the same: a game that runs keeps its sides, forces and facts. `ophex override` and `ophex roster` change those."
    for name in before.maps:
        if name in old.maps and (name not in new.maps or not alike(old.maps[name], new.maps[name])):
            yield f"The map {name} is not the same: a game that runs keeps its map."


Held = list[tuple[str, Mapping[str, JsonValue]]]
"""The fields of things or places, each with its id or label."""


def _things(state: WorldState, old: Ruleset, new: Ruleset) -> Iterator[str]:
    """Kinds, fields and words of things that the new text does not have."""
    rows = [*state["things"], *state["gone"]]
    by_kind: dict[str, Held] = {}
    for row in rows:
        by_kind.setdefault(row.kind, []).append((row.id, row.fields))
    for kind, things in by_kind.items():
        if kind not in new.kinds:
            yield f"There are things of the kind {kind} ({_named(i for i, _ in things)}), and the new text has no such kind."
            continue
        if old.kinds[kind].word != new.kinds[kind].word or old.kinds[kind].part != new.kinds[kind].part:
            yield f"{kind} is no {new.kinds[kind].word} here but a {old.kinds[kind].word}: {_named(i for i, _ in things)}."
            continue
        if old.kinds[kind].holder != new.kinds[kind].holder:
            yield f"What holds a {kind} is another kind in the new text: {new.kinds[kind].holder or 'nothing'}."
        yield from _fields(kind, things, old, new)
        lost = [
            f"{row.id} ({row.template})" for row in rows
            if row.kind == kind and row.template and row.template in entries_of(old, kind) and row.template not in entries_of(new, kind)
        ]  # fmt: skip
        if lost:
            yield f"The lists of {kind} no longer have what these are: {_named(iter(lost))}."


def _places(world: World, state: WorldState, new: Ruleset) -> Iterator[str]:
    """The same of places."""
    old, by_kind = world.ruleset, dict[str, Held]()
    for label, fields in state["places"].items():
        by_kind.setdefault(world.by_label[label].kind, []).append((label, fields))
    for kind in dict.fromkeys([*(sheet.kind for sheet in world.maps), *by_kind]):
        if kind not in new.kinds:
            yield f"The map is of the kind {kind}, and the new text has no such kind."
        else:
            yield from _fields(kind, by_kind.get(kind, []), old, new)


def _fields(kind: str, things: Held, old: Ruleset, new: Ruleset) -> Iterator[str]:
    had, has = old.kinds[kind].fields, new.kinds[kind].fields
    used = {name for _, fields in things for name, value in fields.items() if value is not None}
    for name in had:
        if name not in used:
            continue
        if name not in has:
            yield f"The field {name} of {kind} has values ({_named(i for i, f in things if f.get(name) is not None)}), and the new text has no such field."
            continue
        misfits = [
            f"{i}: {_shown(fields[name])}" for i, fields in things if not _fits(new, has[name], fields.get(name))
        ]
        if misfits:
            yield f"The field {name} of {kind} cannot be in the new text what it is here ({_named(iter(misfits))}): it is {_type(new, has[name])}."


def _fits(new: Ruleset, field: Field, value: object) -> bool:
    """Whether a value of a state is valid for a field."""
    if value is None:
        return True
    if isinstance(value, int) and not isinstance(value, bool) and field.type.name == "number":
        return (field.low is None or value >= field.low) and (field.high is None or value <= field.high)
    return _is_of(new, field.type, value)


def _is_of(new: Ruleset, type_: Type, value: object) -> bool:
    if type_.name == "set":
        return isinstance(value, list) and all(_is_of(new, type_.of, x) for x in value if type_.of is not None)
    if isinstance(value, dict) and len(value) == 1:
        ((tag, inner),) = value.items()
        if tag == "q":
            return type_.name == "number"
        if tag == "r":
            return type_.name == "rating" and inner[0] == type_.word and _readable(new, type_, inner[1])
        return type_.name == "thing" if tag in {"t", "p"} else True
    if isinstance(value, bool):
        return type_.name == "mark"
    if isinstance(value, int):
        return type_.name in {"number", "rating"}
    if not isinstance(value, str):
        return True
    if type_.name == "enum":
        return value in new.enums[type_.word].words
    if type_.name == "entry":
        return value in entries_of(new, type_.word)
    return type_.name in {"text", "dice", "odds", "rating", "link"}


def _readable(new: Ruleset, type_: Type, text: str) -> bool:
    try:
        read(new, type_, text)
    except BadNotation:
        return False
    return True


def first_values(old: Ruleset, new: Ruleset) -> list[str]:
    """The fields that the new text adds to existing kinds: existing things get their first value."""
    found = []
    for kind, info in new.kinds.items():
        if kind in old.kinds:
            found += [f"{name} of {kind}" for name in info.fields if name not in old.kinds[kind].fields]
    return found


def _type(new: Ruleset, field: Field) -> str:
    if field.type.name == "enum":
        return f"one of {', '.join(new.enums[field.type.word].words)}"
    if field.low is not None or field.high is not None:
        return f"a number from {field.low} to {field.high}"
    return str(field.type)


def _named(names: Iterator[str]) -> str:
    found = list(names)
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return ", ".join(found[:NAMED]) + more


def _shown(value: object) -> str:
    """A value of a state as people read it."""
    if isinstance(value, dict) and len(value) == 1:
        ((tag, inner),) = value.items()
        return str(Fraction(*inner)) if tag == "q" else str(inner[1]) if tag == "r" else str(inner)
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
