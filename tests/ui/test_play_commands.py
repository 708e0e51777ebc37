"""The commands that play a campaign, on the small game of tests/ui/fake.py."""

import errno
import io
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import attrs
import pytest

from campaigns.file.errors import RefusedAt
from campaigns.play.campaign import Campaign
from campaigns.play.typed import input_of
from interpreter.messages.inputs import Awaited
from interpreter.runtime.refusals import Why
from tests.as_recorded import recorded
from tests.campaigns.tampering import tamper
from tests.ui import fake
from ui.cli.exits import tell

ATTACK = "attack 0406 with n-1"


def entries(path):
    with Campaign.open(path, fake.start) as campaign:
        return len(campaign.log())


def test_status_tells_turn_phase_awaited_and_forces(campaign, ophex):
    code, out, err = ophex("status", campaign)
    assert (code, err) == (0, "")
    assert "Turn 1, Movement Phase; active: North" in out
    assert "North: Move your units." in out
    assert "North: 6 units, strength 92" in out  # 2 + 24 + 18 + 30 + 6 + 12
    assert "    n-1  0306      24" in out


def test_status_as_a_side_hides_what_it_may_not_know(campaign, ophex):
    assert "n-4" in ophex("status", campaign, "--as", "north")[1]
    code, out, _ = ophex("status", campaign, "--as", "south")
    assert code == 0
    assert "n-4" not in out
    assert "seen by South" in out


def test_status_shows_what_has_changed(campaign, ophex):
    ophex("do", campaign, "--as", "north", "dig-in n-2")
    assert "n-2  0304      18  dug-in yes" in ophex("status", campaign)[1]


def test_a_side_may_be_named_by_its_title(campaign, ophex):
    assert json.loads(ophex("status", campaign, "--as", "South", "--json")[1])["as"] == "south"


def test_an_unknown_side_is_answered_with_the_sides(campaign, ophex):
    code, out, err = ophex("status", campaign, "--as", "east")
    assert (code, out) == (2, "")
    assert err == "This campaign has no side 'east'.\n  hint: Its sides are north, south and umpire.\n"


@pytest.mark.parametrize("command", ["status", "map", "log", "verify", "undo", "legal"])
def test_a_missing_campaign_is_answered_with_those_near_it(command, campaign, ophex):
    near = Path(campaign).with_name("vally.ophex")
    code, out, err = ophex(command, near)
    assert (code, out) == (2, "")
    assert err == f"There is no campaign file {near}.\n  hint: Campaign files there: {campaign}.\n"


def test_a_missing_campaign_in_an_empty_folder_says_how_to_make_one(tmp_path, rooms, ophex):
    code, _, err = ophex("status", tmp_path / "x.ophex")
    assert code == 2
    assert "`ophex new my.ophex --scenario SYSTEM/NAME` creates one." in err


def test_a_folder_is_no_campaign(campaign, ophex):
    code, _, err = ophex("status", Path(campaign).parent)
    assert code == 2
    assert "is a folder, not a campaign file." in err
    assert campaign in err


def test_the_usual_ending_may_be_left_out(campaign, ophex):
    assert ophex("status", campaign.removesuffix(".ophex"))[0] == 0


def test_a_file_that_is_no_campaign_is_refused(tmp_path, rooms, ophex):
    other = tmp_path / "notes.txt"
    other.write_text("not a campaign")
    code, out, err = ophex("status", other)
    assert (code, out) == (1, "")
    assert "notes.txt" in err


def test_legal_lists_commands_that_do_takes(campaign, ophex):
    code, out, _ = ophex("legal", campaign, "--as", "north")
    assert code == 0
    assert out.splitlines()[-1] == "done"
    for command in out.splitlines():
        assert ophex("do", campaign, "--as", "north", "--dry-run", command)[0] == 0


def test_legal_finds_the_side_that_is_awaited(campaign, ophex):
    assert json.loads(ophex("legal", campaign, "--json")[1])["as"] == "north"


def test_legal_filters_and_says_what_it_leaves_out(campaign, ophex):
    out = ophex("legal", campaign, "-k", "dig-in")[1]
    assert ophex("legal", campaign, "-k", "dig-in n-5", "--limit", "1")[1] == "dig-in n-5\n"
    assert out.splitlines() == [f"dig-in {name}" for name in ("n-hq", "n-1", "n-2", "n-3", "n-4", "n-5")]
    _, out, err = ophex("legal", campaign, "--limit", "3")
    assert len(out.splitlines()) == 3
    assert "the first 3" in err


