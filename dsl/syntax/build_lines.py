"""From Lark's reductions to the tree: the lines of values, and the statements of procedures, orders and sequences."""
# ruff: noqa: ARG002, D102 - Lark calls every method with the same arguments; the grammar rule of its name documents it

from __future__ import annotations

from fractions import Fraction
from functools import partialmethod

from lark.tree import Meta

from dsl.syntax import body_lines as ln
from dsl.syntax import syntax_tree as t
from dsl.syntax.build_expressions import (
    Children,
    Method,
    Part,
    adjusts,
    body_of,
    cites_of,
    fills,
    guards_of,
    line_parts,
    nodes_of,
    part,
    unquoted,
    values,
    words,
)
from dsl.syntax.build_line_parts import BuildLineParts, in_print


def _title(c: Children) -> str:
    """The title of a phase or a question; empty if the line does not give one."""
    return "".join(unquoted(w) for w in words(c, "STRING"))


def chooses(kind: str) -> Method:
    """The method for what can be chosen from something: perhaps an amount, and what it is chosen from."""

    def build(self: BuildLines, meta: Meta, c: Children) -> Part:
        *amount, source = c
        return Part("choice", ln.Choice(self.span(meta), kind, source, *amount))

    return build


class BuildLines(BuildLineParts):
    """Builds the lines of values and actions."""

    def let(self, meta: Meta, c: Children, whether: bool = False) -> ln.Let:
        return ln.Let(self.span(meta), str(c[0]), nodes_of(c)[0], whether, **self.line_meta(c))

    let_whether = partialmethod(let, whether=True)

    def adjust(self, meta: Meta, c: Children) -> ln.Adjust:
        op, value = part(c, "adjust")
        rounding = value if isinstance(value, t.Direction) else None
        return ln.Adjust(self.span(meta), op, None if rounding else value, rounding, **self.line_meta(c))

    plain_step = adjust

    def adjust_word(self, meta: Meta, c: Children) -> Part:
        factor = {"halved": Fraction(1, 2), "doubled": Fraction(2), "quartered": Fraction(1, 4), "tripled": Fraction(3)}
        return Part("adjust", ("times", t.Literal(self.span(meta), "number", factor[str(c[0])])))

    times, divided, plus, minus = adjusts("times"), adjusts("divided"), adjusts("plus"), adjusts("minus")
    at_least, at_most, rounded = adjusts("at-least"), adjusts("at-most"), adjusts("rounded")
    moved_by, instead = adjusts("moved"), adjusts("instead")

    def case(self, meta: Meta, c: Children, otherwise: bool = False) -> ln.Case:
        return ln.Case(self.span(meta), nodes_of(c)[0], part(c, "shift"), otherwise, **self.line_meta(c))

    otherwise = partialmethod(case, otherwise=True)

    def plain_lines(self, meta: Meta, c: Children) -> tuple[ln.Line, ...]:
        """The text after the heading of a value: `load of u / 5, rounded up` starts with the load."""
        first, *rest = c
        if rest and isinstance(rest[0], ln.Adjust) and first.when is None:
            first = ln.StartWith(first.span, first.value)
        return (first, *rest)

    def plain_case(self, meta: Meta, c: Children) -> ln.Case:
        return ln.Case(self.span(meta), c[0], **line_parts(c))

    def plain_otherwise(self, meta: Meta, c: Children) -> ln.Case:
        return ln.Case(self.span(meta), c[0], None, True)

    def plain_holds(self, meta: Meta, c: Children) -> ln.Holds:
        return ln.Holds(self.span(meta), when=c[0])

    def holds(self, meta: Meta, c: Children) -> ln.Holds:
        return ln.Holds(self.span(meta), **{**self.line_meta(c), "when": nodes_of(c)[0]})

    def when(self, meta: Meta, c: Children, arm: str = "when") -> ln.When:
        return ln.When(self.span(meta), arm, when=nodes_of(c)[0], body=body_of(c), cites=cites_of(c))

    otherwise_when = partialmethod(when, arm="otherwise when")

    def otherwise_block(self, meta: Meta, c: Children) -> ln.When:
        return ln.When(self.span(meta), "otherwise", body=body_of(c), cites=cites_of(c))

    def for_each(self, meta: Meta, c: Children) -> ln.ForEach:
        over = nodes_of(c)[0]
        return ln.ForEach(
            self.span(meta), str(c[0]), over, part(c, "role"), part(c, "order"), body=body_of(c), cites=cites_of(c)
        )

    def repeat(self, meta: Meta, c: Children) -> ln.Repeat:
        nodes = [n for n in nodes_of(c) if not isinstance(n, ln.Line)]
        return ln.Repeat(
            self.span(meta), nodes[0], nodes[1] if len(nodes) > 1 else None, body=body_of(c), cites=cites_of(c)
        )

    def simultaneously(self, meta: Meta, c: Children) -> ln.Simultaneously:
        return ln.Simultaneously(self.span(meta), body=body_of(c), cites=cites_of(c))

    def _passage(self, meta: Meta, c: Children, *, step: bool) -> ln.Phase:
        """A phase or a step, perhaps with a title."""
        return ln.Phase(self.span(meta), str(c[0]), _title(c), guards_of(c), step, body=body_of(c), cites=cites_of(c))

    phase = partialmethod(_passage, step=False)
    step = partialmethod(_passage, step=True)

    one_of, some_of, split_of = chooses("one"), chooses("some"), chooses("split")
    up_to, exactly_of = chooses("up_to"), chooses("exactly")

    def words_of(self, meta: Meta, c: Children) -> Part:
        return Part("choice", ln.Choice(self.span(meta), "words", words=tuple(nodes_of(c))))

    def number_up_to(self, meta: Meta, c: Children) -> Part:
        return Part("choice", ln.Choice(self.span(meta), "number", amount=c[0]))

    def number_from(self, meta: Meta, c: Children) -> Part:
        return Part("choice", ln.Choice(self.span(meta), "one", t.Numbers(self.span(meta), c[0], c[1])))

    def choose(self, meta: Meta, c: Children) -> ln.Choose:
        return ln.Choose(
            self.span(meta), nodes_of(c)[0], words(c, "NAME")[0], part(c, "choice"), bool(words(c, "SECRETLY")),
            part(c, "such_that"), _title(c), **self.line_meta(c),
        )  # fmt: skip

    def each_chooses(self, meta: Meta, c: Children) -> ln.EachChooses:
        names, nodes = words(c, "NAME"), nodes_of(c)
        return ln.EachChooses(
            self.span(meta), names[0], nodes[0] if nodes else None, names[1], part(c, "choice"), bool(words(c, "SECRETLY")),
            part(c, "such_that"), _title(c), **self.line_meta(c),
        )  # fmt: skip

    def dice(self, meta: Meta, c: Children) -> Part:
        nodes, texts = nodes_of(c), words(c, "DICE")
        if not nodes:
            return Part("dice", ln.Dice(self.span(meta), t.Literal(self.span(meta), "dice", texts[0])))
        if not texts:
            return Part("dice", ln.Dice(self.span(meta), nodes[0]))
        return Part("dice", ln.Dice(self.span(meta), t.Literal(self.span(meta), "dice", texts[0]), nodes[0]))

    def each_rolls(self, meta: Meta, c: Children) -> ln.EachRolls:
        names, nodes = words(c, "NAME"), nodes_of(c)
        return ln.EachRolls(
            self.span(meta), names[0], nodes[0] if nodes else None, part(c, "dice"), names[-1], **self.line_meta(c)
        )

    def may(self, meta: Meta, c: Children) -> ln.May:
        manner = words(c, "MANNER")
        return ln.May(
            self.span(meta), nodes_of(c)[0], tuple(words(c, "NAME")), manner[0] if manner else "alternately",
            **self.line_meta(c),
        )  # fmt: skip

    def becomes(self, meta: Meta, c: Children) -> ln.Becomes:
        text, filling = part(c, "written_text") or (None, ())
        target, *values = nodes_of(c)
        value = values[0] if text is None else text
        return ln.Becomes(self.span(meta), target, value, part(c, "until"), filling, **self.line_meta(c))

    def becomes_several(self, meta: Meta, c: Children) -> ln.Simultaneously:
        """`hits of u becomes 0, morale steady`: several changes that are made and reported together."""
        target, first = nodes_of(c)[:2]
        things = target.arg if isinstance(target, t.Of) else target
        others = values(c, "further")
        told = {k: v for k, v in self.line_meta(c).items() if k != "when"}
        until = part(c, "until")
        body = (
            ln.Becomes(self.span(meta), target, first, until, **told),
            *(ln.Becomes(span, t.Of(span, name, things), value, until, **told) for span, name, value in others),
        )
        return ln.Simultaneously(self.span(meta), body=body, cites=cites_of(c), when=part(c, "when"))

    def further(self, meta: Meta, c: Children) -> Part:
        return Part("further", (self.span(meta), str(c[0]), c[1]))

    def written_text(self, meta: Meta, c: Children) -> Part:
        text = t.Literal(self.span(meta), "text", unquoted(words(c, "STRING")[0]))
        return Part("written_text", (text, tuple(nodes_of(c))))

    def _gain(self, meta: Meta, c: Children, loses: bool) -> ln.Gains:
        target, amount = nodes_of(c)[:2]
        unit = (words(c, "NAME") or ["points"])[0]
        return ln.Gains(self.span(meta), target, amount, unit, loses, part(c, "until"), **self.line_meta(c))

    gains = partialmethod(_gain, loses=False)
    loses = partialmethod(_gain, loses=True)

    def put_setting(self, meta: Meta, c: Children) -> Part:
        return Part("setting", (str(c[0]), c[1], in_print(self.text[c[0].end_pos : meta.end_pos])))

    def put_named(self, meta: Meta, c: Children) -> Part:
        return Part("named", part(c, "named_text") or ("{}", (nodes_of(c)[0],)))

    put_like = fills("like")

    def named_text(self, meta: Meta, c: Children) -> Part:
        return Part("named_text", (unquoted(words(c, "STRING")[0]), tuple(nodes_of(c))))

    def put(self, meta: Meta, c: Children) -> ln.Put:
        names, nodes = words(c, "NAME"), nodes_of(c)
        parts = values(c, "setting")
        settings = tuple((name, value) for name, value, _ in parts)
        written = tuple(text for _, _, text in parts)
        template = names[2] if len(names) > 2 else None
        where = nodes[0] if nodes else None
        naming, called = part(c, "named", (None, ()))
        return ln.Put(
            self.span(meta), names[0], names[1], template, settings, where, written, naming, called, part(c, "like"),
            **self.line_meta(c),
        )  # fmt: skip

    def reveal(self, meta: Meta, c: Children, hide: bool = False) -> ln.Reveal:
        return ln.Reveal(self.span(meta), c[0], c[1], hide, **self.line_meta(c))

    hide = partialmethod(reveal, hide=True)

    def binding(self, meta: Meta, c: Children) -> Part:
        return Part("binding", (tuple(nodes_of(c)), words(c, "NAME")[-1]))

    def do(self, meta: Meta, c: Children) -> ln.Do:
        bindings = values(c, "binding")
        return ln.Do(self.span(meta), str(c[0]), bindings, **self.line_meta(c))

    def do_all(self, meta: Meta, c: Children) -> tuple[ln.Do, ...]:
        """`do bleed, rest, dig`: one after another, each as a line of its own."""
        cites = cites_of(c)
        return tuple(ln.Do(x.value[0], x.value[1], (), cites=cites) for x in c if isinstance(x, Part))

    def done(self, meta: Meta, c: Children) -> Part:
        return Part("done", (self.span(meta), str(c[0])))

    def do_called(self, meta: Meta, c: Children) -> ln.Do:
        """`do hurt of p by 3`: a call in the form of its heading, like a value."""
        first = nodes_of(c)[0]
        given = (("of", first), *values(c, "arg"))
        return ln.Do(self.span(meta), str(c[0]), (), given, **self.line_meta(c))

    def related(self, meta: Meta, c: Children) -> Part:
        del meta
        names = words(c, "NAME")
        return Part("related", (nodes_of(c)[0], names[-1] if names else None))

    def relate(self, meta: Meta, c: Children) -> ln.Relate:
        parts = values(c, "related")
        return ln.Relate(self.span(meta), parts, **self.line_meta(c))
