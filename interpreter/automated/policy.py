"""What plays a side: it sees what a player of the side sees itself asked, and its inputs go through the same door as typed ones."""

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
