"""The app itself: it puts the panes together, and carries what people do to the desk and what the desk says to the panes.

Whatever asks the machine runs in a worker thread, and comes back as a message. A pane never talks to another pane.
"""

import os
from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.command import Provider
from textual.containers import Container
from textual.message import Message
from textual.suggester import SuggestFromList
from textual.widgets import Footer, Input, Static
from textual.worker import get_current_worker

from interpreter.inputs import Awaited
from ui.app.actions import Action, bindings
from ui.app.desk import Desk, Failed, Situation
from ui.app.dialogs import GoScreen, HelpScreen
from ui.app.hexmap import HexMap
from ui.app.naming import Words, matching
from ui.app.orders import OrdersPane
from ui.app.palette import CampaignCommands
from ui.app.panes import ForcesPane, HerePane, LogPane, WhyPane
from ui.chart import labels_in
from ui.explaining import Line
from ui.playing import UMPIRE, sides_of
from ui.symbols import strength_field

__all__ = ["CampaignApp"]

PANES = ("map", "forces", "orders", "log", "here", "why")
TITLES = {"map": "Map", "forces": "Forces", "orders": "Orders", "log": "Log", "here": "Here", "why": "Why"}


class CampaignApp(App[None]):
    """The terminal app on one campaign.

    Attributes:
        desk: the campaign and the seat.
        situation: what is shown, None before the first look.
        selected: the id of the selected thing, or empty.
    """

    TITLE = "ophex"
    CSS_PATH = "app.tcss"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = App.COMMANDS | {CampaignCommands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-medium"), (160, "-wide")]  # noqa: RUF012 - Textual declares it so
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("app"))

    class Looked(Message):
        """The desk has looked: here is the situation."""

        def __init__(self, situation: Situation) -> None:
            super().__init__()
            self.situation = situation

    class Explained(Message):
        """The desk has explained something."""

        def __init__(self, lines: list[Line]) -> None:
            super().__init__()
            self.lines = lines

    class Refusal(Message):
        """The desk could not do it."""

        def __init__(self, failed: Failed) -> None:
            super().__init__()
            self.failed = failed

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.situation: Situation | None = None
        self.selected = ""
        self._target = ""
        self._pointed = ""
        self._marking = True
        self._pane = "map"

    def compose(self) -> ComposeResult:
        """Title, panes, what is under the cursor, command line, keys."""
        yield Static(id="title", markup=False)
        with Container(id="desk"):
            yield HexMap(id="map", plain=bool(os.environ.get("NO_COLOR")))
            yield ForcesPane(id="forces")
            yield OrdersPane(id="orders")
            yield LogPane(id="log")
            yield HerePane(id="here")
            yield WhyPane(id="why")
        yield Static(id="under", markup=False)
        yield Input(
            placeholder="a command, or `answer NAME with …`, or `roll 7 8`",
            id="line",
            compact=True,
            select_on_focus=False,
        )
        yield Footer(compact=True, show_command_palette=True)

    def on_mount(self) -> None:
        """Look for the first time."""
        for name in PANES:
            pane = self.query_one(f"#{name}")
            pane.border_title = (
                f"{'123456'[['map', 'orders', 'forces', 'log', 'here', 'why'].index(name)]} {TITLES[name]}"
            )
        self._show_pane("map")
        self.map.focus()
        self._ask(self.desk.look)

    # ---- what is shown

    @property
    def map(self) -> HexMap:
        """The map."""
        return self.query_one("#map", HexMap)

    @property
    def orders(self) -> OrdersPane:
        """The pane of what is awaited."""
        return self.query_one("#orders", OrdersPane)

    @on(Looked)
    def _looked(self, event: Looked) -> None:
        found = event.situation
        if self.situation and found.number < self.situation.number:
            return
        self.situation = found
        if self.selected not in {thing.id for thing in found.view.things}:
            self.selected = ""
        self._target = ""
        self.map.show(found.chart)
        self.query_one(ForcesPane).show(found)
        self.query_one(LogPane).show(found)
        self.orders.show(found, self._words())
        commands = [command for legal in found.legal.values() for command in legal]
        answers = [
            f"answer {one.name} with {choice}"
            for one in found.waiting
            if one.kind == "question"
            for choice in one.choices
        ]
        self.query_one("#line", Input).suggester = SuggestFromList([*commands, *answers], case_sensitive=False)
        self._show_title()
        self._show_here()
        self._turn_to_question()
        if found.happened and not self.query_one(LogPane).display:
            self.notify("\n".join(happened.text for happened in found.happened[-6:]), timeout=4, markup=False)

    def _turn_to_question(self) -> None:
        """Where a question or dice are awaited, go to where they are answered, but disturb no other reading."""
        one = self.orders.awaited
        line = self.query_one("#line", Input)
        reading = self.focused not in {self.map, line} and not (self.focused and self.orders in self.focused.ancestors)
        if reading or one is None or one.kind == "orders":
            return
        self._show_pane("orders")
        if one.kind == "question" and one.choices:
            self.orders.focus_list()
        else:
            line.value = "roll " if one.kind == "dice" else f"answer {one.name} with "
            line.focus()
            line.cursor_position = len(line.value)

    def _show_title(self) -> None:
        found = self.situation
        if found is None:
            return
        view, titles = found.view, sides_of(found.view)
        parts = [view.scenario_title or view.scenario, f"turn {view.turn}", view.phase_title or view.phase]
        if view.over:
            parts.append(f"over: {view.over}")
        elif view.active:
            parts.append(f"{titles.get(view.active, view.active)} is active")
        parts.append("umpire's seat" if self.desk.seat == UMPIRE else f"{titles.get(self.desk.seat)}'s seat")
        self.query_one("#title", Static).update(" · ".join(filter(None, parts)))

    @on(HexMap.Moved)
    def _moved(self) -> None:
        self._show_here()

    def _show_here(self) -> None:
        """The line under the map, the pane of the hex, and the marks of what the selected thing may do."""
        cell, found = self.map.cell, self.situation
        if found is None:
            return
        self.query_one(HerePane).show(cell, found.chart, self.selected)
        text = Text()
        if cell:
            text.append(f"{cell.label} {cell.name}".strip(), "bold").append(f" {', '.join(found.chart.said_of(cell))}")
            for stack in cell.stacks:
                text.append(f"  {stack.letter}:", "bold")
                for thing in stack.things:
                    text.append(f" {thing.id}", "reverse" if thing.id == self.selected else "")
        if self.selected and not (cell and any(thing.id == self.selected for thing in cell.things)):
            text.append(f"  selected: {self.selected}", "italic")
        text.no_wrap, text.overflow = True, "ellipsis"
        self.query_one("#under", Static).update(text)
        self.map.mark(self._targets())

    def _targets(self) -> set[str]:
        """The hexes that the order under the cursor names, or all those that orders of the selected thing name."""
        found = self.situation
        if found is None or not self._marking:
            return set()
        if self._pointed and self.focused and self.orders in self.focused.ancestors:
            return set(labels_in(self._pointed, found.chart))
        if not self.selected:
            return set()
        legal = (
            command for commands in found.legal.values() for command in matching(commands, self._named(self.selected))
        )
        return {label for command in legal for label in labels_in(command, found.chart)}

    def _words(self) -> Words:
        target: Words = ((self._target,),) if self._target else ()
        return (*self._named(self.selected), *target) if self.selected else target

    def _named(self, thing: str) -> Words:
        """By which ids orders may name a thing: its own, or that of a formation that holds it and stands nowhere."""
        things = {one.id: one for one in self.situation.view.things} if self.situation else {}
        found = [thing]
        while found[-1] in things:
            holder = things[found[-1]].holder
            if holder not in things or things[holder].place or holder in found:
                break
            found.append(holder)
        return (tuple(found),)

    # ---- what people do

    def give(self, text: str, side: str = "") -> None:
        """Give a typed line as a side, or as whoever it is awaited from."""
        giver = side or self._giver(text)
        self._ask(lambda: self.desk.give(text, giver))

    def go_to(self, name: str) -> None:
        """Put the cursor on a hex, a named place or a thing."""
        found = self.situation
        if found is None or not name:
            return
        thing = next((one for one in found.view.things if name.lower() in {one.id.lower(), one.name.lower()}), None)
        named = next((cell.label for cell in found.chart.cells.values() if cell.name.lower() == name.lower()), name)
        label = thing.place if thing else named
        if thing:
            self._select(thing.id)
        if thing and not label:  # what has no place of its own is where the first thing is that it holds
            label = next((one.place for one in found.view.things if one.holder == thing.id and one.place), "")
        if not self.map.go_to(label) and not thing:
            self.notify(f"The map has no '{name}'.", severity="warning", markup=False)

    def run_named(self, action: Action) -> None:
        """Run an action of the table, as the palette does."""
        own = (
            self.map if action.scope == "map" or hasattr(self.map, f"action_{action.call.partition('(')[0]}") else self
        )
        self.run_worker(self.run_action(action.call, own), exit_on_error=False)

    def _giver(self, text: str) -> str:
        """For the umpire: the side that a typed line is awaited from; a side gives for itself."""
        if self.desk.seat != UMPIRE:
            return self.desk.seat
        waiting = self.situation.waiting if self.situation else ()
        words = text.split()
        asked = [one for one in waiting if one.kind == "question" and one.name in words]
        legal = self.situation.legal if self.situation else {}
        able = [side for side, commands in legal.items() if text in commands]
        shown = [self.orders.awaited.side] if self.orders.awaited else []
        return next((side for side in (*(one.side for one in asked), *able, *shown) if side), UMPIRE)

    def _select(self, thing: str) -> None:
        self.selected, self._target = thing, ""
        self.orders.narrow(self._words())
        self._show_here()

    @on(HexMap.Chosen)
    def _chosen(self, event: HexMap.Chosen) -> None:
        """Enter on a hex: orders of the selected thing that name it, else of what stands there."""
        cell = event.cell
        things = [thing.id for thing in cell.things]
        if self.selected and self.selected not in things and cell.label in self._targets():
            self._target = cell.label
        elif things and self.selected not in things:
            self.selected, self._target = next((one for one in things if self._has_orders(one)), things[0]), ""
        elif not things:
            self._target = ""
        self.orders.narrow(self._words())
        self._show_here()
        self._show_pane("orders")
        self.orders.focus_list()

    def _has_orders(self, thing: str) -> bool:
        named = self.situation.named if self.situation else frozenset()
        return any(not named.isdisjoint(group) for group in self._named(thing))

    @on(ForcesPane.Chosen)
    def _from_forces(self, event: ForcesPane.Chosen) -> None:
        self.go_to(event.thing)

    @on(LogPane.Chosen)
    def _from_log(self, event: LogPane.Chosen) -> None:
        self._explain(str(event.number))

    @on(WhyPane.Asked)
    def _from_why(self, event: WhyPane.Asked) -> None:
        self._explain(event.what)

    @on(OrdersPane.Looked)
    def _pointed_at(self, event: OrdersPane.Looked) -> None:
        self._pointed = event.command
        self.map.mark(self._targets())

    @on(OrdersPane.Given)
    def _from_orders(self, event: OrdersPane.Given) -> None:
        self.give(event.command, event.side)

    @on(OrdersPane.Answered)
    def _from_question(self, event: OrdersPane.Answered) -> None:
        question: Awaited = event.question
        self._ask(lambda: self.desk.answer(question, event.answer))

    @on(Input.Submitted, "#line")
    def _from_line(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self.give(event.value.strip())
            event.input.value = ""

    # ---- actions

    def action_zoom(self, step: int) -> None:
        """Draw the map larger or smaller."""
        self.map.action_zoom(step)

    def action_letters(self) -> None:
        """Letters or half blocks."""
        self.map.action_letters()

    def action_targets(self) -> None:
        """Mark the targets of the selected thing, or stop it."""
        self._marking = not self._marking
        self._show_here()

    def action_select_next(self) -> None:
        """Select the next thing in the hex under the cursor."""
        things = [thing.id for thing in self.map.cell.things] if self.map.cell else []
        if not things:
            self._select("")
        elif self.selected in things:
            self._select(things[(things.index(self.selected) + 1) % len(things)])
        else:
            self._select(things[0])

    def action_next_unit(self) -> None:
        """Go to the next thing that has orders."""
        found = self.situation
        if found is None:
            return
        able = [thing.id for thing in found.view.things if thing.place and self._has_orders(thing.id)]
        if not able:
            self.notify("No unit of this seat has anything to do.")
            return
        self.go_to(able[(able.index(self.selected) + 1) % len(able)] if self.selected in able else able[0])

    def action_go(self) -> None:
        """Ask where to go."""
        found = self.situation
        if found:
            names = [thing.id for thing in found.view.things]
            names += [cell.name for cell in found.chart.cells.values() if cell.name] + list(found.chart.by_label)
            self.push_screen(GoScreen(names), lambda name: self.go_to(name or ""))

    def action_command_line(self) -> None:
        """Go to the command line."""
        self.query_one("#line", Input).focus()

    def action_next_awaited(self) -> None:
        """Show the next awaited thing."""
        self.orders.next_awaited()

    def action_done(self) -> None:
        """End the window of orders."""
        self.give("done")

    def action_undo(self) -> None:
        """Take the last input back."""
        self._ask(self.desk.undo)

    def action_redo(self) -> None:
        """Take an undone input again."""
        self._ask(self.desk.redo)

    def action_next_side(self) -> None:
        """Look through the eyes of the next side."""
        self._ask(self.desk.next_seat)

    def action_refresh_now(self) -> None:
        """Look again."""
        self._ask(self.desk.refresh)

    def action_why(self) -> None:
        """Go to the line that asks why."""
        self._show_pane("why")
        things = self.situation.view.things if self.situation else ()
        field = next((strength_field(thing) for thing in things if thing.id == self.selected), "")
        self.query_one(WhyPane).ask(f"{field} of {self.selected}" if field else "")

    def action_pane(self, name: str) -> None:
        """Show a pane and give it the focus."""
        self._show_pane(name)
        if name == "orders":
            self.orders.focus_list()
        elif name == "why":
            self.query_one("#because").focus()
        else:
            self.query_one(f"#{name}").focus()

    def action_leave(self) -> None:
        """Leave a pane; on the map, clear the selection."""
        if self.focused is self.map:
            self._select("")
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

    # ---- work in threads

    def _ask(self, work: Callable[[], Situation]) -> None:
        """Let the desk do something and look."""
        self._in_thread(lambda: self.Looked(work()))

    def _explain(self, what: str) -> None:
        self._show_pane("why")
        self._in_thread(lambda: self.Explained(self.desk.explain(what)))

    def _in_thread(self, work: Callable[[], Message]) -> None:
        def run() -> None:
            worker = get_current_worker()
            try:
                message = work()
            except Failed as failed:
                message = self.Refusal(failed)
            if not worker.is_cancelled:
                self.post_message(message)

        self.run_worker(run, thread=True, group="desk", exit_on_error=True)

    @on(Explained)
    def _explained(self, event: Explained) -> None:
        self.query_one(WhyPane).show(event.lines)
        self.query_one("#because").focus()

    @on(Refusal)
    def _refused(self, event: Refusal) -> None:
        failed = event.failed
        rule = f"\nrule: {', '.join(failed.cites)}" if failed.cites else ""
        hint = f"\nhint: {failed.hint}" if failed.hint else ""
        self.notify(f"{failed.message}{rule}{hint}", title="Refused", severity="warning", timeout=10, markup=False)
