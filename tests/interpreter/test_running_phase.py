"""`phase is movement`: the running phase or step, in rules, in triggers, in examples, and after replay."""

import pytest

from dsl.load import bound_or_raise, check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.explain.explain import explain
from interpreter.machine import resume
from interpreter.messages.inputs import Refused
from interpreter.setup.compile_rules import compile_program
from tests.interpreter.rulebook import KIT, ask, do, game_of

RULES = """
module later "Later", default off
order hurry of u (a regiment):
  given by side of u
  refused when phase is not movement because "it is not time to march"
  u becomes tired until phase is combat
order dig of u (a regiment):
  given by side of u
  refused when phase is march-step because "not on the march"
  strength of u becomes bonus of u
value bonus of u (a regiment):
  10 when phase is movement or combat
  otherwise 1
rule wake always for u (a regiment) when phase is combat and losses of u = 0:
  losses of u becomes 1
sequence game-turn:
  phase movement "Movement Phase":
    step march-step:
      blue-side may hurry, dig
    step rest-step:
      blue-side may hurry, dig
  phase combat:
    step volley:
      blue-side may hurry, dig
  phase night-watch, with later:
    blue-side may dig
value blue-side:
  first sides (where name of it is "blue") else active
"""


def test_orders_values_and_rules_that_wait():
    game = game_of(RULES)
    unit = game.world.by_id["a"]
    with pytest.raises(Refused, match="Not on the march"):
        do(game, "dig a")
    assert ask(game, "phase is movement")
    assert ask(game, "phase is march-step")
    assert ask(game, "phase is not rest-step")
    assert not ask(game, "phase is combat or rest-step")
    assert ask(game, "phase = movement")
    assert ask(game, "phase != combat")
    assert ask(game, "phase") == "movement, march-step"
    do(game, "hurry a")
    assert unit.f_tired
    do(game, "done")
    do(game, "dig a")
    assert unit.f_strength == 10
    assert unit.f_losses == 0
    do(game, "done")
    assert not unit.f_tired  # until the combat
    assert unit.f_losses == 1  # what waits came about
    assert ask(game, "phase is combat")
    assert ask(game, "phase is volley")
    assert not ask(game, "phase is movement")
    with pytest.raises(Refused, match="It is not time to march"):
        do(game, "hurry a")
    do(game, "done")
    assert game.world.turn == 2
    assert ask(game, "phase is march-step")


def test_what_may_be_given_is_told_anew_in_each_phase():
    game = game_of(RULES)
    assert {c.split()[0] for c in game.legal("blue")} - {"done"} == {"hurry"}
    do(game, "done")
    assert {c.split()[0] for c in game.legal("blue")} - {"done"} == {"hurry", "dig"}
    do(game, "done")
    assert {c.split()[0] for c in game.legal("blue")} - {"done"} == {"dig"}


def test_a_game_opened_in_the_middle_stands_where_it_stood():
    game = game_of(RULES)
    for command in ("done", "done", "done", "dig a"):
        if command == "dig a":
            do(game, "done")
        do(game, command)
    again = game_of(RULES)
    for _ in range(3):
        do(again, "done")
    back = resume(again.program, again.scenario, {"dice": "typed", "seed": 1}, again.snapshot())
    for command in ("done", "dig a"):
        do(back, command)
    assert ask(back, "phase") == "movement, rest-step"
    assert back.digest() == game.digest()


def test_the_other_side_may_ask_as_well():
    game = game_of(RULES)
    assert str(explain(game, "phase is movement", "red").value) == "yes"


def problems(line, rules=RULES):
    text = read_system([SourceFile("kit.rules", KIT), SourceFile("own.rules", rules + line)])
    return [p for p in check_system(text) if p.is_error]


