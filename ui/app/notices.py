"""What is told over the panes for a while, or until it is closed: what an input brought about, and how the game has ended."""

from typing import Any

from textual.app import App

from campaigns.report.battle_cards import STORY
from interpreter.messages.inputs import Event
from ui.app.dialogs import StoryScreen
from ui.app.seat_desk import Failed, Situation
from ui.wording.events import event_lines
from ui.wording.persons import Persons
from ui.wording.situation import over_line

__all__ = [
    "brought_about",
    "ending",
    "keep_above",
    "reading_time",
    "tell_awaited",
    "tell_end",
    "tell_happened",
    "tell_refused",
    "welcome",
]

MOST_TOLD = 8
"""So many lines of what an input brought about are told; the machine's whole turn may come of one `done`."""
PASSING = {"phase", "done", "turn"}
"""Kinds of events that the line at the top shows as well."""
AFTER = """\
You can still look at everything, ask why, and undo. Ctrl+q quits; the campaign is saved."""


def brought_about(found: Situation, seat: str) -> str:
    """What an input has brought about: the last lines of it, phases only where there is nothing else.

    Of a battle its throws and losses are told, not its card as well: that stands in the log and in the pane of battles.
    """
    happened: list[Event] = [event for event in found.happened if event.kind != STORY]
    more = [event for event in happened if event.kind not in PASSING]
    lines = event_lines(more, seat) or event_lines(happened, seat)
    if len(lines) > MOST_TOLD:
        lines = [f"… and {len(lines) - MOST_TOLD} earlier lines; 4 shows all", *lines[-MOST_TOLD:]]
    return "\n".join(lines)


def reading_time(text: str) -> float:
    """How long a text is shown, in seconds."""
    return 3 + len(text.splitlines())


def ending(found: Situation) -> str:
    """Who has won, and what can be done now."""
    return f"{over_line(found.view)}\n\n{AFTER}"


def keep_above(app: App[Any]) -> None:
    """Notices stand above the lines at the bottom: hints, odds, what is under the cursor, the command line, the keys."""
    lines = [one for one in (app.query_one("#hint"), app.query_one("#odds")) if one.display]
    for rack in app.query("#textual-toastrack"):
        rack.styles.margin = (0, 0, 3 + sum(one.size.height for one in lines), 0)


def welcome(app: App[Any], greeting: str, *, read_only: bool) -> None:
    """What is said at the beginning."""
    if read_only:
        said = "The campaign is read-only: you can look at it, but you cannot give orders."
        app.notify(said, title="Read-only", severity="warning", timeout=10, markup=False)
    if greeting:
        app.notify(greeting, title="Welcome", timeout=30, markup=False)


def tell_end(app: App[Any], found: Situation) -> None:
    """Who has won: where it came about under one's own hand it waits to be read."""
    if found.followed:
        app.notify(over_line(found.view), title="The game is over", timeout=30, markup=False)
    else:
        app.push_screen(StoryScreen("The game is over", ending(found), "Look around"))


def tell_happened(app: App[Any], found: Situation, seat: str) -> None:
    """What an input has brought about."""
    told = "\n".join(Persons(found.view).all_told(brought_about(found, seat).splitlines()))
    app.notify(told, timeout=reading_time(told), markup=False)


def tell_awaited(app: App[Any], found: Situation, before: Situation | None) -> None:
    """What has come to be awaited while somebody does something else: it is said, and takes no key from them."""
    known = before.waiting if before else ()
    for one in found.waiting:
        if one.kind != "orders" and one not in known:
            app.notify(f"{one.prompt}\n2 shows what the game is waiting for.", markup=False)


def tell_refused(app: App[Any], failed: Failed) -> None:
    """What could not be done, why, and what to do instead."""
    rule = f"\nrule: {', '.join(failed.cites)}" if failed.cites else ""
    hint = f"\nhint: {failed.hint}" if failed.hint else ""
    app.notify(f"{failed.message}{rule}{hint}", title="Refused", severity="warning", timeout=10, markup=False)
