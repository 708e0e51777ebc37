"""What a part of a world may need of its world, in small protocols from which the contracts of parts are composed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from interpreter.geometry.place_graph import PlaceGraph
from interpreter.geometry.traces import Links
from interpreter.messages.asking import Run
from interpreter.program.program import Program, Ruled
from interpreter.runtime.frames import Frame
from interpreter.runtime.things import Thing

__all__ = ["Charted", "Heeding", "HeedingMoves", "Stamped", "Stirred", "Veiling", "Walked"]


class Charted(Protocol):
    """A world with its map."""

    grid: PlaceGraph
    """The graph of its places."""

    @property
    def places(self) -> Sequence[Thing]:
        """Its places by their numbers."""


class Stirred(Charted, Protocol):
    """A world that records where things come and go."""

    @property
    def stirred(self) -> Sequence[int]:
        """The numbers of the places that things came to or left, one after the other."""


class Stamped(Protocol):
    """A world whose changes are counted."""

    version: int
    """How many changes there were."""

    def stamp(self, reads: Iterable[str]) -> int:
        """A number that stays the same only while nothing with these names changes."""


class Veiling(Protocol):
    """Hides from a side what it may not know."""

    def covers(self, error: BaseException | None) -> bool:
        """Whether something failed because it is hidden from the side."""

    def miss(self, frame: Frame, slot: str, /) -> None:
        """Records a name that could not be set because it depends on something hidden."""


class Walked(Ruled, Stirred, Stamped, Protocol):
    """A world in which routes are searched."""

    program: Program
    """Its rules."""

    @property
    def by_kind(self) -> Mapping[str, Sequence[Thing]]:
        """Its things and places by their kinds."""

    link_graph: Links
    """Its links."""
    veil: Veiling | None
    """Hides what the viewing side may not know; None without a viewing side."""


class Heeding(Protocol):
    """Fires rules that wait for a change."""

    def became(self, thing: Thing, slot: str, before: object, value: object) -> None:
        """A field has changed."""


class HeedingMoves(Heeding, Protocol):
    """Fires rules that wait for something to move or leave the game."""

    @property
    def losing(self) -> Sequence[object]:
        """The rules that wait for something to leave the game."""

    def moved(self, thing: Thing, origin: Thing | None, place: Thing) -> None:
        """A thing has moved in one step."""

    def travel(self, thing: Thing, to: Thing | None, frame: Frame | None, site: int) -> Run:
        """Moves a thing step by step along its route."""

    def take_out(self, thing: Thing, frame: Frame | None, site: int) -> Run:
        """Removes a thing from the game after the rules on its removal have fired."""
