"""Single disk failures: each writing call of a session fails once, and no acknowledged input is lost.

In the daily form a session gives two inputs, every sixth call fails, each kind of call in one way, and each way occurs. In the long
form it gives four, and each call fails in each way.

`strace` makes a call of the kernel fail. Without it the test is skipped.
"""

import itertools
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.campaigns.toy import new, reopen
from tests.long import either

ROOT = Path(__file__).parents[2]
WRITER = """
import sys
from campaigns.file.errors import CampaignError
from tests.campaigns.toy import do, reopen
try:
    with reopen(sys.argv[1]) as campaign:
        for n in range(1, int(sys.argv[2]) + 1):
            try:
                campaign.offer(do(f"add {n}"))
            except CampaignError as error:
                print("told", "uncertain" if "not certain" in error.message else "failed", flush=True)
            else:
                print("done", campaign.head, flush=True)
except CampaignError as error:
    print("told", "closed", flush=True)
"""
EVERY_DAY = [("pwrite64", "ENOSPC"), ("fdatasync", "EIO"), ("ftruncate", "EIO")]
FAULTS = either(EVERY_DAY, list(itertools.product(("pwrite64", "fdatasync", "ftruncate"), ("EIO", "ENOSPC"))))

INPUTS = either(2, 4)
"""So many a session gives."""


def stands(tmp_path):
    """Whether strace can let a call fail here."""
    if shutil.which("strace") is None:
        return False
    line = ["strace", "-f", "-qq", "-o", tmp_path / "try", "-e", "trace=fsync", sys.executable, "-c", "pass"]
    return subprocess.run(line, check=False, capture_output=True).returncode == 0


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("call", "failure"), FAULTS)
def test_a_writing_call_that_fails_once_loses_nothing_that_was_acknowledged(tmp_path, call, failure):
    if not stands(tmp_path):
        pytest.skip("strace cannot be had here")
    kept, path, trace = tmp_path / "kept.ophex", tmp_path / "tally.ophex", tmp_path / "trace"
    new(kept).close()
    faults = 0
    for number in range(1, 60, either(6, 1)):
        for left in tmp_path.glob("tally.ophex*"):
            left.unlink()
        shutil.copyfile(kept, path)
        line = [
            "strace",
            "-f",
            "-qq",
            "-o",
            trace,
            "-e",
            f"trace={call}",
            "-e",
            f"inject={call}:error={failure}:when={number}",
        ]
        ran = subprocess.run(
            [*line, sys.executable, "-c", WRITER, path, str(INPUTS)],
            check=False,
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
        assert ran.returncode == 0, (number, ran.stderr)
        if "INJECTED" not in trace.read_text():
            break
        faults += 1
        said = [line.split() for line in ran.stdout.splitlines()]
        done = [int(word) for kind, word in said if kind == "done"]
        open_ = sum(word == "uncertain" for kind, word in said if kind == "told")
        with reopen(path) as campaign:
            assert campaign.verify().ok, (number, said)
            assert len(done) <= campaign.head <= len(done) + open_, (number, said)
    assert faults
    print(f"{faults} faults of {call} with {failure}")
