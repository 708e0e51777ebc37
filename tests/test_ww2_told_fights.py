"""Reports of fights in the log of ww2: who against whom, on what, the roll, the result; and for the enemy no more than they see."""

import random
import re

import pytest

from campaigns.library.compiling import active_modules, compiled
from campaigns.library.systems_by_name import scenario_of
from interpreter.automated.policies import make_policy, step
from interpreter.machine import begin
from tests.long import either

SHOT = re.compile(
    r"(\S+|An enemy out of sight) against (\S+|an enemy out of sight)(?:, on (-?\d+) or less)?: (\d), (\w+)\."
)
SAVE = re.compile(r"(\S+) saves on (\d+) or less: (\d), (\w+)\.")
ROLL = re.compile(r"\w+ rolls (\d) on 1d10-1 \((die|save-die)\)\.")


def played(seed, modules=()):
    """The events of a whole game at Lipki, and of each the marks of all bases when it was told."""
    text, found, _ = scenario_of("ww2/lipki")
    game = begin(compiled(text, active_modules(text, found, with_=modules)), found, {"seed": seed})
    player, chance = make_policy("greedy", seed), random.Random(seed)
    out = []
    while not game.over:
        seen = {b.id: b.f_seen for b in game.world.all_of("base")}
        out += [(event, seen) for event in game.offer(step(game, player, chance))]
    return out


@pytest.fixture(scope="module")
def told():
    """Every day one game in which all that is asked for comes up, in the long form (`OPHEX_LONG=1`) more of them."""
    return [pair for seed in either((11,), (7, 8, 9, 11)) for pair in played(seed)]


def test_each_roll_of_a_fight_is_told_with_who_fights_and_what_comes_of_it(told):
    events = [e for e, _ in told]
    rolls = 0
    for at, event in enumerate(events):
        rolled = ROLL.fullmatch(event.text)
        if rolled is None:
            continue
        rolls += 1
        form = SHOT if rolled[2] == "die" else SAVE
        lines = [m for e in events[at + 1 : at + 4] if (m := form.fullmatch(e.text))]
        assert lines, event.text
        assert all(m[m.lastindex - 1] == rolled[1] for m in lines[:1])
    assert rolls > 20


def test_what_is_said_to_hit_is_what_was_needed(told):
    """A natural 0 misses, and for a save it is the worst roll [WW2-DMG-05, -06]."""
    results = set()
    for event, _ in told:
        if (shot := SHOT.fullmatch(event.text)) and shot[3] is not None:
            assert shot[5] == ("hit" if 1 <= int(shot[4]) <= int(shot[3]) else "miss")
            results.add(shot[5])
        if save := SAVE.fullmatch(event.text):
            wanted = "catastrophe" if save[3] == "0" else "beaten" if int(save[3]) > int(save[2]) else "saved"
            assert save[4] == wanted
            results.add(save[4])
    assert results == {"hit", "miss", "saved", "beaten", "catastrophe"}


def test_a_shot_from_out_of_sight_names_no_enemy(told):
    """Guns far behind are heard, not seen: the side under fire reads neither which they are nor what they need [WW2-SPOT-03]."""
    hidden = [(e, SHOT.fullmatch(e.text)) for e, _ in told if e.text.startswith("An enemy out of sight")]
    assert hidden
    assert all(shot is not None and shot[3] is None and e.to in {"blue", "red"} for e, shot in hidden)
    for event, seen in told:
        shot = SHOT.fullmatch(event.text)
        if shot is None or shot[1] == "An enemy out of sight":
            continue
        owner = "blue" if shot[1].startswith("b-") else "red"
        assert event.to == owner or seen[shot[1]], event.text
