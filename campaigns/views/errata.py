"""Dated errata: the umpire's amendments and rulings about the rules on the line, as far as they were reported to a side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from campaigns.views.told import Told, told_log
from interpreter.messages.happenings import RuleApplied, RulesAmended, RulingStands, TurnBegan
from interpreter.messages.inputs import Event
from interpreter.messages.standing_rulings import AMEND, RULE
from interpreter.world.seat import readable

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign

__all__ = ["ERRATA", "Erratum", "errata", "errata_in"]

ERRATA = frozenset({AMEND, RULE, "option"})
"""The kinds of events that say that rules have changed."""
SPEAKS = ERRATA | {"turn"}


@frozen
class Erratum:
    """One amendment or ruling.

    Attributes:
        entry: its entry in the reader's log.
        date: when it was given, UTC, ISO 8601.
        turn: its turn.
        kind: "amend", "rule" or "option" (options and modules).
        number: that of a ruling in effect; otherwise 0.
        text: its report.
        reason: why, if given separately.
        question: what a ruling settles.
        about: the words of the rules that a ruling is about.
    """

    entry: int
    date: str
    turn: int
    kind: str
    number: int
    text: str
    reason: str
    question: str
    about: tuple[str, ...]


def errata(campaign: Campaign[Any], side: str) -> list[Erratum]:
    """The amendments and rulings on the current line, in order."""
    return errata_in([one for one in reversed(told_log(campaign, side)) if one.entry.on_path], side)


def errata_in(log: Sequence[Told], side: str) -> list[Erratum]:
    """The same of a log as a side may know it, oldest first."""
    turn, found = 1, list[Erratum]()
    for told in log:
        for event in readable(told.entry.events_of(SPEAKS), side):
            if event.kind in ERRATA and not isinstance(event.what, RuleApplied):
                found.append(_erratum(told, turn, event))
            if isinstance(event.what, TurnBegan):
                turn = event.what.turn
    return found


def _erratum(told: Told, turn: int, event: Event) -> Erratum:
    what = event.what
    ruling = what if isinstance(what, RulingStands) else RulingStands(0, (), "")
    reason = what.reason if isinstance(what, RulesAmended) else ""
    return Erratum(
        told.number, told.entry.time, turn, event.kind, ruling.number, event.text, reason, ruling.question, ruling.about
    )
