"""Answers in advance: lines of a letter that answer what its side may be asked while nobody reads its mail.

    if asked joiners: tf-2, tf-3
    if asked stand of guard-3: yes      only if the question names guard-3
    repeat if asked replies: no         in every turn, until another letter says otherwise
    if asked nothing                    ends them all

Such a line is no order: it has no place among the orders of its letter, and nothing waits for it. It is kept beside the chain. When
its question is open and no letter answers it, it becomes an ordinary answer of its side.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field, frozen

from campaigns.desk.commanders import Commander, commanders_of, refuse, refuse_result, side_of_seat
from campaigns.desk.letter_orders import IN_ADVANCE, LetterOrders, SaidOrder, is_said_in_advance
from campaigns.desk.rehearsing import REFUSED, Fault
from campaigns.play.typed import input_of
from dsl.rules.chains import nodes_in
from dsl.syntax import body_lines as ln
from dsl.text.diagnostics import did_you_mean
from interpreter.messages.inputs import Awaited, Input, Refused, RuleFailure
from interpreter.queries.awaited import awaited
from interpreter.runtime.refusals import Refusal, Why

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = [
    "AnswerInAdvance",
    "AnswersInForce",
    "SaidAnswers",
    "answers_apart",
    "answers_checked",
    "answers_in_force",
    "with_refusals",
]

MOST = 200
"""The most answers in advance that a letter may hold."""
MOST_GIVEN = 500
"""The most of them that are given at once: rules may ask the same again and again."""


@frozen
class AnswerInAdvance:
    """An answer in advance.

    Attributes:
        seat: whose it is: that of a side, or of a commander, as `red/tom`.
        question: the name of the question.
        thing: the name that the question must contain; empty for none.
        answer: the answer.
        turn: the turn in which it holds; 0: in every turn.
    """

    seat: str
    question: str
    thing: str
    answer: str
    turn: int = 0

    @property
    def text(self) -> str:
        """The line that says it."""
        of = f" of {self.thing}" if self.thing else ""
        return f"{'' if self.turn else 'repeat '}if asked {self.question}{of}: {self.answer}"

    def holds_in(self, turn: int) -> bool:
        """Whether it holds in a turn."""
        return self.turn in {0, turn}

    def fits(self, asked: Awaited) -> bool:
        """Whether it is for a question. asked: the question in the words of the side."""
        if asked.kind != "question" or asked.at_table or asked.side != side_of_seat(self.seat):
            return False
        said = "\n".join([asked.prompt, *(name for names in asked.named for name in names), *asked.choices]).lower()
        named = re.search(rf"(?<![\w-]){re.escape(self.thing.lower())}(?![\w-])", said)
        return asked.name.lower() == self.question and (not self.thing or named is not None)


@frozen
class SaidAnswers:
    """The lines of a letter that are answers in advance, or almost.

    Attributes:
        lines: the lines.
        faults: what is wrong with some of them; the position of each is that among `lines`.
    """

    lines: tuple[SaidOrder, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def taken(self) -> tuple[SaidOrder, ...]:
        """The lines with which nothing is wrong."""
        wrong = {fault.position for fault in self.faults}
        return tuple(said for at, said in enumerate(self.lines) if at not in wrong)

    @property
    def are_meant(self) -> bool:
        """Whether one of them has the form of an answer in advance, and is not only a sentence that begins like one."""
        return any(IN_ADVANCE.fullmatch(said.text) for said in self.lines)

    def note(self, seat: str, turn: int) -> dict[str, Any]:
        """What to note for their letter: they replace all earlier ones of their seat; nothing if it has none. turn: when they come."""
        if not self.taken:
            return {}
        kept = [_read(said, seat, turn) for said in self.taken if not _is_ending(said)]
        return {_named(seat): [[one.question, one.thing, one.answer, one.turn] for one in kept] or None}


def _named(whose: str) -> str:
    """The note about the answers in advance of a side or a commander."""
    return f"answers {whose}"


def _is_ending(said: SaidOrder) -> bool:
    found = IN_ADVANCE.fullmatch(said.text)
    return found is not None and found["question"] is None


def _read(said: SaidOrder, seat: str, turn: int) -> AnswerInAdvance:
    """The answer of a line; it may be written as a whole `answer … with …`."""
    found = IN_ADVANCE.fullmatch(" ".join(said.text.split()))
    assert found is not None
    question, given = found["question"].lower(), input_of(found["answer"], side_of_seat(seat))
    answer = given.text if given.kind == "answer" and given.subject in {"", question} else found["answer"]
    return AnswerInAdvance(seat, question, found["thing"] or "", answer, 0 if said.repeat else turn)


def answers_apart(said: LetterOrders) -> tuple[SaidAnswers, LetterOrders]:
    """The answers in advance of a letter, also those that are written wrongly, and the rest of it."""
    wrong = [line for line in said.passed_over if is_said_in_advance(line.text)]
    lines = [one for one in said.commands if is_said_in_advance(one.text)]
    lines += [SaidOrder(line.text, line.places) for line in wrong]
    commands = tuple(one for one in said.commands if one not in lines)
    rest = evolve(said, commands=commands, passed_over=tuple(one for one in said.passed_over if one not in wrong))
    return SaidAnswers(tuple(sorted(lines, key=lambda one: one.line))), rest


def answers_checked(game: "Game", seat: str, who: Commander | None, answers: SaidAnswers) -> SaidAnswers:
    """The answers in advance of a letter with what is wrong with them. Whether an answer is legal is seen when the question is asked.

    Args:
        game: the game.
        seat: whose letter it is.
        who: the commander of that seat; None for the seat of a side.
        answers: the answers.
    """
    faults, names = [], _questions(game) if answers.lines else frozenset()
    for at, said in enumerate(answers.lines):
        try:
            if at >= MOST:
                raise Why.OUT_OF_BOUNDS(f"A letter may hold {MOST} answers in advance.")
            if not _is_ending(said):
                _check(game, seat, who, said, names)
        except Refused as error:
            faults.append(Fault(REFUSED, at, error.refusal))
    return evolve(answers, faults=tuple(faults))


def _check(game: "Game", seat: str, who: Commander | None, said: SaidOrder, names: frozenset[str]) -> None:
    """Raise Refused if a line is no answer in advance, if no rule asks its question, or if the seat may not answer it."""
    if not IN_ADVANCE.fullmatch(said.text):
        hint = "Write `if asked QUESTION: ANSWER`. If it is not meant as one, put `#` in front of it."
        raise Why.NOT_UNDERSTOOD("This is no answer in advance.", hint=hint)
    one = _read(said, seat, game.turn)
    if one.question not in names:
        raise Why.UNKNOWN_NAME(f"No rule asks a question named {one.question}.", hint=did_you_mean(one.question, names))
    given = Input("answer", side_of_seat(seat), one.answer, one.question)
    refuse_result(game, given)
    if who is not None:
        refuse(game, who, given, asked_for=True)


def _questions(game: "Game") -> frozenset[str]:
    """The names of all questions that the rules ask."""
    lines = nodes_in(tuple(game.program.ruleset.declarations))
    return frozenset(one.name.lower() for one in lines if isinstance(one, ln.Choose | ln.EachChooses))


def answers_in_force(campaign: "Campaign[Game]", seat: str) -> list[AnswerInAdvance]:
    """The answers in advance of a side or a commander that hold in this turn, in their order."""
    note: Any = campaign.notes().get(_named(seat))
    rows = [row for row in note if isinstance(row, list)] if isinstance(note, list) else []
    rows = [row for row in rows if [type(one) for one in row] == [str, str, str, int]]
    return [one for row in rows if (one := AnswerInAdvance(seat, *row)).holds_in(campaign.game.turn)]


def with_refusals(campaign: "Campaign[Game]", seat: str) -> tuple[tuple[str, str], ...]:
    """The lines of the answers in advance of a seat that are in force, and why the rules refuse each as an answer to what is open now; empty if they do not."""
    found = AnswersInForce.of(campaign, lambda other: other == seat)
    if found.is_asked_for(campaign.game):
        game = campaign.state_at(campaign.head)
        found.give(game, lambda given: game.offer(game.as_typed(given)))
    return tuple((one.text, why.message if (why := found.refused.get(one)) is not None else "") for one in found.lines)


@define
class AnswersInForce:
    """The answers in advance of some seats.

    Attributes:
        lines: the answers; those of the seat of a side precede those of its commanders.
        people: the commanders.
        refused: those that were given last and that the rules refused, while their question is still open.
        given: how many were given.
    """

    lines: Sequence[AnswerInAdvance] = ()
    people: dict[str, Commander] = field(factory=dict)
    refused: dict[AnswerInAdvance, Refusal] = field(factory=dict)
    given: int = 0

    @classmethod
    def of(cls, campaign: "Campaign[Game]", may: Callable[[str], bool] = lambda _: True) -> "AnswersInForce":
        """Those of a campaign. may: whether those of a seat count."""
        people = {one.seat: one for one in commanders_of(campaign)}
        seats = [seat for seat in (*(side.id for side in campaign.game.sides), *people) if may(seat)]
        return cls([one for seat in seats for one in answers_in_force(campaign, seat)], people)

    def is_asked_for(self, game: "Game") -> bool:
        """Whether one of them is for a question that is open."""
        return any(True for _ in self._open(game))

    def give(self, game: "Game", offer: Callable[[Input], object]) -> Input | None:
        """Answers an open question, by the first answer for it that the rules accept; returns it, or None if there is none.

        Args:
            game: the game.
            offer: gives an input to it. Raises Refused, RuleFailure.
        """
        for asked, lines in self._open(game) if self.given < MOST_GIVEN else ():
            refused: dict[AnswerInAdvance, Refusal] = {}
            for one in lines:
                given = Input("answer", asked.side, one.answer, asked.name)
                try:
                    if "/" in one.seat:
                        refuse(game, self.people[one.seat], given)
                    offer(given)
                except (Refused, RuleFailure) as error:
                    refused[one] = error.refusal
                    continue
                for other in lines:
                    self.refused.pop(other, None)
                self.given += 1
                return given
            self.refused |= refused
        return None

    def _open(self, game: "Game") -> Iterator[tuple[Awaited, list[AnswerInAdvance]]]:
        """The open questions to sides that have answers for them, with these."""
        for side in dict.fromkeys(side_of_seat(one.seat) for one in self.lines):
            seen = game.seen_by(side)
            for asked in seen.seat(side).told(awaited(seen, all_orders=True)):
                lines = [one for one in self.lines if one.holds_in(game.turn) and one.fits(asked)]
                if lines:
                    yield asked, lines
