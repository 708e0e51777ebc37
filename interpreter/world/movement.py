"""Movement along the paths of a world: how far a thing gets, at what cost, what bars a place to it, and routes chosen step by step."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

import attrs

from interpreter.codegen.python_names import py
from interpreter.geometry.reach import Reach, StepTable, reach, reach_by, reach_by_steps
from interpreter.geometry.traces import Trace
from interpreter.program.program_data import WayProgram
from interpreter.runtime.exact_numbers import Number
from interpreter.runtime.runtime import TROUBLE, RuleTrouble, say
from interpreter.runtime.things import Thing, Value
from interpreter.world.kept_traces import KeptTrace
from interpreter.world.world_contracts import Walked

__all__ = ["Barred", "ChosenWay", "Movement"]


@attrs.frozen(slots=True)
class Barred:
    """Why a place cannot be entered: the reason of the ban and its citations."""

    reason: str
    cites: tuple[str, ...]


@attrs.frozen(slots=True)
class ChosenWay:
    """A chosen route: its places, from the start on, and its cost."""

    places: list[Thing]
    cost: Number


Enter: TypeAlias = Callable[[Thing | None, Thing], Number]
Test: TypeAlias = Callable[[Thing | None, Thing], bool]
"""The cost of entering a place, and whether a ban or a halt applies there, given the place before."""
Steps: TypeAlias = tuple[Enter | None, list[Test], list[Test], tuple[object, ...]]
StepCost: TypeAlias = Callable[[int, int], Number | None]
T = TypeVar("T")


def _open(before: Thing | None, place: Thing) -> bool:  # noqa: ARG001 (asked like every ban)
    """A ban that never applies."""
    return False


class Movement:
    """Movement along the paths of one world. Answers are kept until something changes that they depend on.

    fine: whether the world's counts of changes by name may be trusted, as in a game, where nothing changes but through
    the world's own methods; else any change makes all answers stale. ready: whether what depends only on the mover is
    computed once for a complete reach.
    """

    def __init__(self, world: Walked, *, fine: bool = False, ready: bool = True) -> None:
        self.world = world
        self.fine = fine
        self.ready = ready
        self.programs = world.program.ways
        self.chosen: dict[tuple[tuple[object, ...], Thing], tuple[str, list[Thing], Number]] = {}
        """The route chosen by the command being checked or carried out: its path, its places and its cost, by arguments and goal."""
        self._reach: dict[tuple[str, tuple[object, ...]], tuple[int, Reach]] = {}
        self._traces: dict[tuple[str, tuple[object, ...]], tuple[int, Trace]] = {}
        self._tables: dict[tuple[str, str, object], tuple[int, Value]] = {}
        self._held: dict[tuple[object, ...], tuple[int, int]] = {}
        self._kept_traces: dict[tuple[str, tuple[object, ...]], tuple[int, KeptTrace]] = {}

    def function(self, name: str) -> Callable[..., Value]:
        """An emitted function of this world, by name."""
        found: Callable[..., Value] = self.world.functions[name]
        return found

    def _stamp(self, program: WayProgram, function: str = "") -> int:
        """A number that stays the same while nothing changes that a path, or one function of it, depends on."""
        return self.world.stamp(program.reads[function]) if self.fine else self.world.version

    def start(self, name: str, args: tuple[object, ...]) -> Thing | None:
        """Where a path of something begins; None if the thing is off the map, or where the path does not lead."""
        start: Thing | None = self.function(f"w_{py(name)}_from")(*args)
        return None if start is None else start.place

    def reach(self, name: str, args: tuple[object, ...]) -> Reach:
        """Every place within the path's budget, with exact costs. Raises RuleTrouble for a thing that is off the map."""
        key = (name, args)
        program = self.programs[name]
        stamp = self._stamp(program)
        held = self._reach.get(key)
        if held is not None and held[0] == stamp:
            return held[1]
        stem = f"w_{py(name)}"
        start = self.start(name, args)
        if start is None:
            raise RuleTrouble(f"The path {name} starts off the map.")
        enter, nevers, halts, classes = self._steps(program, stem, args)
        if classes and not program.crossing and not program.stepwise:
            kept = self._by_tables(program, start, args, (enter, nevers, halts), classes)
            if kept is not None:
                self._reach[key] = (stamp, kept)
                return kept
        cost = self._cost(program, enter, nevers)
        found = self._search(program, start.index, self.function(f"{stem}_budget")(*args), cost, halts)
        self._reach[key] = (stamp, found)
        return found

    def first_steps(self, name: str, args: tuple[object, ...]) -> list[Thing]:
        """The places that a single step from the start reaches; none if the whole reach is known, or found by tables."""
        program = self.programs[name]
        held = self._reach.get((name, args))
        start = self.start(name, args)
        if start is None or (held is not None and held[0] == self._stamp(program)):
            return []
        stem = f"w_{py(name)}"
        enter, nevers, _, classes = self._steps(program, stem, args)
        if classes and not program.crossing and not program.stepwise:
            return []
        cost, budget = self._cost(program, enter, nevers), self.function(f"{stem}_budget")(*args)
        steps = [(there, cost(start.index, there)) for there in self.world.grid.around[start.index]]
        return [self.world.places[there] for there, step in steps if step is not None and 0 <= step <= budget]

    def _search(self, program: WayProgram, start: int, budget: Number, cost: StepCost, halts: list[Test]) -> Reach:
        """The places within a budget; halts that depend on the step are checked for each step, the others for each place."""
        places, grid = self.world.places, self.world.grid
        paired = list(zip(halts, program.haltings, strict=True))
        plain = [halt for halt, (name, _, _) in paired if name not in program.stepwise]
        stepwise = [halt for halt, (name, _, _) in paired if name in program.stepwise]

        def stop(here: int) -> bool:
            place = places[here]
            return any(halt(None, place) for halt in plain)

        if not stepwise:
            return reach(grid, start, budget, cost, stop if plain else None)
        known: dict[int, bool] = {}

        def ends(here: int, there: int) -> bool:
            if there not in known:
                known[there] = stop(there)
            return known[there] or any(halt(places[here], places[there]) for halt in stepwise)

        return reach_by_steps(grid, start, budget, cost, ends)

    def _by_tables(
        self,
        program: WayProgram,
        start: Thing,
        args: tuple[object, ...],
        asked: tuple[Enter | None, list[Test], list[Test]],
        classes: tuple[object, ...],
    ) -> Reach | None:
        """The reach using tables kept for movers of the same class; None if that is not possible."""
        try:
            table = self._table(program, "costs", classes[0], StepTable)
            shut_at: dict[int, bool] = self._table(program, "never", classes[1], dict)
            halt_at: dict[int, bool] = self._table(program, "halting", classes[2], dict)
        except TypeError:  # a class that is not hashable
            return None
        (enter, nevers, halts), places = asked, self.world.places

        def cost(here: int, there: int) -> Number | None:
            return enter(places[here], places[there]) if enter is not None else 1

        def shut(there: int) -> bool:
            known = shut_at.get(there)
            if known is None:
                place = places[there]
                known = shut_at[there] = any(never(None, place) for never in nevers)
            return known

        def stop(here: int) -> bool:
            known = halt_at.get(here)
            if known is None:
                place = places[here]
                known = halt_at[here] = any(halt(None, place) for halt in halts)
            return known

        budget = self.function(f"w_{py(program.name)}_budget")(*args)
        try:
            return reach_by(self.world.grid, start.index, budget, table, cost, shut, stop)
        except TROUBLE:  # a cost behind a ban that would not have been needed; or one that fails again when it is
            return None

    def _table(self, program: WayProgram, what: str, key: object, made: Callable[[], T]) -> T:
        """The table of one question for one class of movers, valid as long as nothing else changes that it depends on."""
        stamp = self.world.stamp(program.tables[what]) if self.fine else self.world.version
        held = self._tables.get((program.name, what, key))
        if held is None or held[0] != stamp:
            held = self._tables[program.name, what, key] = (stamp, made())
        return held[1]

    def _steps(self, program: WayProgram, stem: str, args: tuple[object, ...]) -> Steps:
        """The cost, the bans and the halts of a step, each given the place before and the one entered.

        Also the class of the mover for each of the three, if answers can be kept by it.
        """
        ready = self.world.functions.get(f"{stem}_ready") if self.ready else None
        if ready is not None:
            try:
                costs, nevers, halts, classes = ready(*args)
            except TROUBLE:  # computed in advance, although it might never be needed on the way
                pass
            else:
                return (costs[0] if costs else None), self._known(nevers), self._known(halts), classes
        enter = self.world.functions.get(f"{stem}_cost")
        return (
            functools.partial(enter, *args) if enter is not None else None,
            self._known(functools.partial(self.function(n), *args) for n, _, _ in program.nevers),
            self._known(functools.partial(self.function(n), *args) for n, _, _ in program.haltings),
            (),
        )

    def _known(self, tests: Iterable[Test]) -> list[Test]:
        """Bans and halts as the side that sees the world knows them: one that reads hidden things never applies."""
        veil = self.world.veil
        if veil is None:
            return list(tests)

        def known(test: Test, before: Thing | None, place: Thing) -> bool:
            try:
                return bool(test(before, place))
            except TROUBLE as error:
                if veil.covers(error):
                    return False
                raise

        return [functools.partial(known, test) for test in tests]

    def _cost(self, program: WayProgram, enter: Enter | None, nevers: list[Test]) -> StepCost:
        """The cost of a step between ids, or None if a ban applies; a ban that depends only on the place is checked once."""
        places = self.world.places
        plain = [f for f, (name, _, _) in zip(nevers, program.nevers, strict=True) if name not in program.crossing]
        crossing = [f for f, (name, _, _) in zip(nevers, program.nevers, strict=True) if name in program.crossing]
        barred: dict[int, bool] = {}

        def cost(here: int, there: int) -> Number | None:
            before, place = places[here], places[there]
            shut = barred.get(there)
            if shut is None:
                shut = False
                for never in plain:
                    if never(before, place):
                        shut = True
                        break
                barred[there] = shut
            if shut:
                return None
            for never in crossing:  # asked of every step
                if never(before, place):
                    return None
            return enter(before, place) if enter is not None else 1

        return cost

    def labels(self, found: Reach, place: int) -> list[str]:
        """The labels of the route to a place, from the start on."""
        return [self.world.grid.label(i) for i in found.path_to(place)]

    def why_barred(
        self, name: str, args: tuple[object, ...], place: Thing, before: Thing | None = None
    ) -> Barred | None:
        """The first ban that closes a place to a path, or None. before: the place next to it from which it is entered.

        Without it only bans that depend only on the place are checked.
        """
        program = self.programs[name]
        bans = self._known(functools.partial(self.function(n), *args) for n, _, _ in program.nevers)
        for ban, (function, reason, cites) in zip(bans, program.nevers, strict=True):
            if (before is not None or function not in program.crossing) and ban(before, place):
                return Barred(reason, cites)
        return None

    def why_unreached(self, name: str, args: tuple[object, ...], goal: Thing) -> Barred | None:
        """The ban that keeps a thing from a place: one that closes the place, or the only one without which it could get there.

        None if no single ban does.
        """
        start = self.start(name, args)
        if start is None:
            return None
        near = goal.index in self.world.grid.adjacent(start.index)
        closed = self.why_barred(name, args, goal, start if near else None)
        if closed is not None:
            return Barred(f"{goal.label} is closed: {closed.reason}", closed.cites)
        try:
            return self._single_ban(self.programs[name], args, start, goal)
        except TROUBLE:  # behind a ban something may have no value; then only how far it gets is known
            return None

    def _single_ban(self, program: WayProgram, args: tuple[object, ...], start: Thing, goal: Thing) -> Barred | None:
        """The first ban without which the place would be reached, and its position on the cheapest route in that case."""
        stem = f"w_{py(program.name)}"
        budget = self.function(f"{stem}_budget")(*args)
        enter, nevers, halts, _ = self._steps(program, stem, args)

        def without(*dropped: int) -> Reach:
            left = [_open if i in dropped else never for i, never in enumerate(nevers)]
            return self._search(program, start.index, budget, self._cost(program, enter, left), halts)

        every = range(len(nevers))
        if not nevers or goal.index not in without(*every).points:
            return None
        for number in every:
            found = without(number)
            if goal.index not in found.points:
                continue
            _, reason, cites = program.nevers[number]
            way = [self.world.places[i] for i in found.path_to(goal.index)]
            shut = next(b for a, b in itertools.pairwise(way) if nevers[number](a, b))
            if shut is goal:
                return Barred(f"{goal.label} is closed: {reason}", cites)
            return Barred(f"the route to {goal.label} is closed in {shut.label}: {reason}", cites)
        return None

    def along(self, name: str, args: tuple[object, ...], via: list[Thing], goal: Thing) -> ChosenWay | Barred:
        """A chosen route: from the start over certain places, each of them next to the one before, to the goal.

        Between places that are not adjacent the cheapest route is taken. Costs, bans and halts apply as on every route.
        The start and the goal may be named among the places as well.
        """
        program = self.programs[name]
        stem = f"w_{py(name)}"
        here = self.function(f"{stem}_from")(*args).place.index
        budget = self.function(f"{stem}_budget")(*args)
        enter, nevers, halts, _ = self._steps(program, stem, args)
        cost, places = self._cost(program, enter, nevers), self.world.places
        spent: Number = 0
        way = [here]
        via = via[1:] if via and via[0].index == here else via
        via = via[:-1] if via and via[-1] is goal else via
        for number, place in enumerate([*via, goal]):
            if number and (ending := self._ending(program, args, places[way[-2]], places[way[-1]])) is not None:
                return ending
            there = place.index
            if there in self.world.grid.adjacent(way[-1]):
                step = cost(way[-1], there)
                if step is None:
                    return self._shut(program, args, places[way[-1]], place)
                spent, way = spent + step, [*way, there]
            elif there == way[-1]:
                return Barred(f"the route names {place.label} twice in a row", ())
            else:
                found = self._search(program, way[-1], budget - spent, cost, halts) if spent <= budget else None
                if found is None or there not in found.points:
                    return Barred(f"there is no route from {places[way[-1]].label} to {place.label}", ())
                goes_on = place is not goal and found.through is not None and there in found.through
                spent += found.cost_through(there) if goes_on else found.cost_to(there)
                way += (found.path_through(there) if goes_on else found.path_to(there))[1:]
            if spent > budget:
                return Barred(f"the route costs {say(spent)}, but the budget is {say(budget)}", ())
        return ChosenWay([places[i] for i in way], spent)

    def _ending(self, program: WayProgram, args: tuple[object, ...], before: Thing, place: Thing) -> Barred | None:
        """What ends a move from one place into another, or None."""
        for function, reason, cites in program.haltings:
            if self.function(function)(*args, before, place):
                return Barred(f"the move ends in {place.label}: {reason}", cites)
        return None

    def _shut(self, program: WayProgram, args: tuple[object, ...], before: Thing, place: Thing) -> Barred:
        """Why a step cannot be made."""
        for function, reason, cites in program.nevers:
            if self.function(function)(*args, before, place):
                return Barred(f"{place.label} is closed: {reason}", cites)
        return Barred(f"{place.label} cannot be entered from {before.label}", ())

    def cost_to(self, name: str, args: tuple[object, ...], place: Thing | None) -> Number | None:
        """The cost of the chosen route to a place, or of the cheapest one; None if it is out of reach or off the map.

        Along another path than the one it was chosen for, the chosen route costs what that path says, if it allows the route.
        """
        if place is None:
            return None
        path, way, cost = self.chosen.get((args, place), ("", [], 0))
        if path == name:
            return cost
        start = self.start(name, args)
        if start is None:
            return None
        if way and way[0] is start and self.programs[name].moves:
            found = self.along(name, args, way[1:-1], place)
            return None if isinstance(found, Barred) else found.cost
        known = self.reach(name, args)
        return known.cost_to(place.index) if place.index in known.points else None
