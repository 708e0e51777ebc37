"""From Lark's reductions to the tree: declarations."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from lark import Token
from lark.tree import Meta

from dsl.syntax import declarations as d
from dsl.syntax import lines as ln
from dsl.syntax import tree as t
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
    words,
)
from dsl.syntax.build_lines import BuildLines
from dsl.syntax.layout import LayoutError


class Build(BuildLines):
    """Builds the tree of one declaration. `file`, `shift_lines` and `text` place spans in the whole file."""

    # ---- declarations
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
                    f"I did not expect `{clause.value[0]}` here.",
                    "Say what it is: `default on`, `needs …` or `excludes …`.",
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

    def enum(self, meta: Meta, c: Children) -> Any:
        return self._enum(meta, c, False)

    def scale(self, meta: Meta, c: Children) -> Any:
        return self._enum(meta, c, True)

    def group(self, meta: Meta, c: Children) -> d.Group:
        names, lines = words(c, "NAME"), part(c, "each_with", ())
        return d.Group(
            self.span(meta), names[1] if names[1:] else "", tuple(t.literal_text(n) for n in nodes_of(c)),
            part(c, "plural", ""), _fields(lines), tuple(n for n in lines if isinstance(n, d.Printed)),
            tuple(n for n in lines if isinstance(n, d.Visibility)), name=names[0], cites=cites_of(c) or cites_of(lines),
        )  # fmt: skip

    def each_with(self, meta: Meta, c: Children) -> Part:
        return Part("each_with", tuple(c))

    def held_by(self, meta: Meta, c: Children) -> Part:
        return Part("holder", str(c[0]))

    def part_of(self, meta: Meta, c: Children) -> Part:
        return Part("whole", str(c[0]))

    def plural(self, meta: Meta, c: Children) -> Part:
        return Part("plural", str(c[0]))

    def gridded(self, meta: Meta, c: Children) -> Part:
        return Part("grid", (str(c[0]), len(c) > 1))

    def lies_in(self, meta: Meta, c: Children) -> Part:
        return Part("holder", str(c[0]))

    def between_places(self, meta: Meta, c: Children) -> Part:
        return Part("between", str(c[0]))

    def stands_in(self, meta: Meta, c: Children) -> Part:
        return Part("stands", tuple(words(c, "NAME")))

    def kind(self, meta: Meta, c: Children) -> d.Kind:
        word, name = words(c)[:2]
        grid, corners = part(c, "grid", (None, False))
        return d.Kind(
            self.span(meta), word, part(c, "whole") or part(c, "holder"), grid,
            _fields(c), tuple(n for n in c if isinstance(n, d.Printed)),
            tuple(n for n in c if isinstance(n, d.Visibility)), corners, part(c, "between"), part(c, "stands", ()), part(c, "plural", ""), part(c, "whole") is not None, name=name, cites=cites_of(c), guards=guards_of(c),
        )  # fmt: skip

    def named_type(self, meta: Meta, c: Children) -> d.TypeExpr:
        return d.TypeExpr(self.span(meta), "named", (str(c[0]),))

    def entry_type(self, meta: Meta, c: Children) -> d.TypeExpr:
        return d.TypeExpr(self.span(meta), "named", (part(c, "entry_of"),))

    def list_type(self, meta: Meta, c: Children) -> d.TypeExpr:
        return d.TypeExpr(self.span(meta), "list", (part(c, "entry_of") or str(c[0]),))

    def words_type(self, meta: Meta, c: Children) -> d.TypeExpr:
        return d.TypeExpr(self.span(meta), "words", tuple(t.literal_text(x) for x in c))

    def link_type(self, meta: Meta, c: Children) -> d.TypeExpr:
        return d.TypeExpr(self.span(meta), "link", tuple(words(c)))

    def plain_link(self, meta: Meta, c: Children) -> d.TypeExpr:
        return d.TypeExpr(self.span(meta), "named", ("link",))

    def range_type(self, meta: Meta, c: Children) -> d.TypeExpr:
        low, high = words(c, "NUMBER", "SIGNED")
        return d.TypeExpr(self.span(meta), "range", (), Fraction(low), Fraction(high))

    def optional(self, meta: Meta, c: Children) -> Part:
        return Part("optional", True)

    def starts(self, meta: Meta, c: Children) -> Part:
        return Part("starts", c[0])

    def joined(self, meta: Meta, c: Children) -> Part:
        return Part("joined", unquoted(str(c[0])))

    def kept_for(self, meta: Meta, c: Children) -> Part:
        return Part("kept_for", unquoted(str(c[0])))

    def untold(self, meta: Meta, c: Children) -> Part:
        return Part("untold", True)

    def quiet(self, meta: Meta, c: Children) -> Part:
        return Part("quiet", True)

    def stated(self, meta: Meta, c: Children) -> Part:
        return Part("stated", True)

    def field_names(self, meta: Meta, c: Children) -> Part:
        return Part("names", tuple(map(str, c)))

    def field(self, meta: Meta, c: Children) -> Any:
        """One field, or several that are alike: `front, rear  number, starts 0`."""
        type_ = next(n for n in c if isinstance(n, d.TypeExpr))
        return tuple(
            d.Field(
                self.span(meta), name, type_, part(c, "optional", False), part(c, "starts"),
                part(c, "joined"), part(c, "kept_for"), cites_of(c), part(c, "untold", False), part(c, "stated", False),
                part(c, "quiet", False),
            )
            for name in part(c, "names")
        )  # fmt: skip

    def printed(self, meta: Meta, c: Children) -> d.Printed:
        return d.Printed(self.span(meta), str(c[0]), unquoted(words(c, "STRING")[0]), cites_of(c))

    def audience(self, meta: Meta, c: Children) -> Part:
        return Part("audience", str(c[0]))

    def lifted(self, meta: Meta, c: Children) -> Part:
        return Part("lifted", str(c[0]))

    def _visibility(self, meta: Meta, c: Children, hidden: bool) -> d.Visibility:
        return d.Visibility(
            self.span(meta), hidden, part(c, "audience"), tuple(words(c, "NAME")), cites_of(c), bool(words(c, "OFF_MAP")),
            guards_of(c), part(c, "lifted", ""),
        )  # fmt: skip

    def hidden(self, meta: Meta, c: Children) -> Any:
        return self._visibility(meta, c, True)

    def known(self, meta: Meta, c: Children) -> Any:
        return self._visibility(meta, c, False)

    def written(self, meta: Meta, c: Children) -> d.Written:
        return d.Written(self.span(meta), unquoted(words(c, "STRING")[0]), tuple(words(c, "NAME")), cites_of(c))

    def rating(self, meta: Meta, c: Children) -> d.Rating:
        return d.Rating(
            self.span(meta), tuple(n for n in c if isinstance(n, d.Written)),
            _fields(c), name=str(c[0]), cites=cites_of(c), guards=guards_of(c),
        )  # fmt: skip

    def row(self, meta: Meta, c: Children) -> d.Row:
        return d.Row(self.span(meta), str(c[0]))

    def unit_list(self, meta: Meta, c: Children) -> d.UnitList:
        name, of = words(c, "NAME")
        rows = tuple(n for n in c if isinstance(n, d.Row))
        return d.UnitList(self.span(meta), of, rows, name=name, cites=cites_of(c), guards=guards_of(c))

    def key(self, meta: Meta, c: Children) -> Part:
        return Part("key", str(c[0]))

    def hit_policy(self, meta: Meta, c: Children) -> Part:
        return Part("hit", str(c[0]))

    def key_rounded(self, meta: Meta, c: Children) -> d.TableNote:
        return d.TableNote(self.span(meta), "rounded", part(c, "key"), nodes_of(c)[0])  # type: ignore[arg-type]

    def key_kept(self, meta: Meta, c: Children) -> d.TableNote:
        low, high = nodes_of(c)
        return d.TableNote(self.span(meta), "kept", part(c, "key"), None, low, high)

    def cells(self, meta: Meta, c: Children) -> d.TableNote:
        return d.TableNote(self.span(meta), "cells", names=tuple(words(c, "NAME")))

    def as_printed(self, meta: Meta, c: Children) -> d.TableNote:
        return d.TableNote(self.span(meta), "as printed")

    def table(self, meta: Meta, c: Children) -> d.Table:
        keys = tuple(x.value for x in c if isinstance(x, Part) and x.slot == "key")
        return d.Table(
            self.span(meta), keys, part(c, "hit", "exactly one row"), tuple(n for n in c if isinstance(n, d.TableNote)),
            tuple(n for n in c if isinstance(n, d.Row)), name=str(c[0]), cites=cites_of(c), guards=guards_of(c),
        )  # fmt: skip

    def low_columns(self, meta: Meta, c: Children) -> Part:
        return Part("low", str(c[0]))

    def map_section(self, meta: Meta, c: Children) -> d.MapSection:
        return d.MapSection(self.span(meta), str(c[0]), tuple(n for n in c if isinstance(n, d.Row)))

    def link_line(self, meta: Meta, c: Children) -> Any:
        return self._link(meta, c, sides=False)

    def sides_line(self, meta: Meta, c: Children) -> Any:
        return self._link(meta, c, sides=True)

    def _link(self, meta: Meta, c: Children, *, sides: bool) -> d.MapLink:
        named = words(c, "NAME")
        places = tuple(x.value for x in c if isinstance(x, Part) and x.slot == "spot")
        return d.MapLink(self.span(meta), named[-1], places, sides, named[0] if named[1:] else "")

    def border_line(self, meta: Meta, c: Children) -> d.MapBorder:
        first, *others = (x.value for x in c if isinstance(x, Part) and x.slot == "spot")
        return d.MapBorder(self.span(meta), first, tuple(others))

    def spot(self, meta: Meta, c: Children) -> Part:
        return Part("spot", str(c[0]))

    def map_size(self, meta: Meta, c: Children) -> Part:
        return Part("size", tuple(whole(x) for x in words(c, "NUMBER")))

    def numbered(self, meta: Meta, c: Children) -> Part:
        return Part("numbered", part(c, "spot"))

    def game_map(self, meta: Meta, c: Children) -> d.Map:
        name, of = words(c, "NAME")
        columns, rows = part(c, "size", (0, 0))
        return d.Map(
            self.span(meta), unquoted(words(c, "STRING")[0]), of, columns, rows, part(c, "low", "even"),
            tuple(n for n in c if isinstance(n, d.MapSection)), tuple(n for n in c if isinstance(n, d.MapLink)),
            part(c, "numbered", ""), tuple(n for n in c if isinstance(n, d.MapBorder)), name=name, cites=cites_of(c),
            guards=guards_of(c),
        )  # fmt: skip

    def scenario_side(self, meta: Meta, c: Children) -> d.ScenarioSide:
        names = words(c, "NAME")
        return d.ScenarioSide(self.span(meta), names[0], unquoted(words(c, "STRING")[0]), names[1] if names[1:] else "")

    def scenario_lesson(self, meta: Meta, c: Children) -> d.Lesson:
        return d.Lesson(self.span(meta), words(c, "NAME")[0], tuple(n for n in c if isinstance(n, ln.Hint)))

    def scenario_about(self, meta: Meta, c: Children) -> Part:
        return Part("about", unquoted(words(c, "STRING")[0]))

    def scenario_forces(self, meta: Meta, c: Children) -> d.Forces:
        side, of = words(c, "NAME")
        return d.Forces(self.span(meta), side, of, tuple(n for n in c if isinstance(n, d.Row)), guards_of(c))

    def scenario_fact(self, meta: Meta, c: Children) -> d.Fact:
        nodes = nodes_of(c)
        return d.Fact(self.span(meta), nodes[0], tuple(nodes[1:]))

    def scenario_with(self, meta: Meta, c: Children) -> Part:
        return Part("switches", [(str(c[0]), n) for n in part(c, "names")])

    def scenario_set(self, meta: Meta, c: Children) -> Part:
        return Part("setting", (str(c[0]), t.literal_text(nodes_of(c)[0])))

    def scenario(self, meta: Meta, c: Children) -> d.Scenario:
        name, *on = words(c, "NAME")
        return d.Scenario(
            self.span(meta), unquoted(words(c, "STRING")[0]), tuple(on), part(c, "about", ""),
            tuple(n for n in c if isinstance(n, d.ScenarioSide)), tuple(n for n in c if isinstance(n, d.Forces)),
            tuple(n for n in c if isinstance(n, d.Fact)),
            tuple(p for x in c if isinstance(x, Part) and x.slot == "switches" for p in x.value),
            tuple(x.value for x in c if isinstance(x, Part) and x.slot == "setting"),
            tuple(n for n in c if isinstance(n, ln.EndGame)), next((n for n in c if isinstance(n, ln.Begins)), None),
            tuple(n for n in c if isinstance(n, d.Lesson)), name=name, cites=cites_of(c), guards=guards_of(c),
        )  # fmt: skip

    def _bodied(self, meta: Meta, c: Children, word: str) -> d.Bodied:
        signature = next(n for n in c if isinstance(n, d.Signature))
        return d.Bodied(
            self.span(meta), word, signature, part(c, "bound"), body_of(c), name=signature.name, cites=cites_of(c),
            guards=guards_of(c),
        )  # fmt: skip

    def value(self, meta: Meta, c: Children) -> Any:
        return self._bodied(meta, c, "value")

    def status(self, meta: Meta, c: Children) -> Any:
        return self._bodied(meta, c, "status")

    def order(self, meta: Meta, c: Children) -> Any:
        return self._bodied(meta, c, "order")

    def procedure(self, meta: Meta, c: Children) -> Any:
        return self._bodied(meta, c, "procedure")

    def path(self, meta: Meta, c: Children) -> Any:
        return self._bodied(meta, c, "path")

    def setup(self, meta: Meta, c: Children) -> Any:
        return self._bodied(meta, c, "setup")

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
        return Part("forces", tuple(x.value for x in c if isinstance(x, Part) and x.slot == "related"))

    def tabletop_relate(self, meta: Meta, c: Children) -> Part:
        del meta
        return Part("relates", tuple(x.value for x in c if isinstance(x, Part) and x.slot == "related"))

    def tabletop_results(self, meta: Meta, c: Children) -> Part:
        del meta
        return Part("results", tuple(x.value for x in c if isinstance(x, Part) and x.slot == "answered"))

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

    def replaces(self, meta: Meta, c: Children) -> Any:
        return self._relation(meta, c, "replaces")

    def excepts(self, meta: Meta, c: Children) -> Any:
        return self._relation(meta, c, "excepts")

    def bars(self, meta: Meta, c: Children) -> Part:
        """`forbids order march, order attack of u (a unit), with mines`; `adds to phase orders, phase movement`."""
        kind = words(c, "BAR_WORD")[0].removesuffix(" to")
        (word, target, bound), *others = (x.value for x in c if isinstance(x, Part) and x.slot == "target")
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

    def event_enters(self, meta: Meta, c: Children) -> Any:
        params = [n for n in c if isinstance(n, d.Param)]
        return self._event(meta, c, words(c, "EVENT_WORD")[0], params[0], params[1])

    def event_within(self, meta: Meta, c: Children) -> Any:
        first, amount, second = nodes_of(c)[:3]
        return self._event(meta, c, "within", first, second, amount)

    def event_next(self, meta: Meta, c: Children) -> Any:
        first, second = nodes_of(c)[:2]
        return self._event(meta, c, "next", first, second)

    def event_becomes(self, meta: Meta, c: Children) -> Any:
        first, term = nodes_of(c)[:2]
        return self._event(meta, c, "becomes", first, word=t.literal_text(term))

    def event_removed(self, meta: Meta, c: Children) -> Any:
        return self._event(meta, c, "removed", nodes_of(c)[0])

    def rule(self, meta: Meta, c: Children) -> d.Rule:
        bars, guards = part(c, "bars", (None, guards_of(c)))
        relation = bars or next(n for n in c if isinstance(n, d.Relation))
        return d.Rule(self.span(meta), relation, body_of(c), name=str(c[0]), cites=cites_of(c), guards=guards)

    def example(self, meta: Meta, c: Children) -> d.Example:
        name = unquoted(words(c, "STRING")[0])
        return d.Example(self.span(meta), body_of(c), name=name, cites=cites_of(c), guards=guards_of(c))

    def ruling(self, meta: Meta, c: Children) -> d.Ruling:
        return d.Ruling(self.span(meta), words(c, "DATE")[0], body_of(c), name=words(c, "NAME")[0], cites=cites_of(c))

    def drawn(self, meta: Meta, c: Children) -> d.Drawn:
        word, *shows = words(c, "NAME")
        return d.Drawn(self.span(meta), tuple(shows), name=word)

    def unmodelled(self, meta: Meta, c: Children) -> d.NotModelled:
        cites = cites_of(c)
        return d.NotModelled(self.span(meta), unquoted(words(c, "STRING")[0]), name=cites[0], cites=cites)


def _fields(children: Iterable[Any]) -> tuple[d.Field, ...]:
    """The fields among the lines of a kind: each line has one or several that are alike."""
    return tuple(n for c in children if isinstance(c, tuple) for n in c if isinstance(n, d.Field))


def whole(text: str) -> int:
    """A whole number; 0, which no map takes, for any other."""
    return int(text) if text.isdigit() else 0
