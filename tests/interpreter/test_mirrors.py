"""Mirrors: for each side that looks, a world of its own without what it may not know. An updated mirror is always as if newly made."""

import random
import sys
from threading import Barrier, Thread
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.automated.policies import step
from interpreter.automated.policy import NothingLegal
from interpreter.automated.random_policy import RandomPolicy
from interpreter.messages.inputs import RuleFailure
from interpreter.mirrors.known_world import known_world
from interpreter.mirrors.mirror import Mirror, mirror_of
from interpreter.mirrors.veil import veiled
from interpreter.runtime.hidden import Hidden
from interpreter.world.kept_traces import KeptTrace
from tests.interpreter.rulebook import game_of
from tests.interpreter.test_hidden_things import RULES
from tests.interpreter.test_secrecy import SPIES
from tests.long import either

GONE = "gone"
SLOTS = ("place", "side", "holder", "members", "things", "name", "alive", "template", "near", "label", "kind")
PATHS = {"lorry": "drive-route", "scout": "path-of-scout"}


def said(value):
    """A value without things in it: they are called by their ids and labels."""
    if isinstance(value, dict | list | tuple):
        return tuple(said(x) for x in value)
    return getattr(value, "label", None) or getattr(value, "id", value)


def found_in(world):
    """What there is in a world: every value of every thing, who is listed where, and where each can go."""
    things = [*world.by_id.values(), *world.places]
    values = {
        (said(x), s): said(getattr(x, s, GONE)) for x in things for s in (*SLOTS, *(s for s in dir(x) if s[:2] == "f_"))
    }
    lists = {kind: said(held) for kind, held in world.by_kind.items()}, said(list(world.by_id.items()))
    reaches = {
        x.id: sorted(world.ways.reach(path, (x,)).points)
        for kind, path in PATHS.items() if kind in world.by_kind
        for x in world.by_kind[kind] if getattr(x, "place", None) is not None
    }  # fmt: skip
    facts = world.turn, said(world.active), said(world.game), list(world.phases), world.over, said(world.winner)
    return values, lists, reaches, facts


def names_in(world):
    """What the names of procedures mean in a world."""
    return {
        key: {s: said(getattr(frame, s, GONE)) for s in type(frame).__slots__ if s[:2] == "n_"}
        for key, frame in world.frames.items()
    }


def compare(game, side):
    """A mirror that is kept up, one made anew, and what is left of the world under a veil: all the same, names of procedures too."""
    with mirror_of(game.world, side).held() as kept, Mirror(game.world, side).held() as anew:
        found = found_in(kept.world)
        assert found == found_in(anew.world)
    with known_world(game.world, side) as seen:
        named = found_in(seen), names_in(seen)
    with veiled(game.world, side):
        assert named == (found_in(game.world), names_in(game.world))
    assert found == named[0]


def disturb(world, chance):
    """Changes something, as rules and umpires do."""
    things = [
        x for kind in ("mine", "lorry", "scout", "corps") for x in world.by_kind.get(kind, ()) if x.side is not None
    ]
    x, side, place = chance.choice(things), chance.choice(world.by_kind["side"]), chance.choice(world.by_kind["hex"])
    match chance.randrange(9):
        case 0 | 1:
            world.effects.reveal(x, side, hide=chance.random() < 0.3)
        case 2 | 3:
            world.positions.move(x, place, None)
        case 4:
            world.positions.move_off(x)
        case 5:
            world.effects.capture(x, side)
        case 6:
            world.positions.remove(x)
        case 7:
            world.positions.put(x.kind, "x", "dragon" if x.kind == "scout" else None, {"side": side}, place, side)
        case _:
            for field in ("nerve", "speed", "load", "power"):
                if field in world.ruleset.kinds[x.kind].fields:
                    world.effects.set(x, field, chance.randrange(5))


@settings(max_examples=either(4, 12), deadline=None)
@given(seed=st.integers(0, 10_000), name=st.sampled_from(["lanes", "spies"]))
def test_a_mirror_that_is_kept_up_shows_what_is_so(seed, name):
    game = game_of(RULES if name == "lanes" else SPIES, scenario=name, dice="seeded", seed=seed)
    chance, player = random.Random(seed), RandomPolicy(seed)
    for _ in range(12):
        for side in ("blue", "red"):
            if chance.random() < 0.7:  # a mirror may have missed several changes
                compare(game, side)
        if game.over:
            break
        try:
            game.offer(step(game, player, chance))
        except (NothingLegal, RuleFailure):  # what was disturbed may leave no way on
            break
        if chance.random() < 0.6:
            disturb(game.world, chance)
    for side in ("blue", "red"):
        compare(game, side)


