"""The line at the bottom that takes commands. What you type while a command is carried out stays."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.suggester import SuggestFromList
from textual.widgets import Input

from campaigns.play.whole_answers import whole_answers
from ui.app.seat_desk import Situation

__all__ = ["CommandLine"]


MOST_SENT = 100
"""The most lines that can be brought back."""


class CommandLine(Input):
    """An input that is emptied as soon as its text is sent, so that fast typing and pasted lines are not lost.

    The up arrow brings back what was sent before, to correct it and send it again.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "earlier(1)", "Earlier", show=False),
        Binding("down", "earlier(-1)", "Later", show=False),
    ]

    def __init__(self, *, placeholder: str, id: str) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(placeholder=placeholder, id=id, compact=True, select_on_focus=False)
        self._sent: list[str] = []
        self._back = 0
        """How many lines ago the shown one was sent; 0: it is new."""
        self._new = ""
        """What had been typed when an earlier line was brought back."""

    async def action_submit(self) -> None:
        """Send the text, and empty the line."""
        if self.value.strip() and self._sent[-1:] != [self.value]:
            self._sent = [*self._sent, self.value][-MOST_SENT:]
        await super().action_submit()
        self.value, self._back = "", 0

    def action_earlier(self, step: int) -> None:
        """Show a line that was sent before, or again the one that is being typed."""
        if not self._back:
            self._new = self.value
        self._back = max(0, min(self._back + step, len(self._sent)))
        self.value = self._sent[-self._back] if self._back else self._new
        self.cursor_position = len(self.value)

    def suggest(self, found: Situation) -> None:
        """Offer completions: legal commands, and answers to open questions."""
        commands = [command.text for legal in found.legal.values() for command in legal]
        asked = [one for one in found.waiting if one.kind == "question"]
        answers = [f"answer {one.name} with {answer}" for one in asked for answer in whole_answers(one)]
        self.suggester = SuggestFromList([*commands, *answers], case_sensitive=False)
