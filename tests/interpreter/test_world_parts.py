"""The parts of a world alone, each with a stand-in that has only what its contract requires."""

from types import SimpleNamespace

import attrs
import pytest

from dsl.rules.editions import CURRENT
from interpreter.geometry.hexgrid import HexGrid
from interpreter.messages.sentences import sentence_of
from interpreter.messages.standing_rulings import StandingRuling
from interpreter.runtime.runtime import RuleTrouble
from interpreter.runtime.trouble import TroubleAt
from interpreter.world.ground import Ground
from interpreter.world.lasting import Durations
from interpreter.world.positions import Positions
from interpreter.world.rulings import Ruling, Rulings
from interpreter.world.telling import Journal
from interpreter.world.world_changes import Effects
from tests.as_recorded import recorded


@attrs.define(eq=False)
class Piece:
    side: str
    f_pace: int = 3
    alive: bool = True


@attrs.define
class Clock:
    """Time in a world: turns, whose they are, and what is noted of changes."""

    turn: int = 1
    active: str = "red"
    functions: dict = attrs.field(factory=dict)
    touched: list = attrs.field(factory=list)
    fallen: list = attrs.field(factory=list)

    def touch(self, name, *whose):
        self.touched.append(name)

    @property
    def effects(self):
        return self

    def fell(self, lasting, before):
        self.fallen.append((lasting.thing, lasting.slot, before))


def laid(durations, piece, value, until, gained=None):
    """Gives a piece another pace until a moment."""
    durations.lasts(piece, "f_pace", value, piece.f_pace, until, gained)
    piece.f_pace = value


class TestDurations:
    def test_the_value_beneath_returns_at_its_moment_and_at_no_other(self):
        world, piece = Clock(), Piece("red")
        durations = Durations(world)
        laid(durations, piece, 1, "end turn")
        durations.expire("end fire")
        assert piece.f_pace == 1
        durations.expire("end turn")
        assert piece.f_pace == 3
        assert world.fallen == [(piece, "f_pace", 1)]
        assert "f_pace" in world.touched
        assert not durations.expiries
        assert not durations.lasting

    def test_what_lies_above_stays_and_falls_to_what_lay_beneath_all(self):
        durations, piece = Durations(Clock()), Piece("red")
        laid(durations, piece, 1, "end fire")
        laid(durations, piece, 5, "end turn")
        durations.expire("end fire")
        assert piece.f_pace == 5
        durations.expire("end turn")
        assert piece.f_pace == 3

    def test_what_is_gained_for_a_while_is_taken_off_whatever_was_added_since(self):
        durations, piece = Durations(Clock()), Piece("red")
        laid(durations, piece, 5, "end turn", gained=2)
        piece.f_pace += 4
        durations.expire("end turn")
        assert piece.f_pace == 7

    def test_an_own_moment_is_one_of_its_side(self):
        world, piece = Clock(active="blue"), Piece("red")
        durations = Durations(world)
        laid(durations, piece, 1, ("end turn", "own", False, ()))
        durations.expire("end turn")
        assert piece.f_pace == 1
        world.active = "red"
        durations.expire("end turn")
        assert piece.f_pace == 3

    def test_a_condition_ends_it_when_it_holds(self):
        world, piece = Clock(), Piece("red")
        durations = Durations(world)
        world.functions["x_1"] = lambda thing, least: thing.f_pace + world.turn > least
        laid(durations, piece, 1, ("if x_1", "", False, (2,)))
        assert not durations.lapse()
        world.turn = 2
        assert durations.lapse()
        assert piece.f_pace == 3

    def test_what_was_done_is_known_for_this_turn_and_the_last(self):
        world, piece = Clock(), Piece("red")
        durations = Durations(world)
        durations.begin_turn()
        durations.remember("order march", [piece])
        assert durations.has_done(("order march",), piece, False, "turn")
        assert not durations.has_done(("order march",), Piece("red"), False, "turn")
        world.turn = 2
        durations.begin_turn()
        assert not durations.has_done(("order march",), piece, False, "turn")
        assert durations.has_done(("order march",), piece, True, "turn")
        world.turn = 3
        durations.begin_turn()
        assert not durations.past

    def test_as_data_and_back(self):
        piece = Piece("red")
        first, second = Durations(Clock()), Durations(Clock())
        laid(first, piece, 1, "end fire")
        laid(first, piece, 5, "end turn")
        first.remember("order march", [piece])
        as_data, of_data = lambda x: "p" if x is piece else x, lambda x: piece if x == "p" else x
        second.restore(first.data(as_data), of_data)
        assert second.data(as_data) == first.data(as_data)
        second.expire("end fire")
        second.expire("end turn")
        assert piece.f_pace == 3


