"""The panes beside each other, and which of them are visible where not all fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from attrs import frozen
from textual.app import ComposeResult
from textual.containers import Container
from textual.widget import Widget

from ui.app.battles_pane import BattlesPane
from ui.app.hexmap import HexMap
from ui.app.orders_pane import OrdersPane
from ui.app.panes import ForcesPane, HerePane, LogPane, WhyPane
from ui.app.seat_desk import Situation

__all__ = ["PANES", "Pane", "PaneRack"]

W = TypeVar("W", bound=Widget)


@frozen
class Pane(Generic[W]):
    """A pane of the rack.

    Attributes:
        id: its name in actions and styles.
        title: the title in its frame; it begins with its number, which is its key.
        kind: its widget, which can have the focus.
        show: shows it a situation, if it needs nothing else.
        instead_of: the pane that it replaces on a wide screen, which has room for six.
    """

    id: str
    title: str
    kind: type[W]
    show: Callable[[W, Situation], None] | None = None
    instead_of: str = ""


PANES: tuple[Pane[Any], ...] = (
    Pane("map", "1 Map", HexMap),
    Pane("forces", "3 Forces", ForcesPane, ForcesPane.show),
    Pane("orders", "2 Orders", OrdersPane),
    Pane("log", "4 Log", LogPane, LogPane.show),
    Pane("here", "5 Here", HerePane),
    Pane("why", "6 Why", WhyPane),
    Pane("battles", "7 Battles", BattlesPane, BattlesPane.show, instead_of="why"),
)
"""In their order on a wide screen."""


class PaneRack(Container):
    """All panes; the one that was brought to the front last is visible, with others if they fit."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self._last = ""

    def compose(self) -> ComposeResult:
        """One of each; the map is in front, and the orders beside it."""
        classes = {"map": ("shown",), "orders": ("beside",)}
        for pane in PANES:
            made = pane.kind(id=pane.id)
            made.border_title = pane.title
            made.add_class("pane", *classes.get(pane.id, ()), *(("instead",) if pane.instead_of else ()), update=False)
            yield made

    def show(self, found: Situation) -> None:
        """Shows a situation to the panes that need nothing else."""
        for pane in PANES:
            if pane.show is not None:
                pane.show(self.query_one(f"#{pane.id}", pane.kind), found)

    def go_to(self, name: str) -> None:
        """Show a pane and give it the focus."""
        self.bring(name)
        if name == "orders":
            self.query_one(OrdersPane).focus_list()
        else:
            self.query_one("#because" if name == "why" else f"#{name}").focus()

    def bring(self, name: str) -> None:
        """Bring a pane to the front, if not all of them fit."""
        if name != "map":
            self._last = name
        behind = {pane.instead_of for pane in PANES if pane.id == name}
        for pane in PANES:
            made = self.query_one(f"#{pane.id}")
            before = made.classes
            made.set_class(pane.id == name, "shown", update=False)
            made.set_class(pane.id == (self._last or "orders"), "beside", update=False)
            made.set_class(pane.id in behind, "behind", update=False)
            if made.classes != before:
                made.update_node_styles()
