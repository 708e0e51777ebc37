"""Odds of the shipped systems against their printed tables: each fight is found by playing, and its odds are computed here independently.

The daily form does it for ogre, with all outcomes followed, and for infantry, with a sample. With OPHEX_LONG=1 it covers all five
systems, with three times as many samples.
"""

import random
from collections import Counter
from fractions import Fraction
from math import sqrt

import pytest

from campaigns.odds import Limits, odds_of
from campaigns.play.starting import create_campaign
from interpreter.automated.policies import make_policy, step
from interpreter.messages.inputs import Input
from interpreter.runtime.runtime import say
from tests.long import either, in_the_long_form

TRIES = either(25, 80)
OGRE = {
    "1:2": "NE NE NE NE D X", "1:1": "NE NE D D X X", "2:1": "NE D D X X X", "3:1": "D D X X X X", "4:1": "D X X X X X",
}  # fmt: skip
"""The Combat Results Table of OGRE/GEV, by column, for a die of 1 to 6; of 5:1 and more all is destroyed."""
TEXAS = {"attacker": (100, 80, 80, 60, 60, 40, 40, 20, 20, 0), "defender": (0, 0, 20, 20, 20, 20, 20, 40, 40, 40)}
"""The column 1:1 of the Combat Results Table of Boots, Tracks, and Hoverskirts, for a die of 1 to 10: losses in percent."""


def before_a_fight(campaign, rolls, most=120):
    """Plays on until something is given that brings up dice and tells their story; it is taken back, and given here."""
    player, chance = make_policy("greedy", 3), random.Random(3)
    for _ in range(most):
        given = campaign.game.in_own_words(step(campaign.game, player, chance))
        events = campaign.offer(given)
        told = {event.kind for event in events}
        if "story" in told and any(e.kind == "roll" and e.data["name"] == rolls for e in events):
            campaign.undo()
            return given
    return pytest.fail("no fight was found")


def chances(values):
    return {value: Fraction(chance.fraction) for value, chance in values}


def line(odds, name):
    return next(line for card in odds.cards for line in card.lines if line.name == name)


def near(tried, chance, tries):
    """Whether a share of tries is what it should be, within four standard errors."""
    return abs(tried - chance) < 4 * sqrt(chance * (1 - chance) / tries)


@in_the_long_form
def test_a_battle_of_bth_by_its_table(tmp_path):
    with create_campaign(tmp_path / "c.ophex", "bth/texas-1", dice="typed") as campaign:
        for side, text, question in (
            ("mexico", "done", ""), ("mexico", "done", ""), ("mexico", "attack hussar-1 against 0806", ""),
            ("mexico", "all", "helpers"), ("mexico", "others A", "firing"), ("america", "others B-and-C", "firing"),
            ("mexico", "all", "attacking-batteries"),
        ):  # fmt: skip
            campaign.offer(Input("answer" if question else "do", side, text, question))
        found = [
            odds_of(campaign, [Input("answer", "america", "all", "defending-batteries")], s, Limits(seconds=200))
            for s in ("america", "umpire")
        ]
    for odds in found:
        assert (odds.exact, odds.ways) == (True, 100)
        assert [value for value, _ in line(odds, "final-column").values] == ["1:1"]
        for who, column in TEXAS.items():
            printed = {str(percent): Fraction(n, 10) for percent, n in Counter(column).items()}
            assert chances(line(odds, f"{who}-percent").values) == printed
        hits = {say(Fraction(percent * 112, 100)): n for percent, n in Counter(TEXAS["attacker"]).items()}  # of 112
        assert chances(line(odds, "attacker-hits").values) == {hit: Fraction(n, 10) for hit, n in hits.items()}
        assert all("crt" in throw.tables for throw in odds.throws)


def test_an_attack_of_ogre_by_its_table(tmp_path):
    with create_campaign(tmp_path / "c.ophex", "ogre/duel", seed=3) as campaign:
        given = before_a_fight(campaign, "die")
        odds = odds_of(campaign, [given], given.side, Limits(seconds=200))
    ((column, _),) = line(odds, "column").values
    printed = {result: Fraction(n, 6) for result, n in Counter(OGRE[column].split()).items()}
    assert odds.exact
    assert chances(line(odds, "outcome").values) == printed


def test_infantry_fire_by_two_dice(tmp_path):
    """A hit rolls a cluster die: as often as two dice reach the required number."""
    with create_campaign(tmp_path / "c.ophex", "infantry/skirmish", seed=3) as campaign:
        given = before_a_fight(campaign, "attack-die")
        odds = odds_of(campaign, [given], given.side, Limits(trials=TRIES, seconds=200))
    ((needed, _),) = line(odds, "needed").values
    reach = sum(a + b >= int(needed) for a in range(1, 7) for b in range(1, 7)) / 36
    thrown = {throw.name: throw.times for throw in odds.throws}
    assert odds.ways == TRIES
    assert thrown["attack-die"].value == 1
    assert near(thrown["cluster-die"].value, reach, TRIES)


@in_the_long_form
def test_an_assault_of_ww2_by_its_die(tmp_path):
    """A base hits on 1 up to its attack factor on a die of 0 to 9, and the attack stalls on 0."""
    with create_campaign(tmp_path / "c.ophex", "ww2/lipki", seed=3) as campaign:
        given = before_a_fight(campaign, "die")
        odds = odds_of(campaign, [given], "umpire", Limits(trials=TRIES, seconds=200))
    factor, lead = (line(odds, name).values[0][0] for name in ("attack-factor", "lead"))
    stalled = sum(f.chance.value for f in odds.fates if (f.name, f.what, f.value) == (lead, "stalled", "2"))
    shots = {text: mean.value for text, mean in odds.told if text.startswith(f"{lead} against")}
    hits = sum(times for text, times in shots.items() if text.endswith("hit."))
    assert near(stalled, 1 / 10, TRIES)
    assert near(hits / sum(shots.values()), int(factor) / 10, TRIES)


@in_the_long_form
def test_a_battle_of_btr_by_its_table(tmp_path):
    """The column 2:1: attackers at -4 roll -3 to 6, defenders at +4 roll 5 to 14; the table ends at -1 and 12."""
    with create_campaign(tmp_path / "c.ophex", "btr/first-battle", seed=3) as campaign:
        given = before_a_fight(campaign, "unit-die")
        odds = odds_of(campaign, [given], "umpire", Limits(trials=TRIES, seconds=200))
    assert [value for value, _ in line(odds, "final-column").values] == ["2:1"]
    fates = {(f.name, f.what, f.value): f.chance.value for f in odds.fates}
    for attacker in ("gtd-79", "gmrd-39"):
        hits = {("removed", "yes"): 0.3, ("hits", "2"): 0.4, ("hits", "1"): 0.3}
        assert all(near(fates[attacker, *fate], chance, TRIES) for fate, chance in hits.items())
    for defender in ("acr-11", "bde-1"):
        hits = {("hits", "2"): 0.3, ("hits", "1"): 0.2}
        assert all(near(fates[defender, *fate], chance, TRIES) for fate, chance in hits.items())
