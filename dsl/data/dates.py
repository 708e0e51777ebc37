"""The calendar of a scenario: which date a turn has."""

from __future__ import annotations

import calendar
from datetime import MAXYEAR, datetime, timedelta

from dsl.syntax import body_lines as ln

UNITS = ("hours", "days", "weeks", "months")
PARTS = ("date", "day", "month", "year")
"""The parts of a date that rules can read."""


def problem_with(line: ln.Begins) -> str:
    """What is wrong with a calendar, as a sentence; "" when nothing is."""
    try:
        datetime.fromisoformat(line.date)
    except ValueError:
        return f"{line.date} is not a valid date."
    if line.unit not in UNITS:
        return f"The length of a turn is given in {', '.join(UNITS)}, not in {line.unit}."
    return "" if line.count > 0 else "The length of a turn must be a whole number, at least 1."


def moment_of(line: ln.Begins, turn: int) -> datetime:
    """When a turn begins. Raises OverflowError for one beyond the year 9999."""
    start = datetime.fromisoformat(line.date)
    passed = max(turn - 1, 0) * line.count
    if line.unit != "months":
        hours = {"hours": 1, "days": 24, "weeks": 168}[line.unit]
        return start + timedelta(hours=passed * hours)
    years, month = divmod(start.month - 1 + passed, 12)
    if start.year + years > MAXYEAR:
        raise OverflowError("beyond the calendar")
    last = calendar.monthrange(start.year + years, month + 1)[1]
    return start.replace(year=start.year + years, month=month + 1, day=min(start.day, last))


def part_of(line: ln.Begins, turn: int, part: str) -> str | int:
    """The date of a turn as people read it (`4 August 1985`), or its day of the month, month (1 to 12) or year."""
    when = moment_of(line, turn)
    if part != "date":
        number: int = getattr(when, part)
        return number
    hour = f", {when:%H:%M}" if line.unit == "hours" else ""
    return f"{when.day} {calendar.month_name[when.month]} {when.year}{hour}"
