"""A game that is followed for odds: what a side may see of it, before the dice and at the end of each outcome."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from campaigns.views.force_forest import title_of
from campaigns.views.strengths import number_field, number_of
from dsl.text.shown import COUNTER_SHOWS, SCORE_SHOWS
from interpreter.codegen.python_names import py
from interpreter.messages.asking import Question, Roll, Sealed, Window
from interpreter.messages.happenings import DiceFell, Noted, StoryEnded
from interpreter.messages.inputs import Event, Input, Refused, RuleFailure
from interpreter.messages.sides import UMPIRE
from interpreter.messages.story_parts import StoryRow
from interpreter.outcomes.alike import place_of
from interpreter.outcomes.standings import SideStanding
from interpreter.queries.project import awaiting_of, thing_view
from interpreter.runtime.hidden import Hidden
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import TROUBLE, say
from interpreter.runtime.things import Thing
from interpreter.world.seat import readable

V = TypeVar("V")

if TYPE_CHECKING:
    from interpreter.machine import Game
    from interpreter.messages.view import ThingView

__all__ = ["HIDDEN", "SEALED", "Watch"]

HIDDEN, SEALED = "hidden", "sealed"
"""Why nothing more can be said: what follows depends on something hidden, or on what others have answered in secret."""
MOST_WINDOWS = 100
"""How many windows are ended at most on the way to dice."""
FORCES = frozenset({"unit", "formation", "component"})
"""Words of kinds whose things a side can lose."""


class Watch:
    """A separate game, as a side may know it, that waits for all dice. It cannot be used for anything else afterwards.

    events: what has happened in it before the first dice. stopped: why it could not be followed that far, or empty.
    """

    def __init__(self, game: Game, side: str) -> None:
        self.game = game.seen_by(side)
        self.side = side
        self.events: list[Event] = []
        self.stopped = ""
        if side == UMPIRE:
            self.game.throwing.typed, self.game.keeps_snapshots = True, False
        else:
            self.game.blindfold(side)
        world = self.game.world
        self._kinds = {k for k, info in world.ruleset.kinds.items() if info.word in FORCES or info.part}
        self._first = SideStanding(world, [])
        self._before = {x.id: self.seen(x) for x in world.by_id.values() if x.kind in self._kinds and x.alive}
        self._scores = self._scored()

    def give(self, inputs: Sequence[Input]) -> None:
        """Gives inputs, one after the other. Raises Refused."""
        if not inputs and any(one.kind == "dice" and not one.name for one in awaiting_of(self.game, self.side)):
            self.stopped = HIDDEN
        for position, given in enumerate(inputs):
            game = self.game
            if position and game.spend(given):
                continue
            if isinstance(game.pending, Roll):
                raise Why.NO_VALUE(
                    f"Dice are rolled before this: {given.text}", hint="Ask only for the odds of what comes before it."
                )
            if isinstance(game.pending, Sealed) and self.side != UMPIRE:
                self.stopped = SEALED
                return
            try:
                self.events += game.offer(game.as_typed(given))
            except RuleFailure as failure:
                self.failed(failure)
                self.stopped = HIDDEN
                return

    def end_windows(self) -> None:
        """Ends all windows of this turn without further orders until dice are rolled, or until somebody must decide something else.

        Which of its things another side takes next is no decision here: it takes the first.
        """
        turn = self.game.turn
        for _ in range(MOST_WINDOWS):
            given = self._passing()
            if self.stopped or given is None or self.game.turn != turn:
                return
            try:
                self.events += self.game.offer(given)
            except Refused:  # it must order something first: that is the decision
                return
            except RuleFailure as failure:
                self.failed(failure)
                self.stopped = HIDDEN

    def _passing(self) -> Input | None:
        """How whoever is asked now does nothing; None if that is not possible."""
        match self.game.pending:
            case Window(waiting=[first, *_]):
                return Input("do", first.id, "done")
            case Question(side=side, name=name, kind="one", secret=False) as asked if side.id != self.side:
                own = [x for x in asked.candidates if isinstance(x, Thing) and x.side is side and asked.legal(x)]
                return Input("answer", side.id, own[0].id, name) if own and len(own) == len(asked.candidates) else None
            case _:
                return None

    # ---- what is noted
    def place(self) -> str:
        """A text that identifies the state of the game, or an empty one."""
        return place_of(self.game, self.game.running, self.game.pending, self._first)

    def failed(self, failure: RuleFailure) -> str:
        """The end if a rule needs something hidden. Raises the failure for the umpire, from whom nothing is hidden."""
        if self.side == UMPIRE:
            raise failure
        return json.dumps({"stop": [[HIDDEN, "", ""]], "things": [], "scores": []})

    def step(self, roll: Roll, events: Sequence[Event]) -> Iterable[str]:
        """The dice that were rolled, the messages of the rules, and the stories that ended."""
        told = [e for e in readable(events, self.side) if isinstance(e.what, DiceFell) and e.what.name == roll.name]
        thrown = [["dice", roll.name, roll.dice, roll.side.id, roll.site]] if told else []
        return [json.dumps(one) for one in self._told((*thrown, *self.said(events)))]

    def left(self) -> Iterable[str]:
        """The stories that are not over at the end of an outcome."""
        for story in self.game.world.stories.open:
            rows = story.rows.get(self.side if self.side in story.rows else "all", story.rows.get(UMPIRE, []))
            yield from map(json.dumps, self._told(_card(story.title, story.procedure, rows)))

    def said(self, events: Sequence[Event]) -> Iterator[list[Any]]:
        """What the rules say in events, and the stories that end in them."""
        before = None
        for event in readable(events, self.side):
            if self.side == UMPIRE and (event.kind, event.text) == before:
                continue  # the umpire reads what was told to each side
            before = event.kind, event.text
            if isinstance(event.what, Noted):
                yield ["note", event.text]
            elif isinstance(event.what, StoryEnded):
                yield from _card(event.text.removesuffix("."), event.what.procedure, event.what.rows)

    def end(self) -> str:
        """The state of the game, as far as the side may know it."""
        stops = [[a.kind, a.side, a.name] for a in awaiting_of(self.game, self.side)]
        scores = self._scored()
        changed = [[s, v] for s, v in scores.items() if v != self._scores.get(s)]
        found = {"stop": stops, "things": list(self._changed()), "scores": changed}
        (told,) = self._told([found])
        return json.dumps(told, separators=(",", ":"))

    def _told(self, found: Iterable[V]) -> list[V]:
        """Data as the side may read it, before it becomes text in which names are no longer references."""
        return self.game.seat(self.side).told(list(found))

    def _changed(self) -> Iterator[list[Any]]:
        """What has changed of things: side, thing, title, property, old and new value."""
        world, first = self.game.world, self._first.things
        still = first.held - {kept.x for kept in first.changed()}
        for x in world.by_id.values():
            if x.kind not in self._kinds or x in still or world.knowledge.concealed(x, self.side):
                continue
            was = self._before.get(x.id)
            if not x.alive:
                if was is not None:
                    yield [was.side, x.id, title_of(was), "removed", "no", "yes", was.part, number_of(was)]
                continue
            try:
                now = self.seen(x)
            except Hidden:  # something has come to light that the side cannot know yet
                continue
            if was is None:
                yield [now.side, x.id, title_of(now), "new", "", now.place, now.part, ""]
            else:
                yield from _differences(was, now, world.knowledge.hidden_from(x, self.side))

    def seen(self, x: Any) -> ThingView:
        """A thing as the side may know it, with the number on its counter. Raises Hidden if something hidden is needed."""
        return attrs.evolve(thing_view(self.game.world, x, self.side), counter=self.worked_out(COUNTER_SHOWS, x))

    def worked_out(self, value: str, x: Any) -> str:
        """A value of the rules for one thing; empty if it has none, or depends on something hidden."""
        world, routine = self.game.world, self.game.program.rules.routines.get(value)
        if routine is None or routine.word != "value" or len(routine.params) != 1 or routine.within:
            return ""
        if x.kind not in world.ruleset.sorts(routine.params[0].type.word):
            return ""
        try:
            return say(world.functions[f"v_{py(value)}"](x))
        except TROUBLE:
            return ""

    def _scored(self) -> dict[str, str]:
        return {side.id: self.worked_out(SCORE_SHOWS, side) for side in self.game.world.by_kind["side"]}


def _card(title: str, procedure: str, rows: Sequence[StoryRow]) -> Iterator[list[Any]]:
    """A story, and each of its rows."""
    yield ["card", procedure, title]
    for row in rows:
        told = [procedure, title, row.name, row.value]
        yield ["row", *told]
        yield ["why", *told, row.why or ()]


def _differences(was: ThingView, now: ThingView, hidden: frozenset[str]) -> Iterator[list[Any]]:
    """What has changed of a thing that still exists. hidden: what the side may no longer know of it, which has not changed."""
    start = [now.side, now.id, title_of(now)]
    if was.place != now.place and "place" not in hidden:
        yield [*start, "place", was.place, now.place, now.part, ""]
    for field in dict.fromkeys((*was.fields, *now.fields)):
        before, after = was.fields.get(field, ""), now.fields.get(field, "")
        if before != after and field not in hidden:
            yield [*start, field, before, after, now.part, ""]
    before, after = number_of(was), number_of(now)
    is_shown = number_field(was) == number_field(now) or hidden.isdisjoint(was.fields)
    if before != after and is_shown:
        yield [*start, "#", before, after, now.part, ""]
