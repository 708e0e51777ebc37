"""Oddities that are reported before a turn continues: idle formations, units without orders, who is short of supply, conflicting orders."""

import json
from datetime import UTC, datetime

import pytest

from campaigns.desk.commanders import set_commander
from campaigns.desk.odd import CANCELLED, IDLE, TWICE, UNORDERED, UNSUPPLIED, Odd, odd_for, odd_things
from campaigns.desk.players import set_player
from campaigns.play.starting import create_campaign
from interpreter.messages.inputs import Input
from tests.desk.outposts import arrived, sent
from tests.interpreter.rulebook import KIT
from ui.main import main

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)

BRIGADES = """\
formation brigade:
  aim  number, starts 0
unit post, held by brigade:
  fed    mark, starts yes
  aim    number, starts 0
  spare  mark
  hidden from enemy: fed, aim
status short-of-supply of p (a post) = p is not fed
order target of p (an own post) to n (a number):
  refused when p is spare because "it is spare"
  aim of p becomes n
order walk of p (an own post) to goal (a hex):
  refused when p is spare because "it is spare"
  refused when goal is not next to p because "it is too far"
  move p to goal
sequence game-turn:
  phase plans "Plans":
    sides may target, walk together
  phase rest:
    sides may target together
scenario brigades "Brigades" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of brigade:
    name | in
    b-a  | --
    b-b  | --
  forces blue of post:
    name  | in   | brigade | fed | spare
    b-1   | 0202 | b-a     | yes | no
    b-2   | 0303 | b-a     | yes | no
    b-3   | 0304 | b-b     | yes | no
    b-4   | 0402 | b-b     | no  | no
    b-5   | 0404 | b-b     | yes | yes
  forces red of brigade:
    name | in
    r-a  | --
  forces red of post:
    name | in   | brigade | fed
    r-1  | 0601 | r-a     | no
"""


TWO_WINDOWS = BRIGADES.replace(
    "    sides may target, walk together\n", "    sides may target, walk together\n    sides may dig together\n"
).replace(
    "sequence game-turn:",
    'order dig of p (an own post):\n  refused when p is fed because "it is fed"\n  aim of p becomes 9\nsequence game-turn:',
)
"""The same with a second orders window in the first phase, in which only who is short of supply may do something."""

WITH_QUESTION = TWO_WINDOWS.replace("target, walk together", "target, walk, trust together").replace(
    "sequence game-turn:",
    """\
order trust of p (an own post):
  refused when p is fed because "it trusts nobody"
  side of p chooses secretly much: a number up to 5
  aim of p becomes much
sequence game-turn:""",
)
"""The same with an order that asks a secret question."""


@pytest.fixture
def campaign(tmp_path, request):
    text = getattr(request, "param", BRIGADES)
    (tmp_path / "brigades.rules").write_text(f"{KIT}\n{text}")
    with create_campaign(tmp_path / "brigades.ophex", str(tmp_path / "brigades"), seed=4) as made:
        yield made


def give(campaign, side, *orders):
    for order in orders:
        campaign.offer(Input("do", side, order))


def odd_of(campaign, kind, side="blue"):
    return [one for one in odd_things(campaign, [side]) if one.kind == kind]


def test_a_formation_is_idle_of_which_nobody_has_an_order_and_of_others_the_units_are_told(campaign):
    """b-5 is spare: it cannot be given any order, so it is never reported as missing one."""
    assert odd_of(campaign, IDLE) == odd_of(campaign, UNORDERED) == []  # nothing came: that is no oddity but a state
    give(campaign, "blue", "target b-1 to 3")
    assert odd_of(campaign, UNORDERED) == [Odd(UNORDERED, "blue", ("b-2",), ("target", "walk"))]
    assert odd_of(campaign, IDLE) == [Odd(IDLE, "blue", ("b-3", "b-4"), ("target", "walk"), "b-b")]
    give(campaign, "blue", "done")
    assert [one.kind for one in odd_things(campaign, ["blue"])] == [UNORDERED, IDLE, UNSUPPLIED]  # as before
    campaign.take_back("blue")
    give(campaign, "blue", "target b-2, b-3, b-4 to 1")
    assert odd_of(campaign, UNORDERED) == odd_of(campaign, IDLE) == []


