"""The line at the bottom that takes commands: what is typed on while a command is carried out stays."""

from textual.widgets import Input

__all__ = ["CommandLine"]


class CommandLine(Input):
    """An input that is empty from the moment on in which its text was sent: fast hands, and what is pasted, go on typing."""

    async def action_submit(self) -> None:
        """Send the text, and empty the line."""
        await super().action_submit()
        self.value = ""
