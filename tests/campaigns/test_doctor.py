"""Damage to a campaign file is reported, what can be proved is saved into another file, and the file itself is left alone."""

import shutil
import sqlite3

import pytest

from campaigns.file.beside import Beside, Kept
from campaigns.file.errors import CampaignError
from campaigns.play.named_branches import begin_branch, branches, switch
from campaigns.repair.file_doctor import examine, repair
from tests.campaigns.tampering import tamper
from tests.campaigns.test_restore import lines
from tests.campaigns.toy import do, new, reopen, start

LOOSE = ("ignore_check_constraints = ON", "foreign_keys = OFF")


@pytest.fixture
def path(tmp_path):
    """A main line of entries 1 to 6 and 9 to 12, and another line of 7 and 8 that was left."""
    with new(tmp_path / "tally.ophex", snapshot_every=3) as campaign:
        for n in range(1, 7):
            campaign.offer(do(f"add {n}"))
        campaign.offer_all([do("add 7"), do("add 8")])
        campaign.undo(2)
        for n in range(1, 5):
            campaign.offer(do(f"add {n}", "blue"))
        campaign.keep(
            Beside(
                {"packet red": {"number": 1, "mark": "x", "after": 11}},
                [Kept(1, "red", "a.txt", "0", "now", {"given": [[9, 0], [10, 1]]})],
            )
        )
    return tmp_path / "tally.ophex"


def hashes_of(path):
    """The hashes of all entries, newest first."""
    with reopen(path) as campaign:
        return [entry.hash for entry in (*campaign.log(), campaign.entry(0))]


def repaired(path):
    """What was found, and the repaired file; the damaged one is as it was."""
    out = path.with_name("repaired.ophex")
    before = path.read_bytes()
    found = repair(path, out, start)
    assert path.read_bytes() == before
    assert {p.name for p in path.parent.iterdir()} <= {path.name, out.name, "tally.ophex.backups"}
    assert lines(out)[2]
    return found, out


def kinds(found):
    return [one.kind for one in found.wrong]


def test_a_sound_file_is_told_to_be_sound_and_its_repair_is_the_same_campaign(path):
    assert examine(path, start).is_sound
    found, out = repaired(path)
    assert (found.mended, found.lost, found.saved.entries, found.saved.head, found.saved.moved) == (
        (),
        (),
        12,
        12,
        False,
    )
    with reopen(path) as was, reopen(out) as now:
        assert [e.hash for e in now.log()] == [e.hash for e in was.log()]
        assert (now.notes(), now.letters()) == (was.notes(), was.letters())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET events = '[]' WHERE number = 5",
        "UPDATE entry SET events = 'x' WHERE number = 12",
        "UPDATE entry SET digest = 'x' WHERE number = 5",
        "UPDATE entry SET hash = 'x' WHERE number = 5",
        "UPDATE entry SET hash = x'00' WHERE number = 5",
        "UPDATE entry SET events = x'ff', digest = 'x', hash = 'y' WHERE number = 6",
        "UPDATE entry SET written_at = x'00' WHERE number = 5",
        "UPDATE entry SET digest = 'x', hash = 'x' WHERE number = 0",
        "UPDATE entry SET parent = 2 WHERE number = 5",
    ],
)
def test_a_damaged_entry_is_put_right_where_the_chain_proves_it(path, statement):
    number = int(statement.rpartition(" ")[2])
    hashes = hashes_of(path)
    tamper(path, statement, pragmas=LOOSE)
    found, out = repaired(path)
    assert found.mended == (number,)
    assert (found.lost, found.saved.head) == ((), 12)
    assert hashes_of(out) == hashes


def test_an_input_that_is_gone_ends_its_line_and_the_last_before_it_counts(path):
    tamper(path, "UPDATE entry SET text = 'add 9' WHERE number = 10")
    found, out = repaired(path)
    assert found.lost == (10, 11, 12)
    assert (found.saved.head, found.saved.entries, found.saved.moved) == (9, 9, True)
    assert lines(out)[0] == 9
    with reopen(out) as now:
        assert now.notes()["packet red"]["after"] == 9
        assert now.letters()[0].told["given"] == [[9, 0]]


@pytest.mark.parametrize(
    "statement", ["DELETE FROM entry WHERE number = 7", "UPDATE entry SET text = x'00' WHERE number = 7"]
)
def test_damage_on_a_line_that_was_left_takes_nothing_of_the_main_one(path, statement):
    hashes = hashes_of(path)[::-1]
    tamper(path, statement, pragmas=LOOSE)
    found, out = repaired(path)
    assert found.lost == (7, 8)
    assert (found.saved.head, found.saved.moved) == (12, False)
    with reopen(out) as now:
        assert [e.hash for e in now.log()] == [hashes[n] for n in (12, 11, 10, 9, 6, 5, 4, 3, 2, 1)]
        assert now.head == 10
        assert now.notes()["packet red"]["after"] == 9
        assert now.letters()[0].told["given"] == [[7, 0], [8, 1]]
        now.offer(do("add 1"))
        assert now.verify().ok


