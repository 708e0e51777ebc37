"""News since a side was last told: what is new to it, and what it was told and the umpire has taken back since."""

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

import attrs

from campaigns.file.history import events_to_json
from campaigns.views.told import Told, told_log
from interpreter.messages.happenings import StoryEnded
from interpreter.messages.inputs import Event
from interpreter.world.seat import readable

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign

__all__ = ["ToldSince", "told_since"]


@attrs.frozen
class ToldSince:
    """What a side has to be told.

    Attributes:
        new: the entries that are in effect and that it was not told, oldest first.
        taken_back: the events that it was told and that are no longer in effect, in their order.
    """

    new: tuple[Told, ...]
    taken_back: tuple[Event, ...] = ()


def told_since(campaign: "Campaign[Any]", side: str, after: int) -> ToldSince:
    """News for a side that was told everything up to an entry, by its number in the file.

    If inputs were taken back and others given again, what happened in the same words as before is neither taken back nor new.
    """
    log = told_log(campaign, side)[::-1]
    line = set(campaign.between(0, after))

    def was_told(told: Told) -> bool:
        return told.entry.number in line if line else told.entry.number <= after

    gone = [told for told in log if was_told(told) and not told.entry.on_path]
    new = [told for told in log if not was_told(told) and told.entry.on_path]
    if not gone:
        return ToldSince(tuple(new))
    before = [event for told in gone for event in readable(told.entry.events, side)]
    now = [(told.number, event) for told in new for event in readable(told.entry.events, side)]
    found = SequenceMatcher(None, [_words(one) for one in before], [_words(one) for _, one in now], autojunk=False)
    taken, fresh = list[Event](), dict[int, list[Event]]()
    for what, first, last, begin, end in found.get_opcodes():
        if what != "equal":
            taken += before[first:last]
            for number, event in now[begin:end]:
                fresh.setdefault(number, []).append(event)
    return ToldSince(
        tuple(
            attrs.evolve(told, entry=attrs.evolve(told.entry, events_json=events_to_json(fresh[told.number])))
            for told in new
            if told.number in fresh
        ),
        tuple(taken),
    )


def _words(event: Event) -> tuple[str, ...]:
    """What is compared: its sentence, and of the story of a battle everything."""
    return event.kind, event.text, repr(event.what) if isinstance(event.what, StoryEnded) else ""
