"""The duel under fog of war: what the owner of a counter knows and the enemy does not, in views, events, questions and reasons."""

import io
import random
import tempfile
from contextlib import redirect_stderr, redirect_stdout

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

import campaigns.play.campaign
from campaigns.leaks.compared_worlds import Copy
from campaigns.library.compiling import active_modules, compiled
from campaigns.library.systems_by_name import scenario_of
from campaigns.play.starting import create_campaign
from interpreter.automated.policies import make_policy, step
from interpreter.machine import begin
from interpreter.messages.inputs import Input, Refused
from tests.counters import drawn
from tests.long import LONG, either
from ui.cli import talking
from ui.main import main

HIDDEN = {"brigade", "covers", "real", "posture", "ordered", "spent"}


def duel(seed=1, with_=()):
    text, found, _ = scenario_of("bth/duel")
    return begin(compiled(text, active_modules(text, found, with_)), found, {"seed": seed, "dice": "seeded"})


def do(game, *commands, side="britain"):
    return [event for command in commands for event in game.offer(Input("do", side, command))]


def answer(game, *answers):
    events = []
    for text in answers:
        events += game.offer(Input("answer", game.awaiting[0].side, text, game.awaiting[0].name))
    return events


def hidden(game, brigade="fusiliers"):
    """A brigade of Britain hides: three counters in its first hex, of which the second is real."""
    events = do(game, f"hide {brigade}")
    for _ in range(3):
        events += answer(game, "0103" if brigade == "fusiliers" else "0107")
    made = sorted(x.id for x in game.view("britain").things if x.kind == "huc")[-3:]
    return events + answer(game, made[1]), made


@pytest.fixture(scope="module")
def at_hide():
    """A game in which a brigade hides, to be looked at only, and its counters."""
    game = duel()
    return game, hidden(game)[1]


def counters(game, side):
    return [x for x in game.view(side).things if x.kind == "huc"]


def test_the_owner_knows_his_counters_and_the_enemy_sees_places_only(at_hide):
    game, made = at_hide
    own = {x.id: x.fields for x in counters(game, "britain")}
    assert [own[i]["real"] for i in made] == ["no", "yes", "no"]
    assert all(own[i]["brigade"] == "fusiliers" for i in made)
    seen = counters(game, "legion")
    assert [(x.place, x.side) for x in seen] == [("0103", "britain")] * 3
    assert all(not HIDDEN & set(x.fields) for x in seen)
    assert {x.place for x in game.view("legion").things if x.id.startswith("fus-")} == {""}


def test_the_question_which_is_real_is_closed_to_the_enemy():
    game = duel()
    do(game, "hide fusiliers")
    answer(game, "0103", "0103", "0103")
    theirs = game.view("legion").awaiting[0]
    assert (theirs.choices, theirs.name) == ((), "")
    assert len(game.view("britain").awaiting[0].choices) == 3


def test_no_event_of_hiding_tells_which_is_real():
    game = duel()
    events, made = hidden(game)
    told = [e for e in events if e.to in {"all", "legion"}]
    assert not [e.text for e in told if "real" in e.text]
    for made_one in made:  # each is put on the map, and nothing else is told of any
        about = [e.text for e in told if made_one in e.text.replace(".", "").split()]
        assert about == [f"{made_one} is put into the game in 0103."]


@pytest.mark.parametrize(
    "expression", ["real of huc-2", "brigade of huc", "posture of huc", "counter-allowance of huc"]
)
def test_the_enemy_can_have_nothing_hidden_explained(at_hide, expression):
    game, _ = at_hide
    assert game.explain(drawn(expression, 1), "britain").value
    with pytest.raises(Refused):
        game.explain(drawn(expression, 1), "legion")


def test_orders_to_counters_are_not_told():
    game = duel()
    hidden(game)
    events = do(game, drawn("order-counter huc to DD", 1))
    assert not [e.text for e in events if e.to in {"all", "legion"}]
    reasons = [r.message for r in game.why_not("legion", drawn("order-counter huc to DD", 1))]
    assert not [r for r in reasons if "its order this turn" in r or "follow" in r]


def test_a_marching_counter_is_seen_to_move_and_nothing_else():
    game = duel()
    hidden(game)
    do(game, "done")
    events = do(game, drawn("march-counter huc to 0303", 1))
    assert [e.text for e in events if e.to in {"all", "legion"}] == [drawn("huc moves from 0103 to 0303.", 1)]


@pytest.mark.parametrize("policy", ["random", "mixed"])
@pytest.mark.parametrize("seed", range(either(1, 2)))
def test_whole_games_keep_the_secret(policy, seed):
    """Throughout a game each side sees hidden fields of its own counters only; counters are found and shown."""
    game, player, chance = duel(seed), make_policy(policy, seed), random.Random(seed)
    texts = []
    for number in range(3000):
        if game.over:
            break
        texts += [e.text for e in game.offer(step(game, player, chance))]
        if number % 25:
            continue
        for side in ("britain", "legion"):
            assert all(x.side == side or not HIDDEN & set(x.fields) for x in counters(game, side))
            for waited in game.view(side).awaiting:
                if waited.side not in {side, ""} and waited.secret:
                    assert waited.choices == ()
    assert game.over
    if policy == "mixed":  # sides that play at random may never hide, nor meet
        assert any("three counters stand for them" in t for t in texts)
        assert any("is real: it is" in t or "nothing is there" in t or "an empty counter" in t for t in texts)


