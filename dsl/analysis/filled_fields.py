"""Which fields of a kind get printed values: from a heading that fills several fields, and from the entries of its unit lists."""

from __future__ import annotations

from dsl.rules.notation import parts_of
from dsl.rules.rows import cells
from dsl.rules.ruleset import Ruleset


def fields_filled(ruleset: Ruleset, kind: str, word: str) -> frozenset[str]:
    """The field with this name, or those that a printed heading with this name fills."""
    info = ruleset.kinds[kind]
    patterns = [p.pattern for p in info.node.printed if p.name == word] if info.node is not None else []
    return frozenset(f for p in patterns for _, f, _ in parts_of(p) if f in info.fields) or frozenset({word})


def fields_printed(ruleset: Ruleset, kind: str) -> frozenset[str]:
    """The fields that entries of the unit lists of a kind fill."""
    heads = {h for x in ruleset.lists.values() if x.of == kind and x.rows for h in cells(x.rows[0])}
    known = ruleset.kinds[kind].fields
    return frozenset(f for h in heads for f in fields_filled(ruleset, kind, h) if f in known and f != "name")
