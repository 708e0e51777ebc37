"""Complete random games of the bundled scenarios: no rule fails, nobody is stuck, and all of it can be replayed.

The daily form plays each scenario to its end once, and replays two shorter games, one of them with typed dice,
from their inputs and snapshots. The long form does all of this in each scenario, under each policy and both sources of dice, with
more sets of modules, and plays a few hundred games more.
"""

import functools
import itertools
import os
import random
import subprocess
import sys

import pytest

from campaigns.library.compiling import active_modules, compiled
from campaigns.library.systems_by_name import scenario_of
from campaigns.trials.sweep import MOST_DECISIONS, simulate
from interpreter.automated.policies import make_policy, step
from interpreter.machine import begin, resume
from interpreter.messages.inputs import Input, Refused
from interpreter.world.ways import Ways
from tests.long import either, in_the_long_form

SCENARIOS = ("bth/meeting", "bth/texas-1", "bth/three-days")
SHORT = either(SCENARIOS[:2], SCENARIOS)
SUPPLY, NO_SUPPLY = MODULES = ({"with_": ("supply",)}, {"without": ("supply",)})
POLICIES = ("random", "greedy", "mixed")
FEW = either(
    [
        ("bth/meeting", 1, SUPPLY, "random"), ("bth/meeting", 1, NO_SUPPLY, "greedy"),
    ],
    [(*played, *how) for played in zip(SCENARIOS, (3, 1, 1), strict=True) for how in itertools.product(MODULES, POLICIES)],
)  # fmt: skip


def clean(found):
    assert found["errors"] == []
    assert found["dead_ends"] == []
    assert found["finished"] == found["games"]


@pytest.mark.parametrize(("scenario", "games", "modules", "policy"), FEW)
def test_a_few_games(scenario, games, modules, policy):
    clean(simulate(scenario, games, seed=11, policy=policy, **modules))


@in_the_long_form
@pytest.mark.parametrize("scenario", ["bth/duel", "bth/kafer-invasion", "bth/texas-1"])
def test_sets_of_modules_drawn_at_random(scenario):
    """In the daily form `tests/test_drawn_games.py` plays a turn with such a set in each system."""
    found = simulate(scenario, 1, seed=scenario, policy="mixed", turns=1, module_sets=2)
    assert found["errors"] == []
    assert found["dead_ends"] == []


@pytest.mark.parametrize("scenario", [*SHORT, "bth/kafer-invasion"])
def test_automated_sides_fight_in_every_scenario(scenario):
    assert "attack" not in simulate(scenario, 1, seed=2, policy="greedy", turns=1)["unused_orders"]


@pytest.mark.slow
@in_the_long_form
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("modules", MODULES, ids=["supply", "no supply"])
@pytest.mark.parametrize(("scenario", "games"), [("bth/meeting", 50), ("bth/texas-1", 20), ("bth/three-days", 4)])
def test_many_games(scenario, games, modules, policy):
    clean(simulate(scenario, games, seed=1000, policy=policy, workers=os.cpu_count(), **modules))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_phase_and_order_comes_up(scenario):
    """In as many complete games as it takes, three at most; the first usually contains everything."""
    unused = set()
    for number in range(3):
        found = simulate(scenario, 1, seed=5 + number, policy="mixed")
        clean(found)
        now = {*found["unused_phases"], *found["unused_orders"]}
        unused = unused & now if number else now
        if not unused:
            break
    assert unused == set()


def game_of(scenario, seed, dice, modules=None):
    text, found, _ = scenario_of(scenario)
    program = compiled(text, active_modules(text, found, **(modules or {})))
    return program, found, {"seed": seed, "dice": dice}


@functools.cache
def recorded(scenario, seed, dice="seeded", policy="mixed"):
    """A whole game: how it was begun, its inputs, what each brought about, the digests, the snapshots on the way."""
    made = game_of(scenario, seed, dice)
    game = begin(*made)
    player, chance = make_policy(policy, seed), random.Random(seed)
    inputs, events, digests, snapshots = [], [], [game.digest()], {0: game.snapshot()}
    while not game.over and len(inputs) < MOST_DECISIONS:
        inputs.append(step(game, player, chance))
        events.append(game.offer(inputs[-1]))
        digests.append(game.digest())
        snapshot = game.snapshot()
        if snapshot is not None:
            snapshots[len(inputs)] = snapshot
    return made, inputs, events, digests, snapshots


GAMES = [
    ("bth/meeting", 1, "seeded"),
    ("bth/meeting", 2, "typed"),
    pytest.param("bth/texas-1", 2, "typed", marks=in_the_long_form),
    pytest.param("bth/texas-1", 1, "seeded", marks=in_the_long_form),
    pytest.param("bth/three-days", 1, "seeded", marks=[pytest.mark.slow, in_the_long_form]),
    pytest.param("bth/three-days", 2, "typed", marks=[pytest.mark.slow, in_the_long_form]),
]


@pytest.mark.parametrize(("scenario", "seed", "dice"), GAMES)
def test_the_inputs_alone_give_the_game_again(scenario, seed, dice):
    made, inputs, events, digests, _ = recorded(scenario, seed, dice)
    again = begin(*made)
    assert again.digest() == digests[0]
    for number, given in enumerate(inputs):
        assert again.offer(given) == events[number]
        assert again.digest() == digests[number + 1]


@pytest.mark.parametrize(("scenario", "seed", "dice"), GAMES)
def test_a_snapshot_and_the_inputs_after_it_give_the_game_again(scenario, seed, dice):
    """From each snapshot to the next but one; what follows is covered by another snapshot."""
    made, inputs, events, digests, snapshots = recorded(scenario, seed, dice)
    assert len(snapshots) > 2
    for (number, snapshot), end in zip(snapshots.items(), [*list(snapshots)[2:], *2 * [len(inputs)]], strict=True):
        again = resume(*made, snapshot)
        assert again.digest() == digests[number]
        assert again.snapshot() == snapshot
        for at in range(number, end):
            assert again.offer(inputs[at]) == events[at]
            assert again.digest() == digests[at + 1]


