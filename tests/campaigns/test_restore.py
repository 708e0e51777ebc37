"""Back to a backup: it is proved first, what is replaced is kept, and sessions that have the file open lose nothing unseen."""

import sqlite3

import pytest

from campaigns.file.errors import Busy, CampaignError, Stale
from campaigns.repair import restoring
from campaigns.repair.restoring import copies_of, named_copy, restore
from tests.campaigns.tampering import tamper
from tests.campaigns.toy import SETTINGS, Campaign, do, new, reopen, start


@pytest.fixture
def path(tmp_path):
    """A campaign of 10 inputs, and a copy of it as it was after 5."""
    with new(tmp_path / "tally.ophex") as campaign:
        campaign.offer_all([do(f"add {n}") for n in range(1, 6)])
        campaign.backup(tmp_path / "copy.ophex")
        campaign.offer_all([do("add 9") for _ in range(5)])
    return tmp_path / "tally.ophex"


@pytest.fixture
def copy(path):
    return path.with_name("copy.ophex")


def lines(path):
    with reopen(path) as campaign:
        return campaign.head, [(entry.number, entry.input.text) for entry in campaign.log()], campaign.verify().ok


def test_a_file_is_again_what_its_copy_is_and_what_it_was_is_kept(path, copy):
    was, wanted = lines(path), lines(copy)
    done = restore(path, copy, start)
    assert lines(path) == wanted
    assert (done.entry.number, done.entries, done.was_damaged) == (5, 5, False)
    assert lines(done.kept) == was
    again = restore(path, done.kept, start)  # and there and back
    assert lines(path) == was
    assert lines(again.kept) == wanted
    assert {one.name for one in path.parent.iterdir()} == {"tally.ophex", "copy.ophex", "tally.ophex.backups"}


def test_a_session_that_has_the_file_open_sees_it_and_what_it_gives_to_the_old_state_is_refused(path, copy):
    with reopen(path) as open_meanwhile:
        total = open_meanwhile.game.total
        restore(path, copy, start)
        with pytest.raises(Stale):
            open_meanwhile.offer(do("add 1"))
        assert open_meanwhile.head == 5
        assert open_meanwhile.game.total == total - 45
        open_meanwhile.offer(do("add 1"))
        assert open_meanwhile.verify().ok


def test_entries_of_the_same_numbers_are_not_taken_for_the_same(path, copy):
    """The restored file has as many entries as the old one, from other inputs: nothing is added to the old line."""
    with reopen(path) as open_meanwhile:
        assert open_meanwhile.game.total == 10 + 15 + 45
        restore(path, copy, start)
        with reopen(path) as other:
            other.offer_all([do("add 8") for _ in range(5)])
        with pytest.raises(Stale):
            open_meanwhile.offer(do("add 1"))
        assert open_meanwhile.game.total == 10 + 15 + 40
        restore(path, copies_of(path)[0].path, start)
        with reopen(path) as other:
            assert other.head == 10
        assert open_meanwhile.refresh()
        assert open_meanwhile.verify().ok


def test_a_session_that_went_back_leaves_no_gap_in_a_shorter_record(path, copy):
    with reopen(path) as open_meanwhile:
        open_meanwhile.undo(5)
        restore(path, copy, start)  # its head is the same entry, but there are fewer
        with pytest.raises(Stale):
            open_meanwhile.offer(do("add 1"))
        open_meanwhile.offer(do("add 1"))
        assert [entry.number for entry in open_meanwhile.log()] == [6, 5, 4, 3, 2, 1]
        assert open_meanwhile.verify().ok


def test_a_copy_that_is_not_sound_changes_nothing(path, copy):
    tamper(copy, "UPDATE entry SET text = 'add 2' WHERE number = 3")
    before = path.read_bytes()
    with pytest.raises(CampaignError, match=r"is not sound, and nothing was changed\. The hash of entry 3 is wrong"):
        restore(path, copy, start)
    assert path.read_bytes() == before
    assert {one.name for one in path.parent.iterdir()} == {"tally.ophex", "copy.ophex"}


def test_a_copy_of_another_campaign_is_refused(path, tmp_path):
    other = tmp_path / "other.ophex"
    Campaign.create(other, reopen(path).documents, {**SETTINGS, "seed": 8}, start).close()
    before = lines(path)
    with pytest.raises(CampaignError, match="is of a different campaign"):
        restore(path, other, start)
    assert lines(path) == before
    assert not path.with_name("tally.ophex.backups").exists()


@pytest.mark.parametrize(
    ("sort", "spoil"),
    {
        "garbage": lambda data: b"x" * len(data),
        "cut": lambda data: data[:9000],
        "other id": lambda data: data[:68] + b"NOPE" + data[72:],
        "empty": lambda _: b"",
        "a page": lambda data: data[:4096] + b"\xff" * 4096 + data[8192:],
        "another size of pages": lambda data: data[:16] + b"\x80\x00" + data[18:],
    }.items(),
)
def test_a_damaged_file_is_replaced_and_kept_byte_for_byte(path, copy, sort, spoil):
    path.write_bytes(spoil(path.read_bytes()))
    damaged = path.read_bytes()
    done = restore(path, copy, start)
    assert done.was_damaged
    assert done.kept.read_bytes() == damaged, sort
    assert lines(path) == lines(copy)
    if sort != "other id":
        assert [bool(one.problem) for one in copies_of(path)] in ([True], [False])


def test_a_file_that_is_gone_comes_back(path, copy):
    path.unlink()
    done = restore(path, copy, start)
    assert (done.kept, done.entry.number) == (None, 5)
    assert lines(path) == lines(copy)


def test_a_file_that_others_write_is_waited_for_and_then_left_alone(path, copy, monkeypatch):
    monkeypatch.setattr(restoring, "PATIENCE", 0.2)
    before = lines(path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    with pytest.raises(Busy):
        restore(path, copy, start)
    db.execute("ROLLBACK")
    db.close()
    assert lines(path) == before
    assert not copies_of(path)


def test_what_others_wrote_last_is_in_what_is_kept(path, copy, monkeypatch):
    """Other sessions go on until the moment when nobody else can write; all of that is kept."""
    taken = restoring._overwrite

    def others_first(draft, file, before):
        with reopen(file) as other:
            other.offer(do("add 7"))
        taken(draft, file, before)

    monkeypatch.setattr(restoring, "_overwrite", others_first)
    done = restore(path, copy, start)
    assert lines(done.kept)[1][0] == (11, "add 7")
    assert lines(path) == lines(copy)


def test_copies_are_listed_the_newest_first_and_found_by_name(path, copy):
    folder = path.with_name("tally.ophex.backups")
    folder.mkdir()
    with reopen(path) as campaign:
        campaign.backup(folder / "turn-002.ophex")
    copy.rename(folder / "turn-001.ophex")
    (folder / "turn-000.ophex").write_bytes(b"SQLite format 3\0")
    found = copies_of(path)
    assert [(one.path.stem, one.head, one.entries) for one in found[:2]] == [("turn-002", 10, 10), ("turn-001", 5, 5)]
    assert found[2].problem
    assert named_copy(path, "turn-001") == folder / "turn-001.ophex"
    with pytest.raises(CampaignError, match="no backup turn-007"):
        named_copy(path, "turn-007")


def test_the_file_itself_is_no_copy(path):
    with pytest.raises(CampaignError, match="itself"):
        restore(path, path, start)
