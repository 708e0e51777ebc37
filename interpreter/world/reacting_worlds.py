"""What waiting rules need of their world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from dsl.rules.ruleset import Ruleset
from interpreter.program.program import Program, Ruled
from interpreter.runtime.frames import Frame
from interpreter.runtime.things import Thing
from interpreter.world.ground import Ground
from interpreter.world.incognito import Incognito
from interpreter.world.knowledge import Knowledge
from interpreter.world.lasting import Durations
from interpreter.world.positions import Positions
from interpreter.world.telling import Journal
from interpreter.world.ways import Ways
from interpreter.world.world_changes import Effects
from interpreter.world.world_contracts import Stamped

__all__ = ["Reacting"]


class Reacting(Ruled, Stamped, Protocol):
    """The parts of a world that waiting rules need. memory: for each rule, the things for which it was true when it last fired."""

    memory: dict[str, list[tuple[Thing, ...]]]
    program: Program
    """Its rules."""
    ruleset: Ruleset
    """Their declarations."""

    @property
    def by_label(self) -> Mapping[str, Thing]:
        """Its places by their labels."""

    effects: Effects
    """How things change."""
    positions: Positions
    """What moves things."""
    durations: Durations
    """What lasts."""
    ground: Ground
    """Its maps."""
    ways: Ways
    """Its paths."""
    journal: Journal
    """Its journal of events."""
    knowledge: Knowledge
    """Who may know what."""
    incognito: Incognito | None
    """The labels of things with hidden names."""

    def all_of(self, kind: str) -> list[Thing]:
        """All living things of a kind."""

    def frame(self, key: str, acting: Thing | None, up: Frame | None) -> Frame:
        """A fresh frame of a routine."""
