"""Dice whose number flows into something hidden from a side are reported to that side without the number; all others in full."""

import pytest

from interpreter.messages.inputs import Input, Refused
from tests.interpreter.rulebook import game_of

TENTS = """\
unit troop:
  nerve  number, starts 3
  speed  number, starts 2
  met    mark
  hidden from enemy until met: nerve
value pluck of u (a troop) under die (a number):
  start with die + speed of u
procedure brace of u (a troop) under what (a number):
  nerve of u becomes what
procedure weigh-up of u (a troop):
  side of u rolls 1d6 as weigh-die
  let worth be weigh-die * 2
  do brace with u as u and worth as what
order rest of u (a troop):
  given by side of u
  side of u rolls 1d6 as rest-die
  nerve of u becomes pluck of u under rest-die
order weigh of u (a troop):
  given by side of u
  do weigh-up with u as u
order run of u (a troop):
  given by side of u
  side of u rolls 1d6 as run-die
  speed of u becomes run-die
  when run-die > 3:
    nerve of u becomes 1
order muster of u (a troop):
  given by side of u
  let all-own be own troops
  each t in all-own rolls 1d6 as muster-die
  for each t in all-own:
    t gains muster-die of t nerve
order pick of u (a troop):
  given by side of u
  side of u rolls one of own troops as lucky
  nerve of lucky becomes 9
order push of u (a troop):
  given by side of u
  side of u rolls one of own troops as hasty
  speed of hasty becomes 9
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may rest, weigh, run, muster, pick, push
scenario tents "Tents" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of troop:
    name | in
    b-1  | 0202
    b-2  | 0303
  forces red of troop:
    name | in
    r-1  | 0601
  turn-order is blue, red
"""


def told(order, side, met=()):
    """The rolls of an order of blue as a side reads them: text and the number among the details."""
    game = game_of(TENTS, scenario="tents", dice="seeded", seed=2)
    for name in met:
        game.world.by_id[name].f_met = True
    events = game.offer(Input("do", "blue", order))
    return [(e.text, e.data.get("face")) for e in events if e.kind == "roll" and e.to in {"all", side}], game


@pytest.mark.parametrize(
    ("order", "name"),
    [("rest b-1", "rest-die"), ("weigh b-1", "weigh-die")],
    ids=["by a value", "by a name and a procedure"],
)
def test_a_number_that_flows_into_what_is_hidden_is_kept_from_that_side(order, name):
    assert told(order, "red")[0] == [(f"blue rolls 1d6 ({name}).", None)]
    ((text, face),) = told(order, "blue")[0]
    assert text == f"blue rolls {face} on 1d6 ({name})."
    assert 1 <= face <= 6


def test_a_draw_is_as_secret_as_what_changes_in_the_thing_drawn():
    assert told("pick b-1", "red")[0] == [("blue rolls 1d2 (lucky).", None)]
    ((text, face),) = told("pick b-1", "blue")[0]
    assert text == f"blue rolls {face} on 1d2 (lucky)."
    assert told("push b-1", "red")[0] == told("push b-1", "blue")[0]


def test_dice_for_several_things_are_kept_each_by_itself():
    seen = told("muster b-1", "red", met=["b-2"])[0]
    assert [(text, face is None) for text, face in seen] == [
        ("blue rolls 1d6 (muster-die for b-1).", True),
        (f"blue rolls {seen[1][1]} on 1d6 (muster-die for b-2).", False),
    ]


def test_dice_of_what_is_known_and_of_what_only_branches_are_told():
    assert told("rest b-1", "red", met=["b-1"])[0] == told("rest b-1", "blue", met=["b-1"])[0]
    assert told("run b-1", "red")[0] == told("run b-1", "blue")[0]


def test_no_explanation_tells_the_number():
    _, game = told("rest b-1", "red")
    assert game.explain("rest-die", "blue").value == game.explain("rest-die").value
    with pytest.raises(Refused, match="has not been set yet"):  # a name of a secret order means nothing to others
        game.explain("rest-die", "red")
    _, game = told("weigh b-1", "red")
    with pytest.raises(Refused, match="hidden from red"):
        game.explain("weigh-die", "red")
    assert game.explain("weigh-die", "blue").value == game.explain("weigh-die").value
