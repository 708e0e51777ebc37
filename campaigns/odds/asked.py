"""The questions open to a side: such facts as how many hits are left, what each candidate is worth, and the odds of each answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

import attrs

from campaigns.odds import odds_model
from campaigns.odds.gather_odds import Limits, odds_of
from campaigns.odds.watched_game import Watch
from campaigns.views.force_forest import title_of
from campaigns.views.strengths import number_of
from interpreter.automated.appeals import appeal_of, is_of_sets, is_told
from interpreter.codegen.python_names import py
from interpreter.messages.asking import EachQuestion, Question, Sealed
from interpreter.messages.every_answer import every_answer
from interpreter.messages.inputs import Awaited, Input, Refused
from interpreter.messages.sides import UMPIRE
from interpreter.play.runner import chain_of
from interpreter.queries.awaited import shares_said
from interpreter.queries.project import awaiting_of
from interpreter.runtime.runtime import TROUBLE, Shares, say
from interpreter.runtime.things import Thing

if TYPE_CHECKING:
    from campaigns.play.campaign import Campaign

__all__ = ["odds_of_answers"]

MOST_ANSWERS = 12
"""For how many answers the odds are calculated."""
MOST_CANDIDATES = 40
"""How many of the things that may be chosen are listed."""


def odds_of_answers(
    campaign: Campaign[Any],
    side: str,
    limits: Limits | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[odds_model.Open]:
    """The open questions to a side, each with the odds of its answers.

    In a sealed round a side gets no odds: what follows depends on what the others answer.
    """
    if not _asked(campaign.game.seen_by(side).pending, side):
        return []
    watch = Watch(campaign.state_at(campaign.head), side)
    pending, found = watch.game.pending, []
    for question in _asked(pending, side):
        texts = [] if isinstance(pending, Sealed) else list(islice(_answers(watch, question), MOST_ANSWERS + 1))
        whose = question.side.id
        inputs = [Input("answer", whose, text, question.name) for text in texts[:MOST_ANSWERS]]
        odds = tuple(odds_of(campaign, [given], side, limits, progress) for given in inputs)
        found.append(_open(watch, question, odds, more=len(texts) > MOST_ANSWERS))
    return found


def _asked(pending: object, side: str) -> list[Question | EachQuestion]:
    """The questions to a side, or to all for the umpire, among what is awaited."""
    found = pending.open if isinstance(pending, Sealed) else [pending]
    return [x for x in found if isinstance(x, Question | EachQuestion) and side in {UMPIRE, x.side.id}]


def _open(
    watch: Watch, question: Question | EachQuestion, odds: tuple[odds_model.Odds, ...], *, more: bool
) -> odds_model.Open:
    awaited = next((a for a in awaiting_of(watch.game, watch.side) if _is(a, question)), None)
    prompt = awaited.prompt if awaited is not None else ""
    told = odds_model.Open(
        question.side.id, question.name, prompt, tuple(_left(watch)), tuple(_candidates(watch, question)), (), more
    )
    return attrs.evolve(watch.game.seat(watch.side).told(told), answers=odds)


def _is(awaited: Awaited, question: Question | EachQuestion) -> bool:
    return (awaited.kind, awaited.side, awaited.name) == ("question", question.side.id, question.name)


# ---- answers
def _answers(watch: Watch, question: Question | EachQuestion) -> Iterator[str]:
    """What the side may answer, as it would type it. Which answers there are does not depend on anything hidden from it."""
    seat = watch.game.seat(watch.side)
    try:
        for answer in every_answer(question):
            yield seat.told(_said(answer))
    except (*TROUBLE, Refused):
        return


def _said(answer: Any) -> str:
    if isinstance(answer, Shares):
        return shares_said(answer) or "none"
    if isinstance(answer, dict):
        return "; ".join(f"{say(item)} {_said(chosen)}" for item, chosen in answer.items())
    return say(answer)


# ---- what they go by
def _left(watch: Watch) -> Iterator[odds_model.Left]:
    """The numbers that the asking procedure has named, as far as the side may know them."""
    game = watch.game
    frames = [run.gi_frame.f_locals.get("F") for run in chain_of(game.running) if run.gi_frame is not None]
    frame = next((one for one in reversed(frames) if one is not None), None)
    key = next((key for key, one in game.world.frames.items() if one is frame), "")
    routine = game.program.rules.routines.get(key)
    for name in routine.frame if routine is not None else ():
        value = getattr(frame, f"n_{py(name)}", None)
        if isinstance(value, int | Fraction) and not isinstance(value, bool):
            yield odds_model.Left(name, say(value))


def _candidates(watch: Watch, question: Question | EachQuestion) -> Iterator[odds_model.Candidate]:
    """The things that may be chosen. Their order reveals nothing about their names."""
    game, side = watch.game, watch.side
    options = question.options if isinstance(question, EachQuestion) else [question.candidates]
    things = [x for x in dict.fromkeys(x for some in options for x in some) if isinstance(x, Thing)]
    if game.world.incognito is not None:
        things.sort(key=lambda x: game.seat(side).told(say(x)))
    for x in things[:MOST_CANDIDATES]:
        if game.world.knowledge.concealed(x, side):
            continue
        seen = watch.seen(x)
        tracks = tuple((track, seen.fields[track]) for track in seen.tracks if track in seen.fields)
        yield odds_model.Candidate(
            say(x), title_of(seen), seen.side, number_of(seen), _appeal(watch, question, x), tracks
        )


def _appeal(watch: Watch, question: Question | EachQuestion, x: Any) -> str:
    """What choosing a thing is worth according to the rules; empty if they do not say, or if it depends on something hidden."""
    if isinstance(question, EachQuestion):
        return ""
    try:
        program = watch.game.program
        if not is_told(program, question.name, 1, strict=False) or is_of_sets(program, question.name):
            return ""
        return say(appeal_of(watch.game.world, question.name)(x))
    except TROUBLE:
        return ""
