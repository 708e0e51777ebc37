"""Files that are not campaigns, are damaged, locked, too new or too old: one clear error, and not a byte changed."""

import contextlib
import os
import random
import shutil
import sqlite3
import threading
from pathlib import Path

import pytest
from attrs import evolve

from campaigns.file.errors import CampaignError
from campaigns.file.file_schema import APPLICATION_ID, CURRENT, Schema, connect
from campaigns.file.history import Entry
from campaigns.file.looking_through import look_through
from campaigns.file.store import Store
from campaigns.play.campaign import Campaign, verify_file
from campaigns.play.starting import create_campaign, open_campaign
from campaigns.play.starting import start as rules_start
from dsl.text.diagnostics import RuleTextError
from interpreter.messages.inputs import Input
from tests.campaigns.tampering import tamper
from tests.campaigns.toy import DOCUMENTS, SETTINGS, do, new, reopen, start
from tests.long import either

KEPT = Path(__file__).parent / "kept"
BYTES = either(50, 300)
"""So many bytes are altered, one by one; with OPHEX_LONG=1 three times as many."""


def played(path, moves=6):
    with new(path) as campaign:
        for n in range(moves):
            campaign.offer(do(f"add {n % 9 + 1}"))
        campaign.undo()
    return path


def database(path, *statements):
    db = sqlite3.connect(path, isolation_level=None)
    try:
        for statement in statements:
            db.execute(statement)
    finally:
        db.close()


def everything(folder):
    """All files under a folder with their bytes."""
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def names(folder):
    return [p.name for p in Path(folder).iterdir()]


def missing(_path):
    pass


def folder(path):
    path.mkdir()


def empty(path):
    path.touch()


def noise(path):
    path.write_bytes(random.Random(1).randbytes(9000))


def text(path):
    path.write_text("scenario one\n", encoding="utf-8")


def one_byte(path):
    path.write_bytes(b"S")


def magic_alone(path):
    path.write_bytes(b"SQLite format 3\0")


def foreign_database(path):
    database(path, "CREATE TABLE entry (number INTEGER PRIMARY KEY)", "INSERT INTO entry VALUES (1)")


def foreign_database_in_wal_mode(path):
    database(path, "PRAGMA journal_mode = WAL", "CREATE TABLE entry (number INTEGER PRIMARY KEY)")


def marked_but_empty_database(path):
    database(path, f"PRAGMA application_id = {APPLICATION_ID}")


