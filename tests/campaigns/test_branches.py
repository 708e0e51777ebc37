"""Named branches, batches, and giving later inputs again, on the toy game."""

import pytest

from campaigns.file.errors import CampaignError, RefusedAt, Stale
from campaigns.play.giving_again import file_of, give_otherwise, undo_file
from campaigns.play.named_branches import MAIN, adopt, begin_branch, branch_of, branches, drop, here, switch, told_apart
from campaigns.play.together import Batch, batches
from interpreter.messages.inputs import Input
from tests.campaigns.tampering import tamper
from tests.campaigns.toy import do, new, reopen


@pytest.fixture
def campaign(tmp_path):
    """The number begins at 10; entries 1 to 6 add 1 to 6, of which 3 and 4 came in one file."""
    with new(tmp_path / "tally.ophex") as campaign:
        campaign.offer(do("add 1"))
        campaign.offer(do("add 2", "blue"))
        campaign.offer_all([do("add 3"), do("add 4")], source="red.txt")
        campaign.offer(do("add 5", "blue"))
        campaign.offer(do("add 6"))
        yield campaign


def texts(campaign):
    return [campaign.entry(n).input.text for n in campaign.between(0, campaign.head)]


class TestFiles:
    def test_the_record_knows_what_came_together(self, campaign):
        assert batches(campaign.store, 0, 6) == [Batch(3, 4, "red.txt")]

    def test_several_commands_of_one_line_came_together_one_alone_did_not(self, campaign):
        campaign.offer_all([do("add 1"), do("add 1")])
        campaign.offer_all([do("add 1")])
        campaign.offer_all([do("add 1")], source="one.txt")
        assert batches(campaign.store, 4, 10) == [Batch(7, 8, ""), Batch(10, 10, "one.txt")]

    def test_a_file_is_taken_back_as_a_whole_with_what_came_after_it(self, campaign):
        assert undo_file(campaign, 4).number == 2
        assert campaign.game.total == 13
        assert campaign.undone() == [3, 4, 5, 6]

    def test_what_came_alone_came_with_no_file(self, campaign):
        with pytest.raises(CampaignError, match="Entry 6 came alone") as refused:
            undo_file(campaign)
        assert refused.value.hint == "The last entries that came together are 3 to 4: use `--file 4`."
        campaign.undo(2)
        assert file_of(campaign) == Batch(3, 4, "red.txt")

    def test_an_entry_of_another_line_is_no_entry_of_this_one(self, campaign):
        campaign.undo(4)
        campaign.offer(do("add 9"))
        with pytest.raises(CampaignError, match="Entry 3 is not on the current line"):
            undo_file(campaign, 3)

    def test_at_the_beginning_there_is_nothing(self, tmp_path):
        with new(tmp_path / "x") as campaign, pytest.raises(CampaignError, match="is at its beginning"):
            undo_file(campaign)


