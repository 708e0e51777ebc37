"""The dialogs of the app: what is played, the list of keys, and the question where to go."""

from typing import ClassVar

from rich.table import Table
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Button, Input, Static

from ui.app.actions import ACTIONS

__all__ = ["GoScreen", "HelpScreen", "StoryScreen", "help_rows"]

BUILT_IN = (
    ("tab", "go to the next pane; shift+tab goes to the previous one"),
    ("f", "filter the list of orders"),
    ("F2", "send the ticked answers to a question that takes several"),
    ("ctrl+p", "open the palette: find every action, unit, place and legal order by name"),
    ("ctrl+q", "quit; everything is already saved"),
)


def help_rows() -> list[tuple[str, str]]:
    """All keys with what they do, by group; the title of a group is a row without text."""
    rows = []
    for group in dict.fromkeys(action.group for action in ACTIONS):
        rows.append((group, ""))
        rows += [
            (", ".join(_key(key) for key in action.keys.split(",")), action.help)
            for action in ACTIONS
            if action.group == group
        ]
    return [*rows, ("Everywhere", ""), *((key, f"{text[0].upper()}{text[1:]}.") for key, text in BUILT_IN)]


def _table() -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(width=14)
    table.add_column(ratio=1)
    for number, (key, text) in enumerate(help_rows()):
        if text:
            table.add_row(f"  {key}", text)
        else:
            table.add_row(Text(f"{chr(10) if number else ''}{key}", "bold"), "")
    return table


def _key(key: str) -> str:
    names = {"plus": "+", "equals_sign": "=", "minus": "-", "question_mark": "?", "colon": ":", "escape": "esc"}
    return names.get(key, key)


class StoryScreen(ModalScreen[None]):
    """A text shown before or after the game until it is closed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Close", tooltip="Closes the window.", id="story.close")
    ]
    DEFAULT_CSS = """
    StoryScreen { align: center middle; }
    StoryScreen > VerticalScroll {
        width: 90%; max-width: 76; height: auto; max-height: 95%; border: round $primary; padding: 0 2; background: $surface;
    }
    StoryScreen Button { margin-top: 1; width: 100%; }
    """

    def __init__(self, title: str, text: str, closing: str = "Begin") -> None:
        """Show a text. closing: the label of the button."""
        super().__init__()
        self._headline, self._text, self._said = title, text, closing

    def compose(self) -> ComposeResult:
        """The text, and a button that closes it."""
        with VerticalScroll() as box:
            box.border_title = self._headline
            yield Static(self._text, markup=False)
            yield Button(self._said, variant="primary", compact=True)

    def on_mount(self) -> None:
        """Enter begins."""
        self.query_one(Button).focus()

    @on(Button.Pressed)
    def _begin(self) -> None:
        self.dismiss()


class HelpScreen(ModalScreen[None]):
    """The list of keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,f1", "dismiss", "Close", tooltip="Closes the help.", id="help.close")
    ]
    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > VerticalScroll {
        width: 90%; max-width: 100; height: 90%; border: round $primary; padding: 0 2; background: $surface;
    }
    """

    def compose(self) -> ComposeResult:
        """One long table."""
        with VerticalScroll() as box:
            box.border_title = "Keys"
            box.border_subtitle = "esc closes"
            yield Static(_table())


class GoScreen(ModalScreen[str]):
    """Asks where to go; returns the typed name, or empty."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss('')", "Close", tooltip="Closes the window; the cursor does not move.", id="go.close")
    ]
    DEFAULT_CSS = """
    GoScreen { align: center middle; }
    GoScreen > Vertical { width: 50; height: 5; border: round $primary; padding: 0 1; background: $surface; }
    """

    def __init__(self, names: list[str]) -> None:
        super().__init__()
        self._names = names

    def compose(self) -> ComposeResult:
        """One line."""
        with Vertical() as box:
            box.border_title = "Go to a hex, a place or a unit"
            yield Input(suggester=SuggestFromList(self._names, case_sensitive=False))

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())
