"""Traces kept up to date: which places have a route, while places close and open, at a cost that depends on the changes.

`SupplyField` follows which places close and open and repairs its answer, without looking at the rest of the map. The caller
knows what closes a place, and what a route is for.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, frozen

from interpreter.geometry.boards import Boards, boards_of
from interpreter.geometry.place_graph import Around
from interpreter.geometry.traces import Leg, Trace

_WIDEST = 250
"""The longest limit whose distances fit into one byte a place."""


@frozen
class RouteChange:
    """The effect of a few closures: the place ids that gained a route and those that lost theirs, ascending."""

    gained: tuple[int, ...]
    lost: tuple[int, ...]


class SupplyField:
    """The places from which a trace has a route, kept up to date while places close and open.

    Leg by leg it remembers how near each place is to an end (or, without a limit, on which place its route depends), and
    after a change updates only those places whose answer depended on what changed. Dynamic shortest paths after
    Ramalingam and Reps (1996), cut off at the limit of the leg.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._boards = boards_of(trace.graph)
        self._closed = self._boards.flags(trace.closed)
        self._goal = self._boards.flags(trace.legs[-1].until)
        self._until = [self._boards.flags(leg.until) for leg in trace.legs[:-1]]
        self._fields: list[_Near | _Joined] = []
        targets = trace.legs[-1].until
        for number in reversed(range(len(trace.legs))):
            leg = trace.legs[number]
            around = trace.around(leg)
            if leg.limit is None:
                joined = _Joined(around, self._closed)
                joined.update((), (), (), self._boards.places(targets))
                reached = joined.board(self._boards)
                self._fields.insert(0, joined)
            else:
                near = _Near(around, self._closed, len(trace.graph), leg.limit)
                reached = near.fill(trace, leg, targets)
                self._fields.insert(0, near)
            if number:
                targets = trace.targets(number - 1, reached)

    def __contains__(self, place: int) -> bool:
        return self._fields[0].reaches(place) and (self.trace.start_exempt or not self._closed[place])

    def board(self) -> int:
        """The board of all places with a route. Its time grows with the map; `place in field` is fast."""
        reached = self._fields[0].board(self._boards)
        return reached if self.trace.start_exempt else reached & ~self._boards.from_flags(self._closed)

    def current(self) -> Trace:
        """The trace with the places that are closed now, for `answer`."""
        return evolve(self.trace, closed=self._boards.from_flags(self._closed))

    def update(self, close: Iterable[int] = (), open: Iterable[int] = ()) -> RouteChange:  # noqa: A002 (its plain name)
        """Close some place ids and open others (a place in both ends open), and return those whose answer changed."""
        shut = self._closed
        wanted = dict.fromkeys(close, 1) | dict.fromkeys(open, 0)
        closing = [place for place, value in wanted.items() if value and not shut[place]]
        opening = [place for place, value in wanted.items() if not value and shut[place]]
        held = {place: place in self for place in (*closing, *opening)}
        for place in closing:
            shut[place] = 1
        for place in opening:
            shut[place] = 0
        gone: list[int] = []
        new: list[int] = []
        gained: list[int] = []
        lost: list[int] = []
        for number in reversed(range(len(self._fields))):
            gained, lost = self._fields[number].update(closing, opening, gone, new)
            if number:
                gone, new = self._ends_among(number - 1, lost), self._ends_among(number - 1, gained)
        if self.trace.start_exempt:
            return RouteChange(tuple(sorted(gained)), tuple(sorted(lost)))
        return self._of_open_places(held, gained, lost)

    def _ends_among(self, leg: int, places: Sequence[int]) -> list[int]:
        """The places at which a leg may end, except those that are already a goal, where a trace may end directly."""
        ends = self._until[leg]
        return [place for place in places if ends[place] and not (self.trace.direct and self._goal[place])]

    def _of_open_places(self, held: Mapping[int, bool], gained: list[int], lost: list[int]) -> RouteChange:
        """The change if a closed place has no route: closing and opening count as well."""
        shut = self._closed
        up = {place for place in gained if place not in held and not shut[place]}
        down = {place for place in lost if place not in held and not shut[place]}
        up |= {place for place, had in held.items() if not had and place in self}
        down |= {place for place, had in held.items() if had and place not in self}
        return RouteChange(tuple(sorted(up)), tuple(sorted(down)))