class TestGivingAgain:
    def test_a_misheard_order_is_put_right_and_the_rest_given_again(self, campaign):
        again = give_otherwise(campaign, 1, 2, [do("add 9", "blue")])
        assert (again.instead, again.given) == ((7,), ((3, 8), (4, 9), (5, 10), (6, 11)))
        assert texts(campaign) == ["add 1", "add 9", "add 3", "add 4", "add 5", "add 6"]
        assert campaign.game.total == 10 + 1 + 9 + 3 + 4 + 5 + 6
        assert (again.left, again.reason) == ((), "")
        assert again.otherwise == (8, 9, 10, 11)  # each tells another number now
        assert campaign.verify().ok

    def test_what_came_together_is_known_to_have_come_together_again(self, campaign):
        give_otherwise(campaign, 1, 2)
        assert batches(campaign.store, 6, 100) == [Batch(7, 8, "red.txt")]

    def test_a_file_is_left_out_and_the_rest_given_again(self, campaign):
        batch = file_of(campaign, 3)
        again = give_otherwise(campaign, batch.first - 1, batch.last)
        assert [left.number for left in again.taken] == [3, 4]
        assert texts(campaign) == ["add 1", "add 2", "add 5", "add 6"]

    def test_it_stops_at_the_first_that_no_longer_holds_and_loses_nothing(self, campaign):
        again = give_otherwise(campaign, 2, 4, [do("ask", "red")])
        assert again.instead == (7,)
        assert again.given == ()
        assert [(left.number, left.input.text) for left in again.left] == [(5, "add 5"), (6, "add 6")]
        assert again.reason == "'add 5' is not legal now."
        assert again.hint == "Add something."
        assert campaign.game.awaiting[0].name == "how-many"
        assert campaign.head == 7
        assert [line.end for line in campaign.lines()] == [7, 6]
        assert campaign.go_to(6).number == 6
        assert campaign.game.total == 31
        assert campaign.verify().ok

    def test_half_of_it_holds(self, campaign):
        campaign.offer(do("ask", "blue"))
        campaign.offer(Input("answer", "blue", "2", "how-many"))
        campaign.offer(do("add 1"))
        again = give_otherwise(campaign, 6, 7)
        assert [left.number for left in again.left] == [8, 9]
        again = give_otherwise(campaign, 5, 6)
        assert (again.given, campaign.game.total) == ((), 25)

    def test_what_is_given_instead_must_hold_or_nothing_changes(self, campaign):
        with pytest.raises(RefusedAt) as refused:
            give_otherwise(campaign, 2, 4, [do("add 1"), do("add 99")])
        assert refused.value.position == 1
        assert (campaign.head, campaign.game.total, campaign.store.last()) == (6, 31, 6)
        campaign.offer(do("add 1"))
        assert campaign.verify().ok

    @pytest.mark.parametrize(("after", "last"), [(6, 6), (7, 8), (3, 2), (0, 99)])
    def test_entries_that_are_not_there_are_refused(self, campaign, after, last):
        with pytest.raises(CampaignError):
            give_otherwise(campaign, after, last)
        assert campaign.head == 6

    def test_another_session_was_quicker(self, campaign):
        with reopen(campaign.path) as other:
            other.offer(do("add 1"))
        with pytest.raises(Stale):
            give_otherwise(campaign, 2, 4)
        assert campaign.head == 7

    def test_snapshots_are_taken_on_the_new_line_too(self, tmp_path):
        with new(tmp_path / "x", snapshot_every=2) as campaign:
            for n in range(1, 10):
                campaign.offer(do(f"add {n}"))
            give_otherwise(campaign, 3, 4)
            total = campaign.game.total
        with reopen(tmp_path / "x") as campaign:
            assert campaign.game.total == total == 10 + 45 - 4


