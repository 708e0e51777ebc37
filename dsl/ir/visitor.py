"""The visitor of expressions: code that handles all expressions derives from it. `statement_visitor` is the one for statements.

A visitor that lacks a method cannot be instantiated, and the type check names the class that it has forgotten.
"""

from __future__ import annotations

import abc
import functools
from typing import Generic, TypeVar

from dsl.ir import calls, conditions, named, numbers, properties, sets
from dsl.ir.expression import Expression

T = TypeVar("T")


def in_small(word: str) -> str:
    """`FrameName` as `frame_name`."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in word).removeprefix("_")


@functools.cache
def method_for(name: str) -> str:
    """The method of a visitor for the class with a name."""
    return f"visit_{in_small(name)}"


class ExpressionVisitor(abc.ABC, Generic[T]):
    """Turns each expression into a T."""

    def visit(self, e: Expression) -> T:
        """The result for an expression."""
        made: T = getattr(self, method_for(type(e).__name__))(e)
        return made

    @abc.abstractmethod
    def visit_constant(self, e: named.Constant) -> T: ...

    @abc.abstractmethod
    def visit_local(self, e: named.Local) -> T: ...

    @abc.abstractmethod
    def visit_frame_name(self, e: named.FrameName) -> T: ...

    @abc.abstractmethod
    def visit_frame_entry(self, e: named.FrameEntry) -> T: ...

    @abc.abstractmethod
    def visit_active(self, e: named.Active) -> T: ...

    @abc.abstractmethod
    def visit_acting(self, e: named.Acting) -> T: ...

    @abc.abstractmethod
    def visit_has_done(self, e: named.HasDone) -> T: ...

    @abc.abstractmethod
    def visit_calendar(self, e: named.Calendar) -> T: ...

    @abc.abstractmethod
    def visit_phase_is(self, e: named.PhaseIs) -> T: ...

    @abc.abstractmethod
    def visit_phase_now(self, e: named.PhaseNow) -> T: ...

    @abc.abstractmethod
    def visit_turn(self, e: named.Turn) -> T: ...

    @abc.abstractmethod
    def visit_game(self, e: named.Game) -> T: ...

    @abc.abstractmethod
    def visit_option_read(self, e: named.OptionRead) -> T: ...

    @abc.abstractmethod
    def visit_place_named(self, e: named.PlaceNamed) -> T: ...

    @abc.abstractmethod
    def visit_side_named(self, e: named.SideNamed) -> T: ...

    @abc.abstractmethod
    def visit_thing_named(self, e: named.ThingNamed) -> T: ...

    @abc.abstractmethod
    def visit_thing_made(self, e: named.ThingMade) -> T: ...

    @abc.abstractmethod
    def visit_listed(self, e: named.Listed) -> T: ...

    @abc.abstractmethod
    def visit_field(self, e: properties.Field) -> T: ...

    @abc.abstractmethod
    def visit_must(self, e: properties.Must) -> T: ...

    @abc.abstractmethod
    def visit_side_of(self, e: properties.SideOf) -> T: ...

    @abc.abstractmethod
    def visit_place_of(self, e: properties.PlaceOf) -> T: ...

    @abc.abstractmethod
    def visit_standing_in(self, e: properties.StandingIn) -> T: ...

    @abc.abstractmethod
    def visit_grid_number(self, e: properties.GridNumber) -> T: ...

    @abc.abstractmethod
    def visit_place_between(self, e: properties.PlaceBetween) -> T: ...

    @abc.abstractmethod
    def visit_link_from(self, e: properties.LinkFrom) -> T: ...

    @abc.abstractmethod
    def visit_foe(self, e: properties.Foe) -> T: ...

    @abc.abstractmethod
    def visit_holder_of(self, e: properties.HolderOf) -> T: ...

    @abc.abstractmethod
    def visit_members(self, e: properties.Members) -> T: ...

    @abc.abstractmethod
    def visit_column(self, e: properties.Column) -> T: ...

    @abc.abstractmethod
    def visit_entry_of(self, e: properties.EntryOf) -> T: ...

    @abc.abstractmethod
    def visit_entry_field(self, e: properties.EntryField) -> T: ...

    @abc.abstractmethod
    def visit_text_of(self, e: properties.TextOf) -> T: ...

    @abc.abstractmethod
    def visit_all_of(self, e: sets.AllOf) -> T: ...

    @abc.abstractmethod
    def visit_things_near(self, e: sets.ThingsNear) -> T: ...

    @abc.abstractmethod
    def visit_places_near(self, e: sets.PlacesNear) -> T: ...

    @abc.abstractmethod
    def visit_near(self, e: sets.Near) -> T: ...

    @abc.abstractmethod
    def visit_of_kind(self, e: sets.OfKind) -> T: ...

    @abc.abstractmethod
    def visit_straight_line(self, e: sets.StraightLine) -> T: ...

    @abc.abstractmethod
    def visit_ends_of(self, e: sets.EndsOf) -> T: ...

    @abc.abstractmethod
    def visit_places_between(self, e: sets.PlacesBetween) -> T: ...

    @abc.abstractmethod
    def visit_filter(self, e: sets.Filter) -> T: ...

    @abc.abstractmethod
    def visit_map_over(self, e: sets.MapOver) -> T: ...

    @abc.abstractmethod
    def visit_together(self, e: sets.Together) -> T: ...

    @abc.abstractmethod
    def visit_leave_out(self, e: sets.LeaveOut) -> T: ...

    @abc.abstractmethod
    def visit_beside(self, e: sets.Beside) -> T: ...

    @abc.abstractmethod
    def visit_held_by(self, e: sets.HeldBy) -> T: ...

    @abc.abstractmethod
    def visit_sides_in_turn(self, e: sets.SidesInTurn) -> T: ...

    @abc.abstractmethod
    def visit_aggregate(self, e: sets.Aggregate) -> T: ...

    @abc.abstractmethod
    def visit_prevailing(self, e: sets.Prevailing) -> T: ...

    @abc.abstractmethod
    def visit_extremes(self, e: sets.Extremes) -> T: ...

    @abc.abstractmethod
    def visit_arithmetic(self, e: numbers.Arithmetic) -> T: ...

    @abc.abstractmethod
    def visit_negative(self, e: numbers.Negative) -> T: ...

    @abc.abstractmethod
    def visit_odds(self, e: numbers.Odds) -> T: ...

    @abc.abstractmethod
    def visit_distance(self, e: numbers.Distance) -> T: ...

    @abc.abstractmethod
    def visit_bearing(self, e: numbers.Bearing) -> T: ...

    @abc.abstractmethod
    def visit_direction(self, e: numbers.Direction) -> T: ...

    @abc.abstractmethod
    def visit_steps(self, e: numbers.Steps) -> T: ...

    @abc.abstractmethod
    def visit_moved(self, e: numbers.Moved) -> T: ...

    @abc.abstractmethod
    def visit_scale_for(self, e: numbers.ScaleFor) -> T: ...

    @abc.abstractmethod
    def visit_otherwise(self, e: numbers.Otherwise) -> T: ...

    @abc.abstractmethod
    def visit_look_up(self, e: numbers.LookUp) -> T: ...

    @abc.abstractmethod
    def visit_numbers(self, e: numbers.Numbers) -> T: ...

    @abc.abstractmethod
    def visit_many_dice(self, e: numbers.ManyDice) -> T: ...

    @abc.abstractmethod
    def visit_dice_of_word(self, e: numbers.DiceOfWord) -> T: ...

    @abc.abstractmethod
    def visit_dice_figure(self, e: numbers.DiceFigure) -> T: ...

    @abc.abstractmethod
    def visit_best_dice(self, e: numbers.BestDice) -> T: ...

    @abc.abstractmethod
    def visit_dice_sums(self, e: numbers.DiceSums) -> T: ...

    @abc.abstractmethod
    def visit_dice_chance(self, e: numbers.DiceChance) -> T: ...

    @abc.abstractmethod
    def visit_chance(self, e: numbers.Chance) -> T: ...

    @abc.abstractmethod
    def visit_call(self, e: calls.Call) -> T: ...

    @abc.abstractmethod
    def visit_path_exists(self, e: calls.PathExists) -> T: ...

    @abc.abstractmethod
    def visit_path_cost(self, e: calls.PathCost) -> T: ...

    @abc.abstractmethod
    def visit_or(self, e: conditions.Or) -> T: ...

    @abc.abstractmethod
    def visit_and(self, e: conditions.And) -> T: ...

    @abc.abstractmethod
    def visit_not(self, e: conditions.Not) -> T: ...

    @abc.abstractmethod
    def visit_word_is(self, e: conditions.WordIs) -> T: ...

    @abc.abstractmethod
    def visit_word_of(self, e: conditions.WordOf) -> T: ...

    @abc.abstractmethod
    def visit_equal(self, e: conditions.Equal) -> T: ...

    @abc.abstractmethod
    def visit_same_set(self, e: conditions.SameSet) -> T: ...

    @abc.abstractmethod
    def visit_printed_as(self, e: conditions.PrintedAs) -> T: ...

    @abc.abstractmethod
    def visit_is_absent(self, e: conditions.IsAbsent) -> T: ...

    @abc.abstractmethod
    def visit_is_there(self, e: conditions.IsThere) -> T: ...

    @abc.abstractmethod
    def visit_kind_is(self, e: conditions.KindIs) -> T: ...

    @abc.abstractmethod
    def visit_template_is(self, e: conditions.TemplateIs) -> T: ...

    @abc.abstractmethod
    def visit_quantified(self, e: conditions.Quantified) -> T: ...

    @abc.abstractmethod
    def visit_compare(self, e: conditions.Compare) -> T: ...

    @abc.abstractmethod
    def visit_compare_words(self, e: conditions.CompareWords) -> T: ...

    @abc.abstractmethod
    def visit_member(self, e: conditions.Member) -> T: ...

    @abc.abstractmethod
    def visit_is_placed(self, e: conditions.IsPlaced) -> T: ...

    @abc.abstractmethod
    def visit_linked(self, e: conditions.Linked) -> T: ...

    @abc.abstractmethod
    def visit_on_link(self, e: conditions.OnLink) -> T: ...

    @abc.abstractmethod
    def visit_on_edge(self, e: conditions.OnEdge) -> T: ...
