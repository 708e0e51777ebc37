"""The shipped systems: they check clean, their examples pass, their scenarios can be played, and bth matches the printed results.

In the daily form the greedy policy plays the smallest scenario of each system and the random policy the others, without the one
that has the modules of another and takes longest. In the long form (`OPHEX_LONG=1`) both policies play all.
"""

import os
from itertools import product
from pathlib import Path

import pytest

from campaigns.file.errors import CampaignError
from campaigns.library.checking import check
from campaigns.library.systems_by_name import scenarios
from campaigns.play.starting import create_campaign, open_campaign
from campaigns.trials.casebook import coverage, run_examples
from campaigns.trials.sweep import simulate
from interpreter.automated.policies import make_policy
from interpreter.messages.inputs import Input, Refused
from tests.long import either
from ui.maps.symbols import DRAWINGS

ROOT = Path(__file__).parents[1] / "examples"
SYSTEMS = sorted(p.name for p in ROOT.iterdir() if p.is_dir())
UNDER_WAY: set[str] = set()
"""Systems whose rules are not all written yet; take a system out when it is whole."""
WHOLE = [name for name in SYSTEMS if name not in UNDER_WAY]
SCENARIOS = [s.name for system in SYSTEMS for s in scenarios(system)]


@pytest.mark.parametrize("system", WHOLE)
def test_a_shipped_system_has_neither_errors_nor_warnings(system):
    report = check(system, DRAWINGS)  # as the command does: what that has found is kept
    assert report.errors == 0
    assert report.rendered == ()
    assert report.warnings == 0


@pytest.mark.skipif("OPHEX_EXAMPLES_APART" in os.environ, reason="they are run apart, from the installed program")
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_example_of_a_shipped_system_passes(system):
    report = run_examples([system], workers=None if "PYTEST_XDIST_WORKER" not in os.environ else 1)
    assert report.failed == ()
    assert report.passed == report.examples > 0


@pytest.mark.parametrize("system", WHOLE)
def test_every_rule_that_is_modelled_is_cited_and_has_an_example(system):
    found = coverage(system)
    assert found["missing"] == []
    assert found["untested"] == []
    assert len(found["not_modelled"]) < 10
    assert all(row["reason"] for row in found["not_modelled"])


POLICIES = ("random", "greedy")
SMALLEST = ("bth/texas-1", "btr/first-battle", "infantry/skirmish", "ogre/duel", "ww2/gorsk-front")
"""Of each system the scenario of which the greedy policy has soon played a turn."""
LONGEST = "btr/theatre"
"""Its modules are those of `btr/fulda-1986`."""
DAILY = [(scenario, POLICIES[scenario in SMALLEST]) for scenario in SCENARIOS if scenario != LONGEST]


@pytest.mark.parametrize(("scenario", "policy"), either(DAILY, list(product(SCENARIOS, POLICIES))))
def test_every_scenario_starts_and_plays_a_turn_by_itself(scenario, policy):
    played = simulate(scenario, 1, seed=3, policy=policy, turns=1)
    assert played["errors"] == []
    assert played["dead_ends"] == []
    assert played["turns"] == 1
    assert played["decisions"] > 0


# ---- the printed battle ----------------------------------------------------------------------------------------------
MIXED = [f"mixed-{n}" for n in (11, 12, 13, 14, 21, 22, 23, 24)]
BATTLE = [
    Input("do", "mexico", "done"),
    Input("do", "mexico", "done"),
    Input("do", "mexico", "attack hussar-1 against 0806"),
    Input("answer", "mexico", "all", "helpers"),
    Input("answer", "mexico", ", ".join(f"{m} B" for m in MIXED) + ", others A", "firing"),
    Input("answer", "america", "tf-1 B-and-C, tf-2 B-and-C, tf-3 B-and-C", "firing"),
    Input("answer", "mexico", "all", "attacking-batteries"),
    Input("answer", "america", "all", "defending-batteries"),
]
DICE = Input("roll", "umpire", "7 8")


