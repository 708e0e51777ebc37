"""Maps written in rule text, read to plain structures: places, what each is, what joins and what lies in what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from dsl.data.cells import check_header, check_row
from dsl.rules.editions import asks
from dsl.rules.memo import kept
from dsl.rules.rows import cells
from dsl.rules.ruleset import KindInfo, Ruleset
from dsl.syntax import declarations as d
from dsl.text.diagnostics import Diagnostic, an, at, did_you_mean
from dsl.text.source import Span

MOST_PLACES = 250_000
"""A map has at most this many places."""
_LABEL = re.compile(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")
_NUMBERED = re.compile(r"((?:[A-Za-z][A-Za-z0-9]*-)*)(\d+)")
_RUN = re.compile(r"(?:(\d+)\s+)?([\w-]+)")
NO_PLACE = "no place"
"""What the row of a letter says that stands for no place at all."""
_ROWS = re.compile(r"(\d+)(?:\s*\.\.\s*(\d+))?")


@attrs.frozen(slots=True)
class Stretch:
    """A link from one place to another. word: which sort of link; touching: on the side between two neighbours."""

    link: str
    first: str
    last: str
    word: str = ""
    touching: bool = False


@attrs.define(slots=True)
class MapData:
    """A map read: fields of each place by label in the order of the map, names, links, what lies where.

    inside: the place of another map that a place lies in, both by label. borders: pairs of neighbours of a drawn map.
    between: fields of the places between neighbours, by kind and pair of labels. holes: columns and rows of a grid,
    counted from 0, where there is no place.
    """

    node: d.Map
    fields: dict[str, dict[str, str]] = attrs.field(factory=dict)
    names: dict[str, str] = attrs.field(factory=dict)
    stretches: list[Stretch] = attrs.field(factory=list)
    inside: dict[str, str] = attrs.field(factory=dict)
    borders: list[tuple[str, str]] = attrs.field(factory=list)
    between: dict[tuple[str, str, str], dict[str, str]] = attrs.field(factory=dict)
    holes: set[tuple[int, int]] = attrs.field(factory=set)


@attrs.frozen(slots=True)
class Numbering:
    """How the places of a grid are numbered: what stands before, the first column and row, and digits for each."""

    prefix: str
    first_column: int
    first_row: int
    digits: int

    def label(self, column: int, row: int) -> str:
        """The label of a column and a row counted from 0."""
        return f"{self.prefix}{column + self.first_column:0{self.digits}}{row + self.first_row:0{self.digits}}"


def numbering(node: d.Map) -> Numbering | None:
    """How a grid's places are numbered; None when what it says after `numbered` is no number of a first place."""
    prefix, first_column, first_row, digits = "", 1, 1, 2
    if node.numbered:
        found = _NUMBERED.fullmatch(node.numbered)
        if found is None or len(found[2]) % 2 or len(found[2]) < 4:
            return None
        prefix, digits = found[1], len(found[2]) // 2
        first_column, first_row = int(found[2][:digits]), int(found[2][digits:])
    last = max(first_column + node.columns, first_row + node.rows) - 1
    return Numbering(prefix, first_column, first_row, max(2, len(str(last))))


def between_label(a: str, b: str) -> str:
    """The label of the place between two neighbours, whichever of them is named first."""
    return f"{min(a, b)}-{max(a, b)}"


def numbered_kinds(ruleset: Ruleset, label: str, here: Iterable[str] = ()) -> list[str]:
    """The kinds of place that have this label on some map of the system. here: the maps that matter, where that is known."""
    known = list(here)
    nodes = [ruleset.maps[name] for name in known if name in ruleset.maps] if known else ruleset.maps.values()
    found = dict.fromkeys(node.of for node in nodes if node.of in ruleset.kinds and has_label(ruleset, node, label))
    return list(found)


