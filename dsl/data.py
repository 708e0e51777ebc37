"""Data written in rule text: unit lists, maps and scenarios, read to plain structures and checked cell by cell."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import attrs

from dsl import declarations as d
from dsl.diagnostics import Diagnostic, at, did_you_mean
from dsl.notation import BadNotation, read, read_printed
from dsl.ruleset import KindInfo, Ruleset, guarded
from dsl.source import Span

MOST_PLACES = 250_000
"""A map has at most this many places."""


@attrs.define(slots=True)
class MapData:
    """A map read: fields of each place by label, names, and links as (name, label, label)."""

    node: d.Map
    fields: dict[str, dict[str, str]] = attrs.field(factory=dict)
    names: dict[str, str] = attrs.field(factory=dict)
    stretches: list[tuple[str, str, str]] = attrs.field(factory=list)


def cells(row: d.Row) -> list[str]:
    """The cells of a plain row."""
    text = row.text.strip()
    return [c.strip() for c in text.removesuffix("|").split("|")]


def list_rows(node: d.UnitList) -> dict[str, dict[str, str]]:
    """The entries of a unit list: name to cells by heading."""
    header = cells(node.rows[0])
    return {cells(r)[0]: dict(zip(header, cells(r), strict=False)) for r in node.rows[1:] if cells(r)}


def template_cells(ruleset: Ruleset, template: str) -> dict[str, str]:
    """What a unit list prints for an entry; empty when no list has it."""
    return _templates(ruleset).get(template, {})


def _templates(ruleset: Ruleset) -> dict[str, dict[str, str]]:
    found = _known_templates.get(ruleset)
    if found is None:
        found = {}
        for unit_list in ruleset.lists.values():
            found.update(list_rows(unit_list))
        _known_templates[ruleset] = found
    return found


_known_templates: WeakKeyDictionary[Ruleset, dict[str, dict[str, str]]] = WeakKeyDictionary()


def check_lists(ruleset: Ruleset) -> list[Diagnostic]:
    """Every cell of every unit list, against its field's type and notation."""
    problems: list[Diagnostic] = []
    seen: dict[str, Span] = {}
    for unit_list in ruleset.lists.values():
        info = ruleset.kinds.get(unit_list.of)
        if info is None:
            problems.append(
                at(
                    "E103",
                    f"There is no kind {unit_list.of}.",
                    unit_list.span,
                    word=unit_list.of,
                    hint=did_you_mean(unit_list.of, ruleset.kinds),
                )
            )
            continue
        header = cells(unit_list.rows[0])
        if not _header(info, header, unit_list.rows[0].span, {"name"}, problems):
            continue
        if header[0] != "name":
            problems.append(at("E310", "The first column of a unit list is `name`.", unit_list.rows[0].span))
        for row in unit_list.rows[1:]:
            found = cells(row)
            if len(found) != len(header):
                problems.append(at("E305", f"This row has {len(found)} cells, the heading {len(header)}.", row.span))
                continue
            if found[0] in seen:
                problems.append(at("E102", f"A list already gives {found[0]}.", row.span, word=found[0]))
            seen[found[0]] = row.span
            _row(ruleset, info, header[1:], found[1:], row.span, problems, alternatives=True)
    return problems


def _header(info: KindInfo, header: list[str], span: Span, extra: set[str], problems: list[Diagnostic]) -> bool:
    printed = {p.name for p in info.node.printed} if info.node is not None else set()
    known = {*info.fields, *printed, *extra}
    fine = True
    for name in header:
        if name not in known:
            problems.append(
                at("E209", f"A {info.name} has no {name}.", span, word=name, hint=did_you_mean(name, known))
            )
            fine = False
    return fine