@pytest.fixture
def texas(tmp_path):
    """The first battle in Texas, up to its dice."""
    with create_campaign(tmp_path / "texas.ophex", "bth/texas-1", dice="typed", seed=1) as campaign:
        for given in BATTLE:
            campaign.offer(given)
        yield campaign


def value(campaign, expression):
    return campaign.game.explain(expression).value


def to_the_retreats(campaign):
    """Lets the losses be chosen by a policy, to the line that says who owes what retreat."""
    policy = make_policy("random", 1)
    for _ in range(100):
        events = campaign.offer(policy.choose(campaign.game, campaign.game.awaiting[0]))
        told = [e.text for e in events if e.text.startswith("Required retreat")]
        if told:
            return told
    raise AssertionError("nobody owes a retreat")


def test_the_printed_battle_of_texas(texas):
    """Attack 672 against 543 at 1:1 without a modifier; 7 and 8 cost each side 40 %: of 112 44.8 hits, of 91 36.4."""
    assert [a.kind for a in texas.game.awaiting] == ["dice"]
    assert [value(texas, x) for x in ("attack", "defense")] == ["672", "543"]
    assert [value(texas, x) for x in ("first-column", "final-column", "fire-modifier")] == ["1:1", "1:1", "0"]
    texas.offer(DICE)
    assert [value(texas, x) for x in ("attacker-percent", "defender-percent")] == ["40", "40"]
    assert [value(texas, x) for x in ("attacker-strength", "defender-strength")] == ["112", "91"]
    assert [value(texas, x) for x in ("attacker-hits", "defender-hits")] == ["44 4/5", "36 2/5"]
    assert to_the_retreats(texas) == ["Required retreat: attacker 1 hexes, defender 1 hexes."]


def test_a_side_of_the_printed_battle_is_told_how_it_came_about(texas):
    for side in ("mexico", "america"):
        assert texas.game.explain("attack", side).value == "672"
    assert "BTH-BATTLE-19" in texas.game.explain("attack").cites


def test_undo_in_the_middle_of_the_battle(texas):
    before = texas.game.digest()
    texas.offer(DICE)
    after = texas.game.digest()
    texas.undo()
    assert texas.game.digest() == before
    with pytest.raises(Refused, match="11 is not a possible result of 1d10"):
        texas.offer(Input("roll", "umpire", "11"))
    texas.offer(Input("roll", "umpire", "1 10"))
    assert texas.game.digest() != after
    texas.undo(3)
    assert [(a.kind, a.side, a.name) for a in texas.game.awaiting] == [("question", "mexico", "attacking-batteries")]
    for given in (*BATTLE[6:], DICE):
        texas.offer(given)
    assert texas.game.digest() == after
    assert [value(texas, x) for x in ("attacker-hits", "defender-hits")] == ["44 4/5", "36 2/5"]


def test_a_battle_goes_on_after_closing_and_opening_again(texas, tmp_path):
    texas.offer(DICE)
    digest, awaiting = texas.game.digest(), texas.game.awaiting
    texas.close()
    with open_campaign(tmp_path / "texas.ophex") as again:
        assert again.game.digest() == digest
        assert again.game.awaiting == awaiting
        to_the_retreats(again)
        verdict = again.verify()
        assert (verdict.ok, verdict.problems) == (True, ())
        assert verdict.entries > len(BATTLE) + 1
        again.undo(2)
        assert again.verify().ok


def test_the_same_inputs_make_the_same_battle(texas, tmp_path):
    texas.offer(DICE)
    with create_campaign(tmp_path / "other.ophex", "bth/texas-1", dice="typed", seed=99) as other:
        for given in (*BATTLE, DICE):
            other.offer(given)
        assert other.game.digest() == texas.game.digest()


def test_the_wrong_choice_of_modules_and_options_is_refused(tmp_path):
    with pytest.raises(CampaignError, match="no module suply"):
        create_campaign(tmp_path / "x.ophex", "bth/texas-1", with_=["suply"])
    with pytest.raises(CampaignError, match="cannot be upwards"):
        create_campaign(tmp_path / "x.ophex", "bth/texas-1", options={"odds-rounding": "upwards"})
    assert not (tmp_path / "x.ophex").exists()
