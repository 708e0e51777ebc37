"""What emitted rules call for sets of values and things: sums, extremes, prevailing values, unions. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from dsl.rules.notation import as_printed
from interpreter.runtime.exact_numbers import Number, divide, plus
from interpreter.runtime.things import Value

__all__ = [
    "average_of",
    "come_after",
    "come_before",
    "extremes_of",
    "first_of",
    "highest_of",
    "highest_word",
    "leave_out",
    "lowest_of",
    "lowest_word",
    "most",
    "prevailing_of",
    "printed_as",
    "same_members",
    "sum_of",
    "union",
]

T = TypeVar("T")


def sum_of(values: Iterable[Number | None]) -> Number:
    """The exact sum of the values that are not absent."""
    whole = 0
    broken: Number = 0
    for v in values:
        if type(v) is int:
            whole += v
        elif v is not None:
            broken = plus(broken, v)
    return plus(whole, broken)


def highest_of(values: Iterable[Number | None]) -> Number | None:
    """The highest of the values that are not absent; None if there are none."""
    most = None
    for value in values:
        if value is not None and (most is None or value > most):
            most = value
    return most


def lowest_of(values: Iterable[Number | None]) -> Number | None:
    """The lowest of the values that are not absent; None if there are none."""
    least = None
    for value in values:
        if value is not None and (least is None or value < least):
            least = value
    return least


def prevailing_of(rows: Iterable[tuple[Value, ...]], last: str, rank: dict[str, int] | None) -> Value:
    """The value with the greatest total of weights; rows: (value, weight, further weights that settle ties in turn).

    last: how a remaining tie is settled (lower, higher, average); without it the result is None, as with no values.
    """
    totals: dict[Value, list[Number]] = {}
    for value, *weights in rows:
        if value is not None:
            held = totals.setdefault(value, [0] * len(weights))
            for at, weight in enumerate(weights):
                held[at] += weight
    if not totals:
        return None
    most = max(totals.values())
    tied = [value for value, weights in totals.items() if weights == most]
    if len(tied) == 1:
        return tied[0]
    if last == "average":
        return average_of(tied)
    if not last:
        return None
    return (min if last == "lower" else max)(tied, key=rank.__getitem__ if rank is not None else None)


def extremes_of(rows: Iterable[tuple[T, Value]], which: str, rank: dict[str, int] | None) -> list[T]:
    """The things of the rows (thing, value) whose value is highest or lowest; those without a value are left out."""
    there = [(x, v if rank is None else rank[v]) for x, v in rows if v is not None]
    if not there:
        return []
    best = (max if which == "highest" else min)(v for _, v in there)
    return [x for x, v in there if v == best]


def average_of(values: Iterable[Number | None]) -> Number | None:
    """The exact mean of the values that are not absent; None if there are none."""
    there = [v for v in values if v is not None]
    return divide(sum(there), len(there)) if there else None


def first_of(values: Sequence[T]) -> T | None:
    """The first; None if there is none."""
    return values[0] if values else None


def highest_word(values: Iterable[str | None], rank: dict[str, int]) -> str | None:
    """The highest word of a scale; None if there are none."""
    if type(values) is not list or None in values:
        values = [v for v in values if v is not None]
    return max(values, key=rank.__getitem__, default=None)


def lowest_word(values: Iterable[str | None], rank: dict[str, int]) -> str | None:
    """The lowest word of a scale; None if there are none."""
    if type(values) is not list or None in values:
        values = [v for v in values if v is not None]
    return min(values, key=rank.__getitem__, default=None)


def most(tests: Sequence[bool]) -> bool:
    """Whether more than half are true; false if there are none."""
    return sum(tests) * 2 > len(tests)


def union(a: Iterable[T], b: Iterable[T]) -> list[T]:
    """`a together with b`: all of a, then what only b has."""
    out = list(a)
    out += [x for x in b if x not in out]
    return out


def leave_out(a: Iterable[T], b: Sequence[object]) -> list[T]:
    """The elements of a that are not in b."""
    return [x for x in a if x not in b]


def come_after(several: Iterable[T], one: object) -> list[T]:
    """The element after one of several, in order; None if it is not one of them."""
    left = iter(several)
    for x in left:
        if x is one or x == one:
            return list(left)
    return []


def come_before(several: Iterable[T], one: object) -> list[T]:
    """The element before one of several, in order; None if it is not one of them."""
    out: list[T] = []
    for x in several:
        if x is one or x == one:
            return out
        out.append(x)
    return []


def same_members(a: Sequence[object], b: Sequence[object]) -> bool:
    """Whether two sets have the same elements, in any order; duplicates count."""
    return len(a) == len(b) and Counter(a) == Counter(b)


def printed_as(value: Value, wanted: Value) -> bool:
    """Whether a value matches a printed one: a rating by its text, several things each, in any order."""
    value = as_printed(value)
    return same_members(value, wanted) if isinstance(value, tuple) else value == wanted
