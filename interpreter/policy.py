"""Automated sides: policies that give orders, answer questions and roll dice, for trials of rules and for absent players.

A policy sees what a player of the side sees itself asked; its inputs go through the same door as typed ones. `random`
takes anything legal. `greedy` takes what the rules find most appealing: a value named `appeal-of-ORDER` with the arguments of
that order says how much a command is worth (nothing above 0: it is not given), and `appeal-of-QUESTION of X` how much a
candidate is worth, or of several things (`some things`) a whole answer. Without such values it closes up to the enemy and fights where it is not outnumbered. `mixed` does now the
one, now the other.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from dsl import ir
from interpreter.answer_reader import even_split
from interpreter.asking import EachQuestion, Question, Sealed, Window
from interpreter.awaited import shares_said
from interpreter.codegen.python_names import py
from interpreter.commands import MOST_IN_VAIN, Command, Sight, slot_of
from interpreter.dice import read_dice
from interpreter.failures import in_words
from interpreter.inputs import Awaited, Input
from interpreter.play import Game
from interpreter.program import OrderProgram, Program
from interpreter.runtime import TROUBLE, RuleTrouble, Shares, say
from interpreter.world import World

__all__ = [
    "POLICIES",
    "GreedyPolicy",
    "MixedPolicy",
    "NothingLegal",
    "Policy",
    "RandomPolicy",
    "chosen_by",
    "make_policy",
    "policies_of",
    "step",
]

SAMPLES = 40
"""So many answers are drawn at random before legal ones are looked for in order."""
MOST_SEARCHED = 50_000
"""So many answers are looked at in order before a question counts as one that cannot be answered."""
GIVERS = 6
"""A greedy policy compares the commands of so many first arguments, and of more only while it finds nothing good."""
OPEN = 10
"""To a random policy an order with more arguments counts as so many commands for each thing that it can be given to."""
TOGETHER = 0.75
"""So often a random policy lets something go to where it sent the last one, as near as it can get."""
MOST_EACH = 64
"""Of a question for several things so many answers of each thing are looked at in order."""
ON_TWO_MAPS = 10_000
"""So far from each other are places between which there is no distance."""
SETS = 6
"""So many sets of several things are drawn for an argument that takes several."""
LARGEST = 6
"""So many things are at most in such a set."""
SEVERAL = {"some", "up_to", "exactly"}
"""The kinds of questions that are answered with several things."""
IN_VAIN = 4
"""So many things are added to an answer although it is worth less with them: some pay only together."""
EACH = 24
"""A greedy policy draws so many commands of one first argument; from the best it goes on step by step to better places."""


class NothingLegal(Exception):
    """Nothing that could be given is legal: the game cannot go on from here."""


class Policy(Protocol):
    """Something that plays a side."""

    def choose(self, game: Game, awaited: Awaited) -> Input:
        """The next input for what is awaited. Raises NothingLegal when there is none."""


def make_policy(name: str, seed: int | str) -> Policy:
    """A policy by name, or one for each side: `red=greedy,random` is greedy for red and random for all others.

    Raises KeyError for an unknown one.
    """
    if name in POLICIES:
        return POLICIES[name](seed)
    usual, by_side = policies_of(name)
    return EachItsOwn(POLICIES[usual](seed), {side: POLICIES[one](f"{seed}/{side}") for side, one in by_side.items()})


def policies_of(name: str) -> tuple[str, dict[str, str]]:
    """What `red=greedy,random` says: the policy of all other sides (random if none is said), and those of sides."""
    usual, by_side = "random", {}
    for part in name.split(","):
        side, given, policy = part.strip().partition("=")
        if given:
            by_side[side] = policy
        else:
            usual = side
    return usual, by_side


class EachItsOwn:
    """Lets each side be played by a policy of its own."""

    def __init__(self, usual: Policy, by_side: dict[str, Policy]) -> None:
        self._usual, self._by_side = usual, by_side

    def choose(self, game: Game, awaited: Awaited) -> Input:
        """The next input for what is awaited. Raises NothingLegal when there is none."""
        return self._by_side.get(awaited.side, self._usual).choose(game, awaited)


@in_words
def chosen_by(game: Game, policy: Policy, awaited: Awaited) -> Input:
    """What a policy gives a game. Raises NothingLegal, and RuleFailure where a rule fails that it goes by."""
    return policy.choose(game.seen_by(awaited.side), awaited)


def step(game: Game, policies: Policy, chance: random.Random) -> Input:
    """The next input of a game that one policy plays for all sides; who comes first among several is left to chance.

    Raises NothingLegal, RuleFailure: as for `chosen_by`.
    """
    awaited = game.waiting
    return chosen_by(game, policies, awaited[0] if len(awaited) == 1 else chance.choice(awaited))


class RandomPolicy:
    """Plays anything legal, from a seed."""

    def __init__(self, seed: int | str = 0) -> None:
        self.chance = random.Random(f"{seed}")
        self._window: Any = None
        self._given = self._in_vain = 0
        self._said: set[str] = set()
        self._goal: Any = None

    def choose(self, game: Game, awaited: Awaited) -> Input:
        """The next input for what is awaited. Raises NothingLegal when there is none."""
        pending = game.pending
        if isinstance(pending, Sealed):
            pending = next(q for q in pending.open if (q.side.id, q.name) == (awaited.side, awaited.name))
        if awaited.kind == "dice":
            dice = read_dice(pending.dice)
            total = dice.plus + sum(self.chance.randint(1, dice.faces) for _ in range(dice.count))
            return Input("roll", "umpire", str(total), "")
        if awaited.kind == "orders":
            side = next(s for s in pending.waiting if s.id == awaited.side)
            with game.commands.sight_of(side, game.commands.veils) as sight:
                return Input("do", awaited.side, self._order(game, sight, pending, awaited.side))
        if isinstance(pending, EachQuestion):
            return Input("answer", awaited.side, self._each(game, pending), awaited.name)
        if isinstance(pending, Question):
            return Input("answer", awaited.side, _said(self._answer(game, pending)), awaited.name)
        raise NothingLegal("The game is over.")

    # ---- orders
    def _order(self, game: Game, sight: Sight, window: Window, side_id: str) -> str:
        owner = next(s for s in window.waiting if s.id == side_id)
        side = sight.there(owner)
        size = self._size(sight, window, side)
        self._count(game, side_id)
        shut = game.orders.still_open(owner)
        weights = self._weights(sight, window, side)
        enough = self._given > 4 * size or self.chance.random() * (sum(weights.values()) + OPEN) < OPEN
        if not shut and enough:
            return "done"
        command = self._any(sight, weights, side)
        if command is not None:
            return command.text
        if shut:
            raise NothingLegal(
                f"{side_id} has no legal order, and may not end: {game.seat(side_id).told(shut[0].text)}"
            )
        return "done"

    def _count(self, game: Game, side_id: str) -> None:
        """Counts the orders of one window."""
        key = (game.turn, tuple(game.world.phases), side_id, game.active)
        if key != self._window:
            self._window, self._given, self._said, self._goal = key, 0, set(), None
        self._given += 1

    def _size(self, sight: Sight, window: Window, side: Any) -> int:
        """How many things the side could give orders to."""
        size = 1
        for name in window.orders:
            order = sight.commands.orders[name]
            kind = order.params[0][2] if order.params else None
            if kind is not None and kind.name == "thing":
                size = max(size, sum(x.side is side for x in sight.world.all_of(kind.word)))
        return size

    def _any(self, sight: Sight, weights: dict[str, int], side: Any) -> Command | None:
        """A legal command, or None when there is none at all; weights: how likely each order is."""
        left = dict(weights)
        while left:
            name = self.chance.choices(list(left), [w + 1 for w in left.values()])[0]
            del left[name]
            order = sight.commands.orders[name]
            found = next(self._commands(sight, order, side), None)
            if found is not None:
                going = next((c for c in order.clauses if isinstance(c.said, ir.Reaching)), None)
                if going is not None:
                    self._goal = getattr(found.frame, slot_of(going.goal)).place
                return found
        return None

    def _weights(self, sight: Sight, window: Window, side: Any) -> dict[str, int]:
        """About how many commands of each order there are: so what takes a command back does not undo all that is done."""
        orders = {n: sight.commands.orders[n] for n in window.orders}
        return {n: self._givers(sight, o, side) * (OPEN if len(o.params) > 1 else 1) for n, o in orders.items()}

    @staticmethod
    def _givers(sight: Sight, order: OrderProgram, side: Any) -> int:
        """How many own things could stand first in an order, as far as that alone is asked; 1 where none need stand."""
        frame = sight.world.frame(f"order {order.name}", side, None)
        if sight.commands.bars(order, frame, side, 0):
            return 0
        if not order.params or order.params[0][2].name != "thing" or order.params[0][3]:
            return 1
        count = 0
        for x in sight.world.all_of(order.params[0][2].word):
            if getattr(x, "side", side) is side:
                setattr(frame, slot_of(order.params[0][1]), x)
                frame.memo.clear()
                count += not sight.commands.bars(order, frame, side, 1)
        return count

    def _commands(self, sight: Sight, order: OrderProgram, side: Any, each: int = 0) -> Iterator[Command]:
        """Legal commands of one order in a random order. each: at most so many of one first argument."""
        frame = sight.world.frame(f"order {order.name}", side, None)
        self._in_vain = 0
        if not sight.commands.bars(order, frame, side, 0):
            yield from self._fill(sight, order, frame, side, 0, each)

    def _fill(self, sight: Sight, order: OrderProgram, frame: Any, side: Any, at: int, each: int) -> Iterator[Command]:
        commands = sight.commands
        if at == len(order.params):
            self._in_vain = 0
            yield commands.settled(order, frame, side)
            return
        _, name, _, many = order.params[at]
        domain = commands.domain(order, frame, at)
        values = self._sets(sight, order, frame, side, at, domain) if many else self._values(domain)
        if self._goal is not None and any(isinstance(c.said, ir.Reaching) and c.goal == name for c in order.clauses):
            values = self._together(sight, values)
        for value in values:
            self._in_vain += 1
            if self._in_vain > MOST_IN_VAIN:  # then it gives no such order
                return
            setattr(frame, slot_of(name), value)
            frame.memo.clear()
            if commands.bars(order, frame, side, at + 1):
                continue
            rest = self._fill(sight, order, frame, side, at + 1, each)
            yield from itertools.islice(rest, each) if each and at == 0 else rest

    def _together(self, sight: Sight, goals: Iterator[Any]) -> Iterator[Any]:
        """Goals in a random order, or those first that are nearest to where the last one went: groups keep together."""
        if self.chance.random() >= TOGETHER:
            return goals
        grid = sight.world.grid
        return iter(sorted(goals, key=lambda g: _steps(grid, g.place.index, self._goal.index)))

    def _values(self, domain: Sequence[Any]) -> Iterator[Any]:
        """The values of an argument in a random order."""
        pool = list(domain)
        for left in range(len(pool), 0, -1):
            at = self.chance.randrange(left)
            pool[at], pool[left - 1] = pool[left - 1], pool[at]
            yield pool[left - 1]

    def _sets(
        self, sight: Sight, order: OrderProgram, frame: Any, side: Any, at: int, domain: Sequence[Any]
    ) -> Iterator[list[Any]]:
        """Sets of those things that could be given the order alone, in a random order: some of several, then single ones."""
        slot = slot_of(order.params[at][1])
        able = []
        for one in domain:
            setattr(frame, slot, [one])
            frame.memo.clear()
            if not sight.commands.bars(order, frame, side, at + 1):
                able.append(one)
        for _ in range(min(len(able), SETS)):
            yield self.chance.sample(able, self.chance.randint(1, min(LARGEST, len(able))))
        for one in self._values(able):
            yield [one]

    # ---- questions
    def _answer(self, game: Game, question: Question) -> Any:
        del game
        for _ in range(SAMPLES):
            drawn = self._drawn(question)
            if question.legal(drawn):
                return drawn
        for answer in itertools.islice(_all_answers(question), MOST_SEARCHED):
            if question.legal(answer):
                return answer
        raise NothingLegal(f"{question.side.id} finds no legal answer to {question.name}.")

    def _drawn(self, question: Question) -> Any:
        candidates, amount = question.candidates, question.amount or 0
        if question.kind == "split":
            return self._split(candidates, amount)
        if question.kind == "number":
            return self.chance.randint(0, amount)
        if question.kind in {"one", "words"}:
            return self.chance.choice(candidates)
        if question.kind == "exactly":
            return self.chance.sample(candidates, amount)
        most = min(amount, len(candidates)) if question.kind == "up_to" else len(candidates)
        return self.chance.sample(candidates, self.chance.randint(0, most))

    def _split(self, sharers: list[Any], amount: int) -> Shares:
        """Shares drawn so that every way to cut a row of `amount` into as many pieces is as likely."""
        cuts = sorted(self.chance.sample(range(amount + len(sharers) - 1), len(sharers) - 1))
        ends = [-1, *cuts, amount + len(sharers) - 1]
        return Shares.of(sharers, {x: ends[n + 1] - ends[n] - 1 for n, x in enumerate(sharers)})

    def _each(self, game: Game, question: EachQuestion) -> str:
        for answer in itertools.islice(self._each_answers(game, question), MOST_SEARCHED):
            if question.trouble(answer) is None:
                return "; ".join(f"{say(item)} {say(chosen)}" for item, chosen in answer.items())
        raise NothingLegal(f"{question.side.id} finds no legal answer to {question.name}.")

    def _each_answers(self, game: Game, question: EachQuestion) -> Iterator[dict[Any, Any]]:
        """Answers drawn item by item, then by one ranking of the choices for all items, then all there are."""
        del game
        asked = [question.asked(at) for at in range(len(question.items))]
        for _ in range(SAMPLES):
            yield {i: self._drawn(q) for i, q in zip(question.items, asked, strict=True)}
        if question.kind not in {"one", "words"}:
            for parts in itertools.product(*(list(itertools.islice(_all_answers(q), MOST_EACH)) for q in asked)):
                yield dict(zip(question.items, parts, strict=True))
            return
        words = list(dict.fromkeys(x for options in question.options for x in options))
        for _ in range(SAMPLES * 5):
            self.chance.shuffle(words)
            rank = {w: n for n, w in enumerate(words)}
            yield {i: min(o, key=rank.__getitem__) for i, o in zip(question.items, question.options, strict=True)}
        for picked in itertools.product(*question.options):
            yield dict(zip(question.items, picked, strict=True))


class GreedyPolicy(RandomPolicy):
    """Plays what the rules' own `appeal-of-…` values find best; without them it seeks the enemy."""

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
                f"{side_id} has no legal order, and may not end: {game.seat(side_id).told(shut[0].text)}"
            )
        if command is None:
            return "done"
        self._said.add(command.text)
        return command.text

    def _best(self, sight: Sight, window: Window, side: Any) -> Command | None:
        """The most appealing command among some, or None when none appeals."""
        best: Command | None = None
        most: Any = 0
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
                worth = self._worth(sight, appeal, command)
                if worth is not None and worth > most:
                    best, most = command, worth
            while best is not None and best is not before:
                before = best
                for command in self._beside(sight, order, best, side):
                    worth = None if command.text in self._said else self._worth(sight, appeal, command)
                    if worth is not None and worth > most:
                        best, most = command, worth
        return best

    @staticmethod
    def _beside(sight: Sight, order: OrderProgram, command: Command, side: Any) -> Iterator[Command]:
        """Legal commands that lead one step beside where a command leads: what was drawn is a few places of many."""
        at = len(order.params) - 1
        if at < 0 or order.params[at][3] or order.params[at][2].name != "thing":
            return
        slots = [slot_of(name) for _, name, _, _ in order.params]
        goal = getattr(command.frame, slots[at])
        if sight.world.ruleset.kinds[goal.kind].word != "place":
            return
        frame = sight.commands.settled(order, command.frame, side).frame  # with what its clauses have named
        able = {place.index for place in sight.commands.domain(order, frame, at)}
        for index in sight.world.grid.adjacent(goal.index):
            if index in able:
                setattr(frame, slots[at], sight.world.places[index])
                frame.memo.clear()
                if not sight.commands.bars(order, frame, side, at + 1):
                    yield sight.commands.settled(order, frame, side)

    @staticmethod
    def _worth(sight: Sight, appeal: Callable[[Command], Any], command: Command) -> Any:
        """What a command is worth, as far as the side can tell; None when that rests on what is hidden from it."""
        try:
            return appeal(command)
        except TROUBLE as error:
            if not sight.commands.unknown(error):
                raise
            return None

    def _appeal_of(self, sight: Sight, order: OrderProgram, side: Any) -> Callable[[Command], Any] | None:
        """What tells how much a command of this order is worth; None for an order that is never worth giving."""
        if is_told(sight.world.program, order.name, len(order.params)):
            function = appeal_of(sight.world, order.name)
            slots = [slot_of(p[1]) for p in order.params]
            return lambda command: function(*(getattr(command.frame, s) for s in slots))
        foes = [x for x in _units(sight) if x.side is not side and x.place is not None]
        grid = sight.world.grid
        held = {x.place.index for x in foes}
        gaps: dict[int, int] = {}

        def gap(place: Any) -> int:
            """How far the nearest enemy is from a place."""
            if place.index not in gaps:
                gaps[place.index] = min((_steps(grid, place.index, i) for i in held), default=0)
            return gaps[place.index]

        going = next((c for c in order.clauses if isinstance(c.said, ir.Reaching)), None)
        if going is not None:

            def nearer(command: Command) -> Any:
                mover = sight.world.functions[going.name](command.frame)
                goal = getattr(command.frame, slot_of(going.goal)).place
                return gap(mover.place) - gap(goal)

            return nearer
        target = next((p for p in reversed(order.params) if p[2].name == "thing" and not p[3]), None)
        if target is None or not order.rolls:
            return None
        own = [x for x in _units(sight) if x.side is side and x.place is not None]

        def stronger(command: Command) -> Any:
            place = getattr(command.frame, slot_of(target[1])).place
            if place is None:
                return 0
            there = sum(x.place is place for x in foes)
            return 1 + sum(_steps(grid, x.place.index, place.index) <= 1 for x in own) - there if there else 0

        return stronger

    # ---- questions
    def _answer(self, game: Game, question: Question) -> Any:
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
    def _grown(game: Game, question: Question) -> list[list[Any]]:
        """Answers of several things, the one that is worth most as a whole first.

        Each is the one before with whatever makes the whole worth most: what pays only together is found as well.
        """
        whole: list[Any] = []
        grown: list[tuple[Any, list[Any]]] = []
        with game.commands.sight_of(question.side, game.commands.veils) as sight:
            worth = _worth_in(sight, question.name)
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
        game: Game, question: Question | EachQuestion, candidates: Iterable[Any], *before: Any
    ) -> list[tuple[Any, Any]]:
        """Candidates with what each is worth as far as the side can tell, the best first. before: what they would be chosen for.

        What rests on something hidden from the side is worth 0.
        """
        with game.commands.sight_of(question.side, game.commands.veils) as sight:
            worth = _worth_in(sight, question.name, len(before) + 1)
            found = [(c, worth(*before, c)) for c in candidates]
        return sorted(found, key=lambda one: one[1], reverse=True)

    @staticmethod
    def _liked(question: Question, liked: list[tuple[Any, Any]], *, blind: bool) -> Iterator[Any]:
        """Answers in the order in which they are liked. blind: nothing tells one candidate from another."""
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

    def _each_answers(self, game: Game, question: EachQuestion) -> Iterator[dict[Any, Any]]:
        for count in (2, 1):
            if is_told(game.program, question.name, count, strict=False):
                pairs = list(zip(question.items, question.options, strict=True))
                with game.commands.sight_of(question.side, game.commands.veils):
                    ranked = [self._ranked(game, question, options, *[i][: count - 1]) for i, options in pairs]
                answers = (self._liked(question.asked(at), liked, blind=False) for at, liked in enumerate(ranked))
                yield {i: next(answer) for (i, _), answer in zip(pairs, answers, strict=True)}
        yield from super()._each_answers(game, question)


