"""What happened, in a report: choices one after the other are one step, and changes in a row are summed up."""

import re

import pytest

from campaigns.play.starting import create_campaign
from campaigns.report import Wanted, report_of
from interpreter.messages.inputs import Input
from tests.interpreter.rulebook import KIT
from ui.report.markdown import markdown
from ui.report.page import page

BARRAGE = """\
unit company:
  losses  one of intact or half or gone, starts intact
order barrage of c (a company):
  given by side of c
  let left be 4
  repeat at most 9 times while left > 0:
    foe of side of c chooses victim: one of own companies
    foe of side of c chooses extent: half or gone
    left loses 1 points
    losses of victim becomes extent
  remove companies (where its losses is gone) because "it has broken"
  tell sides "The barrage is over."
order rally of c (a company):
  given by side of c
  losses of c becomes intact
value foe of s (a side) = first (sides except s)
sequence game-turn:
  phase fire "Fire":
    sides may barrage, rally together
scenario barrage "Barrage" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of company:
    name | in
    b-1  | 0202
  forces red of company:
    name | in
    r-1  | 0601
    r-2  | 0602
    r-3  | 0601
"""
CHOSEN = (("r-1", "half"), ("r-1", "gone"), ("r-2", "gone"), ("r-3", "half"))


@pytest.fixture
def fired(tmp_path):
    (tmp_path / "barrage.rules").write_text(f"{KIT}\n{BARRAGE}")
    with create_campaign(tmp_path / "barrage.ophex", str(tmp_path / "barrage"), seed=4) as campaign:
        campaign.offer(Input("do", "blue", "barrage b-1"))
        for victim, extent in CHOSEN:
            campaign.offer(Input("answer", "red", victim, "victim"))
            campaign.offer(Input("answer", "red", extent, "extent"))
        yield campaign


@pytest.mark.parametrize("reader", ["red", "blue", "umpire"])
@pytest.mark.parametrize("written", [markdown, page])
def test_choices_in_a_row_are_one_step(fired, reader, written):
    """Eight answers; r-1 loses half and then the rest."""
    text = re.sub(r"<[^>]*>|\\", "", written(report_of(fired, reader, Wanted("1"))))
    assert "2–9. red: victim, extent: r-1 half; r-1 gone; r-2 gone; r-3 half" in text
    assert "losses of r-1, r-2 becomes gone (was intact)." in text
    assert "losses of r-3 becomes half (was intact)." in text
    assert "r-1 in 0601; r-2 in 0602 are removed: it has broken." in text
    assert "(was half)" not in text
    assert "chose" not in text


def test_the_only_thing_that_came_of_an_order_stands_beside_it(fired):
    fired.offer(Input("do", "red", "rally r-3"))
    text = markdown(report_of(fired, "red", Wanted("1"))).replace("\\", "")
    assert "- 10. red: rally r-3 → losses of r-3 becomes intact (was half).\n" in text
