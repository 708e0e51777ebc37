"""Odds against results on paper for a small game of guns, exact and sampled; they reveal nothing of future dice or of secrets."""

import json
import os
from fractions import Fraction
from math import comb, sqrt

import attrs
import pytest

from campaigns.file.errors import CampaignError
from campaigns.leaks.compared_worlds import leaks
from campaigns.odds import Limits, odds_of, odds_of_answers
from campaigns.play.starting import open_campaign
from interpreter.messages.inputs import Input, Refused
from tests.campaigns.gunnery import LATER, battery
from tests.long import either
from ui.commands.leaks import printed
from ui.main import main

TRIES = either(40, 100)
"""So often is tried what is compared with paper; with OPHEX_LONG=1 more than twice as often."""


def of(campaign, *commands, side="blue", **limits):
    return odds_of(campaign, [Input("do", side, text) for text in commands], side, Limits(**limits))


def chances(rows):
    return {key: Fraction(chance.fraction) for key, chance in rows}


def line(odds, name):
    return next(line for line in odds.cards[0].lines if line.name == name)


def fates(odds):
    return {(f.name, f.what, f.value): Fraction(f.chance.fraction) for f in odds.fates}


def test_one_shot_as_the_table_says(tmp_path):
    """b-1 is undamaged and adds 1: 1 and 2 do nothing (1/3), 3 and 4 cost one hit (1/3), 5 and 6 three (1/3)."""
    with battery(tmp_path) as campaign:
        odds = of(campaign, "shell b-1 against r-1")
    assert (odds.exact, odds.ways) == (True, 6)
    third = Fraction(1, 3)
    assert chances(line(odds, "loss").values) == {"0": third, "1": third, "3": third}
    assert fates(odds) == {("r-1", "hits", "2"): third, ("r-1", "#", "2"): third, ("r-1", "removed", "yes"): third}
    red = next(one for one in odds.losses if one.side == "red")
    assert (red.removed.fraction, red.strength.fraction) == ("1/3", "4/3")  # 1/3 of one hit and 1/3 of three
    assert chances(red.counts) == {0: 2 * third, 1: third}
    assert [(side, score, chance.fraction) for side, score, chance in odds.scores] == [("red", "1", "1/3")]
    assert [(t.name, t.dice, t.side, t.times.fraction, t.tables) for t in odds.throws] == [
        ("die", "1d6", "blue", "1", ("effects",))
    ]
    assert [(s.kind, s.chance.fraction) for s in odds.stops if s.side == "blue"] == [("orders", "1")]
    assert {text: mean.fraction for text, mean in odds.told} == {f"The shell does {n}.": "1/3" for n in (0, 1, 3)}


