"""What a player types who guesses names, values and orders: hidden ones, labels, and ones that do not exist."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import attrs

from campaigns.leaks.secrets import absent_name
from dsl.rules.entries import entries_of
from interpreter.commands.command import worded
from interpreter.machine import Game


class Guesses:
    """What may be typed in one of several games, without knowing which it is."""

    def __init__(self, games: Sequence[Game], side: str, chance: random.Random) -> None:
        one = games[0]
        self.chance, self.side = chance, side
        self.ruleset = one.program.ruleset
        self.kinds = _ids_by_kind(games)
        self.names = _names(games)
        self.taken = dict.fromkeys(self.names)
        self.places = [p.label for p in one.world.places if p.label]
        routines = list(one.program.rules.routines.values())
        self.values = [r for r in routines if r.word in {"value", "status"} and not r.within and len(r.params) <= 1]
        self.frames = sorted({name for r in routines for name in r.frame})
        self.orders = list(one.program.orders.values())
        self.legal = [command for command in one.legal_commands(side, 300) if command.names]
        self.questions = sorted({r.partition(" ")[0] for r in self.frames})

    def name(self, kind: str = "") -> str:
        """A name: of something known or hidden, a label, or one that means nothing."""
        among = self.kinds.get(kind) if kind and self.chance.random() < 0.7 else None
        name = str(self.chance.choice(among or self.names))
        dice = self.chance.random()
        if dice < 0.15:
            return absent_name(name, self.taken, self.chance)
        return name.upper() if dice < 0.2 else name

    def place(self) -> str:
        """A place of the map."""
        return str(self.chance.choice(self.places)) if self.places else "0101"

    def value(self) -> str:
        """An expression."""
        chance = self.chance
        kind = chance.choice(list(self.kinds))
        name = self.name(kind)
        fields = list(self.ruleset.kinds[kind].fields)
        asked = [f"place of {name}", f"side of {name}", name, f"{name} is in {self.place()}"]
        if fields:
            asked += [f"{chance.choice(fields)} of {name}" for _ in range(3)]
            asked += [
                f"{name} is {chance.choice(fields)}",
                f"sum {chance.choice(fields)} of all {self.ruleset.kinds[kind].plural}",
            ]
            plural = self.ruleset.kinds[kind].plural
            asked += [f"count ({plural} that are {chance.choice(fields)})", f"count {plural} in {self.place()}"]
            asked.append(f"{chance.choice(fields)} of {name} + {chance.choice(fields)} of {self.name(kind)}")
        if self.ruleset.kinds[kind].holder:
            asked.append(f"{self.ruleset.kinds[kind].holder} of {name}")
        for routine in chance.sample(self.values, min(3, len(self.values))):
            of = self._argument(routine.params[0]) if routine.params else ""
            asked.append(
                f"{of} is {routine.name}"
                if of and routine.word == "status"
                else f"{routine.name}{' of ' * bool(of)}{of}"
            )
        if self.frames:
            asked.append(chance.choice(self.frames))
        return str(chance.choice(asked))

    def layer(self) -> str:
        """An expression about a place, for each place of the map."""
        plural = self.ruleset.kinds[self.chance.choice(list(self.kinds))].plural
        near = (f"count {plural} in here", f"count {plural} next to here", f"distance from {self.name()} to here")
        return self.chance.choice((*near, self.value()))

    def _argument(self, param: Any) -> str:
        kind = param.type.word
        if kind == "side":
            return str(self.chance.choice(list(self.kinds.get("side", ["red"]))))
        info = self.ruleset.kinds.get(kind)
        return self.place() if info is not None and info.word == "place" else self.name(kind)

    def order(self) -> str:
        """A command: a legal one, the same with another name, or any of the orders with names that may not fit."""
        chance = self.chance
        if self.legal and chance.random() < 0.5:
            legal, other = chance.choice(self.legal), chance.choice((self.name(), self.place()))
            given = {chance.choice(sorted(legal.names)): other} if chance.random() < 0.7 else {}
            said = [attrs.evolve(x, values=tuple(given.get(v, v) for v in x.values)) for x in legal.arguments]
            return worded(legal.order, said, [given.get(v, v) for v in legal.via])
        order = chance.choice(self.orders)
        parts = [order.name]
        for number, (prep, _, type_, _) in enumerate(order.params):
            word = self._word(type_)
            parts.append(word if number == 0 else f"{prep} {word}")
        return " ".join(parts)

    def _word(self, type_: Any) -> str:
        if type_.name == "enum":
            return str(self.chance.choice(self.ruleset.enums[type_.word].words))
        if type_.name == "entry":
            return str(self.chance.choice(list(entries_of(self.ruleset, type_.word)) or ["none"]))
        if type_.name == "number":
            return str(self.chance.randint(0, 6))
        info = self.ruleset.kinds.get(type_.word)
        return self.place() if info is not None and info.word == "place" else self.name(type_.word)

    def answer(self) -> str:
        """An answer to a question, open or not."""
        question = self.chance.choice(self.questions) if self.questions else "any"
        said: Sequence[str] = [self.name() for _ in range(self.chance.randint(1, 2))]
        return f"answer {question} with {', '.join(said)}"


def _ids_by_kind(games: Sequence[Game]) -> dict[str, list[str]]:
    """The ids of all things of some games, by kind."""
    found: dict[str, dict[str, None]] = {}
    for game in games:
        for thing in game.world.by_id.values():
            found.setdefault(thing.kind, {})[thing.id] = None
    return {kind: list(ids) for kind, ids in found.items()}


def _names(games: Sequence[Game]) -> list[str]:
    """The ids of all things of some games, and their labels."""
    ids = dict.fromkeys(name for game in games for name in game.world.by_id)
    books = [(game, book) for game in games if (book := game.world.incognito) is not None]
    labels = dict.fromkeys(
        book.label(name, side.id) for game, book in books for side in game.world.by_kind["side"] for name in ids
    )
    return [*ids, *(label for label in labels if label)]
