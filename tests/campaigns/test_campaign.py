"""Playing a campaign: accepted inputs are recorded, refused ones leave no trace, undo and redo move the head."""

import hashlib
import json
import math
import pickle
import shutil
import sqlite3
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from campaigns.file.errors import CampaignError, RefusedAt, Stale
from campaigns.file.history import Document
from campaigns.play.campaign import Campaign, TreeLine, backup_file
from interpreter.messages.inputs import Input, Refused, RuleFailure
from interpreter.runtime.refusals import Refusal, Why
from tests.as_recorded import recorded
from tests.campaigns.toy import DOCUMENTS, SETTINGS, Clock, Tally, do, new, reopen, start


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tally.ophex"


@pytest.fixture
def campaign(path):
    with new(path) as campaign:
        yield campaign


def names(folder):
    return [p.name for p in folder.iterdir()]


def texts(campaign):
    return [entry.input.text for entry in campaign.log()]


def total_in_file(path):
    with reopen(path) as campaign:
        return campaign.game.total


class TestOffering:
    def test_an_accepted_input_returns_its_events_and_is_in_the_log(self, campaign):
        events = campaign.offer(do("add 5"))
        assert events == [recorded("change", "The number is 15.", "red", "all", ("TOY-2",), {"by": 5})]
        (entry,) = campaign.log()
        assert (entry.number, entry.parent, entry.input, entry.on_path) == (1, 0, do("add 5"), True)
        assert list(entry.events) == events
        assert entry.digest == campaign.game.digest()
        assert entry.time == "2030-01-01T00:00:02+00:00"

    def test_an_accepted_input_is_in_the_file_before_offer_returns(self, campaign, path):
        campaign.offer(do("add 5"))
        assert total_in_file(path) == 15

    def test_a_question_survives_closing(self, path):
        with new(path) as campaign:
            campaign.offer(do("ask"))
        with reopen(path) as campaign:
            assert [awaited.name for awaited in campaign.game.awaiting] == ["how-many"]
            campaign.offer(Input("answer", "red", "3", "how-many"))
            assert campaign.game.total == 13

    def test_dice_are_inputs(self, path):
        with new(path) as campaign:
            campaign.offer_all([do("throw"), Input("roll", "umpire", "6 5")])
        assert total_in_file(path) == 21

    def test_a_refusal_leaves_machine_and_file_unchanged(self, campaign, path):
        campaign.offer(do("add 1"))
        before = path.read_bytes(), path.with_name(path.name + "-wal").read_bytes()
        machine = campaign.game
        with pytest.raises(Refused) as caught:
            campaign.offer(do("add 10"))
        assert type(caught.value) is Refused
        assert caught.value.cites == ("TOY-1",)
        assert campaign.game is machine
        assert (path.read_bytes(), path.with_name(path.name + "-wal").read_bytes()) == before

    def test_rules_that_fail_are_not_recorded_and_the_machine_is_made_again(self, campaign):
        campaign.offer(do("add 1"))
        with pytest.raises(RuleFailure):
            campaign.offer(do("fail"))
        assert campaign.game.total == 11
        assert texts(campaign) == ["add 1"]
        campaign.offer(do("add 2"))
        assert campaign.verify().ok

    def test_events_that_cannot_be_written_are_not_recorded(self, campaign):
        with pytest.raises(Refused, match="UTF-8"):
            campaign.offer(do("babble"))
        assert campaign.game.total == 10
        assert campaign.log() == []

    def test_inputs_keep_every_character(self, path):
        class Parrot:
            awaiting = ()
            said = ""

            def offer(self, given):
                self.said += given.text
                return ()

            def digest(self):
                return str(len(self.said))

            def snapshot(self):
                return None

        odd = "a\0b\u2028\n\"'\\ 𝔘 \x1f"
        starter = lambda *_: Parrot()  # noqa: E731 - as a script would write it
        with Campaign.create(path, (), {}, starter) as campaign:
            campaign.offer(Input("do", "red", odd))
        with Campaign.open(path, starter) as campaign:
            assert campaign.game.said == odd
            assert campaign.verify().ok


