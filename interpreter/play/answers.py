"""Answers in a running game: which question a typed answer is for, what it means there, and to whom it is reported."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.messages.asking import UNSETTLED, EachQuestion, Pending, Question, Sealed
from interpreter.messages.happenings import QuestionAnswered
from interpreter.messages.inputs import Input, Refused
from interpreter.messages.sides import side_called
from interpreter.play.answer_reader import AnswerReader, answer_to
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import say
from interpreter.runtime.things import Value, things_in
from interpreter.world.world import World

__all__ = ["Answers"]

UNCLEAR = "Several questions are open at once: say which one you answer."


class Answers:
    """Takes answers in one world. what: says what the game is waiting for, in words that a side may read."""

    def __init__(self, world: World, what: Callable[[str], str]) -> None:
        self.world, self.what = world, what
        self.reader = AnswerReader(world)

    def read(self, pending: Pending | None, given: Input, *, rehearsed: bool) -> Value:
        """The meaning of an answer to an open question; UNSETTLED while others of a sealed round have yet to answer. Raises Refused.

        rehearsed: whether this is only a trial: then the answers of others are not revealed.
        """
        if isinstance(pending, Sealed):
            return self._read_sealed(pending, given, rehearsed=rehearsed)
        if not isinstance(pending, Question | EachQuestion):
            raise Why.NOT_NOW("No question is open.", hint=self.what(given.side))
        if given.side != "umpire" and side_called(self.world, given.side) is not pending.side:
            raise Why.NOT_YOURS(
                f"This question is for {pending.side.id}, not for {given.side}.",
                question=pending.name,
                side=pending.side.id,
            )
        if given.subject and given.subject != pending.name:
            raise Why.NOT_NOW(
                f"The open question is {pending.name}, not {given.subject}.",
                hint=self.what(given.side),
                question=pending.name,
                name=given.subject,
            )
        answer = self.reader.meant(pending, given.text)
        self._tell_choice(pending, answer, pending.side.id if pending.secret else "all")
        return answer

    def _read_sealed(self, sealed: Sealed, given: Input, *, rehearsed: bool) -> Value:
        """Takes one answer of a sealed round. Only its giver sees it; the others see it when all have answered."""
        question = self._one_of(sealed, given)
        answer = self.reader.meant(question, given.text)
        sealed.answers[sealed.questions.index(question)] = answer
        self._tell_choice(question, answer, question.side.id)
        if sealed.open or rehearsed:
            return UNSETTLED
        for number, asked in enumerate(sealed.questions):
            if not asked.secret:
                for other in self.world.all_of("side"):
                    if other is not asked.side:
                        self._tell_choice(asked, sealed.answers[number], other.id)
        return [sealed.answers[number] for number in range(len(sealed.questions))]

    def _one_of(self, sealed: Sealed, given: Input) -> Question | EachQuestion:
        """The question of a sealed round that an answer is for. Raises Refused."""
        mine = [q for q in sealed.open if given.side == "umpire" or q.side is side_called(self.world, given.side)]
        spoken = {q.name for q in mine if not given.subject and answer_to(q, given.text) != given.text}
        named = [q for q in mine if (q.name in spoken if spoken else given.subject in {"", q.name})]
        if not mine:
            raise Why.CLOSED(
                f"{given.side} has already answered; other sides have not.", hint=self.what(given.side), side=given.side
            )
        if not named:
            known = " and ".join(dict.fromkeys(q.name for q in mine))
            raise Why.NOT_NOW(
                f"The open question for {given.side} is {known}, not {given.subject}.",
                side=given.side,
                question=given.subject,
            )
        if len({q.side for q in named}) > 1:
            return self._of_several(named, given)
        if not given.subject and not spoken and len(named) > 1:
            raise Why.UNCLEAR(UNCLEAR, hint="Use `answer QUESTION with …`. Each side answers for itself.")
        return named[0]

    def _of_several(self, asked: list[Question | EachQuestion], given: Input) -> Question | EachQuestion:
        """Which of the questions to several sides the umpire answers: the one that accepts the answer. Raises Refused."""
        fitting = [q for q in asked if self._fits(q, given.text)]
        if len(fitting) == 1:
            return fitting[0]
        if len({q.name for q in asked}) > 1:
            raise Why.UNCLEAR(UNCLEAR, hint="Use `answer QUESTION with …`. Each side answers for itself.")
        ways = " or ".join(dict.fromkeys(f"`--as {q.side.id}`" for q in asked))
        message = f"Several sides are asked {asked[0].name}: say for which of them you answer."
        raise Why.UNCLEAR(message, hint=f"Answer as that side: {ways}.", question=asked[0].name)

    def may_be(self, pending: Pending | None, side: str, name: str, text: str) -> bool:
        """Whether a text, with ids, would be accepted as an answer to an open question, without answering."""
        asked = pending.open if isinstance(pending, Sealed) else [pending]
        for question in asked:
            if isinstance(question, Question | EachQuestion) and question.name == name and question.side.id == side:
                return self._fits(question, text)
        return False

    def _fits(self, question: Question | EachQuestion, text: str) -> bool:
        """Whether a question would accept an answer."""
        try:
            self.reader.meant(question, text)
        except Refused:
            return False
        return True

    def _tell_choice(self, pending: Question | EachQuestion, answer: object, to: str) -> None:
        """Records an answer; sides that must not know of a thing in it learn only that one was given."""
        world, parts = self.world, answer if isinstance(answer, list | tuple) else [answer]
        what = QuestionAnswered(pending.name, tuple(say(x) for x in parts), pending.side.id, say(answer))
        knowing = world.knowledge.knowing(things_in(answer), to)
        for told in knowing:
            world.journal.happened(what, pending.site, pending.side, told)
        if knowing != [to] and not pending.secret:
            for other in world.all_of("side"):
                if other.id not in knowing and to in {"all", other.id}:
                    untold = QuestionAnswered(pending.name, by=pending.side.id)
                    world.journal.happened(untold, pending.site, pending.side, other.id)
