"""What is hidden from a side is found out once while nothing changes, and then anew: always as if it had never been kept."""

import random
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.inputs import Input
from interpreter.kept_traces import KeptTrace
from interpreter.veil import veiled
from interpreter.ways import Ways
from tests.interpreter.rulebook import game_of
from tests.interpreter.test_hidden_things import RULES

GONE = "gone"


def everything(world):
    """All that holds what may be hidden."""
    return [*world.by_id.values(), *world.places]


def seen_by(game, side, held):
    """What a side finds in the world: every value of every thing that there is, who is listed where, and where each can go."""
    world = game.world

    def said(value):
        if isinstance(value, dict | list | tuple):
            return tuple(said(x) for x in value)
        return getattr(value, "label", None) or getattr(value, "id", value)

    with veiled(world, side, names=False) as veil:
        found = {
            (said(x), slot): said(getattr(x, slot, GONE))
            for x in held
            for slot in ("place", "side", "holder", "members", "things", "name", *(s for s in dir(x) if s[:2] == "f_"))
        }
        lists = {kind: said(things) for kind, things in world.by_kind.items()}, said(list(world.by_id))
        ways = {
            x.id: sorted(world.ways.reach("drive-route", (x,)).points)
            for x in world.all_of("lorry")
            if getattr(x, "place", None) is not None
        }
        hidden = sorted(slot for holder, slot, _ in veil._taken if not hasattr(holder, slot))
    return found, lists, ways, hidden


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_what_is_kept_of_a_moment_is_what_would_be_found_anew(seed):
    game, chance = game_of(RULES, scenario="lanes", dice="seeded", seed=seed), random.Random(seed)
    for _ in range(14):
        held = everything(game.world)
        before = {(id(x), s): getattr(x, s, GONE) for x in held for s in dir(x) if s[:2] == "f_" or s == "place"}
        for side in ("blue", "red", "blue"):
            kept = seen_by(game, side, held)
            assert kept == seen_by(game, side, held)
            game.world.ways.seen.clear()
            assert kept == seen_by(game, side, held)
        assert before == {
            (id(x), s): getattr(x, s, GONE) for x in held for s in dir(x) if s[:2] == "f_" or s == "place"
        }
        commands = [(a.side, c) for a in game.awaiting if a.kind == "orders" for c in game.legal(a.side, 60)]
        if not commands:
            break
        side, command = chance.choice(commands)
        game.offer(Input("do", side, command))


@pytest.fixture
def game():
    return game_of(RULES, scenario="lanes")


def moment(game, side="blue"):
    with veiled(game.world, side, names=False):
        pass
    return game.world.ways.seen[side]


def test_a_moment_lasts_until_something_changes(game):
    first = moment(game)
    assert moment(game) is first
    game.world.changed()
    again = moment(game)
    assert again is not first
    assert (
        again.ways is first.ways
    )  # what is hidden is the same, and paths look for themselves whether something changed


def test_other_paths_are_known_when_something_else_is_hidden(game):
    first = moment(game)
    mine = next(x for x in game.world.all_of("mine") if x.place is not None and x.side.id == "red")
    game.world.effects.reveal(mine, next(s for s in game.world.all_of("side") if s.id == "blue"))
    assert moment(game).ways is not first.ways


def test_nothing_is_kept_where_changes_are_not_counted(game):
    game.world.ways = Ways(game.world)
    with veiled(game.world, "blue", names=False):
        assert not game.world.ways.fine
    assert game.world.ways.seen == {}


def test_nothing_is_kept_of_a_veil_within_a_veil(game):
    with veiled(game.world, "blue", names=False):
        seen = dict(game.world.ways.seen)
        with veiled(game.world, "red", names=False):
            pass
        assert game.world.ways.seen == seen


def test_what_procedures_remember_is_theirs_again_after_the_veil(game):
    world = game.world
    frame = next(iter(world.frames.values()))
    frame.memo, frame.stamp = {"v_own": 3}, world.version
    with veiled(world, "blue", names=False):
        assert frame.memo == {}
        frame.memo["v_own"] = 4
    assert (frame.memo, frame.stamp) == ({"v_own": 3}, world.version)


def test_a_trace_that_could_not_be_repaired_is_repaired_later():
    """Under a veil a ban may fail. The moves that it was asked for must not be forgotten then."""

    grid = SimpleNamespace(within=lambda index, _: [index])
    places = [SimpleNamespace(kind="hex", index=n) for n in range(9)]
    world = SimpleNamespace(stirred=[4], places=places, grid=grid)

    class Field:
        def update(self, close, free):
            self.given = close, free

    def shut(place):
        if fails:
            raise AttributeError
        return True

    trace = KeptTrace.__new__(KeptTrace)
    trace.world, trace.shut, trace.steps, trace.ground, trace.field, trace.at = world, shut, 0, "hex", Field(), 0
    fails = True
    with pytest.raises(AttributeError):
        trace.catch_up()
    fails = False
    assert trace.catch_up().given == ([4], [])
