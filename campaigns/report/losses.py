"""Losses: what was removed, what has become weaker, and how strong the sides were when turns began."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from campaigns.forces import is_unit, title_of
from campaigns.report import model
from campaigns.strengths import number_of, strength_of
from interpreter.view import ThingView, View
from interpreter.worked_out import last_seen

if TYPE_CHECKING:
    from campaigns.campaign import Campaign
    from campaigns.report.gather import Story

__all__ = ["losses_of", "sides_in"]

MOST_MOMENTS = 10
"""At the start of so many turns at most it is told how strong the sides were: each costs a replay since the last snapshot."""
FORCES = {"unit", "formation", "component"}


def losses_of(
    campaign: "Campaign[Any]", side: str, now: View, past: View, story: "Story", begin: model.Since
) -> model.Losses:
    """What was lost, as far as a side was told and can see.

    Args:
        campaign: the campaign.
        side: who reads.
        now: what it sees now.
        past: what it saw where the report begins.
        story: what it was told.
        begin: where the report begins.
    """
    lost = tuple(_lost(campaign, side, story, begin))
    return model.Losses(lost, tuple(_weakened(past, now)), tuple(_moments(campaign, side, now, story)))


def sides_in(view: View) -> tuple[model.Side, ...]:
    """The sides with what the viewer knows of their units."""
    counts = _counts(view)
    return tuple(
        model.Side(one.id, one.title or one.id, one.colour, counts[one.id].units, counts[one.id].strength)
        for one in view.sides
    )


def _weight(thing: ThingView) -> int | None:
    """How strong a thing is: the number that the rules put on its counter, else a field that speaks of strength."""
    number = thing.counter or strength_of(thing)
    return int(number) if number.isdecimal() else None


def _counts(view: View) -> dict[str, model.Count]:
    found = {}
    for side in view.sides:
        units = [thing for thing in view.things if thing.side == side.id and is_unit(thing)]
        weights = [weight for thing in units if (weight := _weight(thing)) is not None]
        found[side.id] = model.Count(len(units), sum(weights) if weights else None)
    return found


def _moments(campaign: "Campaign[Any]", side: str, now: View, story: "Story") -> Iterator[model.Moment]:
    """How strong the sides were when turns began, and are now."""
    turns = sorted(story.turns.items())
    if len(turns) > MOST_MOMENTS:  # the first, and then at even steps to the last
        last = len(turns) - 1
        turns = [turns[round(number * last / (MOST_MOMENTS - 1))] for number in range(MOST_MOMENTS)]
    for turn, entry in turns:
        view = campaign.state_at(story.real(entry)).view(side)
        yield model.Moment(turn, view.date, entry, False, _counts(view))
    yield model.Moment(now.turn, now.date, story.log[-1].number if story.log else 0, True, _counts(now))


def _lost(campaign: "Campaign[Any]", side: str, story: "Story", begin: model.Since) -> Iterator[model.Lost]:
    told = [
        (chapter, event, str(event.data.get("thing", "")))
        for chapter in story.since(begin)
        for event in chapter.events
        if event.kind == "remove"
    ]
    known = last_seen(campaign.game, side, dict.fromkeys(name for _, _, name in told))
    for chapter, event, name in told:
        thing = known.get(name)
        if thing is None or (thing.word not in FORCES and not thing.part):
            continue
        yield model.Lost(
            chapter.told.number, chapter.turn, thing.side, thing.id, title_of(thing), thing.kind, thing.holder,
            _weight(thing), event.text,
        )  # fmt: skip


def _weakened(past: View, now: View) -> Iterator[model.Weakened]:
    before = {thing.id: thing for thing in past.things}
    for thing in now.things:
        old = before.get(thing.id)
        if old is None or old.kind != thing.kind:
            continue
        was, left = (one if one is not None else 0 for one in (_weight(old), _weight(thing)))
        if left < was and number_of(thing) and is_unit(thing):
            yield model.Weakened(thing.side, thing.id, title_of(thing), "strength", was, left)
        for track in thing.tracks:
            then, here = old.fields.get(track, ""), thing.fields.get(track, "")
            if then.isdecimal() and here.isdecimal() and int(here) < int(then):
                yield model.Weakened(thing.side, thing.id, title_of(thing), track, int(then), int(here))
