"""The gate between a side and the machine: every text of a side comes in here, and every text for a side goes out here.

Incoming text is read with the side's name book (`namebook.py`). In outgoing text each reference (`references.py`) becomes the name
that the side may use, and all other text stays the same. Of events, only those go out that the side may read. The umpire reads all
names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar, cast

from dsl.text.withheld import plain
from interpreter.messages.inputs import Event, Refused, RuleFailure
from interpreter.messages.sides import UMPIRE
from interpreter.runtime.references import mapped, projected, without_marks
from interpreter.world.namebook import NameBook, Names

if TYPE_CHECKING:
    from interpreter.world.world import World

__all__ = ["Seat", "messages", "readable"]

V = TypeVar("V")


class Seat:
    """The seat of a side, or of the umpire, in the current game."""

    def __init__(self, world: World, side: str) -> None:
        self._world = world
        self.side = side
        self._book: NameBook | None = None

    def held(self) -> Seat:
        """This seat with what its side knows now, whatever is revealed later."""
        labels = self._world.incognito
        if self.side != UMPIRE and labels is not None:
            labels.hold(self.side)
        if self._is_closed:
            self._book = NameBook(self._world, self.side)
        return self

    @property
    def book(self) -> NameBook | None:
        """The names that the side may use; None if it may know all names."""
        if self._book is None and self._is_closed:
            self._book = NameBook(self._world, self.side)
        return self._book

    @property
    def _is_closed(self) -> bool:
        return self.side != UMPIRE and (self._world.incognito is not None or self._world.knowledge.conceals)

    def heard(self, text: str, *, as_ids: bool = False, names: Names | None = None) -> str:
        """The side's typed text, with a mark on each word that is not in its name book.

        as_ids: whether to replace its labels by references, for text that is looked up by ids.
        names: where names occur in it; by default anywhere.
        """
        book, text = self.book, without_marks(text)
        return text if book is None else book.heard(text, as_ids=as_ids, names=names)

    def told(self, value: V) -> V:
        """The form in which the side, or the umpire, reads something: a text, an error, or a structure with texts in it."""
        if self.side == UMPIRE and self._world.incognito is None:
            return value
        told = self._teller()
        if isinstance(value, Refused):
            return cast("V", Refused(mapped(value.refusal, told)))
        if isinstance(value, RuleFailure):
            return cast("V", RuleFailure(value.file, value.line, told(value.message)))
        return mapped(value, told) if self._is_closed or self._world.incognito is not None else value

    def _teller(self) -> Callable[[str], str]:
        """Converts a text to the form in which it is read."""
        labels = self._world.incognito
        if labels is None:
            return plain
        called = labels.called(self.side)
        if self.side == UMPIRE:
            return lambda text: projected(text, called)
        return lambda text: plain(projected(text, called))


def readable(events: Iterable[Event], side: str) -> list[Event]:
    """The events that a side may read; the umpire reads all, unchanged."""
    if side == UMPIRE:
        return [event for event in events if not event.what.veiled]
    return [event for event in events if event.to in {"all", "", side}]


def messages(seat: Seat, events: Iterable[Event]) -> list[str]:
    """The rules' messages to a side in these events, as it reads them: from `tell`, and the reasons of `stop`."""
    return [seat.told(event.text) for event in readable(events, seat.side) if event.kind == "note"]
