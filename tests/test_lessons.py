"""Lessons: hints that a scenario gives to the player of a side, and the computer that plays against them."""

import json

import pytest

from campaigns.file.errors import CampaignError
from campaigns.library.systems_by_name import scenarios
from campaigns.play.machine_sides import MachineSides, play_to_a_fight
from campaigns.play.starting import create_campaign
from dsl.load import check_system, read_system
from dsl.text.source import SourceFile
from interpreter.messages.inputs import Input
from ui.app.seat_desk import Desk
from ui.wording.situation import text as situation

RULES = """\
system tag "Tag" version 1.0
unit runner:
  speed  number, starts 1
  tired  mark, starts no
  hidden from enemy: tired
place cell, on hex grid:
  height  number, starts 0
campaign game:
  turn-order  list of side
order step of p (a runner) to h (a cell):
  given by side of p
  refused when p is tired because "it is out of breath"
  refused when h is not next to place of p because "it is too far"
  move p to h
  tired of p becomes yes
value appeal-of-step of p (a runner) to h (a cell):
  start with column of h
order puff of p (a runner):
  given by side of p
  refused when p is not tired because "it is fresh"
  side of p rolls 1d6 as wind
  tired of p becomes no
value appeal-of-puff of p (a runner):
  start with 1
sequence game-turn:
  for each s in turn-order, as active:
    phase running "Running":
      active may step, puff
map yard "Yard" of cell, 4 by 2, even columns low:
  letters:
    letter | height
    .      | 0
  grid:
    01 | . . . .
    02 | . . . .
scenario chase "A chase" on yard:
  side red "Red" red
  side blue "Blue" blue
  lesson as red:
    "You are red. Take a step." when turn is 1 and no own runners is tired
    "Now say `done`." when phase is running and any own runners is tired
    "Blue is out of breath." when any enemy runners is tired
  forces red of runner:
    name  | in
    red-1 | 0101
  forces blue of runner:
    name   | in
    blue-1 | 0402
  turn-order is red, blue
  end game when turn > 3 because "it is dark"
"""
FIRST = "You are red. Take a step."


@pytest.fixture
def folder(tmp_path):
    rules = RULES
    (tmp_path / "tag").mkdir()
    (tmp_path / "tag" / "tag.rules").write_text(rules)
    return tmp_path / "tag"


@pytest.fixture
def chase(folder, tmp_path):
    with create_campaign(tmp_path / "a.ophex", f"{folder}/chase", (), (), {}, "seeded", 3) as campaign:
        yield campaign


def test_a_hint_is_told_while_its_condition_holds_and_to_its_side_alone(chase):
    assert chase.game.view("red").hints == (FIRST,)
    assert f"Hint: {FIRST}" in situation(chase.game.view("red"))
    assert chase.game.view("blue").hints == chase.game.view("umpire").hints == ()
    chase.offer(Input("do", "red", "step red-1 to 0201"))
    assert chase.game.view("red").hints == ("Now say `done`.",)


def test_no_hint_tells_what_is_hidden_from_its_side(chase):
    chase.offer(Input("do", "red", "done"))
    chase.offer(Input("do", "blue", "step blue-1 to 0401"))
    assert chase.game.world.by_id["blue-1"].f_tired
    assert "Blue is out of breath." not in chase.game.view("red").hints


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('  lesson as green:\n    "Go."\n', "E320"),
        ('  lesson as red:\n    "Go." when weight of goal > 1\n', "E2"),
    ],
)
def test_what_is_wrong_in_a_lesson_is_told(line, code):
    text = RULES
    text = text.replace("  forces red", f"{line}  forces red", 1)
    found = [p.code for p in check_system(read_system([SourceFile("tag.rules", text)])) if p.is_error]
    assert found
    assert found[0].startswith(code)


def test_the_machine_plays_its_side_until_a_person_is_asked(chase):
    machines = MachineSides.of(chase, ["blue"])
    assert machines.play(chase) == []
    chase.offer(Input("do", "red", "done"))
    told = [event.text for event in machines.play(chase)]
    assert any("blue-1" in text for text in told)
    assert [(one.side, one.kind) for one in chase.game.waiting] == [("red", "orders")]
    assert chase.game.turn == 2


def test_the_same_campaign_is_played_on_in_the_same_way(folder, tmp_path):
    digests = []
    for name in ("one", "two"):
        with create_campaign(tmp_path / f"{name}.ophex", f"{folder}/chase", (), (), {}, "seeded", 3) as campaign:
            MachineSides.of(campaign, ["red", "blue"]).play(campaign)
            assert campaign.game.over
            digests.append(campaign.game.digest())
    assert digests[0] == digests[1]


def test_dice_that_people_throw_are_left_to_them(folder, tmp_path):
    with create_campaign(tmp_path / "t.ophex", f"{folder}/chase", (), (), {}, "typed", 3) as campaign:
        MachineSides.of(campaign, ["red", "blue"]).play(campaign)
        assert [one.kind for one in campaign.game.waiting] == ["dice"]


def test_a_side_or_policy_that_does_not_exist(chase):
    with pytest.raises(CampaignError, match="no side gren"):
        MachineSides.of(chase, ["gren"])
    with pytest.raises(CampaignError, match="no policy gredy"):
        MachineSides.of(chase, ["red"], "gredy")


def test_at_a_desk_the_machine_answers_at_once_and_what_it_did_is_told(chase):
    desk = Desk(chase, "red", MachineSides.of(chase, ["blue"]))
    assert desk.look().view.hints == (FIRST,)
    found = desk.give("done", "red")
    assert found.view.turn == 2
    assert [one.side for one in found.waiting] == ["red"]
    assert any("blue" in event.text for event in found.happened)


def test_the_demo_of_a_lesson_sits_in_the_seat_of_the_learner(folder, monkeypatch, ophex_line):
    from ui.app.ophex_app import CampaignApp

    seats = []
    monkeypatch.setattr("ui.cli.talking.is_terminal", lambda: True)
    monkeypatch.setattr(CampaignApp, "run", lambda app: seats.append((app.desk.seat, sorted(app.desk.machines.sides))))
    code, err = ophex_line("demo", str(folder))
    assert (code, seats) == (0, [("red", ["blue"])])
    assert "--as red --machine blue" in err


def test_the_demo_without_a_name_stands_in_the_middle_of_a_fight(tmp_path):
    small = min(scenarios("bth"), key=lambda one: one.rows)
    with create_campaign(tmp_path / "m.ophex", small.name, (), (), {}, "seeded", 1) as campaign:
        play_to_a_fight(campaign, 1)
        assert campaign.game.waiting[0].kind == "question"
        assert any(event.kind == "roll" for entry in campaign.log(5) for event in entry.events)


def test_hints_are_in_the_json_of_the_situation(chase, tmp_path, capsys):
    from ui.main import main

    assert main(["status", str(tmp_path / "a.ophex"), "--as", "red", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hints"] == [FIRST]


@pytest.fixture
def ophex_line(capsys):
    from ui.main import main

    def run(*words):
        code = main(list(words))
        return code, capsys.readouterr().err

    return run
