"""Binding chances: `chance that (crt at (1d6, c) is X)`, worked out over every throw of the dice that are written in it.

What is bound is counted with what the machine has: how many faces leave the condition true, for every face of the dice
before. So a chance reads, hides, explains and repeats itself as every other sum does.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from dsl import tree as t
from dsl.ir import NUMBER, E, set_of
from dsl.layout import MOST_DICE, MOST_FACES, dice_of
from dsl.scope import Scope, Thrown, local
from dsl.source import Span

if TYPE_CHECKING:
    from dsl.bind_expressions import ExpressionBinder

MOST_THROWS = 10_000
"""A chance is worked out over so many throws at most."""
DICE = re.compile(r"\d*[dD]\d+([+-]\d+)?")


def bind_chance(b: ExpressionBinder, node: t.Chance, scope: Scope) -> E:
    """The chance over the dice that a condition names; in examples, where it names none, over all that are still to come."""
    thrown: list[Thrown] = []
    test = b.condition(node.cond, scope.inner(thrown=thrown))
    if not thrown:
        return over_what_comes(b, node, test)
    throws = math.prod(x.faces ** len(x.names) for x in thrown)
    if throws > MOST_THROWS:
        return b.problem(
            "E251", f"This chance is over more than {MOST_THROWS:,} throws.", node.span,
            hint="Name fewer dice, or work it out in parts: a chance of each.",
        )  # fmt: skip
    dice = [(name, x.faces) for x in thrown for name in x.names]
    (name, faces), *before = reversed(dice)
    held = E("filter", set_of(NUMBER), (_faces(faces), name, test), node.span)
    count = E("aggregate", NUMBER, ("count", held, None), node.span)
    for name, faces in before:
        each = E("map", set_of(NUMBER), (_faces(faces), name, count, False), node.span)
        count = E("aggregate", NUMBER, ("sum", each, None), node.span)
    return E("arithmetic", NUMBER, ("/", count, E("const", NUMBER, (throws,))), node.span)


def over_what_comes(b: ExpressionBinder, node: t.Chance, test: E) -> E:
    """A chance over dice that nobody has thrown yet, which an example alone can wait for."""
    if not b.chances:
        return b.problem(
            "E251", "Here a chance is over dice that are written in it, and there are none.", node.span,
            hint="Write, for example: chance that (1d6 >= 4). Over dice still to come it stands in the `then` lines of examples.",
        )  # fmt: skip
    return E("chance", NUMBER, (test,), node.span)


def thrown_here(b: ExpressionBinder, text: str, scope: Scope, span: Span) -> E:
    """Dice written in a chance, as the sum of their faces: each time they are written they are thrown."""
    assert scope.thrown is not None
    count, faces, plus = dice_of(text)
    if not (0 < count <= MOST_DICE and 0 < faces <= MOST_FACES):
        return b.problem("E009", f"Nobody can throw {text}.", span)
    names = tuple(b.fresh() for _ in range(count))
    scope.thrown.append(Thrown(names, faces))
    total = local(names[0], NUMBER)
    for name in names[1:]:
        total = E("arithmetic", NUMBER, ("+", total, local(name, NUMBER)), span)
    return E("arithmetic", NUMBER, ("+", total, E("const", NUMBER, (plus,))), span) if plus else total


def _faces(faces: int) -> E:
    return E("list", set_of(NUMBER), tuple(E("const", NUMBER, (n,)) for n in range(1, faces + 1)))
