"""When orders are due, in the calendar of the players: a time, with grace after it. The umpire may hold the clock.

This is desk work, kept beside the chain: no rule knows of it, and nothing happens by itself when the time comes.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from attrs import frozen

from campaigns.file.beside import Beside
from campaigns.file.errors import CampaignError
from interpreter.runtime.refusals import Why

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = [
    "CLOSING",
    "IN_GRACE",
    "IN_TIME",
    "ON_HOLD",
    "OVER",
    "DueDate",
    "closing_note",
    "closing_of",
    "due_of",
    "has_passed_today",
    "set_due",
    "span_of",
    "when",
]

NOTE, CLOSING = "due", "closing"
IN_TIME, IN_GRACE, OVER, ON_HOLD = "in time", "in grace", "over", "on hold"
"""How late it is: before the time; after it, while letters are still accepted; after the grace; the clock is on hold."""
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAY = re.compile(r"(?P<day>[a-z]{3,9})\s+(?P<hour>\d{1,2}):(?P<minute>\d{2})", re.IGNORECASE)
SPAN = re.compile(r"(?P<number>\d{1,4})\s*(?P<unit>[mhdw])", re.IGNORECASE)
MINUTES = {"m": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}
WEEK = 7


@frozen
class DueDate:
    """When orders are due.

    Attributes:
        at: the time, with its offset from UTC; None if none is set.
        grace: for how many minutes after it letters are still accepted.
        every: after how many minutes they are due again; 0 for only once.
        hold: whether the clock is on hold.
    """

    at: datetime | None = None
    grace: int = 0
    every: int = 0
    hold: bool = False

    def lateness(self, now: datetime) -> str:
        """How late it is: IN_TIME, IN_GRACE, OVER or ON_HOLD; empty if no time is set."""
        if self.at is None:
            return ""
        if self.hold:
            return ON_HOLD
        if now <= self.at:
            return IN_TIME
        return IN_GRACE if now <= self.at + timedelta(minutes=self.grace) else OVER

    def following(self, now: datetime) -> "DueDate":
        """The next time after now, if they are due repeatedly."""
        at = self.at
        if at is None or not self.every:
            return self
        passed = max(0, (now - at) // timedelta(minutes=self.every) + 1)
        return DueDate(at + passed * timedelta(minutes=self.every), self.grace, self.every, self.hold)


def due_of(campaign: "Campaign[Game]") -> DueDate:
    """When orders are due; a malformed note is treated as unset."""
    note: Any = campaign.notes().get(NOTE)
    said = note if isinstance(note, dict) else {}
    try:
        at = datetime.fromisoformat(said["at"])
        grace, every = (
            value if type(value := said.get(name)) is int and value >= 0 else 0 for name in ("grace", "every")
        )
        _ = timedelta(minutes=grace + every)
        return DueDate(at if at.tzinfo else None, grace, every, said.get("hold") is True)
    except (KeyError, TypeError, ValueError, OverflowError):
        return DueDate()


def set_due(campaign: "Campaign[Game]", due: DueDate, closing: Sequence[tuple[str, str]] = ()) -> None:
    """Notes when orders are due; without a time, the note is removed.

    closing: the sides whose time is over by it, each with its window. Whoever closes them may be interrupted.
    """
    said = None
    if due.at is not None:
        said = {
            "at": due.at.isoformat(timespec="minutes"),
            "grace": due.grace,
            "every": due.every,
            "hold": due.hold,
        }
    campaign.keep(Beside({NOTE: said, CLOSING: closing_note(closing)}))


def closing_note(closing: Sequence[tuple[str, str]]) -> Any:
    """The note that lists the windows to be closed."""
    return [list(one) for one in closing] or None


def closing_of(campaign: "Campaign[Game]") -> list[tuple[str, str]]:
    """The sides whose windows were still to be closed when that was interrupted; a malformed note is treated as none."""
    said = campaign.notes().get(CLOSING)
    rows = said if isinstance(said, list) else []
    return [(row[0], row[1]) for row in rows if isinstance(row, list) and [type(x) for x in row] == [str, str]]


def when(text: str, now: datetime) -> datetime:
    """A typed time: `2026-11-26 20:00`, with an offset or in the time zone of this computer, or `thu 20:00`, the next one.

    Args:
        text: what was typed.
        now: the time now, in the time zone that applies if none is typed.

    Raises:
        CampaignError: it is not a time.
    """
    hint = "Write for example '2026-11-26 20:00', '2026-11-26T20:00+01:00' or 'thu 20:00'."
    said = text.strip()
    if found := WEEKDAY.fullmatch(said):
        day = next((at for at, name in enumerate(DAYS) if name.startswith(found["day"].lower())), None)
        if day is not None:
            at = _clock(now + timedelta(days=(day - now.weekday()) % WEEK), found)
            if at is not None:
                return at if at > now else at + timedelta(days=WEEK)
    try:
        at = datetime.fromisoformat(said)
    except ValueError:
        raise CampaignError(f"'{said[:80]}' is not a time.", hint, Why.NOT_UNDERSTOOD) from None
    if not re.search(r"\d[T ]\d", said):
        raise CampaignError(f"'{said[:80]}' has no time of day.", hint, Why.NOT_UNDERSTOOD)
    try:
        return at if at.tzinfo else at.replace(tzinfo=now.tzinfo)
    except (OverflowError, ValueError):
        raise CampaignError(f"'{said[:80]}' is not a time.", hint, Why.NOT_UNDERSTOOD) from None


def has_passed_today(text: str, at: datetime, now: datetime) -> bool:
    """Whether a time typed with the name of a day is that of next week because today's has passed. at: what it means."""
    return WEEKDAY.fullmatch(text.strip()) is not None and at.date() == now.date() + timedelta(days=WEEK)


def _clock(day: datetime, found: "re.Match[str]") -> datetime | None:
    try:
        return day.replace(hour=int(found["hour"]), minute=int(found["minute"]), second=0, microsecond=0)
    except ValueError:
        return None


def span_of(text: str) -> int:
    """The number of minutes that `90m`, `2h`, `7d` or `1w` means.

    >>> span_of("2h")
    120

    Raises:
        CampaignError: it is not a duration.
    """
    found = SPAN.fullmatch(text.strip())
    if found is None:
        raise CampaignError(
            f"'{text[:80]}' is not a duration.", "Write for example 90m, 2h, 7d or 1w.", Why.NOT_UNDERSTOOD
        )
    return int(found["number"]) * MINUTES[found["unit"].lower()]
