"""The panes beside each other, and which of them is seen where not all of them fit."""

import os

from textual.app import ComposeResult
from textual.containers import Container

from ui.app.battles_pane import BattlesPane
from ui.app.hexmap import HexMap
from ui.app.orders_pane import OrdersPane
from ui.app.panes import ForcesPane, HerePane, LogPane, WhyPane

__all__ = ["PANES", "PaneRack"]

PANES = {
    "map": "1 Map",
    "orders": "2 Orders",
    "forces": "3 Forces",
    "log": "4 Log",
    "here": "5 Here",
    "why": "6 Why",
    "battles": "7 Battles",
}


class PaneRack(Container):
    """All panes; the one that was brought forward last is seen, and what fits beside it."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self._last = ""

    def compose(self) -> ComposeResult:
        """One of each; the map is in front, and the orders beside it."""
        panes = (
            HexMap(id="map", plain=bool(os.environ.get("NO_COLOR"))),
            ForcesPane(id="forces"),
            OrdersPane(id="orders"),
            LogPane(id="log"),
            HerePane(id="here"),
            WhyPane(id="why"),
            BattlesPane(id="battles"),
        )
        in_front = {"map": ("shown",), "orders": ("beside",)}
        for pane in panes:
            assert pane.id
            pane.border_title = PANES[pane.id]
            pane.add_class("pane", *in_front.get(pane.id, ()))
            yield pane

    def go_to(self, name: str) -> None:
        """Show a pane and give it the focus."""
        self.bring(name)
        if name == "orders":
            self.query_one(OrdersPane).focus_list()
        else:
            self.query_one("#because" if name == "why" else f"#{name}").focus()

    def bring(self, name: str) -> None:
        """Bring a pane to the front, where not all of them fit."""
        if name != "map":
            self._last = name
        for other in PANES:
            pane = self.query_one(f"#{other}")
            pane.set_class(other == name, "shown")
            pane.set_class(other == (self._last or "orders"), "beside")
        self.query_one("#why").set_class(name == "battles", "behind")
