"""The app itself: it puts the panes together, and carries what people do to the desk and what the desk says to the panes.

Whatever asks the machine runs in a worker thread, and comes back as a message. A pane never talks to another pane.
"""

import asyncio
import os
from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.command import Provider
from textual.containers import Container
from textual.suggester import SuggestFromList
from textual.timer import Timer
from textual.widgets import Input, Static

from interpreter.inputs import Awaited
from ui.answers import whole_answers
from ui.app.actions import Action, bindings
from ui.app.battles import BattlesPane
from ui.app.chances import Bookmaker
from ui.app.command_line import CommandLine
from ui.app.desk import Desk, Situation
from ui.app.dialogs import GoScreen, HelpScreen, StoryScreen
from ui.app.hexmap import HexMap
from ui.app.keyline import KeyLine
from ui.app.lines import hint_line, title_line, under_line
from ui.app.notices import brought_about, ending, reading_time
from ui.app.orders import OrdersPane
from ui.app.palette import CampaignCommands
from ui.app.panes import ForcesPane, HerePane, LogPane, WhyPane
from ui.app.rosters import RosterScreen
from ui.app.selection import Selection, giver
from ui.app.working import WorkingApp
from ui.chart import Chart
from ui.persons import Persons
from ui.roster import is_listed
from ui.situation import over_line
from ui.symbols import number_field

__all__ = ["CampaignApp"]

PATIENCE = 0.7
"""After so many seconds the app says that it is at work."""
PANES = {
    "map": "1 Map",
    "orders": "2 Orders",
    "forces": "3 Forces",
    "log": "4 Log",
    "here": "5 Here",
    "why": "6 Why",
    "battles": "7 Battles",
}


async def _nothing() -> None:
    """What takes the place of odds that are wanted no more."""