def _row(
    ruleset: Ruleset,
    info: KindInfo,
    header: list[str],
    found: list[str],
    span: Span,
    problems: list[Diagnostic],
    *,
    alternatives: bool = False,
) -> None:
    printed = {p.name for p in info.node.printed} if info.node is not None else set()
    for name, text in zip(header, found, strict=True):
        for part in text.split(" or ") if alternatives else [text]:
            try:
                if name in printed:
                    read_printed(ruleset, info.name, name, part)
                elif name in info.fields and info.fields[name].type.name != "thing":
                    field = info.fields[name]
                    if not (field.type.name == "set" and field.type.of is not None and field.type.of.name == "thing"):
                        read(ruleset, field.type, part, field.node.joined)
            except BadNotation as error:
                problems.append(at("E311", f"{name}: {error}.", span, word=part))


def read_map(ruleset: Ruleset, node: d.Map) -> tuple[MapData, list[Diagnostic]]:
    """A map, with every letter, row and name checked."""
    problems: list[Diagnostic] = []
    data = MapData(node)
    info = ruleset.kinds.get(node.of)
    if info is None or info.word != "place":
        problems.append(
            at(
                "E103",
                f"There is no kind of place {node.of}.",
                node.span,
                word=node.of,
                hint=did_you_mean(node.of, ruleset.kinds),
            )
        )
        return data, problems
    if node.columns * node.rows > MOST_PLACES or node.columns < 1 or node.rows < 1:
        problems.append(
            at("E312", f"A map has from 1 to {MOST_PLACES:,} places, not {node.columns} by {node.rows}.", node.span)
        )
        return data, problems
    sections = {s.name: s for s in node.sections}
    known = ["letters", "grid", "named"]
    problems += [
        at("E313", f"A map has no section {name}.", section.span, hint=did_you_mean(name, known), word=name)
        for name, section in sections.items()
        if name not in known
    ]
    letters = _letters(ruleset, info, sections.get("letters"), problems)
    digits = 2 if max(node.columns, node.rows) < 100 else 3
    if "grid" in sections:
        _grid(node, sections["grid"], letters, data, digits, problems)
    else:
        fields = next(iter(letters.values()), {})
        for row in range(1, node.rows + 1):
            for column in range(1, node.columns + 1):
                data.fields[f"{column:0{digits}}{row:0{digits}}"] = fields
    if "named" in sections:
        _named(ruleset, info, sections["named"], data, problems)
    for link in node.links:
        if link.link not in info.fields or info.fields[link.link].type.name != "link":
            known = [f.name for f in info.fields.values() if f.type.name == "link"]
            problems.append(
                at(
                    "E210",
                    f"{link.link} is no link of a {info.name}.",
                    link.span,
                    word=link.link,
                    hint=did_you_mean(link.link, known),
                )
            )
            continue
        problems += [
            at("E314", f"The map has no place {label}.", link.span, word=label)
            for label in link.places
            if label not in data.fields
        ]
        data.stretches += [
            (link.link, a, b)
            for a, b in zip(link.places, link.places[1:], strict=False)
            if a in data.fields and b in data.fields
        ]
    return data, problems


def _letters(
    ruleset: Ruleset, info: KindInfo, section: d.MapSection | None, problems: list[Diagnostic]
) -> dict[str, dict[str, str]]:
    if section is None:
        return {}
    header = cells(section.rows[0])
    _header(info, header, section.rows[0].span, {"letter"}, problems)
    out: dict[str, dict[str, str]] = {}
    for row in section.rows[1:]:
        found = cells(row)
        if len(found) != len(header):
            problems.append(at("E305", f"This row has {len(found)} cells, the heading {len(header)}.", row.span))
            continue
        cell = dict(zip(header, found, strict=True))
        letter = cell.pop("letter", "")
        _row(ruleset, info, list(cell), list(cell.values()), row.span, problems)
        out[letter] = cell
    return out


