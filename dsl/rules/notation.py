"""Printed notation: reading the text on a counter (`28VL/7M/+(16)`) into the fields it stands for."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from dsl.ir import Type
from dsl.rules.dice_values import read_dice_value
from dsl.rules.entries import entries_of
from dsl.rules.ruleset import Ruleset
from dsl.syntax import declarations as d
from dsl.text.diagnostics import did_you_mean
from dsl.text.phrases import an

DASHES = {"--", "—", "-", ""}
LONGEST_PRINTED = 200
MOST_PARTS = 60
"""The greatest length of a text on a counter, and the most parts of its notation."""


class RatingValue:
    """A rating as a value: its fields as attributes `f_…`, and its printed text. Equal if the printed texts are equal."""

    __slots__ = ("rating", "text")

    def __init__(self, rating: str, text: str) -> None:
        self.rating = rating
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RatingValue) and (self.rating, self.text) == (other.rating, other.text)

    def __hash__(self) -> int:
        return hash((self.rating, self.text))

    def __repr__(self) -> str:
        return f"<{self.rating} {self.text}>"


def rating_value(rating: str, text: str, values: dict[str, Any]) -> RatingValue:
    """The value of a rating with these fields."""
    made = _rating_class(rating, tuple(values))(rating, text)
    for name, value in values.items():
        setattr(made, attribute(name), value)
    return made


@functools.lru_cache(maxsize=256)
def _rating_class(rating: str, fields: tuple[str, ...]) -> type[RatingValue]:
    """A class with a slot for each field, because rules read ratings all the time."""
    return type(
        f"Rating_{rating.replace('-', '_')}", (RatingValue,), {"__slots__": tuple(attribute(f) for f in fields)}
    )


@functools.lru_cache(maxsize=16384)
def attribute(field: str) -> str:
    """The name of the attribute for a field of a thing or rating."""
    return "f_" + field.replace("-", "_").replace(" ", "__")


def as_printed(value: Any) -> Any:
    """A value in the form that identifies it in print: the text of a rating, and of several things each one."""
    if isinstance(value, RatingValue):
        return value.text
    return tuple(as_printed(x) for x in value) if isinstance(value, list | tuple) else value


class BadNotation(Exception):
    """Text that does not match a notation; message: the expected form, hint: a possible correction."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def read(ruleset: Ruleset, type_: Type, text: str, joined: str | None = None) -> Any:
    """Reads printed text as a value of a type; an optional value may be a dash.

    Raises BadNotation if the text does not match.
    """
    text = text.strip()
    if type_.optional and text in DASHES:
        return None
    if type_.name == "set":
        if text in DASHES or text == "none":
            return ()
        inner = type_.of
        assert inner is not None
        return tuple(read(ruleset, inner, part) for part in (text.split(joined) if joined else text.split(",")))
    match type_.name:
        case "number":
            return _number(text)
        case "dice":
            return _dice(text)
        case "mark":
            return _mark(text)
        case "enum":
            return _word(ruleset, type_.word, text)
        case "rating":
            return read_rating(ruleset, type_.word, text)
        case "text":
            return text.strip('"')
        case "entry":
            return _entry(ruleset, type_.word, text)
    raise BadNotation(f"{type_} cannot be written in a cell")


def _number(text: str) -> int | Fraction:
    if not re.fullmatch(r"[+-]?\d{1,24}(\.\d{1,24}|/\d{1,24})?", text):
        raise BadNotation(f"`{text}` is not a number")
    if "/" in text and not int(text.partition("/")[2]):
        raise BadNotation(f"`{text}` divides by zero")
    number = Fraction(text)
    return number.numerator if number.denominator == 1 else number


def _dice(text: str) -> Any:
    found = read_dice_value(text)
    if found is None:
        raise BadNotation(f"`{text}` is not a dice roll", "Write dice as 1d6, 2d6 or 1d6-3.")
    return found


def _mark(text: str) -> bool:
    if text not in {"yes", "no", *DASHES}:
        raise BadNotation(f"`{text}` is neither yes nor no")
    return text == "yes"


def _word(ruleset: Ruleset, enum: str, text: str) -> str:
    words = ruleset.enums[enum].words
    if text not in words:
        raise BadNotation(f"`{text}` is not a word of {enum.rpartition('.')[2]} ({', '.join(words)})")
    return text


def _entry(ruleset: Ruleset, kind: str, text: str) -> str:
    known = entries_of(ruleset, kind)
    if text not in known:
        raise BadNotation(f"no unit list has {an(kind)} named `{text}`", did_you_mean(text, known))
    return text