def test_without_a_side_each_command_is_that_of_whom_the_game_then_waits_for(campaign, ophex):
    """playing.md: without --as you are the umpire, who acts for any side that is awaited."""
    code, out, _ = ophex("do", campaign, "done", "dig-in s-1", "done", "dig-in n-1")
    assert code == 0
    assert [line for line in out.splitlines() if "digs in" in line] == ["s-1 digs in.", "n-1 digs in."]
    code, _, err = ophex("do", campaign, "done", "dig-in n-2")
    assert code == 1
    assert "'dig-in n-2' is no legal command now." in err
    assert "Nothing was recorded" in err


def test_legal_for_a_side_that_has_to_wait(campaign, ophex):
    code, out, err = ophex("legal", campaign, "--as", "south")
    assert (code, out) == (0, "")
    assert err == "The game is not waiting for south now; `ophex status` shows whom it is waiting for.\n"


def test_legal_lists_the_answers_of_a_question(campaign, ophex):
    ophex("do", campaign, ATTACK)
    _, out, err = ophex("legal", campaign)
    assert out.splitlines() == ["answer reply with stand", "answer reply with fall-back"]
    assert "will you stand or fall back?" in err
    assert ophex("legal", campaign, "-k", "fall")[1] == "answer reply with fall-back\n"
    assert ophex("legal", campaign, "-k", "zzz")[1] == ""


def test_a_question_for_several_things_is_listed_with_a_whole_answer(campaign, ophex, monkeypatch):
    each = fake.Awaited(
        "question",
        "north",
        "firing",
        "Choose.",
        ("a X", "a Y", "b X"),
        3,
        "each",
        named=(("a", "X"), ("a", "Y"), ("b", "X")),
    )
    monkeypatch.setattr(fake.Game, "awaiting", property(lambda game: (each,)))
    _, out, err = ophex("legal", campaign)
    assert out == "answer firing with all X\n"
    assert "  a: X, Y\n  b: X\n" in err


@pytest.mark.parametrize(
    ("refused", "lines"),
    [
        ([], ["a", "b", "none"]),
        (["a", "none"], ["b"]),
        (["a", "b", "none"], ["all"]),
        (["a", "b", "none", "all"], []),
    ],
)
def test_legal_lists_no_answer_that_would_be_refused(campaign, ophex, monkeypatch, refused, lines):
    some = fake.Awaited("question", "north", "teams", "Choose.", ("a", "b"), 4, "some")
    monkeypatch.setattr(fake.Game, "awaiting", property(lambda game: (some,)))
    monkeypatch.setattr(fake.Game, "refused", frozenset(refused))
    _, out, err = ophex("legal", campaign)
    assert out.splitlines() == [f"answer teams with {line}" for line in lines]
    assert ("Combine several of: a, b" in err) is (not lines)


def test_do_gives_several_commands_and_says_what_is_next(campaign, ophex):
    code, out, err = ophex("do", campaign, "--as", "north", "move n-1 to 0305", "dig-in n-1", "done")
    assert code == 0
    assert out.splitlines() == ["n-1 moves from 0306 to 0305.", "n-1 digs in.", "north has ended its turn."]
    assert err == "next: South: Move your units.\n"
    assert entries(campaign) == 3


def test_the_words_of_one_command_without_quotes_are_told_from_several(campaign, ophex):
    quotes = "Put one of several words in quotes: 'attack 0406 with n-1'"
    code, _, err = ophex("do", campaign, "--as", "north", *ATTACK.split())
    assert code == 1
    assert quotes in err
    assert "in quotes" not in ophex("do", campaign, "--as", "north", "done", "done", "done")[2]
    assert "in quotes" not in ophex("do", campaign, "--as", "north", "attack", ATTACK)[2]


def test_do_takes_all_or_nothing(campaign, ophex):
    code, out, err = ophex("do", campaign, "--as", "north", "dig-in n-1", "move n-1 to 0999", "done")
    assert (code, out) == (1, "")
    assert "move n-1 to 0999:" in err
    assert "rule: FAKE-3" in err
    assert "hint: See the legal commands." in err
    assert "Nothing was recorded" in err
    assert entries(campaign) == 0


def test_do_dry_run_records_nothing(campaign, ophex):
    code, out, err = ophex("do", campaign, "--dry-run", "dig-in n-1", "done")
    assert code == 0
    assert "n-1 digs in." in out
    assert "nothing was recorded" in err
    assert entries(campaign) == 0


def test_do_takes_an_order_file(campaign, ophex, tmp_path):
    file = tmp_path / "orders.txt"
    file.write_text("-- day one\n\ndig-in n-1   -- in the town\n# nothing here\n  done\n", encoding="utf-8")
    assert ophex("do", campaign, "--as", "north", "-f", file)[0] == 0
    assert entries(campaign) == 2


