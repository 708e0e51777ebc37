"""The digest of a state is that of the state written as JSON, however its text is composed."""

import hashlib
import json
import random

import pytest

from campaigns.library.compiling import active_modules, chosen_options, compiled
from campaigns.library.systems_by_name import scenario_of
from interpreter.automated.policies import make_policy, step
from interpreter.automated.policy import NothingLegal
from interpreter.machine import begin
from interpreter.messages.inputs import Refused
from interpreter.play.state import digest_of, state_of
from tests.interpreter.rulebook import game_of
from tests.long import either


def plainly(world, extra):
    text = json.dumps([state_of(world), extra], separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("name", either(["ogre/command-post"], ["bth/duel", "ogre/command-post"]))
def test_the_digest_is_that_of_the_state_as_json_after_every_input(name):
    text, scenario, _ = scenario_of(name)
    program = compiled(text, frozenset(active_modules(text, scenario, (), ())))
    game = begin(program, scenario, {"seed": 3, "options": chosen_options(text, {})})
    player, luck = make_policy("random", 3), random.Random(3)
    for _ in range(60):
        try:
            game.offer(step(game, player, luck))
        except (NothingLegal, Refused):
            break
        assert digest_of(game.world, ["ß", game.turn]) == plainly(game.world, ["ß", game.turn])


def test_what_is_equal_and_not_the_same_is_written_anew():
    game = game_of()
    world = game.world
    x = world.by_id["a"]
    for value in (1, True, 1, 0, False):  # equal in Python, and not alike in JSON
        x.f_strength = value
        assert digest_of(world, []) == plainly(world, [])
    x.known.add("red")
    assert digest_of(world, []) == plainly(world, [])
    x.known.clear()
    kept = x.f_mount
    x.f_mount = rows = [1]
    assert digest_of(world, []) == plainly(world, [])
    rows.append(2)
    assert digest_of(world, []) == plainly(world, [])
    x.f_mount = kept
    world.positions.stand(x, world.place("0101"))
    assert digest_of(world, []) == plainly(world, [])
