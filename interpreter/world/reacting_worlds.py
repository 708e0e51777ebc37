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

    @property
    def program(self) -> Program:
        """Its rules."""

    @property
    def ruleset(self) -> Ruleset:
        """Their declarations."""

    @property
    def by_label(self) -> Mapping[str, Thing]:
        """Its places by their labels."""

    @property
    def effects(self) -> Effects:
        """How things change."""

    @property
    def positions(self) -> Positions:
        """What moves things."""

    @property
    def durations(self) -> Durations:
        """What lasts."""

    @property
    def ground(self) -> Ground:
        """Its maps."""

    @property
    def ways(self) -> Ways:
        """Its paths."""

    @property
    def journal(self) -> Journal:
        """Its journal of events."""

    @property
    def knowledge(self) -> Knowledge:
        """Who may know what."""

    @property
    def incognito(self) -> Incognito | None:
        """The labels of things with hidden names."""

    def all_of(self, kind: str) -> list[Thing]:
        """All living things of a kind."""

    def frame(self, key: str, acting: Thing | None, up: Frame | None) -> Frame:
        """A fresh frame of a routine."""