class TestLeakingRefusals:
    """A machine that changes its state although it refuses an input, which no machine should do."""

    class Leaking(Tally):
        def offer(self, given):
            if given.text == "leak":
                self.total += 1000
                raise Why.NOT_NOW("It is refused, but something was left behind.")
            return super().offer(given)

    def test_what_a_refusal_leaves_behind_is_never_recorded(self, path):
        def starter(_documents, settings, snapshot):
            machine = start(DOCUMENTS, settings, snapshot)
            return self.Leaking(machine.total, machine.seed, machine.steps)

        with Campaign.create(path, DOCUMENTS, SETTINGS, starter) as campaign:
            campaign.offer(do("add 5"))
            with pytest.raises(Refused):
                campaign.offer(do("leak"))
            assert campaign.game.total == 15
            campaign.offer(do("add 1"))
            assert campaign.verify().ok

    def test_a_snapshot_that_leads_elsewhere_is_not_kept(self, path):
        class Forgetful(Tally):
            def snapshot(self):
                return json.dumps([self.total + 1, self.steps]).encode()

        def starter(documents, settings, snapshot):
            machine = start(documents, settings, snapshot)
            return Forgetful(machine.total, machine.seed, machine.steps)

        with Campaign.create(path, DOCUMENTS, SETTINGS, starter, snapshot_every=1) as campaign:
            campaign.offer(do("add 5"))
        with sqlite3.connect(path) as db:
            assert db.execute("SELECT count(*) FROM snapshot").fetchone() == (0,)


class TestOfferingSeveral:
    def test_all_are_recorded_together(self, campaign):
        campaign.offer_all([do("add 1"), do("ask"), Input("answer", "red", "2", "how-many")])
        assert campaign.game.total == 13
        assert [(e.number, e.parent) for e in campaign.log()] == [(3, 2), (2, 1), (1, 0)]

    def test_one_refusal_refuses_all_and_says_which(self, campaign, path):
        campaign.offer(do("add 1"))
        with pytest.raises(RefusedAt) as caught:
            campaign.offer_all([do("add 2"), do("add 3"), do("add 99"), do("add 4")])
        assert caught.value.position == 2
        assert campaign.game.total == 11
        assert total_in_file(path) == 11
        assert texts(campaign) == ["add 1"]

    def test_nothing_to_offer_is_nothing_done(self, campaign):
        assert campaign.offer_all([]) == []
        assert campaign.log() == []

    def test_the_refusal_can_be_pickled(self):
        again = pickle.loads(pickle.dumps(RefusedAt(Refusal("No.", ("A",), hint="Try."), 3)))
        assert (again.message, again.cites, again.hint, again.position) == ("No.", ("A",), "Try.", 3)


class TestPreview:
    def test_it_tells_what_would_happen_and_records_nothing(self, campaign, path):
        campaign.offer(do("add 1"))
        promised = campaign.preview(do("lucky"))
        assert campaign.game.total == 11
        assert texts(campaign) == ["add 1"]
        assert campaign.offer(do("lucky")) == promised

    def test_it_refuses_what_would_be_refused(self, campaign):
        with pytest.raises(Refused):
            campaign.preview(do("add 0"))


