"""The authors' manual names every command about rules and every option of those commands."""

import argparse
import json
import re
from importlib import import_module
from pathlib import Path

import pytest

from ui import main as door

MANUAL = (Path(__file__).parent.parent.parent / "docs" / "authors.md").read_text(encoding="utf-8")
COMMON = {"--help", "--json", "--no-input", "--schema"}


@pytest.mark.parametrize("name", door.GROUPS["Write rules"])
def test_the_manual_names_the_command(name):
    assert re.search(rf"^ophex {name} ", MANUAL, re.MULTILINE)


@pytest.mark.parametrize("name", sorted(set(door.GROUPS["Write rules"]) - {"sim"}))
def test_the_manual_names_every_option(name):
    parser = argparse.ArgumentParser()
    import_module(door.COMMANDS[name][0]).add_arguments(parser)
    section = MANUAL.partition(f"\n## {name}: ")[2].partition("\n## ")[0]
    options = {word for action in parser._actions for word in action.option_strings[-1:]} - COMMON
    assert not [word for word in options if word not in section]


def test_a_fight_of_ones_own_with_the_rules_of_a_shipped_game(tmp_path, monkeypatch, ophex):
    (tmp_path / "own").mkdir()
    [text] = re.findall(r"^```\n(system own .*?)^```", MANUAL, re.MULTILINE | re.DOTALL)
    (tmp_path / "own" / "own.rules").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert "0 errors, 0 warnings" in ophex("check", "own")[2]
    assert ophex("new", "fight.ophex", "--scenario", "own/crossroads")[0] == 0
    assert "Britain may give orders (Order Phase)" in ophex("status", "fight.ophex")[1]


RAID = """\
system raid "Raid" version 1.0
unit company:
  pace number, starts 2
value twice of u (a company):
  pace of u * {factor}
example "Twice":
  put a (a company, side blue)
  then twice of a = 4
"""


def test_messages_name_files_as_one_would_type_them(tmp_path, monkeypatch, ophex):
    """M20: a printed file name can be given to an editor, in any working directory."""
    raid = tmp_path / "games" / "raid"
    raid.mkdir(parents=True)
    rules = raid / "raid.rules"
    rules.write_text(RAID.format(factor=3))
    monkeypatch.chdir(tmp_path)
    assert "games/raid/raid.rules:8: Twice" in ophex("test", "games/raid")[1]
    assert "value twice  games/raid/raid.rules:4" in ophex("tree", "games/raid", "twice")[1]
    monkeypatch.chdir(raid)
    assert ophex("test", ".")[1].startswith("raid.rules:8: Twice")
    rules.write_text(RAID.format(factor="weight"))
    assert "--> raid.rules:5:" in ophex("check", ".")[1]
    monkeypatch.chdir(tmp_path / "games")
    for command in ("check", "test"):
        _, out, err = ophex(command, "raid")
        assert "--> raid/raid.rules:5:" in out + err
    (tmp_path / "games" / "other").mkdir()
    monkeypatch.chdir(tmp_path / "games" / "other")
    assert "--> ../raid/raid.rules:5:" in ophex("check", "../raid")[1]
    found = json.loads(ophex("check", "../raid", "--json")[1])
    assert {one["file"] for one in found["diagnostics"]} == {"../raid/raid.rules"}


def test_a_shipped_systems_files_are_named_by_their_whole_path(tmp_path, monkeypatch, ophex):
    monkeypatch.chdir(tmp_path)
    place = ophex("tree", "bth", "column-shift")[1].splitlines()[0].split("  ")[1]
    assert Path(place.rpartition(":")[0]).is_file()


def test_a_file_whose_neighbours_have_errors_is_not_called_well(ophex, tmp_path, monkeypatch):
    """An unreadable line in a neighbouring file hides findings here, too: that is reported, and the exit code shows it."""
    monkeypatch.chdir(tmp_path)
    Path("raid.rules").write_text(RAID.format(factor="weight"), encoding="utf-8")
    Path("other.rules").write_text("value broken:\n  start wit 3\n", encoding="utf-8")
    code, out, err = ophex("check", "raid.rules")
    assert (code, out) == (1, "")
    assert "1 error in other files of its system: raid.rules cannot be checked completely." in err
    assert json.loads(ophex("check", "raid.rules", "--json")[1])["elsewhere"] == 1
    Path("other.rules").unlink()
    code, out, err = ophex("check", "raid.rules")
    assert code == 1
    assert "weight" in out
    assert "elsewhere" not in err
