"""Complete random games of things made of parts: parts are where their whole is, also after undo, replay and mail.

The game is `tests/interpreter/toy/ships.rules`; with `hidden` its ships have labels, and so do their parts. In the daily form only
undo and replay are tried both ways; in the long form (`OPHEX_LONG=1`) everything is.
"""

import random
import shutil
from pathlib import Path

import pytest

from campaigns.leaks.compared_worlds import ALL_SECRETS, leaks
from campaigns.play.campaign import Campaign
from campaigns.play.starting import create_campaign, start
from campaigns.trials.sweep import simulate
from interpreter.automated.policies import make_policy, step
from interpreter.messages.inputs import Input, Refused
from tests.long import either
from tests.one_meaning import Found, one_game
from ui.commands.leaks import printed

SHIPS = (Path(__file__).parent / "interpreter" / "toy" / "ships.rules").read_text(encoding="utf-8")
HIDDEN = SHIPS.replace("  hidden from enemy: plan\n", "  hidden from enemy: plan, name\n")


BOTH = ["seen", "hidden"]
SEEN_DAILY = pytest.mark.parametrize("folder", either(["seen"], BOTH), indirect=True)
HIDDEN_DAILY = pytest.mark.parametrize("folder", either(["hidden"], BOTH), indirect=True)


@pytest.fixture(params=BOTH)
def folder(request, tmp_path):
    (tmp_path / "ships").mkdir()
    (tmp_path / "ships" / "ships.rules").write_text(SHIPS if request.param == "seen" else HIDDEN)
    return tmp_path


def stands_with_its_whole(world):
    """Every living part stands where its whole does, on its side, is one of its members, and stands there once."""
    here = {id(x) for place in world.places for x in place.things}
    for x in world.by_id.values():
        if x.kind == "side" or not getattr(x, "part", False):
            continue
        assert id(x) not in here
        if x.alive:
            assert x.holder.alive
            assert (x.place, x.side) == (x.holder.place, x.holder.side)
            assert x.holder.members.count(x) == 1
        else:
            assert x.place is None
            assert x not in x.holder.members


@SEEN_DAILY
def test_games_at_random_come_to_an_end(folder):
    found = simulate(str(folder / "ships" / "duel"), 6, seed=3, policy="mixed")
    assert found["errors"] == []
    assert found["dead_ends"] == []
    assert found["finished"] == 6
    assert found["unused_orders"] == []


def test_parts_are_where_their_whole_is_through_play_undo_and_replay(folder):
    chance = random.Random(8)
    with create_campaign(folder / "a.ophex", str(folder / "ships" / "duel"), seed=8) as campaign:
        player = make_policy("random", 8)
        digests = []
        for number in range(60):
            if campaign.game.over:
                break
            if chance.random() < 0.15 and campaign.head > 2:
                campaign.undo()
                digests.pop()
                assert campaign.game.digest() == digests[-1], number
            else:
                campaign.offer(campaign.game.in_own_words(step(campaign.game, player, chance)))
                digests.append(campaign.game.digest())
            stands_with_its_whole(campaign.game.world)
        assert campaign.verify().ok
        before = campaign.game.digest()
    shutil.copy(folder / "a.ophex", folder / "mailed.ophex")
    with Campaign.open(folder / "mailed.ophex", start) as mailed:
        assert mailed.game.digest() == before
        stands_with_its_whole(mailed.game.world)


@HIDDEN_DAILY
def test_neither_side_can_tell_what_the_other_hides(folder):
    """The daily form varies all secrets at once, the long form also each kind alone."""
    with create_campaign(folder / "a.ophex", str(folder / "ships" / "duel"), seed=4) as campaign:
        for order in ("dive eel to 0302", "done"):
            campaign.offer(Input("do", "blue", order))
        found = leaks(campaign, ["blue", "red"], printed, guesses=either(1, 24), kinds=either((ALL_SECRETS,), None))
        assert found.differences == []
        assert {"existence", "holders", "places"} <= set(found.secrets)


@HIDDEN_DAILY
def test_that_parts_of_a_hidden_whole_are_hidden_is_what_keeps_the_secret(folder, monkeypatch):
    """The comparison is not blind: if only the whole were hidden, its parts would reveal it."""
    monkeypatch.setattr("interpreter.world.knowledge.WHOLLY", frozenset())
    with create_campaign(folder / "a.ophex", str(folder / "ships" / "duel"), seed=4) as campaign:
        found = leaks(campaign, ["red"], printed, guesses=0, kinds=either((ALL_SECRETS,), None))
        assert found.differences


def test_parts_of_what_goes_by_a_label_go_by_labels(tmp_path):
    (tmp_path / "ships").mkdir()
    (tmp_path / "ships" / "ships.rules").write_text(HIDDEN)
    with create_campaign(tmp_path / "a.ophex", str(tmp_path / "ships" / "duel"), seed=4) as campaign:
        game = campaign.game
        label = game.world.incognito.label("otto-main", "blue")
        assert label.startswith("gun-r")
        things = {thing.id for thing in game.seat("blue").told(game.view("blue")).things}
        assert label in things
        assert not {"otto", "otto-main"} & things
        with pytest.raises(Refused, match="There is no gun otto-main"):
            campaign.offer(Input("do", "blue", "shell iris-main against otto-main"))
        told = campaign.offer(Input("do", "blue", f"shell iris-main against {label}"))
        assert [e for e in told if label in e.text and e.to == "blue"]
        assert not [e for e in told if "otto-main" in e.text and e.to in {"all", "blue"}]


def test_parts_of_a_module_come_with_it_and_go_with_it(tmp_path):
    (tmp_path / "men").mkdir()
    men = (Path(__file__).parent / "interpreter" / "toy" / "men.rules").read_text(encoding="utf-8")
    (tmp_path / "men" / "men.rules").write_text(men)
    with create_campaign(tmp_path / "a.ophex", str(tmp_path / "men" / "patrol"), seed=4) as campaign:
        assert "p-first-squad-set" not in campaign.game.world.by_id
        before = [x.id for x in campaign.game.world.by_id["p-first-squad"].members]
        campaign.offer(Input("option", "umpire", "with radios", "they have come"))
        world = campaign.game.world
        radio = world.by_id["p-first-squad-set"]
        assert (radio.place.label, radio.side.id, radio.f_reach) == ("0202", "blue", 3)
        assert [x.id for x in radio.holder.members] == [*before, radio.id]
        stands_with_its_whole(world)
        campaign.offer(Input("do", "blue", "done"))
        campaign.offer(Input("do", "red", "done"))
        campaign.offer(Input("option", "umpire", "without radios", "they are lost"))
        world = campaign.game.world
        assert "p-first-squad-set" not in world.by_id
        assert [x.id for x in world.by_id["p-first-squad"].members] == before
        stands_with_its_whole(world)
        assert campaign.verify().ok


@HIDDEN_DAILY
def test_nothing_is_told_of_parts_that_play_did_not_do(folder):
    """Not even to a side that reads a sum over things it does not see: a trader's crates are treated as if they did not exist."""
    found = Found()
    one_game(found, str(folder / "ships" / "duel"), (), "mixed", 4, either(40, 120), 20_000, asked=0.5)
    assert found.differences == []
    assert found.failures == []
    assert found.silent == {}
    assert any(sort == "why" for sort in found.counts)
