"""What the command palette finds: every action, and units, places and legal orders by name."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Any, Protocol, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from ui.app.actions import ACTIONS, Action
from ui.app.seat_desk import Situation

__all__ = ["CampaignCommands"]

MOST_ORDERS = 300
"""How many orders are compared with what was typed; first those that contain it as it is."""


class CommandedApp(Protocol):
    """What the palette needs of the app."""

    situation: Situation | None

    def run_named(self, action: Action) -> None:
        """Run an action of the table."""

    def go_to(self, name: str) -> None:
        """Put the cursor on a hex, a named place or a thing."""

    def give(self, text: str, side: str = "") -> None:
        """Give a typed line as a side."""


class CampaignCommands(Provider):
    """Entries read `map: larger`, `go: tf-1`, `order: march tf-1 to 0304`."""

    async def discover(self) -> Hits:
        """The actions, before anything is typed."""
        for name, text, run in self._actions():
            yield DiscoveryHit(name, run, help=text)

    async def search(self, query: str) -> Hits:
        """Everything that matches the typed text."""
        matcher = self.matcher(query)
        for name, text, run in (*self._actions(), *self._found(query.lower())):
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, matcher.highlight(name), run, help=text)

    @property
    def _app(self) -> CommandedApp:
        return cast("CommandedApp", self.app)

    def _actions(self) -> Iterator[tuple[str, str, Callable[[], Any]]]:
        for action in ACTIONS:
            name = f"{action.group.lower()}: {action.title.lower()}"
            yield name, action.help, partial(self._app.run_named, action)

    def _found(self, query: str) -> Iterator[tuple[str, str, Callable[[], Any]]]:
        situation = self._app.situation
        if situation is None:
            return
        for thing in (one for one in situation.view.things if not one.part):
            yield f"go: {thing.id}", f"{thing.name}, {thing.place}", partial(self._app.go_to, thing.id)
        for cell in (cell for chart in situation.charts for cell in chart.cells.values()):
            if cell.name:
                yield f"go: {cell.name}", cell.label, partial(self._app.go_to, cell.label)
        for side, commands in situation.legal.items():
            named = (one for one in commands if query in one.text.lower())
            for command in islice(
                chain(named, (one for one in commands if query not in one.text.lower())), MOST_ORDERS
            ):
                yield (
                    f"order: {command.text}",
                    f"Gives this order as {side}.",
                    partial(self._app.give, command.text, side),
                )
