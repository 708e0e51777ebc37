"""Emitting names and properties: names, sides, places, fields, holders, options, the calendar."""

# ruff: noqa: D102, ARG002 (visitors: each method is for the class of its argument, and some need nothing of it)

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from dsl import ir
from dsl.data.table_data import TableInfo
from dsl.ir import LAST, E
from dsl.ir.visitor import ExpressionVisitor
from dsl.rules.notation import attribute
from dsl.rules.ruleset import Ruleset
from interpreter.codegen.emitted_code import Words
from interpreter.codegen.python_names import py

__all__ = ["Elsewhere", "PlainEmitter"]


class Elsewhere(Protocol):
    """What computes some expressions elsewhere than in place."""

    def written(self, e: E, by: PlainEmitter) -> str | None:
        """Text that reads the value of an expression; None for what is written in place."""


class PlainEmitter(ExpressionVisitor[str]):
    """Turns bound expressions into Python source. The names it uses are in `HELPERS` of `emitted_code.py`.

    In what it emits `W` is the world, `F` the frame of the routine, locals of values are `l_…`, names in frames `n_…`.

    words: the words of the rules in the text. elsewhere: what computes some expressions elsewhere.
    traced: with an audit trail, which includes everything that a condition over a set evaluates.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        tables: Mapping[str, TableInfo],
        words: Words | None = None,
        *,
        elsewhere: Elsewhere | None = None,
        traced: bool = False,
    ) -> None:
        self.ruleset = ruleset
        self.tables = tables
        self.places_nest = ruleset.nested()
        self.words = words if words is not None else Words()
        self.elsewhere = elsewhere
        self.traced = traced

    def word(self, value: object) -> str:
        """Text for a word of the rules, or a tuple with such: a name that stands for it (`interpreter/codegen/emitted_code.py`)."""
        return self.words.word(value)

    def access(self, where: str) -> str:
        """Text for a frame: `F`, the one above (`F.up`), or the last of a procedure (`last procedure battle`)."""
        key = where.removeprefix(LAST)
        return where if key == where else f"W.last_frame({self.word(key)})"

    def emit(self, e: E) -> str:
        """An expression as Python text."""
        found = self.elsewhere.written(e, self) if self.elsewhere is not None else None
        return self.visit(e) if found is None else found

    def visit_constant(self, e: ir.Constant) -> str:
        return self.word(e.value)

    def visit_local(self, e: ir.Local) -> str:
        return "l_" + py(e.name)

    def visit_frame_name(self, e: ir.FrameName) -> str:
        return f"{self.access(e.frame)}.n_{py(e.name)}"

    def visit_frame_entry(self, e: ir.FrameEntry) -> str:
        return f"{self.access(e.frame)}.n_{py(e.name)}[{self.emit(e.key)}]"

    def visit_active(self, e: ir.Active) -> str:
        return "W.active"

    def visit_acting(self, e: ir.Acting) -> str:
        return f"{self.access(e.frame)}.acting"

    def visit_has_done(self, e: ir.HasDone) -> str:
        return f"W.durations.has_done({self.word(e.orders)}, {self.emit(e.subject)}, {self.word(e.last)}, {self.word(e.period)})"

    def visit_calendar(self, e: ir.Calendar) -> str:
        return f"W.calendar({self.word(e.part)})"

    def visit_phase_is(self, e: ir.PhaseIs) -> str:
        return f"W.in_phase({self.word(e.names)})"

    def visit_phase_now(self, e: ir.PhaseNow) -> str:
        return "W.phase_now()"

    def visit_turn(self, e: ir.Turn) -> str:
        return "W.turn"

    def visit_game(self, e: ir.Game) -> str:
        return "W.game"

    def visit_option_read(self, e: ir.OptionRead) -> str:
        return f"int(O[{self.word(e.name)}])" if e.type.name == "number" else f"O[{self.word(e.name)}]"

    def visit_place_named(self, e: ir.PlaceNamed) -> str:
        return f"W.place({self.word(e.label)})"

    def visit_side_named(self, e: ir.SideNamed) -> str:
        return f"W.by_id[{self.word(e.name)}]"

    def visit_thing_named(self, e: ir.ThingNamed) -> str:
        return f"W.by_id[{self.word(e.name)}]"

    def visit_thing_made(self, e: ir.ThingMade) -> str:
        return f"W.thing_made({self.word(e.name)})"

    def visit_listed(self, e: ir.Listed) -> str:
        return "[" + ", ".join(self.emit(i) for i in e.items) + "]"

    def visit_field(self, e: ir.Field) -> str:
        inner = self.emit(e.holder)
        slot = "name" if e.name == "name" and e.holder.type.name == "thing" else attribute(e.name)
        if e.holder.type.optional:
            return f"maybe({inner}, {self.word(slot)})"
        return f"{inner}.{slot}"

    def visit_must(self, e: ir.Must) -> str:
        first, found = "", e.value
        if isinstance(found, ir.Aggregate) and found.which == "first":
            first, found = "first ", found.base
        match found:
            case ir.Field(name=called) | ir.HolderOf(kind=called) | ir.FrameName(name=called) | ir.Call(name=called):
                return f"present({self.emit(e.value)}, {self.word(first + called)})"
        return f"present({self.emit(e.value)}, {self.word('')})"

    def visit_side_of(self, e: ir.SideOf) -> str:
        inner = self.emit(e.thing)
        return f"maybe({inner}, {self.word('side')})" if e.thing.type.optional else f"{inner}.side"

    def visit_place_of(self, e: ir.PlaceOf) -> str:
        inner = self.emit(e.thing)
        return f"maybe({inner}, {self.word('place')})" if e.thing.type.optional else f"{inner}.place"

    def visit_standing_in(self, e: ir.StandingIn) -> str:
        return f"standing_in({self.emit(e.thing)}, {self.word(e.kind)})"

    def visit_grid_number(self, e: ir.GridNumber) -> str:
        return f"{self.emit(e.place)}.{e.which}"

    def visit_place_between(self, e: ir.PlaceBetween) -> str:
        return f"W.ground.place_between({self.word(e.kind)}, {self.emit(e.one)}, {self.emit(e.other)})"

    def visit_link_from(self, e: ir.LinkFrom) -> str:
        return f"W.ground.link_from({self.word(e.link)}, {self.emit(e.one)}, {self.emit(e.other)})"

    def visit_foe(self, e: ir.Foe) -> str:
        return f"W.foe({self.emit(e.side)})"

    def visit_holder_of(self, e: ir.HolderOf) -> str:
        inner = self.emit(e.held)
        if e.asked:
            return f"holder_if_any({inner}, {self.word(e.kind)})"
        return (
            f"perhaps_holder_of({inner}, {self.word(e.kind)})"
            if e.held.type.optional
            else f"holder_of({inner}, {self.word(e.kind)})"
        )

    def visit_members(self, e: ir.Members) -> str:
        if self.ruleset.sorts(e.kind) != (e.kind,):
            return f"members_of_any({self.emit(e.holder)}, {self.word(self.ruleset.sorts(e.kind))})"
        return f"members_of({self.emit(e.holder)}, {self.word(e.kind)})"

    def visit_column(self, e: ir.Column) -> str:
        return f"{self.emit(e.row)}[{e.index}]"
