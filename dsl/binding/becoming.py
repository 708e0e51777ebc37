"""Binding `F of x becomes …`, `x gains …`: fields, marks, statuses, holders, sides, entries, printed notation."""

from __future__ import annotations

from dsl import ir
from dsl.binding.absence import is_none
from dsl.binding.absent import needed, set_of_one, surely
from dsl.binding.context import Binder, Site, enacts
from dsl.binding.fitting import looked_for, suits
from dsl.binding.said_words import empty_set, quietly, said_of
from dsl.binding.scope import Scope
from dsl.binding.scoping import frame_entry, kind_listing, scoped
from dsl.binding.targets import lasting_until, never_changes, parts_among
from dsl.ir import ERROR, MARK, NUMBER, SIDE, E, S, Type, Until, thing
from dsl.rules.editions import asks
from dsl.rules.kind_groups import why_not_shared
from dsl.rules.notation import BadNotation, read_field
from dsl.syntax import body_lines as ln
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import did_you_mean
from dsl.text.phrases import an, counted
from dsl.text.source import Span


@enacts(ln.Becomes)
def becomes(b: Binder, line: ln.Becomes, site: Site) -> list[S]:
    """`X becomes …`: the first reading of the line that fits is used."""
    for reading in _READINGS:
        found = reading(b, line, site)
        if found is not None:
            return found
    b.problem(
        "E236", "It is not clear what this line changes.", line.span, hint="Name the field: `posture of u becomes …`."
    )
    return []


def _shown(b: Binder, line: ln.Becomes, site: Site) -> list[S] | None:
    """`u becomes entry of v`: an entry that the line computes."""
    if not isinstance(line.value, t.Of) or isinstance(line.target, t.Of):
        return None
    entry = b.expr(line.value, site.scope)
    if entry.type.name != "entry":
        return None
    return _shows_entry(b, needed(b, line.target, site.scope), entry, line, site.head)


def _name_set(b: Binder, line: ln.Becomes, site: Site) -> list[S] | None:
    """`x becomes …`: assigns to a name of the procedure, unless the line changes the thing of that name."""
    target, scope = line.target, site.scope
    if not (isinstance(target, t.Name) and any(target.word in r.frame for r, _ in scope.frames)):
        return None
    known = b.expr(target, scope)
    if (
        known.type.name in {"thing", "set"}
        and isinstance(line.value, t.Name)
        and not _is_value(b, line.value, scope)
        and not _empties(b, known, line.value)
    ):
        return None
    empty = empty_set(b, line.value, known.type, scope)
    value = empty if empty is not None else b.expr(line.value, scope, looked_for(known.type))
    value = b.needs(value, known.type.maybe() if known.type.name != "set" else known.type, line.value.span)
    return [ir.SetName(site.head, target=known, value=value)]


def _said_of_it(b: Binder, line: ln.Becomes, site: Site) -> list[S] | None:
    """`vehicle of s becomes wrecked`: the word changes the vehicle."""
    whole = said_of(b, line.target, line.value, site.scope)
    if whole is None or not isinstance(line.value, t.Name):
        return None
    whole = surely(b, whole, site.scope, line.target.span)
    return [] if whole is ERROR else _becomes_word(b, whole, line.value, line, site)


def _property_set(b: Binder, line: ln.Becomes, site: Site) -> list[S] | None:
    """`F of x becomes …`: changes a field, or the things that were chosen under the name F."""
    target = line.target
    if not isinstance(target, t.Of):
        return None
    holder = needed(b, target.arg, site.scope)
    chosen = _chosen_target(b, target, holder, site.scope)
    if chosen is not None and isinstance(line.value, t.Name) and not _is_value(b, line.value, site.scope):
        return _becomes_word(b, chosen, line.value, line, site)
    return _set_field(b, holder, target.word, line, site)


def _campaign_set(b: Binder, line: ln.Becomes, site: Site) -> list[S] | None:
    """`F becomes …`: a field of the campaign."""
    kind = b.ruleset.campaign_kind
    if not (isinstance(line.target, t.Name) and kind and line.target.word in b.ruleset.kinds[kind].fields):
        return None
    return _set_field(b, ir.Game(type=thing(kind)), line.target.word, line, site)


