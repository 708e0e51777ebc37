"""Odds, the situation and reports where the strength of the enemy is known only nearby: what is out of sight is not lost."""

import pytest

from campaigns.odds import odds_of
from campaigns.play.starting import create_campaign
from campaigns.report import report_of
from interpreter.messages.inputs import Input
from tests.interpreter.rulebook import KIT
from ui.main import main

SCOUTED = """
unit guard:
  steps   number
  pace    number, starts 3
  scouted mark
  hidden from enemy until scouted: steps
rule scouting always for a (a guard) and b (an enemy guard) when a is within 1 of b:
  a becomes scouted until there is no (enemy guard) within 1 of it
  b becomes scouted until there is no (enemy guard) within 1 of it
order march of c (an own guard) to goal (a hex):
  refused when goal is not next to c because "it is too far"
  move c to goal
sequence game-turn:
  phase moves "Moves":
    sides may march together
scenario near "Near" on field:
  side blue "Blue"
  side red "Red"
  forces blue of guard:
    name | in   | steps
    b-1  | 0202 | 4
  forces red of guard:
    name | in   | steps
    r-1  | 0203 | 5
    r-2  | 0601 | 6
"""


@pytest.fixture
def near(tmp_path):
    (tmp_path / "scouted.rules").write_text(f"{KIT}{SCOUTED}")
    with create_campaign(tmp_path / "c.ophex", str(tmp_path / "near"), seed=4) as campaign:
        yield campaign


def test_what_goes_out_of_sight_is_not_lost(near, capsys):
    """The odds said that its side would lose the strength that was known, and that its steps become nothing."""
    [red] = [
        one for one in odds_of(near, [Input("do", "blue", "march b-1 to 0201")], "blue").losses if one.side == "red"
    ]
    assert red.strength is None
    assert main(["odds", str(near.path), "--as", "blue", "march b-1 to 0201"]) == 0
    told = capsys.readouterr().out
    assert "march b-1 to 0201, as blue knows it:" in told
    assert "lose" not in told
    assert "steps" not in told


def test_a_strength_that_is_known_in_part_is_called_so(near, capsys):
    """It was printed as the whole, so that the enemy seemed to grow when one came near."""
    near.offer_all([Input("do", "blue", "done"), Input("do", "red", "done"), Input("do", "blue", "march b-1 to 0201")])
    assert main(["status", str(near.path), "--as", "red"]) == 0
    assert "\nRed: 2 units, strength 11\n" in capsys.readouterr().out
    near.offer(Input("do", "blue", "march b-1 to 0202"))
    for side, told in (("blue", "2 units, known strength 5"), ("umpire", "2 units, strength 11")):
        assert main(["status", str(near.path), "--as", side]) == 0
        assert f"\nRed: {told}\n" in capsys.readouterr().out
        assert main(["report", str(near.path), "--as", side]) == 0
        assert f"| Red | {told} |" in capsys.readouterr().out
        assert main(["report", str(near.path), "--as", side, "--format", "html"]) == 0
        page = capsys.readouterr().out
        drawn = page[page.index("<title>Strength over time") : page.index("<title>Units over time")]
        assert ("known 5</td>" in page, "Red 11" in drawn) == ((side == "blue"), (side == "umpire"))
        assert "Blue 4" in drawn


def test_what_has_gone_out_of_sight_is_not_reported_as_weaker(near):
    near.offer(Input("do", "blue", "march b-1 to 0201"))
    assert report_of(near, "blue").losses.weakened == ()
