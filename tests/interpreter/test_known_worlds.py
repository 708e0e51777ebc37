"""Reading values with a side's eyes: two read at once, nothing is removed from the game for it, and a fault is not a secret."""

import sys
from threading import Thread

import pytest

from interpreter.messages.inputs import Refused
from interpreter.mirrors.known_world import known_world
from interpreter.mirrors.mirror import mirror_of
from interpreter.runtime.hidden import Hidden, is_hidden
from interpreter.world.seat import UMPIRE
from tests.interpreter.rulebook import game_of
from tests.interpreter.test_hidden_things import RULES

QUESTIONS = ["danger of bl-1", "freight of rl-1", "freight of bl-1", "count of mines", "mines in 0203", "power of rm-1", "load of bl-1"]  # fmt: skip


@pytest.fixture
def game():
    return game_of(RULES, scenario="lanes")


def told(game, side):
    """All that a side is told when it asks everything."""
    found = []
    for question in QUESTIONS:
        try:
            found.append(str(game.explain(question, side)))
        except Refused as refused:
            found.append(refused.message)
    graph = game.map_graph(side, {"near": "count of mines in here", "danger": "count of enemy mines next to here"})
    return found, sorted((label, str(fields)) for label, fields in graph.nodes(data=True))


def test_two_ask_at_once_and_each_is_told_what_it_is_told_alone(game):
    alone = {side: told(game, side) for side in ("blue", "red")}
    assert alone["blue"] != alone["red"]
    heard, interval = {"blue": [], "red": []}, sys.getswitchinterval()
    threads = [
        Thread(target=lambda s=side: heard[s].extend(told(game, s) for _ in range(4)))
        for side in ("blue", "red", "blue")
    ]
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
    finally:
        sys.setswitchinterval(interval)
    assert [len(heard[side]) for side in ("blue", "red")] == [8, 4]
    assert all(one == alone[side] for side, several in heard.items() for one in several)


def test_the_game_has_all_of_it_while_a_side_reads(game):
    mine, frames = game.world.by_id["rm-1"], game.world.frames
    with known_world(game.world, "blue") as seen:
        assert "rm-1" not in seen.by_id
        assert game.world.by_id["rm-1"] is mine
        assert game.world.by_id["rl-1"].f_load == 2
        assert game.world.frames is frames
        assert game.world.veil is None
    with known_world(game.world, UMPIRE) as seen:
        assert seen is game.world


def test_names_are_hidden_for_as_long_as_somebody_reads_with_them(game):
    fuse = game.world.last_frame("procedure set-fuse")
    fuse.n_m = game.world.by_id["rm-1"]
    with known_world(game.world, "blue") as seen:
        with pytest.raises(Hidden):
            assert seen.last_frame("procedure set-fuse").n_m
        with pytest.raises(AttributeError) as unset:
            assert seen.last_frame("procedure blast").n_blast_die
        assert not isinstance(unset.value, Hidden)
        assert "procedure blast" not in game.world.frames
    assert fuse.n_m is game.world.by_id["rm-1"]


@pytest.mark.parametrize("fault", ["None + 1", "1 / 0", "{}[b]", "b.f_no_such", "F"])
def test_a_fault_of_a_value_is_told_as_a_fault(game, fault, monkeypatch):
    """Emitted code that fails, as if the rules had been emitted that way: `why` reports what failed, and mentions no secret."""

    def failing(u):
        return eval(fault, {"b": u})

    def spaces(world):
        game.explain("danger of bl-1", UMPIRE if world is game.world else "blue")  # has its functions made
        return world.aside[1].space

    monkeypatch.setitem(spaces(mirror_of(game.world, "blue").world), "v_freight", failing)
    with pytest.raises((Refused, NameError, ZeroDivisionError)) as met:
        game.explain("freight of bl-1", "blue")
    assert not is_hidden(met.value)
    assert "hidden" not in str(met.value)
