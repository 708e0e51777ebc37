"""What is told over the panes for a while, or until it is closed: what an input brought about, and how the game has ended."""

from campaigns.report.battles import STORY
from interpreter.inputs import Event
from ui.app.desk import Situation
from ui.events import event_lines
from ui.situation import over_line

__all__ = ["brought_about", "ending", "reading_time"]

MOST_TOLD = 8
"""So many lines of what an input brought about are told; the machine's whole turn may come of one `done`."""
PASSING = {"phase", "done", "turn"}
"""Kinds of events that the line at the top shows as well."""
AFTER = """\
Everything can still be looked at and asked, and undo goes back. Ctrl+q leaves; the campaign is kept."""


def brought_about(found: Situation, seat: str) -> str:
    """What an input has brought about: the last lines of it, phases only where there is nothing else.

    Of a battle its throws and losses are told, not its card as well: that stands in the log and in the pane of battles.
    """
    happened: list[Event] = [event for event in found.happened if event.kind != STORY]
    more = [event for event in happened if event.kind not in PASSING]
    lines = event_lines(more, seat) or event_lines(happened, seat)
    if len(lines) > MOST_TOLD:
        lines = [f"… and {len(lines) - MOST_TOLD} lines before; 4 shows all", *lines[-MOST_TOLD:]]
    return "\n".join(lines)


def reading_time(text: str) -> float:
    """How long a text is shown, in seconds."""
    return 3 + len(text.splitlines())


def ending(found: Situation) -> str:
    """Who has won, and what can be done now."""
    return f"{over_line(found.view)}\n\n{AFTER}"
