"""What emitted rules call: exact arithmetic, rounding, scales, aggregates and the nearness of things. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from math import gcd
from typing import Any

from dsl.rules.notation import as_printed

Number = int | Fraction


class RuleTrouble(Exception):
    """A rule asked for something that has no answer; the machine adds the place and turns it into a RuleFailure."""


TROUBLE = (RuleTrouble, AttributeError, TypeError, ValueError, LookupError, ArithmeticError)
"""What emitted rules raise where something that they need is absent."""


def normal(x: Number) -> Number:
    """The number as an int when it is whole."""
    return x.numerator if x.denominator == 1 else x


def divide(a: Number, b: Number) -> Number:
    """Exact quotient. Raises RuleTrouble where the divisor is 0."""
    if type(a) is int and type(b) is int:
        above, below = a, b
    else:
        above, below = a.numerator * b.denominator, a.denominator * b.numerator
    if not below:
        raise RuleTrouble(f"{say(a)} cannot be divided by 0. The rule must say what counts then.")
    if not above % below:
        return above // below
    return fraction(above, below) if below > 0 else fraction(-above, -below)


def scaled(x: Number, above: int, below: int) -> Number:
    """X times above/below, exactly."""
    if type(x) is int:
        x *= above
        return fraction(x, below) if x % below else x // below
    return times(x, fraction(above, below))


MOST = 1 << 1000
BEYOND = "A number grows beyond all measure here."
"""Exact numbers have no end of their own: a rule that squares again and again would eat all time and memory."""

UNSET: Any = object()
"""Stands in emitted loops for what has not been worked out yet."""


def fraction(above: int, below: int) -> Fraction:
    """above/below for a positive `below`, in lowest terms; the same as Fraction(above, below), but sooner made.

    Raises RuleTrouble beyond all measure.
    """
    if not (-MOST <= above <= MOST and below <= MOST):
        raise RuleTrouble(BEYOND)
    common = gcd(above, below)
    made: Any = object.__new__(Fraction)
    made._numerator = above // common  # noqa: SLF001 (Fraction offers no other quick way)
    made._denominator = below // common  # noqa: SLF001
    whole: Fraction = made
    return whole


def times(a: Number, b: Number) -> Number:
    """The exact product, an int when it is whole. Nothing times something is nothing, whatever it is."""
    if type(a) is int:
        if type(b) is int:
            product = a * b
            if not -MOST <= product <= MOST:
                raise RuleTrouble(BEYOND)
            return product
        above, below = a * b._numerator, b._denominator  # type: ignore[union-attr]  # noqa: SLF001 (its property is slow)
    elif type(b) is int:
        above, below = a._numerator * b, a._denominator  # type: ignore[union-attr]  # noqa: SLF001
    else:
        above, below = a.numerator * b.numerator, a.denominator * b.denominator
    if not above:
        return a if not a else 0
    return fraction(above, below) if above % below else above // below


def plus(a: Number, b: Number) -> Number:
    """The exact sum, an int when it is whole."""
    if type(a) is int and type(b) is int:
        return a + b
    one, other = a.denominator, b.denominator
    above, below = a.numerator * other + b.numerator * one, one * other
    return fraction(above, below) if above % below else above // below


def minus(a: Number, b: Number) -> Number:
    """The exact difference, an int when it is whole."""
    if type(a) is int and type(b) is int:
        return a - b
    one, other = a.denominator, b.denominator
    above, below = a.numerator * other - b.numerator * one, one * other
    return fraction(above, below) if above % below else above // below


def odds(a: Number, b: Number) -> Number:
    """The odds of a to b as a number. Raises RuleTrouble when b is zero."""
    if not b:
        raise RuleTrouble(f"Odds of {say(a)} to 0 are no number. The rule must say what counts then.")
    return divide(a, b)


def round_down(x: Number) -> int:
    """The whole number at or below x."""
    return x.numerator // x.denominator


def round_up(x: Number) -> int:
    """The whole number at or above x."""
    return -(-x.numerator // x.denominator)


def round_nearest(x: Number, halves: str = "away") -> int:
    """The nearest whole number; halves: away (from zero), up, down, even, toward zero."""
    if type(x) is int:
        return x
    below = x.denominator
    low, rest = divmod(x.numerator, below)
    if rest * 2 != below:
        return low if rest * 2 < below else low + 1
    if halves == "up" or (halves == "away" and x > 0) or (halves == "toward zero" and x < 0):
        return low + 1
    if halves == "even":
        return low if low % 2 == 0 else low + 1
    return low


def kept(x: Number, low: Number, high: Number) -> Number:
    """x, but not below low nor above high."""
    return low if x < low else min(x, high)


MANY_NUMBERS = 1000
"""So many numbers a choice `from … to …` may be made of: they are listed one by one."""


def numbers_from(low: Number, high: Number) -> list[int]:
    """The whole numbers from one to another, both among them, of which a choice is made. Raises RuleTrouble for fractions."""
    if low != int(low) or high != int(high):
        raise RuleTrouble(f"Whole numbers are chosen from, but the rule says {say(low)} to {say(high)}.")
    if high - low >= MANY_NUMBERS:
        raise RuleTrouble(f"Of {say(low)} to {say(high)} nobody can choose: {MANY_NUMBERS:,} numbers are the most.")
    return list(range(int(low), int(high) + 1))


def kept_word(word: str, rank: dict[str, int], low: str, high: str) -> str:
    """The word, but not below `low` nor above `high` on its scale."""
    return low if rank[word] < rank[low] else high if rank[word] > rank[high] else word


def moved(words: Sequence[str], rank: dict[str, int], word: str, steps: Number) -> str:
    """The word `steps` further up the scale, kept at its ends."""
    return words[min(max(rank[word] + int(steps), 0), len(words) - 1)]


Steps = tuple[tuple[str, Fraction], ...]


def scale_down(steps: Steps, x: Number) -> str:
    """The highest word of a scale of numbers that is not above x; the lowest word below its start."""
    found = steps[0][0]
    above, below = x.numerator, x.denominator
    for word, value in steps:
        if value._numerator * below > above * value._denominator:  # type: ignore[attr-defined]  # noqa: SLF001 (compared sooner)
            break
        found = word
    return found


def scale_up(steps: Steps, x: Number) -> str:
    """The lowest word that is not below x; the highest word beyond its end."""
    return next((word for word, value in steps if value >= x), steps[-1][0])


def scale_nearest(steps: Steps, x: Number) -> str:
    """The nearest word; below 1 nearness is measured on the inverse, as odds are spoken (1:1.5 lies halfway to 1:2).

    A number exactly between two takes the lower one. A scale that reaches down to 0 holds no odds: there distances are plain.
    """

    def spoken(value: Number) -> Fraction:
        return Fraction(value) - 1 if value >= 1 else 1 - 1 / Fraction(value)

    if steps[0][1] <= 0:
        return min(steps, key=lambda s: (abs(s[1] - x), s[1]))[0]
    if x <= 0:
        return steps[0][0]
    return min(steps, key=lambda s: (abs(spoken(s[1]) - spoken(x)), s[1]))[0]


# ---- aggregates ----------------------------------------------------------------------------------------------


def sum_of(values: Iterable[Number | None]) -> Number:
    """The exact sum of what is there."""
    whole = 0
    broken: Number = 0
    for v in values:
        if type(v) is int:
            whole += v
        elif v is not None:
            broken = plus(broken, v)
    return plus(whole, broken)


def highest_of(values: Iterable[Number | None]) -> Number | None:
    """The highest of what is there; None of nothing."""
    return max((v for v in values if v is not None), default=None)


def lowest_of(values: Iterable[Number | None]) -> Number | None:
    """The lowest of what is there; None of nothing."""
    return min((v for v in values if v is not None), default=None)


def prevailing_of(rows: Iterable[tuple[Any, ...]], last: str, rank: dict[str, int] | None) -> Any:
    """The value with the greatest total of weights; rows: (value, weight, further weights that settle ties in turn).

    last: how a tie that is left is settled (lower, higher, average); without it, as of no values at all, None.
    """
    totals: dict[Any, list[Number]] = {}
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


def extremes_of(rows: Iterable[tuple[Any, Any]], which: str, rank: dict[str, int] | None) -> list[Any]:
    """The things of the rows (thing, value) whose value is highest or lowest; those without a value are left out."""
    there = [(x, v if rank is None else rank[v]) for x, v in rows if v is not None]
    if not there:
        return []
    best = (max if which == "highest" else min)(v for _, v in there)
    return [x for x, v in there if v == best]


def average_of(values: Iterable[Number | None]) -> Number | None:
    """The exact mean of what is there; None of nothing."""
    there = [v for v in values if v is not None]
    return divide(sum(there), len(there)) if there else None


def first_of(values: Sequence[Any]) -> Any:
    """The first; None of nothing."""
    return values[0] if values else None


def highest_word(values: Iterable[str | None], rank: dict[str, int]) -> str | None:
    """The highest word of a scale; None of nothing."""
    if type(values) is not list or None in values:
        values = [v for v in values if v is not None]
    return max(values, key=rank.__getitem__, default=None)


def lowest_word(values: Iterable[str | None], rank: dict[str, int]) -> str | None:
    """The lowest word of a scale; None of nothing."""
    if type(values) is not list or None in values:
        values = [v for v in values if v is not None]
    return min(values, key=rank.__getitem__, default=None)


def most(tests: Sequence[bool]) -> bool:
    """Whether more than half hold; of nothing, no."""
    return sum(tests) * 2 > len(tests)


def otherwise(value: Any, other: Any) -> Any:
    """`value else other`."""
    return other if value is None else value


def maybe(thing: Any, slot: str) -> Any:
    """A field of a thing that may be absent."""
    return None if thing is None else getattr(thing, slot)


def named_before(frame: Any, slot: str) -> Any:
    """What a name of a frame holds; None where it holds nothing yet."""
    return getattr(frame, slot, None)


def present(value: Any, called: str) -> Any:
    """What an example takes to be there. Raises RuleTrouble where it is absent. called: the field or value, "" if it has no name."""
    if value is None:
        raise RuleTrouble(f"{f'`{called}`' if called else 'What is asked for'} is absent here.")
    return value


def somewhere(place: Any) -> Any:
    """Where something moves. Raises RuleTrouble where that is absent: only `off the map` takes it off the map."""
    if place is None:
        raise RuleTrouble("Nothing can move nowhere.")
    return place


def agreed(value: Any, other: Any, rule: str, second: str) -> None:
    """Two exceptions to a value hold at once. Raises RuleTrouble where they say different things."""
    several = isinstance(value, list) and isinstance(other, list)
    if set(value) != set(other) if several else value != other:
        raise RuleTrouble(f"Two exceptions hold at once: {rule} makes it {say(value)}, {second} {say(other)}.")


def union(a: Iterable[Any], b: Iterable[Any]) -> list[Any]:
    """`a together with b`: all of a, then what only b has."""
    out = list(a)
    out += [x for x in b if x not in out]
    return out


def leave_out(a: Iterable[Any], b: Sequence[Any]) -> list[Any]:
    """What of a is not in b."""
    return [x for x in a if x not in b]


def come_after(several: Iterable[Any], one: Any) -> list[Any]:
    """What comes after one of several, in their order; nothing where it is none of them."""
    left = iter(several)
    for x in left:
        if x is one or x == one:
            return list(left)
    return []


def come_before(several: Iterable[Any], one: Any) -> list[Any]:
    """What comes before one of several, in their order; nothing where it is none of them."""
    out: list[Any] = []
    for x in several:
        if x is one or x == one:
            return out
        out.append(x)
    return []


def same_members(a: Sequence[Any], b: Sequence[Any]) -> bool:
    """Whether two sets hold the same, in whatever order; what stands twice in one stands twice in the other."""
    return len(a) == len(b) and Counter(a) == Counter(b)


def printed_as(value: Any, wanted: Any) -> bool:
    """Whether a value is what is printed so: a rating by its text, several things each, in whatever order."""
    value = as_printed(value)
    return same_members(value, wanted) if isinstance(value, tuple) else value == wanted


# ---- where things are ----------------------------------------------------------------------------------------


def one_place(x: Any) -> tuple[Any, ...]:
    """The place that a thing stands in, or the place itself; nothing for a thing that is off the map."""
    if x is None or x.place is None:
        return ()
    return (x.place,)


def place_set(things: Iterable[Any]) -> list[Any]:
    """The places in which things stand, each once."""
    out: dict[Any, None] = {}
    for x in things:
        if x.place is not None:
            out[x.place] = None
    return list(out)


def next_to(x: Any) -> tuple[Any, ...]:
    """The places next to the one in which a thing stands."""
    return x.place.near if x.place is not None else ()


def next_to_any(things: Iterable[Any]) -> list[Any]:
    """The places next to any of some things, each once."""
    out: dict[Any, None] = {}
    for x in things:
        if x.place is not None:
            out.update(dict.fromkeys(x.place.near))
    return list(out)


def stands(x: Any, places: Sequence[Any]) -> bool:
    """Whether a thing stands in one of these places."""
    return x.place is not None and x.place in places


def stand_in(things: Iterable[Any], places: Sequence[Any]) -> list[Any]:
    """Those of some things that stand in one of these places."""
    return [x for x in things if x.place is not None and x.place in places]


def with_parts(places: Iterable[Any]) -> list[Any]:
    """Places, and after each of them all that lie in it, directly or through others."""
    out: list[Any] = []
    for place in places:
        out.append(place)
        if place.members:
            out += with_parts(place.members)
    return out


def lies(x: Any, places: Sequence[Any]) -> bool:
    """Whether a thing stands in one of these places, or in a place that lies in one of them."""
    here = x.place
    while here is not None:
        if here in places:
            return True
        here = here.holder
    return False


def lie_in(things: Iterable[Any], places: Sequence[Any]) -> list[Any]:
    """Those of some things that stand in one of these places or in what lies in them."""
    return [x for x in things if lies(x, places)]


def standing_in(x: Any, kind: str) -> Any:
    """The place of that kind in which x stands, directly or through the place it stands in; None when there is none."""
    here = x.place if x is not None else None
    while here is not None and here.kind != kind:
        here = here.holder
    return here


def perhaps_holder_of(x: Any, kind: str) -> Any:
    """The same of what may be absent: nothing holds it then. Raises RuleTrouble when nothing holds a thing that is there."""
    return None if x is None else holder_of(x, kind)


def holder_if_any(x: Any, kind: str) -> Any:
    """The thing of that kind that holds x, perhaps through others; None when none does, or x is absent."""
    holder = None if x is None else x.holder
    while holder is not None and holder.kind != kind:
        holder = holder.holder
    return holder


def holder_of(x: Any, kind: str) -> Any:
    """The thing of that kind that holds x, perhaps through others. Raises RuleTrouble when none does."""
    holder = holder_if_any(x, kind)
    if holder is None:
        raise RuleTrouble(f"{x.name} is held by no {kind}.")
    return holder


def members_of(x: Any, kind: str) -> list[Any]:
    """All things of that kind that x holds, directly or through others."""
    out = []
    for member in x.members:
        if member.kind == kind:
            out.append(member)
        elif member.members:
            out += members_of(member, kind)
    return out


def members_of_any(x: Any, kinds: Sequence[str]) -> list[Any]:
    """All things of several kinds that x holds, directly or through others."""
    out = []
    for member in x.members:
        if member.kind in kinds:
            out.append(member)
        out += members_of_any(member, kinds) if member.members else []
    return out


def things_here(places: Iterable[Any], kinds: Sequence[str]) -> list[Any]:
    """The things of some kinds in some places, and those that are parts of what stands there, after their wholes."""
    out: list[Any] = []
    for place in places:
        for x in place.things:
            if x.kind in kinds:
                out.append(x)
            _add_parts(x, kinds, out)
    return out


def _add_parts(x: Any, kinds: Sequence[str], out: list[Any]) -> None:
    for member in x.members:
        if member.part:
            if member.kind in kinds:
                out.append(member)
            _add_parts(member, kinds, out)


def held_by(things: Iterable[Any], holder: Any) -> list[Any]:
    """Those of some things that a holder, or one of several, holds, directly or through others.

    It is the holder that is asked, not each thing: who holds the others may be hidden from whoever asks.
    """
    held: set[Any] = set()
    left = list(holder) if isinstance(holder, list | tuple) else [holder] if holder is not None else []
    while left:
        members = left.pop().members
        held.update(members)
        left += members
    return [x for x in things if x in held]


# ---- words for people ----------------------------------------------------------------------------------------


class Shares(dict[Any, int]):
    """How a number was split: the share of each thing; what had no part in it has a share of 0."""

    def __missing__(self, key: Any) -> int:
        return 0

    @classmethod
    def of(cls, sharers: Iterable[Any], shares: dict[Any, int]) -> Shares:
        """The shares of all that may have one, in their order."""
        return cls({x: shares.get(x, 0) for x in sharers})


@contextmanager
def as_acting(frame: Any, side: Any) -> Iterator[None]:
    """A running procedure is asked something for another side than the one that runs it."""
    before, frame.acting = frame.acting, side
    frame.memo.clear()
    try:
        yield
    finally:
        frame.acting = before
        frame.memo.clear()


@contextmanager
def tried(frame: Any, *slots: str) -> Iterator[None]:
    """Names of a frame hold an answer while it is asked whether it is legal; then what they held before."""
    held = [(slot, getattr(frame, slot)) for slot in slots if hasattr(frame, slot)]
    try:
        yield
    finally:
        for slot in slots:
            if hasattr(frame, slot):
                delattr(frame, slot)
        for slot, value in held:
            setattr(frame, slot, value)
        frame.memo.clear()


def printed(value: Any) -> str:
    """A value as it stands on a counter: 3, 5/2, a word, or a dash for nothing."""
    if value is None:
        return "--"
    return str(value) if isinstance(value, Fraction) else say(value)


def say(value: Any) -> str:
    """A value as people read it: 3, 1 1/2, yes, a name, a list of names."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return str(value.numerator)
        whole, rest = divmod(abs(value.numerator), value.denominator)
        sign = "-" if value < 0 else ""
        return f"{sign}{whole} {rest}/{value.denominator}" if whole else f"{sign}{rest}/{value.denominator}"
    if isinstance(value, list | tuple):
        return ", ".join(say(v) for v in value) if value else "none"
    if isinstance(value, dict):
        return "; ".join(f"{say(k)} {say(v)}" for k, v in value.items()) if value else "none"
    text = getattr(value, "text", None)
    if isinstance(text, str):
        return text
    return str(getattr(value, "id", value))
