"""From Lark's reductions to the tree: common parts of lines, and the parameters and signatures of orders and rules."""
# ruff: noqa: ARG002, D102 - Lark calls every method with the same arguments; the grammar rule of its name documents it

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import attrs
from lark import Token
from lark.tree import Meta

from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax.build_expressions import (
    BuildExpressions,
    Children,
    Part,
    cites_of,
    fills,
    line_parts,
    nodes_of,
    part,
    spoken_as,
    unquoted,
    words,
)
from dsl.syntax.layout import LayoutError
from dsl.syntax.line_base import Line


def in_print(typed: str) -> str:
    """Typed text where a printed value is allowed, however it is spaced.

    >>> in_print("  III /  VIs")
    'III/VIs'
    """
    return re.sub(r" *(/) *", r"\1", " ".join(typed.split()))


def built_in_order(line: type[Line]) -> Callable[[BuildLineParts, Meta, Children], Line]:
    """The method for a line whose fields appear in its text in their order: see `in_order`."""
    fields = [(x.name, str(x.type)) for x in attrs.fields(line) if x.name != "span" and not x.kw_only]

    def build(self: BuildLineParts, meta: Meta, c: Children) -> Line:
        nodes = iter(nodes_of(c))
        texts = iter([unquoted(x) if x.type == "STRING" else str(x) for x in c if _is_text(x)])
        parts = {x.slot: x.value for x in c if isinstance(x, Part)}
        held = [parts[name] if name in parts else FILLED[kind](nodes, texts) for name, kind in fields]
        return line(self.span(meta), *held, **self.line_meta(c))

    return build


def _is_text(child: object) -> bool:
    return isinstance(child, Token) and child.type in {"NAME", "STRING"}


FILLED: dict[str, Callable[[Iterator[Any], Iterator[str]], Any]] = {
    "Node": lambda nodes, _: next(nodes),
    "Node | None": lambda nodes, _: next(nodes, None),
    "tuple[Node, ...]": lambda nodes, _: tuple(nodes),
    "str": lambda _, texts: next(texts),
    "str | None": lambda _, texts: next(texts, None),
    "tuple[str, ...]": lambda _, texts: tuple(texts),
    "Until | None": lambda *_: None,
}
"""The values for a field of each type, from the remaining nodes and texts of a line."""


class BuildLineParts(BuildExpressions):
    """Builds the parts of lines: conditions, reasons, labels, guards, parameters, signatures."""

    cwhen = fills("when")
    because = fills("because", unquoted)
    label = fills("label", str)
    shift = fills("shift", str)
    prep, any_prep, article, switch, target_word = (
        spoken_as("PREP"),
        spoken_as("PREP"),
        spoken_as("ARTICLE"),
        spoken_as("SWITCH"),
        spoken_as("TARGET_WORD"),
    )
    event_word, manner, factor, way, halves = (
        spoken_as("EVENT_WORD"),
        spoken_as("MANNER"),
        spoken_as("FACTOR"),
        spoken_as("WAY"),
        spoken_as("HALVES"),
    )
    extreme = spoken_as("EXTREME")
    bar_word = spoken_as("BAR_WORD")
    moment, quantifier, aggregate, whose = (
        spoken_as("MOMENT"),
        spoken_as("QUANTIFIER"),
        spoken_as("AGGREGATE"),
        spoken_as("RELATIVE"),
    )
    kind_word, hit = spoken_as("KIND_WORD"), spoken_as("HIT")
    which, period, party = spoken_as("WHICH"), spoken_as("PERIOD"), spoken_as("PARTY")

    def such_that(self, meta: Meta, c: Children) -> Part:
        return Part("such_that", ln.SuchThat(self.span(meta), c[0], part(c, "because")))

    def until_moment(self, meta: Meta, c: Children) -> Part:
        following = "next" in words(c, "WHICH")
        found = ln.Until(self.span(meta), str(c[0]), str(c[-1]), "".join(words(c, "PARTY")), following)
        return Part("until", found)

    def until_condition(self, meta: Meta, c: Children) -> Part:
        return Part("until", ln.Until(self.span(meta), condition=nodes_of(c)[0]))

    role = fills("role", str)
    ordered = fills("order")
    goes_first = ordered

    def guard(self, meta: Meta, c: Children) -> Part:
        return Part("guard", (str(c[0]), str(c[1])))

    def guards(self, meta: Meta, c: Children) -> Part:
        return Part("guards", tuple(x.value for x in c))

    def choices(self, meta: Meta, c: Children) -> Part:
        found: list[tuple[str, str]] = []
        switch = ""
        for token in c:
            if token.type == "NAME":
                found.append((switch, str(token)))
            else:
                switch = str(token)
        return Part("choices", tuple(found))

    bound = fills("bound", str)

    def param(self, meta: Meta, c: Children) -> d.Param:
        many = len(c) > 1 and str(c[1]) == "some"
        party = "".join(words(c, "PARTY"))
        kinds = [part(c, "entry_of")] if part(c, "entry_of") else words(c[1:], "NAME")
        kind = " or ".join(kinds) if kinds else None
        return d.Param(self.span(meta), "of", str(c[0]), kind, many, party, bool(words(c, "ON_MAP")))

    def entry_of(self, meta: Meta, c: Children) -> Part:
        if c[0] != "entry":
            hint = "Only `entry` can have `of` after it: `e (an entry of tank)`."
            raise LayoutError(c[0], "E002", f"Unexpected `{c[0]} of`.", hint)
        return Part("entry_of", f"entry of {c[1]}")

    def signature(self, meta: Meta, c: Children) -> d.Signature:
        params: list[d.Param] = []
        prep = "of"
        for child in c[1:]:
            if isinstance(child, Token):
                prep = str(child)
            else:
                params.append(attrs.evolve(child, prep=prep))
        return d.Signature(self.span(meta), str(c[0]), tuple(params))

    def on_the_line(self, meta: Meta, c: Children) -> Part:
        """A line after the colon of another: the other takes over its citations."""
        return Part("on_the_line", tuple(x for one in c for x in (one if isinstance(one, tuple) else (one,))))

    def line_meta(self, c: Children) -> dict[str, Any]:
        return {"cites": cites_of(c), **{k: v for k, v in line_parts(c).items() if k in {"label", "when", "because"}}}
