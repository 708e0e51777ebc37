"""What a part of a game may need of its game, in small protocols from which the contracts of parts are composed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

from dsl.syntax.declarations import Scenario
from interpreter.commands.listing import Commands
from interpreter.messages.asking import Pending
from interpreter.messages.inputs import Awaited, Event, Input
from interpreter.play.basis import Basis, Turn
from interpreter.play.host import Asks
from interpreter.play.replaceable_parts import Parts
from interpreter.play.runner import Runner
from interpreter.play.throwing import Throwing
from interpreter.program.program import Program
from interpreter.world.seat import Seat
from interpreter.world.world import World

__all__ = [
    "Commanded",
    "Counted",
    "HasRules",
    "HasWorld",
    "Offering",
    "Resting",
    "Running",
    "Seated",
    "Throws",
    "Waiting",
]


class HasWorld(Protocol):
    """A game with its world."""

    @property
    def world(self) -> World:
        """Its world."""


class HasRules(HasWorld, Protocol):
    """A game with its rules."""

    @property
    def program(self) -> Program:
        """Its rules."""


class Running(HasRules, Protocol):
    """A game with a runner."""

    @property
    def runner(self) -> Runner:
        """What runs and what it waits for, even if the game is over."""


class Resting(HasWorld, Protocol):
    """A game with its basis."""

    @property
    def basis(self) -> Basis:
        """Its basis."""


class Throws(Resting, Protocol):
    """A game with its dice."""

    @property
    def throwing(self) -> Throwing:
        """Its dice."""


class Counted(Protocol):
    """A game that counts its windows and questions."""

    @property
    def host(self) -> Asks:
        """The counter of both."""


class Waiting(Protocol):
    """A game that says what it is waiting for."""

    @property
    def waiting(self) -> tuple[Awaited, ...]:
        """What it is waiting for, with every order of a window."""


class Seated(HasWorld, Protocol):
    """A game that sides look at."""

    def seat(self, side: str) -> Seat:
        """The gate for everything that a side types and reads."""

    def seen_by(self, side: str) -> Self:
        """The game as a side sees it."""


class Commanded(Protocol):
    """A game in which commands are read."""

    @property
    def commands(self) -> Commands:
        """The reader of commands."""


class Offering(HasWorld, Protocol):
    """A game that takes inputs."""

    @property
    def pending(self) -> Pending | None:
        """What it is waiting for; None if it is over."""

    def offer(self, given: Input) -> tuple[Event, ...]:
        """Takes one input. Raises Refused with nothing changed."""

    def replay(self, inputs: Sequence[Input]) -> None:
        """Replays the turn with these inputs."""


class Retold(Running, Protocol):
    """A game whose turns can be replayed. touched: what they changed, as far as they have been replayed."""

    touched: list[tuple[tuple[Program, bytes | None, tuple[Input, ...]], frozenset[tuple[str, str]]]]
    parts: Parts

    def course(self) -> list[Turn]:
        """The turns that lead to its current state: this turn, and the one before if it is available."""

    def led_again(self, program: Program, scenario: Scenario, start: bytes | None, parts: Parts) -> Led:
        """A separate game at the start of a turn, made of other parts, that goes no further than the next change of its rules."""


class Led(Protocol):
    """A game that replays a turn."""

    def follow(self, given: Input) -> None:
        """Takes an input again that was accepted before."""
