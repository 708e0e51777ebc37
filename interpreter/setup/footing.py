"""Footing: things that a scenario puts where no path of their own can lead, such as tanks in water.

This module does not know what a game is about. A place is considered wrong for a thing if each of its movement paths shuts the
place, from whichever neighbour it comes, and would shut it for the thing alone on the map as well. So places that
enemies or a full stack shut do not matter. A path that is shut everywhere proves nothing about the place.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import attrs

from dsl import ir
from dsl.ir import Routine
from dsl.syntax.declarations import Scenario
from dsl.text.source import Span
from interpreter.codegen.python_names import py
from interpreter.codegen.reads import MOVES
from interpreter.program.failures import FAILING, of_rules
from interpreter.program.program import Program
from interpreter.program.program_data import WayProgram
from interpreter.runtime.exact_numbers import Number
from interpreter.runtime.things import Thing, Value
from interpreter.setup.objections import opened
from interpreter.setup.setup import bring
from interpreter.world.world import World

__all__ = ["Misplaced", "misplaced_in"]


@attrs.frozen(slots=True)
class Misplaced:
    """A thing in a place that none of its paths may lead to.

    Attributes:
        name: of the thing, as rule texts know it.
        place: the label of the place.
        because: why it is closed: the reason of a ban, or that a step has no cost.
        cites: the rules that the ban comes from.
        span: the line of the rules that closes it.
    """

    name: str
    place: str
    because: str
    cites: tuple[str, ...]
    span: Span


@attrs.frozen(slots=True, eq=False)
class _Path:
    """A movement path of one kind of thing. bans: their functions with reason, citations and line."""

    routine: Routine
    program: WayProgram
    bans: tuple[tuple[Callable[..., bool], str, tuple[str, ...], Span], ...]
    cost: Callable[..., Number | None] | None

    def shut(self, thing: Thing, place: Thing) -> tuple[str, tuple[str, ...], Span] | None:
        """Why the path leads into a place from none of its neighbours; None if it does, or if there is no neighbour."""
        reasons = [self._step(thing, before, place) for before in place.near]
        return reasons[0] if reasons and all(reasons) else None

    def _step(self, thing: Thing, before: object, place: Thing) -> tuple[str, tuple[str, ...], Span] | None:
        for ban, because, cites, span in self.bans:
            if ban(thing, before, place):
                return because, cites, span
        if self.cost is not None and self.cost(thing, before, place) is None:
            return f"{self.program.name} has no cost for entering it", self.routine.cites, self.routine.span
        return None


def misplaced_in(program: Program, scenario: Scenario) -> list[Misplaced]:
    """Things that a scenario puts, at its beginning or later, in places that none of their paths may lead to, kind by kind.

    Raises RuleFailure if the scenario cannot be set up.
    """
    routines = program.rules.routines
    moving = [way for way in program.ways.values() if way.moves and len(routines[way.name].params) == 1]
    if not moving:
        return []
    world = opened(program, scenario)
    for turn in sorted(world.due):
        bring(world, turn)
    paths: dict[str, list[_Path]] = {}
    for way in moving:
        path = _path(world, routines[way.name], way)
        paths.setdefault(path.routine.params[0].type.word, []).append(path)
    standing = [(x, own) for kind, own in paths.items() for x in world.all_of(kind) if x.place is not None]
    return [wrong for thing, own in standing if (wrong := _misplaced(world, thing, own)) is not None]


def _path(world: World, routine: Routine, way: WayProgram) -> _Path:
    lines = [s.span for s in routine.body if isinstance(s, ir.Never)]
    bans = [
        (world.functions[name], because, cites, span)
        for (name, because, cites), span in zip(way.nevers, lines, strict=True)
    ]
    return _Path(routine, way, tuple(bans), world.functions.get(f"w_{py(way.name)}_cost"))


def _misplaced(world: World, thing: Thing, paths: list[_Path]) -> Misplaced | None:
    """How a thing is misplaced; None if it is not, or if the rules cannot determine it before a game runs."""
    place: Value = thing.place
    world.active = thing.side
    on = [path for path in paths if path.program.ground == place.kind]
    try:
        if not on or not all(path.shut(thing, place) for path in on):
            return None
        with _alone(world, thing):
            telling = [
                path for path in on if any(x.near and path.shut(thing, x) is None for x in world.by_kind[place.kind])
            ]
            reasons = [path.shut(thing, place) for path in telling]
    except FAILING as error:
        if not of_rules(error):
            raise
        return None
    because = next(filter(None, reasons), None)
    if because is None or not all(reasons):
        return None
    return Misplaced(thing.id, place.label, *because)


@contextlib.contextmanager
def _alone(world: World, thing: Thing) -> Iterator[None]:
    """Temporarily removes everything but one thing from the map."""
    others = [(other, place) for place in world.places for other in place.things if other is not thing]
    for other, place in others:
        del place.things[other]
        other.place = None
        world.stir(place)
    world.touch(MOVES)
    try:
        yield
    finally:
        for other, place in others:
            world.positions.stand(other, place)
