"""Emitting expressions: one method for each operation that the rules makes, each giving Python source text."""

# ruff: noqa: D102, ARG002 (visitors: each method is for the class of its argument, and some need nothing of it)

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from dsl import ir
from dsl.data.naming import names_things
from dsl.data.table_data import TableInfo
from dsl.ir import LAST, E
from dsl.ir.visitor import ExpressionVisitor
from dsl.rules.entries import entries_of
from dsl.rules.notation import attribute
from dsl.rules.ruleset import Ruleset
from interpreter.codegen.emitted_code import UnknownCode, Words


@functools.cache
def py(name: str) -> str:
    """A name of the language as part of a Python name. Raises UnknownCode for what cannot be part of one."""
    part = name.replace("-", "_").replace(".", "_")
    if not (part.isascii() and part.replace("_", "0").isalnum()) and part:
        raise UnknownCode(f"the name {name!r}")
    return part


def printed_name(kind: str, field: str) -> str:
    """The name under which emitted code has what is printed in a field of the entries of a kind, by entry."""
    return f"P_{py(kind)}__{py(field)}"


SUMS = {"+": "plus", "-": "minus"}
"""What adds and subtracts exactly, and gives an int where the result is whole."""


def is_whole(e: E) -> bool:
    """Whether an expression is a whole number that stands in the rule text: what it is added to stays as whole as it was."""
    return isinstance(e, ir.Constant) and type(e.value) is int


def is_fixed(e: E) -> bool:
    """Whether an expression is made of what stands in the rule text alone, so that Python may see it as a literal."""
    inner = [x for x in ir.inner(e) if isinstance(x, E)]
    return isinstance(e, ir.Constant) or (bool(inner) and all(map(is_fixed, inner)))


