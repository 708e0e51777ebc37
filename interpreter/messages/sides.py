"""Sides by the names that people type, and the umpire, who acts for all of them."""

from __future__ import annotations

from typing import Protocol

from interpreter.runtime.refusals import Why
from interpreter.runtime.things import Thing

__all__ = ["UMPIRE", "side_called"]

UMPIRE = "umpire"
"""Who sees everything and may act for every side."""


class Sided(Protocol):
    """The sides of a world."""

    def all_of(self, kind: str) -> list[Thing]:
        """All living things of a kind."""


def side_called(world: Sided, name: str) -> Thing:
    """The side of a name, in upper or lower case. Raises Refused if there is none."""
    sides = world.all_of("side")
    side = next((s for s in sides if s.id.lower() == name.lower()), None)
    if side is None:
        known = ", ".join(s.id for s in sides)
        raise Why.UNKNOWN_NAME(
            f"There is no side {name}.", hint=f"The sides are {known}; the umpire may act for any.", side=name
        )
    return side
