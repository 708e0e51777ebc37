"""What the host of a game needs of the game: the world, who knows of orders, and who is told of choices made without asking."""

from __future__ import annotations

from typing import Protocol

from interpreter.commands.command import Command
from interpreter.messages.asking import EachQuestion, Run
from interpreter.runtime.things import Thing
from interpreter.world.rulings import Rulings
from interpreter.world.telling import Journal
from interpreter.world.told_stories import Storytelling

__all__ = ["Ordering", "Played", "Settling"]


class Played(Protocol):
    """The parts of a world that its host needs."""

    turn: int
    active: Thing | None
    over: str

    @property
    def journal(self) -> Journal:
        """Its journal of events."""

    @property
    def stories(self) -> Storytelling:
        """The stories in progress: each branch has its own."""

    @property
    def rulings(self) -> Rulings:
        """The umpire's rulings: questions asked before a ruling are void."""


class Ordering(Protocol):
    """Knows the orders."""

    def any_legal(self, side: Thing, order: str) -> bool:
        """Whether a side has a legal command of an order, or others cannot know that it has none."""

    def carry_out(self, command: Command) -> Run:
        """Carries out a command."""


class Settling(Protocol):
    """Receives choices that are made without asking."""

    def settled(self, side: Thing, name: str, kind: str, answer: object) -> None:
        """A choice had only one answer."""

    def settled_each(self, question: EachQuestion) -> None:
        """Choices for several things had each only one answer."""