def test_a_phase_that_is_not_there():
    (found,) = problems("status x:\n  when phase is movment\n")
    assert (found.code, found.hint) == ("E200", "Did you mean movement?")
    (found,) = problems("status x:\n  when phase is 3\n")
    assert found.code == "E200"
    assert "write the name of a phase" in found.hint


def test_a_phase_of_a_module_that_is_off_never_runs():
    assert problems("status x:\n  when phase is night-watch\n") == []
    assert not ask(game_of(RULES), "phase is night-watch")
    game = game_of(RULES, modules=["later"])
    for _ in range(3):
        do(game, "done")
    assert ask(game, "phase is night-watch")


def test_a_name_of_ones_own_comes_first():
    line = """
value seen of u (a regiment):
  let phase be strength of u
  start with phase
status late of u (a regiment):
  let phase be posture of corps of u
  when phase is holding
"""
    assert problems(line) == []


EXAMPLES = """
example "Given":
  put u (a regiment, side blue, strength 3) in 0101
  then phase is not movement
  given phase is movement
  then phase is movement
  then bonus of u = 10
  then phase is combat
example "Played":
  put u (a regiment, side blue, strength 3) in 0101
  do game-turn
  then phase is movement
  then phase is rest-step
"""


def test_in_examples():
    text = read_system([SourceFile("kit.rules", KIT), SourceFile("own.rules", RULES + EXAMPLES)])
    assert [p for p in check_system(text) if p.is_error] == []
    program = compile_program(bound_or_raise(text), text.files)
    told = {}
    for example in (x for x in text.declarations if isinstance(x, d.Example)):
        outcome = run_example(program, example, variants(example, text.defaults)[0])
        told[example.name] = [(f.expected, f.got) for f in outcome.failures]
    assert told["Given"] == [("then phase is combat", "movement")]
    assert [got.split(";")[0] for _, got in told["Played"]] == ["movement, march-step"]


INSIDE = """
order strike of u (a regiment):
  given by side of u
  do raid with u as raider
value fire in raid:
  strength of raider when phase is volley
  otherwise 1
value fire-twice in raid:
  start with fire + fire
value force in raid:
  start with strength of raider + losses of raider
procedure raid of raider (a regiment):
  let before be fire-twice + force
  step volley:
    let during be fire-twice + force
  let after be fire-twice + force
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may strike
"""


def test_a_value_of_a_procedure_that_asks_for_the_phase_is_asked_anew_when_another_runs():
    game = game_of(INSIDE)
    do(game, "strike a")  # strength 7, no losses
    assert [ask(game, name) for name in ("before", "during", "after")] == [9, 21, 9]


STOPPED = """
order strike of u (a regiment):
  given by side of u
  do blow with u as u
procedure blow of u (a regiment):
  step first-blow
  step second-blow:
    stop blow when strength of u > 100
    losses of u becomes 1
rule held after step first-blow:
  stop blow when losses of u > 0 because "it is held"
order rest of u (a regiment):
  given by side of u
  losses of u becomes 0
sequence game-turn:
  phase combat:
    sides may strike, rest together
"""


def test_a_step_in_which_its_procedure_is_stopped_is_over():
    game = game_of(STOPPED)
    do(game, "strike a")
    assert game.phase == "combat"
    do(game, "strike a")  # it has lost something: a rule after the first step stops it
    assert game.phase == "combat"
    do(game, "strike a")
    assert [name for name, _ in game.world.phases] == ["combat"]


def test_a_procedure_that_stops_itself_within_a_step_leaves_it():
    game = game_of(STOPPED.replace("strength of u > 100", "strength of u < 100"))
    do(game, "strike a")
    assert [name for name, _ in game.world.phases] == ["combat"]


def test_a_phase_keeps_its_title_if_a_procedure_has_a_step_of_the_same_name():
    again = "procedure again:\n  phase movement:\n    blue-side may dig\nsequence game-turn:"
    assert game_of(RULES.replace("sequence game-turn:", again)).phases["movement"] == "Movement Phase"
