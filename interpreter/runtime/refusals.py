"""A refusal as data: its kind, what it mentions, which rules it rests on, and what would help.

It is worded where it occurs, by the ids of things. The gate (`seat.py`) gives each reader the sentence and the data with the names
that they may know. The data contain what the sentence mentions, never more. So a refusal about what a side may not know is the same
as one about what does not exist.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self, TypedDict, Unpack

from attrs import field, frozen

__all__ = ["About", "Refusal", "Refused", "Why"]


class About(TypedDict, total=False):
    """What a refusal speaks of: ids as orders take them, words as they were typed, and numbers."""

    name: Annotated[str, "a name as it was typed, or the word that is meant"]
    side: Annotated[str, "the id of a side"]
    sides: Annotated[list[str], "the ids of sides"]
    thing: Annotated[str, "the id of a thing"]
    things: Annotated[list[str], "the ids of things"]
    place: Annotated[str, "a place of the map"]
    field: Annotated[str, "the name of a field"]
    order: Annotated[str, "the name of an order"]
    arguments: Annotated[dict[str, list[str]], "of each argument of the order what was given for it"]
    orders: Annotated[list[str], "the names of the orders that can be given"]
    question: Annotated[str, "the name of a question"]
    dice: Annotated[str, "dice, as 2d6"]
    option: Annotated[str, "the name of an option"]
    module: Annotated[str, "the name of a module"]
    file: Annotated[str, "a file, as it was typed"]
    code: Annotated[str, "the code of a fault in rules: docs/diagnostics.md explains it"]
    number: Annotated[int, "a number that was given, or how many there are"]
    least: Annotated[int, "the least that there may be"]
    most: Annotated[int, "the most that there may be"]


class Why(StrEnum):
    """Of what kind a refusal is; programs go by these words, so that none of them changes."""

    means: str

    def __new__(cls, word: str, means: str) -> Self:
        """A kind and its meaning."""
        made = str.__new__(cls, word)
        made._value_, made.means = word, means
        return made

    NOT_UNDERSTOOD = "not-understood", "it does not read as what is wanted here"
    UNKNOWN_NAME = "unknown-name", "there is nothing of that name, or nothing that its giver may know of"
    UNCLEAR = "unclear", "it can mean several things, and does not say which"
    NOT_NOW = "not-now", "the game waits for something else"
    NOT_YOURS = "not-yours", "it is for somebody else to give"
    AGAINST_RULE = "against-rule", "a rule forbids it"
    OUT_OF_REACH = "out-of-reach", "no way leads there, or it is too far"
    OUT_OF_BOUNDS = "out-of-bounds", "a number, or how many there are, is too small or too large"
    NO_CHANGE = "no-change", "it is so already"
    FIXED = "fixed", "it cannot be set or changed at all"
    NO_VALUE = "no-value", "it cannot be worked out here, or not from what the reader may know"
    CLOSED = "closed", "it is over, or was given for good"
    BUSY = "busy", "another program is at the campaign, or was quicker"
    FILE = "file", "a file or a record is not there, cannot be read or written, or is not what it should be"
    RULES = "rules", "the text of the rules is at fault"
    STOPPED = "stopped", "somebody stopped it before it was done"
    FAULT = "fault", "ophex itself failed"

    def __call__(self, message: str, cites: tuple[str, ...] = (), hint: str = "", **about: Unpack[About]) -> Refused:
        """A refusal of this kind, to be raised."""
        return Refused(Refusal(message, cites, "", hint, self, about))


@frozen
class Refusal:
    """Why something is refused.

    Attributes:
        message: what is refused and why, in full sentences.
        cites: the citations of the rules that forbid it.
        place: file and line of the rule that forbids it, or empty.
        hint: what would be allowed instead, or empty.
        kind: of what kind it is.
        about: what it speaks of.
    """

    message: str
    cites: tuple[str, ...] = ()
    place: str = ""
    hint: str = ""
    kind: Why = Why.AGAINST_RULE
    about: About = field(factory=About)

    def as_data(self) -> dict[str, object]:
        """As an object that can be written as JSON."""
        numbers = {key: value for key, value in self.about.items() if isinstance(value, int)}
        return {
            "kind": str(self.kind),
            "message": self.message,
            "references": {key: value for key, value in self.about.items() if key not in numbers},
            "numbers": numbers,
            "cites": list(self.cites),
            "place": self.place,
            "hint": self.hint,
        }


class Refused(Exception):
    """The input is illegal now; nothing has changed. refusal: why, as data."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal

    @property
    def message(self) -> str:
        """What is refused and why, in full sentences."""
        return self.refusal.message

    @property
    def cites(self) -> tuple[str, ...]:
        """The citations of the rules that forbid it."""
        return self.refusal.cites

    @property
    def hint(self) -> str:
        """What would be allowed instead, or empty."""
        return self.refusal.hint

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.refusal,)