@pytest.fixture
def game():
    return game_of(RULES, scenario="lanes")


def test_what_a_side_may_not_know_does_not_exist_in_its_mirror(game):
    with mirror_of(game.world, "blue").held() as mirror:
        assert "rm-1" not in mirror.world.by_id
        assert [x.id for x in mirror.world.all_of("mine")] == ["bm-1"]
        assert list(mirror.world.by_label["0801"].things) == []
        lorry = mirror.world.by_id["rl-1"]
        assert lorry.name == "rl-1"
        with pytest.raises(Hidden) as met:
            assert lorry.f_load
        assert mirror.covers(met.value)
        with pytest.raises(Hidden):
            mirror.there(game.world.by_id["rm-1"])


def test_nothing_is_taken_out_of_the_world_that_is_mirrored(game):
    with mirror_of(game.world, "blue").held() as mirror:
        assert game.world.by_id["rm-1"].place.label == "0801"
        assert game.world.by_id["rl-1"].f_load == 2
        assert mirror.back(mirror.world.by_id["rl-1"]) is game.world.by_id["rl-1"]


def test_a_mirror_stays_as_it_is_while_it_is_looked_at(game):
    with mirror_of(game.world, "blue").held() as mirror:
        game.world.effects.set(game.world.by_id["bl-1"], "load", 7)
        assert mirror.world.by_id["bl-1"].f_load == 1
    with mirror_of(game.world, "blue").held() as again:
        assert again is mirror
        assert mirror.world.by_id["bl-1"].f_load == 7


def test_paths_are_worked_out_anew_when_something_comes_to_light(game):
    world = game.world
    world.positions.stand(world.by_id["rm-1"], world.by_label["0203"])

    def reached():
        with mirror_of(world, "blue").held() as mirror:
            return {
                mirror.world.grid.label(i)
                for i in mirror.world.ways.reach("drive-route", (mirror.world.by_id["bl-1"],)).points
            }

    assert "0203" in reached()
    world.effects.reveal(world.by_id["rm-1"], world.by_id["blue"])
    assert "0203" not in reached()


def test_names_of_procedures_that_mean_something_unknown_are_hidden(game):
    world = game.world
    frame = world.last_frame("procedure blast")
    frame.n_spot = world.by_label["0203"]
    fuse = world.last_frame("procedure set-fuse")
    fuse.n_m = world.by_id["rm-1"]
    with mirror_of(world, "blue").held() as mirror:
        assert mirror.world.last_frame("procedure blast").n_spot is mirror.world.by_label["0203"]
        with pytest.raises(Hidden):
            assert mirror.world.last_frame("procedure set-fuse").n_m
        with pytest.raises(AttributeError) as unset:
            assert mirror.world.last_frame("procedure blast").n_blast_die
        assert not isinstance(unset.value, Hidden)
    with mirror_of(world, "red").held() as mirror:
        assert mirror.world.last_frame("procedure set-fuse").n_m is mirror.world.by_id["rm-1"]
    assert frame.n_spot is world.by_label["0203"]


def test_two_look_at_once_each_with_its_own_eyes(game):
    """Both are looking at the same time. If one hid values from the other, this would fail."""
    both, found = Barrier(2, timeout=20), {}

    def look(side):
        with mirror_of(game.world, side).held() as mirror:
            both.wait()
            found[side] = found_in(mirror.world)
            both.wait()

    threads = [Thread(target=look, args=(side,)) for side in ("blue", "red")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    for side in ("blue", "red"):
        with veiled(game.world, side, names=False):
            assert found[side] == found_in(game.world)


def test_commands_are_listed_for_two_sides_at_once(game):
    orders = ("drive", "lay", "arm", "load-up")

    def listed(side):
        giver = game.world.by_id[side]
        return [command.text for name in orders for command in game.commands.legal(giver, name)]

    alone = {side: listed(side) for side in ("blue", "red")}
    assert all(alone.values())
    told, interval = {"blue": [], "red": []}, sys.getswitchinterval()
    threads = [
        Thread(target=lambda s=side: told[s].extend(listed(s) for _ in range(6))) for side in ("blue", "red", "blue")
    ]
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    finally:
        sys.setswitchinterval(interval)
    assert [len(told[side]) for side in ("blue", "red")] == [12, 6]
    assert all(one == alone[side] for side, several in told.items() for one in several)


def test_a_trace_that_could_not_be_repaired_is_repaired_later():
    """Under a veil a ban may fail. The moves for which it was evaluated must not be forgotten then."""

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
