"""A refused input leaves nothing behind: not in the world, not in the file, not in what is recorded next.

The daily form gives a few hostile inputs to two systems. With OPHEX_LONG=1 four systems get a thousand each, and more of them are
played into a later turn.
"""

import random
import tempfile
from functools import cache
from pathlib import Path

import pytest

from campaigns.play.campaign import Campaign
from campaigns.play.starting import create_campaign, start
from interpreter.automated.policies import make_policy, step
from interpreter.automated.policy import NothingLegal
from interpreter.machine import resume
from interpreter.messages.inputs import Input, Refused, RuleFailure
from tests.long import in_the_long_form, number
from tests.worlds import differences, dump

ROUNDS = number("OPHEX_ROUNDS", 20, 1000)
"""How many hostile inputs each scenario is given; in the long form a thousand."""


def override(*changes, reason="counted wrong"):
    return Input("override", "umpire", "\n".join(changes), reason)


def option(*changes):
    return Input("option", "umpire", "\n".join(changes), "as agreed")


def play(campaign, luck, policy="random"):
    campaign.offer(step(campaign.game, make_policy(policy, luck.random()), luck))


def to_the_next_turn(campaign, luck):
    turn = campaign.game.turn
    while campaign.game.turn == turn and not campaign.game.over:
        play(campaign, luck)


# ---- what the state holds
EVERYTHING = [
    ("bth/texas-1", 'name of america = "The States"'),
    ("bth/texas-1", 'title of america = "The States"'),
    ("bth/texas-1", 'name of 0101 = "Springs"'),
    ("bth/texas-1", 'title of 0101 = "Sweet Springs"'),
    ("bth/texas-1", "terrain of 0101 = forest"),
    ("bth/texas-1", "reveal 0101 to mexico"),
    ("bth/texas-1", "reveal hussar-1 to mexico"),
    ("bth/texas-1", "reveal america to mexico"),
    ("bth/texas-1", "remove hussar-1"),
    ("bth/texas-1", "strength of hussar-1 = 1200"),
    ("bth/texas-1", "strength of hussar-1 = 12/5"),
    ("btr/first-sorties", "ophex of 0101 = O-0602"),
    ("btr/first-sorties", "exploiting is yes"),
    ("btr/first-sorties", "going-forward = blue"),
    ("btr/first-sorties", "side of bde-1 = red"),
]


@cache
def begun(scenario):
    """The file of a campaign in which nothing has happened."""
    with tempfile.TemporaryDirectory() as home:
        path = Path(home) / "c.ophex"
        create_campaign(path, scenario, seed=5).close()
        return path.read_bytes()


def copy_of(data, path):
    path.write_bytes(data)
    return Campaign.open(path, start)


@pytest.mark.parametrize(("scenario", "change"), EVERYTHING)
def test_whatever_an_override_changes_is_in_the_state_and_comes_back_from_it(tmp_path, scenario, change):
    with copy_of(begun(scenario), tmp_path / "c.ophex") as campaign:
        game = campaign.game
        before, digest = dump(game), game.digest()
        campaign.offer(override(change))
        changed = differences(before, dump(game))
        assert any(key.startswith(("thing", "place")) for key in changed)
        assert game.digest() != digest
        again = resume(game.program, game.scenario, game.settings, game.state_now())
        told = {
            key for key in differences(dump(game), dump(again)) if key.startswith(("thing", "place", "by_", "game"))
        }
        assert told == set()


@pytest.mark.parametrize(
    ("scenario", "change"),
    [
        pytest.param("bth/texas-1", 'name of america = "The States"', marks=in_the_long_form),
        ("bth/texas-1", 'name of 0101 = "Springs"'),
        pytest.param("btr/first-sorties", "ophex of 0101 = O-0602", marks=in_the_long_form),
    ],
)
def test_a_refusal_in_a_later_turn_does_not_undo_what_was_overridden_before(tmp_path, scenario, change):
    path, luck = tmp_path / "c.ophex", random.Random(1)
    with copy_of(begun(scenario), path) as campaign:
        campaign._snapshot_every = 1
        campaign.offer(override(change))
        to_the_next_turn(campaign, luck)
        before, digest = dump(campaign.game), campaign.game.digest()
        with pytest.raises(Refused):
            campaign.offer(override(*changes_that_fail_half_way(campaign.game)))
        assert differences(before, dump(campaign.game)) == {}
        assert campaign.game.digest() == digest
        play(campaign, luck)
        digest = campaign.game.digest()
        assert campaign.verify().problems == ()
    with Campaign.open(path, start) as campaign:
        assert campaign.game.digest() == digest
        campaign.drop_snapshots()
    with Campaign.open(path, start) as campaign:
        assert campaign.game.digest() == digest


def changes_that_fail_half_way(game):
    """Changes of which the first is done before the second fails."""
    thing = next(x for x in game.world.by_id.values() if x.alive and x.place is not None and x.kind != "side")
    return f'name of {thing.id} = "Another"', f"remove {thing.id}", f'name of {thing.id} = "Third"'


# ---- what cannot be
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("remove america", "A side exists for the whole game: it cannot be removed."),
        ("remove 0101", "A place of the map exists for the whole game: it cannot be removed."),
        ("move america to 0101", "A side exists for the whole game: it cannot move."),
        ("move 0101 to 0102", "A place of the map exists for the whole game: it cannot move."),
        ("put zzz (a side)", "A side exists for the whole game: it cannot be placed."),
        ("put zzz (a side) in 0101", "A side exists for the whole game: it cannot be placed."),
        ("put zzz (a hex) in 0101", "A place of the map exists for the whole game: it cannot be placed."),
        ("name of 0101 = 0102", "This is a hex, but text is needed here."),
    ],
)
def test_who_plays_and_where_cannot_be_overridden(tmp_path, change, says):
    with copy_of(begun("bth/texas-1"), tmp_path / "c.ophex") as campaign:
        before = dump(campaign.game)
        with pytest.raises(Refused) as caught:
            campaign.offer(override(change))
        assert says in caught.value.message
        assert differences(before, dump(campaign.game)) == {}


