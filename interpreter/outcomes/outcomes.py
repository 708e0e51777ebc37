"""What may follow: every outcome of the dice up to the next decision, or a sample of them.

A running game cannot be copied. So each outcome is followed in a process of its own, which starts as a copy of the one it
came from (a fork). Where forks are not available, or other threads run, the game is replayed to that point. No dice of the
campaign are rolled: faces are inserted as if they had been typed. Outcomes that lead to the same state are followed once.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, Protocol

import attrs

from interpreter.machine import Game
from interpreter.messages.asking import Roll
from interpreter.messages.inputs import Event, Input, RuleFailure
from interpreter.outcomes.forks import can_fork, in_a_fork
from interpreter.runtime.die_rolls import DiceExpression, faces_of, read_dice

__all__ = ["Followed", "Outcomes", "TooMany", "enumerated", "sampled"]

LOOKED_AT, FAR_MORE = 40, 4
"""After this many ends it is checked whether there may be this many times more than the limit: then it is given up at once."""
MOST_DEEP = 60
"""The most consecutive dice that are followed when each is a process within another."""


class TooMany(Exception):
    """There are too many outcomes, or it takes too long. slow: whether it is the time."""

    def __init__(self, *, slow: bool) -> None:
        super().__init__()
        self.slow = slow


class Followed(Protocol):
    """A game whose dice are followed, right before the dice, and the recorder of the results."""

    game: Game

    def end(self) -> str:
        """Its state now, as a text: outcomes with the same text at the end are the same."""

    def left(self) -> Iterable[str]:
        """What to count of things in progress at the end of an outcome."""

    def failed(self, failure: RuleFailure) -> str:
        """The end when a rule fails. Raises the failure if it must be reported."""

    def step(self, roll: Roll, events: Sequence[Event]) -> Iterable[str]:
        """What to count of the effects of a roll."""

    def place(self) -> str:
        """The state of the game, or an empty text (`alike.py`)."""


@attrs.define
class Outcomes:
    """The possible outcomes.

    ends: the chance of each end. told: how often each recorded thing occurs, on average; squares: the same for
    the squares of the counts, if it was sampled. ways: the number of ends reached. tries: 0 if all outcomes were followed.
    """

    ends: dict[str, Fraction] = attrs.field(factory=dict)
    told: dict[str, Fraction] = attrs.field(factory=dict)
    squares: dict[str, Fraction] = attrs.field(factory=dict)
    ways: int = 0
    tries: int = 0

    def add(self, other: Outcomes, part: Fraction) -> None:
        """Adds outcomes with some chance."""
        for mine, more in ((self.ends, other.ends), (self.told, other.told)):
            for key, chance in more.items():
                mine[key] = mine.get(key, Fraction(0)) + part * chance


def enumerated(
    begin: Callable[[], Followed],
    *,
    most: int,
    seconds: float,
    patient: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Outcomes:
    """All outcomes of the dice, with the exact chance of each end.

    Args:
        begin: creates a game right before the dice; the same each time.
        most: the maximum number of ends.
        seconds: the maximum time.
        patient: whether to continue up to the maximum even if there seem to be far more ends.
        progress: called with the number of ends reached, if given.

    Raises:
        TooMany: there are more, or it takes longer.
    """
    follower = _Follower(begin, most, time.monotonic() + seconds, progress)
    follower.patient = patient
    return follower.all_ways()


def sampled(
    begin: Callable[[], Followed], tries: int, *, seconds: float, progress: Callable[[int, int], None] | None = None
) -> Outcomes:
    """Samples with random dice, which are the same each time; fewer if it takes too long, but at least one."""
    return _Follower(begin, tries, time.monotonic() + seconds, progress).tried(tries)


class _Follower:
    """Follows the outcomes of the dice."""

    def __init__(
        self, begin: Callable[[], Followed], most: int, until: float, progress: Callable[[int, int], None] | None
    ) -> None:
        self.begin, self.most, self.until, self.progress = begin, most, until, progress
        self.known: dict[str, Outcomes] = {}
        self.ways = self.met = 0
        self.patient = True
        self.forks = can_fork()

    # ---- all ways
    def all_ways(self) -> Outcomes:
        found = self._from(self.begin(), [], 1)
        found = Outcomes(dict(found.ends), dict(found.told))
        found.ways = self.ways
        return found

    def _from(self, followed: Followed, thrown: list[int], ways: int) -> Outcomes:
        """The possible outcomes from a game's state after these dice. ways: the number of ways to roll those."""
        pending = followed.game.pending
        if not isinstance(pending, Roll):
            return self._ended(followed.end(), ways, followed.left())
        key = followed.place()
        if key and key in self.known:
            self.met += 1
            return self.known[key]
        found, faces = Outcomes(), faces_of(read_dice(pending.dice))
        for number, (face, part) in enumerate(faces):
            go = self._thrown if number == len(faces) - 1 else self._elsewhere
            found.add(go(followed, thrown, face, ways * len(faces)), part)
        if key:
            self.known[key] = found
        return found

    def _ended(self, end: str, ways: int, left: Iterable[str] = ()) -> Outcomes:
        self.ways += 1
        looks_vain = ways > FAR_MORE * self.most and self.met * 4 < self.ways
        if self.ways == LOOKED_AT and looks_vain and not self.patient:
            raise TooMany(slow=False)
        if self.ways > self.most or time.monotonic() > self.until:
            raise TooMany(slow=self.ways <= self.most)
        if self.progress is not None:
            self.progress(self.ways, 0)
        return Outcomes({end: Fraction(1)}, {key: Fraction(times) for key, times in Counter(left).items()})

    def _thrown(self, followed: Followed, thrown: list[int], face: int, ways: int) -> Outcomes:
        """The possible outcomes if the next dice show this."""
        pending = followed.game.pending
        assert isinstance(pending, Roll)
        try:
            events = _throw(followed.game, face)
        except RuleFailure as failure:
            return self._ended(followed.failed(failure), ways)
        later = self._from(followed, [*thrown, face], ways)
        found = Outcomes(later.ends, dict(later.told))
        for one in followed.step(pending, events):
            found.told[one] = found.told.get(one, Fraction(0)) + 1
        return found

    def _elsewhere(self, followed: Followed, thrown: list[int], face: int, ways: int) -> Outcomes:
        """The same, leaving the game unchanged."""
        if self.forks:
            if len(thrown) > MOST_DEEP:
                raise TooMany(slow=False)
            return self._in_a_fork(lambda: self._thrown(followed, thrown, face, ways))
        again = self.begin()
        for one in thrown:
            _throw(again.game, one)
        return self._thrown(again, thrown, face, ways)

    # ---- tries
    def tried(self, tries: int) -> Outcomes:
        total = Outcomes()
        first = self.begin() if self.forks else None
        for number in range(tries):
            chance = random.Random(f"try {number}")
            if first is not None:
                found = self._in_a_fork(lambda chance=chance: self._try(first, chance))  # type: ignore[misc]
            else:
                found = self._try(self.begin(), chance)
            total.add(found, Fraction(1))
            for key, count in found.told.items():
                total.squares[key] = total.squares.get(key, Fraction(0)) + count * count
            total.tries += 1
            if self.progress is not None:
                self.progress(number + 1, tries)
            if time.monotonic() > self.until:
                break
        for held in (total.ends, total.told, total.squares):
            for key in held:
                held[key] /= total.tries
        total.ways = total.tries
        return total

    @staticmethod
    def _try(followed: Followed, chance: random.Random) -> Outcomes:
        """One outcome, with random dice."""
        told = Counter[str]()
        while isinstance(pending := followed.game.pending, Roll):
            try:
                events = _throw(followed.game, _at_random(read_dice(pending.dice), chance))
            except RuleFailure as failure:
                return Outcomes({followed.failed(failure): Fraction(1)}, {k: Fraction(n) for k, n in told.items()})
            told.update(followed.step(pending, events))
        told.update(followed.left())
        return Outcomes({followed.end(): Fraction(1)}, {k: Fraction(n) for k, n in told.items()})

    # ---- forks
    def _in_a_fork(self, work: Callable[[], Outcomes]) -> Outcomes:
        """The result of some work in a separate process; what it learns about equal states is kept."""
        return self._received(in_a_fork(lambda: self._sent(work)))

    def _sent(self, work: Callable[[], Outcomes]) -> dict[str, Any]:
        before, self.progress = set(self.known), None
        try:
            found = work()
        except TooMany as error:
            return {"too many": error.slow}
        except RuleFailure as error:
            return {"failed": [error.file, error.line, error.message]}
        known = {key: _written(one) for key, one in self.known.items() if key not in before}
        return {"found": _written(found), "known": known, "ways": [self.ways, self.met]}

    def _received(self, said: dict[str, Any]) -> Outcomes:
        if "too many" in said:
            raise TooMany(slow=said["too many"])
        if "failed" in said:
            raise RuleFailure(*said["failed"])
        self.known |= {key: _read(one) for key, one in said["known"].items()}
        self.ways, self.met = said["ways"]
        if self.progress is not None:
            self.progress(self.ways, 0)
        return _read(said["found"])


def _throw(game: Game, face: int) -> tuple[Event, ...]:
    return game.offer(Input("roll", "umpire", str(face)))


def _at_random(dice: DiceExpression, chance: random.Random) -> int:
    return sum(chance.randint(1, dice.faces) for _ in range(dice.count)) + dice.plus


def _written(found: Outcomes) -> list[dict[str, str]]:
    return [{key: str(part) for key, part in held.items()} for held in (found.ends, found.told)]


def _read(data: list[dict[str, str]]) -> Outcomes:
    ends, told = ({key: Fraction(part) for key, part in held.items()} for held in data)
    return Outcomes(ends, told)
