"""Stories: what a procedure does, as one card, with the related values and what happened meanwhile."""

import pytest

from campaigns.report.battle_cards import battle_of
from dsl.load import check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.messages.inputs import Input
from interpreter.mirrors.stories import Stories
from tests.as_recorded import recorded
from tests.interpreter.rulebook import KIT, answer, compiled, do, game_of, story

DUEL = """\
unit gun:
  strength  number, starts 4
  dug-in    mark
  hidden from enemy: dug-in
value shift of v (a gun) in fight:
  start with 0
  minus 1 when v is dug-in because "it is dug in"
  plus 2 when strength of v < 4 because "it is weak"
value edge in fight = strength of first-gun - strength of target
procedure fight of first-gun (a gun) against target (a gun):
  story "{} fires at {}" with first-gun, target
  relate first-gun as firing, target, strength of first-gun as attack
  relate shift of target, edge
  side of first-gun rolls 1d6 as die
  relate die + edge as total
  stop when die = 6
  side of target chooses loss: a number from 1 to 3
  strength of target loses loss points
  tell sides "Hit for {}." with loss
order fire of u (a gun) against v (a gun):
  given by side of u
  do fight with u as first-gun and v as target
order volley of u (a gun) against v (a gun):
  given by side of u
  simultaneously:
    do fight with u as first-gun and v as target
    do fight with v as first-gun and u as target
order dig of u (a gun):
  given by side of u
  u becomes dug-in
  relate strength of u
sequence game-turn:
  phase shots "Shots":
    sides may fire, volley, dig together
scenario pair "A pair" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of gun:
    name | in
    b    | 0202
  forces red of gun:
    name | in
    r    | 0601
"""


@pytest.fixture
def game():
    return game_of(DUEL, scenario="pair", dice="typed")


def told(events, side):
    return [e for e in events if e.kind == "story" and e.to in {side, "all"}]


def rows(event):
    return {row["name"]: row["value"] for row in event.data["rows"]}


def roll(game, *faces):
    return game.offer(Input("roll", "umpire", " ".join(map(str, faces))))


def test_a_story_is_one_card_of_values_throws_messages_and_losses(game):
    events = [*do(game, "fire b against r", "blue"), *roll(game, 3)]
    assert told(events, "umpire") == []  # it goes on
    (card,) = told(answer(game, "2", "red"), "umpire")
    assert card.text == "b fires at r."
    assert rows(card) == {"firing": "b", "target": "r", "attack": "4", "shift": "0", "edge": "0", "total": "3"}
    assert (card.data["procedure"], card.data["phase"], card.data["sides"]) == ("fight", "Shots", ["blue", "red"])
    assert [(side, name, dice, face) for _, side, name, dice, face, _ in card.data["rolls"]] == [
        ("blue", "die", "1d6", 3)
    ]
    assert card.data["results"] == ["Hit for 2."]
    assert [(text, things, gone) for text, _, things, gone in card.data["falls"]] == [
        ("strength of r becomes 2 (was 4).", ["r"], False)
    ]
    assert card.data["rows"][0]["who"] == ["b"]


def test_a_value_comes_with_the_lines_that_made_it(game):
    do(game, "dig r", "red")
    do(game, "fire b against r", "blue")
    roll(game, 1)
    answer(game, "3", "red")
    do(game, "fire b against r", "blue")
    (card,) = told(roll(game, 6), "umpire")  # it stops before anything is lost
    shift = next(row for row in card.data["rows"] if row["name"] == "shift")
    assert [(text, value) for text, value, _ in shift["why"]] == [
        ("start with 0", "0"),
        ("it is dug in", "-1"),
        ("it is weak", "1"),
    ]
    assert rows(card)["edge"] == "3"
    assert card.data["falls"] == card.data["results"] == []


def test_what_a_reader_may_not_know_is_left_out_of_his_card(game):
    do(game, "dig r", "red")
    do(game, "fire b against r", "blue")
    events = roll(game, 6)
    (blue,), (red,) = told(events, "blue"), told(events, "red")
    assert "shift" not in rows(blue)
    assert rows(red)["shift"] == "-1"
    assert {**rows(red), "shift": None} == {**rows(blue), "shift": None}


