"""The output of each command for programs matches its schema, which is made of the keys that its help shows."""

import functools
import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Input
from ui import main as door
from ui.cli.exits import ExitCode
from ui.cli.schemas import command_schema

PRINTS_NONE = {"play"}
LINES = {
    "demo": ["ogre/duel", "--turns", "1"],
    "systems": [],
    "scenarios": ["ogre"],
    "new": ["new.ophex", "--scenario", "ogre/duel"],
    "status": ["my.ophex"],
    "roster": ["my.ophex"],
    "map": ["my.ophex"],
    "report": ["my.ophex"],
    "legal": ["my.ophex"],
    "odds": ["my.ophex", "done"],
    "do": ["my.ophex", "done"],
    "answer": ["my.ophex", "ask", "yes"],
    "roll": ["my.ophex", "3"],
    "secret": ["my.seal", "--new"],
    "seal": ["my.ophex"],
    "advance": ["my.ophex"],
    "mail": ["my.ophex", "--out", "packets"],
    "desk": ["my.ophex"],
    "remind": ["my.ophex"],
    "override": ["my.ophex", "nothing", "--reason", "none"],
    "dice": ["my.ophex"],
    "option": ["my.ophex"],
    "amend": ["my.ophex", "--out", "rules"],
    "rule": ["my.ophex", "Night is dark."],
    "why": ["my.ophex", "1"],
    "why-not": ["my.ophex", "done"],
    "log": ["my.ophex"],
    "luck": ["my.ophex"],
    "undo": ["my.ophex"],
    "redo": ["my.ophex"],
    "branch": ["my.ophex", "what-if"],
    "switch": ["my.ophex", "main"],
    "compare": ["my.ophex", "main", "1"],
    "backup": ["my.ophex", "copy.ophex"],
    "restore": ["my.ophex"],
    "doctor": ["my.ophex"],
    "export": ["my.ophex"],
    "import": ["my.json", "again.ophex"],
    "verify": ["my.ophex"],
    "leaks": ["my.ophex", "--guesses", "0", "--as", "human"],
    "check": ["two.rules"],
    "test": ["two.rules"],
    "coverage": ["two.rules"],
    "fmt": ["two.rules", "--check"],
    "tree": ["two.rules", "pair"],
    "handbook": ["two.rules", "--out", "pages"],
    "try": ["two.rules", "two.rules"],
    "sim": ["ogre/duel", "--games", "1", "--turns", "1", "--workers", "1"],
}
"""How each command is called; those that are refused print a refusal, whose schema is a part of theirs."""
OTHERWISE = [
    ["do", "my.ophex", "done", "--dry-run"],
    ["why-not", "my.ophex", "move ogre to 9999"],
    ["why", "my.ophex", "turn"],
    ["log", "my.ophex", "--lines"],
    ["undo", "my.ophex", "--to", "1"],
    ["export", "my.ophex", "--battle"],
    ["dice", "my.ophex", "typed", "--reason", "the table is here"],
    ["branch", "my.ophex", "--all"],
    ["rule", "my.ophex"],
    ["mail", "my.ophex", "--in", "packets"],
    ["odds", "my.ophex"],
    ["export", "my.ophex", "--csv", "forces", "--as", "human"],
    ["export", "my.ophex", "--csv", "luck"],
    ["export", "my.ophex", "-o", "out.json"],
    ["roster", "my.ophex", "--in", "wrong.csv"],
    ["sim", "ogre/duel", "--games", "1", "--turns", "1", "--workers", "1", "--module-sets", "1"],
    ["coverage", "two.rules", "--mutate", "--workers", "1"],
    ["doctor", "broken.ophex"],
]
RULES = 'system two "Two" version 1.0\nvalue pair:\n  start with 2\nexample "A pair":\n  then pair = 2\n'


@functools.cache
def well_formed(part):
    """Looks once at a schema, or a part of one, that several commands share."""
    jsonschema.Draft202012Validator.check_schema(json.loads(part))


@functools.cache
def schema_of(name):
    """The schema of a command, once it is seen that it is one."""
    schema = command_schema(name)
    shared = schema.get("$defs", {})
    for part in ({**schema, "$defs": {}}, *shared.values()):
        well_formed(json.dumps(part, sort_keys=True))
    return schema


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with a real campaign that is under way."""
    folder = tmp_path_factory.mktemp("schemas")
    with create_campaign(folder / "my.ophex", "ogre/duel", seed=5) as campaign:
        for _ in range(2):
            waiting = next(one for one in campaign.game.awaiting if one.kind == "orders")
            campaign.give([Input("do", waiting.side, "done")])
    (folder / "two.rules").write_text(RULES)
    (folder / "wrong.csv").write_text("name,nonsense\nnobody,1\n")
    (folder / "broken.ophex").write_bytes((folder / "my.ophex").read_bytes()[:20_000])
    return folder


@pytest.fixture
def printed(played, tmp_path, monkeypatch, capsys):
    """What a command prints, once it is seen that it is as its schema says."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)

    def run(name, *words):
        code = door.main([name, *words, "--json"])
        found = json.loads(capsys.readouterr().out)
        assert code != ExitCode.FAULT, found
        jsonschema.Draft202012Validator(schema_of(name)).validate(found)
        return found

    return run


@pytest.mark.parametrize("name", sorted(set(door.COMMANDS) - PRINTS_NONE))
def test_what_a_command_prints_is_as_its_schema_says(name, printed):
    assert name in LINES, f"LINES lacks what `ophex {name}` is called with here"
    if name == "import":
        Path("my.json").write_text(json.dumps(printed("export", "my.ophex")))
    found = printed(name, *LINES[name])
    assert found["schema"] in {command_schema(name)["$id"], "ophex-refused/1"}


@pytest.mark.parametrize("line", OTHERWISE, ids=" ".join)
def test_the_other_forms_are_as_the_schema_says(line, printed):
    printed(*line)


def left_open(found):
    """The parts of a schema that anything would fit."""
    inner = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return [found] * (found == {}) + [one for part in inner for one in left_open(part)]


@pytest.mark.parametrize("name", sorted(set(door.COMMANDS) - PRINTS_NONE))
def test_a_schema_leaves_nothing_open(name):
    schema = command_schema(name)
    assert left_open({key: part for key, part in schema.items() if key != "$defs" or part}) == []


@pytest.mark.parametrize("name", sorted(set(door.COMMANDS) - PRINTS_NONE))
def test_the_schema_is_printed_without_a_campaign(name, capsys):
    assert door.main([name, "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == command_schema(name)
