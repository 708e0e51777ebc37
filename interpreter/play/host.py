"""The host of a game: emitted rules turn to it to ask, to roll, to open an orders window or to do things at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from interpreter.messages.asking import (
    AGAIN,
    DONE,
    UNSETTLED,
    Amount,
    AmountOf,
    EachAnswer,
    EachQuestion,
    Many,
    ManyOf,
    Pending,
    Question,
    Roll,
    Run,
    Sealed,
    Test,
    TestOf,
    Window,
    kept_answers,
)
from interpreter.messages.happenings import SideDone
from interpreter.messages.inputs import ENDINGS, Input
from interpreter.play.host_contracts import Ordering, Settling
from interpreter.play.questions import one_side, question, question_of_each
from interpreter.runtime.dice_rules import known, whole_count
from interpreter.runtime.exact_numbers import Number
from interpreter.runtime.frames import Frame
from interpreter.runtime.runtime import RuleTrouble
from interpreter.runtime.things import Thing, Value
from interpreter.world.hosting import Rounds, Whoever
from interpreter.world.told_stories import ToldStory
from interpreter.world.world import World

__all__ = ["Asks"]

Asked = Question | EachQuestion | Sealed


class Asks:
    """A host that yields questions, rolls and windows to whatever runs the rules.

    passed: the sides that were skipped since it was last emptied, because they had no legal order left.
    windows, asked: how many windows were opened and questions reached since the turn began; this distinguishes those of one
    kind. open_windows: the keys of the windows that are open, each within the one before. interrupted: while an order is carried
    out in a window, the sides that may order again in it afterwards without others ordering first, by its key.
    ended_in: the phase and the steps in which each side has last said `done`.
    """

    def __init__(self, world: World, orders: Ordering, listener: Settling | None = None) -> None:
        self.world = world
        self.orders = orders
        self.listener = listener
        self.passed: list[str] = []
        self.windows = self.asked = 0
        self.open_windows: list[tuple[int, int]] = []
        self.interrupted: dict[tuple[int, int], list[Thing]] = {}
        self.ended_in: dict[str, tuple[tuple[str, str], ...]] = {}

    def spend(self, given: Input) -> bool:
        """Whether a `done` right after the last input is redundant: its side had no legal order left.

        Once for each window that ended by itself; if several commands are given together, such a `done` is ignored.
        """
        if given.kind != "do" or given.text.strip().lower() not in ENDINGS:
            return False
        name = given.side.lower()
        found = next((s for s in self.passed if name in {s.lower(), "umpire"}), None)
        if found is not None:
            self.passed.remove(found)
        return found is not None

    # ---- one question
    def ask(
        self, site: int, side: Whoever, name: str, kind: str, source: Many | None, amount: Amount | None,
        test: Test | None, reason: str, secret: bool, always: bool = False, subject: Thing | None = None,
        weighed: bool = False,
    ) -> Run:  # fmt: skip
        """Asks a side; a choice with exactly one legal answer is made, unless skipping the question would reveal something hidden.

        always: whether the candidates depend on something that may be hidden, so that the question is asked like a secret one.
        weighed: whether something hidden may decide which of several candidates are legal.
        """
        side = one_side(side, name)
        self.asked += 1
        while True:
            found = question(
                site, side, name, kind, source, amount, test, reason, secret, always or secret, weighed=weighed
            )
            if not isinstance(found, Question):
                if self.listener is not None:
                    self.listener.settled(side, name, kind, found)
                return found
            found.subject = subject
            answer = yield found
            if answer is not AGAIN:
                return answer

    # ---- one for each of several things
    def ask_each(
        self, site: int, over: list[Thing], name: str, kind: str, source: ManyOf | None,
        amount: AmountOf | None, test: TestOf | None, reason: str, secret: bool,
        always: bool = False, before: EachAnswer | None = None,
    ) -> Run:  # fmt: skip
        """Asks each owner once for all its things; the acting side first. before: what was already chosen under this name.

        If the choices are secret, all owners are asked at once.
        """
        self.asked += 1
        chosen: dict[Thing, object] = dict(before or {})
        sides: list[Value] = list(dict.fromkeys(x.side for x in over))
        sides.sort(key=lambda s: s is not self.world.active)

        def put(side: Thing, among: list[Thing]) -> EachQuestion:
            items = [x for x in among if x.side is side]
            return question_of_each(site, side, items, name, kind, source, amount, test, reason, secret, chosen)

        if secret:
            return (yield from _at_once(over, sides, put, chosen))
        return (yield from self._one_by_one(over, sides, put, chosen, always))

    def _one_by_one(
        self, over: list[Thing], sides: list[Thing], put: Callable[[Thing, list[Thing]], EachQuestion], chosen: dict[Thing, object],
        always: bool,
    ) -> Run:  # fmt: skip
        """Asks one owner after the other."""
        while True:
            side: Value = next((s for s in sides if any(x.side is s for x in over)), UNSETTLED)
            if side is UNSETTLED:
                return chosen
            asked = put(side, over)
            forced = [asked.forced(at) for at in range(len(asked.items))]
            if not always and all(f is not UNSETTLED for f in forced):
                answer: Value = dict(zip(asked.items, forced, strict=True))
                if self.listener is not None:
                    self.listener.settled_each(asked)
            else:
                answer = yield asked
            if answer is AGAIN:
                over = [x for x in over if x.alive]
            else:
                chosen.update(answer)
                sides.remove(side)

    # ---- at once
    def branches(self, branches: Sequence[Run]) -> Run:
        """Runs the branches of `simultaneously`: each runs until it asks; then all their questions are asked at once.

        Dice are rolled branch by branch, in order. A window inside a branch is completed before the next branch begins.
        """
        fresh: list[tuple[Run, object]] = [(b, None) for b in branches]
        sealed: Sealed | None = None
        around = self.world.stories.open
        told: dict[Run, tuple[ToldStory, ...]] = {}
        while fresh:
            waiting = yield from self._led(fresh, told, around)
            if any(
                then != self.world.rulings.count for *_, then in waiting
            ):  # asked before the umpire changed something
                fresh = [(branch, AGAIN) for branch, *_ in waiting]
                continue
            questions = [q for _, item, _ in waiting for q in (item.questions if isinstance(item, Sealed) else [item])]
            if not questions:
                return
            sealed = Sealed(questions, kept_answers(sealed, questions))
            answers = yield from _answered(sealed)
            if answers is AGAIN:
                fresh = [(branch, AGAIN) for branch, *_ in waiting]
            else:
                sealed, fresh = None, list(_handed_out(waiting, answers))

    def _led(
        self, fresh: list[tuple[Run, object]], told: dict[Run, tuple[ToldStory, ...]], around: tuple[ToldStory, ...]
    ) -> Run:
        """Continues branches, each with its answer, until they ask; returns those that do, with their questions, and the rulings until then."""
        waiting: list[tuple[Run, Asked, int]] = []
        for branch, answer in fresh:
            self.world.stories.open = told.get(branch, around)
            item = _sent(branch, answer)
            while item is not None and not isinstance(item, Question | EachQuestion | Sealed):
                item = _sent(branch, (yield item))
            told[branch] = self.world.stories.open
            if item is not None:
                waiting.append((branch, item, self.world.rulings.count))
        self.world.stories.open = around
        return waiting

    # ---- dice
    def roll(
        self,
        site: int,
        side: Whoever,
        dice: str,
        name: str,
        count: Number | None = None,
        item: Thing | None = None,
        subject: Thing | None = None,
    ) -> Run:
        """Rolls dice for a side; `count` rolls the same dice so many times and adds them up. Zero dice are not rolled."""
        side = one_side(side, name)
        if dice.startswith("0d"):
            return known(dice).plus
        if count is None:
            face: int = yield Roll(side, dice, name, site, item, subject)
            return face
        total = 0
        for _ in range(whole_count(count, "rolls")):
            total += yield Roll(side, dice, name, site, item, subject)
        return total

    def draw(self, site: int, side: Whoever, among: list[Thing], name: str, subject: Thing | None) -> Run:
        """Rolls a die with as many faces as there are things and returns the thing rolled. A single thing needs no die."""
        if not among:
            raise RuleTrouble(f"The roll {name} has nothing to choose among.")
        if len(among) == 1:
            return among[0]
        face = yield from self.roll(site, side, f"1d{len(among)}", name, subject=subject)
        return among[face - 1]

    # ---- orders
    def is_interrupted(self, side: str) -> bool:
        """Whether an order is being carried out in a window in which a side may order again afterwards."""
        return any(one.id == side for sides in self.interrupted.values() for one in sides)

    def has_ended_here(self, side: str) -> bool:
        """Whether a side has said `done` in the current phase and step, or in one that contains it."""
        ended = self.ended_in.get(side)
        return ended is not None and ended == tuple(self.world.phases[: len(ended)])

    def window(
        self,
        frame: Frame,
        who: Whoever,
        orders: tuple[str, ...],
        manner: str,
        rounds: Rounds = (),
        subject: Thing | None = None,
    ) -> Run:
        """Takes orders until every side is done. A side without any legal order is not asked.

        If sides take turns, this is checked before each turn: a side without one is skipped until it has one again, and
        the window ends when no side has one.
        """
        self.windows += 1
        key = self.world.turn, self.windows
        opened = self.open_windows
        opened.append(key)
        try:
            yield from self._window(frame, who, orders, manner, rounds, subject, key)
        finally:
            opened.remove(key)
            self.interrupted.pop(key, None)

    def _window(
        self, frame: Frame, who: Whoever, orders: tuple[str, ...], manner: str, rounds: Rounds, subject: Thing | None, key: tuple[int, int]
    ) -> Run:  # fmt: skip
        """Takes orders, as `window` says."""
        in_turns = manner == "alternately" and isinstance(who, list | tuple)
        sides: list[Thing] = [s for s in (who if isinstance(who, list | tuple) else [who]) if s is not None]
        sides = [s for s in sides if self._can_order(s, orders)]
        acting = frame.acting
        given: tuple[Thing, ...] = ()
        while sides:
            if given and in_turns and not self._next_in_turn(sides, orders):
                return
            current = sides if manner == "together" else sides[:1]
            side, command = yield Window(list(current), orders, manner, rounds, given, subject, key)
            if command is DONE:
                self.ended_in[side.id] = tuple(self.world.phases)
                sides.remove(side)
                continue
            given = (*given, side) if side not in given else given
            frame.acting = side
            self.interrupted[key] = [] if manner == "once" or len(current) < len(sides) else list(current)
            yield from self.orders.carry_out(command)
            del self.interrupted[key]
            frame.acting = acting
            match manner:
                case "once":
                    sides.remove(side)
                case "alternately":
                    sides = [*sides[1:], sides[0]]
                case "together":
                    pass
                case _:
                    raise NotImplementedError(f"Unknown manner of orders window: {manner!r}.")
            if self.world.over:
                return

    def _next_in_turn(self, sides: list[Thing], orders: tuple[str, ...]) -> bool:
        """Whether one of the sides that take turns has a legal order; the first that does moves to the front."""
        first = next((n for n, s in enumerate(sides) if self._can_order(s, orders)), len(sides))
        self.passed += [s.id for s in sides[:first]]
        if first == len(sides):
            for s in sides:
                self.world.journal.happened(SideDone(s.id, of_itself=False), side=s, to=s.id)
            return False
        sides[:] = [*sides[first:], *sides[:first]]
        return True

    def _can_order(self, side: Thing, orders: tuple[str, ...]) -> bool:
        """Whether a side has a legal command of one of these orders, or others cannot tell that it has none."""
        return any(self.orders.any_legal(side, order) for order in orders)


def _at_once(
    over: list[Thing],
    sides: list[Thing],
    put: Callable[[Thing, list[Thing]], EachQuestion],
    chosen: dict[Thing, object],
) -> Run:
    """Asks all owners of some things at once."""
    sealed: Sealed | None = None
    while True:
        asked = [put(side, over) for side in sides if any(x.side is side for x in over)]
        if not asked:
            return chosen
        if len(asked) == 1:
            answer = yield asked[0]
        else:
            sealed = Sealed(list(asked), kept_answers(sealed, asked))
            answers = yield from _answered(sealed)
            answer = AGAIN if answers is AGAIN else {x: told for each in answers for x, told in each.items()}
        if answer is not AGAIN:
            return {**chosen, **answer}
        over = [x for x in over if x.alive]


def _answered(sealed: Sealed) -> Run:
    """The answers to all questions of a round, including those that were kept; AGAIN if something was changed from outside."""
    if not sealed.open:
        return [sealed.answers[n] for n in range(len(sealed.questions))]
    if len(sealed.questions) > 1:
        return (yield sealed)
    answer = yield sealed.questions[0]
    return answer if answer is AGAIN else [answer]


def _handed_out(waiting: Sequence[tuple[Run, Asked, int]], answers: Sequence[object]) -> Iterator[tuple[Run, object]]:
    """Each branch with the answer to its question, or with all answers if it asked several at once."""
    left = list(answers)
    for branch, item, _ in waiting:
        if isinstance(item, Sealed):
            count = len(item.questions)
            yield branch, left[:count]
            left = left[count:]
        else:
            yield branch, left.pop(0)


def _sent(branch: Run, answer: object) -> Pending | None:
    """What a branch needs next; None when it has finished."""
    try:
        return branch.send(answer)
    except StopIteration:
        return None
