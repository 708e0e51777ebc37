"""The umpire's commands at the shell: on the small game, and on a campaign of a shipped system."""

import json
import re
import shutil
from pathlib import Path

import pytest

from campaigns.play.campaign import Campaign
from campaigns.play.starting import open_campaign
from campaigns.play.typed import input_of, with_reason
from tests.interpreter.rulebook import KIT
from tests.interpreter.test_incognito import LANES
from tests.ui import fake
from ui import main as door


@pytest.fixture
def real(tmp_path, monkeypatch, capsys):
    """Runs a line on a real campaign, in the folder of the test."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        code = door.main([str(word) for word in words])
        found = capsys.readouterr()
        return code, found.out, found.err

    return run


def test_an_override_is_told_logged_and_explained(campaign, ophex):
    code, out, err = ophex("override", campaign, "strength of n-1 = 4", "--reason", "counted wrong")
    assert (code, out) == (0, "Override by the umpire: counted wrong.\nstrength of n-1 = 4.\n")
    assert err.startswith("next: ")
    assert "umpire: override strength of n-1 = 4 because “counted wrong”" in ophex("log", campaign)[1]
    assert "    1   umpire: …" in ophex("log", campaign, "--as", "south")[1]
    assert ophex("why", campaign, "1")[1].startswith("Entry 1: umpire override strength of n-1 = 4 because")


def test_the_reason_may_stand_in_the_line(campaign, ophex):
    assert ophex("override", campaign, 'strength of n-1 = 4 because "counted wrong"')[0] == 0
    with Campaign.open(campaign, fake.start) as found:
        assert found.log()[0].input.subject == "counted wrong"


def test_several_changes_may_stand_in_one_text(campaign, ophex):
    code, _, told = ophex("override", campaign, 'strength of n-1 = 4; strength of n-1 = 5 because "one; two"')
    assert code == 1  # the stand-in for a game takes one change; it is given two lines
    assert "; strength" not in told


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["strength of n-1 = 4"], 1, "The umpire must give a reason."),
        (["strength of n-1 = 4", "--as", "south", "--reason", "x"], 1, "Only the umpire may do this, not south."),
        (["strength of q = 4", "--reason", "x"], 1, "is not a valid change"),
        (["--reason", "x"], 2, "No change was given."),
    ],
)
def test_an_override_that_is_refused_leaves_the_file_byte_for_byte(campaign, ophex, words, code, says):
    before = Path(campaign).read_bytes()
    found = ophex("override", campaign, *words)
    assert (found[0], found[1]) == (code, "")
    assert says in found[2]
    assert Path(campaign).read_bytes() == before


def test_an_override_can_be_tried(campaign, ophex):
    code, out, err = ophex("override", campaign, "strength of n-1 = 4", "--reason", "x", "--dry-run")
    assert (code, "nothing was recorded" in err) == (0, True)
    assert "strength of n-1 = 4." in out
    assert ophex("log", campaign)[1] == ""


def test_options_are_listed(campaign, ophex):
    code, out, _ = ophex("option", campaign)
    assert code == 0
    assert out.splitlines()[1].split() == ["dice-size", "six", "six,", "ten", "The", "die"]
    assert out.splitlines()[-1].split() == ["works", "on", "Works"]


@pytest.mark.parametrize(
    ("line", "kind", "text", "subject"),
    [
        ('override strength of a = 4 because "one; two"', "override", "strength of a = 4", "one; two"),
        ('override a is in 0101; remove b because "x"', "override", "a is in 0101\nremove b", "x"),
        ("override remove b", "override", "remove b", ""),
        ('option with air because "now"', "option", "with air", "now"),
        ("deadline red", "deadline", "done", "red"),
        ("overrides a", "do", "overrides a", ""),
        ("override", "override", "", ""),
    ],
)
def test_what_the_umpire_types_becomes_an_input(line, kind, text, subject):
    given = input_of(line, "umpire")
    assert (given.kind, given.text, given.subject) == (kind, text, subject)


def test_a_reason_is_what_stands_behind_because_at_the_end():
    assert with_reason('x = "because" because "why"') == ('x = "because"', "why")
    assert with_reason("x = 4") == ("x = 4", "")


def test_an_umpires_evening_on_a_real_campaign(real):
    assert real("new", "c.ophex", "--scenario", "bth/meeting", "--seed", "1")[0] == 0
    assert real("override", "c", "strength of infantry-1 = 4", "infantry-2 is in 0101", "--reason", "a slip")[0] == 0
    assert real("option", "c", "odds-rounding=nearest", "--reason", "as agreed")[0] == 0
    assert real("option", "c", "--with", "supply", "--reason", "from now on")[0] == 0
    options = json.loads(real("option", "c", "--json")[1])
    assert {"odds-rounding": "nearest"}.items() <= {o["name"]: o["value"] for o in options["options"]}.items()
    assert {"name": "supply", "title": "Supply", "on": True} in options["modules"]
    assert real("do", "c", "--as", "britain", "done")[0] == 0
    code, _, err = real("option", "c", "--without", "supply", "--reason", "no more")
    assert code == 1
    assert "hint: Change them before any other input of turn 2, or undo to the beginning of turn 1." in err
    code, out, _ = real("advance", "c", "--deadline", "britain")
    assert (code, out.splitlines()[0]) == (0, "The umpire closes the orders of British brigade.")
    assert real("advance", "c", "--deadline", "britain", "--as", "britain")[0] == 2
    assert real("advance", "c", "--standing")[0] == 2
    assert (
        "infantry-1 = 4\n  + override by the umpire in turn 1 (a slip) → 4\n"
        in real("why", "c", "strength of infantry-1")[1]
    )
    assert real("verify", "c")[0] == 0
    shutil.copy("c.ophex", "before.ophex")
    with open_campaign("c.ophex") as campaign:
        for _ in range(5):
            campaign.undo()
        assert campaign.head == 0
        for _ in range(5):
            campaign.redo()
    assert real("status", "c")[1] == real("status", "before")[1]


def test_what_is_given_for_a_side_stands_in_its_log_in_its_own_words(real, tmp_path):
    """A person who gives it writes the side's labels, and reads no names beneath them; standing instructions do the same."""
    (tmp_path / "lanes.rules").write_text(f"{KIT}\n{LANES}")
    assert real("new", "l.ophex", "--scenario", "./lanes", "--seed", 4)[0] == 0
    assert real("do", "l.ophex", "--as", "blue", "pick b-line")[0] == 0
    hidden = real("answer", "l.ophex", "--as", "blue", "victim", "r-tank")
    absent = real("answer", "l.ophex", "--as", "blue", "victim", "r-gone")
    assert (hidden[0], hidden[2]) == (absent[0], absent[2].replace("r-gone", "r-tank"))
    label = re.search(r"counter-r\d+", real("status", "l.ophex", "--as", "blue")[1])[0]
    assert real("answer", "l.ophex", "--as", "blue", "victim", label)[0] == 0
    assert real("do", "l.ophex", "--as", "red", "done")[0] == 1  # the window is still blue's
    assert real("advance", "l.ophex", "--deadline", "blue", "--standing")[0] == 0
    for words in (
        ("log", "l.ophex", "-n", "0"),
        ("log", "l.ophex", "--json"),
        ("why", "l.ophex", "2"),
        ("status", "l.ophex"),
    ):
        _, out, err = real(*words, "--as", "blue")
        assert "r-tank" not in out + err
    assert "victim: counter-r" in real("log", "l.ophex", "--as", "blue", "-n", "0")[1]
    assert real("verify", "l.ophex")[0] == 0


