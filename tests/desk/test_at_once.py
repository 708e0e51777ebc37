"""Several processes on one file: two desks that take in the same mail, the nightly job of the guide and a person at the keyboard.

In the daily form the person types against the command that takes in the mail. With OPHEX_LONG=1 the typing is quicker and against
the complete job, and a third process takes in the folder.
"""

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from campaigns.desk.letter_intake import _Desk, take_in
from campaigns.file.errors import Stale
from campaigns.play.campaign import Campaign
from campaigns.play.starting import open_campaign, start
from interpreter.messages.inputs import Input
from tests.desk.outposts import arrived, begun, texts
from tests.long import either

GUIDE = Path(__file__).parents[2] / "docs" / "organizing.md"
WRITERS = either(2, 3)
pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def path(tmp_path):
    with begun(tmp_path) as made:
        return made.path


def own(folder):
    """The folder and environment in which `ophex` is this program."""
    room = folder / "bin"
    room.mkdir()
    shim = room / "ophex"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ui.main "$@"\n')
    shim.chmod(0o755)
    return {**os.environ, "PATH": f"{room}:{os.environ['PATH']}", "PYTHONPATH": str(GUIDE.parents[1])}


def test_letters_that_two_desks_read_in_at_once_are_neither_lost_nor_doubled(path, monkeypatch):
    """While one desk judges red's letter, another takes in blue's letter and the same one of red's."""
    letters = [arrived("red", "aim r-1 to 3", "done"), arrived("blue", "aim b-1 to 2", "aim b-2 to 4")]
    laid, once = _Desk._laid, []

    def quicker(self, *words):
        if not once:
            once.append(1)
            with open_campaign(path) as other:
                take_in(other, letters[::-1])
        return laid(self, *words)

    monkeypatch.setattr(_Desk, "_laid", quicker)
    with open_campaign(path) as campaign:
        intake = take_in(campaign, letters)
        assert [one.fate for one in intake.judged] == ["known", "known"]
        assert sorted(texts(campaign)) == [
            ("blue", "do", "aim b-1 to 2"),
            ("blue", "do", "aim b-2 to 4"),
            ("red", "do", "aim r-1 to 3"),
            ("red", "do", "done"),
        ]
        assert sorted((one.number, one.side) for one in campaign.letters()) == [(1, "blue"), (2, "red")]
        assert campaign.verify().ok


def test_what_another_desk_has_given_meanwhile_is_not_given_again(path, monkeypatch):
    with open_campaign(path) as campaign, open_campaign(path) as other:
        take_in(campaign, [arrived("blue", "aim b-1 to 2", "done", "step b-1 to 0203")])
        campaign.offer(Input("do", "red", "done"))
        assert other.refresh()
        keep, once = Campaign.offer_all, []

        def quicker(self, *words, **choices):
            if self is campaign and not once:
                once.append(1)
                take_in(other, [])
            return keep(self, *words, **choices)

        monkeypatch.setattr(Campaign, "offer_all", quicker)
        take_in(campaign, [])
        assert [text for _, _, text in texts(campaign)].count("step b-1 to 0203") == 1
        assert campaign.verify().ok


def test_a_letter_that_another_desk_took_in_and_gave_is_known_to_one_that_has_not_looked_since(path):
    letters = [arrived("red", "aim r-1 to 3"), arrived("blue", "aim b-1 to 5")]
    with open_campaign(path) as campaign, open_campaign(path) as other:
        take_in(other, letters)
        assert [one.fate for one in take_in(campaign, letters).judged] == ["known", "known"]
        assert sorted(text for _, _, text in texts(campaign)) == ["aim b-1 to 5", "aim r-1 to 3"]
        assert campaign.verify().ok


def test_what_was_judged_by_a_situation_that_is_over_is_not_written(path):
    from campaigns.file.beside import Beside, Kept, seen_of

    with open_campaign(path) as campaign, open_campaign(path) as other:
        seen = seen_of(campaign.letters_here())
        other.offer(Input("do", "blue", "aim b-1 to 5"))
        with pytest.raises(Stale):
            campaign.keep(Beside(letters=[Kept(1, "red", "a", "0", "now")], seen=seen))
        with pytest.raises(Stale):
            campaign.letters_here()
        assert campaign.refresh()
        assert campaign.letters_here() == []


def test_what_rests_on_letters_that_are_others_by_now_is_not_written(path):
    from campaigns.file.beside import Beside, Kept, seen_of

    with open_campaign(path) as campaign:
        seen = seen_of(campaign.letters())
        campaign.keep(Beside(letters=[Kept(1, "red", "a", "0", "now")], seen=seen))
        with pytest.raises(Stale):
            campaign.keep(Beside({"x": 1}, letters=[Kept(1, "blue", "b", "0", "now")], seen=seen))
        assert [one.side for one in campaign.letters()] == ["red"]
        assert "x" not in campaign.notes()


