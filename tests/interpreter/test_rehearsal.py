"""A rehearsal ends before dice, sealed answers and hidden things: nobody can look ahead by a dry run."""

import json

import pytest

from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Input
from interpreter.play.rehearsal import DICE
from tests.interpreter.rulebook import KIT, game_of
from tests.interpreter.test_taking_back import PATROL
from ui.main import main

VOLLEY = """
order volley of s (a scout):
  given by side of s
  pace of s loses 1 points
  side of s rolls 1d6 as die
  pace of s becomes die
  each u in own scouts rolls 1d6 as shot
  s becomes found when shot of s > 3
rule echo whenever s (a scout) enters h (a hex):
  side of s rolls 2d6 as far-die
  pace of s becomes far-die
"""
TEXT = PATROL.replace("    sides may plot,", "    sides may volley, plot,") + VOLLEY


def patrol(seed):
    return game_of(TEXT, scenario="patrol", seed=seed, dice="seeded", snapshots=True)


@pytest.mark.parametrize(
    ("orders", "told"),
    [
        (["volley b-1"], ["blue: volley b-1.", "pace of b-1 becomes 2 (was 3)."]),
        (["shoot b-1", "plot b-2 to 3"], ["blue: shoot b-1."]),
        (
            ["plot b-2 to 3", "go b-1 to 0203"],
            [
                "blue: plot b-2 to 3.",
                "plan of b-2 becomes 3 (was 0).",
                "blue: go b-1 to 0203.",
                "Echo: b-1 enters 0203.",
            ],
        ),
    ],
)
def test_a_side_sees_nothing_of_the_dice_to_come(orders, told):
    """The dice of 40 seeds differ; what blue reads does not, and no dice are rolled."""
    seen = set()
    for seed in range(40):
        game = patrol(seed)
        found = game.rehearse([Input("do", "blue", text) for text in orders], "blue")
        assert (found.ends, [e.kind for e in found.events if e.kind == "roll"]) == (DICE, [])
        seen.add(tuple(e.text for e in found.events))
        assert game.dice.rolled == 0
    (texts,) = seen
    assert [t for t in texts if "moves" not in t] == told


def test_the_umpire_is_shown_what_will_be():
    game = patrol(3)
    rehearsed = [e.text for e in patrol(3).rehearse([Input("do", "blue", "shoot b-1")], "umpire").events]
    assert rehearsed == [e.text for e in game.offer(Input("do", "blue", "shoot b-1"))]
    assert any("rolls" in text for text in rehearsed)


def test_the_command_ends_before_dice_and_says_so(tmp_path, capsys):
    (tmp_path / "patrol").mkdir()
    (tmp_path / "patrol" / "patrol.rules").write_text(f"{KIT}\n{TEXT}", encoding="utf-8")
    outs = set()
    for seed in range(6):
        path = tmp_path / f"{seed}.ophex"
        create_campaign(path, f"{tmp_path / 'patrol'}/patrol", seed=seed).close()
        assert main(["do", str(path), "--as", "blue", "--dry-run", "--json", "shoot b-1", "plot b-2 to 3"]) == 0
        outs.add(capsys.readouterr().out)
        assert main(["do", str(path), "--as", "blue", "--dry-run", "shoot b-1"]) == 0
        said = capsys.readouterr()
        assert "The dry run stops before the dice" in said.err
        assert "rolls" not in said.out
    (told,) = outs
    assert json.loads(told)["ends"] == "dice"


BRACED = """\
unit scout:
  guard number, starts 0
  hidden from enemy: guard, WHAT
order brace of s (a scout):
  given by side of s
  guard of s becomes 3 until end of second
order watch of s (a scout):
  given by side of s
  guard of s becomes 5 until guard of s > 4 and turn > 5
order wait of s (a scout):
  given by side of s
sequence game-turn:
  phase first:
    sides may brace, watch together
  phase second:
    sides may wait together
  phase third:
    sides may wait together
scenario patrol "Patrol" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of scout:
    name | in
    b-1  | 0202
  forces red of scout:
    name | in
    r-1  | 0601
"""


@pytest.mark.parametrize("what", ["name", "place"])
@pytest.mark.parametrize("order", ["brace r-1", "watch r-1"])
def test_that_something_hidden_lasts_until_a_moment_is_not_seen_when_it_ends(what, order):
    """Whether or not red has set a hidden number for a while, blue's `done` at that moment has the same effect, as far as blue knows."""
    told = []
    for orders in ([order, "done"], ["done"]):
        game = game_of(BRACED.replace("WHAT", what), scenario="patrol", seed=1, snapshots=True)
        for side, text in [("blue", "done"), *[("red", text) for text in orders], ("red", "done")]:
            game.offer(Input("do", side, text))
        found = game.rehearse([Input("do", "blue", "done")], "blue")
        told.append((found.ends, [event.text for event in found.events]))
    assert told[0] == told[1] == ("", ["blue is done.", "Third."])
