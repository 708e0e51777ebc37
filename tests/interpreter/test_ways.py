"""Paths of rule text against networkx: how far a regiment can march, and whether a supply route exists, on random maps.

The independent computation knows nothing of the machine: it derives the neighbours of a hex from its numbers, and has its own
searches.
"""

from fractions import Fraction
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.geometry.traces import Links
from interpreter.play.state import restore, state_of
from tests.interpreter.rulebook import game_of
from tests.long import either

RULES = """\
path march-route of u (a regiment):
  from place of u
  at most pace of u points
  let shod be whether u is not tired
  entering h (a hex) costs 1/3 when crossing is trail and shod is yes
  entering h (a hex) costs 5/2 when crossing is river
  entering h (a hex) costs 3/2 when h is covered
  entering h (a hex) costs 1 when h is clear
  never into h (a hex) when there is enemy regiments in h because "the enemy stands there"
  never into h (a hex) when h is town and u is tired because "no rest in town"
  halting in h (a hex) when there is enemy regiments next to h because "next to the enemy"
value pace of u (a regiment):
  start with strength of u / 2
path ford-route of u (a regiment):
  from place of u
  at most pace of u points
  entering h (a hex) costs 1/3 when crossing is trail
  entering h (a hex) costs 3/2 when h is covered
  entering h (a hex) costs 1 when h is not lake
  never into h (a hex) when there is enemy regiments in h because "the enemy stands there"
  halting in h (a hex) when crossing is river because "it has waded"
  halting in h (a hex) when there is enemy regiments next to h because "next to the enemy"
  halting in h (a hex) when previous is town and h is hill and u is tired because "out of breath"
path supply-route of u (a regiment):
  from place of u
  leg overland: at most 2 hexes, until it is on trail, or it is town
  leg by-trail: along trail, until it is town, or claimed-by of it is side of u
  never into h (a hex) when there is enemy regiments next to h because "next to the enemy"
  never into h (a hex) when h is lake because "no way over water"
  starting place exempt
path strict-route of u (a regiment):
  from place of u
  leg overland: at most 3 hexes, until it is town
  never into h (a hex) when there is enemy regiments in h because "the enemy is there"
  never into h (a hex) when h is hill because "too steep"
status supplied of u (a regiment):
  when there is supply-route of u
status strictly-supplied of u (a regiment):
  when there is strict-route of u
"""
COLUMNS, ROWS = 8, 6
UNITS = {"a": "blue", "b": "blue", "x": "red", "y": "red", "z": "red"}
PLACES = [f"{c:02}{r:02}" for c in range(1, COLUMNS + 1) for r in range(1, ROWS + 1)]


def around(label):
    """The neighbours of a hex where even columns lie half a hex lower."""
    column, row = int(label[:2]), int(label[2:])
    side = (0, 1) if column % 2 == 0 else (-1, 0)
    found = [(column, row - 1), (column, row + 1)]
    found += [(column + dc, row + dr) for dc in (-1, 1) for dr in side]
    return [f"{c:02}{r:02}" for c, r in found if 1 <= c <= COLUMNS and 1 <= r <= ROWS]


STEPS = sorted({tuple(sorted((p, n))) for p in PLACES for n in around(p)})


