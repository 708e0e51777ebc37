"""Binding chances: `chance that (crt at (1d6, c) is X)`, computed over all outcomes of the dice that appear in the condition.

A chance is bound to expressions that the machine already has. For each face of the earlier dice they count how many faces
make the condition true. So a chance reads, hides, explains and replays like any other sum.
"""

from __future__ import annotations

import math

import attrs

from dsl import ir
from dsl.binding.context import Binder
from dsl.binding.scope import Scope, ThrownName, local
from dsl.ir import NUMBER, E, set_of
from dsl.syntax import syntax_tree as t
from dsl.text.source import Span

MOST_THROWS = 10_000
"""The largest number of outcomes over which a chance is computed."""


def bind_chance(b: Binder, node: t.Chance, scope: Scope) -> E:
    """The chance over the dice in a condition; in examples, if it contains none, over all dice still to be rolled."""
    thrown: list[ThrownName] = []
    test = b.condition(node.cond, scope.inner(thrown=thrown))
    if not thrown:
        return _over_what_comes(b, node, test)
    throws = math.prod(x.faces ** len(x.names) for x in thrown if x.dice is None)
    if throws > MOST_THROWS:
        return b.problem(
            "E251", f"This chance has more than {MOST_THROWS:,} outcomes.", node.span,
            hint="Use fewer dice, or compute it in parts, each with a chance of its own.",
        )  # fmt: skip
    every = [attrs.evolve(x, names=(name,)) for x in thrown for name in x.names]
    last, *before = reversed(every)
    ways = _last_ways(b, last, test, node.span)
    for dice in before:
        each = ways if dice.dice is None else ir.Arithmetic("*", _weight_of_dice(dice), ways, span=node.span)
        ways = _sum_of(ir.MapOver(_faces_shown(dice), dice.names[0], each, False, type=set_of(NUMBER), span=node.span))
    return ir.Arithmetic("/", ways, ir.Constant(throws, type=NUMBER), span=node.span)


def _last_ways(b: Binder, dice: ThrownName, test: E, span: Span) -> E:
    """The outcomes of the last dice alone for which a condition holds: their number, or their probability for dice that a value names."""
    held = ir.Filter(_faces_shown(dice), dice.names[0], test, type=set_of(NUMBER), span=span)
    if dice.dice is None:
        return ir.Aggregate("count", held, None, type=NUMBER, span=span)
    again = attrs.evolve(dice, names=(b.fresh(),))
    return _sum_of(ir.MapOver(held, again.names[0], _weight_of_dice(again), False, type=set_of(NUMBER), span=span))


def _sum_of(numbers: E) -> E:
    return ir.Aggregate("sum", numbers, None, type=NUMBER, span=numbers.span)


def _faces_shown(dice: ThrownName) -> E:
    """What dice can show: each face of a die, or each total of dice that a value names."""
    if dice.dice is not None:
        return ir.DiceSums(dice.dice, type=set_of(NUMBER), span=dice.dice.span)
    return ir.Listed(tuple(ir.Constant(n, type=NUMBER) for n in range(1, dice.faces + 1)), type=set_of(NUMBER))


def _weight_of_dice(dice: ThrownName) -> E:
    """The probability that dice show the total that their name stands for."""
    assert dice.dice is not None
    return ir.DiceChance(dice.dice, local(dice.names[0], NUMBER), span=dice.dice.span)


def _over_what_comes(b: Binder, node: t.Chance, test: E) -> E:
    """A chance over dice that have not been rolled yet; only an example can wait for them."""
    if not b.chances:
        return b.problem(
            "E251", "This chance contains no dice.", node.span,
            hint="Write, for example: chance that (1d6 >= 4). Only the `then` lines of examples can use dice that are rolled later.",
        )  # fmt: skip
    return ir.Chance(test, span=node.span)
