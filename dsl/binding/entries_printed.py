"""Binding what unit lists print for an entry, and the set of entries of a kind."""

from __future__ import annotations

from dsl import ir
from dsl.analysis.filled_fields import fields_printed
from dsl.binding.context import Binder
from dsl.ir import E, Type, set_of
from dsl.rules.entries import entries_of
from dsl.text.source import Span


def printed_for(b: Binder, word: str, entry: E, span: Span) -> E | None:
    """`points of e`: the starting value of a field for things of the entry; None if the kind has no such field."""
    kind = entry.type.word
    info = b.ruleset.kinds.get(kind)
    if info is None or word not in info.fields:
        return None
    if word == "name":
        return ir.TextOf(entry, span=span)
    field = info.fields[word]
    begins = field.node.starts is not None or field.type.name in {"mark", "set"} or field.low is not None
    if word not in fields_printed(b.ruleset, kind) and not begins and not field.type.optional:
        hint = f"Add a column `{word}` to the list."
        return b.problem("E209", f"No list of {kind} has a column for `{word}`.", span, hint, word=word)
    b.used.add(f"field {kind}.{word}")
    type_ = field.type.maybe() if entry.type.optional and field.type.name != "set" else field.type
    return ir.EntryField(entry, kind, word, type=type_, span=span)


def entries_named(b: Binder, kind: str, span: Span) -> E | None:
    """`entries of tank`: the entries of all lists of a kind, in order; None if the word is not a kind."""
    kind = b.ruleset.plurals.get(kind, kind)
    info = b.ruleset.kinds.get(kind)
    if info is None or info.word == "group":
        return None
    type_ = Type("entry", kind)
    return ir.Listed(
        tuple(ir.Constant(name, type=type_, span=span) for name in entries_of(b.ruleset, kind)),
        type=set_of(type_),
        span=span,
    )
