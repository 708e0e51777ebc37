"""How far commanders have come with the orders for their part, as `states.py` reports it for sides.

The record does not say which person of a side gave an order. So a commander's state is that of the forces under their command:
whether those have orders, from anybody, and whether a letter of the commander, or a question that the commander may answer, is
open. A commander ends no window: when the side has ended it, the commander's part is confirmed.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs
from attrs import evolve

from campaigns.desk.commanders import Commander, is_asked, may_give, without_done
from campaigns.desk.packets import last_sent
from campaigns.desk.players import Player
from campaigns.desk.states import (
    CONFIRMED,
    GIVEN,
    NONE,
    NOTHING,
    PARTIAL,
    SideState,
    faulty_letter,
    own_in,
    since_done,
    window_of,
)
from campaigns.desk.trays import REFUSED, SEALS, WAITING, WITHDRAWN, Tray, fate_of, stop_of, tray_of, trays_of
from interpreter.messages.inputs import ENDINGS

if TYPE_CHECKING:
    from campaigns.file.beside import Kept
    from campaigns.file.history import Entry
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game
    from interpreter.messages.inputs import Awaited

__all__ = ["is_closed_since", "standings_of"]

LOOKED_AT = 2_000
"""How many legal commands of a side are searched for one that a commander may give."""


def standings_of(
    campaign: "Campaign[Game]", sides: Sequence[SideState], people: Sequence[Commander]
) -> dict[str, SideState]:
    """The states of commanders by their seats, as `red/tom`; observers have none.

    Args:
        campaign: the campaign.
        sides: the states of their sides.
        people: the commanders.
    """
    by_side = {one.side: one for one in sides}
    seen = _Seen(campaign, campaign.letters(), window_of(campaign) if people else [])
    found: dict[str, SideState] = {}
    for who in people:
        whole = by_side.get(who.side)
        if whole is not None and not who.observes:
            found[who.seat] = _standing(seen, who, whole)
    return found


@attrs.frozen(eq=False)
class _Seen:
    """What the states of all commanders are derived from: letters, the open window, and what sides may do, calculated on demand."""

    campaign: "Campaign[Game]"
    letters: "Sequence[Kept]"
    window: "Sequence[Entry]"
    _legal: dict[str, list[str]] = attrs.field(factory=dict)

    def legal(self, side: str) -> list[str]:
        """The commands that a side may give."""
        if side not in self._legal:
            self._legal[side] = [one for one in self.campaign.game.legal(side, LOOKED_AT) if one != "done"]
        return self._legal[side]


def _standing(seen: _Seen, who: Commander, whole: SideState) -> SideState:
    """The state of one commander. whole: that of his side."""
    theirs = (one for one in whole.awaited if one.kind == "orders" or _is_asked(seen, who, one))
    awaited = tuple(evolve(one, prompt=without_done(one.prompt)) for one in theirs)
    wrong, waits_since = _faulty_letter(seen, who), _waits_since(seen, who)
    given = own_in(seen.window, who.side)
    given = since_done(given) if awaited else given
    own = [entry for entry in given if _is_his(seen.campaign.game, who, entry.input.text)]
    if not awaited:
        state = whole.state if whole.state in {CONFIRMED, NOTHING} else NOTHING
    else:
        is_open = wrong is not None or any(one.kind == "question" for one in awaited)
        state = _state(seen, who, has_given=bool(own) or waits_since is not None, is_open=is_open)
    since = own[-1].time if own else waits_since or ""
    return evolve(
        whole, side=who.seat, state=state, since=since or whole.since, player=Player(who.side, whole.player.played_by),
        awaited=awaited, letter=tray_of(wrong).kept.file if wrong is not None else "",
        stopped=stop_of(wrong) if wrong is not None else ("", ""),
        withdrawn=wrong is not None and fate_of(wrong) == WITHDRAWN,
        late=whole.late if state in {NONE, PARTIAL} else "",
    )  # fmt: skip


def _faulty_letter(seen: _Seen, who: Commander) -> "Kept | None":
    """The last letter of a commander if something is wrong with it.

    The seat of the side may have ended the window without waiting for a better one: that is told until the phase is over and the
    commander has got another packet.
    """
    found = faulty_letter(seen.letters, seen.window, who.seat)
    last = next((one for one in reversed(seen.letters) if one.side == who.seat and fate_of(one) != SEALS), None)
    if found is not None or last is None or fate_of(last) != REFUSED:
        return found
    head = last.told.get("head")
    is_here = any(entry.number == head for entry in seen.window)
    return last if is_here or last.told.get("packet") == last_sent(seen.campaign, who.seat) else None


def is_closed_since(campaign: "Campaign[Game]", tray: Tray) -> bool:
    """Whether the orders of a side have been closed since a letter of a commander of it was written."""
    after = [campaign.entry(number) for number in campaign.between(tray.since, campaign.head)]
    own = own_in([campaign.entry(0), *after], tray.side)
    return any(one.input.kind == "deadline" or one.input.text.lower() in ENDINGS for one in own)


def _waits_since(seen: _Seen, who: Commander) -> str | None:
    """When the letter whose commands are open came; None if there is none."""
    tray = trays_of(seen.letters).get(who.seat)
    return tray.kept.came_at if tray is not None and tray.fate == WAITING else None


def _is_asked(seen: _Seen, who: Commander, awaited: "Awaited") -> bool:
    """Whether something awaited is a question that a commander may answer."""
    return awaited.kind == "question" and is_asked(seen.campaign.game, who, awaited)


def _state(seen: _Seen, who: Commander, *, has_given: bool, is_open: bool) -> str:
    """The state of a commander from whom something is awaited. is_open: whether a question or a faulty letter is open."""
    if has_given:
        return PARTIAL if is_open else GIVEN
    return NONE if is_open or _may_give_any(seen, who) else NOTHING


def _may_give_any(seen: _Seen, who: Commander) -> bool:
    """Whether a commander may give any of the commands that their side may."""
    return any(may_give(seen.campaign.game, who, one) for one in seen.legal(who.side))


def _is_his(game: "Game", who: Commander, text: str) -> bool:
    """Whether an order names something under a commander, and nothing else of their side."""
    named = game.named_of(who.side, text)
    return bool(named) and all(above.intersection(who.over) for above in named.values())
