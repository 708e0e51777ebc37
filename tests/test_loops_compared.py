"""In whole games every loop has the value of its plain form, under any modules.

Examples run the audited rules, which have no loops; `tests/test_audited_play.py` compares these with those of play.
The daily form plays a turn in each system, with the scenario's modules. The long form (`OPHEX_LONG=1`) plays six under a dozen.
"""

import functools

import pytest

from campaigns.library import compiling
from campaigns.trials import sweep
from tests.interpreter.rulebook import game_of
from tests.long import either
from tests.loops_compared import LoopDiffers, comparing

SCENARIOS = (
    either("bth/texas-1", "bth/three-days"),
    "btr/first-sorties",
    "infantry/skirmish",
    "ogre/raid",
    "ww2/gorsk-week",
)


@pytest.fixture
def comparison(monkeypatch):
    """Programs compiled during the test compare their loops, and are discarded after it."""
    monkeypatch.setattr(sweep, "_READY", {})
    monkeypatch.setattr(compiling, "_compiled", functools.lru_cache(compiling._compiled.__wrapped__))
    return comparing(monkeypatch)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_loops_in_games(scenario, comparison):
    found = sweep.simulate(scenario, 1, "loops", "random", turns=either(1, 6), module_sets=either(None, 12))
    assert found["errors"] == []
    assert len(comparison.counts) > 5


def test_a_loop_that_differs_is_noticed(monkeypatch):
    from interpreter.codegen import loops

    monkeypatch.setattr(loops, "aggregate_text", lambda *_: "0")
    comparison = comparing(monkeypatch)
    game = game_of("value weight of u (a regiment) = strength of u\nvalue mean = average weight of regiments\n")
    with pytest.raises(LoopDiffers, match="plainly it is"):
        game.world.functions["v_mean"]()
    assert comparison.counts.total() == 1
