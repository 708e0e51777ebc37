"""How far each side has come with its orders in the open window: five states, with since when and until when.

They reveal nothing that others do in secret: the state of a side depends on what is awaited of it, what it gave, and its own letters.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from campaigns.desk.calendar import DueDate, due_of
from campaigns.desk.commanders import side_of_seat
from campaigns.desk.players import Player, players_of
from campaigns.desk.trays import (
    ANSWERS,
    REFUSED,
    SEALS,
    STOPPED,
    WAITING,
    WITHDRAWN,
    Tray,
    fate_of,
    stop_of,
    trays_of,
    waits_for_an_answer,
)
from campaigns.file.beside import Kept
from interpreter.messages.inputs import ENDINGS, SEAL, UNDO, WITH_ANSWERS, Awaited, Input

if TYPE_CHECKING:
    from campaigns.file.history import Entry
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = [
    "CONFIRMED",
    "GIVEN",
    "NONE",
    "NOTHING",
    "PARTIAL",
    "STATES",
    "SideState",
    "faulty_letter",
    "own_in",
    "standings",
    "window_of",
]

NOTHING, NONE, PARTIAL, GIVEN, CONFIRMED = "nothing to order", "none", "partial", "given", "confirmed"
STATES = (NOTHING, NONE, PARTIAL, GIVEN, CONFIRMED)
"""Nothing but `done` could be given; nothing was; some was, and a question or a refused letter is open; orders were given, but the
side has not said `done`; it has."""
FEW, LOOKED_THROUGH = 50, 1_000
"""The most entries that are searched for the beginning of a window."""


@frozen
class SideState:
    """How far a side has come.

    Attributes:
        side: the side.
        state: one of STATES.
        since: since when, UTC, ISO 8601: its last input or letter, or the beginning of the window; empty if unknown.
        due: when its orders are due.
        late: how late it is; empty if nothing is awaited from it, or no time is set.
        player: who plays it.
        awaited: what is awaited from it.
        letter: the file of its last letter, if that was refused or stopped, or the umpire withdrew it.
        stopped: the order at which that letter stopped, and why.
        withdrawn: whether the umpire withdrew that letter.
    """

    side: str
    state: str
    since: str
    due: DueDate
    late: str
    player: Player
    awaited: tuple[Awaited, ...] = ()
    letter: str = ""
    stopped: tuple[str, str] = ("", "")
    withdrawn: bool = False

    def at(self, now: datetime) -> "SideState":
        """The same at another time: only how late it is changes."""
        is_waited_for = bool(self.awaited) and self.state in {NONE, PARTIAL, GIVEN}
        return evolve(self, late=self.due.lateness(now) if is_waited_for else "")


def standings(campaign: "Campaign[Game]", now: datetime, sides: Sequence[str] = ()) -> list[SideState]:
    """How far sides have come; all if none is named."""
    due, players, letters = due_of(campaign), players_of(campaign), campaign.letters()
    window = window_of(campaign)
    found = []
    for side in (one.id for one in campaign.game.sides if not sides or one.id in sides):
        seen = campaign.game.seen_by(side)
        awaited = tuple(one for one in seen.awaiting if one.side == side and one.kind in {"orders", "question", SEAL})
        wrong = faulty_letter(letters, window, side)
        tray = trays_of(letters).get(side)
        given = own_in(window, side)
        goes_on = seen.host.is_interrupted(side)
        if given and not awaited and given[-1].input.text.lower() in ENDINGS and not seen.host.has_ended_here(side):
            given = []  # in a step before
        own = since_done(given) if awaited or goes_on else given
        state = _state(awaited, own, tray, wrong=wrong is not None, goes_on=goes_on)
        awaited = _its_own(awaited)
        since = _known(given[-1].time if given else window[0].time)
        if tray is not None and tray.fate == WAITING and not own:
            since = _known(tray.kept.came_at)
        letter, stopped = (wrong.file, stop_of(wrong)) if wrong is not None else ("", ("", ""))
        gone = wrong is not None and fate_of(wrong) == WITHDRAWN
        found.append(SideState(side, state, since, due, "", players[side], awaited, letter, stopped, gone).at(now))
    return found


def faulty_letter(letters: Sequence[Kept], window: "Sequence[Entry]", seat: str) -> Kept | None:
    """The last letter of a side or a commander if it was refused or withdrawn, or stopped; None if nothing is wrong with it.

    Nor if its side has ended a window since it was refused or stopped, or another phase has begun. One without orders says nothing of them.
    """
    last = next(
        (kept for kept in reversed(letters) if kept.side == seat and fate_of(kept) not in {SEALS, ANSWERS}), None
    )
    if last is None or fate_of(last) not in {REFUSED, STOPPED}:
        return last if last is not None and fate_of(last) == WITHDRAWN else None
    head = last.told.get("head")
    after = [entry for entry in window if type(head) is not int or entry.number > head]
    ended = [one for one in own_in([window[0], *after], side_of_seat(seat)) if one.input.text.lower() in ENDINGS]
    return None if ended or len(after) == len(window) else last


def _state(
    awaited: Sequence[Awaited], own: "Sequence[Entry]", tray: Tray | None, *, wrong: bool, goes_on: bool = False
) -> str:
    """The state of a side. wrong: whether its last letter is; goes_on: whether it may order again when dice are rolled, or others have answered."""
    if any(one.kind == SEAL for one in awaited):
        return NONE
    if awaited and not _its_own(awaited):  # its battle is being fought at the table
        return CONFIRMED if _ends_by_letter(tray) else GIVEN if own else NOTHING
    if tray is not None and tray.fate == WAITING and (by_letter := _state_by_letter(tray, awaited, own)):
        return by_letter
    if not awaited:
        return _state_meanwhile(own, goes_on=goes_on)
    if any(one.kind == "question" for one in awaited):
        return PARTIAL if own else NONE
    if any(_is_order(one.input) for one in own):  # answers given before its orders were awaited are none
        return PARTIAL if wrong else GIVEN
    return NONE if any(one.choices for one in awaited) else NOTHING


def _state_meanwhile(own: "Sequence[Entry]", *, goes_on: bool) -> str:
    """The state of a side from which nothing is awaited now."""
    if goes_on:
        return GIVEN if own else NONE
    if not any(_is_order(one.input) for one in own):
        return NOTHING
    return CONFIRMED if own[-1].input.kind == "deadline" or own[-1].input.text.lower() in ENDINGS else GIVEN


def _state_by_letter(tray: Tray, awaited: Sequence[Awaited], own: "Sequence[Entry]") -> str:
    """How far a letter that waits has brought its side; empty if what was given says more."""
    if waits_for_an_answer(tray, awaited):
        return PARTIAL
    if own:
        return ""
    return CONFIRMED if _ends_by_letter(tray) else GIVEN


def _its_own(awaited: Sequence[Awaited]) -> tuple[Awaited, ...]:
    """What a side itself can give, without what the table decides."""
    return tuple(one for one in awaited if not one.at_table)


def _ends_by_letter(tray: Tray | None) -> bool:
    """Whether a letter that waits says `done` in the end."""
    return (
        tray is not None and tray.fate == WAITING and bool(tray.commands) and tray.commands[-1].text.lower() in ENDINGS
    )


def window_of(campaign: "Campaign[Game]") -> "list[Entry]":
    """The entries since the current phase began; the first is the one that began it, if it is not too far back."""
    found: list[Entry] = []
    for most in (FEW, LOOKED_THROUGH):
        found = []
        for entry in campaign.log(most):
            if entry.on_path:
                found.append(entry)
                if any(event.kind == "phase" for event in entry.events):
                    return found[::-1]
    return [campaign.entry(0), *found[::-1]]


def own_in(window: "Sequence[Entry]", side: str) -> "list[Entry]":
    """What a side has given in a window and not taken back, or what the umpire gave for it at a deadline."""
    found: list[Entry] = []
    gone: list[Entry] = []
    for entry in window[1:]:
        given = entry.input
        if given.kind == "deadline" and given.subject.partition(" ")[0] == side:
            found.append(entry)
        elif given.side != side:
            continue
        elif given.kind in {"do", "answer"}:
            found.append(entry)
        elif given.kind == UNDO and found:
            gone.append(found.pop())
            while given.subject == WITH_ANSWERS and found and gone[-1].input.kind == "answer":
                gone.append(found.pop())
    return found


def _is_order(given: Input) -> bool:
    """Whether something is an order or `done`, perhaps from the umpire at a deadline, and no answer to a question."""
    return given.kind == "do" or (given.kind == "deadline" and " " not in given.subject)


def _known(time: str) -> str:
    """A time from the record; empty if it is malformed."""
    try:
        datetime.fromisoformat(time)
    except ValueError:
        return ""
    return time


def since_done(found: "list[Entry]") -> "list[Entry]":
    """What came after the last `done`: a side that is awaited again starts over."""
    ended = [at for at, entry in enumerate(found) if entry.input.text.lower() in ENDINGS]
    return found[ended[-1] + 1 :] if ended else found
