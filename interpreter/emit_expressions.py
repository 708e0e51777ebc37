"""Emitting expressions: one method for each operation that the binder makes, each giving Python source text."""

# ruff: noqa: ARG002 (every operation of the binder is a method that is called in the same way)

from __future__ import annotations

import functools
from typing import Any

from dsl.entries import entries_of
from dsl.ir import LAST, E
from dsl.naming import names_things
from dsl.notation import attribute
from dsl.ruleset import Ruleset
from dsl.tables import TableInfo
from interpreter.emitted_code import UnknownCode, Words


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
    return e.op == "const" and type(e.args[0]) is int


def is_fixed(e: E) -> bool:
    """Whether an expression is made of what stands in the rule text alone, so that Python may see it as a literal."""
    inner = [x for x in e.args if isinstance(x, E)]
    return e.op == "const" or (bool(inner) and all(map(is_fixed, inner)))


class ExpressionEmitter:
    """Turns bound expressions into Python source. The names it uses are those of `interpreter/runtime.py`.

    In what it emits `W` is the world, `F` the frame of the routine, locals of values are `l_…`, names in frames `n_…`.
    traced: with an audit trail, which tells of all that a condition over a set asks about.
    """

    traced = False

    def __init__(self, ruleset: Ruleset, tables: dict[str, TableInfo]) -> None:
        self.ruleset = ruleset
        self.tables = tables
        self.needed_tables: set[str] = set()
        self.places_nest = ruleset.nested()
        self.words = Words()

    def word(self, value: Any) -> str:
        """Text for a word of the rules, or a tuple with such: a name that stands for it (`interpreter/emitted_code.py`)."""
        return self.words.word(value)

    def access(self, where: str) -> str:
        """Text for a frame: `F`, the one above (`F.up`), or the last of a procedure (`last procedure battle`)."""
        key = where.removeprefix(LAST)
        return where if key == where else f"W.last_frame({self.word(key)})"

    def emit(self, e: E) -> str:
        """An expression as Python text."""
        method = getattr(self, "_" + e.op)
        text: str = method(e, *e.args)
        return text

    # ---- plain things
    def _const(self, e: E, value: Any) -> str:
        return self.word(value)

    def _local(self, e: E, name: str) -> str:
        return "l_" + py(name)

    def _frame(self, e: E, access: str, name: str) -> str:
        return f"{self.access(access)}.n_{py(name)}"

    def _frame_map(self, e: E, access: str, name: str, key: E) -> str:
        return f"{self.access(access)}.n_{py(name)}[{self.emit(key)}]"

    def _active(self, e: E) -> str:
        return "W.active"

    def _acting(self, e: E, access: str) -> str:
        return f"{self.access(access)}.acting"

    def _has_done(self, e: E, keys: tuple[str, ...], subject: E, last: bool, period: str) -> str:
        return f"W.has_done({self.word(keys)}, {self.emit(subject)}, {self.word(last)}, {self.word(period)})"

    def _calendar(self, e: E, part: str) -> str:
        return f"W.calendar({self.word(part)})"

    def _phase_is(self, e: E, names: tuple[str, ...]) -> str:
        return f"W.in_phase({self.word(names)})"

    def _phase_now(self, e: E) -> str:
        return "W.phase_now()"

    def _turn(self, e: E) -> str:
        return "W.turn"

    def _game(self, e: E) -> str:
        return "W.game"

    def _option(self, e: E, name: str, terms: tuple[str, ...]) -> str:
        return f"int(O[{self.word(name)}])" if e.type.name == "number" else f"O[{self.word(name)}]"

    def _place_named(self, e: E, label: str) -> str:
        return f"W.place({self.word(label)})"

    def _side_named(self, e: E, name: str) -> str:
        return f"W.by_id[{self.word(name)}]"

    def _thing_named(self, e: E, name: str) -> str:
        return f"W.by_id[{self.word(name)}]"

    def _thing_made(self, e: E, name: str) -> str:
        return f"W.thing_made({self.word(name)})"

    def _list(self, e: E, *items: E) -> str:
        return "[" + ", ".join(self.emit(i) for i in items) + "]"

    # ---- properties
    def _field(self, e: E, holder: E, name: str) -> str:
        inner = self.emit(holder)
        slot = "name" if name == "name" and holder.type.name == "thing" else attribute(name)
        if holder.type.optional:
            return f"maybe({inner}, {self.word(slot)})"
        return f"{inner}.{slot}"

    def _must(self, e: E, value: E) -> str:
        called = {"field": 1, "holder": 1, "frame": 1, "call": 0}.get(value.op)
        return f"present({self.emit(value)}, {self.word('' if called is None else str(value.args[called]))})"

    def _side_of(self, e: E, holder: E) -> str:
        return f"{self.emit(holder)}.side"

    def _place_of(self, e: E, holder: E) -> str:
        return f"{self.emit(holder)}.place"

    def _standing(self, e: E, holder: E, kind: str) -> str:
        return f"standing_in({self.emit(holder)}, {self.word(kind)})"

    def _grid_number(self, e: E, place: E, which: str) -> str:
        return f"{self.emit(place)}.{which}"

    def _place_between(self, e: E, kind: str, a: E, b: E) -> str:
        return f"W.place_between({self.word(kind)}, {self.emit(a)}, {self.emit(b)})"

    def _link_from(self, e: E, link: str, a: E, b: E) -> str:
        return f"W.link_from({self.word(link)}, {self.emit(a)}, {self.emit(b)})"

    def _foe(self, e: E, side: E) -> str:
        return f"W.foe({self.emit(side)})"

    def _holder(self, e: E, held: E, kind: str, asked: bool = False) -> str:
        inner = self.emit(held)
        if asked:
            return f"holder_if_any({inner}, {self.word(kind)})"
        return (
            f"perhaps_holder_of({inner}, {self.word(kind)})"
            if held.type.optional
            else f"holder_of({inner}, {self.word(kind)})"
        )

    def _members(self, e: E, holder: E, kind: str) -> str:
        if self.ruleset.sorts(kind) != (kind,):
            return f"members_of_any({self.emit(holder)}, {self.word(self.ruleset.sorts(kind))})"
        return f"members_of({self.emit(holder)}, {self.word(kind)})"

    def _column(self, e: E, row: E, index: int) -> str:
        return f"{self.emit(row)}[{index}]"

    # ---- sets
    def _all(self, e: E, kind: str, whose: str, side: E | None) -> str:
        if not whose or side is None:
            return f"W.all_of({self.word(kind)})"
        sign = "is" if whose == "own" else "is not"
        if kind == "side":
            return f"[x for x in W.all_of({self.word(kind)}) if x {sign} {self.emit(side)}]"
        return f"[x for x in W.all_of({self.word(kind)}) if x.side {sign} {self.emit(side)}]"

    def _things_near(self, e: E, kind: str, whose: str, side: E | None, near: str, arg: E, amount: E | None) -> str:
        test = ""
        sorts = self.ruleset.sorts(kind)
        if any(self.ruleset.kinds[k].part for k in sorts):
            return self._with_parts(sorts, whose, side, self._places(near, arg, amount))
        if whose and side is not None:
            test = f" and x.side {'is' if whose == 'own' else 'is not'} {self.emit(side)}"
        if near == "in" and self._is_place(arg) and not self.places_nest:
            return f"[x for x in {self.emit(arg)}.things if {self._of_sort('x', kind)}{test}]"
        places = self._places(near, arg, amount)
        if self.places_nest:
            places = f"with_parts({places})"
        return f"[x for p in {places} for x in p.things if {self._of_sort('x', kind)}{test}]"

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
        return f"W.within({inner}, {self.emit(amount)})" if one else f"W.within_any({inner}, {self.emit(amount)})"

    def _places_near(self, e: E, near: str, arg: E, amount: E | None) -> str:
        return f"list({self._places(near, arg, amount)})"

    def _narrow(self, e: E, base: E, near: str, arg: E, amount: E | None) -> str:
        return f"{'lie_in' if self.places_nest else 'stand_in'}({self.emit(base)}, {self._places(near, arg, amount)})"

    def _of_kind(self, e: E, base: E, kind: str) -> str:
        return f"[x for x in {self.emit(base)} if {self._of_sort('x', kind)}]"

    def _line(self, e: E, a: E, b: E) -> str:
        return f"W.line({self.emit(a)}, {self.emit(b)})"

    def _ends_of(self, e: E, between: E) -> str:
        return f"W.ends_of({self.emit(between)})"

    def _places_between(self, e: E, kind: str, place: E) -> str:
        return f"W.places_between({self.word(kind)}, {self.emit(place)})"

    def _filter(self, e: E, base: E, variable: str, cond: E) -> str:
        name = "l_" + py(variable)
        return f"[{name} for {name} in {self.emit(base)} if {self.emit(cond)}]"

    def _map(self, e: E, base: E, variable: str, body: E, flat: bool) -> str:
        if flat:
            return f"[y for l_{py(variable)} in {self.emit(base)} for y in {self.emit(body)}]"
        return f"[{self.emit(body)} for l_{py(variable)} in {self.emit(base)}]"

    def _union(self, e: E, a: E, b: E) -> str:
        return f"union({self.emit(a)}, {self.emit(b)})"

    def _except(self, e: E, a: E, b: E) -> str:
        return f"leave_out({self.emit(a)}, {self.emit(b)})"

    def _beside(self, e: E, base: E, which: str, one: E) -> str:
        helper = "come_after" if which == "after" else "come_before"
        return f"{helper}({self.emit(base)}, {self.emit(one)})"

    def _held(self, e: E, base: E, holder: E) -> str:
        return f"held_by({self.emit(base)}, {self.emit(holder)})"

    def _sides_in_turn(self, e: E) -> str:
        return "W.sides_in_turn(F.acting)"

    def _aggregate(self, e: E, which: str, arg: E, scale: str | None) -> str:
        inner = self.emit(arg)
        if which == "count":
            return f"len({inner})"
        if which == "sum":
            if arg.op == "map" and not arg.args[3] and inner.startswith("["):
                return f"sum_of({inner[1:-1]})"
            return f"sum_of({inner})"
        if which == "first":
            return f"first_of({inner})"
        if which == "average":
            return f"average_of({inner})"
        if scale is not None:
            return f"{which}_word({inner}, RANK[{self.word(scale)}])"
        return f"{which}_of({inner})"

    def _prevailing(
        self, e: E, base: E, variable: str, value: E, weights: tuple[E, ...], last: str, scale: str | None
    ) -> str:
        name = "l_" + py(variable)
        row = ", ".join(self.emit(x) for x in (value, *weights))
        rank = f"RANK[{self.word(scale)}]" if scale else "None"
        return f"prevailing_of([({row}) for {name} in {self.emit(base)}], {self.word(last)}, {rank})"

    def _extremes(self, e: E, base: E, variable: str, value: E, which: str, scale: str | None) -> str:
        name = "l_" + py(variable)
        rank = f"RANK[{self.word(scale)}]" if scale else "None"
        return (
            f"extremes_of([({name}, {self.emit(value)}) for {name} in {self.emit(base)}], {self.word(which)}, {rank})"
        )

    def _may_hold_none(self, arg: E) -> bool:
        if arg.op == "map":
            body = arg.args[2]
            return bool(body.type.optional)
        if arg.op == "list":
            return any(a.type.optional for a in arg.args)
        return arg.op not in {"all", "things_near", "filter"}

    # ---- arithmetic
    def _arithmetic(self, e: E, op: str, a: E, b: E) -> str:
        left, right = self.emit(a), self.emit(b)
        if op == "*":
            return f"times({left}, {right})"
        if op == "/":
            return f"divide({left}, {right})"
        if op == "percent":
            return f"divide(times({left}, {right}), 100)"
        if is_whole(a) or is_whole(b):
            return f"({left} {op} {right})"
        return f"{SUMS[op]}({left}, {right})"

    def _negative(self, e: E, a: E) -> str:
        return f"(-{self.emit(a)})"

    def _odds(self, e: E, a: E, b: E) -> str:
        return f"odds({self.emit(a)}, {self.emit(b)})"

    def _distance(self, e: E, a: E, b: E) -> str:
        return f"W.distance({self.emit(a)}, {self.emit(b)})"

    def _bearing(self, e: E, a: E, b: E) -> str:
        return f"W.bearing({self.emit(a)}, {self.emit(b)})"

    def _direction(self, e: E, a: E, b: E) -> str:
        return f"W.direction({self.emit(a)}, {self.emit(b)})"

    def _steps(self, e: E, scale: str, a: E, b: E) -> str:
        return f"(RANK[{self.word(scale)}][{self.emit(b)}] - RANK[{self.word(scale)}][{self.emit(a)}])"

    def _moved(self, e: E, scale: str, a: E, n: E) -> str:
        return f"moved(WORDS[{self.word(scale)}], RANK[{self.word(scale)}], {self.emit(a)}, {self.emit(n)})"

    def _scale_for(self, e: E, scale: str, number: E, way: str) -> str:
        return f"scale_{way}(STEPS[{self.word(scale)}], {self.emit(number)})"

    def _else(self, e: E, value: E, other: E) -> str:
        return f"otherwise({self.emit(value)}, {self.emit(other)})"

    def _lookup(self, e: E, name: str, keys: tuple[E, ...]) -> str:
        self.needed_tables.add(name)
        table = self.tables[name]
        parts = []
        for key, value in zip(table.keys, keys, strict=True):
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
        return f"T_{py(name)}({', '.join(parts)})"

    # ---- dice
    def _many_dice(self, e: E, count: E, one: str) -> str:
        return f"many_dice({self.emit(count)}, {self.word(one)})"

    def _dice_of_word(self, e: E, word: E) -> str:
        return f"dice_of_word({self.emit(word)})"

    def _dice_figure(self, e: E, which: str, dice: E) -> str:
        return f"dice_figure({self.emit(dice)}, {self.word(which)})"

    def _best_dice(self, e: E, which: str, several: E) -> str:
        return f"best_dice({self.emit(several)}, {self.word(which)})"

    def _dice_sums(self, e: E, dice: E) -> str:
        return f"dice_sums({self.emit(dice)})"

    def _dice_chance(self, e: E, dice: E, shown: E) -> str:
        return f"dice_chance({self.emit(dice)}, {self.emit(shown)})"

    # ---- calls
    def _call(self, e: E, name: str, access: str | None, args: tuple[E, ...]) -> str:
        inner = [self.emit(a) for a in args]
        if access is not None:
            inner.insert(0, self.access(access))
        return f"v_{py(name)}({', '.join(inner)})"

    def _path_exists(self, e: E, name: str, args: tuple[E, ...]) -> str:
        return f"W.way_exists({self.word(name)}, ({''.join(self.emit(a) + ', ' for a in args)}))"

    def _path_cost(self, e: E, name: str, args: tuple[E, ...], goal: E) -> str:
        return f"W.way_cost({self.word(name)}, ({''.join(self.emit(a) + ', ' for a in args)}), {self.emit(goal)})"

    # ---- conditions
    def _or(self, e: E, *items: E) -> str:
        return "(" + " or ".join(self.emit(i) for i in items) + ")"

    def _and(self, e: E, *items: E) -> str:
        return "(" + " and ".join(self.emit(i) for i in items) + ")"

    def _not(self, e: E, item: E) -> str:
        return f"(not {self.emit(item)})"

    def _word_is(self, e: E, subject: E, words: Any) -> str:
        inner = self.emit(subject)
        return f"({inner} == {self.word(words[0])})" if len(words) == 1 else f"({inner} in {self.word(tuple(words))})"

    _word_of = _word_is

    def _equal(self, e: E, a: E, b: E) -> str:
        sign = "is" if a.type.name == "thing" else "=="
        return f"({self.emit(a)} {sign} {self.emit(b)})"

    def _same_set(self, e: E, a: E, b: E) -> str:
        return f"same_members({self.emit(a)}, {self.emit(b)})"

    def _printed_as(self, e: E, a: E, wanted: Any) -> str:
        return f"printed_as({self.emit(a)}, {self.word(wanted)})"

    def _absent(self, e: E, a: E) -> str:
        sign = "==" if is_fixed(a) else "is"  # Python warns of `3 is None`
        return f"({self.emit(a)} {sign} None)"

    def _there(self, e: E, a: E) -> str:
        if a.type.name == "set":
            lazy = self._one_by_one(a)
            return f"any(True for y in {lazy})" if lazy else f"bool({self.emit(a)})"
        return f"({self.emit(a)} is not None)"

    def _one_by_one(self, e: E) -> str:
        """A set as what comes one after the other, of which no more is worked out than is looked at; "" for what is there whole."""
        if self.traced or e.op not in {"filter", "map"}:  # who explains tells all
            return ""
        return f"({self.emit(e).removeprefix('[').removesuffix(']')})"

    def _kind_is(self, e: E, a: E, kind: str) -> str:
        return f"({self._of_sort(self.emit(a), kind)})"

    def _entry(self, e: E, holder: E) -> str:
        return f"({self.emit(holder)}.template or None)"

    def _entry_field(self, e: E, entry: E, kind: str, name: str) -> str:
        if names_things(e.type) or not entries_of(self.ruleset, kind) or name.startswith("full "):
            return f"W.of_entry({self.word(kind)}, {self.emit(entry)}, {self.word(name)})"
        return f"{printed_name(kind, name)}[{self.emit(entry)}]"

    def _text_of(self, e: E, entry: E) -> str:
        return self.emit(entry)

    def _template_is(self, e: E, a: E, template: str) -> str:
        return f"({self.emit(a)}.template == {self.word(template)})"

    def _quantified(self, e: E, quantifier: str, base: E, variable: str, body: E) -> str:
        loop = f"for l_{py(variable)} in {(self._one_by_one(base) if quantifier != 'most' else '') or self.emit(base)}"
        test = self.emit(body)
        if quantifier == "any":
            return f"any({test} {loop})"
        if quantifier == "every":
            return f"all({test} {loop})"
        if quantifier == "no":
            return f"(not any({test} {loop}))"
        return f"most([{test} {loop}])"

    def _compare(self, e: E, op: str, a: E, b: E) -> str:
        return f"({self.emit(a)} {op} {self.emit(b)})"

    def _compare_words(self, e: E, op: str, scale: str, a: E, b: E) -> str:
        return f"(RANK[{self.word(scale)}][{self.emit(a)}] {op} RANK[{self.word(scale)}][{self.emit(b)}])"

    def _member(self, e: E, a: E, b: E) -> str:
        return f"({self.emit(a)} in {self.emit(b)})"

    def _placed(self, e: E, subject: E, near: str, arg: E, amount: E | None) -> str:
        return f"{'lies' if self.places_nest else 'stands'}({self.emit(subject)}, {self._places(near, arg, amount)})"

    def _linked(self, e: E, link: str, a: E, b: E) -> str:
        return f"W.linked({self.word(link)}, {self.emit(a)}, {self.emit(b)})"

    def _on_link(self, e: E, subject: E, link: str) -> str:
        return f"W.on_link({self.word(link)}, {self.emit(subject)})"

    def _numbers(self, e: E, low: E, high: E) -> str:
        return f"numbers_from({self.emit(low)}, {self.emit(high)})"

    def _on_edge(self, e: E, subject: E, edge: str) -> str:
        return f"W.on_edge({self.word(edge)}, {self.emit(subject)})"
