"""The classes of things: one for each kind of a ruleset, shared by all its worlds, so that reading a field stays quick."""

from __future__ import annotations

from dsl.rules.memo import kept
from dsl.rules.notation import attribute
from dsl.rules.ruleset import Ruleset
from interpreter.things import BASE, Thing


def thing_class(ruleset: Ruleset, kind: str) -> type[Thing]:
    """The class of things of a kind: what every thing has, and a slot for each field. Of a part place and side are its whole's."""
    part = ruleset.kinds[kind].part
    fields = tuple(attribute(f) for f in ruleset.kinds[kind].fields if f != "name")
    slots = (*(x for x in BASE if not part or x not in OF_THE_WHOLE), *fields)
    derived = OF_THE_WHOLE if part else {}
    return type(f"Thing_{kind.replace('-', '_')}", (Thing,), {"__slots__": slots, "part": part, **derived})


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
