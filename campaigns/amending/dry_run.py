"""A dry run of amended rules: what they would have made of a line, and what they would make of the game from now on.

The complete line is given again, from the beginning, under the amended text, beside a game under the texts that were in force. An
input that no longer holds is left out, and when the next turn begins the record is taken up again as it is. It is for the umpire
alone: nothing is hidden in it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from campaigns.amending.comparing_courses import Comparison, side_by_side
from campaigns.amending.proposing import Proposal
from campaigns.file.history import Entry
from campaigns.play.campaign import Campaign
from campaigns.play.proving import Progress
from interpreter.messages.inputs import Awaited, Event, Input, Refused, RuleFailure
from interpreter.messages.sides import UMPIRE
from interpreter.messages.standing_rulings import amendment_of
from interpreter.play.carrying_over import first_values

if TYPE_CHECKING:
    from interpreter.machine import Game
from campaigns.amending.amended_campaigns import input_of

__all__ = ["DifferingInput", "Impact", "dry_run"]


MOST_COMPARED = 2_000
"""The most events of one input that are compared in their order; of more, only which there are is reported."""


@frozen
class CourseEvent:
    """An event of one of the two courses. kind: as in the log; to: who may read it."""

    kind: str
    text: str
    to: str


@frozen
class DifferingInput:
    """An input that is refused under the amended text, or that has a different result.

    Attributes:
        entry: the number of its entry.
        turn: in which turn it was given.
        input: the input.
        verdict: "refused", "otherwise", or "left out": the game awaits something else that was not awaited before.
        reason: why it is refused or left out; else empty.
        hint: what would be allowed.
        gone: events that no longer happen.
        come: events that happen instead.
        asked_no_more: what was awaited after it and no longer is, as sentences.
        asked_anew: what is awaited after it and was not before.
    """

    entry: int
    turn: int
    input: Input
    verdict: str
    reason: str = ""
    hint: str = ""
    gone: tuple[CourseEvent, ...] = ()
    come: tuple[CourseEvent, ...] = ()
    asked_no_more: tuple[str, ...] = ()
    asked_anew: tuple[str, ...] = ()


@frozen
class Impact:
    """How an amended text would have changed a line.

    Attributes:
        inputs: how many inputs were replayed.
        same: how many of them have the same result.
        differing: the others, in their order.
        resumed: the entries after which the dry run continued from the record, because something before was no longer valid.
        holds_to: from the start, the line can be replayed up to this entry; None: to its end.
        from_start: why it cannot apply from the start; empty if it can.
        from_now: why it cannot apply from now on; empty if it can.
        takes_hold: the turn from which it would apply if it is given now.
        first_values: new fields of the text, for which things of the game get their first value.
        situation: the game as it is beside the game as it would be; None if it is not known.
    """

    inputs: int
    same: int
    differing: tuple[DifferingInput, ...]
    resumed: tuple[int, ...]
    holds_to: int | None
    from_start: str
    from_now: str
    takes_hold: int
    first_values: tuple[str, ...]
    situation: Comparison | None


def dry_run(campaign: Campaign[Any], proposal: Proposal, progress: Progress | None = None) -> Impact:
    """How an amended text would have changed the current line. Nothing is recorded.

    Args:
        campaign: the campaign.
        proposal: the amended text.
        progress: called with how many inputs are done and how many there are.
    """
    campaign.bring(proposal.texts)
    return _DryRun(campaign, proposal).run(progress or (lambda _done, _all: None))


class _DryRun:
    """Two games side by side: one under the texts that were in force, and one under the amended text."""

    def __init__(self, campaign: Campaign[Any], proposal: Proposal) -> None:
        self.campaign, self.proposal = campaign, proposal
        self.make = input_of("a dry run")
        self.old: Game = campaign.state_at(0)
        self.new: Game | None = None
        self.failed = False
        """Whether something was no longer valid since the dry run last continued from the record."""
        self.parted = 0

    def run(self, progress: Progress) -> Impact:
        """Replays the line in both."""
        campaign = self.campaign
        line = campaign.between(0, campaign.head)
        begun = self.old.view(UMPIRE)
        why_not_from_start = self._from_start()
        found: list[DifferingInput] = []
        resumed: list[int] = []
        holds_to: int | None = None
        same = 0
        for place, number in enumerate(line, 1):
            entry = campaign.entry(number)
            one = self._step(entry)
            if one is None:
                same += 1
            else:
                found.append(one)
                if one.verdict != "otherwise" and holds_to is None:
                    holds_to = entry.parent or 0
            if self.failed and self._taken_up(number):
                resumed.append(number)
            progress(place, len(line))
        now: Game = campaign.game
        why_not_now, turn = self._from_now(now)
        situation = None
        if self.new is not None:
            names = ("as it is", "amended")
            entries = (campaign.head, campaign.head)
            since = len([number for number in line if number > self.parted])
            situation = side_by_side(self.parted, begun, (now, self.new), names, entries, (since, since))
        values = first_values(now.program.ruleset, self.new.program.ruleset) if self.new is not None else []
        return Impact(
            len(line),
            same,
            tuple(found),
            tuple(resumed),
            holds_to,
            why_not_from_start,
            why_not_now,
            turn,
            tuple(values),
            situation,
        )

    def _from_start(self) -> str:
        """Restarts the game under the amended text; gives the reason if it cannot."""
        game: Game = self.campaign.state_at(0)
        try:
            game.offer(self.make(self.proposal.wording(from_start=True)))
        except (Refused, RuleFailure) as error:
            self.failed = True
            return _said(error)
        self.new = game
        return ""

    def _from_now(self, now: Game) -> tuple[str, int]:
        """Why it cannot apply from now on, and the turn from which it would."""
        trial: Game = self.campaign.state_at(self.campaign.head)
        given = self.make(self.proposal.wording(from_start=False))
        turn = now.turn if trial.amending.amends_at_once(given) else now.turn + 1
        try:
            trial.offer(given)
        except (Refused, RuleFailure) as error:
            return _said(error), turn
        return "", turn

    def _taken_up(self, number: int) -> bool:
        """Continues from the record under the amended text, where a turn begins; whether it could."""
        if self.old.snapshot() is None:
            return False
        game: Game = self.campaign.state_at(number)
        try:
            game.offer(self.make(self.proposal.wording(from_start=False)))
        except (Refused, RuleFailure):
            return False
        if game.rules is None or game.rules.digest != self.proposal.digest:
            return False
        self.new, self.failed, self.parted = game, False, number
        return True

    def _step(self, entry: Entry) -> DifferingInput | None:
        """Gives one input in both; the difference, or None."""
        given, turn = entry.input, self.old.turn
        unasked = self._asked(self.new, self.old, {"question", "dice"}) if self.new is not None else ()
        self.old.offer(given)
        is_ours = amendment_of(given.kind, given.text) is not None  # the amended text takes its place
        if is_ours:
            return None
        if self.new is None:
            return DifferingInput(
                entry.number, turn, given, "left out", "the game does not reach this point under the amended text"
            )
        try:
            events = self.new.offer(given)
        except (Refused, RuleFailure) as error:
            self.failed = True
            gone = tuple(map(_told, entry.events))
            if unasked:
                return DifferingInput(entry.number, turn, given, "left out", " ".join(unasked), "", gone)
            hint = str(getattr(error, "hint", ""))
            anew = self._asked(self.new, self.old)
            return DifferingInput(entry.number, turn, given, "refused", _said(error), hint, gone, asked_anew=anew)
        gone, come = _apart(entry.events, events)
        no_more, anew = self._asked(self.old, self.new), self._asked(self.new, self.old)
        if not (gone or come or no_more or anew):
            return None
        return DifferingInput(entry.number, turn, given, "otherwise", "", "", gone, come, no_more, anew)

    @staticmethod
    def _asked(one: Game, other: Game, kinds: Collection[str] = ("question", "dice", "orders")) -> tuple[str, ...]:
        """What one game waits for and the other does not: questions, dice and orders of sides."""
        there = {_key(x) for x in other.waiting}
        return tuple(x.prompt for x in one.waiting if x.kind in kinds and _key(x) not in there)


def _key(one: Awaited) -> tuple[str, str, str]:
    return one.kind, one.side, one.name


def _said(error: Exception) -> str:
    file, line = getattr(error, "file", ""), getattr(error, "line", 0)
    message = str(getattr(error, "message", error))
    return f"{file}:{line}: {message}" if file and line else message


def _told(event: Event) -> CourseEvent:
    return CourseEvent(event.kind, event.text, event.to)


def _apart(was: Sequence[Event], now: Sequence[Event]) -> tuple[tuple[CourseEvent, ...], tuple[CourseEvent, ...]]:
    """The events that only one of two courses has, compared by text, reader and details."""
    one, other = ([(e.kind, e.text, e.to, _details(e)) for e in events] for events in (was, now))
    if one == other:
        return (), ()
    if len(one) + len(other) > MOST_COMPARED:
        here, there = set(one), set(other)
        return tuple(_told(e) for e, x in zip(was, one, strict=True) if x not in there), tuple(
            _told(e) for e, x in zip(now, other, strict=True) if x not in here
        )
    gone: list[CourseEvent] = []
    come: list[CourseEvent] = []
    for what, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if what != "equal":
            gone += map(_told, was[a:b])
            come += map(_told, now[c:d])
    return tuple(gone), tuple(come)


def _details(event: Event) -> str:
    from campaigns.file.history import events_to_json

    return events_to_json([evolve(event, what=event.what.without_newer(), cites=())])
