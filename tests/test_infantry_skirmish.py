"""The lesson of infantry: its seat, its hints, and a computer opponent worth playing against."""

import random

import pytest

from campaigns.library.systems_by_name import scenarios
from campaigns.play.starting import create_campaign
from campaigns.trials.sweep import simulate
from interpreter.automated.policies import make_policy, step
from interpreter.messages.inputs import Input, Refused
from tests.long import in_the_long_form

GUARD = "blue"


def test_the_lesson_is_the_skirmish_from_the_seat_of_the_guard():
    lessons = {one.name: one.lesson for one in scenarios("infantry") if one.lesson}
    assert lessons == {"infantry/skirmish": GUARD}


def test_the_first_turns_have_hints_and_what_they_name_can_be_done(tmp_path):
    with create_campaign(tmp_path / "hamlet.ophex", "infantry/skirmish", (), (), {}, "seeded", 2) as campaign:
        player, chance, told, said = make_policy("random", 2), random.Random(2), {}, set()
        while not campaign.game.over and campaign.game.turn < 6:
            if any(one.side == GUARD and one.kind == "orders" for one in campaign.game.waiting):
                view = campaign.game.view(GUARD)
                told.setdefault(campaign.game.turn, set()).update(view.hints)
                said |= {(campaign.game.turn, len(view.hints))}
                assert campaign.game.view("red").hints == ()
            campaign.offer(step(campaign.game, player, chance))
    assert all(told[turn] for turn in (1, 2, 3, 4))
    assert told[5] == set()
    assert max(count for _, count in said) == 1


def test_the_orders_that_the_first_turn_names_are_carried_out(tmp_path):
    left = {"oak": ("hasten oak", "move oak to 0406", "done"), "ash": ("hasten ash", "move ash to 0708", "done")}
    with create_campaign(tmp_path / "hamlet.ophex", "infantry/skirmish", (), (), {}, "seeded", 4) as campaign:
        player, chance = make_policy("greedy", 1), random.Random(1)
        while left:
            if campaign.game.waiting[0].side != GUARD:
                campaign.offer(step(campaign.game, player, chance))
                continue
            unit = next(iter(left))
            if campaign.game.waiting[0].kind == "question":
                campaign.offer(Input("answer", GUARD, unit, "next-to-act"))
            for command in left.pop(unit):
                if command != "done":
                    assert any(f"`{command}`" in hint for hint in campaign.game.view(GUARD).hints)
                campaign.offer(Input("do", GUARD, command))
        places = {name: campaign.game.world.by_id[name].place.label for name in ("oak", "ash")}
    assert places == {"oak": "0406", "ash": "0708"}


@pytest.mark.slow
@pytest.mark.parametrize("side", [pytest.param("red", marks=in_the_long_form), GUARD])
def test_a_side_that_weighs_its_shots_beats_one_that_plays_at_random(side):
    found = simulate("infantry/skirmish", 1, seed=100, policy=f"{side}=greedy,random")
    assert not found["errors"]
    assert found["victories"] == {side: 1}


def test_play_and_why_not_give_the_same_reason(tmp_path):
    """The reason of the first line that does not hold, for random orders in each window of three turns."""
    draw, compared = random.Random(1), 0
    with create_campaign(tmp_path / "hamlet.ophex", "infantry/skirmish", (), (), {}, "seeded", 7) as campaign:
        game, player, chance = campaign.game, make_policy("greedy", 2), random.Random(2)
        bodies = [one.id for one in game.world.all_of("platoon")]
        places = [one.label for one in game.world.all_of("hex")]
        while game.turn < 4:
            asked = game.waiting[0]
            for _ in range(6 if asked.kind == "orders" else 0):
                body, goal, place = draw.choice(bodies), draw.choice(bodies), draw.choice(places)
                slot = draw.choice(["primary-fire", "support-fire", "secondary-fire", "close-fight"])
                command = draw.choice([
                    f"attack {body} with {slot} against {goal}", f"throw-smoke {body} with {slot} to {place}",
                    f"move {body} to {place}", f"jump {body} to {place}", f"site {body} to {place}",
                    f"regroup {body} with {goal}", f"hasten {body}", f"dig-in {body}",
                ])  # fmt: skip
                reasons = game.why_not(asked.side, command)
                if reasons:
                    with pytest.raises(Refused) as refused:
                        campaign.offer(Input("do", asked.side, command))
                    assert (command, str(refused.value)) == (command, reasons[0].message)
                    compared += 1
            campaign.offer(step(game, player, chance))
    assert compared > 50