def test_an_order_file_is_refused_with_line_and_column(campaign, ophex, tmp_path):
    file = tmp_path / "orders.txt"
    file.write_text("dig-in n-1\n   dig-in n-1\n", encoding="utf-8")
    code, out, err = ophex("do", campaign, "--as", "north", "-f", file)
    assert (code, out) == (1, "")
    assert err.startswith(f"{file}:2:11: dig-in n-1\n")
    assert entries(campaign) == 0


def test_a_refused_order_file_as_json(campaign, ophex, tmp_path):
    file = tmp_path / "orders.txt"
    file.write_text("dig-in n-1\ndig-in n-9\n", encoding="utf-8")
    code, out, _ = ophex("do", campaign, "--as", "north", "--json", "-f", file)
    assert code == 1
    refused = json.loads(out)["refused"]
    assert (refused["line"], refused["column"], refused["command"]) == (2, 8, "dig-in n-9")


def test_an_order_file_may_answer_what_its_orders_ask(campaign, ophex, tmp_path):
    file = tmp_path / "orders.txt"
    file.write_text(f"{ATTACK}\nanswer reply with stand\n", encoding="utf-8")
    code = ophex("do", campaign, "--as", "umpire", "-f", file)[0]
    assert code == 1  # the umpire gives no side's orders in this game, and nothing of the file is taken
    assert entries(campaign) == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ([], "Give at least one command"),
        (["done", "-f", "orders.txt"], "Give commands or an order file, not both."),
    ],
)
def test_do_without_clear_commands_is_misuse(line, message, campaign, ophex):
    code, _, err = ophex("do", campaign, "--as", "north", *line)
    assert code == 2
    assert message in err


def test_an_empty_order_file_is_misuse(campaign, ophex, tmp_path):
    file = tmp_path / "orders.txt"
    file.write_text("-- nothing\n", encoding="utf-8")
    assert ophex("do", campaign, "--as", "north", "-f", file)[0] == 2


def test_an_order_file_that_is_not_there(campaign, ophex, tmp_path):
    code, _, err = ophex("do", campaign, "--as", "north", "-f", tmp_path / "none.txt")
    assert code == 1
    assert err == f"{tmp_path / 'none.txt'}: No such file or directory.\n"


def test_a_question_is_answered(campaign, ophex):
    ophex("do", campaign, ATTACK)
    code, out, err = ophex("answer", campaign, "--as", "south", "reply", "stand")
    assert code == 0
    assert "south answers stand." in out
    assert "s-1 loses 3." in out  # the die is 1 + (seed 1 + turn 1) mod 6
    assert "next: North: Move your units." in err


def test_the_side_and_the_name_of_the_only_question_may_be_left_out(campaign, ophex):
    ophex("do", campaign, ATTACK)
    assert ophex("answer", campaign, "reply", "fall-back")[0] == 0
    ophex("undo", campaign)
    _, out, _ = ophex("answer", campaign, "stand")
    assert "south answers stand." in out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["pursuers", "none"], "No question 'pursuers' is open for umpire.\n  hint: Open questions: reply."),
        (["--as", "north", "reply", "stand"], "No question is open for north."),
    ],
)
def test_an_answer_to_no_question_is_misuse(line, message, campaign, ophex):
    ophex("do", campaign, ATTACK)
    code, _, err = ophex("answer", campaign, *line)
    assert code == 2
    assert message in err


def test_a_wrong_answer_is_refused(campaign, ophex):
    ophex("do", campaign, ATTACK)
    code, _, err = ophex("answer", campaign, "reply", "run")
    assert code == 1
    assert "rule: FAKE-7" in err


def test_an_answer_is_asked_for_on_a_terminal(campaign, ophex, monkeypatch):
    ophex("do", campaign, ATTACK)
    monkeypatch.setattr("ui.cli.talking.is_terminal", lambda: True)
    monkeypatch.setattr(sys, "stdin", io.StringIO("2\n"))
    code, out, err = ophex("answer", campaign)
    assert code == 0
    assert "   2  fall-back" in err
    assert "south answers fall-back." in out


@pytest.mark.parametrize("line", [[], ["--no-input"]])
def test_nothing_is_asked_where_nobody_can_answer(line, campaign, ophex):
    ophex("do", campaign, ATTACK)
    code, _, err = ophex("answer", campaign, *line)
    assert code == 2
    assert err.splitlines()[-2].startswith("A value is missing: ")


def test_dice_are_typed_in(typed, ophex):
    ophex("do", typed, ATTACK)
    ophex("answer", typed, "reply", "stand")
    code, out, _ = ophex("roll", typed, "4")
    assert code == 0
    assert "A 4 is thrown." in out
    assert "s-1 loses 4." in out


