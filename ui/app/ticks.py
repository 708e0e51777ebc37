"""A list of which several entries can be ticked; `[x]` and `[ ]` show it without colour."""

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from campaigns.play.whole_answers import names_of, one_for_each
from interpreter.messages.inputs import Awaited
from ui.app.staying import StayingList

__all__ = ["TickList"]


class TickList(StayingList):
    """Shows choices to tick. If each thing gets one answer, a new tick replaces the old one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "select", "Tick", tooltip="Ticks or unticks the line.", id="ticks.toggle")
    ]

    class Changed(Message):
        """Something was ticked or unticked."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self._things: dict[str, str] = {}
        self._shown: list[str] = []
        self._ticked: set[str] = set()

    @property
    def ticked(self) -> frozenset[str]:
        """The ticked choices, including those that a filter hides."""
        return frozenset(self._ticked)

    def begin(self, question: Awaited) -> None:
        """Start a question: nothing is ticked or, if each thing gets one answer, the first choice of every thing."""
        self._take_up(question)
        firsts = {self._things[choice]: choice for choice in reversed(question.choices) if choice in self._things}
        self._ticked = set(firsts.values())

    def keep(self, question: Awaited) -> None:
        """Keep a question whose choices have changed: ticks of choices that are gone are removed."""
        self._take_up(question)
        self._ticked &= set(question.choices)

    def _take_up(self, question: Awaited) -> None:
        """Note which thing each choice is for, if each thing gets one choice."""
        things = zip(question.choices, (names[0] for names in names_of(question)), strict=True)
        self._things = dict(things) if one_for_each(question) else {}

    @property
    def lit(self) -> str:
        """The choice under the cursor, or empty."""
        return self._shown[self.highlighted] if self.highlighted is not None and self._shown else ""

    def show(self, choices: Iterable[str], lit: str | None = None) -> None:
        """Show some of the choices; what is ticked stays ticked.

        Args:
            choices: those to show.
            lit: the choice that stays highlighted, or empty for none; None: the first.
        """
        self._shown = list(choices)
        options = [Option(self._line(choice)) for choice in self._shown]
        if lit is None:
            self.begin_with(options)
        else:
            self.fill_again(options, self._shown.index(lit) if lit in self._shown else None)

    def _line(self, choice: str) -> str:
        return f"[{'x' if choice in self._ticked else ' '}] {choice}"

    @on(OptionList.OptionSelected)
    def _toggle(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        chosen = str(event.option.prompt)[len("[x] ") :]
        if chosen not in self._shown:
            return  # the list has changed since the key was pressed
        if thing := self._things.get(chosen):
            self._ticked = {other for other in self._ticked if self._things.get(other) != thing} | {chosen}
        else:
            self._ticked ^= {chosen}
        for place, choice in enumerate(self._shown):
            self.replace_option_prompt_at_index(place, self._line(choice))
        self.post_message(self.Changed())
