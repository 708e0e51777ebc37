"""Setting up: a world made from a scenario's map and forces, or from the small board that an example stands on."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from dsl import declarations as d
from dsl.data import MapData, cells, read_map, template_cells
from dsl.notation import attribute
from dsl.ruleset import Ruleset, guarded
from interpreter.hexgrid import DrawnGraph, HexGrid, PlaceGraph, SquareGrid
from interpreter.program import Program
from interpreter.routes import Links
from interpreter.world import World

EXAMPLE_MAP = "proving-ground"
"""The map that examples stand on when they name none; a system with one map only needs none of this name."""


def build_map(world: World, node: d.Map) -> None:
    """Makes the places of a map, their fields and links."""
    data, _ = read_map(world.ruleset, node)
    kind = node.of
    grid = _grid(world.ruleset, node)
    world.grid = grid
    world.map_name, world.map_title, world.low = node.name, node.title, node.low
    start = len(world.places)
    for index in range(len(grid)):
        label = grid.label(index)
        place = world.create(kind, "", label, None)
        place.id = label
        place.index, place.label, place.place, place.things = index, label, place, {}
        if isinstance(grid, HexGrid | SquareGrid):
            place.column, place.row = grid.position(index)
        world.places.append(place)
        world.by_label[label] = place
    for place in world.places[start:]:
        place.near = tuple(world.places[i] for i in grid.neighbours(place.index))
    for label, fields in data.fields.items():
        place = world.by_label[label]
        for name, text in fields.items():
            field = world.ruleset.kinds[kind].fields.get(name)
            if field is None or field.type.name != "thing":
                world.fill(place, name, text)
    for label, name in data.names.items():
        world.by_label[label].name = name
    _links(world, data)


def place_owners(world: World, node: d.Map) -> None:
    """Fields of places that name sides or things, once those exist."""
    data, _ = read_map(world.ruleset, node)
    info = world.ruleset.kinds[node.of]
    for label, fields in data.fields.items():
        for name, text in fields.items():
            field = info.fields.get(name)
            if field is not None and field.type.name == "thing":
                value = world.by_id.get(text.strip()) or world.by_label.get(text.strip())
                setattr(world.by_label[label], attribute(name), value)


def _grid(ruleset: Ruleset, node: d.Map) -> PlaceGraph:
    shape = next((k.node.grid for k in ruleset.kinds.values() if k.name == node.of and k.node is not None), None)
    if shape == "square":
        return SquareGrid(node.columns, node.rows)
    if shape == "hex" or shape is None:
        return HexGrid(node.columns, node.rows, low_columns="odd" if node.low == "odd" else "even")
    return DrawnGraph([f"{i:04}" for i in range(node.columns * node.rows)])


def _links(world: World, data: MapData) -> None:
    named: dict[str, list[tuple[int, int]]] = {}
    for link, first, last in data.stretches:
        way = straight(world.grid, world.grid.index(first), world.grid.index(last))
        for a, b in pairwise(way):
            world.links.setdefault(link, set()).update({(a, b), (b, a)})
            world.linked_places.setdefault(link, set()).update({a, b})
            named.setdefault(link, []).append((a, b))
    for kind in world.ruleset.kinds.values():
        for field in kind.fields.values():
            if field.type.name == "link":
                named.setdefault(field.name, [])
                world.links.setdefault(field.name, set())
    world.link_graph = Links(named)


def straight(grid: PlaceGraph, first: int, last: int) -> list[int]:
    """The places from one to another by steps that each come nearer; the lowest id where two do."""
    way = [first]
    while way[-1] != last:
        here = grid.distance(way[-1], last)
        way.append(
            min(
                (n for n in grid.neighbours(way[-1]) if grid.distance(n, last) < here),
                key=lambda n: (_off(grid, first, last, n), n),
            )
        )
    return way


def _off(grid: PlaceGraph, first: int, last: int, place: int) -> float:
    """How far a place lies off the straight line between two others, for choosing among equal steps."""
    if not isinstance(grid, HexGrid):
        return 0.0
    (x1, y1), (x2, y2), (x, y) = (_centre(grid, p) for p in (first, last, place))
    return round(abs((y2 - y1) * x - (x2 - x1) * y + x2 * y1 - y2 * x1), 6)


def _centre(grid: HexGrid, place: int) -> tuple[float, float]:
    column, row = grid.position(place)
    return column * 0.866, row + (0.5 if grid.is_low(column) else 0.0)


def new_world(program: Program, options: Mapping[str, str] | None = None) -> World:
    """An empty world: the campaign's own thing, no map, no sides."""
    chosen = {name: option.default for name, option in program.ruleset.options.items()}
    chosen.update(options or {})
    world = World(program, chosen)
    kind = program.ruleset.campaign_kind
    if kind:
        world.game = world.create(kind, kind, kind, None)
    return world


