"""Whole games come out the same with the functions of play and with the audited ones, which `why` and the examples run.

The daily form compares some inputs of a game in each system, with the scenario's modules. The long form (`OPHEX_LONG=1`) compares whole games under drawn sets of modules.
"""

import random

import attrs
import pytest

from campaigns.trials.sweep import _Task, drawn_modules
from interpreter.automated.policies import make_policy, step
from interpreter.codegen.units import SITES
from interpreter.machine import Game, begin
from interpreter.program.program import Program
from interpreter.runtime.audit_trail import Trail
from tests.long import LONG, either

SCENARIOS = ("bth/meeting", "btr/first-sorties", "infantry/skirmish", "ogre/raid", "ww2/lipki")
MOST_INPUTS = either(30, 600)
SETS = either(1, 6)


@pytest.fixture
def audited(monkeypatch):
    """Begins a game that is run by the audited functions."""

    def began(*how):
        with monkeypatch.context() as meanwhile:
            plain, wired = Program.functions, Game.wire
            meanwhile.setattr(
                Program,
                "functions",
                lambda self, world, options, pins=None, trace=None: plain(
                    self, world, options, pins or {}, trace or Trail()
                ),
            )

            def wire(self):
                wired(self)
                self.world.sites = SITES.all

            meanwhile.setattr(Game, "wire", wire)
            return begin(*how)

    return began


@pytest.mark.parametrize("number", range(SETS))
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_play_and_its_audit_agree(scenario, number, audited):
    task = _Task(scenario, f"audit {number}", "mixed", (), (), None, ())
    if LONG:
        task = attrs.evolve(task, modules=drawn_modules(task, 1)[0])
    program, found, options = task.ready()
    how = {"seed": task.seed, "options": options, "snapshots": False, "stories": False}
    played, other = begin(program, found, how), audited(program, found, how)
    assert played.digest() == other.digest()
    policy, chance = make_policy("mixed", number), random.Random(number)
    for _ in range(MOST_INPUTS):
        if played.over:
            break
        given = step(played, policy, chance)
        events = played.offer(given)
        other.world.functions.space["T"] = Trail()
        assert other.offer(given) == events, given
        assert other.digest() == played.digest(), given
