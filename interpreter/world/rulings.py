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

    turn: in which turn; since: after how many inputs of that turn. thing, field: the id of what was changed and its field;
    a thing without an id is the procedure that stood still, and the field its name. value: what it became, printed.
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
    """The world, as far as rulings change it. options: the word of each; functions: the emitted ones."""

    options: dict[str, str]
    functions: dict[str, Value]


class Rulings:
    """What the umpire has ruled in one world.

    facts: all that he set, in their order. standing: what stands for the rest of the campaign, in words. amended: the options
    that he changed, with the word they have now. count: rises with each ruling since the world was made; it is no part of the state.
    """

    def __init__(self, world: RulesAmendable) -> None:
        self.world = world
        self.facts: list[Ruling] = []
        self.standing: list[StandingRuling] = []
        self.amended: dict[str, str] = {}
        self.count = 0

    def on(self, thing: str, field: str, side: str) -> list[Ruling]:
        """What was set of a field of a thing, in its order, as far as a side may know."""
        return [r for r in self.facts if (r.thing, r.field) == (thing, field) and r.known_to(side)]

    def standing_for(self, side: str) -> list[StandingRuling]:
        """The rulings that stand, as far as a side is told of them."""
        return [one for one in self.standing if one.known_to(side)]

    def amend(self, changes: Mapping[str, str]) -> None:
        """Gives options other words, from now on."""
        self.amended.update(changes)
        self.world.options.update(changes)
        if "settle_options" in self.world.functions:
            self.world.functions["settle_options"]()

    # ---- as data
    def data(self) -> JsonObject:
        """What was ruled, as JSON data; nothing where nothing was."""
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
