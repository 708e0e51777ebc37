"""Stories that are still running, and how code that runs a game suspends and resumes them."""

from __future__ import annotations

from typing import Protocol

import attrs

from interpreter.messages.inputs import Event
from interpreter.messages.story_parts import StoryRow
from interpreter.runtime.frames import Frame
from interpreter.runtime.things import Thing

__all__ = ["Storytelling", "ToldStory"]


@attrs.define(eq=False)
class ToldStory:
    """A story in progress. frame: of its procedure; knowing: who might know of it when it began; rows: what was related, by
    reader; seen: the events since then.
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
    """The teller of a world's stories. open: the stories in progress, the innermost last; told: whether stories are told at all."""

    open: tuple[ToldStory, ...]
    told: bool