# ---- two games that differ only in what Britain hides: the Legion is told the same in both, byte for byte ----------------
ASKED = [
    "real of huc", "real of huc-5", "posture of huc-2", "brigade of huc-4", "covers of huc", "spent of huc", "counter-allowance of huc-2",
    "counter-route of huc", "hucs that are real", "count of hucs", "count (hucs that are real)", "place of fus-1", "posture of fusiliers",
    "fusiliers is ordered", "yeomanry is unmasked", "allowance of hover-1", "march-route of hover-1", "march-route of fus-1",
    "watchers of huc", "shown-units of fusiliers", "order-held of fus-1", "stance of yeo-1", "fellows of fus-1", "real-counter",
    "counter-hex", "spots", "alone", "counters", "held", "hiding", "gap-to-foe of huc from 0103", "sum strength of own battalions",
    "markers-over of 0705 from britain", "usual-quality of fusiliers", "battalions of fusiliers", "hucs next to hover-1",
]  # fmt: skip
ASKED = [drawn(x, 1) for x in ASKED]
TRIED = [
    "done", "hide east-1", "hide fusiliers", "unmask huc", "unmask huc-2", "unmask huc-99", "order-counter huc to DD",
    "order-counter huc-5 to AA", "march-counter huc to 0303", "march hover-1 to 0903", "march fus-1 to 0203", "recall hover-1",
    "change-posture fusiliers to HD", "change-posture east-1 to DA", "attack hover-1 against 0103", "march hover-1 to 0103",
]  # fmt: skip
TRIED = [drawn(x, 1) for x in TRIED]
POSTURES = ["AA", "HA", "HD", "DA"]
facts = st.fixed_dictionaries({
    "real": st.tuples(st.integers(0, 2), st.integers(0, 2)),
    "ordered": st.lists(st.sampled_from(POSTURES), min_size=6, max_size=6),
    "given": st.lists(st.sampled_from(["spent", "single", "posture"]), max_size=3),
})  # fmt: skip
moves = st.lists(
    st.sampled_from(
        [
            "done",
            "march hover-1 to 1203",
            "march hover-2 to 1204",
            "hide east-1",
            "hide east-2",
            "march motor-1 to 1103",
        ]
    ),
    max_size=3,
)


def told(call):
    try:
        return repr(call())
    except Refused as refused:
        return repr(refused.refusal)


def told_of(events):
    return [(e.kind, e.text) for e in events if e.to in {"all", "legion"}]


def hide_both(game, hidden_facts):
    """Both British brigades hide. What the Legion is told of it."""
    seen = []
    for number, (brigade, place) in enumerate((("fusiliers", "0103"), ("yeomanry", "0107"))):
        seen += told_of(do(game, f"hide {brigade}"))
        for _ in range(3):
            seen += told_of(answer(game, place))
        made = [x.id for x in counters(game, "britain")][-3:]
        seen += told_of(answer(game, made[hidden_facts["real"][number]]))
    for thing, new in zip(list(game.world.all_of("huc")), hidden_facts["ordered"], strict=True):
        try:
            seen += told_of(do(game, f"order-counter {thing.id} to {new}"))
        except Refused:
            continue
        if "spent" in hidden_facts["given"]:
            game.world.effects.set(thing, "spent", POSTURES.index(new))
    return seen


def all_that_is_told(game):
    return {
        "view": repr(game.view("legion")),
        "legal": told(lambda: game.legal("legion", 200)),
        "why-not": [told(lambda c=c: game.why_not("legion", c)) for c in TRIED],
        "why": [told(lambda w=w: game.explain(w, "legion")) for w in ASKED],
        "where": (game.turn, game.phase, game.active, game.over),
    }


def same(games):
    first, second = (all_that_is_told(g) for g in games)
    for part, found in first.items():
        assert found == second[part], part


ONE = {"real": (0, 1), "ordered": ["AA", "HA", "HD", "DA", "AA", "HD"], "given": []}
OTHER = {"real": (2, 1), "ordered": ["HD", "HD", "AA", "AA", "DA", "HA"], "given": ["spent"]}
PHASES = either([Phase.explicit], [Phase.explicit, Phase.generate])
"""Every day two sets of hidden facts are compared; the long form (`OPHEX_LONG=1`) draws more of them."""


