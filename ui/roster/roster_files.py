"""Rosters as files: a table for spreadsheets (CSV) and a text file (TOML), written, and read back cell by cell.

`roster_cells.py` knows what a cell means; `roster_changes.py` knows what a change of it would do.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from dsl.text.toml_text import read_toml_text
from interpreter.play.rosters import ColumnView, RosterKind
from ui.cli.exits import UsageError
from ui.cli.plain import clipped
from ui.roster.roster_cells import UNKNOWN, guarded, shown, unguarded
from ui.roster.roster_lines import ForceNode, everything

__all__ = ["BELONGS", "IN_PLAY", "KIND", "NAME", "OWN", "TITLE", "TYPE", "RosterCell", "RosterFile", "RosterRow", "as_table", "as_toml", "cells_of", "fields_of", "headings_of", "read_table", "read_toml"]  # fmt: skip

NAME, TITLE, KIND, TYPE, BELONGS, IN_PLAY = "name", "title", "kind", "made from", "belongs to", "in play"
OWN = (NAME, TITLE, KIND, TYPE, BELONGS, IN_PLAY)
"""The headings that every roster has, in addition to the fields of its things."""
TITLE_COLUMN = ColumnView(TITLE, "text", optional=True)
SEPARATORS = ",;\t"
MOST_ROWS = 20_000
MOST_COLUMNS = 500
MOST_NUMBER = 10**24
TABLE = "thing"
"""The name of a row in TOML."""
MARK = "\ufeff"
"""It shows a spreadsheet that the file is UTF-8."""


@frozen
class RosterCell:
    """The text of a cell. where: its place, for people; known: whether it has a value (`?` does not)."""

    text: str
    where: str
    known: bool = True


@frozen
class RosterRow:
    """A row of a file: its place, for people, and its cells by heading."""

    where: str
    cells: Mapping[str, RosterCell]


@frozen
class RosterFile:
    """A roster as it was read.

    headings: each with its place; points_part: whether points may separate thousands in it; wrong: what cannot be read: its place, the
    problem, and what would be right.
    """

    headings: tuple[tuple[str, str], ...]
    rows: tuple[RosterRow, ...]
    points_part: bool
    wrong: tuple[tuple[str, str, str], ...]


# ---- written
def headings_of(kinds: Mapping[str, RosterKind], nodes: Iterable[ForceNode]) -> list[str]:
    """The headings of a roster: those that every roster has, then the fields of its kinds."""
    there = {node.thing.kind for node in everything(nodes)}
    fields = dict.fromkeys(column.name for name, kind in kinds.items() if name in there for column in kind.columns)
    return [*(heading for heading in OWN if heading not in fields), *fields]


def fields_of(kind: RosterKind) -> dict[str, ColumnView]:
    """The fields of a kind that a roster can change, with its title."""
    return {TITLE: TITLE_COLUMN, **{column.name: column for column in kind.columns}}


def cells_of(node: ForceNode, kind: RosterKind, *, for_side: bool = False) -> dict[str, str | None]:
    """The cells of a thing, by heading, without those that its kind does not have; None for what may not be known.

    for_side: whether the roster is that of a side, from which it may be hidden what holds a thing.
    """
    thing = node.thing
    own = {
        NAME: thing.id,
        TITLE: shown(TITLE_COLUMN, thing),
        KIND: thing.kind,
        TYPE: thing.template,
        BELONGS: thing.holder or (None if kind.whole and for_side else ""),
        IN_PLAY: "no" if node.gone else "yes",
    }
    return {**own, **{column.name: shown(column, thing) for column in kind.columns}}


def as_table(
    kinds: Mapping[str, RosterKind], nodes: Sequence[ForceNode], separator: str = ",", *, for_side: bool
) -> str:
    """A roster as a table, a row for each thing."""
    headings = headings_of(kinds, nodes)
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(headings)
    for node in everything(nodes):
        kind = kinds[node.thing.kind]
        fields, cells = fields_of(kind), cells_of(node, kind, for_side=for_side)
        writer.writerow([_csv_cell(fields.get(heading), cells.get(heading, "")) for heading in headings])
    return out.getvalue()


def _csv_cell(column: ColumnView | None, text: str | None) -> str:
    if text is None:
        return UNKNOWN
    return text if column is not None and (column.sort == "mark" or _is_number(column, text)) else guarded(text)


def _is_number(column: ColumnView, text: str) -> bool:
    """Whether a cell has a number that any program reads as one: not a fraction."""
    return column.sort == "number" and "/" not in text


def as_toml(kinds: Mapping[str, RosterKind], nodes: Sequence[ForceNode], *, for_side: bool) -> str:
    """A roster as a text file, a table for each thing."""
    lines = []
    for node in everything(nodes):
        kind = kinds[node.thing.kind]
        lines += ["", f"[[{TABLE}]]"]
        for heading, text in cells_of(node, kind, for_side=for_side).items():
            if text != "":
                key = heading if re.fullmatch(r"[\w-]+", heading, re.ASCII) else json.dumps(heading)
                lines.append(f"{key} = {_toml_value(fields_of(kind).get(heading), text)}")
    return "\n".join(lines[1:]) + "\n"


def _toml_value(column: ColumnView | None, text: str | None) -> str:
    if text is None:
        return f'"{UNKNOWN}"'
    if column is None:
        return _quoted(text)
    if column.sort == "mark":
        return "true" if text == "yes" else "false"
    if _is_number(column, text):
        return text
    if column.sort == "list":
        parts = [part.strip() for part in text.split(column.joined or ",")]
        return f"[{', '.join(map(_quoted, parts))}]"
    return _quoted(text)


def _quoted(text: str) -> str:
    text = f"'{text}" if text.lstrip("'") == UNKNOWN else text
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


# ---- read
def read_table(text: str, known: Iterable[str]) -> RosterFile:
    """A table as spreadsheets write it: separated by commas, semicolons or tabs, with its columns in any order.

    Raises:
        UsageError: it is not a table, or too large.
    """
    text = text.removeprefix(MARK)
    skipped, separator = _separator(text, set(known))
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise UsageError(f"This is not a table: {error}.", "Save it as CSV (UTF-8) in the spreadsheet.") from None
    numbered = [(number, row) for number, row in enumerate(rows, 1) if any(cell.strip() for cell in row)][skipped:]
    if not numbered:
        raise UsageError(
            "The file contains no rows.", "Create one to start from with `ophex roster CAMPAIGN --out FILE`."
        )
    (_, first), *others = numbered
    if len(others) > MOST_ROWS or len(first) > MOST_COLUMNS:
        raise UsageError(f"A roster has at most {MOST_ROWS:,} rows and {MOST_COLUMNS} columns.")
    headings = tuple((_heading(cell), _letters(at)) for at, cell in enumerate(first))
    wrong: list[tuple[str, str, str]] = []
    return RosterFile(headings, tuple(_rows(headings, others, wrong)), points_part=separator == ";", wrong=tuple(wrong))


def _rows(
    headings: Sequence[tuple[str, str]], rows: Iterable[tuple[int, list[str]]], wrong: list[tuple[str, str, str]]
) -> Iterator[RosterRow]:
    for number, row in rows:
        if any(cell.strip() for cell in row[len(headings) :]):
            where = f"row {number}, column {_letters(len(headings))}"
            wrong.append((where, "This cell has no heading above it.", "Put cells that contain commas in quotes."))
        cells = {}
        full = [*row, *[""] * (len(headings) - len(row))]  # spreadsheets leave out empty cells at the end of a row
        for (heading, letters), cell in zip(headings, full, strict=False):
            raw = cell.strip()
            place = f"row {number}, column {letters} ({clipped(heading)[:40]})"
            cells[heading] = RosterCell(unguarded(raw), place, raw != UNKNOWN)
        yield RosterRow(f"row {number}", cells)


def _separator(text: str, known: set[str]) -> tuple[int, str]:
    """How many lines precede the heading, and the separator: the one with which most headings are recognized."""
    lines = [line for line in text.splitlines()[:200] if line.strip()]
    if not lines:
        return 0, ","
    if found := re.fullmatch(r'"?sep=([,;\t])"?', lines[0].strip("\r\n ")):  # Excel puts this before a table
        return 1, found[1]

    def score(separator: str) -> tuple[int, int]:
        try:
            cells = next(csv.reader([lines[0]], delimiter=separator), [])
        except csv.Error:
            return 0, 0
        return sum(_heading(cell) in known for cell in cells), len(cells)

    return 0, max(SEPARATORS, key=score)


def _heading(cell: str) -> str:
    return " ".join(unguarded(cell.strip()).lower().split())


def _letters(at: int) -> str:
    """The name of a column in a spreadsheet: A, B, … Z, AA."""
    return (_letters(at // 26 - 1) if at >= 26 else "") + chr(ord("A") + at % 26)


def read_toml(text: str) -> RosterFile:
    """A roster in TOML: `[[thing]]` for each, with a key for each heading.

    Raises:
        UsageError: it is not TOML, or not a roster.
    """
    text = text.removeprefix(MARK)
    try:
        found = read_toml_text(text)
    except ValueError as error:
        raise UsageError(f"This is not TOML: {clipped(str(error))}.") from None
    rows = found.get(TABLE)
    if set(found) != {TABLE} or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UsageError(
            f"A roster in TOML consists of tables `[[{TABLE}]]`.", "Create one with `ophex roster --out FILE.toml`."
        )
    if len(rows) > MOST_ROWS:
        raise UsageError(f"A roster has at most {MOST_ROWS:,} rows.")
    places = [n for n, line in enumerate(text.splitlines(), 1) if re.match(r"\s*\[\[", line)]
    numbers = places if len(places) == len(rows) else range(1, len(rows) + 1)
    wrong: list[tuple[str, str, str]] = []
    read = []
    for number, row in zip(numbers, rows, strict=True):
        cells = {}
        for key, value in row.items():
            place = f"{'line' if numbers is places else 'table'} {number}, {clipped(key)[:40]}"
            said = _said(value)
            if said is None:
                wrong.append((place, "A cell must be a text, a number, true or false, or a list of these.", ""))
            else:
                bare = said.lstrip("'") == UNKNOWN and said != UNKNOWN
                cells[_heading(key)] = RosterCell(said[1:] if bare else said, place, said != UNKNOWN)
        read.append(RosterRow(f"{'line' if numbers is places else 'table'} {number}", cells))
    headings = dict.fromkeys(heading for row in read for heading in row.cells)
    return RosterFile(tuple((one, one) for one in headings), tuple(read), points_part=False, wrong=tuple(wrong))


def _said(value: Any) -> str | None:
    """A value as a cell of a table; None if a cell cannot have it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return value.strip()
        case int():
            return str(value) if abs(value) < MOST_NUMBER else None
        case list():
            parts = [_said(one) for one in value if not isinstance(one, list)]
            return ", ".join(str(part) for part in parts) if len(parts) == len(value) and None not in parts else None
    return None
