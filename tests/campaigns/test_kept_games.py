"""Campaigns of all systems that earlier programs began, kept with undone inputs and overrides: they open and continue.

Those of bth, btr and ww2 were made before the first edition of the language ended (`dsl/rules/editions.py`), the others at the
beginning of the second. They are replayed from their own rule text, which differs from today's rule files.
In the daily form one of each of three systems, of both editions, is replayed and continues for some inputs. With OPHEX_LONG=1
all twelve, of all systems, continue by a complete turn.
"""

import gzip
import random
from pathlib import Path

import pytest

from campaigns.play.auto_play import auto_play
from campaigns.play.campaign import verify_file
from campaigns.play.starting import open_campaign, start
from interpreter.automated.policies import make_policy, step
from tests.long import LONG, either

GAMES = sorted((Path(__file__).parent / "kept" / "games").glob("*.ophex.gz"))
TOLD_OTHERWISE = {"ww2-gorsk-front": 3, "ww2-gorsk-week": 2, "ww2-lipki": 2}
"""At so many entries today's program tells less than the record: the numbers of dice that flow into hidden fields."""

FURTHER = 3
"""So many inputs a campaign goes on by every day."""


def name_of(path):
    return path.name.partition(".")[0]


@pytest.fixture
def kept(request, tmp_path):
    path = tmp_path / request.param.stem
    path.write_bytes(gzip.decompress(request.param.read_bytes()))
    return path


DAILY = {"bth-duel", "ogre-raid", "ww2-lipki"}
"""Two that began before the first edition ended, one of which tells less today, and one of the second."""
each = pytest.mark.parametrize(
    "kept", either([one for one in GAMES if name_of(one) in DAILY], GAMES), ids=name_of, indirect=True
)


def test_there_are_a_dozen_of_all_systems():
    assert len(GAMES) == 12
    names = {name_of(path) for path in GAMES}
    assert {name.partition("-")[0] for name in names} == {"bth", "btr", "infantry", "ogre", "ww2"}
    assert names > DAILY


@each
def test_it_goes_on_and_comes_to_the_states_that_were_recorded(kept):
    with open_campaign(kept) as campaign:
        kinds = [entry.input.kind for entry in campaign.log() if entry.input is not None]
        assert "override" in kinds
        assert len(campaign.lines()) > 1, "what was undone can be reached"
        before, turn = campaign.head, campaign.game.turn
        if LONG:
            auto_play(campaign, turns=1, policy="greedy")
            assert campaign.game.turn > turn or campaign.game.over
        else:
            player, chance = make_policy("greedy", 1), random.Random(1)
            for _ in range(FURTHER):
                campaign.offer(step(campaign.game, player, chance))
        assert campaign.head > before
    # Once for what was recorded and what has come now: all lines, from their beginning.
    problems = verify_file(kept, start).problems
    told = [x for x in problems if "tells other events" in x]
    assert list(problems) == told
    assert len(told) == TOLD_OTHERWISE.get(kept.stem, 0), (
        "`ophex verify` now says of campaigns that were begun before that they were altered: what was told then is told so again; "
        "a new event of what could be done before is told from a new edition on (dsl/rules/editions.py)"
    )
