"""The log as a side may know it: which entries it contains, under which numbers, and how much of an input."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from campaigns.file.errors import CampaignError
from campaigns.file.history import Entry, events_to_json
from campaigns.play.named_branches import told_apart
from interpreter.messages.happenings import PhaseBegan, TurnBegan
from interpreter.messages.inputs import Event, Input
from interpreter.messages.sides import UMPIRE
from interpreter.runtime.refusals import Why
from interpreter.world.seat import readable as may_read

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign

__all__ = ["Told", "as_known", "opening_told", "told_entry", "told_log"]


def as_known(entry: Entry, side: str) -> Input:
    """The input of an entry as a side may know it, without what another side gave and dice that it must not see."""
    given = entry.input
    if given.kind == "deadline":
        told = side in {UMPIRE, given.subject.partition(" ")[0]}
    elif given.kind == "roll":
        told = all(may_read([event], side) for event in entry.events if event.kind == "roll")
    else:
        told = side in {UMPIRE, given.side}
    return given if told else Input(given.kind, given.side, "…")


@attrs.frozen
class Told:
    """An entry of the log as it is visible to a side.

    Attributes:
        number: its number among those visible to the side; for the umpire among all.
        parent: the number of the visible entry that it continues; 0 is the beginning.
        entry: the entry itself.
    """

    number: int
    parent: int
    entry: Entry


def told_log(campaign: "Campaign[Any]", side: str, limit: int | None = None) -> list[Told]:
    """The log as a side may know it, newest first; at most `limit` entries.

    Entries that reveal nothing to a side are not visible to it at all: what another side does in secret changes no number. Nor are
    the umpire's trials on a separate branch.
    """
    if side == UMPIRE:
        return [Told(entry.number, entry.parent or 0, entry) for entry in campaign.log(limit)]
    is_apart, hears = told_apart(campaign), _hearing(side)
    numbers = {0: 0}
    told: list[Told] = []
    for entry in reversed(campaign.log()):
        if not entry.on_path and is_apart(entry.number):
            numbers[entry.number] = numbers.get(entry.parent or 0, 0)
            continue
        parent = numbers.get(entry.parent or 0)
        if parent is None:
            what = f"The file is damaged: entry {entry.number} continues an entry that does not precede it."
            raise CampaignError(what, "Find out more with `ophex verify`.")
        if entry.input.side != side and not hears(entry):
            numbers[entry.number] = parent
            continue
        told.append(
            Told(len(told) + 1, parent, entry)
        )  # in the words of that time: a name may have been hidden again since
        numbers[entry.number] = len(told)
    told.reverse()
    return told if limit is None else told[:limit]


def _hearing(side: str) -> Callable[[Entry], bool]:
    """Whether a side may read anything of an entry. Usually the written form of the events decides this without decoding them."""
    word = r'"(?:[^"\\]|\\.)*"'
    told = f'"(?:all||{re.escape(side)})"'
    first = re.compile(rf"\[\[{word},{word},{word},{told},\[")
    anywhere = re.compile(rf"{told},\[")

    def hears(entry: Entry) -> bool:
        if first.match(entry.events_json):
            return True
        return bool(anywhere.search(entry.events_json)) and bool(may_read(entry.events, side))

    return hears


def opening_told(campaign: "Campaign[Any]", side: str) -> tuple[Event, ...]:
    """What happened before the first entry, as far as a side may read it; nothing if only the first turn and its phases began."""
    found = tuple(may_read(campaign.seen_at(0).opening, side))
    return () if all(isinstance(one.what, TurnBegan | PhaseBegan) for one in found) else found


def told_entry(campaign: "Campaign[Any]", side: str, number: int) -> Told:
    """The entry of this number in the log as a side may know it; 0 is what happened before the first one.

    Raises:
        CampaignError: there is none.
    """
    if not number:
        events = events_to_json(tuple(campaign.seen_at(0).opening))
        return Told(0, 0, attrs.evolve(campaign.entry(0), events_json=events))
    if side == UMPIRE:
        return Told(number, 0, campaign.entry(number))
    found = next((one for one in told_log(campaign, side) if one.number == number), None)
    if found is None:
        raise CampaignError(
            f"The log has no entry {number} for {side}.",
            f"List the entries with `ophex log --as {side}`.",
            Why.UNKNOWN_NAME,
        )
    return found
