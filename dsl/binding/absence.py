"""Tests for absent values: whether an expression is `none`, may be absent, or is known to be present where a condition holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeVar

import attrs

from dsl import ir
from dsl.binding.scope import Scope
from dsl.ir import ERROR, E


def is_none(e: E) -> bool:
    """Whether an expression is `none` (also as a word of an enum, where a set is expected), `nobody` or `nothing`."""
    return (
        isinstance(e, ir.Constant)
        and e is not ERROR
        and e.value in {None, "none"}
        and e.type.name in {"nothing", "enum"}
    )


X = TypeVar("X", bound=E)

FRESH = re.compile(r"x\d+")
"""The names that binding itself gives to variables."""


ALWAYS = (
    ir.Active, ir.Aggregate, ir.Arithmetic, ir.Compare, ir.Distance, ir.Game, ir.Local, ir.Negative, ir.Not, ir.OptionRead, ir.Turn,
)  # fmt: skip
"""Expressions that always have a value, unless their type says that it may be absent."""


def is_there(e: E) -> E:
    """A test whether a value is present."""
    return ir.IsThere(e, span=e.span)


def with_gaps(several: E) -> E:
    """The set before its absent members were removed: aggregates of numbers ignore those themselves."""
    match several:
        case ir.Filter(
            base=ir.Listed() | ir.MapOver() as base, variable=name, condition=ir.IsThere(value=ir.Local(name=tested))
        ):
            return base if tested == name else several
    return several


def holds_of(subject: E, test: E) -> E:
    """A condition on a thing that may be absent. It is false if the thing is absent."""
    return ir.And((is_there(subject), test), span=test.span) if subject.type.optional else test


def shown_there(cond: E) -> tuple[E, ...]:
    """The values known to be present if a condition holds: x after `there is x`, and `first S` after `there is S`."""
    match cond:
        case (
            ir.Not(item=ir.IsAbsent(value=subject))
            | ir.IsThere(value=subject)
            | ir.WordIs(subject=subject)
            | ir.WordOf(subject=subject)
        ):
            pass
        case _:
            return ()
    if subject.type.name == "set":
        of = (subject.type.of or subject.type).maybe()
        return (ir.Aggregate("first", subject, None, type=of, span=subject.span),)
    return (subject,)


def known_there(bound: X, scope: Scope) -> X:
    """A value, with a type that is not optional if the value is known to be present at this line."""
    if bound.type.optional and any(same_said(one, known, {}) for known in scope.known for one in _as_there_as(bound)):
        return attrs.evolve(bound, type=bound.type.sure())
    return bound


def _as_there_as(e: E) -> Iterator[E]:
    """The value itself, and `first S` for `first S whose F is highest`: it is there if S is not empty."""
    yield e
    while (
        isinstance(e, ir.Aggregate) and is_first(e) and isinstance(e.base, ir.Extremes) and always_there(e.base.value)
    ):
        e = attrs.evolve(e, base=e.base.base)
        yield e


def same_said(a: object, b: object, names: dict[str, str]) -> bool:
    """Whether two expressions are equal up to the names of the variables of their sets. names: the variables of b, by those of a."""
    if isinstance(a, E) and isinstance(b, E):
        if type(a) is not type(b):
            return False
        if isinstance(a, ir.Local) and isinstance(b, ir.Local):
            return names.get(a.name, a.name) == b.name
        if isinstance(a, ir.OverSet) and isinstance(b, ir.OverSet):
            names = {**names, a.variable: b.variable}
        parts = (n for n in ir.fields_of(type(a)) if n != "variable")
        return all(same_said(getattr(a, n), getattr(b, n), names) for n in parts)
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        return len(a) == len(b) and all(same_said(x, y, names) for x, y in zip(a, b, strict=True))
    return a == b


def absent_in(e: E) -> tuple[str, str]:
    """Which part of a value may be absent, as a sentence; and the name that the rules gave it, if they did."""
    root = e
    while (of := _read_from(root)) is not None and of.type.optional:
        root = of
    name = root.name if isinstance(root, ir.FrameName | ir.Local) and not FRESH.fullmatch(root.name) else ""
    if isinstance(root, ir.Field):
        what = f"`{root.name}` is optional and may be absent here"
    elif name:
        what = f"`{name}` may be absent here"
    else:
        what = "This may be absent here" if root is e else "The thing that this is read from may be absent here"
    return f"{what}." if root is e or not isinstance(e, ir.Field) else f"{what}, and then so is its `{e.name}`.", name


def _read_from(e: E) -> E | None:
    """The thing that a property is read from."""
    match e:
        case (
            ir.Field(holder=of)
            | ir.EntryOf(holder=of)
            | ir.SideOf(thing=of)
            | ir.PlaceOf(thing=of)
            | ir.HolderOf(held=of)
        ):
            return of
    return None


def is_first(e: E) -> bool:
    """Whether a value is `first S`. Where its side or place is read, or where it changes, S must not be empty."""
    return isinstance(e, ir.Aggregate) and e.which == "first"


def always_there(e: E) -> bool:
    """Whether a value is obviously present: a literal, a computed value, or a field that is not optional."""
    if e.type.optional or e.type.name == "set":
        return False
    if isinstance(e, ir.Field):
        return always_there(e.holder)
    return isinstance(e, ALWAYS) or (isinstance(e, ir.Constant) and e.value is not None)
