"""Modules: which there are, which can be on together, and why a choice of them cannot be played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dsl.rules.circles import circle
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, Mark, at, did_you_mean
from dsl.text.source import Span

MOST_MODULES = 60
"""A system has at most this many modules; each is tried alone."""


def no_module(said: str, name: str, modules: Iterable[str], span: Span) -> Diagnostic:
    """The diagnostic for a module that is not declared. said: the words that name it."""
    hint = did_you_mean(name, modules) or "Declare it: module " + name + ' "Its title", default off'
    return at("E101", f"`{said}`: there is no module {name}.", span, hint=hint, word=name)


def check_guards(declarations: Iterable[d.Declaration], modules: Mapping[str, d.Module]) -> list[Diagnostic]:
    """Reports undeclared modules: in `with` and `without`, and in the `needs` and `excludes` of modules."""
    problems = []
    for declaration in declarations:
        hanging: list[d.Declaration | d.Forces | d.Visibility] = [declaration]
        if isinstance(declaration, d.Scenario):
            hanging += declaration.forces
        if isinstance(declaration, d.Kind):
            hanging += declaration.visibility
        for node in hanging:
            for switch, name in node.guards:
                if name not in modules:
                    problems.append(no_module(f"{switch} {name}", name, modules, node.span))
    for module in modules.values():
        problems += [
            at("E101", f"There is no module {other}.", module.span, word=other, hint=did_you_mean(other, modules))
            for other in (*module.needs, *module.excludes)
            if other not in modules
        ]
    return problems


def check_modules(modules: Mapping[str, d.Module], problems: list[Diagnostic]) -> None:
    """Reports modules that can never be on: circular needs, and needs that are excluded."""
    if len(modules) > MOST_MODULES:
        return
    reported: set[str] = set()
    needs = {name: module.needs for name, module in modules.items()}
    for name, module in modules.items():
        way = circle(name, needs)
        if way and not reported & set(way):
            reported |= set(way)
            message = f"Modules need each other in a circle: {' → '.join(way)}."
            hint = "Merge them into one module, or remove one of the `needs`."
            problems.append(at("E106", message, module.span, word=name, hint=hint))
        clash = _clash(name, modules)
        if clash is not None:
            first, second = clash
            also = [Mark(modules[first].span, f"{first} excludes {second} here", second)]
            comes = first if first != name else second
            message = f"`{name}` can never be on: it requires {comes}, and {first} excludes {second}."
            hint = "Remove the `needs` or the `excludes`."
            problems.append(at("E107", message, module.span, also=also, hint=hint))


def _clash(name: str, modules: Mapping[str, d.Module]) -> tuple[str, str] | None:
    """Two modules that a module brings in (itself included) of which the first excludes the second."""
    every = [name]
    for other in every:
        every += [n for n in (modules[other].needs if other in modules else ()) if n not in every]
    return next(((a, b) for a in every for b in every if a in modules and b in modules[a].excludes), None)


def module_problems(modules: Mapping[str, d.Module], active: Iterable[str]) -> list[str]:
    """Why a choice of modules cannot be played: unmet needs and exclusions, as sentences."""
    on = set(active)
    out = [f"There is no module {name}. {did_you_mean(name, modules)}".strip() for name in sorted(on - modules.keys())]
    for name in sorted(on & modules.keys()):
        module = modules[name]
        out += [f"Module {name} needs module {need}." for need in module.needs if need not in on]
        out += [f"Module {name} excludes module {other}." for other in module.excludes if other in on]
    return out
