"""Odds, the situation and reports where the strength of the enemy is known only nearby: what is out of sight is not lost."""

import pytest

from campaigns.odds import odds_of
from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Input
from tests.interpreter.rulebook import KIT
from ui.main import main

SCOUTED = """
unit guard:
  steps   number
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