def test_a_done_that_says_what_is_so_is_taken_with_the_orders_before_it(real, tmp_path):
    """A file ends with `done` although nothing is left to order after its last order: the next window stays open."""
    (tmp_path / "rest.rules").write_text(f"{KIT}\n{RESTING}")
    (tmp_path / "orders.txt").write_text("rest x\nrest y\nrest z\ndone\n")
    for words in (
        ["--as", "red", "-f", "orders.txt", "--dry-run"],
        ["--as", "red", "-f", "orders.txt"],
        ["-f", "red=orders.txt"],
    ):
        assert real("new", "r.ophex", "--scenario", "./meeting", "--seed", 1)[0] == 0
        assert real("do", "r.ophex", "--as", "blue", "done")[0] == 0
        code, out, err = real("do", "r.ophex", *words)
        assert code == 0
        if "--dry-run" not in words:
            assert "red can order nothing more here." in (
                out if "--as" in words else real("log", "r.ophex", "--as", "red")[1]
            )
            assert next(e["text"] for e in json.loads(real("log", "r.ophex", "--json")[1])["entries"]) == "rest z"
            assert "next: The Blues may give orders (Evening)" in err
            assert real("verify", "r.ophex")[0] == 0
        Path("r.ophex").unlink()


RESTING = """\
order rest of u (a regiment):
  given by side of u
  refused when u is tired because "it has rested"
  u becomes tired
sequence game-turn:
  phase all:
    sides may rest alternately
  phase evening "Evening":
    sides may rest
"""
