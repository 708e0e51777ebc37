"""Binding what is printed on counters: fields under one heading, and text compared with printed notation."""

from __future__ import annotations

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.scope import Scope
from dsl.ir import ERROR, NOTHING, E, Type
from dsl.rules.notation import BadNotation, as_printed, parts_of, read, read_field
from dsl.rules.ruleset import KindInfo
from dsl.syntax import syntax_tree as t
from dsl.text.source import Span


def headed(b: Binder, node: t.Node, scope: Scope) -> tuple[E, str] | None:
    """`armor of u`, where `armor` is a printed heading of several fields and not a field: the thing and the heading."""
    if not isinstance(node, t.Of) or node.word in b.ruleset.bodied:
        return None
    if not any(_heads(info, node.word) for info in b.ruleset.kinds.values()):
        return None
    before = len(b.problems)
    holder = b.expr(node.arg, scope)
    if holder.type.name == "thing" and _heads(b.ruleset.kinds[holder.type.word], node.word):
        return holder, node.word
    del b.problems[before:]  # it is bound and reported like any other property
    return None


def _heads(info: KindInfo, word: str) -> bool:
    """Whether a word is a printed heading of a kind, but not a field."""
    return info.node is not None and word not in info.fields and any(p.name == word for p in info.node.printed)


def fields_under(info: KindInfo, heading: str) -> list[str]:
    """The fields that a printed heading of a kind fills, in the order of its notations; empty for any other word."""
    patterns = [p.pattern for p in info.node.printed if p.name == heading] if info.node is not None else []
    return list(dict.fromkeys(f for p in patterns for _, f, _ in parts_of(p) if f in info.fields))


def headed_is(b: Binder, holder: E, heading: str, node: t.IsTest) -> E:
    """`armor of u is "6L/2M/--" or "--"`: whether the fields under a heading have one of these printed values."""
    tests = []
    for one in node.alternatives:
        word = t.literal_text(one) if isinstance(one, t.Name | t.Literal) else ""
        if not word:
            hint = f'Write: {heading} of … is "…"'
            return b.problem(
                "E201", f"The values under the heading {heading} can be compared only with text.", one.span, hint
            )
        tests.append(_under_heading(b, holder, heading, word, one.span))
    if ERROR in tests:
        return ERROR
    return tests[0] if len(tests) == 1 else ir.Or(tuple(tests), span=node.span)


def _under_heading(b: Binder, holder: E, name: str, written: str, span: Span) -> E:
    """Whether a field, or every field under a printed heading, has the printed value."""
    info = b.ruleset.kinds[holder.type.word]
    try:
        found = read_field(b.ruleset, info.name, name, written)
    except BadNotation as error:
        return _illegible(b, error, span)
    tests = []
    for field, value in found.items():
        type_ = info.fields[field].type
        part = ir.Field(holder, field, type=type_.maybe() if holder.type.optional else type_, span=span)
        b.used.add(f"field {info.name}.{field}")
        tests.append(ir.PrintedAs(part, as_printed(value), span=span))
    return tests[0] if len(tests) == 1 else ir.And(tuple(tests), span=span)


def printed(b: Binder, subject: E, text: E, span: Span) -> E:
    """`quality of u is "III"`: whether a value is the one printed like this on a counter."""
    written = str(text.value) if isinstance(text, ir.Constant) else ""
    if isinstance(subject, ir.Field) and subject.holder.type.name == "thing":
        return _under_heading(b, subject.holder, subject.name, written, span)
    if subject.type.name != "rating":
        return b.problem("E201", f"{str(subject.type).capitalize()} can never be text.", span)
    try:
        value = read(b.ruleset, subject.type, written)
    except BadNotation as error:
        return _illegible(b, error, span)
    return ir.PrintedAs(subject, as_printed(value), span=span)


def _illegible(b: Binder, error: BadNotation, span: Span) -> E:
    return b.problem("E311", f"{str(error)[:1].upper()}{str(error)[1:]}.", span, error.hint)


def legible(b: Binder, type_: Type, text: str) -> bool:
    """Whether a text is a valid printed value of a type."""
    try:
        read(b.ruleset, type_, text)
    except BadNotation:
        return False
    return True


def prints(b: Binder, subject: E) -> bool:
    """Whether something can be compared with a printed value: a rating, or a field with a notation."""
    if subject.type.name == "rating":
        return True
    if not isinstance(subject, ir.Field) or subject.holder.type.name != "thing" or subject.type.name == "text":
        return False
    info = b.ruleset.kinds.get(subject.holder.type.word)
    titled = info is not None and info.node is not None and any(p.name == subject.name for p in info.node.printed)
    one = subject.type.of or NOTHING if subject.type.name == "set" else subject.type
    return titled or one.name == "entry" or (subject.type.name == "set" and one.name == "rating")
