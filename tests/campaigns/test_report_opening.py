"""What the game does by itself before the first entry, in reports and packets: dice of the first phase, what scouts bring in."""

import json
import re

import pytest

from campaigns.play.starting import create_campaign
from campaigns.report import Wanted, as_json, report_of
from interpreter.messages.inputs import Input
from tests.interpreter.rulebook import KIT
from ui.main import main
from ui.report.markdown import markdown
from ui.report.page import page

SCOUTS = """\
unit scout:
  seen  mark, starts no
order wait of s (a scout):
  given by side of s
  seen of s becomes yes
sequence game-turn:
  phase news "News":
    for each s in sides:
      s rolls 1d6 as rumour
      tell s "A rumour of turn {}." with turn
  phase moves "Moves":
    sides may wait together
scenario scouts "Scouts" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of scout:
    name | in
    b-1  | 0202
  forces red of scout:
    name | in
    r-1  | 0601
"""


@pytest.fixture
def scouts(tmp_path):
    (tmp_path / "scouts.rules").write_text(f"{KIT}\n{SCOUTS}")
    with create_campaign(tmp_path / "scouts.ophex", str(tmp_path / "scouts"), seed=4) as campaign:
        yield campaign


@pytest.mark.parametrize("written", [markdown, page])
def test_a_report_from_the_first_turn_on_begins_with_it(scouts, written):
    """It said that nothing had happened."""
    text = re.sub(r"<[^>]*>|\\", "", written(report_of(scouts, "red")))
    assert "0. the game begins" in text
    assert text.count("A rumour of turn 1.") == 1
    assert "Nothing that you know of." not in text
    for side in ("red", "blue"):
        scouts.offer(Input("do", side, "done"))
    assert "the game begins" in written(report_of(scouts, "red"))
    assert "the game begins" not in written(report_of(scouts, "red", Wanted("2")))
    assert as_json(report_of(scouts, "red", Wanted("2")))["opening"] == []


def test_only_the_first_packet_has_it(scouts, tmp_path, capsys):
    path, out = str(scouts.path), tmp_path / "out"
    for number in (1, 2):
        assert main(["mail", path, "--out", str(out)]) == 0
        for ending in ("txt", "md", "html"):
            assert ("A rumour of turn 1." in (out / f"red-report.{ending}").read_text()) is (number == 1)
    assert "nothing that you know of" in (out / "red-report.txt").read_text()


def test_the_beginning_can_be_explained_as_any_entry(scouts, capsys):
    assert main(["why", str(scouts.path), "0", "--as", "red"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Entry 0: the game begins"
    assert "  A rumour of turn 1." in lines
    assert main(["why", str(scouts.path), "0", "--as", "red", "--json"]) == 0
    assert "A rumour of turn 1." in [one["text"] for one in json.loads(capsys.readouterr().out)["events"]]
