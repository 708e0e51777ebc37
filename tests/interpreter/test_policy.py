"""Policies: whatever is awaited, they find a legal input, and the same one from the same seed."""

import functools
import random
from typing import Any

import pytest

from dsl.load import bound_or_raise, read_system
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.automated.policies import POLICIES, make_policy, step
from interpreter.automated.policy import NothingLegal
from interpreter.machine import Game, begin
from interpreter.messages.inputs import Input
from interpreter.program.program import Program
from interpreter.setup.compile_rules import compile_program
from tests.long import either

KIT = """\
system yard "The yard" version 1.0
enum grip: firm, loose, none-at-all
enum pace: walk, run
unit piece:
  weight  number, starts 2
  gone    mark
  pace    pace, starts walk
place cell, on hex grid:
  ground  one of flat or wall, starts flat
campaign game:
  turn-order  list of side
path way of p (a piece):
  from place of p
  at most 2 points
  entering c (a cell) costs 1
  never into c (a cell) when there is enemy pieces in c because "taken"
order go of p (a piece) to goal (a cell):
  given by side of p
  refused when p is gone because "it has gone"
  reaching goal by way of p
  move p to goal
  p becomes gone until end of moves
order bump of p (a piece) against target (a cell):
  given by side of p
  refused when p is not next to target because "it is too far"
  refused when there is no enemy pieces in target because "nobody stands there"
  refused when p is gone because "it has gone"
  active rolls 2d6+1 as push
  do choices
  p becomes gone until end of moves
procedure choices:
  active chooses any-of: some of own pieces such that count any-of is 2 because "two are needed"
  active chooses few: up to 2 of own pieces
  active chooses pair: exactly 2 of own pieces
  active chooses level: a number up to 9 such that level is 7 because "seven it is"
  active chooses word: walk or run
  each u in pieces chooses hold: one of (firm, loose, none-at-all)
      such that hold of u is firm because "all must be firm"
  weight of first (own pieces) becomes 3
sequence game-turn:
  for each s in turn-order, as active:
    phase moves "Moves":
      active may go, bump
map yard "Yard" of cell, 5 by 4, even columns low:
  letters:
    letter | ground
    .      | flat
  grid:
    01 | . . . . .
    02 | . . . . .
    03 | . . . . .
    04 | . . . . .
scenario meet "They meet" on yard:
  side red "Red" red
  side blue "Blue" blue
  forces red of piece:
    name  | in
    red-1 | 0202
    red-2 | 0201
    red-3 | 0103
  forces blue of piece:
    name   | in
    blue-1 | 0302
    blue-2 | 0402
    blue-3 | 0504
  turn-order is red, blue
  end game when turn > 2 because "two turns are over"
"""


@functools.cache
def made(text: str) -> tuple[Program, d.Scenario]:
    system = read_system([SourceFile("yard.rules", text)])
    scenario = next(x for x in system.declarations if isinstance(x, d.Scenario))
    return compile_program(bound_or_raise(system, system.defaults)), scenario


def game(extra: str = "", text: str = KIT, **settings: Any) -> Game:
    return begin(*made(text + extra), {"seed": 3, **settings})


def played(running: Game, policy: str, seed: int, most: int = 2000) -> list[Input]:
    player, chance = make_policy(policy, seed), random.Random(seed)
    inputs = []
    while not running.over:
        inputs.append(step(running, player, chance))
        running.offer(inputs[-1])
        assert len(inputs) < most
    return inputs


@pytest.mark.parametrize("policy", sorted(POLICIES))
@pytest.mark.parametrize("dice", ["seeded", "typed"])
def test_every_form_of_question_is_answered(policy: str, dice: str) -> None:
    asked = set()
    for seed in range(either(10, 30)):
        inputs = played(game(dice=dice), policy, seed)
        asked |= {i.subject for i in inputs if i.kind == "answer"}
    assert asked == {"any-of", "few", "pair", "level", "word", "hold"}


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_the_same_seed_gives_the_same_inputs(policy: str) -> None:
    assert played(game(), policy, 5) == played(game(), policy, 5)
    assert len({tuple(played(game(), policy, seed)) for seed in range(4)}) > 1


def test_a_phase_that_may_not_end_yet_is_gone_on_with() -> None:
    text = KIT.replace(
        "      active may go, bump\n",
        '      active may go, bump\n      refused when any own pieces is not gone because "all must go"\n',
    )
    inputs = played(game(text=text), "random", 1)
    assert sum(i.text.startswith(("go", "bump")) for i in inputs) == 12


def test_a_state_in_which_nothing_can_be_done_is_told() -> None:
    text = KIT.replace(
        "      active may go, bump\n",
        '      active may go, bump\n      refused when there is own pieces because "never"\n',
    )
    with pytest.raises(NothingLegal, match="red has no legal order"):
        played(game(text=text), "random", 1)
    text = KIT.replace("such that level is 7", "such that level is 70")
    with pytest.raises(NothingLegal, match="no legal answer to level"):
        played(game(text=text), "greedy", 1)


