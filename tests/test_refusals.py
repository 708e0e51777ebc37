"""Every command that is refused or fails: with --json one object in the same form, and the same exit code as without."""

import contextlib
import json

import jsonschema
import pytest

from campaigns.play.starting import create_campaign
from interpreter.runtime.refusals import About, Why
from tests.ui.test_help import LINES
from ui import main as door
from ui.cli.one_object import REFUSED
from ui.cli.schemas import refused_schema

MISSING = {
    "check": ["nowhere.rules"],
    "test": ["nowhere.rules"],
    "coverage": ["nowhere"],
    "fmt": ["nowhere.rules"],
    "tree": ["nowhere", "stance"],
    "handbook": ["nowhere.rules", "--out", "pages"],
    "try": ["nowhere", "nowhere.rules"],
    "sim": ["nowhere/valley"],
    "new": ["new.ophex", "--scenario", "nowhere/valley"],
    "secret": ["nowhere.seal"],
    "odds": ["nowhere.ophex", "done"],
    "amend": ["nowhere.ophex", "--rules", "nowhere.rules"],
    "rule": ["nowhere.ophex", "Night is dark."],
    "mail": ["nowhere.ophex", "--out", "packets"],
    "import": ["nowhere.json", "new.ophex"],
    "scenarios": ["nowhere"],
}
"""How commands are called for a file that is not there, where `LINES` says it for none."""
SIDES = {name for name in door.COMMANDS if any(one.dest == "side" for one in door.parser_of(name)._actions)}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    """A campaign of a real game."""
    path = tmp_path_factory.mktemp("refusals") / "my.ophex"
    create_campaign(path, "ogre/duel", seed=5).close()
    return str(path)


@pytest.fixture
def refused(capsys, tmp_path, monkeypatch):
    """What is printed where a command is refused: one object of the one form, and nothing beside it."""
    monkeypatch.chdir(tmp_path)

    def run(*words):
        code = door.main([*words, "--json"])
        out, err = capsys.readouterr()
        found = json.loads(out)
        assert found["schema"] == REFUSED, found
        jsonschema.validate(found, refused_schema())
        assert (err, code in {1, 2, 70}) == ("", True)
        return found["refused"]

    return run


def line_of(name, campaign):
    line = MISSING.get(name) or LINES.get(name, ["CAMPAIGN"])
    return [{"CAMPAIGN": campaign, "NEW": "new.ophex", "nowhere.ophex": campaign}.get(word, word) for word in line]


def test_an_exit_code_is_the_same_without(capsys):
    for words in (["do", "nowhere.ophex", "done"], ["do"], ["check", "nowhere"], ["atlantis"]):
        with contextlib.suppress(SystemExit):
            assert door.main(words) == door.main([*words, "--json"])


@pytest.mark.parametrize("name", sorted(set(door.COMMANDS) - {"demo", "systems", "play"}))
def test_a_file_that_is_not_there(name, refused, campaign):
    found = refused(name, *line_of(name, "nowhere.ophex"))
    assert found["kind"] in {"file", "unknown-name"}
    assert "nowhere" in found["message"]


@pytest.mark.parametrize("name", sorted(SIDES - {"play"}))
def test_a_side_that_there_is_not(name, refused, campaign):
    found = refused(name, *line_of(name, campaign), "--as", "atlantis")
    assert (found["kind"], found["references"]) == ("unknown-name", {"side": "atlantis"})


@pytest.mark.parametrize("name", sorted(door.COMMANDS))
def test_an_argument_that_is_not_understood(name, refused):
    found = refused(name, *line_of(name, "nowhere.ophex"), "--atlantis")
    assert found["kind"] == "not-understood"
    assert "--atlantis" in found["message"]


def test_a_command_that_there_is_not(refused):
    assert refused("atlantis")["references"] == {"name": "atlantis"}


def test_a_fault_of_ophex_is_an_object_too(refused, campaign, monkeypatch):
    monkeypatch.setattr("ui.wording.situation.as_json", lambda *_: 1 / 0)
    assert refused("status", campaign)["kind"] == "fault"


def test_every_kind_and_every_key_is_explained():
    kinds = refused_schema()["properties"]["refused"]["properties"]["kind"]["oneOf"]
    assert [one["const"] for one in kinds] == [str(one) for one in Why]
    assert all(one["description"] for one in kinds)
    keys = refused_schema()["properties"]["refused"]["properties"]
    assert {*keys["references"]["properties"], *keys["numbers"]["properties"]} == set(About.__annotations__)