def _grid(
    node: d.Map,
    section: d.MapSection,
    letters: dict[str, dict[str, str]],
    data: MapData,
    digits: int,
    problems: list[Diagnostic],
) -> None:
    if len(section.rows) != node.rows:
        problems.append(at("E315", f"The grid has {len(section.rows)} rows; the map says {node.rows}.", section.span))
    for number, row in enumerate(section.rows, 1):
        head, _, body = row.text.partition("|")
        if head.strip().lstrip("0") != str(number):
            problems.append(at("E315", f"This should be row {number:0{digits}}.", row.span))
        found = body.split()
        if len(found) != node.columns:
            problems.append(
                at("E315", f"Row {number:0{digits}} has {len(found)} places; the map says {node.columns}.", row.span)
            )
        for column, letter in enumerate(found, 1):
            if letter not in letters:
                problems.append(
                    at(
                        "E316",
                        f"The letter {letter} stands for nothing.",
                        row.span,
                        word=letter,
                        hint="Give it a row under `letters:`.",
                    )
                )
                continue
            data.fields[f"{column:0{digits}}{number:0{digits}}"] = letters[letter]


def _named(ruleset: Ruleset, info: KindInfo, section: d.MapSection, data: MapData, problems: list[Diagnostic]) -> None:
    header = cells(section.rows[0])
    if not header or header[0] != info.name:
        problems.append(at("E317", f"The first column of `named:` is {info.name}.", section.rows[0].span))
        return
    _header(info, header[1:], section.rows[0].span, set(), problems)
    for row in section.rows[1:]:
        found = cells(row)
        if len(found) != len(header):
            problems.append(at("E305", f"This row has {len(found)} cells, the heading {len(header)}.", row.span))
            continue
        if found[0] not in data.fields:
            problems.append(at("E314", f"The map has no place {found[0]}.", row.span, word=found[0]))
            continue
        cell = dict(zip(header[1:], found[1:], strict=True))
        name = cell.pop("name", "--")
        if name not in {"--", ""}:
            data.names[found[0]] = name.strip('"')
        _row(ruleset, info, list(cell), list(cell.values()), row.span, problems)
        data.fields[found[0]] = {**data.fields[found[0]], **{k: v for k, v in cell.items() if v != "--"}}


def check_scenario(ruleset: Ruleset, node: d.Scenario) -> list[Diagnostic]:
    """Names, cells and places of a scenario."""
    problems: list[Diagnostic] = []
    if node.map not in ruleset.maps:
        problems.append(
            at(
                "E318",
                f"There is no map {node.map}.",
                node.span,
                word=node.map,
                hint=did_you_mean(node.map, ruleset.maps),
            )
        )
        return problems
    data, _ = read_map(ruleset, ruleset.maps[node.map])
    sides = [s.name for s in node.sides]
    if len(sides) < 1:
        problems.append(at("E319", "A scenario needs its sides.", node.span, hint='Add: side blue "Blue" blue'))
    names: dict[str, tuple[str, Span]] = dict.fromkeys(sides, ("side", node.span))
    for switch, name in node.switches:
        if name not in ruleset.modules:
            problems.append(
                at(
                    "E101",
                    f"`{switch} {name}`: there is no module {name}.",
                    node.span,
                    word=name,
                    hint=did_you_mean(name, ruleset.modules),
                )
            )
    for option, term in node.settings:
        problems += _setting(ruleset, option, term, node.span)
    for forces in node.forces:
        if not guarded(forces.guards, ruleset.active):
            continue
        if forces.side not in sides:
            problems.append(
                at(
                    "E320",
                    f"The scenario has no side {forces.side}.",
                    forces.span,
                    word=forces.side,
                    hint=did_you_mean(forces.side, sides),
                )
            )
        info = ruleset.kinds.get(forces.of)
        if info is None:
            problems.append(
                at(
                    "E103",
                    f"There is no kind {forces.of}.",
                    forces.span,
                    word=forces.of,
                    hint=did_you_mean(forces.of, ruleset.kinds),
                )
            )
            continue
        _forces(ruleset, forces, info, data, names, problems)
    return problems


def _setting(ruleset: Ruleset, option: str, term: str, span: Span) -> list[Diagnostic]:
    if option not in ruleset.options:
        return [
            at("E104", f"There is no option {option}.", span, word=option, hint=did_you_mean(option, ruleset.options))
        ]
    terms = ruleset.options[option].terms
    return (
        []
        if term in terms
        else [at("E104", f"{option} cannot be {term}.", span, word=term, hint="It can be: " + ", ".join(terms) + ".")]
    )


