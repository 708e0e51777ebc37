"""Letters of which the umpire, or their side, has taken something back: what is in effect, and what is given again."""

import pytest

from campaigns.play.giving_again import give_otherwise
from interpreter.messages.inputs import Input
from tests.desk.outposts import arrived, begun, sent, texts
from ui.wording.letters import judged_lines

AIMS = ("aim b-1 to 2", "aim b-2 to 3")


@pytest.fixture
def campaign(tmp_path):
    with begun(tmp_path) as campaign:
        yield campaign
        assert campaign.verify().ok


def fates(intake):
    return [one.fate for one in intake.judged]


def aims(campaign):
    return [campaign.game.explain(f"aim of {name}").value for name in ("b-1", "b-2", "b-3")]


@pytest.mark.parametrize("file", ["blue.txt", "blue-2.txt"])
def test_the_end_of_a_letter_that_the_umpire_took_back_is_given_again(campaign, file):
    """It was said to remain in effect."""
    sent(campaign, arrived("blue", *AIMS))
    campaign.undo()
    (judged,) = sent(campaign, arrived("blue", *AIMS, file=file)).judged
    assert (judged.fate, judged.tray.stands, aims(campaign)) == ("taken", 1, ["2", "3", "0"])
    assert [text for _, _, text in texts(campaign)] == list(AIMS)
    assert fates(sent(campaign, arrived("blue", *AIMS, file=file))) == ["known"]


def test_what_a_side_took_back_itself_does_not_remain_in_effect(campaign):
    sent(campaign, arrived("blue", *AIMS))
    campaign.take_back("blue")
    assert aims(campaign) == ["2", "0", "0"]
    assert fates(sent(campaign, arrived("blue", *AIMS, file="blue-2.txt"))) == ["taken"]
    assert aims(campaign) == ["2", "3", "0"]


def test_orders_that_had_waited_and_were_taken_back_are_given_again(campaign):
    letter = arrived("blue", "aim b-1 to 2", "done", "step b-1 to 0201", "step b-2 to 0402")
    sent(campaign, letter)
    campaign.offer(Input("do", "red", "done"))
    assert fates(sent(campaign)) == ["taken"]
    campaign.undo(3)
    campaign.offer(Input("do", "red", "done"))
    assert fates(sent(campaign, letter)) == ["taken"]
    assert [text for _, _, text in texts(campaign)] == [
        "aim b-1 to 2", "done", "done", "step b-1 to 0201", "step b-2 to 0402",
    ]  # fmt: skip


def test_what_the_umpire_replaced_is_not_said_to_remain_in_effect_and_not_given_again(campaign):
    sent(campaign, arrived("blue", *AIMS, "aim b-3 to 1"))
    give_otherwise(campaign, 1, 2, [Input("do", "blue", "aim b-2 to 5")])
    assert fates(sent(campaign, arrived("blue", *AIMS, "aim b-3 to 1"))) == ["known"]
    (judged,) = sent(campaign, arrived("blue", *AIMS, "aim b-3 to 1", file="blue-2.txt")).judged
    assert list(judged_lines(judged)) == [
        "blue-2.txt: the same orders as before; what was not taken back remains in effect.",
        "  line 2: aim b-2 to 3 [taken back; not in effect]",
    ]
    (judged,) = sent(campaign, arrived("blue", *AIMS, "aim b-3 to 4", file="blue-3.txt")).judged
    assert (judged.fate, aims(campaign)) == ("taken", ["2", "5", "4"])
    assert "  line 2: aim b-2 to 3 [the umpire has taken it back]" in list(judged_lines(judged))
    (judged,) = sent(campaign, arrived("blue", *AIMS, "aim b-3 to 2", file="blue-4.txt")).judged
    assert (judged.fate, aims(campaign)) == ("taken", ["2", "5", "2"])
    (judged,) = sent(campaign, arrived("blue", "aim b-1 to 2", "aim b-3 to 3", file="blue-5.txt")).judged
    assert (judged.fate, aims(campaign)) == ("taken", ["2", "5", "3"])


def test_the_umpire_may_take_back_the_replacement_as_well(campaign):
    letter = arrived("blue", *AIMS)
    sent(campaign, letter)
    give_otherwise(campaign, 1, 2, [Input("do", "blue", "aim b-2 to 5")])
    campaign.offer(Input("override", "umpire", "rank of b-3 = 2", "a ruling"))
    give_otherwise(campaign, 0, 1)
    assert fates(sent(campaign, letter)) == ["known"]
    campaign.undo(2)
    assert fates(sent(campaign, letter)) == ["taken"]
    assert aims(campaign) == ["2", "3", "0"]


def test_a_letter_that_is_in_effect_again_is_replaced_once_more(campaign):
    """The orders of the later letter were given beside those of the earlier one."""
    later = arrived("blue", "aim b-2 to 3", file="blue-2.txt")
    sent(campaign, arrived("blue", "aim b-1 to 2"))
    sent(campaign, later)
    campaign.undo(2)
    assert aims(campaign) == ["2", "0", "0"]
    assert fates(sent(campaign, later)) == ["taken"]
    assert aims(campaign) == ["0", "3", "0"]


def test_what_an_earlier_letter_gave_is_not_given_again_by_the_third(campaign):
    campaign.offer_all([Input("do", side, "done") for side in ("blue", "red")])
    for number, goal in enumerate(("0201", "0102", "0201"), 1):
        (judged,) = sent(
            campaign, arrived("blue", "gamble b-1", f"step b-1 to {goal}", file=f"blue-{number}.txt")
        ).judged
        assert (judged.fate, judged.tray.stands if number > 1 else 1) == ("taken", 1), number
    assert [text for _, kind, text in texts(campaign) if kind == "do"].count("gamble b-1") == 1


def test_a_letter_may_be_taken_back_and_read_again_more_than_once(campaign):
    """The second time it was only said to have been read already."""
    for _ in range(3):
        assert fates(sent(campaign, arrived("blue", *AIMS))) == ["taken"]
        campaign.undo(2)
