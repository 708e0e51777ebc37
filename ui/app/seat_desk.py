"""The desk at which a person sits: the open campaign, the seat that looks at it, and everything that can be done with it.

It contains no widget; the app shows what the desk returns. All calls may come from any thread, and one waits for the other. None
of them should come from the thread of the screen: a machine may compute for a while.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from threading import RLock
from typing import TYPE_CHECKING

from attrs import field, frozen

from campaigns.desk.states import SideState, standings
from campaigns.desk.turning import turn_on
from campaigns.file.errors import CampaignError, Stale
from campaigns.play.going_on import go_on
from campaigns.play.typed import input_of, is_ruling
from campaigns.play.whole_answers import answers_of
from interpreter.commands.command import LegalCommand
from interpreter.messages.happenings import Noted
from interpreter.messages.inputs import Awaited, Event, Input, Refused, RuleFailure, told
from interpreter.messages.view import ThingView, View
from ui.cli.playing import (
    UMPIRE,
    Told,
    as_known,
    awaited_from,
    changes_of,
    explain,
    opening_told,
    said_by,
    sides_of,
    told_entry,
    told_log,
    with_question,
)
from ui.maps.chart import Chart
from ui.maps.charting import charts_of
from ui.wording import explaining, situation

if TYPE_CHECKING:
    from campaigns.play.machine_sides import MachineSides
    from ui.cli.playing import OpenCampaign

__all__ = ["Desk", "Failed", "Situation"]

MOST_LEGAL = 20_000
MOST_ENTRIES = 200
TRIES = 20
"""How often a step is tried while other sessions are quicker."""


class Failed(Exception):
    """Something could not be done; the message is for the user.

    Attributes:
        message: what was refused, and why.
        cites: the rules that forbid it.
        hint: what to do instead, or empty.
    """

    def __init__(self, message: str, cites: tuple[str, ...] = (), hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.cites = cites
        self.hint = hint


@frozen(eq=False)
class Situation:
    """Everything that the screen shows at one moment.

    Attributes:
        number: counts up; the situation with the higher number is the later one.
        view: what the seat may see.
        charts: its maps.
        waiting: what the game is waiting for and this seat can act on.
        legal: the legal commands, by the side that may give them.
        named: all ids that legal commands name.
        answers: all ids that answers to open questions name.
        opening: what happened before the first entry, if the log goes back that far.
        log: the entries, newest first.
        happened: what the last input led to, as far as the seat may read it.
        followed: whether another session caused it; then nothing may move under the user's cursor.
        asked_of: for each kind of thing, the values and statuses that the rules compute for it.
        states: how far the sides are with their orders; in the seat of a side, that side alone.
    """

    number: int
    view: View
    charts: tuple[Chart, ...]
    waiting: tuple[Awaited, ...]
    legal: Mapping[str, tuple[LegalCommand, ...]]
    named: frozenset[str]
    log: tuple[Told, ...]
    happened: tuple[Event, ...] = ()
    followed: bool = False
    asked_of: Mapping[str, tuple[tuple[str, str], ...]] = field(factory=dict)
    states: tuple[SideState, ...] = ()
    answers: frozenset[str] = frozenset()
    opening: tuple[Event, ...] = ()

    def tells(self) -> tuple[object, ...]:
        """Everything that the seat is shown; equal for two situations that need not both be shown."""
        return self.view, self.waiting, self.legal, self.log

    def askable(self, thing: ThingView) -> list[str]:
        """What can be asked about a thing, as expressions: its fields, then what the rules compute for it."""
        worked_out = self.asked_of.get(thing.kind, ())
        values = [f"{name} of {thing.id}" for word, name in worked_out if word == "value"]
        states = [f"{thing.id} is {name}" for word, name in worked_out if word == "status"]
        return [*(f"{name} of {thing.id}" for name in thing.fields), *values, *states]

    @property
    def chart(self) -> Chart:
        """The first map."""
        return self.charts[0]

    def chart_with(self, label: str) -> Chart | None:
        """The map that has a place of this label."""
        return next((chart for chart in self.charts if label in chart.by_label), None)

    def found(self, name: str) -> tuple[str, str]:
        """The id of the named thing, or empty, and the label of its place; or else the label of the named place."""
        thing = next((one for one in self.view.things if name.lower() in {one.id.lower(), one.name.lower()}), None)
        if thing is None:
            cells = (cell for chart in self.charts for cell in chart.cells.values())
            return "", next((cell.label for cell in cells if cell.name.lower() == name.lower()), name)
        held = (one.place for one in self.view.things if one.holder == thing.id and one.place)
        return thing.id, thing.place or next(
            held, ""
        )  # without a place of its own it is where the first thing is that it holds

    def names(self) -> list[str]:
        """All names by which a thing or a place can be found."""
        names = [thing.id for thing in self.view.things]
        for chart in self.charts:
            names += [cell.name for cell in chart.cells.values() if cell.name] + list(chart.by_label)
        return names


class Desk:
    """The campaign and the seat.

    Attributes:
        campaign: the open campaign.
        seat: who looks: a side's id or "umpire".
        fixed: whether the seat cannot be changed: that of a side cannot, the umpire's can.
        machines: the sides that the computer plays as soon as it is their turn; None if people play all sides.
    """

    def __init__(self, campaign: "OpenCampaign", seat: str, machines: "MachineSides | None" = None) -> None:
        self.campaign = campaign
        self.machines = machines
        self.seat = seat
        self.fixed = seat != UMPIRE
        self._lock = RLock()
        self._number = 0
        self._told: tuple[object, ...] = ()
        self._openings: dict[str, tuple[Event, ...]] = {}

    def look(self, happened: Sequence[Event] = (), *, followed: bool = False) -> Situation:
        """The situation now.

        Args:
            happened: what the last input led to.
            followed: whether another session caused it.
        """
        with self._lock, _for_people():
            happened = [*happened, *self._machines_play()]
            game = self.campaign.game
            view = game.view(self.seat)
            waiting = tuple(awaited_from(view.awaiting, self.seat))
            givers = dict.fromkeys(one.side for one in waiting if one.kind == "orders")
            self._number += 1
            legal = {side: tuple(game.legal_commands(side, MOST_LEGAL, self.seat)) for side in givers}
            found = Situation(
                self._number,
                view,
                charts_of(view),
                waiting,
                legal,
                frozenset(name for commands in legal.values() for one in commands for name in (*one.values, *one.via)),
                tuple(told_log(self.campaign, self.seat, MOST_ENTRIES)),
                tuple(situation.may_read(happened, self.seat)),
                followed,
                {kind: game.asked_of(kind) for kind in {thing.kind for thing in view.things}},
                () if view.over else tuple(self._states()),
                frozenset(name for one in waiting for answer in answers_of(one) for name in answer.values),
                self._opening(),
            )
            self._told = found.tells()
            return found

    def _opening(self) -> tuple[Event, ...]:
        """What the seat may read of what happened before the first entry; nothing if the log does not go back that far."""
        if len(self.campaign.log(MOST_ENTRIES)) == MOST_ENTRIES:
            return ()
        if self.seat not in self._openings:
            self._openings[self.seat] = opening_told(self.campaign, self.seat)
        return self._openings[self.seat]

    def _states(self) -> list[SideState]:
        """How far the sides are that this seat may know about."""
        return standings(self.campaign, datetime.now().astimezone(), [self.seat] if self.seat != UMPIRE else ())

    def _machines_play(self) -> list[Event]:
        """What the computer's sides do until it is a person's turn. If the computer cannot go on, it leaves its sides to people."""
        if self.machines is None or self.campaign.read_only:
            return []
        try:
            return self._tried(lambda: self.machines.play(self.campaign) if self.machines else [])
        except (CampaignError, RuleFailure) as error:
            self.machines = None
            return [told(Noted(message=f"The computer stops playing: {error}"), to=self.seat)]

    def give(self, text: str, side: str) -> Situation:
        """Give a typed line as a side: a command, an answer or dice; rulings are given as the seat.

        Raises:
            Failed: it is refused; nothing has changed.
        """
        with self._lock, _for_people():
            given = input_of(text, self.seat if is_ruling(text) else side)
            if self.seat == UMPIRE:  # the umpire sees all names and may write them for any side
                given = self.campaign.game.in_own_words(given)
            return self.look(self._taken(with_question(given, self.campaign.game.awaiting)))

    def _taken(self, given: Input) -> list[Event]:
        """What an input led to. If another session was quicker, it is given after that if it still means the same."""
        try:
            return self.campaign.give([given])[0]
        except Stale:  # how it came to that may be what this seat must not know
            hint = "2 shows what the game is waiting for; give it again if you still want to."
            raise Failed("The game went on before this was accepted.", (), hint) from None

    def _tried(self, step: Callable[[], list[Event]]) -> list[Event]:
        """What a step led to. If another session was quicker, it is tried again in the new situation."""
        for _ in range(TRIES):
            try:
                return step()
            except Stale:  # how it came to that may be what this seat must not know
                continue
        raise Failed("Others are giving orders right now.", (), "Try again.")

    def answer(self, question: Awaited, text: str) -> Situation:
        """Answer a question as the side that is asked.

        Raises:
            Failed: it is refused, or the question is no longer open; nothing has changed.
        """
        with self._lock, _for_people():
            self.campaign.refresh()
            asked = [(one.name, one.side, one.prompt) for one in self.campaign.game.view(self.seat).awaiting]
            if (question.name, question.side, question.prompt) not in asked:
                raise Failed("This question is no longer open.", (), "2 shows what the game is waiting for.")
            return self.give(f"answer {question.name} with {text}", question.side)

    def advance(self) -> Situation:
        """Play on until somebody must decide; in the seat of a side, until that side must.

        Raises:
            Failed: a decision is needed at once.
        """
        with self._lock, _for_people():
            if self.fixed:
                happened, _ = go_on(self.campaign, self.seat)
            else:
                happened = turn_on(self.campaign, datetime.now().astimezone()).events
            if not happened:
                raise Failed("Somebody must decide first.", hint="2 shows what the game is waiting for.")
            return self.look(happened)

    def undo(self) -> Situation:
        """Undo the last input; in the seat of a side, that side's last one.

        Raises:
            Failed: there is none, or this seat may not undo it.
        """
        with self._lock, _for_people():
            if self.fixed:
                return self.look(self._newest(self.campaign.take_back))
            number = self.campaign.head
            self.campaign.undo()
            return self.look([self._moved_over("Undone", number)])

    def redo(self) -> Situation:
        """Redo an undone input; in the seat of a side, what that side undid last.

        Raises:
            Failed: there is none, or it is refused now.
        """
        with self._lock, _for_people():
            if self.fixed:
                return self.look(self._newest(self.campaign.give_again))
            number = next(iter(self.campaign.undone()), 0)
            self.campaign.redo()
            return self.look([self._moved_over("Redone", number)])

    def _newest(self, step: Callable[[str], list[Event]]) -> list[Event]:
        """What a step of this seat's side leads to in the current situation."""
        self.campaign.refresh()
        return self._tried(lambda: step(self.seat))

    def _moved_over(self, how: str, number: int) -> Event:
        given = as_known(self.campaign.entry(number), self.seat)
        return told(Noted(message=f"{how}: {': '.join(said_by(given))}."), to=self.seat)

    def refresh(self) -> Situation:
        """Follow what another session has done."""
        with self._lock, _for_people():
            self.campaign.refresh()
            return self.look(followed=True)

    def follow(self) -> Situation | None:
        """What another session has done since the last look; None if this seat sees none of it, or cannot look now."""
        with self._lock:
            before, told = self.campaign.head, self._told
            try:
                if not self.campaign.refresh():
                    return None
                newer = [entry for entry in self.campaign.log(MOST_ENTRIES) if entry.number > before and entry.on_path]
            except CampaignError:
                return None
            found = self.look([event for entry in reversed(newer) for event in entry.events], followed=True)
            return found if found.tells() != told else None

    def next_seat(self) -> Situation:
        """Move to the seat of the next side.

        Raises:
            Failed: the seat is fixed.
        """
        with self._lock, _for_people():
            if self.fixed:
                raise Failed(
                    "You cannot leave the seat of a side.",
                    (),
                    "Run `ophex play CAMPAIGN` without --as for the umpire's seat.",
                )
            seats = [UMPIRE, *sides_of(self.campaign.game.view(UMPIRE))]
            self.seat = seats[(seats.index(self.seat) + 1) % len(seats)]
            return self.look()

    def explain(self, what: str) -> list[explaining.ExplainedLine]:
        """Explains a value or a log entry.

        Raises:
            Failed: there is no such value or entry.
        """
        with self._lock, _for_people():
            if what.isdigit():
                told = told_entry(self.campaign, self.seat, int(what))
                changes = changes_of(self.campaign, told.entry.number, self.seat) if int(what) else []
                return list(explaining.entry_lines(told, self.seat, changes))
            return list(explaining.lines(explain(self.campaign.game, what, self.seat)))

    def why_not(self, command: str, side: str) -> list[explaining.ExplainedLine]:
        """Why a command is refused; empty when it is legal."""
        with self._lock, _for_people():
            return list(explaining.reason_lines(self.campaign.game.why_not(side, command)))


class _for_people:  # noqa: N801 - read as a phrase: `with _for_people()`
    """Turns the errors of lower packages into one that the screen can show."""

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Refused):
            raise Failed(error.message, error.cites, error.hint) from error
        if isinstance(error, CampaignError):
            raise Failed(error.message, (), error.hint) from error
        if isinstance(error, RuleFailure):
            raise Failed(f"{error.file}:{error.line}: {error.message}", (), "The error is in the rules.") from error
        if error is not None and hasattr(error, "diagnostics"):  # the typed text is not an expression of the rules
            message, hint = error.diagnostics[0].message, error.diagnostics[0].hint
            raise Failed(message, (), hint) from error
