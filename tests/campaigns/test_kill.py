"""Writers that are killed at any instant, and writers that race each other.

After a kill the file opens at the last accepted input: the one that was reported, or the one that was in progress.
The long form kills ten times as often.
"""

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from campaigns.play.named_branches import branches
from campaigns.play.together import batches
from tests.campaigns.toy import new, reopen
from tests.long import either, number

KILLS = number("OPHEX_KILLS", 40, 400)
"""How many writers are killed; thousands by hand."""
FILES = 20
NURSERY = Path(__file__).with_name("nursery.py")


@contextlib.contextmanager
def nursery(program=NURSERY):
    with subprocess.Popen(
        [sys.executable, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            yield process
            process.stdin.close()
            process.wait(30)
        finally:  # after a failure a writer may wait to be killed
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def writers():
    """One process in which all writers are begun: to begin it takes longer than most of them live."""
    with nursery() as process:
        yield process


def killed_writer(process, path, seed, patience, mode="play"):
    """Start a writer and kill it after some seconds; what it said."""
    process.stdin.write(f"{mode}\t{path}\t{seed}\n")
    word, pid = process.stdout.readline().split()
    assert word == "ready"
    time.sleep(patience)
    os.kill(int(pid), signal.SIGKILL)
    said = []
    while not (line := process.stdout.readline()).startswith("dead"):
        said.append(line.split())
    assert line == f"dead {signal.SIGKILL:d}\n", "the writer died of something else"
    return said


def possible_heads(said, before, entries):
    """Where the head may be after a writer that said these words and found the head at `before`."""
    head, act = before, ""
    for word, *rest in said:
        if word == "about":
            act = rest[0]
        elif word == "done":
            head, act = int(rest[0]), ""
        else:
            assert int(rest[0]) == before, "the writer did not open at the head"
    newest = max(entries)
    return head, {
        "": {head},
        "offer": {head, newest if entries[newest] == head else head},
        "several": {head, newest if newest >= 3 and entries[entries[entries[newest]]] == head else head},
        "undo": {head, entries[head]},
        "redo": {head, *(number for number, parent in entries.items() if parent == head)},
    }[act]


@pytest.mark.slow
def test_a_killed_writer_loses_nothing_that_was_reported(tmp_path, writers):
    luck = random.Random()
    seed = luck.randrange(2**32)
    luck.seed(seed)
    kills = under_way = unreported = 0
    slowness = 1.0
    for file in range(FILES):
        path = tmp_path / f"{file}.ophex"
        new(path).close()
        head = 0
        for _ in range(KILLS // FILES):
            patience = slowness * luck.choice([0.004, 0.01, 0.03]) * luck.random()
            said = killed_writer(writers, path, luck.randrange(2**32), patience)
            # On a busy machine a writer needs longer before there is anything to kill it in.
            slowness = max(1.0, slowness * (0.9 if any(word == "about" for word, *_ in said) else 1.1))
            kills += 1
            with reopen(path) as campaign:
                entries = {0: None, **{entry.number: entry.parent for entry in campaign.log()}}
                reported, possible = possible_heads(said, head, entries)
                assert campaign.head in possible, f"seed {seed}, kill {kills}, file {file}"
                verdict = campaign.verify()
                assert verdict.ok, (verdict.problems, seed, kills)
                under_way += len(possible) > 1
                unreported += campaign.head != reported
                head = campaign.head
    print(
        f"{kills} kills, {under_way} of them in the middle of a step, {unreported} after its commit and before its report"
    )
    assert kills == KILLS // FILES * FILES
    assert under_way, "no kill fell in the middle of a step: the test has lost its point"


@pytest.mark.slow
def test_the_work_of_a_desk_is_there_whole_or_not_at_all(tmp_path, writers):
    """Batches, branches, notes and letters, replays and restoring: after each kill the file verifies and all of it is consistent."""
    luck = random.Random()
    seed = luck.randrange(2**32)
    luck.seed(seed)
    cut_off = set()
    for file in range(3):
        path = tmp_path / f"{file}.ophex"
        new(path).close()
        noted = 0
        for _ in range(KILLS // 10):
            said = killed_writer(writers, path, luck.randrange(2**32), 0.3 * luck.random(), "desk")
            with reopen(path) as campaign:
                assert campaign.verify().ok, (seed, campaign.verify().problems)
                known = branches(campaign)
                assert [one.is_here for one in known].count(True) == 1, seed
                assert [one.role for one in known].count("main") == 1, seed
                numbers = {0, *(entry.number for entry in campaign.log())}
                assert {n for one in known for n in (one.begun, one.entry, one.tip)} <= numbers, seed
                assert all(
                    one.first in numbers and one.last in numbers for one in batches(campaign.store, 0, max(numbers))
                )
                letters = [one.told["n"] for one in campaign.letters()]
                assert letters == list(range(1, campaign.notes().get("n", 0) + 1)), seed  # both, or neither
                last = said[-1] if said else ["done"]
                for word, *rest in said:
                    noted = int(rest[0]) if word == "noted" else noted
                if last[0] == "about":
                    cut_off.add(last[1])
                if not (last[0] == "about" and last[1] in {"restore", "note"}):
                    assert campaign.notes().get("n", 0) == noted, seed
                noted = campaign.notes().get("n", 0)
    assert cut_off, "no kill fell in the middle of a step: the test has lost its point"


@pytest.mark.slow
def test_a_campaign_file_is_there_whole_or_not_at_all(tmp_path, writers):
    luck = random.Random(1)
    made, patience, files = 0, 0.01, either(20, 100)
    for file in range(files):
        path = tmp_path / f"{file}.ophex"
        killed_writer(writers, path, file, patience * 2 * luck.random(), "make")
        # However fast or busy the machine is, about half of them are killed too early.
        patience *= 0.8 if path.exists() else 1.25
        if path.exists():
            made += 1
            with reopen(path) as campaign:
                assert campaign.verify().ok
    assert 0 < made < files
    assert {p.suffix for p in tmp_path.iterdir() if not p.name.startswith(".ophex-")} == {".ophex"}


@pytest.mark.slow
def test_two_programs_that_write_at_once_never_fork_the_campaign(tmp_path, writers):
    path = tmp_path / "tally.ophex"
    new(path).close()
    stale = 0
    with nursery() as second:
        for seed, process in enumerate((writers, second)):
            process.stdin.write(f"race\t{path}\t{seed}\n")
        for process in (writers, second):
            assert process.stdout.readline().startswith("ready")
            assert process.stdout.readline() == "open 0\n"
        (tmp_path / "go").touch()
        for process in (writers, second):
            while not (line := process.stdout.readline()).startswith("dead"):
                stale += line == "stale\n"
            assert line == "dead 0\n"
    with reopen(path) as campaign:
        assert [(e.number, e.parent) for e in campaign.log()] == [(n, n - 1) for n in range(200, 0, -1)]
        assert campaign.verify().ok
    assert stale > 0
    assert {p.name for p in tmp_path.iterdir()} == {path.name, "go"}