@settings(max_examples=3, deadline=None, phases=PHASES)
@example(ONE, OTHER, ["march hover-1 to 1203"])
@given(facts, facts, moves)
def test_the_legion_cannot_tell_what_britain_hides(one, other, orders):
    games = [duel(), duel()]
    assert hide_both(games[0], one) == hide_both(games[1], other)
    same(games)
    while games[0].awaiting[0].side == "britain":
        said = [told_of(do(g, "done")) for g in games]
        assert said[0] == said[1]
    if LONG or not orders:
        same(games)  # otherwise an order later
    for order in orders:
        said = []
        for game in games:
            waited = game.awaiting[0]
            if waited.kind == "question":
                said.append(told(lambda g=game: told_of(answer(g, g.awaiting[0].choices[0]))))
            else:
                side = waited.side if order == "done" else "legion"
                said.append(told(lambda g=game, s=side, o=order: told_of(g.offer(Input("do", s, o)))))
        assert said[0] == said[1]
        if any("real" in str(s) or "nothing is there" in str(s) for s in said):
            return  # they met
        same(games)


ASKED_OF_SUPPLY = [
    "unsupplied of fus-1",
    "fus-1 is in-supply",
    "supply-route of fus-1",
    "allowance of fus-1",
    "tech-now of fus-2",
]


def test_supply_of_hidden_units_is_not_told():
    """Two games that differ in the markers of hidden units; a turn later the supply of each side has been checked."""
    games = [duel(with_=["supply"]) for _ in range(2)]
    told_then = [told_of(do(g, "hide fusiliers")) for g in games]
    for place in ("0103", "0103", "0103"):
        told_then = [a + told_of(answer(g, place)) for a, g in zip(told_then, games, strict=True)]
    for number, game in enumerate(games):
        answer(game, sorted(x.id for x in counters(game, "britain"))[number])
        for unit in ("fus-1", "fus-2"):
            game.world.effects.set(game.world.by_id[unit], "unsupplied", 2 * number)
        for source in (place for place in game.world.places if place.f_source_of):
            game.world.effects.set(source, "source-of", [])
        game.world.journal.events.clear()
    same(games)
    turn = games[0].turn
    while games[0].turn == turn:
        said = [told_of(g.offer(Input("do", g.awaiting[0].side, "done"))) for g in games]
        assert said[0] == said[1]
    same(games)
    for asked in ASKED_OF_SUPPLY:
        assert told(lambda g=games[0], a=asked: g.explain(a, "legion")) == told(
            lambda g=games[1], a=asked: g.explain(a, "legion")
        )
    markers = [
        {x.id: x.fields["unsupplied"] for x in g.view("britain").things if x.id in {"fus-1", "hover-1"}} for g in games
    ]
    assert markers[0]["fus-1"] != markers[1]["fus-1"]
    seen = {x.id: x.fields for x in games[0].view("legion").things}
    assert "unsupplied" not in seen["fus-1"]
    assert "unsupplied" in seen["hover-1"]


COMMANDS = [
    ("status",), ("status", "--json"), ("map",), ("map", "--json"), ("log", "-n", "0"), ("legal",), ("legal", "--json"),
    ("why", "real of huc"), ("why", "count of hucs"), ("why", "posture of huc-2"), ("why-not", "unmask huc"),
    ("why-not", "order-counter huc-2 to DD"), ("why-not", "change-posture east-1 to DA"),
]  # fmt: skip


@settings(max_examples=2, deadline=None, phases=PHASES)
@example(ONE, OTHER)
@given(facts, facts)
def test_no_command_prints_a_byte_that_differs(one, other):
    printed = []
    with pytest.MonkeyPatch.context() as still:
        # The two campaigns are not made in the same second, and when an input came is not a part of what is told.
        still.setattr(campaigns.play.campaign, "_written", lambda clock: "1995-06-03T00:00:00+00:00")
        for chosen in (one, other):
            with (
                tempfile.TemporaryDirectory() as folder,
                create_campaign(f"{folder}/duel.ophex", "bth/duel", seed=4) as campaign,
            ):
                for brigade, place in (("fusiliers", "0103"), ("yeomanry", "0107")):
                    campaign.offer(Input("do", "britain", f"hide {brigade}"))
                    for _ in range(3):
                        campaign.offer(Input("answer", "britain", place, campaign.game.awaiting[0].name))
                    choices = campaign.game.awaiting[0].choices
                    real = choices[chosen["real"][brigade == "yeomanry"]]
                    campaign.offer(Input("answer", "britain", real, campaign.game.awaiting[0].name))
                for thing, new in zip(campaign.game.world.all_of("huc"), chosen["ordered"], strict=True):
                    posture = "HD" if new == "DA" else new
                    campaign.offer(Input("do", "britain", f"order-counter {thing.id} to {posture}"))
                out = io.StringIO()
                at_hand = talking.at_hand(Copy(campaign, lambda _game: []))
                with redirect_stdout(out), redirect_stderr(out), at_hand:
                    for command, *rest in COMMANDS:
                        words = [drawn(x, 4) for x in rest]
                        print(command, main([command, talking.AT_HAND, *words, "--as", "legion"]))
                printed.append(out.getvalue())
    assert printed[0] == printed[1]
    assert drawn("huc-6", 4) in printed[0]
