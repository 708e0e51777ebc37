"""What a roster that was read back would change: cell by cell against the present game, with all errors at once.

Nothing is changed here: the changes become one ruling of the umpire (`interpreter/play/rosters.py`).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Unpack

from attrs import define, evolve, frozen

from dsl.text.diagnostics import did_you_mean
from interpreter.messages.inputs import Refused
from interpreter.messages.view import View
from interpreter.play.rosters import ColumnView, RosterKind
from interpreter.runtime.refusals import About, Refusal, Why
from ui.cli.plain import one_line
from ui.roster.roster_cells import BadCell, canonical
from ui.roster.roster_files import (
    BELONGS,
    IN_PLAY,
    KIND,
    NAME,
    OWN,
    TYPE,
    RosterCell,
    RosterFile,
    RosterRow,
    cells_of,
    fields_of,
)
from ui.roster.roster_lines import ForceNode, everything, forest, type_of

__all__ = ["Plan", "RosterChange", "plan_of", "told_changes"]

NEW = "new"
"""In the column `in play`: a new part is placed in the game."""
REMARK = "#"
"""A heading that begins with this is a remark of the file's owner."""
SHOWN = 60
OUT = {"no", "false", "0"}


@frozen
class RosterChange:
    """One change. line: the input for the machine; thing, field: what it changes; was, now: for people; where: the cell."""

    line: str
    thing: str
    field: str
    was: str
    now: str
    where: str


@define
class Plan:
    """What a file would change, and what is wrong in it. types: the types of the things, by name.

    absent: what the file removes, though it is not in this game.
    """

    changes: list[RosterChange]
    wrong: list[Refusal]
    types: Mapping[str, str]
    absent: Sequence[str] = ()


def plan_of(
    sheet: RosterFile,
    view: View,
    kinds: Mapping[str, RosterKind],
    trouble: Callable[[Sequence[str]], Sequence[Refused | None]],
) -> Plan:
    """What a file would change.

    Args:
        sheet: the file, read.
        view: the situation, as the umpire sees it.
        kinds: the kinds that can be in a roster.
        trouble: the machine's objections to changes.
    """
    nodes = {node.thing.id: node for node in everything(forest(view))}
    places = [place.label for one in view.maps for place in one.places]
    names = [*(side.id for side in view.sides), *places, *(thing.id for thing in view.things)]
    reader = _Reader(kinds, nodes, {name.lower(): name for name in names}, points_part=sheet.points_part)
    reader.wrong += [_fault(where, message, hint) for where, message, hint in sheet.wrong]
    if reader.headings(sheet):
        reader.rows(sheet.rows)
        reader.put_in_order()
    for change, refused in zip(reader.changes, trouble([one.line for one in reader.changes]), strict=True):
        if refused is not None:
            about: About = {"thing": change.thing, **refused.refusal.about}
            reader.wrong.append(evolve(refused.refusal, place=change.where, about=about))
    reader.wrong.sort(key=_place)
    types = {name: type_of(node.thing) for name, node in nodes.items()}
    return Plan(reader.changes, reader.wrong, types, reader.absent)


def _fault(at: str, message: str, hint: str, kind: Why = Why.NOT_UNDERSTOOD, **about: Unpack[About]) -> Refusal:
    return evolve(kind(message, hint=hint, **about).refusal, place=at)


def _place(wrong: Refusal) -> tuple[int, int, str]:
    """Where something is wrong, in the order of reading: the headings first."""
    found = re.match(r"(?:row|line|table) (\d+)(?:, column ([A-Z]+))?", wrong.place)
    return (int(found[1]), len(found[2] or ""), found[2] or "") if found else (0, 0, "")