class TestGround:
    @pytest.fixture
    def ground(self):
        grid = HexGrid(5, 4)
        places = [SimpleNamespace(index=n, name=f"p{n}") for n in range(grid.columns * grid.rows)]
        for place in places:
            place.place = place
        joined = {"road": {(0, 1): "paved", (1, 0): "paved"}}
        world = SimpleNamespace(
            grid=grid, places=places, by_label={}, links=joined, linked_places={"road": {0, 1}}, ends={}
        )
        return Ground(world)

    def test_distance_and_reach_agree_with_the_grid(self, ground):
        grid, places = ground.world.grid, ground.world.places
        for here in places:
            near = {x.index for x in ground.within(here, 2)}
            assert near == {x.index for x in places if grid.distance(here.index, x.index) <= 2}
            assert all(ground.distance(here, x) == grid.distance(here.index, x.index) for x in places)

    def test_what_is_off_the_map_has_no_distance(self, ground):
        lost = SimpleNamespace(place=None, name="lost")
        with pytest.raises(RuleTrouble, match="lost is off the map"):
            ground.distance(lost, ground.world.places[0])
        assert ground.within(lost, 3) == []

    def test_links_join_two_places_both_ways(self, ground):
        one, two, three = ground.world.places[:3]
        assert ground.linked("road", one, two)
        assert ground.linked("road", two, one)
        assert not ground.linked("road", two, three)
        assert not ground.linked("rail", one, two)
        assert ground.link_from("road", one, two) == "paved"
        assert ground.link_from("road", one, None) is None
        assert ground.on_link("road", one)
        assert not ground.on_link("road", three)


class TestJournal:
    @pytest.fixture
    def journal(self):
        told = SimpleNamespace(
            knowing=lambda about, to="all": ["red"] if any(about) else [to],
            who_sees=lambda _thing, _field: ["all"],
            called=lambda x: x.id,
        )
        field = SimpleNamespace(node=SimpleNamespace(untold=False, quiet=False))
        kinds = {"tank": SimpleNamespace(fields={"stuck": field, "fuel": field})}
        sites = [SimpleNamespace(cites=("R1",)), SimpleNamespace(cites=("R2",))]
        world = SimpleNamespace(
            ruleset=SimpleNamespace(kinds=kinds, edition=CURRENT), by_kind={}, by_id={}, game=None, sites=sites, incognito=None, knowledge=told,
            tick=lambda: None,
        )  # fmt: skip
        made = Journal(world)
        for name in ("a", "b", "c"):
            world.by_id[name] = SimpleNamespace(id=name, kind="tank", side=None)
        return made

    def test_one_change_of_several_things_by_one_line_is_one_event(self, journal):
        for name in ("a", "b", "c"):
            journal.tell_change(journal.world.by_id[name], "stuck", before=False, value=True, site=0)
        assert [e.text for e in journal.events] == ["a, b and c are now stuck."]
        assert journal.events[0].data["things"] == ["a", "b", "c"]

    def test_changes_by_two_lines_are_two_events(self, journal):
        journal.tell_change(journal.world.by_id["a"], "stuck", before=False, value=True, site=0)
        journal.tell_change(journal.world.by_id["b"], "stuck", before=False, value=True, site=1)
        assert [e.text for e in journal.events] == ["a is now stuck.", "b is now stuck."]

    def test_who_listens_hears_each_event_as_it_then_stands(self, journal):
        heard = []

        class Ear:
            def heard(self, event):
                heard.append(event)

            def heard_otherwise(self, before, now):
                assert heard.pop() is before
                heard.append(now)

        journal.listener = Ear()
        for name in ("a", "b"):
            journal.tell_change(journal.world.by_id[name], "stuck", before=False, value=True, site=0)
        journal.tell_move(journal.world.by_id["c"], ["0101", "0102"], 1)
        assert heard == journal.events
        assert [e.kind for e in heard] == ["change", "move"]

    def test_who_stands_still_is_not_told_to_move(self, journal):
        journal.tell_move(journal.world.by_id["c"], ["0101", "0101"], 1)
        assert journal.events == []

    def test_a_remark_about_nothing_is_told_to_all(self, journal):
        journal.note("it rains", ("R9",), None)
        assert journal.events == [recorded("note", "It rains.", "", "all", ("R9",), {})]

    def test_a_remark_about_a_thing_is_told_to_those_who_may_know_of_it(self, journal):
        journal.note("it rains", ("R9",), journal.world.by_id["a"])
        assert [e.to for e in journal.events] == ["red"]


