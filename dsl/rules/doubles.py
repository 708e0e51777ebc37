"""Names that are declared twice: which namespaces there are, and which of two declarations is the second."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dsl.rules.ruleset import APART
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, Mark, at


def check_doubles(declarations: Iterable[d.Declaration]) -> list[Diagnostic]:
    """E102 for each name with two declarations that can be in force together under some choice of modules."""
    everything = tuple(declarations)
    modules = {x.name: x for x in everything if isinstance(x, d.Module)}
    seen: dict[tuple[str, str], list[d.Declaration]] = {}
    problems = []
    for declaration in base_first(everything, everything):
        if not (space := space_of(declaration)):
            continue
        others = seen.setdefault((space, declaration.name), [])
        first = next((x for x in others if _together((*x.guards, *declaration.guards), modules)), None)
        if first is not None:
            problems.append(twice(first, declaration))
        others.append(declaration)
    return problems


def _together(guards: d.Guards, modules: Mapping[str, d.Module]) -> bool:
    """Whether some choice of modules fulfils all these guards."""
    on = [name for switch, name in guards if switch == "with"]
    for name in on:
        on += [n for n in (modules[name].needs if name in modules else ()) if n not in on]
    excluded = {x for name in on if name in modules for x in modules[name].excludes}
    return not set(on) & (excluded | {name for switch, name in guards if switch != "with"})


def base_first(declarations: Iterable[d.Declaration], everything: Iterable[d.Declaration]) -> list[d.Declaration]:
    """Puts the declarations of the base system first: if a name is declared twice, that of the system itself is the second."""
    base = next((x.base for x in everything if isinstance(x, d.System) and x.base), "")
    return sorted(declarations, key=lambda x: not (base and x.span.file.startswith(f"{base}/")))


def twice(first: d.Declaration, second: d.Declaration) -> Diagnostic:
    """The diagnostic for a name that is declared twice."""
    if isinstance(second, d.System) and first.name != second.name:
        return at(
            "E102",
            f"These rules have two `system` lines: `{first.name}` and `{second.name}`.",
            second.span,
            also=[Mark(first.span, "first declared here")],
            hint='Remove one of them. Rules that build on another system name it: `system NAME "Title" version V, on SYSTEM`.',
        )
    hint = (
        "Rename one. To add fields to a kind that is declared elsewhere, use a group: `group NAME: KIND, each with:`."
        if isinstance(second, d.Kind)
        else "Rename one, or write a rule that replaces the other."
        if isinstance(second, d.Bodied)
        else "Rename one, or remove it."
    )
    return at(
        "E102",
        f"`{second.name}` is declared twice.",
        second.span,
        also=[Mark(first.span, "first declared here")],
        hint=hint,
    )


def space_of(declaration: d.Declaration) -> str:
    """The namespace of a declaration's name; empty for declarations without one."""
    if isinstance(declaration, d.NotModelled | d.Ruling):
        return ""
    if isinstance(declaration, d.Example):
        return "example"
    if isinstance(declaration, d.Map | d.Scenario | d.Module | d.Option | d.UnitList | d.Rule | d.Drawn | d.Tabletop):
        return type(declaration).__name__
    if isinstance(declaration, d.System | d.Catalog):
        return type(declaration).__name__
    if isinstance(declaration, d.Bodied) and declaration.word in APART:
        return declaration.word
    return "word" if isinstance(declaration, d.Enum | d.Group | d.Kind | d.Rating | d.Table) else "name"
