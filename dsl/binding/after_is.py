"""Binding the words after `is`: words, marks, statuses, kinds, entries, `absent`, other things. The subject decides their meaning."""

from __future__ import annotations

from functools import partial

from attrs import evolve

from dsl import ir
from dsl.binding.absence import always_there
from dsl.binding.call_values import call_value
from dsl.binding.context import Binder
from dsl.binding.entries_printed import printed_for
from dsl.binding.fitting import alike, looked_for
from dsl.binding.printed_fields import legible, printed, prints
from dsl.binding.quantified import negate
from dsl.binding.scope import Scope
from dsl.binding.scoping import kind_listing, scoped
from dsl.ir import ERROR, MARK, NOTHING, TEXT, E, Type, enum, set_of
from dsl.rules.entries import entries_of
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean
from dsl.text.source import Span


def is_one(
    b: Binder, subject: E, alternatives: tuple[t.Node, ...], scope: Scope, span: Span, negated: bool = False
) -> E:
    """`subject is A or B`: the subject decides what each alternative means."""
    if subject is ERROR:
        return ERROR
    tests: list[E] = []
    words: list[str] = []
    for alternative in alternatives:
        bound = _alternative(b, subject, alternative, scope)
        if bound is ERROR:
            return ERROR
        if isinstance(bound, ir.WordIs):
            words += bound.words
        else:
            tests.append(bound)
    if words:
        tests.insert(0, ir.WordIs(subject, tuple(words), span=span))
    return negate(tests[0] if len(tests) == 1 else ir.Or(tuple(tests), span=span), negated)


def _alternative(b: Binder, subject: E, node: t.Node, scope: Scope) -> E:
    if subject.type.name == "enum" and subject.type.word.startswith("option ") and isinstance(node, t.Name | t.Literal):
        return _option_term(b, subject, t.literal_text(node), node.span)
    if subject.type.name == "set" and not (isinstance(node, t.Name) and node.word == "absent"):
        return _whole_set(b, subject, node, scope)
    if isinstance(node, t.Name):
        return _word_after_is(b, subject, node, scope)
    other = b.expr(node, scope, looked_for(subject.type))
    return equal(b, subject, other, node.span)


def _whole_set(b: Binder, subject: E, node: t.Node, scope: Scope) -> E:
    """`defenders is (e, f)`: whether a set has exactly these members, in any order."""
    inner = subject.type.of or NOTHING
    if isinstance(node, t.Name):
        if node.word in {"empty", "none", "nothing", "nobody"}:
            return ir.Not(ir.IsThere(subject), span=node.span)
        if _said_of_each(b, inner, node.word, scope):
            hint = f"Say how many: `every … is {node.word}`, `any … is {node.word}`, `no … is {node.word}`."
            return b.problem(
                "E214", f"This is {subject.type}, but only a single thing can be {node.word}.", node.span, hint
            )
    other = b.expr(node, scope, subject.type if isinstance(node, t.Tuple) else inner)
    if other is ERROR:
        return ERROR
    if other.type.name == "text" and inner.name != "text":
        return printed(b, subject, other, node.span)
    if not alike(b.ruleset, inner, other.type.of or NOTHING if other.type.name == "set" else other.type):
        hint = "To check each of them, write `every … is …`."
        message = f"This is {subject.type}. It can never be {other.type}."
        return b.problem("E201", message, node.span, hint)
    if other.type.name != "set":
        other = ir.Listed((b.needs(other, other.type.sure(), node.span),), type=set_of(other.type), span=node.span)
    return equal(b, subject, other, node.span)


def _said_of_each(b: Binder, inner: Type, word: str, scope: Scope) -> bool:
    """Whether a word describes a single member of a set: a mark, a status, a word of a field, a kind."""
    known = scoped(b, word, scope)
    if inner.name != "thing" or (known is not None and alike(b.ruleset, inner, known.type.of or known.type)):
        return False
    types = [f.type for f in b.ruleset.kinds[inner.word].fields.values()]
    enums = {x.word for x in types if x.name == "enum"}
    declared = b.ruleset.bodied.get(word)
    return (
        b.ruleset.kinds[inner.word].fields.get(word) is not None
        or (declared is not None and declared.word == "status")
        or any(word in b.ruleset.enums[x].words for x in enums)
        or (word in b.ruleset.groups and b.ruleset.groups[word][0] in enums)
        or word in b.ruleset.kinds
        or bool(kind_listing(b, word))
    )


