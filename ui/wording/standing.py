"""How far the sides have come with their orders, in words: for `status`, `desk` and `remind`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from campaigns.desk.calendar import IN_GRACE, ON_HOLD, OVER
from campaigns.desk.players import ABSENT, MACHINE
from campaigns.desk.states import NOTHING
from dsl.text.phrases import counted

if TYPE_CHECKING:
    from campaigns.desk.calendar import DueDate
    from campaigns.desk.states import SideState

__all__ = ["as_json", "clock", "due_line", "standing_lines"]

LATE = {IN_GRACE: "late", OVER: "overdue", ON_HOLD: "the clock is on hold"}


def clock(at: datetime) -> str:
    """A time in a form for people of all countries."""
    return f"{at:%a} {at.day} {at:%b %Y %H:%M} ({at:%z})"


def due_line(due: "DueDate") -> str:
    """When orders are due, as a sentence."""
    if due.at is None:
        return "No deadline is set for orders."
    parts = [f"Orders are due on {clock(due.at)}"]
    parts += [f"with {_span(due.grace)} of grace"] if due.grace else []
    parts += [f"every {_span(due.every)}"] if due.every else []
    parts += ["the clock is on hold"] if due.hold else []
    return f"{', '.join(parts)}."


def _span(minutes: int) -> str:
    for name, many in (("week", 10_080), ("day", 1_440), ("hour", 60)):
        if not minutes % many:
            return counted(minutes // many, name)
    return counted(minutes, "minute")


def standing_lines(found: "Sequence[SideState]", titles: Mapping[str, str]) -> list[str]:
    """A line for each side: its state, since when, what is late, who plays it."""
    lines = []
    for one in found:
        parts = [one.state]
        if one.since and one.state != NOTHING:
            parts.append(
                f"since {clock(datetime.fromisoformat(one.since).astimezone(one.due.at.tzinfo if one.due.at else None))}"
            )
        parts += [LATE[one.late]] if one.late in LATE else []
        if one.stopped[0]:
            order, why = one.stopped
            parts.append(f"its letter {one.letter} stopped at `{order}` ({why.rstrip('.')})")
        elif one.withdrawn:
            parts.append(f"the umpire has withdrawn its letter {one.letter}")
        elif one.letter:
            parts.append(f"its letter {one.letter} was refused")
        if one.player.played_by in {MACHINE, ABSENT}:
            parts.append("played by the computer" if one.player.played_by == MACHINE else "absent")
        elif one.player.substitute:
            parts.append(f"played by {one.player.substitute} for {one.player.name or 'another'}")
        lines.append(f"{titles.get(one.side, one.side)}: {', '.join(parts)}.")
    return lines


def as_json(found: "Sequence[SideState]") -> list[dict[str, Any]]:
    """The states as objects."""
    return [
        {
            "side": one.side,
            "state": one.state,
            "since": one.since,
            "due": one.due.at.isoformat() if one.due.at else "",
            "late": one.late,
            "played_by": one.player.played_by,
            "letter": one.letter,
        }
        for one in found
    ]
