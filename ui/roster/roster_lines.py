"""A roster: a force as people know it, one line for each part at the lowest level, under the wholes that it belongs to.

All of it is read from what a side may see (`View`), so a roster reveals nothing that other views do not.
"""

import re
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from campaigns.views.force_forest import ForceNode, NoSuchThing, everything, forest, is_listed, title_of, type_of
from campaigns.views.parts_in_words import PartsOfThings, tracks_of
from interpreter.messages.view import ThingView, View
from ui.cli.playing import UMPIRE, sides_of
from ui.wording.situation import called_side, standing

__all__ = [
    "Block",
    "ForceNode",
    "NoSuchThing",
    "RosterSheet",
    "as_json",
    "everything",
    "forest",
    "is_listed",
    "sheets",
    "text",
    "type_of",
]

SILENT = {"no", "", "--", "none"}
LEAST = 40
"""A roster is never narrower."""
WIDEST = 1_000_000
"""No limit on the width."""
INDENT = "  "


# ---- in print
def text(
    view: View, names: Iterable[str] = (), *, per: str = "", width: int = 80, ascii_only: bool = False
) -> list[str]:
    """The roster, line by line, with no line longer than the width if the names allow it.

    Args:
        view: what the viewer may see.
        names: of which things, or sides; none: of all.
        per: the kind whose things have one line each; what is under them is listed in that line. Empty: the lowest level.
        width: of the page.
        ascii_only: only characters that old terminals support.

    Raises:
        NoSuchThing: the viewer knows of no thing, or kind, that is called so.
    """
    nodes = forest(view, names)
    kinds = tuple(dict.fromkeys(one.thing.kind for one in everything(nodes)))
    if per and per not in kinds:
        raise NoSuchThing(per, kinds)
    titles, lines = sides_of(view), standing(view)
    for side in dict.fromkeys(one.thing.side for one in nodes):
        page = _Page(view, [one for one in nodes if one.thing.side == side], per, max(width, LEAST), ascii_only)
        lines += ["", f"{called_side(side, titles)}:", *page.lines()]
    return lines if nodes else [*lines, "", "There is nothing to list."]


# ---- for a page
@frozen(eq=False)
class Block:
    """Lines under one head: the parts of a squad. head: empty if they are those of the sheet itself; counted: how many are left."""

    head: str
    lines: tuple[tuple[str, ...], ...]
    counted: str


@frozen(eq=False)
class RosterSheet:
    """The roster of one thing that is made of others: what it is, and a line for each of its lowest parts of a kind.

    headings: of the columns; numbers: which of them contain numbers.
    """

    name: str
    side: str
    head: str
    headings: tuple[str, ...]
    numbers: tuple[bool, ...]
    blocks: tuple[Block, ...]


def sheets(view: View) -> list[RosterSheet]:
    """The rosters of everything that is made of parts, as columns, for a page with a layout of its own."""
    nodes = [one for one in forest(view) if one.below and not one.gone]
    found: list[RosterSheet] = []
    for side in dict.fromkeys(one.thing.side for one in nodes):
        page = _Page(view, [one for one in nodes if one.thing.side == side], "", WIDEST, ascii_only=False)
        found += [sheet for node in page.nodes for sheet in page.sheets(node)]
    return found


class _Column:
    """A column of a table: its heading, and its cells, by the names of things."""

    def __init__(self, heading: str, cells: Mapping[str, str]) -> None:
        self.heading, self.cells = heading, cells
        told = cells.values()
        self.right = all(re.fullmatch(r"-?\d+( \d+/\d+|/\d+)?|", cell) for cell in told) and any(told)
        self.width = max(map(len, (heading, *told)))

    def set(self, text: str) -> str:
        """A text as it appears in the column."""
        return f"{text:>{self.width}}" if self.right else f"{text:<{self.width}}"


