"""Names must be in lower case: a name with a capital letter is reported where it is declared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl.rules.chains import nodes_in
from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, at
from dsl.text.source import Span

NAMED = (
    ln.Let
    | ln.Choose
    | ln.EachChooses
    | ln.Rolls
    | ln.Draws
    | ln.EachRolls
    | ln.ForEach
    | ln.Phase
    | ln.Put
    | ln.Leg
    | d.Field
)
"""Lines that give something a name."""


def check_names(declarations: Iterable[d.Declaration]) -> list[Diagnostic]:
    """E010 for each name with a capital letter. Words of an enum may have them: they are shown as printed."""
    return [
        at(
            "E010",
            f"The name `{name}` has a capital letter.",
            span,
            word=name,
            hint=f"Write it in lower case: {name.lower()}",
        )
        for declaration in declarations
        for name, span in _names(declaration)
        if name != name.lower()
    ]


def _names(declaration: d.Declaration) -> Iterator[tuple[str, Span]]:
    """The names in a declaration."""
    if not isinstance(declaration, d.Example | d.Catalog | d.NotModelled | d.Ruling):
        yield declaration.name, declaration.span
    for node in nodes_in(declaration):
        if isinstance(node, NAMED) or (isinstance(node, d.Param) and node.kind):
            yield node.name, node.span
        if isinstance(node, ln.EachChooses | ln.EachRolls):
            yield node.item, node.span
