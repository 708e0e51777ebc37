"""Letters and packets while a battle is fought at the table: its result is the umpire's to enter, and the rest of a letter waits."""

from datetime import UTC, datetime

import pytest

from campaigns.desk.commanders import is_asked, set_commander
from campaigns.desk.packets import packet_of
from campaigns.desk.states import standings
from campaigns.report import Wanted, report_of
from interpreter.messages.inputs import Input
from tests.campaigns.skirmishes import at_the_table, campaign_of
from tests.desk.outposts import arrived, sent, texts
from ui.wording.letters import receipt, report, template

ATTACK = ("attack a against 0303", "answer fought with at-table")
RESULT = (
    ("outcome", "a unhurt"),
    ("outcome", "x damaged, y destroyed"),
    ("ground-held", "yes"),
    ("wheels-lost", "none"),
    ("wheels-lost", "none"),
)


@pytest.fixture
def campaign(tmp_path):
    with campaign_of(tmp_path) as made:
        yield made


def fates(intake):
    return [one.fate for one in intake.judged]


def test_a_done_after_the_order_that_begins_a_battle_at_the_table_waits_for_its_result(campaign):
    """It was refused: it was said to need an answer that only the table knows."""
    intake = sent(campaign, arrived("red", *ATTACK, "done"))
    assert fates(intake) == ["waiting"]
    assert texts(campaign) == [("red", "do", "attack a against 0303"), ("red", "answer", "at-table")]
    said = receipt("red", intake.judged, campaign.game.view("red"))
    assert "The rest is tried when the battle at the table is over." in said
    assert "Still awaited from you:\n  nothing now; your battle is being fought at the table" in said
    [state] = standings(campaign, datetime.now(UTC), ["red"])
    assert (state.state, state.awaited) == ("confirmed", ())
    for name, text in RESULT:  # some of it is asked of blue
        assert fates(sent(campaign)) == []
        campaign.offer(Input("answer", "umpire", text, name))
    assert fates(sent(campaign)) == ["taken"]
    assert texts(campaign)[-1] == ("red", "do", "done")


@pytest.mark.parametrize(
    "answer", ["answer outcome with a unhurt, x destroyed, y destroyed", "answer a unhurt, x destroyed, y destroyed"]
)
def test_a_side_cannot_write_the_result_of_its_battle(campaign, answer):
    first = sent(campaign, arrived("red", *ATTACK, answer))
    assert fates(first) == ["refused"]
    assert [one.message for one in first.judged[0].faults] == ["outcome is decided at the table."]
    later = sent(
        campaign, arrived("red", *ATTACK, "done", "answer outcome with a unhurt, x unhurt, y unhurt", file="red-2.txt")
    )
    assert fates(later) == ["refused"]
    at_the_table(campaign)
    alone = sent(campaign, arrived("red", answer, file="red-3.txt"))
    assert fates(alone) == ["refused"]
    assert [(one.kind, one.side) for one in campaign.game.awaiting] == [("question", "red")]


def test_a_packet_says_that_the_battle_is_at_the_table_and_asks_nothing(campaign):
    at_the_table(campaign)
    packet = packet_of(campaign, "red")
    assert (packet.awaited, packet.answers) == ((), {})
    assert "your battle is being fought at the table" in template(packet).replace("\n#      ", "")
    assert "answer outcome" not in template(packet)
    assert "This is decided at the table." in report(campaign, packet).replace("\n    ", " ")
    assert [one.mine for one in report_of(campaign, "red", Wanted()).due] == [False]
    [state] = standings(campaign, datetime.now(UTC), ["red"])
    assert (state.state, state.awaited) == ("given", ())


def test_a_commander_is_not_asked_for_it_either(campaign):
    who = set_commander(campaign, "red", "tom", ["a"])
    at_the_table(campaign)
    [asked] = campaign.game.awaiting
    assert asked.at_table
    assert not is_asked(campaign.game, who, asked)
