"""The world as one side knows it, for code that reads values of the rules in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import CellType, FunctionType

from interpreter.messages.sides import UMPIRE
from interpreter.mirrors.mirror import Mirror, mirror_of
from interpreter.runtime.things import Value
from interpreter.world.world import World

__all__ = ["function_there", "known_world"]


@contextmanager
def known_world(world: World, side: str) -> Iterator[World]:
    """The world as a side knows it, and what it knows of the names of procedures. The world itself is not changed.

    The umpire knows everything; and a world already seen by a side is returned as that side knows it.
    """
    if side == UMPIRE or world.veil is not None:
        yield world
        return
    with mirror_of(world, side).with_names() as mirror:
        yield mirror.world


def function_there(mirror: Mirror, function: Value) -> FunctionType:
    """A function created by a procedure, rebuilt from what the side of a mirror knows."""

    def at_hand(name: str, value: Value) -> Value:
        if value is mirror.real:
            return mirror.world
        # A function of the rules is told by its name: what stands in its cell may still wait for its first call.
        if name in mirror.world.functions:
            return mirror.world.functions[name]
        if isinstance(value, FunctionType):
            return function_there(mirror, value)
        return mirror.frame_there(value) if hasattr(value, "memo") else mirror.there(value)

    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    held = tuple(CellType(at_hand(name, cell.cell_contents)) for name, cell in cells)
    return FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, held)