class TestUndoAndRedo:
    def test_undo_takes_back_one_input_and_redo_returns_it(self, campaign, path):
        campaign.offer_all([do("add 1"), do("add 2"), do("add 3")])
        assert campaign.undo().number == 2
        assert campaign.game.total == total_in_file(path) == 13
        assert campaign.redo().number == 3
        assert campaign.game.total == total_in_file(path) == 16

    def test_several_steps_back_and_forward_one_by_one(self, campaign):
        campaign.offer_all([do(f"add {n}") for n in range(1, 10)])
        assert campaign.undo(9).number == 0
        assert campaign.game.total == 10
        assert [campaign.redo().number for _ in range(9)] == list(range(1, 10))
        assert campaign.game.total == 55

    def test_nothing_is_deleted(self, campaign):
        campaign.offer_all([do("add 1"), do("add 2")])
        campaign.undo(2)
        assert [(e.input.text, e.on_path) for e in campaign.log()] == [("add 2", False), ("add 1", False)]

    def test_a_new_input_after_undo_makes_a_branch(self, campaign):
        campaign.offer_all([do("add 1"), do("add 2"), do("add 3")])
        campaign.undo(2)
        campaign.offer(do("add 9"))
        assert [(e.number, e.parent, e.on_path) for e in campaign.log()] == [
            (4, 1, True),
            (3, 2, False),
            (2, 1, False),
            (1, 0, True),
        ]
        assert campaign.game.total == 20
        with pytest.raises(CampaignError, match="nothing to redo"):
            campaign.redo()

    def test_redo_returns_along_the_branch_last_undone(self, campaign):
        campaign.offer_all([do("add 1"), do("add 2")])
        campaign.undo()
        campaign.offer(do("add 9"))
        campaign.undo(2)
        assert [campaign.redo().number, campaign.redo().number] == [1, 3]

    def test_redo_is_remembered_in_the_file(self, path):
        with new(path) as campaign:
            campaign.offer_all([do("add 1"), do("add 2"), do("add 3")])
            campaign.undo(2)
        with reopen(path) as campaign:
            campaign.redo()
            assert campaign.redo().number == 3

    def test_undo_goes_back_into_a_pending_question(self, campaign):
        campaign.offer_all([do("ask"), Input("answer", "red", "3", "how-many")])
        campaign.undo()
        assert campaign.game.pending == "red"
        campaign.offer(Input("answer", "red", "1", "how-many"))
        assert campaign.game.total == 11

    def test_a_refusal_does_not_forget_what_was_undone(self, campaign):
        campaign.offer(do("add 1"))
        campaign.undo()
        with pytest.raises(Refused):
            campaign.offer(do("add 0"))
        assert campaign.redo().number == 1

    @pytest.mark.parametrize("steps", [0, -1, 3])
    def test_more_steps_than_there_are_change_nothing(self, campaign, steps):
        campaign.offer_all([do("add 1"), do("add 2")])
        with pytest.raises(CampaignError, match="cannot be undone"):
            campaign.undo(steps)
        assert campaign.head == 2

    def test_at_the_beginning_there_is_nothing_to_undo(self, campaign):
        with pytest.raises(CampaignError, match="nothing to undo"):
            campaign.undo()

    def test_any_entry_of_the_tree_can_be_taken_up(self, campaign):
        campaign.offer_all([do("add 1"), do("add 2")])
        campaign.undo()
        campaign.offer(do("add 9"))
        assert campaign.go_to(2).input.text == "add 2"
        assert campaign.game.total == 13
        assert campaign.offer(do("add 1"))
        assert [e.parent for e in campaign.log(1)] == [2]
        with pytest.raises(CampaignError, match="no entry 99"):
            campaign.go_to(99)

    def test_what_hangs_behind_an_undo_is_reached_again_after_a_new_input(self, campaign):
        campaign.offer_all([do("add 1"), do("add 2"), do("add 3")])
        campaign.go_back(1)
        campaign.offer(do("add 9"))
        assert campaign.lines() == [TreeLine(4, 4, 2, 0, is_here=True), TreeLine(3, 1, 3, 2, is_here=False)]
        campaign.go_to(2)
        assert (campaign.game.total, campaign.undone()) == (13, [3])  # redo leads to the end of that line
        assert campaign.redo().number == 3
        assert campaign.lines() == [TreeLine(4, 1, 2, 1, is_here=False), TreeLine(3, 3, 3, 0, is_here=True)]
        assert campaign.verify().ok

    def test_going_back_leaves_the_way_on(self, campaign):
        campaign.offer_all([do("add 1"), do("add 2"), do("add 3")])
        assert campaign.go_back(0).number == 0
        assert campaign.undone() == [1, 2, 3]
        assert campaign.go_to(2).number == 2
        assert campaign.undone() == [3]
        for number, says in ((2, "already"), (3, "not on the current line"), (99, "no entry 99")):
            with pytest.raises(CampaignError, match=says):
                campaign.go_back(number)
        assert campaign.head == 2

    def test_a_state_of_the_past_is_a_machine_of_its_own(self, campaign):
        campaign.offer_all([do("add 1"), do("add 2")])
        past = campaign.state_at(1)
        past.offer(do("add 9"))
        assert (past.total, campaign.game.total, campaign.head) == (20, 13, 2)
        with pytest.raises(CampaignError, match="no entry 3"):
            campaign.state_at(3)

    def test_a_state_that_is_only_looked_at_is_made_once(self, campaign):
        campaign.offer_all([do("add 1"), do("add 2")])
        past = campaign.seen_at(1)
        assert past.total == 11
        assert campaign.seen_at(1) is past
        assert campaign.seen_at(2) is campaign.game
        campaign.offer(do("add 3"))
        assert (campaign.seen_at(1), campaign.seen_at(2).total, campaign.seen_at(3).total) == (past, 13, 16)


