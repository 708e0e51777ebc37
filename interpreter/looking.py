"""Looking at a game: what may be ordered, what speaks against it, how a value came about, the situation as a side sees it.

Whoever asks as a side may write labels for names that it may not know, and is answered with them (`seat.py`, `incognito.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import attrs

from dsl.rules.notation import attribute
from interpreter.asking import EachQuestion, Question, Sealed, Window
from interpreter.commands import Command, Commands, LegalCommand, Reason, slot_of
from interpreter.failures import in_words
from interpreter.inputs import ENDINGS, Awaited, Input, Refused, RuleFailure
from interpreter.seat import Seat
from interpreter.standing_rulings import Standing
from interpreter.view import SideView, View

if TYPE_CHECKING:
    from interpreter.play import Game
    from interpreter.program import Program
    from interpreter.world import World


class Looking:
    """The part of the machine that tells and changes nothing."""

    world: World
    program: Program
    commands: Commands
    blind_seat: Seat | None = None
    """In a rehearsal the seat of the side that it is for, as it was at the start."""
    _pending: Any

    @property
    def waiting(self) -> tuple[Awaited, ...]:
        """What is awaited, the orders of a window unsifted."""
        raise NotImplementedError

    def seen_by(self, side: str) -> Game:
        """The game that a side looks at."""
        raise NotImplementedError

    def standing_for(self, side: str) -> Sequence[Standing]:
        """The rulings that stand, as far as a side is told of them."""
        raise NotImplementedError

    def still_open(self, side: Any) -> list[Reason]:
        """Why a side may not end its window yet."""
        raise NotImplementedError

    def _what(self, side: str) -> str:
        raise NotImplementedError

    def _side(self, name: str) -> Any:
        raise NotImplementedError

    def seat(self, side: str) -> Seat:
        """The gate through which everything that a side types and reads must pass."""
        return self.blind_seat if self.blind_seat is not None else Seat(self.world, side)

    def as_typed(self, given: Input) -> Input:
        """An input of a side as it was typed: a word that the side's name book does not hold means nothing."""
        if given.kind not in {"do", "answer"}:
            return given
        return attrs.evolve(given, text=self.seat(given.side).heard(given.text))

    def _by_ids(self, text: str) -> str:
        """What is given to the machine, with ids for labels."""
        return text if self.world.incognito is None else self.world.incognito.meant(text)

    @property
    def sides(self) -> tuple[SideView, ...]:
        """The sides: everybody may know them."""
        world = self.world
        return tuple(SideView(s.id, s.f_title or s.id, world.colours.get(s.id, "")) for s in world.by_kind["side"])

    def in_own_words(self, given: Input) -> Input:
        """An input as its side would write it: the umpire, and standing instructions, go by names that it may not know."""
        labels = self.world.incognito
        side = given.subject.partition(" ")[0] if given.kind == "deadline" else given.side
        if labels is None or given.kind not in {"do", "answer", "deadline"}:
            return given
        return attrs.evolve(given, text=labels.told(given.text, side))

    @in_words
    def legal(self, side: str, limit: int = 500, reader: str = "") -> list[str]:
        """Whole commands that the side may give now, as `do` takes them; answers when a question is open.

        reader: who reads them, where it is not the side itself but the umpire.

        Raises RuleFailure where a rule fails that has to tell.
        """
        seen = self.seen_by(side)
        if seen is not self:
            found = seen.legal(side, limit, reader)
            self.commands.unfinished = seen.commands.unfinished
            return found
        return self.seat(reader or side).told(
            [one if isinstance(one, str) else one.text for one in self._legal(side, limit)]
        )

    @in_words
    def legal_commands(self, side: str, limit: int = 500, reader: str = "") -> list[LegalCommand]:
        """As `legal`, with the order and what stands for its arguments; of an answer, and of `done`, both are its text."""
        seen = self.seen_by(side)
        if seen is not self:
            found = seen.legal_commands(side, limit, reader)
            self.commands.unfinished = seen.commands.unfinished
            return found
        return self.seat(reader or side).told(
            [
                LegalCommand(one, one) if isinstance(one, str) else self.commands.as_data(one)
                for one in self._legal(side, limit)
            ]
        )

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The orders of which the last `legal` has not looked through every combination of arguments: there are too many."""
        return tuple(self.commands.unfinished)

    def _legal(self, side: str, limit: int) -> Sequence[Command | str]:
        """The commands, and the answers and words that are none."""
        pending, self.commands.unfinished = self._pending, []
        if isinstance(pending, Window):
            who = [s for s in pending.waiting if side in {"umpire", s.id}]
            out: list[Command | str] = []
            for found in who:
                for name in pending.orders:
                    for command in self.commands.listed(found, name):
                        out.append(command)
                        if len(out) >= limit:
                            return out
                if not self.still_open(found):
                    out.append("done")
            return out
        if not isinstance(pending, Question | EachQuestion | Sealed):
            return []
        return [c for a in self.waiting if side in {"umpire", a.side} for c in a.choices][:limit]

    @in_words
    def examples(self, side: str, orders: Iterable[str], most: int = 1) -> dict[str, list[str]]:
        """Commands that the side may give now, at most so many of each of some orders of its window."""
        if (seen := self.seen_by(side)) is not self:
            return seen.examples(side, orders, most)
        pending, found = self._pending, {}
        if isinstance(pending, Window) and (who := self._side(side)) in pending.waiting:
            for name in (name for name in orders if name in pending.orders):
                texts = [command.text for command in islice(self.commands.listed(who, name), most)]
                found[name] = self.seat(side).told(texts)
        return found

    def understand(self, side: str, command: str) -> None:
        """Sees that a command names an order and things that there are, whatever is awaited. Raises Refused where it does not."""
        if (seen := self.seen_by(side)) is not self:
            seen.understand(side, command)
            return
        seat = self.seat(side)
        self.commands.seat = seat
        giver, text = self._side(side), seat.heard(command, as_ids=True)
        try:
            if len(words := text.lower().split()) > 1 and words[0] in self.commands.orders and words[1] == "all":
                return
            for one in self.commands.spread(text, giver, tuple(self.commands.orders)):
                self.commands.read(one, giver)
        except (Refused, RuleFailure) as error:
            raise seat.told(error) from error.__cause__

    def ordered(self, side: str, command: str) -> dict[str, frozenset[str]]:
        """Of each thing of a side that its command names: its id, and the ids of itself and of what it belongs to.

        It belongs to what holds it, to what that belongs to, and to formations that its fields name. Raises Refused where the
        command names no order, or things that there are not.
        """
        if (seen := self.seen_by(side)) is not self:
            return seen.ordered(side, command)
        seat = self.seat(side)
        self.commands.seat = seat
        giver, text = self._side(side), seat.heard(command, as_ids=True)
        found: dict[str, frozenset[str]] = {}
        try:
            for one in self.commands.spread(text, giver, tuple(self.commands.orders)):
                read = self.commands.read(one, giver)
                for _, name, _, _ in read.order.params:
                    value = getattr(read.frame, slot_of(name))
                    for x in value if isinstance(value, list | tuple) else (value,):
                        if self._is_own(x, giver):
                            found[x.id] = self.belongs_to(x)
        except (Refused, RuleFailure) as error:
            raise seat.told(error) from error.__cause__
        return found

    def named_of(self, side: str, text: str) -> dict[str, frozenset[str]]:
        """Of each thing of a side whose id is a word of a text: its id, and the ids of itself and of what it belongs to."""
        by_id, giver = self.world.by_id, self._side(side)
        words = [word for word in re.findall(r"[\w-]+", text) if word in by_id]
        return {word: self.belongs_to(by_id[word]) for word in words if self._is_own(by_id[word], giver)}

    def _is_own(self, x: Any, side: Any) -> bool:
        return getattr(x, "alive", False) and getattr(x, "side", None) is side and x.kind != "side"

    def belongs_to(self, thing: Any) -> frozenset[str]:
        """The ids of a thing, of what holds it and of the formations that its fields name, and so on upwards."""
        kinds = self.world.ruleset.kinds
        found: set[str] = set()
        above = [thing]
        while above:
            x = above.pop()
            if x is None or x.id in found or getattr(x, "alive", False) is not True:
                continue
            found.add(x.id)
            above.append(x.holder)
            for field in kinds[x.kind].fields.values():
                if field.type.name == "thing" and (kind := kinds.get(field.type.word)) and kind.word == "formation":
                    value = getattr(x, attribute(field.name), None)
                    above += value if isinstance(value, list) else [value]
        return frozenset(found)

    @in_words
    def why_not(self, side: str, command: str) -> list[Reason]:
        """Every reason against a command; empty when it is legal now. Raises Refused when it cannot be understood."""
        if (seen := self.seen_by(side)) is not self:
            return seen.why_not(side, command)
        seat = self.seat(side)
        try:
            return seat.told(self._why_not(side, seat.heard(command, as_ids=True)))
        except (Refused, RuleFailure) as error:
            raise seat.told(error) from error.__cause__

    def _why_not(self, side: str, command: str) -> list[Reason]:
        pending = self._pending
        if not isinstance(pending, Window):
            return [Reason(f"No orders can be given now. {self._what(side)}", ())]
        self.commands.seat = self.seat(side)
        who = self._side(side) if side != "umpire" else pending.waiting[0]
        reasons = []
        if who not in pending.waiting:
            reasons.append(Reason(f"It is not for {who.id} to give orders now.", ()))
        if command.strip().lower() in ENDINGS:
            return reasons + self.still_open(who)
        read = self.commands.read(command, who, pending.orders)
        if read.order.name not in pending.orders:
            reasons.append(
                Reason(
                    f"`{read.order.name}` cannot be ordered in this phase.",
                    read.order.cites,
                    "",
                    "Now: " + ", ".join(pending.orders),
                )
            )
        return reasons + self.commands.settle(read, who)

    def asked_of(self, kind: str) -> tuple[tuple[str, str], ...]:
        """What the rules work out of one thing of a kind: the names of values, and of what it may be, each with `value` or `status`.

        What cites no rule is left out: it is how automated sides weigh their choices, or a step on the way.
        """
        ruleset = self.world.ruleset
        return tuple(
            (routine.word, routine.name)
            for routine in self.program.rules.routines.values()
            if routine.word in {"value", "status"} and routine.within is None and routine.cites
            if len(routine.params) == 1 and not routine.params[0].many and routine.params[0].type.name == "thing"
            if kind in ruleset.sorts(routine.params[0].type.word)
        )

    @in_words
    def explain(self, expression: str, side: str = "umpire") -> Any:
        """A value worked out again with its audit trail, from what a side may know.

        Raises Refused when it cannot be understood, has no value now, or rests on something that is hidden from the side.
        """
        from interpreter.explain import explain, with_rulings

        if (seen := self.seen_by(side)) is not self:
            return seen.explain(expression, side)
        seat = self.seat(side)
        try:
            told = explain(self, seat.heard(expression), side, seat.book)
            return seat.told(with_rulings([told], self.standing_for(side))[0])
        except (Refused, RuleFailure) as error:
            raise seat.told(error) from error.__cause__

    @in_words
    def explain_changes(self, side: str = "umpire") -> Any:
        """What the last input changed of fields, each told down to what it was made of, as far as a side may know."""
        from interpreter.explain import explain_changes, with_rulings

        if (seen := self.seen_by(side)) is not self:
            return seen.explain_changes(side)
        return self.seat(side).told(with_rulings(explain_changes(self, side), self.standing_for(side)))

    @in_words
    def view(self, side: str) -> View:
        """The situation as a side, or the umpire, may know it."""
        from interpreter.project import view

        if (seen := self.seen_by(side)) is not self:
            return seen.view(side)
        return self.seat(side).told(view(self, side))

    @in_words
    def map_graph(self, side: str, layers: Mapping[str, str] | None = None, on: str = "") -> Any:
        """The maps, or one by its name, as a networkx graph as a side may know them, with layers (`interpreter/map_graph.py`).

        Raises Refused for a layer that cannot be understood.
        """
        from interpreter.map_graph import map_graph  # networkx is slow to import

        if (seen := self.seen_by(side)) is not self:
            return seen.map_graph(side, layers, on)
        return map_graph(self, self.view(side), layers or {}, on)
