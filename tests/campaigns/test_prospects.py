"""A game that nobody would be asked anything in is not begun: `new` and `sim` say what is missing, and no file is made."""

import pytest

from campaigns.errors import CampaignError
from campaigns.sweep import simulate
from campaigns.systems import create_campaign
from dsl.diagnostics import RuleTextError

RULES = """
system small "Small" version 1.0
place hex, on hex grid:
  height number, kept for "the map"
side side:
  morale number, starts 5
campaign war:
  turn-order list of side
order wait:
  given by active
  refused when turn > 90 because "it is late"
sequence game-turn:
  for each s in GOES-THROUGH, as active:
    phase orders "Orders":
      active may wait
map plain "Plain" of hex, 2 by 2:
  letters:
    letter | height
    .      | 1
scenario one "One" on plain:
  side red "Red" red
  side blue "Blue" blue
  SAID
  end game won by red when turn > 3 because "three turns are over"
"""


def folder(path, goes_through, said='about "A plain."'):
    """A system in a folder of its own, whose turn goes through some sides and whose scenario says one more line."""
    (path / "small").mkdir()
    text = RULES.replace("GOES-THROUGH", goes_through).replace("SAID", said)
    (path / "small" / "small.rules").write_text(text, encoding="utf-8")
    return f"{path / 'small'}/one"


def test_a_game_begins_where_somebody_is_asked(tmp_path):
    scenario = folder(tmp_path, "turn-order", "turn-order is blue, red")
    with create_campaign(tmp_path / "game.ophex", scenario) as campaign:
        assert [x.side for x in campaign.game.awaiting] == ["blue"]


def test_nobody_in_the_order_of_the_turn(tmp_path):
    scenario = folder(tmp_path, "turn-order")
    with pytest.raises(RuleTextError) as caught:
        create_campaign(tmp_path / "game.ophex", scenario)
    (found,) = caught.value.diagnostics
    assert (found.code, found.hint) == ("E344", "Add a line to the scenario: turn-order is red, blue")
    assert not (tmp_path / "game.ophex").exists()


def test_nor_are_games_counted_in_which_nobody_is_asked(tmp_path):
    with pytest.raises(RuleTextError, match="leaves it empty"):
        simulate(folder(tmp_path, "turn-order"), 1)


def test_a_turn_that_comes_to_nobody(tmp_path):
    """Morale starts at 5, so that no side has more than 9: only play itself shows it."""
    scenario = folder(tmp_path, "sides (where morale of it > 9)")
    with pytest.raises(CampaignError) as caught:
        create_campaign(tmp_path / "game.ophex", scenario)
    assert caught.value.message == "one is over in turn 4 before anybody is asked anything: three turns are over."
    assert "may" in caught.value.hint
    assert not (tmp_path / "game.ophex").exists()
