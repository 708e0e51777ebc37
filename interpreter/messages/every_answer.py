"""Every complete answer to an open question, in an order that is always the same."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

from interpreter.messages.asking import UNSETTLED, EachQuestion, Question, Sealed
from interpreter.runtime.runtime import Shares


def every_answer(pending: Question | EachQuestion | Sealed) -> Iterator[object]:
    """All possible complete answers, one by one; for a sealed round all its answers together."""
    if isinstance(pending, EachQuestion):
        ways = [_of_item(pending, at) for at in range(len(pending.items))]
        wholes = (dict(zip(pending.items, way, strict=True)) for way in _product(ways))
        return (whole for whole in wholes if pending.trouble(whole) is None)
    if isinstance(pending, Sealed):
        given = pending.answers
        rounds = [[given[n]] if n in given else every_answer(q) for n, q in enumerate(pending.questions)]
        return (list(way) for way in _product(rounds))
    return (answer for answer in formed(pending) if pending.legal(answer))


def _of_item(question: EachQuestion, at: int) -> Iterable[object]:
    forced = question.forced(at)
    return [forced] if forced is not UNSETTLED else formed(question.asked(at))


def formed(question: Question) -> Iterator[object]:
    """Every answer of the right form, small ones first."""
    among, amount = question.candidates, question.amount or 0
    match question.kind:
        case "number":
            yield from range(amount + 1)
        case "split":
            for shares in _shares(len(among), amount):
                yield Shares.of(among, dict(zip(among, shares, strict=True)))
        case "exactly":
            yield from map(list, itertools.combinations(among, amount))
        case "some" | "up_to":
            most = len(among) if question.kind == "some" else min(amount, len(among))
            for size in range(most + 1):
                yield from map(list, itertools.combinations(among, size))
        case _:
            yield from among


def _shares(parts: int, amount: int) -> Iterator[tuple[int, ...]]:
    if parts <= 1:
        yield (amount,) * parts
        return
    for first in range(amount + 1):
        for rest in _shares(parts - 1, amount - first):
            yield (first, *rest)


def _product(ways: Sequence[Iterable[object]]) -> Iterator[tuple[object, ...]]:
    """All combinations, computed lazily."""
    if not ways:
        yield ()
        return
    head, *rest = ways
    tails = [x if isinstance(x, list | _Kept) else _Kept(x) for x in rest]
    for first in head:
        for others in _product(tails):
            yield (first, *others)


class _Kept:
    """An iterable that can be iterated repeatedly."""

    def __init__(self, source: Iterable[object]) -> None:
        self.source, self.seen = iter(source), list[object]()

    def __iter__(self) -> Iterator[object]:
        at = 0
        while True:
            while at < len(self.seen):
                yield self.seen[at]
                at += 1
            try:
                self.seen.append(next(self.source))
            except StopIteration:
                return


__all__ = ["every_answer", "formed"]
