"""How rules fail and halt, and what emitted rules call for absent and worded values. Numbers, sets and places have other files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING

from interpreter.runtime.references import without_references
from interpreter.runtime.things import Thing, Value

if TYPE_CHECKING:
    from interpreter.runtime.frames import Frame


class RuleTrouble(Exception):
    """A rule needed something that has no value; the machine adds the place and turns it into a RuleFailure."""


class Unconnected(RuleTrouble):
    """A rule needed the distance of two places that no route connects. An order whose clauses need it is refused.

    places: what is said of them to whoever gives the order.
    """

    def __init__(self, places: str) -> None:
        super().__init__(f"{places} `is within N of` can be asked of any two places.")
        self.places = places


TROUBLE = (RuleTrouble, AttributeError, TypeError, ValueError, LookupError, ArithmeticError)
"""What emitted rules raise if something that they need is absent."""


FAILS = (RuleTrouble, AttributeError, TypeError, KeyError, IndexError)
"""What rules fail with if a value is absent or hidden."""


class Halt(Exception):
    """Leaves the named procedure from inside another."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


UNSET: Value = object()
"""In emitted loops, a placeholder for a value not yet computed."""


class Printed:
    """Text in printed notation that a `put` line gives for a field or heading."""

    def __init__(self, text: str) -> None:
        self.text = text


def some(x: Thing | None) -> tuple[Thing, ...]:
    """A thing that may be absent as a set of things."""
    return () if x is None else (x,)


def otherwise(value: Value, other: Value) -> Value:
    """`value else other`."""
    return other if value is None else value


def maybe(thing: Thing | None, slot: str) -> Value:
    """A field of a thing that may be absent."""
    return None if thing is None else getattr(thing, slot)


def named_before(frame: Frame, slot: str) -> Value:
    """The value of a name of a frame; None if it is not set yet."""
    return getattr(frame, slot, None)


def present(value: Value, called: str) -> Value:
    """A value that an example expects to exist. Raises RuleTrouble if it is absent. called: the field or value, "" if it has no name."""
    if value is None:
        raise RuleTrouble(f"{f'`{called}`' if called else 'The value asked for'} is absent here.")
    return value


def agreed(value: Value, other: Value, rule: str, second: str) -> None:
    """Two exceptions to a value apply at once. Raises RuleTrouble if they differ."""
    several = isinstance(value, list) and isinstance(other, list)
    if set(value) != set(other) if several else value != other:
        raise RuleTrouble(
            f"Two exceptions apply at once: {rule} makes it {say(value)}, {second} makes it {say(other)}."
        )


class Shares(dict[Value, int]):
    """How a number was split: the share of each thing; any other thing has a share of 0."""

    def __missing__(self, key: object) -> int:
        return 0

    @classmethod
    def of(cls, sharers: Iterable[object], shares: dict[Value, int]) -> Shares:
        """The shares of all sharers, in order."""
        return cls({x: shares.get(x, 0) for x in sharers})


@contextmanager
def as_acting(frame: Frame, side: Thing | None) -> Iterator[None]:
    """A running procedure is evaluated for a side other than the one that runs it."""
    before, frame.acting = frame.acting, side
    frame.memo.clear()
    try:
        yield
    finally:
        frame.acting = before
        frame.memo.clear()


@contextmanager
def tried(frame: Frame, *slots: str) -> Iterator[None]:
    """Names of a frame temporarily hold an answer while its legality is checked."""
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


def printed(value: object) -> str:
    """A value as printed on a counter: 3, 5/2, a word, or a dash for nothing."""
    if value is None:
        return "--"
    return str(value) if isinstance(value, Fraction) else say(value)


def typed(value: object) -> str:
    """A value as typed by somebody who knows all names; values are compared with typed text in this form."""
    return without_references(say(value))


def say(value: object) -> str:
    """A value as people read it: 3, 1 1/2, yes, a name, a list of names. It is for sentences: names that may be hidden become references."""
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
