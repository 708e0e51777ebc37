"""A toy game for the tests of the record: two sides add to one number, ask a question and roll dice.

    add N      adds N, from 1 to 9
    lucky      adds a number from 1 to 6 that comes out of the seed
    ask        asks the side back: "how-many", answers 1, 2, 3; the answer is added
    throw      waits for two dice, as "3 4"; their sum is added
    override   from the umpire: "the number = N", with a reason; at any time, also while somebody is asked
    fail       breaks the rules themselves
    babble     says something that cannot be written

Between questions it can be written as a snapshot.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from campaigns.file.history import Document
from campaigns.play.campaign import Campaign
from interpreter.messages.inputs import Awaited, Event, Input, RuleFailure
from interpreter.runtime.refusals import Why
from tests.as_recorded import recorded

DOCUMENTS = (
    Document("tally/rules", "rule", "Each side adds to the number.\n"),
    Document("tally/board", "map", "One field, named „Mitte“.\n"),
    Document("tally/opening", "scenario", "The number starts at 10.\n"),
)
SETTINGS = {"start": 10, "seed": 7, "options": {"dice": "typed", "with": ["storms"]}}


class Tally:
    """The machine of the toy game."""

    def __init__(self, start: int, seed: int, steps: int = 0) -> None:
        self.total, self.seed, self.steps, self.pending = start, seed, steps, ""

    @property
    def awaiting(self) -> tuple[Awaited, ...]:
        if self.pending == "dice":
            return (Awaited("dice", "", "throw", "Throw two dice.", (), form="2d6"),)
        if self.pending:
            return (Awaited("question", self.pending, "how-many", "How many?", ("1", "2", "3"), 3, "one"),)
        return tuple(
            Awaited("orders", side, "adding", "Add.", ("add", "lucky", "ask", "throw")) for side in ("red", "blue")
        )

    def offer(self, given: Input) -> tuple[Event, ...]:
        before = self.total
        match given:
            case Input("roll", _, text) if self.pending == "dice" and _faces(text):
                self.total += sum(_faces(text))
                self.pending = ""
            case Input("answer", side, "1" | "2" | "3" as text, "how-many") if self.pending == side:
                self.total += int(text)
                self.pending = ""
            case Input("override", "umpire", text, reason) if reason and text.startswith("the number = "):
                self.total = int(text.rpartition(" ")[2])
            case Input("do", "red" | "blue", "ask" | "throw" as text) if not self.pending:
                self.pending = given.side if text == "ask" else "dice"
            case Input("do", "red" | "blue", "lucky") if not self.pending:
                luck = hashlib.sha256(f"{self.seed} {self.steps}".encode()).digest()[0]
                self.total += luck % 6 + 1
            case Input("do", "red" | "blue", text) if not self.pending and text in {f"add {n}" for n in range(1, 10)}:
                self.total += int(text[4:])
            case Input("do", "red" | "blue", "fail") if not self.pending:
                self.total += 1000
                raise RuleFailure("tally/rules", 1, "It fell over.")
            case Input("do", "red" | "blue", "babble") if not self.pending:
                self.total += 1000
                return (recorded("note", "Half of it: \ud800."),)
            case _:
                raise Why.AGAINST_RULE(f"{given.text!r} is not legal now.", ("TOY-1",), "Add something.")
        self.steps += 1
        return (
            recorded(
                "change", f"The number is {self.total}.", given.side, "all", ("TOY-2",), {"by": self.total - before}
            ),
        )

    def digest(self) -> str:
        return hashlib.sha256(json.dumps([self.total, self.steps, self.pending]).encode()).hexdigest()

    def snapshot(self) -> bytes | None:
        return None if self.pending else json.dumps([self.total, self.steps]).encode()


def start(documents: tuple[Document, ...], settings: Mapping[str, Any], snapshot: bytes | None) -> Tally:
    """The starter of the toy game."""
    assert documents == DOCUMENTS
    if snapshot is None:
        return Tally(settings["start"], settings["seed"])
    total, steps = json.loads(snapshot)
    return Tally(total, settings["seed"], steps)


class Clock:
    """A clock that goes on by one second each time it is looked at."""

    def __init__(self) -> None:
        self.now = datetime(2030, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def do(text: str, side: str = "red") -> Input:
    return Input("do", side, text)


def new(path, **choices) -> Campaign[Tally]:
    return Campaign.create(path, DOCUMENTS, SETTINGS, start, **{"clock": Clock(), "snapshot_every": 4, **choices})


def reopen(path, **choices) -> Campaign[Tally]:
    return Campaign.open(path, start, **{"clock": Clock(), "snapshot_every": 4, **choices})


def _faces(text: str) -> list[int]:
    words = text.split()
    return [int(word) for word in words] if len(words) == 2 and all(word in "123456" for word in words) else []
