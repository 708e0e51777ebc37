"""Binding dice: `2d6`, `(n) d6`, the dice that are rolled, and the average of dice."""

from __future__ import annotations

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.scope import Scope
from dsl.ir import DICE, ERROR, NUMBER, E
from dsl.rules.dice_values import dice_text, read_dice_value, stands_for_dice
from dsl.syntax import syntax_tree as t
from dsl.syntax.dice_words import MOST_DICE, dice_of
from dsl.text.source import Span

FIGURES = frozenset({"highest", "lowest", "average", "count"})
"""The figures of a dice value: its highest, lowest and average total, and the number of dice."""


def dice_literal(b: Binder, text: str, span: Span) -> E:
    """A dice literal."""
    found = read_dice_value(text)
    return ir.Constant(found, type=DICE, span=span) if found else b.problem("E009", f"`{text}` cannot be rolled.", span)


def many_dice(b: Binder, node: t.ManyDice, scope: Scope) -> E:
    """`(av of p) d6`: a computed number of dice."""
    count = b.number(node.count, scope)
    one, faces, plus = dice_of(node.text)
    if one != 1 or read_dice_value(node.text) is None:
        hint = f"After a number of dice write only the faces: `{dice_text(1, faces, plus)[1:]}`."
        return b.problem("E009", f"`{node.text}` cannot follow a number of dice.", node.span, hint)
    if (
        isinstance(count, ir.Constant)
        and count is not ERROR
        and (not isinstance(count.value, int) or not 0 <= count.value <= MOST_DICE)
    ):
        return b.problem("E009", f"It is not possible to roll {count.value} dice.", node.count.span)
    return ir.ManyDice(count, dice_text(1, faces, plus)[1:], span=node.span)


def rolled(b: Binder, node: t.Node, scope: Scope) -> E:
    """The dice that a line rolls: dice, or a word of an enum or option whose words are dice."""
    value = b.expr(node, scope, DICE)
    if value is ERROR:
        return ERROR
    if value.type.name == "number":
        hint = "Say which dice: `rolls (…) d6 as …`."
        return b.problem("E201", "This is a number, but dice are needed here.", node.span, hint)
    if not stands_for_dice(b.ruleset, value.type):
        return b.problem("E201", f"This is {value.type}, but dice are needed here.", node.span)
    sure = b.needs(value, value.type.sure(), node.span)
    return sure if sure is ERROR or value.type.name == "dice" else ir.DiceOfWord(sure, span=node.span)


def figure(which: str, dice: E, span: Span) -> E | None:
    """`average of D`, `highest`, `lowest`, `count`: a figure of one dice value; None for anything else."""
    if dice.type.name != "dice" or which not in FIGURES:
        return None
    return ir.DiceFigure(which, dice, type=NUMBER.maybe() if dice.type.optional else NUMBER, span=span)