def equal(b: Binder, subject: E, other: E, span: Span) -> E:
    """`A = B`, `A is B`: whether two things are the same."""
    if subject is ERROR or other is ERROR:
        return ERROR
    if isinstance(other, ir.Constant) and other.value is None:
        return _is_absent(b, subject, span)
    if isinstance(subject, ir.Constant) and subject.value is None:
        return _is_absent(b, other, span)
    if (
        subject.type.name == "enum"
        and other.type.name == "enum"
        and subject.type.word != other.type.word
        and isinstance(other, ir.Constant)
    ):
        return b.problem("E219", f"`{other.value}` is not a word of {subject.type.word}.", span)
    if other.type.name == "text" and isinstance(other, ir.Constant) and prints(b, subject):
        return printed(b, subject, other, span)
    if (subject.type.name == "set") != (other.type.name == "set") and subject.type.name in {"thing", "set", "enum"}:
        return _one_and_several(b, subject, other, span)
    if not alike(b.ruleset, subject.type, other.type):
        return b.problem("E201", f"{str(subject.type).capitalize()} can never be {other.type}.", span)
    if subject.type.name == "set" and other.type.name == "set":
        return ir.SameSet(subject, other, span=span)
    return ir.Equal(subject, other, span=span)


def _is_absent(b: Binder, subject: E, span: Span) -> E:
    """`X is absent`; an error if X is always present. A repeated check is none."""
    if (always_there(subject) and not _optional(b, subject)) or subject.type.name == "nothing":
        return never_asked(b, subject, subject.span if subject.span.file else span)
    return ir.IsAbsent(subject, span=span)


def _optional(b: Binder, e: E) -> bool:
    """Whether a value is a field declared as optional, even where it is known to be present."""
    info = b.ruleset.kinds.get(e.holder.type.word) if isinstance(e, ir.Field) else None
    return info is not None and isinstance(e, ir.Field) and e.name in info.fields and info.fields[e.name].type.optional


def never_asked(b: Binder, subject: E, span: Span) -> E:
    """Reports a check for the presence of something that is always present, or never."""
    when = "never" if subject.type.name == "nothing" else "always"
    hint = "Use `there is` and `is absent` only with a list or with a value that may be absent."
    return b.problem("E221", f"This is {subject.type}, which is {when} present.", span, hint)


def _one_and_several(b: Binder, subject: E, other: E, span: Span) -> E:
    """One thing compared with a set by `=` or `!=`, or by `is` with the set on the right."""
    if other.type.name == "set":
        hint = "To check whether it is one of them, write `… is in …` or `… is A or B`."
        message = f"This is {subject.type}, but the other value is {other.type}. They can never be equal."
        return b.problem("E201", message, span, hint)
    return equal(
        b, subject, ir.Listed((b.needs(other, other.type.sure(), span),), type=set_of(other.type), span=span), span
    )


def _word_after_is(b: Binder, subject: E, node: t.Name, scope: Scope) -> E:
    word, type_ = node.word, subject.type
    if type_.name == "enum":
        return _enum_word(b, subject, node, scope)
    if type_.name == "mark" and word in {"yes", "no"}:
        return subject if word == "yes" else ir.Not(subject, span=node.span)
    if word == "absent":
        return _is_absent(b, subject, node.span)
    if type_.name == "rating":
        fields = b.ruleset.rating_fields.get(type_.word, {})
        found = _field_word(b, subject, node, {n: f.type for n, f in fields.items()})
        if found is not None:
            return found
        if scoped(b, word, scope) is None and legible(b, type_, word):
            return printed(b, subject, ir.Constant(word, type=TEXT), node.span)
    if type_.name in {"thing", "entry"}:
        word_of = partial(_thing_word, b) if type_.name == "thing" else partial(_entry_word, b)
        found = word_of(subject, node, scope)
        if found is not None:
            return found
    if word in b.ruleset.links() and type_.name == "thing" and scoped(b, word, scope) is None:
        return b.problem("E210", f"`{word}` is a link between places.", node.span, f"Write `… is on {word}`.")
    other = b.expr(node, scope, looked_for(type_))
    return equal(b, subject, other, node.span)


def _option_term(b: Binder, subject: E, word: str, span: Span) -> E:
    option = b.ruleset.options[subject.type.word.removeprefix("option ")]
    if word in option.terms:
        return ir.WordIs(subject, (word,), span=span)
    hint = did_you_mean(word, option.terms) or "Choose one of: " + ", ".join(option.terms) + "."
    return b.problem("E219", f"`{word}` is not a choice of the option {option.name}.", span, hint)


