"""The trays of the desk: the current letter of each side, with what has been given of it and what still waits.

A letter is kept beside the chain. Each of its commands becomes an input when the game waits for its side.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from campaigns.desk.commanders import side_of_seat
from campaigns.desk.letter_orders import SaidOrder
from campaigns.file.beside import AGAIN, INSTEAD, Kept
from campaigns.play.typed import input_of
from interpreter.messages.inputs import ENDINGS, Awaited

__all__ = [
    "ANSWERS",
    "LAPSED",
    "LIVE",
    "REFUSED",
    "REPLACED",
    "SEALS",
    "STOPPED",
    "TAKEN",
    "WAITING",
    "WITHDRAWN",
    "Tray",
    "fate_of",
    "is_needless",
    "is_past",
    "next_number",
    "pairs_of",
    "renumbered",
    "sealed_by",
    "stop_of",
    "stopped_at",
    "tray_of",
    "trays_of",
    "waits_for_an_answer",
]

WAITING, TAKEN, STOPPED = "waiting", "taken", "stopped"
REFUSED, REPLACED, LAPSED, WITHDRAWN = "refused", "replaced", "lapsed", "withdrawn"
"""What has become of a letter: some of it waits for its turn; all was given; a command was refused when its turn came; nothing was
taken, as something was wrong; a later letter counts in its place; its turn was over before all of it could be given; the umpire
withdrew what waited."""
SEALS = "seals"
"""The fate of a letter that holds only seals of dice: it is no tray."""
ANSWERS = "answers"
"""The same if it holds answers in advance, and no orders."""
LIVE = frozenset({WAITING, TAKEN, STOPPED})
"""Fates of a letter that may have been given in part, and that a later one may replace."""


@frozen
class Tray:
    """A letter with its commands.

    Attributes:
        kept: the letter as it is kept.
        fate: what has become of it.
        commands: what it orders.
        given: for each input that it gave, the number of its entry and the place of its command.
        next: the place of the first command that was not given.
        turn: the turn in which the first of them was given; 0 before that.
        stands: how many commands at its beginning were given by an earlier letter and remain in effect.
        replaced: the places of those of its commands that the umpire took back alone, and perhaps gave another in their place.
        lost: the places of commands that were given and are not in effect now; only filled in by `letter_before`.
    """

    kept: Kept
    fate: str
    commands: tuple[SaidOrder, ...]
    given: tuple[tuple[int, int], ...] = ()
    next: int = 0
    turn: int = 0
    stands: int = 0
    replaced: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()

    @property
    def seat(self) -> str:
        """Whose letter it is: that of a side, or of a commander, as `red/tom`."""
        return self.kept.side

    @property
    def side(self) -> str:
        """The side that it gives orders for."""
        return side_of_seat(self.seat)

    @property
    def number(self) -> int:
        """The number of the letter."""
        return self.kept.number

    @property
    def since(self) -> int:
        """The entry after which a window that its first `done` is meant for could be open."""
        found = self.kept.told.get("since")
        return found if type(found) is int else 0

    def as_kept(self) -> Kept:
        """The letter as it is to be stored now."""
        told = {
            **self.kept.told,
            "fate": self.fate,
            "commands": [[one.text, one.line, one.column, one.repeat] for one in self.commands],
            "given": [list(pair) for pair in self.given],
            "next": self.next,
            "turn": self.turn,
            "stands": self.stands,
            **({"replaced": list(self.replaced)} if self.replaced else {}),
        }
        return evolve(self.kept, told=told)


def trays_of(letters: Sequence[Kept]) -> dict[str, Tray]:
    """For each side and each commander, the last letter in effect."""
    found = {}
    for kept in letters:
        if fate_of(kept) in LIVE:
            found[kept.side] = tray_of(kept)
    return found


def fate_of(kept: Kept) -> str:
    """What has become of a letter; empty if that is not text."""
    fate = kept.told.get("fate")
    return fate if isinstance(fate, str) else ""


def tray_of(kept: Kept) -> Tray:
    """A stored letter with its commands."""
    told = kept.told
    commands = tuple(_said(row) for row in _rows(told.get("commands"), 4))
    pairs = ((entry, place) for entry, place in _rows(told.get("given"), 2) if type(entry) is type(place) is int)
    given = tuple((entry, place) for entry, place in pairs if 0 <= place < len(commands))
    numbers = (value if type(value := told.get(name)) is int else 0 for name in ("next", "turn", "stands"))
    after, turn, stands = (max(0, number) for number in numbers)
    rows = told.get("replaced")
    replaced = tuple(
        at for at in (rows if isinstance(rows, list) else ()) if type(at) is int and 0 <= at < len(commands)
    )
    stands = min(stands, len(commands))
    return Tray(kept, fate_of(kept), commands, given, min(after, len(commands)), turn, stands, replaced)


def stop_of(kept: Kept) -> tuple[str, str]:
    """The order at which a letter stopped when its turn came, and why; empty if it did not, or a later one counts in its place."""
    return stopped_at(kept) if fate_of(kept) == STOPPED else ("", "")


def stopped_at(kept: Kept) -> tuple[str, str]:
    """The order at which a letter once stopped, and why, whatever has become of it since; empty if it never did."""
    why, commands = kept.told.get("why"), tray_of(kept).commands
    position, message = (why.get("position"), why.get("message")) if isinstance(why, dict) else (None, None)
    if type(position) is not int or not isinstance(message, str) or not 0 <= position < len(commands):
        return "", ""
    return commands[position].text, message


def next_number(letters: Sequence[Kept]) -> int:
    """The number of the next letter."""
    return max((kept.number for kept in letters), default=0) + 1


def waits_for_an_answer(tray: Tray, awaiting: Sequence[Awaited]) -> bool:
    """Whether the rest of a letter waits because its side is asked something first that it does not answer.

    The writer could not know of the question. An answer waits only if it does not stand below an order that was given: there it
    was meant for a question of that order, and is refused.
    """
    mine = [one for one in awaiting if one.side == tray.side]
    asked = {one.name.lower() for one in mine if one.kind == "question"}
    if not asked or tray.next == len(tray.commands) or any(one.kind == "orders" for one in mine):
        return False
    given = input_of(tray.commands[tray.next].text, tray.side)
    if given.kind != "answer":
        return given.kind == "do"
    begins = tray.next == tray.stands or tray.commands[tray.next - 1].text.lower() in ENDINGS
    begins = begins or any(one.at_table for one in mine)
    return begins and given.subject.lower() not in {"", *asked}


def is_past(tray: Tray, awaiting: Sequence[Awaited]) -> bool:
    """Whether the next command of a letter is a `done` for a window that is over: its side is asked what the letter answers next."""
    here = tray.commands[tray.next : tray.next + 2]
    if len(here) < 2 or here[0].text.lower() not in ENDINGS or not waits_for_an_answer(tray, awaiting):
        return False
    answered = input_of(here[1].text, tray.side)
    asked = {one.name.lower() for one in awaiting if one.side == tray.side and one.kind == "question"}
    return answered.kind == "answer" and answered.subject.lower() in asked


def is_needless(commands: Sequence[SaidOrder], place: int, awaiting: Sequence[Awaited], side: str) -> bool:
    """Whether a command answers a question that is not asked: what precedes it is complete, so nothing can ask it any more.

    An answer at the beginning of a letter, or after a `done`, may be for a question that is still to come.
    """
    if input_of(commands[place].text, side).kind != "answer":
        return False
    start = place
    while start and input_of(commands[start - 1].text, side).kind == "answer":
        start -= 1
    begins = start == place if start == 0 else commands[start - 1].text.lower() in ENDINGS
    is_free = any(one.kind == "orders" and one.side == side for one in awaiting)
    return not begins and is_free and all(one.kind == "orders" for one in awaiting)


def renumbered(kept: Kept, numbers: Mapping[int, int]) -> Kept:
    """A letter in a file whose entries have other numbers. numbers: the new number of each entry that is still there."""
    marks = {name: mark for name in ("head", "since") if type(mark := kept.told.get(name)) is int}
    before = {name: [new for old, new in numbers.items() if old <= mark] for name, mark in marks.items()}
    given = [
        [numbers[entry], place] for entry, place in _rows(kept.told.get("given"), 2) if numbers.get(entry) is not None
    ]
    carried = {name: _carried(kept, name, numbers) for name in (AGAIN, INSTEAD) if name in kept.told}
    told = {
        **kept.told,
        **({"given": given} if "given" in kept.told else {}),
        **carried,
        **({"sealed": [numbers[one] for one in sealed_by(kept) if one in numbers]} if "sealed" in kept.told else {}),
        **{name: max(found) for name, found in before.items() if found},
    }
    return evolve(kept, told=told)


def _carried(kept: Kept, name: str, numbers: Mapping[int, int]) -> list[list[int]]:
    """Pairs of entries that are told of a letter, with new numbers; those that are gone are left out."""
    return [[numbers[a], numbers[b]] for a, b in pairs_of(kept, name) if a in numbers and b in numbers]


def pairs_of(kept: Kept, name: str) -> list[tuple[int, int]]:
    """Pairs of entries that are told of a letter under a name."""
    return [(one, other) for one, other in _rows(kept.told.get(name), 2) if type(one) is type(other) is int]


def sealed_by(kept: Kept) -> list[int]:
    """The entries of the seals that a letter gave."""
    found = kept.told.get("sealed")
    return [one for one in found if type(one) is int] if isinstance(found, list) else []


def _rows(value: Any, width: int) -> list[Any]:
    """Rows of a given width; malformed ones are left out."""
    rows = value if isinstance(value, list) else []
    return [row for row in rows if isinstance(row, list) and len(row) == width]


def _said(row: Sequence[Any]) -> SaidOrder:
    text, line, column, repeat = str(row[0]) or "done", row[1], row[2], bool(row[3])
    line, column = (value if type(value) is int else 0 for value in (line, column))
    return SaidOrder(text, tuple((line, column + at) for at in range(len(text))), repeat)
