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
    """A game with the rules that it is led by."""

    @property
    def program(self) -> Program:
        """Its rules."""


class Running(HasRules, Protocol):
    """A game in which something runs."""

    @property
    def runner(self) -> Runner:
        """What runs, and what it waits for, whether the game is over or not."""


class Resting(HasWorld, Protocol):
    """A game with what it rests on."""

    @property
    def basis(self) -> Basis:
        """What it rests on."""


class Throws(Resting, Protocol):
    """A game with its dice."""

    @property
    def throwing(self) -> Throwing:
        """Its dice."""


class Counted(Protocol):
    """A game whose windows and questions are counted."""

    @property
    def host(self) -> Asks:
        """What counts them."""


class Waiting(Protocol):
    """A game that says what it waits for."""

    @property
    def waiting(self) -> tuple[Awaited, ...]:
        """What is awaited, with every order of a window."""


class Seated(HasWorld, Protocol):
    """A game that sides look at."""

    def seat(self, side: str) -> Seat:
        """The gate through which everything that a side types and reads must pass."""

    def seen_by(self, side: str) -> Self:
        """The game that a side looks at."""


class Commanded(Protocol):
    """A game in which commands are read."""

    @property
    def commands(self) -> Commands:
        """What reads them."""


class Offering(HasWorld, Protocol):
    """A game that takes inputs."""

    @property
    def pending(self) -> Pending | None:
        """What it waits for; None where it is over."""

    def offer(self, given: Input) -> tuple[Event, ...]:
        """Takes one input. Raises Refused with nothing changed."""

    def replay(self, inputs: Sequence[Input]) -> None:
        """Plays the turn again with these inputs."""


class Retold(Running, Protocol):
    """A game, as far as its turns are told again. touched: what they changed, as far as they have been told."""

    touched: list[tuple[tuple[Program, bytes | None, tuple[Input, ...]], frozenset[tuple[str, str]]]]
    parts: Parts

    def course(self) -> list[Turn]:
        """What leads to where it stands: this turn, and the one before if it can be had."""

    def led_again(self, program: Program, scenario: Scenario, start: bytes | None, parts: Parts) -> Led:
        """A game of its own at the start of a turn, made of other parts, that goes no further than to where its rules change."""


class Led(Protocol):
    """A game that is led through a turn again."""

    def follow(self, given: Input) -> None:
        """Takes an input that was accepted before, once more."""
