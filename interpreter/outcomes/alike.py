"""The state of a running game as a text, by which it is compared with others: two games with the same text continue alike.

The text records what has changed since some moment, where every procedure has stopped, and the values of its names. It is the same
in another process, so several processes can share their results.
"""

from __future__ import annotations

import json
from fractions import Fraction
from types import CodeType

import attrs

from dsl.rules.notation import RatingValue
from interpreter.machine import Game
from interpreter.messages.asking import Pending, Run
from interpreter.messages.json_data import JsonValue
from interpreter.messages.story_parts import StoryRow
from interpreter.outcomes.standing_keys import generator_key, lasting_key, queue_key
from interpreter.outcomes.standings import SideStanding, facts_of, slots_kept
from interpreter.play.runner import chain_of
from interpreter.runtime.things import Value
from interpreter.world.world import World

__all__ = ["place_of"]

UNREAD = {"by_id", "closing", "rounds", "lasted", "expiries"}
"""Attributes of a world that nothing later reads."""
TIMES = {"clock", "begun", "running"}
"""Attributes that are read only by rules about past actions."""


class _Untold(Exception):
    """An object was found that cannot be distinguished from others."""


def place_of(game: Game, run: Run | None, pending: Pending | None, first: SideStanding) -> str:
    """The state of a game as a text; empty if it cannot be expressed.

    Args:
        game: the game.
        run: the generator that its turns are.
        pending: what it is waiting for.
        first: the state of the world from which changes are counted.
    """
    world = game.world
    try:
        found = [
            [[kept.x.id, _slots(kept.x)] for kept in first.things.changed()],
            [[x.id, _slots(x)] for x in world.by_id.values() if x not in first.things.held],
            [[kept.x.index, _slots(kept.x)] for kept in first.places.changed()],
            _facts(world, first),
            _plain(lasting_key(world)),
            _plain(queue_key(world)),
            [_plain(generator_key(g, pending)) for g in chain_of(run)],
            [[one.title, _plain(one.rows)] for one in world.stories.open],
        ]
    except _Untold:
        return ""
    return json.dumps(found, separators=(",", ":"))


def _slots(x: object) -> JsonValue:
    return _plain(slots_kept(x))


def _facts(world: World, first: SideStanding) -> list[JsonValue]:
    """The changed attributes of the world besides its things."""
    unread = UNREAD if world.durations.past else UNREAD | TIMES
    before = {**first.facts, **first.parts}
    found: list[JsonValue] = []
    for name, value in facts_of(world).items():
        was = before[name]
        if name in unread or value == was:
            continue
        if isinstance(value, dict) and list(value) == list(was):
            value = {key: one for key, one in value.items() if one != was[key]}
        found.append([name, _plain(value)])
    return found


def _plain(value: Value) -> JsonValue:
    """A value as JSON data: things by their names. Raises _Untold."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {"d": [[_plain(k), _plain(one)] for k, one in value.items()]}
    if isinstance(value, set | frozenset):
        return {"s": sorted(json.dumps(_plain(one)) for one in value)}
    if isinstance(value, Fraction):
        return {"q": [value.numerator, value.denominator]}
    if isinstance(value, RatingValue):
        return {"r": [value.rating, value.text]}
    if isinstance(value, CodeType):
        return {"c": [value.co_filename, value.co_qualname, value.co_firstlineno]}
    if isinstance(value, StoryRow):
        return {"w": [_plain(one) for one in attrs.astuple(value)]}
    if hasattr(value, "near") and hasattr(value, "known"):
        return {"t": value.id} if value.index < 0 else {"p": value.index}
    raise _Untold
