"""The gate between a side and the machine: every text of a side comes in here, and every text for a side goes out here.

Incoming text is read with the side's name book (`namebook.py`). In outgoing text each reference (`references.py`) becomes the name
that the side may use, and all other text stays the same. Of events, only those go out that the side may read. The umpire reads all
names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from dsl.text.withheld import plain
from interpreter.messages.inputs import Event, Refused, RuleFailure
from interpreter.messages.sides import UMPIRE
from interpreter.runtime.references import mapped, projected, without_marks
from interpreter.world.namebook import NameBook, Names, NamesKept

if TYPE_CHECKING:
    from interpreter.world.incognito import Incognito

__all__ = ["Seat", "messages", "readable"]

V = TypeVar("V")


class SeenBySides(NamesKept, Protocol):
    """The world, as far as sides read of it."""

    @property
    def incognito(self) -> Incognito | None:
        """What things are called by those who may not know their names; None where no name of a scenario is hidden."""


class Seat:
    """Where a side, or the umpire, sits in a game as it stands now."""

    def __init__(self, world: SeenBySides, side: str) -> None:
        self._world = world
        self.side = side
        self._book: NameBook | None = None

    def held(self) -> Seat:
        """This seat with what its side knows now, whatever comes to light later."""
        labels = self._world.incognito
        if self.side != UMPIRE and labels is not None:
            labels.hold(self.side)
        if self._is_closed:
            self._book = NameBook(self._world, self.side)
        return self

    @property
    def book(self) -> NameBook | None:
        """What the side may call things; None where all names are open to it."""
        if self._book is None and self._is_closed:
            self._book = NameBook(self._world, self.side)
        return self._book

    @property
    def _is_closed(self) -> bool:
        return self.side != UMPIRE and (self._world.incognito is not None or self._world.knowledge.conceals)

    def heard(self, text: str, *, as_ids: bool = False, names: Names | None = None) -> str:
        """What the side types, with a mark on each word that its name book does not hold.

        as_ids: whether references stand for its labels, where the machine looks things up by their ids.
        names: where names stand in it; anywhere without that.
        """
        book, text = self.book, without_marks(text)
        return text if book is None else book.heard(text, as_ids=as_ids, names=names)

    def told(self, value: V) -> V:
        """What is said to the side, or the umpire: a text, an error, or a structure with texts in it."""
        if self.side == UMPIRE and self._world.incognito is None:
            return value
        told = self._teller()
        if isinstance(value, Refused):
            return cast("V", Refused(mapped(value.refusal, told)))
        if isinstance(value, RuleFailure):
            return cast("V", RuleFailure(value.file, value.line, told(value.message)))
        return mapped(value, told) if self._is_closed or self._world.incognito is not None else value

    def _teller(self) -> Callable[[str], str]:
        """What gives a text as it is said."""
        labels = self._world.incognito
        if labels is None:
            return plain
        called = labels.called(self.side)
        if self.side == UMPIRE:
            return lambda text: projected(text, called)
        return lambda text: plain(projected(text, called))


def readable(events: Iterable[Event], side: str) -> list[Event]:
    """The events that a side may read; the umpire reads all, each as it is."""
    if side == UMPIRE:
        return [event for event in events if not event.what.veiled]
    return [event for event in events if event.to in {"all", "", side}]


def messages(seat: Seat, events: Iterable[Event]) -> list[str]:
    """What the rules say to a side in these events, as it reads it: what they `tell`, and why they `stop`."""
    return [seat.told(event.text) for event in readable(events, seat.side) if event.kind == "note"]
