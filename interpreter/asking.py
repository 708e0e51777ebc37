"""Questions, dice and windows: what emitted procedures yield when they need someone, and how they are worded."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.dice_rules import known, whole_count
from interpreter.runtime import RuleTrouble, Shares, say

if TYPE_CHECKING:
    from interpreter.stories import Story


@attrs.define(slots=True, eq=False)
class Question:
    """A choice that a side must make. kind: one, words, some, up_to, exactly, number, split.

    candidates: what may be chosen; of a split, what shares. amount: N of `up to N`, `exactly N`, `a number up to N`, or
    what is split. test: whether a whole answer is legal; reason: why it is not. subject: as of a Roll. barred: what the condition alone
    keeps from being chosen, where one is.
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
    subject: Any = None
    barred: list[Any] = attrs.field(factory=list)

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

    def is_forced(self, at: int) -> bool:
        """Whether the item at a place can be given one answer alone."""
        return self.forced(at) is not UNSETTLED

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
AGAIN = object()
"""In place of an answer: something was changed from outside, so what is asked must be worked out anew."""


def kept_answers(before: Sealed | None, questions: Sequence[Question | EachQuestion]) -> dict[int, Any]:
    """Of the answers that a sealed round had when it was put anew, those that still answer the same question."""
    kept: dict[int, Any] = {}
    given = (
        [(before.questions[n], answer) for n, answer in sorted(before.answers.items())] if before is not None else []
    )
    for old, answer in given:
        for number, new in enumerate(questions):
            if number not in kept and type(new) is type(old) and _still_answers(new, old, answer):
                kept[number] = answer
                break
    return kept


def _still_answers(new: Any, old: Any, answer: Any) -> bool:
    """Whether an answer to a question is one to the same question, put anew."""
    if (new.side, new.name, new.kind, new.site) != (old.side, old.name, old.kind, old.site):
        return False
    if isinstance(new, EachQuestion):
        each = new.items == list(answer) and all(_may_be(new.asked(n), x) for n, x in enumerate(answer.values()))
        return each and new.trouble(answer) is None
    return _may_be(new, answer) and new.legal(answer)


def _may_be(question: Question, answer: Any) -> bool:
    """Whether an answer is of the right form still, and names nothing but what may be chosen."""
    count, among = question.amount, question.candidates
    match question.kind:
        case "number":
            return bool(answer <= (count or 0))
        case "split":
            return set(answer) <= set(among) and sum(answer.values()) == count
        case "one" | "words":
            return answer in among
        case "exactly":
            return len(answer) == count and all(x in among for x in answer)
        case "up_to":
            return len(answer) <= (count or 0) and all(x in among for x in answer)
    return all(x in among for x in answer)


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
    """Dice to be rolled for a side: an expression such as 2d6+1. item: for which thing, if for one of several.

    subject: the thing that the rules are about just then, for the side's own prompt.
    """

    side: Any
    dice: str
    name: str
    site: int
    item: Any = None
    subject: Any = None


@attrs.define(slots=True, eq=False)
class Window:
    """A stretch in which sides may give orders. waiting: the sides that have not yet said `done`.

    rounds: where it stands in loops over words (`for each w in (…)`), as pairs of enum and word. given: the sides that have
    given an order in it. subject: the thing of the innermost loop that it stands in, for the side's own prompt. key: what tells it
    from every other: the turn, and its number in it.
    """

    waiting: list[Any]
    orders: tuple[str, ...]
    manner: str
    rounds: tuple[tuple[str, str], ...] = ()
    given: tuple[Any, ...] = ()
    subject: Any = None
    key: tuple[int, int] = (0, 0)


DONE = object()


