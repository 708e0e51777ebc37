"""The world as one side knows it, for whoever reads values of the rules in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.mirror import mirror_of
from interpreter.seat import UMPIRE
from interpreter.world import World

__all__ = ["known_world"]


@contextmanager
def known_world(world: World, side: str) -> Iterator[World]:
    """The world as a side knows it, and what it knows of the names of procedures. Nothing is taken out of the world itself.

    The umpire knows all; and a world that is seen with a side's eyes already is as that side knows it.
    """
    if side == UMPIRE or world.veil is not None:
        yield world
        return
    with mirror_of(world, side).with_names() as mirror:
        yield mirror.world