def add_side(world: World, name: str, title: str, colour: str = "") -> Any:
    """A new side."""
    side = world.create("side", name, name, None)
    side.side = side
    side.f_title = title
    side.label = None
    world.colours[name] = colour
    return side


def set_up(program: Program, scenario: d.Scenario, options: Mapping[str, str] | None = None) -> World:
    """The world at the start of a scenario."""
    world = new_world(program, {**dict(scenario.settings), **(options or {})})
    node = program.ruleset.maps[scenario.map]
    build_map(world, node)
    for side in scenario.sides:
        add_side(world, side.name, side.title, side.colour)
    place_owners(world, node)
    for forces in scenario.forces:
        if not guarded(forces.guards, program.ruleset.active):
            continue
        header = cells(forces.rows[0])
        for row in forces.rows[1:]:
            _unit(world, forces, dict(zip(header, cells(row), strict=True)))
    _facts(world, scenario)
    note_start(world)
    return world


def note_start(world: World) -> None:
    """Remembers how the places stood, so that only what changed on them is kept."""
    if not world.places:
        return
    for place in world.places:
        fields = [
            f.name
            for f in world.ruleset.kinds[place.kind].fields.values()
            if f.type.name != "link" and f.name not in {"name", "title"}
        ]
        world.started[place.label] = {f: getattr(place, attribute(f)) for f in fields}


def _unit(world: World, forces: d.Forces, row: dict[str, str]) -> None:
    kind = forces.of
    info = world.ruleset.kinds[kind]
    thing = world.create(kind, row["name"], row["name"], world.by_id[forces.side])
    template = row.get("type", "")
    if template:
        world.apply_template(thing, template)
    for name, text in row.items():
        if name in {"name", "type", "in", info.holder}:
            continue
        if text not in {"", "--"} or not template:
            world.fill(thing, name, text)
    if info.holder and row.get(info.holder, "--") not in {"--", ""}:
        world.hold(thing, world.by_id[row[info.holder]])
    if row.get("in", "--") not in {"--", ""}:
        world.stand(thing, world.by_label[row["in"]])


def _facts(world: World, scenario: d.Scenario) -> None:
    """`turn-order is a, b` and the like: fields of the campaign, of a place or of a thing."""
    from dsl import tree as t

    for fact in scenario.facts:
        values = [_fact_value(world, v) for v in fact.values]
        target = fact.target
        owner, name = world.game, ""
        if isinstance(target, t.Name):
            name = target.word
        elif isinstance(target, t.Of):
            name = target.word
            owner = _fact_value(world, target.arg)
        field = world.ruleset.kinds[owner.kind].fields[name]
        setattr(owner, attribute(name), values if field.type.name == "set" else values[0])


def _fact_value(world: World, node: Any) -> Any:
    from dsl import tree as t

    if isinstance(node, t.Name):
        if node.word in world.by_id:
            return world.by_id[node.word]
        return {"yes": True, "no": False, "none": None}.get(node.word, node.word)
    if isinstance(node, t.Literal):
        if node.kind == "place":
            return world.by_label[str(node.value)]
        if node.kind == "number":
            from dsl.bind_expressions import plain

            return plain(node.value)  # type: ignore[arg-type]
        return node.value
    raise ValueError("not a fact")


__all__ = [
    "EXAMPLE_MAP",
    "add_side",
    "build_map",
    "new_world",
    "note_start",
    "place_owners",
    "set_up",
    "template_cells",
]