@pytest.mark.parametrize("dice", [["6+4"], ["-2"], ["6+4", "3,1"], ["7", "8"]])
def test_each_die_of_a_roll_and_what_is_below_0_reach_the_game(dice, typed, ophex, monkeypatch):
    """Each die used to be taken for a roll of its own, and a sum below 0 for its absolute value."""
    ophex("do", typed, ATTACK)
    ophex("answer", typed, "reply", "stand")
    given = []
    monkeypatch.setattr(Campaign, "offer", lambda self, item, *_, **__: given.append(item.text) or ())
    ophex("roll", typed, *dice)
    assert given[-1] == " ".join(dice)
    assert input_of(f"roll {' '.join(dice)}", "north").text == " ".join(dice)


@pytest.mark.parametrize("dice", ["four", "4 and 4"])
def test_what_is_no_throw_is_misuse(dice, typed, ophex):
    ophex("do", typed, ATTACK)
    ophex("answer", typed, "reply", "stand")
    assert ophex("roll", typed, dice)[0] == 2


def test_legal_tells_of_dice(typed, ophex):
    ophex("do", typed, ATTACK)
    ophex("answer", typed, "reply", "stand")
    code, out, err = ophex("legal", typed)
    assert (code, out) == (0, "")
    assert "1d6" in err


def test_dice_that_nobody_waits_for(campaign, ophex):
    code, _, err = ophex("roll", campaign, "4")
    assert code == 2
    assert "The game is not waiting for dice." in err


def test_a_die_that_cannot_be_is_refused(typed, ophex):
    ophex("do", typed, ATTACK)
    ophex("answer", typed, "reply", "stand")
    assert ophex("roll", typed, "9")[0] == 1


def test_advance_stops_where_somebody_must_decide(campaign, ophex):
    code, out, err = ophex("advance", campaign)
    assert (code, out) == (0, "")
    assert "Nothing could be done: somebody must decide first." in err


def test_advance_in_a_game_that_is_over_sends_nobody_to_decide(campaign, ophex, monkeypatch):
    monkeypatch.setattr(fake.Game, "awaiting", property(lambda _: (Awaited("over", "", "over", "It is over.", ()),)))
    view = fake.Game.view
    monkeypatch.setattr(fake.Game, "view", lambda game, side: attrs.evolve(view(game, side), over="the days are over"))
    err = ophex("advance", campaign)[2]
    assert "Nothing could be done: the game is over." in err
    assert "must decide" not in err


def test_advance_to_a_phase_that_is_there(campaign, ophex):
    code, out, _ = ophex("advance", campaign, "--to", "movement", "--json")
    assert code == 0
    assert json.loads(out)["reached"] is True


def test_advance_that_does_not_reach_its_goal_exits_1(campaign, ophex):
    assert ophex("advance", campaign, "--until", "battle")[0] == 1


def test_why_draws_a_tree_with_citations(campaign, ophex):
    code, out, _ = ophex("why", campaign, "strength", "of", "n-1")
    assert code == 0
    assert out.splitlines() == [
        "strength of n-1 = 24  [FAKE-19]",
        "  + start with printed of u → 24  [FAKE-20]  fake.rules:20",
        "  - doubled when u is dug-in (dug in)  [FAKE-21]  fake.rules:21, module works",
        "  printed of n-1 = 24  [FAKE-20]",
    ]


def test_why_shows_what_applies(campaign, ophex):
    ophex("do", campaign, "dig-in n-1")
    assert "  + doubled when u is dug-in (dug in) → 48  [FAKE-21]" in ophex("why", campaign, "strength of n-1")[1]


def test_why_of_an_entry_tells_its_events_and_rules(campaign, ophex):
    ophex("do", campaign, "dig-in n-1")
    out = ophex("why", campaign, "1")[1]
    assert out == "Entry 1: north orders dig-in n-1\n  n-1 digs in.  [FAKE-4]\n"


def test_why_as_json(campaign, ophex):
    found = json.loads(ophex("why", campaign, "strength of n-1", "--json")[1])
    assert (found["name"], found["value"], found["cites"]) == ("strength of n-1", "24", ["FAKE-19"])
    assert [step["applied"] for step in found["steps"]] == [True, False]


def test_why_of_nothing_known_is_refused(campaign, ophex):
    code, _, err = ophex("why", campaign, "strength of x-9")
    assert code == 1
    assert "There is nothing called 'x-9'." in err


def test_why_of_an_entry_that_is_not_there(campaign, ophex):
    code, _, err = ophex("why", campaign, "7")
    assert code == 1
    assert "has no entry 7" in err


@pytest.mark.parametrize("what", ["strength of n-4", "printed of n-4"])
def test_a_side_may_not_ask_about_what_it_does_not_see(what, campaign, ophex):
    assert ophex("why", campaign, what, "--as", "north")[0] == 0
    code, out, err = ophex("why", campaign, what, "--as", "south")
    assert (code, out) == (1, "")
    assert "hidden from" in err


