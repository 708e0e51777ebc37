"""What the host of a game needs of the game: who knows of orders, and who is told of choices made without asking."""

from __future__ import annotations

from typing import Protocol

from interpreter.commands.command import Command
from interpreter.messages.asking import EachQuestion, Run
from interpreter.runtime.things import Thing

__all__ = ["Ordering", "Settling"]


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
