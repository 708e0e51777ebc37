"""Which commands name which units and places."""

from ui.app.seat_desk import words_of

__all__ = ["Words", "matching"]

Words = tuple[tuple[str, ...], ...]
"""Groups of ids: a command must name one of each group."""


def matching(commands: tuple[str, ...], words: Words, text: str = "") -> list[str]:
    """The commands that hold a text and name at least one id of every group.

    >>> matching(("march tf-1 to 0304", "march tf-10 to 0304"), (("tf-1", "brigade-1"),))
    ['march tf-1 to 0304']
    """
    return [command for command in commands if text.lower() in command.lower() and _names(words_of(command), words)]


def _names(said: set[str], words: Words) -> bool:
    return all(not said.isdisjoint(group) for group in words)
