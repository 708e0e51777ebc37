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
    """The world, as far as its host needs it."""

    turn: int
    active: Thing | None
    over: str

    @property
    def journal(self) -> Journal:
        """What is told."""

    @property
    def stories(self) -> Storytelling:
        """The stories that run: each branch has its own."""

    @property
    def rulings(self) -> Rulings:
        """What the umpire has ruled: what was asked before counts no longer."""


class Ordering(Protocol):
    """Who knows of orders."""

    def any_legal(self, side: Thing, order: str) -> bool:
        """Whether a side has a legal command of an order, or others cannot tell that it has none."""

    def carry_out(self, command: Command) -> Run:
        """Carries out a command."""


class Settling(Protocol):
    """Who hears of choices that are taken without asking."""

    def settled(self, side: Thing, name: str, kind: str, answer: object) -> None:
        """A choice had only one answer."""

    def settled_each(self, question: EachQuestion) -> None:
        """Choices for several things had each only one answer."""
