"""Every action of the app, once: keys, footer, help and command palette are all made from this table."""

from collections.abc import Iterator

from attrs import frozen
from textual.binding import Binding

__all__ = ["ACTIONS", "Action", "bindings"]


@frozen
class Action:
    """Something that a person can do.

    Attributes:
        id: its name, which key maps refer to.
        keys: the keys, separated by commas; the first is shown.
        call: the action of the app or of the map.
        title: a few words, for the footer and the palette.
        help: a sentence.
        group: what it is about, for the help.
        scope: "app" (works everywhere) or "map" (works when the map has the focus).
        show: whether the footer shows it.
        shown: how the key is written, where its own name would not do.
        short: a word for the footer, where the title is too long for it.
    """

    id: str
    keys: str
    call: str
    title: str
    help: str
    group: str
    scope: str = "app"
    show: bool = False
    shown: str | None = None
    short: str = ""


ACTIONS: tuple[Action, ...] = (
    Action("map.up", "up,k", "step('up')", "Cursor up", "Moves the cursor to the hex above.", "Map", "map", shown="↑"),
    Action("map.down", "down,j", "step('down')", "Cursor down", "Moves the cursor to the hex below.", "Map", "map", shown="↓"),
    Action("map.left", "left,h", "step('left')", "Cursor left", "Moves the cursor one column to the left.", "Map", "map", shown="←"),
    Action("map.right", "right,l", "step('right')", "Cursor right", "Moves the cursor one column to the right.", "Map", "map", shown="→"),
    Action("map.choose", "enter", "choose", "Orders here", "Lists the orders for the selected unit or the hex under the cursor.", "Map", "map", show=True, short="Orders", shown="⏎"),
    Action("map.select", "space", "select_next", "Select", "Selects the next unit in the hex under the cursor.", "Map", show=True),
    Action("map.next", "n", "next_unit", "Next unit", "Goes to the next unit that can be given an order.", "Map", show=True, short="Next"),
    Action("map.closer", "plus,equals_sign", "zoom(1)", "Larger", "Draws the map larger.", "Map", shown="+"),
    Action("map.farther", "minus", "zoom(-1)", "Smaller", "Draws the map smaller.", "Map", shown="-"),
    Action("map.letters", "t", "letters", "Letters", "Shows terrain by letters instead of half blocks when the map is far away.", "Map"),
    Action("map.other", "m", "next_map", "Next map", "Shows the next of several maps.", "Map"),
    Action("map.targets", "x", "targets", "Targets", "Marks the hexes that orders of the selected unit name, or stops marking them.", "Map"),
    Action("map.go", "g", "go", "Go to", "Asks for a hex, a place or a unit and goes there.", "Map", show=True, short="Go"),
    Action("play.line", "c,colon", "command_line", "Command", "Goes to the command line.", "Play", show=True, short="Type"),
    Action("play.next-question", "a", "next_awaited", "Next awaited", "Shows the next of several things that are awaited.", "Play"),
    Action("play.done", "d", "done", "Done", "Ends the window of orders.", "Play", show=True),
    Action("play.advance", "v", "advance", "Advance", "Goes on as far as nobody has anything to decide: ends windows with nothing but `done`, gives answers that are the only ones.", "Play"),
    Action("play.undo", "u,ctrl+z", "undo", "Undo", "Takes the last input back; nothing is lost.", "Play", show=True),
    Action("play.redo", "r,ctrl+y", "redo", "Redo", "Takes an undone input again.", "Play"),
    Action("play.side", "s", "next_side", "Side", "Looks through the eyes of the next side (the umpire's seat only).", "Play"),
    Action("play.roster", "o", "roster", "Roster", "Shows the selected unit, or all that stands in the hex, with each of its parts; so does a click on the line under the map.", "Look"),
    Action("play.why", "w", "why", "Why", "Asks how a value came about.", "Look", show=True),
    Action("play.refresh", "f5", "refresh_now", "Refresh", "Looks whether another session has moved the campaign on.", "Play"),
    Action("pane.map", "1", "pane('map')", "Map", "Shows the map.", "Panes"),
    Action("pane.orders", "2", "pane('orders')", "Orders", "Shows what is awaited and the legal orders or answers.", "Panes"),
    Action("pane.forces", "3", "pane('forces')", "Forces", "Shows the order of battle.", "Panes"),
    Action("pane.log", "4", "pane('log')", "Log", "Shows what has happened.", "Panes"),
    Action("pane.here", "5", "pane('here')", "Here", "Shows all about the hex under the cursor and the selected unit.", "Panes"),
    Action("pane.why", "6", "pane('why')", "Why", "Shows the last explanation.", "Panes"),
    Action("pane.battles", "7,b", "pane('battles')", "Battles", "Shows the battle cards: who, what counted and why, what was thrown, what came of it.", "Panes"),
    Action("app.back", "escape", "leave", "Back", "Leaves a pane, or the command line and what stands in it, or clears the selection.", "Panes"),
    Action("app.help", "question_mark,f1", "help", "Help", "Shows all keys.", "Panes", show=True, shown="?"),
)  # fmt: skip
"""In the order of the footer and of the help."""


def bindings(scope: str) -> Iterator[Binding]:
    """The key bindings of the actions of a scope."""
    for action in ACTIONS:
        if action.scope == scope:
            yield Binding(
                action.keys,
                action.call,
                action.short or action.title,
                show=action.show,
                key_display=action.shown,
                tooltip=action.help,
                id=action.id,
            )