class ExpressionEmitter(ExpressionVisitor[str]):
    """Turns bound expressions into Python source. The names it uses are in `HELPERS` of `emitted_code.py`.

    In what it emits `W` is the world, `F` the frame of the routine, locals of values are `l_…`, names in frames `n_…`.
    traced: with an audit trail, which tells of all that a condition over a set asks about.
    """

    traced = False

    def __init__(self, ruleset: Ruleset, tables: Mapping[str, TableInfo]) -> None:
        self.ruleset = ruleset
        self.tables = tables
        self.needed_tables: set[str] = set()
        self.places_nest = ruleset.nested()
        self.words = Words()

    def word(self, value: Any) -> str:
        """Text for a word of the rules, or a tuple with such: a name that stands for it (`interpreter/codegen/emitted_code.py`)."""
        return self.words.word(value)

    def access(self, where: str) -> str:
        """Text for a frame: `F`, the one above (`F.up`), or the last of a procedure (`last procedure battle`)."""
        key = where.removeprefix(LAST)
        return where if key == where else f"W.last_frame({self.word(key)})"

    def emit(self, e: E) -> str:
        """An expression as Python text."""
        return self.visit(e)

    # ---- plain things
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

    # ---- properties
    def visit_field(self, e: ir.Field) -> str:
        inner = self.emit(e.holder)
        slot = "name" if e.name == "name" and e.holder.type.name == "thing" else attribute(e.name)
        if e.holder.type.optional:
            return f"maybe({inner}, {self.word(slot)})"
        return f"{inner}.{slot}"

    def visit_must(self, e: ir.Must) -> str:
        match e.value:
            case ir.Field(name=called) | ir.HolderOf(kind=called) | ir.FrameName(name=called) | ir.Call(name=called):
                return f"present({self.emit(e.value)}, {self.word(called)})"
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

    # ---- sets
    def visit_all_of(self, e: ir.AllOf) -> str:
        if not e.whose or e.side is None:
            return f"W.all_of({self.word(e.kind)})"
        sign = "is" if e.whose == "own" else "is not"
        if e.kind == "side":
            return f"[x for x in W.all_of({self.word(e.kind)}) if x {sign} {self.emit(e.side)}]"
        return f"[x for x in W.all_of({self.word(e.kind)}) if x.side {sign} {self.emit(e.side)}]"

    def visit_things_near(self, e: ir.ThingsNear) -> str:
        test = ""
        sorts = self.ruleset.sorts(e.kind)
        if any(self.ruleset.kinds[k].part for k in sorts):
            return self._with_parts(sorts, e.whose, e.side, self._places(e.near, e.place, e.amount))
        if e.whose and e.side is not None:
            test = f" and x.side {'is' if e.whose == 'own' else 'is not'} {self.emit(e.side)}"
        if e.near == "in" and self._is_place(e.place) and not self.places_nest:
            return f"[x for x in {self.emit(e.place)}.things if {self._of_sort('x', e.kind)}{test}]"
        places = self._places(e.near, e.place, e.amount)
        if self.places_nest:
            places = f"with_parts({places})"
        return f"[x for p in {places} for x in p.things if {self._of_sort('x', e.kind)}{test}]"

    def _of_sort(self, inner: str, kind: str) -> str:
        """Text that asks whether something is of a kind, or of one in a group."""
        sorts = self.ruleset.sorts(kind)
        return f"{inner}.kind == {self.word(kind)}" if sorts == (kind,) else f"{inner}.kind in {self.word(sorts)}"

    def _with_parts(self, sorts: tuple[str, ...], whose: str, side: E | None, places: str) -> str:
        """What stands in some places, of kinds of which some are parts: these are found through their wholes."""
        places = f"with_parts({places})" if self.places_nest else places
        found = f"things_here({places}, {self.word(sorts)})"
        if not whose or side is None:
            return found
        return f"[x for x in {found} if x.side {'is' if whose == 'own' else 'is not'} {self.emit(side)}]"

    def _is_place(self, e: E) -> bool:
        """Whether an expression is sure to be a place, rather than what may stand in one."""
        kind = self.ruleset.kinds.get(e.type.word) if e.type.name == "thing" else None
        return kind is not None and kind.word == "place" and not e.type.optional

    def _places(self, near: str, arg: E, amount: E | None) -> str:
        inner = self.emit(arg)
        one = arg.type.name != "set"
        if near == "in":
            return f"place_set({inner})" if not one else f"one_place({inner})"
        if near == "next":
            return f"next_to({inner})" if one else f"next_to_any({inner})"
        assert amount is not None
        return (
            f"W.ground.within({inner}, {self.emit(amount)})"
            if one
            else f"W.ground.within_any({inner}, {self.emit(amount)})"
        )

    def visit_places_near(self, e: ir.PlacesNear) -> str:
        return f"list({self._places(e.near, e.place, e.amount)})"

    def visit_near(self, e: ir.Near) -> str:
        return f"{'lie_in' if self.places_nest else 'stand_in'}({self.emit(e.base)}, {self._places(e.near, e.place, e.amount)})"

    def visit_of_kind(self, e: ir.OfKind) -> str:
        return f"[x for x in {self.emit(e.base)} if {self._of_sort('x', e.kind)}]"

    def visit_straight_line(self, e: ir.StraightLine) -> str:
        return f"W.ground.line({self.emit(e.one)}, {self.emit(e.other)})"

    def visit_ends_of(self, e: ir.EndsOf) -> str:
        return f"W.ground.ends_of({self.emit(e.between)})"

    def visit_places_between(self, e: ir.PlacesBetween) -> str:
        return f"W.ground.places_between({self.word(e.kind)}, {self.emit(e.place)})"

    def visit_filter(self, e: ir.Filter) -> str:
        name = "l_" + py(e.variable)
        return f"[{name} for {name} in {self.emit(e.base)} if {self.emit(e.condition)}]"

    def visit_map_over(self, e: ir.MapOver) -> str:
        if e.flat:
            return f"[y for l_{py(e.variable)} in {self.emit(e.base)} for y in {self.emit(e.body)}]"
        return f"[{self.emit(e.body)} for l_{py(e.variable)} in {self.emit(e.base)}]"

    def visit_together(self, e: ir.Together) -> str:
        return f"union({self.emit(e.left)}, {self.emit(e.right)})"

    def visit_leave_out(self, e: ir.LeaveOut) -> str:
        return f"leave_out({self.emit(e.base)}, {self.emit(e.less)})"

    def visit_beside(self, e: ir.Beside) -> str:
        helper = "come_after" if e.which == "after" else "come_before"
        return f"{helper}({self.emit(e.base)}, {self.emit(e.one)})"

    def visit_held_by(self, e: ir.HeldBy) -> str:
        return f"held_by({self.emit(e.base)}, {self.emit(e.holder)})"

    def visit_sides_in_turn(self, e: ir.SidesInTurn) -> str:
        return "W.sides_in_turn(F.acting)"

    def visit_aggregate(self, e: ir.Aggregate) -> str:
        inner = self.emit(e.base)
        if e.which == "count":
            return f"len({inner})"
        if e.which == "sum":
            if isinstance(e.base, ir.MapOver) and not e.base.flat and inner.startswith("["):
                return f"sum_of({inner[1:-1]})"
            return f"sum_of({inner})"
        if e.which == "first":
            return f"first_of({inner})"
        if e.which == "average":
            return f"average_of({inner})"
        if e.scale is not None:
            return f"{e.which}_word({inner}, RANK[{self.word(e.scale)}])"
        return f"{e.which}_of({inner})"

    def visit_prevailing(self, e: ir.Prevailing) -> str:
        name = "l_" + py(e.variable)
        row = ", ".join(self.emit(x) for x in (e.value, *e.weights))
        rank = f"RANK[{self.word(e.scale)}]" if e.scale else "None"
        return f"prevailing_of([({row}) for {name} in {self.emit(e.base)}], {self.word(e.last)}, {rank})"

    def visit_extremes(self, e: ir.Extremes) -> str:
        name = "l_" + py(e.variable)
        rank = f"RANK[{self.word(e.scale)}]" if e.scale else "None"
        return f"extremes_of([({name}, {self.emit(e.value)}) for {name} in {self.emit(e.base)}], {self.word(e.which)}, {rank})"

    def _may_hold_none(self, arg: E) -> bool:
        if isinstance(arg, ir.MapOver):
            body = arg.body
            return bool(body.type.optional)
        if isinstance(arg, ir.Listed):
            return any(a.type.optional for a in arg.items)
        return not isinstance(arg, ir.AllOf | ir.ThingsNear | ir.Filter)

    # ---- arithmetic
    def visit_arithmetic(self, e: ir.Arithmetic) -> str:
        left, right = self.emit(e.left), self.emit(e.right)
        if e.sign == "*":
            return f"times({left}, {right})"
        if e.sign == "/":
            return f"divide({left}, {right})"
        if e.sign == "percent":
            return f"divide(times({left}, {right}), 100)"
        if is_whole(e.left) or is_whole(e.right):
            return f"({left} {e.sign} {right})"
        return f"{SUMS[e.sign]}({left}, {right})"

    def visit_negative(self, e: ir.Negative) -> str:
        return f"(-{self.emit(e.value)})"

    def visit_odds(self, e: ir.Odds) -> str:
        return f"odds({self.emit(e.left)}, {self.emit(e.right)})"

    def visit_distance(self, e: ir.Distance) -> str:
        return f"W.ground.distance({self.emit(e.one)}, {self.emit(e.other)})"

    def visit_bearing(self, e: ir.Bearing) -> str:
        return f"W.ground.bearing({self.emit(e.one)}, {self.emit(e.other)})"

    def visit_direction(self, e: ir.Direction) -> str:
        return f"W.ground.direction({self.emit(e.one)}, {self.emit(e.other)})"

    def visit_steps(self, e: ir.Steps) -> str:
        return f"(RANK[{self.word(e.scale)}][{self.emit(e.other)}] - RANK[{self.word(e.scale)}][{self.emit(e.one)}])"

    def visit_moved(self, e: ir.Moved) -> str:
        return (
            f"moved(WORDS[{self.word(e.scale)}], RANK[{self.word(e.scale)}], {self.emit(e.word)}, {self.emit(e.steps)})"
        )

    def visit_scale_for(self, e: ir.ScaleFor) -> str:
        return f"scale_{e.way}(STEPS[{self.word(e.scale)}], {self.emit(e.number)})"

    def visit_otherwise(self, e: ir.Otherwise) -> str:
        return f"otherwise({self.emit(e.value)}, {self.emit(e.other)})"

    def visit_look_up(self, e: ir.LookUp) -> str:
        self.needed_tables.add(e.table)
        table = self.tables[e.table]
        parts = []
        for key, value in zip(table.keys, e.keys, strict=True):
            text = self.emit(value)
            if key.type.name == "number":
                if key.rounded:
                    text = f"round_{key.rounded}({text})"
                if key.low is not None:
                    text = f"kept({text}, {self.word(key.low)}, {self.word(key.high)})"
            elif key.low is not None and key.type.name == "enum":
                text = (
                    f"kept_word({text}, RANK[{self.word(key.type.word)}], {self.word(key.low)}, {self.word(key.high)})"
                )
            parts.append(text)
        return f"T_{py(e.table)}({', '.join(parts)})"

    # ---- dice
    def visit_many_dice(self, e: ir.ManyDice) -> str:
        return f"many_dice({self.emit(e.count)}, {self.word(e.one)})"

    def visit_dice_of_word(self, e: ir.DiceOfWord) -> str:
        return f"dice_of_word({self.emit(e.word)})"

    def visit_dice_figure(self, e: ir.DiceFigure) -> str:
        return f"dice_figure({self.emit(e.dice)}, {self.word(e.which)})"

    def visit_best_dice(self, e: ir.BestDice) -> str:
        return f"best_dice({self.emit(e.base)}, {self.word(e.which)})"

    def visit_chance(self, e: ir.Chance) -> str:
        raise UnknownCode("a chance over dice that are still to come, before it was worked out")

    def visit_dice_sums(self, e: ir.DiceSums) -> str:
        return f"dice_sums({self.emit(e.dice)})"

    def visit_dice_chance(self, e: ir.DiceChance) -> str:
        return f"dice_chance({self.emit(e.dice)}, {self.emit(e.shown)})"

    # ---- calls
    def visit_call(self, e: ir.Call) -> str:
        inner = [self.emit(a) for a in e.arguments]
        if e.frame is not None:
            inner.insert(0, self.access(e.frame))
        return f"v_{py(e.name)}({', '.join(inner)})"

    def visit_path_exists(self, e: ir.PathExists) -> str:
        return f"W.way_exists({self.word(e.name)}, ({''.join(self.emit(a) + ', ' for a in e.arguments)}))"

    def visit_path_cost(self, e: ir.PathCost) -> str:
        return f"W.way_cost({self.word(e.name)}, ({''.join(self.emit(a) + ', ' for a in e.arguments)}), {self.emit(e.goal)})"

    # ---- conditions
    def visit_or(self, e: ir.Or) -> str:
        return "(" + " or ".join(self.emit(i) for i in e.items) + ")"

    def visit_and(self, e: ir.And) -> str:
        return "(" + " and ".join(self.emit(i) for i in e.items) + ")"

    def visit_not(self, e: ir.Not) -> str:
        return f"(not {self.emit(e.item)})"

    def visit_word_is(self, e: ir.WordIs) -> str:
        return self.is_word(e.subject, e.words)

    def visit_word_of(self, e: ir.WordOf) -> str:
        return self.is_word(e.subject, e.words)

    def is_word(self, subject: E, words: tuple[str, ...]) -> str:
        """Text that asks whether a value is one of some words."""
        inner = self.emit(subject)
        return f"({inner} == {self.word(words[0])})" if len(words) == 1 else f"({inner} in {self.word(words)})"

    def visit_equal(self, e: ir.Equal) -> str:
        sign = "is" if e.left.type.name == "thing" else "=="
        return f"({self.emit(e.left)} {sign} {self.emit(e.right)})"

    def visit_same_set(self, e: ir.SameSet) -> str:
        return f"same_members({self.emit(e.left)}, {self.emit(e.right)})"

    def visit_printed_as(self, e: ir.PrintedAs) -> str:
        return f"printed_as({self.emit(e.value)}, {self.word(e.wanted)})"

    def visit_is_absent(self, e: ir.IsAbsent) -> str:
        sign = "==" if is_fixed(e.value) else "is"  # Python warns of `3 is None`
        return f"({self.emit(e.value)} {sign} None)"

    def visit_is_there(self, e: ir.IsThere) -> str:
        if e.value.type.name == "set":
            lazy = self._one_by_one(e.value)
            return f"any(True for y in {lazy})" if lazy else f"bool({self.emit(e.value)})"
        return f"({self.emit(e.value)} is not None)"

    def _one_by_one(self, e: E) -> str:
        """A set as what comes one after the other, of which no more is worked out than is looked at; "" for what is there whole."""
        if self.traced or not isinstance(e, ir.Filter | ir.MapOver):  # who explains tells all
            return ""
        return f"({self.emit(e).removeprefix('[').removesuffix(']')})"

    def visit_kind_is(self, e: ir.KindIs) -> str:
        return f"({self._of_sort(self.emit(e.thing), e.kind)})"

    def visit_entry_of(self, e: ir.EntryOf) -> str:
        return f"({self.emit(e.holder)}.template or None)"

    def visit_entry_field(self, e: ir.EntryField) -> str:
        if names_things(e.type) or not entries_of(self.ruleset, e.kind) or e.name.startswith("full "):
            return f"W.maker.of_entry({self.word(e.kind)}, {self.emit(e.entry)}, {self.word(e.name)})"
        return f"{printed_name(e.kind, e.name)}[{self.emit(e.entry)}]"

    def visit_text_of(self, e: ir.TextOf) -> str:
        return self.emit(e.entry)

    def visit_template_is(self, e: ir.TemplateIs) -> str:
        return f"({self.emit(e.thing)}.template == {self.word(e.entry)})"

    def visit_quantified(self, e: ir.Quantified) -> str:
        lazy = self._one_by_one(e.base) if e.quantifier != "most" else ""
        loop = f"for l_{py(e.variable)} in {lazy or self.emit(e.base)}"
        test = self.emit(e.condition)
        if e.quantifier == "any":
            return f"any({test} {loop})"
        if e.quantifier == "every":
            return f"all({test} {loop})"
        if e.quantifier == "no":
            return f"(not any({test} {loop}))"
        return f"most([{test} {loop}])"

    def visit_compare(self, e: ir.Compare) -> str:
        return f"({self.emit(e.left)} {e.sign} {self.emit(e.right)})"

    def visit_compare_words(self, e: ir.CompareWords) -> str:
        return f"(RANK[{self.word(e.scale)}][{self.emit(e.left)}] {e.sign} RANK[{self.word(e.scale)}][{self.emit(e.right)}])"

    def visit_member(self, e: ir.Member) -> str:
        return f"({self.emit(e.one)} in {self.emit(e.base)})"

    def visit_is_placed(self, e: ir.IsPlaced) -> str:
        return f"{'lies' if self.places_nest else 'stands'}({self.emit(e.subject)}, {self._places(e.near, e.place, e.amount)})"

    def visit_linked(self, e: ir.Linked) -> str:
        return f"W.ground.linked({self.word(e.link)}, {self.emit(e.one)}, {self.emit(e.other)})"

    def visit_on_link(self, e: ir.OnLink) -> str:
        return f"W.ground.on_link({self.word(e.link)}, {self.emit(e.subject)})"

    def visit_numbers(self, e: ir.Numbers) -> str:
        return f"numbers_from({self.emit(e.low)}, {self.emit(e.high)})"

    def visit_on_edge(self, e: ir.OnEdge) -> str:
        return f"W.ground.on_edge({self.word(e.edge)}, {self.emit(e.subject)})"
