"""A campaign that cannot be written can be read: nothing appears beside it, and nothing that was recorded is missed."""

import math
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from campaigns.file import store as store_module
from campaigns.file.errors import CampaignError
from campaigns.file.file_schema import CURRENT, Schema
from campaigns.file.store import Store
from campaigns.file.watching import may_write
from campaigns.play.campaign import verify_file
from tests.campaigns.toy import do, new, reopen, start


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "disk" / "tally.ophex"
    file.parent.mkdir()
    with new(file) as campaign:
        for n in range(1, 5):
            campaign.offer(do(f"add {n}"))
    return file


def everything(folder):
    """What is recorded there; what sessions share in memory is no record."""
    return {p.name: b"" if p.name.endswith("-shm") else p.read_bytes() for p in folder.iterdir()}


@contextmanager
def locked(monkeypatch, folder):
    """A disk that cannot be written: by the bits where they count, for root by what the disk would say."""
    if os.geteuid() == 0:
        monkeypatch.setattr(store_module, "may_write", lambda _path: False)
    bits = {p: stat.S_IMODE(p.stat().st_mode) for p in [*folder.iterdir(), folder]}
    for p in bits:
        p.chmod(0o555 if p.is_dir() else 0o444)
    before = everything(folder)
    try:
        yield
        assert everything(folder) == before
    finally:
        for p, mode in reversed(bits.items()):
            p.chmod(mode)
        monkeypatch.undo()


def left_with_its_log(path, folder, *, shm):
    """The file as a program leaves it that dies: the last steps stand in the log alone."""
    with reopen(path) as campaign:
        campaign._store._folded_at = math.inf  # it dies before it has folded its log into the file
        for n in (5, 6):
            campaign.offer(do(f"add {n}"))
        for ending in ("", "-wal", "-shm"):
            if shm or ending != "-shm":
                shutil.copyfile(f"{path}{ending}", folder / f"{path.name}{ending}")
    assert (folder / f"{path.name}-wal").stat().st_size > 0
    return folder / path.name


def test_it_is_looked_at_and_leaves_no_trace(path, monkeypatch):
    with locked(monkeypatch, path.parent):
        with reopen(path) as campaign:
            assert campaign.read_only
            assert campaign.game.total == 20
            assert [e.number for e in campaign.log()] == [4, 3, 2, 1]
            assert campaign.state_at(2).total == 13
            assert campaign.verify().ok
            campaign.backup(path.parent.parent / "copy.ophex")
        assert verify_file(path, start).ok
    with reopen(path.parent.parent / "copy.ophex") as copy:
        assert not copy.read_only
        assert copy.game.total == 20


@pytest.mark.parametrize("act", ["offer", "undo", "go_to", "drop_snapshots"])
def test_what_would_be_recorded_is_refused(path, monkeypatch, act):
    given = {"offer": (do("add 9"),), "go_to": (1,)}.get(act, ())
    with locked(monkeypatch, path.parent), reopen(path) as campaign:
        with pytest.raises(CampaignError, match="cannot be written"):
            getattr(campaign, act)(*given)
        assert campaign.game.total == 20


@pytest.mark.parametrize("shm", [True, False])
def test_a_log_that_was_left_behind_is_read_with_it(path, tmp_path, monkeypatch, shm):
    disk = tmp_path / "other"
    disk.mkdir()
    file = left_with_its_log(path, disk, shm=shm)
    with locked(monkeypatch, disk), reopen(file) as campaign:
        assert campaign.game.total == 31
        assert campaign.verify().ok


def test_an_empty_log_is_no_log(path, monkeypatch):
    path.with_name(f"{path.name}-wal").touch()
    with locked(monkeypatch, path.parent), reopen(path) as campaign:
        assert campaign.game.total == 20


def test_what_another_session_writes_is_followed(path, monkeypatch):
    """The umpire plays on while a player, who may only read, looks: while there is a log beside the file, and after it is folded in."""
    monkeypatch.setattr(store_module, "may_write", lambda _path: False)
    with reopen(path) as watching:
        monkeypatch.undo()
        assert not watching.refresh()
        with reopen(path) as playing:
            playing.offer(do("add 7"))
            assert watching.refresh()
            assert watching.game.total == 27
            playing.offer(do("add 8"))
            assert watching.refresh()
            assert watching.game.total == 35
        playing_last = reopen(path)
        playing_last.offer(do("add 9"))
        playing_last.close()
        assert watching.refresh()
        assert watching.game.total == 44
        assert watching.verify().ok


def test_an_older_file_is_brought_up_to_date_as_a_copy(path, monkeypatch):
    newer = Schema((*CURRENT.steps, lambda db: db.execute("CREATE TABLE more (x)")))
    with locked(monkeypatch, path.parent):
        store = Store.open(path, schema=newer)
        assert store.read_only
        assert store.last() == 4
        store.close()
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (CURRENT.version,)


def test_what_may_be_written_is_seen_from_the_file_and_its_folder(path, tmp_path):
    assert may_write(path)
    assert not may_write(tmp_path / "none")
    if os.geteuid() != 0:
        path.chmod(0o444)
        assert not may_write(path)


LOOKS = """
import sys
sys.path.insert(0, {root!r})
from tests.campaigns.toy import reopen, do
from campaigns.file.errors import CampaignError
with reopen({path!r}) as campaign:
    assert campaign.read_only and campaign.game.total == 20
    try:
        campaign.offer(do("add 1"))
    except CampaignError as error:
        print(error.message)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="others try it themselves")
def test_a_user_without_the_right_to_write(path):
    """Here the file system itself refuses: root hands the file to a user who may only read it."""
    for folder in [path.parent, *path.parent.parents[:3]]:
        folder.chmod(folder.stat().st_mode | 0o555)
    root = str(Path(__file__).parents[2])
    code = LOOKS.format(root=root, path=str(path))
    try:
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, user=65534, check=False)
    except (PermissionError, ValueError):
        pytest.skip("no other user can be had here")
    if "Permission denied" in found.stderr:
        pytest.skip("another user cannot read the program here")
    assert found.stdout == f"The campaign file {path} cannot be written.\n", found.stderr
    assert sorted(p.name for p in path.parent.iterdir()) == [path.name]


FULL = """
import resource, signal, sys
from pathlib import Path
from tests.campaigns.toy import reopen, do
from campaigns.file.errors import CampaignError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # no file can grow, as on a disk that is full
with reopen(Path(sys.argv[1])) as campaign:
    print(campaign.game.total, campaign.read_only, len(campaign.log()))
    try:
        campaign.offer(do("add 1"))
    except CampaignError as error:
        print(error.message)
"""


def test_a_campaign_on_a_full_disk_can_be_looked_at(path):
    before = path.read_bytes()
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", FULL, path],
        capture_output=True,
        text=True,
        check=False,
        cwd=root,
        env={"PYTHONPATH": str(root)},
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[0] == "20 True 4"
    assert "cannot be written" in ran.stdout.splitlines()[1]
    assert path.read_bytes() == before
    with reopen(path) as campaign:  # once there is room again
        campaign.offer(do("add 1"))
        assert campaign.verify().ok