@pytest.mark.parametrize(("scenario", "seed", "dice"), GAMES[:4])
def test_what_is_refused_changes_nothing(scenario, seed, dice):
    made, inputs, _, digests, _ = recorded(scenario, seed, dice)
    game = begin(*made)
    chance = random.Random(seed)
    sides = [s.id for s in game.world.all_of("side")]
    for number, given in enumerate(inputs):
        for _ in range(either(1, 3)):
            other = chance.choice(inputs)
            odd = Input(
                other.kind, chance.choice([*sides, "umpire", "nobody"]), other.text + chance.choice(["", " 99", ", x"])
            )
            before = game.snapshot()
            try:
                game.offer(odd)
            except Refused:
                assert game.digest() == digests[number]
                assert game.snapshot() == before
            else:  # it was legal: take up the line again
                game = begin(*made)
                for earlier in inputs[:number]:
                    game.offer(earlier)
                assert game.digest() == digests[number]
        game.offer(given)
    assert game.digest() == digests[-1]


@pytest.mark.parametrize("scenario", either(SCENARIOS[:1], SCENARIOS))
def test_remembered_paths_are_those_of_the_moment(scenario):
    """Reaches and traces that are kept while things move equal those that are computed from scratch."""
    program, found, settings = game_of(scenario, 3, "seeded", {"with_": ("supply",)})
    game = begin(program, found, settings)
    player, chance = make_policy("mixed", 3), random.Random(3)
    for number in range(either(60, 160)):
        if game.over:
            break
        game.offer(step(game, player, chance))
        if number % 4:
            continue
        plain = Ways(game.world, ready=False)
        for name, way in program.ways.items():
            kind = program.rules.routines[name].params[0].type.word
            for x in game.world.all_of(kind):
                if x.place is None:
                    continue
                assert game.world.ways.exists(name, (x,)) == plain.exists(name, (x,))
                if way.moves and number % 16 == 0:
                    assert game.world.ways.reach(name, (x,)).costs == plain.reach(name, (x,)).costs


@pytest.mark.parametrize("scenario", either(["bth/meeting"], ["bth/meeting", "bth/texas-1"]))
def test_the_listed_commands_are_the_legal_ones(scenario):
    """Each listed command is accepted; of the others that name the same things, none is."""
    program, found, settings = game_of(scenario, 4, "seeded")
    game = begin(program, found, settings)
    player, chance = make_policy("mixed", 4), random.Random(4)
    for _ in range(40):
        if game.over:
            break
        awaited = game.awaiting[0]
        if awaited.kind == "orders":
            listed = game.legal(awaited.side, 100_000)
            assert all(not game.why_not(awaited.side, c) for c in chance.sample(listed[:-1], min(20, len(listed) - 1)))
            things = [x.id for x in game.world.all_of("battalion")]
            places = [p.label for p in game.world.places]
            for order, prep in (("attack", "against"), ("march", "to")):
                if order not in awaited.choices:
                    continue
                for _ in range(60):
                    command = f"{order} {chance.choice(things)} {prep} {chance.choice(places)}"
                    assert (command in listed) == (not game.why_not(awaited.side, command)), command
        game.offer(step(game, player, chance))


DIGEST = """
from campaigns.trials.sweep import _Task
print(_Task({scenario!r}, 3, "mixed", (), (), {turns}, ()).run(0).digest)
"""


def test_another_process_comes_to_the_same_digest(capsys):
    """The hash order of words in a process makes no difference."""
    text = DIGEST.format(scenario=either("bth/meeting", "bth/texas-1"), turns=either(1, None))
    exec(text, {})
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    done = subprocess.run(
        [sys.executable, "-c", text],
        env={**os.environ, "PYTHONHASHSEED": other},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == capsys.readouterr().out != ""


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_traces_are_right_wherever_things_stand(scenario):
    """Things are placed anywhere, some removed: the kept traces agree with those computed from scratch, for yes and for no."""
    program, found, settings = game_of(scenario, 1, "seeded", {"with_": ("supply",)})
    world = begin(program, found, settings).world
    chance, answers = random.Random(4), set()
    for _ in range(25):
        for _ in range(chance.choice([1, 2, 8])):
            thing = chance.choice(world.all_of("battalion"))
            if chance.random() < 0.08:
                world.positions.remove(thing)
            else:
                world.positions.move(thing, chance.choice(world.places), None)
        plain = Ways(world, ready=False)
        for x in world.all_of("battalion"):
            answer = world.way_exists("supply-route", (x,))
            assert answer == plain.exists("supply-route", (x,))
            answers.add(answer)
    assert answers == {True, False}


@pytest.mark.parametrize("scenario", ["ww2/gorsk-week", "bth/meeting"])
def test_a_side_has_a_legal_order_exactly_if_one_can_be_listed(scenario):
    """Whether there is one is found out in a shorter way: with a single step of a path, and in no order."""
    game, player, chance = begin(*game_of(scenario, 3, "seeded")), make_policy("random", 3), random.Random(3)
    asked = 0
    for _ in range(either(60, 400)):
        if game.over:
            break
        for side in getattr(game.pending, "waiting", ()):
            for order in game.pending.orders:
                commands = game.orders.commands
                assert commands.any_legal(side, order) == (next(commands.legal(side, order), None) is not None), order
                asked += 1
        game.offer(step(game, player, chance))
    assert asked > 20