def _thing_set(b: Binder, line: ln.Becomes, site: Site) -> list[S] | None:
    """`u becomes W`: a mark, a word of a field, or an entry with this name."""
    subject = needed(b, line.target, site.scope)
    if subject is ERROR:
        return []
    return _becomes_word(b, subject, line.value, line, site) if isinstance(line.value, t.Name) else None


def _chosen_target(b: Binder, target: t.Of, holder: E, scope: Scope) -> E | None:
    """The things chosen under a name, or that a value gives, if a target such as `victim of active` means them and not a field."""
    inner = holder.type.each
    if inner.name == "thing" and target.word in {
        *b.ruleset.kinds[inner.word].fields,
        b.ruleset.kinds[inner.word].holder,
    }:
        return None
    found = frame_entry(b, target.word, holder, scope)
    declared = b.ruleset.bodied.get(target.word)
    if found is None and declared is not None and declared.word == "value":
        found = quietly(b, target, scope)
        found = needed(b, target, scope) if found.type.each.name == "thing" else None
    if found is None:
        return None
    what = found.type.each
    return found if what.name == "thing" else None


def _is_value(b: Binder, node: t.Name, scope: Scope) -> bool:
    """Whether a word is a value in this scope, rather than a mark or a word of a field."""
    return scoped(b, node.word, scope) is not None or node.word in b.ruleset.plurals


def _empties(b: Binder, known: E, node: t.Name) -> bool:
    """Whether `none` means the empty set for a name of a set, rather than a word of a field of its members."""
    if known.type.name != "set" or known.type.of is None or node.word not in {"none", "nobody", "nothing"}:
        return False
    info = b.ruleset.kinds.get(known.type.of.word)
    enums = [f.type.word for f in info.fields.values() if f.type.name == "enum"] if info is not None else []
    return not any(node.word in b.ruleset.enums[word].words for word in enums)


def _becomes_word(b: Binder, subject: E, node: t.Name, line: ln.Becomes, site: Site) -> list[S]:
    """`u becomes W`: sets a mark, or the one field that has the word."""
    until, head = lasting_until(b, line.until, subject, site.scope), site.head
    inner = subject.type.each
    if inner.name != "thing":
        b.problem("E236", f"Only things can change like this, but this is {inner}.", node.span)
        return []
    fields = b.ruleset.kinds[inner.word].fields
    if node.word in fields and fields[node.word].type is MARK:
        return [ir.SetField(head, target=subject, field=node.word, value=ir.Constant(True, type=MARK), until=until)]
    kind = kind_listing(b, node.word)
    if kind:
        return _shows_entry(b, subject, ir.Constant(node.word, type=Type("entry", kind), span=node.span), line, head)
    homes = [n for n, f in fields.items() if f.type.name == "enum" and node.word in b.ruleset.enums[f.type.word].words]
    if len(homes) == 1:
        value = ir.Constant(node.word, type=fields[homes[0]].type)
        return [ir.SetField(head, target=subject, field=homes[0], value=value, until=until)]
    known = [n for n, f in fields.items() if f.type is MARK]
    b.problem("E236", f"A{an(inner.word)[1:]} cannot become `{node.word}`.", node.span, did_you_mean(node.word, known))
    return []


def _several_wanted(b: Binder, value: E, wanted: Type) -> E:
    """A single thing where a set is expected: a set of it. `none` is already the empty set."""
    if (
        wanted.name != "set"
        or value is ERROR
        or is_none(value)
        or wanted.of is None
        or not suits(b.ruleset, value.type, wanted.of)
    ):
        return value
    return set_of_one(b, value)


def _written_text(b: Binder, line: ln.Becomes, site: Site) -> list[S] | None:
    """`F of u becomes "…{}" with n`: a field set to a text in its printed notation."""
    text = line.value.value if isinstance(line.value, t.Literal) and line.value.kind == "text" else None
    if text is None or not isinstance(line.target, t.Of):
        if line.filling:
            b.problem("E236", 'Only a field can be set to text with gaps: `F of u becomes "…{}" with n`.', line.span)
            return []
        return None
    holder = needed(b, line.target.arg, site.scope)
    if holder is ERROR or not _is_printed(b, holder.type.each, line.target):
        return []
    field = line.target.word
    filling = tuple(b.expr(a, site.scope) for a in line.filling)
    gaps = str(text).count("{}")
    if gaps != len(filling):
        message = f"The text has {counted(gaps, 'gap')} but {counted(len(filling), 'value')} after `with`."
        b.problem("E236", message, line.span, "Give one value after `with` for each `{}`.")
        return []
    if not gaps:
        try:
            read_field(b.ruleset, holder.type.each.word, field, str(text))
        except BadNotation as error:
            b.problem("E311", f"{field}: {error}.", line.value.span, error.hint)
    until = lasting_until(b, line.until, holder, site.scope)
    return [ir.Write(site.head, target=holder, field=field, text=str(text), filling=filling, until=until)]


