"""How far commanders have come with the orders of their part, as `states.py` says it of sides.

Who of a side gave an order is not recorded. So a commander's state is that of what is under him: whether it has orders, of whomever,
and whether a letter of his lies open. He ends no window: where the side has, his part is confirmed.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from campaigns.desk.commanders import Commander, may_give
from campaigns.desk.players import Player
from campaigns.desk.states import CONFIRMED, GIVEN, NONE, NOTHING, PARTIAL, Standing, own_in, window_of
from campaigns.desk.trays import REFUSED, STOPPED, WAITING, fate_of, tray_of, trays_of

if TYPE_CHECKING:
    from campaigns.campaign import Campaign
    from interpreter.play import Game

__all__ = ["standings_of"]

LOOKED_AT = 2_000
"""So many legal commands of a side are looked at for one that is for a commander."""


def standings_of(
    campaign: "Campaign[Game]", sides: Sequence[Standing], people: Sequence[Commander]
) -> dict[str, Standing]:
    """The states of commanders by their seats, as `red/tom`; observers have none.

    Args:
        campaign: the campaign.
        sides: the states of their sides.
        people: the commanders.
    """
    letters, by_side = campaign.letters(), {one.side: one for one in sides}
    window = window_of(campaign) if people else []
    legal: dict[str, list[str]] = {}
    found: dict[str, Standing] = {}
    for who in people:
        whole = by_side.get(who.side)
        if whole is None or who.observes:
            continue
        orders = [one for one in whole.awaited if one.kind == "orders"]
        if orders and who.side not in legal:
            legal[who.side] = [one for one in campaign.game.legal(who.side, LOOKED_AT) if one != "done"]
        last = next((kept for kept in reversed(letters) if kept.side == who.seat), None)
        wrong = last is not None and fate_of(last) in {REFUSED, STOPPED}
        tray = trays_of(letters).get(who.seat)
        waits = tray is not None and tray.fate == WAITING
        own = [entry for entry in own_in(window, who.side) if _is_his(campaign.game, who, entry.input.text)]
        if not orders:
            state = whole.state if whole.state in {CONFIRMED, NOTHING} else NOTHING
        elif own or waits:
            state = PARTIAL if wrong else GIVEN
        else:
            state = NONE if wrong or any(may_give(campaign.game, who, one) for one in legal[who.side]) else NOTHING
        since = own[-1].time if own else tray.kept.came_at if waits and tray is not None else ""
        found[who.seat] = evolve(
            whole, side=who.seat, state=state, since=since or whole.since, player=Player(who.side, whole.player.played_by),
            awaited=tuple(orders), letter=tray_of(last).kept.file if wrong and last is not None else "",
            late=whole.late if state in {NONE, PARTIAL} else "",
        )  # fmt: skip
    return found


def _is_his(game: "Game", who: Commander, text: str) -> bool:
    """Whether an order names something that is under a commander, and nothing else of his side."""
    named = game.named_of(who.side, text)
    return bool(named) and all(above.intersection(who.over) for above in named.values())