class _Near:
    """How many places a leg with a limit enters from each place to its nearest target; `limit` + 1 is too far."""

    def __init__(self, around: Around, closed: bytearray, places: int, limit: int) -> None:
        self._around = around
        self._closed = closed
        self._limit = limit
        self._far: bytearray | array[int]
        self._far = bytearray([limit + 1]) * places if limit <= _WIDEST else array("l", [limit + 1]) * places

    def reaches(self, place: int) -> bool:
        return self._far[place] <= self._limit

    def board(self, boards: Boards) -> int:
        limit = self._limit
        if isinstance(self._far, bytearray):
            return boards.from_flags(self._far.translate(bytes(far <= limit for far in range(256))))
        return boards.from_flags(bytes(far <= limit for far in self._far))

    def fill(self, trace: Trace, leg: Leg, targets: int) -> int:
        """Set all distances for the first time, and return the board of the places in reach."""
        boards = boards_of(trace.graph)
        if leg.along is not None or leg.limit is None or leg.limit > _WIDEST:
            gained, _ = self.update((), (), (), boards.places(targets))
            return boards.board(gained)
        # One byte for each place in one integer: each wave adds 1 wherever it has not arrived.
        wave, left, passable = targets, boards.full & ~targets, boards.full & ~trace.closed
        far = int.from_bytes(boards.flags(left), "little")
        for _ in range(leg.limit):
            wave = boards.spread(wave & passable) & left
            left ^= wave
            far += int.from_bytes(boards.flags(left), "little")
        self._far = bytearray(far.to_bytes(len(trace.graph), "little"))
        return boards.full ^ left

    def update(
        self, closing: Sequence[int], opening: Sequence[int], gone: Sequence[int], new: Sequence[int]
    ) -> tuple[list[int], list[int]]:
        """Follow places that have closed and opened and targets that are gone or new: the ids gained and lost."""
        old = self._fall(closing, gone, frozenset(new))
        self._rise(old, opening, new)
        far, limit = self._far, self._limit
        gained = [place for place, was in old.items() if was > limit >= far[place]]
        lost = [place for place, was in old.items() if was <= limit < far[place]]
        return gained, lost

    def _fall(self, closing: Sequence[int], gone: Sequence[int], kept: frozenset[int]) -> dict[int, int]:
        """Mark every place whose route depended on something gone as out of reach, nearest first: id -> distance before."""
        far, closed, around, limit = self._far, self._closed, self._around, self._limit
        doubtful: list[list[int]] = [[] for _ in range(limit + 2)]
        doubtful[0].extend(place for place in gone if place not in kept)
        for place in closing:
            beyond = far[place] + 1
            if beyond <= limit:
                doubtful[beyond].extend(other for other in around[place] if far[other] == beyond)
        old: dict[int, int] = {}
        for steps in range(limit + 1):
            nearer, beyond = steps - 1, steps + 1
            for place in doubtful[steps]:
                if far[place] != steps:
                    continue
                for other in around[place]:
                    if far[other] == nearer and not closed[other]:
                        break
                else:
                    old[place] = steps
                    far[place] = limit + 1
                    if steps == limit:
                        continue
                    for other in around[place]:
                        if far[other] == beyond:
                            doubtful[beyond].append(other)
        return old

    def _rise(self, old: dict[int, int], opening: Sequence[int], new: Sequence[int]) -> None:
        """Bring places within reach again by remaining and new routes, nearest first; records them in `old`."""
        far, closed, around, limit = self._far, self._closed, self._around, self._limit
        waves: list[list[int]] = [[] for _ in range(limit + 2)]
        waves[0].extend(new)
        for place in old:
            nearest = min((far[other] for other in around[place] if not closed[other]), default=limit)
            if nearest < limit:
                waves[nearest + 1].append(place)
        for place in opening:
            beyond = far[place] + 1
            if beyond <= limit:
                waves[beyond].extend(around[place])
        for steps in range(limit + 1):
            beyond = steps + 1
            for place in waves[steps]:
                if far[place] <= steps:
                    continue
                old.setdefault(place, far[place])
                far[place] = steps
                if beyond <= limit and not closed[place]:
                    for other in around[place]:
                        if far[other] > beyond:
                            waves[beyond].append(other)


class _Joined:
    """Which places a leg without a limit connects to a target: each depends on the next open place of its route.

    `hangs_on` maps a place id in reach to that next place, a target to itself.
    """

    def __init__(self, around: Around, closed: bytearray) -> None:
        self._around = around
        self._closed = closed
        self.hangs_on: dict[int, int] = {}

    def reaches(self, place: int) -> bool:
        return place in self.hangs_on

    def board(self, boards: Boards) -> int:
        return boards.board(self.hangs_on)

    def update(
        self, closing: Sequence[int], opening: Sequence[int], gone: Sequence[int], new: Sequence[int]
    ) -> tuple[list[int], list[int]]:
        """Follow places that have closed and opened and targets that are gone or new: the ids gained and lost."""
        hangs_on, closed, around = self.hangs_on, self._closed, self._around
        fallen = self._fall(closing, gone)
        held = {place for place in opening if place in hangs_on}
        found = list(held)
        for place in new:
            if place not in hangs_on:
                found.append(place)
            hangs_on[place] = place
        for place in fallen:
            if place not in hangs_on:
                for other in around[place]:
                    if other in hangs_on and not closed[other]:
                        hangs_on[place] = other
                        found.append(place)
                        break
        # The list grows while it is walked: every place found may bring its neighbours.
        for place in found:
            if not closed[place]:
                for other in around[place]:
                    if other not in hangs_on:
                        hangs_on[other] = place
                        found.append(other)
        gained = [place for place in dict.fromkeys(found) if place not in fallen and place not in held]
        return gained, [place for place in fallen if place not in hangs_on]

    def _fall(self, closing: Sequence[int], gone: Sequence[int]) -> dict[int, None]:
        """Drop every place whose route led over something gone."""
        hangs_on, around = self.hangs_on, self._around
        falling = list(gone)
        for place in closing:
            falling.extend(other for other in around[place] if hangs_on.get(other) == place)
        fallen: dict[int, None] = {}
        while falling:
            place = falling.pop()
            if hangs_on.pop(place, None) is not None:
                fallen[place] = None
                falling.extend(other for other in around[place] if hangs_on.get(other) == place)
        return fallen