@frozen(eq=False)
class _Table:
    """The columns of all things of a kind. under: those that do not fit beside the others and appear under each line."""

    columns: tuple[_Column, ...]
    under: tuple[_Column, ...]


def _fitted(columns: list[_Column], wholes: Mapping[str, str], room: int) -> _Table:
    """Columns that fit into a width: first names lose the name of their whole, then columns go under their lines.

    What a thing is made from goes first, then the widest column; its title goes last.
    """

    def too_wide() -> bool:
        return sum(column.width + 2 for column in columns) - 2 > room

    if too_wide():
        short = {name: name.removeprefix(wholes[name]) if wholes[name] else name for name in columns[0].cells}
        columns[0] = _Column(columns[0].heading, short)
    under: list[_Column] = []
    while len(columns) > 1 and too_wide():
        ranks = [(column.heading == "type", column.heading != "title", column.width) for column in columns[1:]]
        under.append(columns.pop(1 + ranks.index(max(ranks))))
    return _Table(tuple(columns), tuple(reversed(under)))


class _Page:
    """The roster of one side."""

    def __init__(self, view: View, nodes: Sequence[ForceNode], per: str, width: int, ascii_only: bool) -> None:
        self.nodes, self.width, self.ascii_only = nodes, width, ascii_only
        self.parts, self.headed = PartsOfThings(view.things), ""
        self.tables: dict[str, _Table] = {}
        self.things = {thing.id: thing for thing in view.things}
        self.of_kind: dict[str, list[ThingView]] = defaultdict(list)
        whole: set[str] = set()
        for one in everything(nodes):
            self.of_kind[one.thing.kind].append(one.thing)
            if one.below:
                whole.add(one.thing.kind)
        self.lowest = {kind for kind in self.of_kind if kind not in whole or kind == per}
        self.fields = {kind: _told_fields(things) for kind, things in self.of_kind.items()}
        self.marks = {kind: _marks(things) for kind, things in self.of_kind.items()}

    def lines(self) -> Iterator[str]:
        """Wholes with their tables, and the totals."""
        for number, node in enumerate(self.nodes):
            self.headed = self.headed if node.thing.kind in self.lowest else ""
            if number and node.below:
                yield ""
            yield from self._group([node], 0)
        yield from self._wrapped(f"Total: {', '.join(self._totals())}", 0)

    def sheets(self, node: ForceNode) -> Iterator[RosterSheet]:
        """A thing as a sheet, one for each kind of its lowest parts; things that it holds and that have parts get sheets of their own."""
        wholes = list(_with_parts(node))
        for kind in self.of_kind:
            groups = [(one, [x for x in one.below if x.thing.part and x.thing.kind == kind]) for one in wholes]
            if kind not in self.lowest or not any(row for _, row in groups):
                continue
            if kind not in self.tables:
                self.tables[kind] = self._table(kind, 0)
            columns = self.tables[kind].columns
            blocks = [self._block("" if one is node else self._head(one), row, columns) for one, row in groups if row]
            headings = tuple(column.heading for column in columns)
            numbers = tuple(column.right for column in columns)
            yield RosterSheet(node.thing.id, node.thing.side, self._head(node), headings, numbers, tuple(blocks))
        for one in node.below:
            if one.below and not one.thing.part and not one.gone:
                yield from self.sheets(one)

    def _block(self, head: str, row: Sequence[ForceNode], columns: Sequence[_Column]) -> Block:
        cells = tuple(tuple(column.cells[x.thing.id] for column in columns) for x in row)
        return Block(head, cells, ", ".join(self._counted(row)))

    def _group(self, nodes: Sequence[ForceNode], depth: int) -> Iterator[str]:
        """Things on one level: those of the lowest level as tables, then the others with what is under them."""
        rows: dict[str, list[ForceNode]] = defaultdict(list)
        for node in nodes:
            if node.thing.kind in self.lowest:
                rows[node.thing.kind].append(node)
        for kind, row in rows.items():
            yield from self._rows(kind, row, depth)
        for node in nodes:
            if node.thing.kind in self.lowest:
                continue
            yield from self._wrapped(self._head(node), depth)
            if not node.gone:  # if it is gone, they are too
                yield from self._group(node.below, depth + 1)

    def _head(self, node: ForceNode) -> str:
        thing = node.thing
        where = "" if thing.part or node.gone else f", in {thing.place}" if thing.place else ", off the map"
        called = [title] if (title := title_of(thing)) else []
        tracks = [f"{name} {drawn}" for name, drawn in tracks_of(thing, ascii_only=self.ascii_only)]
        told = [f"{name} {thing.fields[name]}" for name in self.fields[thing.kind] if self._speaks(thing, name)]
        if node.gone:
            tracks, told = [], []
        return f"{thing.id}: {'; '.join([*called, f'{type_of(thing)}{where}', *self._state(node), *tracks, *told])}"

    def _speaks(self, thing: ThingView, name: str) -> bool:
        """Whether a field of a thing is listed: it is neither a track nor a mark, and not empty."""
        return (
            name not in {*thing.tracks, *thing.boxes}
            and name not in self.marks[thing.kind]
            and self._cell(thing, name) != ""
        )

    def _cell(self, thing: ThingView, name: str) -> str:
        value = thing.fields.get(name, "")
        return "" if value in SILENT else value

    def _state(self, node: ForceNode) -> list[str]:
        """The marks of a thing in words; of one that is gone, that it is."""
        thing, marks = node.thing, self.marks[node.thing.kind]
        if node.gone:
            return ["gone"]
        return [name if thing.fields[name] == "yes" else f"not {name}" for name in marks if self._tells(thing, name)]

    def _tells(self, thing: ThingView, name: str) -> bool:
        """Whether a mark is worth mentioning: it is on, or it is unusual."""
        return thing.fields.get(name) == "yes" or (thing.fields.get(name) == "no" and name in thing.changed)

    def _rows(self, kind: str, nodes: Sequence[ForceNode], depth: int) -> Iterator[str]:
        """Things of one kind, a line each, under the headings of their columns."""
        indent, table = INDENT * (depth + 1), self.tables.get(kind)
        if table is None:
            table = self.tables[kind] = self._table(kind, len(indent))
        if self.headed != kind:
            yield f"{indent}{'  '.join(column.set(column.heading) for column in table.columns)}".rstrip()
        self.headed = kind
        for node in nodes:
            name = node.thing.id
            yield f"{indent}{'  '.join(column.set(column.cells[name]) for column in table.columns)}".rstrip()
            under = [f"{column.heading} {column.cells[name]}" for column in table.under if column.cells[name]]
            if under:
                yield from self._wrapped("; ".join(under), depth + 3)
        counted = list(self._counted(nodes)) if len(nodes) > 1 else []
        if counted:
            yield from self._wrapped(", ".join(counted), depth + 1)

    def _table(self, kind: str, indent: int) -> _Table:
        """The columns for all things of a kind."""
        nodes = [node for node in everything(self.nodes) if node.thing.kind == kind]
        things = {node.thing.id: node.thing for node in nodes}
        columns = [_Column(kind, {name: name for name in things})]
        columns.append(_Column("title", {name: title_of(thing) for name, thing in things.items()}))
        types = {name: thing.template if thing.template not in name else "" for name, thing in things.items()}
        columns.append(_Column("type", types))
        drawn = {
            name: dict(tracks_of(thing, ascii_only=self.ascii_only, unfilled=True)) for name, thing in things.items()
        }
        for field in self.fields[kind]:
            if field not in self.marks[kind] and not any(field in thing.carried for thing in things.values()):
                cells = {name: drawn[name].get(field, self._cell(thing, field)) for name, thing in things.items()}
                columns.append(_Column(field, cells))
        columns.append(_Column("state", {node.thing.id: ", ".join(self._state(node)) for node in nodes}))
        columns.append(_Column("carries", {node.thing.id: self._carries(node) for node in nodes}))
        columns = [columns[0], *(column for column in columns[1:] if any(column.cells.values()))]
        return _fitted(columns, {name: thing.holder for name, thing in things.items()}, self.width - indent)

    def _carries(self, node: ForceNode) -> str:
        """What a thing has with it: the values of such fields, and what is under it if that has no lines of its own."""
        if node.gone:
            return ""
        held = (self._cell(node.thing, name) for name in node.thing.carried)
        return ", ".join([*filter(None, held), *map(str, self.parts.lines(node.thing))])

    def _counted(self, nodes: Sequence[ForceNode]) -> Iterator[str]:
        """For each entry, how many are left of how many."""
        above = self.things.get(nodes[0].thing.holder)
        entries = {node.thing.template or node.thing.kind for node in nodes}
        for line in self.parts.lines(above) if above is not None else ():
            if not line.depth and line.name in entries:
                yield str(line)

    def _totals(self) -> Iterator[str]:
        """For each kind, how many there are of how many, and in which state that they did not begin in."""
        nodes = list(everything(self.nodes))
        for kind in self.of_kind:
            mine = [node for node in nodes if node.thing.kind == kind]
            there = [node for node in mine if not node.gone]
            states = Counter(
                word for node in there for word in self._state(node) if word.removeprefix("not ") in node.thing.changed
            )
            told = f" ({', '.join(f'{number} {word}' for word, number in states.items())})" if states else ""
            yield f"{kind} {len(there)}/{len(mine)}{told}"

    def _wrapped(self, line: str, depth: int) -> list[str]:
        indent = INDENT * depth
        return textwrap.wrap(
            line, self.width, initial_indent=indent, subsequent_indent=f"{indent}    ", break_on_hyphens=False
        )


