"""Exact chances: every outcome of the dice still to be rolled, from the point that an example's procedure has reached.

The dice are enumerated one roll after the other. If two outcomes lead to the same state of everything that the rest can read,
they are followed once: sixteen shots at a target of four hits are a few dozen states, not billions of outcomes.
A generator cannot be copied, so to try another outcome the world is set back and the procedure runs again.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from fractions import Fraction

import attrs

from interpreter.examples.session import Session
from interpreter.messages.asking import EachQuestion, Pending, Question, Roll, Sealed
from interpreter.messages.every_answer import every_answer
from interpreter.outcomes.standing_keys import key_of
from interpreter.outcomes.standings import SideStanding
from interpreter.runtime.die_rolls import faces_of, read_dice
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import say

MOST_WAYS = 20_000
"""The most runs of the procedure to compute a chance."""
MOST_ANSWERS = 200
"""An unanswered question is tried with at most this many answers."""

# ---- dice -------------------------------------------------------------------------------------------------------------
LAY_OUT = "Give the answer in an earlier line: `answer NAME with …`. It is used every time the question is asked."

Chances = tuple[Fraction, ...]
"""The chance of each condition."""
Step = int | tuple[int]
"""An input of a run: the result of dice, or an answer by its index among all possible ones."""


def _asked(pending: Question | EachQuestion | Sealed) -> list[Question | EachQuestion]:
    return pending.open if isinstance(pending, Sealed) else [pending]


def _told(answer: object) -> str:
    """An answer as people read it; those of a sealed round, in brackets."""
    if isinstance(answer, list) and any(isinstance(x, list | dict) for x in answer):
        return " and ".join(f"({say(x)})" for x in answer)
    return say(answer)


@attrs.define(slots=True, eq=False)
class Enumeration:
    """Computes the chances of some conditions, all from the same state.

    again: resets the world and runs the procedure up to the example's current point; holds: for each condition whether it
    is true now; read: the frames that the conditions read.
    """

    session: Session
    first: SideStanding
    again: Callable[[], None]
    holds: Callable[[], Iterable[bool]]
    read: frozenset[str]
    runs: int = 0
    known: dict[object, Chances] = attrs.field(factory=dict)

    def chances(self) -> Chances:
        """The chance that each condition is true at the end. Leaves the example unchanged. Raises Refused."""
        stories = self.session.world.stories
        told, stories.told, stories.open = stories.told, False, ()  # nobody reads hypothetical stories
        self.session.rehearsing = True
        try:
            return self._from([])
        finally:
            self.session.rehearsing = False
            stories.told = told
            self.again()

    def _key(self) -> object:
        """The key of the run's current state, with the answers that are left."""
        session = self.session
        standing = key_of(session.world, session.runner.run, session.pending, self.read, self.first)
        return standing, tuple(session.answers)

    def _from(self, thrown: list[Step]) -> Chances:
        """The chances from the session's state after these dice and answers."""
        pending = self.session.pending
        if isinstance(pending, Question | EachQuestion | Sealed) and not self.session.world.over:
            return self._whatever_is_answered(pending, thrown)
        if not isinstance(pending, Roll):
            self._must_be_over(pending)
            return tuple(Fraction(held) for held in self.holds())
        key = self._key()
        if key in self.known:
            return self.known[key]
        ways: list[tuple[Fraction, Chances]] = []
        for number, (face, part) in enumerate(faces_of(read_dice(pending.dice))):
            if number:
                self._run_again(thrown)
            self.session.throw(face)
            ways.append((part, self._from([*thrown, face])))
        one_by_one = zip(*(chances for _, chances in ways), strict=True)
        total = tuple(
            sum((part * x for (part, _), x in zip(ways, each, strict=True)), Fraction(0)) for each in one_by_one
        )
        self.known[key] = total
        return total

    def _whatever_is_answered(self, pending: Question | EachQuestion | Sealed, thrown: list[Step]) -> Chances:
        """The chances if a question is not answered: they must be the same for every answer.

        Raises Refused if they depend on the answer, or if there are too many to try.
        """
        answers = list(itertools.islice(every_answer(pending), MOST_ANSWERS + 1))
        partly = any(name in {q.name for q in _asked(pending)} for name in (laid.name for laid in self.session.answers))
        if not answers or len(answers) > MOST_ANSWERS or partly:
            self._must_be_over(pending)
        key = self._key()
        if key in self.known:
            return self.known[key]
        waits = self.session.waits_for
        found: Chances | None = None
        for number in range(len(answers)):
            if number:
                self._run_again(thrown)
            self._reply(number)
            chances = self._from([*thrown, (number,)])
            if found is not None and chances != found:
                first, other = next((a, b) for a, b in zip(found, chances, strict=True) if a != b)
                raise Why.NO_VALUE(
                    f"The chance cannot be calculated: it depends on {waits}. It is {say(first)} "
                    f"with {_told(answers[0])}, but {say(other)} with {_told(answers[number])}.",
                    hint=LAY_OUT,
                )
            found = chances
        assert found is not None
        self.known[key] = found
        return found

    def _reply(self, number: int) -> None:
        """Gives the open question one of its answers, by its index."""
        pending = self.session.pending
        assert isinstance(pending, Question | EachQuestion | Sealed)
        self.session.reply(next(itertools.islice(every_answer(pending), number, None)))

    def _run_again(self, thrown: list[Step]) -> None:
        self.runs += 1
        if self.runs > MOST_WAYS:
            raise Why.OUT_OF_BOUNDS(
                f"Calculating the chance takes more than {MOST_WAYS:,} runs of the procedure.",
                hint="Give some of the dice in an earlier line (`dice 7`), or ask when fewer remain to be rolled.",
                most=MOST_WAYS,
            )
        self.session.rehearsing = False
        self.again()
        self.session.rehearsing = True
        self.session.feed()
        for step in thrown:
            if isinstance(step, tuple):
                self._reply(*step)
            else:
                self.session.throw(step)

    def _must_be_over(self, pending: Pending | None) -> None:
        if pending is None or self.session.world.over:
            return
        waits = self.session.waits_for
        hint = LAY_OUT
        if not isinstance(pending, Question | EachQuestion | Sealed):
            hint = "A chance can only run through dice and through answers given in earlier lines."
        raise Why.NO_VALUE(f"The chance cannot be calculated: the game is waiting for {waits}.", hint=hint)


__all__ = ["MOST_WAYS", "Enumeration"]
