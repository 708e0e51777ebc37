"""Notices over the panes, for a while or until they are closed: the results of an input, and how the game has ended."""

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
"""The number of lines shown of what an input led to; one `done` may lead to the computer's entire turn."""
PASSING = {"phase", "done", "turn"}
"""Kinds of events that the line at the top shows as well."""
AFTER = """\
You can still look at everything, ask why, and undo. Ctrl+q quits; the campaign is saved."""


def brought_about(found: Situation, seat: str) -> str:
    """What an input has led to: the last lines of it; phases only if there is nothing else.

    Of a battle the rolls and losses are shown but not its card, which is in the log and in the battles pane.
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
    """Keep notices above the lines at the bottom: hints, odds, the hex under the cursor, the command line, the keys."""
    lines = [one for one in (app.query_one("#hint"), app.query_one("#odds")) if one.display]
    for rack in app.query("#textual-toastrack"):
        rack.styles.margin = (0, 0, 3 + sum(one.size.height for one in lines), 0)


def welcome(app: App[Any], greeting: str, *, read_only: bool) -> None:
    """The notices at the beginning."""
    if read_only:
        said = "The campaign is read-only: you can look at it, but you cannot give orders."
        app.notify(said, title="Read-only", severity="warning", timeout=10, markup=False)
    if greeting:
        app.notify(greeting, title="Welcome", timeout=30, markup=False)


def tell_end(app: App[Any], found: Situation) -> None:
    """Say who has won; if this seat's own input ended the game, in a window that stays until it is closed."""
    if found.followed:
        app.notify(over_line(found.view), title="The game is over", timeout=30, markup=False)
    else:
        app.push_screen(StoryScreen("The game is over", ending(found), "Look around"))


def tell_happened(app: App[Any], found: Situation, seat: str) -> None:
    """Say what an input has led to."""
    told = "\n".join(Persons(found.view).all_told(brought_about(found, seat).splitlines()))
    app.notify(told, timeout=reading_time(told), markup=False)


def tell_awaited(app: App[Any], found: Situation, before: Situation | None) -> None:
    """Announce what the game has started to wait for while the user does something else, without taking the focus."""
    known = before.waiting if before else ()
    for one in found.waiting:
        if one.kind != "orders" and one not in known:
            app.notify(f"{one.prompt}\n2 shows what the game is waiting for.", markup=False)


def tell_refused(app: App[Any], failed: Failed) -> None:
    """Say what was refused, why, and what to do instead."""
    rule = f"\nrule: {', '.join(failed.cites)}" if failed.cites else ""
    hint = f"\nhint: {failed.hint}" if failed.hint else ""
    app.notify(f"{failed.message}{rule}{hint}", title="Refused", severity="warning", timeout=10, markup=False)
