"""The audit trail of emitted rules: the arguments of each value, which of its lines applied, and its result."""

from __future__ import annotations

from typing import Literal, TypeAlias

from interpreter.runtime.things import Value

__all__ = ["LineNote", "Note", "Trail"]


LineNote: TypeAlias = tuple[Literal["step"], int, object] | tuple[Literal["skip"], int]
Note: TypeAlias = tuple[Literal["enter"], str, tuple[object, ...]] | LineNote | tuple[Literal["leave"], Value]
"""An entry of a trail: a value with its arguments, a line with its result, a line that did not apply, the result of a value."""


class Trail:
    """The audit trail of emitted rules: cheap to write, read once."""

    def __init__(self) -> None:
        self.notes: list[Note] = []

    def enter(self, name: str, args: tuple[object, ...]) -> None:
        """The evaluation of a value begins."""
        self.notes.append(("enter", name, args))

    def step(self, site: int, value: object) -> None:
        """A line applied."""
        self.notes.append(("step", site, value))

    def skip(self, site: int) -> None:
        """A line did not apply."""
        self.notes.append(("skip", site))

    def leave(self, value: Value) -> Value:
        """The evaluation of the value is finished; the value is passed on."""
        self.notes.append(("leave", value))
        return value