class MixedPolicy:
    """Plays now like the one, now like the other: it gets into fights, and then does odd things in them."""

    def __init__(self, seed: int | str = 0) -> None:
        self.chance = random.Random(f"{seed}/mixed")
        self._both: tuple[Policy, ...] = (RandomPolicy(f"{seed}/random"), GreedyPolicy(f"{seed}/greedy"))

    def choose(self, game: Game, awaited: Awaited) -> Input:
        """The next input for what is awaited. Raises NothingLegal when there is none."""
        return self.chance.choice(self._both).choose(game, awaited)


POLICIES: dict[str, Callable[[int | str], Policy]] = {
    "random": RandomPolicy,
    "greedy": GreedyPolicy,
    "mixed": MixedPolicy,
}
"""The policies by name."""


def is_told(program: Program, name: str, count: int, *, strict: bool = True) -> bool:
    """Whether the rules have a value of their own for what is worth choosing.

    Raises RuleTrouble for one that takes another number of arguments.
    """
    routine = program.rules.routines.get(f"appeal-of-{name}")
    if routine is None or routine.word != "value":
        return False
    if len(routine.params) != count and strict:
        raise RuleTrouble(f"appeal-of-{name} takes {len(routine.params)} arguments; {name} has {count}.")
    return len(routine.params) == count


