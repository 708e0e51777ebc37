"""Things under other names: a game in which they have had other names from the start, with the same labels.

The inputs since the start of the turn are rewritten with the other names, and the state at its start has them too. So they hold
wherever the turn is retold or an input is taken back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.codegen.reads import ALL
from interpreter.runtime.references import without_references

if TYPE_CHECKING:
    from interpreter.machine import Game
    from interpreter.messages.inputs import Input
    from interpreter.world.world import World

__all__ = ["rename"]


def rename(game: Game, called: Mapping[str, str]) -> None:
    """Renames things in a game, and in everything that is derived from it to report or to try something.

    called: the new id by the old one; no two things may end up with the same id.
    """
    called = {without_references(old): without_references(new) for old, new in called.items()}
    _call(game.world, called)
    before = game.parts.prepare

    def prepare(world: World) -> None:
        if before is not None:
            before(world)
        _call(world, called)

    game.parts = attrs.evolve(game.parts, prepare=prepare)
    _take_over(game, called)


def _take_over(game: Game, called: Mapping[str, str]) -> None:
    """Writes the history of a game with other names."""
    basis, aside = game.basis, game.aside
    basis.inputs = _written(basis.inputs, called)
    aside.held = tuple(attrs.evolve(x, inputs=tuple(_written(x.inputs, called))) for x in aside.held)
    if basis.earlier is not None:
        basis.earlier = basis.earlier._replace(inputs=_written(basis.earlier.inputs, called))
    find = game.find_earlier
    if find is None:
        return

    def found() -> Game | None:
        earlier = find()
        if earlier is not None:
            rename(earlier, called)
        return earlier

    game.find_earlier = found


def _written(inputs: Iterable[Input], called: Mapping[str, str]) -> list[Input]:
    names = "|".join(re.escape(name) for name in sorted(called, key=len, reverse=True))
    named = re.compile(rf"(?<![\w-])(?:{names})(?![\w-])")
    return [attrs.evolve(x, text=named.sub(lambda found: called[found[0]], x.text)) for x in inputs]


def _call(world: World, called: Mapping[str, str]) -> None:
    """The same world with other names for its things, and for those that are yet to enter it."""
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
        world.incognito.call(world.by_id.values())
    world.touch(ALL)


def _row(world: World, kind: str, row: Mapping[str, Any], called: Mapping[str, str]) -> dict[str, Any]:
    """A row of forces; mentions of other things are written with their names."""
    info = world.ruleset.kinds[kind]
    naming = {"name", info.holder} | {f.name for f in info.fields.values() if f.type.name == "thing"}
    return {column: called.get(text, text) if column in naming else text for column, text in row.items()}