def has_label(ruleset: Ruleset, node: d.Map, label: str) -> bool:
    """Whether a map has a place of this label."""
    kind = ruleset.kinds[node.of].node
    if kind is None or not kind.grid:
        rows = next((s.rows for s in node.sections if s.name == "places"), ())
        return any(row.text.split("|")[0].strip() == label for row in rows[1:])
    how = numbering(node)
    number = label.removeprefix(how.prefix) if how is not None else ""
    if how is None or not label.startswith(how.prefix) or not number.isdigit() or len(number) != 2 * how.digits:
        return False
    column, row = int(number[: how.digits]) - how.first_column, int(number[how.digits :]) - how.first_row
    if not (0 <= column < node.columns and 0 <= row < node.rows):
        return False
    return not void_letters(node) or (column, row) not in read_map(ruleset, node)[0].holes


def _letter_rows(node: d.Map) -> list[d.Row]:
    return [row for section in node.sections if section.name == "letters" for row in section.rows[1:]]


def void_letters(node: d.Map) -> set[str]:
    """The letters of a map's grid that stand for no place."""
    return {cells(row)[0] for row in _letter_rows(node) if _means_no_place(row)}


def _means_no_place(row: d.Row) -> bool:
    """Whether the row of a letter says that there is no place: `x | no place`."""
    found = [" ".join(cell.split()) for cell in cells(row)]
    return found[1:2] == [NO_PLACE] and all(cell in {"--", ""} for cell in found[2:])


def read_map(ruleset: Ruleset, node: d.Map) -> tuple[MapData, list[Diagnostic]]:
    """A map, with every letter, row and name checked. It is kept, and not to be changed."""

    def read() -> tuple[MapData, list[Diagnostic]]:
        reader = _Reader(ruleset, node)
        reader.read()
        return reader.data, reader.problems

    return kept(ruleset, ("map", id(node)), read)


