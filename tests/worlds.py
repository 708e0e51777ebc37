"""Everything in a world, written out: two dumps are equal only if the worlds are the same in every respect that matters."""

from fractions import Fraction

from dsl.rules.notation import RatingValue
from interpreter.play.state import names_standing
from interpreter.world.written_rows import encode

MADE_ONCE = {
    "program", "ruleset", "classes", "grid", "link_graph", "links", "linked_places", "maps", "ends", "any_place", "seed",
    "incognito", "dates", "due", "hiding_kinds", "knowledge", "started", "colours", "sites",
}  # fmt: skip
"""What a world has from the scenario and the rules, and never changes."""
WORKED_OUT = {
    "version", "steady", "rounds", "moves", "stirred", "touched", "altered", "unclear", "mirrors", "heed", "functions", "ways", "veil", "aside", "closing",
    "by_id", "by_label", "places", "numbers", "journal", "stories", "frames", "heard_frames", "last_order", "entries", "covert", "entered", "durations", "ground", "maker", "rows",
    "effects", "positions", "host", "rulings",
}  # fmt: skip
"""Counters, caches and registers; what durations write with ranks in place of numbers; and what only lasts as long as a procedure runs."""


def dump(game):
    """A game as plain data: each thing and place with all that it has, and each fact of the world."""
    world = game.world
    out = {f"thing {x}": _thing(thing) for x, thing in world.by_id.items()}
    out |= {f"place {place.label or place.index}": _thing(place) for place in world.places}
    out |= {name: _plain(value) for name, value in vars(world).items() if _counts(name, value)}
    out |= {f"lasting {key}": value for key, value in world.durations.data(encode).items()}
    out |= {f"done {name}": _plain(getattr(world.durations, name)) for name in ("past", "clock", "begun", "running")}
    out |= {name: _plain(getattr(world.effects, name)) for name in ("together", "nested")}
    out |= {"fallen": _plain(world.positions.fallen), "rulings": world.rulings.data()}
    out |= {"lost from sight": None if world.incognito is None else world.incognito.data()}
    return out | {
        "modules": sorted(game.program.ruleset.active),
        "rolled": game.dice.rolled,
        "dice at hand": list(game.throwing.given),
        "named": names_standing(game.runner),
        "awaiting": [_plain(vars(a) if hasattr(a, "__dict__") else a) for a in game.waiting],
        "sealed": _plain(getattr(game.pending, "answers", None)),
        "inputs": [(i.kind, i.side, i.text, i.subject) for i in game.inputs_of_turn],
        "snapshot": game.snapshot(),
    }


def differences(one, other):
    """Where two dumps differ."""
    return {key: (one.get(key), other.get(key)) for key in {*one, *other} if one.get(key) != other.get(key)}


def _counts(name, value):
    return name not in MADE_ONCE and name not in WORKED_OUT and not callable(value)


def _thing(x):
    return {slot: _plain(getattr(x, slot, "unset")) for slot in type(x).__slots__ if slot != "near"}


def _plain(value):
    """A value without things in it: they are called by their ids and labels."""
    if value is None or isinstance(value, bool | int | str | bytes | Fraction):
        return value
    if hasattr(value, "alive"):
        return f"<{value.kind} {value.label or value.id}>"
    if isinstance(value, RatingValue):
        return f"<{value.rating} {value.text}>"
    if isinstance(value, list | tuple):
        return [_plain(x) for x in value]
    if isinstance(value, set | frozenset):
        return sorted(str(_plain(x)) for x in value)
    if isinstance(value, dict):
        return [[_plain(k), _plain(v)] for k, v in value.items()]
    if hasattr(type(value), "__attrs_attrs__"):
        return [type(value).__name__, *[_plain(getattr(value, a.name)) for a in type(value).__attrs_attrs__]]
    raise TypeError(f"a world holds a {type(value).__name__}, of which no test knows how to write it out")