@pytest.mark.parametrize("campaign", [TWO_WINDOWS], indirect=True)
def test_an_orders_window_that_has_closed_is_no_longer_looked_at(campaign):
    give(campaign, "blue", "target b-1 to 3", "done")
    give(campaign, "red", "target r-1 to 4")
    assert {one.things for one in odd_of(campaign, UNORDERED)} == {("b-2",)}  # red is not done: blue may still undo
    give(campaign, "red", "done")
    assert {one.side for one in campaign.game.awaiting} == {"blue", "red"}
    assert odd_of(campaign, UNORDERED) == odd_of(campaign, IDLE) == odd_of(campaign, UNORDERED, "red") == []
    give(campaign, "blue", "done")
    assert odd_of(campaign, UNORDERED) == [Odd(UNORDERED, "blue", ("b-4",), ("dig",))]
    assert odd_of(campaign, UNORDERED, "red") == []
    give(campaign, "red", "dig r-1")
    assert odd_of(campaign, UNORDERED) == [Odd(UNORDERED, "blue", ("b-4",), ("dig",))]


@pytest.mark.parametrize("campaign", [WITH_QUESTION], indirect=True)
@pytest.mark.parametrize("blue", [("target b-1 to 3",), ("target b-1 to 3", "done")])
def test_a_secret_question_of_another_side_changes_nothing_that_a_side_reads(campaign, blue):
    """Red is asked which post it trusts, which blue does not know: blue's orders window is open as before."""
    give(campaign, "blue", *blue)
    before = odd_things(campaign, ["blue"])
    assert [(one.kind, one.things) for one in before] == [
        (UNORDERED, ("b-2",)), (IDLE, ("b-3", "b-4")), (UNSUPPLIED, ("b-4",)),
    ]  # fmt: skip
    give(campaign, "red", "trust r-1")
    assert ("red", "question", True) in [(one.side, one.kind, one.secret) for one in campaign.game.awaiting]
    assert odd_things(campaign, ["blue"]) == before


def test_orders_of_a_letter_that_waits_count_as_given(campaign):
    give(campaign, "blue", "target b-1 to 3")
    (judged,) = sent(campaign, arrived("red", "done", "target r-1 to 4")).judged
    assert judged.fate == "waiting"
    assert odd_of(campaign, UNORDERED, "red") == []


def test_who_is_short_of_supply_is_told_of_machines_too_but_not_who_has_no_order(campaign):
    set_player(campaign, "blue", {"played_by": "machine"})
    give(campaign, "blue", "target b-1 to 3")
    assert odd_things(campaign) == [Odd(UNSUPPLIED, "blue", ("b-4",)), Odd(UNSUPPLIED, "red", ("r-1",))]


def test_orders_that_undo_each_other_are_told_and_steps_on_a_way_are_not(campaign):
    give(campaign, "blue", "target b-1 to 3", "target b-1 to 4", "walk b-2 to 0304", "walk b-2 to 0305")
    give(campaign, "blue", "walk b-3 to 0404", "walk b-3 to 0304")
    assert odd_of(campaign, TWICE) == [Odd(TWICE, "blue", ("b-1",), ("target b-1 to 3", "target b-1 to 4"))]
    assert odd_of(campaign, CANCELLED) == [Odd(CANCELLED, "blue", ("b-3",), ("walk b-3 to 0404", "walk b-3 to 0304"))]


@pytest.mark.parametrize(
    "campaign",
    [
        BRIGADES.replace("  aim of p becomes n\n", "  put s (a salvo, size n) in place of p\n").replace(
            "order target", "marker salvo:\n  size number\norder target", 1
        )
    ],
    indirect=True,
)
def test_orders_that_change_nothing_of_their_thing_do_not_undo_each_other(campaign):
    """Fire that is declared now and resolved later: several shots of one post are no mistake."""
    give(campaign, "blue", "target b-1 to 3", "target b-1 to 4", "target b-1 to 3")
    assert odd_of(campaign, TWICE) == odd_of(campaign, CANCELLED) == []


@pytest.mark.parametrize(
    "campaign",
    [WITH_QUESTION.replace("order trust of p (an own post)", "order trust of p (an own post) to n (a number)")],
    indirect=True,
)
def test_orders_whose_answers_change_the_same_undo_each_other(campaign):
    for number, much in (("1", "2"), ("2", "3")):
        give(campaign, "blue", f"trust b-4 to {number}")
        campaign.offer(Input("answer", "blue", much, "much"))
    assert [one.orders for one in odd_of(campaign, TWICE)] == [("trust b-4 to 1", "trust b-4 to 2")]


