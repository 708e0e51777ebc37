"""From Lark's reductions to the tree: the checks of orders and setups, and the lines of paths."""
# ruff: noqa: ARG002, D102 - Lark calls every method with the same arguments; the grammar rule of its name documents it

from __future__ import annotations

from functools import partialmethod

from lark.tree import Meta

from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax.build_expressions import (
    Children,
    Part,
    nodes_of,
    values,
)
from dsl.syntax.build_line_parts import BuildLineParts


class BuildOrderLines(BuildLineParts):
    """Builds the lines of orders, setups and paths."""

    def legal_from(self, meta: Meta, c: Children) -> ln.LegalFrom:
        before, after = values(c, "terms")
        return ln.LegalFrom(self.span(meta), before, after, **self.line_meta(c))

    def leg_limit(self, meta: Meta, c: Children) -> Part:
        return Part("leg", ("limit", c[0]))

    def leg_along(self, meta: Meta, c: Children) -> Part:
        return Part("leg", ("along", str(c[0])))

    def leg_until(self, meta: Meta, c: Children) -> Part:
        return Part("leg", ("until", c[0]))

    def leg(self, meta: Meta, c: Children) -> ln.Leg:
        clauses = dict(values(c, "leg"))
        return ln.Leg(self.span(meta), str(c[0]), **clauses, **self.line_meta(c))

    def _path_rule(self, meta: Meta, c: Children, kind: str) -> ln.PathRule:
        nodes = nodes_of(c)
        extra = self.line_meta(c)
        place = nodes[0]
        assert isinstance(place, d.Param)
        if kind == "costs":
            return ln.PathRule(self.span(meta), kind, place.name, place.kind, nodes[1], **extra)
        return ln.PathRule(self.span(meta), kind, place.name, place.kind, **{**extra, "when": nodes[1]})

    never_into = partialmethod(_path_rule, kind="never")
    entering = partialmethod(_path_rule, kind="costs")
    halting = partialmethod(_path_rule, kind="halting")