@pytest.mark.slow
def test_two_processes_take_in_one_folder(path, tmp_path):
    inbox = tmp_path / "in"
    inbox.mkdir()
    for number in range(1, 4):
        (inbox / f"red-{number}.txt").write_text(f"aim r-1 to {number}\n")
        (inbox / f"blue-{number}.txt").write_text(f"aim b-{number} to 5\n")
    line = [sys.executable, "-m", "ui.main", "mail", str(path), "--in", str(inbox)]
    running = [
        subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(WRITERS)
    ]
    said = [one.communicate() for one in running]
    assert [one.returncode for one in running] == [0] * WRITERS, said
    with open_campaign(path) as campaign:
        assert len(campaign.letters()) == len({(one.side, one.file) for one in campaign.letters()}) == 6
        assert campaign.game.explain("aim of r-1").value == "3"
        assert campaign.verify().ok


def script():
    """The nightly job as the guide prints it."""
    found = re.search(r"```sh\n(#!/bin/sh\n# night\.sh.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def test_the_nightly_job_of_the_guide_takes_in_goes_on_sends_and_keeps_a_copy(path, tmp_path):
    env = own(tmp_path)
    night = tmp_path / "night.sh"
    night.write_text(script())
    inbox, out, copies = (tmp_path / name for name in ("in", "out", "copies"))
    inbox.mkdir()
    (inbox / "blue.txt").write_text("> aim b-1 to 4\n> done\n-- \nTom\n")
    (inbox / "red.txt").write_text("aim r-9 to 1\n")
    with open_campaign(path) as campaign:
        from datetime import UTC, datetime

        from campaigns.desk.calendar import DueDate, set_due

        set_due(campaign, DueDate(datetime(2026, 1, 1, tzinfo=UTC), every=7 * 24 * 60))
    line = ["sh", str(night), str(path), str(inbox), str(out), str(copies)]
    done = subprocess.run(line, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "a letter was refused" in done.stdout
    with open_campaign(path) as campaign:
        given = texts(campaign)
        assert given[:2] == [("blue", "do", "aim b-1 to 4"), ("blue", "do", "done")]
        assert ("umpire", "deadline", "done") in given
        noted = f"Entry {campaign.head} has the hash {campaign.entry(campaign.head).hash}"
    assert noted in (copies / "last-verified.txt").read_text()
    (copy,) = copies.glob("*.ophex")
    with Campaign.open(copy, start) as kept:
        assert texts(kept) == given
    assert "r-9" in (out / "red-receipt.txt").read_text()
    sent = (out / "blue-report.txt").read_text()
    assert "packet 1" in sent
    assert "aim of b-1 becomes 4" in sent  # what the letters led to is in the packet that is sent
    assert (path.with_name(f"{path.name}.backups") / "turn-001.ophex").exists()


@pytest.mark.slow
def test_the_nightly_job_against_a_hand_on_the_keyboard(path, tmp_path):
    env = own(tmp_path)
    night = tmp_path / "night.sh"
    night.write_text(script())
    inbox = tmp_path / "in"
    inbox.mkdir()
    (inbox / "red.txt").write_text("aim r-1 to 3\naim r-2 to 4\n")
    job = ["sh", str(night), str(path), str(inbox), str(tmp_path / "out"), str(tmp_path / "copies")]
    line = either([sys.executable, "-m", "ui.main", "mail", str(path), "--in", str(inbox)], job)
    ended = threading.Event()
    mine = []

    def types():
        number = 0
        while not ended.wait(either(0.2, 0.05)) and number < 200:
            number += 1
            with open_campaign(path) as campaign:
                campaign.give([Input("override", "umpire", f"rank of b-1 = {number + 10}", "by hand")])
            mine.append(number + 10)

    hand = threading.Thread(target=types)
    hand.start()
    done = subprocess.run(line, env=env, capture_output=True, text=True, check=False)
    ended.set()
    hand.join()
    assert done.returncode == 0, done.stderr
    with open_campaign(path) as campaign:
        given = [(e.input.kind, e.input.text) for e in reversed(campaign.log())]
        assert [int(text.rpartition(" ")[2]) for kind, text in given if kind == "override"] == mine
        assert [text for kind, text in given if kind == "do"] == ["aim r-1 to 3", "aim r-2 to 4"]
        assert campaign.verify().ok
