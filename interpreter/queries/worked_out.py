"""Values of the rules for every thing or every side, as one side may know them: for reports and the layers of a map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from dsl import ir
from dsl.syntax.syntax_tree import Node
from interpreter.codegen.python_names import py
from interpreter.explain.evaluating import evaluate_plainly, read_node
from interpreter.explain.explanations import Explanation
from interpreter.messages.inputs import Refused, RuleFailure
from interpreter.messages.view import ThingView
from interpreter.mirrors.known_world import known_world
from interpreter.queries.project import Viewed, known_to, thing_view
from interpreter.runtime.hidden import is_hidden
from interpreter.runtime.runtime import TROUBLE, say
from interpreter.world.namebook import NO_NAMES

__all__ = ["last_seen", "value_now", "worked_out"]


class Explained(Viewed, Protocol):
    """A game that explains its values."""

    def explain(self, expression: str, side: str) -> Explanation:
        """How a value was computed, as far as a side may know it."""


def worked_out(game: Explained, name: str, side: str) -> Mapping[str, str]:
    """A value or status of the rules for each thing that it applies to, by the side's names for them.

    What depends on something that the side may not know is left out; the result is empty if the rules have no such value of one thing.
    """
    if (seen := game.seen_by(side)) is not game:
        return worked_out(seen, name, side)
    world, routine = game.world, game.program.rules.routines.get(name)
    if routine is None or routine.word not in {"value", "status"} or len(routine.params) != 1 or routine.within:
        return {}
    out: dict[str, str] = {}
    with known_to(game, side) as sight:
        worth = sight.world.functions[f"v_{py(routine.name)}"]
        for kind in world.ruleset.sorts(routine.params[0].type.word):
            for x in sight.world.by_kind.get(kind, ()):
                if world.knowledge.concealed(sight.back(x), side):
                    continue
                try:
                    out[x.id] = say(worth(x))
                except TROUBLE as error:
                    if not is_hidden(error):
                        raise
    told: Mapping[str, str] = game.seat(side).told(out)
    return dict(sorted(told.items()))


def value_now(game: Explained, text: str, node: Node, side: str, *, condition: bool) -> str:
    """The value of an expression of the rules, as `explain` gives it to a side, without the explanation; empty if it gives none.

    Args:
        game: the current game.
        text: the expression as written.
        node: the same, parsed.
        side: who asks.
        condition: whether it is a condition.
    """
    if (seen := game.seen_by(side)) is not game:
        return value_now(seen, text, node, side, condition=condition)
    seat, program = game.seat(side), game.program
    try:
        if (
            seat.heard(text, as_ids=True, names=NO_NAMES) != text
        ):  # a name in it is different for the side, or unknown to it
            return str(game.explain(text, side).value)
        with known_world(game.world, side) as world:
            bound = read_node(program, world, node, book=seat.book, condition=condition)
            if not isinstance(bound, ir.PathExists | ir.PathCost | ir.FrameName):
                return seat.told(say(evaluate_plainly(program, world, bound)))
        return str(game.explain(text, side).value)
    except (Refused, RuleFailure):
        return ""


def last_seen(game: Explained, side: str, names: Iterable[str]) -> Mapping[str, ThingView]:
    """Removed things, in their final state, as far as a side may know it; by the side's names for them."""
    if (seen := game.seen_by(side)) is not game:
        return last_seen(seen, side, names)
    world, labels, seat = game.world, game.world.incognito, game.seat(side)
    out: dict[str, ThingView] = {}
    for name in names:
        thing = world.by_id.get(name if labels is None else labels.id_of(name))
        if thing is not None and hasattr(thing, "known") and not world.knowledge.concealed(thing, side):
            out[name] = seat.told(thing_view(world, thing, side))
    return out