class Field:
    """A field as the other reckoning sees it."""

    def __init__(self, terrain, towns, claims, trail, river, where, tired, strength):
        self.terrain, self.towns, self.claims, self.where, self.tired = terrain, towns, claims, where, tired
        self.trail, self.river, self.strength = set(trail), set(river), strength

    def foes(self, side):
        return {p for u, p in self.where.items() if p is not None and UNITS[u] != side}

    def near_foes(self, side):
        return {n for p in self.foes(side) for n in around(p)}

    def reach(self, unit):
        side, tired = UNITS[unit], unit in self.tired
        start, foes, near = self.where[unit], self.foes(UNITS[unit]), self.near_foes(side)
        graph = nx.DiGraph()
        graph.add_node(start)
        for here in PLACES:
            if here in near and here != start:
                continue
            for there in around(here):
                if there in foes or (there in self.towns and tired):
                    continue
                step = tuple(sorted((here, there)))
                if step in self.trail and not tired:
                    cost = Fraction(1, 3)
                elif step in self.river:
                    cost = Fraction(5, 2)
                elif self.terrain[there] in {"wood", "hill"}:
                    cost = Fraction(3, 2)
                elif self.terrain[there] == "clear":
                    cost = Fraction(1)
                else:
                    continue
                graph.add_edge(here, there, weight=cost)
        return nx.single_source_dijkstra_path_length(graph, start, cutoff=Fraction(self.strength[unit], 2))

    def forded(self, unit):
        side, start = UNITS[unit], self.where[unit]
        foes, near = self.foes(side), self.near_foes(side)
        graph = nx.DiGraph()
        graph.add_node((start, True))
        for here in PLACES:
            for there in around(here):
                if there in foes or (self.terrain[there] == "lake" and tuple(sorted((here, there))) not in self.trail):
                    continue
                step = tuple(sorted((here, there)))
                cost = (
                    Fraction(1, 3)
                    if step in self.trail
                    else Fraction(3, 2)
                    if self.terrain[there] in {"wood", "hill"}
                    else Fraction(1)
                )
                breath = here in self.towns and self.terrain[there] == "hill" and unit in self.tired
                goes_on = step not in self.river and there not in near and not breath
                graph.add_edge((here, True), (there, goes_on), weight=cost)
        found = {}
        reached = nx.single_source_dijkstra_path_length(graph, (start, True), cutoff=Fraction(self.strength[unit], 2))
        for (place, _), cost in reached.items():
            found[place] = min(cost, found.get(place, cost))
        return found

    def supplied(self, unit):
        side, start = UNITS[unit], self.where[unit]
        shut = self.near_foes(side) | {p for p in PLACES if self.terrain[p] == "lake"}
        open_ = nx.Graph(STEPS).subgraph((set(PLACES) - shut) | {start})
        on_trail = {p for step in self.trail for p in step}
        ends = [
            p
            for p, far in nx.single_source_shortest_path_length(open_, start).items()
            if far <= 2 and (p in on_trail or p in self.towns)
        ]
        trails = nx.Graph(list(self.trail)).subgraph(set(PLACES) - shut | {start})
        goal = self.towns | {p for p, s in self.claims.items() if s == side}
        return any(e in goal or (e in trails and goal & set(nx.node_connected_component(trails, e))) for e in ends)

    def strictly(self, unit):
        start = self.where[unit]
        shut = self.foes(UNITS[unit]) | {p for p in PLACES if self.terrain[p] == "hill"}
        if start in shut:
            return False
        open_ = nx.Graph(STEPS).subgraph(set(PLACES) - shut)
        return any(
            p in self.towns and far <= 3 for p, far in nx.single_source_shortest_path_length(open_, start).items()
        )


terrains = st.sampled_from(["clear", "clear", "clear", "wood", "hill", "lake"])


@st.composite
def fields(draw):
    return Field(
        dict(zip(PLACES, draw(st.lists(terrains, min_size=len(PLACES), max_size=len(PLACES))), strict=True)),
        draw(st.sets(st.sampled_from(PLACES), max_size=4)),
        draw(st.dictionaries(st.sampled_from(PLACES), st.sampled_from(["blue", "red"]), max_size=3)),
        draw(st.sets(st.sampled_from(STEPS), max_size=40)),
        draw(st.sets(st.sampled_from(STEPS), max_size=20)),
        {u: draw(st.sampled_from(PLACES)) for u in UNITS},
        draw(st.sets(st.sampled_from(sorted(UNITS)))),
        {u: draw(st.integers(0, 9)) for u in UNITS},
    )


def linked(field):
    """A game on the field's links. They never change in a game, so its ways may keep what they know of them."""
    game = game_of(RULES)
    world = game.world
    world.links, world.linked_places = dict(world.links), dict(world.linked_places)
    for name, steps in (("trail", field.trail), ("river", field.river)):
        pairs = [tuple(world.by_label[p].index for p in step) for step in steps]
        world.links[name] = {*pairs, *((b, a) for a, b in pairs)}
        world.linked_places[name] = {i for pair in pairs for i in pair}
    world.link_graph = Links({n: [p for p in world.links[n] if p[0] < p[1]] for n in ("trail", "river")})
    game.wire()
    return game


def laid_out(field):
    """A game whose world is that field, told to the world as a rule would tell it."""
    game = linked(field)
    world = game.world
    for label, place in world.by_label.items():
        world.effects.set(place, "terrain", field.terrain[label])
        world.effects.set(place, "town", label in field.towns)
        side = field.claims.get(label)
        world.effects.set(place, "claimed-by", world.by_id[side] if side else None)
    for unit in UNITS:
        thing = world.by_id[unit]
        world.positions.move(thing, world.by_label[field.where[unit]], None)
        world.effects.set(thing, "tired", unit in field.tired)
        world.effects.set(thing, "strength", field.strength[unit])
    return game


