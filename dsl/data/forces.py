"""The rows under `forces` in a scenario: each gives a thing its name, its place, its holder and its values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from dsl.data.cells import check_header, check_row
from dsl.data.scenario_names import may_be_called, names_things
from dsl.rules.entries import entries_of, template_cells
from dsl.rules.parts import PartMade, check_parts, part_headings, parts_made, resting_headings, row_cells
from dsl.rules.rows import cells, places, unequal
from dsl.rules.ruleset import Field, KindInfo, Ruleset
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.phrases import an
from dsl.text.source import Span

NOBODY = "nobody"
"""After `forces`: the side of things that belong to no side."""


def arrival_of(ruleset: Ruleset, forces: d.Forces, cell: Mapping[str, str]) -> int | None:
    """The turn in which a row of forces enters the game; None for a thing that is there from the start."""
    text = cell.get("arrives", "--")
    if "arrives" in ruleset.kinds[forces.of].fields or not text.isdigit() or int(text) < 2:
        return None
    return int(text)


MOST_LISTED = 20_000
"""The most things that a scenario lists, with their parts: no game holds more."""


@attrs.frozen(slots=True)
class Listed:
    """An entry of a scenario: its kind and its side."""

    kind: str
    side: str


@attrs.frozen(slots=True, eq=False)
class Mustered:
    """Everything that a scenario has listed so far.

    places: the kind of each place of its maps, by label. names: the listed things by name, sides included. arrivals: the turn in
    which each arrives. named: cells that name other things, each with its field, its row and the turn in which its thing arrives.
    """

    ruleset: Ruleset
    places: dict[str, str]
    problems: list[Diagnostic]
    names: dict[str, Listed] = attrs.field(factory=dict)
    arrivals: dict[str, int] = attrs.field(factory=dict)
    named: list[tuple[Field, str, Span, int]] = attrs.field(factory=list)

    def problem(self, code: str, message: str, span: Span, hint: str = "", word: str = "") -> None:
        """Records a problem."""
        self.problems.append(at(code, message, span, hint=hint, word=word))


@attrs.frozen(slots=True, eq=False)
class _Table:
    """A table of forces. own: its columns that are not fields of the kind; entries: the unit list entries of the kind."""

    m: Mustered
    forces: d.Forces
    info: KindInfo
    header: list[str]
    own: set[str]
    entries: Mapping[str, dict[str, str]]


@attrs.frozen(slots=True, eq=False)
class _Row:
    """One row of forces: the name of the thing, and all its cells by heading. where: the places of the cells, by heading."""

    name: str
    cell: dict[str, str]
    span: Span
    where: dict[str, Span]

    def holder(self, info: KindInfo) -> str:
        """The holder that the row names."""
        return self.cell.get(info.holder or "", "")


def check_forces(m: Mustered, forces: d.Forces, info: KindInfo) -> None:
    """Checks a table of forces row by row."""
    heading = forces.rows[0]
    header = cells(heading)
    own = {"name", "type", "in", "arrives"} | ({info.holder} if info.holder else set())
    own |= {*part_headings(m.ruleset, info.name), *resting_headings(m.ruleset, info.name)}
    if not check_header(m.ruleset, info, heading, own, m.problems):
        return
    if info.part and not _part_header(m, info, header, heading.span):
        return
    table = _Table(m, forces, info, header, own, entries_of(m.ruleset, info.name))
    for row in forces.rows[1:]:
        if len(m.names) > MOST_LISTED:
            message = f"With this the scenario has more than {MOST_LISTED:,} things, parts included."
            m.problem("E352", message, row.span, "List fewer things, or give them fewer parts.")
            return
        found = cells(row)
        if len(found) != len(header):
            m.problem("E305", unequal(found, header), row.span)
            continue
        cell = dict(zip(header, found, strict=True))
        _check_row(table, _Row(cell.get("name", ""), cell, row.span, dict(zip(header, places(row), strict=False))))


def _check_row(table: _Table, row: _Row) -> None:
    """Checks a row: its name, turn of arrival, list entry, place, holder and values."""
    m, info = table.m, table.info
    _take_name(table, row)
    _arrival(table, row)
    template = row.cell.get("type", "")
    if template and template not in table.entries:
        message = f"No unit list has {an(info.name)} named `{template}`."
        m.problem("E237", message, row.where["type"], did_you_mean(template, table.entries), template)
        return
    _place(m, info, row)
    _holder(table, row)
    _values(table, row, template)


def _take_name(table: _Table, row: _Row) -> None:
    """Checks the name of a row, which commands use for its thing: it must be unique."""
    m, name = table.m, row.name
    if not may_be_called(name):
        message = f"`{name}` is not a valid name in commands: use letters, digits and hyphens only."
        m.problem("E321", message, row.span, "Put the long name in the column `title`.")
    if name in m.names:
        m.problem("E102", f"The name {name} is already used in this scenario.", row.span, word=name)
    elif name in m.places:
        message = f"The map has a place {name}: commands read this word as the place, not as the {table.info.name}."
        m.problem("W354", message, row.span, "Name it otherwise; what is printed on it can be its `title`.", name)
    m.names[name] = Listed(table.info.name, table.forces.side)


def _arrival(table: _Table, row: _Row) -> None:
    """Checks the turn of arrival: not before the holder arrives; a part arrives with its whole."""
    m, info, name = table.m, table.info, row.name
    when, turn = row.cell.get("arrives", "--"), arrival_of(m.ruleset, table.forces, row.cell)
    if "arrives" not in info.fields and when not in {"--", ""} and turn is None:
        m.problem("E340", f"`{when}` is not a valid turn of arrival.", row.where["arrives"], word=when)
    m.arrivals[name] = turn or 1
    if info.part:
        m.arrivals[name] = m.arrivals.get(row.holder(info), 1)
    if m.arrivals.get(row.holder(info), 1) > m.arrivals[name]:
        m.problem("E340", f"{name} arrives before the thing that holds it.", row.span, word=name)


def _place(m: Mustered, info: KindInfo, row: _Row) -> None:
    """Checks the place of a thing: it must be on the maps, and of a kind where such things can be."""
    where = row.cell.get("in", "--")
    if where in {"--", ""}:
        return
    grounds = m.ruleset.grounds(info.name)
    if where not in m.places:
        m.problem("E314", f"The map has no place {where}.", row.where["in"], word=where)
    elif m.places[where] not in grounds:
        message = f"`{info.name}` cannot be in a place such as {where} ({m.places[where]})."
        m.problem("E335", message, row.where["in"], f"Put it in {' or '.join(map(an, grounds))}.", where)


def _holder(table: _Table, row: _Row) -> None:
    """Checks the holder: it must be listed above; the whole of a part must also be on the same side."""
    m, info, holder = table.m, table.info, row.holder(table.info)
    named = info.holder and info.holder in table.header and (holder not in {"--", ""} or info.part)
    if named and (holder not in m.names or m.names[holder].kind != info.holder):
        message = f"There is no {info.holder} {holder} above this row."
        m.problem("E322", message, row.where[info.holder or ""], did_you_mean(holder, m.names), holder)
    elif info.part and m.names[holder].side != table.forces.side:
        side = m.names[holder].side
        message = f"{row.name} is a part of {holder}, which belongs to {side}."
        m.problem("E353", message, row.span, f"List it under `forces {side} of {info.name}`.", holder)


def _values(table: _Table, row: _Row, template: str) -> None:
    """Checks the values of a row and of its list entry, and the parts that the thing has."""
    m, info, cell = table.m, table.info, row.cell
    known = {*info.fields, *(p.name for p in info.node.printed)} if info.node is not None else set()
    rest = {k: v for k, v in cell.items() if k not in table.own and k in known}
    check_row(m.ruleset, info, list(rest), list(rest.values()), [row.where[k] for k in rest], m.problems)
    fields = [info.fields[k] for k in rest if k in info.fields and names_things(info.fields[k].type)]
    for field in fields:
        if rest[field.name] or not template:
            m.named.append((field, rest[field.name], row.where[field.name], m.arrivals[row.name]))
    entry = table.entries.get(template, {})
    _chosen(m, entry, {k: v for k, v in cell.items() if k in rest or k in table.own}, row.span)
    _complete(m, info, {**entry, **cell}, row.span)
    if check_parts(m.ruleset, info.name, row_cells(entry, cell), row.span, m.problems):
        _parts(table, row, row_cells(entry, cell))


def _part_header(m: Mustered, info: KindInfo, header: list[str], span: Span) -> bool:
    """Whether the columns of a table of parts name the whole of each part, and neither its place nor its arrival."""
    wrong = len(m.problems)
    if info.holder not in header:
        hint = f"Add a column {info.holder}."
        message = f"{an(info.name).capitalize()} is part of {an(info.holder or '')}, but no column says of which one."
        m.problem("E353", message, span, hint, header[0])
    for column, does in (("in", "stands where its"), ("arrives", "arrives when its")):
        if column in header and column not in info.fields:
            message = f"{an(info.name).capitalize()} {does} {info.holder} does."
            m.problem("E353", message, span, f"Remove the column `{column}`.", column)
    return len(m.problems) == wrong


def _parts(table: _Table, row: _Row, cell: Mapping[str, str]) -> None:
    """Takes the names of the parts of a thing, and checks that each entry gives all values that its kind needs."""
    m, name = table.m, row.name
    entries: dict[str, PartMade] = {}
    for made in parts_made(m.ruleset, name, table.forces.of, cell):
        if made.name in m.names:
            hint = f"Rename one of them: {name} comes with a part of this name."
            m.problem("E102", f"The name {made.name} is already used in this scenario.", row.span, hint, name)
        m.names[made.name] = Listed(made.kind, table.forces.side)
        m.arrivals[made.name] = m.arrivals[name]
        entries.setdefault(made.entry, made)
    for entry, made in entries.items():
        said = {**template_cells(m.ruleset, entry), "name": made.name}
        _complete(m, m.ruleset.kinds[made.kind], said, row.span)


def _chosen(m: Mustered, entry: dict[str, str], cell: dict[str, str], span: Span) -> None:
    """Checks that a scenario chooses one of the alternatives that the list offers."""
    for name, text in cell.items():
        offered = entry.get(name, "").split(" or ")
        if len(offered) > 1 and text not in offered:
            m.problem("E323", f"{name} can be {' or '.join(offered)}, not {text}.", span, word=text)


def _complete(m: Mustered, info: KindInfo, cell: dict[str, Any], span: Span) -> None:
    """Checks that every field gets a value: no value is left open."""
    filled, name = set(cell), cell.get("name", "")
    for printed in info.node.printed if info.node is not None else ():
        if printed.name in cell:
            filled |= {f for f in info.fields if f"<{f}" in printed.pattern}
    for field in info.fields.values():
        if field.node.stated and (field.name not in filled or (field.type.optional and cell.get(field.name) == "--")):
            hint = f"Each {info.name} of a scenario needs it, even if the field has a starting value: fill the column {field.name}."
            m.problem("E324", f"The scenario does not give the {field.name} of {name}.", span, hint, name)
        elif field.name not in filled and needs_saying(field):
            hint = f"Add a column {field.name}, or give the field a starting value."
            m.problem("E324", f"This {info.name} has no value for {field.name}.", span, hint, name)
            return


def needs_saying(field: Field) -> bool:
    """Whether a field has no initial value of its own."""
    return (
        field.node.starts is None
        and not field.type.optional
        and field.low is None
        and field.type.name not in {"mark", "set", "link"}
        and field.name not in {"name", "title"}
        and not field.full_of
    )