def _is_printed(b: Binder, type_: Type, target: t.Of) -> bool:
    """Whether things of a type have a field, or a heading, of the name that is set; reports it if they have neither."""
    info = b.ruleset.kinds[type_.word] if type_.name == "thing" else None
    known = info.fields if info is not None else {}
    if info is not None:
        heading = info.node is not None and any(p.name == target.word for p in info.node.printed)
        if target.word in known or heading:
            return True
    if not b.failing(type_):
        message, hint = _has_no_field(type_, target.word), did_you_mean(target.word, known)
        b.problem("E209", message, target.span, hint, word=target.word)
    return False


def _has_no_field(type_: Type, word: str) -> str:
    if type_.name == "nothing":
        return f"There is nothing here whose {word} could change."
    return f"{str(type_).capitalize()} has no field {word}."


def _shows_entry(b: Binder, subject: E, entry: E, line: ln.Becomes, head: ir.Head) -> list[S]:
    """`u becomes ENTRY`: the counter is flipped or replaced; the thing gets all values that the entry prints."""
    inner = subject.type.each
    if subject is ERROR:
        return []
    if inner.name != "thing" or entry.type.word not in {"", inner.word}:
        what = f"a {entry.type.word}" if entry.type.word else "a thing"
        b.problem("E236", f"Only {what} can become this entry, but this is {inner}.", line.value.span)
        return []
    if line.until is not None:
        hint = "Store the original entry in a field, and change the thing back to it later."
        b.problem("E236", "A change to another entry cannot be temporary.", line.until.span, hint=hint)
    return [ir.Show(head, target=subject, entry=entry)]


def _set_field(b: Binder, holder: E, field: str, line: ln.Becomes, site: Site) -> list[S]:
    """Sets a field of things, their holder, their side, or what was chosen for each of them."""
    until = lasting_until(b, line.until, holder, site.scope)
    if holder is ERROR:
        return []
    node, span, inner = line.value, line.target.span, holder.type.each
    fields = b.ruleset.kinds[inner.word].fields if inner.name == "thing" else {}
    if inner.name == "thing" and field == b.ruleset.kinds[inner.word].holder and until is None:
        value = b.expr(node, site.scope)
        return [ir.Hold(site.head, target=holder, value=b.needs(value, thing(field), node.span))]
    if field == "side" and "side" not in fields and inner.name == "thing" and _can_be_taken(b, inner):
        _check_capture(b, inner, until, span)
        value = b.expr(node, site.scope)
        return [ir.Capture(site.head, target=holder, value=b.needs(value, SIDE, node.span))]
    if never_changes(b, fields, field, span):
        return []
    if field not in fields:
        mapped = frame_entry(b, field, holder, site.scope)
        if mapped is not None:
            return [ir.SetEntry(site.head, target=mapped, value=b.expr(node, site.scope))]
        if not b.failing(inner):
            _no_such_field(b, inner, field, _has_no_field(inner, field), span)
        return []
    value = given_value(b, fields[field].type, node, site.scope)
    return [ir.SetField(site.head, target=holder, field=field, value=value, until=until)]


def _check_capture(b: Binder, inner: Type, until: Until, span: Span) -> None:
    """Reports a part that changes sides without its whole, and things that change sides temporarily."""
    for info in parts_among(b, inner):
        hint = f"Write `side of {info.holder} of … becomes …`."
        b.problem("E256", f"{an(info.name).capitalize()} belongs to the side of its {info.holder}.", span, hint)
    if until is not None:
        b.problem("E209", "A change of side is permanent.", span, "Remove `until …`.", word="side")


