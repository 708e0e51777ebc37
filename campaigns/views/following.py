"""The log as a stream: entries as they come, from any session, as far as a side may know them."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import attrs

from campaigns.views.told import Told, told_log

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign

__all__ = ["AGAIN", "BACK", "ENTRY", "News", "follow"]

ENTRY, BACK, AGAIN = "entry", "taken-back", "taken-up"
"""What is new: an entry; one that was reported before and is no longer in effect; one that is in effect again."""


@attrs.frozen
class News:
    """One piece of news. what: one of ENTRY, BACK, AGAIN; told: the entry that it is about."""

    what: str
    told: Told


def follow(
    campaign: "Campaign[Any]", side: str, wait: Callable[[], bool], limit: int | None = None, after: int | None = None
) -> Iterator[News]:
    """The log of a side from now on.

    Args:
        campaign: the campaign.
        side: the side, or the umpire.
        wait: waits a while; returns whether to continue.
        limit: how many of the existing entries are reported first; None for all.
        after: only entries after this number are reported first, and all of them.

    Yields:
        What is new, in the order of the entries.

    Raises:
        CampaignError: the file cannot be read.
    """
    before = told_log(campaign, side)
    first = before if limit is None or after is not None else before[:limit]
    yield from (News(ENTRY, told) for told in reversed(first) if after is None or told.number > after)
    while wait():
        if not campaign.refresh():
            continue
        now = told_log(campaign, side)
        yield from _news(before, now)
        before = now


def _news(before: list[Told], now: list[Told]) -> Iterator[News]:
    known, still = {_key(told): told for told in before}, {_key(told) for told in now}
    for told in before:  # the newest first, as they are taken back
        if _key(told) not in still and told.entry.on_path:
            yield News(BACK, told)
    for told in now:
        if (one := known.get(_key(told))) is not None and one.entry.on_path and not told.entry.on_path:
            yield News(BACK, told)
    for told in reversed(now):
        one = known.get(_key(told))
        if one is None:
            yield News(ENTRY, told)
        elif told.entry.on_path and not one.entry.on_path:
            yield News(AGAIN, told)


def _key(told: Told) -> tuple[int, str]:
    """A file that was restored has other entries of the same numbers."""
    return told.entry.number, told.entry.hash
