"""The line that shows odds beside a question or a typed order. Another ophex process computes them, and no key waits for it."""

import asyncio

from textual.message import Message
from textual.widgets import Static

from interpreter.messages.inputs import Awaited
from ui.app.odds_beside import Bookmaker
from ui.app.seat_desk import Situation
from ui.app.selection import giver

__all__ = ["OddsLine"]


async def _nothing() -> None:
    """Replaces odds that are no longer wanted."""


class OddsLine(Static):
    """Shows the odds of what is being typed, or else of the open question; hidden if there are none."""

    class Told(Message):
        """Odds were shown or removed."""

    def __init__(self, bookmaker: Bookmaker | None, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id, markup=False)
        self._bookmaker = bookmaker
        self._told_of: tuple[str, ...] = ()
        self.display = False

    def look(self, found: Situation | None, seat: str, typed: str, shown: Awaited | None) -> None:
        """Start computing odds, unless they are already shown for the same situation and text.

        Args:
            found: the situation.
            seat: a side or "umpire".
            typed: the text in the command line.
            shown: the pending thing that is shown.
        """
        if self._bookmaker is None or found is None:
            return
        typed = " ".join(typed.split())
        first = typed.partition(" ")[0].lower()
        offered = {command.order for legal in found.legal.values() for command in legal}
        side, command = "", ""
        if typed and (first in offered or (first == "answer" and not typed.endswith(" with"))):
            side, command = giver(found, seat, typed, shown.side if shown else ""), typed
        elif shown is not None and shown.kind == "question":
            side = shown.side
        wanted = (str(found.number), side, command, shown.name if shown and not command else "") if side else ()
        if wanted != self._told_of:
            self._told_of = wanted
            self._tell([])
            self.run_worker(
                self._ask(self._bookmaker, side, command) if side else _nothing(),
                group="odds",
                exclusive=True,
                exit_on_error=False,
            )

    async def _ask(self, bookmaker: Bookmaker, side: str, command: str) -> None:
        await asyncio.sleep(bookmaker.patience)
        self._tell(await bookmaker.tell(side, command))

    def _tell(self, lines: list[str]) -> None:
        self.update("\n".join([f"Odds: {lines[0]}", *lines[1:]]) if lines else "")
        self.display = bool(lines)
        self.post_message(self.Told())