def test_why_not_names_the_rule_and_the_hint(campaign, ophex):
    ophex("do", campaign, "move n-1 to 0305")
    code, out, _ = ophex("why-not", campaign, "--as", "north", "move n-1 to 0306")
    assert code == 1
    assert out == "- n-1 has moved this turn.  [FAKE-2]  fake.rules:12\n  Move it next turn.\n"


def test_why_not_tells_programs_what_the_command_names(campaign, ophex):
    ophex("do", campaign, "move n-1 to 0305")
    told = json.loads(ophex("why-not", campaign, "--as", "north", "move n-1 to 0306", "--json")[1])
    assert {key: told[key] for key in ("schema", "legal", "as", "command", "order", "arguments")} == {
        "schema": "ophex-why-not/2", "legal": False, "as": "north", "command": "move n-1 to 0306", "order": "move", "arguments": [
            {"name": "a0", "of": "", "values": ["n-1"], "before": ""}, {"name": "a2", "of": "", "values": ["0306"], "before": "to"},
        ],
    }  # fmt: skip
    assert [one["cites"] for one in told["reasons"]] == [["FAKE-2"]]
    assert json.loads(ophex("why-not", campaign, "--as", "north", "fly", "--json")[1])["order"] == ""


def test_why_not_of_a_legal_command(campaign, ophex):
    assert ophex("why-not", campaign, "dig-in n-1") == (0, "Nothing forbids it.\n", "")


def test_the_log_is_newest_first_and_marks_what_was_taken_back(campaign, ophex):
    ophex("do", campaign, "--as", "north", "dig-in n-1", "dig-in n-2")
    ophex("undo", campaign)
    _, out, err = ophex("log", campaign)
    assert out.splitlines() == [
        "    2 x north: dig-in n-2",
        "          n-2 digs in.",
        "    1   north: dig-in n-1",
        "          n-1 digs in.",
    ]
    assert "x marks undone entries." in err


def test_the_log_hides_from_a_side_what_it_may_not_read(campaign, ophex):
    ophex("do", campaign, "--as", "north", "move n-4 to 0401")
    assert "0401" in ophex("log", campaign, "--as", "north")[1]
    for line in (["log", campaign, "--as", "south"], ["log", campaign, "--as", "south", "--json"]):
        assert "0401" not in ophex(*line)[1]
    assert "0401" not in ophex("why", campaign, "1", "--as", "south", "--json")[1]
    assert "0401" not in ophex("why", campaign, "1", "--as", "south")[1]


def test_a_side_s_log_has_numbers_of_its_own(campaign, ophex):
    """Entries that report nothing to a side are left out completely: secret orders of the other side change no number."""
    ophex("do", campaign, "--as", "north", "move n-4 to 0401", "dig-in n-1", "done")
    first = [line[:7].strip() for line in ophex("log", campaign, "--as", "south")[1].splitlines() if line[:5].strip()]
    assert first == ["2", "1"]
    assert ophex("log", campaign)[1].splitlines()[0].startswith("    3 ")
    found = json.loads(ophex("log", campaign, "--as", "south", "--json")[1])
    assert [(e["number"], e["parent"]) for e in found["entries"]] == [(2, 1), (1, 0)]
    assert found["head"] == 2
    assert "n-1 digs in." in ophex("why", campaign, "1", "--as", "south")[1]
    code, _, err = ophex("why", campaign, "3", "--as", "south")
    assert code == 1
    assert "no entry 3 for south" in err


def test_undo_and_redo(campaign, ophex):
    ophex("do", campaign, "--as", "north", "dig-in n-1", "dig-in n-2", "done")
    assert ophex("undo", campaign, "--steps", "2")[1] == "The campaign is at entry 1.\n"
    assert json.loads(ophex("redo", campaign, "--steps", "2", "--json")[1])["head"] == 3
    assert ophex("undo", campaign, "--steps", "3")[1] == "The campaign is at its beginning.\n"


def test_another_line_is_listed_and_taken_up_again(campaign, ophex):
    ophex("do", campaign, "--as", "north", "dig-in n-1", "dig-in n-2", "done")
    assert ophex("undo", campaign, "--to", "1")[:2] == (0, "The campaign is at entry 1.\n")
    ophex("do", campaign, "--as", "north", "dig-in n-3")
    code, out, err = ophex("redo", campaign)
    assert code == 1
    assert "`ophex log --lines`" in err
    _, out, err = ophex("log", campaign, "--lines")
    assert [line.split()[:2] for line in out.splitlines()[1:]] == [["*", "4"], ["3", "3"]]
    assert "`ophex redo --to N`" in err
    found = json.loads(ophex("log", campaign, "--lines", "--json")[1])
    assert [(x["end"], x["parts"], x["inputs"], x["beyond"], x["is_here"], x["text"]) for x in found["lines"]] == [
        (4, 4, 2, 0, True, "dig-in n-3"),
        (3, 1, 3, 2, False, "done"),
    ]
    code, out, err = ophex("redo", campaign, "--to", "3")
    assert (code, out) == (0, "The campaign is at entry 3.\n")
    assert "taken back: 4 north: dig-in n-3\nredone: 2 north: dig-in n-2\nredone: 3 north: done" in err
    code, out, err = ophex("undo", campaign, "--to", "4")
    assert (code, out) == (1, "")
    assert "`ophex redo --to 4`" in err
    assert ophex("log", campaign, "--lines", "--as", "north")[0] == 2