@pytest.mark.parametrize("luck", [1, 3])
def test_what_a_side_may_not_know_of_its_own_things_is_no_oddity(tmp_path, luck):
    """Nobody knows whether digging changes anything of b-1: by its receipt blue could tell."""
    text = BRIGADES.replace(
        "  hidden from enemy: fed, aim\n",
        f"  luck   number, starts {luck}\n  doom   number, starts 0\n"
        "  hidden from enemy: fed, aim\n  hidden from everyone: luck, doom\n",
    ).replace("sides may target, walk together", "sides may target, walk, dig together")
    dig = "order dig of p (an own post) to n (a number):\n  doom of p becomes n when luck of p > 2\n"
    (tmp_path / "brigades.rules").write_text(
        f"{KIT}\n{text.replace('sequence game-turn:', f'{dig}sequence game-turn:')}"
    )
    with create_campaign(tmp_path / "dug.ophex", str(tmp_path / "brigades"), seed=4) as campaign:
        give(campaign, "blue", "dig b-1 to 3", "dig b-1 to 4")
        assert odd_of(campaign, TWICE) == odd_of(campaign, CANCELLED) == []


def test_desk_and_advance_tell_it_and_advance_goes_on_all_the_same(campaign, capsys):
    give(campaign, "blue", "target b-1 to 3", "done")
    path = str(campaign.path)
    assert main(["desk", path]) == 0
    told = capsys.readouterr().out
    assert "Odd: The Blues: no part of b-b has an order (b-3, b-4; possible: target, walk)." in told
    assert "Odd: The Blues: no order (possible: target, walk): b-2." in told
    assert "Odd: The Blues: short of supply: b-4." in told
    for words in (["--dry-run"], []):
        assert main(["advance", path, *words]) == 0
        assert "odd: The Blues: no part of b-b has an order" in capsys.readouterr().err
    assert main(["advance", path, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["odd"]
    assert {"kind": "unsupplied", "side": "red", "things": ["r-1"], "orders": [], "whole": ""} in found


def test_a_side_is_told_its_own_and_nothing_of_others(campaign, capsys):
    give(campaign, "blue", "target b-1 to 3")
    assert main(["desk", str(campaign.path), "--as", "red", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["odd"]
    assert [(one["kind"], one["side"], one["things"]) for one in found] == [("unsupplied", "red", ["r-1"])]


def test_a_receipt_tells_a_side_what_it_may_have_overlooked(campaign, tmp_path, capsys):
    (tmp_path / "blue.txt").write_text("target b-1 to 3\n")
    assert main(["mail", str(campaign.path), "--in", str(tmp_path / "blue.txt"), "--dry-run"]) == 0
    assert "second look" not in capsys.readouterr().out  # nothing is given yet
    assert main(["mail", str(campaign.path), "--in", str(tmp_path / "blue.txt")]) == 0
    told = capsys.readouterr().out
    assert told.partition("Worth a second look:\n")[2].rstrip().splitlines() == [
        "  The Blues: no part of b-b has an order (b-3, b-4; possible: target,",
        "      walk).",
        "  The Blues: no order (possible: target, walk): b-2.",
        "  The Blues: short of supply: b-4.",
    ]


def test_a_commander_is_told_of_what_is_theirs(campaign):
    set_commander(campaign, "blue", "ann", ["b-b"])
    set_commander(campaign, "blue", "bob", ["b-2"])
    give(campaign, "blue", "target b-1 to 3")
    assert [(one.kind, one.things) for one in odd_for(campaign, "blue/ann")] == [
        (IDLE, ("b-3", "b-4")), (UNSUPPLIED, ("b-4",)),
    ]  # fmt: skip
    assert [(one.kind, one.things) for one in odd_for(campaign, "blue/bob")] == [(UNORDERED, ("b-2",))]
    assert odd_for(campaign, "blue") == odd_things(campaign, ["blue"])


def test_orders_of_a_commander_that_wait_count_as_given(campaign):
    set_commander(campaign, "blue", "ann", ["b-b"])
    give(campaign, "blue", "target b-1 to 3")
    (judged,) = sent(campaign, arrived("blue/ann", "done", "target b-3 to 4")).judged
    assert judged.fate == "waiting"
    assert [one.things for one in odd_of(campaign, IDLE)] == []
    assert [one.things for one in odd_of(campaign, UNORDERED)] == [("b-2",), ("b-4",)]
