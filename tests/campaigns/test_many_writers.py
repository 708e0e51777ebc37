"""Many simultaneous writers: an order that is still the same order is offered again, and none is lost or taken twice."""

import json
import subprocess
import sys
import threading
import time

import pytest

from campaigns.file.errors import CampaignError, RefusedAt, Stale
from campaigns.play.campaign import Campaign
from campaigns.play.starting import create_campaign, open_campaign, start
from interpreter.messages.inputs import Input
from tests.desk import outposts
from tests.long import number

WRITERS = number("OPHEX_WRITERS", 2, 50)
"""So many processes write at once."""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "c.ophex"
    create_campaign(path, "bth/texas-1", seed=1).close()
    return path


def see(*campaigns):
    """Each session knows the situation as it is now."""
    assert all(campaign.game.awaiting for campaign in campaigns)


def give(campaign, text, side="mexico", kind="do", subject=""):
    return campaign.give([Input(kind, side, text, subject)])


def orders(path):
    """Orders of the side that is awaited that do not stand in each other's way: one posture for each brigade."""
    with open_campaign(path) as campaign:
        side = campaign.game.awaiting[0].side
        return side, [c for c in campaign.game.legal(side) if c != "done"]


def test_an_order_is_given_again_where_another_session_was_quicker(path):
    side, legal = orders(path)
    with open_campaign(path) as one, open_campaign(path) as other:
        see(one, other)
        _, tries = give(one, legal[0], side)
        assert tries == 1
        with open_campaign(path) as third:
            second = next(c for c in third.game.legal(side) if c.split()[:2] != legal[0].split()[:2] and c in legal)
        _, tries = give(other, second, side)
        assert tries == 2
        assert [e.input.text for e in other.log()] == [second, legal[0]]
        assert other.verify().ok
        one.refresh()
        assert one.game.digest() == other.game.digest()


def test_an_order_that_has_become_illegal_is_refused(path):
    side, legal = orders(path)
    with open_campaign(path) as one, open_campaign(path) as other:
        see(one, other)
        give(one, legal[0], side)
        with open_campaign(path) as third:
            gone = next(c for c in legal if c not in third.game.legal(side))
        with pytest.raises(RefusedAt):
            give(other, gone, side)
        assert other.head == 1
        give(one, "done", side)  # nobody is kept out afterwards


def test_what_was_meant_for_one_window_does_not_end_the_next(path):
    """Both sessions of the umpire give `done`; the second must not end a window that its user has not seen."""
    with open_campaign(path) as one, open_campaign(path) as other:
        see(one, other)
        give(one, "done", "umpire")
        with pytest.raises(Stale):
            give(other, "done", "umpire")
        assert len(other.log()) == 1


def test_an_override_is_given_again_and_dice_are_not(tmp_path):
    path = tmp_path / "c.ophex"
    create_campaign(path, "bth/texas-1", seed=1).close()
    with open_campaign(path) as one, open_campaign(path) as other:
        see(one, other)
        give(one, "strength of hussar-1 = 4", "umpire", "override", "counted wrong")
        _, tries = give(other, "strength of hussar-2 = 3", "umpire", "override", "counted wrong")
        assert tries == 2
        assert other.game.explain("strength of hussar-1").value == "4"
        assert one.game.standing(Input("roll", "umpire", "7")) is None


def test_who_waits_for_his_turn_waits_for_the_others(path):
    """A session that keeps the file for itself longer than usual is waited for once an input is offered again."""
    side, legal = orders(path)
    with open_campaign(path) as one, Campaign.open(path, start, patience=0.05) as other:
        see(one, other)
        give(one, legal[0], side)
        with one._store.alone(1), pytest.raises(CampaignError, match="Another program is writing"):
            other.offer(Input("override", "umpire", "strength of hussar-2 = 5", "counted wrong"))
        see(one, other)
        held, waited_for = threading.Event(), threading.Event()
        alone = other._store.alone

        def hold():
            with open_campaign(path) as third, third._store.alone(1):
                held.set()
                waited_for.wait(60)

        def wait_in_turn(patience):
            waited_for.set()
            return alone(patience)

        other._store.alone = wait_in_turn
        holding = threading.Thread(target=hold, daemon=True)
        holding.start()
        held.wait(60)
        _, tries = give(other, "strength of hussar-2 = 3", "umpire", "override", "counted wrong")
        holding.join(60)
        assert tries == 2


@pytest.mark.timeout(300)
def test_many_processes_are_all_served(tmp_path):
    """Overrides of different units are legal in any order, like orders of many players."""
    with outposts.begun(tmp_path) as campaign:
        path = campaign.path
        units = sorted(x.id for x in campaign.game.world.by_id.values() if x.kind == "spy")
    lines = [
        [sys.executable, "-m", "ui.main", "override", str(path), f"rank of {units[n % len(units)]} = {100 + n}", "--reason", "r", "--json"]
        for n in range(WRITERS)
    ]  # fmt: skip
    started = time.perf_counter()
    processes = [subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for line in lines]
    said = [process.communicate() for process in processes]
    print(f"{WRITERS} writers: {time.perf_counter() - started:.1f} s")
    assert [process.returncode for process in processes] == [0] * WRITERS, [err for _, err in said]
    tries = [json.loads(out)["tries"] for out, _ in said]
    print(f"{sum(tries) / WRITERS:.2f} tries each")
    assert sum(tries) <= 3 * WRITERS
    with open_campaign(path) as campaign:
        assert [(e.number, e.parent) for e in campaign.log()] == [(n, n - 1) for n in range(WRITERS, 0, -1)]
        assert {e.input.text for e in campaign.log()} == {line[5] for line in lines}
        assert campaign.verify().ok
