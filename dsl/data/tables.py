"""Tables: their rows are read, and a proof before play shows that every entry finds a row, and only one."""

from __future__ import annotations

from dsl.data.cells import check_columns
from dsl.data.table_cells import cell_value, split_row, type_columns
from dsl.data.table_data import Column, TableInfo, TableRow
from dsl.data.table_keys import key_of, matches, take_note
from dsl.data.table_trends import check_trend
from dsl.data.tables_proof import prove
from dsl.ir import NOTHING
from dsl.rules.editions import KEY_BY_KEY, asks
from dsl.rules.rows import places
from dsl.rules.ruleset import Ruleset
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, Mark, at, did_you_mean
from dsl.text.phrases import counted
from dsl.text.source import Span

MOST_ROWS = 2_000
"""The maximum number of rows of a table."""


def read_tables(ruleset: Ruleset) -> tuple[dict[str, TableInfo], list[Diagnostic]]:
    """All tables of a ruleset, read and checked."""
    out: dict[str, TableInfo] = {}
    problems: list[Diagnostic] = []
    for name, node in ruleset.tables.items():
        out[name] = read_table(ruleset, node, problems)
    return out, problems


def read_table(ruleset: Ruleset, node: d.Table, problems: list[Diagnostic]) -> TableInfo:
    """One table, read and checked; problems are added to `problems`."""
    info = TableInfo(node.name, node, node.hit)
    before = len(problems)
    if len(node.rows) > MOST_ROWS:
        message = f"The table {node.name} has {len(node.rows):,} rows; the limit is {MOST_ROWS:,}."
        problems.append(at("E001", message, node.rows[MOST_ROWS].span, hint="Split it by one of its keys."))
        return info
    info.keys += [key_of(ruleset, key, node.keys) for key in node.keys]
    for key in info.keys:
        if key.type.name == "enum":
            key.groups = {g: words for g, (of, words) in ruleset.groups.items() if of == key.type.word}
    for note in node.notes:
        take_note(info, note, problems)
    header, right = split_row(node.rows[0].text)
    if right is None:
        message = f"The heading of {node.name} has no `||` between keys and results."
        problems.append(at("E301", message, node.rows[0].span, hint="Write: key | key || result | result"))
        return info
    if len(info.keys) == 2 and len(header) == 1:
        _matrix(info, header, right, problems)
    else:
        _list(ruleset, info, header, right, problems)
    if len(problems) == before:
        type_columns(ruleset, info, problems)
        prove(info, problems)
        check_trend(ruleset, info, problems)
    _check_columns(ruleset, info, problems)
    return info


def _check_columns(ruleset: Ruleset, info: TableInfo, problems: list[Diagnostic]) -> None:
    """Reports result columns with the same name, in the heading or in the line `cells`."""
    note = next((n for n in info.node.notes if n.kind == "cells"), None)
    heading, first = info.node.rows[0], len(info.keys) + 1
    spans = [note.span if note else _place(heading, first + i) for i in range(len(info.columns))]
    check_columns(ruleset, [c.name for c in info.columns], spans, problems)


def _list(ruleset: Ruleset, info: TableInfo, header: list[str], right: list[str], problems: list[Diagnostic]) -> None:
    """Reads a table with one row for each entry, the keys left of the bars and the results right of them."""
    names = [k.name for k in info.keys]
    if sorted(header) != sorted(names):
        hint = "Write the keys in the heading: " + " | ".join(names)
        problems.append(
            at("E302", f"The heading of {info.name} does not name its keys.", info.node.rows[0].span, hint=hint)
        )
        return
    order = [header.index(n) for n in names]
    if asks(ruleset.edition, KEY_BY_KEY):
        order = [[i for i, h in enumerate(header) if h == n][names[:k].count(n)] for k, n in enumerate(names)]
    for name in right:
        info.columns.append(Column(name, NOTHING))
    for row in info.node.rows[1:]:
        left, cells = _row(info, row, header, right, len(header), problems)
        if not left:
            continue
        found = tuple(matches(key, left[i], _place(row, i), problems) for key, i in zip(info.keys, order, strict=True))
        info.rows.append(TableRow(found, tuple(cell_value(c) for c in cells), row.span))


def _matrix(info: TableInfo, header: list[str], right: list[str], problems: list[Diagnostic]) -> None:
    """Reads a table with one key down the side and the other across the top."""
    down = next((i for i, k in enumerate(info.keys) if k.name == header[0]), None)
    if down is None:
        problems.append(
            at(
                "E302",
                f"`{header[0]}` is not a key of {info.name}.",
                info.node.rows[0].span,
                hint=did_you_mean(header[0], [k.name for k in info.keys]),
            )
        )
        return
    across = info.keys[1 - down]
    top = [matches(across, text, _place(info.node.rows[0], 2 + i), problems) for i, text in enumerate(right)]
    names = next((n.names for n in info.node.notes if n.kind == "cells"), ("result",))
    info.columns = [Column(n, NOTHING) for n in names]
    for row in info.node.rows[1:]:
        left, cells = _row(info, row, header, right, 1, problems)
        if not left:
            continue
        side = matches(info.keys[down], left[0], _place(row, 0), problems)
        for column, text in zip(top, cells, strict=True):
            parts = [p.strip() for p in text.split(",")] if len(names) > 1 else [text]
            if len(parts) != len(names):
                problems.append(
                    at("E305", f"`{text}` does not hold {len(names)} results ({', '.join(names)}).", row.span)
                )
                continue
            found = (side, column) if down == 0 else (column, side)
            info.rows.append(TableRow(found, tuple(cell_value(p) for p in parts), row.span))


def _row(
    info: TableInfo, row: d.Row, header: list[str], right: list[str], keys: int, problems: list[Diagnostic]
) -> tuple[list[str], list[str]]:
    """The keys and the results of a row; empty if their numbers differ from the heading."""
    left, cells = split_row(row.text)
    if cells is not None and len(left) == keys and len(cells) == len(right):
        return left, cells
    heading = Mark(info.node.rows[0].span, "the heading")
    problems.append(at("E305", _counted(left, cells, header, right), row.span, also=[heading]))
    return [], []


def _place(row: d.Row, number: int) -> Span:
    """Where a cell is; between the double bars is one more, which is empty."""
    return places(row)[number + row.text.lstrip().startswith("|")]


def _counted(left: list[str], cells: list[str] | None, header: list[str], right: list[str]) -> str:
    """How a row differs from the heading."""
    if cells is None:
        return "This row has no `||` between keys and results."

    def says(keys: int, results: int) -> str:
        return f"{counted(keys, 'key')} and {counted(results, 'result')}"

    return f"This row has {says(len(left), len(cells))}, but the heading has {says(len(header), len(right))}."
