"""The course of a game: turn after turn until it is over, and the state at the start of each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Protocol

from interpreter.codegen.reads import TURN
from interpreter.messages.asking import Run, Sealed
from interpreter.messages.happenings import TurnBegan
from interpreter.messages.json_data import JsonValue
from interpreter.play.amending import CHANGE_OVER, rules_data
from interpreter.play.contracts import Counted, Running, Throws, Waiting
from interpreter.play.set_aside import SetAside
from interpreter.play.state import digest_of, names_standing, state_of
from interpreter.play.umpire import modules_data
from interpreter.runtime.frames import Frame
from interpreter.runtime.trouble import ENDLESS, TroubleAt
from interpreter.setup.setup import arrive, tell_arrivals
from interpreter.world.world import World
from interpreter.world.written_rows import encode

__all__ = ["GAME_TURN", "Turns", "digest_now", "end_turn", "state_now"]

GAME_TURN = "game-turn"
"""The sequence of this name is the turn."""
MOST_TURNS = 2_000
"""The most turns in which nobody is asked."""


class TurnsLed(Throws, Counted, Protocol):
    """A game that goes from turn to turn. fresh: whether there has been no input since the turn began."""

    fresh: bool
    keeps_snapshots: bool


class TurnStanding(Throws, Running, Waiting, Protocol):
    """A game that can be distinguished from others by its state."""

    @property
    def aside(self) -> SetAside[Any]:
        """The secret orders that are set aside."""


class Turns:
    """Runs a game through its turns.

    count: how many have begun since somebody was asked. start: the state at the start of this turn, where it is kept.
    """

    def __init__(self, game: TurnsLed) -> None:
        self.game = game
        self.count = 0
        self.start: bytes | None = None
        self._endings: list[Callable[[], None]] = []

    @property
    def world(self) -> World:
        """The world of the game."""
        return self.game.world

    def life(self) -> Run:
        """The course of a game from its current state: the start of a turn, or before the first."""
        # Other code reads its locals to know its position (`standing_keys.py`): only what never differs may be a local.
        world = self.world
        sequence = "p_sequence_game_turn"
        if sequence not in world.functions:
            return
        self._endings = self.game.basis.program.endings(world, self.game.basis.scenario)
        again = self.game.basis.first is not None
        while not world.over:
            if not again:
                if self._is_ended():
                    return
                if self.game.basis.coming is not None:
                    yield CHANGE_OVER  # type: ignore[misc]  # the game itself answers this
            again = False
            self._begin()
            frame = world.frame(f"sequence {GAME_TURN}", world.active, None)
            yield from world.react(frame)
            yield from world.functions[sequence](frame)
            yield from end_turn(world, frame)

    def _is_ended(self) -> bool:
        """The next turn begins, with its arrivals; returns whether one of the scenario's `end game` lines is then true."""
        world = self.world
        world.turn += 1
        world.touch(TURN)
        world.durations.begin_turn()
        world.stories.open = ()
        arrive(world)
        for ending in self._endings:
            ending()
            if world.over:
                return True
        return False

    def _begin(self) -> None:
        """A turn begins."""
        game, world = self.game, self.world
        self.count += 1
        if self.count > MOST_TURNS:
            raise TroubleAt(ENDLESS, game.basis.program.rules.routines["sequence game-turn"].span)
        if game.keeps_snapshots:
            self.start = state_now(game)
        game.fresh = not game.throwing.given
        game.host.windows = game.host.asked = 0
        date = str(world.calendar("date")) if world.dates is not None else ""
        world.journal.happened(TurnBegan(world.turn, date))
        tell_arrivals(world)


def end_turn(world: World, frame: Frame) -> Run:
    """Ends what lasts until the end of the turn."""
    world.durations.expire("end turn")
    world.durations.expire(f"end {GAME_TURN}")
    yield from world.react(frame)


# ---- as data
def state_now(game: Throws) -> bytes:
    """The state of a game where a turn begins."""
    now = {**game.throwing.data(), **rules_data(game.basis), **modules_data(game.basis)}
    data = {"state": state_of(game.world), "rolled": game.throwing.dice.rolled, **now}
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


def digest_now(game: TurnStanding) -> str:
    """sha256 of the state: things, what the game is waiting for, the number of rolls, and the names of running procedures."""
    awaited: list[JsonValue] = [[a.kind, a.side, a.name, list(a.choices), a.count] for a in game.waiting]
    world, rolled = game.world, game.throwing.dice.rolled
    extra: list[JsonValue] = [rolled, awaited, world.over, [p[0] for p in world.phases], names_standing(game.runner)]
    pending = game.runner.pending
    if isinstance(pending, Sealed) and (sealed := pending.answers):
        extra.append([[number, encode(sealed[number])] for number in sorted(sealed)])
    if aside := [[x.side, [one.text for one in x.inputs]] for x in game.aside.held]:
        extra.append(aside)
    if dice := game.throwing.data():
        extra.append(dice)
    if rules := rules_data(game.basis):
        extra.append(rules)
    return digest_of(world, extra)