def appeal_of(world: World, name: str) -> Callable[..., Any]:
    """The rules' own value for what is worth choosing, ready to be called with the arguments of a world."""
    routine = world.program.rules.routines[f"appeal-of-{name}"]
    function: Callable[..., Any] = world.functions[f"v_{py(routine.name)}"]
    if routine.within:
        key = next(
            f"{w} {routine.within}" for w in ("procedure", "order") if f"{w} {routine.within}" in world.program.frames
        )
        frame = world.last_frame(key)
        return lambda *args: function(frame, *args)
    return function


def is_of_sets(program: Program, name: str) -> bool:
    """Whether the rules' value for a question says what a whole answer is worth, not each candidate by itself."""
    return program.rules.routines[f"appeal-of-{name}"].params[0].many


def _worth_in(sight: Sight, name: str, count: int = 1) -> Callable[..., Any]:
    """What tells how much an answer is worth as it is seen; 0 where that rests on what is hidden."""
    assert is_told(sight.world.program, name, count)
    function = appeal_of(sight.world, name)

    def worth(*answer: Any) -> Any:
        try:
            return function(*map(sight.there, answer))
        except TROUBLE as error:
            if not sight.commands.unknown(error):
                raise
            return 0

    return worth


def _best_size(grown: list[tuple[Any, list[Any]]]) -> int:
    """How many things are in the answer that is worth most, of several the smallest."""
    return len(max(grown, key=lambda one: (one[0], -len(one[1])))[1])