def tables_missing(path):
    database(path, f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {CURRENT.version}")


def newer(path):
    played(path)
    database(path, f"PRAGMA user_version = {CURRENT.version + 1}")


def cut_in_half(path):
    played(path, 60)
    os.truncate(path, path.stat().st_size // 2)


def cut_in_header(path):
    played(path)
    os.truncate(path, 80)


def cut_after_header(path):
    played(path)
    os.truncate(path, 100)


def header_of_noise(path):
    played(path)
    data = bytearray(path.read_bytes())
    data[16:60] = random.Random(2).randbytes(44)
    path.write_bytes(data)


def first_page_of_noise(path):
    played(path)
    data = bytearray(path.read_bytes())
    data[100:4096] = random.Random(3).randbytes(3996)
    path.write_bytes(data)


def head_missing(path):
    played(path)
    database(path, "DELETE FROM head")


def head_nowhere(path):
    played(path)
    database(path, "UPDATE head SET entry = 99, tip = 99")


def text_altered(path):
    played(path)
    tamper(path, "UPDATE document SET text = text || 'x' WHERE kind = 'rule'")


def setting_altered(path):
    played(path)
    tamper(path, "UPDATE setting SET json = '{' WHERE name = 'seed'")


def text_of_bytes(path):
    played(path)
    tamper(path, "UPDATE document SET text = x'ff' WHERE kind = 'rule'")


def entry_altered(path):
    played(path, 3)
    tamper(path, "UPDATE entry SET text = 'add 9' WHERE number = 1")


def entry_made_illegal(path):
    played(path, 3)
    tamper(path, "UPDATE entry SET text = 'add 99' WHERE number = 1")


def entry_missing(path):
    played(path, 3)
    tamper(path, "DELETE FROM entry WHERE number = 1")


BAD = {
    missing: "There is no campaign file",
    folder: "is a folder",
    os.mkfifo: "a device or a pipe",
    empty: "is empty",
    noise: "is not a campaign file",
    text: "is not a campaign file",
    one_byte: "is not a campaign file",
    magic_alone: "is truncated",
    foreign_database: "is a SQLite database, but not a campaign file",
    foreign_database_in_wal_mode: "is a SQLite database, but not a campaign file",
    marked_but_empty_database: "is empty|was never finished",
    tables_missing: "is damaged",
    newer: "written by a newer ophex: its tables are of version 4, and this program reads versions up to 3",
    cut_in_half: "is damaged",
    cut_in_header: "is truncated",
    cut_after_header: "is damaged",
    header_of_noise: "is damaged",
    first_page_of_noise: "is damaged",
    head_missing: "is damaged",
    head_nowhere: "has no entry 99",
    text_altered: "the text of tally/rules differs from the recorded one",
    setting_altered: "is damaged",
    text_of_bytes: "is damaged",
    entry_altered: "entry 2 leads to a different state",
    entry_made_illegal: "entry 1 is refused when it is replayed",
    entry_missing: "no unbroken line leads from the beginning to entry 2",
}


@pytest.mark.parametrize("spoil", BAD, ids=lambda spoil: spoil.__name__)
def test_a_bad_file_is_one_clear_error_and_stays_as_it_is(tmp_path, spoil):
    path = tmp_path / "file.ophex"
    spoil(path)
    before = everything(tmp_path)
    with pytest.raises(CampaignError, match=BAD[spoil]) as caught:
        reopen(path)
    assert str(path) in caught.value.message
    assert caught.value.hint
    assert everything(tmp_path) == before


@pytest.mark.parametrize("name", ["a\0b", "x" * 300, "file/below"])
def test_a_path_that_cannot_be_is_one_clear_error(tmp_path, name):
    (tmp_path / "file").touch()
    with pytest.raises(CampaignError):
        reopen(tmp_path / name)
    with pytest.raises(CampaignError):
        new(tmp_path / name)
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("name", ["a b?c#d%20.ophex", "ü", "-x", "file:y", ":memory:", "'q'", "x\ny"])
def test_any_name_of_a_file_will_do(tmp_path, name):
    played(tmp_path / name)
    with reopen(tmp_path / name) as campaign:
        assert campaign.head == 5
    assert names(tmp_path) == [name]


def test_a_relative_path_will_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    played("tally.ophex")
    assert verify_file("tally.ophex", start).ok


def opened(path):
    """What opening a campaign of a rule system comes to."""
    try:
        open_campaign(path).close()
    except (CampaignError, RuleTextError) as error:
        return error
    return None


def test_settings_of_a_rule_system_that_are_no_settings(tmp_path):
    """Settings that no campaign is made with are reported; another valid choice of settings leads to another state."""
    sound, path = tmp_path / "sound.ophex", tmp_path / "c.ophex"
    create_campaign(sound, "bth/meeting", seed=1, options={"odds-rounding": "nearest"}).close()
    assert opened(sound) is None
    for name in ("scenario", "modules", "options", "dice", "seed"):
        for value in ("[[]]", '"x"', "[" * 20_000):
            shutil.copy(sound, path)
            tamper(path, ("UPDATE setting SET json = ? WHERE name = ?", value, name))
            error = opened(path)
            assert (name, value) == ("seed", '"x"') or error is not None
            assert error is None or isinstance(error, RuleTextError) or error.hint
            assert not verify_file(path, rules_start).ok


class TestLocked:
    @pytest.fixture
    def path(self, tmp_path):
        return played(tmp_path / "tally.ophex")

    def test_a_file_that_another_program_keeps_for_itself(self, path):
        before = path.read_bytes()
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(CampaignError, match="Another program is writing"):
            reopen(path, patience=0.05)
        other.close()
        assert path.read_bytes() == before

    def test_a_step_while_another_program_writes(self, path):
        with reopen(path, patience=0.05) as campaign:
            other = sqlite3.connect(path, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(CampaignError, match="Another program is writing"):
                campaign.offer(do("add 9"))
            other.close()
            total = campaign.game.total
            campaign.offer(do("add 9"))
            assert campaign.game.total == total + 9
            assert campaign.verify().ok

    def test_a_short_wait_is_waited(self, path):
        with reopen(path) as campaign:
            other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            other.execute("BEGIN IMMEDIATE")
            timer = threading.Timer(0.1, other.rollback)
            timer.start()
            campaign.offer(do("add 9"))
            timer.join()
            other.close()

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
    def test_a_file_that_may_not_be_read(self, path):
        path.chmod(0)
        with pytest.raises(CampaignError, match="cannot be read"):
            reopen(path)

    def test_a_disk_that_is_full(self, path):
        with reopen(path) as campaign:
            total = campaign.game.total

            def play_on():
                nonlocal total
                for n in range(1000):
                    campaign.offer(do(f"add {n % 9 + 1}"))
                    total += n % 9 + 1

            pages = campaign._store._connection.execute("PRAGMA page_count").fetchone()[0]
            campaign._store._connection.execute(f"PRAGMA max_page_count = {pages}")
            with pytest.raises(CampaignError, match="is full"):
                play_on()
            assert campaign.game.total == total
            assert campaign.verify().ok
        with reopen(path) as campaign:
            assert campaign.game.total == total


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A campaign with two branches and some pages: its file, the digest of its state, its log."""
    path = tmp_path_factory.mktemp("sound") / "tally.ophex"
    with new(path) as campaign:
        for n in range(220):
            campaign.offer(do(f"add {n % 9 + 1}"))
        campaign.undo(20)
        campaign.offer(do("add 9"))
        return path, campaign.game.digest(), campaign.log()


def timeless(log):
    """A log without the written times, which no hash covers."""
    return [evolve(entry, time="") for entry in log]


class TestDamage:
    """Damaged bytes anywhere in a file lead to an error, a finding or no difference, and never to anything else."""

    def judge(self, path, digest, log):
        """Open and verify the file; whether the damage was noticed."""
        before = path.read_bytes()
        noticed = False
        try:
            noticed = not verify_file(path, start).ok
            with reopen(path) as campaign:
                assert campaign.game.digest() == digest, "a wrong state was opened without a word"
                assert noticed or timeless(campaign.log()) == timeless(log), "another history was opened without a word"
        except CampaignError as error:
            noticed = bool(error.hint)
        assert path.read_bytes() == before
        assert names(path.parent) == [path.name]
        return noticed

    def test_whole_pages(self, tmp_path, sound):
        kept, digest, log = sound
        path = tmp_path / "tally.ophex"
        noticed = 0
        pages = kept.stat().st_size // 4096
        for page in range(1, pages):
            data = bytearray(kept.read_bytes())
            data[page * 4096 : page * 4096 + 4096] = random.Random(page).randbytes(4096)
            path.write_bytes(data)
            noticed += self.judge(path, digest, log)
        assert noticed >= (pages - 1) * 0.9

    def test_single_bytes(self, tmp_path, sound):
        kept, digest, log = sound
        path = tmp_path / "tally.ophex"
        luck = random.Random(5)
        noticed = 0
        for _ in range(BYTES):
            data = bytearray(kept.read_bytes())
            place = luck.randrange(100, len(data))
            data[place] ^= luck.randrange(1, 256)
            path.write_bytes(data)
            noticed += self.judge(path, digest, log)
        assert noticed > BYTES / 3  # the rest fell on free space, or on the written times

    def test_cut_anywhere(self, tmp_path, sound):
        kept, digest, log = sound
        path = tmp_path / "tally.ophex"
        for size in range(0, kept.stat().st_size, 4096 - 7):
            path.write_bytes(kept.read_bytes()[:size])
            assert self.judge(path, digest, log)


class TestMaking:
    def test_what_is_there_already_is_not_touched(self, tmp_path):
        path = tmp_path / "tally.ophex"
        for make in (empty, folder, text):
            make(path)
            before = everything(tmp_path)
            with pytest.raises(CampaignError, match="already exists; nothing was changed"):
                new(path)
            assert everything(tmp_path) == before
            path.rmdir() if path.is_dir() else path.unlink()

    def test_a_link_that_leads_nowhere_is_not_replaced(self, tmp_path):
        path = tmp_path / "tally.ophex"
        path.symlink_to(tmp_path / "nowhere")
        with pytest.raises(CampaignError, match="already exists; nothing was changed"):
            new(path)
        assert names(tmp_path) == ["tally.ophex"]

    def test_a_file_that_appears_meanwhile_is_not_replaced(self, tmp_path, monkeypatch):
        path = tmp_path / "tally.ophex"
        real = os.path.lexists
        monkeypatch.setattr(os.path, "lexists", lambda p: path.write_text("mine") and False if p == path else real(p))
        with pytest.raises(CampaignError, match="already exists; nothing was changed"):
            new(path)
        assert path.read_text() == "mine"
        assert names(tmp_path) == ["tally.ophex"]

    def test_a_file_system_without_links(self, tmp_path, monkeypatch):
        def no_links(*_):
            raise OSError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", no_links)
        played(tmp_path / "tally.ophex")
        assert names(tmp_path) == ["tally.ophex"]

    def test_the_folder_must_be_there(self, tmp_path):
        with pytest.raises(CampaignError, match="cannot be created: No such file or directory"):
            new(tmp_path / "no" / "tally.ophex")

    def test_a_failure_half_way_leaves_nothing(self, tmp_path):
        def fails(_db):
            raise sqlite3.OperationalError("halt")

        with pytest.raises(CampaignError):
            Store.create(tmp_path / "x", (), {}, beginning(), Schema((*CURRENT.steps, fails)))
        assert names(tmp_path) == []

    def test_the_marks_of_the_file(self, tmp_path):
        header = played(tmp_path / "tally.ophex").read_bytes()[:100]
        assert header[:16] == b"SQLite format 3\0"
        assert header[18:20] == b"\2\2"  # write-ahead log
        assert int.from_bytes(header[60:64], "big") == CURRENT.version
        assert header[68:72] == b"OPHX"


def beginning():
    return Entry(0, None, Input("begin", "", ""), "[]", "d", "h", "2030-01-01T00:00:00+00:00")


class TestMigration:
    """Files of every earlier schema are kept in `kept/`, each with the game of `played`."""

    @staticmethod
    def second(db):
        """A step as a later version might take it: a column, and a table made anew."""
        db.execute("ALTER TABLE entry ADD COLUMN note TEXT NOT NULL DEFAULT ''")
        db.table("snapshot").transform(rename={"bytes": "image"})

    @staticmethod
    def falls_over(db):
        db.execute("ALTER TABLE entry ADD COLUMN other TEXT")
        db.execute("ALTER TABLE nothing ADD COLUMN other TEXT")

    @pytest.mark.parametrize("kept", sorted(KEPT.glob("*.ophex")), ids=lambda path: path.stem)
    def test_every_kept_file_opens_and_plays_on(self, tmp_path, kept):
        path = tmp_path / kept.name
        shutil.copy(kept, path)
        with reopen(path) as campaign:
            assert campaign.game.total == 25
            assert campaign.redo().number == 6
            assert campaign.game.total == 31
            campaign.offer(do("add 9", "blue"))
            assert campaign.verify().ok
        assert int.from_bytes(path.read_bytes()[60:64], "big") == CURRENT.version

    def test_there_is_a_kept_file_of_each_version(self):
        versions = {int.from_bytes(path.read_bytes()[60:64], "big") for path in KEPT.glob("*.ophex")}
        assert versions == set(range(1, CURRENT.version + 1))

    def test_an_older_file_is_brought_up_to_date(self, tmp_path):
        path = tmp_path / "tally.ophex"
        shutil.copy(KEPT / "schema-1.ophex", path)
        later = Schema((*CURRENT.steps[:1], self.second))
        store = Store.open(path, schema=later)
        assert store.last() == 6
        assert store._execute("SELECT note FROM entry WHERE number = 6").fetchone() == ("",)
        assert store.complaints() == []
        store.close()
        assert int.from_bytes(path.read_bytes()[60:64], "big") == 2
        Store.open(path, schema=later).close()  # and once more, with nothing to do
        with contextlib.closing(sqlite3.connect(path)) as db:
            steps = [name for (name,) in db.execute("SELECT name FROM _sqlite_migrations ORDER BY id")]
        assert steps == ["to version 1", "to version 2"]

    def test_a_step_that_fails_leaves_the_file_as_it_was(self, tmp_path):
        path = tmp_path / "tally.ophex"
        shutil.copy(KEPT / "schema-1.ophex", path)
        before = everything(tmp_path)
        with pytest.raises(CampaignError):
            Store.open(path, schema=Schema((*CURRENT.steps[:1], self.second, self.falls_over)))
        assert everything(tmp_path) == before

    def test_an_older_file_that_another_session_upgrades_while_its_tables_are_read(self, tmp_path):
        """The version of before with the tables of after would be a damaged file."""
        path = tmp_path / "tally.ophex"
        shutil.copy(KEPT / "schema-1.ophex", path)
        later = Schema((*CURRENT.steps[:1], self.second))
        connection = connect(path)

        def meanwhile(said):
            if "sqlite_schema" in said:
                connection.set_trace_callback(None)
                Store.open(path, schema=later).close()

        connection.set_trace_callback(meanwhile)
        look_through(connection, path, later)
        connection.close()
        Store.open(path, schema=later).close()

    def test_two_sessions_that_open_an_older_file_at_once(self, tmp_path):
        path = tmp_path / "tally.ophex"
        shutil.copy(KEPT / "schema-1.ophex", path)
        later = Schema((*CURRENT.steps[:1], self.second))
        failures = []

        def session():
            try:
                Store.open(path, schema=later).close()
            except BaseException as error:  # noqa: BLE001 - told by the main thread
                failures.append(error)

        threads = [threading.Thread(target=session) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []

    def test_a_newer_version_that_is_still_in_the_log(self, tmp_path):
        """A newer program was killed right after its migration: the header of the file still contains the old version."""
        path = played(tmp_path / "tally.ophex")
        store = Store.open(path, schema=Schema((*CURRENT.steps, self.second)))
        assert int.from_bytes(path.read_bytes()[60:64], "big") == CURRENT.version
        with pytest.raises(CampaignError, match="newer ophex"):
            reopen(path)
        store.close()


def test_the_default_settings_are_those_of_the_record(tmp_path):
    with Campaign.create(tmp_path / "x", DOCUMENTS, SETTINGS, start) as campaign:
        pragma = {
            name: campaign._store._execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "application_id", "user_version")
        }
    assert pragma == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "application_id": 0x4F504858,
        "user_version": CURRENT.version,
    }


def test_a_dead_sessions_log_is_not_played_into_a_new_file(tmp_path: Path) -> None:
    """SQLite would take a left-over `-wal` for the new file's own."""
    path = tmp_path / "x.ophex"
    (tmp_path / "x.ophex-wal").write_bytes(b"an old log")
    with pytest.raises(CampaignError, match="left over"):
        Campaign.create(path, DOCUMENTS, SETTINGS, start)
    assert not path.exists()
    assert (tmp_path / "x.ophex-wal").read_bytes() == b"an old log"