def reached(game, unit, path="march-route"):
    found = game.world.ways.reach(path, (game.world.by_id[unit],))
    label = game.world.grid.label
    return {label(i): found.cost_to(i) for i in found.points}


def answers(game):
    """All that the ways of a game say."""
    functions, by_id = game.world.functions, game.world.by_id
    return {
        u: (reached(game, u), reached(game, u, "ford-route"), functions["v_supplied"](by_id[u]), functions["v_strictly_supplied"](by_id[u]))
        for u in UNITS if by_id[u].alive and by_id[u].place is not None
    }  # fmt: skip


@settings(max_examples=either(15, 60))
@given(fields())
def test_marches_cost_what_they_cost_and_go_where_they_can(field):
    game = laid_out(field)
    for unit in UNITS:
        assert reached(game, unit) == field.reach(unit)


@settings(max_examples=either(15, 60))
@given(fields())
def test_halts_by_the_step_end_moves_where_the_other_search_says(field):
    game = laid_out(field)
    for unit in UNITS:
        assert reached(game, unit, "ford-route") == field.forded(unit)


@settings(max_examples=either(10, 40))
@given(fields())
def test_the_way_of_a_march_is_made_of_steps_that_add_up_to_its_cost(field):
    game = laid_out(field)
    world = game.world
    for unit in UNITS:
        thing = world.by_id[unit]
        found = world.ways.reach("march-route", (thing,))
        for place in found.points:
            way = world.ways.labels(found, place)
            assert way[0] == field.where[unit]
            assert all(b in around(a) for a, b in pairwise(way))
            spent = [
                world.functions["w_march_route_cost"](thing, world.by_label[a], world.by_label[b])
                for a, b in pairwise(way)
            ]
            assert sum(spent) == found.cost_to(place)


@settings(max_examples=either(20, 80))
@given(fields())
def test_supply_exists_where_the_other_search_finds_it(field):
    game = laid_out(field)
    functions, by_id = game.world.functions, game.world.by_id
    for unit in UNITS:
        assert functions["v_supplied"](by_id[unit]) == field.supplied(unit)
        assert functions["v_strictly_supplied"](by_id[unit]) == field.strictly(unit)


def test_each_side_has_an_answer_of_its_own():
    """a in 0102 reaches the trail hex 0203 by 0103; x in 0304 is next to 0203, which a is not."""
    clear = dict.fromkeys(PLACES, "clear")
    where = {"a": "0102", "b": "0506", "x": "0801", "y": "0802", "z": "0806"}
    field = Field(clear, set(), {"0203": "blue"}, [("0203", "0204")], [], where, set(), dict.fromkeys(UNITS, 4))
    game = laid_out(field)
    world, by_id = game.world, game.world.by_id

    def supplied():
        return [u for u in UNITS if world.functions["v_supplied"](by_id[u])]

    assert supplied() == ["a"]
    world.effects.set(world.by_label["0203"], "claimed-by", by_id["red"])
    assert supplied() == []
    world.positions.move(by_id["x"], world.by_label["0304"], None)
    assert supplied() == ["x"]
    world.effects.set(world.by_label["0203"], "claimed-by", by_id["blue"])
    assert supplied() == []
    world.positions.move(by_id["x"], world.by_label["0801"], None)
    assert supplied() == ["a"]


def test_a_start_next_to_the_enemy_is_exempt_only_where_the_path_says_so():
    clear = dict.fromkeys(PLACES, "clear")
    where = {"a": "0104", "b": "0106", "x": "0103", "y": "0802", "z": "0806"}
    field = Field(clear, {"0105"}, {}, [], [], where, set(), dict.fromkeys(UNITS, 4))
    game = laid_out(field)
    by_id, functions = game.world.by_id, game.world.functions
    assert functions["v_supplied"](by_id["a"]) is True  # its own hex is next to x, 0105 is not
    game.world.effects.set(game.world.by_label["0104"], "terrain", "hill")
    assert functions["v_supplied"](by_id["a"]) is True
    assert functions["v_strictly_supplied"](by_id["a"]) is False  # it stands on a hill, and that path exempts nothing
    assert functions["v_strictly_supplied"](by_id["b"]) is True