def test_shots_that_are_resolved_later_have_odds_if_nobody_orders_anything_more(tmp_path, capsys):
    """The shot of the table, after the windows of both phases: nothing, one hit and three hits, a third each. Red takes its first gun."""
    with battery(tmp_path, turn=LATER) as campaign:
        now = of(campaign, "lay b-1 against r-1")
        assert (now.throws, {stop.kind for stop in now.stops}) == ((), {"orders"})
        later = of(campaign, "lay b-1 against r-1", until_dice=True)
        third = Fraction(1, 3)
        assert (later.exact, later.ways) == (True, 6)
        assert fates(later)["r-1", "removed", "yes"] == third
        assert "red chooses lookout: r-1." in later.events
        campaign.offer(Input("do", "blue", "lay b-1 against r-1"))
        mine = odds_of(campaign, [Input("do", "red", "done")], "red", Limits(until_dice=True))
        assert (mine.throws, {(stop.kind, stop.name) for stop in mine.stops}) == ((), {("question", "lookout")})
        campaign.take_back("blue")
        path = str(campaign.path)
    assert main(["odds", path, "--as", "blue", "lay b-1 against r-1"]) == 0
    assert "--until-dice looks further" in capsys.readouterr().err
    assert main(["odds", path, "--as", "blue", "--until-dice", "lay b-1 against r-1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Supposing that everybody ends")
    assert "Exact: all outcomes" in out
    with open_campaign(path) as campaign:
        campaign.offer(Input("do", "blue", "lay b-1 against r-1"))
    assert main(["odds", path, "--as", "blue", "--until-dice"]) == 0
    assert "blue would roll 1d6 (die)" in capsys.readouterr().out
    assert main(["odds", path, "--as", "blue"]) == 2
    assert "--until-dice" in capsys.readouterr().err


def test_no_windows_are_ended_beyond_the_turn(tmp_path):
    """It played on to the end of the game, if nobody had laid a gun."""
    with battery(tmp_path, turn=LATER) as campaign:
        told = odds_of(campaign, [], "blue", Limits(until_dice=True)).events
        assert [text for text in told if text.startswith("Turn ")] == ["Turn 2."]


def test_a_window_that_may_not_be_ended_is_the_next_decision(tmp_path):
    must = LATER.replace(
        "sides may lay together",
        'sides may lay together\n    refused when there is no lyings because "lay a gun first"',
    )
    with battery(tmp_path, turn=must) as campaign:
        odds = odds_of(campaign, [], "blue", Limits(until_dice=True))
        assert odds.throws == ()
        assert "orders" in {stop.kind for stop in odds.stops}


def test_the_reasons_of_what_is_known_before_are_told(tmp_path):
    with battery(tmp_path) as campaign:
        sure = line(of(campaign, "shell b-1 against r-1"), "sureness")
    assert [value for value, _ in sure.values] == ["1"]
    assert ("it is whole", "1") in [(reason.text, reason.value) for reason in sure.reasons]


def test_a_barrage_of_which_few_standings_are_all_ways(tmp_path):
    """Up to 8 shells at a 6, until r-1 has one hit of three left: 6**8 outcomes, of which those with the same state are followed once."""
    miss, hit = Fraction(5, 6), Fraction(1, 6)
    none, one = miss**8, comb(8, 1) * hit * miss**7
    with battery(tmp_path) as campaign:
        odds = of(campaign, "barrage b-1 against r-1", exact=True)
    assert odds.exact
    assert odds.ways < 100
    assert fates(odds)["r-1", "hits", "2"] == one
    assert fates(odds)["r-1", "hits", "1"] == 1 - none - one
    shells = sum(
        miss**n + n * hit * miss ** (n - 1) if n else 1 for n in range(8)
    )  # as long as there was no second hit
    assert Fraction(odds.throws[0].times.fraction) == shells


def test_standings_that_differ_in_a_name_alone_are_told_apart(tmp_path):
    """The shell strays to r-1 or r-2, and hits on a 6."""
    with battery(tmp_path) as campaign:
        odds = of(campaign, "stray b-1")
    assert fates(odds)["r-1", "hits", "2"] == Fraction(1, 12)
    assert fates(odds)["r-2", "hits", "2"] == Fraction(1, 12)
    assert odds.ways == 12


def test_tries_come_near_within_their_standard_error(tmp_path):
    with battery(tmp_path) as campaign:
        tried = of(campaign, "shell b-1 against r-1", trials=TRIES)
        few, again = (of(campaign, "shell b-1 against r-1", trials=4) for _ in range(2))
    assert (tried.exact, tried.ways) == (False, TRIES)
    chance = next(f.chance for f in tried.fates if f.what == "removed")
    assert chance.fraction == ""
    assert chance.error == pytest.approx(sqrt(chance.value * (1 - chance.value) / TRIES))
    assert abs(chance.value - 1 / 3) < 4 * chance.error
    # The same tries each time: nothing of the campaign's seed is in them.
    assert attrs.asdict(few) == attrs.asdict(again)


def test_without_forks_it_is_the_same(tmp_path, monkeypatch):
    with battery(tmp_path) as campaign:
        forked = of(campaign, "shell b-1 against r-1"), of(campaign, "barrage b-1 against r-1", trials=4)
        monkeypatch.delattr(os, "fork")
        assert (of(campaign, "shell b-1 against r-1"), of(campaign, "barrage b-1 against r-1", trials=4)) == forked


def test_it_stops_at_the_next_decision(tmp_path):
    with battery(tmp_path) as campaign:
        odds = of(campaign, "parley b-1 against r-1")
    assert [(s.kind, s.side, s.name) for s in odds.stops] == [("question", "red", "reply")]
    assert [t.name for t in odds.throws] == ["offer-die"]  # the dice after the answer are not looked at


def test_what_hangs_on_what_is_hidden_is_said_to(tmp_path):
    """The umpire sees the nerve of r-1 (3 of 6 frighten it). Blue only reads that the result depends on something hidden."""
    told = []
    for nerve in (1, 3, 5):
        with battery(tmp_path, nerve=nerve, name=f"c{nerve}") as campaign:
            told.append(attrs.asdict(of(campaign, "scare b-1 against r-1")))
            if nerve == 3:
                assert fates(of_umpire(campaign, "scare b-1 against r-1"))["r-1", "hits", "2"] == Fraction(1, 2)
    assert told[0] == told[1] == told[2]
    assert [(s["kind"], s["chance"]["fraction"]) for s in told[0]["stops"]] == [("hidden", "1")]


def of_umpire(campaign, text, **limits):
    return odds_of(campaign, [Input("do", "blue", text)], "umpire", Limits(**limits))


def test_the_dice_to_come_are_not_in_it(tmp_path):
    """Campaigns of many seeds: the same odds, no dice rolled, nothing recorded."""
    seen = set()
    for seed in range(2):
        with battery(tmp_path, seed=seed, name=f"c{seed}") as campaign:
            before = (campaign.path.read_bytes(), campaign.game.digest(), campaign.head)
            seen.add(
                str(attrs.asdict(of(campaign, "shell b-1 against r-1")))
                + str(of_umpire(campaign, "barrage b-2 against r-1", trials=3))
            )
            assert (campaign.path.read_bytes(), campaign.game.digest(), campaign.head) == before
            assert campaign.game.dice.rolled == 0
    assert len(seen) == 1


def test_answers_to_an_open_question(tmp_path):
    """Two hits are due, on a 5 or 6: then nothing is left of b-2, which has two."""
    with battery(tmp_path) as campaign:
        campaign.offer(Input("do", "blue", "pick b-1"))
        (question,) = odds_of_answers(campaign, "blue")
        assert odds_of_answers(campaign, "red") == []
    assert (question.side, question.name) == ("blue", "victim")
    assert ("hits-due", "2") in [(left.name, left.value) for left in question.left]
    assert [(c.name, c.number, c.appeal) for c in question.candidates] == [("b-1", "3", "7"), ("b-2", "2", "8")]
    assert [odds.commands for odds in question.answers] == [("b-1",), ("b-2",)]
    third = Fraction(1, 3)
    assert [
        fates(odds)[name, "hits", left] for odds, name, left in zip(question.answers, ("b-1", "b-2"), "10", strict=True)
    ] == [third] * 2
    assert not question.more


def test_dice_that_are_awaited_at_the_table(tmp_path):
    with battery(tmp_path, dice="typed") as campaign:
        campaign.offer(Input("do", "blue", "shell b-1 against r-1"))
        odds = odds_of(campaign, (), "red")
        assert fates(odds)["r-1", "removed", "yes"] == Fraction(1, 3)
        assert campaign.game.awaiting[0].kind == "dice"


def test_several_commands_are_one_plan(tmp_path):
    with battery(tmp_path) as campaign:
        odds = odds_of(campaign, [Input("do", "blue", "pick b-1"), Input("answer", "blue", "b-2", "victim")], "blue")
        assert fates(odds)["b-2", "hits", "0"] == Fraction(1, 3)
        with pytest.raises(Refused, match="Dice are rolled before this"):
            of(campaign, "shell b-1 against r-1", "shell b-2 against r-1")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("shell b-1 against r-9", "r-9"),
        ("shell r-1 against b-1", "red"),
        ("fly b-1", "fly"),
        ("", ""),
        ("shell b-1 against r-1 \x1b[31m\N{RIGHT-TO-LEFT OVERRIDE}", ""),
        ("shell " * 4000, ""),
        ("{0}{x!r}__import__('os')", ""),
    ],
)
def test_what_is_no_command_is_refused(tmp_path, command, message):
    with battery(tmp_path) as campaign:
        with pytest.raises(Refused) as refused:
            of(campaign, command)
        assert message in refused.value.message + refused.value.hint
        assert (campaign.head, campaign.game.dice.rolled) == (0, 0)