class TestLog:
    def test_the_newest_come_first_and_a_limit_is_kept(self, campaign):
        campaign.offer_all([do(f"add {n}") for n in range(1, 6)])
        assert [e.number for e in campaign.log(2)] == [5, 4]
        assert len(campaign.log()) == 5

    def test_entry_0_is_the_beginning(self, campaign):
        beginning = campaign.entry(0)
        assert (beginning.parent, beginning.input.kind, beginning.events) == (None, "begin", ())

    def test_the_written_time_is_no_part_of_the_hashes(self, tmp_path):
        ends = []
        for name, clock in (("a", Clock()), ("b", lambda: datetime(1999, 5, 5, tzinfo=UTC))):
            with new(tmp_path / name, clock=clock) as campaign:
                campaign.offer_all([do("add 1"), do("lucky")])
                ends.append(campaign.log(1)[0])
        assert ends[0].time != ends[1].time
        assert ends[0].hash == ends[1].hash


class TestSessions:
    """Two sessions on one file: neither forks the campaign without noticing."""

    def test_the_second_to_write_is_told_and_nothing_of_it_is_recorded(self, campaign, path):
        with reopen(path) as other:
            other.offer(do("add 9", "blue"))
            with pytest.raises(Stale) as caught:
                campaign.offer(do("add 1"))
            assert caught.value.message == "Another session has moved the campaign on. Your input was not recorded."
            assert caught.value.hint
            assert texts(other) == ["add 9"]

    def test_the_machine_then_shows_the_new_situation(self, campaign, path):
        with reopen(path) as other:
            other.offer(do("add 9", "blue"))
        with pytest.raises(Stale):
            campaign.offer(do("add 1"))
        assert campaign.game.total == 19
        campaign.offer(do("add 1"))
        assert campaign.game.total == total_in_file(path) == 20

    @pytest.mark.parametrize("act", [Campaign.undo, Campaign.redo, lambda c: c.go_to(1)])
    def test_moving_the_head_is_stale_too(self, campaign, path, act):
        campaign.offer_all([do("add 1"), do("add 2"), do("add 3")])
        campaign.undo()
        with reopen(path) as other:
            other.offer(do("add 9"))
        with pytest.raises(CampaignError):
            act(campaign)
        assert campaign.game.total == 22
        assert campaign.head == 4

    def test_an_undo_elsewhere_makes_a_step_stale(self, campaign, path):
        campaign.offer(do("add 1"))
        with reopen(path) as other:
            other.undo()
        with pytest.raises(Stale):
            campaign.offer(do("add 2"))

    def test_a_line_that_was_tried_and_undone_elsewhere_makes_a_step_stale(self, campaign, path):
        with reopen(path) as other:
            other.offer(do("add 9"))
            other.undo()
        with pytest.raises(Stale):
            campaign.offer(do("add 2"))
        campaign.offer(do("add 2"))
        assert campaign.head == 2
        assert campaign.verify().ok

    def test_a_session_can_follow_another(self, campaign, path):
        assert not campaign.refresh()
        with reopen(path) as other:
            other.offer(do("add 9"))
        assert campaign.refresh()
        assert campaign.game.total == 19


