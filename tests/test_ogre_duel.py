"""The lesson of ogre: its seat, its hints, and a computer opponent worth playing against.

In the daily form the greedy policy wins one duel for one side against random play; in the long form it wins four for either side.
"""

import random
from pathlib import Path

import pytest

from campaigns.library.systems_by_name import scenarios
from campaigns.play.starting import create_campaign
from campaigns.trials.sweep import simulate
from interpreter.automated.policies import make_policy, step
from tests.long import LONG, either, in_the_long_form
from ui.main import main

GUARD = "paneuropean"


def test_the_lesson_is_the_duel_from_the_seat_of_the_guard() -> None:
    lessons = {one.name: one.lesson for one in scenarios("ogre") if one.lesson}
    assert lessons == {"ogre/duel": GUARD}


def test_a_machine_that_nothing_slows_down_just_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "duel.ophex")
    assert main(["new", file, "--scenario", "ogre/duel", "--seed", "1"]) == 0
    capsys.readouterr()
    assert main(["do", file, "--as", "combine", "move huscarl to 2619"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if "huscarl" in line] == [
        "combine: move huscarl to 2619.",
        "huscarl moves from 2821 via 2721 and 2620 to 2619.",
    ]


def test_the_first_three_turns_have_hints_and_later_ones_none(tmp_path: Path) -> None:
    """The daily form looks once in each window of the side, the long form before each of its inputs."""
    with create_campaign(tmp_path / "duel.ophex", "ogre/duel", (), (), {}, "seeded", 2) as campaign:
        player, chance = make_policy("greedy", 2), random.Random(2)
        told: dict[int, set[str]] = {}
        looked: set[tuple[int, str]] = set()
        while not campaign.game.over and campaign.game.turn < 5:
            for one in campaign.game.waiting:
                window = (campaign.game.turn, campaign.game.phase)
                if one.side == GUARD and one.kind == "orders" and (LONG or window not in looked):
                    looked.add(window)
                    told.setdefault(campaign.game.turn, set()).update(campaign.game.view(GUARD).hints)
                    assert campaign.game.view("combine").hints == ()
            campaign.offer(step(campaign.game, player, chance))
    assert all(told[turn] for turn in (1, 2, 3))
    assert told[4] == set()


@pytest.mark.parametrize("side", ["combine", pytest.param(GUARD, marks=in_the_long_form)])
def test_a_side_that_weighs_its_shots_beats_one_that_plays_at_random(side: str) -> None:
    games = either(1, 4)
    found = simulate("ogre/duel", games, seed=5, policy=f"{side}=greedy,random")
    assert not found["errors"]
    assert found["victories"] == {side: games}
