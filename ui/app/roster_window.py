"""The window with the roster of a counter, of everything in a hex, or of all forces."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from interpreter.messages.view import View
from ui.maps.chart import Cell
from ui.roster import roster_lines

__all__ = ["RosterScreen", "listed_in"]


def listed_in(view: View, cell: Cell | None) -> list[str]:
    """The things in a hex that have a roster."""
    return [thing.id for thing in cell.things if roster_lines.is_listed(view, thing.id)] if cell else []


class RosterScreen(ModalScreen[None]):
    """A roster, as wide as the screen allows. It follows the game, and says if its thing is gone.

    Args:
        view: the situation as the seat sees it.
        names: the things to list; none: all.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,o,q", "dismiss", "Close", tooltip="Closes the roster.", id="roster.close"),
        Binding(
            "a", "everything", "All forces", tooltip="Shows all forces, or only the selection again.", id="roster.all"
        ),
    ]
    DEFAULT_CSS = """
    RosterScreen { align: center middle; }
    RosterScreen > VerticalScroll {
        width: 100%; max-width: 140; height: 100%; border: round $primary; padding: 0 1; background: $surface;
    }
    RosterScreen Static { width: auto; }
    """

    def __init__(self, view: View, names: Sequence[str]) -> None:
        super().__init__()
        self._view, self._names = view, tuple(names)
        self._all = not names

    def compose(self) -> ComposeResult:
        """One long text."""
        with VerticalScroll() as box:
            box.border_subtitle = "a all · esc closes"
            yield Static(id="roster-text", markup=False)

    def on_mount(self) -> None:
        """Keys scroll it."""
        self.query_one(VerticalScroll).focus()
        self._fill()

    def on_resize(self, _event: events.Resize) -> None:
        """Lay it out again in the new width."""
        self.call_after_refresh(self._fill)

    def show(self, view: View) -> None:
        """Show a later situation."""
        self._view = view
        self._fill()

    def action_everything(self) -> None:
        """Switch between all forces and the selection."""
        self._all = not (self._all and self._names)
        self._fill()

    def _fill(self) -> None:
        box = self.query_one(VerticalScroll)
        names = () if self._all else self._names
        box.border_title = f"Roster: {', '.join(names)}" if names else "Roster"
        width = box.scrollable_content_region.width or self.app.size.width - 5
        try:
            lines = roster_lines.text(self._view, names, width=width - 1)
        except roster_lines.NoSuchThing as missing:
            lines = [f"{missing.name} is no longer known here.", "a shows all forces."]
        self.query_one("#roster-text", Static).update(Text("\n".join(lines)))
