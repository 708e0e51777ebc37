"""Assembling many parsed files into one ruleset under a choice of modules; duplicate and unknown names are reported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from dsl.rules.circles import cut_circles
from dsl.rules.doubles import base_first, space_of, twice
from dsl.rules.editions import CURRENT, asks
from dsl.rules.kind_groups import enter_groups, fill_groups
from dsl.rules.kinds import enter_kinds
from dsl.rules.module_choices import check_guards, check_modules
from dsl.rules.ruleset import APART, EnumInfo, KindInfo, Ruleset, guarded, plural_of
from dsl.rules.tabletops import laid_out
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, at

_NO_DATA = (d.Bodied, d.Rule, d.Example, d.Table, d.Tabletop, d.NotModelled, d.Ruling)


def assemble(
    declarations: Sequence[d.Declaration], active: Iterable[str] | None = None, edition: int = CURRENT
) -> tuple[Ruleset, list[Diagnostic]]:
    """The ruleset of these declarations. active: the modules that are on; None takes each module's default."""
    everything = tuple(declarations)
    modules = {m.name: m for m in everything if isinstance(m, d.Module)}
    on = frozenset(n for n, m in modules.items() if m.default) if active is None else frozenset(active)
    problems = check_guards(everything, modules)
    kept = tuple(x for x in everything if guarded(x.guards, on))
    data = tuple(x for x in kept if not isinstance(x, _NO_DATA))
    ruleset = Ruleset(
        everything=everything,
        declarations=kept,
        active=on,
        modules=modules,
        data=data,
        data_key=" ".join(str(id(x)) for x in data),
        edition=edition,
    )
    _enter_all(ruleset, problems)
    check_modules(modules, problems)
    _words(kept, problems)
    enter_groups(ruleset, problems)
    enter_kinds(ruleset, problems)
    cut_circles(ruleset, problems)
    fill_groups(ruleset)
    return ruleset, problems


def _enter_all(ruleset: Ruleset, problems: list[Diagnostic]) -> None:
    """Enters each declaration by its name; of two with the same name the first is used."""
    seen: dict[tuple[str, str], d.Declaration] = {}
    for declaration in base_first(ruleset.declarations, ruleset.everything):
        space = space_of(declaration)
        if not space:
            continue
        only = isinstance(declaration, d.System) and asks(ruleset.edition, "one-name")
        key = (space, "" if only else declaration.name)
        if key in seen:
            problems.append(twice(seen[key], declaration))
            continue
        seen[key] = declaration
        _enter(ruleset, declaration)
        if isinstance(declaration, d.Tabletop):
            problems += laid_out(declaration)[1]


def _enter(ruleset: Ruleset, x: d.Declaration) -> None:
    """Enters a declaration in the collection for its class."""
    match x:
        case d.System():
            ruleset.system = x
        case d.Catalog():
            ruleset.catalog = x.path
        case d.Option():
            ruleset.options[x.name] = x
        case d.Enum():
            _enter_enum(ruleset, x)
        case d.Group() if x.of:
            ruleset.groups[x.name] = (x.of, x.words)
        case d.Kind():
            _enter_kind(ruleset, x)
        case d.Rating():
            ruleset.ratings[x.name] = x
        case d.Table():
            ruleset.tables[x.name] = x
        case d.UnitList():
            ruleset.lists[x.name] = x
        case d.Bodied():
            ruleset.bodied[_key_of(x)] = x
        case d.Tabletop():
            laid = ruleset.tabletops[x.name] = laid_out(x)[0]
            ruleset.bodied.update({value.name: value for value in laid.values})
        case d.Rule():
            ruleset.rules[x.name] = x
        case d.Example():
            ruleset.examples.append(x)
        case d.Map():
            ruleset.maps[x.name] = x
        case d.Scenario():
            ruleset.scenarios[x.name] = x
        case d.Drawn():
            ruleset.drawn[x.name] = x
        case d.NotModelled():
            ruleset.not_modelled.append(x)


def _enter_enum(ruleset: Ruleset, x: d.Enum) -> None:
    info = EnumInfo(x.name, tuple(t.word for t in x.terms), x.ordered, {t.word: t.title for t in x.terms})
    ruleset.enums[x.name] = info
    for term in info.words:
        ruleset.terms.setdefault(term, []).append(x.name)


def _enter_kind(ruleset: Ruleset, x: d.Kind) -> None:
    seen = tuple(line for line in x.visibility if guarded(line.guards, ruleset.active))
    node = x if len(seen) == len(x.visibility) else attrs.evolve(x, visibility=seen)
    many = x.plural or plural_of(x.name)
    ruleset.kinds[x.name] = KindInfo(x.name, node, {}, many, x.word, x.holder, part=x.part)
    ruleset.plurals[many] = x.name
    if x.word == "campaign":
        ruleset.campaign_kind = x.name


def _key_of(x: d.Bodied) -> str:
    """The key of a declaration: its name, or its word and its name where such declarations have a namespace of their own."""
    return f"{x.word} {x.name}" if x.word in APART else x.name


def _words(declarations: Sequence[d.Declaration], problems: list[Diagnostic]) -> None:
    """Reports words that a declaration lists twice, and defaults that are not among its words."""
    for x in declarations:
        words = (
            [term.word for term in x.terms]
            if isinstance(x, d.Enum)
            else list(x.terms)
            if isinstance(x, d.Option)
            else []
        )
        twice = next((w for w in words if words.count(w) > 1), None)
        if twice is not None:
            problems.append(at("E102", f"`{twice}` appears twice in {x.name}.", x.span, hint="Remove one."))
        if isinstance(x, d.Option) and x.default not in x.terms:
            hint = "It can be: " + ", ".join(x.terms) + "."
            problems.append(
                at(
                    "E104",
                    f"The default of {x.name} is `{x.default}`, which is not one of its choices.",
                    x.span,
                    word=x.default,
                    hint=hint,
                )
            )