class TestRulings:
    @pytest.fixture
    def rulings(self):
        return Rulings(SimpleNamespace(options={"fog": "on", "rain": "off"}, functions={}))

    def test_a_side_hears_of_what_it_may_know_alone(self, rulings):
        for number, seen in enumerate((("all",), ("red",), ("umpire",))):
            rulings.facts.append(Ruling(1, 0, "a", "pace", str(number), "so", seen, seen))
        assert [one.value for one in rulings.on("a", "pace", "red")] == ["0", "1"]
        assert [one.value for one in rulings.on("a", "pace", "blue")] == ["0"]
        assert [one.value for one in rulings.on("a", "pace", "umpire")] == ["0", "1", "2"]
        assert rulings.on("b", "pace", "umpire") == rulings.on("a", "fuel", "umpire") == []

    def test_an_option_has_its_new_word_at_once_and_the_rules_are_settled_again(self, rulings):
        settled = []
        rulings.world.functions["settle_options"] = lambda: settled.append(dict(rulings.world.options))
        rulings.amend({"rain": "on"})
        assert rulings.world.options == {"fog": "on", "rain": "on"}
        assert settled == [{"fog": "on", "rain": "on"}]
        assert rulings.amended == {"rain": "on"}

    def test_as_data_and_back(self, rulings):
        rulings.facts.append(Ruling(2, 1, "a", "pace", "4", "so", ("red",), ("umpire",)))
        rulings.standing.append(StandingRuling(1, 2, "A four hits.", "", ("fire",), ("red",)))
        rulings.amend({"rain": "on"})
        other = Rulings(SimpleNamespace(options={"fog": "on", "rain": "off"}, functions={}))
        other.restore(rulings.data())
        assert (other.facts, other.standing, other.amended) == (rulings.facts, rulings.standing, rulings.amended)
        assert other.world.options == {"fog": "on", "rain": "on"}
        assert [one.text for one in other.standing_for("red")] == ["A four hits."]
        assert other.standing_for("blue") == []

    def test_where_nothing_is_ruled_there_is_no_data(self, rulings):
        assert rulings.data() == {}


@attrs.define(eq=False)
class Token:
    """A thing on a map: a name, where it stands, what it has."""

    id: str
    side: str = "red"
    place: object = None
    kind: str = "tank"
    f_fuel: int = 3
    f_spent: bool = False
    alive: bool = True
    part: bool = False
    holder: object = None
    members: list = attrs.field(factory=list)

    @property
    def name(self):
        return self.id


@attrs.define(eq=False)
class Spot:
    label: str
    things: dict = attrs.field(factory=dict)
    holder: object = None

    @property
    def place(self):
        return self


class Told:
    """A journal that keeps what is told."""

    def __init__(self):
        self.changes, self.moves, self.others = [], [], []

    def tell_change(self, thing, field, before, value, _site):
        self.changes.append((thing.id, field, before, value))

    def tell_move(self, thing, way, _site):
        self.moves.append((thing.id, way))

    def happened(self, what, *_args, **_more):
        self.others.append((what.kind, sentence_of(what)))


