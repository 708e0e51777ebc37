"""Examples grouped by the choice of modules under which they run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.text.source import Span


@attrs.frozen(slots=True)
class Variant:
    """An example's lines under one choice of modules and options."""

    modules: frozenset[str]
    options: dict[str, str]
    lines: tuple[ln.Line, ...]
    span: Span
    """The example, or its block under other modules."""
    setting: str = ""
    """How that block begins: `with winter`."""


def variants(
    example: d.Example, defaults: frozenset[str], modules: Mapping[str, d.Module] | None = None
) -> list[Variant]:
    """The example itself, and one more for each block under other modules or options.

    defaults: the modules that are on by default. modules: all of the system; a module brings in those that it needs.
    """
    known = modules or {}
    on = set(defaults)
    for switch, name in example.guards:
        _switch(on, switch, name, known)
    out: list[Variant] = []
    main: list[ln.Line] = []
    for line in example.body:
        if not isinstance(line, ln.WithBlock):
            main.append(line)
            continue
        changed, options = set(on), {}
        said = ", ".join(f"{switch} {name}" for switch, name in line.choices)
        if line.option is not None and line.term is not None:
            options[line.option] = t.literal_text(line.term)
            said = f"set {line.option} {options[line.option]}"
        for switch, name in line.choices:
            _switch(changed, switch, name, known)
        setting = tuple(x for x in main if not isinstance(x, ln.Expectation))
        out.append(Variant(frozenset(changed), options, setting + line.body, line.span, said))
    if any(isinstance(x, ln.Expectation) for x in main) or not out:
        out.insert(0, Variant(frozenset(on), {}, tuple(main), example.span))
    return out


def with_needs(modules: Mapping[str, d.Module], names: Iterable[str]) -> frozenset[str]:
    """The modules with all that they need, directly or through others."""
    out = set(names)
    while True:
        more = {n for m in out if m in modules for n in modules[m].needs} - out
        if not more:
            return frozenset(out)
        out |= more


def _switch(on: set[str], switch: str, name: str, modules: Mapping[str, d.Module]) -> None:
    if switch == "with":
        on |= with_needs(modules, {name})
    else:
        on.discard(name)


def sides_of(lines: Sequence[ln.Line]) -> list[str]:
    """The sides that an example names; blue and red unless it names others."""
    named: list[str] = []
    for line in lines:
        found: list[str] = []
        if isinstance(line, ln.Put):
            found = [v.word for n, v in line.settings if n == "side" and isinstance(v, t.Name)]
        elif isinstance(line, ln.Orders | ln.ThenMay | ln.ThenMayAnswer | ln.ThenKnows | ln.ThenTold):
            found = [line.side]
        elif isinstance(line, ln.ThenOver) and line.winner:
            found = [line.winner]
        named += [n for n in found if n not in named]
    if set(named) <= {"blue", "red"}:
        return ["blue", "red"]
    return named if len(named) > 1 else [*named, "other-side"]