def given_value(b: Binder, wanted: Type, node: t.Node, scope: Scope) -> E:
    """The value assigned to a field of a type: a value of that type, or `absent` if it is optional."""
    if wanted.optional and isinstance(node, t.Name) and node.word == "absent" and scoped(b, "absent", scope) is None:
        return ir.Constant(None, type=wanted, span=node.span)
    empty = empty_set(b, node, wanted, scope)
    if empty is not None:
        return empty
    return b.needs(_several_wanted(b, b.expr(node, scope, looked_for(wanted)), wanted), wanted, node.span)


def _no_such_field(b: Binder, inner: Type, field: str, message: str, span: Span) -> None:
    """Reports a field that things of a type do not have; for a group of kinds, names the kinds that lack it."""
    fields = b.ruleset.kinds[inner.word].fields if inner.name == "thing" else {}
    why, hint = why_not_shared(b.ruleset, inner.word, field) if inner.name == "thing" else ("", "")
    if inner.name == "rating" and field in b.ruleset.rating_fields.get(inner.word, {}):
        message = f"{field.capitalize()} is a part of what is printed, and cannot be changed by itself."
        hint = 'Set the whole in printed notation: `armor of u becomes "20M"`, or `"{}M" with n`.'
    if inner.name == "nothing":
        hint = f"Name a thing that has the field {field}."
    b.problem("E209", why or message, span, hint or did_you_mean(field, fields), word=field)


def _can_be_taken(b: Binder, kind: Type) -> bool:
    """Whether things of a kind belong to a side, and can change sides."""
    return b.ruleset.kinds[kind.word].word not in {"place", "side", "campaign"}


@enacts(ln.Gains)
def gains(b: Binder, line: ln.Gains, site: Site) -> list[S]:
    """`X gains N …` and `X loses N …`."""
    scope, target = site.scope, line.target
    amount = b.number(line.amount, scope)
    if line.loses:
        amount = ir.Negative(amount, span=amount.span)
    if isinstance(target, t.Of | t.Name):
        _counted_in(b, line, target, scope)
    if isinstance(target, t.Of):
        holder = needed(b, target.arg, scope)
        chosen = _chosen_target(b, target, holder, scope)
        if chosen is not None:
            return _gain_field(b, chosen, line.unit, amount, line, site)
        return _gain_field(b, holder, target.word, amount, line, site, target.span)
    if isinstance(target, t.Name):
        known = scoped(b, target.word, scope)
        if known is not None and known.type.same(NUMBER):
            return [ir.SetName(site.head, target=known, value=ir.Arithmetic("+", known, amount))]
        kind = b.ruleset.campaign_kind
        if known is None and kind and target.word in b.ruleset.kinds[kind].fields:
            return _gain_field(b, ir.Game(type=thing(kind)), target.word, amount, line, site, target.span)
    return _gain_field(b, needed(b, target, scope), line.unit, amount, line, site)


def _counted_in(b: Binder, line: ln.Gains, target: t.Of | t.Name, scope: Scope) -> None:
    """Reports an unknown word after the amount; `points` and known names are allowed."""
    if not asks(b.ruleset.edition, "counted-in"):
        return
    if line.unit in {"points", "point", target.word} or scoped(b, line.unit, scope) is not None:
        return
    known = b.ruleset.all_names()
    if line.unit not in known:
        hint = did_you_mean(line.unit, known) or "Write `points`, or the name of the field that changes."
        b.problem("E200", f"Unknown name `{line.unit}`.", line.span, hint, word=line.unit)


def _gain_field(
    b: Binder, holder: E, field: str, amount: E, line: ln.Gains, site: Site, span: Span | None = None
) -> list[S]:
    """Adds an amount to a field of things. span: the word that names the field, if that is not the whole line."""
    until = lasting_until(b, line.until, holder, site.scope)
    if holder is ERROR:
        return []
    inner, span = holder.type.each, span or line.span
    fields = b.ruleset.kinds[inner.word].fields if inner.name == "thing" else {}
    if never_changes(b, fields, field, span):
        return []
    if field not in fields or not fields[field].type.same(NUMBER):
        _no_such_field(b, inner, field, f"{str(inner).capitalize()} has no numeric field {field}.", span)
        return []
    return [ir.Gain(site.head, target=holder, field=field, amount=amount, until=until)]


_READINGS = (_written_text, _shown, _name_set, _said_of_it, _property_set, _campaign_set, _thing_set)
"""The possible readings of a line `X becomes …`, in the order in which they are tried. A reading that does not fit returns None."""
