"""Binding `F of x`: fields, holders, members, columns, printed headings and values, of one thing or of each thing in a set."""

from __future__ import annotations

from dsl import ir
from dsl.binding.absence import is_first
from dsl.binding.absent import asked_of, may_be_missing, those_there
from dsl.binding.call_values import call_value, takes_set
from dsl.binding.context import Binder, expresses
from dsl.binding.entries_printed import entries_named, printed_for
from dsl.binding.fitting import SEVERAL
from dsl.binding.places_named import place_property
from dsl.binding.printed_fields import fields_under
from dsl.binding.said_words import empty_set
from dsl.binding.scope import Scope, local
from dsl.binding.scoping import frame_entry, scoped, set_elsewhere
from dsl.ir import ERROR, NOTHING, SIDE, TEXT, E, Type, set_of, thing
from dsl.rules.kind_groups import why_not_shared
from dsl.rules.ruleset import KindInfo
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean
from dsl.text.source import Span


@expresses(t.Its)
def its(b: Binder, node: t.Its, scope: Scope, want: Type | None) -> E:
    """`its F`, inside `(where …)`."""
    if scope.it is None:
        return b.problem(
            "E207", f"`its {node.word}` has no meaning here. It can be used only inside `(where …)`.", node.span
        )
    return property_of(b, node.word, scope.it, scope, node.span)


@expresses(t.Of)
def asked_of_something(b: Binder, node: t.Of, scope: Scope, want: Type | None) -> E:
    """`F of x`."""
    if node.word == "odds":
        return b.problem("E208", "Odds need two numbers: `odds of A to B`.", node.span)
    listed = entries_of_kind(b, node, scope)
    if listed is not None:
        return listed
    return property_of(b, node.word, argument(b, node.word, "of", node.arg, scope), scope, node.span)


def argument(b: Binder, word: str, prep: str, node: t.Node, scope: Scope) -> E:
    """An argument of a value or status. Where a set is expected `none` is the empty set, even if an enum has such a word."""
    declared = b.ruleset.bodied.get(word)
    params = declared.signature.params if declared is not None else ()
    several = any(p.many and p.prep == prep for p in params)
    empty = empty_set(b, node, SEVERAL, scope) if several else None
    return ir.Constant(None, type=NOTHING, span=node.span) if empty is not None else b.expr(node, scope)


def entries_of_kind(b: Binder, node: t.Of, scope: Scope) -> E | None:
    """`entries of tank`: of a kind, not of a thing; None for anything else."""
    if node.word != "entries" or not isinstance(node.arg, t.Name) or scoped(b, node.arg.word, scope) is not None:
        return None
    return entries_named(b, node.arg.word, node.span)


def property_of(b: Binder, word: str, arg: E, scope: Scope, span: Span) -> E:
    """`word of arg`; for a set, of each member."""
    if arg is ERROR:
        return ERROR
    if arg.type.name == "set" and not takes_set(b, word):
        if word in b.ruleset.plurals and arg.type.of and arg.type.of.word == b.ruleset.plurals[word]:
            return arg
        inner = arg.type.of or NOTHING
        variable = b.fresh()
        body = property_of_one(b, word, local(variable, inner), scope, span)
        flat = body.type.name == "set"
        of = body.type.of if flat else body.type
        made = ir.MapOver(arg, variable, body, flat, type=set_of(of), span=span)
        return those_there(b, made) if may_be_missing(b, body) and not flat else made
    return property_of_one(b, word, arg, scope, span)


def property_of_one(b: Binder, word: str, arg: E, scope: Scope, span: Span) -> E:
    """`word of arg` for one thing: a field or other property of its type, else a value of the rules."""
    mapped = frame_entry(b, word, arg, scope)
    if mapped is not None:
        return mapped
    if isinstance(arg, ir.Column) and word == b.tables[arg.row.type.word].columns[arg.index].name:
        return arg  # a lookup in a table with one column already returns that column
    found: E | None = None
    match arg.type.name:
        case "row":
            return _column_of(b, word, arg, span)
        case "rating":
            found = _part_of_rating(b, word, arg, span)
        case "thing":
            found = _thing_property(b, word, arg, scope, span)
        case "entry":
            found = printed_for(b, word, arg, span)
    if found is not None:
        return found
    declared = b.ruleset.bodied.get(word)
    if declared is not None and declared.word in {"value", "status", "path"}:
        return call_value(b, word, [("of", arg, span)], scope, span)
    # ERROR has been reported already
    return ERROR if arg is ERROR else _no_property(b, word, arg.type, span, named=scoped(b, word, scope) is not None)


def _no_property(b: Binder, word: str, type_: Type, span: Span, *, named: bool) -> E:
    """Reports a property that things of a type do not have, with a suggestion. named: whether the word is a name on its own here."""
    message, hint = why_not_shared(b.ruleset, type_.word, word) if type_.name == "thing" else ("", "")
    if message:
        return b.problem("E209", message, span, hint=hint, word=word)
    known = [*names_of_fields(b, type_), *b.ruleset.bodied, "side", "place", "name", "entry", "foe"]
    hint = set_elsewhere(b, word) or did_you_mean(word, [x for x in known if x != word])
    if named:
        hint = f"`{word}` is a name here, and `of` after it asks for a property. Put brackets where it ends: `(… of {word}) of …`."
    if info := b.ruleset.kinds.get(type_.word):
        under = ", ".join(fields_under(info, word))
        hint = (
            f'{word} is the heading of {under}. Use one of these fields, or write `{word} of … is "…"`.'
            if under
            else hint
        )
    return b.problem("E209", f"{str(type_).capitalize()} has no `{word}`.", span, hint=hint, word=word)