class _Reader:
    """Reads the rows of a file against the game."""

    def __init__(
        self,
        kinds: Mapping[str, RosterKind],
        nodes: Mapping[str, ForceNode],
        called: Mapping[str, str],
        *,
        points_part: bool,
    ) -> None:
        self.kinds, self.nodes, self.called, self.points_part = kinds, nodes, called, points_part
        self.ids = {name.lower(): name for name in nodes}
        self.changes: list[RosterChange] = []
        self.wrong: list[Refusal] = []
        self.absent: list[str] = []
        self.seen: dict[str, str] = {}
        self.leaving: set[str] = set()
        self.fields = {name: fields_of(kind) for name, kind in kinds.items()}
        self.known = {*OWN, *(field for fields in self.fields.values() for field in fields)}

    def headings(self, sheet: RosterFile) -> bool:
        """Whether the rows can be read under these headings."""
        known = self.known
        stand: dict[str, str] = {}
        for heading, place in sheet.headings:
            said = f"column {place}" if place != heading else heading[:SHOWN]
            filled = any(row.cells[heading].text for row in sheet.rows if heading in row.cells)
            if heading in stand and heading:
                hint = "Keep one of the two columns."
                message = f"`{heading[:SHOWN]}` is already the heading of column {stand[heading]}."
                self.wrong.append(_fault(said, message, hint, Why.UNCLEAR, name=heading[:SHOWN]))
            elif heading not in known and not heading.startswith(REMARK) and (heading or filled):
                hint = did_you_mean(heading, known) or f"The columns are: {', '.join(sorted(known)[:20])}."
                message = f"A roster has no column `{heading[:SHOWN]}`."
                hint = f"{hint} Begin the heading of a column of your own with {REMARK}."
                self.wrong.append(_fault(said, message, hint, Why.UNKNOWN_NAME, name=heading[:SHOWN]))
            stand[heading] = place
        if NAME not in stand:
            hint = f"Put the headings in the first row and the names under `{NAME}`."
            self.wrong.append(_fault("row 1", f"There is no column `{NAME}`.", hint))
        return NAME in stand

    def rows(self, rows: Sequence[RosterRow]) -> None:
        """Each row."""
        states = [
            (row.cells[NAME].text.lower(), row.cells[IN_PLAY].text.lower())
            for row in rows
            if {NAME, IN_PLAY} <= set(row.cells)
        ]
        self.leaving = {self.ids[name] for name, state in states if state in OUT and name in self.ids}
        for row in rows:
            self._row(row)

    def put_in_order(self) -> None:
        """New parts first, removals last, parts before their wholes."""
        comes = [one for one in self.changes if one.line.startswith("put ")]
        goes = [one for one in self.changes if one.line.startswith("remove ")]
        places = {name: at for at, name in enumerate(self.nodes)}
        goes.sort(key=lambda one: -places[one.thing])
        self.changes = [*comes, *(one for one in self.changes if one not in comes and one not in goes), *goes]

    def _say(self, cell: RosterCell | RosterRow, thing: str, message: str, hint: str = "") -> None:
        self.wrong.append(_fault(cell.where, message, hint, thing=thing))

    def _row(self, row: RosterRow) -> None:
        said = _text(row, NAME)
        name = self.ids.get(said.lower(), "")
        if _text(row, IN_PLAY).lower() == NEW and not name:
            self._new(row, said)
        elif said and not name and _text(row, IN_PLAY).lower() in OUT:
            self.absent.append(one_line(said[:SHOWN]))
        elif not name:
            hint = did_you_mean(said, self.nodes) if said else ""
            hint = f"{hint} For a new part, write `{NEW}` under `{IN_PLAY}`.".strip()
            message = f"There is no {said[:SHOWN]}." if said else "This row has no name."
            self._say(row.cells.get(NAME, row), said[:SHOWN], message, hint)
        elif name in self.seen:
            self._say(row.cells[NAME], name, f"{name} is already in {self.seen[name]}.", "Keep one of the two rows.")
        else:
            self.seen[name] = row.where
            self._known(row, self.nodes[name])

    # ---- existing things
    def _known(self, row: RosterRow, node: ForceNode) -> None:
        kind, name = self.kinds[node.thing.kind], node.thing.id
        now, fields = cells_of(node, kind), self.fields[kind.name]
        for heading, cell in row.cells.items():
            was = now.get(heading)
            if heading == NAME or not cell.known or cell.text == (was or ""):
                continue
            if heading in fields and node.gone:
                self._of_gone(name, fields[heading], cell, was or "")
            elif heading in fields:
                self._field(name, heading, cell, was or "", kind)
            elif heading == IN_PLAY:
                self._in_play(name, cell, gone=node.gone)
            elif heading == BELONGS:
                self._belongs(name, kind, cell, was or "")
            elif heading in {KIND, TYPE}:
                hint = (
                    f"Change it with `ophex override CAMPAIGN '{name} becomes ENTRY'`."
                    if heading == TYPE
                    else f"It is {was}."
                )
                self._say(cell, name, f"A roster cannot change what {name} is made of: it is {was or 'nothing'}.", hint)
            elif cell.text and heading in self.known:
                self._say(cell, name, f"A {kind.name} has no {heading[:SHOWN]}.", "Leave the cell empty.")

    def _of_gone(self, name: str, column: ColumnView, cell: RosterCell, was: str) -> None:
        """A cell of a thing that is out of the game: it may be written differently but must have the same value."""
        try:
            same = canonical(column, cell.text, self.called, points_part=self.points_part) == was
        except BadCell:
            same = False
        if not same:
            message = f"{name} is out of the game: it cannot be changed."
            self._say(cell, name, message, f"It was {was or 'empty'}.")

    def _field(self, name: str, heading: str, cell: RosterCell, was: str, kind: RosterKind) -> None:
        try:
            text = canonical(self.fields[kind.name][heading], cell.text, self.called, points_part=self.points_part)
        except BadCell as bad:
            message = f"{heading} of {name}: {bad.message}."
            self._say(cell, name, message, f"{bad.hint} It was {was or 'empty'}.".strip())
            return
        if text != was:
            self.changes.append(
                RosterChange(f"{heading} of {name}: {text or '--'}", name, heading, was, text, cell.where)
            )

    def _in_play(self, name: str, cell: RosterCell, *, gone: bool) -> None:
        said = cell.text.lower()
        if said not in {"yes", "true", "1", *OUT}:
            self._say(
                cell,
                name,
                f"`{cell.text[:SHOWN]}` is neither yes nor no.",
                f"Write yes or no, or `{NEW}` for a new part.",
            )
        elif (said in OUT) == gone or (gone and self._goes_with_its_whole(name)):
            return
        elif gone:
            hint = f"Add a new part in a row of its own, with `{NEW}` under `{IN_PLAY}`, or use `ophex undo`."
            self._say(cell, name, f"{name} is out of the game and cannot come back.", hint)
        else:
            self.changes.append(RosterChange(f"remove {name}", name, IN_PLAY, "yes", "no", cell.where))

    def _goes_with_its_whole(self, name: str) -> bool:
        """Whether the file removes the whole that something belonged to from the game: that includes its parts."""
        while name in self.nodes and (name := self.nodes[name].thing.holder):
            if name in self.leaving:
                return True
        return False

    def _belongs(self, name: str, kind: RosterKind, cell: RosterCell, was: str) -> None:
        to = self.ids.get(cell.text.lower(), cell.text)
        if to == was:
            return
        if not to or not kind.whole:
            message = f"{name} must belong to something." if kind.whole else f"{name} cannot belong to anything."
            self._say(cell, name, message, f"It was {was or 'empty'}.")
            return
        self.changes.append(RosterChange(f"{kind.whole} of {name}: {to}", name, BELONGS, was, to, cell.where))

    # ---- new parts
    def _new(self, row: RosterRow, said: str) -> None:
        """A row that places a new part in the game: it must contain its entry and its whole."""
        entry = _text(row, TYPE)
        kind = self._kind_of_new(row, said, entry)
        whole = self._whole_of_new(row, said, kind) if kind else ""
        if not kind or not whole:
            return
        name = said or self._free_name(f"{whole}-{entry}")
        self.ids[name.lower()] = name
        self.seen[name] = row.where
        line = f"put {name}: {entry} {kind.name} of {whole}"
        self.changes.append(
            RosterChange(line, name, "", "", f"{entry} {kind.name} of {whole}", row.cells[IN_PLAY].where)
        )
        for heading, cell in row.cells.items():
            if heading in self.fields[kind.name] and cell.text and cell.known:
                self._field(name, heading, cell, "", kind)
            elif cell.text and heading in self.known and heading not in OWN:
                self._say(cell, name, f"A {kind.name} has no {heading[:SHOWN]}.", "Leave the cell empty.")

    def _kind_of_new(self, row: RosterRow, said: str, entry: str) -> RosterKind | None:
        """The kind of part that is made from an entry; a mistake is noted if there is none."""
        able = [kind for kind in self.kinds.values() if kind.part and entry in kind.entries]
        named = _text(row, KIND).lower()
        kind = next((one for one in able if one.name == named or (not named and len(able) == 1)), None)
        if kind is None:
            known = [one for x in self.kinds.values() if x.part and named in {"", x.name} for one in x.entries]
            hint = did_you_mean(entry, known) or f"The entries are: {', '.join(known[:20]) or 'none'}."
            message = (
                f"No part is made from `{entry[:SHOWN]}`." if entry else "A new part must say what it is made from."
            )
            self._say(row.cells.get(TYPE, row), said[:SHOWN], message, hint)
        return kind

    def _whole_of_new(self, row: RosterRow, said: str, kind: RosterKind) -> str:
        """What a new part belongs to; a mistake is noted, and it is empty, if nothing can be added to it."""
        whole = self.ids.get(_text(row, BELONGS).lower(), _text(row, BELONGS))
        cell = row.cells.get(BELONGS, row)
        if not whole:
            self._say(cell, said[:SHOWN], f"A {kind.name} must belong to a {kind.whole}.", "Write its name.")
        elif whole in self.leaving or self._goes_with_its_whole(whole):
            message = f"{whole[:SHOWN]} is removed from the game by this roster: nothing can be added to it."
            self._say(cell, said[:SHOWN], message, "Change one of the two rows back.")
            return ""
        return whole

    def _free_name(self, stem: str) -> str:
        """A name in the form of part names, with the next number."""
        numbers = [
            0,
            *(
                int(one.removeprefix(f"{stem}-"))
                for one in self.ids.values()
                if one.removeprefix(f"{stem}-").isdecimal()
            ),
        ]
        taken = stem in self.ids.values()
        return stem if not taken and numbers == [0] else f"{stem}-{max(*numbers, int(taken)) + 1}"


def _text(row: RosterRow, heading: str) -> str:
    """The text of a row under a heading; empty if it has no such cell."""
    return row.cells[heading].text if heading in row.cells else ""


def told_changes(plan: Plan) -> Iterator[str]:
    """The changes, thing by thing, with the old value before the new one."""
    last = ""
    for one in plan.changes:
        if one.thing != last:
            yield f"{one.thing} ({plan.types[one.thing]}):" if one.thing in plan.types else f"{one.thing}:"
        last = one.thing
        if not one.field:
            yield f"  is placed in the game: {one_line(one.now)}"
        elif one.field == IN_PLAY:
            yield "  is removed from the game"
        else:
            yield f"  {one.field}: {one_line(one.was) or '--'} -> {one_line(one.now) or '--'}"
