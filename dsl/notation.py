"""Printed notation: reading what stands on a counter (`28VL/7M/+(16)`) into the fields it stands for."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from dsl import declarations as d
from dsl.ir import Type
from dsl.ruleset import Ruleset

DASHES = {"--", "—", "-", ""}


class RatingValue:
    """A rating as a value: its fields as attributes `f_…`, and the text it was printed as. Equal when printed alike."""

    def __init__(self, rating: str, text: str, values: dict[str, Any]) -> None:
        self.rating = rating
        self.text = text
        self.__dict__.update({attribute(k): v for k, v in values.items()})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RatingValue) and (self.rating, self.text) == (other.rating, other.text)

    def __hash__(self) -> int:
        return hash((self.rating, self.text))

    def __repr__(self) -> str:
        return f"<{self.rating} {self.text}>"


def attribute(field: str) -> str:
    """The attribute of a thing or rating that holds a field."""
    return "f_" + field.replace("-", "_")


class BadNotation(Exception):
    """Text that fits no notation; message says what was wanted."""


def read(ruleset: Ruleset, type_: Type, text: str, joined: str | None = None) -> Any:
    """Reads printed text as a value of a type; an optional one may be a dash.

    Raises BadNotation when the text does not fit.
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
    if type_.name == "number":
        if not re.fullmatch(r"[+-]?\d+(\.\d+)?(/\d+)?", text):
            raise BadNotation(f"`{text}` is no number")
        number = Fraction(text) if "." not in text else Fraction(text)
        return number.numerator if number.denominator == 1 else number
    if type_.name == "mark":
        if text not in {"yes", "no", *DASHES}:
            raise BadNotation(f"`{text}` is neither yes nor no")
        return text == "yes"
    if type_.name == "enum":
        words = ruleset.enums[type_.word].words
        if text not in words:
            raise BadNotation(f"`{text}` is no word of {type_.word.rpartition('.')[2]} ({', '.join(words)})")
        return text
    if type_.name == "rating":
        return read_rating(ruleset, type_.word, text)
    if type_.name == "text":
        return text.strip('"')
    raise BadNotation(f"{type_} cannot be written in a cell")


def read_rating(ruleset: Ruleset, name: str, text: str) -> RatingValue:
    """Reads a rating by the first of its notations that fits the whole text."""
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
                    raise BadNotation(f"`{text}` says nothing of {n}")
            return RatingValue(name, text, values)
    raise BadNotation(
        f"`{text}` fits no notation of {name} ({'; '.join(w.pattern for w in ruleset.ratings[name].written)})"
    )


def _match(ruleset: Ruleset, written: d.Written, fields: dict[str, Any], text: str) -> dict[str, Any] | None:
    regex, names = pattern_regex(ruleset, written.pattern, {n: f.type for n, f in fields.items()})
    found = re.fullmatch(regex, text.strip())
    if not found:
        return None
    out: dict[str, Any] = {}
    for index, (name, sign) in enumerate(names, 1):
        group = found[index]
        if sign:
            out[name] = bool(group)
        else:
            try:
                out[name] = read(ruleset, fields[name].type, group or "", fields[name].node.joined)
            except BadNotation:
                return None
    return out


def pattern_regex(ruleset: Ruleset, pattern: str, types: dict[str, Type]) -> tuple[str, list[tuple[str, str]]]:
    """A notation as a regular expression, with the fields its groups stand for and the signs of marks."""
    out = ""
    names: list[tuple[str, str]] = []
    for literal, name, sign in re.findall(r"([^<]*)(?:<([a-z0-9-]+)(?::([^>]+))?>)?", pattern):
        out += re.escape(literal)
        if not name:
            continue
        names.append((name, sign))
        if sign:
            out += f"({re.escape(sign)})?"
            continue
        type_ = types.get(name)
        out += "(" + (_regex(ruleset, type_) if type_ else ".+?") + ")"
    return out, names


def _regex(ruleset: Ruleset, type_: Type) -> str:
    if type_.name == "number":
        body = r"[+-]?\d+(?:/\d+)?"
    elif type_.name == "enum":
        body = "|".join(re.escape(w) for w in sorted(ruleset.enums[type_.word].words, key=len, reverse=True))
    else:
        body = ".+?"
    return f"(?:{body})|--" if type_.optional else body


def read_printed(ruleset: Ruleset, kind: str, heading: str, text: str) -> dict[str, Any]:
    """Reads a cell under a heading that fills several fields. Raises BadNotation."""
    info = ruleset.kinds[kind]
    assert info.node is not None
    patterns = [p for p in info.node.printed if p.name == heading]
    if text.strip() in DASHES:
        return {}
    for printed in patterns:
        regex, names = pattern_regex(ruleset, printed.pattern, {n: f.type for n, f in info.fields.items()})
        found = re.fullmatch(regex, text.strip())
        if not found:
            continue
        out: dict[str, Any] = {}
        for index, (name, sign) in enumerate(names, 1):
            field = info.fields[name]
            out[name] = bool(found[index]) if sign else read(ruleset, field.type, found[index] or "", field.node.joined)
        return out
    raise BadNotation(f"`{text}` does not fit {' or '.join(p.pattern for p in patterns)}")