class TestSnapshots:
    def count(self, path):
        db = sqlite3.connect(path)
        try:
            return [n for (n,) in db.execute("SELECT entry FROM snapshot ORDER BY entry")]
        finally:
            db.close()

    def spoil(self, path, sql, *values):
        db = sqlite3.connect(path, isolation_level=None)
        try:
            db.execute(sql, values)
        finally:
            db.close()

    def test_one_is_taken_when_enough_entries_have_passed(self, path):
        with new(path) as campaign:
            for _ in range(9):
                campaign.offer(do("add 1"))
        assert self.count(path) == [4, 8]

    def test_none_is_taken_while_the_machine_cannot_give_one(self, path):
        with new(path) as campaign:
            campaign.offer_all([do("add 1"), do("add 1"), do("add 1"), do("ask")])
            assert self.count(path) == []
            campaign.offer(Input("answer", "red", "1", "how-many"))
        assert self.count(path) == [5]

    def test_opening_replays_only_what_came_after(self, path):
        offered = []

        def counting(documents, settings, snapshot):
            machine = start(documents, settings, snapshot)
            offer = machine.offer
            machine.offer = lambda given: offered.append(given) or offer(given)
            return machine

        with new(path) as campaign:
            campaign.offer_all([do("add 1")] * 4)
            campaign.offer(do("add 2"))
        with Campaign.open(path, counting) as campaign:
            assert campaign.game.total == 16
        assert offered == [do("add 2")]

    def test_a_session_looks_back_from_where_it_last_could_take_one_though_none_is_in_the_file(self, path):
        started = []

        def noting(documents, settings, snapshot):
            started.append(snapshot)
            return start(documents, settings, snapshot)

        with Campaign.create(path, DOCUMENTS, SETTINGS, noting) as campaign:
            campaign.offer_all([do("add 1"), do("add 2"), do("add 3")])
            campaign.offer(do("ask"))
            started.clear()
            assert campaign.state_at(4).digest() == campaign.game.digest()
            assert started == [b"[16, 3]"]
            campaign.undo(2)
            campaign.offer(do("add 9"))
            assert campaign.state_at(5).total == 22  # entry 3 is of another branch
            assert campaign.state_at(3).total == 16
        assert self.count(path) == []

    def test_those_of_other_branches_are_not_used(self, path):
        with new(path) as campaign:
            campaign.offer_all([do("add 1")] * 4)
            campaign.undo(3)
            campaign.offer_all([do("add 2"), do("add 2")])
        with reopen(path) as campaign:
            assert campaign.game.total == 15

    def test_deleting_them_loses_nothing(self, path):
        with new(path) as campaign:
            for _ in range(9):
                campaign.offer(do("add 1"))
            campaign.drop_snapshots()
        assert self.count(path) == []
        assert total_in_file(path) == 19

    @pytest.mark.parametrize(
        "sql",
        [
            "UPDATE snapshot SET bytes = x'00'",
            "UPDATE snapshot SET digest = 'no'",
            "UPDATE snapshot SET bytes = NULL, digest = NULL",
            "UPDATE snapshot SET bytes = 'text'",
        ],
    )
    def test_a_bad_one_is_not_used(self, path, sql):
        with new(path) as campaign:
            campaign.offer_all([do("add 1")] * 5)
        try:
            self.spoil(path, sql)
        except sqlite3.IntegrityError:  # the table itself refuses it
            return
        with reopen(path) as campaign:
            assert campaign.game.total == 15
            verdict = campaign.verify()
        assert not verdict.ok
        assert "snapshot at entry 5" in verdict.problems[0]

    @pytest.mark.parametrize("image", [b"[999, 4]", b"not json", b""])
    def test_one_that_was_forged_with_its_digest_is_not_used(self, path, image):
        with new(path) as campaign:
            campaign.offer_all([do("add 1")] * 5)
        self.spoil(path, "UPDATE snapshot SET bytes = ?, digest = ?", image, hashlib.sha256(image).hexdigest())
        assert total_in_file(path) == 15

    def test_a_file_keeps_the_newest_and_others_that_lie_evenly_apart(self, path):
        """Of 300 snapshots it keeps 32: the newest 8, and 24 others from the first on, evenly spaced."""
        with new(path, snapshot_every=1) as campaign:
            for _ in range(300):
                campaign.offer(do("add 1"))
        kept = self.count(path)
        assert len(kept) == 32
        assert kept[-8:] == list(range(293, 301))
        assert kept[0] == 1
        gaps = [after - before for before, after in pairwise(kept[:-8])]
        assert max(gaps) <= 3 * 300 / 24
        with reopen(path) as campaign:
            campaign.undo(299)
            assert campaign.game.total == 11

    def test_those_of_the_way_are_found_beside_those_of_other_lines(self, path):
        """The line is 1, 2, 3 and then 6, 7. The snapshots at 4 and 5 belong to the line that was left."""
        with new(path, snapshot_every=1) as campaign:
            for _ in range(5):
                campaign.offer(do("add 1"))
            campaign.undo(2)
            for _ in range(2):
                campaign.offer(do("add 2"))
            assert [base for base, _ in campaign.store.snapshots(7)] == [7, 6, 3, 2, 1]
            assert [base for base, _ in campaign.store.snapshots(5)] == [5, 4, 3, 2, 1]
            assert [base for base, _ in campaign.store.snapshots(2)] == [2, 1]


