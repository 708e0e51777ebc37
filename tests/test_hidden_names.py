"""The week of Gorsk played by automated sides: a side that has not fought a base reads its name nowhere [WW2-SPOT-03]."""

import random
import re

import pytest

from campaigns.library.compiling import active_modules, compiled
from campaigns.library.systems_by_name import scenario_of
from dsl.ir import lines_in
from interpreter.automated.policies import make_policy, step
from interpreter.machine import begin
from interpreter.messages.inputs import Refused
from tests.long import either, in_the_long_form

INPUTS = either(90, 160)
"""Every day so many that a fight is over when a new day begins."""


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


def words_of(text):
    """The words of a text of which one may be the name of a base."""
    return set(re.findall(r"[\w-]+", text))


@pytest.mark.parametrize(("policy", "seed"), [("mixed", 4), pytest.param("greedy", 3, marks=in_the_long_form)])
def test_nobody_reads_the_name_of_a_base_that_it_has_not_met(policy, seed):
    text, found, _ = scenario_of("ww2/gorsk-week")
    game = begin(compiled(text, active_modules(text, found)), found, {"seed": seed, "snapshots": False})
    player, chance = make_policy(policy, seed), random.Random(seed)
    hid, met = False, False
    for number in range(INPUTS):
        if game.over:
            break
        before = {
            side: {base.id for base in game.world.by_kind["base"]} - unknown_to(game, side) for side in ("blue", "red")
        }
        events = game.offer(step(game, player, chance))
        for side in ("blue", "red"):
            # What a side knew when the input began may be named in what came of it, though a new day then hides it again.
            hidden = unknown_to(game, side) - before[side]
            hid |= bool(hidden)
            met |= game.turn > 1 and any(base.f_identified for base in game.world.by_kind["base"])
            told = [e for e in events if e.to in {"all", side}]
            said = [*(e.text for e in told), *(repr(e.data) for e in told)]
            found_out = [(text, names) for text in said if (names := hidden & words_of(text))]
            if number % either(40, 16) == 0:
                now = unknown_to(game, side)
                found_out += [(text, names) for text in read_by(game, side) if (names := now & words_of(text))]
            assert found_out == []
    assert hid
    assert met, "nobody ever fought: that names are read then was not tried"


@pytest.fixture(scope="module")
def week():
    text, found, _ = scenario_of("ww2/gorsk-week")
    return begin(compiled(text, active_modules(text, found)), found, {"seed": 5, "snapshots": False})


@pytest.mark.parametrize("asked", ["stock of {}", "{} is seen", "{}", "place of {}", "firepower of {} + 1"])
def test_an_unseen_base_is_answered_as_one_that_does_not_exist(week, asked):
    """Hidden ids that everybody knows from the scenario, a label that red has not seen, and nonexistent names [WW2-SPOT-03]."""
    unseen = next(
        x.id for x in week.world.by_kind["base"] if x.side.id == "blue" and week.world.knowledge.concealed(x, "red")
    )
    names = ["b-10-sg", "b-9pz-t1", unseen.upper(), "b-nobody"]
    words = set()
    for name in names:
        with pytest.raises(Refused) as refused:
            week.explain(asked.format(name), "red")
        words.add((refused.value.message.replace(name, "…"), refused.value.hint))
    assert len(words) == 1, words
    label = week.world.incognito.label(unseen, "red")
    with pytest.raises(Refused, match=f"Unknown name `{label}`"):
        week.explain(asked.format(label), "red")


def test_dice_for_points_that_are_hidden_are_the_ones_kept_close(week):
    """The dice for command points and for supply, which only the owner may know, and no others [WW2-SOD-03, WW2-CAMP-06]."""
    rules = week.program.rules
    kept = {
        line.name
        for r in rules.routines.values()
        for line in lines_in(r.body)
        if line.span in week.program.secrecy.flows
    }
    assert kept == {"corps-die", "division-die", "supply-die"}
