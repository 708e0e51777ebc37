"""Gathering a report: every part of it is read through the gate, as one side may know it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from campaigns.report import report_model
from campaigns.report.battle_cards import battles_in
from campaigns.report.losses import Strengths, losses_of, sides_in
from campaigns.report.score import score_of
from campaigns.report.story_read import BEGINNING, LAST, Chapter, StoryRead
from campaigns.views.errata import errata_in
from campaigns.views.force_forest import everything, forest, states, title_of, type_of
from campaigns.views.luck_ledger import luck_in, throws_told
from campaigns.views.parts_in_words import PartsOfThings
from campaigns.views.strengths import number_of
from campaigns.views.told import as_known, opening_told, told_log
from campaigns.views.told_since import told_since
from dsl.text.shown import SHORT_OF_SUPPLY
from interpreter.messages.inputs import Awaited, Event
from interpreter.messages.sides import UMPIRE
from interpreter.messages.view import View
from interpreter.queries.worked_out import worked_out

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign
    from interpreter.machine import Game

__all__ = ["LAST", "Wanted", "report_of"]


@frozen
class Wanted:
    """What a report covers.

    Attributes:
        since: the number of a turn, LAST, or empty for the turn before the current one.
        after: instead of that an entry, by its number in the file, up to which the side was told everything: the report covers what is
            new to it. BEGINNING: also what happened before the first entry.
    """

    since: str = ""
    after: int | None = None


def report_of(campaign: "Campaign[Any]", side: str, wanted: Wanted | None = None) -> report_model.Report:
    """What a side, or the umpire, is told about a campaign.

    Raises:
        CampaignError: there is no such turn yet.
    """
    game: Game = campaign.game
    view = game.view(side)
    log = [told for told in reversed(told_log(campaign, side)) if told.entry.on_path]
    story = StoryRead(log, side)
    now = Strengths.of(game, side, view)
    wanted = wanted or Wanted()
    begin = story.begins(view.turn, wanted.since) if wanted.after is None else story.after(wanted.after)
    recent, taken_back = _news(campaign, side, story, begin, wanted)
    opening = opening_told(campaign, side) if begin.from_the_start else ()
    past = campaign.seen_at(story.real(begin.entry)) if begin.entry or log else game
    return report_model.Report(
        report_model.SCHEMA, view.system, view.scenario, view.scenario_title, view.side or UMPIRE, view.turn, view.date,
        view.phase_title or view.phase, view.active, view.over, view.winner, begin, sides_in(now), dict(view.facts), view.hints,
        tuple(_due(one, side) for one in view.awaiting if one.kind != "over"),
        tuple(event.text for event in opening),
        tuple(_happened(one, side) for one in recent if one.events), tuple(errata_in(log, side)),
        tuple(battles_in(((one.told.number, one.turn, one.events) for one in recent), view.side or UMPIRE)),
        losses_of(campaign, side, now, past, story, recent),
        tuple(_unsupplied(game, view)), SHORT_OF_SUPPLY in game.program.rules.routines,
        tuple(_forces(view)),
        score_of(game, view, campaign.documents),
        luck_in(throws_told(campaign, log), ((one.id, one.title) for one in game.sides), view.side or UMPIRE),
        view, {0: opening, **{one.told.number: one.events for one in recent}}, taken_back=taken_back,
    )  # fmt: skip


def _news(
    campaign: "Campaign[Any]", side: str, story: StoryRead, begin: report_model.Since, wanted: Wanted
) -> tuple[list[Chapter], tuple[Event, ...]]:
    """What is new to the reader, and what they were told before and is no longer in effect."""
    if wanted.after is None or wanted.after == BEGINNING:
        return list(story.since(begin)), ()
    news = told_since(campaign, side, wanted.after)
    return list(story.of(news.new)), news.taken_back


def _due(one: Awaited, side: str) -> report_model.Due:
    mine = side == UMPIRE or not one.side or (side == one.side and not one.at_table)
    return report_model.Due(
        one.kind, one.side, one.name, one.prompt, one.form, one.choices if mine else (), one.where, mine
    )


def _happened(one: Chapter, side: str) -> report_model.Happened:
    given = as_known(one.told.entry, side)
    texts = tuple(event.text for event in one.events)
    return report_model.Happened(one.told.number, one.turn, given.side, given.kind, given.subject, given.text, texts)


def _unsupplied(game: "Game", view: View) -> Iterator[report_model.Unsupplied]:
    found = worked_out(game, SHORT_OF_SUPPLY, view.side or UMPIRE)
    for thing in view.things:
        if found.get(thing.id) == "yes":
            yield report_model.Unsupplied(thing.side, thing.id, title_of(thing), thing.place)


def _forces(view: View) -> Iterator[report_model.ListedThing]:
    """The order of battle: wholes before what they hold; parts are listed with what they are parts of."""
    parts, nodes = PartsOfThings(view.things), forest(view)
    depth: dict[str, int] = {}
    for node in everything(nodes):
        thing = node.thing
        depth[thing.id] = depth.get(thing.holder, -1) + 1
        if thing.part:
            continue
        yield report_model.ListedThing(
            depth[thing.id], thing.side, thing.id, title_of(thing), thing.kind, type_of(thing), thing.word, thing.place, thing.holder,
            "" if node.gone else number_of(thing), node.gone, {} if node.gone else dict(states(thing, holds=bool(node.below))),
            {name: (_count(thing.fields.get(name, "")), full) for name, full in thing.tracks.items() if name in thing.fields},
            tuple(map(str, parts.lines(thing))),
        )  # fmt: skip


def _count(text: str) -> int:
    return int(text) if text.isdecimal() else 0
