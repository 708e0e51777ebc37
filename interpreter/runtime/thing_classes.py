"""The classes of things: one for each kind of a ruleset, shared by all its worlds, so that reading a field stays fast."""

from __future__ import annotations

from dsl.rules.memo import kept
from dsl.rules.notation import attribute
from dsl.rules.ruleset import Ruleset
from interpreter.runtime.things import BASE, Thing

OFTEN = ("side", "holder", "kind", "place", "alive")
"""What rules read most of what every thing has."""

TOGETHER = 24
"""So many slots of a class lie in memory in any order."""


def thing_class(ruleset: Ruleset, kind: str) -> type[Thing]:
    """The class of things of a kind: what every thing has, and a slot for each field. Of a part place and side are its whole's."""
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
    """A class whose slots lie in memory in this order, roughly: Python puts those of one class in the order of their names.

    Fields that are declared together are read together, most of all those that stand first. Where they are far apart, a value over
    many things waits for the memory of each.
    """
    made: type[Thing] = Thing
    for first in range(0, len(slots), TOGETHER):
        made = type(name, (made,), {"__slots__": slots[first : first + TOGETHER]})
    return made


def _place_of_whole(part: Thing) -> Thing | None:
    """Where a part stands; None for one that is gone."""
    return part.holder.place if part.alive and part.holder is not None else None


def _side_of_whole(part: Thing) -> Thing | None:
    return part.holder.side if part.holder is not None else None


OF_THE_WHOLE = {"place": property(_place_of_whole), "side": property(_side_of_whole)}
"""What is kept of a whole alone, and asked of it wherever it is asked of a part: so no part can ever be elsewhere."""


def thing_classes(ruleset: Ruleset) -> dict[str, type[Thing]]:
    """The class of each kind, by its name."""
    return kept(
        ruleset, "classes", lambda: {k: thing_class(ruleset, k) for k, x in ruleset.kinds.items() if x.word != "group"}
    )
