"""Questions, dice and windows: what emitted procedures yield when they need someone, and how they are worded."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import attrs

from interpreter.runtime import RuleTrouble, Shares, say


@attrs.define(slots=True, eq=False)
class Question:
    """A choice that a side must make. kind: one, words, some, up_to, exactly, number, split.

    candidates: what may be chosen; of a split, what shares. amount: N of `up to N`, `exactly N`, `a number up to N`, or
    what is split. test: whether a whole answer is legal; reason: why it is not.
    """

    side: Any
    name: str
    kind: str
    candidates: list[Any]
    amount: int | None
    test: Callable[[Any], bool] | None
    reason: str
    secret: bool
    site: int

    def legal(self, answer: Any) -> bool:
        """Whether a whole answer is legal."""
        return self.test is None or bool(self.test(answer))

    @property
    def form(self) -> str:
        """How the answer looks, as people are told."""
        return form_of(self.kind, self.amount)


@attrs.define(slots=True, eq=False)
class EachQuestion:
    """One choice for each of several things of a side, answered together.

    options: for each item what it may choose. kind: as of a question, but for split; amounts: for each item N of `up to N`
    and the like.
    """

    side: Any
    name: str
    kind: str
    items: list[Any]
    options: list[list[Any]]
    amounts: list[int | None]
    test: Callable[[dict[Any, Any]], Any] | None
    reason: str
    secret: bool
    site: int
    known: dict[Any, Any]

    def trouble(self, answer: dict[Any, Any]) -> Any:
        """The item for which a whole answer is illegal, or None."""
        return None if self.test is None else self.test({**self.known, **answer})

    def forced(self, at: int) -> Any:
        """The one answer that the item at a place can be given; UNSETTLED when it has several."""
        kind, options, amount = self.kind, self.options[at], self.amounts[at]
        if kind in {"one", "words"}:
            return options[0] if len(options) == 1 else UNSETTLED
        if kind == "number":
            return UNSETTLED if amount else 0
        if kind == "exactly" and amount == len(options):
            return list(options)
        return [] if not options or amount == 0 else UNSETTLED

    def asked(self, at: int) -> Question:
        """What is asked for the item at a place, as a question of its own."""
        return Question(
            self.side, self.name, self.kind, self.options[at], self.amounts[at], None, "", self.secret, self.site
        )

    @property
    def form(self) -> str:
        """How the answer looks, as people are told."""
        if self.kind in {"one", "words"}:
            return "each"
        amounts = set(self.amounts)
        return form_of(self.kind, amounts.pop() if len(amounts) == 1 else None) + " for each"


@attrs.define(slots=True, eq=False)
class Sealed:
    """Questions that are put at once; nobody's answer is known to the others before all have answered.

    answers: what has been answered so far, by the number of the question.
    """

    questions: list[Question | EachQuestion]
    answers: dict[int, Any] = attrs.field(factory=dict)

    @property
    def open(self) -> list[Question | EachQuestion]:
        """The questions that nobody has answered yet."""
        return [q for n, q in enumerate(self.questions) if n not in self.answers]


UNSETTLED = object()


def form_of(kind: str, amount: int | None) -> str:
    """How an answer looks: `one`, `some`, `up to 2`, `exactly 2`, `number`, `split of 5`."""
    number = "so many" if amount is None else amount
    return {
        "up_to": f"up to {number}",
        "exactly": f"exactly {number}",
        "words": "one",
        "split": f"split of {number}",
    }.get(kind, kind)


@attrs.define(slots=True, eq=False)
class Roll:
    """Dice to be rolled for a side: an expression such as 2d6+1. item: for which thing, if for one of several."""

    side: Any
    dice: str
    name: str
    site: int
    item: Any = None


@attrs.define(slots=True, eq=False)
class Window:
    """A stretch in which sides may give orders. waiting: the sides that have not yet said `done`.

    rounds: where it stands in loops over words (`for each w in (…)`), as pairs of enum and word.
    """

    waiting: list[Any]
    orders: tuple[str, ...]
    manner: str
    rounds: tuple[tuple[str, str], ...] = ()


DONE = object()


class Asking:
    """The part of the machine that emitted rules call to ask, roll and open windows."""

    world: Any
    events: Any

    def ask(
        self, site: int, side: Any, name: str, kind: str, source: Callable[[], Sequence[Any]] | None, amount: Any,
        test: Callable[[Any], bool] | None, reason: str, secret: bool, always: bool = False,
    ) -> Generator[Any, Any, Any]:  # fmt: skip
        """Asks a side; a choice with exactly one legal answer is taken, unless that it was not asked would tell what is hidden.

        always: whether what may be chosen rests on what may be hidden, so that the question is put like a secret one.
        """
        always = always or secret
        side = _one_side(side, name)
        if kind == "number":
            top = max(_whole(amount, name), 0)
            if not top and not always:
                return 0
            answer = yield Question(side, name, kind, [], top, test, reason, secret, site)
            return answer
        candidates = list(dict.fromkeys(source())) if source is not None else []
        if kind == "split":
            answer = yield from self._ask_split(
                Question(side, name, kind, candidates, _whole(amount, name), test, reason, secret, site), always
            )
            return answer
        if kind in {"one", "words"}:
            legal = [c for c in candidates if test is None or test(c)]
            if not legal:
                raise RuleTrouble(f"{side.id} must choose {name}, but there is no legal answer.")
            if len(legal) == 1 and not always:
                return legal[0]
            answer = yield Question(side, name, kind, legal, None, test, reason, secret, site)
            return answer
        count = _whole(amount, name) if amount is not None else None
        if kind == "exactly" and count is not None:
            count = min(count, len(candidates))
        if not always and (not candidates or count == 0 or (kind == "exactly" and count == len(candidates))):
            return candidates if kind == "exactly" and count else []
        answer = yield Question(side, name, kind, candidates, count, test, reason, secret, site)
        return answer

    def ask_each(
        self, site: int, over: list[Any], name: str, kind: str, source: Callable[[Any], Sequence[Any]] | None,
        amount: Callable[[Any], Any] | None, test: Callable[[dict[Any, Any], Any], bool] | None, reason: str, secret: bool, always: bool = False, before: Any = None,
    ) -> Generator[Any, Any, dict[Any, Any]]:  # fmt: skip
        """Asks each owner once for all its things; the acting side first. before: what was chosen under this name already.

        Where the choices are secret all owners are asked at once.
        """
        chosen: dict[Any, Any] = dict(before or {})
        sides = list(dict.fromkeys(x.side for x in over))
        sides.sort(key=lambda s: s is not self.world.active)
        asked: list[EachQuestion] = []
        for side in sides:
            items = [x for x in over if x.side is side]
            question = self._question_of_each(
                site, side, items, name, kind, source, amount, test, reason, secret, chosen
            )
            forced = [question.forced(at) for at in range(len(items))]
            if not (secret or always) and all(f is not UNSETTLED for f in forced):
                chosen.update(zip(items, forced, strict=True))
            elif secret:
                asked.append(question)
            else:
                chosen.update((yield question))
        if len(asked) == 1:
            chosen.update((yield asked[0]))
        elif asked:
            for answer in (yield Sealed(list(asked))):
                chosen.update(answer)
        return chosen

    @staticmethod
    def _question_of_each(
        site: int, side: Any, items: list[Any], name: str, kind: str, source: Callable[[Any], Sequence[Any]] | None,
        amount: Callable[[Any], Any] | None, test: Callable[[dict[Any, Any], Any], bool] | None, reason: str, secret: bool,
        chosen: dict[Any, Any],
    ) -> EachQuestion:  # fmt: skip
        options = [list(dict.fromkeys(source(x))) if source is not None else [] for x in items]
        amounts = [_whole(amount(x), name) if amount is not None else None for x in items]
        for at, (item, legal) in enumerate(zip(items, options, strict=True)):
            if not legal and kind in {"one", "words"}:
                raise RuleTrouble(f"{item.name} must choose {name}, but has nothing to choose from.")
            if kind == "exactly":
                amounts[at] = min(amounts[at] or 0, len(legal))
        checker = None
        if test is not None:

            def checker(whole: dict[Any, Any], items: list[Any] = items) -> Any:
                return next((i for i in items if not test(whole, i)), None)

        return EachQuestion(side, name, kind, items, options, amounts, checker, reason, secret, site, dict(chosen))

    @staticmethod
    def _ask_split(question: Question, always: bool) -> Generator[Any, Any, Shares]:
        """Asks for a split, unless only one is possible."""
        sharers, amount = question.candidates, question.amount or 0
        if not sharers and amount:
            raise RuleTrouble(f"{question.side.id} must split {amount} as {question.name}, but among nothing.")
        if not always and (not amount or len(sharers) == 1):
            return Shares.of(sharers, {sharers[0]: amount} if amount else {})
        answer: Shares = yield question
        return answer

    def branches(self, branches: Sequence[Generator[Any, Any, None]]) -> Generator[Any, Any, None]:
        """Runs the branches of `simultaneously`: each goes on until it asks; then all their questions are put at once.

        Dice are rolled branch by branch, in their order. A window inside a branch is played through before the next begins.
        """
        waiting: list[tuple[Generator[Any, Any, None], Any]] = []
        fresh: list[tuple[Generator[Any, Any, None], Any]] = [(b, None) for b in branches]
        while fresh:
            for branch, answer in fresh:
                item = _sent(branch, answer)
                while item is not None and not isinstance(item, Question | EachQuestion | Sealed):
                    item = _sent(branch, (yield item))
                if item is not None:
                    waiting.append((branch, item))
            questions = [q for _, item in waiting for q in (item.questions if isinstance(item, Sealed) else [item])]
            if not questions:
                return
            answers = list((yield Sealed(questions))) if len(questions) > 1 else [(yield questions[0])]
            fresh = []
            for branch, item in waiting:
                if isinstance(item, Sealed):
                    count = len(item.questions)
                    fresh.append((branch, answers[:count]))
                    answers = answers[count:]
                else:
                    fresh.append((branch, answers.pop(0)))
            waiting = []

    def roll(
        self, site: int, side: Any, dice: str, name: str, count: Any = None, item: Any = None
    ) -> Generator[Any, Any, int]:
        """Rolls dice for a side; `count` rolls the same dice so many times and adds them up."""
        side = _one_side(side, name)
        if count is None:
            face: int = yield Roll(side, dice, name, site, item)
            return face
        total = 0
        for _ in range(int(count)):
            total += yield Roll(side, dice, name, site, item)
        return total

    def window(
        self, frame: Any, who: Any, orders: tuple[str, ...], manner: str, rounds: tuple[tuple[str, str], ...] = ()
    ) -> Generator[Any, Any, None]:
        """Takes orders until every side is done. Nothing is asked of a side that has no legal order at all."""
        sides = list(who) if isinstance(who, list | tuple) else [who]
        sides = [s for s in sides if s is not None and any(self.any_legal(s, o) for o in orders)]
        acting = frame.acting
        while sides:
            current = sides if manner == "together" else sides[:1]
            side, command = yield Window(list(current), orders, manner, rounds)
            if command is DONE:
                sides.remove(side)
                continue
            frame.acting = side
            yield from self.carry_out(command)
            frame.acting = acting
            if manner == "once":
                sides.remove(side)
            elif manner == "alternately" and len(sides) > 1:
                sides = [*sides[1:], sides[0]]
            if self.world.over:
                return

    def any_legal(self, side: Any, order: str) -> bool:
        """Whether a side has a legal command of this order."""
        raise NotImplementedError

    def carry_out(self, command: Any) -> Generator[Any, Any, None]:
        """Carries out a command."""
        raise NotImplementedError


def _sent(branch: Generator[Any, Any, None], answer: Any) -> Any:
    """What a branch wants next; None when it is through."""
    try:
        return branch.send(answer)
    except StopIteration:
        return None


def _whole(amount: Any, name: str) -> int:
    """A number that counts things. Raises RuleTrouble for a fraction."""
    if amount != int(amount):
        raise RuleTrouble(f"{name} is counted in whole numbers, but the rule says {say(amount)}.")
    return int(amount)


def _one_side(side: Any, name: str) -> Any:
    if isinstance(side, list | tuple):
        found = list(dict.fromkeys(side))
        if len(found) != 1:
            raise RuleTrouble(f"{name} is asked of {len(found)} sides at once.")
        side = found[0]
    if side is None:
        raise RuleTrouble(f"{name} is asked of nobody.")
    return side


__all__ = ["DONE", "UNSETTLED", "Asking", "EachQuestion", "Question", "Roll", "Sealed", "Window", "form_of", "say"]
