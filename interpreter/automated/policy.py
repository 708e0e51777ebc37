"""What plays a side: it sees what a player of the side sees itself asked, and its inputs go through the same door as typed ones."""

from __future__ import annotations

from typing import Protocol

from interpreter.machine import Game
from interpreter.messages.inputs import Awaited, Input

__all__ = ["NothingLegal", "Policy"]


class NothingLegal(Exception):
    """Nothing that could be given is legal: the game cannot go on from here."""


class Policy(Protocol):
    """Something that plays a side."""

    def choose(self, game: Game, awaited: Awaited) -> Input:
        """The next input for what is awaited. Raises NothingLegal when there is none."""
