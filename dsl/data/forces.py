"""Data written in rule text: unit lists and scenarios, read to plain structures and checked cell by cell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from dsl.data.cells import check_header, check_row
from dsl.data.colours import check_colours
from dsl.data.dates import problem_with
from dsl.data.maps import between_label, has_label, read_map
from dsl.data.naming import Called, check_facts, check_named, check_starts, may_be_called, names_things, parts_of_cell
from dsl.rules.entries import entries_of, template_cells
from dsl.rules.kind_groups import no_making
from dsl.rules.parts import PartMade, check_parts, part_headings, parts_made, resting_headings, row_cells
from dsl.rules.rows import cells
from dsl.rules.ruleset import Field, KindInfo, Ruleset, guarded
from dsl.syntax import declarations as d
from dsl.syntax import tree as t
from dsl.text.diagnostics import Diagnostic, an, at, did_you_mean
from dsl.text.source import Span


def check_lists(ruleset: Ruleset) -> list[Diagnostic]:
    """What fields start with, and every cell of every unit list, against the field's type and notation."""
    problems: list[Diagnostic] = list(check_starts(ruleset))
    seen: dict[str, Span] = {}
    for unit_list in ruleset.lists.values():
        info = ruleset.kinds.get(unit_list.of)
        grouped = no_making(ruleset, unit_list.of, unit_list.span)
        if grouped is not None:
            problems.append(grouped)
            continue
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
        parts = {*part_headings(ruleset, info.name), *resting_headings(ruleset, info.name)}
        if not check_header(info, header, unit_list.rows[0].span, {"name", *parts}, problems):
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
            check_row(ruleset, info, header[1:], found[1:], row.span, problems, alternatives=True)
            check_parts(ruleset, info.name, dict(zip(header, found, strict=True)), row.span, problems)
    return problems


NOBODY = "nobody"
"""After `forces`: things that belong to no side."""


def arrival_of(ruleset: Ruleset, forces: d.Forces, cell: Mapping[str, str]) -> int | None:
    """The turn at which a row of forces comes into the game; None for what is there from the start."""
    text = cell.get("arrives", "--")
    if "arrives" in ruleset.kinds[forces.of].fields or not text.isdigit() or int(text) < 2:
        return None
    return int(text)


def _map_beside(ruleset: Ruleset, node: d.Map, wholes: Iterable[str]) -> str:
    """Which maps may stand beside one whose places lie in others."""
    holder, wanted = ruleset.kinds[node.of].holder, set(wholes)
    able = [m.name for m in ruleset.maps.values() if m.of == holder and all(has_label(ruleset, m, w) for w in wanted)]
    if not able:
        return f"The scenario stands on no map of {holder}."
    beside = f"`on {node.name} and {able[0]}`" + (f", or {' or '.join(able[1:])}" if able[1:] else "")
    return f"No map of {holder} stands beside it: {beside}."


def check_together(ruleset: Ruleset, maps: Sequence[d.Map], span: Span) -> tuple[dict[str, str], list[Diagnostic]]:
    """The places of some maps that a game stands on at once, with the kind of each; and where the maps do not fit."""
    problems: list[Diagnostic] = []
    places: dict[str, str] = {}
    inside: list[tuple[d.Map, str, str]] = []
    for node in maps:
        data, _ = read_map(ruleset, node)
        twice = next((label for label in data.fields if label in places), "")
        if twice:
            hint = f"Number its places in another way: `numbered {node.name[:1].upper()}-0101`."
            problems.append(at("E336", f"Two of the maps have a place {twice}.", span, word=node.name, hint=hint))
        places.update(dict.fromkeys(data.fields, node.of))
        places.update({between_label(a, b): kind for kind, a, b in data.between})
        inside += [(node, label, whole) for label, whole in data.inside.items()]
    wanting: set[str] = set()
    for node, label, whole in inside:
        holder = ruleset.kinds[node.of].holder
        if places.get(whole) != holder and whole not in wanting:
            wanting.add(whole)
            present = [k for k, of in places.items() if of == holder]
            hint = (
                did_you_mean(whole, present)
                if present
                else _map_beside(ruleset, node, [w for n, _, w in inside if n is node])
            )
            problems.append(
                at(
                    "E337",
                    f"`{whole}` holds {label}, but it is no {holder} of the scenario's maps.",
                    span,
                    word=node.name,
                    hint=hint,
                )
            )
    return places, problems