class Asking:
    """The part of the machine that emitted rules call to ask, roll and open windows."""

    world: Any
    events: Any
    passed: list[str]
    """The sides that were passed over since the last input, as they could order nothing more."""
    windows: int = 0
    asked: int = 0
    """How many windows were opened and questions come to since the turn began: what tells one from the next of its kind."""
    _open_windows: list[tuple[int, int]]
    """The windows that are open, each within the one before."""

    def ask(
        self, site: int, side: Any, name: str, kind: str, source: Callable[[], Sequence[Any]] | None,
        amount: Callable[[], Any] | None, test: Callable[[Any], bool] | None, reason: str, secret: bool, always: bool = False, subject: Any = None,
    ) -> Generator[Any, Any, Any]:  # fmt: skip
        """Asks a side; a choice with exactly one legal answer is taken, unless that it was not asked would tell what is hidden.

        always: whether what may be chosen rests on what may be hidden, so that the question is put like a secret one.
        """
        side = _one_side(side, name)
        self.asked += 1
        while True:
            found = self._question(site, side, name, kind, source, amount, test, reason, secret, always or secret)
            if not isinstance(found, Question):
                self.settled(side, name, kind, found)
                return found
            found.subject = subject
            answer = yield found
            if answer is not AGAIN:
                return answer

    def settled(self, side: Any, name: str, kind: str, answer: Any) -> None:
        """Hears of a choice that was taken without asking."""

    def settled_each(self, question: EachQuestion) -> None:
        """Hears of choices for several things that were all taken without asking."""

    @staticmethod
    def _question(
        site: int, side: Any, name: str, kind: str, source: Callable[[], Sequence[Any]] | None,
        amount: Callable[[], Any] | None, test: Callable[[Any], bool] | None, reason: str, secret: bool, always: bool,
    ) -> Any:  # fmt: skip
        """The question to be put as things stand, or the answer where there is nothing to ask."""
        number = amount() if amount is not None else None
        if kind == "number":
            top = max(_whole(number, name), 0)
            return Question(side, name, kind, [], top, test, reason, secret, site) if top or always else 0
        candidates = list(dict.fromkeys(source())) if source is not None else []
        if kind == "split":
            return _split(
                Question(side, name, kind, candidates, _whole(number, name), test, reason, secret, site), always
            )
        if kind in {"one", "words"}:
            legal = [c for c in candidates if test is None or test(c)]
            if not legal:
                raise RuleTrouble(f"{side.id} must choose {name}, but there is no legal answer.")
            if len(legal) == 1 and not always:
                return legal[0]
            barred = [c for c in candidates if c not in legal]
            return Question(side, name, kind, legal, None, test, reason, secret, site, barred=barred)
        count = _whole(number, name) if amount is not None else None
        if kind == "exactly" and count is not None:
            count = min(count, len(candidates))
        if not always and (not candidates or count == 0 or (kind == "exactly" and count == len(candidates))):
            return candidates if kind == "exactly" and count else []
        return Question(side, name, kind, candidates, count, test, reason, secret, site)

    def ask_each(
        self, site: int, over: list[Any], name: str, kind: str, source: Callable[[Any], Sequence[Any]] | None,
        amount: Callable[[Any], Any] | None, test: Callable[[dict[Any, Any], Any], bool] | None, reason: str, secret: bool, always: bool = False, before: Any = None,
    ) -> Generator[Any, Any, dict[Any, Any]]:  # fmt: skip
        """Asks each owner once for all its things; the acting side first. before: what was chosen under this name already.

        Where the choices are secret all owners are asked at once.
        """
        self.asked += 1
        chosen: dict[Any, Any] = dict(before or {})
        sides = list(dict.fromkeys(x.side for x in over))
        sides.sort(key=lambda s: s is not self.world.active)
        sealed: Sealed | None = None
        answer: Any = None
        while True:
            if answer is AGAIN:
                over = [x for x in over if x.alive]
            asked: list[EachQuestion] = []
            answer = None
            for side in [s for s in sides if any(x.side is s for x in over)]:
                items = [x for x in over if x.side is side]
                question = self._question_of_each(
                    site, side, items, name, kind, source, amount, test, reason, secret, chosen
                )
                forced = [question.forced(at) for at in range(len(items))]
                if not (secret or always) and all(f is not UNSETTLED for f in forced):
                    answer = dict(zip(items, forced, strict=True))
                    self.settled_each(question)
                elif secret:
                    asked.append(question)
                    continue
                else:
                    answer = yield question
                if answer is AGAIN:
                    break
                chosen.update(answer)
                sides.remove(side)
            if answer is AGAIN:
                continue
            if len(asked) == 1:
                answer = yield asked[0]
            elif asked:
                sealed = Sealed(list(asked), kept_answers(sealed, asked))
                answers = (yield sealed) if sealed.open else [sealed.answers[n] for n in range(len(asked))]
                answer = AGAIN if answers is AGAIN else {x: told for each in answers for x, told in each.items()}
            else:
                return chosen
            if answer is not AGAIN:
                return {**chosen, **answer}

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

    def branches(self, branches: Sequence[Generator[Any, Any, None]]) -> Generator[Any, Any, None]:
        """Runs the branches of `simultaneously`: each goes on until it asks; then all their questions are put at once.

        Dice are rolled branch by branch, in their order. A window inside a branch is played through before the next begins.
        """
        waiting: list[tuple[Generator[Any, Any, None], Any, int]] = []
        fresh: list[tuple[Generator[Any, Any, None], Any]] = [(b, None) for b in branches]
        sealed: Sealed | None = None
        around = self.world.stories.open
        told: dict[Generator[Any, Any, None], tuple[Story, ...]] = {}
        while fresh:
            for branch, answer in fresh:
                self.world.stories.open = told.get(branch, around)
                item = _sent(branch, answer)
                while item is not None and not isinstance(item, Question | EachQuestion | Sealed):
                    item = _sent(branch, (yield item))
                told[branch] = self.world.stories.open
                if item is not None:
                    waiting.append((branch, item, self.world.rulings.count))
            self.world.stories.open = around
            if any(then != self.world.rulings.count for *_, then in waiting):  # asked before the umpire changed something
                fresh, waiting = [(branch, AGAIN) for branch, *_ in waiting], []
                continue
            questions = [q for _, item, _ in waiting for q in (item.questions if isinstance(item, Sealed) else [item])]
            if not questions:
                return
            sealed = Sealed(questions, kept_answers(sealed, questions))
            answers: Any = [sealed.answers[n] for n in range(len(questions))] if not sealed.open else None
            if answers is None and len(questions) > 1:
                answers = yield sealed
            elif answers is None:
                answer = yield questions[0]
                answers = answer if answer is AGAIN else [answer]
            if answers is AGAIN:
                fresh, waiting = [(branch, AGAIN) for branch, *_ in waiting], []
                continue
            sealed, answers, fresh = None, list(answers), []
            for branch, item, _ in waiting:
                if isinstance(item, Sealed):
                    count = len(item.questions)
                    fresh.append((branch, answers[:count]))
                    answers = answers[count:]
                else:
                    fresh.append((branch, answers.pop(0)))
            waiting = []

    def roll(
        self, site: int, side: Any, dice: str, name: str, count: Any = None, item: Any = None, subject: Any = None
    ) -> Generator[Any, Any, int]:
        """Rolls dice for a side; `count` rolls the same dice so many times and adds them up. Dice that are none are not rolled."""
        side = _one_side(side, name)
        if dice.startswith("0d"):
            return known(dice).plus
        if count is None:
            face: int = yield Roll(side, dice, name, site, item, subject)
            return face
        total = 0
        for _ in range(whole_count(count, "rolls")):
            total += yield Roll(side, dice, name, site, item, subject)
        return total

    def draw(self, site: int, side: Any, among: list[Any], name: str, subject: Any) -> Generator[Any, Any, Any]:
        """Rolls a die with as many faces as there are things; gives the one that it falls on. For a single one no die is needed."""
        if not among:
            raise RuleTrouble(f"There is nothing for {name} to be rolled among.")
        if len(among) == 1:
            return among[0]
        face = yield from self.roll(site, side, f"1d{len(among)}", name, subject=subject)
        return among[face - 1]

    def window(
        self,
        frame: Any,
        who: Any,
        orders: tuple[str, ...],
        manner: str,
        rounds: tuple[tuple[str, str], ...] = (),
        subject: Any = None,
    ) -> Generator[Any, Any, None]:
        """Takes orders until every side is done. Nothing is asked of a side that has no legal order at all.

        Where sides take turns, that is looked at before each turn: whoever has none is passed over until he has one again, and
        the window ends when nobody has.
        """
        self.windows += 1
        key = self.world.turn, self.windows
        opened = self._open_windows
        opened.append(key)
        try:
            yield from self._window(frame, who, orders, manner, rounds, subject, key)
        finally:
            opened.remove(key)

    def _window(
        self, frame: Any, who: Any, orders: tuple[str, ...], manner: str, rounds: tuple[tuple[str, str], ...], subject: Any,
        key: tuple[int, int],
    ) -> Generator[Any, Any, None]:  # fmt: skip
        """Takes orders, as `window` says."""
        several = isinstance(who, list | tuple)
        sides = list(who) if several else [who]
        sides = [s for s in sides if s is not None and self._can_order(s, orders)]
        acting = frame.acting
        given: tuple[Any, ...] = ()
        while sides:
            if given and several and manner == "alternately":
                first = next((n for n, s in enumerate(sides) if self._can_order(s, orders)), len(sides))
                self.passed += [s.id for s in sides[:first]]
                if first == len(sides):
                    for s in sides:
                        self.world.journal.happened("done", f"{s.id} can order nothing more here.", side=s, to=s.id)
                    return
                sides = [*sides[first:], *sides[:first]]
            current = sides if manner == "together" else sides[:1]
            side, command = yield Window(list(current), orders, manner, rounds, given, subject, key)
            if command is DONE:
                sides.remove(side)
                continue
            given = (*given, side) if side not in given else given
            frame.acting = side
            yield from self.carry_out(command)
            frame.acting = acting
            match manner:
                case "once":
                    sides.remove(side)
                case "alternately":
                    sides = [*sides[1:], sides[0]]
                case "together":
                    pass
                case _:
                    raise NotImplementedError(f"What a window does that is given {manner!r} is said here.")
            if self.world.over:
                return

    def _can_order(self, side: Any, orders: tuple[str, ...]) -> bool:
        """Whether a side has a legal command of one of these orders, or others cannot tell that it has none."""
        return any(self.any_legal(side, order) for order in orders)

    def any_legal(self, side: Any, order: str) -> bool:
        """Whether a side has a legal command of this order."""
        raise NotImplementedError

    def carry_out(self, command: Any) -> Generator[Any, Any, None]:
        """Carries out a command."""
        raise NotImplementedError


def _split(question: Question, always: bool) -> Any:
    """The question for a split, or the split where only one is possible."""
    sharers, amount = question.candidates, question.amount or 0
    if not sharers and amount:
        raise RuleTrouble(f"{question.side.id} must split {amount} as {question.name}, but among nothing.")
    if not always and (not amount or len(sharers) == 1):
        return Shares.of(sharers, {sharers[0]: amount} if amount else {})
    return question


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


__all__ = [
    "AGAIN",
    "DONE",
    "UNSETTLED",
    "Asking",
    "EachQuestion",
    "Question",
    "Roll",
    "Sealed",
    "Window",
    "form_of",
    "say",
]