def test_the_card_is_the_same_whatever_is_hidden_from_its_reader():
    cards = []
    for dug_in in (False, True):
        game = game_of(DUEL, scenario="pair", dice="typed")
        game.world.by_id["r"].f_dug_in = dug_in
        do(game, "fire b against r", "blue")
        roll(game, 3)
        cards.append(told(answer(game, "2", "red"), "blue"))
    assert cards[0] == cards[1]


def test_stories_side_by_side_hear_only_their_own(game):
    do(game, "volley b against r", "blue")
    roll(game, 3)
    roll(game, 5)
    answer(game, "1", "red")
    events = answer(game, "3", "blue")
    first, second = told(events, "umpire")
    assert (first.text, second.text) == ("b fires at r.", "r fires at b.")
    assert [[face for *_, face, _ in card.data["rolls"]] for card in (first, second)] == [[3], [5]]
    assert [card.data["results"] for card in (first, second)] == [["Hit for 1."], ["Hit for 3."]]


def test_what_is_related_where_no_story_runs_goes_nowhere(game):
    assert told(do(game, "dig r", "red"), "red") == []


def test_a_story_changes_nothing(game):
    plain = "\n".join(x for x in DUEL.split("\n") if not x.strip().startswith(("story", "relate")))
    other = game_of(plain, scenario="pair", dice="typed")
    for one in (game, other):
        do(one, "fire b against r", "blue")
        roll(one, 3)
        answer(one, "2", "red")
    assert game.digest() == other.digest()


def test_a_title_and_its_gaps_fit():
    """
    unit gun:
      strength number
    procedure fight of a (a gun):
      story "{} fires at {}" with a
      relate strength of a + 1
    """
    text = story(test_a_title_and_its_gaps_fit)
    found = {
        p.code: p for p in check_system(read_system([SourceFile("kit.rules", KIT), SourceFile("own.rules", text)]))
    }
    assert "2 gaps but 1 value after `with`" in found["E236"].message
    assert "`relate E as name`" in found["E257"].hint


def test_the_card_of_a_report_is_read_off_the_event(game):
    do(game, "dig r", "red")
    do(game, "fire b against r", "blue")
    roll(game, 3)
    (event,) = told(answer(game, "2", "red"), "red")
    card = battle_of(event, 4, 1)
    assert (card.entry, card.turn, card.title, card.sides) == (4, 1, "b fires at r", ("blue", "red"))
    assert [(role.name, role.who) for role in card.roles] == [("firing", ("b",)), ("target", ("r",))]
    assert [(row.name, row.value) for row in card.rows] == [
        ("attack", "4"),
        ("shift", "-1"),
        ("edge", "0"),
        ("total", "3"),
    ]
    assert [reason.text for reason in card.rows[1].reasons] == ["start with 0", "it is dug in"]
    assert [(one.side, one.face) for one in card.rolls] == [("blue", 3)]
    assert [fall.things for fall in card.losses] == [("r",)]


def test_a_forged_card_is_read_as_far_as_it_fits():
    for data in (
        {},
        {"rows": 3, "rolls": [[1]], "falls": [None], "results": "x"},
        {"rows": [{"name": []}, 7], "sides": {}},
    ):
        assert battle_of(recorded("story", "x.", data=data)).title == "x"


CHANCES = """\
example "A hit, and what may come of it":
  put b (a gun, side blue) in 0202
  put r (a gun, side red) in 0601
  answer loss with 1
  blue orders fire of b against r
  then chance that (strength of r = 3) = 5/6
  dice 2
  then strength of r = 3
"""


def test_the_story_of_an_example_is_told_once_and_none_of_what_might_have_been(monkeypatch):
    cards = []
    made = Stories._card

    def card(self, told, reader, phase):
        cards.append((reader, made(self, told, reader, phase)))
        return cards[-1][1]

    monkeypatch.setattr(Stories, "_card", card)
    program, text = compiled((KIT, DUEL, CHANCES))
    (example,) = (x for x in text.declarations if isinstance(x, d.Example) and "may come" in x.name)
    (variant,) = variants(example, text.defaults, text.modules)
    outcome = run_example(program, example, variant)
    assert (outcome.checks, outcome.failures) == (2, [])
    assert sorted(reader for reader, _ in cards) == ["blue", "red", "umpire"]
    assert {row.name: row.value for row in dict(cards)["umpire"].rows}["total"] == "2"
    assert [throw.face for throw in dict(cards)["umpire"].rolls] == [2]