def _enum_word(b: Binder, subject: E, node: t.Name, scope: Scope) -> E:
    word, home = node.word, subject.type.word
    info = b.ruleset.enums[home]
    if word in info.words:
        return ir.WordIs(subject, (word,), span=node.span)
    if word in b.ruleset.groups and b.ruleset.groups[word][0] == home:
        return ir.WordIs(subject, b.ruleset.groups[word][1], span=node.span)
    if word == "absent":
        return _is_absent(b, subject, node.span)
    meant = scoped(b, word, scope)
    if meant is None and word in b.ruleset.bodied:
        meant = b.expr(node, scope)
    if meant is not None:
        return equal(b, subject, meant, node.span)
    groups = [g for g, (of, _) in b.ruleset.groups.items() if of == home]
    return b.problem(
        "E219",
        f"`{word}` is not a word of {home.rpartition('.')[2]}.",
        node.span,
        did_you_mean(info.meant(word) or word, [*info.words, *groups]),
    )


def _field_word(b: Binder, subject: E, node: t.Name, fields: dict[str, Type]) -> E | None:
    """`u is W`: W is a mark of u, or a word or group of one of its fields (if of several: the one named like its enum)."""
    word = node.word
    maybe = subject.type.optional
    if word in fields and fields[word].name == "mark":
        value = _field_read(b, subject, word, MARK, node.span)
        return ir.And((ir.IsThere(subject), value), span=node.span) if maybe else value
    homes: list[tuple[str, tuple[str, ...]]] = []
    for name, type_ in fields.items():
        if type_.name != "enum":
            continue
        if word in b.ruleset.enums[type_.word].words:
            homes.append((name, (word,)))
        elif word in b.ruleset.groups and b.ruleset.groups[word][0] == type_.word:
            homes.append((name, b.ruleset.groups[word][1]))
    if len(homes) > 1:  # if several fields have it: the one with the same name as its enum
        homes = [x for x in homes if x[0] == fields[x[0]].word] or homes
    if len(homes) > 1:
        names = " and ".join(n for n, _ in homes)
        hint = f"Name the field: `{homes[0][0]} of …`."
        return b.problem("E203", f"`{word}` is ambiguous: it is a word of {names}.", node.span, hint)
    if not homes:
        return None
    name, words = homes[0]
    type_ = enum(fields[name].word)
    field = _field_read(b, subject, name, type_.maybe() if maybe else type_, node.span)
    return ir.WordOf(field, tuple(words), span=node.span) if field is not ERROR else ERROR


def _field_read(b: Binder, subject: E, name: str, type_: Type, span: Span) -> E:
    """A field of a thing or a rating, or what the list prints for an entry."""
    if subject.type.name == "entry":
        return printed_for(b, name, subject, span) or ERROR
    b.used.add(f"field {subject.type.word}.{name}")
    return ir.Field(subject, name, type=type_, span=span)


def _thing_word(b: Binder, subject: E, node: t.Name, scope: Scope) -> E | None:
    word, kind = node.word, subject.type.word
    local_name = scoped(b, word, scope)
    # If a name can never equal the subject, the word is looked up in the fields of the subject.
    if local_name is not None and alike(b.ruleset, subject.type, local_name.type):
        return None
    info = b.ruleset.kinds[kind]
    if kind == "side" and word == "active":
        return ir.Equal(subject, ir.Active(type=subject.type), span=node.span)
    found = _field_word(b, subject, node, {n: f.type for n, f in info.fields.items()})
    if found is not None:
        return found
    if (status := _status_of(b, subject, node, scope)) is not None:
        return status
    if word in b.ruleset.kinds and word != kind:
        return ir.KindIs(subject, word, span=node.span)
    template = kind_listing(b, word)
    if template:
        return ir.TemplateIs(subject, word, span=node.span)
    return None


def _entry_word(b: Binder, subject: E, node: t.Name, scope: Scope) -> E | None:
    """`e is W` for an entry of a unit list: a value that its list prints, or a status of such entries. None if W is another entry."""
    info = b.ruleset.kinds.get(subject.type.word)
    if info is None or scoped(b, node.word, scope) is not None or node.word in entries_of(b.ruleset, info.name):
        return None
    found = _field_word(b, subject, node, {n: f.type for n, f in info.fields.items()})
    return found if found is not None else _status_of(b, subject, node, scope)


def _status_of(b: Binder, subject: E, node: t.Name, scope: Scope) -> E | None:
    """`u is STATUS`; None if the word is not a status."""
    declared = b.ruleset.bodied.get(node.word)
    if declared is None or declared.word != "status":
        return None
    of = evolve(subject, type=subject.type.sure())
    call = call_value(b, node.word, [("of", of, node.span)], scope, node.span)
    if subject.type.optional and call is not ERROR:
        return ir.And((ir.IsThere(subject), call), span=node.span)
    return call
