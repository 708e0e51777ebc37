"""Names used in scenarios: things, sides and places in cells, and facts such as `turn-order is mexico, america`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import attrs

from dsl.ir import Type
from dsl.rules.notation import DASHES, BadNotation, read
from dsl.rules.ruleset import Field, KindInfo, Ruleset
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.source import Span

NONE = DASHES | {"none", "absent"}
"""The words of a cell or a fact for no value."""


@attrs.frozen(slots=True)
class Called:
    """Everything that has a name in a scenario: the kind of each thing and side, of each place, and turns of arrival.

    between: the kinds of what lies between two places, by a name made of theirs.
    """

    things: Mapping[str, str]
    places: Mapping[str, str]
    arrivals: Mapping[str, int]
    between: Callable[[str], Sequence[str]]

    def kind_of(self, name: str) -> str | None:
        """The kind of the thing or place with that name, if there is one."""
        return self.places.get(name) or self.things.get(name) or next(iter(self.between(name)), None)


def may_be_called(name: str) -> bool:
    """Whether a thing can have this name in commands."""
    return bool(name) and all(c.isalnum() or c in "-_." for c in name)


def text_of(node: t.Node) -> str | None:
    """A value of a fact as it was written; None if it is not a single word, number or text."""
    if isinstance(node, t.Name):
        return node.word
    return str(node.value) if isinstance(node, t.Literal) else None


def names_things(type_: Type) -> bool:
    """Whether a type is that of named things, or of a list of them."""
    inner = type_.of if type_.name == "set" else type_
    return inner is not None and inner.name == "thing"


def fits(ruleset: Ruleset, kind: str, wanted: str) -> bool:
    """Whether a kind can be used where another is needed: `place` accepts a place of any kind."""
    return kind in ruleset.sorts(wanted) or (wanted == "place" and kind in ruleset.place_kinds())


def parts_of_cell(field: Field, text: str) -> list[str]:
    """The names in a cell."""
    if text.strip() in NONE:
        return []
    return [p.strip() for p in text.split(",")] if field.type.name == "set" else [text.strip()]


def check_named(
    ruleset: Ruleset, field: Field, names: list[str], called: Called, span: Span, turn: int
) -> Iterator[Diagnostic]:
    """What is wrong with the names that are given for a field. turn: the turn in which they must be in the game."""
    inner = field.type.of if field.type.name == "set" else field.type
    assert inner is not None
    if not names and field.type.name != "set" and not field.type.optional:
        yield at("E311", f"{field.name} cannot be left empty.", span, hint="Name one, or make the field `optional`.")
    for name in names:
        kind = called.kind_of(name)
        if kind is None or not fits(ruleset, kind, inner.word):
            among = [*called.things, *called.places]
            near = did_you_mean(name, [x for x in among if fits(ruleset, called.kind_of(x) or "", inner.word)])
            yield at(
                "E327", f"{field.name}: there is no {inner.word} {name} in this scenario.", span, word=name, hint=near
            )
        elif called.arrivals.get(name, 1) > turn:
            hint = "Put it in play from the start, or let a rule set this when it arrives."
            yield at("E327", f"{field.name}: {name} arrives only later.", span, word=name, hint=hint)


def out_of_range(field: Field, value: Any) -> str:
    """What is wrong with a number that its field cannot hold; empty if nothing is."""
    if field.low is None or field.high is None or isinstance(value, bool) or not isinstance(value, int | Fraction):
        return ""
    return "" if field.low <= value <= field.high else f"{value} is not within {field.low} .. {field.high}"


def check_facts(ruleset: Ruleset, node: d.Scenario, called: Called) -> list[Diagnostic]:
    """Checks every fact of a scenario: the thing and the field must exist, and the field must be able to hold the value."""
    problems: list[Diagnostic] = []
    for fact in node.facts:
        found = _field_of(ruleset, fact, called, problems)
        if found is not None:
            problems += _values(ruleset, fact, found, called)
    return problems


def _field_of(ruleset: Ruleset, fact: d.Fact, called: Called, problems: list[Diagnostic]) -> Field | None:
    """The field that a fact sets; None, and reported, if there is none."""
    target = fact.target
    info: KindInfo | None = None
    if isinstance(target, t.Name):
        info, whose = ruleset.kinds.get(ruleset.campaign_kind), "campaign"
    elif isinstance(target, t.Of) and (name := text_of(target.arg)) is not None:
        kind, whose = called.kind_of(name), name
        if kind is None:
            if name == ruleset.campaign_kind:
                message = f"{name} is the campaign itself, not one of its things."
                near = f"A field of the campaign is written alone: `{target.word} is …`."
            else:
                message = f"There is no {name} in this scenario."
                near = did_you_mean(name, [*called.things, *called.places])
            problems.append(at("E327", message, fact.span, word=name, hint=near))
            return None
        if called.arrivals.get(name, 1) > 1:
            hint = "Set it in a column of its row."
            problems.append(at("E327", f"{name} arrives only later.", fact.span, word=name, hint=hint))
            return None
        info = ruleset.kinds[kind]
    else:
        hint = (
            "Write `FIELD is …` for a field of the campaign, or `FIELD of NAME is …` for one side, place or thing, in a line of its own; "
            "what lies between two places is named after both, as in `alba-bern`."
        )
        problems.append(at("E327", "A scenario cannot state this fact.", fact.span, hint=hint))
        return None
    fields = {} if info is None else {n: f for n, f in info.fields.items() if _can_be_said(info, f)}
    field = fields.get(target.word)
    if field is None:
        near = did_you_mean(target.word, fields) or (f"Its fields: {', '.join(fields)}." if fields else "")
        what = f"The {whose}" if whose == "campaign" else f"{whose} ({info.name})" if info is not None else whose
        problems.append(at("E209", f"{what} has no field {target.word}.", fact.span, word=target.word, hint=near))
    return field


def _can_be_said(info: KindInfo, field: Field) -> bool:
    """Whether a scenario may set a field: one that is declared, or the title of a thing."""
    titled = field.name == "title" and info.word not in {"side", "campaign", "place"}
    return field.type.name != "link" and (bool(field.node.span.file) or titled)


def _values(ruleset: Ruleset, fact: d.Fact, field: Field, called: Called) -> Iterator[Diagnostic]:
    texts = [text_of(value) for value in fact.values]
    if any(text is None for text in texts):
        yield at("E327", f"The value of {field.name} is an expression, not a plain value.", fact.span, word=field.name,
                 hint="Write a word, a number, a name or a text.")  # fmt: skip
        return
    given = [text for text in texts if text is not None]
    if len(given) > 1 and field.type.name != "set":
        yield at("E327", f"{field.name} holds a single value, not {len(given)}.", fact.span, word=field.name,
                 hint=f"Give one value, or declare the field as `list of {field.type.word or field.type.name}`.")  # fmt: skip
        return
    if len(given) == 1 and given[0] in NONE and (field.type.optional or field.type.name == "set"):
        return
    if names_things(field.type):
        yield from check_named(ruleset, field, given, called, fact.span, 1)
        return
    inner = field.type.of if field.type.name == "set" and field.type.of is not None else field.type
    for text in given:
        hint = ""
        try:
            wrong = out_of_range(field, read(ruleset, inner, text))
        except BadNotation as error:
            wrong, hint = str(error), error.hint
        if wrong:
            yield at("E311", f"{field.name}: {wrong}.", fact.span, word=text, hint=hint)


def first_of(ruleset: Ruleset, field: Field) -> Any:
    """The value of `starts` of a field; None for no value. Raises BadNotation if the field cannot hold it."""
    text = text_of(field.node.starts) if field.node.starts is not None else None
    if text is None:
        raise BadNotation("it must start with a single word, number or text, not with an expression")
    words = ruleset.enums[field.type.word].words if field.type.name == "enum" else ()
    if text in NONE and text not in words:
        if field.type.name == "set":
            return []
        if field.type.optional:
            return None
    if names_things(field.type) or field.type.name in {"set", "link"}:
        raise BadNotation(f"`{text}` exists only in a scenario" if names_things(field.type) else "it must start empty")
    value = read(ruleset, field.type, text)
    if wrong := out_of_range(field, value):
        raise BadNotation(wrong)
    return value


def check_starts(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """Whether each field of each kind can hold what it `starts` with."""
    for info in ruleset.kinds.values():
        for field in info.fields.values():
            if field.node.starts is None:
                continue
            try:
                first_of(ruleset, field)
            except BadNotation as error:
                hint = error.hint or "Write a word, a number or a text that the field can hold, or make it `optional`."
                yield at(
                    "E311", f"{field.name}: {error}.", field.node.span, word=text_of(field.node.starts) or "", hint=hint
                )
