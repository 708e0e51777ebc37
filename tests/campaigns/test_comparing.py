"""Two branches side by side: where they part, which things were lost, and what differs."""

import json

from campaigns.amending.comparing_courses import compare
from interpreter.messages.inputs import Input
from tests.campaigns.volleys import VOLLEYS, campaign_of
from ui.main import main


def test_what_differs_is_told_side_by_side(tmp_path):
    with campaign_of(tmp_path, dice="typed") as campaign:
        campaign.offer(Input("do", "blue", "muster a"))
        campaign.offer(Input("roll", "umpire", "1 1"))
        parts = campaign.head
        campaign.offer(Input("do", "red", "muster x"))
        campaign.offer(Input("roll", "umpire", "6 1"))
        first = campaign.head
        campaign.undo(2)
        campaign.offer(Input("override", "umpire", "remove x", "shipwrecked"))
        second = campaign.head
        found = compare(campaign, str(first), str(second))
        assert found.parts == parts
        assert (found.first.entry, found.second.entry) == (first, second)
        assert {side: list(ids) for side, ids in found.second.lost.items() if ids} == {"red": ["x"]}
        assert not any(found.first.lost.values())


def test_the_command_prints_it_and_its_object(tmp_path, capsys):
    with campaign_of(tmp_path, dice="seeded") as campaign:
        campaign.offer(Input("do", "blue", "shoot a"))
        campaign.offer(Input("answer", "blue", "bold", "way"))
        path = str(campaign.path)
    assert main(["compare", path, "main", "0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["parts"] == 0
    assert {"first", "second", "facts", "things", "asked"} <= set(found)
    assert main(["compare", path, "main", "nowhere"]) == 1
    assert "There is no branch" in capsys.readouterr().err


def test_a_thing_that_only_one_branch_has_is_told_in_one_line(tmp_path, capsys):
    """Every status of it was listed, and each of its parts."""
    statuses = "status weak of r (a regiment) = strength of r < 99 [W-1]\nstatus whole of r (a regiment) = losses of r is 0 [W-2]\n"
    with campaign_of(tmp_path, text=f"{statuses}{VOLLEYS}") as campaign:
        campaign.offer(Input("override", "umpire", "remove x", "shipwrecked"))
        found = compare(campaign, "0", "1")
        assert [one.of for one in found.asked] == []
        [gone] = [one for one in found.things if one.id == "x"]
        assert (bool(gone.first), gone.second) == (True, {})
    assert main(["compare", str(campaign.path), "0", "1"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[-2:] for row in rows if row[:1] == ["x"]] == [["not", "there"]]
