"""The text of a report, line by line, for every output format, so that all say the same."""

from collections.abc import Iterator, Sequence

from attrs import evolve

from campaigns.report.battle_cards import STORY
from campaigns.report.report_model import (
    Battle,
    Count,
    Due,
    Ending,
    Happened,
    ListedThing,
    Moment,
    Report,
    Rolled,
    Row,
    Side,
    Unsupplied,
)
from dsl.text.phrases import counted
from interpreter.messages.happening import AsRecorded
from interpreter.messages.happenings import StoryEnded
from interpreter.messages.inputs import Event, Input
from interpreter.messages.sides import UMPIRE
from ui.cli.plain import one_line
from ui.cli.playing import said_by
from ui.maps.symbols import SIDE_COLOURS
from ui.report.told_steps import ToldStep, steps_of
from ui.wording.events import OPENING, readable, without_echo
from ui.wording.luck_in_words import VERDICTS, said_throws
from ui.wording.persons import Persons
from ui.wording.situation import side_lines
from ui.wording.summed import summed

__all__ = ["ReportWords"]


class ReportWords:
    """The words of one report."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.titles = {side.id: side.title for side in report.sides}
        self._persons = Persons(report.view)
        self._events = {event.text: event for events in report.events.values() for event in events}

    def side(self, name: str) -> str:
        """A side by its title; `nobody` for things without a side."""
        return one_line(self.titles.get(name, name)) or "nobody"

    @property
    def title(self) -> str:
        """What is played."""
        return one_line(self.report.title or self.report.scenario)

    @property
    def standing(self) -> str:
        """Turn, date and phase."""
        report = self.report
        dated = f" ({report.date})" if report.date else ""
        turn = f"Turn {report.turn}{dated}{f', {report.phase}' if report.phase else ''}"
        return one_line(f"{turn}; active: {self.side(report.active)}" if report.active and not report.over else turn)

    @property
    def reader(self) -> str:
        """For whom it is."""
        if self.report.reader == UMPIRE:
            return "for the umpire"
        side = self.side(self.report.reader)
        return f"for {self.report.seat} of {side}" if self.report.seat else f"for {side}"

    @property
    def over(self) -> str:
        """How it ended; empty while it continues."""
        report = self.report
        if not report.over:
            return ""
        why = f"{self.side(report.winner)} won: {report.over}" if report.winner else report.over
        return one_line(f"The game is over. {why[:1].upper()}{why[1:]}.")

    @property
    def has_strengths(self) -> bool:
        """Whether there are any strengths."""
        counts = [count for one in self.report.losses.moments for count in one.sides.values()]
        return any(count.strength is not None for count in counts)

    def due(self, *, mine: bool) -> list[Due]:
        """What is awaited from the reader, or from others."""
        return [one for one in self.report.due if one.mine is mine]

    def prompt(self, one: Due) -> str:
        """What is awaited, as a sentence."""
        who = self.side(one.side) if one.side else ""
        told = one.prompt if not who or one.prompt.startswith(who) else f"{who}: {one.prompt}"
        return one_line(told)

    def strength(self, side: Side) -> str:
        """The forces of a side, as far as the reader knows them."""
        return self.count(Count(side.units, side.strength, side.partly))

    def sides(self) -> list[str]:
        """What is told of the sides themselves, a line each."""
        return side_lines((one.title, one.state) for one in self.report.sides)

    def count(self, one: Count) -> str:
        """How many units, and their total strength, or what is known of it, if there is a number for it."""
        together = "" if one.strength is None else f", {'known ' if one.partly else ''}strength {one.strength}"
        return f"{counted(one.units, 'unit')}{together}"

    def number(self, one: Side | Count) -> str:
        """The total strength as in a table: empty if there is no number for it, `known 7` if that of some units is hidden."""
        return "" if one.strength is None else f"{'known ' if one.partly else ''}{one.strength}"

    def luck(self) -> list[tuple[str, str, str, str]]:
        """The luck ledger: whose dice, which, their rolls, and how usual that is; first for all dice of a side."""
        rows = []
        for one in self.report.luck:
            kinds = [(f"{name} ({dice})", count) for name, dice, count in one.kinds]
            rows += [
                (one_line(one.title), one_line(what), said_throws(count), VERDICTS[count.verdict])
                for what, count in (("all dice", one.all), *kinds)
                if count.throws
            ]
        return rows

    def given(self, one: Happened) -> str:
        """Who gave what."""
        return one_line(": ".join(said_by(Input(one.kind, one.side, one.given, one.subject))))

    def turns(self) -> Iterator[tuple[int, list[ToldStep]]]:
        """What happened, turn by turn."""
        found: dict[int, list[Happened]] = {1: []} if self.report.opening else {}
        for one in self.report.happened:
            found.setdefault(one.turn, []).append(one)
        for turn, entries in found.items():
            begun = self._begun() if turn == 1 else []
            yield turn, [*begun, *steps_of(entries, self._told, self._summed)]

    def taken_back(self) -> list[str]:
        """What the reader was told before and is no longer in effect."""
        return self._summed(readable(self.report.taken_back, self.report.reader))

    def _begun(self) -> list[ToldStep]:
        """What happened before the first entry, if the report goes back that far."""
        events = readable(self.report.events.get(0, ()), self.report.reader)
        return [ToldStep("0", OPENING, self._summed(events))] if events else []

    def lost(self) -> list[str]:
        """What has left the game, side by side."""
        found: dict[str, list[Event]] = {}
        for one in self.report.losses.lost:
            found.setdefault(self.side(one.side), []).append(self._event(one.told))
        return [f"{side}: {line}" for side, events in found.items() for line in summed(events)]

    def losses(self, battle: Battle) -> list[str]:
        """What became of things in a battle."""
        return summed(self._event(fall.text) for fall in battle.losses)

    def _event(self, text: str) -> Event:
        """The event that was told so; without data if it is older than the report."""
        return self._events.get(text) or Event(AsRecorded(), text)

    def _told(self, one: Happened) -> tuple[str, list[Event]]:
        """Who gave what in an entry, and its events without repeating that; a story only by its title, because its card has the rest."""
        events = [
            evolve(e, what=StoryEnded("", "", (), ())) if e.kind == STORY else e
            for e in self.report.events.get(one.entry, ())
        ]
        given = Input(one.kind, one.side, one.given, one.subject)
        return self.given(one), without_echo(given, events, self.report.reader)

    def _summed(self, events: Sequence[Event]) -> list[str]:
        return self._persons.all_told(summed(events))

    def state(self, thing: ListedThing) -> str:
        """The state of a thing: its changes, and what is left of its parts and tracks."""
        if thing.gone:
            return "gone"
        said = [f"{name} {value}" if value != "yes" else name for name, value in thing.state.items()]
        said += [f"{name} {left}/{full}" for name, (left, full) in thing.tracks.items()]
        return one_line(", ".join([*said, *thing.parts]))

    def named(self, thing: ListedThing | Unsupplied) -> str:
        """A thing by its name and title."""
        return one_line(f"{thing.name} · {thing.title}" if thing.title else thing.name)

    def moment(self, one: Moment) -> str:
        """When that was."""
        return one_line("now" if one.now else f"turn {one.turn}")

    def condition(self, one: Ending) -> str:
        """A condition in the words of the rules, with its current values."""
        said = []
        for test in one.tests:
            numbers = f" (now {test.left} and {test.right})" if test.left and test.right else ""
            holds = {"yes": "met", "no": "not met"}.get(test.holds, "not known to you")
            said.append(f"{test.text}{numbers}: {holds}")
        return one_line("; ".join(said)) or "always"

    def won(self, one: Ending) -> str:
        """Who wins by it."""
        return self.side(one.winner) if one.winner else "nobody"

    def roll(self, one: Rolled) -> str:
        """A roll of dice."""
        about = f" for {one.about}" if one.about else ""
        face = "" if one.face is None else f" {one.face} on"
        return one_line(f"{self.side(one.side)} rolled{face} {one.dice} ({one.name}{about})")

    def row(self, one: Row) -> str:
        """A value of a battle with its reasons."""
        return one_line(f"{one.called}: {one.value}")

    def battle(self, one: Battle) -> str:
        """The heading of a battle."""
        return one_line(one.title or one.procedure)

    def colour(self, side: Side) -> str:
        """The colour of a side for a chart."""
        place = [one.id for one in self.report.sides].index(side.id)
        usual = list(SIDE_COLOURS.values())
        red, green, blue = SIDE_COLOURS.get(side.colour.lower()) or usual[place % len(usual)]
        return f"#{red:02x}{green:02x}{blue:02x}"
