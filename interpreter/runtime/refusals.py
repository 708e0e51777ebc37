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
    """What a refusal is about: ids as orders take them, words as typed, and numbers."""

    name: Annotated[str, "a name as typed, or the word it stands for"]
    side: Annotated[str, "the id of a side"]
    sides: Annotated[list[str], "the ids of sides"]
    thing: Annotated[str, "the id of a thing"]
    things: Annotated[list[str], "the ids of things"]
    place: Annotated[str, "a place of the map"]
    field: Annotated[str, "the name of a field"]
    order: Annotated[str, "the name of an order"]
    arguments: Annotated[dict[str, list[str]], "the value given for each argument of the order"]
    orders: Annotated[list[str], "the names of the available orders"]
    question: Annotated[str, "the name of a question"]
    dice: Annotated[str, "dice, as 2d6"]
    option: Annotated[str, "the name of an option"]
    module: Annotated[str, "the name of a module"]
    file: Annotated[str, "a file name as typed"]
    code: Annotated[str, "the code of an error in the rules, as explained in docs/diagnostics.md"]
    number: Annotated[int, "a number that was given, or a count"]
    least: Annotated[int, "the minimum allowed"]
    most: Annotated[int, "the maximum allowed"]


class Why(StrEnum):
    """The kind of a refusal; other programs rely on these words, so they never change."""

    means: str

    def __new__(cls, word: str, means: str) -> Self:
        """A kind and its meaning."""
        made = str.__new__(cls, word)
        made._value_, made.means = word, means
        return made

    NOT_UNDERSTOOD = "not-understood", "the input does not have the expected form"
    UNKNOWN_NAME = "unknown-name", "nothing has that name, or nothing visible to whoever gave the input"
    UNCLEAR = "unclear", "the input is ambiguous"
    NOT_NOW = "not-now", "the game is waiting for something else"
    NOT_YOURS = "not-yours", "only somebody else can give this input"
    AGAINST_RULE = "against-rule", "a rule forbids it"
    OUT_OF_REACH = "out-of-reach", "there is no route to the place, or it is too far away"
    OUT_OF_BOUNDS = "out-of-bounds", "a number or a count is too small or too large"
    NO_CHANGE = "no-change", "it is already the case"
    FIXED = "fixed", "it can never be set or changed"
    NO_VALUE = "no-value", "it cannot be calculated here, or not from what is visible to the reader"
    CLOSED = "closed", "it is over, or was given and is final"
    BUSY = "busy", "another program is using the campaign, or was faster"
    FILE = "file", "a file or record is missing, cannot be read or written, or has the wrong content"
    RULES = "rules", "the rule text has an error"
    STOPPED = "stopped", "somebody stopped it before it finished"
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
        kind: its kind.
        about: what it is about.
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
    """The input is illegal now; nothing has changed. refusal: the reason, as data."""

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