class CampaignApp(WorkingApp):
    """The terminal app on one campaign.

    Attributes:
        situation: what is shown, None before the first look.
        chosen: what is selected and pointed at.
        follow_every: how often to look whether another session has moved the campaign on, in seconds; 0: never.
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
            story: title and text of what is read before it.
            bookmaker: who tells odds; nobody does where there is none.
        """
        super().__init__(desk)
        self._bookmaker = bookmaker
        self._odds_of: tuple[str, ...] = ()
        self._greeting = greeting
        self._story = story
        self._waiting: Timer | None = None
        self.situation: Situation | None = None
        self.chosen = Selection()
        self._pane = "map"
        self._from_map = False
        self._map_shown = 0

    def compose(self) -> ComposeResult:
        """Title, panes, what is under the cursor, command line, keys."""
        yield Static("One moment …", id="title", markup=False)
        with Container(id="desk"):
            yield HexMap(id="map", plain=bool(os.environ.get("NO_COLOR")))
            yield ForcesPane(id="forces")
            yield OrdersPane(id="orders")
            yield LogPane(id="log")
            yield HerePane(id="here")
            yield WhyPane(id="why")
            yield BattlesPane(id="battles")
        yield Static(id="hint", markup=False)
        yield Static(id="odds", markup=False)
        yield Static(id="under", markup=False)
        yield CommandLine(
            placeholder="c: a command, as in pane 2; `done`; `answer NAME with …`; `roll 7 8`",
            id="line",
            compact=True,
            select_on_focus=False,
        )
        yield KeyLine()

    def on_mount(self) -> None:
        """Look for the first time."""
        for name, title in PANES.items():
            self.query_one(f"#{name}").border_title = title
        self._show_pane("map")
        self.map.focus()
        self.ask(self.desk.look)
        self._show_odds([])
        if self.desk.campaign.read_only:
            said = "The campaign cannot be written here: you may look, but nothing can be given."
            self.notify(said, title="Read-only", severity="warning", timeout=10, markup=False)
        if self._greeting:
            self.notify(self._greeting, title="Welcome", timeout=30, markup=False)
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
        """The pane of what is awaited."""
        return self.query_one("#orders", OrdersPane)

    @on(WorkingApp.Looked)
    def _looked(self, event: WorkingApp.Looked) -> None:
        found = event.situation
        self._stop_waiting()
        if self.situation and found.number < self.situation.number:
            return
        place = self._place_of_chosen()
        before, self.situation = self.situation, found
        self.chosen.keep(found)
        self.map.show(self._chart_in(found))
        if not found.followed and self._place_of_chosen() != place and self.map.cell and self.map.cell.label == place:
            self.map.go_to(self._place_of_chosen())
        self.query_one(ForcesPane).show(found)
        self.query_one(LogPane).show(found)
        self.query_one(BattlesPane).show(found)
        self.orders.show(found, self.chosen.words(found), self.chosen.aimed(found))
        commands = [command for legal in found.legal.values() for command in legal]
        asked = [one for one in found.waiting if one.kind == "question"]
        answers = [f"answer {one.name} with {answer}" for one in asked for answer in whole_answers(one)]
        self.query_one("#line", Input).suggester = SuggestFromList([*commands, *answers], case_sensitive=False)
        self.query_one("#title", Static).update(title_line(found, self.desk.seat))
        hint = self.query_one("#hint", Static)
        hint.update(hint_line(found))
        hint.display = bool(found.view.hints)
        self.call_after_refresh(self._keep_notices_off)
        self._look_for_odds()
        self._show_here()
        if isinstance(self.screen, RosterScreen):
            self.screen.show(found.view)
        if found.followed:
            self._tell_questions(before)
        else:
            self._turn_to_question()
            self._back_to_map()
        if found.view.over and before and not before.view.over:
            self._tell_end(found)
        elif found.happened and not self.query_one(LogPane).display:
            self._tell_happened(found)

    def _tell_end(self, found: Situation) -> None:
        """Who has won: where it came about under one's own hand it waits to be read."""
        if found.followed:
            self.notify(over_line(found.view), title="The game is over", timeout=30, markup=False)
        else:
            self.push_screen(StoryScreen("The game is over", ending(found), "Look around"))

    def _keep_notices_off(self) -> None:
        """Notices stand above the lines at the bottom: hints, odds, what is under the cursor, the command line, the keys."""
        lines = [one for one in (self.query_one("#hint", Static), self.query_one("#odds", Static)) if one.display]
        for rack in self.query("#textual-toastrack"):
            rack.styles.margin = (0, 0, 3 + sum(one.size.height for one in lines), 0)

    def _tell_happened(self, found: Situation) -> None:
        told = "\n".join(Persons(found.view).all_told(brought_about(found, self.desk.seat).splitlines()))
        self.notify(told, timeout=reading_time(told), markup=False)

    def _stop_waiting(self) -> None:
        if self._waiting:
            self._waiting.stop()

    def _place_of_chosen(self) -> str:
        things = self.situation.view.things if self.situation else ()
        return next((thing.place for thing in things if thing.id == self.chosen.thing), "")

    def _turn_to_question(self) -> None:
        """Where a question or dice are awaited, go to where they are answered, but disturb no other reading."""
        one = self.orders.awaited
        line = self.query_one("#line", Input)
        reading = self.focused not in {self.map, line} and not (self.focused and self.orders in self.focused.ancestors)
        if reading or one is None or one.kind == "orders":
            return
        self._from_map = self._from_map or self.focused is self.map
        self._show_pane("orders")
        if one.kind == "question" and one.choices:
            self.orders.focus_list()
        else:
            line.value = "roll " if one.kind == "dice" else f"answer {one.name} with "
            line.focus()
            line.cursor_position = len(line.value)

    def _back_to_map(self) -> None:
        """Whoever came from the map to the list goes back there when the order is given and nothing more is asked."""
        one, line = self.orders.awaited, self.query_one("#line", Input)
        asked = one is not None and one.kind != "orders"
        there = self.focused is line or bool(self.focused and self.orders in self.focused.ancestors)
        if self._from_map and there and not asked:
            self._from_map = False
            self._show_pane("map")
            self.map.focus()

    def _tell_questions(self, before: Situation | None) -> None:
        """What has come to be awaited while somebody does something else: it is said, and takes no key from them."""
        known = before.waiting if before else ()
        for one in self.situation.waiting if self.situation else ():
            if one.kind != "orders" and one not in known:
                self.notify(f"{one.prompt}\n2 shows what is awaited.", markup=False)

    @on(HexMap.Moved)
    def _moved(self) -> None:
        self._show_here()

    def _show_here(self) -> None:
        """The line under the map, the pane of the hex, and the marks."""
        cell, found = self.map.cell, self.situation
        if found:
            self.query_one(HerePane).show(cell, self._chart_in(found), self.chosen.thing)
            self.query_one("#under", Static).update(under_line(found, cell, self.chosen.thing))
            self._mark()

    def _mark(self) -> None:
        if self.situation:
            pointing = bool(self.focused and self.orders in self.focused.ancestors)
            self.map.mark(self.chosen.marks(self.situation, pointing=pointing), self.chosen.thing)

    def ask(self, work: Callable[[], Situation]) -> None:
        """Let the desk do something and look; where that takes a while, it is said."""
        self._waiting = self.set_timer(PATIENCE, lambda: self.query_one("#under", Static).update("One moment …"))
        super().ask(work)

    # ---- what people do

    def give(self, text: str, side: str = "") -> None:
        """Give a typed line as a side, or as whoever it is awaited from."""
        shown = self.orders.awaited.side if self.orders.awaited else ""
        who = side or giver(self.situation, self.desk.seat, text, shown)
        self.ask(lambda: self.desk.give(text, who))

    def go_to(self, name: str) -> None:
        """Put the cursor on a hex, a named place or a thing."""
        found = self.situation
        if found is None or not name:
            return
        thing = next((one for one in found.view.things if name.lower() in {one.id.lower(), one.name.lower()}), None)
        cells = [cell for chart in found.charts for cell in chart.cells.values()]
        named = next((cell.label for cell in cells if cell.name.lower() == name.lower()), name)
        label = thing.place if thing else named
        if thing:
            self._select(thing.id)
        if thing and not label:  # what has no place of its own is where the first thing is that it holds
            label = next((one.place for one in found.view.things if one.holder == thing.id and one.place), "")
        chart = found.chart_with(label)
        if chart is not None and chart is not self._chart_in(found):
            self._show_map(found.charts.index(chart))
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
        """Enter on a hex: orders of the selected thing that name it, else of what stands there."""
        if self.situation:
            self.chosen.choose(event.cell, self.situation)
            self._narrow()
            self._from_map = True
            self._show_pane("orders")
            self.orders.focus_list()

    @on(HexMap.Pointed)
    def _clicked(self, event: HexMap.Pointed) -> None:
        """A click on a hex: who stands there and has orders is selected, or it is the target of who is selected."""
        if self.situation:
            self.chosen.point(event.cell, self.situation)
            self._narrow()

    def _narrow(self) -> None:
        """List the orders of what is chosen, and mark where they lead."""
        self.orders.narrow(self.chosen.words(self.situation), self.chosen.aimed(self.situation))
        self._show_here()

    @on(ForcesPane.Chosen)
    def _from_forces(self, event: ForcesPane.Chosen) -> None:
        self.go_to(event.thing)

    @on(LogPane.Chosen)
    def _from_log(self, event: LogPane.Chosen) -> None:
        self._show_why(str(event.number))

    @on(BattlesPane.Chosen)
    def _from_battles(self, event: BattlesPane.Chosen) -> None:
        self._show_why(str(event.number))

    @on(WhyPane.Asked)
    def _from_why(self, event: WhyPane.Asked) -> None:
        self._show_why(event.what)

    @on(OrdersPane.Looked)
    def _pointed_at(self, event: OrdersPane.Looked) -> None:
        self.chosen.pointed = event.command
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
        """Have the odds told of what is being typed, else of the question that is open; not twice of the same as it stands."""
        found, typed = self.situation, " ".join(self.query_one("#line", Input).value.split())
        if self._bookmaker is None or found is None:
            return
        one, first = self.orders.awaited, typed.partition(" ")[0].lower()
        offered = {command.partition(" ")[0] for legal in found.legal.values() for command in legal}
        side, command = "", ""
        if typed and (first in offered or (first == "answer" and not typed.endswith(" with"))):
            side, command = giver(found, self.desk.seat, typed, one.side if one else ""), typed
        elif one is not None and one.kind == "question":
            side = one.side
        wanted = (str(found.number), side, command, one.name if one and not command else "") if side else ()
        if wanted != self._odds_of:
            self._odds_of = wanted
            self._show_odds([])
            self.run_worker(
                self._odds(side, command) if side else _nothing(), group="odds", exclusive=True, exit_on_error=False
            )

    async def _odds(self, side: str, command: str) -> None:
        assert self._bookmaker is not None
        await asyncio.sleep(self._bookmaker.patience)
        self._show_odds(await self._bookmaker.tell(side, command))

    def _show_odds(self, lines: list[str]) -> None:
        shown = self.query_one("#odds", Static)
        shown.update("\n".join([f"Odds: {lines[0]}", *lines[1:]]) if lines else "")
        shown.display = bool(lines)
        self.call_after_refresh(self._keep_notices_off)

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
        found = self.situation
        if found and len(found.charts) > 1:
            self._show_map((self._map_shown + 1) % len(found.charts))
            self.notify(self._chart_in(found).title, markup=False)
        else:
            self.notify("There is one map only.")

    def _chart_in(self, found: Situation) -> Chart:
        """The map that is shown."""
        return found.charts[min(self._map_shown, len(found.charts) - 1)]

    def _show_map(self, number: int) -> None:
        self._map_shown = number
        if self.situation:
            self.map.show(self._chart_in(self.situation))
            self._show_here()

    def action_letters(self) -> None:
        """Letters or half blocks."""
        self.map.action_letters()

    def action_targets(self) -> None:
        """Mark the targets of the selected thing, or stop it."""
        self.chosen.marking = not self.chosen.marking
        self._show_here()
        said = "Targets are marked." if self.chosen.marking else "Targets are not marked; x marks them again."
        self.notify(said, timeout=3, markup=False)

    def action_select_next(self) -> None:
        """Select the next thing in the hex under the cursor."""
        self._select(self.chosen.next_of([thing.id for thing in self.map.cell.things] if self.map.cell else []))

    def action_next_unit(self) -> None:
        """Go to the next thing that has orders."""
        found = self.situation
        if found is None:
            return
        able = self.chosen.able(found)
        if able:
            self.go_to(self.chosen.next_of(able))
        else:
            self.notify("No unit of this seat has anything to do.")

    def action_go(self) -> None:
        """Ask where to go."""
        found = self.situation
        if found:
            names = [thing.id for thing in found.view.things]
            for chart in found.charts:
                names += [cell.name for cell in chart.cells.values() if cell.name] + list(chart.by_label)
            self.push_screen(GoScreen(names), lambda name: self.go_to(name or ""))

    def action_command_line(self) -> None:
        """Go to the command line."""
        self._from_map = False  # whoever went to the line stays there
        self.query_one("#line", Input).focus()

    def action_next_awaited(self) -> None:
        """Show the next awaited thing."""
        self.orders.next_awaited()
        self._look_for_odds()

    def action_done(self) -> None:
        """End the window of orders."""
        self.give("done")

    def action_advance(self) -> None:
        """Go on as far as nobody has anything to decide."""
        self.ask(self.desk.advance)

    def action_undo(self) -> None:
        """Take the last input back."""
        self.ask(self.desk.undo)

    def action_redo(self) -> None:
        """Take an undone input again."""
        self.ask(self.desk.redo)

    def action_next_side(self) -> None:
        """Look through the eyes of the next side."""
        self.ask(self.desk.next_seat)

    def action_refresh_now(self) -> None:
        """Look again."""
        self.ask(self.desk.refresh)

    def action_why(self) -> None:
        """Go to the line that asks why."""
        self._show_pane("why")
        things = self.situation.view.things if self.situation else ()
        thing = next((thing for thing in things if thing.id == self.chosen.thing), None)
        field = number_field(thing) if thing else ""
        askable = self.situation.askable(thing) if self.situation and thing else []
        self.query_one(WhyPane).ask(f"{field} of {thing.id}" if thing and field else "", askable)

    def action_roster(self) -> None:
        """Show the roster of the selected thing, else of what stands in the hex, else of all."""
        found, cell = self.situation, self.map.cell
        if found is None or isinstance(self.screen, RosterScreen):
            return
        here = [thing.id for thing in cell.things] if cell else []
        chosen = found.chart.parts.whole_of(self.chosen.thing) if self.chosen.thing else ""
        names = [chosen] if chosen else [one for one in here if is_listed(found.view, one)]
        self.push_screen(RosterScreen(found.view, names))

    @on(events.Click, "#under")
    def _under_clicked(self) -> None:
        self.action_roster()

    def action_pane(self, name: str) -> None:
        """Show a pane and give it the focus."""
        self._from_map = False
        self._show_pane(name)
        if name == "orders":
            self.orders.focus_list()
        elif name == "why":
            self.query_one("#because").focus()
        else:
            self.query_one(f"#{name}").focus()

    def action_leave(self) -> None:
        """Leave a pane; on the map, clear the selection; half a typed command is forgotten."""
        line = self.query_one("#line", Input)
        if self.focused is self.map:
            self._select("")
        elif self.focused is line:
            line.value = ""
        self._show_pane("map")
        self.map.focus()
        self.call_after_refresh(self._show_here)

    def action_help(self) -> None:
        """Show all keys."""
        self.push_screen(HelpScreen())

    def _show_pane(self, name: str) -> None:
        """Bring a pane to the front, where not all of them fit."""
        if name != "map":
            self._pane = name
        beside = self._pane if self._pane != "map" else "orders"
        for other in PANES:
            pane = self.query_one(f"#{other}")
            pane.set_class(other == name, "shown")
            pane.set_class(other == beside, "beside")
        self.query_one("#why").set_class(name == "battles", "behind")

    def _show_why(self, what: str) -> None:
        self._show_pane("why")
        self.ask_why(what)

    @on(WorkingApp.Explained)
    def _explained(self, event: WorkingApp.Explained) -> None:
        self.query_one(WhyPane).show(event.lines)
        self.query_one("#because").focus()

    @on(WorkingApp.Refusal)
    def _refused(self, event: WorkingApp.Refusal) -> None:
        failed = event.failed
        self._stop_waiting()
        self._show_here()
        rule = f"\nrule: {', '.join(failed.cites)}" if failed.cites else ""
        hint = f"\nhint: {failed.hint}" if failed.hint else ""
        self.notify(f"{failed.message}{rule}{hint}", title="Refused", severity="warning", timeout=10, markup=False)
