"""The classes of things: one for each kind of a ruleset, shared by all its worlds, so that reading a field stays quick."""

from __future__ import annotations

from dsl.kept import kept
from dsl.notation import attribute
from dsl.ruleset import Ruleset

BASE = (
    "id",
    "name",
    "kind",
    "side",
    "place",
    "holder",
    "members",
    "template",
    "alive",
    "known",
    "near",
    "things",
    "index",
    "label",
    "column",
    "row",
)


def thing_class(ruleset: Ruleset, kind: str) -> type:
    """The class of things of a kind: what every thing has, and a slot for each field."""
    fields = tuple(attribute(f) for f in ruleset.kinds[kind].fields if f != "name")
    return type(f"Thing_{kind.replace('-', '_')}", (), {"__slots__": (*BASE, *fields)})


def thing_classes(ruleset: Ruleset) -> dict[str, type]:
    """The class of each kind, by its name."""
    return kept(
        ruleset, "classes", lambda: {k: thing_class(ruleset, k) for k, x in ruleset.kinds.items() if x.word != "group"}
    )