def test_a_backup_is_a_whole_campaign(campaign, ophex, tmp_path):
    ophex("do", campaign, "--as", "north", "dig-in n-1")
    copy = tmp_path / "copy.ophex"
    code, out, _ = ophex("backup", campaign, str(copy))
    hash_ = json.loads(ophex("verify", str(copy), "--json")[1])["hash"]
    assert (code, out) == (0, f"{copy} has 1 entry; its current entry is 1.\nhash {hash_}\n")
    assert ophex("log", str(copy))[1] == ophex("log", campaign)[1]
    code, out, err = ophex("backup", campaign, str(copy))
    assert (code, out) == (1, "")
    assert "already exists; nothing was changed" in err


@pytest.mark.parametrize("command", ["undo", "redo"])
def test_nothing_to_take_back_or_again(command, campaign, ophex):
    code, out, err = ophex(command, campaign)
    assert (code, out) == (1, "")
    assert f"There is nothing to {command}" in err


def test_verify(campaign, ophex):
    ophex("do", campaign, "--as", "north", "dig-in n-1", "done")
    code, out, _ = ophex("verify", campaign)
    assert code == 0
    assert out.startswith("All is well: 2 entries, ")
    found = json.loads(ophex("verify", campaign, "--json")[1])
    assert found["ok"] is True
    assert out.splitlines()[1] == f"Entry 2 has the hash {found['hash']}"
    assert ophex("verify", campaign, "--noted", found["hash"][:16])[0] == 0
    code, out, _ = ophex("verify", campaign, "--noted", "0123456789abcdef")
    assert code == 1
    assert "not the record that it was noted from" in out


def test_verify_counts_one_entry(campaign, ophex):
    ophex("do", campaign, "--as", "north", "dig-in n-1")
    assert ophex("verify", campaign)[1].startswith("All is well: 1 entry, ")


def test_verify_finds_a_changed_entry(campaign, ophex):
    ophex("do", campaign, "--as", "north", "dig-in n-1", "done")
    tamper(campaign, "UPDATE entry SET text = 'dig-in n-2' WHERE number = 1")
    code, out, err = ophex("verify", campaign)
    assert code == 1
    assert "entry 1" in out.lower()
    assert "problems in" in err


def test_the_map_as_text(campaign, ophex):
    code, out, err = ophex("map", campaign)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "The valley"
    assert lines[2].startswith("0101 .    0301 .    0501 .~")
    assert lines[3].startswith("     0201 .    0401 .    0601 .")  # each hex stands behind its own number
    assert "0304: N n-3 30, n-2 18" in lines
    assert "Terrain: . clear, c city, f forest, h hills, s swamp, w water" in lines


def test_the_map_around_a_place(campaign, ophex):
    out = ophex("map", campaign, "--around", "aldern", "--within", "1")[1]
    assert "0306" in out
    assert "0907" not in out
    assert "0304" not in out
    code, _, err = ophex("map", campaign, "--around", "Nowhere")
    assert code == 2
    assert "Aldern, Brück" in err


def test_the_map_of_a_side_hides_what_it_may_not_see(campaign, ophex):
    assert "n-4" not in ophex("map", campaign, "--as", "south")[1]
    assert "n-4" not in ophex("map", campaign, "--as", "south", "--format", "svg")[1]


def test_the_map_as_a_picture(campaign, ophex, tmp_path):
    from xml.etree import ElementTree as ET

    file = tmp_path / "map.svg"
    code, out, _ = ophex("map", campaign, "--format", "svg", "-o", file)
    assert (code, out) == (0, "")
    tree = ET.fromstring(file.read_text(encoding="utf-8"))
    space = "{http://www.w3.org/2000/svg}"
    assert len(list(tree.iter(f"{space}polygon"))) == 120
    titles = [title.text for title in tree.iter(f"{space}title")]
    assert "N: n-3 30, n-2 18" in titles
    assert "Aldern" in [text.text for text in tree.iter(f"{space}text")]