@pytest.fixture
def world():
    field = SimpleNamespace(track=False, low=0, high=9)
    kinds = {"tank": SimpleNamespace(fields={"fuel": field, "spent": field}, word="unit", holder="")}
    known = SimpleNamespace(lifting=lambda _kind: (), called=lambda x: x.id, who_sees=lambda *_: ["all"])
    made = SimpleNamespace(
        ruleset=SimpleNamespace(kinds=kinds), knowledge=known, journal=Told(), heed=None, durations=Durations(Clock()), touched=[],
        stirred=[], sites=[SimpleNamespace(span="here", because="", cites=())], by_kind={"tank": [], "side": []},
    )  # fmt: skip
    made.touch = lambda name, *whose: made.touched.append(name)
    made.stir = lambda place: made.stirred.append(place.label)
    made.effects, made.positions = Effects(made), Positions(made)
    return made


class TestEffects:
    def test_a_field_that_gets_what_it_has_is_no_change(self, world):
        tank = Token("a")
        world.effects.set(tank, "fuel", 3)
        assert (world.journal.changes, world.touched) == ([], [])
        world.effects.set(tank, "fuel", 5)
        assert (tank.f_fuel, world.journal.changes, world.touched) == (5, [("a", "fuel", 3, 5)], ["f_fuel"])

    def test_what_does_not_fit_a_field_is_refused(self, world):
        tank = Token("a")
        with pytest.raises(RuleTrouble, match="runs from 0 to 9; 12 does not fit"):
            world.effects.gain(tank, "fuel", 9)
        assert (tank.f_fuel, world.journal.changes) == (3, [])

    def test_together_gains_add_up_and_nothing_is_done_before_the_end(self, world):
        tank = Token("a")
        world.effects.begin_together()
        world.effects.gain(tank, "fuel", 2)
        world.effects.begin_together()
        world.effects.gain(tank, "fuel", -1)
        world.effects.end_together()
        assert tank.f_fuel == 3
        world.effects.end_together()
        assert (tank.f_fuel, world.effects.together) == (4, None)

    def test_together_two_values_for_one_field_are_a_fault_and_nothing_is_done(self, world):
        tank = Token("a")
        world.effects.begin_together()
        world.effects.set(tank, "spent", True)
        world.effects.set(tank, "fuel", 1, 0)
        world.effects.set(tank, "fuel", 2, 0)
        with pytest.raises(TroubleAt, match="fuel of a becomes 1 and 2 at the same time"):
            world.effects.end_together()
        assert (tank.f_spent, tank.f_fuel) == (False, 3)

    def test_what_is_out_of_the_game_does_not_change(self, world):
        wreck = Token("a", alive=False)
        world.effects.set(wreck, "fuel", 0)
        world.effects.gain(wreck, "fuel", 1)
        assert wreck.f_fuel == 3


class TestPositions:
    def test_a_thing_stands_in_one_place(self, world):
        tank, here, there = Token("a"), Spot("0101"), Spot("0102")
        world.positions.move(tank, here, None)
        world.positions.move(tank, there, None)
        assert (tank.place, list(here.things), list(there.things)) == (there, [], [tank])
        assert world.journal.moves == [("a", ["", "0101"]), ("a", ["0101", "0102"])]
        assert world.stirred == ["0101", "0101", "0102"]
        world.positions.move_off(tank)
        assert (tank.place, list(there.things)) == (None, [])

    def test_a_part_stands_where_its_whole_stands(self, world):
        gun = Token("gun", part=True, holder=Token("ship"))
        for act in (lambda: world.positions.move(gun, Spot("0101"), None), lambda: world.positions.move_off(gun)):
            with pytest.raises(RuleTrouble, match="gun is part of ship"):
                act()

    def test_what_holds_others_goes_with_them(self, world):
        here, truck = Spot("0101"), Token("truck")
        crate = Token("crate", holder=truck)
        truck.members.append(crate)
        world.by_kind["tank"] += [truck, crate]
        world.positions.stand(truck, here)
        world.positions.remove(truck)
        assert (truck.alive, crate.alive, world.by_kind["tank"], list(here.things)) == (False, False, [], [])
        assert world.journal.others == [("remove", "crate is removed."), ("remove", "truck in 0101 is removed.")]

    def test_what_is_removed_together_waits_for_the_rules_on_that(self, world):
        tank = Token("a")
        world.by_kind["tank"].append(tank)
        world.heed = SimpleNamespace(losing=["a rule"])
        world.effects.begin_together()
        world.positions.remove(tank, 0)
        world.effects.end_together()
        assert (tank.alive, world.positions.fallen) == (True, [(tank, 0)])
