"""What rules that wait need of the world that they wait in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from dsl.rules.ruleset import Ruleset
from interpreter.frames import Frame
from interpreter.ground import Ground
from interpreter.incognito import Incognito
from interpreter.knowledge import Knowledge
from interpreter.lasting import Durations
from interpreter.positions import Positions
from interpreter.program import Program, Ruled
from interpreter.telling import Journal
from interpreter.things import Thing
from interpreter.ways import Ways
from interpreter.world_changes import Effects
from interpreter.world_contracts import Stamped

__all__ = ["Reacting"]


class Reacting(Ruled, Stamped, Protocol):
    """The world, as far as rules wait in it. memory: of each rule for what it held when it came about last."""

    memory: dict[str, list[tuple[Thing, ...]]]

    @property
    def program(self) -> Program:
        """Its rules."""

    @property
    def ruleset(self) -> Ruleset:
        """What is declared in them."""

    @property
    def by_label(self) -> Mapping[str, Thing]:
        """Its places by their labels."""

    @property
    def effects(self) -> Effects:
        """How things change."""

    @property
    def positions(self) -> Positions:
        """Who moves things."""

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
        """What is told."""

    @property
    def knowledge(self) -> Knowledge:
        """Who may know what."""

    @property
    def incognito(self) -> Incognito | None:
        """What things are called by those who may not know their names."""

    def all_of(self, kind: str) -> list[Thing]:
        """All living things of a kind."""

    def frame(self, key: str, acting: Thing | None, up: Frame | None) -> Frame:
        """A fresh frame of a routine."""