def test_play_needs_a_terminal(campaign, ophex):
    code, _, err = ophex("play", campaign)
    assert code == 2
    assert "The app needs a terminal." in err


@pytest.mark.parametrize(("line", "seat", "fixed"), [([], "umpire", False), (["--as", "south"], "south", True)])
def test_play_opens_the_app_in_the_seat_that_is_asked_for(line, seat, fixed, campaign, ophex, monkeypatch):
    from ui.app.ophex_app import CampaignApp

    seats = []
    monkeypatch.setattr("ui.cli.talking.is_terminal", lambda: True)
    monkeypatch.setattr(CampaignApp, "run", lambda app: seats.append((app.desk.seat, app.desk.fixed)))
    assert ophex("play", campaign, *line)[0] == 0
    assert seats == [(seat, fixed)]


def test_an_explanation_on_a_terminal_has_the_same_words_in_colour(campaign, ophex, monkeypatch):
    plain = ophex("why", campaign, "strength of n-1")[1]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    coloured = ophex("why", campaign, "strength of n-1")[1]
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_a_campaign_that_cannot_be_written_is_looked_at(campaign, ophex, monkeypatch):
    monkeypatch.setattr("campaigns.file.store.may_write", lambda _path: False)
    monkeypatch.setattr("campaigns.file.watching.may_write", lambda _path: False)
    before = Path(campaign).read_bytes()
    note = f"{campaign} is read-only: you can look at the campaign, but you cannot give orders.\n"
    for looks in (
        ["status"],
        ["legal", "--as", "north"],
        ["log"],
        ["map"],
        ["why", "strength of n-1"],
        ["verify"],
        ["option"],
    ):
        code, out, err = ophex(looks[0], campaign, *looks[1:])
        assert (code, err.startswith(note)) == (0, True)
        assert out or looks == ["log"]
    assert ophex("do", campaign, "--as", "north", "dig-in n-1", "--dry-run")[0] == 0
    for writes in (
        ["do", "--as", "north", "dig-in n-1"],
        ["undo"],
        ["advance"],
        ["override", "strength of n-1 = 4", "--reason", "x"],
    ):
        code, out, err = ophex(writes[0], campaign, *writes[1:])
        assert (code, out) == (1, "")
        assert err.startswith(f"The campaign file {campaign} cannot be written.\n  hint: ")
    assert Path(campaign).read_bytes() == before


def test_a_campaign_on_a_full_disk_is_looked_at_and_nobody_is_sent_for_permissions(campaign, ophex, monkeypatch):
    monkeypatch.setattr("campaigns.file.store.may_write", lambda _path: False)
    monkeypatch.setattr("campaigns.file.watching.may_write", lambda _path: False)
    monkeypatch.setattr("shutil.disk_usage", lambda _path: SimpleNamespace(free=0))
    assert ophex("status", campaign)[2].startswith(
        f"{campaign} is on a disk that is full: you can look at the campaign"
    )
    code, _, err = ophex("undo", campaign)
    assert (code, err.splitlines()[0]) == (1, f"The disk that holds {campaign} is full.")


