"""From Lark's reductions to the tree: the lines of examples, and the date of the first turn."""
# ruff: noqa: ARG002, D102 - Lark calls every method with the same arguments; the grammar rule of its name documents it

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import partialmethod

from lark.tree import Meta

from dsl.syntax import body_lines as ln
from dsl.syntax import syntax_tree as t
from dsl.syntax.build_expressions import (
    Children,
    Part,
    body_of,
    cites_of,
    nodes_of,
    part,
    unquoted,
    words,
)
from dsl.syntax.build_line_parts import BuildLineParts, in_print


class BuildExampleLines(BuildLineParts):
    """Builds the lines that set up an example, give orders and state what is expected."""

    def begins(self, meta: Meta, c: Children) -> ln.Begins:
        count = words(c, "NUMBER")[0]
        number = int(count) if count.isdigit() else 0
        unit = words(c, "NAME")[0]
        if number == 1 and unit in {"hour", "day", "week", "month"}:  # `1 week a turn`
            unit = f"{unit}s"
        return ln.Begins(self.span(meta), words(c, "DATE")[0], number, unit, **self.line_meta(c))

    scenario_begins = begins

    def printed_text(self, meta: Meta, c: Children) -> Part:
        written = in_print(self.text[meta.start_pos : meta.end_pos])
        return Part("printed", t.Literal(self.span(meta), "text", written))

    def _printed(self, meta: Meta, c: Children) -> t.IsTest:
        """`X is III/VIs`: its printed value, without quotes."""
        return t.IsTest(self.span(meta), nodes_of(c)[0], (part(c, "printed"),), bool(words(c, "NOT")))

    def given_printed(self, meta: Meta, c: Children) -> ln.Given:
        return ln.Given(self.span(meta), self._printed(meta, c), **self.line_meta(c))

    def then_printed(self, meta: Meta, c: Children) -> ln.Then:
        return ln.Then(self.span(meta), self._printed(meta, c), **self.line_meta(c))

    def then_are(self, meta: Meta, c: Children) -> ln.Then:
        """`then defenders are e, f`: the whole set."""
        return ln.Then(self.span(meta), self._are(meta, c), **self.line_meta(c))

    def given_are(self, meta: Meta, c: Children) -> ln.Given:
        """`given turn-order is blue, red`: the whole list."""
        return ln.Given(self.span(meta), self._are(meta, c), **self.line_meta(c))

    def _are(self, meta: Meta, c: Children) -> t.IsTest:
        subject, *items = nodes_of(c)
        whole = t.Tuple(items[0].span, tuple(items))
        return t.IsTest(self.span(meta), subject, (whole,), bool(words(c, "NOT")))

    def dice_are(self, meta: Meta, c: Children) -> ln.DiceAre:
        return ln.DiceAre(self.span(meta), tuple(p.value for p in c if isinstance(p, Part)), **self.line_meta(c))

    def throw(self, meta: Meta, c: Children) -> Part:
        return Part("throw", tuple(int(Fraction(w)) for w in words(c, "NUMBER", "SIGNED")))

    def answer(self, meta: Meta, c: Children) -> ln.Answer:
        items: tuple[t.Node, ...] = part(c, "items", ())
        return ln.Answer(self.span(meta), str(c[0]), items, _opened(nodes_of(c)), **self.line_meta(c))

    def every_item(self, meta: Meta, c: Children) -> t.Name:
        return t.Name(self.span(meta), "all")

    def answer_items(self, meta: Meta, c: Children) -> Part:
        return Part("items", _opened(nodes_of(c)))

    def command(self, meta: Meta, c: Children) -> Part:
        return Part("command", " ".join(self.text[meta.start_pos : meta.end_pos].split()))

    def command_arg(self, meta: Meta, c: Children) -> Part:
        return Part("command_arg", None)

    def command_via(self, meta: Meta, c: Children) -> Part:
        return Part("command_via", None)

    def orders_line(self, meta: Meta, c: Children) -> ln.Orders:
        return ln.Orders(self.span(meta), str(c[0]), part(c, "command"), **self.line_meta(c))

    def then_may(self, meta: Meta, c: Children, negated: bool = False) -> ln.ThenMay:
        only: tuple[str, ...] = part(c, "only_because", ())
        return ln.ThenMay(self.span(meta), str(c[0]), part(c, "command"), negated, only, **self.line_meta(c))

    def only_because(self, meta: Meta, c: Children) -> Part:
        return Part("only_because", tuple(unquoted(w) for w in words(c, "STRING")))

    then_may_not = partialmethod(then_may, negated=True)

    def then_may_answer(self, meta: Meta, c: Children) -> ln.ThenMayAnswer:
        names = words(c, "NAME")
        items: tuple[t.Node, ...] = part(c, "items", ())
        return ln.ThenMayAnswer(
            self.span(meta), names[0], names[1], items, _opened(nodes_of(c)), bool(words(c, "NOT")), **self.line_meta(c)
        )

    def then_knows(self, meta: Meta, c: Children, negated: bool = False) -> ln.ThenKnows:
        whole: t.Node | None = part(c, "whole")
        what = whole if whole is not None else nodes_of(c)[0]
        return ln.ThenKnows(self.span(meta), str(c[0]), what, whole is not None, negated, **self.line_meta(c))

    then_knows_not = partialmethod(then_knows, negated=True)

    def then_begins(self, meta: Meta, c: Children) -> ln.ThenBegins:
        switch, why = part(c, "warning", ("", None))
        told = {**self.line_meta(c), **({"because": why} if why else {})}
        return ln.ThenBegins(self.span(meta), bool(words(c, "NOT")), switch, **told)

    def warning(self, meta: Meta, c: Children) -> Part:
        return Part("warning", (str(c[0]), part(c, "because")))

    def then_over(self, meta: Meta, c: Children) -> ln.ThenOver:
        return ln.ThenOver(self.span(meta), "", bool(words(c, "NOT")), **self.line_meta(c))

    def then_won(self, meta: Meta, c: Children) -> ln.ThenOver:
        return ln.ThenOver(self.span(meta), words(c, "NAME")[0], **self.line_meta(c))

    def known_of(self, meta: Meta, c: Children) -> Part:
        return Part("whole", nodes_of(c)[0])

    def with_block(self, meta: Meta, c: Children) -> ln.WithBlock:
        return ln.WithBlock(self.span(meta), part(c, "choices"), body=body_of(c), cites=cites_of(c))

    def set_block(self, meta: Meta, c: Children) -> ln.WithBlock:
        term = next(n for n in nodes_of(c) if not isinstance(n, ln.Line))
        return ln.WithBlock(self.span(meta), (), str(c[0]), term, body=body_of(c), cites=cites_of(c))


def _opened(nodes: Iterable[t.Node]) -> tuple[t.Node, ...]:
    """The things of an answer one by one, even if they are named in brackets."""
    return tuple(one for node in nodes for one in (node.items if isinstance(node, t.Tuple) else (node,)))
