"""Things under other names: a game in which they have been called otherwise all along, and their labels are the same.

How it came to where it stands is told again from the start of the turn, and taken back from there. So the turn begins with
the other names too, and the inputs since are written with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import attrs

from interpreter.codegen.reads import ALL
from interpreter.play import Game

if TYPE_CHECKING:
    from interpreter.inputs import Input
    from interpreter.world import World

__all__ = ["rename"]


def rename(game: Game, called: Mapping[str, str]) -> None:
    """Calls things of a game otherwise. called: the new id by the old; no two things may have one id then."""
    _call(game.world, called)
    renamed = type("Renamed", (_Renamed,), {"called": called})
    game.__class__ = renamed
    assert isinstance(game, _Renamed)
    game.take_over()


class _Renamed(Game):
    """A game whose things have other names. What is made of it, to tell or to try something, has them too."""

    called: ClassVar[Mapping[str, str]] = {}

    def take_over(self) -> None:
        """Writes what led here with the other names."""
        self._inputs = self._written(self._inputs)
        self._aside = tuple(attrs.evolve(x, inputs=tuple(self._written(x.inputs))) for x in self._aside)
        if self._earlier is not None:
            self._earlier = self._earlier._replace(inputs=self._written(self._earlier.inputs))
        find, called = self._find_earlier, self.called
        if find is None:
            return

        def found() -> Game | None:
            game = find()
            if game is not None:
                rename(game, called)
            return game

        self._find_earlier = found

    def _make_world(self) -> None:
        super()._make_world()
        _call(self.world, self.called)

    def _written(self, inputs: Iterable[Input]) -> list[Input]:
        names = "|".join(re.escape(name) for name in sorted(self.called, key=len, reverse=True))
        named = re.compile(rf"(?<![\w-])(?:{names})(?![\w-])")
        return [attrs.evolve(x, text=named.sub(lambda found: self.called[found[0]], x.text)) for x in inputs]


def _call(world: World, called: Mapping[str, str]) -> None:
    """The same world with other names for its things, and for those that are yet to come into it."""
    things = dict(world.by_id)
    world.by_id.clear()
    for old, thing in things.items():
        new = called.get(old, old)
        if thing.name == old:
            thing.name = new
        thing.id = new
        world.by_id[new] = thing
    for turn, rows in world.due.items():
        world.due[turn] = [(forces, _row(world, forces.of, row, called)) for forces, row in rows]
    rulings = world.rulings
    rulings.facts = [attrs.evolve(one, thing=called.get(one.thing, one.thing)) for one in rulings.facts]
    if world.incognito is not None:
        world.incognito = world.incognito.renamed(called)
    world.touch(ALL)


def _row(world: World, kind: str, row: Mapping[str, Any], called: Mapping[str, str]) -> dict[str, Any]:
    """A row of forces; what it says of other things is written with their names."""
    info = world.ruleset.kinds[kind]
    naming = {"name", info.holder} | {f.name for f in info.fields.values() if f.type.name == "thing"}
    return {column: called.get(text, text) if column in naming else text for column, text in row.items()}
