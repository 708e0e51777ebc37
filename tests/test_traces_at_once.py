"""What traces compute for all places at once equals what they compute for one place after another."""

import random

import pytest

from campaigns.library.compiling import active_modules, compiled
from campaigns.library.systems_by_name import scenario_of
from interpreter.automated.policies import make_policy, step
from interpreter.codegen.python_names import py
from interpreter.machine import begin


@pytest.mark.parametrize(
    ("name", "modules", "path", "kind"),
    [
        ("bth/kafer-invasion", ["supply"], "supply-route", "battalion"),
        ("infantry/nine-bridges", [], "supply-line", "platoon"),
        ("ww2/gorsk-week", [], "supply-line", "division"),
        ("ww2/gorsk-week", [], "zone-line", "division"),
    ],
)
def test_all_places_at_once_are_those_of_one_after_another(name, modules, path, kind):
    text, found, _ = scenario_of(name)
    game = begin(compiled(text, active_modules(text, found, modules)), found, {"seed": 4, "dice": "seeded"})
    policy, chance = make_policy("random", 4), random.Random(4)
    for _ in range(30):
        step(game, policy, chance)
    functions, way = game.world.functions, game.world.ways.programs[path]
    asked = [(f"w_{py(path)}_until{n}", ()) for n, leg in enumerate(way.legs) if leg[-1]]
    asked += [(never, (None,)) for never, _, _ in way.nevers]
    places = game.world.by_kind[way.ground]
    assert asked
    for thing in game.world.by_kind[kind]:
        for function, before in asked:
            one_by_one = [place for place in places if functions[function](thing, *before, place)]
            assert list(functions[f"{function}_all"](thing)) == one_by_one
