"""Which commands name which units and places."""

from collections.abc import Iterable

from interpreter.commands.command import LegalCommand

__all__ = ["Words", "matching"]

Words = tuple[tuple[str, ...], ...]
"""Groups of ids: a command must name at least one id of each group."""


def matching(commands: Iterable[LegalCommand], words: Words, text: str = "") -> list[LegalCommand]:
    """The commands that contain a text and name at least one id of every group."""
    held = [one for one in commands if text.lower() in one.text.lower()]
    return [one for one in held if not any(one.names.isdisjoint(group) for group in words)] if words else held