def check_scenario(ruleset: Ruleset, node: d.Scenario) -> list[Diagnostic]:
    """Names, cells and places of a scenario."""
    problems = [
        at("E318", f"There is no map {name}.", node.span, word=name, hint=did_you_mean(name, ruleset.maps))
        for name in node.maps
        if name not in ruleset.maps
    ]
    if problems:
        return problems
    places, problems = check_together(ruleset, [ruleset.maps[name] for name in node.maps], node.span)
    sides = [s.name for s in node.sides]
    if len(sides) < 1:
        problems.append(at("E319", "A scenario needs its sides.", node.span, hint='Add: side blue "Blue" blue'))
    problems += check_colours(node)
    names: dict[str, _Listed] = dict.fromkeys(sides, _Listed("side", ""))
    arrivals: dict[str, int] = {}
    named: list[tuple[Field, str, Span, int]] = []
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
        if forces.side not in sides and forces.side != NOBODY:
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
        grouped = no_making(ruleset, forces.of, forces.span)
        if grouped is not None:
            problems.append(grouped)
            continue
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
        _forces(ruleset, forces, info, places, names, arrivals, named, problems)
    called = Called({n: x.kind for n, x in names.items()}, places, arrivals)
    for field, cell, span, turn in named:
        problems += check_named(ruleset, field, parts_of_cell(field, cell), called, span, turn)
    problems += check_facts(ruleset, node, called)
    said = {fact.target.word for fact in node.facts if isinstance(fact.target, t.Name)}
    state = ruleset.kinds[ruleset.campaign_kind].fields if ruleset.campaign_kind else {}
    for field in state.values():
        if field.name not in said and (field.node.stated or _needs_saying(field)):
            message = f"The scenario does not say the {field.name}."
            problems.append(at("E324", message, node.span, word=node.name, hint=f"Add a line: {field.name} is …"))
    if node.begins is not None and (wrong := problem_with(node.begins)):
        problems.append(at("E341", wrong, node.begins.span))
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
    places: dict[str, str],
    names: dict[str, _Listed],
    arrivals: dict[str, int],
    named: list[tuple[Field, str, Span, int]],
    problems: list[Diagnostic],
) -> None:
    header = cells(forces.rows[0])
    extra = {"name", "type", "in", "arrives"} | ({info.holder} if info.holder else set())
    extra |= {*part_headings(ruleset, info.name), *resting_headings(ruleset, info.name)}
    if not check_header(info, header, forces.rows[0].span, extra, problems):
        return
    if info.part and not _part_header(info, header, forces.rows[0].span, problems):
        return
    entries = entries_of(ruleset, info.name)
    for row in forces.rows[1:]:
        found = cells(row)
        if len(found) != len(header):
            problems.append(at("E305", f"This row has {len(found)} cells, the heading {len(header)}.", row.span))
            continue
        cell = dict(zip(header, found, strict=True))
        name = cell.get("name", "")
        if not may_be_called(name):
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
        names[name] = _Listed(info.name, forces.side)
        when = cell.get("arrives", "--")
        if "arrives" not in info.fields and when not in {"--", ""} and arrival_of(ruleset, forces, cell) is None:
            problems.append(at("E340", f"`{when}` is no turn to arrive.", row.span, word=when))
        arrivals[name] = arrival_of(ruleset, forces, cell) or 1
        if info.part:
            arrivals[name] = arrivals.get(cell.get(info.holder or "", ""), 1)
        if arrivals.get(cell.get(info.holder or "", ""), 1) > arrivals[name]:
            problems.append(at("E340", f"{name} arrives before what holds it.", row.span, word=name))
        template = cell.get("type", "")
        if template and template not in entries:
            problems.append(
                at(
                    "E237",
                    f"No list gives {an(info.name)} called {template}.",
                    row.span,
                    word=template,
                    hint=did_you_mean(template, entries),
                )
            )
            continue
        where = cell.get("in", "--")
        if where not in {"--", ""} and where not in places:
            problems.append(at("E314", f"The map has no place {where}.", row.span, word=where))
        elif where not in {"--", ""} and places[where] not in ruleset.grounds(info.name):
            hint = f"It stands in {' or '.join(ruleset.grounds(info.name))}."
            problems.append(
                at(
                    "E335",
                    f"`{info.name}` does not stand in a place such as {where} ({places[where]}).",
                    row.span,
                    word=where,
                    hint=hint,
                )
            )
        holder = cell.get(info.holder or "", "")
        if (
            info.holder
            and info.holder in header
            and (holder not in {"--", ""} or info.part)
            and (holder not in names or names[holder].kind != info.holder)
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
        elif info.part and names[holder].side != forces.side:
            hint = f"Let it stand under `forces {names[holder].side} of {info.name}`."
            message = f"{name} is a part of {holder}, which is {names[holder].side}'s."
            problems.append(at("E353", message, row.span, word=holder, hint=hint))
        known = {*info.fields, *(p.name for p in info.node.printed)} if info.node is not None else set()
        rest = {k: v for k, v in cell.items() if k not in extra and k in known}
        check_row(ruleset, info, list(rest), list(rest.values()), row.span, problems)
        fields = [info.fields[k] for k in rest if k in info.fields and names_things(info.fields[k].type)]
        named += [(f, rest[f.name], row.span, arrivals[name]) for f in fields if rest[f.name] or not template]
        entry = entries.get(template, {})
        _chosen(entry, {k: v for k, v in cell.items() if k in rest or k in extra}, row.span, problems)
        _complete(info, {**entry, **cell}, row.span, problems)
        if check_parts(ruleset, info.name, row_cells(entry, cell), row.span, problems):
            _parts(ruleset, forces, name, row_cells(entry, cell), row.span, names, arrivals, problems)


@attrs.frozen(slots=True)
class _Listed:
    """What a scenario lists: its kind and its side."""

    kind: str
    side: str


def _part_header(info: KindInfo, header: list[str], span: Span, problems: list[Diagnostic]) -> bool:
    """Whether the columns of a table of parts say of what each is a part, and not where it stands or when it comes."""
    wrong = len(problems)
    if info.holder not in header:
        hint = f"Add a column {info.holder}."
        message = f"{an(info.name).capitalize()} is part of {an(info.holder or '')}: of which?"
        problems.append(at("E353", message, span, word=header[0], hint=hint))
    for column, does in (("in", "stands where its"), ("arrives", "arrives with its")):
        if column in header and column not in info.fields:
            message = f"{an(info.name).capitalize()} {does} {info.holder} does."
            problems.append(at("E353", message, span, word=column, hint=f"Take the column `{column}` out."))
    return len(problems) == wrong


def _parts(
    ruleset: Ruleset,
    forces: d.Forces,
    name: str,
    cell: Mapping[str, str],
    span: Span,
    names: dict[str, _Listed],
    arrivals: dict[str, int],
    problems: list[Diagnostic],
) -> None:
    """What a thing of a scenario comes with: its names are taken, and each entry must say all that its kind needs."""
    entries: dict[str, PartMade] = {}
    for made in parts_made(ruleset, name, forces.of, cell):
        if made.name in names:
            hint = f"Rename one: {name} comes with a part of this name."
            problems.append(at("E102", f"{made.name} stands in this scenario already.", span, word=name, hint=hint))
        names[made.name] = _Listed(made.kind, forces.side)
        arrivals[made.name] = arrivals[name]
        entries.setdefault(made.entry, made)
    for entry, made in entries.items():
        _complete(ruleset.kinds[made.kind], {**template_cells(ruleset, entry), "name": made.name}, span, problems)


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
        if field.node.stated and (field.name not in filled or (field.type.optional and cell.get(field.name) == "--")):
            hint = (
                f"Each {info.name} of a scenario needs it, whatever it would start with: fill the column {field.name}."
            )
            message = f"The scenario does not say the {field.name} of {cell.get('name', '')}."
            problems.append(at("E324", message, span, word=cell.get("name", ""), hint=hint))
            continue
        if field.name not in filled and _needs_saying(field):
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


def _needs_saying(field: Field) -> bool:
    """Whether a field has no value of its own to begin with."""
    return (
        field.node.starts is None
        and not field.type.optional
        and field.low is None
        and field.type.name not in {"mark", "set", "link"}
        and field.name not in {"name", "title"}
        and not field.full_of
    )
