"""Who `--as` means: a side, the umpire, or a commander of a side."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ui.cli.exits import UsageError

if TYPE_CHECKING:
    from campaigns.desk.commanders import Commander
    from interpreter.messages.inputs import Awaited, Input
    from ui.cli.playing import OpenCampaign

__all__ = ["awaited_side", "giver_of", "person_of", "seats_of", "side_of", "some_side"]


def side_of(campaign: "OpenCampaign", side: str, *, to_read: bool = False) -> str:
    """The side that `--as` names, or the umpire. to_read: also accept a commander, who reads what the side may know.

    Raises:
        UsageError: the scenario has no such side, or a commander may not do this.
    """
    if "/" in side:
        who = person_of(campaign, side)
        if not to_read:
            raise UsageError(f"{who.seat} cannot do that.", f"Only {who.side} itself or the umpire can.", "not-yours")
        return who.side
    from ui.cli.playing import UMPIRE, sides_of

    titles = sides_of(campaign.game)
    if not side or side == UMPIRE:
        return UMPIRE
    for name, title in titles.items():
        if side.lower() in {name.lower(), title.lower()}:
            return name
    raise UsageError(
        f"This campaign has no side '{side}'.",
        f"Its sides are {', '.join(titles)} and {UMPIRE}.",
        "unknown-name",
        side=side,
    )


def person_of(campaign: "OpenCampaign", seat: str) -> "Commander":
    """The commander or observer that `--as SIDE/NAME` names.

    Raises:
        UsageError: there is no such side.
        CampaignError: there is no such commander.
    """
    from campaigns.desk.commanders import commander_of

    side, _, name = seat.partition("/")
    return commander_of(campaign, f"{side_of(campaign, side)}/{name}")


def giver_of(campaign: "OpenCampaign", side: str, given: "Iterable[Input]" = ()) -> str:
    """The side that `--as` names, or the umpire. For a commander: their side, if they may give these inputs.

    Raises:
        UsageError: the scenario has no such side.
        CampaignError: there is no such commander.
        Refused: the commander may not give one of the inputs.
    """
    if "/" not in side:
        return side_of(campaign, side)
    from campaigns.desk.commanders import refuse

    who = person_of(campaign, side)
    ordered = False
    for one in given:
        refuse(campaign.game, who, one, asked_for=ordered)
        ordered = ordered or one.kind == "do"
    return who.side


def some_side(campaign: "OpenCampaign", side: str) -> str:
    """The side that `--as` names; without it the only side the game is waiting for.

    Raises:
        UsageError: the scenario has no such side, or it is not clear which one is meant.
    """
    return side_of(campaign, side, to_read=True) if side else awaited_side(campaign.game.awaiting)


def awaited_side(awaiting: "Sequence[Awaited]", before: str = "") -> str:
    """The only side a game is waiting for.

    Args:
        awaiting: what the game is waiting for.
        before: who gave the previous input; preferred if the game is still waiting for it.

    Raises:
        UsageError: it is not clear which one is meant.
    """
    from ui.cli.playing import UMPIRE

    waiting = list(dict.fromkeys(one.side for one in awaiting if one.side))
    if before in waiting or len(waiting) == 1:
        return before if before in waiting else waiting[0]
    if not waiting:  # only dice, or nothing: it does not matter who gives them
        return before or UMPIRE
    raise UsageError(
        "Name the side with --as SIDE.",
        f"The game is waiting for {' and '.join(waiting)}; `--as {UMPIRE}` can act for any of them.",
        "unclear",
    )


def seats_of(campaign: "OpenCampaign") -> list[str]:
    """The sides, each followed by its commanders and observers."""
    from campaigns.desk.commanders import commanders_of

    people = commanders_of(campaign)
    return [seat for one in campaign.game.sides for seat in (one.id, *(x.seat for x in people if x.side == one.id))]
