"""Each shipped system takes a battle to a table and back: automated sides play until one is there, and its form is filled in and given.

The daily form tries three systems, the long form (`OPHEX_LONG=1`) all five; `tests/test_ww2_week.py` types in a battle of ww2 daily.
What a pack shows a side of hidden things is tried daily in btr and in the long form in ww2.
"""

import random
import re
import shutil

import pytest

from campaigns.leaks.compared_worlds import ALL_SECRETS, Look, leaks
from campaigns.play.campaign import Campaign
from campaigns.play.starting import create_campaign, start
from campaigns.tabletop import pack_of, packs, post, read_form, rehearse
from campaigns.tabletop.result_form import blank_rows
from campaigns.trials.sweep import step
from interpreter.automated.policies import make_policy
from interpreter.messages.inputs import Input
from tests.long import either
from ui.commands.leaks import printed
from ui.tabletop.files import FILES, form_toml

MOST_INPUTS = 500
MOST_TRIES = 30
OFFERED = re.compile(r"It can be: (?:a number up to )?(?P<first>[^,.]+)")


def played_to_a_table(campaign):
    """Goes on, with whatever the machine likes best, until a battle is at a table; whoever may choose one chooses it."""
    player, chance = make_policy("greedy", 1), random.Random(1)
    for _ in range(MOST_INPUTS):
        game = campaign.game
        given = next(
            (Input("answer", one.side, "table", one.name) for one in game.waiting if one.name == "battlefield"), None
        )
        if given is None:
            orders = (one for one in game.waiting if one.kind == "orders" and "fight-at-table" in one.choices)
            commands = (x for one in orders for x in game.legal(one.side, 2000) if x.startswith("fight-at-table"))
            given = next((Input("do", "umpire", x) for x in commands), None)
        campaign.offer(game.in_own_words(given or step(game, player, chance)))
        if given and packs(campaign):
            return
    raise AssertionError("no battle came to a table")


def asked_at_last(campaign):
    """Ends windows until the rules ask what came of the battle."""
    player, chance = make_policy("greedy", 1), random.Random(1)
    for _ in range(MOST_INPUTS):
        if any(one.open for one in pack_of(campaign).table.results):
            return
        waiting = [one for one in campaign.game.waiting if one.kind == "orders"]
        given = Input("do", waiting[0].side, "done") if waiting else step(campaign.game, player, chance)
        campaign.offer(campaign.game.in_own_words(given))


def filled(campaign):
    """The blank form, filled with the first that is offered wherever it is told what is wrong."""
    text = form_toml(pack_of(campaign))
    for _ in range(MOST_TRIES):
        wrong = rehearse(campaign, read_form(text.encode())).wrong
        if not wrong:
            return text
        lines = text.split("\n")
        for one in wrong:
            assert one.line, one
            lines[one.line - 1] = re.sub(
                r'= ".*?"', f'= "{OFFERED.search(one.refusal.hint)["first"]}"', lines[one.line - 1], count=1
            )
        text = "\n".join(lines)
    raise AssertionError(f"the form stays wrong: {wrong[:3]}")


GAMES = {
    "bth": ("bth/duel", ["table-battles"]), "btr": ("btr/first-battle", ["table-battles"]), "ogre": ("ogre/duel", ["table-battles"]),
    "infantry": ("infantry/nine-bridges", ["table-battles"]), "ww2": ("ww2/gorsk-week", []),
}  # fmt: skip


@pytest.fixture(scope="module")
def at_table(tmp_path_factory):
    """The file of a system's game in which a battle has come to a table: each game is played so far once."""
    folder = tmp_path_factory.mktemp("tables")

    def played(system, to):
        path = folder / f"{system}.ophex"
        if not path.exists():
            scenario, modules = GAMES[system]
            with create_campaign(path, scenario, with_=modules, seed=3) as campaign:
                played_to_a_table(campaign)
        return shutil.copy(path, to / "c.ophex")

    return played


@pytest.mark.timeout(900)
@pytest.mark.parametrize("system", either(["bth", "btr", "ogre"], list(GAMES)))
def test_a_battle_goes_to_a_table_and_back(system, at_table, tmp_path):
    with Campaign.open(at_table(system, tmp_path), start) as campaign:
        asked_at_last(campaign)
        pack = pack_of(campaign)
        assert len({unit.side for unit in pack.units.values()}) == 2
        assert pack.ground
        assert pack.table.facts
        for asked in pack.table.results:
            if asked.each is not None:
                assert set(blank_rows(pack, asked)) <= pack.units.keys()
        for end, made in FILES.items():
            assert made(pack), end
        before = campaign.head
        found = post(campaign, read_form(filled(campaign).encode()), source="result.toml")
        assert found.inputs
        assert campaign.head == before + len(found.inputs)
        assert {one.subject for one in found.inputs} <= {one.question for one in pack.table.results}
        assert campaign.verify().ok


def test_a_side_learns_nothing_hidden_from_the_pack_of_a_shipped_battle(at_table, tmp_path, monkeypatch):
    looked = [
        Look("export", ("--battle", "--json")),
        Look("export", ("--part", "briefing.html")),
        Look("export", ("--part", "result.toml")),
    ]
    monkeypatch.setattr("campaigns.leaks.compared_worlds.looks", lambda *_: iter(looked))
    with Campaign.open(at_table(either("btr", "ww2"), tmp_path), start) as campaign:
        found = leaks(campaign, ["red"], printed, guesses=0, kinds=either((ALL_SECRETS,), None))
    assert found.outputs["export"] >= len(looked)
    assert found.differences == []
