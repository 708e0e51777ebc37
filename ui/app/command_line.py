"""The line at the bottom that takes commands. What you type while a command is carried out stays."""

from textual.suggester import SuggestFromList
from textual.widgets import Input

from campaigns.play.whole_answers import whole_answers
from ui.app.seat_desk import Situation

__all__ = ["CommandLine"]


class CommandLine(Input):
    """An input that is emptied as soon as its text is sent, so that fast typing and pasted lines are not lost."""

    async def action_submit(self) -> None:
        """Send the text, and empty the line."""
        await super().action_submit()
        self.value = ""

    def suggest(self, found: Situation) -> None:
        """Offer completions: legal commands, and answers to open questions."""
        commands = [command.text for legal in found.legal.values() for command in legal]
        asked = [one for one in found.waiting if one.kind == "question"]
        answers = [f"answer {one.name} with {answer}" for one in asked for answer in whole_answers(one)]
        self.suggester = SuggestFromList([*commands, *answers], case_sensitive=False)
