"""The week of Gorsk played by automated sides: whoever has not fought a base reads its name nowhere [WW2-SPOT-03]."""

import random
import re

import pytest

from campaigns.systems import active_modules, compiled, scenario_of
from interpreter.play import begin
from interpreter.policy import make_policy, step

INPUTS = 160


def unknown_to(game, side):
    """The names of the bases of others that a side may not know, by the rules' own fields."""
    return {
        base.id
        for base in game.world.by_kind["base"]
        if base.side.id != side and side not in base.known and not base.f_identified
    }


def read_by(game, side):
    """All that a side can have printed just now."""
    return [repr(game.view(side)), *game.legal(side), *(repr(game.explain(x, side)) for x in ("bases", "turn"))]


@pytest.mark.parametrize(("policy", "seed"), [("greedy", 3), ("mixed", 4)])
def test_nobody_reads_the_name_of_a_base_that_it_has_not_met(policy, seed):
    text, found, _ = scenario_of("ww2/gorsk-week")
    game = begin(compiled(text, active_modules(text, found)), found, {"seed": seed, "snapshots": False})
    player, chance = make_policy(policy, seed), random.Random(seed)
    hid, met = False, False
    for number in range(INPUTS):
        if game.over:
            break
        events = game.offer(step(game, player, chance))
        for side in ("blue", "red"):
            hidden = unknown_to(game, side)
            hid |= bool(hidden)
            met |= game.turn > 1 and any(base.f_identified for base in game.world.by_kind["base"])
            names = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(hidden)))})(?![\w-])")
            told = [e for e in events if e.to in {"all", side}]
            said = [*(e.text for e in told), *(repr(e.data) for e in told)]
            if number % 16 == 0:
                said += read_by(game, side)
            found_out = [(text, names.search(text)[0]) for text in said if names.search(text)]
            assert found_out == []
    assert hid
    assert met or policy != "greedy", "nobody ever fought: that names are read then was not tried"
