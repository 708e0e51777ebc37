"""Checks unit lists cell by cell against the fields of their kind."""

from __future__ import annotations

from dsl.data.cells import check_header, check_row
from dsl.data.scenario_names import check_starts
from dsl.rules.kind_groups import no_making
from dsl.rules.parts import check_parts, part_headings, resting_headings
from dsl.rules.rows import cells, places, unequal
from dsl.rules.ruleset import KindInfo, Ruleset
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, at, did_you_mean
from dsl.text.source import Span


def check_lists(ruleset: Ruleset) -> list[Diagnostic]:
    """Checks the starting values of fields, and every cell of every unit list, against the field's type and notation."""
    problems: list[Diagnostic] = list(check_starts(ruleset))
    seen: dict[str, Span] = {}
    for unit_list in ruleset.lists.values():
        info = kind_listed(ruleset, unit_list, problems)
        if info is not None:
            _check_rows(ruleset, unit_list, info, seen, problems)
    return problems


def kind_listed(ruleset: Ruleset, listed: d.UnitList | d.Forces, problems: list[Diagnostic]) -> KindInfo | None:
    """The kind of the things in a list; None, and reported, if there is no such kind or it is a group of kinds."""
    grouped = no_making(ruleset, listed.of, listed.span)
    if grouped is not None:
        problems.append(grouped)
        return None
    info = ruleset.kinds.get(listed.of)
    if info is None:
        hint = did_you_mean(listed.of, ruleset.kinds)
        problems.append(at("E103", f"There is no kind {listed.of}.", listed.span, word=listed.of, hint=hint))
    return info


def _check_rows(
    ruleset: Ruleset, unit_list: d.UnitList, info: KindInfo, seen: dict[str, Span], problems: list[Diagnostic]
) -> None:
    """Checks the heading and the rows of a list. seen: the entries of lists so far."""
    heading = unit_list.rows[0]
    header = cells(heading)
    parts = {*part_headings(ruleset, info.name), *resting_headings(ruleset, info.name)}
    if not check_header(ruleset, info, heading, {"name", *parts}, problems):
        return
    if header[0] != "name":
        problems.append(at("E310", "The first column of a unit list must be `name`.", heading.span))
    for row in unit_list.rows[1:]:
        found = cells(row)
        if len(found) != len(header):
            problems.append(at("E305", unequal(found, header), row.span))
            continue
        if found[0] in seen:
            problems.append(at("E102", f"A unit list already has an entry named {found[0]}.", row.span, word=found[0]))
        seen[found[0]] = row.span
        check_row(ruleset, info, header[1:], found[1:], places(row)[1:], problems, alternatives=True)
        check_parts(ruleset, info.name, dict(zip(header, found, strict=True)), row.span, problems)