def test_greedy_takes_what_the_rules_find_most_appealing() -> None:
    extra = """\
value appeal-of-go of p (a piece) to goal (a cell):
  10 when p is red-like and goal is corner
  otherwise 0
value appeal-of-bump of p (a piece) against target (a cell):
  start with 0
status corner of c (a cell):
  when c is on-edge
status on-edge of c (a cell):
  when count (cells next to c) < 3
status red-like of p (a piece):
  when p is next to 0101
"""
    running = game(extra)
    first = step(running, make_policy("greedy", 1), random.Random(1))
    assert first.text == "go red-2 to 0101"
    running.offer(first)
    assert step(running, make_policy("greedy", 1), random.Random(1)).text == "done"


@pytest.mark.parametrize(
    "lets", ["", '  let limit be 40\n  refused when distance from p to goal > limit because "too far"\n']
)
def test_greedy_finds_the_best_of_many_places(lets) -> None:
    """It draws a few of 400 places, and moves from the best of them to the best of all."""
    rows = "\n".join(f"    {row:02} | {' '.join('.' * 20)}" for row in range(1, 21))
    old = "\n".join(f"    {row:02} | . . . . ." for row in range(1, 5))
    text = KIT.replace("5 by 4", "20 by 20").replace(old, rows).replace("may go, bump", "may land")
    extra = """\
order land of p (a piece) to goal (a cell):
  given by side of p
  refused when p is gone because "it has gone"
LETS  move p to goal
  p becomes gone until end of moves
value appeal-of-land of p (a piece) to goal (a cell):
  100 - distance from goal to 1713
"""
    for seed in range(5):
        first = step(game(extra.replace("LETS", lets), text), make_policy("greedy", seed), random.Random(seed))
        assert first.text.endswith(" to 1713")


def test_greedy_answers_with_what_appeals() -> None:
    extra = """\
value appeal-of-few of p (a piece):
  5 when p is next to 0101
  otherwise -1
value appeal-of-word of w (a pace):
  1 when w is run
  otherwise 0
"""
    given: dict[str, set[str]] = {}
    for seed in range(10):
        for i in played(game(extra), "greedy", seed):
            if i.kind == "answer" and i.side == "blue":
                given.setdefault(i.subject, set()).add(i.text)
    assert given["word"] == {"run"}


def test_greedy_weighs_an_answer_of_several_things_as_a_whole() -> None:
    """One piece alone is worth nothing, two are worth most, and each more costs something."""
    extra = """\
value appeal-of-few of chosen (some pieces):
  8 when count chosen = 2
  0 when count chosen = 0
  otherwise 0 - count chosen
"""
    said = [i.text for seed in range(6) for i in played(game(extra), "greedy", seed) if i.subject == "few"]
    assert said
    assert {len(text.replace(",", " ").split()) for text in said} == {2}


def test_greedy_weighs_what_each_of_several_things_is_to_choose() -> None:
    asked = """\
  each u in pieces chooses hold: one of (firm, loose, none-at-all)
      such that hold of u is firm because "all must be firm"
"""
    text = KIT.replace(asked, "  each u in pieces chooses aim: up to 1 of pieces\n")
    extra = """\
value appeal-of-aim of u (a piece) to v (a piece):
  1 when side of u is not side of v
  otherwise -1
"""
    said = [i.text for i in played(game(extra, text), "greedy", 1) if i.kind == "answer" and i.subject == "aim"]
    assert said
    for part in "; ".join(said).split("; "):
        shooter, *aims = part.split()
        assert [a[: a.index("-")] for a in aims] == ["blue" if shooter.startswith("red") else "red"]


def test_without_appeal_values_greedy_closes_up() -> None:
    running = game()
    player, chance = make_policy("greedy", 2), random.Random(2)
    before = gap(running)
    for _ in range(3):
        given = step(running, player, chance)
        if given.text.startswith("bump"):
            return
        running.offer(given)
    assert gap(running) <= before


def gap(running: Game) -> int:
    world = running.world
    pieces = world.all_of("piece")
    return min(world.ground.distance(a, b) for a in pieces for b in pieces if a.side is not b.side)


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_all_listed_commands_are_taken(policy: str) -> None:
    """The machine accepts every command that it lists, and every policy picks from that list."""
    running = game()
    player, chance = make_policy(policy, 4), random.Random(4)
    while not running.over:
        given = step(running, player, chance)
        if given.kind == "do":
            assert given.text in running.legal(given.side)
            assert not running.why_not(given.side, given.text)
        running.offer(given)


def test_each_side_may_have_a_policy_of_its_own() -> None:
    extra = """\
value appeal-of-go of p (a piece) to goal (a cell):
  start with 0
value appeal-of-bump of p (a piece) against target (a cell):
  start with 0
"""
    given = [i for i in played(game(extra), "red=greedy,random", 1) if i.kind == "do"]
    assert {i.text for i in given if i.side == "red"} == {"done"}
    assert {i.text for i in given if i.side == "blue"} != {"done"}
