"""What a side knows: whether it can compute something from what is not hidden from it."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.messages.inputs import Refused
from interpreter.mirrors.veil import Veil, veiled
from interpreter.runtime.frames import Frame
from interpreter.runtime.things import Value, things_in
from interpreter.world.world import World

_HIDDEN = object()


def knows(world: World, side: str, frame: Frame, value: Callable[[], Value], *, whole: bool = False) -> bool:
    """Whether a side can know the value of something.

    Args:
        world: the world.
        side: the id of the side.
        frame: names that the question uses as `n_…`; names for things that the side must not know of are unknown to it.
        value: computes it in the world's state at the time of the call.
        whole: whether the question is about the things themselves: their existence and places.

    Raises:
        Refused: it has no value at all.
    """
    so = value()
    if whole:
        things = so if isinstance(so, list | tuple) else [so]
        return all(x is not None and not world.knowledge.concealed(x, side) for x in things)
    unnamed = [x for x in world.by_id.values() if "name" in world.knowledge.hidden_from(x, side)]
    with veiled(world, side) as veil:
        for x in unnamed:  # for everything else a label stands in for the name
            veil.take(x, "name")
        for slot in [s for s in vars(frame) if s.startswith("n_")]:
            if any(world.knowledge.concealed(x, side) for x in things_in(getattr(frame, slot))):
                veil.take(frame, slot)
        return bool(_seen(value, veil) == so)


def _seen(value: Callable[[], Value], veil: Veil) -> Value:
    try:
        return value()
    except Refused as error:
        if veil.covers(error):
            return _HIDDEN
        raise
