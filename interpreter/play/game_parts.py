"""What the parts of a game report about it: what it is based on, its state, and what everybody may know."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.syntax.declarations import Scenario
from interpreter.commands.listing import Commands
from interpreter.messages.asking import EachQuestion, Pending, Question, Run
from interpreter.messages.inputs import Awaited, Input, Refused
from interpreter.messages.settings import Settings
from interpreter.messages.sides import UMPIRE
from interpreter.messages.standing_rulings import StandingRuling, Wording
from interpreter.messages.view import ModuleView, OptionView
from interpreter.play.amending import Amending
from interpreter.play.answer_reader import answers_said
from interpreter.play.answers import Answers
from interpreter.play.basis import Basis, Remake
from interpreter.play.orders import Orders
from interpreter.play.rosters import RosterKind, roster_kinds, roster_trouble
from interpreter.play.runner import Runner
from interpreter.play.sealed_dice import Seals
from interpreter.play.throwing import Throwing
from interpreter.play.turns import Turns
from interpreter.play.umpire import modules_now, options_now, table_tells
from interpreter.program.program import Program
from interpreter.runtime.die_rolls import SeededDice
from interpreter.runtime.references import without_references
from interpreter.runtime.runtime import typed
from interpreter.runtime.things import Value
from interpreter.world.seat import Seat
from interpreter.world.world import World

__all__ = ["GameParts"]


class GameParts:
    """The parts of a game that describe it; `Game` puts them together."""

    basis: Basis
    world: World
    orders: Orders
    answers: Answers
    throwing: Throwing
    runner: Runner
    turns: Turns
    amending: Amending
    fresh: bool
    keeps_snapshots: bool

    @property
    def program(self) -> Program:
        """Its rules."""
        return self.basis.program

    @property
    def scenario(self) -> Scenario:
        """The scenario."""
        return self.basis.scenario

    @property
    def settings(self) -> Settings:
        """The settings it was begun with."""
        return self.basis.settings

    @property
    def rules(self) -> Wording | None:
        """The amended text in effect, if it is not the text the game began with."""
        return self.basis.rules

    @property
    def remake(self) -> Remake | None:
        """Makes the program under other modules; None if they cannot be changed."""
        return self.basis.remake

    @remake.setter
    def remake(self, remake: Remake | None) -> None:
        self.basis.remake = remake

    @property
    def inputs_of_turn(self) -> list[Input]:
        """The inputs since the start of the turn."""
        return self.basis.inputs

    @property
    def turn_start(self) -> bytes | None:
        """The state at the start of this turn, if it is kept."""
        return self.turns.start if self.keeps_snapshots else None

    def snapshot(self) -> bytes | None:
        """The state at the start of this turn, if there has been no input since; else None."""
        return self.turns.start if self.fresh and self.keeps_snapshots else None

    @property
    def turn(self) -> int:
        """The number of the turn."""
        return self.world.turn

    @property
    def phase(self) -> str:
        """The name of the phase, or an empty text between phases."""
        return self.world.phases[-1][0] if self.world.phases else ""

    def is_in_phase(self, name: str) -> bool:
        """Whether a phase or step of this name is in progress."""
        return self.world.in_phase((name,))

    @property
    def phases(self) -> dict[str, str]:
        """The phases and steps of the game with their titles: those of its sequences, then the others."""
        return self.program.phases(everywhere=True)

    @property
    def active(self) -> str:
        """The id of the side whose turn it is, or an empty text."""
        return self.world.active.id if self.world.active is not None else ""

    @property
    def over(self) -> str:
        """Why the game is over; empty while it runs."""
        return self.world.over

    @property
    def pending(self) -> Pending | None:
        """What the game is waiting for, as an object: a Window, Question, EachQuestion, Sealed, Roll, or None."""
        return None if self.world.over else self.runner.pending

    @property
    def running(self) -> Run | None:
        """The outermost suspended generator, which waits for the inner ones."""
        return self.runner.run

    def table_tells(self, question: str) -> bool:
        """Whether only the players' table knows the answer to a question."""
        return table_tells(self.world, question)

    def is_untold(self, order: str) -> bool:
        """Whether only its own side learns of an order."""
        return self.orders.is_untold(order)

    def standing_for(self, side: str) -> Sequence[StandingRuling]:
        """The rulings in effect that are visible to a side."""
        return self.world.rulings.standing_for(side)

    def words_of_rules(self) -> frozenset[str]:
        """What a ruling can be about: names that the rules declare, and their citations."""
        return self.amending.words_of_rules()

    def options_now(self) -> tuple[OptionView, ...]:
        """The options of the rules, with their current values."""
        return options_now(self.world)

    def modules_now(self) -> tuple[ModuleView, ...]:
        """The modules of the rules, on or off."""
        return modules_now(self.program.ruleset)

    def roster_kinds(self) -> dict[str, RosterKind]:
        """The kinds whose things can appear in a roster, by name: everybody may know them."""
        return roster_kinds(self.world)

    def would_mean(self, question: Question | EachQuestion, text: str) -> Value:
        """The meaning of a text as an answer, without answering. Raises Refused, worded for the umpire."""
        try:
            return self.answers.reader.meant(question, text)
        except Refused as error:
            raise Seat(self.world, UMPIRE).told(error) from error.__cause__

    @staticmethod
    def answers_said(question: Question) -> str:
        """The possible answers to a question, worded for the umpire."""
        return without_references(answers_said(question))

    @staticmethod
    def called_in_answers(value: object) -> str:
        """What may be chosen, as the umpire types it."""
        return typed(value)

    def roster_trouble(self, texts: Sequence[str]) -> list[Refused | None]:
        """The refusal of each line of a roster that the umpire intends to give, or None."""
        seat = Seat(self.world, UMPIRE)
        return [one and seat.told(one) for one in roster_trouble(self.world, texts)]

    @property
    def commands(self) -> Commands:
        """What reads commands, and lists them."""
        return self.orders.commands

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The orders for which the last `legal` did not check every combination of arguments, because there are too many."""
        return tuple(self.orders.commands.unfinished)

    @property
    def dice(self) -> SeededDice:
        """The source of dice that are not typed."""
        return self.throwing.dice

    @property
    def typed(self) -> bool:
        """Whether dice are rolled at the table and typed."""
        return self.throwing.typed

    @property
    def seals(self) -> Seals | None:
        """The seals of sealed dice."""
        return self.throwing.seals

    @property
    def seals_awaited(self) -> tuple[Awaited, ...]:
        """Who must seal the dice that the game is waiting for. It does not reveal what they are rolled for."""
        return self.throwing.seals_awaited
