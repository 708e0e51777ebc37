"""Units that have left the game have a row in the umpire's table, so that they are missing in the next game as well."""

import csv
from pathlib import Path

import pytest

from interpreter.messages.inputs import Input
from tests.desk.outposts import begun
from ui.main import main

FALLEN = [("b-2", "no"), ("r-2", "no")]


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Two games: in `old` two spies have fallen; `new` has just begun. Runs a command, tells what it says."""
    monkeypatch.chdir(tmp_path)
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        with begun(tmp_path / name) as campaign:
            if name == "old":
                for ruling in ("remove b-2", "remove r-2"):
                    campaign.offer(Input("override", "umpire", ruling, "a raid"))

    def command(game, *words):
        assert main(["roster", f"{game}/outposts.ophex", *words]) == 0
        return capsys.readouterr()

    return command


def rows(file):
    """The names in a table, and whether each is in play."""
    return [(row["name"], row["in play"]) for row in csv.DictReader(Path(file).read_text("utf-8-sig").splitlines())]


@pytest.mark.parametrize("form", ["csv", "toml"])
def test_they_are_missing_in_the_next_game_too(run, form):
    run("old", "--out", f"all.{form}")
    said = run("new", "--in", f"all.{form}", "--reason", "survivors")
    assert sorted(line for line in said.out.splitlines() if line[0] != " ") == ["b-2 (spy):", "r-2 (spy):"]
    assert said.out.count("is removed from the game") == 2
    assert {name for name, _ in rows_of(run, "new")} == {name for name, state in rows_of(run, "old") if state == "yes"}


def rows_of(run, game):
    """What a game still has, as its table says, and what has left it."""
    run(game, "--out", f"{game}.csv", "--force")
    return [row for row in rows(f"{game}.csv") if game == "old" or row[1] == "yes"]


def test_each_that_was_there_at_first_has_one_row_and_a_side_gets_its_own(run):
    run("old", "--out", "all.csv")
    assert [row for row in rows("all.csv") if row[1] == "no"] == FALLEN
    run("old", "blue", "--out", "blue.csv")
    assert [row for row in rows("blue.csv") if row[1] == "no"] == FALLEN[:1]
    run("old", "--as", "blue", "--out", "seen.csv")
    assert [row for row in rows("seen.csv") if row[1] == "no"] == [], "a side is not told of the enemy's losses"


def test_what_is_not_there_need_not_be_removed(run):
    Path("r.csv").write_text("name,in play\nb-9,no\nb-2,no\n", encoding="utf-8")
    assert run("old", "--in", "r.csv").err.splitlines() == [
        "Not in the game, so there was nothing to remove: b-9, b-2.",
        "The file does not differ from the game.",
    ]