def test_branches_and_batches_are_carried_over(path):
    with reopen(path) as campaign:
        begin_branch(campaign, "what-if", at=6)
        campaign.offer(do("add 5"))
        switch(campaign, "main")
    tamper(path, "DELETE FROM entry WHERE number = 7", pragmas=LOOSE)
    _, out = repaired(path)
    with reopen(out) as now:
        assert [(b.name, b.begun, b.entry, b.is_here) for b in branches(now)] == [
            ("main", 0, 10, True),
            ("what-if", 6, 11, False),
        ]


@pytest.mark.parametrize(
    "statement", ["DELETE FROM head", "UPDATE head SET entry = x'00'", "UPDATE head SET entry = 500"]
)
def test_a_head_that_cannot_be_read_is_the_last_entry(path, statement):
    tamper(path, statement, pragmas=LOOSE)
    found, out = repaired(path)
    assert "head" in kinds(found)
    assert lines(out)[0] == 12


def test_texts_that_are_damaged_are_taken_from_a_copy_that_begins_alike(path):
    with reopen(path) as campaign:
        folder = path.with_name("tally.ophex.backups")
        folder.mkdir()
        campaign.backup(folder / "turn-001.ophex")
    tamper(path, "UPDATE document SET text = 'Nothing.' WHERE number = 2", "DELETE FROM setting")
    found, _ = repaired(path)
    assert found.saved.head == 12
    assert any("taken from the backup turn-001.ophex" in one.text for one in found.wrong)
    shutil.rmtree(folder)
    assert examine(path, start).saved is None
    with pytest.raises(CampaignError, match=r"Nothing in .* can be saved"):
        repair(path, path.with_name("again.ophex"), start)


def test_triggers_and_tables_of_somebody_else_are_told_and_not_carried_over(path):
    with sqlite3.connect(path) as db:
        db.execute("CREATE TRIGGER mischief AFTER UPDATE ON head BEGIN UPDATE head SET entry = 0; END")
        db.execute("CREATE TABLE more (x)")
        db.execute("DROP TRIGGER entry_is_not_deleted")
    db.close()
    found, out = repaired(path)
    assert kinds(found) == ["tables"] * 3
    assert {
        word for one in found.wrong for word in ("mischief", "more", "entry_is_not_deleted") if word in one.text
    } == {"mischief", "more", "entry_is_not_deleted"}
    assert lines(out)[0] == 12


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda data: data[:68] + b"NOPE" + data[72:], "not marked as a campaign file"),
        (lambda data: b"x" * 16 + data[16:], "first bytes"),
        (lambda data: data[:60] + bytes(4) + data[64:], "which version its tables have"),
        (lambda data: data[:-4096], "is truncated"),
    ],
)
def test_a_head_of_the_file_that_is_damaged_does_no_harm(path, spoil, told):
    path.write_bytes(spoil(path.read_bytes()))
    found, out = repaired(path)
    assert told in found.wrong[0].text
    assert lines(out)[0] >= 6


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "empty"),
        (b"x" * 5000, "not a database"),
        (b"SQLite format 3\0", "is truncated"),
        (b"SQLite format 3\0" + b"\xff" * 9000, ""),
    ],
)
def test_what_is_no_database_at_all_is_said_to_be_none(tmp_path, data, told):
    path = tmp_path / "x.ophex"
    path.write_bytes(data)
    found = examine(path, start)
    assert found.saved is None
    assert told in found.wrong[0].text


def test_a_file_of_a_newer_program_is_not_called_damaged(path):
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(CampaignError, match="newer ophex"):
        examine(path, start)


def test_every_page_may_be_lost_and_nothing_falls_over(path):
    """Everything that is saved is proved, and is a beginning of the same record."""
    data = path.read_bytes()
    hashes = set(hashes_of(path))
    saved = 0
    for page in range(len(data) // 4096):
        spoilt = path.with_name("spoilt.ophex")
        spoilt.write_bytes(data[: page * 4096] + b"\xa5" * 4096 + data[(page + 1) * 4096 :])
        found = examine(spoilt, start)
        assert not found.is_sound
        saved += found.saved is not None
        if found.saved is not None and page % 3 == 0:
            out = path.with_name(f"{page}.ophex")
            repair(spoilt, out, start)
            assert set(hashes_of(out)) <= hashes
    assert saved > 5


def test_a_file_that_others_have_open_is_examined_as_it_is_now(path):
    with reopen(path) as campaign:
        campaign._store._folded_at = 1e18  # nothing is folded into the file
        campaign.offer(do("add 1"))
        found = examine(path, start)
        assert found.is_sound
        assert found.saved.head == 13
