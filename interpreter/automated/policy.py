"""An automated side: it sees only the prompts that a player of the side would see, and its inputs are checked like typed ones."""

from __future__ import annotations

from typing import Protocol

from interpreter.machine import Game
from interpreter.messages.inputs import Awaited, Input

__all__ = ["NothingLegal", "Policy"]


class NothingLegal(Exception):
    """There is no legal input: the game cannot continue from here."""


class Policy(Protocol):
    """Something that plays a side."""

    def choose(self, game: Game, awaited: Awaited) -> Input:
        """The next input for what the game is waiting for. Raises NothingLegal if there is none."""
