"""Orders in a running game: which a side can give, what a typed one means, how it is carried out, and to whom it is reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from interpreter.codegen.python_names import slot_of
from interpreter.commands.command import Command
from interpreter.commands.listing import Commands
from interpreter.messages.asking import DONE, Pending, Run, Window
from interpreter.messages.happenings import OrderGiven, SideDone
from interpreter.messages.inputs import ENDINGS, Input, Refused
from interpreter.messages.sides import side_called
from interpreter.program.program import Program
from interpreter.runtime.hidden import is_hidden
from interpreter.runtime.refusals import About, Refusal, Why
from interpreter.runtime.runtime import TROUBLE, Halt, say
from interpreter.runtime.things import Thing, Value
from interpreter.world.reactions import STOP_ORDER
from interpreter.world.world import World

__all__ = ["Orders", "Secretive"]

SHOWN = 8
"""The most things that a refusal names."""
MOST_LOOKED = 5_000
"""An order is left out of a prompt only if checking at most this many arguments shows that it is not possible for anything."""


class Secretive(Protocol):
    """Keeps track of secret orders that ask questions."""

    def open_order(self, side: str) -> Any:
        """A secret order of a side runs."""

    def close_order(self, opened: Any) -> None:
        """It is over."""


class Orders:
    """The orders of sides in one world. secrets: keeps secret orders that ask questions; None if nothing is kept from anybody."""

    def __init__(self, world: World, program: Program, secrets: Secretive | None = None) -> None:
        self.world, self.program, self.secrets = world, program, secrets
        self.commands = Commands(world)
        self._covert: dict[tuple[str, frozenset[str]], bool] = {}
        self._offered: tuple[object, dict[str, tuple[str, ...]]] | None = None

    # ---- which can be given
    def any_legal(self, side: Thing, order: str) -> bool:
        """Whether a side has a legal command of this order; true if the lack of one would reveal something hidden."""
        return self.commands.any_legal(side, order) or self.commands.may_seem_legal(side, order)

    def offered(self, window: Pending | None, side: Thing) -> tuple[str, ...]:
        """The orders of an open window for which the side has a legal command now, as far as it knows."""
        assert isinstance(window, Window)
        if self._offered is None or self._offered[0] is not window:
            self._offered = (window, {})
        held = self._offered[1]
        if side.id not in held:
            held[side.id] = tuple(x for x in window.orders if self.commands.any_legal(side, x, MOST_LOOKED))
        return held[side.id]

    def look_again(self) -> None:
        """Something was changed while a window is open: the orders offered in it are determined again."""
        self._offered = None

    def still_open(self, side: Thing) -> list[Refusal]:
        """Why the phase may not end now for a side, as far as it may know. `own` means its things, even if another side is active."""
        world, commands = self.world, self.commands
        title = world.phases[-1][1] if world.phases else "This"
        shut = []
        if not world.closing:
            return []
        with commands.sight_of(side, commands.veils) as sight:
            active, sight.world.active = sight.world.active, sight.there(side)
            try:
                for test, because, cites, about in world.closing:
                    try:
                        holds = sight.function_there(test)()
                    except TROUBLE as error:
                        if not is_hidden(error):
                            raise
                        holds = False
                    if holds:
                        things = [say(x) for x in sight.function_there(about)()] if about is not None else []
                        more = f" and {len(things) - SHOWN} more" if len(things) > SHOWN else ""
                        hint = f"It concerns {', '.join(things[:SHOWN])}{more}." if things else ""
                        shown = About(things=things[:SHOWN], number=len(things)) if things else About()
                        shut.append(Refusal(f"{title} cannot end yet: {because}.", cites, hint=hint, about=shown))
            finally:
                sight.world.active = active
        return shut

    # ---- what is typed
    def spread(self, given: Input, pending: Pending | None) -> list[Input]:
        """The inputs that an input stands for: one for each thing if a command is given to several; else itself."""
        if given.kind != "do" or not isinstance(pending, Window) or given.text.strip().lower() in ENDINGS:
            return [given]
        alone = given.side == "umpire" and len(pending.waiting) == 1
        side = pending.waiting[0] if alone else side_called(self.world, given.side)
        if side not in pending.waiting:
            return [given]
        texts = self.commands.spread(given.text, side, pending.orders)
        return [Input("do", given.side, text, given.subject) for text in texts]

    def read(self, given: Input, pending: Pending | None, what: Callable[[str], str]) -> Value:
        """The side and its command, or DONE. what: says what the game is waiting for. Raises Refused."""
        if not isinstance(pending, Window):
            raise Why.NOT_NOW("You cannot give orders now.", hint=what(given.side))
        alone = given.side == "umpire" and len(pending.waiting) == 1
        side = pending.waiting[0] if alone else side_called(self.world, given.side)
        if side not in pending.waiting:
            raise Why.NOT_NOW(f"It is not {side.id}'s turn to give orders.", hint=what(given.side), side=side.id)
        text = given.text.strip()
        if text.lower() in ENDINGS:
            _must_be_empty(self.still_open(side))
            self.world.journal.happened(SideDone(side.id), side=side)
            return (side, DONE)
        order = self.commands.orders.get(text.partition(" ")[0].lower())
        if order is not None and order.name not in pending.orders:
            hint = "You can now order: " + ", ".join([*self.offered(pending, side), "done"]) + "."
            raise Why.NOT_NOW(f"`{order.name}` cannot be ordered in this phase.", order.cites, hint, order=order.name)
        command = self.commands.read(text, side, pending.orders)
        _must_be_empty(self.commands.settle(command, side))
        return (side, command)

    # ---- what is done
    def carry_out(self, command: Command) -> Run:
        """Carries out a command, with the rules before and after it."""
        world, order = self.world, command.order
        world.ways.chosen = command.frame.chosen
        named = [getattr(command.frame, slot_of(p[1])) for p in order.params]
        about = [x for part in named for x in (part if isinstance(part, list) else [part])]
        giver: Value = command.frame.acting
        to = giver.id if self._is_covert(order.name, about) else "all"
        secrets = self.secrets if to != "all" else None
        opened = secrets.open_order(giver.id) if secrets is not None else None
        try:
            world.journal.happened(_given(command, giver.id), side=giver, to=to, about=about)
            yield from self._carried_out(command)
        finally:
            if secrets is not None:
                secrets.close_order(opened)

    def _carried_out(self, command: Command) -> Run:
        """Runs the effect of an order, with the rules before and after it."""
        world, order = self.world, command.order
        yield from self._rules_on("before", command)
        try:
            yield from world.functions[order.effect](command.frame)
        except Halt as halt:
            if halt.name not in {order.name, STOP_ORDER}:
                raise
        finally:
            world.ways.chosen = {}
        if order.name in self.program.rules.past:
            world.remember(f"order {order.name}", command.frame)
            yield from world.react(command.frame)
        yield from self._rules_on("after", command)

    def _rules_on(self, when: str, command: Command) -> Run:
        """Runs the rules before or after an order."""
        world, acting = self.world, command.frame.acting
        for hook in self.program.rules.hooks.get(f"{when} order {command.order.name}", ()):
            function = world.functions[f"p_rule_{slot_of(hook.name).removeprefix('n_')}"]
            yield from function(world.frame(f"rule {hook.name}", acting, command.frame))

    # ---- who hears of it
    def is_untold(self, order: str) -> bool:
        """Whether only its own side learns of an order."""
        return self._is_covert(order, [])

    def _is_covert(self, order: str, about: list[Thing]) -> bool:
        """Whether only its own side learns of an order given to these things."""
        shy = self.program.secrecy.shy_kinds
        away = frozenset(x.kind for x in about if getattr(x, "kind", "") in shy and x.place is None)
        if (order, away) not in self._covert:
            self._covert[order, away] = self.program.secrecy.unheard.is_covert(order, away)
        return self._covert[order, away]


def _given(command: Command, by: str) -> OrderGiven:
    """The event of a command that is carried out."""
    arguments = {one.name: one.values for one in command.data.arguments}
    return OrderGiven(command.order.name, arguments, by, command.text)


def _must_be_empty(reasons: list[Refusal]) -> None:
    """Raises Refused with the first of some reasons."""
    if reasons:
        raise Refused(reasons[0])
