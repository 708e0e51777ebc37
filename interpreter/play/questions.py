"""Questions as they are asked in the current state; where only one answer is possible, that answer."""

from __future__ import annotations

from interpreter.messages.asking import Amount, AmountOf, EachAnswer, EachQuestion, Many, ManyOf, Question, Test, TestOf
from interpreter.runtime.exact_numbers import Number
from interpreter.runtime.runtime import RuleTrouble, Shares, say
from interpreter.runtime.things import Thing, Value
from interpreter.world.hosting import Whoever

__all__ = ["one_side", "question", "question_of_each"]


def question(
    site: int, side: Thing, name: str, kind: str, source: Many | None, amount: Amount | None,
    test: Test | None, reason: str, secret: bool, always: bool, *, weighed: bool = False,
) -> object:  # fmt: skip
    """The question to ask in the current state, or the answer if there is nothing to ask.

    always: even if only one answer is possible. weighed: if there are several candidates, even if only one is legal.
    """
    number: Value = amount() if amount is not None else None
    if kind == "number":
        top = max(_whole(number, name), 0)
        return Question(side, name, kind, [], top, test, reason, secret, site) if top or always else 0
    candidates = list(dict.fromkeys(source())) if source is not None else []
    if kind == "split":
        count = _whole(number, name)
        return _split(Question(side, name, kind, candidates, count, test, reason, secret, site), always, weighed)
    if kind in {"one", "words"}:
        legal = [c for c in candidates if test is None or test(c)]
        if not legal:
            raise RuleTrouble(f"{side.id} must choose {name}, but there is no legal answer.")
        if len(legal) == 1 and not always and not (weighed and len(candidates) > 1):
            return legal[0]
        barred = [c for c in candidates if c not in legal]
        return Question(side, name, kind, legal, None, test, reason, secret, site, barred=barred)
    among = Question(side, name, kind, candidates, None, test, reason, secret, site)
    among.amount = _whole(number, name) if amount is not None else None
    return _several(among, always, weighed)


def _several(among: Question, always: bool, weighed: bool) -> object:
    """The question for several of some things, or the answer if only one is possible.

    weighed: that one is given without asking only if its condition allows it.
    """
    kind, candidates, exactly = among.kind, among.candidates, among.kind == "exactly"
    if exactly and among.amount is not None:
        among.amount = min(among.amount, len(candidates))
    count = among.amount
    if not always and (not candidates or count == 0 or (exactly and count == len(candidates))):
        only = candidates if kind == "exactly" and count else []
        return among if weighed and among.test is not None and not among.test(only) else only
    return among


def question_of_each(
    site: int, side: Thing, items: list[Thing], name: str, kind: str, source: ManyOf | None,
    amount: AmountOf | None, test: TestOf | None, reason: str, secret: bool,
    chosen: dict[Thing, object],
) -> EachQuestion:  # fmt: skip
    """The question for each of some things of a side."""
    options = [list(dict.fromkeys(source(x))) if source is not None else [] for x in items]
    amounts = [_whole(amount(x), name) if amount is not None else None for x in items]
    for at, (item, legal) in enumerate(zip(items, options, strict=True)):
        if not legal and kind in {"one", "words"}:
            raise RuleTrouble(f"{item.name} must choose {name}, but there is nothing to choose from.")
        if kind == "exactly":
            amounts[at] = min(amounts[at] or 0, len(legal))
    checker = None
    if test is not None:

        def checker(whole: EachAnswer) -> Thing | None:
            return next((i for i in items if not test(whole, i)), None)

    return EachQuestion(side, name, kind, items, options, amounts, checker, reason, secret, site, dict(chosen))


def one_side(side: Whoever, name: str) -> Thing:
    """The side that is asked. Raises RuleTrouble unless there is exactly one."""
    if isinstance(side, list | tuple):
        found = list(dict.fromkeys(side))
        if len(found) != 1:
            raise RuleTrouble(f"One side must answer or roll {name}, but the rule names {len(found)}.")
        side = found[0]
    if side is None:
        raise RuleTrouble(
            f"There is no side for {name}. While sides give orders together, nobody is `active`: name the side, as in `side of u`."
        )
    return side


def _split(question: Question, always: bool, weighed: bool) -> object:
    """The question for a split, or the split if only one is possible. weighed: as for several."""
    sharers, amount = question.candidates, question.amount or 0
    if not sharers and amount:
        raise RuleTrouble(
            f"{question.side.id} must split {amount} as {question.name}, but there is nothing to split it among."
        )
    if not always and (not amount or len(sharers) == 1):
        only = Shares.of(sharers, {sharers[0]: amount} if amount else {})
        return question if weighed and question.test is not None and not question.test(only) else only
    return question


def _whole(amount: Number, name: str) -> int:
    """A number that counts things. Raises RuleTrouble for a fraction."""
    if amount != int(amount):
        raise RuleTrouble(f"{name} must be a whole number, but the rule gives {say(amount)}.")
    return int(amount)
