"""Setting up: a world made from a scenario's map and forces, or from the small board of an example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import attrs

from dsl.data.forces import NOBODY, arrival_of
from dsl.data.map_data import MapData, between_label, numbering
from dsl.data.maps import read_map
from dsl.data.scenario_names import NONE, names_things, text_of
from dsl.ir import Type
from dsl.rules.memo import kept
from dsl.rules.notation import BadNotation, attribute, read
from dsl.rules.parts import part_headings, parts_of_row, resting_headings
from dsl.rules.rows import cells
from dsl.rules.ruleset import Ruleset, guarded
from dsl.syntax import declarations as d
from dsl.syntax import syntax_tree as t
from interpreter.codegen.reads import MOVES
from interpreter.geometry.atlas import Atlas
from interpreter.geometry.drawn_graph import DrawnGraph
from interpreter.geometry.hexgrid import HexGrid
from interpreter.geometry.place_graph import PlaceGraph
from interpreter.geometry.squares import SquareGrid
from interpreter.geometry.straight import straight
from interpreter.geometry.traces import Links
from interpreter.messages.happenings import ThingArrived
from interpreter.mirrors.stories import Stories
from interpreter.program.program import Program
from interpreter.runtime.runtime import RuleTrouble
from interpreter.runtime.things import NO_PLACE, Thing, Value
from interpreter.setup.drawing import Drawing, drawn
from interpreter.world.changed_places import starts
from interpreter.world.ground import Sheet
from interpreter.world.incognito import incognito
from interpreter.world.world import World

EXAMPLE_MAP = "proving-ground"
"""The map that examples use when they name none; a system with only one map needs none of this name."""


def build_maps(world: World, nodes: Sequence[d.Map]) -> None:
    """Creates the places of some maps, their fields and links, and the nesting of places. Does nothing without maps."""
    if not nodes:
        return
    board = kept(world.ruleset, ("board", id(world.classes), *map(id, nodes)), lambda: _draw(world.program, nodes))
    if board is not None:
        board.put_into(world)
    else:
        _lay_out(world, nodes)


def _draw(program: Program, nodes: Sequence[d.Map]) -> Drawing | None:
    """The board of some maps."""
    world = World(program, {})
    _lay_out(world, nodes)
    return drawn(world)


def _lay_out(world: World, nodes: Sequence[d.Map]) -> None:
    read = [read_map(world.ruleset, node)[0] for node in nodes]
    sheets = [
        _Sheet(node, node.of, _grid(world.ruleset, node, data), data) for node, data in zip(nodes, read, strict=True)
    ]
    for sheet in list(sheets):
        sheets += _between(world, sheet)
    world.grid = sheets[0].graph if len(sheets) == 1 else Atlas(sheet.graph for sheet in sheets)
    for sheet in sheets:
        sheet.start = len(world.places)
        _make_places(world, sheet)
    for place in world.places:
        place.near = tuple(world.places[i] for i in world.grid.neighbours(place.index))
    for sheet in sheets:
        node, end = sheet.node, sheet.start + len(sheet.graph)
        shape = _shape(world.ruleset, sheet.kind)
        world.maps.append(Sheet(node.name, node.title, sheet.kind, shape, node.low, sheet.start, end))
        _fill_places(world, sheet)
        if sheet.ground is not None:
            first = sheet.ground.start
            for number, (a, b) in enumerate(sheet.ground.graph.edges()):
                world.ends[sheet.start + number] = [world.places[first + a], world.places[first + b]]
    _links(world, [sheet for sheet in sheets if sheet.kind == sheet.node.of])


def _fill_places(world: World, sheet: _Sheet) -> None:
    """Sets the fields and names of the places of a map, and the places that contain them."""
    for label, fields in sheet.data.fields.items() if sheet.kind == sheet.node.of else ():
        place = world.by_label[label]
        for name, text in fields.items():
            field = world.ruleset.kinds[sheet.kind].fields.get(name)
            if field is None or field.type.name != "thing":
                world.maker.fill(place, name, text)
    for label, name in sheet.data.names.items():
        world.by_label[label].name = name
    for label, whole in sheet.data.inside.items():
        if whole in world.by_label and world.by_label[label].holder is None:
            world.effects.hold(world.by_label[label], world.by_label[whole])
    for (kind, one, other), fields in sheet.data.between.items():
        if kind == sheet.kind:
            for name, text in fields.items():
                world.maker.fill(world.by_label[between_label(one, other)], name, text)


@attrs.define(slots=True)
class _Sheet:
    """A map being added to the world. kind: of its places; start: the id of its first; ground: the places they are between."""

    node: d.Map
    kind: str
    graph: PlaceGraph
    data: MapData
    start: int = 0
    ground: _Sheet | None = None


def _make_places(world: World, sheet: _Sheet) -> None:
    holes = sheet.graph.holes
    for inner in range(len(sheet.graph)):
        label = "" if inner in holes else sheet.graph.label(inner)
        place = world.maker.create(sheet.kind, "", label, None)
        place.id = label
        place.index, place.label, place.place, place.things = sheet.start + inner, label, place, {}
        if inner in holes:
            world.by_kind[sheet.kind].pop()
            world.places.append(place)
            continue
        if isinstance(sheet.graph, HexGrid | SquareGrid):
            place.column, place.row = sheet.graph.position(inner)
        elif label in sheet.data.spots:
            place.column, place.row = sheet.data.spots[label]
        world.places.append(place)
        world.maker.chart(place)


def _between(world: World, sheet: _Sheet) -> Iterator[_Sheet]:
    """The places between the neighbours of a map: no step leads to or from them."""
    label = sheet.graph.label
    for info in world.ruleset.kinds.values():
        if info.between == sheet.kind:
            pairs = [between_label(label(a), label(b)) for a, b in sheet.graph.edges()]
            yield _Sheet(sheet.node, info.name, DrawnGraph(pairs), sheet.data, ground=sheet)


def place_owners(world: World, nodes: Sequence[d.Map]) -> None:
    """Fields of places that name sides or things, once those exist."""
    for node in nodes:
        data, _ = read_map(world.ruleset, node)
        owned = [(node.of, label, fields) for label, fields in data.fields.items()]
        owned += [(kind, between_label(a, b), fields) for (kind, a, b), fields in data.between.items()]
        for kind, label, fields in owned:
            info = world.ruleset.kinds[kind]
            for name, text in fields.items():
                field = info.fields.get(name)
                if field is not None and field.type.name == "thing":
                    value = world.by_id.get(text.strip()) or world.by_label.get(text.strip())
                    setattr(world.by_label[label], attribute(name), value)


def _shape(ruleset: Ruleset, kind: str) -> str:
    info = ruleset.kinds[kind]
    if info.between:
        return "between"
    return (info.node.grid if info.node is not None else None) or "drawn"


def _grid(ruleset: Ruleset, node: d.Map, data: MapData) -> PlaceGraph:
    shape = _shape(ruleset, node.of)
    how = numbering(node)
    if shape == "drawn" or how is None:
        return DrawnGraph(data.fields, data.borders)
    holes = frozenset(column * node.rows + row for column, row in data.holes)
    if shape == "square":
        corners = bool((kind := ruleset.kinds[node.of].node) and kind.corners)
        return SquareGrid(
            node.columns,
            node.rows,
            prefix=how.prefix,
            first_column=how.first_column,
            first_row=how.first_row,
            diagonals=corners,
            holes=holes,
        )
    return HexGrid(
        node.columns, node.rows, prefix=how.prefix, first_column=how.first_column, first_row=how.first_row,
        low_columns="odd" if node.low == "odd" else "even", holes=holes,
    )  # fmt: skip


def _links(world: World, sheets: Sequence[_Sheet]) -> None:
    named: dict[str, list[tuple[int, int]]] = {link: [] for link in world.ruleset.links()}
    world.links = {link: {} for link in named}
    for sheet in sheets:
        for stretch in sheet.data.stretches:
            ends = sheet.graph.index(stretch.first), sheet.graph.index(stretch.last)
            way = list(ends) if stretch.touching else straight(sheet.graph, *ends)
            for a, b in pairwise(sheet.start + place for place in way):
                world.links[stretch.link].update({(a, b): stretch.word, (b, a): stretch.word})
                world.linked_places.setdefault(stretch.link, set()).update({a, b})
                named[stretch.link].append((a, b))
    world.link_graph = Links(named)


def new_world(program: Program, options: Mapping[str, str] | None = None) -> World:
    """An empty world: the campaign's own thing, no map, no sides."""
    chosen = {name: option.default for name, option in program.ruleset.options.items()}
    chosen.update(options or {})
    world = World(program, chosen)
    world.stories = world.journal.listener = Stories(world)
    kind = program.ruleset.campaign_kind
    if kind:
        world.game = world.maker.create(kind, kind, kind, None)
    return world


