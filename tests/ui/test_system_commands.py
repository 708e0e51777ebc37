"""The commands about rule systems, and those that make campaigns."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest


def test_systems_lists_modules_options_and_scenarios(rooms, ophex):
    code, out, _ = ophex("systems")
    assert code == 0
    assert out.splitlines()[0] == "fake  A fake, version 1.0"
    assert "module    works                Works (on)" in out
    assert "The die: six, ten (default six)" in out


def test_one_system_is_described_by_its_name(rooms, ophex):
    """The whole list is long, and people ask for the one that they want to play."""
    assert ophex("systems", "fake")[:2] == ophex("systems")[:2]
    code, out, err = ophex("systems", "fakir")
    assert (code, out) == (1, "")
    assert "There is no rule system 'fakir'." in err


def test_no_system_at_all_says_where_they_are_looked_for(rooms, ophex, monkeypatch):
    monkeypatch.setattr(rooms, "list_systems", list)
    code, out, err = ophex("systems")
    assert (code, out) == (0, "")
    assert "There are no rule systems in this installation or in " in err


def test_scenarios(rooms, ophex):
    code, out, err = ophex("scenarios")
    assert code == 0
    assert "fake/valley  The valley\n  sides: north, south; map: valley; with works\n" in out
    assert "`ophex new my.ophex --scenario fake/duel` starts a campaign." in err


def test_check_exits_1_on_an_error(rooms, ophex):
    assert ophex("check", "right") == (0, "", "1 file, 0 errors, 0 warnings.\n")
    code, out, err = ophex("check", "right", "wrong")
    assert code == 1
    assert "error E001: This is no rule." in out
    assert err == "2 files, 1 error, 0 warnings.\n"


def test_check_as_json(rooms, ophex):
    found = json.loads(ophex("check", "wrong", "--json")[1])
    assert found["diagnostics"] == [
        {"code": "E001", "message": "This is no rule.", "file": "a.rules", "line": 3, "column": 1,
         "hint": "Begin with a keyword."}
    ]  # fmt: skip


def test_examples_that_hold(rooms, ophex):
    assert ophex("test", "right") == (0, "", "3 of 3 examples passed.\n")


def test_no_example_of_that_name_is_found_wrong(rooms, ophex, monkeypatch):
    """A misspelt -k in a script must not pass."""
    none = SimpleNamespace(examples=0, passed=0, failed=[])
    monkeypatch.setattr(rooms, "run_examples", lambda *_, **__: none)
    code, out, err = ophex("test", "right", "-k", "supplly", "--json")
    assert code == 1
    assert json.loads(out) == {"schema": "ophex-test/1", "examples": 0, "passed": 0, "failed": []}
    assert "No example has 'supplly' in its name." in err
    assert ophex("test", "right")[0] == 0, "a system without examples is not wrong"


def test_an_example_that_fails_is_shown_with_its_place(rooms, ophex):
    code, out, err = ophex("test", "wrong")
    assert code == 1
    assert out == "a.rules:7: two and two\n  expected  4\n  got       5\n"
    assert err == "2 of 3 examples passed.\n"
    assert set(json.loads(ophex("test", "wrong", "--json")[1])) == {"schema", "examples", "passed", "failed"}


def test_coverage_by_mutants(rooms, ophex):
    out = ophex("coverage", "fake", "--mutate")[1]
    assert "mutants: 4, of which examples notice 3 (75 %)" in out
    assert "  a.rules:4: 3 becomes 4\n      start with 3\n" in out
    assert json.loads(ophex("coverage", "fake", "--mutate", "--json")[1])["survivors"][0]["line"] == 4
    assert "mutants: 4" in ophex("coverage", "fake", "--mutate", "--only", "b.rules, a.rules")[1]
    assert "mutants: 0" in ophex("coverage", "fake", "--mutate", "--only", "b.rules")[1]


def test_coverage_of_earlier_survivors(rooms, ophex, tmp_path):
    kept = tmp_path / "survivors.json"
    kept.write_text(ophex("coverage", "fake", "--mutate", "--json")[1])
    assert "mutants: 1," in ophex("coverage", "fake", "--mutate", "--again", str(kept))[1]
    for text in ("", "[]", '{"survivors": [{"file": 3}]}', "[" * 100_000):
        kept.write_text(text)
        code, _, err = ophex("coverage", "fake", "--mutate", "--again", str(kept))
        assert code == 1
        assert str(kept) in err
        assert "--mutate --json" in err
    assert ophex("coverage", "fake", "--mutate", "--again", str(tmp_path))[0] == 1


def test_coverage(rooms, ophex):
    code, out, _ = ophex("coverage", "fake")
    assert code == 0
    assert "basic      4      3  75       2  50\n" in out
    assert "missing: 1\n  F-4\n" in out
    assert "not modelled: 1\n  F-9: Done by hand.\n" in out


def test_try_shows_values_with_their_explanations(rooms, ophex):
    code, out, _ = ophex("try", "fake", "a.rules")
    assert code == 0
    assert out.splitlines() == [
        "two and two (with adding, rounding up)",
        "  then sum: 4",
        "      + start with 2 → 2  [F-1]",
    ]
    assert "start with" not in ophex("try", "fake", "a.rules", "--brief")[1]


def test_try_says_what_is_not_as_the_file_says(rooms, ophex):
    code, out, _ = ophex("try", "fake", "wrong.rules")
    assert code == 1
    assert out.endswith("  failed, line 3: expected 5; got 4\n")


def test_new_makes_a_campaign(rooms, ophex, tmp_path):
    file = tmp_path / "my.ophex"
    line = ["--scenario", "fake/valley", "--with", "works", "--set", "die-size=ten", "--dice", "typed", "--seed", "7"]
    code, out, err = ophex("new", file, *line)
    assert code == 0
    assert out == f"Created {file}.\n"
    assert "next: North: Move your units." in err
    assert rooms.calls == [("fake/valley", ("works",), (), {"die-size": "ten"}, "typed", 7)]


def test_several_modules_may_be_named_at_once(rooms, ophex, tmp_path):
    assert ophex("new", tmp_path / "m", "--scenario", "fake/valley", "--with", "works, rain", "--with", "fog")[0] == 0
    assert rooms.calls[-1][1] == ("works", "rain", "fog")


def test_new_does_not_overwrite(campaign, ophex):
    before = Path(campaign).read_bytes()
    code, _, err = ophex("new", campaign, "--scenario", "fake/valley")
    assert code == 1
    assert campaign in err
    assert Path(campaign).read_bytes() == before


@pytest.mark.parametrize("setting", ["die-size", "=ten"])
def test_an_option_without_a_value_is_misuse(setting, rooms, ophex, tmp_path):
    code, _, err = ophex("new", tmp_path / "x.ophex", "--scenario", "fake/valley", "--set", setting)
    assert code == 2
    assert "is not an option setting." in err


def test_sim_tells_what_came_of_the_games(rooms, ophex):
    code, out, _ = ophex("sim", "fake/valley", "--games", "5")
    assert code == 0
    assert "victories             north 5" in out
    assert ophex("sim", "wrong")[0] == 1
    assert ophex("sim", "fake/valley", "--games", "0")[0] == 2


def test_the_demo_without_a_terminal_plays_a_day(rooms, ophex):
    code, out, err = ophex("demo")
    assert code == 0
    assert rooms.calls[0][0] == "fake/duel"  # the smallest scenario of the first system
    assert out.startswith("The valley: 3 turns played by automated sides")
    assert "Turn 4, Movement Phase" in out
    assert "0304: N n-3 30, n-2 18" in out
    file = Path(err.split()[4].rstrip(";"))
    assert file.is_file()


def test_the_demo_reads_no_other_system(rooms, ophex, monkeypatch):
    asked = []
    monkeypatch.setattr(rooms, "names_of_systems", lambda: ["fake", "large"])
    told = rooms.scenarios
    monkeypatch.setattr(rooms, "scenarios", lambda system=None: asked.append(system) or told(system))
    monkeypatch.setattr(rooms, "list_systems", lambda: pytest.fail("reads the texts of all systems"))
    assert ophex("demo")[0] == 0
    assert asked == ["fake"]


def test_the_demo_as_json(rooms, ophex):
    found = json.loads(ophex("demo", "fake/duel", "--turns", "1", "--json")[1])
    assert (found["scenario"], found["turns"], found["situation"]["turn"]) == ("fake/duel", 1, 2)


def test_the_demo_without_scenarios(rooms, ophex, monkeypatch):
    monkeypatch.setattr(rooms, "list_systems", list)
    assert ophex("demo")[0] == 1


def test_the_demo_on_a_terminal_opens_the_app(rooms, ophex, monkeypatch):
    from ui.app.ophex_app import CampaignApp

    seats = []
    monkeypatch.setattr("ui.cli.talking.is_terminal", lambda: True)
    monkeypatch.setattr("campaigns.play.machine_sides.play_to_a_fight", lambda campaign, seed: None)
    monkeypatch.setattr(CampaignApp, "run", lambda app: seats.append(app.desk.seat))
    code, out, err = ophex("demo")
    assert (code, out, seats) == (0, "", ["umpire"])
    assert "Creating a campaign from fake/duel" in err
    assert "opens it." in err


def test_games_are_played_under_options(rooms, ophex):
    assert ophex("sim", "fake/valley", "--games", "1", "--set", "odds-rounding=nearest")[0] == 0
    code, _, err = ophex("sim", "fake/valley", "--set", "odds-rounding")
    assert (code, err.partition("\n")[0]) == (2, "'odds-rounding' is not an option setting.")
