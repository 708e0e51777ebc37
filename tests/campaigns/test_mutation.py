"""Mutation: every change of a line or cell is tried with the examples that reach it."""

import pytest

from campaigns.file.errors import CampaignError
from campaigns.library.locate import NotFound
from campaigns.trials.mutation import mutate
from campaigns.trials.mutation_bench import laid_out
from dsl.checks.mutants import mutants
from dsl.load import read_system
from dsl.text.source import SourceFile

TEXT = """\
system toy "Toy" version 1.0
module mud "Mud", default off
enum ground: open, wood
unit tank:
  strength number, starts 4
  tired    mark
place hex, on hex grid:
  ground ground, starts open
map proving-ground "A field" of hex, 4 by 4:
  letters:
    letter | ground
    .      | open
  grid:
    01 | . . . .
    02 | . . . .
    03 | . . . .
    04 | . . . .
table cost by ground:
  ground || points
  open   || 2
  wood   || 7
value power of u (a tank):                                                                      [T-1]
  start with strength of u
  halved when u is tired
  plus 1 when strength of u >= 5
value idle of u (a tank):
  start with strength of u + 3
rule bog adds to power of u (a tank), with mud:
  minus 1
example "Power":                                                                                [T-1]
  put x (a tank, side blue) in 0101
  then power of x = 4
  given x is tired
  then power of x = 2
  with mud:
    then power of x = 3/2
example "Cost":
  put x (a tank, side blue) in 0101
  then cost at open = 2
"""


@pytest.fixture
def toy(tmp_path):
    (tmp_path / "toy.rules").write_text(TEXT)
    return str(tmp_path)


def survivors(found):
    return {(x["line"], x["change"], x["reached"]) for x in found["survivors"]}


def test_survivors_are_what_no_example_notices(toy):
    told = []
    found = mutate(toy, workers=1, progress=lambda done, steps: told.append((done, steps)))
    assert found["killed"] + len(found["survivors"]) == found["mutants"]
    assert survivors(found) == {
        (21, "7 under points becomes 8", False),  # nobody looks up the wood
        (25, "the line left out", True),  # nobody is strong
        (25, "1 becomes 2", True),
        (25, ">= becomes >", True),
        (25, "5 becomes 6", True),
        (27, "3 becomes 4", False),  # nobody asks for it
        (27, "`+` becomes `-`", False),
    }
    assert told[-1] == (len(told), len(told))
    assert {x["text"] for x in found["survivors"] if x["line"] == 21} == {"wood   || 7"}


OPENED = (
    TEXT[: TEXT.index("table cost")]
    + """\
campaign game:
  turn-order list of side
sequence game-turn:
  for each s in turn-order, as active:
    phase camp:
      active may drill
order drill of u (a tank):
  given by side of u
  strength of u becomes strength of u + 1
order rest of u (a tank), with mud:
  given by side of u
  u becomes tired
rule camping adds to phase camp, with mud:
  active may rest
rule hard after order drill:
  strength of u becomes strength of u + 1
example "Drill":
  put x (a tank, side blue) in 0101
  blue orders drill x
  then strength of x = 6
example "Rest", with mud:
  put x (a tank, side blue) in 0101
  given turn-order is blue
  do camp
  blue orders rest x
  then x is tired
"""
)


def test_a_rule_that_only_opens_a_phase_meets_the_examples_of_its_module(tmp_path):
    """Not with those that reach the declaration after it."""
    (tmp_path / "toy.rules").write_text(OPENED)
    assert "the rule camping left out" not in {x["change"] for x in mutate(str(tmp_path), workers=1)["survivors"]}


def test_any_number_of_workers_finds_the_same(toy):
    assert mutate(toy, workers=2) == mutate(toy, workers=1)


def test_who_judges_knows_how_long_examples_take_that_others_have_followed(toy):
    """An example that is slow without any change is not considered endless in a process that has not followed it."""
    followed, judging = laid_out(toy, ()), laid_out(toy, ())
    followed.know([followed.follow(n) for n in range(len(followed.trials))], toy)
    tasks = followed.judge_tasks(followed.numbers_in(()))
    assert {n for _, seconds in tasks for n in seconds} == {
        n for some, _ in tasks for _, chosen in some for n in chosen
    }
    for _, seconds in tasks:
        judging.take_times(seconds)
        assert all(judging.trials[n].seconds == followed.trials[n].seconds > 0 for n in seconds)


def test_only_some_files_are_changed(toy, tmp_path):
    (tmp_path / "idle.rules").write_text("value idler of u (a tank):\n  start with strength of u + 5\n")
    found = mutate(toy, workers=1, only=["idle"])
    assert {(x["file"], x["change"]) for x in found["survivors"]} == {
        ("idle.rules", "5 becomes 6"),
        ("idle.rules", "`+` becomes `-`"),
    }
    assert found["mutants"] == 2
    both = mutate(toy, workers=1, only=["idle.rules", "toy"])
    assert both == mutate(toy, workers=1)
    with pytest.raises(NotFound, match=r"no file idel\.rules"):
        mutate(toy, workers=1, only=["idel"])


