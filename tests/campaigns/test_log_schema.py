"""Every event of games of the systems contains the data that its kind declares, and a printed log matches its schema.

The daily form plays games of three systems, in which everything happens that happens in the others at that point. With OPHEX_LONG=1
games of all five are played, four to twelve times as long.
"""

import json
import random
import types
import typing
from typing import Literal

import attrs
import jsonschema
import pytest

from campaigns.file.history import events_from_json, events_to_json
from campaigns.library.compiling import active_modules, chosen_options, compiled
from campaigns.library.systems_by_name import scenario_of
from campaigns.play.starting import create_campaign
from interpreter.automated.policies import make_policy, step
from interpreter.machine import begin
from interpreter.messages import happenings
from interpreter.messages.happening import AsRecorded, keys_of
from interpreter.messages.recorded_events import HAPPENINGS, read_happening
from interpreter.messages.sentences import sentence_of
from tests.long import either
from ui.cli.schemas import command_schema
from ui.main import main

GAMES = either(
    ("bth/duel", "infantry/skirmish", "ogre/duel"),
    ("bth/duel", "btr/first-sorties", "infantry/skirmish", "ogre/duel", "ww2/gorsk-week"),
)


NEITHER = "a field of what happened is neither recorded (`Annotated`, with its meaning) nor left out where records are compared (eq=False)"


@pytest.mark.parametrize(
    ("scenario", "most"), [(scenario, 16 if scenario.startswith("btr") else 5) for scenario in GAMES]
)
def test_events_are_recorded_and_read_again_as_what_happened(scenario, most):
    text, found, _ = scenario_of(scenario)
    program = compiled(text, frozenset(active_modules(text, found, (), ())))
    game = begin(program, found, {"seed": 5, "options": chosen_options(text, {})})
    player, chance = make_policy("random", 5), random.Random(5)
    kinds = set()
    for _ in range(either(most, 60)):
        if game.over:
            break
        events = game.offer(step(game, player, chance))
        kinds |= {event.kind for event in events}
        again = events_from_json(events_to_json(events))
        assert again == events, NEITHER
        assert not [event for event in again if isinstance(event.what, AsRecorded)]
    assert len(kinds) >= 4


def test_all_that_can_happen_has_words():
    assert set(HAPPENINGS) == set(sentence_of.registry) - {object}, "word it in interpreter/messages/sentences.py"
    lacking = [one.__name__ for one in HAPPENINGS if not (one.KIND and one.MEANS)]
    assert lacking == [], "give it KIND and MEANS in interpreter/messages/happenings.py"


def example(hint):
    """A value of a type that a record may hold."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in {Literal, types.UnionType}:
        return args[0] if origin is Literal else example(args[0])
    if origin is dict:
        return {"a": example(args[1])}
    if origin is tuple:
        return (example(args[0]),) if args[1] is ... else tuple(example(one) for one in args)
    if hasattr(hint, "_make"):
        return hint(*map(example, typing.get_type_hints(hint).values()))
    if attrs.has(hint):
        return hint(**{key.name: example(key.hint) for key in keys_of(hint)})
    return {str: "a", int: 3, bool: True}[hint]


@pytest.mark.parametrize("made", HAPPENINGS, ids=lambda x: x.__name__)
def test_every_kind_of_event_is_read_back(made):
    """Also those that happen in none of the games above."""
    what = made(**{key.name: example(key.hint) for key in keys_of(made)})
    recorded = {key.name for key in keys_of(made)} | {"veiled"}
    assert [one.name for one in attrs.fields(made) if one.eq and one.name not in recorded] == [], NEITHER
    assert read_happening(what.kind, json.loads(json.dumps(what.as_data()))) == what, (
        "a recorded field has a type that is not read back, or another class of this KIND has the same keys"
    )


def test_what_older_records_lack_is_left_out_of_them():
    moved = happenings.ThingJoined("a", "hq", ("a", "hq"))
    assert moved.as_data() == {"thing": "a", "holder": "hq"}
    assert moved.without_newer().as_data() == {"thing": "a"}
    assert sentence_of(moved) == "a is now held by hq."


@pytest.mark.parametrize(
    "data",
    [
        {"thing": 3, "way": []},
        {"thing": [], "way": []},
        {"thing": "a", "way": {}},
        {"thing": "a"},
        {"thing": "a", "way": [], "x": 1},
        {"way": None},
    ],
)
def test_what_somebody_made_up_stays_as_it_is_recorded(data):
    what = read_happening("move", data)
    assert isinstance(what, AsRecorded)
    assert (what.kind, what.as_data()) == ("move", data)


def test_the_log_is_what_its_schema_says(tmp_path, capsys):
    file = tmp_path / "my.ophex"
    with create_campaign(file, "bth/duel", seed=5) as campaign:
        player, chance = make_policy("random", 5), random.Random(5)
        for _ in range(either(5, 20)):
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
    assert {one["properties"]["kind"]["const"] for one in printed["$defs"]["event"]["anyOf"]} == {
        x.KIND for x in HAPPENINGS
    }


def test_legal_commands_are_told_as_data_too(tmp_path, capsys):
    file = tmp_path / "my.ophex"
    create_campaign(file, "bth/duel", seed=5).close()
    assert main(["legal", str(file), "--as", "britain", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["text"] for one in told["actions"]] == told["commands"]
    first = next(one for one in told["actions"] if one["order"] == "change-posture")
    assert first["text"] == "change-posture fusiliers to AA"
    assert first["arguments"] == [
        {"name": "b", "of": "brigade", "values": ["fusiliers"], "before": ""},
        {"name": "new", "of": "posture", "values": ["AA"], "before": "to"},
    ]
    assert told["actions"][-1] == {"text": "done", "order": "done", "arguments": [], "via": []}
