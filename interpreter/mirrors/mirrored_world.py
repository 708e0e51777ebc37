"""What a mirror takes over from the world in play: counted facts, what never changes, and the current state."""

from interpreter.codegen.reads import ACTIVE, ALL, ENTRY, PAST, PHASE, TURN

__all__ = ["FACTS", "NOW", "SHARED"]

FACTS = (ACTIVE, ENTRY, PAST, PHASE, TURN, ALL)
"""The counted facts besides the fields and places of things."""
SHARED = (
    "grid", "links", "link_graph", "linked_places", "maps", "any_place", "seed", "colours", "started", "sites",
)  # fmt: skip
"""Attributes of a world from the maps, the scenario and the rules, which never change."""
NOW = ("turn", "dates", "over", "incognito")
"""Attributes of the current state, except those that refer to things."""