def add_side(world: World, name: str, title: str, colour: str = "") -> Thing:
    """A new side."""
    side = world.maker.create("side", name, name, None)
    side.side = side
    side.f_title = title
    side.label = NO_PLACE
    world.colours[name] = colour
    return side


def set_up(
    program: Program, scenario: d.Scenario, options: Mapping[str, str] | None = None, seed: str | None = None
) -> World:
    """The world at the start of a scenario. seed: hidden names are drawn from it; without one there are none."""
    world = new_world(program, {**dict(scenario.settings), **(options or {})})
    nodes = [program.ruleset.maps[name] for name in scenario.maps]
    build_maps(world, nodes)
    for side in scenario.sides:
        add_side(world, side.name, side.title, side.colour)
    place_owners(world, nodes)
    later: _Later = []
    turns: dict[str, int | None] = {}
    for forces in scenario.forces:
        if not guarded(forces.guards, program.ruleset.active):
            continue
        header = cells(forces.rows[0])
        for row in forces.rows[1:]:
            cell = dict(zip(header, cells(row), strict=True))
            info = program.ruleset.kinds[forces.of]
            turn = arrival_of(world.ruleset, forces, cell)
            if info.part:  # it comes with its whole
                turn = turns.get(cell.get(info.holder or "", ""))
            turns[cell["name"]] = turn
            turns |= {p.name: turn for p in parts_of_row(world.ruleset, forces.of, cell)}
            if turn is None:
                later += _unit(world, forces, cell)
            else:
                world.due.setdefault(turn, []).append((forces, cell))
    for thing, name, text in later:
        _fill(world, thing, name, text)
    world.dates = scenario.begins
    _facts(world, scenario)
    note_start(world)
    world.seed = seed
    if seed is not None and (labels := incognito(world, scenario, seed)) is not None:
        labels.shuffle()
        labels.call(world.by_id.values())
        world.incognito = labels
    return world