def _steps(grid: Any, a: int, b: int) -> int:
    """How far two places are from each other; very far on two maps."""
    try:
        return int(grid.distance(a, b))
    except ValueError:
        return ON_TWO_MAPS


def _said(answer: Any) -> str:
    """An answer as it is typed."""
    return shares_said(answer) or "none" if isinstance(answer, Shares) else say(answer)


def _units(sight: Sight) -> list[Any]:
    kinds = sight.world.ruleset.kinds
    return [x for kind, info in kinds.items() if info.word == "unit" for x in sight.world.all_of(kind)]


def _all_answers(question: Question) -> Iterator[Any]:
    """Every answer of the right form, small ones first."""
    candidates, amount = question.candidates, question.amount or 0
    if question.kind == "number":
        yield from range(amount + 1)
    elif question.kind == "split":
        for cuts in itertools.combinations(range(amount + len(candidates) - 1), len(candidates) - 1):
            ends = [-1, *cuts, amount + len(candidates) - 1]
            yield Shares.of(candidates, {x: ends[n + 1] - ends[n] - 1 for n, x in enumerate(candidates)})
    elif question.kind in {"one", "words"}:
        yield from candidates
    elif question.kind == "exactly":
        yield from (list(c) for c in itertools.combinations(candidates, amount))
    else:
        most = min(amount, len(candidates)) if question.kind == "up_to" else len(candidates)
        for size in range(most + 1):
            yield from (list(c) for c in itertools.combinations(candidates, size))
