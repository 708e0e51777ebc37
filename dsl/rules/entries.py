"""The entries of unit lists: the printed values of each, by heading."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.rules.memo import kept
from dsl.rules.rows import cells
from dsl.rules.ruleset import Ruleset
from dsl.syntax import declarations as d


def list_rows(node: d.UnitList) -> dict[str, dict[str, str]]:
    """The entries of a unit list: name to cells by heading."""
    header = cells(node.rows[0])
    return {cells(r)[0]: dict(zip(header, cells(r), strict=False)) for r in node.rows[1:] if cells(r)}


def template_cells(ruleset: Ruleset, template: str) -> dict[str, str]:
    """The cells of a unit list for an entry; empty if no list has it."""
    return kept(ruleset, "templates", lambda: _merged(ruleset.lists.values())).get(template, {})


def entries_of(ruleset: Ruleset, kind: str) -> dict[str, dict[str, str]]:
    """The entries in the unit lists of a kind."""
    return kept(ruleset, ("entries", kind), lambda: _merged(x for x in ruleset.lists.values() if x.of == kind))


def _merged(lists: Iterable[d.UnitList]) -> dict[str, dict[str, str]]:
    """The entries of several lists; of two with the same name the last."""
    return {name: cell for x in lists for name, cell in list_rows(x).items()}
