"""The umpire's rulings as part of the state of a game: overrides of facts, changes of options and standing rulings.

Nothing is decided here. `interpreter/play/umpire.py` reads the umpire's inputs and carries them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import attrs

from interpreter.messages.json_data import JsonObject
from interpreter.messages.standing_rulings import StandingRuling
from interpreter.messages.state_data import WorldState
from interpreter.runtime.things import Value


@attrs.frozen(slots=True)
class Ruling:
    """One fact that the umpire set.

    turn: in which turn; since: after how many inputs of that turn. thing, field: the id of the changed thing and its field;
    an empty id stands for the suspended procedure, and the field for its name. value: the new value, printed.
    reason: why. seen: who may know of the change ("all", ids of sides, or "umpire"); told: who may know the reason too.
    """

    turn: int
    since: int
    thing: str
    field: str
    value: str
    reason: str
    seen: tuple[str, ...]
    told: tuple[str, ...]

    def known_to(self, side: str) -> bool:
        """Whether a side, or the umpire, may know of the change."""
        return side == "umpire" or bool({"all", side} & set(self.seen))

    def reason_for(self, side: str) -> str:
        """The reason, as far as a side may know it."""
        return self.reason if side == "umpire" or {"all", side} & set(self.told) else ""


class RulesAmendable(Protocol):
    """The parts of a world that rulings change. options: the value of each; functions: the emitted ones."""

    options: dict[str, str]
    functions: dict[str, Value]


class Rulings:
    """The umpire's rulings in one world.

    facts: all facts set by the umpire, in order. standing: the rulings in words for the rest of the campaign. amended: the options
    that the umpire changed, with their current values. count: rises with each ruling since the world was created; not part of the state.
    """

    def __init__(self, world: RulesAmendable) -> None:
        self.world = world
        self.facts: list[Ruling] = []
        self.standing: list[StandingRuling] = []
        self.amended: dict[str, str] = {}
        self.count = 0

    def on(self, thing: str, field: str, side: str) -> list[Ruling]:
        """What was set in a field of a thing, in order, as far as a side may know."""
        return [r for r in self.facts if (r.thing, r.field) == (thing, field) and r.known_to(side)]

    def standing_for(self, side: str) -> list[StandingRuling]:
        """The rulings in effect that are visible to a side."""
        return [one for one in self.standing if one.known_to(side)]

    def amend(self, changes: Mapping[str, str]) -> None:
        """Gives options new values, from now on."""
        self.amended.update(changes)
        self.world.options.update(changes)
        if "settle_options" in self.world.functions:
            self.world.functions["settle_options"]()

    # ---- as data
    def data(self) -> JsonObject:
        """The rulings, as JSON data; empty if there are none."""
        out: JsonObject = {}
        if self.facts:
            out["rulings"] = [list(attrs.astuple(r)) for r in self.facts]
        if self.standing:
            out["standing"] = [list(attrs.astuple(r)) for r in self.standing]
        if self.amended:
            out["amended"] = dict(sorted(self.amended.items()))
        return out

    def restore(self, data: WorldState) -> None:
        """Reads back what `data()` wrote."""
        self.facts = [_ruling(row) for row in data.get("rulings", ())]
        self.standing = [StandingRuling.read(row) for row in data.get("standing", ())]
        self.amend(data.get("amended", {}))


def _ruling(row: Iterable[Any]) -> Ruling:
    turn, since, thing, field, value, reason, seen, told = row
    return Ruling(turn, since, thing, field, value, reason, tuple(seen), tuple(told))


__all__ = ["Ruling", "Rulings"]
