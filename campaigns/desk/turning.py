"""Continuing a game with everything that the desk knows: waiting letters, automated sides, absent players, expired deadlines.

It stops where a person must decide. It never invents anything that only the players' table knows.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from attrs import define, field

from campaigns.desk.answers_in_advance import AnswersInForce
from campaigns.desk.calendar import CLOSING, OVER, DueDate, closing_note, closing_of, due_of, set_due
from campaigns.desk.commanders import side_of_seat
from campaigns.desk.delivering import deliver
from campaigns.desk.players import ABSENT, MACHINE, players_of
from campaigns.desk.standing_orders import standing_orders
from campaigns.desk.states import standings
from campaigns.desk.trays import trays_of
from campaigns.file.beside import Beside, seen_of
from campaigns.file.errors import Stale
from campaigns.play.deadline import close_in, stretch
from campaigns.play.going_on import step_on
from campaigns.play.machine_sides import MachineSides
from campaigns.play.named_branches import MAIN, here, refuse_aside
from campaigns.play.trying import Tried
from interpreter.messages.inputs import SEAL, Event, Input, Refused
from interpreter.runtime.refusals import Refusal

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = ["Turned", "give_letters", "turn_on"]

MOST_ROUNDS = 1_000
MOST_QUICKER = 50
"""How often it tries again if another session was quicker."""


@define
class Turned:
    """The result of advancing.

    Attributes:
        events: what happened.
        reached: whether it ended at the intended point.
        closed: the sides whose windows were ended without them.
        refused: standing orders and answers in advance that could not be given: the side, the order and why.
        stopped: letters that stopped at an order when its turn came: whose, the file, the order and why.
    """

    events: list[Event] = field(factory=list)
    reached: bool = False
    closed: list[str] = field(factory=list)
    refused: list[tuple[str, str, Refusal]] = field(factory=list)
    stopped: list[tuple[str, str, str, Refusal]] = field(factory=list)


def turn_on(
    campaign: "Campaign[Game]",
    now: datetime,
    *,
    overdue: bool = False,
    reached: Callable[[list[Event]], bool] | None = None,
) -> Turned:
    """Advances until a person must decide.

    Args:
        campaign: the campaign.
        now: what time it is.
        overdue: whether the windows of sides whose time is over are ended; then the next time applies.
        reached: called after each step with its events; if true, advancing ends.

    Raises:
        CampaignError, RuleFailure: it cannot continue; what was recorded before stays.
    """
    turned = Turned()
    if overdue:
        refuse_aside(campaign)
    late = _late(campaign, now) if overdue else []
    asked = frozenset(side for side, _ in late if _is_asked(campaign.game, side))
    quicker = 0
    if reached is not None and reached([]):
        turned.reached = True
        return turned
    for _ in range(MOST_ROUNDS):
        head = campaign.head
        try:
            events = _step(campaign, turned, late, asked)
        except Stale:  # another session was quicker: continue from its state
            quicker += 1
            if quicker > MOST_QUICKER:
                raise
            campaign.refresh()
            continue
        turned.events += events
        turned.reached = reached is not None and reached(events)
        if turned.reached or campaign.head == head:
            return turned
    return turned


def _late(campaign: "Campaign[Game]", now: datetime) -> list[tuple[str, str]]:
    """The sides whose time is over, each with its window; then the next time applies.

    Both are noted at once, so that an interrupted run continues with the remaining windows and closes none twice.
    """
    late = [(side, window) for side, window in closing_of(campaign) if window == _window(campaign)]
    known = {side for side, _ in late}
    over = [
        one.side for one in standings(campaign, now) if one.late == OVER and any(a.kind != SEAL for a in one.awaited)
    ]
    late += [(side, _window(campaign)) for side in over if side not in known]
    if over:
        due = due_of(campaign)
        set_due(campaign, due.following(now) if due.every else DueDate(), late)
    return late


def _window(campaign: "Campaign[Game]") -> str:
    return repr(stretch(campaign))


def _step(
    campaign: "Campaign[Game]", turned: Turned, late: list[tuple[str, str]], asked: frozenset[str]
) -> list[Event]:
    """The next thing that the desk can do: the first that has an effect; for a late side only once.

    Letters come first: a `done` that waits is for the window that would otherwise be ended without it.
    asked: the sides that are late with an answer. If they have given it in advance, that is what is done for them.
    """
    head = campaign.head
    apart = asked.intersection(side for side, _ in late)
    events = give_letters(campaign, turned, lambda seat: side_of_seat(seat) not in apart)
    if campaign.head == head:
        events = step_on(campaign)
    players = players_of(campaign)
    machine = [side for side, player in players.items() if player.played_by == MACHINE]
    if campaign.head == head and machine:
        events = MachineSides.of(campaign, machine).play(campaign)
    for side in (side for side, player in players.items() if player.played_by == ABSENT):
        if campaign.head == head:
            events = _without(campaign, side, turned)
    while campaign.head == head and late:
        side, window = late.pop(0)
        if window == _window(campaign):  # letters may have ended the one that was late
            events = _without(campaign, side, turned, {CLOSING: closing_note(late)})
    return events


def give_letters(
    campaign: "Campaign[Game]", turned: Turned, may: Callable[[str], bool] = lambda _: True
) -> list[Event]:
    """Gives what can be given from letters that wait, and from answers in advance; what stops is noted in `turned`.

    may: whether the answers in advance of a seat count. Returns what happened. On any branch but `main` they are left alone: what they gave there would be missing on `main`.
    """
    if here(campaign) != MAIN:
        return []
    letters = campaign.letters_here()
    answers = AnswersInForce.of(campaign, may)
    found = deliver(campaign, list(trays_of(letters).values()), seen_of(letters), answers)
    _note_refused(turned, answers)
    turned.stopped += [
        (tray.seat, tray.kept.file, tray.commands[fault.position].text, fault.refusal)
        for tray in found.trays
        if (fault := found.faults.get(tray.number)) is not None
    ]
    return found.events


def _without(
    campaign: "Campaign[Game]", side: str, turned: Turned, notes: Mapping[str, Any] | None = None
) -> list[Event]:
    """Does without a side, all or nothing, with the notes.

    If it is asked what it has answered in advance, that is its answer. Otherwise its standing orders are given, and its window ends.
    """
    tried, refused = Tried(campaign), list[tuple[str, str, Refusal]]()
    answers = AnswersInForce.of(campaign, lambda seat: side_of_seat(seat) == side)
    is_waited_for = bool(_awaited(tried.game, side))
    is_closed = is_waited_for and not _answered(answers, tried)
    for text in standing_orders(campaign, side) if is_closed else ():
        try:
            tried.offer(Input("do", side, text))
        except Refused as error:
            refused.append((side, text, error.refusal))
        _answered(answers, tried)
    if is_closed and _awaited(tried.game, side):
        close_in(tried, [side])
    beside = Beside(notes or {})
    happened: list[Event] = []
    if tried.given:
        happened = campaign.offer_all(tried.given, lambda _: beside)
    elif notes:
        campaign.keep(beside)
    if is_waited_for:
        turned.refused += refused
        _note_refused(turned, answers)
        turned.closed += [side] if is_closed else []
    return happened


def _answered(answers: AnswersInForce, tried: Tried) -> bool:
    """Gives answers in advance as long as there is one to what is asked; whether there was."""
    before = len(tried.given)
    while answers.give(tried.game, tried.offer) is not None:
        pass
    return len(tried.given) > before


def _is_asked(game: "Game", side: str) -> bool:
    return any(one.kind == "question" and one.side == side for one in game.awaiting)


def _note_refused(turned: Turned, answers: AnswersInForce) -> None:
    """Notes which answers in advance were refused; each once, though it is tried again as long as its question is open."""
    found = [(one.seat, one.text, why) for one, why in answers.refused.items()]
    known = {(seat, text) for seat, text, _ in turned.refused}
    turned.refused += [one for one in found if one[:2] not in known]


def _awaited(game: "Game", side: str) -> Sequence[str]:
    """What a side could give, without what only the players' table knows."""
    return [
        one.name
        for one in game.awaiting
        if one.side == side and one.kind in {"orders", "question"} and not one.at_table
    ]
