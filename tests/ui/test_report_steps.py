"""What happened, in a report: choices one after the other are one step, and changes in a row are summed up."""

import re

import pytest

from campaigns.play.starting import create_campaign
from campaigns.report import Wanted, report_of
from interpreter.messages.happenings import DiceFell, FieldChanged, Noted
from interpreter.messages.inputs import Input, told
from tests.as_recorded import recorded
from tests.interpreter.rulebook import KIT
from ui.report.markdown import markdown
from ui.report.page import page
from ui.wording.summed import summed

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
    assert "losses of r-1 and r-2 become gone (were intact)." in text
    assert "losses of r-3 becomes half (was intact)." in text
    assert "r-1 in 0601; r-2 in 0602 are removed: it has broken." in text
    assert "(was half)" not in text
    assert "chose" not in text


def test_the_only_thing_that_came_of_an_order_stands_beside_it(fired):
    fired.offer(Input("do", "red", "rally r-3"))
    text = markdown(report_of(fired, "red", Wanted("1"))).replace("\\", "")
    assert "- 10. red: rally r-3 → losses of r-3 becomes intact (was half).\n" in text


def test_what_a_rule_says_is_not_taken_for_a_change():
    said = "losses of a becomes half (was none)."
    changed = told(FieldChanged(("b",), "losses", "half", "none", ("b",)))
    assert summed([told(Noted(message=said)), changed, told(Noted(message=said))]) == [said, changed.text, said]


@pytest.mark.parametrize("is_read", [False, True])
def test_names_of_sides_and_things_may_have_any_words_in_them(is_read):
    """A side that `rolls on`, and things with commas and full stops."""
    happened = [
        told(DiceFell("1d6", "hit", 4, by="He rolls on")),
        *(
            told(FieldChanged((thing,), "losses", "half", "none", (name,)))
            for thing, name in (("a", "A. of B"), ("b", "B becomes C"))
        ),
        told(FieldChanged(("a", "b"), "hits", "4", "3", ("A. of B", "B becomes C"))),
    ]
    events = [recorded(e.kind, e.text, data=e.data) for e in happened] if is_read else happened
    assert summed(events) == [
        "He rolls on rolled 4 on 1d6 (hit).",
        "losses of A. of B and B becomes C become half (were none).",
        "hits of A. of B and B becomes C become 4 (were 3).",
    ]


def test_older_records_have_the_place_of_a_loss_only_in_the_sentence():
    events = [recorded("remove", f"{one} in 0304 is removed: lost.", data={"thing": one}) for one in ("a", "b")]
    assert summed(events) == ["a and b in 0304 are removed: lost."]


def test_a_long_sentence_that_is_made_to_be_read_in_many_ways_is_told_as_it_is():
    """Without a limit, looking for its parts takes minutes."""
    said = "a in b is removed: " * 4_000 + "!"
    assert summed([recorded("remove", said, data={"thing": "a"})]) == [said]