def _forces(
    ruleset: Ruleset,
    forces: d.Forces,
    info: KindInfo,
    data: MapData,
    names: dict[str, tuple[str, Span]],
    problems: list[Diagnostic],
) -> None:
    header = cells(forces.rows[0])
    extra = {"name", "type", "in"} | ({info.holder} if info.holder else set())
    if not _header(info, header, forces.rows[0].span, extra, problems):
        return
    for row in forces.rows[1:]:
        found = cells(row)
        if len(found) != len(header):
            problems.append(at("E305", f"This row has {len(found)} cells, the heading {len(header)}.", row.span))
            continue
        cell = dict(zip(header, found, strict=True))
        name = cell.get("name", "")
        if not name or not all(c.isalnum() or c in "-_." for c in name):
            problems.append(
                at(
                    "E321",
                    f"`{name}` is no name for commands: letters, digits and hyphens only.",
                    row.span,
                    hint="Put the long name under `title`.",
                )
            )
        if name in names:
            problems.append(at("E102", f"{name} stands in this scenario already.", row.span, word=name))
        names[name] = (info.name, row.span)
        template = cell.get("type", "")
        entries = {n: c for x in ruleset.lists.values() if x.of == info.name for n, c in list_rows(x).items()}
        if template and template not in entries:
            problems.append(
                at(
                    "E237",
                    f"No list gives a {info.name} called {template}.",
                    row.span,
                    word=template,
                    hint=did_you_mean(template, entries),
                )
            )
            continue
        if cell.get("in", "--") not in {"--", ""} and cell["in"] not in data.fields:
            problems.append(at("E314", f"The map has no place {cell['in']}.", row.span, word=cell["in"]))
        holder = cell.get(info.holder or "", "")
        if (
            info.holder
            and info.holder in header
            and holder not in {"--", ""}
            and names.get(holder, ("",))[0] != info.holder
        ):
            problems.append(
                at(
                    "E322",
                    f"There is no {info.holder} {holder} above this row.",
                    row.span,
                    word=holder,
                    hint=did_you_mean(holder, names),
                )
            )
        known = {*info.fields, *(p.name for p in info.node.printed)} if info.node is not None else set()
        rest = {k: v for k, v in cell.items() if k not in extra and k in known}
        _row(ruleset, info, list(rest), list(rest.values()), row.span, problems)
        _chosen(entries.get(template, {}), rest, row.span, problems)
        _complete(info, {**entries.get(template, {}), **cell}, row.span, problems)


def _chosen(entry: dict[str, str], cell: dict[str, str], span: Span, problems: list[Diagnostic]) -> None:
    """Where the list offers alternatives, a scenario may fix only one of them."""
    for name, text in cell.items():
        offered = entry.get(name, "").split(" or ")
        if len(offered) > 1 and text not in offered:
            problems.append(at("E323", f"{name} can be {' or '.join(offered)}, not {text}.", span, word=text))


def _complete(info: KindInfo, cell: dict[str, Any], span: Span, problems: list[Diagnostic]) -> None:
    """Every field must have a value from somewhere: nothing is silent."""
    filled = set(cell)
    if info.node is not None:
        for printed in info.node.printed:
            if printed.name in cell:
                filled |= {f for f in info.fields if f"<{f}" in printed.pattern}
    for field in info.fields.values():
        given = field.name in filled or field.node.starts is not None or field.type.optional
        if (
            not given
            and field.low is None
            and field.type.name not in {"mark", "set", "link"}
            and field.name not in {"name", "title"}
        ):
            problems.append(
                at(
                    "E324",
                    f"This {info.name} is given no {field.name}.",
                    span,
                    word=cell.get("name", ""),
                    hint=f"Add a column {field.name}, or let the field start with a value.",
                )
            )
            return