def _with_parts(node: ForceNode) -> Iterator[ForceNode]:
    """A thing, and those of its parts that still exist, with their parts."""
    yield node
    for one in node.below:
        if one.thing.part and not one.gone:
            yield from _with_parts(one)


def _told_fields(things: Sequence[ThingView]) -> list[str]:
    """The fields in which things of a kind differ, in their order: without those that are the same for all, and usual."""
    order: list[str] = []
    for thing in things:
        at = 0
        for name in thing.fields:
            if name not in order:
                order.insert(at, name)
            at = order.index(name) + 1
    return [name for name in order if name != "title" and not _is_constant(name, things)]


def _is_constant(name: str, things: Sequence[ThingView]) -> bool:
    values = {thing.fields.get(name, "") for thing in things}
    if values <= SILENT:
        return not any(name in thing.changed or name in thing.tracks for thing in things)
    same = len(things) > 1 and len(values) == 1
    return same and not any(name in thing.changed or name in thing.tracks for thing in things)


def _marks(things: Sequence[ThingView]) -> list[str]:
    """The fields that are yes or no in all things that have them."""
    names = dict.fromkeys(name for thing in things for name in thing.fields)
    return [name for name in names if all(thing.fields.get(name, "no") in {"yes", "no"} for thing in things)]


# ---- for programs
def as_json(view: View, nodes: Iterable[ForceNode]) -> dict[str, Any]:
    """The roster as `ophex roster --json` prints it."""
    return {
        "as": view.side or UMPIRE,
        "turn": view.turn,
        "things": [
            {
                "name": node.thing.id,
                "title": node.thing.fields.get("title", ""),
                "kind": node.thing.kind,
                "type": node.thing.template,
                "side": node.thing.side,
                "place": node.thing.place,
                "whole": node.thing.holder,
                "in_play": not node.gone,
                "fields": {name: value for name, value in node.thing.fields.items() if name != "title"},
                "changed": list(node.thing.changed),
                "tracks": dict(node.thing.tracks),
                "made": [list(one) for one in node.thing.made],
            }
            for node in everything(nodes)
        ],
    }
