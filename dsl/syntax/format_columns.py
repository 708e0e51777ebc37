"""Alignment in columns: the cells of tables, the letters of maps, the types of fields, remarks."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import cast

from dsl.syntax.text_lines import TextLine

NO_FIELD = re.compile(r'printed [\w-]+ "|written "|hidden from |known to ')
"""How lines of a kind begin that do not declare a field."""
FIELD = re.compile(r"([\w-]+(?:, [\w-]+)*) (.+)")
"""The names of one or more fields of a line, and the rest of the line."""
_NAMES = 12
"""The types of fields begin at least this far after the start of the names."""


def align_rows(rows: Sequence[TextLine]) -> None:
    """Aligns the cells of a table."""
    if rows[0].opener.startswith("grid"):
        _align_grid(rows)
        return
    split = [[[cell.strip() for cell in side.strip().split("|")] for side in row.text.split("||", 1)] for row in rows]
    if any(_odd(sides) for sides in split):
        return
    widths = [_widths([sides[n] for sides in split if len(sides) > n]) for n in (0, 1)]
    for row, sides in zip(rows, split, strict=True):
        shown = []
        for number, cells in enumerate(sides):
            padded = [f"{' '.join(c.split()):<{w}}" for c, w in zip(cells, widths[number], strict=False)]
            missing = len(widths[number]) - len(cells)
            wide = sum(widths[number][len(cells) :]) + 3 * missing if number == 0 and len(sides) > 1 else 0
            shown.append(" | ".join(padded) + " " * wide)
        row.text = " || ".join(shown).rstrip()


def _odd(sides: Sequence[Sequence[str]]) -> bool:
    """A row that begins or ends in a bar, or whose first cell would read as a remark: its spaces matter."""
    return any(not cells[0] or not cells[-1] for cells in sides) or sides[0][0].startswith("--")


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(len(" ".join(c.split())) for c in column) for column in itertools.zip_longest(*rows, fillvalue="")]


def _align_grid(rows: Sequence[TextLine]) -> None:
    """Aligns the letters of a map."""
    split = [(head.strip(), body.split()) for head, _, body in (row.text.partition("|") for row in rows)]
    if any(not head or head.startswith("--") or not body for head, body in split):
        return
    first = max(len(head) for head, _ in split)
    widths = _widths([body for _, body in split])
    for row, (head, body) in zip(rows, split, strict=True):
        row.text = f"{head:<{first}} | {' '.join(f'{c:<{w}}' for c, w in zip(body, widths, strict=False))}".rstrip()


def align_fields(block: Sequence[TextLine]) -> None:
    """Aligns the types of a kind's fields."""
    fields = [x for x in block if not x.goes_on and not NO_FIELD.match(x.text) and FIELD.match(x.text)]
    split = [cast("re.Match[str]", FIELD.match(x.text)).groups() for x in fields]
    width = max((_NAMES, *(len(names) for names, _ in split if "," not in names)))
    for line, (names, rest) in zip(fields, split, strict=True):
        line.text = f"{names:<{width}} {rest}"


def align_remarks(block: Sequence[TextLine]) -> None:
    """Aligns the remarks after the lines of a block."""
    noted = [x for x in block if x.remark and not x.cite]
    width = max((len(x.indent + x.text) for x in noted), default=0)
    for line in noted:
        line.text = line.text.ljust(width - len(line.indent))
