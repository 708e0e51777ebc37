"""Orders given in secret: whatever one side orders, and however much, no command prints a different byte for the other.

The duel under fog of war (hidden counters), and BTR (secret marches and air missions). One side plays at random, twice and
differently; the other looks at everything that it can get. The daily form tries each kind of order once; the long form
(`OPHEX_LONG=1`) draws more.
"""

import functools
import io
import random
import tempfile
from contextlib import redirect_stderr, redirect_stdout

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

import campaigns.play.campaign
from campaigns.leaks.compared_worlds import Copy
from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Input
from tests.counters import drawn
from tests.long import either
from ui.cli import talking
from ui.main import main

LOOKS = (
    ("status",), ("status", "--json"), ("map",), ("map", "--json"), ("map", "--format", "svg"), ("legal",), ("legal", "--json"),
    ("log", "-n", "0"), ("log", "-n", "0", "--json"), ("log", "-n", "2"), ("why", "1"), ("why", "2"), ("why", "3", "--json"), ("why", "9"),
)  # fmt: skip
FEW = (("status", "--json"), ("log", "-n", "0"))
"""Looks that tell a side what it has ordered itself."""
FIRST, SECOND = (3, 1), (5, 3)
"""What a side plays every day: with which seed, and how many orders at most."""


@pytest.fixture(autouse=True)
def still_clock(monkeypatch):
    """When an input came is not a part of what is told."""
    monkeypatch.setattr(campaigns.play.campaign, "_written", lambda clock: "1995-06-03T00:00:00+00:00")


