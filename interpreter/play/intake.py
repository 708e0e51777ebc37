"""Inputs of a running game: which prompt each input answers. An input is accepted in full or rejected."""

from __future__ import annotations

from typing import Protocol

import attrs

from interpreter.messages.asking import UNSETTLED, Window
from interpreter.messages.inputs import SEAL, Event, Input, Refused, RuleFailure
from interpreter.messages.standing_rulings import AMEND, RULE
from interpreter.play.answers import Answers
from interpreter.play.basis import Turn
from interpreter.play.contracts import Waiting
from interpreter.play.set_aside import Divided
from interpreter.play.taking_back import TAKEN_BACK
from interpreter.play.throwing import BadFace
from interpreter.play.umpire import RULINGS, Umpire, Umpired
from interpreter.program.failures import in_words
from interpreter.program.program import Program
from interpreter.runtime.references import without_references
from interpreter.runtime.refusals import Why
from interpreter.world.incognito import look_about

__all__ = ["Given", "Intake"]

TYPED = frozenset({"do", "answer", "deadline"})
"""Kinds of inputs whose words are quoted when they are refused; the lines of the others are rule text, or data."""


class Given(Divided, Umpired, Waiting, Protocol):
    """A game that takes inputs. keeps_snapshots: whether it keeps the state at the start of a turn."""

    keeps_snapshots: bool

    @property
    def answers(self) -> Answers:
        """What takes answers."""

    @property
    def umpire(self) -> Umpire:
        """What does what the umpire rules."""

    def what(self, side: str) -> str:
        """What the game is waiting for, in words that a side may read."""

    def advance(self, answer: object) -> None:
        """Continues with an answer until an input is needed."""


class Intake:
    """Takes the inputs of a game."""

    def __init__(self, game: Given) -> None:
        self.game = game

    @property
    def program(self) -> Program:
        """The rules of the game."""
        return self.game.program

    def take(self, given: Input) -> tuple[Event, ...]:
        """Takes an input in the current state. Raises Refused with nothing changed, RuleFailure with the game as it was before."""
        game = self.game
        rolled, own = game.throwing.dice.rolled, game.aside.dice_for(given)
        answer, others = self._begun(given)
        held, fresh = game.basis.kept(), game.fresh
        game.fresh = False
        game.throwing.decided(given)
        try:
            self._do(answer, others)
        except Exception as error:
            if game.blindfolded is not None:
                raise
            game.fresh = fresh
            game.go_by(held)
            game.recover()
            if isinstance(error, BadFace):
                raise Why.OUT_OF_BOUNDS(str(error)) from None
            if given.kind in RULINGS and isinstance(error, RuleFailure):
                raise Why.RULES(
                    f"The game cannot go on after this change: {error}", hint="Nothing was changed."
                ) from error
            raise
        game.aside.heed(given, game.world.journal.events, rolled, own)
        basis = game.basis
        basis.inputs.append(given)
        basis.taken += 1
        if game.fresh and game.keeps_snapshots:
            basis.earlier = Turn(held.first, basis.inputs, held.program, held.scenario)
            basis.inputs, basis.taken = [], 0
            basis.first = game.turn_start
        return tuple(game.world.journal.events)

    def _do(self, answer: object, others: list[Input]) -> None:
        """Continues with an answer and further inputs. Errors pass through; what was done before them is not undone."""
        game = self.game
        self._go_on(answer)
        for other in others:
            self._take_other(other)
        game.throwing.thrown()
        if extra := len(game.throwing.given):
            raise Why.OUT_OF_BOUNDS(
                f"There {'is 1 roll' if extra == 1 else f'are {extra} rolls'} too many.",
                hint="Type only the rolls that the game is waiting for.",
                number=extra,
                most=0,
            )

    def _take_other(self, given: Input) -> None:
        """Takes one more of several commands that form one input. Raises Refused; the previous ones have been carried out: the caller restores the game."""
        try:
            if not isinstance(self.game.runner.pending, Window):
                raise Why.NOT_NOW(
                    "This order asks a question for each of them.", hint="Give the order to one of them at a time."
                )
            answer = self.read(given)
        except Refused as error:
            raise Refused(attrs.evolve(error.refusal, message=f"{given.text}: {error.message}")) from None
        self._go_on(answer)

    def _go_on(self, answer: object) -> None:
        """Continues with an answer, or, where an input settles nothing that the game waits for, with what it changed in sight."""
        if answer is UNSETTLED:
            look_about(self.game.world)
        else:
            self.game.advance(answer)

    def follow(self, given: Input) -> None:
        """Takes an input that was accepted before, once more."""
        game = self.game
        if given.kind == TAKEN_BACK:
            game.basis.taken += 1
            return
        told, rolled, own = len(game.world.journal.events), game.throwing.dice.rolled, game.aside.dice_for(given)
        for one in self._spread(given):
            answer = self.read(one)
            game.throwing.decided(given)
            self._go_on(answer)
        game.throwing.thrown()
        game.aside.heed(given, game.world.journal.events[told:], rolled, own)
        game.basis.taken += 1

    # ---- what it means
    @in_words
    def _begun(self, given: Input) -> tuple[object, list[Input]]:
        """The answer in an input, and the further inputs that it stands for."""
        first, *others = self._spread(given)
        return self.read(first), others

    def _spread(self, given: Input) -> list[Input]:
        """The inputs that an input stands for, with ids for labels: one for each thing if a command is given to several; else itself."""
        game = self.game
        labels = game.world.incognito
        if labels is not None and given.kind not in {
            AMEND,
            RULE,
        }:  # the umpire's words are reported as they were given
            meant = labels.meant(given.text, given.side)
            given = attrs.evolve(given, text=meant if given.kind in TYPED else without_references(meant))
        game.orders.commands.reader.seat = game.seat(given.side)
        return game.orders.spread(given, game.runner.pending)

    def read(self, given: Input) -> object:
        """The meaning of an input for what the game is waiting for. Raises Refused."""
        game = self.game
        pending = game.runner.pending
        if game.world.over or pending is None:
            raise Why.CLOSED("The game is over.", hint="Use `undo` to take back the last input.")
        if given.kind in RULINGS:
            return game.umpire.rule(given)
        match given.kind:
            case "do":
                return game.orders.read(given, pending, game.what)
            case "answer":
                return game.answers.read(pending, given, rehearsed=game.blindfolded is not None)
            case "roll":
                return game.throwing.read_roll(given, game.what)
            case kind if kind == SEAL:
                return game.throwing.read_seal(given)
        raise Why.NOT_UNDERSTOOD(
            f"Unknown kind of input `{given.kind}`: an input is a command, an answer or a roll.", name=given.kind
        )

    def where(self, given: Input) -> object:
        """The situation an input applies to: two situations with equal results are the same for it, apart from other sides' steps.

        None if an input applies only to exactly the situation that its giver saw.
        """
        game = self.game
        world, pending = game.world, None if game.world.over else game.runner.pending
        here = world.turn, tuple(world.phases), world.active.id if world.active is not None else ""
        if given.kind in {"override", SEAL}:
            return given.kind
        if given.kind == "do" and isinstance(pending, Window):
            waiting = [s.id for s in pending.waiting]
            mine = waiting if given.side == "umpire" else given.side in waiting
            return given.kind, *here, game.host.windows, pending.rounds, mine
        if given.kind == "answer":
            asked = [a for a in game.waiting if a.kind == "question" and a.side == given.side]
            place = game.aside.place_in_order(given.side) or (game.host.asked, game.throwing.dice.rolled)
            return given.kind, *here, place, tuple(asked)
        return None
