"""The log as a stream: inputs of any session are reported once, in order, to each side as far as it may know them."""

import json
import os
import signal
import subprocess
import sys

import pytest

from campaigns.play.starting import open_campaign, start
from campaigns.repair.restoring import restore
from campaigns.views.following import follow
from interpreter.messages.inputs import Input
from tests.desk.outposts import begun


@pytest.fixture
def path(tmp_path):
    with begun(tmp_path) as campaign:
        return campaign.path


def streamed(path, side, *acts, **choices):
    """What is told while other sessions do things, one after the other."""
    left = list(acts)

    def wait():
        if not left:
            return False
        with open_campaign(path) as other:
            left.pop(0)(other)
        return True

    with open_campaign(path) as campaign:
        return [
            (news.what, news.told.number, news.told.entry.input.text)
            for news in follow(campaign, side, wait, **choices)
        ]


def gives(side, text):
    return lambda campaign: campaign.offer(Input("do", side, text))


def test_what_others_give_is_told_as_it_comes_and_what_is_taken_back(path):
    said = streamed(
        path, "umpire", gives("blue", "aim b-1 to 3"), gives("red", "aim r-1 to 2"), lambda c: c.undo(), lambda c: c.redo(),
        lambda c: c.undo(2), gives("blue", "done"),
    )  # fmt: skip
    assert said == [
        ("entry", 1, "aim b-1 to 3"), ("entry", 2, "aim r-1 to 2"), ("taken-back", 2, "aim r-1 to 2"), ("taken-up", 2, "aim r-1 to 2"),
        ("taken-back", 2, "aim r-1 to 2"), ("taken-back", 1, "aim b-1 to 3"), ("entry", 3, "done"),
    ]  # fmt: skip


def test_what_there_is_already_comes_first_as_much_of_it_as_is_asked_for(path):
    with open_campaign(path) as campaign:
        for n in range(1, 5):
            campaign.offer(Input("do", "blue", f"aim b-1 to {n}"))
    assert [number for _, number, _ in streamed(path, "umpire", limit=2)] == [3, 4]
    assert [number for _, number, _ in streamed(path, "umpire")] == [1, 2, 3, 4]
    assert [number for _, number, _ in streamed(path, "umpire", limit=1, after=1)] == [2, 3, 4]


def test_a_file_that_is_restored_under_it_tells_what_is_gone(path, tmp_path):
    with open_campaign(path) as campaign:
        campaign.offer(Input("do", "blue", "aim b-1 to 1"))
        campaign.backup(tmp_path / "copy.ophex")
        campaign.offer(Input("do", "blue", "aim b-1 to 2"))
    said = streamed(
        path, "umpire", lambda c: restore(c.path, tmp_path / "copy.ophex", start), gives("blue", "aim b-1 to 5")
    )
    assert said[2:] == [("taken-back", 2, "aim b-1 to 2"), ("entry", 2, "aim b-1 to 5")]


def test_two_worlds_that_differ_in_what_a_side_may_not_know_stream_alike(tmp_path):
    """In the other world red gives more secret orders, and takes one back."""
    streams = []
    for name, secret in (("one", []), ("two", ["aim r-1 to 4", "aim r-2 to 1"])):
        (tmp_path / name).mkdir()
        with begun(tmp_path / name) as campaign:
            path = campaign.path
        acts = [
            gives("blue", "aim b-1 to 3"),
            *[gives("red", text) for text in secret],
            lambda c: c.take_back("red") if c.head > 1 else None,
            gives("blue", "aim b-2 to 1"),
        ]
        streams.append(streamed(path, "blue", *acts))
    assert streams[0] == streams[1]
    assert [number for _, number, _ in streams[0]] == [1, 2]


STARTS = "import runpy, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); runpy.run_module('ui.main', run_name='__main__')"
"""Starts the command as from a terminal: where tests run in the background, Ctrl-C is shut off for all that they start."""


def started(path, *words):
    line = [sys.executable, "-c", STARTS, "log", str(path), "--follow", *words]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.timeout(300)
def test_the_command_prints_whole_lines_and_ends_when_it_is_told_to(path):
    with open_campaign(path) as campaign:
        campaign.offer(Input("do", "blue", "aim b-1 to 3"))
    process = started(path, "--json", "--as", "blue")
    first = json.loads(process.stdout.readline())
    assert (first["what"], first["number"], first["text"]) == ("entry", 1, "aim b-1 to 3")
    with open_campaign(path) as campaign:
        campaign.offer(Input("do", "red", "aim r-1 to 2"))
        campaign.offer(Input("do", "blue", "aim b-2 to 4"))
    second = json.loads(process.stdout.readline())
    assert (second["number"], second["text"]) == (2, "aim b-2 to 4")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err.strip()) == (130, "", "Stopped.")


@pytest.mark.timeout(300)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="a reader that goes cannot be noticed here")
def test_it_ends_when_nobody_reads_it_any_more_also_where_nothing_comes(path):
    process = started(path)
    process.stdout.close()
    process.wait(timeout=120)
    assert process.returncode == 141
    assert process.stderr.read() == ""
    process.stderr.close()