def test_a_full_disk_is_no_fault_of_the_program(campaign, ophex, monkeypatch, tmp_path):
    def full(self, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    code, _, err = ophex("map", campaign, "-o", tmp_path / "map.txt")
    assert (code, err) == (1, f"{tmp_path / 'map.txt'}: No space left on device.\n")
    monkeypatch.setattr("builtins.print", lambda *_words, **_how: full(None, None))
    assert tell(OSError(errno.ENOSPC, "No space left on device")) == 1


def test_the_log_begins_with_what_happened_before_the_first_entry(campaign, ophex, monkeypatch):
    opening = (recorded("phase", "Turn 1."), recorded("note", "Snow in the passes.", "", "south"))
    monkeypatch.setattr(fake.Game, "opening", opening)
    assert ophex("log", campaign, "--as", "north")[1].splitlines() == ["    0   the game begins", "          Turn 1."]
    assert "Snow in the passes." in ophex("log", campaign, "--as", "south")[1]
    told = json.loads(ophex("log", campaign, "--as", "north", "--json")[1])
    assert [e["text"] for e in told["opening"]] == ["Turn 1."]
    ophex("do", campaign, "--as", "north", "move n-1 to 0305", "dig-in n-1")
    assert "the game begins" in ophex("log", campaign)[1]
    assert "the game begins" not in ophex("log", campaign, "-n", "2")[1]


def test_orders_that_were_not_looked_through_are_named(campaign, ophex, monkeypatch):
    monkeypatch.setattr(fake.Game, "unfinished", ("attack",))
    code, out, err = ophex("legal", campaign, "--as", "north")
    assert code == 0
    assert "dig-in n-1" in out
    assert err.startswith(
        "There may be more `attack` commands: the search stopped after too many combinations of arguments"
    )
    assert json.loads(ophex("legal", campaign, "--as", "north", "--json")[1])["unfinished"] == ["attack"]


def test_an_order_file_stops_where_dice_of_the_table_are_awaited(typed, ophex, tmp_path):
    """The lines above are recorded, none below is lost: it continues from the line that is named."""
    ophex("do", typed, ATTACK)
    file = tmp_path / "south.txt"
    file.write_text("answer reply with stand\n\ndig-in s-1\ndone\n", encoding="utf-8")
    code, _, err = ophex("do", typed, "--as", "south", "-f", file, "--dry-run")
    assert (code, entries(typed)) == (0, 1)
    code, _, err = ophex("do", typed, "--as", "south", "-f", file)
    assert (code, entries(typed)) == (0, 2)
    assert f"{file}:3: dig-in s-1\nDice must be rolled before this." in err
    assert "`--from 3`" in err
    code, _, err = ophex("do", typed, "--as", "south", "-f", file, "--from", "3")
    assert (code, entries(typed)) == (1, 2)  # the dice come first
    ophex("roll", typed, "4")
    ophex("do", typed, "--as", "north", "done")
    assert ophex("do", typed, "--as", "south", "-f", file, "--from", "3")[0] == 0
    assert [e["text"] for e in json.loads(ophex("log", typed, "--json")[1])["entries"][:2]] == ["done", "dig-in s-1"]


def test_the_files_of_several_sides_stop_at_dice_each_at_its_line(typed, ophex, tmp_path):
    north, south = tmp_path / "north.txt", tmp_path / "south.txt"
    north.write_text(f"{ATTACK}\ndone\n", encoding="utf-8")
    south.write_text("-- day one\nanswer reply with stand\ndig-in s-1\ndone\n", encoding="utf-8")
    both = ["-f", f"north={north}", "-f", f"south={south}"]
    code, out, _ = ophex("do", typed, *both, "--json")
    assert (code, entries(typed)) == (0, 2)
    assert json.loads(out)["left"] == [{"file": str(north), "line": 2}, {"file": str(south), "line": 3}]
    ophex("roll", typed, "4")
    assert ophex("do", typed, *both, "--from", "north=2", "--from", "south=3")[0] == 0
    assert entries(typed) == 6


def test_what_another_session_makes_impossible_is_reported_where_it_is_in_its_file(typed, ophex, tmp_path, monkeypatch):
    """The files were in order when they were read; then the second command, which is south's, was refused."""

    def refused(*_, **__):
        raise RefusedAt(Why.NOT_NOW("s-1 is busy.").refusal, 1)

    monkeypatch.setattr("ui.commands.do._offer", refused)
    north, south = tmp_path / "north.txt", tmp_path / "south.txt"
    north.write_text(f"{ATTACK}\ndone\n", encoding="utf-8")
    south.write_text("-- day one\nanswer reply with stand\n", encoding="utf-8")
    code, _, err = ophex("do", typed, "-f", f"north={north}", "-f", f"south={south}")
    assert code == 1
    assert f"{south}:2:1: answer reply with stand\ns-1 is busy.\n" in err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-f", "FILE", "--from", "x"], "'x' is not a line number."),
        (["-f", "FILE", "--from", "9"], "has no command at or after line 9."),
        (["done", "--from", "2"], "--from needs an order file."),
        (["-f", "north=FILE", "-f", "south=FILE", "--from", "2"], "It is not clear whose file --from means."),
    ],
)
def test_a_line_that_is_none_is_misuse(words, says, campaign, ophex, tmp_path):
    file = tmp_path / "o.txt"
    file.write_text("done\n", encoding="utf-8")
    code, _, err = ophex("do", campaign, *(word.replace("FILE", str(file)) for word in words))
    assert code == 2
    assert says in err


def test_a_side_takes_back_its_last_order_and_gives_it_again(campaign, ophex):
    assert ophex("do", campaign, "--as", "north", "dig-in n-1", "dig-in n-2")[0] == 0
    code, out, err = ophex("undo", campaign, "--as", "north")
    assert (code, out) == (0, "north took back dig-in n-2.\n")
    assert ophex("redo", campaign, "--as", "north")[1] == "n-2 digs in.\n"
    code, _, err = ophex("redo", campaign, "--as", "north")
    assert (code, err.splitlines()[0]) == (1, "You cannot redo anything now.")
    assert ophex("undo", campaign, "--as", "south")[2].startswith("You cannot undo anything now.")
    code, _, err = ophex("undo", campaign, "--as", "north", "--steps", "2")
    assert (code, err.splitlines()[0]) == (2, "Only the umpire can undo several entries, not north.")
    assert "took back dig-in n-2" in ophex("log", campaign)[1]
