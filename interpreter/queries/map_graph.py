"""The maps of a game as a networkx graph, as one side may know them, for people who analyse networks.

Nodes are places by their labels. Their attributes are map, spot, name, fields, the things in them, and layers: the value of an
expression about `here` in each place. Edges join places that are adjacent (`adjacent`) or that a link joins. Each link is an
attribute: its type, or yes. All values are numbers, yes/no or texts, as GraphML requires.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Protocol

import networkx as nx

from dsl import ir
from dsl.ir import thing
from interpreter.explain.evaluating import evaluate, read_expression
from interpreter.messages.inputs import Refused
from interpreter.messages.view import View
from interpreter.mirrors.known_world import known_world
from interpreter.play.contracts import HasRules, Seated
from interpreter.program.program import Program
from interpreter.runtime.refusals import Why
from interpreter.runtime.runtime import say
from interpreter.world.namebook import NO_NAMES, NameBook
from interpreter.world.world import World


class MapSeen(HasRules, Seated, Protocol):
    """A game whose maps can be drawn."""


HERE = "here"
"""The place that an expression of a layer is about."""


def map_graph(game: MapSeen, view: View, layers: Mapping[str, str], on: str = "") -> nx.Graph[str]:
    """The graph of all maps, or of one by its name, from the view of a side. layers: expressions by the name of their layer.

    Raises Refused for a layer whose name is already used, or that has no value in any place.
    """
    graph: nx.Graph[str] = nx.Graph()
    _add_places(graph, view, on)
    grid = game.world.grid
    for a, b in grid.edges():
        first, second = grid.label(a), grid.label(b)
        if first in graph and second in graph:
            graph.add_edge(first, second, adjacent=True)
    for link, pairs in sorted(game.world.links.items()):
        for (a, b), sort in pairs.items():
            first, second = grid.label(a), grid.label(b)
            if a < b and first in graph and second in graph:
                if not graph.has_edge(first, second):
                    graph.add_edge(first, second, adjacent=False)
                graph.edges[first, second][link] = sort or True
    for board in view.maps:
        for one in board.between:
            if graph.has_edge(one.first, one.last):
                graph.edges[one.first, one.last].update({"between": one.label, **_typed(one.fields)})
    used = {name for _, fields in graph.nodes(data=True) for name in fields}
    for name, expression in layers.items():
        if name in used:
            raise Why.NO_CHANGE(
                f"The places of the map already have a field `{name}`.", hint="Give the layer another name.", name=name
            )
        for label, value in _layer(game, expression, view.side).items():
            if label in graph:
                graph.nodes[label][name] = value
    return graph


def _add_places(graph: nx.Graph[str], view: View, on: str) -> None:
    """The places as nodes, with what the view says of each and who stands there."""
    standing: dict[str, list[str]] = defaultdict(list)
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for x in view.things:
        if x.place and not x.part:
            standing[x.place].append(x.id)
            if x.side:
                counts[x.place][f"things of {x.side}"] += 1
    for board in view.maps:
        for p in board.places if on in {"", board.name} else ():
            spot = {"column": p.column, "row": p.row} if board.grid != "drawn" or p.column > 0 else {}
            said = {"name": p.name, "inside": p.inside, "things": ", ".join(standing[p.label])}
            graph.add_node(
                p.label,
                map=board.name,
                **spot,
                **{name: text for name, text in said.items() if text},
                **{name: value for name, value in (counts[p.label] | _typed(p.fields)).items() if name not in spot},
            )


def _typed(fields: Mapping[str, str]) -> dict[str, int | float | str]:
    """Printed values, the numbers among them as numbers."""
    return {name: _number(text) for name, text in fields.items()}


def _number(text: str) -> int | float | str:
    try:
        number = sum(map(Fraction, text.split(" ")))  # 1 1/2
    except (ValueError, ZeroDivisionError):
        return text
    return int(number) if number == int(number) else float(number)


def _layer(game: MapSeen, expression: str, side: str) -> dict[str, int | float | str]:
    """The value of an expression about `here` in each place, by label; omitted where it has no value for the side."""
    seat = game.seat(side)
    try:
        with known_world(game.world, side) as world:
            found, failed = _values(game.program, world, seat.heard(expression, names=NO_NAMES), seat.book)
    except Refused as error:
        raise seat.told(error) from error.__cause__
    if not found:
        raise seat.told(
            failed or Why.NO_VALUE(f"`{expression}` has no value in any place.", hint="Use `here` in the expression.")
        )
    return seat.told(found)


def _values(
    program: Program, world: World, expression: str, book: NameBook | None
) -> tuple[dict[str, int | float | str], Refused | None]:
    """The values by place, and why there are none if the expression is invalid."""
    found: dict[str, int | float | str] = {}
    failed: Refused | None = None
    for kind in dict.fromkeys(place.kind for place in world.places if place.label):
        try:
            bound = read_expression(program, world, expression, {HERE: ir.Local(HERE, type=thing(kind))}, book)
        except Refused as error:
            failed = error
            continue
        for place in world.by_kind[kind]:
            try:
                value = evaluate(program, world, bound, {}, extra={f"l_{HERE}": place})
            except Refused:  # absent there, or hidden: the two look the same
                continue
            if value is not None:
                found[place.label] = _plain(value)
    return found, failed


def _plain(value: object) -> int | float | str:
    """A value as GraphML takes it."""
    if isinstance(value, bool | int):
        return value
    return float(value) if isinstance(value, Fraction) else say(value)


__all__ = ["HERE", "map_graph"]