class TestBranches:
    def test_at_first_there_is_the_main_branch_alone(self, campaign):
        (only,) = branches(campaign)
        assert (only.name, only.entry, only.is_here) == (MAIN, 6, True)
        assert campaign.store.rows([int], "SELECT count(*) FROM branch") == [(0,)]

    def test_a_branch_goes_its_own_way_and_the_main_one_stays(self, campaign):
        begin_branch(campaign, "what-if", at=2)
        assert (here(campaign), campaign.head, campaign.game.total) == ("what-if", 2, 13)
        campaign.offer(do("add 9"))
        switch(campaign, MAIN)
        assert (campaign.head, campaign.game.total) == (6, 31)
        campaign.offer(do("add 1"))
        switch(campaign, "what-if")
        assert (campaign.head, campaign.game.total) == (7, 22)
        found = {one.name: (one.begun, one.entry, one.is_here) for one in branches(campaign)}
        assert found == {MAIN: (0, 8, False), "what-if": (2, 7, True)}
        assert campaign.verify().ok

    def test_what_was_undone_on_a_branch_is_redone_there(self, campaign):
        campaign.undo(2)
        begin_branch(campaign, "aside", at=1)
        campaign.offer(do("add 9"))
        campaign.undo()
        switch(campaign, MAIN)
        assert campaign.undone() == [5, 6]
        switch(campaign, "aside")
        assert campaign.undone() == [7]

    def test_a_branch_is_known_after_reopening(self, campaign):
        begin_branch(campaign, "aside", at=3)
        campaign.close()
        with reopen(campaign.path) as again:
            assert (here(again), again.head) == ("aside", 3)

    def test_a_branch_costs_no_more_than_its_own_inputs(self, campaign):
        before = campaign.store.last()
        for number in range(20):
            begin_branch(campaign, f"b{number}", at=1)
        assert campaign.store.last() == before

    def test_adopting_makes_it_the_main_one_and_keeps_the_other(self, campaign):
        begin_branch(campaign, "better", at=2)
        campaign.offer(do("add 9"))
        main, former = adopt(campaign, "better")
        assert (main.name, main.entry, former) == (MAIN, 7, "main-until-6")
        assert (here(campaign), campaign.head) == (MAIN, 7)
        switch(campaign, former)
        assert campaign.game.total == 31

    def test_a_dropped_branch_is_not_listed_and_can_be_taken_up(self, campaign):
        begin_branch(campaign, "poor", at=2)
        campaign.offer(do("add 9"))
        with pytest.raises(CampaignError, match="The campaign is on the branch poor"):
            drop(campaign, "poor")
        switch(campaign, MAIN)
        drop(campaign, "poor")
        assert [one.name for one in branches(campaign)] == [MAIN]
        assert [one.name for one in branches(campaign, dropped=True)] == [MAIN, "poor"]
        assert campaign.entry(7).input.text == "add 9"
        assert switch(campaign, "poor").role == "aside"
        assert campaign.head == 7

    @pytest.mark.parametrize("name", ["", "main", "MAIN", "7", "a b", "-x", "x" * 61, "ä", "a\nb", "\x1b[2J"])
    def test_names_that_cannot_be_had(self, campaign, name):
        with pytest.raises(CampaignError):
            begin_branch(campaign, name)
        assert campaign.store.rows([int], "SELECT count(*) FROM branch") == [(0,)]

    def test_a_name_is_had_once(self, campaign):
        begin_branch(campaign, "aside")
        with pytest.raises(CampaignError, match="There is already a branch Aside"):
            begin_branch(campaign, "Aside")

    def test_what_is_not_there(self, campaign):
        for wrong in (
            lambda: switch(campaign, "nowhere"),
            lambda: adopt(campaign, "nowhere"),
            lambda: drop(campaign, "nowhere"),
        ):
            with pytest.raises(CampaignError, match=r"There is no branch nowhere\."):
                wrong()
        for wrong in (lambda: switch(campaign, MAIN), lambda: adopt(campaign, MAIN), lambda: drop(campaign, MAIN)):
            with pytest.raises(CampaignError):
                wrong()
        with pytest.raises(CampaignError, match="no entry 99"):
            begin_branch(campaign, "far", at=99)
        assert branch_of(campaign, MAIN).entry == 6

    def test_sides_are_told_of_the_main_branch_alone(self, campaign):
        begin_branch(campaign, "apart", at=2)
        campaign.offer_all([do("add 1"), do("add 2")])
        switch(campaign, MAIN)
        campaign.offer(do("add 3"))
        apart = told_apart(campaign)
        assert [n for n in range(1, 10) if apart(n)] == [7, 8]
        adopt(campaign, "apart")
        campaign.offer(do("add 4"))
        assert [n for n in range(1, 11) if told_apart(campaign)(n)] == [7, 8]

    def test_two_switches_without_an_input_between_them(self, campaign):
        begin_branch(campaign, "a", at=2)
        begin_branch(campaign, "b", at=2)
        campaign.offer(do("add 1"))
        switch(campaign, MAIN)
        switch(campaign, "a")
        switch(campaign, MAIN)
        campaign.offer(do("add 1"))
        assert [n for n in range(1, 9) if told_apart(campaign)(n)] == [7]

    def test_another_session_was_quicker(self, campaign):
        with reopen(campaign.path) as other:
            other.offer(do("add 1"))
        with pytest.raises(Stale):
            begin_branch(campaign, "late", at=2)
        assert campaign.store.rows([int], "SELECT count(*) FROM branch") == [(0,)]


@pytest.mark.parametrize(
    "changed",
    [
        "UPDATE branch SET name = x'ff' WHERE name = 'aside'",
        "UPDATE branch SET tip = 'last' WHERE name = 'aside'",
        "UPDATE branch SET role = 'aside'",
        "UPDATE batch SET last = 'last'",
        "UPDATE batch SET source = x'ff'",
    ],
)
def test_a_forged_row_of_a_branch_or_a_batch_is_reported_as_damage(campaign, changed):
    begin_branch(campaign, "aside")
    switch(campaign, MAIN)
    campaign.close()
    tamper(campaign.path, changed, pragmas=["foreign_keys = OFF"])
    with reopen(campaign.path) as again, pytest.raises(CampaignError, match="is damaged"):
        _ = batches(again.store, 0, 6), adopt(again, "aside")
