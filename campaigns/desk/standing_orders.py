"""Standing orders: lines of a letter that begin with `repeat` are given again whenever their side sends none, until it changes them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from campaigns.desk.letter_orders import SaidOrder

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = ["NOTHING_MORE", "note_of", "standing_orders"]


def _named(whose: str) -> str:
    """The note about the standing orders of a side."""
    return f"standing {whose}"


NOTHING_MORE = frozenset({"nothing", "none"})
"""`repeat nothing` ends all standing orders of its side."""


def standing_orders(campaign: "Campaign[Game]", side: str) -> list[str]:
    """The standing orders of a side, in their order."""
    note: Any = campaign.notes().get(_named(side))
    return [text for text in note if isinstance(text, str)] if isinstance(note, list) else []


def note_of(side: str, commands: Sequence[SaidOrder]) -> dict[str, list[str] | None]:
    """What to note for a letter: its standing orders, which replace all earlier ones; nothing if it has none."""
    repeated = [one.text for one in commands if one.repeat]
    if not repeated:
        return {}
    kept = [text for text in repeated if text.lower() not in NOTHING_MORE]
    return {_named(side): kept or None}
