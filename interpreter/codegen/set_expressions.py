"""Emitting sets: things in places, subsets, and aggregates."""

# ruff: noqa: D102, ARG002 (visitors: each method is for the class of its argument, and some need nothing of it)

from __future__ import annotations

from dsl import ir
from dsl.ir import E
from interpreter.codegen.plain_expressions import PlainEmitter
from interpreter.codegen.python_names import py

__all__ = ["SetEmitter"]

MOST_OF = {"highest": "max", "lowest": "min"}
"""Which of some numbers or words, and Python's function that finds it if all of them are present."""


class SetEmitter(PlainEmitter):
    """Turns expressions that iterate over sets into Python source."""

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
        return f"[x for p in {self._places_and_parts(e)} for x in p.things if {self._of_sort('x', e.kind)}{test}]"

    def _places_and_parts(self, e: ir.ThingsNear) -> str:
        """The places where things are looked for, with the places within them."""
        if e.near == "in" and e.place.type.name == "set" and self.places_nest:
            return f"whole_places({self.emit(e.place)})"
        places = self._places(e.near, e.place, e.amount)
        return f"with_parts({places})" if self.places_nest else places

    def _of_sort(self, inner: str, kind: str) -> str:
        """Text that tests whether something is of a kind, or of one in a group."""
        sorts = self.ruleset.sorts(kind)
        return f"{inner}.kind == {self.word(kind)}" if sorts == (kind,) else f"{inner}.kind in {self.word(sorts)}"

    def _with_parts(self, sorts: tuple[str, ...], whose: str, side: E | None, places: str) -> str:
        """The things in some places, of kinds of which some are parts: these are found through their wholes."""
        places = f"with_parts({places})" if self.places_nest else places
        found = f"things_here({places}, {self.word(sorts)})"
        if not whose or side is None:
            return found
        return f"[x for x in {found} if x.side {'is' if whose == 'own' else 'is not'} {self.emit(side)}]"

    def _is_place(self, e: E) -> bool:
        """Whether an expression is certainly a place, rather than a thing in one."""
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
        listed = e.base.items if isinstance(e.base, ir.Listed) else ()
        if e.which in MOST_OF and e.scale is None and len(listed) > 1 and not any(_may_lack(x) for x in listed):
            return f"{MOST_OF[e.which]}({', '.join(self.emit(x) for x in listed)})"
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


def _may_lack(e: E) -> bool:
    """Whether an item of a list may be absent, or be several."""
    return e.type.optional or e.type.name == "set"
