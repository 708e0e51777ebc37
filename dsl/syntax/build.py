"""From Lark's reductions to the tree: systems, modules, options, enums, declarations with bodies, and rules."""

from __future__ import annotations

from functools import partialmethod
from typing import Any

from lark import Token
from lark.tree import Meta

from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.syntax.build_data import BuildData
from dsl.syntax.build_example_lines import BuildExampleLines
from dsl.syntax.build_expressions import (
    Children,
    Part,
    body_of,
    cites_of,
    guards_of,
    line_parts,
    nodes_of,
    part,
    unquoted,
    values,
    words,
)
from dsl.syntax.build_line_parts import built_in_order
from dsl.syntax.build_lines import BuildLines
from dsl.syntax.build_order_lines import BuildOrderLines
from dsl.syntax.layout import LayoutError
from dsl.syntax.line_base import IN_ORDER


class Build(BuildData, BuildLines, BuildOrderLines, BuildExampleLines):
    """Builds the tree of one declaration. `file`, `shift_lines` and `text` place spans in the whole file."""

    def system(self, meta: Meta, c: Children) -> d.System:
        name, title, version, *base = words(c)
        return d.System(
            self.span(meta), unquoted(title), version, base[0] if base else "", name=name, cites=cites_of(c)
        )

    def catalog(self, meta: Meta, c: Children) -> d.Catalog:
        return d.Catalog(self.span(meta), unquoted(words(c)[0]), name="catalog")

    def default_state(self, meta: Meta, c: Children) -> Part:
        if c[0] not in {"on", "off"}:
            raise LayoutError(
                c[0], "E002", f"A module is on or off by default, not `{c[0]}`.", "Write `default on` or `default off`."
            )
        return Part("default", str(c[0]))

    def needs(self, meta: Meta, c: Children) -> Part:
        return Part("needs", words(c, "NAME"))

    def excludes(self, meta: Meta, c: Children) -> Part:
        return Part("excludes", words(c, "NAME"))

    def more_modules(self, meta: Meta, c: Children) -> Part:
        return Part("more", [x for x in c if isinstance(x, Token)])

    def module(self, meta: Meta, c: Children) -> d.Module:
        name, title = words(c)
        lists: dict[str, list[str]] = {"needs": [], "excludes": []}
        slot = ""
        for clause in (x for x in c if isinstance(x, Part)):
            slot = clause.slot if clause.slot != "more" else slot
            if clause.slot == "more" and slot not in lists:
                raise LayoutError(
                    clause.value[0],
                    "E002",
                    f"Unexpected `{clause.value[0]}`.",
                    "Write `default on`, `needs …` or `excludes …`.",
                )
            if slot in lists:
                lists[slot] += [str(x) for x in clause.value]
        default = part(c, "default", "off") == "on"
        return d.Module(
            self.span(meta), unquoted(title), default, tuple(lists["needs"]), tuple(lists["excludes"]), name=name, cites=cites_of(c)
        )  # fmt: skip

    def option(self, meta: Meta, c: Children) -> d.Option:
        name, title = words(c, "NAME")[0], unquoted(words(c, "STRING")[0])
        terms = [t.literal_text(n) for n in nodes_of(c)]
        return d.Option(self.span(meta), title, tuple(terms[:-1]), terms[-1], name=name, cites=cites_of(c))

    def enum_term(self, meta: Meta, c: Children) -> d.Term:
        title = [unquoted(w) for w in words(c, "STRING")]
        return d.Term(self.span(meta), t.literal_text(nodes_of(c)[0]), title[0] if title else "")

    def _enum(self, meta: Meta, c: Children, ordered: bool) -> d.Enum:
        title = [unquoted(w) for w in words(c, "STRING")]
        terms = tuple(n for n in c if isinstance(n, d.Term))
        return d.Enum(
            self.span(meta), terms, ordered, title[0] if title else "", name=words(c, "NAME")[0], cites=cites_of(c)
        )

    enum = partialmethod(_enum, ordered=False)
    scale = partialmethod(_enum, ordered=True)

    def _bodied(self, meta: Meta, c: Children, word: str) -> d.Bodied:
        signature = next(n for n in c if isinstance(n, d.Signature))
        return d.Bodied(
            self.span(meta), word, signature, part(c, "bound"), body_of(c), "".join(map(unquoted, words(c, "STRING"))),
            name=signature.name, cites=cites_of(c), guards=guards_of(c),
        )  # fmt: skip

    value = partialmethod(_bodied, word="value")
    status = partialmethod(_bodied, word="status")
    order = partialmethod(_bodied, word="order")
    procedure = partialmethod(_bodied, word="procedure")
    path = partialmethod(_bodied, word="path")
    setup = partialmethod(_bodied, word="setup")

    def tabletop_story(self, meta: Meta, c: Children) -> Part:
        del meta
        return Part("story", (unquoted(words(c, "STRING")[0]), tuple(nodes_of(c))))

    def tabletop_when(self, meta: Meta, c: Children) -> Part:
        del meta
        return Part("open", nodes_of(c)[0])

    def tabletop_ground(self, meta: Meta, c: Children) -> Part:
        del meta
        return Part("ground", nodes_of(c)[0])

    def tabletop_forces(self, meta: Meta, c: Children) -> Part:
        del meta
        return Part("forces", values(c, "related"))

    def tabletop_relate(self, meta: Meta, c: Children) -> Part:
        del meta
        return Part("relates", values(c, "related"))

    def tabletop_results(self, meta: Meta, c: Children) -> Part:
        del meta
        return Part("results", values(c, "answered"))

    def answered(self, meta: Meta, c: Children) -> Part:
        del meta
        question, *of = words(c, "NAME")
        return Part("answered", (question, of[0] if of else None))

    def tabletop(self, meta: Meta, c: Children) -> d.Tabletop:
        signature = next(n for n in c if isinstance(n, d.Signature))
        message, args = part(c, "story", ("", ()))

        def every(slot: str) -> tuple[Any, ...]:
            return tuple(one for x in c if isinstance(x, Part) and x.slot == slot for one in x.value)

        return d.Tabletop(
            self.span(meta), signature, part(c, "bound"), message, args, part(c, "open"), every("forces"), part(c, "ground"),
            every("relates"), every("results"), name=signature.name, cites=cites_of(c), guards=guards_of(c),
        )  # fmt: skip

    def sequence(self, meta: Meta, c: Children) -> d.Bodied:
        signature = d.Signature(self.span(meta), str(c[0]), ())
        return d.Bodied(
            self.span(meta), "sequence", signature, None, body_of(c), name=signature.name, cites=cites_of(c),
            guards=guards_of(c),
        )  # fmt: skip

    def target(self, meta: Meta, c: Children) -> Part:
        found = words(c, "TARGET_WORD")
        return Part("target", (found[0] if found else None, nodes_of(c)[0], part(c, "bound")))

    def _relation(self, meta: Meta, c: Children, kind: str) -> d.Relation:
        word, target, bound = part(c, "target")
        return d.Relation(self.span(meta), kind, word, target, bound=bound)

    replaces = partialmethod(_relation, kind="replaces")
    excepts = partialmethod(_relation, kind="excepts")

    def bars(self, meta: Meta, c: Children) -> Part:
        """`forbids order march, order attack of u (a unit), with mines`; `adds to phase orders, phase movement`."""
        kind = words(c, "BAR_WORD")[0].removesuffix(" to")
        (word, target, bound), *others = values(c, "target")
        more = tuple(d.Target(signature.span, said, signature, in_) for said, signature, in_ in others)
        return Part("bars", (d.Relation(self.span(meta), kind, word, target, bound=bound, more=more), guards_of(c)))

    def whenever(self, meta: Meta, c: Children) -> d.Relation:
        return d.Relation(self.span(meta), "whenever", event=c[0])

    def always(self, meta: Meta, c: Children) -> d.Relation:
        params = tuple(n for n in c if isinstance(n, d.Param))
        return d.Relation(self.span(meta), "always", params=params, condition=nodes_of(c)[-1], order=part(c, "order"))

    def _event(
        self, meta: Meta, c: Children, kind: str, first: Any, second: Any = None, amount: Any = None, word: str = ""
    ) -> d.Event:
        when, bound = line_parts(c).get("when"), part(c, "bound")
        return d.Event(self.span(meta), kind, first, second, amount, word or None, when, bound)

    def event_enters(self, meta: Meta, c: Children) -> d.Event:
        params = [n for n in c if isinstance(n, d.Param)]
        return self._event(meta, c, words(c, "EVENT_WORD")[0], params[0], params[1])

    def event_within(self, meta: Meta, c: Children) -> d.Event:
        first, amount, second = nodes_of(c)[:3]
        return self._event(meta, c, "within", first, second, amount)

    def event_next(self, meta: Meta, c: Children) -> d.Event:
        first, second = nodes_of(c)[:2]
        return self._event(meta, c, "next", first, second)

    def event_becomes(self, meta: Meta, c: Children) -> d.Event:
        first, term = nodes_of(c)[:2]
        return self._event(meta, c, "becomes", first, word=t.literal_text(term))

    def event_removed(self, meta: Meta, c: Children) -> d.Event:
        return self._event(meta, c, "removed", nodes_of(c)[0])

    def rule(self, meta: Meta, c: Children) -> d.Rule:
        bars, guards = part(c, "bars", (None, guards_of(c)))
        relation = bars or next(n for n in c if isinstance(n, d.Relation))
        return d.Rule(self.span(meta), relation, body_of(c), name=str(c[0]), cites=cites_of(c), guards=guards)

    def example(self, meta: Meta, c: Children) -> d.Example:
        name = unquoted(words(c, "STRING")[0])
        return d.Example(self.span(meta), body_of(c), name=name, cites=cites_of(c), guards=part(c, "choices", ()))

    def ruling(self, meta: Meta, c: Children) -> d.Ruling:
        return d.Ruling(self.span(meta), words(c, "DATE")[0], body_of(c), name=words(c, "NAME")[0], cites=cites_of(c))

    def drawn(self, meta: Meta, c: Children) -> d.Drawn:
        word, *shows = words(c, "NAME")
        return d.Drawn(self.span(meta), tuple(shows), name=word)

    def unmodelled(self, meta: Meta, c: Children) -> d.NotModelled:
        cites = cites_of(c)
        return d.NotModelled(self.span(meta), unquoted(words(c, "STRING")[0]), name=cites[0], cites=cites)


for _rule, _line in IN_ORDER.items():
    setattr(Build, _rule, built_in_order(_line))
