"""A declared trace as a networkx graph of its legs, and how it is explained: its route, what cuts it, what would reopen it.

A node is `(leg, place, entered)`: on this leg, in this place, with so many places entered on the leg (0 where nothing
limits it). An edge enters a place, and may end legs there; it weighs 1, or 0 where no place is entered. The edges of a
node are in the order in which equal routes are preferred, so the first shortest path is the route. Closed places
are not part of the graph: `with_closed` is a view of it without them.

Whether there is a route at all, for many starts at once, is answered by the floods of `traces.py`. Tests check that both agree.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import networkx as nx
from attrs import evolve, frozen
from networkx.algorithms.flow import edmonds_karp

from interpreter.geometry.boards import boards_of
from interpreter.geometry.traces import Blocked, Route, Trace, in_words

State = tuple[int, int, int]
"""The number of a leg, a place, and how many places were entered on the leg."""

START = (-1, -1, 0)
"""Where every route begins: the start itself, which may be left even if it is closed."""
GOAL = (-1, -1, 1)
"""Where every route ends."""
FEW = 12
"""Cuts with more places than this are not searched: nobody closes that many to cut one route."""
TOO_MANY = FEW + 1
MOST_NODES = 20_000
"""In a larger graph a cut treats a place as one node on all legs."""


def trace_graph(trace: Trace, start: int) -> nx.DiGraph[State]:
    """All routes of a trace from a place, as if nothing were closed; without nodes that are dead ends."""
    graph: nx.DiGraph[State] = nx.DiGraph()
    graph.add_nodes_from([START, GOAL])
    legs = _Legs(trace)
    found: deque[State] = deque()

    def enter(before: State, number: int, place: int, used: int, entered: int) -> None:
        for state in legs.standing(number, place, used):
            if state not in graph:
                graph.add_node(state)
                found.append(state)
            graph.add_edge(before, state, weight=entered)

    enter(START, 0, start, 0, 0)
    while found:
        state = found.popleft()
        number, place, used = state
        if legs.is_goal(number, place):
            graph.add_edge(state, GOAL, weight=0)
            continue
        for other in legs.around[number][place]:
            enter(state, number, other, used + 1, 1)
    return graph


def with_closed(graph: nx.DiGraph[State], closed: Collection[int]) -> nx.DiGraph[State]:
    """A view of the graph of a trace without the places that may not be entered."""
    exempt = {START, GOAL, *graph[START]}
    return nx.subgraph_view(graph, filter_node=lambda state: state in exempt or state[1] not in closed)


def answer(trace: Trace, start: int) -> Route | Blocked:
    """The shortest route from a place id, counting every place entered on any leg, or what stops it.

    Raises IndexError if there is no such id.
    """
    here = trace.graph.label(start)
    boards = boards_of(trace.graph)
    if not trace.start_exempt and boards.has(trace.closed, start):
        return Blocked(f"{here} is itself closed.", 1, (here,), (here,))
    whole, closed = trace_graph(trace, start), set(boards.places(trace.closed))
    left = with_closed(whole, closed)
    path = _shortest(left)
    if path is not None:
        cut = least_cut(left, path, _cutting(trace, start, trace.closed), lambda place: place != start)
        return Route(_by_leg(trace, path), _labels(trace, cut))
    path = _shortest(whole)
    if path is None:
        return _barred(trace, start) or _unreachable(trace, start)
    closing = _labels(trace, least_cut(whole, path, _cutting(trace, start, 0), closed.__contains__))
    way = _fewest_closed(whole, closed)
    reopening = _labels(trace, dict.fromkeys(place for place in _entered(way) if place in closed))
    where = f"at {in_words(closing)}" if closing else f"by more than {FEW} places"
    reason = f"The route from {here} is cut {where}."
    return Blocked(reason, _finished(trace, start) + 1, closing, reopening, _by_leg(trace, way))


def _unreachable(trace: Trace, start: int) -> Blocked:
    """Why there is no route even if nothing is closed."""
    done = _finished(evolve(trace, closed=0), start)
    return Blocked(trace.too_far(start, done), done + 1, (), ())


def _barred(trace: Trace, start: int) -> Blocked | None:
    """The first barred step of the route that there would be if no step were barred; None if there is none even then.

    It has the fewest barred steps and closed places; `legs` has it if it needs no other step and no place open.
    """
    whole = trace_graph(evolve(trace, barred={}), start)
    if not trace.barred or _shortest(whole) is None:
        return None
    closed = set(boards_of(trace.graph).places(trace.closed))
    way = _fewest_closed(whole, closed, trace.barred)
    steps = [(a[1], b[1]) for a, b in pairwise(way) if a[1] != b[1]]
    shut = [(a, b) for a, b in steps if a in trace.barred.get(b, ())]
    between = _labels(trace, shut[0])
    reason = f"The route from {trace.graph.label(start)} is cut between {in_words(between)}."
    alone = len(shut) == 1 and closed.isdisjoint(_entered(way))
    return Blocked(reason, _finished(trace, start) + 1, (), (), _by_leg(trace, way) if alone else (), between)


def least_cut(
    graph: nx.DiGraph[State],
    path: Sequence[State],
    cuts: Callable[[Collection[int]], bool],
    may_close: Callable[[int], bool],
) -> tuple[int, ...]:
    """The fewest places whose closing leaves no route; empty if nothing does, or more than `FEW` would be needed.

    A single place is always found if one is enough: it is on every route, so on the shortest. For several places the
    smallest set is hard to find if legs have limits. Then it is the smaller of two cuts, one that treats a place as one
    node on all legs, one that treats it as a node on each; no place of it can be left out.

    Args:
        graph: the routes, with nothing in it that is closed already.
        path: the shortest of them.
        cuts: whether closing some places leaves no route.
        may_close: whether a place may be in the cut.
    """
    for place in dict.fromkeys(_entered(path)):
        if may_close(place) and cuts({place}):
            return (place,)
    exempt = set(graph[START])

    def on_any_leg(state: State) -> State:
        return START if state in exempt else state if state == GOAL else (0, state[1], 0)

    def on_each_leg(state: State) -> State:
        return START if state in exempt else state

    ways = (on_any_leg, on_each_leg) if len(graph) <= MOST_NODES else (on_any_leg,)
    found = [cut for node_of in ways if (cut := _flow_cut(graph, node_of, may_close))]
    if not found:
        return ()
    least = min(found, key=len)
    for place in sorted(least):
        if cuts(least - {place}):
            least = least - {place}
    return tuple(sorted(least))


def _cutting(trace: Trace, start: int, closed: int) -> Callable[[Collection[int]], bool]:
    """Whether some places, closed besides others, leave no route from a start that may itself be closed."""
    boards = boards_of(trace.graph)

    def cuts(places: Collection[int]) -> bool:
        shut = evolve(trace, closed=closed | boards.board(places), start_exempt=True)
        return not boards.has(shut.board(), start)

    return cuts


def _flow_cut(
    graph: nx.DiGraph[State], node_of: Callable[[State], State], may_close: Callable[[int], bool]
) -> frozenset[int]:
    """The places of a smallest cut between start and goal, with some nodes treated as one; empty if it is too large.

    Every node becomes two, with an edge between them that can be cut for 1, or only for too much.
    """
    split: nx.DiGraph[tuple[State, str]] = nx.DiGraph()
    for state in graph:
        node = START if state == START else node_of(state)
        free = node not in (START, GOAL) and may_close(node[1])
        split.add_edge((node, "in"), (node, "out"), capacity=1 if free else TOO_MANY)
    split.add_edges_from(
        (((node_of(a), "out"), (node_of(b), "in")) for a, b in graph.edges if a != START and node_of(a) != node_of(b)),
        capacity=TOO_MANY,
    )
    left = edmonds_karp(split, (START, "in"), (GOAL, "out"), cutoff=TOO_MANY)
    if left.graph["flow_value"] >= TOO_MANY:
        return frozenset()
    reached = nx.descendants(
        nx.subgraph_view(left, filter_edge=lambda a, b: left[a][b]["flow"] < left[a][b]["capacity"]), (START, "in")
    )
    return frozenset(node[1] for node, part in reached if part == "in" and (node, "out") not in reached)


def _shortest(graph: nx.DiGraph[State]) -> list[State] | None:
    """The nodes of the preferred route, without start and goal."""
    try:
        path: list[State] = nx.dijkstra_path(graph, START, GOAL)
    except nx.NetworkXNoPath:
        return None
    return path[1:-1]


def _fewest_closed(
    graph: nx.DiGraph[State], closed: Collection[int], barred: Mapping[int, frozenset[int]] | None = None
) -> list[State]:
    """The route that enters the fewest closed places and takes the fewest barred steps, and among these a shortest."""
    dear, shut_from = len(graph), barred or {}

    def weight(before: State, state: State, edge: dict[str, int]) -> int:
        shut = (state[1] in closed) + (before[1] in shut_from.get(state[1], ()))
        return edge["weight"] * (dear * shut or 1)

    path: list[State] = nx.dijkstra_path(graph, START, GOAL, weight)
    return path[1:-1]


def _entered(path: Sequence[State]) -> list[int]:
    """The places that a route enters, in its order."""
    return [b[1] for a, b in pairwise(path) if a[1] != b[1]]


def _by_leg(trace: Trace, path: Sequence[State]) -> tuple[tuple[str, ...], ...]:
    """The labels of a route for each leg, from where it starts to where it ends; a leg may end where it began."""
    label = trace.graph.label
    legs: list[list[str]] = [[label(path[0][1])] for _ in range(path[0][0] + 1)]
    for (before, _, _), (number, place, _) in pairwise(path):
        legs[before].append(label(place))
        legs += [[label(place)] for _ in range(number - before)]
    return tuple(map(tuple, legs))


def _labels(trace: Trace, places: Iterable[int]) -> tuple[str, ...]:
    return tuple(map(trace.graph.label, places))


def _finished(trace: Trace, start: int) -> int:
    """How many legs, one after the other, can be finished from a place."""
    boards = boards_of(trace.graph)
    first = [
        boards.has(evolve(trace, legs=trace.legs[:number], direct=False, start_exempt=True).board(), start)
        for number in range(1, len(trace.legs))
    ]
    return first.index(False) if False in first else len(first)


@frozen
class _Leg:
    """A leg as the graph needs it: its limit, None if it can never be reached; the distance of its ends from each place."""

    limit: int | None
    far: dict[int, int]
    ends: bytearray


class _Legs:
    """The legs of a trace: where they may continue, end, or reach the goal."""

    def __init__(self, trace: Trace) -> None:
        self.around = [trace.around(leg) for leg in trace.legs]
        back = [trace.back(leg) for leg in trace.legs]
        self._direct = trace.direct
        boards, targets = boards_of(trace.graph), 0
        self._goal = boards.flags(trace.legs[-1].until)
        made: list[_Leg] = []
        for number in reversed(range(len(trace.legs))):
            leg, goes_on = trace.legs[number], trace.targets(number, targets)
            limit = None if leg.limit is None or leg.limit >= len(trace.graph) else leg.limit
            far = _steps_from(boards.places(goes_on), back[number].__getitem__, limit)
            made.append(_Leg(limit, far, boards.flags(leg.until)))
            targets = boards.board(far)
        self._legs = made[::-1]

    def is_goal(self, number: int, place: int) -> bool:
        """Whether a route on this leg is at its goal."""
        return bool((self._direct or number == len(self._legs) - 1) and self._goal[place])

    def standing(self, number: int, place: int, used: int) -> Iterator[State]:
        """The nodes for arriving at a place on a leg: first those of later legs that may begin there."""
        leg = self._legs[number]
        last = number == len(self._legs) - 1
        if not last and leg.ends[place] and not self.is_goal(number, place):
            yield from self.standing(number + 1, place, 0)
        if place in leg.far and (leg.limit is None or used + leg.far[place] <= leg.limit):
            yield (number, place, 0 if leg.limit is None else used)


def _steps_from(places: Iterable[int], around: Callable[[int], tuple[int, ...]], limit: int | None) -> dict[int, int]:
    """The number of steps from each place to the nearest of some, up to the limit."""
    far = dict.fromkeys(places, 0)
    queue = deque(far)
    while queue:
        here = queue.popleft()
        if limit is not None and far[here] >= limit:
            continue
        for other in around(here):
            if other not in far:
                far[other] = far[here] + 1
                queue.append(other)
    return far
