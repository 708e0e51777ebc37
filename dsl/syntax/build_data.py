"""From Lark's reductions to the tree: kinds and ratings, unit lists, tables, maps and scenarios."""
# ruff: noqa: ARG002, D102 - Lark calls every method with the same arguments; the grammar rule of its name documents it

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import partialmethod
from typing import Any

from lark.tree import Meta

from dsl.syntax import body_lines as ln
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from dsl.syntax.build_expressions import (
    Children,
    Part,
    cites_of,
    fills,
    guards_of,
    marks,
    nodes_of,
    part,
    unquoted,
    values,
    words,
)
from dsl.syntax.build_line_parts import BuildLineParts


class BuildData(BuildLineParts):
    """Builds the data of a game, and everything that is written in rows."""

    def group(self, meta: Meta, c: Children) -> d.Group:
        names, lines = words(c, "NAME"), part(c, "each_with", ())
        return d.Group(
            self.span(meta), names[1] if names[1:] else "", tuple(t.literal_text(n) for n in nodes_of(c)),
            part(c, "plural", ""), _fields(lines), tuple(n for n in lines if isinstance(n, d.Printed)),
            tuple(n for n in lines if isinstance(n, d.Visibility)), name=names[0], cites=cites_of(c) or cites_of(lines),
        )  # fmt: skip

    def each_with(self, meta: Meta, c: Children) -> Part:
        return Part("each_with", tuple(c))

    held_by = fills("holder", str)
    part_of = fills("whole", str)
    plural = fills("plural", str)

    def gridded(self, meta: Meta, c: Children) -> Part:
        return Part("grid", (str(c[0]), len(c) > 1))

    lies_in = fills("holder", str)
    between_places = fills("between", str)

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

    optional = marks("optional")
    starts = fills("starts")
    joined = fills("joined", unquoted)
    kept_for = fills("kept_for", unquoted)
    untold = marks("untold")
    quiet = marks("quiet")
    stated = marks("stated")

    def field_names(self, meta: Meta, c: Children) -> Part:
        return Part("names", tuple(map(str, c)))

    def field(self, meta: Meta, c: Children) -> tuple[d.Field, ...]:
        """One field, or several with the same declaration: `front, rear  number, starts 0`."""
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

    audience = fills("audience", str)
    lifted = fills("lifted", str)

    def _visibility(self, meta: Meta, c: Children, hidden: bool) -> d.Visibility:
        return d.Visibility(
            self.span(meta), hidden, part(c, "audience"), tuple(words(c, "NAME")), cites_of(c), bool(words(c, "OFF_MAP")),
            guards_of(c), part(c, "lifted", ""),
        )  # fmt: skip

    hidden = partialmethod(_visibility, hidden=True)
    known = partialmethod(_visibility, hidden=False)

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

    key = fills("key", str)
    hit_policy = fills("hit", str)

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
        keys = values(c, "key")
        return d.Table(
            self.span(meta), keys, part(c, "hit", "exactly one row"), tuple(n for n in c if isinstance(n, d.TableNote)),
            tuple(n for n in c if isinstance(n, d.Row)), name=str(c[0]), cites=cites_of(c), guards=guards_of(c),
        )  # fmt: skip

    low_columns = fills("low", str)

    def map_section(self, meta: Meta, c: Children) -> d.MapSection:
        return d.MapSection(self.span(meta), str(c[0]), tuple(n for n in c if isinstance(n, d.Row)))

    def _link(self, meta: Meta, c: Children, *, sides: bool) -> d.MapLink:
        named = words(c, "NAME")
        places = values(c, "spot")
        return d.MapLink(self.span(meta), named[-1], places, sides, named[0] if named[1:] else "")

    link_line = partialmethod(_link, sides=False)
    sides_line = partialmethod(_link, sides=True)

    def border_line(self, meta: Meta, c: Children) -> d.MapBorder:
        first, *others = values(c, "spot")
        return d.MapBorder(self.span(meta), first, tuple(others))

    spot = fills("spot", str)

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
        return Part("switches", part(c, "choices"))

    def scenario_set(self, meta: Meta, c: Children) -> Part:
        return Part("setting", (str(c[0]), t.literal_text(nodes_of(c)[0])))

    def scenario(self, meta: Meta, c: Children) -> d.Scenario:
        name, *on = words(c, "NAME")
        return d.Scenario(
            self.span(meta), unquoted(words(c, "STRING")[0]), tuple(on), part(c, "about", ""),
            tuple(n for n in c if isinstance(n, d.ScenarioSide)), tuple(n for n in c if isinstance(n, d.Forces)),
            tuple(n for n in c if isinstance(n, d.Fact)),
            tuple(p for x in c if isinstance(x, Part) and x.slot == "switches" for p in x.value),
            values(c, "setting"),
            tuple(n for n in c if isinstance(n, ln.EndGame)), next((n for n in c if isinstance(n, ln.Begins)), None),
            tuple(n for n in c if isinstance(n, d.Lesson)), name=name, cites=cites_of(c), guards=guards_of(c),
        )  # fmt: skip


def _fields(children: Iterable[Any]) -> tuple[d.Field, ...]:
    """The fields among the lines of a kind; one line may declare several."""
    return tuple(n for c in children if isinstance(c, tuple) for n in c if isinstance(n, d.Field))


def whole(text: str) -> int:
    """A whole number; for any other value 0, which is not valid for a map."""
    return int(text) if text.isdigit() else 0
