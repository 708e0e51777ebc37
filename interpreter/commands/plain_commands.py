"""The commands of a world without secrets: read, listed one by one, and checked."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from interpreter.codegen.python_names import slot_of
from interpreter.commands.arguments import Domains
from interpreter.commands.command import Command, command_of
from interpreter.commands.command_reader import CommandReader
from interpreter.commands.refusing_clauses import Clauses, Perhaps
from interpreter.program.program_data import OrderProgram
from interpreter.runtime.frames import Frame
from interpreter.runtime.things import Thing
from interpreter.world.seat import Seat
from interpreter.world.world import World

__all__ = ["MOST_IN_VAIN", "PlainCommands"]

MOST_IN_VAIN = 100_000
"""The most consecutive failed attempts for one order; then the rest is not checked."""


class PlainCommands:
    """Reads, checks and lists commands of one world as it is. seat: of the reader of refusals."""

    def __init__(self, world: World, seat: Seat) -> None:
        self.world = world
        self.orders = world.program.orders
        self.reader, self.clauses = CommandReader(world, seat), Clauses(world)
        self.domains = Domains(world, self.clauses)
        self.patience: int | None = None
        """The number of arguments that may still be tried; None: only consecutive failures are limited."""

    def legal_here(
        self, side: Thing, name: str, *, any_will_do: bool = False, among: Collection[str] | None = None
    ) -> Iterator[Command]:
        """The legal commands of one order in this world. Raises Perhaps after too many failed attempts.

        any_will_do: whether only the first is wanted, whichever that is: then it is looked for where that is least work,
        and has no route. among: the ids of what its first argument may be; None for anything.
        """
        order = self.orders[name]
        frame = self.world.frame(f"order {name}", side, None)
        if self.clauses.bars(order, frame, side, 0):
            return
        yield from self._fill(order, frame, side, 0, [0], any_will_do, among)

    def _fill(
        self, order: OrderProgram, frame: Frame, side: Thing, at: int, in_vain: list[int], any_will_do: bool,
        among: Collection[str] | None = None,
    ) -> Iterator[Command]:  # fmt: skip
        """in_vain: how many arguments were tried since the last command."""
        if at == len(order.params):
            in_vain[0] = 0
            yield self.settled(order, frame, side)
            return
        _, name, _, many = order.params[at]
        if any_will_do and at == len(order.params) - 1:
            yield from self._at_hand(order, frame, side, at)
        values = self.domains.of_argument(order, frame, at)
        if at == 0 and not any_will_do:
            values = self.world.knowledge.as_shown(values, side.id)
        if at == 0 and among is not None:
            values = [value for value in values if getattr(value, "id", None) in among]
        for value in values:
            if self.patience is not None:
                self.patience -= 1
                if self.patience < 0:
                    raise Perhaps
            in_vain[0] += 1
            if in_vain[0] > MOST_IN_VAIN:
                raise Perhaps
            setattr(frame, slot_of(name), [value] if many else value)
            frame.memo.clear()
            if not self.clauses.bars(order, frame, side, at + 1):
                yield from self._fill(order, frame, side, at + 1, in_vain, any_will_do)

    def _at_hand(self, order: OrderProgram, frame: Frame, side: Thing, at: int) -> Iterator[Command]:
        """Legal commands whose last argument is certainly within reach."""
        for value in self.domains.at_hand(order, frame, at):
            setattr(frame, slot_of(order.params[at][1]), value)
            frame.memo.clear()
            if not self.clauses.bars(order, frame, side, at + 1, reached=True):
                yield self.settled(order, frame, side)

    def settled(self, order: OrderProgram, frame: Frame, side: Thing) -> Command:
        """The command of a filled frame, with its own copy of the frame."""
        done = self.world.frame(f"order {order.name}", side, None)
        for slot in type(frame).__slots__:
            if slot not in {"memo", "stamp"} and hasattr(frame, slot):
                setattr(done, slot, getattr(frame, slot))
        if type(done) is not type(frame):  # names are hidden in it
            done.__class__ = type(frame)
        return Command(order, done, command_of(order, done))