def neighbours_on_grid(grid: str, corners: bool, low: str, a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether two places of a grid touch; each is the printed column and row."""
    across, down = b[0] - a[0], b[1] - a[1]
    if across == 0:
        return abs(down) == 1
    if abs(across) > 1:
        return False
    if grid == "square":
        return down == 0 or (corners and abs(down) == 1)
    sunk = (a[0] % 2 == 1) == (low == "odd")
    return down in ((0, 1) if sunk else (-1, 0))


def in_line(grid: str, corners: bool, low: str, a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether a straight row of neighbours leads from one place of a grid to another: along a column, a row, or a slant.

    Each is the printed column and row. On hexes a slant climbs half a row with each column.
    """
    across, down = abs(b[0] - a[0]), abs(b[1] - a[1])
    if across == 0 or down == 0:
        return True
    if grid == "square":
        return corners and across == down
    sunk = [(x[0] % 2 == 1) == (low == "odd") for x in (a, b)]
    return abs(2 * (b[1] - a[1]) + sunk[1] - sunk[0]) == across


class _Reader:
    """Reads one map; what it finds gathers in `data`, what is wrong in `problems`."""

    def __init__(self, ruleset: Ruleset, node: d.Map) -> None:
        self.ruleset, self.node = ruleset, node
        self.data = MapData(node)
        self.problems: list[Diagnostic] = []
        self.sections = {s.name: s for s in node.sections}
        self.positions: dict[str, tuple[int, int]] = {}
        self.near: dict[str, set[str]] = {}
        self.void: set[str] = set()
        self._part_of: dict[str, int] = {}

    def problem(self, code: str, message: str, span: Span, hint: str = "", word: str = "") -> None:
        """Notes what is wrong."""
        self.problems.append(at(code, message, span, hint=hint, word=word))

    def read(self) -> None:
        """Reads everything that stands under the map."""
        node = self.node
        info = self.ruleset.kinds.get(node.of)
        if info is None or info.word != "place" or info.node is None or info.between:
            hint = did_you_mean(node.of, [k for k in self.ruleset.place_kinds() if not self.ruleset.kinds[k].between])
            self.problem("E103", f"There is no kind of place {node.of}.", node.span, hint, node.of)
            return
        self.info, self.kind = info, info.node
        between = [k for k in self.ruleset.kinds.values() if k.between == info.name]
        whole = self.ruleset.kinds[info.holder].plural if info.holder else ""
        drawn = not self.kind.grid
        known = ["places" if drawn else "letters", *([] if drawn else ["grid"]), "named", *([whole] if whole else [])]
        known += [k.plural for k in between]
        for name, section in self.sections.items():
            if name not in known:
                self.problem(
                    "E313",
                    f"A map of {info.name} has no section {name}.",
                    section.span,
                    did_you_mean(name, known),
                    name,
                )
        if not (self._drawn() if drawn else self._gridded()):
            return
        if "named" in self.sections:
            self._named(self.sections["named"])
        if whole in self.sections:
            self._inside(self.sections[whole], whole)
        for kind in between:
            if kind.plural in self.sections:
                self._between(self.sections[kind.plural], kind)
        self._links()

    # ---- the places
    def _gridded(self) -> bool:
        node = self.node
        if node.columns * node.rows > MOST_PLACES or node.columns < 1 or node.rows < 1:
            size = f"{node.columns} by {node.rows}" if node.columns or node.rows else "none"
            hint = 'Say how many columns and rows it has: `map NAME "…" of hex, 32 by 24:`.'
            self.problem(
                "E312",
                f"A map has from 1 to {MOST_PLACES:,} places, not {size}.",
                node.span,
                hint if size == "none" else "",
            )
            return False
        how = numbering(node)
        if how is None:
            hint = "Write the label of the first place: `numbered 0101`, `numbered A-0101`."
            self.problem(
                "E329", f"`{node.numbered}` is no number for the first place of a map.", node.span, hint, node.numbered
            )
            return False
        self.how = how
        for line in node.borders:
            self.problem("E330", "On a grid the places next to each other are known.", line.span, word=line.place)
        letters = self._letters(self.sections.get("letters"))
        for row in range(node.rows):
            for column in range(node.columns):
                label = how.label(column, row)
                self.positions[label] = (column + how.first_column, row + how.first_row)
        if "grid" in self.sections:
            self._grid(self.sections["grid"], letters)
            if not self.positions:
                self.problem("E312", "A map without a single place is no map.", self.sections["grid"].span,
                             "Some letter of its grid must be a place.")  # fmt: skip
                return False
        else:
            fields = next(iter(letters.values()), {})
            self.data.fields.update(dict.fromkeys(self.positions, fields))
        return True

    def _drawn(self) -> bool:
        section = self.sections.get("places")
        if section is None or self.node.columns or self.node.rows or self.node.numbered:
            hint = f"Give the places under `places:`, with a first column {self.info.name}; only a grid has a size and numbers."
            self.problem("E331", f"A map of {self.info.name} lists its places.", self.node.span, hint)
            return False
        for label, cell, row in self._table(section, (self.info.name,)):
            if not _LABEL.fullmatch(label[0]) and not label[0].isdigit():
                self.problem("E321", f"`{label[0]}` is no name for commands: letters, digits and hyphens only.", row.span, word=label[0],
                             hint="Put the long name under `name`.")  # fmt: skip
            if label[0] in self.data.fields:
                self.problem("E102", f"The map has a place {label[0]} already.", row.span, word=label[0])
            name = cell.pop("name", "--")
            if name not in {"--", ""}:
                self.data.names[label[0]] = name.strip('"')
            self.data.fields[label[0]] = cell
        for line in self.node.borders:
            for other in line.others:
                if self._is_place(line.place, line.span) and self._is_place(other, line.span):
                    if other == line.place:
                        self.problem("E330", f"{other} is not next to itself.", line.span, word=other)
                        continue
                    self.data.borders.append((line.place, other))
                    self.near.setdefault(line.place, set()).add(other)
                    self.near.setdefault(other, set()).add(line.place)
        return True

    def _letters(self, section: d.MapSection | None) -> dict[str, dict[str, str]]:
        if section is None:
            return {}
        self.void = void_letters(self.node)
        rows = tuple(row for row in section.rows if not _means_no_place(row))
        return {
            label[0]: cell
            for label, cell, _ in self._table(d.MapSection(section.span, section.name, rows), ("letter",))
        }

    def _table(
        self, section: d.MapSection, firsts: tuple[str, ...], info: KindInfo | None = None
    ) -> Iterator[tuple[tuple[str, ...], dict[str, str], d.Row]]:
        """The rows of a section: what stands in the first columns, the other cells by heading, and the row."""
        info = info or self.info
        header = cells(section.rows[0])
        if tuple(header[: len(firsts)]) != firsts:
            first = " and ".join(firsts)
            self.problem("E317", f"The first column of `{section.name}:` is {first}.", section.rows[0].span)
            return
        check_header(info, header[len(firsts) :], section.rows[0].span, {"name"}, self.problems)
        for row in section.rows[1:]:
            found = cells(row)
            if len(found) != len(header):
                self.problem("E305", f"This row has {len(found)} cells, the heading {len(header)}.", row.span)
                continue
            cell = dict(zip(header[len(firsts) :], found[len(firsts) :], strict=True))
            rest = {k: v for k, v in cell.items() if k != "name"}
            check_row(self.ruleset, info, list(rest), list(rest.values()), row.span, self.problems)
            yield tuple(found[: len(firsts)]), cell, row

    def _grid(self, section: d.MapSection, letters: dict[str, dict[str, str]]) -> None:
        node, how = self.node, self.how
        if len(section.rows) != node.rows:
            self.problem("E315", f"The grid has {len(section.rows)} rows; the map says {node.rows}.", section.span)
        for number, row in enumerate(section.rows):
            head, _, body = row.text.partition("|")
            printed = number + how.first_row
            if head.strip().lstrip("0") != str(printed).lstrip("0"):
                self.problem("E315", f"This should be row {printed:0{how.digits}}.", row.span)
            found = body.split()
            if len(found) != node.columns:
                message = f"Row {printed:0{how.digits}} has {len(found)} places; the map says {node.columns}."
                self.problem("E315", message, row.span)
            for column, letter in enumerate(found):
                if letter in self.void and column < node.columns:
                    self.data.holes.add((column, number))
                    self.positions.pop(how.label(column, number), None)
                    continue
                if letter not in letters:
                    hint = "Give it a row under `letters:`."
                    self.problem("E316", f"The letter {letter} stands for nothing.", row.span, hint, letter)
                    continue
                self.data.fields[how.label(column, number)] = letters[letter]

    def _named(self, section: d.MapSection) -> None:
        for label, cell, row in self._table(section, (self.info.name,)):
            if not self._is_place(label[0], row.span):
                continue
            name = cell.pop("name", "--")
            if name not in {"--", ""}:
                self.data.names[label[0]] = name.strip('"')
            given = {k: v for k, v in cell.items() if v != "--"}
            self.data.fields[label[0]] = {**self.data.fields[label[0]], **given}

    # ---- what lies where
    def _inside(self, section: d.MapSection, whole: str) -> None:
        """Which place of another map each place lies in: by rows, in runs."""
        if not self.kind.grid:
            for label, _, row in self._table(section, (self.info.name, self.info.holder or "")):
                if self._is_place(label[0], row.span):
                    self.data.inside[label[0]] = label[1]
            return
        for row in section.rows:
            head, _, body = row.text.partition("|")
            rows = _ROWS.fullmatch(head.strip())
            runs = [_RUN.fullmatch(part.strip()) for part in body.split(",")]
            if rows is None or not all(runs):
                hint = "Write rows, then how many places of the row lie where: `01..05 | 10 O-0101, 10 O-0201`."
                self.problem("E332", f"This does not say which of the {whole} each place lies in.", row.span, hint)
                continue
            first, last = int(rows[1]), int(rows[2] or rows[1])
            held = [run[2] for run in runs if run is not None for _ in range(min(int(run[1] or 1), MOST_PLACES))]
            if len(held) != self.node.columns:
                message = f"This gives {len(held)} places of a row; the map has {self.node.columns} columns."
                self.problem("E332", message, row.span)
                continue
            for number in range(first, min(last, first + MOST_PLACES) + 1):
                if not self.how.first_row <= number < self.how.first_row + self.node.rows:
                    self.problem("E332", f"The map has no row {number}.", row.span, word=rows[0])
                    break
                for column, holder in enumerate(held):
                    here = self.how.label(column, number - self.how.first_row)
                    if here in self.positions:
                        self.data.inside[here] = holder
        missing = next((label for label in self.data.fields if label not in self.data.inside), "")
        if missing and not self.problems:
            self.problem("E332", f"It is not said which of the {whole} {missing} lies in.", section.span)

    # ---- what joins places
    def _links(self) -> None:
        own = {f.name: f.type.word for f in self.info.fields.values() if f.type.name == "link"}
        for link in self.node.links:
            if link.link not in own:
                hint = did_you_mean(link.link, own)
                self.problem("E210", f"{link.link} is no link of {an(self.info.name)}.", link.span, hint, link.link)
                continue
            words = self.ruleset.enums[own[link.link]].words if own[link.link] else ()
            if link.word not in (words or ("",)):
                hint = f"Write one of {', '.join(words)} before it." if words else "It has no words of its own."
                message = (
                    f"`{link.word}` is no sort of {link.link}." if link.word else f"Which sort of {link.link} is this?"
                )
                self.problem("E333", message, link.span, hint, link.word or link.link)
                continue
            if sum(not self._is_place(label, link.span) for label in link.places):
                continue
            if self.kind.grid and any(label not in self.positions for label in link.places):
                continue  # the grid has more rows or columns than the map says, which has been told
            if not link.sides:
                pairs = list(zip(link.places, link.places[1:], strict=False))
                apart = next(((a, b) for a, b in pairs if not self._joined(a, b)), None)
                bent = next(((a, b) for a, b in pairs if not self._in_line(a, b)), None)
                if bent is not None and asks(self.ruleset.edition, "straight-links"):
                    message = f"The {link.link} does not run straight from {bent[0]} to {bent[1]}."
                    self.problem("E343", message, link.span, word=bent[1])
                    continue
                if apart is not None:
                    message = f"No way leads from {apart[0]} to {apart[1]}: there is no place between them."
                    self.problem("E342", message, link.span, word=apart[1])
                    continue
                self.data.stretches += [Stretch(link.link, a, b, link.word, not self.kind.grid) for a, b in pairs]
                continue
            for other in link.places[1:]:
                if self._touch(link.places[0], other, link.span):
                    self.data.stretches.append(Stretch(link.link, link.places[0], other, link.word, True))

    def _between(self, section: d.MapSection, kind: KindInfo) -> None:
        for (a, b), cell, row in self._table(section, ("from", "to"), kind):
            if self._is_place(a, row.span) and self._is_place(b, row.span) and self._touch(a, b, row.span):
                self.data.between[(kind.name, a, b)] = cell

    def _in_line(self, a: str, b: str) -> bool:
        """Whether a link can run straight from one place to another; on a drawn map it joins any two."""
        grid = self.kind.grid
        return not grid or in_line(grid, self.kind.corners, self.node.low, self.positions[a], self.positions[b])

    def _joined(self, a: str, b: str) -> bool:
        """Whether a chain of neighbours joins two places of a grid; on one without holes it always does."""
        if not self.data.holes:
            return True
        if not self._part_of:
            self._find_parts()
        return self._part_of[a] == self._part_of[b]

    def _find_parts(self) -> None:
        """Numbers the parts into which holes cut the map."""
        low, corners, grid = self.node.low, self.kind.corners, self.kind.grid or ""
        labels = {position: label for label, position in self.positions.items()}
        steps = [(across, down) for across in (-1, 0, 1) for down in (-1, 0, 1)]
        for part, label in enumerate(self.positions):
            todo = [] if label in self._part_of else [label]
            while todo:
                here = todo.pop()
                self._part_of[here] = part
                at = self.positions[here]
                near = ((at[0] + across, at[1] + down) for across, down in steps)
                touching = (labels[x] for x in near if x in labels and neighbours_on_grid(grid, corners, low, at, x))
                todo += [x for x in touching if x not in self._part_of]

    def _is_place(self, label: str, span: Span) -> bool:
        if label in self.data.fields:
            return True
        near = did_you_mean(label, self.data.fields) if not self.kind.grid else ""
        self.problem("E314", f"The map has no place {label}.", span, near, label)
        return False

    def _touch(self, a: str, b: str, span: Span) -> bool:
        """Whether two places are next to each other; says so when they are not."""
        if self.kind.grid:
            low = self.node.low
            fine = neighbours_on_grid(self.kind.grid, self.kind.corners, low, self.positions[a], self.positions[b])
        else:
            fine = b in self.near.get(a, ())
        if not fine:
            self.problem("E334", f"{a} and {b} are not next to each other.", span, word=b)
        return fine
