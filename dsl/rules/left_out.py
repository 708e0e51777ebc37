"""Names that exist only with some modules: what a finding about an unknown name says of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import attrs

from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, placed
from dsl.text.source import SourceFile

UNKNOWN = frozenset({"E103", "E200", "E209", "E216", "E229", "E402"})
"""Findings that can mean that a name is not declared."""
_NAME = re.compile(r"[a-z][a-z0-9-]*")


def left_out(declarations: Iterable[d.Declaration], active: frozenset[str]) -> dict[str, str]:
    """The names of the declarations that these modules leave out, and what each depends on: `with fog`."""
    absent: dict[str, str] = {}
    here: set[str] = set()
    for x in declarations:
        if isinstance(x, d.Rule | d.Example | d.UnitList):
            continue
        if all((switch == "with") == (module in active) for switch, module in x.guards):
            here.add(x.name)
        else:
            absent.setdefault(x.name, " and ".join(f"{switch} {module}" for switch, module in x.guards))
    return {name: needs for name, needs in absent.items() if name not in here}


def explained(problem: Diagnostic, absent: Mapping[str, str], files: Mapping[str, SourceFile]) -> Diagnostic:
    """The finding, with a hint that names the modules if the unknown name exists only with those."""
    if problem.code not in UNKNOWN or not absent:
        return problem
    span = placed(problem, files).span
    line = files[span.file].line(span.line) if span.file in files else ""
    pointed = line[span.column - 1 : span.end_column - 1] if span.line == span.end_line else ""
    said = {pointed, *_NAME.findall(problem.message)}
    name = next((n for n in sorted(said) if n in absent), "")
    if not name:
        return problem
    needs = absent[name]
    hint = (
        f"`{name}` exists only {needs}. Write `, {needs.replace(' and ', ', ')}` here as well, or do without it here."
    )
    return attrs.evolve(problem, hint=hint)


__all__ = ["explained", "left_out"]
