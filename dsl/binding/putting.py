"""Binding `put u (a tank, …) in h`: what is placed in the game, with which values and under which name."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

import attrs

from dsl import ir
from dsl.binding.absent import needed
from dsl.binding.becoming import given_value
from dsl.binding.context import Binder, Site, enacts
from dsl.binding.scope import Scope
from dsl.binding.scoping import kind_listing, scoped
from dsl.binding.targets import declare, may_go
from dsl.data.scenario_names import may_be_called, text_of
from dsl.ir import ERROR, NUMBER, E, S, Type, thing
from dsl.rules import notation
from dsl.rules.entries import template_cells
from dsl.rules.kind_groups import no_making
from dsl.rules.notation import BadNotation
from dsl.rules.parts import PartMade, check_parts, part_headings, parts_made, row_cells
from dsl.rules.ruleset import KindInfo
from dsl.syntax import body_lines as ln
from dsl.syntax import syntax_tree as t
from dsl.text.diagnostics import Diagnostic, did_you_mean
from dsl.text.phrases import an, counted


@attrs.frozen(slots=True, eq=False)
class _Putting:
    """A line that places a thing of a kind. printed: the headings of its lists; parts: those for parts."""

    b: Binder
    line: ln.Put
    site: Site
    info: KindInfo
    printed: frozenset[str]
    parts: Container[str]


@enacts(ln.Put)
def put_thing(b: Binder, line: ln.Put, site: Site) -> list[S]:
    """`put x (a KIND …) in H`."""
    info = _kind_put(b, line)
    if info is None:
        return []
    may_go(b, thing(line.kind), line.span, "cannot be placed")
    entry = _entry_put(b, line, site)
    template = line.template if entry is None and line.template else None
    if template:
        _check_listed(b, line)
    printed = frozenset(p.name for p in info.node.printed) if info.node is not None else frozenset()
    putting = _Putting(b, line, site, info, printed, part_headings(b.ruleset, line.kind))
    settings, said_parts = _settings(putting)
    where = needed(b, line.where, site.scope) if line.where is not None else None
    like, copied = _like(b, line, info, site.scope)
    settings = {**copied, **settings}
    if info.part:
        _as_part(b, line, info, settings)
    naming, called = _name_given(b, line, site)
    declare(b, site.routine, line.name, thing(line.kind), line.span)
    given = _parts_given(b, line, said_parts)
    if given and site.routine.word == "example":  # only there are parts referred to by name
        for part in given:
            declare(b, site.routine, part.name, thing(part.kind), line.span)
        return [ir.Put(site.head, name=line.name, kind=line.kind, template=template, settings=settings, where=where, parts=tuple(part.name for part in given))]  # fmt: skip
    return [ir.Put(site.head, name=line.name, kind=line.kind, template=template, entry=entry, settings=settings, where=where, naming=naming, called=called, like=like)]  # fmt: skip


def _kind_put(b: Binder, line: ln.Put) -> KindInfo | None:
    """The kind of the thing to place; reports an unknown kind or a group of kinds, and returns None."""
    if line.kind not in b.ruleset.kinds:
        hint = did_you_mean(line.kind, b.ruleset.kinds)
        b.problem("E103", f"There is no kind {line.kind}.", line.span, hint, word=line.kind)
        return None
    grouped = no_making(b.ruleset, line.kind, line.span)
    if grouped is not None:
        b.problems.append(grouped)
        return None
    return b.ruleset.kinds[line.kind]


def _check_listed(b: Binder, line: ln.Put) -> None:
    """Reports an entry that is in no list of the kind."""
    template = line.template or ""
    if kind_listing(b, template) == line.kind:
        return
    rows = [r.text.split("|")[0].strip() for x in b.ruleset.lists.values() if x.of == line.kind for r in x.rows[1:]]
    message = f"No unit list has {an(line.kind)} named {template}."
    b.problem("E237", message, line.span, did_you_mean(template, rows), word=template)


def _settings(p: _Putting) -> tuple[dict[str, Any], dict[str, str]]:
    """The settings in the brackets, by name; and the texts of those for parts."""
    settings: dict[str, Any] = {}
    said_parts: dict[str, str] = {}
    fields = p.info.fields
    for (name, said), written in zip(p.line.settings, p.line.written, strict=True):
        node = _value_printed(p.b, fields[name].type, said, written, p.site.scope) if name in fields else said
        if name in p.parts and name not in fields and name not in {"side", p.info.holder}:
            said_parts[name] = text_of(node) or written
            settings[name] = t.Literal(node.span, "text", said_parts[name])
        else:
            settings.update(_setting(p, name, node))
    return settings, said_parts


def _setting(p: _Putting, name: str, node: t.Node) -> dict[str, Any]:
    """One setting in the brackets, by its name: bound, or a text in printed notation; empty if the name is unknown."""
    b, fields = p.b, p.info.fields
    if name in {"side", p.info.holder}:
        return {name: needed(b, node, p.site.scope)}
    written = isinstance(node, t.Literal) and node.kind == "text"
    if (name in p.printed and not _plain_number(p.info, name, node)) or written:
        if name not in p.printed and name not in fields:
            _no_field(p, name, [*fields, *p.printed])
        return {name: node}
    if name in fields:
        return {name: given_value(b, fields[name].type, node, p.site.scope)}
    _no_field(p, name, [*fields, *p.printed, "side"])
    return {}


def _no_field(p: _Putting, name: str, known: list[str]) -> None:
    hint = did_you_mean(name, known)
    p.b.problem("E209", f"A{an(p.line.kind)[1:]} has no field {name}.", p.line.span, hint, word=name)


def _like(b: Binder, line: ln.Put, info: KindInfo, scope: Scope) -> tuple[E | None, dict[str, Any]]:
    """What a copy takes from the original: its fields, its side and its holder, but neither its name nor its parts."""
    if line.like is None:
        return None, {}
    if line.template is not None:
        b.problem("E237", "A copy takes its entry from the original.", line.span, f"Remove {line.template}.")
    first = b.needs(b.expr(line.like, scope), thing(info.name), line.like.span)
    if first is ERROR:
        return None, {}
    fields = [f for f in info.fields.values() if f.name != "name" and f.type.name != "link"]
    copied: dict[str, Any] = {f.name: ir.Field(first, f.name, type=f.type, span=line.like.span) for f in fields}
    if info.holder:
        copied[info.holder] = ir.HolderOf(
            first, info.holder, True, type=thing(info.holder).maybe(), span=line.like.span
        )
    if not info.part:
        copied["side"] = ir.SideOf(first, span=line.like.span)
    no_parts = dict.fromkeys(part_headings(b.ruleset, info.name), t.Literal(line.span, "text", "none"))
    return first, {**copied, **no_parts}


def _name_given(b: Binder, line: ln.Put, site: Site) -> tuple[str | None, tuple[E, ...]]:
    """The name of a thing that a rule places: a text with gaps, and the values that fill them."""
    if line.naming is None:
        return None, ()
    if site.routine.word == "example":
        hint = f"Use that name directly: `put {t.literal_text(line.called[0]) if isinstance(line.called[0], t.Name) else 'x'} (…)`."
        b.problem("E236", "In an example, a thing gets the name in its `put` line.", line.span, hint)
        return None, ()
    called = tuple(b.expr(node, site.scope) for node in line.called)
    for value, node in zip(called, line.called, strict=True):
        if value.type.name in {"thing", "text", "entry", "enum", "number"}:
            b.needs(value, value.type.sure(), node.span)
        elif value is not ERROR:
            b.problem("E201", f"A thing cannot be named after {value.type}.", node.span)
    text, fills = line.naming, called
    if text == "{}" and isinstance(called[0], ir.Constant) and called[0].type.name == "text":
        text, fills = str(called[0].value), ()
    if text.count("{}") != len(fills):
        message = f"The name has {counted(text.count('{}'), 'gap')} but {counted(len(fills), 'value')} after `with`."
        b.problem("E236", message, line.span, "Give one value after `with` for each `{}`.")
        return None, ()
    plain = text.replace("{}", "x")
    if not may_be_called(plain) or not plain[0].isalpha():
        hint = "Start it with a letter, and use only letters, digits and hyphens."
        b.problem("E321", f"`{text}` is not a name for commands.", line.span, hint)
    return text, fills


def _entry_put(b: Binder, line: ln.Put, site: Site) -> E | None:
    """The entry that a name refers to: `put t (a tank e) in h`, where e is an argument; None if the word is an entry of a list."""
    known = scoped(b, line.template, site.scope) if line.template and site.routine.word != "example" else None
    if known is None or known.type.name != "entry":
        return None
    if known.type.word not in {"", line.kind}:
        message = f"`{line.template}` is {known.type}, but this line places {an(line.kind)}."
        b.problem("E237", message, line.span, f"Put {an(known.type.word)} {line.template}.", word=line.template or "")
    return b.needs(known, known.type.sure(), line.span)


def _as_part(b: Binder, line: ln.Put, info: KindInfo, settings: Mapping[str, object]) -> None:
    """Reports a part that is placed without its whole, or elsewhere."""
    if info.holder not in settings:
        hint = f"Name it in the brackets: `put {line.name} ({an(info.name)} …, {info.holder} …)`."
        b.problem(
            "E256",
            f"{an(info.name).capitalize()} is part of {an(info.holder or '')}. This line does not say which.",
            line.span,
            hint,
        )
    if line.where is not None:
        message = f"{an(info.name).capitalize()} is always in the place of its {info.holder}."
        b.problem("E256", message, line.where.span, "Remove `in …`.")
    if "side" in settings:
        message = f"{an(info.name).capitalize()} belongs to the side of its {info.holder}."
        b.problem("E256", message, line.span, "Remove `side …`.")


def _parts_given(b: Binder, line: ln.Put, said: Mapping[str, str]) -> list[PartMade]:
    """The parts with which a thing is placed."""
    cell = row_cells(template_cells(b.ruleset, line.template or ""), said)
    found: list[Diagnostic] = []
    if check_parts(b.ruleset, line.kind, cell, line.span, found):
        return list(parts_made(b.ruleset, line.name, line.kind, cell))
    if said:  # problems of a list entry are reported at the list
        b.problems += found
    return []


def _plain_number(info: KindInfo, name: str, node: t.Node) -> bool:
    """Whether a heading gets a bare number and the field of the same name takes one: `strength 20` without a Raw Strength."""
    if name not in info.fields or not info.fields[name].type.same(NUMBER):
        return False
    return isinstance(node, t.Literal) and node.kind in {"number", "place"}


def _value_printed(b: Binder, wanted: Type, node: t.Node, written: str, scope: Scope) -> t.Node:
    """A bare number or word where a rating is expected is its printed value: `ad 15`, `mobility FH`, `armor III/VIs`."""
    one = wanted.each
    if one.name != "rating":
        return node
    if not isinstance(node, t.Literal | t.Name):
        try:
            notation.read(b.ruleset, one, written)
        except BadNotation:
            return node
        return t.Literal(node.span, "text", written)
    if isinstance(node, t.Name) and (scoped(b, node.word, scope) is not None or node.word in {"absent", "none"}):
        return node
    return t.Literal(node.span, "text", t.literal_text(node))
