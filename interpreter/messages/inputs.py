"""The inputs of a game, what it waits for, and its output.

The machine, the campaign file and the screens share these types: one accepted step (`Input`), one thing
that is waited for (`Awaited`), one thing that happened (`Event`), and the two ways in which a step can fail
(`Refused`, `RuleFailure`). They have no behaviour and know no game.
"""

from attrs import field, frozen

from interpreter.messages.happening import Happening
from interpreter.messages.json_data import JsonObject
from interpreter.messages.sentences import sentence_of
from interpreter.runtime.refusals import Refusal, Refused, Why

__all__ = [
    "ENDINGS",
    "OR_DONE",
    "SEAL",
    "UNDO",
    "WITH_ANSWERS",
    "Awaited",
    "Event",
    "Input",
    "Refused",
    "RuleFailure",
    "told",
]

ENDINGS = frozenset({"done", "pass"})
"""Words that end a side's orders of a phase."""

OR_DONE = ", or done"
"""What the prompt of an orders window ends with if there are orders: its side may also end it."""

SEAL = "seal"
"""The kind of an input that gives a link of sealed dice, or the anchor of them."""

UNDO = "undo"
"""The kind of an input that takes back the side's last one."""

WITH_ANSWERS = "order with its answers"
"""The subject of an input that takes back an order together with the answers to its questions."""


@frozen
class Input:
    """One accepted step of a campaign; a campaign is the chain of these steps.

    Attributes:
        kind: "do" (a command), "answer" (to a pending question) or "roll" (dice typed in).
        side: the id of the side that gives it, or "umpire".
        text: the command; the answer; or the dice, as "7 8".
        subject: for "answer" the question's name; empty otherwise.
    """

    kind: str
    side: str
    text: str
    subject: str = ""


@frozen
class Awaited:
    """One thing that a game is waiting for; there may be several at once.

    Attributes:
        kind: "orders" (a side may give commands), "question", "dice" or "over".
        side: the id of the side it is awaited from; empty for dice.
        name: the name of the phase, of the question or of the roll.
        prompt: a full sentence for people.
        choices: for orders the names of the orders, for a question its legal answers (at most 200), for dice nothing.
        count: the number of legal answers; -1 when there are more than were counted.
        form: "one", "some", "exactly 2", "up to 3", "number", or for dice the dice expression.
        secret: whether the question, or the fact that it is asked, is hidden from other sides.
        where: the citation of the rule that asks.
        title: for a question its wording in the rules; empty if they only name it.
        titles: what each of the orders is for, in the words of the rules, by its name; those of which they say it.
        named: for each choice of a question what it names: ids of things and places, words, numbers; if each of several things gets one, the thing comes first.
        at_table: for a question, whether only the players' table knows the answer.
    """

    kind: str
    side: str
    name: str
    prompt: str
    choices: tuple[str, ...]
    count: int = 0
    form: str = ""
    secret: bool = False
    where: str = ""
    title: str = ""
    named: tuple[tuple[str, ...], ...] = ()
    titles: dict[str, str] = field(factory=dict, hash=False)
    at_table: bool = False

    def __attrs_post_init__(self) -> None:
        """If the choices are hidden, what they name is hidden too. Raises ValueError."""
        if self.named and len(self.named) != len(self.choices):
            raise ValueError("each choice, and no other, says what it names")


@frozen
class Event:
    """One effect of an input; events come in the order in which they happened.

    Attributes:
        what: what happened, as data (`happenings.py`).
        text: the same as a full sentence for people.
        side: the id of the side that caused it, or empty.
        to: who may read it: the id of a side, "all" or "umpire".
        cites: the citations of the rules that caused it.
    """

    what: Happening
    text: str
    side: str = ""
    to: str = "all"
    cites: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The word for it in records and programs: "order", "phase", "roll", "change", "move" and the like."""
        return self.what.kind

    @property
    def data(self) -> JsonObject:
        """What happened, as recorded data."""
        return self.what.as_data()


def told(what: Happening, side: str = "", to: str = "all", cites: tuple[str, ...] = ()) -> Event:
    """An event in words."""
    return Event(what, sentence_of(what), side, to, cites)


class RuleFailure(Exception):
    """A rule failed in play: the rule text is wrong, not the input; nothing has changed.

    Attributes:
        file: the name of the rule file.
        line: the line in it, counted from 1; 0 when it is not known.
        message: what went wrong, in full sentences.
    """

    def __init__(self, file: str, line: int, message: str) -> None:
        super().__init__(f"{file}:{line}: {message}")
        self.file = file
        self.line = line
        self.message = message

    @property
    def refusal(self) -> Refusal:
        """The failure as a refusal."""
        return Refusal(self.message, place=f"{self.file}:{self.line}" if self.line else self.file, kind=Why.RULES)

    def __reduce__(self) -> tuple[type["RuleFailure"], tuple[str, int, str]]:
        return type(self), (self.file, self.line, self.message)