def arrive(world: World) -> None:
    """Things due this turn enter the game, except those whose holder has been removed."""
    bring(world, world.turn)


def bring(world: World, turn: int) -> None:
    """Things due in a turn enter the game."""
    later: _Later = []
    for forces, row in world.due.get(turn, ()):
        holder = row.get(world.ruleset.kinds[forces.of].holder or "", "--")
        if holder in {"--", ""} or ((held := world.by_id.get(holder)) is not None and held.alive):
            later += _unit(world, forces, row)
            world.touch(MOVES)
    for thing, name, text in later:
        _fill(world, thing, name, text)


def tell_arrivals(world: World) -> None:
    """Reports the arrivals of this turn to everybody who may know their places."""
    for _, row in world.due.get(world.turn, ()):
        thing = world.by_id.get(row["name"])
        if thing is not None and thing.alive and not thing.part:  # the arrival of its whole implies its own
            way = (thing.place.label,) if thing.place is not None else ()
            what = ThingArrived(thing.id, way, world.knowledge.called(thing), is_put=False)
            for to in world.knowledge.who_sees(thing, "place"):
                world.journal.happened(what, -1, thing.side, to)


def note_start(world: World) -> None:
    """Remembers the initial state of the places, so that only their changes are kept."""
    world.started = starts(world.ruleset, world.places, world.started)


_Later = list[tuple[Thing, str, str]]
"""Fields that name things, filled when all things that arrive together exist: thing, field, text."""


def _unit(world: World, forces: d.Forces, row: dict[str, str]) -> _Later:
    kind = forces.of
    info = world.ruleset.kinds[kind]
    thing = world.maker.create(
        kind, row["name"], row["name"], None if forces.side == NOBODY else world.by_id[forces.side]
    )
    template = row.get("type", "")
    if template:
        world.maker.apply_template(thing, template)
    later: _Later = []
    parts = {*part_headings(world.ruleset, kind), *resting_headings(world.ruleset, kind)} - set(info.fields)
    for name, text in row.items():
        if (
            name in parts
            or name in {"name", "type", "in", info.holder}
            or (name == "arrives" and name not in info.fields)
        ):
            continue
        if text in {"", "--"} and template:
            continue
        if name in info.fields and names_things(info.fields[name].type):
            later.append((thing, name, text))
        else:
            _fill(world, thing, name, text)
    if info.holder and row.get(info.holder, "--") not in {"--", ""}:
        world.effects.hold(thing, world.by_id[row[info.holder]])
    if row.get("in", "--") not in {"--", ""}:
        world.positions.stand(thing, world.by_label[row["in"]])
    world.maker.begin_tracks(thing)
    world.maker.furnish(thing, {k: v for k, v in row.items() if k in parts})
    return later


def _fill(world: World, thing: Thing, name: str, text: str) -> None:
    try:
        world.maker.fill(thing, name, text)
    except BadNotation as error:
        raise RuleTrouble(f"The scenario gives {thing.name} an invalid {name}: {error}.") from None


def _facts(world: World, scenario: d.Scenario) -> None:
    """`turn-order is a, b` and the like: fields of the campaign, of a place or of a thing."""
    for fact in scenario.facts:
        target = fact.target
        owner: Value = world.game
        if isinstance(target, t.Of):
            called = text_of(target.arg) or ""
            owner = world.by_label.get(called) or world.by_id[called]
        assert isinstance(target, t.Name | t.Of)
        field = world.ruleset.kinds[owner.kind].fields[target.word]
        texts = [text_of(value) or "" for value in fact.values]
        nothing = len(texts) == 1 and texts[0] in NONE
        if field.type.name == "set":
            assert field.type.of is not None
            inner = field.type.of
            setattr(owner, attribute(field.name), [] if nothing else [_read(world, inner, text) for text in texts])
        else:
            absent = nothing and field.type.optional
            setattr(owner, attribute(field.name), None if absent else _read(world, field.type, texts[0]))


def _read(world: World, type_: Type, text: str) -> Value:
    return world.maker.named(text, type_.word) if type_.name == "thing" else read(world.ruleset, type_, text)


__all__ = [
    "EXAMPLE_MAP",
    "add_side",
    "bring",
    "build_maps",
    "new_world",
    "note_start",
    "place_owners",
    "set_up",
]