class TestFileOnDisk:
    def test_closing_leaves_one_file(self, path):
        with new(path) as campaign:
            campaign.offer(do("add 1"))
        assert names(path.parent) == [path.name]

    def test_looking_changes_no_byte(self, path):
        with new(path) as campaign:
            campaign.offer_all([do("add 1")] * 6)
            campaign.undo()
        before = path.read_bytes(), path.stat().st_mtime_ns
        with reopen(path) as campaign:
            assert campaign.game.total == 15
            assert campaign.log()
            campaign.preview(do("add 2"))
            assert campaign.verify().ok
            with pytest.raises(Refused):
                campaign.offer(do("add 0"))
        assert (path.read_bytes(), path.stat().st_mtime_ns) == before
        assert names(path.parent) == [path.name]

    def test_texts_and_settings_are_in_the_file(self, path):
        new(path).close()
        with reopen(path) as campaign:
            assert campaign.documents == DOCUMENTS
            assert campaign.settings == SETTINGS

    @pytest.mark.parametrize("table", ["entry", "document", "setting"])
    @pytest.mark.parametrize(
        "act", ["DELETE FROM {}", "UPDATE {} SET rowid = rowid", "REPLACE INTO {0} SELECT * FROM {0}"]
    )
    def test_the_record_itself_refuses_to_be_changed(self, path, table, act):
        with new(path) as campaign:
            campaign.offer(do("add 1"))
        db = sqlite3.connect(path)
        db.execute("PRAGMA recursive_triggers = ON")
        with pytest.raises(sqlite3.IntegrityError):
            db.execute(act.format(table))
        db.close()

    def test_a_copy_that_is_no_longer_in_wal_mode_is_written_as_any_other(self, path):
        with new(path) as campaign:
            campaign.offer(do("add 1"))
        db = sqlite3.connect(path)
        copy = path.with_name("copy")
        db.execute("VACUUM INTO ?", (str(copy),))
        db.close()
        with reopen(copy) as campaign:
            campaign.offer(do("add 1"))
            assert campaign.verify().ok
        assert total_in_file(copy) == 12


