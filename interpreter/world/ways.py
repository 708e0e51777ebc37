"""Paths of a world: how far a thing can move and by which route, and whether a declared trace reaches its goal."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interpreter.codegen.python_names import py
from interpreter.codegen.reads import ALL, MOVES
from interpreter.geometry.boards import boards_of
from interpreter.geometry.traces import Blocked, Leg, Route, Trace
from interpreter.program.program_data import WayProgram
from interpreter.runtime.things import Thing
from interpreter.world.kept_traces import KeptTrace
from interpreter.world.movement import Movement


class Ways(Movement):
    """The paths of one world: movement along them, and whether declared traces exist."""

    def exists(self, name: str, args: tuple[object, ...]) -> bool:
        """Whether the route exists."""
        program = self.programs[name]
        start = self.start(name, args)
        if start is None:
            return False
        if program.moves:
            return len(self.reach(name, args).points) > 1
        if self.fine and program.sight is not None and not program.crossing:
            return start.index in self.kept(name, args).catch_up()
        key = ("answer", name, self._key(program, args), start.index)
        stamp = self._stamp(program)
        held = self._held.get(key)
        if held is not None and held[0] == stamp:
            return bool(held[1])
        trace = self.trace(name, args)
        found = bool(boards_of(self.world.grid).has(self._board(name, args, trace), start.index))
        self._held[key] = (stamp, found)
        return found

    def kept(self, name: str, args: tuple[object, ...]) -> KeptTrace:
        """The trace, kept up to date while things move; created again when something else that it reads changes."""
        program = self.programs[name]
        key = (name, self._key(program, args))
        stamp = self.world.stamp(self._still(program))
        held = self._kept_traces.get(key)
        if held is not None and held[0] == stamp:
            return held[1]
        nevers = [self.function(n) for n, _, _ in program.nevers]

        def shut(place: Thing) -> bool:
            return any(never(*args, None, place) for never in nevers)

        made = KeptTrace(self.world, self.trace(name, args), shut, program.sight or 0, program.ground)
        self._kept_traces[key] = (stamp, made)
        return made

    def _still(self, program: WayProgram) -> frozenset[str]:
        """What a trace reads besides the places of things; if its ends depend on these too, it is everything."""
        reads = program.reads[""]
        return reads if MOVES in program.reads["legs"] or ALL in reads else reads - {MOVES}

    def _board(self, name: str, args: tuple[object, ...], trace: Trace) -> int:
        """The places from which the route exists."""
        return self._kept("board", self.programs[name], "", args, trace.board)

    def _kept(
        self, what: str, program: WayProgram, function: str, args: tuple[object, ...], work: Callable[[], int]
    ) -> int:
        """A board, computed again only when something that it depends on changes."""
        key = (what, program.name, function, self._key(program, args))
        stamp = self._stamp(program, function)
        held = self._held.get(key)
        if held is None or held[0] != stamp:
            held = self._held[key] = (stamp, work())
        board: int = held[1]
        return board

    def _where(self, program: WayProgram, function: str, args: tuple[object, ...], *, entering: bool) -> int:
        """The board of the places for which a condition of a path is true."""
        before = (None,) if entering else ()

        def found() -> Iterable[Thing]:
            at_once = self.world.functions.get(f"{function}_all")
            if at_once is not None:
                of_all: Iterable[Thing] = at_once(*args)
                return of_all
            test, places = self.function(function), self.world.by_kind[program.ground]
            return (place for place in places if test(*args, *before, place))

        return self._kept(
            "where", program, function, args, lambda: boards_of(self.world.grid).board(p.index for p in found())
        )

    def _barred(self, program: WayProgram, args: tuple[object, ...]) -> dict[int, frozenset[int]]:
        """The places that may not be entered from some neighbours, each with those neighbours."""
        tests = [self.function(never) for never, _, _ in program.nevers if never in program.crossing]
        if not tests:
            return {}
        world, found = self.world, {}
        nets = [world.grid.around] if any(along is None for _, _, along, _ in program.legs) else []
        nets += [world.link_graph.along(frozenset([along])) for _, _, along, _ in program.legs if along is not None]
        for place in world.by_kind[program.ground]:
            near = {other for around in nets for other in around[place.index]}
            shut = (o for o in near if any(test(*args, world.places[o], place) for test in tests))
            if from_there := frozenset(shut):
                found[place.index] = from_there
        return found

    def answer(self, name: str, args: tuple[object, ...]) -> Route | Blocked:
        """The route, or what blocks it."""
        from interpreter.geometry import trace_graph  # networkx is slow to import, and only explanations need it

        start = self.start(name, args)
        if start is None:
            return Blocked("It is off the map.", 1, (), ())
        return trace_graph.answer(self.trace(name, args), start.index)

    def _key(self, program: WayProgram, args: tuple[object, ...]) -> tuple[object, ...]:
        """What the route depends on: only the side if the rule reads nothing else of the mover."""
        return tuple(a.side if program.side_only and hasattr(a, "side") else a for a in args)

    def trace(self, name: str, args: tuple[object, ...]) -> Trace:
        """The declared trace over the current map."""
        program = self.programs[name]
        key = (name, self._key(program, args))
        stamp = self._stamp(program)
        held = self._traces.get(key)
        if held is not None and held[0] == stamp:
            return held[1]
        stem = f"w_{py(name)}"
        closed = 0
        for never, _, _ in program.nevers:
            if never not in program.crossing:
                closed |= self._where(program, never, args, entering=True)
        legs: list[Leg] = []
        for number, (leg, limited, along, ends) in enumerate(program.legs):
            limit = self.function(f"{stem}_limit{number}")(*args) if limited else None
            board = self._where(program, f"{stem}_until{number}", args, entering=False) if ends else 0
            legs.append(Leg(None if limit is None else int(limit), along, board, leg))
        exempt = program.exempt == "always" or bool(program.exempt and self.function(program.exempt)(*args))
        made = Trace(
            self.world.grid,
            self.world.link_graph,
            legs,
            closed,
            barred=self._barred(program, args),
            start_exempt=exempt,
        )
        self._traces[key] = (stamp, made)
        return made
