"""Stories that are still running, and how code that runs a game suspends and resumes them."""

from __future__ import annotations

from typing import Protocol

import attrs

from interpreter.messages.happenings import StoryRow
from interpreter.messages.inputs import Event
from interpreter.runtime.frames import Frame
from interpreter.runtime.things import Thing

__all__ = ["Storytelling", "ToldStory"]


@attrs.define(eq=False)
class ToldStory:
    """A story that runs. frame: of its procedure; knowing: who might know of it when it began; rows: what was related, by
    reader; seen: what happened meanwhile.
    """

    frame: Frame
    procedure: str
    title: str
    about: tuple[Thing, ...]
    knowing: frozenset[str]
    cites: tuple[str, ...]
    rows: dict[str, list[StoryRow]]
    seen: list[Event] = attrs.field(factory=list)


class Storytelling(Protocol):
    """Who tells the stories of a world. open: those that are being told, the innermost last; told: whether stories are told at all."""

    open: tuple[ToldStory, ...]
    told: bool
