"""Other pasts: games in which the turn began differently in something hidden from a side, and then looked the same to that side.

`why` goes back to the start of the turn. So two games are compared that began the turn with different hidden fields, places and
holders. The inputs since were all legal in both, reported the same to the side and showed it the same after each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from interpreter.machine import Game
from interpreter.messages.inputs import Event, Refused, RuleFailure
from interpreter.world.seat import readable

__all__ = ["Way", "another_past"]

SHARES = (1.0, 1.0, 0.3, 0.3, 0.1, 0.1, 0.03, 0.03)
"""The share of hidden facts that is varied: less and less, until it makes no difference in what the side is told."""

Way = Callable[[Game, float, int], int]
"""Changes a share of the hidden facts in a game, differently at each attempt; returns how much was changed."""


def another_past(game: Game, side: str, ways: Iterable[Way]) -> int:
    """Turns a game into one whose turn began differently; returns how much was different, 0 if no such beginning was found.

    ways: each changes something; of each as much is changed as leaves the side what it was told and shown.
    """
    begun = game.turn_start
    if begun is None:
        return 0
    told, changed = list(_course(game, begun, side)), 0
    for way in ways:
        for tried, share in enumerate(SHARES):
            change = partial(_changed, way=way, share=share, tried=tried)
            start, number = game.copy_of_turn().started_otherwise(begun, change)
            if not number and share == 1:
                break
            if number and _is_told_alike(game, start, side, told):
                begun, changed = start, changed + number
                break
    if changed:
        game.begin_at(begun)
    return changed


def _changed(game: Game, way: Way, share: float, tried: int) -> int:
    return way(game, share, tried)


def _is_told_alike(game: Game, start: bytes, side: str, told: list[Any]) -> bool:
    """Whether a side is told and shown the same in a turn that begins differently, with every input still legal."""
    try:
        return all(one == other for one, other in zip(_course(game, start, side), told, strict=True))
    except (Refused, RuleFailure):
        return False


def _course(game: Game, start: bytes, side: str) -> Iterator[Any]:
    """What a side is told and shown of a turn that begins so, at its start and after each input."""
    copy = game.copy_of_turn(start)
    yield _told(copy.opening, side), copy.view(side)
    for one in game.inputs_of_turn:
        yield _told(copy.offer(one), side), copy.view(side)


def _told(events: Iterable[Event], side: str) -> list[tuple[str, str]]:
    return [(event.kind, event.text) for event in readable(events, side)]
