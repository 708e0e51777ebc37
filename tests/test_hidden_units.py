"""The duel under fog of war: what the owner of a counter knows and his enemy does not, in views, events, questions and reasons."""

import random

import pytest

from campaigns.systems import active_modules, compiled, scenario_of
from interpreter.inputs import Input, Refused
from interpreter.play import begin
from interpreter.policy import make_policy, step

HIDDEN = {"brigade", "covers", "real", "posture", "ordered", "spent"}


def duel(seed=1):
    text, found, _ = scenario_of("bth/duel")
    return begin(compiled(text, active_modules(text, found)), found, {"seed": seed, "dice": "seeded"})


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


def counters(game, side):
    return [x for x in game.view(side).things if x.kind == "huc"]


def test_the_owner_knows_his_counters_and_the_enemy_sees_places_only():
    game = duel()
    _, made = hidden(game)
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
    assert not [e.text for e in told if any(m in e.text.replace(".", "").split() for m in made)]


@pytest.mark.parametrize(
    "expression", ["real of huc-2", "brigade of huc", "posture of huc", "counter-allowance of huc"]
)
def test_the_enemy_can_have_nothing_hidden_explained(expression):
    game = duel()
    hidden(game)
    assert game.explain(expression, "britain").value
    with pytest.raises(Refused):
        game.explain(expression, "legion")


def test_orders_to_counters_are_not_told():
    game = duel()
    hidden(game)
    events = do(game, "order-counter huc to DD")
    assert not [e.text for e in events if e.to in {"all", "legion"}]
    reasons = [r.text for r in game.why_not("legion", "order-counter huc to DD")]
    assert not [r for r in reasons if "order of the turn" in r or "follow" in r]


def test_a_marching_counter_is_seen_to_move_and_nothing_else():
    game = duel()
    hidden(game)
    do(game, "done")
    events = do(game, "march-counter huc to 0303")
    assert [e.text for e in events if e.to in {"all", "legion"}] == ["huc moves from 0103 to 0303."]


@pytest.mark.parametrize("policy", ["random", "mixed"])
@pytest.mark.parametrize("seed", range(2))
def test_whole_games_keep_the_secret(policy, seed):
    """All through a game each side sees hidden fields of its own counters only; counters are found and shown."""
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
    assert any("three counters stand for them" in t for t in texts)
    assert any("is real: it is" in t or "nothing is there" in t or "an empty counter" in t for t in texts)
