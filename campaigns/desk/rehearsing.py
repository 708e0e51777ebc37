"""A rehearsal of a side's orders before they are given: all errors in them, and how far they reach.

They are tried in the world as the side knows it, and no dice are rolled, so that nobody learns from an error what they could
not have known. A refused order is left out and the rest is tried without it, so that all errors are reported at once.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import takewhile
from typing import Protocol

from attrs import define, evolve, field, frozen

from campaigns.desk.commanders import Commander, refuse_result
from campaigns.desk.letter_orders import SaidOrder
from campaigns.desk.trays import is_needless
from campaigns.play.typed import input_of, is_ruling
from campaigns.play.whole_answers import answers_that_stand
from interpreter.commands.command_reader import orders_like
from interpreter.machine import Game
from interpreter.messages.asking import Window
from interpreter.messages.inputs import ENDINGS, SEAL, Awaited, Input, Refused, RuleFailure
from interpreter.runtime.refusals import Refusal, Why

__all__ = ["MANY", "NOT_YOURS", "NO_ANSWER", "REFUSED", "TOO_LATE", "Fault", "TriedOrders", "input_for", "rehearse"]

MOST_FAULTS = 40
"""How many faults are searched for; after that the rest of the orders is not checked."""
MOST_LEGAL = 5
"""How many legal commands are listed with a fault."""
MOST_SEARCHED = 300

REFUSED, NO_COMMAND, NO_ANSWER = "refused", "no command", "no answer"
NOT_UNDERSTOOD, NOT_YOURS, TOO_LATE = "not understood", "not yours", "too late"
OTHERS, DICE, HIDDEN, SEALED, TABLE, MANY = "others", "dice", "hidden", "sealed", "table", "many"


@frozen
class Fault:
    """Something wrong with one command.

    Attributes:
        kind: REFUSED (the rules forbid it), NOT_UNDERSTOOD, NO_COMMAND (it begins with no order), NOT_YOURS (only the umpire may
            give it), TOO_LATE (an earlier letter that says otherwise was acted on) or NO_ANSWER (it asks something, and orders follow in the place of the answer).
        position: which command, counted from 0.
        refusal: what is wrong, as data.
        legal: some of the commands or answers that would be accepted in its place.
        question: for NO_ANSWER, the name of the question.
        after: earlier wrong commands that name the same things: it may only be wrong because of them.
    """

    kind: str
    position: int
    refusal: Refusal
    legal: tuple[str, ...] = ()
    question: str = ""
    after: tuple[int, ...] = ()

    def place_in(self, said: SaidOrder) -> tuple[int, int]:
        """The line and the column of what is wrong in its command: the beginning of one that is no order at all."""
        return said.places[0] if self.kind == NO_COMMAND else said.place_of(self.message)

    @property
    def message(self) -> str:
        """What is wrong, in full sentences."""
        return self.refusal.message

    @property
    def cites(self) -> tuple[str, ...]:
        """By which rules."""
        return self.refusal.cites

    @property
    def hint(self) -> str:
        """What would help, or empty."""
        return self.refusal.hint


@define
class TriedOrders:
    """The result of a rehearsal.

    Attributes:
        faults: what is wrong, in the order of the commands.
        ends: why it ended before the last command: OTHERS (others must act), DICE, HIDDEN, SEALED, TABLE (a battle is fought there),
            MANY (too many faults), or "".
        reached: how many commands could be tried.
        needless: the places of answers to what was not asked.
        opens: if the last of them leaves a question to the side open: which answer it still needs.
    """

    faults: list[Fault] = field(factory=list)
    ends: str = ""
    reached: int = 0
    needless: list[int] = field(factory=list)
    opens: Fault | None = None


class Games(Protocol):
    """Games in the state in which commands are given: one to look at, and new ones to try them on."""

    @property
    def seen(self) -> Game:
        """The one to look at."""

    def made(self) -> Game:
        """A new game."""


def rehearse(games: Games, side: str, commands: Sequence[SaidOrder], who: Commander | None = None) -> TriedOrders:
    """Tries the commands of a side.

    Args:
        games: games in the state in which the commands are given.
        side: whose commands they are.
        commands: the commands.
        who: the commander of a part of the side who gives them, whose orders wait while the side is asked something.
    """
    trial = _Trial(games.made, side, who.over if who is not None else ())
    found = TriedOrders()
    at = 0
    while at < len(commands):
        if len(found.faults) >= MOST_FAULTS:
            found.ends = MANY
            break
        group = _group(commands, at)
        fault, ends = trial.take(commands, at, group)
        if fault is not None:
            found.faults.append(_with_causes(fault, found.faults, commands))
        if ends:
            found.ends, found.reached, found.needless = ends, at, trial.needless
            found.faults += _not_understood(games.seen, side, commands, at)
            return found
        at = found.reached = group
    found.needless = trial.needless
    if commands and not found.faults:
        found.opens = trial.unanswered(len(commands) - 1)
    return found


def input_for(said: SaidOrder, side: str, awaiting: Sequence[Awaited]) -> Input:
    """The input that a command stands for; an answer that names no question answers the only one that its side is asked."""
    given = input_of(said.text, side)
    if given.kind != "answer" or given.subject:
        return given
    asked = [one.name for one in awaiting if one.kind == "question" and one.side == side]
    return Input("answer", side, given.text, asked[0]) if len(asked) == 1 else given


def _group(commands: Sequence[SaidOrder], at: int) -> int:
    """Where the answers to an order end; an answer that stands below none is tried by itself."""
    end = at + 1
    while not _is_answer(commands[at]) and end < len(commands) and _is_answer(commands[end]):
        end += 1
    return end


def _is_answer(said: SaidOrder) -> bool:
    return said.is_command and said.text.lower().startswith("answer ")


class _Trial:
    """A game on which commands are tried; it is rebuilt without those that were refused."""

    def __init__(self, made: Callable[[], Game], side: str, over: Collection[str]) -> None:
        self._made, self.side, self._over = made, side, over
        self._taken: list[Input] = []
        self.needless: list[int] = []
        self._begin()

    def _begin(self) -> None:
        game = self._made()
        self._typed = game.typed
        self.game = game.seen_by(self.side)
        self.game.blindfold(self.side)
        for given in self._taken:
            self.game.offer(self.game.as_typed(given))

    def asked(self) -> Awaited | None:
        """What the side is asked now, if anything."""
        return next((one for one in self.game.waiting if one.kind == "question" and one.side == self.side), None)

    def take(self, commands: Sequence[SaidOrder], start: int, end: int) -> tuple[Fault | None, str]:
        """Takes a command with its answers, or none of them; returns what is wrong with it, and why the rehearsal ends before the next."""
        before = len(self._taken)
        for at in range(start, end):
            said = commands[at]
            given = input_for(said, self.side, self.game.waiting)
            if self._taken and self.game.spend(given):
                continue
            fault, ends = _of_table(self.game, given, at), self._ends(given)
            if ends and fault is None:
                return None, ends
            if fault is None and is_needless(commands, at, self.game.waiting, self.side):
                self.needless.append(at)
                continue
            fault = fault or self._fault(said, given, at)
            if fault is None:
                try:
                    self.game.offer(self.game.as_typed(given))
                    self._taken.append(given)
                    continue
                except RuleFailure:
                    return None, HIDDEN
                except Refused as refused:
                    fault = self._refused(refused, given, at)
            del self._taken[before:]
            self._begin()
            return fault, ""
        is_more = end < len(commands) and not _is_answer(commands[end])
        if is_more and (fault := self.unanswered(end - 1)) is not None:
            del self._taken[before:]
            self._begin()
            return fault, ""
        return None, ""

    def unanswered(self, at: int) -> Fault | None:
        """The answer that the side still has to give after a command; None if it is asked nothing, or only what the table decides."""
        asked = self.asked()
        return _unanswered(asked, at, self._answers(asked)) if asked is not None and not asked.at_table else None

    def _answers(self, asked: Awaited) -> list[str]:
        """Some complete answers to a question of the side."""
        may = partial(self.game.may_answer, self.side, asked.name)
        return [f"answer {asked.name} with {one}" for one in answers_that_stand(asked, may, MOST_LEGAL)]

    def _ends(self, given: Input) -> str:
        """Why the result of an input cannot be known, or empty."""
        waiting = self.game.waiting
        if any(one.kind in {"dice", SEAL} for one in waiting):
            return "" if given.kind == "roll" and self._typed else DICE
        if (asked := self.asked()) is not None and asked.at_table:
            return TABLE
        if self._over and given.kind == "do" and asked is not None:
            return OTHERS
        is_waited_for = any(one.side == self.side for one in waiting)
        if any(one.kind == "question" and one.side != self.side for one in waiting):
            if asked is not None and _answers_it(given, asked):
                return ""  # each side is asked for itself, and nothing follows before all have answered
            return SEALED if is_waited_for else OTHERS
        return "" if is_waited_for or any(one.kind == "over" for one in waiting) else OTHERS

    def _fault(self, said: SaidOrder, given: Input, at: int) -> Fault | None:
        """What is wrong with a command without looking at the game."""
        if not said.is_command:
            orders = ", ".join(_offered(self.game, self.side))
            pending = self.game.runner.pending
            known = pending.orders if isinstance(pending, Window) else ()
            return _no_order(at, known, said, f" Orders now: {orders or 'none'}.")
        if is_ruling(said.text):
            return _ruling(said, at, "Write to the umpire about it.")
        if given.kind == "answer" and not given.subject and self.asked() is not None:
            several = Why.UNCLEAR("Several questions are open.", hint="Name the question: `answer QUESTION with …`.")
            return Fault(REFUSED, at, several.refusal)
        return None

    def _refused(self, refused: Refused, given: Input, at: int) -> Fault:
        hint, legal, question = refused.hint, [], ""
        if given.kind == "answer":
            asked = self.asked()
            question = asked.name if asked is not None else ""
            legal = self._answers(asked) if asked is not None else []
        elif given.kind == "do":
            name = given.text.partition(" ")[0].lower()
            offered = _offered(self.game, self.side)
            pending, when = self.game.runner.pending, ""
            if name in offered:
                legal = _nearest(given.text, self._like(name, given.text))
                when = "round of orders" if isinstance(pending, Window) and pending.rounds else ""
            elif name not in ENDINGS and offered:
                when = "phase"
            if when:
                hint = f"{hint} If it is meant for a later {when}, end this one with `done` on a line above it.".strip()
        return Fault(REFUSED, at, evolve(refused.refusal, hint=hint), tuple(legal), question)

    def _like(self, name: str, text: str) -> list[str]:
        """Legal commands of an order: those for what a refused one names first, if there are any."""
        first = re.findall(r"[^\s,]+", text)[1:2]
        for under in (first, self._over) if first else (self._over,):
            found = self.game.examples(self.side, [name], MOST_SEARCHED, under).get(name, [])
            if found:
                return found
        return []


def _answers_it(given: Input, asked: Awaited) -> bool:
    """Whether an input is meant as an answer to a question."""
    return given.kind == "answer" and given.subject.lower() in {"", asked.name.lower()}


def _offered(game: Game, side: str) -> tuple[str, ...]:
    return next((one.choices for one in game.awaiting if one.kind == "orders" and one.side == side), ())


def _nearest(text: str, legal: Sequence[str]) -> list[str]:
    """The legal commands whose beginning is most like a refused one."""
    words = text.lower().split()

    def alike(command: str) -> tuple[int, int]:
        """How many words are the same, and how many letters of the first one that is not."""
        for number, (one, other) in enumerate(zip(words, command.lower().split(), strict=False)):
            if one != other:
                same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
                return -number, -len(list(same))
        return -len(words), 0

    ranked = sorted(legal, key=alike)
    most = alike(ranked[0])[0] if ranked else 0
    return [command for command in ranked if alike(command)[0] == most][:MOST_LEGAL]


def _unanswered(asked: Awaited, at: int, said: Sequence[str]) -> Fault:
    cites, hint = (asked.where,) if asked.where else (), f"Write `answer {asked.name} with …` on the next line."
    refused = Why.NOT_NOW(asked.prompt, cites, hint, question=asked.name)
    return Fault(NO_ANSWER, at, refused.refusal, tuple(said), asked.name)


def _no_order(at: int, known: Iterable[str], said: SaidOrder, now: str = "") -> Fault:
    """A line that begins with no order; the hint names the orders that it is spelled like, as in the terminal. known: those that are possible."""
    near = orders_like(said.text, known)
    meant = f"Did you mean {' or '.join(near)}? " if near else ""
    hint = f"{meant}If it is not meant as one, put `#` in front of it.{now}"
    return Fault(NO_COMMAND, at, Why.NOT_UNDERSTOOD("This is not an order.", hint=hint).refusal)


def _ruling(said: SaidOrder, at: int, hint: str = "") -> Fault:
    refused = Why.NOT_YOURS(f"`{said.text.split()[0].lower()}` is for the umpire only.", hint=hint)
    return Fault(NOT_YOURS, at, refused.refusal)


def _of_table(game: Game, given: Input, at: int) -> Fault | None:
    """What is wrong with an answer that only the table knows."""
    try:
        refuse_result(game, given)
    except Refused as refused:
        return Fault(NOT_YOURS, at, refused.refusal)
    return None


def _with_causes(fault: Fault, before: Sequence[Fault], commands: Sequence[SaidOrder]) -> Fault:
    """A fault with those before it that concern the same things."""
    words = _things(commands[fault.position])
    after = tuple(one.position for one in before if words & _things(commands[one.position]))
    return evolve(fault, after=after[-1:])


def _things(said: SaidOrder) -> set[str]:
    """The words of a command that name something."""
    return {word for word in said.text.lower().replace(",", " ").split()[1:] if not word.isalpha()}


def _not_understood(game: Game, side: str, commands: Sequence[SaidOrder], start: int) -> list[Fault]:
    """What is wrong with commands whose result cannot be known yet: only whether they can be understood."""
    faults = []
    for at in range(start, len(commands)):
        said = commands[at]
        if not said.is_command:
            faults.append(_no_order(at, game.program.orders, said))
        elif is_ruling(said.text):
            faults.append(_ruling(said, at))
        elif (fault := _of_table(game, input_of(said.text, side), at)) is not None:
            faults.append(fault)
        elif input_of(said.text, side).kind == "do" and said.text.lower() not in ENDINGS:
            try:
                game.understand(side, said.text)
            except Refused as refused:
                faults.append(Fault(NOT_UNDERSTOOD, at, refused.refusal))
            except RuleFailure:
                break
    return faults[:MOST_FAULTS]
