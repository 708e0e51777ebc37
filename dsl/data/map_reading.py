"""A map while its sections are being read: what is known of it so far, and how a table under it is read."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from dsl.data.cells import check_header, check_row
from dsl.data.map_data import MapData, Numbering, neighbours_on_grid
from dsl.rules.rows import cells, places, unequal
from dsl.rules.ruleset import KindInfo, Ruleset
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.source import Span

TableRow = tuple[tuple[str, ...], dict[str, str], d.Row]
"""The first cells of a row, its other cells by heading, and the row."""


@attrs.define(slots=True, eq=False)
class MapReading:
    """A map while it is read; the results collect in `data`, the problems in `problems`.

    info, kind: the kind of its places, and how that is declared. positions: the printed column and row of each place of a grid.
    near: the neighbours of each place of a drawn map. void: the letters that stand for no place. part_of: the parts into which
    holes cut a grid, once they are needed.
    """

    ruleset: Ruleset
    node: d.Map
    info: KindInfo
    kind: d.Kind
    data: MapData
    problems: list[Diagnostic] = attrs.field(factory=list)
    positions: dict[str, tuple[int, int]] = attrs.field(factory=dict)
    near: dict[str, set[str]] = attrs.field(factory=dict)
    void: set[str] = attrs.field(factory=set)
    part_of: dict[str, int] = attrs.field(factory=dict)
    _how: Numbering | None = None

    @property
    def sections(self) -> dict[str, d.MapSection]:
        """The sections of the map by name."""
        return {s.name: s for s in self.node.sections}

    @property
    def how(self) -> Numbering:
        """How the places of its grid are numbered."""
        assert self._how is not None, "the map has no grid, or its size is not read yet"
        return self._how

    @how.setter
    def how(self, numbered: Numbering) -> None:
        self._how = numbered

    def problem(self, code: str, message: str, span: Span, hint: str = "", word: str = "") -> None:
        """Records a problem."""
        self.problems.append(at(code, message, span, hint=hint, word=word))

    def table(
        self,
        section: d.MapSection,
        firsts: tuple[str, ...],
        info: KindInfo | None = None,
        besides: frozenset[str] = frozenset({"name"}),
    ) -> Iterator[TableRow]:
        """The rows of a section that is a table.

        Args:
            section: the section.
            firsts: its first columns.
            info: the kind that has its other columns as fields; None: the kind of the map's places.
            besides: columns that are no fields.
        """
        info = info or self.info
        heading = section.rows[0]
        header = cells(heading)
        if tuple(header[: len(firsts)]) != firsts:
            first = " and ".join(firsts)
            must = "columns" if len(firsts) > 1 else "column"
            self.problem("E317", f"The first {must} of `{section.name}:` must be {first}.", heading.span)
            return
        check_header(self.ruleset, info, heading, set(besides), self.problems, after=len(firsts))
        for row in section.rows[1:]:
            found = cells(row)
            if len(found) != len(header):
                self.problem("E305", unequal(found, header), row.span)
                continue
            cell = dict(zip(header[len(firsts) :], found[len(firsts) :], strict=True))
            rest = {k: v for k, v in cell.items() if k not in besides}
            where = dict(zip(header, places(row), strict=False))
            check_row(self.ruleset, info, list(rest), list(rest.values()), [where[k] for k in rest], self.problems)
            yield tuple(found[: len(firsts)]), cell, row

    def is_place(self, label: str, span: Span) -> bool:
        """Whether the map has a place with this label; reports it if not."""
        if label in self.data.fields:
            return True
        near = did_you_mean(label, self.data.fields) if not self.kind.grid else ""
        self.problem("E314", f"The map has no place {label}.", span, near, label)
        return False

    def touch(self, a: str, b: str, span: Span) -> bool:
        """Whether two places are adjacent; reports it if not."""
        if self.kind.grid:
            low = self.node.low
            fine = neighbours_on_grid(self.kind.grid, self.kind.corners, low, self.positions[a], self.positions[b])
        else:
            fine = b in self.near.get(a, ())
        if not fine:
            hint = "" if self.kind.grid else f"Name two neighbours, or make them neighbours: {a} next to {b}"
            self.problem("E334", f"{a} and {b} are not next to each other.", span, hint, b)
        return fine
