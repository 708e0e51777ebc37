"""The pane of battle cards: the stories that the rules have told to this seat, newest first."""

from collections.abc import Iterator

from rich.text import Text
from textual import on
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from campaigns.report.battle_cards import battle_of, stories
from campaigns.report.report_model import Battle
from interpreter.messages.inputs import Event
from ui.app.seat_desk import Situation
from ui.app.staying import StayingList
from ui.cli.plain import one_line
from ui.cli.playing import UMPIRE, Told, may_read

__all__ = ["BattlesPane"]

MOST_CARDS = 60
"""The number of cards shown; `ophex report` has all."""


class BattlesPane(StayingList):
    """Battle cards; choosing one explains its log entry."""

    DEFAULT_CSS = "BattlesPane { border: none; padding: 0 1; background: $surface; }"

    class Chosen(Message):
        """A card was chosen."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - the name Textual gives it
        super().__init__(id=id)
        self._shown: list[tuple[int, Event]] = []

    def show(self, found: Situation) -> None:
        """Show the cards of a situation; if the same cards are already shown, nothing moves."""
        told = list(_told(found))[:MOST_CARDS]
        if told == self._shown and self.option_count:
            return
        before, self._shown = self._shown, told
        options = [
            Option(_card(battle_of(event), number), f"{number}/{place}") for place, (number, event) in enumerate(told)
        ]
        reading = self.highlighted or self.scroll_offset.y or (found.followed and self.has_focus)
        if not options:
            self.begin_with([Option("There are no battle cards yet.", disabled=True)])
        elif before and reading and self.highlighted is not None and before[self.highlighted] in told:
            self.fill_again(options, told.index(before[self.highlighted]))
        else:
            self.begin_with(options)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option.id:
            self.post_message(self.Chosen(int(event.option.id.partition("/")[0])))


def _told(found: Situation) -> Iterator[tuple[int, Event]]:
    """The stories that the seat may read, newest first, each with its entry number; without undone entries."""
    seat = found.view.side or UMPIRE
    told: Told
    for told in found.log:
        if told.entry.on_path:
            stories_told = stories(may_read(told.entry.events, seat), seat)
            yield from ((told.number, event) for event in reversed(stories_told))


def _card(card: Battle, number: int) -> Text:
    """A card: who fought, what applied and why, the dice, and the results."""
    text = Text(one_line(card.title or card.procedure), "bold").append(f"  {number}", "not bold dim")
    if card.phase:
        text.append(f"  {one_line(card.phase)}", "not bold dim")
    for role in card.roles:
        _line(text, f"{role.name}: {', '.join(role.who) or 'none'}")
    for row in card.rows:
        _line(text, f"{row.called}: {row.value}")
        for reason in row.reasons:
            _line(text, f"  {reason.text} → {reason.value}", "not bold dim")
    for roll in card.rolls:
        face = "" if roll.face is None else f" {roll.face} on"
        _line(text, f"{roll.side} rolled{face} {roll.dice} ({roll.name}{f' for {roll.about}' if roll.about else ''})")
    for line in (*card.results, *(fall.text for fall in card.losses)):
        _line(text, line)
    return text.append("\n")


def _line(text: Text, said: str, style: str = "not bold") -> None:
    indent = "    " if said.startswith(" ") else "  "
    text.append(f"\n{indent}{one_line(said).strip()}", style)
