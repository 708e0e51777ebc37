"""What the rules work out of every thing, or of every side, as one side may know it: for reports and the layers of a map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from interpreter.codegen.expressions import py
from interpreter.project import known_to, thing_view
from interpreter.runtime import TROUBLE, say

if TYPE_CHECKING:
    from interpreter.play import Game
    from interpreter.view import ThingView

__all__ = ["last_seen", "worked_out"]


def worked_out(game: Game, name: str, side: str) -> Mapping[str, str]:
    """What a value or status of the rules says of each thing that it can be asked of, by the names that the side has for them.

    What rests on something that the side may not know is left out; so is all where the rules have no such value of one thing.
    """
    if (seen := game.seen_by(side)) is not game:
        return worked_out(seen, name, side)
    world, routine = game.world, game.program.rules.routines.get(name)
    if routine is None or routine.word not in {"value", "status"} or len(routine.params) != 1 or routine.within:
        return {}
    worth = world.functions[f"v_{py(routine.name)}"]
    out: dict[str, str] = {}
    with known_to(game, side):
        for kind in world.ruleset.sorts(routine.params[0].type.word):
            for x in world.by_kind.get(kind, ()):
                if world.knowledge.concealed(x, side):
                    continue
                try:
                    out[x.id] = say(worth(x))
                except TROUBLE as error:
                    if not game.commands.unknown(error):
                        raise
    told: Mapping[str, str] = game.seat(side).told(out)
    return dict(sorted(told.items()))


def last_seen(game: Game, side: str, names: Iterable[str]) -> Mapping[str, ThingView]:
    """Things that were in the game once, as they were in the end, as far as a side may know it; by the names that it has for them."""
    if (seen := game.seen_by(side)) is not game:
        return last_seen(seen, side, names)
    world, labels, seat = game.world, game.world.incognito, game.seat(side)
    out: dict[str, Any] = {}
    for name in names:
        thing = world.by_id.get(name if labels is None else labels.meant(name))
        if thing is not None and hasattr(thing, "known") and not world.knowledge.concealed(thing, side):
            out[name] = seat.told(thing_view(world, thing, side))
    return out
