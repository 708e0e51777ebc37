"""Dice inside a chance: they are rolled again each time they are named."""

from __future__ import annotations

from collections.abc import Callable

from dsl import ir
from dsl.binding.scope import Scope, ThrownName, local
from dsl.ir import NUMBER, E
from dsl.syntax.dice_words import dice_of
from dsl.text.source import Span


def thrown_here(fresh: Callable[[], str], dice: E, scope: Scope, span: Span) -> E:
    """Dice in a chance, as the sum of their faces. fresh: makes names for the faces that no rule text can use."""
    assert scope.thrown is not None
    if not isinstance(dice, ir.Constant) or not isinstance(dice.value, str):
        name = fresh()
        scope.thrown.append(ThrownName((name,), dice=dice))
        return local(name, NUMBER)
    count, faces, plus = dice_of(dice.value)
    names = tuple(fresh() for _ in range(count))
    scope.thrown.append(ThrownName(names, faces))
    total = local(names[0], NUMBER)
    for name in names[1:]:
        total = ir.Arithmetic("+", total, local(name, NUMBER), span=span)
    return ir.Arithmetic("+", total, ir.Constant(plus, type=NUMBER), span=span) if plus else total