def read_rating(ruleset: Ruleset, name: str, text: str) -> RatingValue:
    """Reads a rating by the first of its notations that matches the complete text."""
    fields = ruleset.rating_fields[name]
    for written in ruleset.ratings[name].written:
        found = _match(ruleset, written, fields, text)
        if found is not None:
            values = {
                n: (False if f.type.name == "mark" else () if f.type.name == "set" else None) for n, f in fields.items()
            }
            for n, field in fields.items():
                if field.node.starts is not None and field.type.name == "enum":
                    values[n] = getattr(field.node.starts, "word", None)
            values.update(found)
            values.update(dict.fromkeys(written.marks, True))
            for n, field in fields.items():
                if values[n] is None and not field.type.optional:
                    raise BadNotation(f"`{text}` gives no value for {n}")
            return rating_value(name, text, values)
    raise BadNotation(
        f"`{text}` does not match any notation of {name} ({'; '.join(w.pattern for w in ruleset.ratings[name].written)})"
    )


def _match(ruleset: Ruleset, written: d.Written, fields: dict[str, Any], text: str) -> dict[str, Any] | None:
    groups = fit(ruleset, written.pattern, {n: f.type for n, f in fields.items()}, text)
    if groups is None:
        return None
    out: dict[str, Any] = {}
    for name, sign, group in groups:
        if sign:
            out[name] = bool(group)
        elif name in fields:
            try:
                out[name] = read(ruleset, fields[name].type, group, fields[name].node.joined)
            except BadNotation:
                return None
    return out


def parts_of(pattern: str) -> list[tuple[str, str, str]]:
    """The parts of a notation in order, each as (literal, field, sign): a literal, `<field>` or `<field:sign>`."""
    out: list[tuple[str, str, str]] = []
    for literal, name, sign in re.findall(r"([^<]*)(?:<([a-z0-9-]+)(?::([^>]+))?>)?", pattern):
        if literal:
            out.append((literal, "", ""))
        if name:
            out.append(("", name, sign))
    return out


def fit(ruleset: Ruleset, pattern: str, types: dict[str, Type], text: str) -> list[tuple[str, str, str]] | None:
    """The part of a text that each field of a notation takes, as (field, sign, part); None if the text does not match.

    Tries matches as a regular expression would: earlier fields first, numbers and words as long, other text as short as
    possible. Failed attempts are not repeated, so that no notation takes long.
    """
    text = text.strip()
    if len(text) > LONGEST_PRINTED:
        return None
    parts = parts_of(pattern)
    failed: set[tuple[int, int]] = set()

    def ends(name: str, at: int) -> Iterator[int]:
        type_ = types.get(name)
        if type_ is not None and type_.name == "number":
            found = re.compile(r"[+-]?\d+(?:/\d+)?").match(text, at)
            if found:
                yield from (e for e in range(found.end(), at, -1) if text[e - 1].isdigit())
        elif type_ is not None and type_.name == "enum":
            words = ruleset.enums[type_.word].words
            yield from (at + len(w) for w in sorted(words, key=len, reverse=True) if text.startswith(w, at))
        else:
            yield from range(at + 1, len(text) + 1)
        if type_ is not None and type_.optional and text.startswith("--", at):
            yield at + 2

    def go(number: int, at: int) -> list[tuple[str, str, str]] | None:
        if number == len(parts):
            return [] if at == len(text) else None
        if (number, at) in failed:
            return None
        literal, name, sign = parts[number]
        if literal:
            tries: Iterable[int] = [at + len(literal)] if text.startswith(literal, at) else []
        elif sign:
            tries = [at + len(sign), at] if text.startswith(sign, at) else [at]
        else:
            tries = ends(name, at)
        for end in tries:
            rest = go(number + 1, end)
            if rest is not None:
                return rest if literal else [(name, sign, text[at:end]), *rest]
        failed.add((number, at))
        return None

    return go(0, 0) if len(parts) <= MOST_PARTS else None


def read_field(ruleset: Ruleset, kind: str, name: str, text: str) -> dict[str, Any]:
    """Reads text as a field of a kind, or under a printed heading as all the fields that it fills; a dash empties them.

    Raises BadNotation if the text does not match.
    """
    info = ruleset.kinds[kind]
    patterns = [p.pattern for p in info.node.printed if p.name == name] if info.node is not None else []
    if not patterns:
        field = info.fields[name]
        return {name: read(ruleset, field.type, text, field.node.joined)}
    names = {f for p in patterns for _, f, _ in parts_of(p) if f in info.fields}
    empty = {n: None for n in sorted(names) if info.fields[n].type.optional}
    return {**empty, **read_printed(ruleset, kind, name, text)}


def read_printed(ruleset: Ruleset, kind: str, heading: str, text: str) -> dict[str, Any]:
    """Reads a cell under a heading that fills several fields. Raises BadNotation."""
    info = ruleset.kinds[kind]
    assert info.node is not None
    patterns = [p for p in info.node.printed if p.name == heading]
    if text.strip() in DASHES:
        return {}
    for printed in patterns:
        groups = fit(ruleset, printed.pattern, {n: f.type for n, f in info.fields.items()}, text)
        if groups is None:
            continue
        out: dict[str, Any] = {}
        for name, sign, group in groups:
            if name in info.fields:
                field = info.fields[name]
                out[name] = bool(group) if sign else read(ruleset, field.type, group, field.node.joined)
        return out
    raise BadNotation(f"`{text}` does not match {' or '.join(p.pattern for p in patterns)}")
