"""Rules that wait for a removal: they read the thing while it is still in its place, and may bring down more.

A circus: acrobats hold each other up in a tower, lamps hang in rows and bring down the next one.
"""

import pytest

from dsl.load import bound_or_raise, check_system, read_system
from dsl.rules.variants import variants
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.machine import begin, resume
from interpreter.messages.inputs import Refused, RuleFailure
from interpreter.setup.compile_rules import compile_program
from tests.interpreter.rulebook import TOY, answer, ask, compiled, do, names, roll, texts, waits

CIRCUS = (TOY / "circus.rules").read_text(encoding="utf-8")


def circus(text=CIRCUS, modules=()):
    program, read = compiled((text,), frozenset(modules))
    scenario = next(x for x in read.declarations if getattr(x, "name", "") == "one")
    return begin(program, scenario, {"dice": "typed", "seed": 1})


def test_it_is_read_while_it_stands_and_what_it_holds_goes_after_it():
    game = circus()
    told = texts(do(game, "drop t1"))
    assert told[1:] == [
        "Collapse: t1.",
        "t1 falls with a1, a2 in 0101",
        "Gasp: a1.",
        "gasps of game becomes 2 (was 0).",
        "height of t1 becomes 2 (was 3).",
        "a1 in 0101 is removed: dropped.",
        "Gasp: a2.",
        "gasps of game becomes 4 (was 2).",
        "height of t1 becomes 1 (was 2).",
        "a2 in 0101 is removed: dropped.",
        "t1 in 0101 is removed: dropped.",
    ]
    assert names(game.world.all_of("tower")) == ["t2"]


def test_what_it_removes_wakes_further_rules_and_each_thing_falls_once():
    game = circus()
    do(game, "sweep l1")
    assert names(game.world.all_of("lamp")) == ["l4"]
    assert [ask(game, f"dark of {h}") for h in ("0101", "0201", "0301", "0501")] == [True, True, True, False]


def test_bound_to_an_order_it_waits_in_no_other():
    game = circus()
    do(game, "drop l1")
    assert names(game.world.all_of("lamp")) == ["l2", "l3", "l4"]
    assert not ask(game, "dark of 0101")


def test_it_may_roll_and_ask_before_the_thing_is_gone():
    game = circus()
    do(game, "dare t1 to t2")
    assert waits(game) == [("dice", "", "luck")]
    assert ask(game, "place of t1 is 0101")
    roll(game, "5")
    answer(game, "a2")
    assert names(ask(game, "acrobats of t2")) == ["a2"]
    assert names(game.world.all_of("acrobat")) == ["a2"]
    assert ask(game, "gasps") == 2


def test_lines_done_together_remove_only_when_all_have_read_the_state():
    game = circus()
    told = texts(do(game, "finale t1"))
    assert told.index("gasps of game becomes 1 (was 0).") < told.index("Collapse: t1.")
    assert ask(game, "gasps") == 5
    assert names(game.world.all_of("lamp")) == ["l2", "l3", "l4"]


def test_why_and_a_snapshot_know_it():
    game = circus()
    do(game, "drop a1")
    assert [(x.text, x.value) for x in game.explain("gasps").steps] == [("gasps gains fame of a points", "0 + 2 = 2")]
    for _ in range(2):
        do(game, "done")
    again = resume(game.program, game.scenario, game.settings, game.snapshot())
    assert ask(again, "gasps") == 2
    assert again.digest() == game.digest()


def test_with_a_module_several_rules_wait_for_one_removal():
    game = circus(modules=("nets",))
    do(game, "drop a1")
    assert ask(game, "gasps") == 102


def test_what_rests_on_the_hidden_is_not_told_to_the_other_side():
    text = CIRCUS + "rule hush whenever l (a lamp) is removed when glow of l > 0:\n  gasps gains 7 points\n"
    game = circus(text)
    events = do(game, "drop l1")
    assert {e.to for e in events if e.data.get("rule") == "hush"} == {"umpire"}


def test_parts_are_mourned_with_their_whole_and_alone():
    """A wagon with two wheels: the removal of each wheel fires the rule, alone or with the wagon, and both can be read."""
    text = (
        CIRCUS
        + """
unit wagon:
  load number, starts 1
component wheel, part of wagon:
  spokes number, starts 8
list wagons of wagon:
  name | wheels
  cart | 2 round
list wheels of wheel:
  name  | spokes
  round | 8
rule creak whenever x (a wheel or a wagon) is removed:
  gasps gains 10 points when x is wagon
  gasps gains spokes of x points when x is wheel
order fetch of t (a tower):
  put w (a wagon cart, side active) in place of t
order break of x (a wheel or a wagon):
  remove x because "broken"
rule breaking adds to phase show:
  active may fetch, break
"""
    )
    game = circus(text)
    do(game, "fetch t2")
    wheels = names(game.world.all_of("wheel"))
    do(game, f"break {wheels[0]}")
    assert ask(game, "gasps") == 8
    do(game, f"break {game.world.all_of('wagon')[0].id}")
    assert ask(game, "gasps") == 26
    assert game.world.all_of("wheel") == []


def test_removals_that_go_on_too_deep_are_a_fault_of_the_rule():
    """Each clown that is removed puts two more and removes one of them."""
    text = (
        CIRCUS
        + """
unit clown:
  size number, starts 1
rule more whenever c (a clown) is removed:
  put d (a clown, side active) in place of c
  remove d
order trip of t (a tower):
  put c (a clown, side active) in place of t
  remove c
rule tripping adds to phase show:
  active may trip
"""
    )
    game = circus(text)
    with pytest.raises(RuleFailure, match="More than 60 removals"):
        do(game, "trip t1")
    assert ask(game, "gasps") == 0


def test_in_an_example_what_is_removed_wakes_rules_as_in_play():
    text = (
        CIRCUS
        + """
example "Falling":
  put t (a tower, side blue) in 0101
  put a (an acrobat, tower t) in 0101
  remove t
  then gasps = 2
  then acrobats are none
"""
    )
    system = read_system([SourceFile("own.rules", text)])
    program = compile_program(bound_or_raise(system, ()), system.files)
    example = program.ruleset.examples[0]
    found = run_example(program, example, variants(example, system.defaults)[0])
    assert found.passed, found.failures


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("rule r whenever h (a ring) is removed:\n  gasps gains 1 points", "E242", "A place of the map exists for the whole game"),
        ("rule r whenever g (a game) is removed:\n  gasps gains 1 points", "E242", "The campaign exists for the whole game"),
        ("rule r whenever s (a side) is removed:\n  gasps gains 1 points", "E242", "An event can happen only to a single thing"),
        ("rule r whenever l (a lamp) is removed:\n  stop move", "E243", "There is nothing named move to stop here."),
    ],
)  # fmt: skip
def test_what_cannot_be_waited_for(line, code, said):
    system = read_system([SourceFile("own.rules", CIRCUS + line + "\n")])
    found = [(x.code, x.message) for x in check_system(system) if x.is_error]
    assert any(c == code and said in m for c, m in found), found


def test_it_is_refused_as_before_and_nothing_falls():
    game = circus()
    with pytest.raises(Refused):
        do(game, "drop t9")
    assert len(game.world.all_of("tower")) == 2
