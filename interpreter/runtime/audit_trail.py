"""The audit trail of emitted rules: the arguments of each value, which of its lines applied, and its result."""

from __future__ import annotations

from typing import Literal, TypeAlias

from interpreter.runtime.things import Value

__all__ = ["LineNote", "Note", "Trail"]


LineNote: TypeAlias = tuple[Literal["step"], int, object] | tuple[Literal["skip"], int]
Note: TypeAlias = tuple[Literal["enter"], str, tuple[object, ...]] | LineNote | tuple[Literal["leave"], Value]
"""What a trail notes: a value with what it is asked of, a line with what it gave, a line that did not apply, what a value came to."""


class Trail:
    """Where emitted rules leave their audit trail: cheap to write, read once."""

    def __init__(self) -> None:
        self.notes: list[Note] = []

    def enter(self, name: str, args: tuple[object, ...]) -> None:
        """A value begins to be worked out."""
        self.notes.append(("enter", name, args))

    def step(self, site: int, value: object) -> None:
        """A line applied."""
        self.notes.append(("step", site, value))

    def skip(self, site: int) -> None:
        """A line did not apply."""
        self.notes.append(("skip", site))

    def leave(self, value: Value) -> Value:
        """The value is worked out; it is handed on."""
        self.notes.append(("leave", value))
        return value
