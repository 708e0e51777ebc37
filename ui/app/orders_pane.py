"""The pane of what is awaited: the open question with its legal answers, or the legal orders of those who may give them."""

from collections.abc import Sequence
from typing import ClassVar

import attrs
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from campaigns.play.whole_answers import answers_of, put_together, takes_several
from interpreter.commands.command import LegalCommand
from interpreter.messages.inputs import Awaited
from ui.app.command_names import Words, matching
from ui.app.prompts import above, below
from ui.app.seat_desk import Situation
from ui.app.staying import StayingList
from ui.app.ticks import TickList
from ui.wording.folding import ListRow, rows

__all__ = ["OrdersPane"]

MOST_SHOWN = 400
"""Longer lists are cut off; the filter finds the rest."""


class Offered(Option):
    """A line of the list, with the pending thing that it is an order or an answer for."""

    def __init__(self, row: ListRow, awaited: Awaited | None) -> None:
        super().__init__(str(row))
        self.said, self.named = row.said, row.command.names
        self.awaited = awaited


class Folded(Option):
    """A line that stands for several folded orders; choosing it unfolds or folds them."""

    def __init__(self, row: ListRow) -> None:
        super().__init__(str(row))
        self.said, self.named = row.said, row.command.names


class OrdersPane(Vertical):
    """Shows one pending thing at a time; a choice is posted as `Given` or `Answered`."""

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
    OrdersPane > OptionList { border: none; height: 1fr; padding: 0 1; background: $surface; }
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
        """The cursor of the list has moved. named: the ids that its line names; empty if there is none."""

        def __init__(self, named: frozenset[str] = frozenset()) -> None:
            super().__init__()
            self.named = named

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self._situation: Situation | None = None
        self._turn_to = 0
        self._words: Words = ()
        self._idle: Words = ()
        self._aimed: Sequence[str] = ()
        self._opened: set[str] = set()
        self._shown: list[LegalCommand] = []
        self._text = ""
        self._sending = False

    def compose(self) -> ComposeResult:
        """The prompt, the filter, and the two lists of which one is visible."""
        yield Static(id="prompt")
        yield Input(placeholder="filter", id="filter", compact=True)
        yield StayingList(id="choices")
        yield TickList(id="ticks")
        yield Static(id="rest")

    @property
    def awaited(self) -> Awaited | None:
        """What is shown now; None if the game is not waiting for this seat."""
        waiting = self._situation.waiting if self._situation else ()
        return waiting[self._turn_to % len(waiting)] if waiting else None

    @property
    def _ticking(self) -> bool:
        """Whether the shown question takes several of its choices."""
        one = self.awaited
        return bool(one and one.kind == "question" and one.choices and takes_several(one))

    @property
    def commands(self) -> tuple[LegalCommand, ...]:
        """All legal commands of what is shown now."""
        one = self.awaited
        return self._situation.legal.get(one.side, ()) if self._situation and one and one.kind == "orders" else ()

    def show(self, found: Situation, words: Words, aimed: Sequence[str] = ()) -> None:
        """Show a situation; questions come before orders.

        If another session caused it, what is shown, filtered, highlighted and ticked stays as far as possible.

        Args:
            found: the situation.
            words: groups of ids; listed orders must name one id of each group, if any order does.
            aimed: things whose parts are not folded.
        """
        old, lit = self.awaited, self._lit
        self._situation, self._words, self._aimed = found, words, aimed
        self._turn_to = _turned_to(found, old)
        self._idle = ()
        if self.commands and words and not matching(self.commands, words, ""):
            self._words, self._idle = (), words  # otherwise the list would be empty though there are orders
        one = self.awaited
        stays = bool(found.followed and old and one and _same(one, old))
        if one and self._ticking and stays:
            self.query_one(TickList).keep(one)
        elif one and self._ticking and one != old:
            self.query_one(TickList).begin(one)
        if found.followed:
            self._fill(lit if stays else "")
        else:
            self._empty_filter()
            self._fill()

    def narrow(self, words: Words, aimed: Sequence[str] = ()) -> None:
        """Show only orders that name one id of every group; the parts of what is `aimed` at are not folded. Of answers the first that names any is lit."""
        if (words, aimed) != (self._words, self._aimed) or self._idle:
            self._words, self._aimed, self._idle = words, aimed, ()
            self._fill(self._answer_named(words))

    def _answer_named(self, words: Words) -> str | None:
        """The answer that names what was chosen last; None where none does, or nothing is asked."""
        one = self.awaited
        if one is None or one.kind != "question":
            return None
        shown = self._listed(self.query_one("#filter", Input).value)
        named = (one for group in reversed(words) for one in shown if not one.names.isdisjoint(group))
        return next((one.text for one in named), None)

    def next_awaited(self) -> None:
        """Show the next pending thing."""
        self._turn_to += 1
        one = self.awaited
        if one and self._ticking:
            self.query_one(TickList).begin(one)
        self._fill()

    def focus_list(self) -> None:
        """Give the list the focus."""
        self.query_one("#ticks" if self._ticking else "#choices", OptionList).focus()

    def check_action(self, action: str, _parameters: tuple[object, ...]) -> bool | None:
        """Sending is offered only if answers are ticked."""
        return action != "send" or self._ticking

    def action_filter(self) -> None:
        """Go to the filter."""
        self.query_one("#filter", Input).focus()

    def action_send(self) -> None:
        """Send the ticked answers."""
        one, ticks = self.awaited, self.query_one(TickList)
        if one and self._ticking and ticks.highlighted is None and self._shown:
            self.notify("This is a new question: go to its list, then send.", severity="warning", markup=False)
        elif one and self._ticking:
            chosen = sorted(ticks.ticked, key=one.choices.index)
            self.post_message(self.Answered(one, put_together(one, chosen)))

    @on(Input.Changed, "#filter")
    def _filtered(self, event: Input.Changed) -> None:
        if event.value != self._text:
            self._fill()

    def _empty_filter(self) -> None:
        self.query_one("#filter", Input).value = ""

    @on(Input.Submitted, "#filter")
    def _to_list(self) -> None:
        self.focus_list()

    @on(OptionList.OptionSelected, "#choices")
    def _picked(self, event: OptionList.OptionSelected) -> None:
        if isinstance(event.option, Folded):
            self._opened ^= {event.option.said}
            self._fill(event.option.said)
            return
        one, said = self.awaited, self._said_now(event.option)
        if one is None or not said:
            return  # the list has changed since the key was pressed
        if one.kind == "question":
            self.post_message(self.Answered(one, said))
        else:
            self.post_message(self.Given(said, one.side))

    @on(OptionList.OptionHighlighted, "#choices")
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        option = event.option
        self._count()
        if isinstance(option, Folded) or (
            isinstance(option, Offered) and self._said_now(option)
        ):  # else the list has changed
            self.post_message(self.Looked(option.named))

    def _said_now(self, option: Option) -> str:
        """The command of a line, if it is still listed for the same pending thing; otherwise empty."""
        if not isinstance(option, Offered) or option.awaited is None or self.awaited is None:
            return ""
        return option.said if _same(option.awaited, self.awaited) and self._has(option.said) else ""

    def _has(self, said: str) -> bool:
        """Whether a command is in the list now."""
        return any(one.text == said for one in self._shown)

    @property
    def _lit(self) -> str:
        """The line under the cursor, or empty."""
        if self._ticking:
            return self.query_one(TickList).lit
        choices = self.query_one("#choices", StayingList)
        option = choices.highlighted_option
        return option.said if isinstance(option, Offered | Folded) else ""

    @on(TickList.Changed)
    def _ticked(self) -> None:
        self._count()

    def _fill(self, lit: str | None = None) -> None:
        """Fill prompt and list for the pending thing.

        Args:
            lit: the line that stays highlighted, or empty for none; None: start at the top, with the first line highlighted.
        """
        choices, ticks = self.query_one("#choices", StayingList), self.query_one(TickList)
        moves = self.screen.focused in {choices, ticks}  # from the list that is now hidden to the visible one
        choices.set_class(self._ticking, "hidden")
        ticks.set_class(not self._ticking, "hidden")
        if moves:
            self.focus_list()
        found = self._situation
        place = self._turn_to % len(found.waiting) if found and found.waiting else 0
        self.query_one("#prompt", Static).update(above(found, place, self._words, self._idle) if found else "…")
        self._text = self.query_one("#filter", Input).value
        self._shown = self._listed(self._text)
        if self._ticking:
            ticks.show([one.text for one in self._shown], lit)
        else:
            shown = self._rows()[:MOST_SHOWN]
            options = [Folded(row) if row.count else Offered(row, self.awaited) for row in shown]
            if lit is None:
                choices.begin_with(options)
            else:
                said = [row.said for row in shown]
                choices.fill_again(options, said.index(lit) if lit in said else None)
        if not self._lit or self._ticking:
            self.post_message(self.Looked())
        self.query_one("#filter", Input).set_class(len(self._shown) < 8 and not self._text, "hidden")
        self._count()
        if self._sending != self._ticking:  # each refresh rebuilds the key line
            self._sending = self._ticking
            self.refresh_bindings()

    def _listed(self, text: str) -> list[LegalCommand]:
        one = self.awaited
        if one is None:
            return []
        if one.kind == "question":
            return matching(answers_of(one), (), text)
        return sorted(matching(self.commands, self._words, text), key=lambda command: command.text == "done")

    def _rows(self) -> list[ListRow]:
        """The lines of the list: orders that differ only in a part are folded, unless a filter is typed."""
        one, found = self.awaited, self._situation
        if one is None or one.kind != "orders" or found is None or self._text:
            return [ListRow(one) for one in self._shown]
        return rows(self._shown, found.chart.parts, self._opened, self._aimed)

    def _count(self) -> None:
        """Say how much of the list is visible, or how much is ticked."""
        ticked = len(self.query_one(TickList).ticked) if self._ticking else None
        said = below(self.awaited, len(self._shown), MOST_SHOWN, len(self.commands), ticked)
        if purpose := self._purpose():
            said = f"{purpose}\n{said}"
        self.query_one("#rest", Static).update(Text(said))

    def _purpose(self) -> str:
        """What the order under the cursor is for, in the words of the rules."""
        one = self.awaited
        return one.titles.get(self._lit.partition(" ")[0], "") if one else ""


def _turned_to(found: Situation, old: Awaited | None) -> int:
    """Which pending thing to show after the old one: urgent ones first, but never replacing what the user is working on."""
    urgent = [number for number, one in enumerate(found.waiting) if one.kind != "orders"]
    if old is None:
        return next(iter(urgent), 0)
    same = [number for number, one in enumerate(found.waiting) if found.followed and _same(one, old)]
    again = [number for number, one in enumerate(found.waiting) if (one.name, one.side) == (old.name, old.side)]
    return next(iter([*same, *urgent, *again]), 0)


def _same(one: Awaited, other: Awaited) -> bool:
    """Whether two pending things are the same one, though its choices may have changed."""
    return _bare(one) == _bare(other)


def _bare(one: Awaited) -> Awaited:
    return attrs.evolve(one, choices=(), count=0, named=(), titles={})
