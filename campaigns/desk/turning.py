"""Continuing a game with everything that the desk knows: waiting letters, automated sides, absent players, expired deadlines.

It stops where a person must decide. It never invents anything that only the players' table knows.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from attrs import define, field

from campaigns.desk.calendar import CLOSING, OVER, DueDate, closing_note, closing_of, due_of, set_due
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
        refused: standing orders that could not be given: the side, the order and why.
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
    quicker = 0
    if reached is not None and reached([]):
        turned.reached = True
        return turned
    for _ in range(MOST_ROUNDS):
        head = campaign.head
        try:
            events = _step(campaign, turned, late)
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


def _step(campaign: "Campaign[Game]", turned: Turned, late: list[tuple[str, str]]) -> list[Event]:
    """The next thing that the desk can do: the first that has an effect; for a late side only once.

    Letters come first: a `done` that waits is for the window that would otherwise be ended without it.
    """
    head = campaign.head
    events = give_letters(campaign, turned)
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


def give_letters(campaign: "Campaign[Game]", turned: Turned) -> list[Event]:
    """Gives what can be given from letters that wait; those that stop are noted in `turned`. Returns what happened.

    On any branch but `main` they are left alone: what they gave there would be missing on `main`.
    """
    if here(campaign) != MAIN:
        return []
    letters = campaign.letters_here()
    found = deliver(campaign, list(trays_of(letters).values()), seen_of(letters))
    turned.stopped += [
        (tray.seat, tray.kept.file, tray.commands[fault.position].text, fault.refusal)
        for tray in found.trays
        if (fault := found.faults.get(tray.number)) is not None
    ]
    return found.events


def _without(
    campaign: "Campaign[Game]", side: str, turned: Turned, notes: Mapping[str, Any] | None = None
) -> list[Event]:
    """Gives the standing orders of a side, and ends its window without it: all or nothing, with the notes."""
    tried, refused = Tried(campaign), list[tuple[str, str, Refusal]]()
    is_waited_for = bool(_awaited(tried.game, side))
    for text in standing_orders(campaign, side) if is_waited_for else ():
        try:
            tried.offer(Input("do", side, text))
        except Refused as error:
            refused.append((side, text, error.refusal))
    if _awaited(tried.game, side):
        close_in(tried, [side])
    beside = Beside(notes or {})
    happened: list[Event] = []
    if tried.given:
        happened = campaign.offer_all(tried.given, lambda _: beside)
    elif notes:
        campaign.keep(beside)
    if is_waited_for:
        turned.refused += refused
        turned.closed.append(side)
    return happened


def _awaited(game: "Game", side: str) -> Sequence[str]:
    """What a side could give, without what only the players' table knows."""
    return [
        one.name
        for one in game.awaiting
        if one.side == side and one.kind in {"orders", "question"} and not one.at_table
    ]