change = st.one_of(
    st.tuples(st.just("move"), st.sampled_from(sorted(UNITS)), st.sampled_from(PLACES)),
    st.tuples(st.just("strength"), st.sampled_from(sorted(UNITS)), st.integers(0, 9)),
    st.tuples(st.just("tired"), st.sampled_from(sorted(UNITS)), st.booleans()),
    st.tuples(st.just("terrain"), st.sampled_from(PLACES), terrains),
    st.tuples(st.just("town"), st.sampled_from(PLACES), st.booleans()),
    st.tuples(st.just("claimed-by"), st.sampled_from(PLACES), st.sampled_from(["blue", "red", ""])),
    st.tuples(st.just("remove"), st.sampled_from(["b", "z"]), st.just("")),
    st.tuples(st.just("put"), st.sampled_from(["blue", "red"]), st.sampled_from(PLACES)),
    st.tuples(st.just("look"), st.just(""), st.just("")),
)


@settings(max_examples=either(15, 60))
@given(fields(), st.lists(change, min_size=1, max_size=12))
def test_after_any_changes_the_answers_are_those_of_a_world_made_anew(field, changes):
    game = laid_out(field)
    world = game.world
    answers(game)
    for what, which, to in changes:
        if what == "move" and world.by_id[which].alive:
            world.positions.move(world.by_id[which], world.by_label[to], None)
        elif what in {"strength", "tired"} and world.by_id[which].alive:
            world.effects.set(world.by_id[which], what, to)
        elif what in {"terrain", "town"}:
            world.effects.set(world.by_label[which], what, to)
        elif what == "claimed-by":
            world.effects.set(world.by_label[which], what, world.by_id.get(to))
        elif what == "remove":
            world.positions.remove(world.by_id[which])
        elif what == "put":
            world.positions.put(
                "regiment", "levy", None, {"side": world.by_id[which], "strength": 4}, world.by_label[to], None
            )
        else:
            answers(game)
    fresh = linked(field)
    restore(fresh.world, state_of(world))
    assert answers(game) == answers(fresh)


def test_a_regiment_off_the_map_goes_nowhere_and_has_no_supply():
    game = game_of(RULES)
    levy = game.world.positions.put(
        "regiment", "levy", None, {"side": game.world.by_id["blue"], "strength": 4}, None, None
    )
    assert game.world.functions["v_supplied"](levy) is False
    with pytest.raises(Exception, match="march-route starts off the map"):
        game.world.ways.reach("march-route", (levy,))


def test_why_of_a_trace_tells_its_way_and_what_would_cut_it():
    """a in 0102 walks to the end of the trail at 0203, the only place of it within two hexes, and along it to 0205."""
    clear = dict.fromkeys(PLACES, "clear")
    where = {"a": "0102", "b": "0506", "x": "0801", "y": "0802", "z": "0806"}
    trail = [("0203", "0204"), ("0204", "0205")]
    field = Field(clear, set(), {"0205": "blue"}, trail, [], where, set(), dict.fromkeys(UNITS, 4))
    told = laid_out(field).explain("there is supply-route of a")
    assert told.value == "yes, 4 places long"
    assert [(s.applied, s.value or s.text) for s in told.steps] == [
        (True, "0102 → 0103 → 0203"),
        (True, "0203 → 0204 → 0205"),
        (False, "closing 0203 would cut it"),
    ]


def test_why_of_a_cut_trace_tells_which_rule_closes_it_and_what_would_reopen_it():
    """The same with x in 0305: 0204 and 0205 are next to it, but not 0203. Either alone would cut the route; both must open."""
    clear = dict.fromkeys(PLACES, "clear")
    where = {"a": "0102", "b": "0506", "x": "0305", "y": "0802", "z": "0806"}
    trail = [("0203", "0204"), ("0204", "0205")]
    field = Field(clear, set(), {"0205": "blue"}, trail, [], where, set(), dict.fromkeys(UNITS, 4))
    told = laid_out(field).explain("there is supply-route of a")
    assert told.value == "no"
    assert told.steps[0].because == "The route from 0102 is cut at 0204."
    closed = [s for s in told.steps if s.value.endswith("is closed")]
    assert [s.value for s in closed] == ["0204 is closed", "0205 is closed"]
    assert {s.text for s in closed} == {
        'never into h (a hex) when there is enemy regiments next to h because "next to the enemy"'
    }
    assert told.steps[-1].text == "with 0204 and 0205 open: 0102 → 0103 → 0203 → 0204 → 0205"
