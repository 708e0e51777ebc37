"""Taking back: a side takes back its own last input of this turn. What others have done in secret since then stays.

This is an input like all others (`undo`), so the record only grows: the turn is played again without what is taken back.
The umpire's undo is different: it moves the head back along the record (`campaigns/play/campaign.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, Self

import attrs

from interpreter.messages.asking import Window
from interpreter.messages.happenings import InputUndone
from interpreter.messages.inputs import UNDO, WITH_ANSWERS, Event, Input, Refused, RuleFailure
from interpreter.messages.settings import Settings
from interpreter.play.contracts import Offering, Waiting
from interpreter.play.rehearsal import RefusedThere, Rehearsal
from interpreter.runtime.refusals import Why
from interpreter.world.seat import readable

__all__ = [
    "BEFORE_DICE",
    "MANNERS",
    "TAKEN_BACK",
    "copy_of",
    "given_again",
    "may_take_back",
    "nothing",
    "take_back",
    "taking_back",
]

TAKEN_BACK = "taken back"
"""The kind of such an input once it has been carried out: replayed, it does nothing."""
BEFORE_DICE, AFTER_DICE, UMPIRE_ALONE = "before-dice", "after-dice", "umpire"
MANNERS = (BEFORE_DICE, AFTER_DICE, UMPIRE_ALONE)
"""What a side may take back, by the setting `undo` of a campaign: inputs that caused no dice and revealed nothing hidden; those too; none."""


class TakenBack(Offering, Waiting, Protocol):
    """A game whose inputs can be taken back."""

    @property
    def settings(self) -> Settings:
        """The settings it was begun with."""

    @property
    def inputs_of_turn(self) -> list[Input]:
        """The inputs since the start of the turn."""

    def is_untold(self, order: str) -> bool:
        """Whether only its own side learns of an order."""

    def copy_of_turn(self) -> Self:
        """A separate game at the start of this turn."""

    def rehearse(self, inputs: Sequence[Input], side: str) -> Rehearsal:
        """Tries inputs of a side on this game, which must not be used afterwards. Raises RefusedThere."""


def nothing(how: str = "undo") -> Refused:
    """The only refusal, whatever the reason, since the reason may depend on what others do in secret."""
    return Why.NOT_NOW(f"You cannot {how} anything now.", hint="Ask the umpire, who can undo and redo any input.")


def taking_back(game: TakenBack, side: str, *, whole: bool = False) -> Input:
    """The input that takes back the last input of a side. Raises Refused if there is none in this turn.

    whole: if the last input answers a question of its own order, take back that order with all its answers.
    """
    span = _span(game, side, whole=whole)
    if span is None:
        raise nothing()
    first = game.inputs_of_turn[span.start]
    return Input(UNDO, side, first.text, WITH_ANSWERS if whole else f"{first.kind} {first.subject}".strip())


def given_again(game: TakenBack, side: str) -> Input:
    """The input that a side took back last, if it has given nothing since; for an order with its answers the order. Raises Refused."""
    last = next((one for one in reversed(game.inputs_of_turn) if one.side == side), None)
    if last is None or last.kind != TAKEN_BACK:
        raise nothing("redo")
    kind, _, subject = last.subject.partition(" ") if last.subject != WITH_ANSWERS else ("do", "", "")
    return Input(kind, side, last.text, subject)


def _last_of(game: TakenBack, side: str) -> int | None:
    """The index of a side's last order or answer among the inputs of the turn; None if it rolled dice since."""
    for at, one in reversed(list(enumerate(game.inputs_of_turn))):
        if one.side == side and one.kind != TAKEN_BACK:
            return at if one.kind in {"do", "answer"} else None
    return None


def _span(game: TakenBack, side: str, *, whole: bool) -> range | None:
    """The indexes of what a side takes back: its last input, or its last order with its answers; None if there is none."""
    at = _last_of(game, side)
    if at is None or not whole:
        return range(at, at + 1) if at is not None else None
    inputs, first = game.inputs_of_turn, at
    while first > 0 and inputs[first].kind == "answer" and inputs[first - 1].side == side:
        first -= 1
    if first == at or [one.kind for one in inputs[first : at + 1]] != ["do"] + ["answer"] * (at - first):
        return None
    asking = _at(game, first)
    asking.offer(inputs[first])
    is_asked = any(one.kind == "question" and one.side == side for one in asking.waiting)
    return range(first, at + 1) if is_asked else None


