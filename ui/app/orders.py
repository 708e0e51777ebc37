"""The pane of what is awaited: the open question with its legal answers, or the legal orders of whoever may give them."""

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, OptionList, SelectionList, Static
from textual.widgets.option_list import Option
from textual.widgets.selection_list import Selection

from interpreter.inputs import Awaited
from ui.app.desk import Situation, words_of
from ui.playing import sides_of
from ui.situation import awaited_line

__all__ = ["OrdersPane", "Words", "matching"]

MOST_SHOWN = 400
"""Longer lists are cut; the filter finds the rest."""

Words = tuple[tuple[str, ...], ...]
"""Groups of ids: a command must name one of each group."""


def matching(commands: tuple[str, ...], words: Words, text: str = "") -> list[str]:
    """The commands that hold a text and name at least one id of every group.

    >>> matching(("march tf-1 to 0304", "march tf-10 to 0304"), (("tf-1", "brigade-1"),))
    ['march tf-1 to 0304']
    """
    return [command for command in commands if text.lower() in command.lower() and _names(words_of(command), words)]


def _names(said: set[str], words: Words) -> bool:
    return all(not said.isdisjoint(group) for group in words)


def thing_of(choice: str) -> str:
    """The thing that a choice of a question about several things is for: `tf-1` of `tf-1 B`."""
    return choice.partition(" ")[0]