def _part_of_rating(b: Binder, word: str, arg: E, span: Span) -> E | None:
    """A part of a rating."""
    field = b.ruleset.rating_fields.get(arg.type.word, {}).get(word)
    if field is None:
        return None
    b.used.add(f"field {arg.type.word}.{word}")
    return ir.Field(arg, word, type=field.type.maybe() if arg.type.optional else field.type, span=span)


def names_of_fields(b: Binder, type_: Type) -> list[str]:
    """The properties of things of a type, for suggestions."""
    if type_.name == "thing" and type_.word in b.ruleset.kinds:
        return list(b.ruleset.kinds[type_.word].fields)
    if type_.name == "rating":
        return list(b.ruleset.rating_fields.get(type_.word, {}))
    if type_.name == "row":
        return [c.name for c in b.tables[type_.word].columns]
    return []


def _thing_property(b: Binder, word: str, arg: E, scope: Scope, span: Span) -> E | None:
    """The meaning of a word as a property of a thing; None if things of its kind have no such property."""
    info = b.ruleset.kinds.get(arg.type.word)
    if info is None:
        return None
    if word in {"side", "owner", "place"} and is_first(arg):
        arg = ir.Must(arg, type=arg.type.sure(), span=span)
    if arg.type.optional and not _absent_too(b, word, info):
        return asked_of(b, arg, lambda one: _thing_property(b, word, one, scope, span))
    if word in info.fields:
        return _field(b, word, arg, info, span)
    if word == "entry" and info.word in {"unit", "formation", "component", "marker", "group"}:
        return ir.EntryOf(arg, type=TEXT.maybe(), span=span)
    found: E | None = None
    if info.name != "side":
        own = word in {"side", "owner"}
        found = _side_of(arg, span) if own else place_property(b, word, arg, span)
    elif word == "foe":
        found = ir.Foe(arg, span=span)
    return found or _holder_of(b, word, arg, info, span) or _members_of(b, word, arg, info, span)


def _field(b: Binder, word: str, arg: E, info: KindInfo, span: Span) -> E:
    """A field of a thing."""
    type_ = info.fields[word].type
    if type_.name == "link":
        return b.problem("E210", f"`{word}` is a link between places.", span, f"Write `… is on {word}`.")
    b.used.add(f"field {info.name}.{word}")
    return ir.Field(arg, word, type=type_.maybe() if arg.type.optional else type_, span=span)


def _side_of(arg: E, span: Span) -> E:
    """The side of a thing."""
    return ir.SideOf(arg, type=SIDE.maybe() if arg.type.optional else SIDE, span=span)


def _holder_of(b: Binder, word: str, arg: E, info: KindInfo, span: Span) -> E | None:
    """The holder of a thing, directly or through others, if the word is a kind that can hold it."""
    holder = info.holder
    while holder:
        if word in {holder, "holder"}:
            if holder not in b.ruleset.kinds:
                return ERROR  # the unknown kind is reported where it is declared as holder
            type_ = thing(holder).maybe() if arg.type.optional else thing(holder)
            return ir.HolderOf(arg, holder, type=type_, span=span)
        holder = b.ruleset.kinds[holder].holder if holder in b.ruleset.kinds else None
    return None


def _members_of(b: Binder, word: str, arg: E, info: KindInfo, span: Span) -> E | None:
    """The members of a thing, or the things of a side, if the word is the plural of a kind."""
    kind = b.ruleset.plurals.get(word, "")
    if kind and is_held_by(b, kind, info.name):
        return ir.Members(arg, kind, type=set_of(thing(kind)), span=span)
    if kind and info.name == "side":
        return ir.AllOf(kind, "own", arg, type=set_of(thing(kind)), span=span)
    return None


def _absent_too(b: Binder, word: str, info: KindInfo) -> bool:
    """Whether the machine itself returns nothing for this property of something absent."""
    if word in info.fields:
        return info.fields[word].type.name != "set"
    return word in {"side", "owner", "place", "holder", info.holder, *b.ruleset.place_kinds()}


def is_held_by(b: Binder, kind: str, holder: str) -> bool:
    """Whether things of one kind can be held by things of another."""
    found = holders_of(b, kind)
    return all(h in found for h in b.ruleset.sorts(holder))


def holders_of(b: Binder, kind: str) -> list[str]:
    """The kinds that can hold things of a kind, directly or through others, nearest first."""
    if members := b.ruleset.kinds[kind].members:
        return [h for h in holders_of(b, members[0]) if all(h in holders_of(b, k) for k in members[1:])]
    found: list[str] = []
    current = b.ruleset.kinds[kind].holder
    while current and current not in found:
        found.append(current)
        current = b.ruleset.kinds[current].holder if current in b.ruleset.kinds else None
    return found


def _column_of(b: Binder, word: str, row: E, span: Span) -> E:
    table = b.tables[row.type.word]
    for column in table.columns:
        if column.name == word:
            b.used.add(f"column {table.name}.{word}")
            type_ = column.type.maybe() if row.type.optional else column.type
            return ir.Column(row, table.column_index(word), type=type_, span=span)
    hint = did_you_mean(word, [c.name for c in table.columns])
    return b.problem("E209", f"The table {table.name} has no column {word}.", span, hint, word=word)


def several_things(b: Binder, node: t.Node, scope: Scope) -> E:
    """An expression where a set is expected: `(u)` is a set of one there, also in `strength of (u)`."""
    if isinstance(node, t.Of):
        listed = entries_of_kind(b, node, scope)
        if listed is not None:
            return listed
        arg = several_things(b, node.arg, scope)
        return property_of(b, node.word, arg, scope, node.span) if node.word != "odds" else b.expr(node, scope)
    return b.expr(node, scope, SEVERAL) if isinstance(node, t.Tuple) else b.expr(node, scope)
