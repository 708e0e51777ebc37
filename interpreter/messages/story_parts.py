"""What a story consists of: its values with their reasons, its dice, and what happened to things."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from attrs import frozen

__all__ = ["StoryFall", "StoryReason", "StoryRow", "StoryThrow"]


class StoryReason(NamedTuple):
    """A line that contributed to a value of a story: its text, the value after it, and its citations."""

    text: str
    value: str
    cites: tuple[str, ...]


@frozen
class StoryRow:
    """A value of a story."""

    name: Annotated[str, "its name"]
    value: Annotated[str, "the value"]
    cites: Annotated[tuple[str, ...], "the rules it is based on"]
    who: Annotated[tuple[str, ...] | None, "the things in it, if it is made of things"] = None
    why: Annotated[tuple[StoryReason, ...] | None, "how it was calculated: text, value, citations"] = None


class StoryThrow(NamedTuple):
    """A roll in a story: its sentence, the side, its name in the rules, its dice, the result, and its citations."""

    text: str
    side: str
    name: str
    dice: str
    face: int | None
    cites: tuple[str, ...]


class StoryFall(NamedTuple):
    """What happened to things in a story: its sentence, the side, their ids, and whether they are out of the game."""

    text: str
    side: str
    things: tuple[str, ...]
    is_removed: bool
