"""The commands of a world: those that a side may give, listed one by one, and whether one may be given, as far as the side knows."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import islice

import attrs

from interpreter.commands.command import Command, about_command
from interpreter.commands.plain_commands import PlainCommands
from interpreter.commands.refusing_clauses import Perhaps
from interpreter.commands.sight import Mirrored, Sight
from interpreter.messages.inputs import Refused
from interpreter.messages.sides import UMPIRE
from interpreter.mirrors.mirror import Mirror, mirror_of
from interpreter.mirrors.veil import veiled
from interpreter.runtime.refusals import Refusal
from interpreter.runtime.things import Thing
from interpreter.world.seat import Seat
from interpreter.world.world import World

__all__ = ["Commands"]


class Commands(PlainCommands):
    """Reads, checks and lists commands of one world, as far as the sides that give them know it."""

    def __init__(self, world: World) -> None:
        super().__init__(world, Seat(world, UMPIRE))
        secrecy = world.program.secrecy
        self.veils = secrecy.hides
        self.secretive, self.concealing = secrecy.secretive, secrecy.concealing
        self.unfinished: list[str] = []
        """The orders that `listed` has not checked completely."""
        self._in_mirrors: dict[str, PlainCommands] = {}

    # ---- what a side knows
    @contextmanager
    def sight_of(self, side: Thing, veils: bool = True) -> Iterator[Sight]:
        """What a side sees, if something hidden matters here; else everything."""
        if not veils or self.world.veil is not None:
            yield Sight(self)
            return
        with self._own_sight(side) as sight:
            yield sight

    @contextmanager
    def _own_sight(self, side: Thing) -> Iterator[Sight]:
        """What a side sees: its mirror or, if changes are not counted, the world under a veil."""
        if self.world.veil is None and self.world.ways.fine:
            with mirror_of(self.world, side.id).held() as mirror:
                yield Mirrored(self._mirrored(mirror), mirror)
            return
        with veiled(self.world, side.id, names=False):
            yield Sight(self)

    def _mirrored(self, mirror: Mirror) -> PlainCommands:
        """The commands of a side's mirror."""
        found = self._in_mirrors.get(mirror.side)
        if found is None or found.world is not mirror.world:
            found = self._in_mirrors[mirror.side] = PlainCommands(mirror.world, Seat(self.world, mirror.side))
        found.reader.seat = Seat(self.world, mirror.side)
        return found

    # ---- listing
    def any_legal(self, side: Thing, name: str, most: int | None = None) -> bool:
        """Whether a side has a legal command of this order; also true if this is undecided after `most` arguments, or too many."""
        self.patience = most
        try:
            return next(self.legal(side, name, any_will_do=most is None), None) is not None
        except Perhaps:
            return True
        finally:
            self.patience = None

    def may_seem_legal(self, side: Thing, name: str) -> bool:
        """Whether others cannot know that a side has no legal command of an order: then it is not skipped."""
        if name not in self.secretive:
            return False
        if name in self.concealing:
            return True
        others = [x for x in self.world.all_of("side") if x is not side]
        return any(self._seems_legal(side, name, other) for other in others)

    def _seems_legal(self, side: Thing, name: str, other: Thing) -> bool:
        """Whether another side cannot know that a side has no legal command of an order."""
        with self._own_sight(other) as sight:
            sight.commands.clauses.lenient = True
            try:
                return next(sight.commands.legal_here(sight.there(side), name), None) is not None
            except Perhaps:
                return True
            finally:
                sight.commands.clauses.lenient = False

    def listed(self, side: Thing, name: str, among: Collection[str] | None = None) -> Iterator[Command]:
        """Like `legal`, but it stops after too many failed attempts, and lists the order as unfinished."""
        try:
            yield from self.legal(side, name, among=among)
        except Perhaps:
            if name not in self.unfinished:
                self.unfinished.append(name)

    def legal(
        self, side: Thing, name: str, *, any_will_do: bool = False, among: Collection[str] | None = None
    ) -> Iterator[Command]:
        """The legal commands of one order, one by one; for sets of things only single ones are listed.

        They are as the side sees them: to be read, or given by their text. Raises Perhaps after too many failed attempts.
        any_will_do, among: as for `legal_here`.
        """
        if not self._veils(name):
            yield from self.legal_here(side, name, any_will_do=any_will_do, among=among)
            return
        found, batch, left = None, 1, self.patience
        while True:
            commands, enough = [], False
            with self.sight_of(side) as sight:  # it is released again, but only after more and more commands
                asked = sight.commands
                if found is None:
                    found = asked.legal_here(sight.there(side), name, any_will_do=any_will_do, among=among)
                before, asked.patience = asked.patience, left
                try:
                    for command in islice(found, batch):
                        commands.append(command)  # noqa: PERF402 (what is found before it ends counts)
                except Perhaps:
                    enough = True
                finally:
                    left, asked.patience = asked.patience, before
            yield from commands
            if enough:
                raise Perhaps
            if len(commands) < batch:
                return
            batch *= 4

    def _veils(self, name: str) -> bool:
        return name in self.secretive or self.world.knowledge.conceals

    # ---- reading and checking
    def spread(self, text: str, side: Thing, allowed: tuple[str, ...]) -> list[str]:
        """The commands of one that is given to several things at once, `dig-in a, b` or `dig-in all`; else only itself.

        `all` means the side's things for which it is legal now. Raises Refused if there are none.
        """
        name, _, rest = text.strip().partition(" ")
        order = self.orders.get(name.lower())
        if order is None or order.name not in allowed or not order.params:
            return [text]
        _, _, type_, many = order.params[0]
        if many or type_.name != "thing":
            return [text]
        rest = re.sub(r"^of\s+", "", rest.strip(), flags=re.IGNORECASE)
        first = self.reader.split(order, rest)[0]
        tail = rest[len(first) :]
        if first.lower() != "all":
            words = [w for w in re.split(r"\s*,\s*", first) if w]
            return [f"{order.name} {w}{tail}" for w in words] if len(words) > 1 else [text]
        own = [x for x in self.world.all_of(type_.word) if getattr(x, "side", side) is side]
        refused: list[Refusal] = []
        found = []
        for x in own:
            one = f"{order.name} {x.label or x.id}{tail}"
            reasons = self.settle(self.read(one, side, allowed), side)
            refused += reasons[:1]
            if not reasons:
                found.append(one)
        if not found:
            why = refused[0] if refused else Refusal(f"{side.id} has no {type_.word}.", order.cites)
            said = f"This order is not possible for anything now. {why.message}"
            raise Refused(attrs.evolve(why, message=said, about={"order": order.name}))
        return found

    def read(self, text: str, side: Thing, allowed: tuple[str, ...] | None = None) -> Command:
        """A typed command with its arguments settled. Raises Refused when it cannot be understood."""
        names_hide = self.world.knowledge.conceals or self.world.incognito is not None
        with self.sight_of(side, names_hide) as sight:
            read: Command = sight.back(sight.commands.reader.read(text, sight.there(side), allowed))
            return read

    def settle(self, command: Command, side: Thing) -> list[Refusal]:
        """Every reason against a command, each once, in the order of its clauses; `let` names are set on the way.

        A side that may not give the order at all learns only this: the other clauses may read what it must not know.
        """
        veils = self._veils(command.order.name)
        try:
            with self.sight_of(side, veils) as sight:
                seen = sight.there(command)
                reasons = sight.commands.clauses.settle(seen, sight.there(side))
                sight.show_way(seen, command)
            if veils and not reasons:
                self.clauses.name_truly(command)
            once: dict[str, Refusal] = {}
            for reason in reasons:
                once.setdefault(reason.message, reason)
            return [about_command(command, reason) for reason in once.values()]
        finally:
            self.world.ways.chosen = {}
