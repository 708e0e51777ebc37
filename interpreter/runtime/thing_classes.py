"""The classes of things: one for each kind of a ruleset, shared by all its worlds, so that reading a field stays fast."""

from __future__ import annotations

from dsl.rules.memo import kept
from dsl.rules.notation import attribute
from dsl.rules.ruleset import Ruleset
from interpreter.runtime.things import BASE, Thing

OFTEN = ("side", "holder", "kind", "place", "alive")
"""The common attributes that rules read most."""

TOGETHER = 24
"""Up to this many slots of a class their order in memory does not matter."""


def thing_class(ruleset: Ruleset, kind: str) -> type[Thing]:
    """The class of things of a kind: the common attributes, and a slot for each field. A part has the place and side of its whole."""
    part = ruleset.kinds[kind].part
    fields = tuple(attribute(f) for f in ruleset.kinds[kind].fields if f != "name")
    base = tuple(x for x in BASE if not part or x not in OF_THE_WHOLE)
    name = f"Thing_{kind.replace('-', '_')}"
    made = _laid_out(name, (*(x for x in base if x in OFTEN), *fields, *(x for x in base if x not in OFTEN)))
    made.__slots__ = (*base, *fields)
    made.part = part
    for slot, read in OF_THE_WHOLE.items() if part else ():
        setattr(made, slot, read)
    return made


def _laid_out(name: str, slots: tuple[str, ...]) -> type[Thing]:
    """A class whose slots are in memory in roughly this order: Python sorts those of one class by name.

    Fields that are declared together are read together, especially the first ones. If they are far apart, a value over
    many things must wait for memory for each of them.
    """
    made: type[Thing] = Thing
    for first in range(0, len(slots), TOGETHER):
        made = type(name, (made,), {"__slots__": slots[first : first + TOGETHER]})
    return made


def _place_of_whole(part: Thing) -> Thing | None:
    """The place of a part; None for a removed one."""
    return part.holder.place if part.alive and part.holder is not None else None


def _side_of_whole(part: Thing) -> Thing | None:
    return part.holder.side if part.holder is not None else None


OF_THE_WHOLE = {"place": property(_place_of_whole), "side": property(_side_of_whole)}
"""An attribute stored only in the whole and read from there for its parts, so that no part can be elsewhere."""


def thing_classes(ruleset: Ruleset) -> dict[str, type[Thing]]:
    """The class of each kind, by its name."""
    return kept(
        ruleset, "classes", lambda: {k: thing_class(ruleset, k) for k, x in ruleset.kinds.items() if x.word != "group"}
    )
