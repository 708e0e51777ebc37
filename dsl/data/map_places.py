"""Reading the places of a map: a grid letter by letter, a drawn map row by row, and the names of places."""

from __future__ import annotations

import re

from dsl.data.map_data import MOST_PLACES, means_no_place, numbering, void_letters
from dsl.data.map_reading import MapReading
from dsl.syntax import declarations as d
from dsl.text.phrases import counted

MOST_SHOWN = 60
"""The longest row that a hint writes out."""

SPOT = "spot"
"""The column of a drawn map that says where on the page each place is shown."""

_SPOT = re.compile(r"(\d\d)(\d\d)")
_LABEL = re.compile(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")


def places_of_grid(m: MapReading) -> bool:
    """Reads the places of a grid; False if there is none, or if its numbering is unclear."""
    node = m.node
    if not _sized(m):
        return False
    how = numbering(node)
    if how is None:
        hint = "Write the label of the first place: `numbered 0101`, `numbered A-0101`."
        message = f"`{node.numbered}` is not a valid label for the first place of a map."
        m.problem("E329", message, node.span, hint, node.numbered)
        return False
    m.how = how
    for line in node.borders:
        m.problem(
            "E330",
            "A map with a grid cannot have `next to` lines: the grid defines the neighbours.",
            line.span,
            word=line.place,
        )
    letters = _letters(m, m.sections.get("letters"))
    for row in range(node.rows):
        for column in range(node.columns):
            m.positions[how.label(column, row)] = (column + how.first_column, row + how.first_row)
    grid = m.sections.get("grid")
    if grid is None:
        m.data.fields.update(dict.fromkeys(m.positions, next(iter(letters.values()), {})))
        return True
    _grid(m, grid, letters)
    if not m.positions:
        hint = "Use at least one letter that stands for a place."
        m.problem("E312", "The map has no places.", grid.span, hint)
    return bool(m.positions)


def _sized(m: MapReading) -> bool:
    """Whether the map gives the size of its grid, and that is neither empty nor too large."""
    node = m.node
    if node.columns * node.rows <= MOST_PLACES and node.columns >= 1 and node.rows >= 1:
        return True
    size = f"{node.columns} by {node.rows}" if node.columns or node.rows else "none"
    hint = 'Give the numbers of columns and rows: `map NAME "…" of hex, 32 by 24:`.' if size == "none" else ""
    m.problem("E312", f"A map must have between 1 and {MOST_PLACES:,} places, not {size}.", node.span, hint)
    return False


def _letters(m: MapReading, section: d.MapSection | None) -> dict[str, dict[str, str]]:
    """The meaning of each letter of the grid."""
    if section is None:
        return {}
    m.void = void_letters(m.node)
    rows = tuple(row for row in section.rows if not means_no_place(row))
    told = d.MapSection(section.span, section.name, rows)
    return {label[0]: cell for label, cell, _ in m.table(told, ("letter",))}


def _grid(m: MapReading, section: d.MapSection, letters: dict[str, dict[str, str]]) -> None:
    """Reads the grid: a row of letters for each row of the map."""
    node, how = m.node, m.how
    if len(section.rows) != node.rows:
        m.problem(
            "E315", f"The grid has {counted(len(section.rows), 'row')}, but the map declares {node.rows}.", section.span
        )
    for number, row in enumerate(section.rows):
        head, _, body = row.text.partition("|")
        printed = number + how.first_row
        if head.strip().lstrip("0") != str(printed).lstrip("0"):
            m.problem("E315", f"This should be row {printed:0{how.digits}}.", row.span)
        found = body.split()
        if len(found) != node.columns:
            message = (
                f"Row {printed:0{how.digits}} has {counted(len(found), 'place')}, but the map declares {node.columns}."
            )
            apart = " ".join("".join(found))
            hint = (
                f"Put a blank between the letters: `{apart}`."
                if len("".join(found)) == node.columns <= MOST_SHOWN
                else ""
            )
            m.problem("E315", message, row.span, hint)
            found = apart.split() if hint else found
        for column, letter in enumerate(found):
            if letter in m.void and column < node.columns:
                m.data.holes.add((column, number))
                m.positions.pop(how.label(column, number), None)
                continue
            if letter not in letters:
                hint = "Add a row for it under `letters:`."
                m.problem("E316", f"The letter {letter} is not defined.", row.span, hint, letter)
                continue
            m.data.fields[how.label(column, number)] = letters[letter]


def places_drawn(m: MapReading) -> bool:
    """Reads the places of a drawn map and their neighbours; False if it lists none."""
    section = m.sections.get("places")
    if section is None or m.node.columns or m.node.rows or m.node.numbered:
        hint = (
            f"List the places under `places:`, with a first column {m.info.name}. Only a grid has a size and numbers."
        )
        m.problem("E331", f"A map of {m.info.name} must list its places.", m.node.span, hint)
        return False
    besides = frozenset({"name", *({SPOT} - m.info.fields.keys())})
    for label, cell, row in m.table(section, (m.info.name,), besides=besides):
        if not _LABEL.fullmatch(label[0]) and not label[0].isdigit():
            message = f"`{label[0]}` is not a valid name in commands: use letters, digits and hyphens only."
            m.problem("E321", message, row.span, "Put the long name in the column `name`.", label[0])
        if label[0] in m.data.fields:
            m.problem("E102", f"The map already has a place {label[0]}.", row.span, word=label[0])
        _take_name(m, label[0], cell)
        if SPOT in besides and SPOT in cell:
            _take_spot(m, label[0], cell.pop(SPOT), row)
        m.data.fields[label[0]] = cell
    for line in m.node.borders:
        _borders(m, line)
    return True


def _borders(m: MapReading, line: d.MapBorder) -> None:
    """Reads the neighbours of a place of a drawn map."""
    for other in line.others:
        if not (m.is_place(line.place, line.span) and m.is_place(other, line.span)):
            continue
        if other == line.place:
            m.problem("E330", f"{other} cannot be next to itself.", line.span, word=other)
            continue
        m.data.borders.append((line.place, other))
        m.near.setdefault(line.place, set()).add(other)
        m.near.setdefault(other, set()).add(line.place)


def places_named(m: MapReading, section: d.MapSection) -> None:
    """Reads the names of single places, and values that differ from those of their letter."""
    for label, cell, row in m.table(section, (m.info.name,)):
        if not m.is_place(label[0], row.span):
            continue
        _take_name(m, label[0], cell)
        given = {k: v for k, v in cell.items() if v != "--"}
        m.data.fields[label[0]] = {**m.data.fields[label[0]], **given}


def _take_name(m: MapReading, label: str, cell: dict[str, str]) -> None:
    """Takes the name of a place out of its row."""
    name = cell.pop("name", "--")
    if name not in {"--", ""}:
        m.data.names[label] = name.strip('"')


def _take_spot(m: MapReading, label: str, text: str, row: d.Row) -> None:
    """Takes the column and row in which a place is shown out of its row."""
    found = _SPOT.fullmatch(text)
    if found is None or "00" in found.groups():
        hint = "Give a column and a row from 01 on, as in 0503, or leave out the column `spot`: every place has one, or none."
        m.problem("E311", f"spot: `{text}` is not a column and a row of the page.", row.span, hint, text)
        return
    spot = int(found[1]), int(found[2])
    taken = next((other for other, where in m.data.spots.items() if where == spot), "")
    if taken:
        m.problem("E102", f"{taken} is already shown at {text}.", row.span, "Give each place a spot of its own.", text)
        return
    m.data.spots[label] = spot
