"""The policy `greedy`: it takes what the rules find most appealing.

A value named `appeal-of-ORDER` with the arguments of that order says how much a command is worth (it is not given unless that is
above 0). `appeal-of-QUESTION of X` says how much a candidate is worth, or, of several things (`some things`), a complete answer.
Without such values the policy moves towards the enemy and fights where it is not outnumbered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from dsl import ir
from interpreter.automated.appeals import appeal_of, is_of_sets, is_told, worth_in
from interpreter.automated.policy import NothingLegal
from interpreter.automated.random_policy import RandomPolicy
from interpreter.codegen.python_names import slot_of
from interpreter.commands.command import Command
from interpreter.commands.sight import Sight
from interpreter.geometry.place_graph import steps_between
from interpreter.machine import Game
from interpreter.messages.asking import EachQuestion, Question, Window
from interpreter.play.answer_reader import even_split
from interpreter.program.program_data import OrderProgram
from interpreter.runtime.hidden import is_hidden
from interpreter.runtime.runtime import TROUBLE, Shares
from interpreter.runtime.things import Thing, Value

__all__ = ["GreedyPolicy"]

GIVERS = 6
"""A greedy policy compares the commands of this many first arguments, and of more only while it finds nothing good."""
EACH = 24
"""A greedy policy draws this many commands of one first argument; from the best it proceeds step by step to better places."""
IN_VAIN = 4
"""The most things added to an answer although they lower its worth: some are worth more only together."""
SEVERAL = {"some", "up_to", "exactly"}
"""The kinds of questions whose answers consist of several things."""


class GreedyPolicy(RandomPolicy):
    """Makes the choices that the rules' own `appeal-of-…` values rate highest; without them it moves towards the enemy."""

    def _order(self, game: Game, sight: Sight, window: Window, side_id: str) -> str:
        owner = next(s for s in window.waiting if s.id == side_id)
        side = sight.there(owner)
        self._count(game, side_id)
        shut = game.orders.still_open(owner)
        if not shut and self._given > 4 * self._size(sight, window, side):
            return "done"
        command = self._best(sight, window, side) or (
            self._any(sight, self._weights(sight, window, side), side) if shut else None
        )
        if command is None and shut:
            raise NothingLegal(
                f"{side_id} has no legal order and cannot end the phase: {game.seat(side_id).told(shut[0].message)}"
            )
        if command is None:
            return "done"
        self._said.add(command.text)
        return command.text

    def _best(self, sight: Sight, window: Window, side: Thing) -> Command | None:
        """The highest-rated command among some, or None if none is rated above 0."""
        best: Command | None = None
        most: Value = 0
        for name in window.orders:
            order = sight.commands.orders[name]
            appeal = self._appeal_of(sight, order, side)
            if appeal is None:
                continue
            givers, giver, good, before = 0, None, best, best
            for command in self._commands(sight, order, side, EACH):
                first = getattr(command.frame, slot_of(order.params[0][1])) if order.params else None
                if first is not giver:
                    givers, giver = givers + 1, first
                    if givers > GIVERS and good is not best:
                        break
                if command.text in self._said:
                    continue
                worth = self._worth(appeal, command)
                if worth is not None and worth > most:
                    best, most = command, worth
            while best is not None and best is not before:
                before = best
                for command in self._beside(sight, order, best, side):
                    worth = None if command.text in self._said else self._worth(appeal, command)
                    if worth is not None and worth > most:
                        best, most = command, worth
        return best

    @staticmethod
    def _beside(sight: Sight, order: OrderProgram, command: Command, side: Thing) -> Iterator[Command]:
        """Legal commands that lead one step next to the goal of a command: only a few of many places were drawn."""
        at = len(order.params) - 1
        if at < 0 or order.params[at][3] or order.params[at][2].name != "thing":
            return
        slots = [slot_of(name) for _, name, _, _ in order.params]
        goal = getattr(command.frame, slots[at])
        if sight.world.ruleset.kinds[goal.kind].word != "place":
            return
        frame = sight.commands.settled(order, command.frame, side).frame  # with the names set by its clauses
        able = {place.index for place in sight.commands.domains.of_argument(order, frame, at)}
        for index in sight.world.grid.adjacent(goal.index):
            if index in able:
                setattr(frame, slots[at], sight.world.places[index])
                frame.memo.clear()
                if not sight.commands.clauses.bars(order, frame, side, at + 1):
                    yield sight.commands.settled(order, frame, side)

    @staticmethod
    def _worth(appeal: Callable[[Command], Value], command: Command) -> Value:
        """The worth of a command, as far as the side knows; None if it depends on something hidden from it."""
        try:
            return appeal(command)
        except TROUBLE as error:
            if not is_hidden(error):
                raise
            return None

    def _appeal_of(self, sight: Sight, order: OrderProgram, side: Thing) -> Callable[[Command], Value] | None:
        """The function that rates a command of this order; None for an order that is never worth giving."""
        if is_told(sight.world.program, order.name, len(order.params)):
            function = appeal_of(sight.world, order.name)
            slots = [slot_of(p[1]) for p in order.params]
            return lambda command: function(*(getattr(command.frame, s) for s in slots))
        foes = [x for x in _units(sight) if x.side is not side and x.place is not None]
        grid = sight.world.grid
        held = {x.place.index for x in foes}
        gaps: dict[int, int] = {}

        def gap(place: Thing) -> int:
            """The distance of the nearest enemy from a place."""
            if place.index not in gaps:
                gaps[place.index] = min((steps_between(grid, place.index, i) for i in held), default=0)
            return gaps[place.index]

        going = next((c for c in order.clauses if isinstance(c.said, ir.Reaching)), None)
        if going is not None:

            def nearer(command: Command) -> Value:
                mover = sight.world.functions[going.name](command.frame)
                goal = getattr(command.frame, slot_of(going.goal)).place
                return gap(mover.place) - gap(goal)

            return nearer
        target = next((p for p in reversed(order.params) if p[2].name == "thing" and not p[3]), None)
        if target is None or not order.rolls:
            return None
        own = [x for x in _units(sight) if x.side is side and x.place is not None]

        def stronger(command: Command) -> Value:
            place = getattr(command.frame, slot_of(target[1])).place
            if place is None:
                return 0
            there = sum(x.place is place for x in foes)
            return 1 + sum(steps_between(grid, x.place.index, place.index) <= 1 for x in own) - there if there else 0

        return stronger

    # ---- questions
    def _answer(self, game: Game, question: Question) -> Value:
        told = is_told(game.program, question.name, 1)
        if told and question.kind in SEVERAL and is_of_sets(game.program, question.name):
            for whole in self._grown(game, question):
                if question.legal(whole):
                    return whole
            return super()._answer(game, question)
        candidates = range((question.amount or 0) + 1) if question.kind == "number" else question.candidates
        liked = self._ranked(game, question, candidates) if told else [(c, 1) for c in candidates]
        for answer in self._liked(question, liked, blind=not told):
            if question.legal(answer):
                return answer
        return super()._answer(game, question)

    @staticmethod
    def _grown(game: Game, question: Question) -> list[list[Value]]:
        """Answers of several things, the highest-rated one first.

        Each adds to the one before the thing that raises its worth most; things that are worth more only together are found as well.
        """
        whole: list[Value] = []
        grown: list[tuple[Value, list[Value]]] = []
        with game.commands.sight_of(question.side, game.commands.veils) as sight:
            worth = worth_in(sight, question.name)
            grown.append((worth(whole), whole))
            left = list(question.candidates)
            most = len(left) if question.kind == "some" else min(len(left), question.amount or 0)
            while left and len(whole) < most and len(whole) - _best_size(grown) < IN_VAIN:
                found, at = max(((worth([*whole, x]), -n) for n, x in enumerate(left)), key=lambda one: one)
                whole = [*whole, left.pop(-at)]
                grown.append((found, whole))
        if question.kind == "exactly":
            grown = [one for one in grown if len(one[1]) == question.amount]
        return [things for _, things in sorted(grown, key=lambda one: one[0], reverse=True)]

    @staticmethod
    def _ranked(
        game: Game, question: Question | EachQuestion, candidates: Iterable[Value], *before: object
    ) -> list[tuple[Value, Value]]:
        """Candidates with their worth as far as the side knows, the best first. before: what they would be chosen for.

        A worth that depends on something hidden from the side is 0.
        """
        with game.commands.sight_of(question.side, game.commands.veils) as sight:
            worth = worth_in(sight, question.name, len(before) + 1)
            found = [(c, worth(*before, c)) for c in candidates]
        return sorted(found, key=lambda one: one[1], reverse=True)

    @staticmethod
    def _liked(question: Question, liked: list[tuple[Value, Value]], *, blind: bool) -> Iterator[Value]:
        """Answers in order of preference. blind: candidates cannot be distinguished."""
        ranked = [c for c, _ in liked]
        if question.kind == "number":
            yield from (question.amount,) if blind else ranked
        elif question.kind == "split":
            amount = question.amount or 0
            yield even_split(ranked, amount) if blind else Shares.of(ranked, {ranked[0]: amount})
        elif question.kind in {"one", "words"}:
            yield from () if blind else ranked
        elif question.kind == "exactly":
            yield ranked[: question.amount]
        else:
            wanted = [c for c, worth in liked if worth > 0]
            most = len(wanted) if question.kind != "up_to" else min(len(wanted), question.amount or 0)
            for count in range(most, -1, -1):
                yield wanted[:count]

    def _each_answers(self, game: Game, question: EachQuestion) -> Iterator[dict[Thing, object]]:
        for count in (2, 1):
            if is_told(game.program, question.name, count, strict=False):
                pairs = list(zip(question.items, question.options, strict=True))
                with game.commands.sight_of(question.side, game.commands.veils):
                    ranked = [self._ranked(game, question, options, *[i][: count - 1]) for i, options in pairs]
                answers = (self._liked(question.asked(at), liked, blind=False) for at, liked in enumerate(ranked))
                yield {i: next(answer) for (i, _), answer in zip(pairs, answers, strict=True)}
        yield from super()._each_answers(game, question)


def _best_size(grown: list[tuple[Value, list[Value]]]) -> int:
    """The number of things in the highest-rated answer; if there are several, in the smallest."""
    return len(max(grown, key=lambda one: (one[0], -len(one[1])))[1])


def _units(sight: Sight) -> list[Value]:
    kinds = sight.world.ruleset.kinds
    return [x for kind, info in kinds.items() if info.word == "unit" for x in sight.world.all_of(kind)]
