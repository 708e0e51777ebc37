"""The possible arguments of an order: everything of its type, or what the clauses about places leave."""

from __future__ import annotations

from dsl import ir
from dsl.ir import Type
from dsl.rules.entries import entries_of
from interpreter.commands.narrowing import Places, narrowings
from interpreter.commands.refusing_clauses import Clauses, Perhaps
from interpreter.program.program_data import Clause, OrderProgram
from interpreter.runtime.frames import Frame
from interpreter.runtime.hidden import is_hidden
from interpreter.runtime.runtime import TROUBLE
from interpreter.runtime.things import Thing, Value
from interpreter.world.world import World

__all__ = ["Domains"]


class Domains:
    """The values that arguments of orders can have in a world."""

    def __init__(self, world: World, clauses: Clauses) -> None:
        self.world, self.clauses = world, clauses
        self._narrowings: dict[tuple[str, int], list[Places]] = {}

    def of_argument(self, order: OrderProgram, frame: Frame, at: int) -> list[Value]:
        """Everything of the right type for an argument, before the clauses are checked."""
        _, name, type_, many = order.params[at]
        reaching = _reaching(order, name)
        if reaching is not None:
            try:
                if self.clauses.start_of(reaching, frame) is None:
                    return []
                found = self.clauses.reach_of(reaching, frame)
            except TROUBLE as error:
                if not is_hidden(error):
                    raise
                if self.clauses.lenient:
                    raise Perhaps from None
                return []
            return [self.world.places[i] for i in sorted(found.points) if i != found.start]
        key = (order.name, at)
        if key not in self._narrowings:
            self._narrowings[key] = narrowings(order, at) if type_.name == "thing" and not many else []
        if self._narrowings[key] and self.world.ruleset.kinds[type_.word].word == "place":
            return self._narrowed(self._narrowings[key], frame, type_.word)
        return self.of_type(type_)

    def at_hand(self, order: OrderProgram, frame: Frame, at: int) -> list[Value]:
        """Some values of an argument that are certainly within reach, found with little work; none if there is no such way."""
        _, name, _, many = order.params[at]
        reaching = _reaching(order, name)
        if (
            reaching is None
            or many
            or frame.via
            or any(isinstance(c.said, ir.Permits | ir.LegalFrom) for c in order.clauses)
        ):
            return []
        try:
            return list(self.clauses.first_steps_of(reaching, frame))
        except TROUBLE:  # whoever asks for the whole reach meets it again
            return []

    def _narrowed(self, wheres: list[Places], frame: Frame, kind: str) -> list[Value]:
        """The places of a kind that the clauses about places leave, in the order of the map."""
        left: set[Thing] | None = None
        for where in wheres:
            places = where(self.world, frame)
            if places is not None:
                left = set(places) if left is None else left.intersection(places)
        if left is None:
            return list(self.world.all_of(kind))
        return sorted((p for p in left if p.kind == kind), key=lambda p: p.index)

    def of_type(self, type_: Type) -> list[Value]:
        """Everything of a type that an argument can be."""
        if type_.name == "thing":
            return list(self.world.all_of(type_.word))
        if type_.name == "enum":
            return list(self.world.ruleset.enums[type_.word].words)
        if type_.name == "mark":
            return [True, False]
        if type_.name == "entry":
            return list(entries_of(self.world.ruleset, type_.word))
        return list(range(1, 21)) if type_.name == "number" else []


def _reaching(order: OrderProgram, name: str) -> Clause | None:
    """The clause of an order that requires an argument to be within reach."""
    return next((c for c in order.clauses if isinstance(c.said, ir.Reaching) and c.goal == name), None)
