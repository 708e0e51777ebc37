"""Problems in play are reported in advance: a game in which nobody is asked anything is not begun, troops in water are named."""

import attrs
import pytest

from campaigns.file.errors import CampaignError
from campaigns.library.compiling import active_modules, compiled
from campaigns.library.systems_by_name import scenario_of
from campaigns.play.starting import create_campaign
from campaigns.trials.sweep import simulate
from dsl.text.diagnostics import RuleTextError
from interpreter.setup.footing import misplaced_in

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


def test_nor_are_games_counted_that_come_to_nobody(tmp_path):
    """`sim` used to count such games as played, although none of them asked anybody anything."""
    scenario = folder(tmp_path, "sides (where morale of it > 9)")
    with pytest.raises(CampaignError) as caught:
        simulate(scenario, 3)
    assert caught.value.message == "one is over in turn 4 before anybody is asked anything: three turns are over."
    assert "may" in caught.value.hint


def test_a_game_among_others_that_comes_to_nobody_is_an_error(tmp_path):
    """A die at the start of the turn decides whether there is a turn: with `early`, the game is over on 1 to 3."""
    scenario = folder(tmp_path, "turn-order", "turn-order is blue, red")
    rules = tmp_path / "small" / "small.rules"
    text = rules.read_text(encoding="utf-8").replace(
        "sequence game-turn:\n", "sequence game-turn:\n  do begin-it when turn = 1\n"
    )
    early = 'procedure begin-it:\n  first sides rolls 1d6 as early\n  end game won by first sides when early < 4 because "it rains"\n'
    rules.write_text(text.replace("sequence game-turn:", f"{early}sequence game-turn:"), encoding="utf-8")
    found = simulate(scenario, 12, seed=1)
    said = {x["error"] for x in found["errors"]}
    assert said == {"one is over in turn 1 before anybody is asked anything: it rains."}
    assert 0 < len(found["errors"]) < 12
    assert found["finished"] == 12 - len(found["errors"])


@pytest.mark.parametrize(("place", "because"), [("0708", ["ground units do not cross water"]), ("0103", [])])
def test_troops_of_a_shipped_scenario_in_water(place, because):
    """Hex 0708 of the map of Market Cross is water, 0103 open ground; in the scenario the battalion is in 0103."""
    text, scenario, _ = scenario_of("bth/duel")
    forces = tuple(
        attrs.evolve(f, rows=tuple(in_place(row, "fus-1", place) for row in f.rows)) for f in scenario.forces
    )
    program = compiled(text, active_modules(text, scenario))
    found = misplaced_in(program, attrs.evolve(scenario, forces=forces))
    assert [(x.name, x.place) for x in found] == [("fus-1", place) for _ in because]
    assert [x.because for x in found] == because


def in_place(row, name, place):
    """A row of forces, with another place if it is that of a certain thing."""
    return attrs.evolve(row, text=row.text.replace("| 0103", f"| {place}")) if row.text.startswith(name) else row
