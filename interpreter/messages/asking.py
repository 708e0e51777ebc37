"""Questions, dice and orders windows: what emitted procedures yield when they need someone."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TypeAlias

import attrs

from interpreter.runtime.exact_numbers import Number
from interpreter.runtime.runtime import say
from interpreter.runtime.things import Thing, Value

EachAnswer: TypeAlias = Mapping[Thing, object]
"""What was chosen for each of several things."""
Many: TypeAlias = Callable[[], Sequence[object]]
ManyOf: TypeAlias = Callable[[Thing], Sequence[object]]
"""What may be chosen for each thing."""
Amount: TypeAlias = Callable[[], Number]
AmountOf: TypeAlias = Callable[[Thing], Number]
Test: TypeAlias = Callable[[object], bool]
TestOf: TypeAlias = Callable[[EachAnswer, Thing], bool]
"""Whether a whole answer is legal, for each thing."""


@attrs.define(slots=True, eq=False)
class Question:
    """A choice that a side must make. kind: one, words, some, up_to, exactly, number, split.

    candidates: what may be chosen; for a split, the sharers. amount: N of `up to N`, `exactly N`, `a number up to N`, or
    what is split. test: whether a whole answer is legal; reason: why it is not. subject: as in a Roll. barred: candidates that only the
    condition excludes, if there is one.
    """

    side: Thing
    name: str
    kind: str
    candidates: list[object]
    amount: int | None
    test: Test | None
    reason: str
    secret: bool
    site: int
    subject: Thing | None = None
    barred: list[object] = attrs.field(factory=list)

    def legal(self, answer: object) -> bool:
        """Whether a whole answer is legal."""
        return self.test is None or bool(self.test(answer))

    @property
    def form(self) -> str:
        """The form of the answer, as people read it."""
        return form_of(self.kind, self.amount)


@attrs.define(slots=True, eq=False)
class EachQuestion:
    """One choice for each of several things of a side, answered together.

    options: for each item what it may choose. kind: as in a question, except split; amounts: for each item N of `up to N`
    and the like.
    """

    side: Thing
    name: str
    kind: str
    items: list[Thing]
    options: list[list[object]]
    amounts: list[int | None]
    test: Callable[[EachAnswer], Thing | None] | None
    reason: str
    secret: bool
    site: int
    known: EachAnswer

    def trouble(self, answer: EachAnswer) -> Thing | None:
        """The item for which a whole answer is illegal, or None."""
        return None if self.test is None else self.test({**self.known, **answer})

    def forced(self, at: int) -> object:
        """The only possible answer for the item at an index; UNSETTLED when it has several."""
        kind, options, amount = self.kind, self.options[at], self.amounts[at]
        if kind in {"one", "words"}:
            return options[0] if len(options) == 1 else UNSETTLED
        if kind == "number":
            return UNSETTLED if amount else 0
        if kind == "exactly" and amount == len(options):
            return list(options)
        return [] if not options or amount == 0 else UNSETTLED

    def is_forced(self, at: int) -> bool:
        """Whether the item at an index has only one possible answer."""
        return self.forced(at) is not UNSETTLED

    def asked(self, at: int) -> Question:
        """The question for the item at an index, as a separate question."""
        return Question(
            self.side, self.name, self.kind, self.options[at], self.amounts[at], None, "", self.secret, self.site
        )

    @property
    def form(self) -> str:
        """The form of the answer, as people read it."""
        if self.kind in {"one", "words"}:
            return "each"
        amounts = set(self.amounts)
        return form_of(self.kind, amounts.pop() if len(amounts) == 1 else None) + " for each"


@attrs.define(slots=True, eq=False)
class Sealed:
    """Questions asked at the same time; no answer is revealed to the others before all have answered.

    answers: the answers given so far, by the number of the question.
    """

    questions: list[Question | EachQuestion]
    answers: dict[int, object] = attrs.field(factory=dict)

    @property
    def open(self) -> list[Question | EachQuestion]:
        """The questions that nobody has answered yet."""
        return [q for n, q in enumerate(self.questions) if n not in self.answers]


UNSETTLED = object()
AGAIN = object()
"""In place of an answer: something was changed from outside, so the question must be computed again."""


def kept_answers(before: Sealed | None, questions: Sequence[Question | EachQuestion]) -> dict[int, object]:
    """The answers of a sealed round, asked again, that still answer the same question."""
    kept: dict[int, object] = {}
    given = (
        [(before.questions[n], answer) for n, answer in sorted(before.answers.items())] if before is not None else []
    )
    for old, answer in given:
        for number, new in enumerate(questions):
            if number not in kept and type(new) is type(old) and _still_answers(new, old, answer):
                kept[number] = answer
                break
    return kept


def _still_answers(new: Question | EachQuestion, old: Question | EachQuestion, answer: Value) -> bool:
    """Whether an answer to a question also answers the same question when it is asked again."""
    if (new.side, new.name, new.kind, new.site) != (old.side, old.name, old.kind, old.site):
        return False
    if isinstance(new, EachQuestion):
        each = new.items == list(answer) and all(_may_be(new.asked(n), x) for n, x in enumerate(answer.values()))
        return each and new.trouble(answer) is None
    return _may_be(new, answer) and new.legal(answer)


def _may_be(question: Question, answer: Value) -> bool:
    """Whether an answer still has the right form and names only what may be chosen."""
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
    """The form of an answer: `one`, `some`, `up to 2`, `exactly 2`, `number`, `split of 5`."""
    number = "so many" if amount is None else amount
    return {
        "up_to": f"up to {number}",
        "exactly": f"exactly {number}",
        "words": "one",
        "split": f"split of {number}",
    }.get(kind, kind)


@attrs.define(slots=True, eq=False)
class Roll:
    """Dice to be rolled for a side: an expression such as 2d6+1. item: the thing it is for, if it is for one of several.

    subject: the thing that the rules deal with at that point, for the side's own prompt.
    """

    side: Thing
    dice: str
    name: str
    site: int
    item: Thing | None = None
    subject: Thing | None = None


@attrs.define(slots=True, eq=False)
class Window:
    """A period in which sides may give orders. waiting: the sides that have not yet said `done`.

    rounds: its position in loops over words (`for each w in (…)`), as pairs of enum and word. given: the sides that have
    given an order in it. subject: the thing of the innermost loop that contains it, for the side's own prompt. key: what distinguishes
    it from every other window: the turn, and its number in the turn.
    """

    waiting: list[Thing]
    orders: tuple[str, ...]
    manner: str
    rounds: tuple[tuple[str, str], ...] = ()
    given: tuple[Thing, ...] = ()
    subject: Thing | None = None
    key: tuple[int, int] = (0, 0)


DONE = object()

Pending: TypeAlias = Question | EachQuestion | Sealed | Roll | Window
"""What rules wait for."""
Run: TypeAlias = Generator[Pending, Value, Value]
"""Running rules: they yield what they need from somebody and are sent the answer in its form."""


__all__ = [
    "AGAIN",
    "DONE",
    "UNSETTLED",
    "EachAnswer",
    "EachQuestion",
    "Pending",
    "Question",
    "Roll",
    "Run",
    "Sealed",
    "Window",
    "form_of",
    "kept_answers",
    "say",
]
