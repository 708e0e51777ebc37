"""What has been reported to the reader of a report so far: the entries of the log, and where turns began in them."""

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from campaigns.file.errors import CampaignError
from campaigns.report import report_model
from campaigns.views.told import Told
from interpreter.messages.happenings import PhaseBegan, TurnBegan
from interpreter.messages.inputs import Event
from interpreter.runtime.refusals import Why
from interpreter.world.seat import readable

__all__ = ["BEGINNING", "LAST", "Chapter", "StoryRead"]

LAST = "LAST"
"""Since the reader's own last input."""
BEGINNING = -1
"""Before the first entry: with what the game did by itself when it began."""


@frozen
class Chapter:
    """An entry of the log with what the reader may read of it, and the turn at its end."""

    told: Told
    turn: int
    events: tuple[Event, ...]


@frozen
class Page:
    """An entry of the log and the turn at its end; events are read only for entries that are reported."""

    told: Told
    turn: int


class StoryRead:
    """What the reader has been told so far: the entries in their order, and where turns began."""

    def __init__(self, log: Sequence[Told], side: str) -> None:
        self.log = log
        self.turns: dict[int, int] = {1: 0}
        """The entry, in the reader's numbers, in which each turn began."""
        self.side, self.pages = side, list[Page]()
        turn = 1
        for told in log:
            for event in readable(told.entry.events_of({"turn"}), side):
                if isinstance(event.what, TurnBegan):
                    turn = event.what.turn
                    self.turns[turn] = told.number
            self.pages.append(Page(told, turn))
        self._real = {0: 0, **{told.number: told.entry.number for told in log}}
        self._own = [told.number for told in log if told.entry.input.side == side]

    def real(self, number: int) -> int:
        """The number in the file of an entry in the reader's numbers."""
        return self._real[number]

    def turn_of(self, number: int) -> int:
        """The turn after an entry."""
        return next((one.turn for one in reversed(self.pages) if one.told.number <= number), 1)

    def since(self, begin: report_model.Since) -> Iterator[Chapter]:
        """What has happened since: if a turn begins within an entry, only the rest of that entry."""
        for one in self.pages:
            if one.told.number < begin.entry or (one.told.number == begin.entry and not begin.within):
                continue
            events, first = tuple(readable(one.told.entry.events, self.side)), 0
            if one.told.number == begin.entry:
                first = next(
                    (
                        n
                        for n, e in enumerate(events)
                        if isinstance(e.what, TurnBegan | PhaseBegan) and e.what.turn == begin.turn
                    ),
                    len(events),
                )
            yield Chapter(one.told, one.turn, events[first:])

    def of(self, entries: Iterable[Told]) -> Iterator[Chapter]:
        """Some of the entries, with what is left of their events."""
        turns = {one.told.number: one.turn for one in self.pages}
        for told in entries:
            yield Chapter(told, turns[told.number], tuple(readable(told.entry.events, self.side)))

    def after(self, entry: int) -> report_model.Since:
        """Where a report on what came after an entry begins, by its number in the file, or BEGINNING."""
        number = max((told.number for told in self.log if told.entry.number <= entry), default=0)
        return report_model.Since(self.turn_of(number), number, within=entry == BEGINNING)

    def begins(self, turn: int, since: str) -> report_model.Since:
        """Where a report begins. Raises CampaignError."""
        if since.upper() == LAST:
            entry = self._own[-1] if self._own else self.turns.get(turn, 0)
            turn = self.turn_of(entry)
            return report_model.Since(turn, entry, within=self.turns.get(turn) == entry)
        if not since:
            before = max((one for one in self.turns if one < turn), default=1)
            return report_model.Since(before, self.turns[before], within=True)
        number = int(since) if since.isdecimal() and len(since) <= 9 else 0
        if number not in self.turns:
            raise CampaignError(
                f"There is no turn {since[:40]} to start from.",
                f"Choose a turn from 1 to {max(self.turns)}; {LAST} is your own last input.",
                Why.UNKNOWN_NAME,
            )
        return report_model.Since(number, self.turns[number], within=True)
