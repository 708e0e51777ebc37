"""Sealed dice by mail: packets name the link that is needed, sides that owe one are awaited, and orders wait until all have given theirs."""

import re
from datetime import timedelta

import pytest

from campaigns.desk.calendar import DueDate, due_of, set_due
from campaigns.desk.letter_intake import take_in
from campaigns.desk.packets import packet_of
from campaigns.desk.states import standings
from campaigns.desk.turning import turn_on
from campaigns.play.recorded_seals import new_secret
from interpreter.messages.inputs import Input
from tests.desk.outposts import arrived, begun
from tests.desk.test_states import NOON
from ui.main import main
from ui.wording.letters import template

PARTIES = ("blue", "red", "umpire")


@pytest.fixture
def secrets(tmp_path):
    return {party: new_secret(tmp_path / f"{party}.secret", 40) for party in PARTIES}


@pytest.fixture
def campaign(tmp_path):
    with begun(tmp_path, dice="sealed") as made:
        made.offer_all([Input("do", side, "done") for side in ("blue", "red")])
        yield made


def asked_of(campaign, side):
    """The options of `ophex secret` that the packet of a side names."""
    found = re.search(r"^# +ophex secret FILE (--.*)$", template(packet_of(campaign, side)), re.MULTILINE)
    return found[1].split() if found else []


def commit(campaign, secrets):
    for party in PARTIES:
        campaign.offer(Input("seal", party, secrets[party].commitment()))


def give(campaign, secrets, party):
    options = asked_of(campaign, party)
    campaign.offer(Input("seal", party, secrets[party].link(int(options[1]), options[3])))


def test_a_packet_says_how_to_make_what_is_needed(campaign, secrets):
    assert asked_of(campaign, "blue") == ["--new"], "the anchor may come long before the first roll"
    assert "\nseal\n" in template(packet_of(campaign, "blue"))
    take_in(campaign, [arrived("blue", "gamble b-1")])
    assert asked_of(campaign, "blue") == ["--new"]
    commit(campaign, secrets)
    assert asked_of(campaign, "red")[:2] == ["--link", "1"]
    assert "your anchor" not in template(packet_of(campaign, "red"))
    give(campaign, secrets, "red")
    assert asked_of(campaign, "red") == []
    campaign.undo()
    assert asked_of(campaign, "red")[:2] == ["--link", "2"], "the first is known"


def test_orders_below_a_roll_wait_for_the_links(campaign, secrets):
    commit(campaign, secrets)
    (judged,) = take_in(campaign, [arrived("blue", "gamble b-1", "step b-1 to 0103", "done")]).judged
    assert (judged.fate, judged.rehearsed.ends) == ("waiting", "dice")
    (again,) = take_in(campaign, [arrived("red", "gamble r-1", "done")]).judged
    assert again.fate == "waiting"
    for side in ("blue", "red"):
        give(campaign, secrets, side)
    take_in(campaign, [])
    campaign.offer(Input("seal", "umpire", secrets["umpire"].link(1)))
    take_in(campaign, [])
    assert [one.side for one in campaign.game.awaiting] == ["blue", "red"], "the dice of red are due"
    assert campaign.game.explain("place of b-1").value == "0103"


def test_a_side_that_owes_a_link_is_awaited_and_reminded(campaign, secrets, capsys):
    commit(campaign, secrets)
    campaign.offer(Input("do", "red", "done"))
    campaign.offer(Input("do", "blue", "gamble b-1"))
    assert [one.state for one in standings(campaign, NOON)] == ["none", "none"]
    give(campaign, secrets, "red")
    assert [one.state for one in standings(campaign, NOON)] == ["none", "confirmed"]
    assert main(["remind", str(campaign.path)]) == 0
    told = capsys.readouterr().out
    assert "must give link 1" in " ".join(told.split())
    assert f"ophex secret FILE {' '.join(asked_of(campaign, 'blue'))}\n" in told
    assert "Nothing has arrived" not in told, "its orders have; they wait for the dice"


def test_a_link_that_is_late_closes_no_window_and_moves_no_deadline(campaign, secrets):
    commit(campaign, secrets)
    campaign.offer(Input("do", "blue", "gamble b-1"))
    set_due(campaign, DueDate(NOON, every=7 * 24 * 60))
    late = NOON + timedelta(days=1)
    assert [one.late for one in standings(campaign, late)] == ["over", "over"]
    turned = turn_on(campaign, late, overdue=True)
    assert (turned.closed, due_of(campaign).at) == ([], NOON)


def test_order_files_stop_where_links_are_needed(campaign, secrets, tmp_path, capsys):
    commit(campaign, secrets)
    (tmp_path / "blue.txt").write_text("gamble b-1\nstep b-1 to 0103\n")
    (tmp_path / "red.txt").write_text("gamble r-1\n")
    capsys.readouterr()
    assert main(["do", str(campaign.path), "-f", f"blue={tmp_path}/blue.txt", "-f", f"red={tmp_path}/red.txt"]) == 0
    told = capsys.readouterr()
    assert "blue.txt" in told.out + told.err
    campaign.refresh()
    assert [one.kind for one in campaign.game.awaiting] == ["seal", "seal"]


def test_one_order_file_stops_there_as_well(campaign, secrets, tmp_path, capsys):
    commit(campaign, secrets)
    (tmp_path / "blue.txt").write_text("gamble b-1\nstep b-1 to 0103\n")
    main(["do", str(campaign.path), "-f", f"{tmp_path}/blue.txt", "--as", "blue"])
    assert "Enter the links with `ophex seal`, then give the rest with `--from 2`." in capsys.readouterr().err
    campaign.refresh()
    assert [one.kind for one in campaign.game.awaiting] == ["seal", "seal"]


def test_anchors_that_are_missing_are_named_before_the_first_roll(campaign, secrets, capsys):
    main(["seal", str(campaign.path)])
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == ["blue", "red", "umpire"]
    commit(campaign, secrets)
    main(["seal", str(campaign.path)])
    assert capsys.readouterr().out.startswith("No seals are needed.")