def printed(campaign, side, looks):
    """All that some commands print for a side, of the campaign as it stands."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out), talking.at_hand(Copy(campaign, lambda _game: [])):
        for command, *rest in looks:
            print(command, rest, main([command, talking.AT_HAND, *rest, "--as", side]))
    return out.getvalue()


def settle(campaign, side, chance):
    """Answers whatever the side is asked."""
    while campaign.game.awaiting[0].kind == "question" and campaign.game.awaiting[0].side == side:
        asked = campaign.game.awaiting[0]
        answers = list(asked.choices) or ["none"]
        if asked.form == "some" or asked.form.startswith("up to"):
            answers.append("none")
        campaign.offer(Input("answer", side, chance.choice(answers), asked.name))


def order(campaign, side, chance, most, words):
    """Up to so many commands of a side at random, of the orders that begin with some words. How many were given."""
    given_ = 0
    for _ in range(most):
        legal = [x for x in campaign.game.legal(side, 3000) if x.startswith(words)]
        if not legal:
            break
        campaign.offer(Input("do", side, chance.choice(legal)))
        settle(campaign, side, chance)
        given_ += 1
    return given_


@functools.cache
def one_game(scenario, lead, side, looks, play, words):
    """What the other sides get in a game in which a side gives secret orders, what it gets itself, and how many they were."""
    seed, most = play
    with tempfile.TemporaryDirectory() as folder, create_campaign(f"{folder}/game.ophex", scenario, seed=4) as campaign:
        lead(campaign)
        count = order(campaign, side, random.Random(seed), most, words)
        others = [printed(campaign, other, looks) for other in _others(campaign, side)]
        return others, printed(campaign, side, FEW), count


def two_games(scenario, lead, side, looks, plays, words):
    """What the other side gets in two games in which a side gives different secret orders, and how many each were."""
    games = [one_game(scenario, lead, side, looks, play, words) for play in plays]
    return [others for others, _, _ in games], [count for _, _, count in games]


def _others(campaign, side):
    return [s.id for s in campaign.game.world.all_of("side") if s.id != side]


PHASES = either([Phase.explicit], [Phase.explicit, Phase.generate])
plays = st.tuples(st.integers(0, 999), st.integers(0, 6))


# ---- the duel: three counters for each of two brigades ---------------------------------------------------------------------
def both_hidden(campaign):
    for brigade, place in (("fusiliers", "0103"), ("yeomanry", "0107")):
        campaign.offer(Input("do", "britain", f"hide {brigade}"))
        for _ in range(3):
            campaign.offer(Input("answer", "britain", place, campaign.game.awaiting[0].name))
        choices = campaign.game.awaiting[0].choices
        campaign.offer(Input("answer", "britain", choices[1], campaign.game.awaiting[0].name))


DUEL = (
    *LOOKS, ("why", "real of huc"), ("why", "posture of huc-2"), ("why", "count (hucs that are real)"), ("why", "4", "posture of huc"),
    ("why", "unsupplied of fus-1"), ("why-not", "unmask huc"), ("why-not", "order-counter huc to DD"), ("why-not", "march-counter huc to 0303"),
    ("do", "--dry-run", "change-posture east-1 to DA"), ("do", "--dry-run", "order-counter huc to DD"), ("why-not", "done"),
)  # fmt: skip
DUEL = tuple(tuple(drawn(x, 4) for x in look) for look in DUEL)


@settings(max_examples=2, deadline=None, phases=PHASES)
@example(FIRST, SECOND)
@given(plays, plays)
def test_orders_to_hidden_counters(one, other):
    (first, second), _ = two_games("bth/duel", both_hidden, "britain", DUEL, (one, other), "order-counter")
    assert first == second
    assert drawn("huc-6", 4) in first[0]


# ---- BTR: orders are written in secret, and aircraft are sent in secret ---------------------------------------------------
def nothing_yet(campaign):
    assert campaign.game.awaiting[0].kind == "orders"


def to_the_air(campaign):
    """On to the phase in which missions are ordered."""
    chance = random.Random(1)
    while not any(c.startswith("send ") for c in campaign.game.legal("red", 3000)):
        waited = campaign.game.awaiting[0]
        if waited.kind == "question":
            settle(campaign, waited.side, chance)
        else:
            legal = campaign.game.legal(waited.side, 3000)
            campaign.offer(Input("do", waited.side, "done" if "done" in legal else legal[0]))


SKY = (
    *LOOKS, ("why", "planned of floggers"), ("why", "bound-for of fencers"), ("why", "written of div-1"), ("why", "fuel-from of fitters"),
    ("why", "count of (units (where there is planned of it))"), ("why", "tankers-for of fitters to O-0101"), ("why", "mission of fulcrums"),
    ("why-not", "send floggers to O-0201 with CAP"), ("why-not", "write-order div-1 to HA"), ("why-not", "send hunters to O-0301 with CAP"),
    ("do", "--dry-run", "write-order bde-1 to HA"), ("do", "--dry-run", "done"), ("do", "--dry-run", "send floggers to O-0201 with escort"),
)  # fmt: skip


@settings(max_examples=2, deadline=None, phases=PHASES)
@example(FIRST, SECOND)
@given(plays, plays)
def test_written_orders(one, other):
    (first, second), _ = two_games("btr/first-sorties", nothing_yet, "red", SKY, (one, other), "write-order")
    assert first == second


@settings(max_examples=2, deadline=None, phases=PHASES)
@example(FIRST, SECOND)
@given(plays, plays)
def test_air_missions(one, other):
    (first, second), counts = two_games("btr/first-sorties", to_the_air, "red", SKY, (one, other), "send")
    assert first == second
    assert max(counts) <= 6


@pytest.mark.parametrize(
    ("scenario", "lead", "side", "looks", "words"),
    [
        ("bth/duel", both_hidden, "britain", DUEL, "order-counter"),
        ("btr/first-sorties", to_the_air, "red", SKY, "send"),
    ],
)
def test_the_looks_see_what_the_side_itself_does(scenario, lead, side, looks, words):
    """The comparison is not blind: what the side that gives the orders sees does differ."""
    seen = []
    for play in (FIRST, SECOND):
        _, own, count = one_game(scenario, lead, side, looks, play, words)
        assert count == play[1]
        seen.append(own)
    assert seen[0] != seen[1]


def test_whom_a_division_is_to_support_is_told_to_nobody_else(tmp_path):
    """ww2: the answer was reported to all, and revealed that the Division had the order Support (WW2-SOD-03)."""
    with create_campaign(tmp_path / "front.ophex", "ww2/gorsk-front", seed=1) as campaign:
        game = campaign.game
        while game.awaiting[0].name != "plans":
            one = game.awaiting[0]
            given_ = Input("answer", one.side, one.choices[0], one.name) if one.kind == "question" else None
            campaign.offer(given_ or Input("do", one.side, "done"))
        before = game.view("red").awaiting
        events = campaign.offer(Input("do", "blue", "change-order b-57 to support"))
        assert game.view("red").awaiting == before
        events += campaign.offer(Input("answer", "blue", "b-112", "supported"))
        assert game.world.by_id["b-57"].f_supports.id == "b-112"
        assert [e.text for e in events if e.to in {"all", "red"}] == []
