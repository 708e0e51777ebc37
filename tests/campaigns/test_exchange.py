"""A campaign as JSON and back: the same hashes on every line, and a damaged export leaves nothing behind."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from campaigns.file.errors import CampaignError
from campaigns.play.campaign import Campaign
from campaigns.play.starting import create_campaign, start
from campaigns.repair.exchange import export, import_campaign
from interpreter.messages.inputs import Input
from tests.campaigns.test_report import SIEGE
from tests.interpreter.rulebook import KIT
from ui.main import main


@pytest.fixture
def siege(tmp_path):
    (tmp_path / "siege.rules").write_text(f"{KIT}\n{SIEGE}")
    with create_campaign(tmp_path / "siege.ophex", str(tmp_path / "siege"), seed=4) as campaign:
        for order in ("shell b-1 against r-1", "forage b-1"):
            campaign.offer(Input("do", "blue", order))
        campaign.undo()
        campaign.offer(Input("do", "blue", "done"))  # another line
        campaign.offer(Input("override", "umpire", "strength of b-1 = 9", "counted wrong"))
        campaign.undo()
        yield campaign


def chain(campaign):
    return [(x.number, x.parent, x.input, x.hash, x.digest, x.events_json, x.time) for x in campaign.log()]


def test_a_campaign_comes_back_with_every_line(siege, tmp_path, capsys):
    assert main(["export", str(siege.path), "-o", str(tmp_path / "c.json")]) == 0
    assert main(["import", str(tmp_path / "c.json"), str(tmp_path / "again.ophex"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "schema": "ophex-import/2",
        "campaign": str(tmp_path / "again.ophex"),
        "inputs": 4,
    }
    with Campaign.open(tmp_path / "again.ophex", start) as again:
        assert chain(again) == chain(siege)
        assert (again.head, again.game.digest()) == (siege.head, siege.game.digest())
        assert again.verify().ok
        assert export(again) == export(siege)
    assert main(["import", str(tmp_path / "c.json"), str(tmp_path / "third.ophex")]) == 0
    assert "Every side is played by a person" in capsys.readouterr().err


def test_what_is_there_is_not_written_over(siege, tmp_path, capsys):
    (tmp_path / "c.json").write_text("mine")
    assert main(["export", str(siege.path), "-o", str(tmp_path / "c.json")]) == 2
    (tmp_path / "c.json").write_text(json.dumps(export(siege)))
    assert main(["import", str(tmp_path / "c.json"), str(siege.path)]) == 1
    assert "already" in capsys.readouterr().err


@pytest.mark.parametrize("values", ["[],", '{"a":1},', "1,"])
def test_few_bytes_that_stand_for_very_many_values_are_not_even_read(tmp_path, values):
    """An empty list takes 3 bytes in a file and 64 in memory."""
    (tmp_path / "c.json").write_text('{"form": "ophex-campaign/1", "x": [' + values * 6_000_001 + "1]}")
    with pytest.raises(CampaignError, match=r"more than 6,000,000 values|longer than 32 MB"):
        import_campaign(tmp_path / "c.json", tmp_path / "again.ophex", start)


def _changed(data, path, value):
    *way, last = path
    for key in way:
        data = data[key]
    data[last] = value


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("form",), "other"), (("head",), 99), (("head",), True), (("entries",), {}), (("entries", 0, "parent"), 5),
        (("entries", 1, "number"), 7), (("entries", 0, "text"), "shell b-2 against r-1"), (("entries", 0, "text"), "no order"),
        (("entries", 0, "hash"), "00"), (("entries", 0, "time"), "noon"), (("entries", 0, "side"), None),
        (("documents", 0, "text"), "system x"), (("documents",), [7]), (("settings",), []), (("settings", "seed"), 5),
        (("beginning", "hash"), "00"), (("entries", 0, "text"), "\ud800"),
    ],
)  # fmt: skip
def test_what_was_altered_makes_no_file(siege, tmp_path, path, value):
    data = export(siege)
    _changed(data, path, value)
    room = tmp_path / "room"
    room.mkdir()
    (tmp_path / "c.json").write_text(json.dumps(data))
    assert main(["import", str(tmp_path / "c.json"), str(room / "again.ophex")]) == 1
    assert list(room.iterdir()) == []


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.binary(max_size=200)
    | st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists).map(
        lambda x: json.dumps(x).encode()
    )
)
def test_no_bytes_are_too_strange(tmp_path, content):
    (tmp_path / "c.json").write_bytes(content)
    with pytest.raises(CampaignError):
        import_campaign(tmp_path / "c.json", tmp_path / "again.ophex", start)
    assert not (tmp_path / "again.ophex").exists()
