"""Citations: every cited rule must be in the system's catalog. The tools also read from here what is cited where."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dsl.syntax import declarations as d
from dsl.syntax.syntax_tree import Node, fields_of
from dsl.text.diagnostics import Diagnostic, RuleTextError, at, did_you_mean
from dsl.text.source import NOWHERE, Span
from dsl.text.toml_text import read_toml_text

RULE_ID = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)+")
"""The form of a rule id in citations."""


@functools.lru_cache(maxsize=16)
def catalog_rules(catalog: str) -> dict[str, dict[str, Any]]:
    """The rules of a catalog by id. Raises RuleTextError for text that is not TOML, or does not list rules with an id."""
    try:
        rules = read_toml_text(catalog).get("rule", []) if catalog else []
    except ValueError as error:
        raise RuleTextError([at("E501", f"The catalog cannot be read: {error}.", NOWHERE)], {}) from error
    if not isinstance(rules, list) or not all(isinstance(r, dict) and isinstance(r.get("id"), str) for r in rules):
        message = 'The catalog cannot be read: each rule must be a table `[[rule]]` with an `id = "…"`.'
        raise RuleTextError([at("E501", message, NOWHERE)], {})
    odd = next((r["id"] for r in rules if not RULE_ID.fullmatch(r["id"])), None)
    if odd is not None:
        shown = ascii(odd[:60])[1:-1]
        message = f"The catalog cannot be read: `{shown}` is not a valid rule id. Ids look like ABC-MOVE-01."
        raise RuleTextError([at("E501", message, NOWHERE)], {})
    return {r["id"]: r for r in rules}


def cited(node: object) -> Iterator[tuple[str, Span]]:
    """Every citation in a declaration or anything in it, with its place."""
    if isinstance(node, Node):
        for cite in getattr(node, "cites", ()):
            yield cite, node.span
        for name in fields_of(type(node)):
            value = getattr(node, name)
            if isinstance(value, tuple) and name != "cites":
                for item in value:
                    yield from cited(item)
            elif isinstance(value, Node):
                yield from cited(value)


def check_citations(declarations: Sequence[d.Declaration], catalog: str, base_catalog: str = "") -> list[Diagnostic]:
    """Reports citations of rules that are not in the catalogs, and a catalog that cannot be read."""
    named = bool(base_catalog) or any(isinstance(x, d.Catalog) for x in declarations)
    try:
        rules = catalog_rules(base_catalog) | catalog_rules(catalog)
    except RuleTextError as error:
        place = next((x.span for x in declarations if isinstance(x, d.Catalog)), NOWHERE)
        return [at(found.code, found.message, place) for found in error.diagnostics]
    if not named:
        return []
    if not rules:
        node = next(x for x in declarations if isinstance(x, d.Catalog))
        return [at("E501", f"The catalog {node.path} is missing or contains no rules.", node.span)]
    problems = []
    for declaration in declarations:
        for cite, span in cited(declaration):
            if cite not in rules:
                problems.append(
                    at("E502", f"The catalog has no rule {cite}.", span, hint=did_you_mean(cite, rules), word=cite)
                )
    return problems


def rules_cited(declarations: Iterable[d.Declaration], *, examples: bool) -> dict[str, list[Span]]:
    """Which rules are cited where: in examples, or in everything else."""
    out: dict[str, list[Span]] = {}
    for declaration in declarations:
        if isinstance(declaration, d.Example) != examples or isinstance(declaration, d.NotModelled):
            continue
        for cite, span in cited(declaration):
            out.setdefault(cite, []).append(span)
    return out