class OrdersPane(Vertical):
    """Shows one awaited thing at a time; what is chosen is posted as `Given` or `Answered`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "f", "filter", "Filter", show=False, tooltip="Goes to the line that filters the list.", id="orders.filter"
        ),
        Binding(
            "f2,ctrl+s", "send", "Send answer", tooltip="Sends the ticked answers.", id="orders.send", priority=True
        ),
    ]
    DEFAULT_CSS = """
    OrdersPane > Static { padding: 0 1; height: auto; max-height: 8; }
    OrdersPane > Input { border: none; height: 1; padding: 0 1; background: $boost; }
    OrdersPane > OptionList, OrdersPane > SelectionList { border: none; height: 1fr; padding: 0 1; background: $surface; }
    OrdersPane .hidden { display: none; }
    """

    class Given(Message):
        """A command was chosen."""

        def __init__(self, command: str, side: str) -> None:
            super().__init__()
            self.command = command
            self.side = side

    class Answered(Message):
        """A question was answered."""

        def __init__(self, question: Awaited, answer: str) -> None:
            super().__init__()
            self.question = question
            self.answer = answer

    class Looked(Message):
        """A command of the list is under the cursor; empty when none is."""

        def __init__(self, command: str) -> None:
            super().__init__()
            self.command = command

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self._situation: Situation | None = None
        self._turn_to = 0
        self._words: Words = ()
        self._shown: list[str] = []

    def compose(self) -> ComposeResult:
        """The prompt, the filter and the two lists of which one is seen."""
        yield Static(id="prompt")
        yield Input(placeholder="filter", id="filter", compact=True)
        yield OptionList(id="choices", markup=False, compact=True)
        yield SelectionList[str](id="ticks", compact=True)
        yield Static(id="rest")

    @property
    def awaited(self) -> Awaited | None:
        """What is shown now, or None if nothing is awaited from this seat."""
        waiting = self._situation.waiting if self._situation else ()
        return waiting[self._turn_to % len(waiting)] if waiting else None

    @property
    def _ticking(self) -> bool:
        """Whether a question is shown that takes several of its choices."""
        one = self.awaited
        return bool(one and one.kind == "question" and one.choices and one.form not in {"one", "number"})

    @property
    def commands(self) -> tuple[str, ...]:
        """All legal commands of what is shown now."""
        one = self.awaited
        return self._situation.legal.get(one.side, ()) if self._situation and one and one.kind == "orders" else ()

    def show(self, found: Situation, words: Words) -> None:
        """Show a situation; a question comes before orders. `words` are the ids of which orders must name one of each group."""
        old = self.awaited
        self._situation, self._words = found, words
        urgent = [number for number, one in enumerate(found.waiting) if one.kind != "orders"]
        same = [
            number for number, one in enumerate(found.waiting) if old and (one.name, one.side) == (old.name, old.side)
        ]
        self._turn_to = next(iter([*urgent, *same]), 0)
        self.query_one("#filter", Input).value = ""
        self._fill()

    def narrow(self, words: Words) -> None:
        """Show only orders that name one id of every group."""
        if words != self._words:
            self._words = words
            self._fill()

    def next_awaited(self) -> None:
        """Show the next thing that is awaited."""
        self._turn_to += 1
        self._fill()

    def focus_list(self) -> None:
        """Give the list the focus."""
        self.query_one("#ticks" if self._ticking else "#choices", OptionList).focus()

    def check_action(self, action: str, _parameters: tuple[object, ...]) -> bool | None:
        """Sending is offered only where answers are ticked."""
        return action != "send" or self._ticking

    def action_filter(self) -> None:
        """Go to the filter."""
        self.query_one("#filter", Input).focus()

    def action_send(self) -> None:
        """Send the ticked answers."""
        one, ticks = self.awaited, self.query_one("#ticks", SelectionList)
        if one and self._ticking:
            order = [str(choice) for choice in one.choices]
            chosen = sorted(map(str, ticks.selected), key=order.index)
            self.post_message(self.Answered(one, ", ".join(chosen) or "none"))

    @on(Input.Changed, "#filter")
    def _filtered(self) -> None:
        self._fill()

    @on(Input.Submitted, "#filter")
    def _to_list(self) -> None:
        self.focus_list()

    @on(OptionList.OptionSelected, "#choices")
    def _picked(self, event: OptionList.OptionSelected) -> None:
        one = self.awaited
        if one is None or not event.option.id:
            return
        chosen = self._shown[int(event.option.id)]
        if one.kind == "question":
            self.post_message(self.Answered(one, chosen))
        else:
            self.post_message(self.Given(chosen, one.side))

    @on(OptionList.OptionHighlighted, "#choices")
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        chosen = self._shown[int(event.option.id)] if event.option.id else ""
        self.post_message(self.Looked(chosen))

    @on(SelectionList.SelectionToggled, "#ticks")
    def _one_for_each(self, event: SelectionList.SelectionToggled[str]) -> None:
        """Where each thing gets one answer, a new tick takes the place of the old one."""
        chosen, one = str(event.selection.value), self.awaited
        if one and one.form == "each" and chosen in event.selection_list.selected:
            for other in list(event.selection_list.selected):
                if other != chosen and thing_of(other) == thing_of(chosen):
                    event.selection_list.deselect(other)

    @on(SelectionList.SelectedChanged, "#ticks")
    def _ticked(self) -> None:
        self._count()

    def _fill(self) -> None:
        """Fill prompt and list from what is awaited."""
        one = self.awaited
        several = self._ticking
        choices, ticks = self.query_one("#choices", OptionList), self.query_one("#ticks", SelectionList)
        choices.set_class(several, "hidden")
        ticks.set_class(not several, "hidden")
        self.query_one("#prompt", Static).update(self._prompt())
        text = self.query_one("#filter", Input).value
        if several and one:
            self._shown = [choice for choice in one.choices if text.lower() in choice.lower()]
            kept = {str(choice) for choice in ticks.selected} & set(one.choices)
            if one.form == "each" and not kept:  # the first answer of every thing, to begin with
                kept = set({thing_of(choice): choice for choice in reversed(one.choices)}.values())
            ticks.clear_options()
            ticks.add_options([Selection(choice, choice, choice in kept) for choice in self._shown])
            ticks.highlighted = 0 if self._shown else None
        else:
            self._shown = self._listed(text)
            choices.clear_options()
            choices.add_options([Option(said, str(number)) for number, said in enumerate(self._shown[:MOST_SHOWN])])
            if self._shown:
                choices.highlighted = 0
        self.query_one("#filter", Input).set_class(len(self._shown) < 8 and not text, "hidden")
        self._count()
        self.refresh_bindings()

    def _listed(self, text: str) -> list[str]:
        one = self.awaited
        if one is None:
            return []
        if one.kind == "question":
            return [choice for choice in one.choices if text.lower() in choice.lower()]
        found = matching(self.commands, self._words, text)
        ending = [command for command in found if command == "done"]
        return [*(command for command in found if command != "done"), *ending]

    def _prompt(self) -> Text:
        found = self._situation
        if found is None:
            return Text("…")
        titles = sides_of(found.view)
        one = self.awaited
        if found.view.over:
            return Text(f"The game is over: {found.view.over}", "bold")
        if one is None:
            others = [awaited_line(other, titles) for other in found.view.awaiting if other.kind != "over"]
            return Text("\n".join(["Nothing is awaited from this seat.", *others]))
        who = titles.get(one.side, one.side)
        said = one.prompt.removeprefix(who) if who else one.prompt
        shown = Text(who, "bold").append(said if said != one.prompt or not who else f": {said}", "not bold")
        if one.where:
            shown.append(f" [{one.where}]", "not bold dim")
        if one.kind == "orders" and self._words:
            shown.append(
                f"\nOrders that name {' and '.join(' or '.join(group) for group in self._words)}", "not bold italic"
            )
        if one.kind == "dice":
            shown.append(f"\nThrow {one.form} and type what the dice show: roll 7 8", "not bold")
        if one.kind == "question" and not one.choices:
            shown.append(f"\nType the answer: answer {one.name} with …", "not bold")
        if len(found.waiting) > 1:
            place = self._turn_to % len(found.waiting) + 1
            shown.append(f"\n{place} of {len(found.waiting)} awaited; a shows the next", "not bold italic")
        return shown

    def _count(self) -> None:
        """Say how much of the list is seen, or what has been ticked."""
        one, rest = self.awaited, self.query_one("#rest", Static)
        ticks = self.query_one("#ticks", SelectionList)
        if self._ticking and one:
            rest.update(Text(f"{len(ticks.selected)} ticked ({one.form}); space ticks, F2 sends"))
        elif one and one.kind == "question" and (one.count > len(one.choices) or one.count < 0):
            rest.update(
                Text(f"{len(one.choices)} of {one.count if one.count > 0 else 'many'} answers; others can be typed")
            )
        elif one and one.kind == "orders":
            cut = f"the first {MOST_SHOWN} of " if len(self._shown) > MOST_SHOWN else ""
            rest.update(Text(f"{cut}{len(self._shown)} of {len(self.commands)} orders; f filters"))
        else:
            rest.update("")
