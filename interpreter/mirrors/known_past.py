"""What a side knows of past actions: secret orders of others are not reported to it, so what they did is hidden from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from interpreter.program.unheard import Unheard
from interpreter.runtime.hidden import Hidden
from interpreter.runtime.things import Thing
from interpreter.world.world import World

__all__ = ["KnownPast", "Mark", "SeenPast"]

Mark = tuple[Thing, int, int]
"""Who did something, in which turn, and when in it."""


class KnownPast:
    """The past as one side knows it. Its arguments are the things of the game itself."""

    def __init__(self, unheard: Unheard, side: str) -> None:
        self.unheard, self.side = unheard, side

    def has_done(
        self, past: Mapping[str, Sequence[Mark]], keys: Iterable[str], thing: Thing, turn: int, since: int
    ) -> bool:
        """Whether a thing or side has done one of these in a turn, since a moment of it. Raises Hidden if the side cannot know."""
        hidden = False
        for key in keys:
            if self.unheard.hangs_on_hidden(key):
                raise Hidden(thing, "past")
            untold = self._is_untold(key, thing)
            hidden = hidden or untold
            for giver, (x, at, clock) in self._given(key, past.get(key, ())):
                if x is thing and at == turn and clock >= since and (not untold or giver == self.side):
                    return True
        if hidden:
            raise Hidden(thing, "past")
        return False

    def _is_untold(self, key: str, thing: Thing) -> bool:
        """Whether a thing may have done this without the side learning of it."""
        if thing.kind == "side":
            return thing.id != self.side and (key in self.unheard.in_secret or key in self.unheard.of_the_unseen)
        own = thing.side is not None and thing.side.id == self.side
        return key in self.unheard.in_secret and not (own and self.unheard.is_owners(key))

    def _given(self, key: str, marks: Iterable[Mark]) -> Iterator[tuple[str, Mark]]:
        """Past actions, each with the side that ordered it: the giver of an order is recorded before the things it was given to."""
        giver, to_sides = "", self.unheard.is_given_to_sides(key)
        for number, mark in enumerate(marks):
            if not key.startswith("order "):
                yield "", mark
                continue
            if mark[0].kind == "side" and not (to_sides and number % 2):
                giver = mark[0].id
            yield giver, mark


class SeenPast:
    """Past actions in a world, asked through its mirror. back: returns the thing of the game for one of the mirror."""

    def __init__(self, real: World, side: str, back: Callable[[Thing], Thing]) -> None:
        self.real, self.known, self._back = real, KnownPast(real.program.secrecy.unheard, side), back

    def has_done(self, keys: tuple[str, ...], thing: Thing, last: bool, period: str) -> bool:
        """Whether a thing or side has done one of these orders or procedures in a period."""
        return self.real.durations.has_done(keys, self._back(thing), last, period, self.known)
