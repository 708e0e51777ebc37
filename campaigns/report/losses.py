"""Losses: what was removed, what has become weaker, and the strengths of the sides at the beginning of turns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from campaigns.play.campaign import Campaign
from campaigns.report import report_model
from campaigns.report.moments import keep_strengths, kept_strengths, names_of, spread
from campaigns.report.story_read import Chapter, StoryRead
from campaigns.views.force_forest import is_unit, title_of
from campaigns.views.strengths import has_hidden_strength, number_of, strength_of
from dsl.text.shown import STRENGTH_SHOWS
from interpreter.messages.happenings import ThingRemoved
from interpreter.messages.sides import UMPIRE
from interpreter.messages.view import ThingView, View
from interpreter.queries.worked_out import last_seen, worked_out

if TYPE_CHECKING:
    from interpreter.machine import Game

__all__ = ["Strengths", "losses_of", "sides_in"]

MOST_MOMENTS = 10
"""At the start of how many turns at most the strengths of the sides are reported."""
FORCES = {"unit", "formation", "component"}


@frozen
class Strengths:
    """The strengths of the units at a moment, as one side could know them then.

    Attributes:
        view: what it saw.
        shown: the rules' own value for each thing; None if the rules have none.
    """

    view: View
    shown: Mapping[str, str] | None

    @classmethod
    def of(cls, game: "Game", side: str, view: View | None = None) -> "Strengths":
        """Those of a game. view: what the side sees in it, if already known."""
        declared = STRENGTH_SHOWS in game.program.rules.routines
        return cls(view or game.view(side), worked_out(game, STRENGTH_SHOWS, side or UMPIRE) if declared else None)

    def weight(self, thing: ThingView) -> int | None:
        """The strength of a thing: from the rules, otherwise the number on its counter or a field for strength."""
        number = (thing.counter or strength_of(thing)) if self.shown is None else self.shown.get(thing.id, "")
        return int(number) if number.isdecimal() else None

    def is_hidden(self, thing: ThingView) -> bool:
        """Whether a thing has no strength to be seen, but may have one."""
        if self.weight(thing) is not None:
            return False
        return has_hidden_strength(thing) if self.shown is None else not thing.fields.keys() >= set(thing.unknown)

    def counts(self) -> dict[str, report_model.Count]:
        """The strength of each side; things with 0 according to the rules are lost."""
        found = {}
        for side in self.view.sides:
            units = [thing for thing in self.view.things if thing.side == side.id and is_unit(thing)]
            weights = [self.weight(thing) for thing in units]
            lost = weights.count(0) if self.shown is not None else 0
            known = [weight for weight in weights if weight is not None]
            found[side.id] = report_model.Count(
                len(units) - lost, sum(known) if known else None, any(map(self.is_hidden, units))
            )
        return found


def losses_of(
    campaign: Campaign[Any], side: str, now: Strengths, past: "Game", story: StoryRead, recent: Sequence[Chapter]
) -> report_model.Losses:
    """The losses, as far as a side was told and can see.

    Args:
        campaign: the campaign.
        side: who reads.
        now: the strengths now.
        past: the game where the report begins.
        story: what the side was told.
        recent: of that, what is reported.
    """
    lost = tuple(_lost(campaign, side, recent))
    weakened = tuple(_weakened(Strengths.of(past, side), now))
    return report_model.Losses(lost, weakened, tuple(_moments(campaign, side, now, story)))


def sides_in(now: Strengths) -> tuple[report_model.Side, ...]:
    """The sides with what the viewer knows of their units."""
    counts = now.counts()
    return tuple(
        report_model.Side(
            one.id,
            one.title or one.id,
            one.colour,
            counts[one.id].units,
            counts[one.id].strength,
            counts[one.id].partly,
            one.state,
        )
        for one in now.view.sides
    )


def _moments(campaign: Campaign[Any], side: str, now: Strengths, story: StoryRead) -> Iterator[report_model.Moment]:
    """The strengths of the sides at the beginning of turns, and now."""
    turns = spread(sorted(story.turns.items()), MOST_MOMENTS)
    is_file = isinstance(campaign, Campaign)  # in memory its state may differ from the file
    names = names_of(campaign, side, (story.real(entry) for _, entry in turns)) if is_file else {}
    for turn, entry in turns:
        name = names.get(story.real(entry), "")
        then = kept_strengths(name)
        if then is None:
            found = Strengths.of(campaign.seen_at(story.real(entry)), side)
            then = found.view.date, found.counts()
            keep_strengths(name, then)
        yield report_model.Moment(turn, then[0], entry, False, then[1])
    yield report_model.Moment(
        now.view.turn, now.view.date, story.log[-1].number if story.log else 0, True, now.counts()
    )


def _lost(campaign: Campaign[Any], side: str, recent: Sequence[Chapter]) -> Iterator[report_model.Lost]:
    told = [
        (chapter, event, event.what.thing)
        for chapter in recent
        for event in chapter.events
        if isinstance(event.what, ThingRemoved)
    ]
    known = last_seen(campaign.game, side, dict.fromkeys(name for _, _, name in told))
    for chapter, event, name in told:
        thing = known.get(name)
        if thing is None or (thing.word not in FORCES and not thing.part):
            continue
        yield report_model.Lost(
            chapter.told.number, chapter.turn, thing.side, thing.id, title_of(thing), thing.kind, thing.holder,
            int(number) if (number := thing.counter or strength_of(thing)).isdecimal() else None, event.text,
        )  # fmt: skip


def _weakened(past: Strengths, now: Strengths) -> Iterator[report_model.Weakened]:
    before = {thing.id: thing for thing in past.view.things}
    for thing in now.view.things:
        old = before.get(thing.id)
        if old is None or old.kind != thing.kind:
            continue
        was, left = (one if one is not None else 0 for one in (past.weight(old), now.weight(thing)))
        if (
            left < was
            and is_unit(thing)
            and not now.is_hidden(thing)
            and (number_of(thing) or now.weight(thing) is not None)
        ):
            yield report_model.Weakened(thing.side, thing.id, title_of(thing), "strength", was, left)
        for track in thing.tracks:
            then, here = old.fields.get(track, ""), thing.fields.get(track, "")
            if then.isdecimal() and here.isdecimal() and int(here) < int(then):
                yield report_model.Weakened(thing.side, thing.id, title_of(thing), track, int(then), int(here))
