"""The policy `random`: it takes any legal input, drawn from a seed."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

from dsl import ir
from interpreter.automated.policy import NothingLegal
from interpreter.codegen.python_names import slot_of
from interpreter.commands.command import Command
from interpreter.commands.plain_commands import MOST_IN_VAIN
from interpreter.commands.sight import Sight
from interpreter.geometry.place_graph import steps_between
from interpreter.machine import Game
from interpreter.messages.asking import EachQuestion, Question, Roll, Sealed, Window
from interpreter.messages.every_answer import formed
from interpreter.messages.inputs import Awaited, Input
from interpreter.program.program_data import OrderProgram
from interpreter.queries.awaited import shares_said
from interpreter.runtime.die_rolls import read_dice
from interpreter.runtime.frames import Frame
from interpreter.runtime.runtime import Shares, say
from interpreter.runtime.things import Thing, Value

__all__ = ["RandomPolicy"]

SAMPLES = 40
"""The number of answers drawn at random before legal ones are searched in order."""
MOST_SEARCHED = 50_000
"""The number of answers tried in order before a question is taken to have no legal answer."""
OPEN = 10
"""For a random policy an order with more arguments counts as this many commands for each thing that it can be given to."""
TOGETHER = 0.75
"""How often a random policy sends something to the goal of the last one, or as near as possible."""
MOST_EACH = 64
"""For a question about several things, the number of answers of each thing tried in order."""
SETS = 6
"""The number of sets of several things drawn for an argument that takes several."""
LARGEST = 6
"""The most things in such a set."""


class RandomPolicy:
    """Makes any legal choice, drawn from a seed."""

    def __init__(self, seed: int | str = 0) -> None:
        self.chance = random.Random(f"{seed}")
        self._window: tuple[object, ...] | None = None
        self._given = self._in_vain = 0
        self._said: set[str] = set()
        self._goal: Value = None

    def choose(self, game: Game, awaited: Awaited) -> Input:
        """The next input for what the game is waiting for. Raises NothingLegal if there is none."""
        pending = game.pending
        if isinstance(pending, Sealed):
            pending = next(q for q in pending.open if (q.side.id, q.name) == (awaited.side, awaited.name))
        if awaited.kind == "dice":
            assert isinstance(pending, Roll)
            dice = read_dice(pending.dice)
            total = dice.plus + sum(self.chance.randint(1, dice.faces) for _ in range(dice.count))
            return Input("roll", "umpire", str(total), "")
        if awaited.kind == "orders":
            assert isinstance(pending, Window)
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
        weights = self._weights(sight, window, side)
        enough = self._given > 4 * size or self.chance.random() * (sum(weights.values()) + OPEN) < OPEN
        if enough and not game.orders.still_open(owner):
            return "done"
        command = self._any(sight, weights, side)
        if command is not None:
            return command.text
        shut = game.orders.still_open(owner)
        if shut:
            raise NothingLegal(
                f"{side_id} has no legal order and cannot end the phase: {game.seat(side_id).told(shut[0].message)}"
            )
        return "done"

    def _count(self, game: Game, side_id: str) -> None:
        """Counts the orders of one window."""
        key = (game.turn, tuple(game.world.phases), side_id, game.active)
        if key != self._window:
            self._window, self._given, self._said, self._goal = key, 0, set(), None
        self._given += 1

    def _size(self, sight: Sight, window: Window, side: Thing) -> int:
        """How many things the side could give orders to."""
        size = 1
        for name in window.orders:
            order = sight.commands.orders[name]
            kind = order.params[0][2] if order.params else None
            if kind is not None and kind.name == "thing":
                size = max(size, sum(x.side is side for x in sight.world.all_of(kind.word)))
        return size

    def _any(self, sight: Sight, weights: dict[str, int], side: Thing) -> Command | None:
        """A legal command, or None if there is none; weights: the relative probability of each order."""
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

    def _weights(self, sight: Sight, window: Window, side: Thing) -> dict[str, int]:
        """The approximate number of commands of each order, so that an order that takes back others is not chosen too often."""
        orders = {n: sight.commands.orders[n] for n in window.orders}
        return {n: self._givers(sight, o, side) * (OPEN if len(o.params) > 1 else 1) for n, o in orders.items()}

    @staticmethod
    def _givers(sight: Sight, order: OrderProgram, side: Thing) -> int:
        """How many own things can be the first argument of an order, checked on its own; 1 if it needs none."""
        frame = sight.world.frame(f"order {order.name}", side, None)
        if sight.commands.clauses.bars(order, frame, side, 0):
            return 0
        if not order.params or order.params[0][2].name != "thing" or order.params[0][3]:
            return 1
        count = 0
        for x in sight.world.all_of(order.params[0][2].word):
            if getattr(x, "side", side) is side:
                setattr(frame, slot_of(order.params[0][1]), x)
                frame.memo.clear()
                count += not sight.commands.clauses.bars(order, frame, side, 1)
        return count

    def _commands(self, sight: Sight, order: OrderProgram, side: Thing, each: int = 0) -> Iterator[Command]:
        """Legal commands of one order in random sequence. each: the most for one first argument."""
        frame = sight.world.frame(f"order {order.name}", side, None)
        self._in_vain = 0
        if not sight.commands.clauses.bars(order, frame, side, 0):
            yield from self._fill(sight, order, frame, side, 0, each)

    def _fill(
        self, sight: Sight, order: OrderProgram, frame: Frame, side: Thing, at: int, each: int
    ) -> Iterator[Command]:
        commands = sight.commands
        if at == len(order.params):
            self._in_vain = 0
            yield commands.settled(order, frame, side)
            return
        _, name, _, many = order.params[at]
        domain = commands.domains.of_argument(order, frame, at)
        values = self._sets(sight, order, frame, side, at, domain) if many else self._values(domain)
        if self._goal is not None and any(isinstance(c.said, ir.Reaching) and c.goal == name for c in order.clauses):
            values = self._together(sight, values)
        for value in values:
            self._in_vain += 1
            if self._in_vain > MOST_IN_VAIN:  # then the side gives no such order
                return
            setattr(frame, slot_of(name), value)
            frame.memo.clear()
            if commands.clauses.bars(order, frame, side, at + 1):
                continue
            rest = self._fill(sight, order, frame, side, at + 1, each)
            yield from itertools.islice(rest, each) if each and at == 0 else rest

    def _together(self, sight: Sight, goals: Iterator[Value]) -> Iterator[Value]:
        """Goals in random sequence, or starting with those nearest to the goal of the last one, so that groups stay together."""
        if self.chance.random() >= TOGETHER:
            return goals
        grid = sight.world.grid
        return iter(sorted(goals, key=lambda g: steps_between(grid, g.place.index, self._goal.index)))

    def _values(self, domain: Sequence[Value]) -> Iterator[Value]:
        """The values of an argument in random sequence."""
        pool = list(domain)
        for left in range(len(pool), 0, -1):
            at = self.chance.randrange(left)
            pool[at], pool[left - 1] = pool[left - 1], pool[at]
            yield pool[left - 1]

    def _sets(
        self, sight: Sight, order: OrderProgram, frame: Frame, side: Thing, at: int, domain: Sequence[Value]
    ) -> Iterator[list[Value]]:
        """Sets of things for which the order is possible individually, in random sequence: some of several, then single ones."""
        slot = slot_of(order.params[at][1])
        able = []
        for one in domain:
            setattr(frame, slot, [one])
            frame.memo.clear()
            if not sight.commands.clauses.bars(order, frame, side, at + 1):
                able.append(one)
        for _ in range(min(len(able), SETS)):
            yield self.chance.sample(able, self.chance.randint(1, min(LARGEST, len(able))))
        for one in self._values(able):
            yield [one]

    # ---- questions
    def _answer(self, game: Game, question: Question) -> Value:
        del game
        for _ in range(SAMPLES):
            drawn = self._drawn(question)
            if question.legal(drawn):
                return drawn
        for answer in itertools.islice(formed(question), MOST_SEARCHED):
            if question.legal(answer):
                return answer
        raise NothingLegal(f"{question.side.id} found no legal answer to {question.name}.")

    def _drawn(self, question: Question) -> Value:
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

    def _split(self, sharers: list[Value], amount: int) -> Shares:
        """Shares drawn so that every way to cut a row of `amount` into that many pieces is equally likely."""
        cuts = sorted(self.chance.sample(range(amount + len(sharers) - 1), len(sharers) - 1))
        ends = [-1, *cuts, amount + len(sharers) - 1]
        return Shares.of(sharers, {x: ends[n + 1] - ends[n] - 1 for n, x in enumerate(sharers)})

    def _each(self, game: Game, question: EachQuestion) -> str:
        for answer in itertools.islice(self._each_answers(game, question), MOST_SEARCHED):
            if question.trouble(answer) is None:
                return "; ".join(f"{say(item)} {say(chosen)}" for item, chosen in answer.items())
        raise NothingLegal(f"{question.side.id} found no legal answer to {question.name}.")

    def _each_answers(self, game: Game, question: EachQuestion) -> Iterator[dict[Thing, object]]:
        """Answers drawn item by item, then by one ranking of the choices for all items, then all possible ones."""
        del game
        asked = [question.asked(at) for at in range(len(question.items))]
        for _ in range(SAMPLES):
            yield {i: self._drawn(q) for i, q in zip(question.items, asked, strict=True)}
        if question.kind not in {"one", "words"}:
            for parts in itertools.product(*(list(itertools.islice(formed(q), MOST_EACH)) for q in asked)):
                yield dict(zip(question.items, parts, strict=True))
            return
        words = list(dict.fromkeys(x for options in question.options for x in options))
        for _ in range(SAMPLES * 5):
            self.chance.shuffle(words)
            rank = {w: n for n, w in enumerate(words)}
            yield {i: min(o, key=rank.__getitem__) for i, o in zip(question.items, question.options, strict=True)}
        for picked in itertools.product(*question.options):
            yield dict(zip(question.items, picked, strict=True))


def _said(answer: object) -> str:
    """An answer as it is typed."""
    return shares_said(answer) or "none" if isinstance(answer, Shares) else say(answer)
