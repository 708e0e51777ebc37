"""Every event of games of all systems holds what its kind is said to tell, and a printed log what its schema says."""

import json
import random
import re
from pathlib import Path

import jsonschema
import pytest

from campaigns.compiling import active_modules, chosen_options, compiled
from campaigns.starting import create_campaign
from campaigns.systems_by_name import scenario_of
from interpreter.automated.policies import make_policy, step
from interpreter.event_data import EVENT_DATA, VEILED
from interpreter.machine import begin
from ui.main import main
from ui.schemas import command_schema

ROOT = Path(__file__).parents[2]
IS = {"number": int, "text": str, "truth": bool, "texts": list, "data": dict, "rows": list}
GAMES = ("bth/duel", "btr/first-sorties", "infantry/skirmish", "ogre/duel", "ww2/gorsk-week")


@pytest.mark.parametrize("scenario", GAMES)
def test_events_tell_what_their_kind_is_said_to_tell(scenario):
    text, found, _ = scenario_of(scenario)
    program = compiled(text, frozenset(active_modules(text, found, (), ())))
    game = begin(program, found, {"seed": 5, "options": chosen_options(text, {})})
    player, chance = make_policy("random", 5), random.Random(5)
    kinds = set()
    for _ in range(60):
        if game.over:
            break
        for event in game.offer(step(game, player, chance)):
            keys = EVENT_DATA[event.kind][1]
            kinds.add(event.kind)
            for key, value in event.data.items():
                assert key == VEILED or type(value) is IS[keys[key][0]], (event, key)
    assert len(kinds) >= 4


def test_every_kind_of_event_is_declared():
    rooms = [p for room in ("interpreter", "campaigns") for p in (ROOT / room).rglob("*.py")]
    told = {k for p in rooms for k in re.findall(r'\bhappened\(\s*"([a-z-]+)"', p.read_text(encoding="utf-8"))}
    assert len(told) > 10
    assert told - set(EVENT_DATA) == set(), "say in EVENT_DATA (interpreter/event_data.py) what such an event tells"


def test_the_log_is_what_its_schema_says(tmp_path, capsys):
    file = tmp_path / "my.ophex"
    with create_campaign(file, "bth/duel", seed=5) as campaign:
        player, chance = make_policy("random", 5), random.Random(5)
        for _ in range(20):
            campaign.offer(step(campaign.game, player, chance))
    for more in ((), ("--as", "britain")):
        assert main(["log", str(file), "-n", "0", "--json", *more]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["schema"] == "ophex-log/1"
        jsonschema.validate(told, command_schema("log"))


def test_the_schema_is_printed_without_a_campaign(capsys):
    assert main(["log", "--schema"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == command_schema("log")
    assert {one["properties"]["kind"]["const"] for one in printed["$defs"]["event"]["oneOf"]} == set(EVENT_DATA)


def test_legal_commands_are_told_as_data_too(tmp_path, capsys):
    file = tmp_path / "my.ophex"
    create_campaign(file, "bth/duel", seed=5).close()
    assert main(["legal", str(file), "--as", "britain", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["text"] for one in told["actions"]] == told["commands"]
    first = next(one for one in told["actions"] if one["order"] == "change-posture")
    assert first["text"] == "change-posture fusiliers to AA"
    assert first["arguments"] == [
        {"name": "b", "of": "brigade", "values": ["fusiliers"]},
        {"name": "new", "of": "posture", "values": ["AA"]},
    ]
    assert told["actions"][-1] == {"text": "done", "order": "done", "arguments": []}
