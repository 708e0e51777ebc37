"""The pane of battle cards: it shows what a story reported, as its reader may know it, and Enter explains its entry."""

import pytest

from campaigns.play.starting import create_campaign
from campaigns.report import report_of
from interpreter.messages.inputs import Input
from tests.interpreter.rulebook import KIT
from tests.ui.seat import Seat
from ui.app.battles_pane import BattlesPane
from ui.app.ophex_app import CampaignApp
from ui.app.seat_desk import Desk

DUELS = """\
unit gun:
  strength number, starts 2
  aim      number, starts 0
  hidden from enemy: aim
value blow of g (a gun):
  start with strength of g
  plus aim of g because "well aimed"
order fire of g (an own gun) against v (an enemy gun):
  story "{} fires at {}" with g, v
  relate g, v, strength of g, blow of g
  side of g rolls 1d6 as hit-die
  strength of v loses 1 points
  tell sides "{} is hit." with v
sequence game-turn:
  phase fire "Fire":
    sides may fire together
scenario duels "Duels" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of gun:
    name | in   | aim
    b-1  | 0202 | 3
  forces red of gun:
    name | in
    r-1  | 0601
"""


@pytest.fixture
def duels(tmp_path):
    (tmp_path / "duels.rules").write_text(f"{KIT}\n{DUELS}")
    with create_campaign(tmp_path / "duels.ophex", str(tmp_path / "duels"), seed=4) as made:
        yield made


async def cards(campaign, seat, size=(100, 30)):
    """What stands in the pane."""
    app = CampaignApp(Desk(campaign, seat))
    app.follow_every = 0
    async with app.run_test(size=size) as pilot:
        person = Seat(app, pilot)
        await person.settle()
        await person.press("7")
        pane = app.query_one(BattlesPane)
        shown = [str(pane.get_option_at_index(number).prompt) for number in range(pane.option_count)]
        await person.press("enter")
        return shown, app.query_one("#why").display


async def test_a_card_tells_a_battle_as_its_reader_may_know_it(duels):
    assert await cards(duels, "umpire") == (["There are no battle cards yet."], False)
    duels.offer(Input("do", "blue", "fire b-1 against r-1"))
    (card,), explained = await cards(duels, "umpire")
    assert card.splitlines()[0].startswith("b-1 fires at r-1")
    for line in ("g: b-1", "v: r-1", "blow: 5", "well aimed → 5", "r-1 is hit."):
        assert line in [one.strip() for one in card.splitlines()], card
    assert "rolled" in card
    assert explained
    (card,), _ = await cards(duels, "red")
    assert "b-1 fires at r-1" in card
    assert "well aimed" not in card
    assert "blow" not in card


def test_the_umpires_report_tells_each_battle_once(duels):
    """Each side has a card of its own; the umpire reads the complete one."""
    duels.offer(Input("do", "blue", "fire b-1 against r-1"))
    for reader, rows in (("umpire", {"strength", "blow"}), ("blue", {"strength", "blow"}), ("red", {"strength"})):
        (battle,) = report_of(duels, reader).battles
        assert {row.name for row in battle.rows} == rows


async def test_what_was_taken_back_is_no_battle(duels):
    duels.offer(Input("do", "blue", "fire b-1 against r-1"))
    duels.offer(Input("do", "blue", "fire b-1 against r-1"))
    assert len((await cards(duels, "umpire"))[0]) == 2
    duels.undo()
    assert len((await cards(duels, "umpire"))[0]) == 1
