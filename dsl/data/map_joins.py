"""Reading how the places of a map are joined: what each lies in, what lies between two of them, and the links that run over them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl.data.map_data import MOST_PLACES, Stretch, in_line, neighbours_on_grid
from dsl.data.map_reading import MapReading
from dsl.rules.editions import asks
from dsl.rules.ruleset import KindInfo
from dsl.syntax import declarations as d
from dsl.text.diagnostics import did_you_mean
from dsl.text.phrases import an, counted

_RUN = re.compile(r"(?:(\d+)\s+)?([\w-]+)")
_ROWS = re.compile(r"(\d+)(?:\s*\.\.\s*(\d+))?")


# ---- places inside others
def places_inside(m: MapReading, section: d.MapSection, whole: str) -> None:
    """Reads which place of another map contains each place. whole: the plural of the containing kind."""
    if not m.kind.grid:
        for label, _, row in m.table(section, (m.info.name, m.info.holder or "")):
            if m.is_place(label[0], row.span):
                m.data.inside[label[0]] = label[1]
        return
    for row in section.rows:
        _runs(m, row, whole)
    missing = next((label for label in m.data.fields if label not in m.data.inside), "")
    if missing and not m.problems:
        m.problem("E332", f"The section does not say which of the {whole} {missing} is in.", section.span)


def _runs(m: MapReading, row: d.Row, whole: str) -> None:
    """`01..05 | 10 O-0101, 10 O-0201`: rows of a grid, and how many places of each are in which place."""
    head, _, body = row.text.partition("|")
    rows = _ROWS.fullmatch(head.strip())
    runs = [_RUN.fullmatch(part.strip()) for part in body.split(",")]
    if rows is None or not all(runs):
        hint = "Write the rows, then how many places of each row are in which place: `01..05 | 10 O-0101, 10 O-0201`."
        m.problem("E332", f"This row does not say which of the {whole} each place is in.", row.span, hint)
        return
    first, last = int(rows[1]), int(rows[2] or rows[1])
    held = [run[2] for run in runs if run is not None for _ in range(min(int(run[1] or 1), MOST_PLACES))]
    if len(held) != m.node.columns:
        message = (
            f"This row assigns {counted(len(held), 'place')}, but the map has {counted(m.node.columns, 'column')}."
        )
        m.problem("E332", message, row.span)
        return
    for number in range(first, min(last, first + MOST_PLACES) + 1):
        if not m.how.first_row <= number < m.how.first_row + m.node.rows:
            m.problem("E332", f"The map has no row {number}.", row.span, word=rows[0])
            break
        for column, holder in enumerate(held):
            here = m.how.label(column, number - m.how.first_row)
            if here in m.positions:
                m.data.inside[here] = holder


# ---- places between two others
def places_between(m: MapReading, section: d.MapSection, kind: KindInfo) -> None:
    """Reads the places of a kind that lie between neighbours."""
    for (a, b), cell, row in m.table(section, ("from", "to"), kind):
        if m.is_place(a, row.span) and m.is_place(b, row.span) and m.touch(a, b, row.span):
            m.data.between[(kind.name, a, b)] = cell


# ---- links from place to place
def links(m: MapReading) -> None:
    """Reads the links of the map."""
    for link in m.node.links:
        if _is_known(m, link) and _has_places(m, link):
            m.data.stretches += _along_sides(m, link) if link.sides else _straight(m, link)


def _is_known(m: MapReading, link: d.MapLink) -> bool:
    """Whether such places have such a link, and this type of it."""
    own = {f.name: f.type.word for f in m.info.fields.values() if f.type.name == "link"}
    if link.link not in own:
        hint = did_you_mean(link.link, own)
        m.problem("E210", f"{link.link} is not a link of {an(m.info.name)}.", link.span, hint, link.link)
        return False
    words = m.ruleset.enums[own[link.link]].words if own[link.link] else ()
    if link.word in (words or ("",)):
        return True
    hint = f"Write one of {', '.join(words)} before it." if words else "Leave the word out: this link has no types."
    message = (
        f"`{link.word}` is not a type of {link.link}." if link.word else f"The type of this {link.link} is missing."
    )
    m.problem("E333", message, link.span, hint, link.word or link.link)
    return False


def _has_places(m: MapReading, link: d.MapLink) -> bool:
    """Whether the places of a link exist; each missing one is reported."""
    if sum(not m.is_place(label, link.span) for label in link.places):
        return False
    # A grid may have more rows or columns than the map declares, which is reported already.
    return not m.kind.grid or all(label in m.positions for label in link.places)


def _straight(m: MapReading, link: d.MapLink) -> list[Stretch]:
    """A link from place to place; empty if it would have to bend, to cross a hole, or to join strangers."""
    pairs = list(zip(link.places, link.places[1:], strict=False))
    if not m.kind.grid and asks(m.ruleset.edition, "joined-links"):
        pairs = [(a, b) for a, b in pairs if m.touch(a, b, link.span)]
    apart = next(((a, b) for a, b in pairs if not _joined(m, a, b)), None)
    bent = next(((a, b) for a, b in pairs if not _in_line(m, a, b)), None)
    if bent is not None and asks(m.ruleset.edition, "straight-links"):
        message = f"The {link.link} does not run straight from {bent[0]} to {bent[1]}."
        m.problem("E343", message, link.span, word=bent[1])
        return []
    if apart is not None:
        message = f"No route leads from {apart[0]} to {apart[1]}: holes in the map separate them."
        m.problem("E342", message, link.span, word=apart[1])
        return []
    return [Stretch(link.link, a, b, link.word, not m.kind.grid) for a, b in pairs]


def _along_sides(m: MapReading, link: d.MapLink) -> list[Stretch]:
    """A link on the sides of a place, to each of some neighbours."""
    first, *others = link.places
    return [Stretch(link.link, first, x, link.word, True) for x in others if m.touch(first, x, link.span)]


def _in_line(m: MapReading, a: str, b: str) -> bool:
    """Whether a link can run straight from one place to another; on a drawn map it joins any two."""
    grid = m.kind.grid
    return not grid or in_line(grid, m.kind.corners, m.node.low, m.positions[a], m.positions[b])


def _joined(m: MapReading, a: str, b: str) -> bool:
    """Whether a chain of neighbours joins two places of a grid; on one without holes it always does."""
    if not m.data.holes:
        return True
    if not m.part_of:
        m.part_of.update(_parts(m))
    return m.part_of[a] == m.part_of[b]


def _parts(m: MapReading) -> Iterator[tuple[str, int]]:
    """The places of a grid, each with the number of its part: holes cut the map into parts."""
    low, corners, grid = m.node.low, m.kind.corners, m.kind.grid or ""
    labels = {position: label for label, position in m.positions.items()}
    steps = [(across, down) for across in (-1, 0, 1) for down in (-1, 0, 1)]
    known: set[str] = set()
    for part, label in enumerate(m.positions):
        todo = [] if label in known else [label]
        while todo:
            here = todo.pop()
            known.add(here)
            yield here, part
            at = m.positions[here]
            near = ((at[0] + across, at[1] + down) for across, down in steps)
            touching = (labels[x] for x in near if x in labels and neighbours_on_grid(grid, corners, low, at, x))
            todo += [x for x in touching if x not in known]