# ---- all kinds of refusals, anywhere in a game
def hostile(game, luck):
    """An input of any kind, of which hardly any is legal: edge values, other sides, what was asked of somebody else."""
    world = game.world
    things = [x.id for x in world.by_id.values()] or ["x"]
    places = [place.label for place in world.places if place.label]
    sides = [s.id for s in world.by_kind["side"]]
    one, other, place, side = luck.choice(things), luck.choice(things), luck.choice(places), luck.choice(sides)
    fields = sorted({f for k in world.ruleset.kinds.values() for f in k.fields})
    words = sorted(world.ruleset.terms)
    field = luck.choice(fields)
    value = luck.choice([
        "0", "-1", "1200", "99999999999999999999", "1/0", "12/5", "absent", "none", "yes", one, place, side, '""', '"x"',
        luck.choice(words) if words else "x",
    ])  # fmt: skip
    change = luck.choice([
        f"{field} of {one} = {value}", f"{field} of {place} = {value}", f"{field} of {side} becomes {value}",
        f"{field} = {value}", f"{one} is {value}", f"{one} is in {place}", f"remove {one}", f"move {one} to {place}",
        f"{field} of {one} gains {value} points", f"{field} of {one} loses {value} points", f"{one} becomes {value}",
        f"put new-one (a {other}, side {side}) in {place}", f"reveal {one} to {side}", f"hide {one} from {side}",
        f'name of {luck.choice([one, place, side])} = "Other"', f"side of {one} = {side}", f"{field} of {one}",
        f'end game won by {one} because "x"', f"{one} is not on the map",
    ])  # fmt: skip
    changes = [change] if luck.random() < 0.5 else [f'name of {one} = "Half"', change, f"{field} of {other} = {value}"]
    orders = sorted(game.commands.orders)
    awaited = game.waiting[0] if game.waiting else None
    who = luck.choice([*sides, "umpire", "nobody"])
    return luck.choice([
        override(*changes, reason=luck.choice(["", "why", "why", "why"])),
        override(*changes),
        option(luck.choice([f"{luck.choice(sorted(world.options) or ['x'])}={value}", f"with {value}", "without nothing"])),
        option(*[f"{switch} {luck.choice(sorted(world.ruleset.modules) or ['x'])}" for switch in ("with", "without")]),
        Input("do", who, f"{luck.choice(orders)} {one} to {place}"),
        Input("do", who, f"{luck.choice(orders)} {one}, {other}"),
        Input("do", who, f"{luck.choice(orders)} all {value}"),
        Input("do", who, luck.choice(["done", "pass", "", "\0", "🙂"])),
        Input("answer", who, luck.choice([one, f"{one}, {other}", "none", value, f"{one} 1, {other} 2", f"all {value}", "even"]),
              awaited.name if awaited is not None and luck.random() < 0.7 else field),
        Input("roll", who, luck.choice(["", "0", "7", "99", "1 1 1 1 1", "-3", "x"])),
        Input("deadline", "umpire", luck.choice(["done", value]), luck.choice([side, f"{side} {field}", "nobody"])),
        Input("begin", who, "x"),
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("scenario", "settings"),
    [
        pytest.param("bth/texas-1", {}, marks=in_the_long_form),
        ("bth/duel", {"dice": "typed"}),
        ("ogre/duel", {}),
        pytest.param("btr/first-sorties", {}, marks=in_the_long_form),
        pytest.param("ww2/gorsk-week", {"options": {}}, marks=in_the_long_form),
    ],
)
def test_no_refused_input_leaves_anything_behind(tmp_path, scenario, settings):
    path = tmp_path / "c.ophex"
    seed = random.Random().randrange(2**32)
    luck = random.Random(seed)
    refused, kinds = 0, set()
    with create_campaign(path, scenario, seed=5, **settings) as campaign:
        campaign._snapshot_every = 4
        game, before, digest = campaign.game, dump(campaign.game), campaign.game.digest()
        for _ in range(ROUNDS):
            given = hostile(game, luck)
            try:
                campaign.offer(given)
            except (Refused, RuleFailure):  # what was overridden may break a rule later
                refused += 1
                kinds.add(given.kind)
                assert differences(before, dump(campaign.game)) == {}, (seed, given)
                assert campaign.game.digest() == digest, (seed, given)
                assert campaign.game is game, (seed, given)  # no refusal was so bad that the file had to be read again
            if campaign.game.over:
                campaign.undo()
            if luck.random() < 0.3 and not campaign.game.over:
                try:
                    play(campaign, luck)
                except (RuleFailure, NothingLegal):
                    campaign.undo()
            game, before, digest = campaign.game, dump(campaign.game), campaign.game.digest()
        assert refused > ROUNDS // 3
        assert len(kinds) > 3
        verdict = campaign.verify()
        assert verdict.ok, (seed, verdict.problems)
    with Campaign.open(path, start) as campaign:
        assert campaign.game.digest() == digest
        campaign.drop_snapshots()
    with Campaign.open(path, start) as campaign:
        assert campaign.game.digest() == digest
