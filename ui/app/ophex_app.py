"""The app itself: it puts the panes together, passes what people do to the desk, and passes the desk's answers to the panes.

Everything that calls the machine runs in a worker thread, and comes back as a message. A pane never talks to another pane.
"""

from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.command import Provider
from textual.timer import Timer
from textual.widgets import Input, Static

from interpreter.messages.inputs import Awaited
from ui.app import notices
from ui.app.actions import Action, bindings
from ui.app.battles_pane import BattlesPane
from ui.app.command_line import CommandLine
from ui.app.dialogs import GoScreen, HelpScreen, StoryScreen
from ui.app.hexmap import HexMap
from ui.app.keyline import KeyLine
from ui.app.odds_beside import Bookmaker
from ui.app.odds_line import OddsLine
from ui.app.orders_pane import OrdersPane
from ui.app.palette import CampaignCommands
from ui.app.pane_rack import PaneRack
from ui.app.panes import ForcesPane, HerePane, LogPane, WhyPane
from ui.app.roster_window import RosterScreen, listed_in
from ui.app.seat_desk import Desk, Situation
from ui.app.selection import Selection, giver
from ui.app.status_lines import hint_line, title_line, under_line
from ui.app.working import WorkingApp

__all__ = ["CampaignApp"]

PATIENCE = 0.7
"""After this many seconds the app shows that it is working."""


