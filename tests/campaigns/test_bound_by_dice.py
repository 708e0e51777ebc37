"""A player who gives several commands at once cannot try out the dice: a command that has led to a roll stays given."""

import json

import pytest

from campaigns.file.errors import RefusedAt
from interpreter.messages.inputs import Input
from tests.campaigns.volleys import campaign_of
from ui.main import main


def given(*texts):
    return [Input("do", "blue", text) for text in texts]


def test_what_comes_before_a_refusal_stands_where_its_dice_have_fallen(tmp_path):
    with campaign_of(tmp_path, dice="seeded") as campaign:
        with pytest.raises(RefusedAt) as caught:
            campaign.give(given("muster a", "muster nobody"), bound=True)
        assert (caught.value.position, caught.value.taken, campaign.head) == (1, 1, 1)
        assert [e.kind for e in campaign.log()[0].events].count("roll") == 2
        again = campaign.head, campaign.game.digest()
        with pytest.raises(RefusedAt) as caught:
            campaign.give(given("muster nobody", "muster b"), bound=True)
        assert (caught.value.taken, (campaign.head, campaign.game.digest())) == (0, again)


def test_the_umpire_has_it_whole_or_not_at_all(tmp_path):
    with campaign_of(tmp_path, dice="seeded") as campaign:
        before = campaign.game.digest()
        with pytest.raises(RefusedAt) as caught:
            campaign.give(given("muster a", "muster nobody"))
        assert (caught.value.taken, campaign.head, campaign.game.digest()) == (0, 0, before)


def test_the_command_says_so(tmp_path, capsys):
    with campaign_of(tmp_path, dice="seeded") as campaign:
        path = str(campaign.path)
    assert main(["do", path, "--as", "blue", "muster a", "muster nobody"]) == 1
    assert "What comes before it was recorded (1 command), because dice were rolled for it." in capsys.readouterr().err
    assert main(["do", path, "--as", "blue", "muster b", "muster nobody", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["refused"]["taken"] == 1
