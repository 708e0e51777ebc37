"""Emitting expressions: arithmetic, dice, calls and conditions. Each operation has one method, which returns Python source text."""

# ruff: noqa: D102, ARG002 (visitors: each method is for the class of its argument, and some need nothing of it)

from __future__ import annotations

from types import CodeType
from typing import Any

from dsl import ir
from dsl.binding.bound import BoundRuleset
from dsl.data.scenario_names import names_things
from dsl.ir import E
from dsl.rules.entries import entries_of
from interpreter.codegen.emitted_code import UnknownCode, compiled_once, worked_out
from interpreter.codegen.python_names import printed_name, py
from interpreter.codegen.set_expressions import SetEmitter

SUMS = {"+": "plus", "-": "minus"}
"""The functions that add and subtract exactly, and return an int if the result is whole."""


def is_whole(e: E) -> bool:
    """Whether an expression is a literal whole number in the rule text: adding it does not make a number fractional."""
    return isinstance(e, ir.Constant) and type(e.value) is int


def is_fixed(e: E) -> bool:
    """Whether an expression consists only of literals in the rule text, so that Python may see it as a literal."""
    inner = [x for x in ir.inner(e) if isinstance(x, E)]
    return isinstance(e, ir.Constant) or (bool(inner) and all(map(is_fixed, inner)))


def code_of(rules: BoundRuleset, e: E, file: str, head: str = "", *, traced: bool = False) -> CodeType:
    """An expression by itself, emitted and compiled. head: what comes before it."""
    emitter = ExpressionEmitter(rules.ruleset, rules.tables, traced=traced)
    text = emitter.emit(e)
    return compiled_once(head + text, emitter.words.all, file, "eval")


def value_of(rules: BoundRuleset, e: E, file: str, space: dict[str, Any], *, traced: bool = False) -> Any:
    """The value of an expression in a namespace."""
    return worked_out(code_of(rules, e, file, traced=traced), space)


class ExpressionEmitter(SetEmitter):
    """Turns any expression into Python source."""

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
        """A set as a lazy iteration; "" for a set that already exists completely."""
        if self.traced or not isinstance(e, ir.Filter | ir.MapOver):  # explanations include everything
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
        subject, several = self.emit(e.subject), e.place.type.name == "set"
        if e.amount is not None:
            things = self.emit(e.place) if several else f"({self.emit(e.place)},)"
            how = "lies_within" if self.places_nest else "stands_within"
            return f"W.ground.{how}({subject}, {self.emit(e.amount)}, {things})"
        if e.near == "next" and several:
            return f"{'lies_next' if self.places_nest else 'stands_next'}({subject}, {self.emit(e.place)})"
        return f"{'lies' if self.places_nest else 'stands'}({subject}, {self._places(e.near, e.place, e.amount)})"

    def visit_linked(self, e: ir.Linked) -> str:
        return f"W.ground.linked({self.word(e.link)}, {self.emit(e.one)}, {self.emit(e.other)})"

    def visit_on_link(self, e: ir.OnLink) -> str:
        return f"W.ground.on_link({self.word(e.link)}, {self.emit(e.subject)})"

    def visit_numbers(self, e: ir.Numbers) -> str:
        return f"numbers_from({self.emit(e.low)}, {self.emit(e.high)})"

    def visit_on_edge(self, e: ir.OnEdge) -> str:
        return f"W.ground.on_edge({self.word(e.edge)}, {self.emit(e.subject)})"
