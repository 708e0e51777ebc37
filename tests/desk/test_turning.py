"""`ophex advance` with what the desk knows: waiting letters, absent sides, automated sides, expired deadlines, standing orders, backups."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from campaigns.desk.calendar import DueDate, due_of, set_due
from campaigns.desk.copies import back_up
from campaigns.desk.packets import note_packets, packet_of
from campaigns.desk.players import set_player
from campaigns.desk.standing_orders import standing_orders
from campaigns.desk.turning import turn_on
from campaigns.play.campaign import Campaign
from campaigns.play.starting import start
from interpreter.messages.inputs import Input
from tests.desk.outposts import arrived, begun, sent, texts
from ui.main import main

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)

PARRIES = (
    """  remove v
sequence game-turn:
  phase plans "Plans":
    sides may brief, aim together
  phase moves "Moves":
    sides may step, gamble, catch together
""",
    """  refused when rank of v is 0 because "it is caught"
  side of v chooses parry: a number up to 5
  rank of v becomes 0
sequence game-turn:
  phase plans "Plans":
    sides may brief, aim together
  phase moves "Moves":
    sides may catch together
  phase later "Later":
    sides may step, gamble together
""",
)
"""A window of nothing but what asks the other side, and another after it."""


@pytest.fixture
def campaign(tmp_path):
    with begun(tmp_path) as made:
        yield made


def test_a_side_that_the_machine_plays_is_played_and_people_are_waited_for(campaign):
    set_player(campaign, "red", {"played_by": "machine"})
    turn_on(campaign, NOON)
    assert {one.side for one in campaign.game.awaiting} == {"blue"}
    assert ("red", "do", "done") in texts(campaign)
    assert not [side for side, _, _ in texts(campaign) if side == "blue"]
    campaign.offer(Input("do", "blue", "done"))
    turn_on(campaign, NOON)
    assert [(one.side, one.name) for one in campaign.game.awaiting] == [("blue", "moves")]


def test_the_windows_of_an_absent_side_end_without_it_and_the_log_says_so(campaign):
    set_player(campaign, "red", {"played_by": "absent"})
    assert turn_on(campaign, NOON).closed == ["red"]
    assert texts(campaign) == [("umpire", "deadline", "done")]
    assert {one.side for one in campaign.game.awaiting} == {"blue"}


def test_only_when_asked_and_only_once_a_side_whose_time_is_over_is_closed(campaign):
    set_due(campaign, DueDate(NOON, grace=60, every=7 * 24 * 60))
    late = NOON + timedelta(minutes=61)
    campaign.offer(Input("do", "blue", "done"))
    for now, overdue in ((late, False), (NOON + timedelta(minutes=60), True)):
        assert turn_on(campaign, now, overdue=overdue).closed == []
    set_due(campaign, DueDate(NOON, grace=60, every=7 * 24 * 60, hold=True))
    assert turn_on(campaign, late, overdue=True).closed == []
    set_due(campaign, DueDate(NOON, grace=60, every=7 * 24 * 60))
    assert turn_on(campaign, late, overdue=True).closed == ["red"]
    assert due_of(campaign).at == NOON + timedelta(days=7)
    assert {(one.side, one.name) for one in campaign.game.awaiting} == {("blue", "moves"), ("red", "moves")}


def test_standing_orders_are_given_whenever_their_side_says_nothing_until_it_changes_them(campaign):
    sent(campaign, arrived("red", "repeat aim r-1 to 3", "repeat aim r-2 to 4", "aim r-2 to 5", "done"))
    assert standing_orders(campaign, "red") == ["aim r-1 to 3", "aim r-2 to 4"]
    for side in ("blue", "red", "blue"):
        campaign.offer(Input("do", side, "done"))
    set_player(campaign, "red", {"played_by": "absent"})
    turned = turn_on(campaign, NOON)
    assert [(side, order) for side, order, _ in turned.refused] == [("red", "aim r-1 to 3")]
    assert "it aims there" in turned.refused[0][2].message.lower()
    assert campaign.game.explain("aim of r-2").value == "4"
    sent(campaign, arrived("red", "repeat nothing", file="red-2.txt"))
    assert standing_orders(campaign, "red") == []


def test_a_letter_that_waits_is_given_when_its_turn_comes(campaign):
    sent(campaign, arrived("blue", "done", "step b-1 to 0201"))
    campaign.offer(Input("do", "red", "done"))
    turn_on(campaign, NOON)
    assert texts(campaign)[-1] == ("blue", "do", "step b-1 to 0201")


def test_a_dry_run_tells_what_comes_before_dice_and_records_nothing(campaign, capsys):
    sent(campaign, arrived("blue", "done", "gamble b-2"))
    campaign.offer(Input("do", "red", "done"))
    before = campaign.path.read_bytes(), campaign.head
    assert main(["advance", str(campaign.path), "--dry-run", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [event["text"] for event in found["events"]] == ["blue: gamble b-2."]
    assert found["awaiting"] == []
    assert (campaign.path.read_bytes(), campaign.head) == before
    assert list(campaign.path.parent.glob("*.backups")) == []


def test_before_each_turn_the_file_is_copied_once(campaign, capsys):
    assert main(["advance", str(campaign.path), "--json"]) == 0
    copy = json.loads(capsys.readouterr().out)["backup"]
    with Campaign.open(copy, start) as old:
        assert (old.head, old.game.digest()) == (0, campaign.game.digest())
    campaign.offer(Input("do", "blue", "done"))
    assert main(["advance", str(campaign.path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["backup"] == ""
    for side in ("red", "blue", "red"):
        campaign.offer(Input("do", side, "done"))
    main(["advance", str(campaign.path)])
    folder = campaign.path.with_name(f"{campaign.path.name}.backups")
    assert sorted(one.name for one in folder.iterdir()) == ["turn-001.ophex", "turn-002.ophex"]


def test_a_turn_that_is_played_again_otherwise_is_copied_again(campaign):
    assert back_up(campaign).name == "turn-001.ophex"
    for side in ("red", "blue", "red", "blue"):
        campaign.offer(Input("do", side, "done"))
    assert campaign.game.turn == 2
    assert back_up(campaign).name == "turn-002.ophex"
    campaign.offer(Input("do", "blue", "aim b-1 to 2"))
    assert back_up(campaign) is None
    campaign.go_back(0)
    assert back_up(campaign) is None
    campaign.offer(Input("do", "red", "aim r-1 to 5"))
    for side in ("red", "blue", "red", "blue"):
        campaign.offer(Input("do", side, "done"))
    assert back_up(campaign).name == "turn-002-2.ophex"
    assert back_up(campaign) is None


def test_only_the_umpire_goes_on_for_others(campaign, capsys):
    assert main(["advance", str(campaign.path), "--as", "red", "--due"]) == 2
    assert "Only the umpire" in capsys.readouterr().err


def test_a_letter_that_stops_when_its_turn_comes_is_told_to_the_umpire_and_to_its_side(campaign, capsys):
    """What comes after others act is not tried before. No letter comes after that, so there is no receipt to say it."""
    assert [one.fate for one in sent(campaign, arrived("blue", "done", "step b-1 to 0601")).judged] == ["waiting"]
    campaign.offer(Input("do", "red", "done"))
    why = "stopped at `step b-1 to 0601`"
    assert main(["advance", str(campaign.path)]) == 0
    told = capsys.readouterr().err
    assert f"letter blue.txt of blue {why}: " in told
    assert "it is too far" in told.lower()
    assert main(["desk", str(campaign.path), "--as", "blue"]) == 0
    assert f"its letter blue.txt {why}" in capsys.readouterr().out
    assert main(["remind", str(campaign.path), "--as", "blue"]) == 0
    assert f"Your letter blue.txt {why}" in " ".join(capsys.readouterr().out.split())
    assert main(["mail", str(campaign.path), "--out", "-", "--as", "blue"]) == 0
    assert f"its letter blue.txt {why}" in " ".join(capsys.readouterr().out.split())
    assert main(["mail", str(campaign.path), "--out", "-", "--as", "red"]) == 0
    assert "stopped" not in capsys.readouterr().out


def test_the_next_packet_tells_that_a_letter_stopped_though_another_was_read_since(campaign, capsys):
    """Only the last letter was told of: a player never learned what had become of the one before."""

    def packet():
        assert main(["mail", str(campaign.path), "--out", "-", "--as", "blue"]) == 0
        return " ".join(capsys.readouterr().out.split())

    sent(campaign, arrived("blue", "done", "step b-1 to 0601"))
    campaign.offer(Input("do", "red", "done"))
    assert main(["advance", str(campaign.path)]) == 0
    campaign.refresh()
    later = arrived("blue", "step b-1 to 0201", "done", file="blue-2.txt")
    assert [one.fate for one in sent(campaign, later).judged] == ["taken"]
    capsys.readouterr()
    assert "Your letter blue.txt stopped at `step b-1 to 0601`: It is too far." in packet()
    note_packets(campaign, [packet_of(campaign, "blue")])
    assert "stopped" not in packet()


def test_a_commander_reads_in_the_packet_why_the_letter_stopped(campaign, capsys):
    assert main(["desk", str(campaign.path), "--as", "blue/tom", "--over", "b-1"]) == 0
    campaign.refresh()
    assert [one.fate for one in sent(campaign, arrived("blue/tom", "done", "step b-1 to 0601")).judged] == ["waiting"]
    campaign.offer_all([Input("do", side, "done") for side in ("blue", "red")])
    assert main(["advance", str(campaign.path)]) == 0
    capsys.readouterr()
    assert main(["mail", str(campaign.path), "--out", "-", "--as", "blue/tom"]) == 0
    assert "its letter blue/tom.txt stopped at `step b-1 to 0601`" in " ".join(capsys.readouterr().out.split())
    assert main(["mail", str(campaign.path), "--out", "-", "--as", "red"]) == 0
    assert "stopped" not in capsys.readouterr().out


def test_a_phase_without_a_title_does_not_end_advancing(tmp_path, capsys):
    """Without --to no phase is a goal, and certainly not the first one that has no title."""
    with begun(tmp_path, ('phase moves "Moves":', "phase moves:")) as campaign:
        campaign.offer_all([Input("do", side, "done") for side in ("blue", "red")])
        campaign.offer(Input("override", "umpire", "remove r-1\nremove r-2", "by hand"))
        assert [one.side for one in campaign.game.awaiting] == ["blue", "red"]
        assert main(["advance", str(campaign.path)]) == 0
        assert "red: done." in capsys.readouterr().out


def test_a_letter_ends_its_own_window_before_one_is_ended_without_it(tmp_path):
    """Its `done` waits for the answer of another; used for the next window, it would have ended that unseen."""
    with begun(tmp_path, PARRIES) as campaign:
        campaign.offer_all([Input("do", side, "done") for side in ("blue", "red")])
        sent(campaign, arrived("blue", "catch b-1 against r-1", "catch b-2 against r-2", "done"))
        for _ in range(2):
            campaign.offer(Input("answer", "red", "3", "parry"))
            turn_on(campaign, NOON)
        assert texts(campaign)[-1] == ("blue", "do", "done")
        assert [(one.side, one.name) for one in campaign.game.awaiting] == [("red", "moves")]
        campaign.offer(Input("do", "red", "done"))
        turn_on(campaign, NOON)
        assert [(one.side, one.name) for one in campaign.game.awaiting] == [("blue", "later"), ("red", "later")]


def test_a_letter_that_waits_is_given_before_the_deadline_ends_a_window(tmp_path, capsys):
    with begun(tmp_path, PARRIES) as campaign:
        campaign.offer_all([Input("do", side, "done") for side in ("blue", "red", "red")])
        sent(campaign, arrived("blue", "catch b-1 against r-1", "done"))
        campaign.offer(Input("answer", "red", "3", "parry"))
        assert main(["advance", str(campaign.path), "--deadline", "blue"]) == 0
        campaign.refresh()
        assert texts(campaign)[-1] == ("blue", "do", "done")
        assert {one.name for one in campaign.game.awaiting} == {"later"}
        assert "blue: done." in capsys.readouterr().out


def test_on_a_branch_sides_are_neither_written_to_nor_read_and_letters_are_left_alone(campaign, capsys, tmp_path):
    path = str(campaign.path)
    sent(campaign, arrived("blue", "done", "step b-1 to 0201"))
    assert main(["branch", path, "what-if"]) == 0
    (tmp_path / "red.txt").write_text("done\n")
    for given in (
        ["mail", "--out", str(tmp_path / "out")],
        ["mail", "--in", str(tmp_path / "red.txt")],
        ["remind"],
        ["advance", "--due"],
        ["desk", "--as", "blue", "--withdraw"],
    ):
        capsys.readouterr()
        assert main([given[0], path, *given[1:]]) != 0
        told = " ".join(capsys.readouterr().err.split())
        assert "The campaign is on the branch what-if" in told
        assert "`ophex switch main`" in told
        assert "`ophex branch --adopt what-if`" in told
    assert not (tmp_path / "out").exists()
    assert main(["do", path, "--as", "red", "done"]) == 0
    campaign.refresh()
    turn_on(campaign, NOON)
    assert texts(campaign)[-1] == ("red", "do", "done")
    assert main(["mail", path, "--out", "-", "--as", "red"]) == 0
    assert main(["switch", path, "main"]) == 0
    assert main(["do", path, "--as", "red", "done"]) == 0
    campaign.refresh()
    turn_on(campaign, NOON)
    assert texts(campaign)[-1] == ("blue", "do", "step b-1 to 0201")