class TestCopies:
    """A copy of the file alone, as made by a mail program or a file manager."""

    def copied(self, path):
        copy = path.with_name("copy.ophex")
        copy.unlink(missing_ok=True)
        shutil.copyfile(path, copy)
        return total_in_file(copy)

    def test_it_holds_each_input_as_soon_as_it_was_given(self, campaign, path):
        for total in range(11, 15):
            campaign._store._folded_at = -math.inf  # as long after the last as a person takes
            campaign.offer(do("add 1"))
            assert self.copied(path) == total
        campaign._store._folded_at = -math.inf
        campaign.undo(2)
        assert self.copied(path) == 12

    def test_it_holds_what_a_command_gave_while_the_app_is_open(self, campaign, path):
        campaign.offer(do("add 1"))
        with reopen(path) as other:
            other._store._folded_at = math.inf
            other.offer(do("add 2"))
        assert self.copied(path) == 13

    def test_it_holds_what_was_given_in_one_go_once_the_session_looks_again(self, campaign, path):
        campaign._store._folded_at = math.inf
        for _ in range(5):
            campaign.offer(do("add 1"))
        assert self.copied(path) < 15
        campaign.refresh()
        assert self.copied(path) == 15

    def test_a_session_that_reads_just_then_delays_it_and_no_more(self, campaign, path):
        with reopen(path) as other:
            other.offer(do("add 1"))
            campaign.refresh()
            with other._store.consistent():
                other._store.last()
                campaign.offer(do("add 2"))
                assert campaign.game.total == 13
            campaign.refresh()
            assert self.copied(path) == 13

    def test_a_disk_that_fails_at_the_last_sync_is_told_as_uncertain(self, campaign):
        """The input may be in the file: a player who reads that it failed would give it twice."""
        execute = campaign._store._execute

        def failing(sql, *values):
            if sql == "COMMIT":
                error = sqlite3.OperationalError("disk I/O error")
                error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
                raise error
            return execute(sql, *values)

        campaign._store._execute = failing
        with pytest.raises(CampaignError, match="it is uncertain whether your input was recorded") as caught:
            campaign.offer(do("add 1"))
        assert "`ophex log`" in caught.value.hint
        campaign._store._execute = execute
        assert campaign.game.total == 10

    def test_a_disk_that_fails_just_then_fails_no_input(self, campaign):
        fold = campaign._store._execute

        def failing(sql, *values):
            if "checkpoint" in sql:
                raise sqlite3.OperationalError("disk I/O error")
            return fold(sql, *values)

        campaign._store._execute = failing
        campaign.offer(do("add 1"))
        assert campaign.game.total == 11


class TestBackup:
    def test_of_a_file_that_is_open(self, campaign, path):
        campaign._store._folded_at = math.inf
        campaign.offer(do("add 1"))
        copy = path.with_name("copy.ophex")
        entry, entries = backup_file(path, copy)
        assert (entry.number, entry.hash, entries) == (1, campaign.entry(1).hash, 1)
        assert total_in_file(copy) == 11

    def test_a_copy_is_a_campaign_of_its_own(self, campaign, path):
        campaign.offer_all([do("add 1"), do("add 2")])
        campaign.undo()
        copy = path.with_name("copy.ophex")
        campaign.backup(copy)
        campaign.offer(do("add 9"))
        with reopen(copy) as other:
            assert other.log() == campaign.log()[1:]
            assert (other.game.total, other.redo().number) == (11, 2)
            assert other.verify().ok

    def test_it_replaces_nothing(self, campaign, path):
        before = path.read_bytes()
        with pytest.raises(CampaignError, match="already exists; nothing was changed"):
            campaign.backup(path)
        with pytest.raises(CampaignError, match="cannot be created"):
            campaign.backup(path / "below")
        assert path.read_bytes() == before

    def test_it_leaves_one_file(self, path):
        with new(path) as campaign:
            campaign.backup(path.with_name("copy.ophex"))
        assert sorted(names(path.parent)) == ["copy.ophex", "tally.ophex"]


class TestCreating:
    def test_two_texts_of_one_name_are_refused(self, path):
        twice = [Document("a", "rule", "x"), Document("a", "map", "y")]
        with pytest.raises(CampaignError, match="Two texts of the campaign are named a"):
            Campaign.create(path, twice, {}, start)
        assert names(path.parent) == []

    def test_a_game_that_does_not_start_leaves_nothing(self, path):
        def broken(*_):
            raise RuleFailure("x", 1, "It fell over.")

        with pytest.raises(RuleFailure):
            Campaign.create(path, DOCUMENTS, SETTINGS, broken)
        assert names(path.parent) == []

    def test_the_same_campaign_has_the_same_beginning(self, tmp_path):
        hashes = set()
        for name in "ab":
            with new(tmp_path / name) as campaign:
                hashes.add(campaign.entry(0).hash)
        with Campaign.create(tmp_path / "c", DOCUMENTS, {**SETTINGS, "note": 1}, start) as campaign:
            assert campaign.entry(0).hash not in hashes
        assert len(hashes) == 1

    def test_settings_mean_the_same_before_and_after_they_were_written(self, path):
        odd = {**SETTINGS, "numbers": {10: "ten", 9: "nine"}, "pair": (1, 2)}
        with Campaign.create(path, DOCUMENTS, odd, start) as campaign:
            assert campaign.verify().ok
            assert campaign.settings == json.loads(json.dumps(odd))
