"""Cells of tables: how rows are split, how a cell is read, and the type of a column."""

from __future__ import annotations

import re
from fractions import Fraction

import attrs

from dsl.data.table_data import Cell, TableInfo
from dsl.ir import DICE, MARK, NOTHING, NUMBER, TEXT, Type, enum
from dsl.rules.dice_values import read_dice_value
from dsl.rules.ruleset import Ruleset
from dsl.text.diagnostics import Diagnostic, at


def split_row(text: str) -> tuple[list[str], list[str] | None]:
    """The cells left and right of `||`; right is None when there is none."""
    left, bar, right = text.partition("||")
    cells = [c.strip() for c in left.strip().strip("|").split("|")]
    return cells, [c.strip() for c in right.strip().strip("|").split("|")] if bar else None


def number_of(text: str) -> int | Fraction | None:
    """A number as tables print it: 4, x4, x1/2, +2, -1, 40%, 1.5; None for anything else."""
    found = re.fullmatch(r"x?([+-]?\d{1,24}(?:\.\d{1,24}|/\d{1,24})?)\s*%?", text)
    if not found or ("/" in text and not int(found[1].partition("/")[2])):
        return None
    value = Fraction(found[1])
    return value.numerator if value.denominator == 1 else value


def cell_value(text: str) -> Cell:
    """A cell: a number, True or False, None for the printed dash, else its words."""
    if text in {"--", "—", "-"}:
        return None
    if text in {"yes", "no"}:
        return text == "yes"
    number = number_of(text)
    return text if number is None else number


def type_columns(ruleset: Ruleset, info: TableInfo, problems: list[Diagnostic]) -> None:
    """Gives each column the type of its cells; cells that look like another type are reported."""
    for index, column in enumerate(info.columns):
        values = [row.cells[index] for row in info.rows]
        there = [v for v in values if v is not None]
        column.type = _cell_type(ruleset, there)
        if column.type is TEXT:
            _odd_cells(info, index, problems)
        if column.type is DICE:
            info.rows = [attrs.evolve(row, cells=_with_dice(row.cells, index)) for row in info.rows]
        if len(there) < len(values):
            column.type = column.type.maybe()


def _with_dice(cells: tuple[Cell, ...], index: int) -> tuple[Cell, ...]:
    """The cells of a row with its dice in the standard form: `1d6` for `D6`."""
    return tuple(read_dice_value(c) if n == index and c is not None else c for n, c in enumerate(cells))


def _odd_cells(info: TableInfo, index: int, problems: list[Diagnostic]) -> None:
    """Reports cells that look like numbers and are not, and words in a column of numbers."""
    name = info.columns[index].name
    numbers = [r for r in info.rows if isinstance(r.cells[index], int | Fraction)]
    for row in info.rows:
        cell = row.cells[index]
        if isinstance(cell, str) and re.fullmatch(r"x?[+-]?\d+[./]\d*[./\d]*%?", cell):
            hint = (
                "Write a divisor other than zero."
                if "/0" in cell
                else "Write a number such as 4, x4, x1/2, +2, 40% or 1.5."
            )
            problems.append(at("E326", f"`{cell}` is not a number.", row.span, hint=hint))
        elif isinstance(cell, str) and len(numbers) * 2 > len(info.rows):
            message = f"`{cell}` is not a number, so the whole column {name} is read as text."
            problems.append(at("W312", message, row.span, hint="Write a number, or `--` for nothing."))


def _cell_type(ruleset: Ruleset, values: list[Cell]) -> Type:
    if not values:
        return NOTHING
    if all(isinstance(v, bool) for v in values):
        return MARK
    if all(isinstance(v, int | Fraction) and not isinstance(v, bool) for v in values):
        return NUMBER
    words = {str(v) for v in values}
    homes = [e.name for e in ruleset.enums.values() if words <= set(e.words)]
    if homes:
        return enum(min(homes, key=lambda h: len(ruleset.enums[h].words)))
    if all(read_dice_value(w) for w in words):
        return DICE
    entries: dict[str, set[str]] = {}
    for unit_list in ruleset.lists.values():
        entries.setdefault(unit_list.of, set()).update(r.text.split("|")[0].strip() for r in unit_list.rows[1:])
    return next((Type("entry", kind) for kind, known in entries.items() if words <= known), TEXT)
