"""What became of letters that were read: for each file its fate, its orders, seals and answers in advance, and what is wrong with them."""

from attrs import field, frozen

from campaigns.desk.answers_in_advance import AnswerInAdvance, SaidAnswers
from campaigns.desk.letter import LetterLine
from campaigns.desk.letter_orders import SaidOrder
from campaigns.desk.letter_seals import SaidSeals
from campaigns.desk.rehearsing import Fault, TriedOrders
from campaigns.desk.trays import REFUSED, Tray
from interpreter.messages.inputs import Event
from interpreter.runtime.refusals import Refusal

__all__ = ["EMPTY", "KNOWN", "SAME", "UNREADABLE", "Judged", "TakenIn"]

UNREADABLE, EMPTY, KNOWN, SAME = "unreadable", "empty", "known", "same"
"""Besides the fates of letters with orders: not a letter; no orders; already read; the same orders as before."""


@frozen
class Judged:
    """What became of a file.

    Attributes:
        file: its name.
        side: whose letter it is; empty if that is not known.
        fate: what became of it.
        message, hint: for a file that is not a letter, why.
        tray: its commands, and which of them were given.
        faults: what is wrong with them.
        seals: its seals, and what is wrong with them.
        answers: its answers in advance, and what is wrong with them.
        passed_over, quoted: lines that were not read as orders, and orders that were only quoted.
        replaces: the file of the letter that it replaces; empty for none.
        corrects: if it is refused, the file of the letter as whose correction it was tried; empty for none.
        dropped: orders of the letter before it that waited, are not in it, and are no longer given.
        late: whether the umpire has closed a window of its side since the packet that it answers.
        needless: the places of commands that ended nothing, or answered what was not asked.
        rehearsed: how far it could be tried in advance.
        decoded: whether its lines are counted in its decoded text, because the file is encoded.
    """

    file: str
    side: str
    fate: str
    message: str = ""
    hint: str = ""
    tray: Tray | None = None
    faults: tuple[Fault, ...] = ()
    passed_over: tuple[LetterLine, ...] = ()
    quoted: tuple[LetterLine, ...] = ()
    replaces: str = ""
    corrects: str = ""
    dropped: tuple[str, ...] = ()
    late: bool = False
    needless: tuple[int, ...] = ()
    rehearsed: TriedOrders = field(factory=TriedOrders)
    seals: SaidSeals = field(factory=SaidSeals)
    answers: SaidAnswers = field(factory=SaidAnswers)
    decoded: bool = False

    @property
    def kept_answers(self) -> tuple[SaidOrder, ...]:
        """The answers in advance that are kept: none if the letter is refused."""
        return () if self.fate == REFUSED else self.answers.taken


@frozen
class TakenIn:
    """What became of letters that had been waiting, and of all files.

    Attributes:
        judged: the letters.
        events: what happened.
        refused: answers in advance that the rules refused when their questions were open, and why.
        answered: the entries of those that were given.
    """

    judged: tuple[Judged, ...]
    events: tuple[Event, ...] = ()
    refused: tuple[tuple[AnswerInAdvance, Refusal], ...] = ()
    answered: tuple[int, ...] = ()