def test_survivors_are_tried_again_where_they_stand_now(toy, tmp_path):
    earlier = mutate(toy, workers=1)["survivors"]
    idle = {"3 becomes 4", "`+` becomes `-`"}
    assert idle < {x["change"] for x in earlier}
    moved = TEXT.replace("value idle", "\n\nvalue idle")
    moved += 'example "Idle":\n  put x (a tank, side blue) in 0101\n  then idle of x = 7\n'
    (tmp_path / "toy.rules").write_text(moved)
    again = mutate(toy, workers=1, again=earlier)
    assert (again["mutants"], again["killed"]) == (len(earlier), 2)
    assert not idle & {x["change"] for x in again["survivors"]}
    assert mutate(toy, workers=1, again=[]) == {"mutants": 0, "killed": 0, "survivors": []}


def test_only_the_examples_of_some_files_are_tried(toy, tmp_path):
    (tmp_path / "more.rules").write_text('example "Idle":\n  put x (a tank, side blue) in 0101\n  then idle of x = 7\n')
    found = mutate(toy, workers=1, by=["more"])
    assert found["killed"] == 2
    assert found["mutants"] == mutate(toy, workers=2)["mutants"]
    with pytest.raises(NotFound, match=r"no file mor\.rules"):
        mutate(toy, workers=1, by=["mor"])


def test_examples_must_hold_before_anything_is_changed(tmp_path):
    (tmp_path / "toy.rules").write_text(TEXT.replace("then cost at open = 2", "then cost at open = 3"))
    with pytest.raises(CampaignError, match="'Cost' already fails before anything is changed"):
        mutate(str(tmp_path), workers=1)


def changes(body):
    found = read_system([SourceFile("a.rules", body)])
    assert not found.problems
    return [(x.span.line, x.change) for x in mutants(found.declarations)]


def test_conditions_and_numbers_of_a_line():
    assert changes("value v:\n  start with 2 - w\n  halved when x >= 3 and y is not marked\n  rounded down\n") == [
        (2, "the line left out"),
        (2, "`-` becomes `+`"),
        (2, "2 becomes 3"),
        (3, "the line left out"),
        (3, "condition 1 of 2 joined by `and` left out"),
        (3, "condition 2 of 2 joined by `and` left out"),
        (3, ">= becomes >"),
        (3, "3 becomes 4"),
        (3, "`not` left out"),
        (3, "1/2 becomes 3/2"),
        (4, "the line left out"),
        (4, "`down` becomes `up`"),
    ]


def test_a_rule_is_left_out_whole():
    assert changes("rule r adds to v:\n  1 right\n") == [
        (1, "the rule r left out"),
        (2, "`right` becomes `left`"),
        (2, "1 becomes 2"),
    ]


def test_cells_change_to_their_neighbours():
    text = "table t by a and b:\n  cells n, w\n  a || 1   | 2\n  1 || x1/2,hit | --,miss\n"
    assert changes(text) == [
        (4, "x1/2,hit under 1 becomes x3/2,hit"),
        (4, "x1/2,hit under 1 becomes x1/2,miss"),
        (4, "--,miss under 2 becomes --,hit"),
    ]


def test_how_automated_sides_weigh_is_no_rule():
    assert not changes("value appeal-of-march:\n  start with 2\n  doubled\n")


def test_what_is_only_told_changes_nothing():
    text = 'rule r before p:\n  for each s in sides:\n    tell s "{}" with 1 when 2 > 1\n'
    assert not changes(text)


def test_a_label_in_its_usual_place_is_not_left_out():
    assert changes("value v:\n  start with w\n  adds: plus 0\n  doubled\n") == [
        (2, "the line left out"),
        (3, "0 becomes 1"),
        (4, "the line left out"),
        (4, "2 becomes 3"),
    ]
    assert (2, "the line left out") not in changes("value v:\n  start with 0\n  plus w\n")
    assert (2, "the line left out") in changes("value v:\n  start with 0\n  5 when w > 1\n  plus w\n")
    assert (4, "the line left out") in changes("value v:\n  start with w\n  doubled\n  adds: plus 0\n")


def test_a_bound_that_guards_a_loop_is_left_alone():
    assert changes("procedure p:\n  repeat at most 200 times while hits > 0:\n    hits loses 1 points\n") == [
        (2, "> becomes >="),
        (2, "0 becomes 1"),
        (3, "1 becomes 2"),
    ]
    assert (2, "3 becomes 4") in changes("procedure p:\n  repeat at most 3 times while hits > 0:\n    do q\n")