def test_too_many_ways_are_tried_or_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(Limits, "MOST_WAYS", 4)
    monkeypatch.setattr(Limits, "USUAL_WAYS", 4)
    monkeypatch.setattr(Limits, "USUAL_TRIALS", 25)
    with battery(tmp_path) as campaign:
        odds = of(campaign, "shell b-1 against r-1")
        assert (odds.exact, odds.ways) == (False, 25)
        with pytest.raises(CampaignError, match="more than 4 outcomes"):
            of(campaign, "shell b-1 against r-1", exact=True)


def test_no_side_can_tell_by_odds_what_it_may_not_know(tmp_path):
    """Worlds that differ in the nerve of red's guns, and in future dice: the odds shown to blue are the same, byte for byte."""
    with battery(tmp_path, nerve=3) as campaign:
        found = leaks(campaign, ["blue"], printed, guesses=30, kinds=("fields", "dice"))
    assert found.differences == []
    assert found.outputs["odds"] == 2 * 3
    assert found.secrets["fields"] == 2


def test_the_command_says_which_of_both_it_is(tmp_path, capsys):
    battery(tmp_path).close()
    file = str(tmp_path / "c.ophex")
    assert main(["odds", file, "--as", "blue", "shell b-1 against r-1"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert "  Exact: all outcomes of the dice were followed, 6 of them distinct." in told
    assert "    loss: 0 1/3 = 33.3 %; 1 1/3 = 33.3 %; 3 1/3 = 33.3 %" in told
    assert "  r-1 is removed: 1/3 = 33.3 %" in told
    assert "  blue would roll 1d6 (die), for the table effects" in told
    assert main(["odds", file, "--as", "blue", "--trials", "10", "--json", "shell b-1 against r-1"]) == 0
    (odds,) = json.loads(capsys.readouterr().out)["odds"]
    assert (odds["exact"], odds["ways"], odds["commands"]) == (False, 10, ["shell b-1 against r-1"])


def test_the_command_of_an_open_question(tmp_path, capsys):
    with battery(tmp_path) as campaign:
        campaign.offer(Input("do", "blue", "pick b-1"))
    assert main(["odds", str(tmp_path / "c.ophex"), "--as", "blue"]) == 0
    told = capsys.readouterr().out
    assert "hits-due 2" in told
    assert "  b-2: counter 2, worth 8 to its side" in told
    assert "b-1, as blue knows it:" in told


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["shell b-1 against r-9"], 1),
        (["fly \x1b[31m b-1"], 1),
        (["roll 6"], 2),
        (['override hits of r-1 = 1 because "so"'], 2),
        ([""], 2),
        ([], 2),
        (["--trials", "0", "shell b-1 against r-1"], 2),
        (["--trials", "900000", "shell b-1 against r-1"], 2),
        (["answer nothing with b-1"], 1),
    ],
)
def test_the_command_refuses_what_it_cannot_tell(tmp_path, capsys, words, code):
    battery(tmp_path).close()
    before = (tmp_path / "c.ophex").read_bytes()
    assert main(["odds", str(tmp_path / "c.ophex"), "--as", "blue", *words]) == code
    said = capsys.readouterr()
    assert (said.out, "\x1b" in said.err, "Traceback" in said.err) == ("", False, False)
    assert said.err.strip()
    assert (tmp_path / "c.ophex").read_bytes() == before


def test_what_the_rules_can_hide_is_said_to_be_left_out(tmp_path, capsys):
    """To a side of a game that hides something, whether or not anything is hidden now; not to the umpire, who knows everything."""
    line = "  Left out is whatever the rules hide from blue, if there is anything."
    with battery(tmp_path) as campaign:
        given = [Input("do", "blue", "shell b-1 against r-1")]
        assert not odds_of(campaign, given, "umpire").unseen
    assert main(["odds", str(tmp_path / "c.ophex"), "--as", "blue", "shell b-1 against r-1"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told.index(line) == 1 + told.index("  Exact: all outcomes of the dice were followed, 6 of them distinct.")
