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
"""A chance is worked out over so many throws at most."""


def bind_chance(b: Binder, node: t.Chance, scope: Scope) -> E:
    """The chance over the dice that a condition names; in examples, where it names none, over all that are still to come."""
    thrown: list[ThrownName] = []
    test = b.condition(node.cond, scope.inner(thrown=thrown))
    if not thrown:
        return _over_what_comes(b, node, test)
    throws = math.prod(x.faces ** len(x.names) for x in thrown if x.dice is None)
    if throws > MOST_THROWS:
        return b.problem(
            "E251", f"This chance is over more than {MOST_THROWS:,} throws.", node.span,
            hint="Name fewer dice, or work it out in parts: a chance of each.",
        )  # fmt: skip
    every = [attrs.evolve(x, names=(name,)) for x in thrown for name in x.names]
    last, *before = reversed(every)
    ways = _last_ways(b, last, test, node.span)
    for dice in before:
        each = ways if dice.dice is None else ir.Arithmetic("*", _weight_of_dice(dice), ways, span=node.span)
        ways = _sum_of(ir.MapOver(_faces_shown(dice), dice.names[0], each, False, type=set_of(NUMBER), span=node.span))
    return ir.Arithmetic("/", ways, ir.Constant(throws, type=NUMBER), span=node.span)


def _last_ways(b: Binder, dice: ThrownName, test: E, span: Span) -> E:
    """The ways in which a condition holds over the last dice alone: how many, or of dice that a value names how likely."""
    held = ir.Filter(_faces_shown(dice), dice.names[0], test, type=set_of(NUMBER), span=span)
    if dice.dice is None:
        return ir.Aggregate("count", held, None, type=NUMBER, span=span)
    again = attrs.evolve(dice, names=(b.fresh(),))
    return _sum_of(ir.MapOver(held, again.names[0], _weight_of_dice(again), False, type=set_of(NUMBER), span=span))


def _sum_of(numbers: E) -> E:
    return ir.Aggregate("sum", numbers, None, type=NUMBER, span=numbers.span)


def _faces_shown(dice: ThrownName) -> E:
    """What dice can show: each face of a die, each sum of dice that a value names."""
    if dice.dice is not None:
        return ir.DiceSums(dice.dice, type=set_of(NUMBER), span=dice.dice.span)
    return ir.Listed(tuple(ir.Constant(n, type=NUMBER) for n in range(1, dice.faces + 1)), type=set_of(NUMBER))


def _weight_of_dice(dice: ThrownName) -> E:
    """How likely it is that dice show what their name stands for."""
    assert dice.dice is not None
    return ir.DiceChance(dice.dice, local(dice.names[0], NUMBER), span=dice.dice.span)


def _over_what_comes(b: Binder, node: t.Chance, test: E) -> E:
    """A chance over dice that nobody has thrown yet, which an example alone can wait for."""
    if not b.chances:
        return b.problem(
            "E251", "Here a chance is over dice that are written in it, and there are none.", node.span,
            hint="Write, for example: chance that (1d6 >= 4). Over dice still to come it stands in the `then` lines of examples.",
        )  # fmt: skip
    return ir.Chance(test, span=node.span)
