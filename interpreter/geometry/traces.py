"""Declared traces: is there a route from here, over open places and then along links, to one of those places?

A trace is a chain of legs. `Trace.board` answers for every start at once by flooding back from the goal.
`supply_field.py` keeps that answer up to date while places close and open. `trace_graph.py` explains one start by its
route or by what cuts it. The caller knows what closes a place, and what a route is for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import field, frozen

from interpreter.geometry.boards import Boards, boards_of
from interpreter.geometry.place_graph import Around, PlaceGraph


class _Linked(dict[int, tuple[int, ...]]):
    """Neighbours along links: empty for a place without one."""

    def __missing__(self, place: int) -> tuple[int, ...]:
        return ()


class Links:
    """The named links of a map (roads, railways, sea lanes), each usable both ways; they may join distant places.

    Args:
        named: link name -> pairs of ids. Raises ValueError for a link from a place to itself.
    """

    def __init__(self, named: Mapping[str, Iterable[tuple[int, int]]] | None = None) -> None:
        self.named = {name: tuple(pairs) for name, pairs in (named or {}).items()}
        for name, pairs in self.named.items():
            for a, b in pairs:
                if a == b:
                    raise ValueError(f"The link {name!r} joins the place with id {a} to itself.")
        self._nets: dict[frozenset[str], _Linked] = {}
        self._strings: dict[frozenset[str], Strings] = {}

    def along(self, names: frozenset[str]) -> _Linked:
        """The adjacent places along any link of these names. Raises ValueError for a name the map does not have."""
        net = self._nets.get(names)
        if net is None:
            joined: dict[int, set[int]] = {}
            for name in sorted(names):
                if name not in self.named:
                    raise ValueError(f"This map has no links named {name!r}.")
                for a, b in self.named[name]:
                    joined.setdefault(a, set()).add(b)
                    joined.setdefault(b, set()).add(a)
            net = self._nets[names] = _Linked({place: tuple(sorted(others)) for place, others in joined.items()})
        return net

    def strings(self, names: frozenset[str]) -> Strings:
        """The same links as strings of places. Raises ValueError for a name the map does not have."""
        found = self._strings.get(names)
        if found is None:
            found = self._strings[names] = Strings(self.along(names))
        return found


class Strings:
    """Links as strings of places one after the other, between places where more than two links meet or only one ends.

    at[place]: for each string that it is on, the string and its number there. A place within a string is on that one
    alone; where strings meet a place is on several, and on each of them at an end.
    """

    def __init__(self, around: Mapping[int, tuple[int, ...]]) -> None:
        self.at: dict[int, list[tuple[tuple[int, ...], int]]] = {}
        knots = [place for place in around if len(around[place]) != _INSIDE]
        done: set[tuple[int, int]] = set()
        for knot in knots:
            for first in around[knot]:
                if (knot, first) not in done:
                    self._lay(around, knot, first, done)
        for place in around:
            if place not in self.at:  # a ring without a knot
                self._lay(around, place, around[place][0], done)

    def _lay(self, around: Mapping[int, tuple[int, ...]], start: int, first: int, done: set[tuple[int, int]]) -> None:
        string = [start, first]
        while len(around[string[-1]]) == _INSIDE and string[-1] != start:
            a, b = around[string[-1]]
            string.append(b if a == string[-2] else a)
        done |= {(start, first), (string[-1], string[-2])}
        whole = tuple(string)
        for number, place in enumerate(whole):
            self.at.setdefault(place, []).append((whole, number))


_INSIDE = 2
"""The number of links that meet within a string."""


def _names(given: str | Iterable[str] | None) -> frozenset[str] | None:
    if given is None:
        return None
    return frozenset([given] if isinstance(given, str) else given)


@frozen
class Leg:
    """One leg of a trace: at most `limit` places entered, until a place of a board. It may have no step at all.

    Args:
        limit: how many places may be entered, or None for any number.
        along: the names of the links it must follow, or None to go from neighbour to neighbour.
        until: the board of places where it may end.
        name: what those places are called in explanations, with no article: "road", "supply source".
    """

    limit: int | None = field()
    along: frozenset[str] | None = field(converter=_names)
    until: int = field(repr=False)
    name: str = "end"

    @limit.validator
    def _counts(self, _attribute: object, value: int | None) -> None:
        if value is not None and value < 0:
            raise ValueError(f"The limit of a leg must be at least 0 places, not {value}.")


@frozen
class Route:
    """A route of fewest places: for each leg the labels from where it starts to where it ends, both included.

    Among equal routes it is the one through neighbours with lower ids, and among equal ones the one that ends its earlier
    legs sooner. `cut` has the fewest places whose closing would leave no route: empty if nothing can cut it.
    """

    legs: tuple[tuple[str, ...], ...]
    cut: tuple[str, ...] = ()

    @property
    def entered(self) -> int:
        """How many places the route enters."""
        return sum(len(leg) - 1 for leg in self.legs)


@frozen
class Blocked:
    """Why there is no route.

    `leg` is the number, from 1, of the first leg that cannot be finished. `cut` has the fewest closed places that alone,
    with all others open, leave no route; it is empty if even then there were none. `reopening` has the closed places
    that would have to open for the route in `legs`: it enters fewest closed places, and of such it is a shortest.
    `between` has the two places of the first step that is barred, if there is no route because of such steps alone.
    """

    reason: str
    leg: int
    cut: tuple[str, ...]
    reopening: tuple[str, ...]
    legs: tuple[tuple[str, ...], ...] = ()
    between: tuple[str, ...] = ()


def _in_order(legs: Iterable[Leg]) -> tuple[Leg, ...]:
    return tuple(legs)


@frozen
class Trace:
    """A declared trace over the current map.

    Leg by leg, every entered place must be open. Each leg ends on a place of its `until` board; the last board is the
    goal.

    Args:
        graph: the map.
        links: its links.
        legs: at least one.
        closed: the board of places that may not be entered.
        barred: the places that may not be entered from some others, each with those others.
        start_exempt: whether a route may start from a closed place.
        direct: whether an earlier leg may end on a place of the goal, with no further leg.

    Raises ValueError for no legs at all.
    """

    graph: PlaceGraph
    links: Links = field(repr=False)
    legs: tuple[Leg, ...] = field(converter=_in_order)
    closed: int = field(default=0, repr=False)
    barred: Mapping[int, frozenset[int]] = field(factory=dict, repr=False, kw_only=True)
    start_exempt: bool = field(default=True, kw_only=True)
    direct: bool = field(default=False, kw_only=True)

    @legs.validator
    def _some(self, _attribute: object, value: tuple[Leg, ...]) -> None:
        if not value:
            raise ValueError("A trace needs at least one leg.")

    def board(self) -> int:
        """The board of all places from which there is a route."""
        targets = 0
        for number in reversed(range(len(self.legs))):
            targets = self._flood(self.legs[number], self.targets(number, targets))
        return targets if self.start_exempt else targets & ~self.closed

    def targets(self, number: int, onward: int) -> int:
        """Where a leg may end: on its board, with the rest of the trace possible from there."""
        if number == len(self.legs) - 1:
            return self.legs[number].until
        return self.legs[number].until & onward | (self.legs[-1].until if self.direct else 0)

    def _flood(self, leg: Leg, targets: int) -> int:
        """The places from which a leg can end on a target. A closed target or place has itself, but is not entered."""
        boards = boards_of(self.graph)
        if self.barred:
            limit = len(self.graph) if leg.limit is None else leg.limit
            return _flood_links(boards, self.back(leg), targets, self.closed, limit)
        if leg.along is not None:
            if leg.limit is None:
                return _flood_strings(boards, self.links.strings(leg.along), targets, self.closed)
            return _flood_links(boards, self.links.along(leg.along), targets, self.closed, leg.limit)
        wave, left, passable = targets, boards.full & ~targets, boards.full & ~self.closed
        steps = 0
        while wave and (leg.limit is None or steps < leg.limit):
            wave = boards.spread(wave & passable) & left
            left ^= wave
            steps += 1
        return boards.full ^ left

    def around(self, leg: Leg) -> Around:
        """The places one step of a leg leads to, closed or not."""
        around = self._joined(leg)
        return _Onward(around, self.barred) if self.barred else around

    def back(self, leg: Leg) -> Around:
        """The places from which one step of a leg leads to a place, if that is open."""
        around = self._joined(leg)
        return _Backward(around, self.barred) if self.barred else around

    def _joined(self, leg: Leg) -> Around:
        return self.graph.around if leg.along is None else self.links.along(leg.along)

    def too_far(self, start: int, number: int) -> str:
        """Why there is no route from a place even if nothing is closed: the leg of that number, from 0, cannot be finished."""
        leg, here = self.legs[number], self.graph.label(start)
        within = "" if leg.limit is None else f" within {leg.limit}"
        along = "" if leg.along is None else f" along {' or '.join(sorted(leg.along))}"
        if number:
            before = self.legs[number - 1].name
            return f"No {leg.name} can be reached{within}{along} from any {before} within reach of {here}."
        if within:
            return f"There is no {leg.name}{within} of {here}{along}."
        return f"No {leg.name} can be reached from {here}{along}."


class _Onward(dict[int, tuple[int, ...]]):
    """The neighbours of a place that may be entered from it."""

    def __init__(self, around: Around, barred: Mapping[int, frozenset[int]]) -> None:
        self._around, self._barred = around, barred

    def __missing__(self, place: int) -> tuple[int, ...]:
        barred = self._barred
        found = tuple(o for o in self._around[place] if o not in barred or place not in barred[o])
        return self.setdefault(place, found)


class _Backward(_Onward):
    """The neighbours of a place from which it may be entered."""

    def __missing__(self, place: int) -> tuple[int, ...]:
        shut = self._barred.get(place, ())
        return self.setdefault(place, tuple(o for o in self._around[place] if o not in shut))


def in_words(labels: Sequence[str]) -> str:
    """Places as a list in a sentence."""
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"


def _flood_links(boards: Boards, around: Around, targets: int, closed: int, limit: int) -> int:
    # A byte for each place: 0 open, 1 closed, 2 open and reached, 3 closed and reached.
    state = boards.flags(closed)
    reached = boards.places(targets)
    for place in reached:
        state[place] |= 2
    wave = [place for place in reached if state[place] == 2]
    while wave and limit:
        found: list[int] = []
        add = found.append
        for place in wave:
            for other in around[place]:
                if state[other] < 2:
                    if state[other]:
                        state[other] = 3
                    else:
                        state[other] = 2
                        add(other)
        wave, limit = found, limit - 1
    return boards.from_flags(state.translate(_REACHED))


def _flood_strings(boards: Boards, strings: Strings, targets: int, closed: int) -> int:
    # The same with no limit: along each string as far as it is open.
    state, at = boards.flags(closed), strings.at
    reached = boards.places(targets)
    for place in reached:
        state[place] |= 2
    todo = [place for place in reached if state[place] == 2 and place in at]
    while todo:
        for string, number in at[todo.pop()]:
            for way in (string[number + 1 :], string[number - 1 :: -1] if number else ()):
                for other in way:
                    if state[other]:
                        if state[other] == 1:
                            state[other] = 3
                        break
                    state[other] = 2
                else:
                    if way and len(at[way[-1]]) > 1:
                        todo.append(way[-1])
    return boards.from_flags(state.translate(_REACHED))


_REACHED = bytes([0, 0, 1, 1]) + bytes(252)
