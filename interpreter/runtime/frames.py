"""Frames: the names of a running routine. There is one class for each routine, with a slot for each name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.ir import Routine
from interpreter.codegen.python_names import py

if TYPE_CHECKING:
    from interpreter.runtime.things import Thing, Value

__all__ = ["Frame", "frame_class"]


class Frame:
    """The frame of a running routine: its names, each in a slot `n_…` once it is set.

    acting: the acting side. up: the frame of the calling routine. route, via, chosen: the route of an order that
    leads somewhere, the places that were typed for it, and the route chosen with them. memo, stamp: remembered values, and their
    version of the world. withheld: the slots that are hidden from the viewer.
    """

    __slots__: tuple[str, ...] = ()

    if TYPE_CHECKING:
        acting: Thing | None
        up: Frame | None
        route: list[str] | None
        via: list[Thing]
        chosen: dict[Value, Value]
        memo: dict[str, Value]
        stamp: int
        withheld: frozenset[str]

        def __getattr__(self, slot: str) -> Value: ...
        def __setattr__(self, slot: str, value: Value) -> None: ...


def frame_class(routine: Routine) -> type[Frame]:
    """The class of a routine's frames."""
    names = (f"n_{py(n)}" for n in routine.frame)
    slots = (*names, "up", "acting", "route", "via", "chosen", "memo", "stamp", "withheld")
    return type(f"Frame_{py(routine.name)}", (Frame,), {"__slots__": slots})