def may_take_back(game: TakenBack, side: str, *, whole: bool = False) -> bool:
    """Whether the setting of the campaign lets a side take its last input back, or its last order with its answers.

    Never if something visible to the side, or a roll, came after it. If only inputs that revealed nothing may be taken back:
    not if the side learned something that it could not have known before.
    """
    manner, span = str(game.settings.get("undo", BEFORE_DICE)), _span(game, side, whole=whole)
    if span is None or manner == UMPIRE_ALONE:
        return False
    given = game.inputs_of_turn[span.start : span.stop]
    then = _at(game, span.start)
    before, open_before = _closed_to(then, side), _secret_doings(then, side)
    told = [event for one in given for event in then.offer(one)]
    if _secret_doings(then, side) - open_before:
        return False  # it cannot be known whether others acted since, and their actions could not stay
    opened = any(_closed_to(then, side).get(thing, frozenset()) < hidden for thing, hidden in before.items())
    since = [event for one in game.inputs_of_turn[span.stop :] for event in then.offer(one)]
    if readable(since, side) or _dice(since):
        return False
    if manner == AFTER_DICE:
        return True
    if opened or _dice(told):
        return False
    try:
        foreseen = _at(game, span.start).rehearse(given, side).events
    except RefusedThere:
        return False
    return _said(foreseen) == _said(readable(told, side))


def copy_of(game: TakenBack) -> TakenBack:
    """A copy of a game as it is now."""
    return _at(game, len(game.inputs_of_turn))


def _at(game: TakenBack, at: int) -> TakenBack:
    """A copy of a game before an input of this turn."""
    copy = game.copy_of_turn()
    for given in game.inputs_of_turn[:at]:
        copy.offer(given)
    return copy


def _closed_to(game: TakenBack, side: str) -> dict[str, frozenset[str]]:
    """What is hidden from a side, by the ids of the things."""
    return {name: game.world.knowledge.hidden_from(thing, side) for name, thing in game.world.by_id.items()}


def _secret_doings(game: TakenBack, side: str) -> set[tuple[str, str]]:
    """What other sides could order now without this side learning of it."""
    window = game.pending
    if not isinstance(window, Window):
        return set()
    others = [other.id for other in window.waiting if other.id != side]
    return {(other, order) for other in others for order in window.orders if game.is_untold(order)}


def _dice(events: Iterable[Event]) -> bool:
    return any(event.kind == "roll" for event in events)


def _said(events: Iterable[Event]) -> list[tuple[str, str]]:
    return [(event.kind, event.text) for event in events]


def take_back(game: TakenBack, given: Input) -> tuple[Event, ...]:
    """Replays the turn without the last input of a side. Raises Refused with nothing changed."""
    span = _span(game, given.side, whole=given.subject == WITH_ANSWERS)
    if span is None:
        raise nothing()
    inputs = game.inputs_of_turn
    before = _at(game, span.start)
    told = tuple(event for one in inputs[span.start : span.stop] for event in before.offer(one))
    try:
        game.replay([*inputs[: span.start], *inputs[span.stop :]])
    except (Refused, RuleFailure):
        game.replay(inputs)
        raise nothing() from None
    game.inputs_of_turn.append(attrs.evolve(given, kind=TAKEN_BACK))
    return tuple(_telling(game, given, inputs[span.start], told))


def _telling(game: TakenBack, given: Input, taken: Input, told: tuple[Event, ...]) -> list[Event]:
    """The events for all who knew of an input that is taken back: its own side sees its words, the others only that there was one."""
    others = [x.id for x in game.world.all_of("side") if x.id != given.side and readable(told, x.id)]
    event, side = game.world.journal.event, given.side
    return [
        event(InputUndone(taken.text, side), side, side),
        *(event(InputUndone(by=side), side, to) for to in others),
    ]
