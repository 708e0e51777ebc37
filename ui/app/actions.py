"""Every action of the app: keys, footer, help and command palette are all made from this table."""

from collections.abc import Iterator

from attrs import frozen
from textual.binding import Binding

__all__ = ["ACTIONS", "Action", "bindings"]


@frozen
class Action:
    """Something that the user can do.

    Attributes:
        id: its name, which key maps refer to.
        keys: the keys, separated by commas; the first is shown.
        call: the action of the app or of the map.
        title: a few words, for the footer and the palette.
        help: a sentence.
        group: its heading in the help.
        scope: "app" (works everywhere) or "map" (works when the map has the focus).
        show: whether the footer shows it.
        shown: how the key is written, if not by its name.
        short: a word for the footer, if the title is too long.
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
    Action("map.choose", "enter", "choose", "Orders here", "Lists the orders of the selected unit, or of the units in the hex under the cursor.", "Map", "map", show=True, short="Orders", shown="⏎"),
    Action("map.select", "space", "select_next", "Select", "Selects the next unit in the hex under the cursor.", "Map", show=True),
    Action("map.next", "n", "next_unit", "Next unit", "Goes to the next unit that can be given an order.", "Map", show=True, short="Next"),
    Action("map.closer", "plus,equals_sign", "zoom(1)", "Larger", "Draws the map larger.", "Map", shown="+"),
    Action("map.farther", "minus", "zoom(-1)", "Smaller", "Draws the map smaller.", "Map", shown="-"),
    Action("map.letters", "t", "letters", "Letters", "Shows terrain as letters instead of half blocks at the smallest map size.", "Map"),
    Action("map.other", "m", "next_map", "Next map", "Shows the next map, if there are several.", "Map"),
    Action("map.targets", "x", "targets", "Targets", "Marks the hexes that the selected unit's orders can name, or stops marking them.", "Map"),
    Action("map.go", "g", "go", "Go to", "Asks for a hex, a place or a unit and goes there.", "Map", show=True, short="Go"),
    Action("play.line", "c,colon", "command_line", "Command", "Goes to the command line; there the up arrow brings back what you sent.", "Play", show=True, short="Type"),
    Action("play.next-question", "a", "next_awaited", "Next pending", "Shows the next thing the game is waiting for, if there are several.", "Play"),
    Action("play.done", "d", "done", "Done", "Ends the orders window.", "Play", show=True),
    Action("play.advance", "v", "advance", "Advance", "Plays on until somebody must decide: ends orders windows in which only `done` is possible, and answers questions that have a single answer.", "Play"),
    Action("play.undo", "u,ctrl+z", "undo", "Undo", "Undoes the last input; nothing is lost.", "Play", show=True),
    Action("play.redo", "r,ctrl+y", "redo", "Redo", "Redoes an undone input.", "Play"),
    Action("play.side", "s", "next_side", "Side", "Shows the game as the next side sees it (in the umpire's seat only).", "Play"),
    Action("play.roster", "o", "roster", "Roster", "Shows the selected unit, or everything in the hex, with all parts; a click on the line under the map does the same.", "Look"),
    Action("play.why", "w", "why", "Why", "Explains how a value came about.", "Look", show=True),
    Action("play.refresh", "f5", "refresh_now", "Refresh", "Shows what other sessions have done.", "Play"),
    Action("pane.map", "1", "pane('map')", "Map", "Shows the map.", "Panes"),
    Action("pane.orders", "2", "pane('orders')", "Orders", "Shows what the game is waiting for, with the legal orders or answers.", "Panes"),
    Action("pane.forces", "3", "pane('forces')", "Forces", "Shows the order of battle.", "Panes"),
    Action("pane.log", "4", "pane('log')", "Log", "Shows what has happened, newest first.", "Panes"),
    Action("pane.here", "5", "pane('here')", "Here", "Shows everything about the hex under the cursor and the selected unit.", "Panes"),
    Action("pane.why", "6", "pane('why')", "Why", "Shows the last explanation.", "Panes"),
    Action("pane.battles", "7,b", "pane('battles')", "Battles", "Shows the battle cards: who fought, what applied and why, the dice, and the results.", "Panes"),
    Action("app.back", "escape", "leave", "Back", "Leaves a pane, or clears and leaves the command line, or clears the selection.", "Panes"),
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
