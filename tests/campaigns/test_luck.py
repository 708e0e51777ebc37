"""The luck ledger against sums on paper, and how much of it a side may know."""

import json
from math import erfc, sqrt

import pytest

from campaigns.leaks.compared_worlds import leaks
from campaigns.report import report_of
from campaigns.views.luck_ledger import luck_of, throws_in
from interpreter.messages.inputs import Input
from tests.as_recorded import recorded
from tests.campaigns.gunnery import battery
from ui.commands.leaks import printed
from ui.main import main


def throw(campaign, command, *faces, side="blue"):
    campaign.offer(Input("do", side, command))
    for face in faces:
        campaign.offer(Input("roll", "umpire", str(face)))


def of(luck, side):
    return next(one for one in luck.sides if one.side == side)


def test_what_was_thrown_is_set_against_the_mean(tmp_path):
    """Three dice of blue show 6, 6 and 1: 13 where 10.5 is the mean, with an error of sqrt(3 * 35/12)."""
    with battery(tmp_path, dice="typed") as campaign:
        throw(campaign, "barrage b-1 against r-1", 6, 6)
        throw(campaign, "scare b-1 against r-1", 1)
        throw(campaign, "scare r-1 against b-1", 4, side="red")
        luck = luck_of(campaign, "umpire")
    blue = of(luck, "blue").all
    error = sqrt(3 * 35 / 12)
    assert (blue.throws, blue.shown, blue.mean, blue.off, blue.verdict) == (3, 13, 10.5, 2.5, "few")
    assert (blue.error, blue.units) == pytest.approx((error, 2.5 / error))
    assert blue.chance == pytest.approx(erfc(2.5 / error / sqrt(2)))
    assert [(name, dice, count.throws, count.off) for name, dice, count in of(luck, "blue").kinds] == [
        ("shell-die", "1d6", 2, 5.0), ("roar", "1d6", 1, -2.5),
    ]  # fmt: skip
    assert [(count.throws, count.off) for _, _, count in of(luck, "red").kinds] == [(1, 0.5)]


@pytest.mark.parametrize(("face", "verdict"), [(1, "very rare"), (3, "usual"), (6, "very rare")])
def test_a_verdict_needs_throws_and_distance(tmp_path, face, verdict):
    """Twelve equal rolls: 12 * 2.5 = 30 off at an error of 5.9 (five units), or 12 * 0.5 = 6 (one unit)."""
    with battery(tmp_path, dice="typed") as campaign:
        for number in range(12):
            throw(campaign, "steady b-1", face)
            assert (of(luck_of(campaign, "blue"), "blue").all.verdict == "few") == (number < 9)
        assert of(luck_of(campaign, "blue"), "blue").all.verdict == verdict


def test_a_side_counts_what_it_was_told_with_its_number(tmp_path):
    """The roll that steadies the nerve of a blue gun flows into a field that is hidden from red."""
    with battery(tmp_path, dice="typed") as campaign:
        throw(campaign, "steady b-1", 6)
        throw(campaign, "barrage b-1 against r-1", 6, 1, 1, 1, 1, 1, 1, 1)
        known = {side: of(luck_of(campaign, side), "blue").all.throws for side in ("umpire", "blue", "red")}
    assert known == {"umpire": 9, "blue": 9, "red": 8}


def test_what_was_taken_back_does_not_count(tmp_path):
    with battery(tmp_path, dice="typed") as campaign:
        throw(campaign, "scare b-1 against r-1", 1)
        campaign.undo()
        assert of(luck_of(campaign, "umpire"), "blue").all.throws == 0


def roll(text, to, face=3, dice="1d6"):
    return recorded("roll", text, "blue", to, (), {"dice": dice, "face": face, "name": "die"})


def test_a_throw_told_to_several_counts_once_for_the_umpire():
    events = [roll("a", "blue"), roll("a", "red"), roll("a", "blue"), roll("b", "all"), roll("b", "all")]
    assert len(list(throws_in(events, "umpire"))) == 4
    assert len(list(throws_in(events, "red"))) == 3


def test_what_is_no_throw_is_left_out():
    """A record that somebody forged."""
    bad = [
        roll("a", "all", face=9),
        roll("b", "all", face="6"),
        roll("c", "all", face=True),
        roll("d", "all", dice="1d0"),
        roll("e", "all", dice="x\x1b"),
    ]
    assert list(throws_in(bad, "umpire")) == []


def test_the_command(tmp_path, capsys):
    with battery(tmp_path, dice="typed") as campaign:
        throw(campaign, "scare b-1 against r-1", 6)
    file = str(tmp_path / "c.ophex")
    assert main(["luck", file]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "The Blues: 1 roll, 2.5 above the mean, ± 1.7 (1.5 standard errors): too few rolls to say anything.",
        "  roar (1d6): 1 roll, 2.5 above the mean, ± 1.7 (1.5 standard errors)",
        "The Reds: no rolls.",
    ]
    assert main(["luck", file, "--as", "red", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["as"], found["sides"][0]["all"]["throws"], found["sides"][0]["kinds"][0]["name"]) == (
        "red",
        1,
        "roar",
    )


def test_a_report_tells_the_ledger_in_every_form(tmp_path, capsys):
    """Three dice show 6, 6 and 1: 2.5 above the mean. The roll that steadied a blue gun was not reported to red."""
    with battery(tmp_path, dice="typed") as campaign:
        throw(campaign, "barrage b-1 against r-1", 6, 6)
        throw(campaign, "scare b-1 against r-1", 1)
        throw(campaign, "steady b-1", 6)
        for side in ("umpire", "blue", "red"):
            assert report_of(campaign, side).luck == luck_of(campaign, side).sides
    said = {}
    for name, more in (("md", ()), ("html", ()), ("csv", ("--table", "luck")), ("json", ())):
        assert main(["report", str(tmp_path / "c.ophex"), "--as", "red", "--format", name, *more]) == 0
        said[name] = capsys.readouterr().out
    assert (
        "| all dice | 3 rolls, 2.5 above the mean, ± 3.0 (0.8 standard errors) | too few rolls to say anything |"
        in said["md"]
    )
    assert "<td>3 rolls, 2.5 above the mean, ± 3.0 (0.8 standard errors)</td>" in said["html"]
    assert "blue,,,3,13,10.5,2.5,2.958,0.845,few" in said["csv"].splitlines()
    assert json.loads(said["json"])["luck"][0]["all"]["shown"] == 13


def test_no_side_can_tell_by_the_ledger_what_it_may_not_know(tmp_path):
    with battery(tmp_path) as campaign:
        campaign.offer(Input("do", "blue", "steady b-1"))
        campaign.offer(Input("do", "blue", "shell b-1 against r-1"))
        found = leaks(campaign, ["red"], printed, guesses=0, kinds=("start", "fields", "dice"))
    assert found.differences == []
    assert found.outputs["luck"] == 2 * found.worlds > 0
