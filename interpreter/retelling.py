"""Telling a step as it was: what a procedure named is worked out once more in the moment at which it was named.

Play keeps no audit trail: a turn is its state at the start and the inputs since, and the same inputs lead through the same
moments. So a second game is led from the start of the turn to the line that is asked about, and there, with everything as
it stood, the line is worked out with its trail. Nothing of it touches the game that asks.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import attrs

from dsl.ir import S
from interpreter.emit_expressions import py
from interpreter.inputs import Input, Refused
from interpreter.runtime import RuleTrouble

if TYPE_CHECKING:
    from collections.abc import Callable

    from interpreter.explain import Trail
    from interpreter.play import Game
    from interpreter.world import World


class _Told(Exception):
    """The moment has come and gone."""


@attrs.frozen(slots=True)
class Moment:
    """A line that named a value, and the trail of what it asked when it did."""

    line: S
    trail: Trail


class _Watch:
    """Waits for a name to be given in the frames of one routine. wanted: the time at which `then` is asked; 0: only count."""

    def __init__(self, slot: str, wanted: int = 0, then: Callable[[Any, Any], None] | None = None) -> None:
        self.slot = slot
        self.wanted = wanted
        self.then = then
        self.times = 0
        self.value: Any = None
        self.busy = False
        self.twin: Any = None

    def given(self, frame: Any, value: Any) -> None:
        """The name is about to be given to a value."""
        if self.busy:
            return
        self.times += 1
        self.value = value
        if self.then is not None and self.times == self.wanted:
            self.busy = True
            self.then(frame, value)
            raise _Told

    def frames_of(self, made: type) -> type:
        """The class of frames that tell of it."""
        watch = self

        class Watched(made):  # type: ignore[misc]
            """A frame whose names are watched."""

            __slots__ = ()

            def __setattr__(self, name: str, value: Any) -> None:
                if name == watch.slot:
                    watch.given(self, value)
                super().__setattr__(name, value)

        return Watched


def moment_of(game: Game, key: str, name: str, kept: Any, side: str = "umpire") -> Moment | None:
    """How a routine came to give a name its value, told as it was then; None where that cannot be told any more.

    key: the routine, as `procedure battle`. kept: the value that the name has now.
    """
    slot = f"n_{py(name)}"
    for start, inputs in game.course():
        watch = _Watch(slot)
        twin = _led(game, key, watch, start, inputs)
        if twin is not None and watch.times:
            same = twin.world.encode(watch.value) == game.world.encode(kept)
            return _at(game, key, name, watch.times, (start, inputs), side) if same else None
    return None


def _at(
    game: Game, key: str, name: str, times: int, course: tuple[bytes | None, list[Input]], side: str
) -> Moment | None:
    lines = [s for s in _lines(game.program.binder.routines[key].body) if s.op == "let" and s["name"] == name]
    found: list[Moment] = []

    def tell(frame: Any, value: Any) -> None:
        told = _told(watch.twin.world, frame, value, lines, side)
        if told is not None:
            found.append(told)

    watch = _Watch(f"n_{py(name)}", times, tell)
    _led(game, key, watch, *course)
    return found[0] if found else None


def _led(game: Game, key: str, watch: _Watch, start: bytes | None, inputs: list[Input]) -> Game | None:
    """A second game, led through some inputs; None where it ends before they do."""
    program = copy.copy(game.program)
    program.frames = {**program.frames, key: watch.frames_of(program.frames[key])}
    twin = watch.twin = type(game).__new__(type(game))
    try:
        twin.__init__(program, game.scenario, game.settings, start)  # type: ignore[misc]
        for given in inputs:
            twin.follow(given)
    except _Told:
        return twin
    except Refused:
        return None
    return twin


def _told(world: World, frame: Any, value: Any, lines: list[S], side: str) -> Moment | None:
    """The line that gives the value now, with its trail, as far as the side may know."""
    from interpreter.explain import Trail, evaluate
    from interpreter.veil import veiled

    def worked_out() -> Moment | None:
        for line in lines:
            trail = Trail()
            forget(frame)
            space = {"F": frame}
            if line["when"] is not None and not evaluate(world.program, world, line["when"], {}, None, space):
                continue
            if evaluate(world.program, world, line["value"], {}, trail, space) == value:
                return Moment(line, trail)
        return None

    try:
        if side == "umpire":
            return worked_out()
        with veiled(world, side):
            return worked_out()
    except (Refused, RuleTrouble):
        return None


def forget(frame: Any) -> None:
    """What was remembered would not be told again."""
    while frame is not None and hasattr(frame, "memo"):
        frame.stamp = -1
        frame = frame.up


def _lines(body: tuple[S, ...]) -> list[S]:
    return [x for s in body for x in (s, *_lines(s.body))]