class CampaignApp(WorkingApp):
    """The terminal app on one campaign.

    Attributes:
        situation: what is shown; None before the first look.
        chosen: what is selected, and what the cursor is on.
        follow_every: how often to look for changes by other sessions, in seconds; 0: never.
    """

    follow_every = 2.0

    TITLE = "ophex"
    CSS_PATH = "app.tcss"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = App.COMMANDS | {CampaignCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-medium"), (160, "-wide")]  # noqa: RUF012 - Textual declares it so
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("app"))

    def __init__(
        self, desk: Desk, greeting: str = "", story: tuple[str, str] | None = None, bookmaker: Bookmaker | None = None
    ) -> None:
        """Take a seat.

        Args:
            desk: the campaign and the seat.
            greeting: a notice at the beginning.
            story: title and text of a window shown first.
            bookmaker: computes odds; None: no odds are shown.
        """
        super().__init__(desk)
        self._bookmaker = bookmaker
        self._greeting = greeting
        self._story = story
        self._waiting: Timer | None = None
        self.situation: Situation | None = None
        self.chosen = Selection()
        self._from_map = False

    def compose(self) -> ComposeResult:
        """Title, panes, what is under the cursor, command line, keys."""
        yield Static("One moment …", id="title", markup=False)
        yield PaneRack(id="desk")
        yield Static(id="hint", markup=False)
        yield OddsLine(self._bookmaker, id="odds")
        yield Static(id="under", markup=False)
        yield CommandLine(
            placeholder="c: a command, as in pane 2; `done`; `answer NAME with …`; `roll 7 8`",
            id="line",
        )
        yield KeyLine()

    def on_mount(self) -> None:
        """Look for the first time."""
        self.map.focus()
        self.ask(self.desk.look)
        notices.welcome(self, self._greeting, read_only=self.desk.campaign.read_only)
        if self._story:
            self.push_screen(StoryScreen(*self._story))
        if self.follow_every:
            self.set_interval(self.follow_every, self.follow)

    # ---- what is shown

    @property
    def map(self) -> HexMap:
        """The map."""
        return self.query_one("#map", HexMap)

    @property
    def orders(self) -> OrdersPane:
        """The pane of pending decisions and orders."""
        return self.query_one("#orders", OrdersPane)

    @on(WorkingApp.Looked)
    def _looked(self, event: WorkingApp.Looked) -> None:
        found = event.situation
        self._stop_waiting()
        if self.situation and found.number < self.situation.number:
            return
        place = self.chosen.place(self.situation)
        before, self.situation = self.situation, found
        self.chosen.keep(found)
        self.map.show(found.charts)
        now = self.chosen.place(found)
        if not found.followed and now != place and self.map.cell and self.map.cell.label == place:
            self.map.go_to(now)
        self.query_one(PaneRack).show(found)
        self.orders.show(found, self.chosen.words(found), self.chosen.aimed(found))
        self.query_one(CommandLine).suggest(found)
        self.query_one("#title", Static).update(title_line(found, self.desk.seat), layout=False)
        hint = self.query_one("#hint", Static)
        hint.update(hint_line(found))
        hint.display = bool(found.view.hints)
        self.call_after_refresh(notices.keep_above, self)
        self._look_for_odds()
        self._show_here()
        if isinstance(self.screen, RosterScreen):
            self.screen.show(found.view)
        if found.followed:
            notices.tell_awaited(self, found, before)
        else:
            self._turn_to_question()
            self._back_to_map()
        if found.view.over and before and not before.view.over:
            notices.tell_end(self, found)
        elif found.happened and not self.query_one(LogPane).display:
            notices.tell_happened(self, found, self.desk.seat)

    def _stop_waiting(self) -> None:
        if self._waiting:
            self._waiting.stop()

    def _turn_to_question(self) -> None:
        """If a question or dice are pending, go to where they are answered, unless the user is reading something else."""
        one = self.orders.awaited
        line = self.query_one("#line", Input)
        reading = self.focused not in {self.map, line} and not (self.focused and self.orders in self.focused.ancestors)
        if reading or one is None or one.kind == "orders":
            return
        self._from_map = self._from_map or self.focused is self.map
        self.query_one(PaneRack).bring("orders")
        if one.kind == "question" and one.choices:
            self.orders.focus_list()
        else:
            line.value = "roll " if one.kind == "dice" else f"answer {one.name} with "
            line.focus()
            line.cursor_position = len(line.value)

    def _back_to_map(self) -> None:
        """Go back to the map if the user came from there, the order is given and nothing else is asked."""
        one, line = self.orders.awaited, self.query_one("#line", Input)
        asked = one is not None and one.kind != "orders"
        there = self.focused is line or bool(self.focused and self.orders in self.focused.ancestors)
        if self._from_map and there and not asked:
            self._from_map = False
            self.query_one(PaneRack).bring("map")
            self.map.focus()

    @on(HexMap.Moved)
    def _moved(self) -> None:
        self._show_here()

    def _show_here(self) -> None:
        """The line under the map, the pane of the hex, and the marks."""
        cell, found = self.map.cell, self.situation
        if found and self.map.chart:
            self.query_one(HerePane).show(cell, self.map.chart, self.chosen.thing)
            self.query_one("#under", Static).update(under_line(found, cell, self.chosen.thing), layout=False)
            self._mark()

    def _mark(self) -> None:
        if self.situation:
            pointing = bool(self.focused and self.orders in self.focused.ancestors)
            self.map.mark(self.chosen.marks(self.situation, pointing=pointing), self.chosen.thing)

    def ask(self, work: Callable[[], Situation]) -> None:
        """Let the desk do something and look; if that takes a while, a notice says so."""
        self._waiting = self.set_timer(PATIENCE, lambda: self.query_one("#under", Static).update("One moment …"))
        super().ask(work)

    # ---- what people do

    def give(self, text: str, side: str = "") -> None:
        """Give a typed line as a side, or as the side that the game is waiting for."""
        shown = self.orders.awaited.side if self.orders.awaited else ""
        who = side or giver(self.situation, self.desk.seat, text, shown)
        self.ask(lambda: self.desk.give(text, who))

    def go_to(self, name: str) -> None:
        """Put the cursor on a hex, a named place or a thing."""
        found = self.situation
        if found is None or not name:
            return
        thing, label = found.found(name)
        if thing:
            self._select(thing)
        if not self.map.go_to(label) and not thing:
            self.notify(f"The map has no '{name}'.", severity="warning", markup=False)

    def run_named(self, action: Action) -> None:
        """Run an action of the table, as the palette does."""
        self.run_worker(self.run_action(action.call, self.map if action.scope == "map" else self), exit_on_error=False)

    def _select(self, thing: str) -> None:
        self.chosen.select(thing)
        self._narrow()

    @on(HexMap.Chosen)
    def _chosen(self, event: HexMap.Chosen) -> None:
        """Enter on a hex: list orders of the selected thing that name it, or else orders of what is there."""
        if self.situation:
            self.chosen.choose(event.cell, self.situation)
            self._narrow()
            self._from_map = True
            self.query_one(PaneRack).bring("orders")
            self.orders.focus_list()

    @on(HexMap.Pointed)
    def _clicked(self, event: HexMap.Pointed) -> None:
        """A click on a hex: select a thing there that has orders, or make the hex the target of the selected thing."""
        if self.situation:
            self.chosen.point(event.cell, self.situation)
            self._narrow()

    def _narrow(self) -> None:
        """List the orders of what is selected, and mark where they lead."""
        self.orders.narrow(self.chosen.words(self.situation), self.chosen.aimed(self.situation))
        self._show_here()

    @on(ForcesPane.Chosen)
    def _from_forces(self, event: ForcesPane.Chosen) -> None:
        self.go_to(event.thing)

    @on(LogPane.Chosen)
    @on(BattlesPane.Chosen)
    def _from_log(self, event: LogPane.Chosen | BattlesPane.Chosen) -> None:
        self._show_why(str(event.number))

    @on(WhyPane.Asked)
    def _from_why(self, event: WhyPane.Asked) -> None:
        self._show_why(event.what)

    @on(OrdersPane.Looked)
    def _pointed_at(self, event: OrdersPane.Looked) -> None:
        self.chosen.pointed = event.named
        self._mark()

    @on(OrdersPane.Given)
    def _from_orders(self, event: OrdersPane.Given) -> None:
        self.give(event.command, event.side)

    @on(OrdersPane.Answered)
    def _from_question(self, event: OrdersPane.Answered) -> None:
        question: Awaited = event.question
        self.ask(lambda: self.desk.answer(question, event.answer))

    @on(Input.Changed, "#line")
    def _typed(self) -> None:
        self._look_for_odds()

    def _look_for_odds(self) -> None:
        self.query_one(OddsLine).look(
            self.situation, self.desk.seat, self.query_one("#line", Input).value, self.orders.awaited
        )

    @on(OddsLine.Told)
    def _odds_told(self) -> None:
        self.call_after_refresh(notices.keep_above, self)

    @on(Input.Submitted, "#line")
    def _from_line(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self.give(event.value.strip())

    # ---- actions

    def action_zoom(self, step: int) -> None:
        """Draw the map larger or smaller."""
        self.map.action_zoom(step)

    def action_next_map(self) -> None:
        """Show the next of several maps."""
        if self.map.chart and self.map.show_next():
            self.notify(self.map.chart.title, markup=False)
        else:
            self.notify("There is only one map.")

    def action_letters(self) -> None:
        """Letters or half blocks."""
        self.map.action_letters()

    def action_targets(self) -> None:
        """Mark the targets of the selected thing, or stop marking them."""
        self.chosen.marking = not self.chosen.marking
        self._show_here()
        said = "Targets are marked." if self.chosen.marking else "Targets are not marked; x marks them again."
        self.notify(said, timeout=3, markup=False)

    def action_select_next(self) -> None:
        """Select the next thing in the hex under the cursor."""
        self._select(self.chosen.next_of([thing.id for thing in self.map.cell.things] if self.map.cell else []))

    def action_next_unit(self) -> None:
        """Go to the next thing that has orders."""
        able = self.chosen.able(self.situation) if self.situation else []
        if able:
            self.go_to(self.chosen.next_of(able))
        else:
            self.notify("None of this seat's units can be given an order.")

    def action_go(self) -> None:
        """Ask where to go."""
        if self.situation:
            self.push_screen(GoScreen(self.situation.names()), lambda name: self.go_to(name or ""))

    def action_command_line(self) -> None:
        """Go to the command line."""
        self._from_map = False  # a user who went to the line on purpose stays there
        self.query_one("#line", Input).focus()

    def action_next_awaited(self) -> None:
        """Show the next pending thing."""
        self.orders.next_awaited()
        self._look_for_odds()

    def action_done(self) -> None:
        """End the orders window."""
        self.give("done")

    def action_why(self) -> None:
        """Go to the line that asks why."""
        self.query_one(PaneRack).bring("why")
        self.query_one(WhyPane).ask_of(self.situation, self.chosen.thing)

    @on(events.Click, "#under")
    def action_roster(self) -> None:
        """Show the roster of the selected thing, or else of what is in the hex, or else of all."""
        found = self.situation
        if found and not isinstance(self.screen, RosterScreen):
            chosen = found.chart.parts.whole_of(self.chosen.thing) if self.chosen.thing else ""
            self.push_screen(RosterScreen(found.view, [chosen] if chosen else listed_in(found.view, self.map.cell)))

    def action_pane(self, name: str) -> None:
        """Show a pane and give it the focus."""
        self._from_map = False
        self.query_one(PaneRack).go_to(name)

    def action_leave(self) -> None:
        """Leave a pane; on the map, clear the selection; in the command line, discard the typed text."""
        line = self.query_one("#line", Input)
        if self.focused is self.map:
            self._select("")
        elif self.focused is line:
            line.value = ""
        self.query_one(PaneRack).bring("map")
        self.map.focus()
        self.call_after_refresh(self._show_here)

    def action_help(self) -> None:
        """Show all keys."""
        self.push_screen(HelpScreen())

    def _show_why(self, what: str) -> None:
        self.query_one(PaneRack).bring("why")
        self.ask_why(what)

    @on(WorkingApp.Explained)
    def _explained(self, event: WorkingApp.Explained) -> None:
        self.query_one(WhyPane).show(event.lines)
        self.query_one("#because").focus()

    @on(WorkingApp.Refusal)
    def _refused(self, event: WorkingApp.Refusal) -> None:
        self._stop_waiting()
        self._show_here()
        notices.tell_refused(self, event.failed)
