"""Paths of a world: what a step reads, what is remembered and for how long."""

import functools

import pytest

from dsl.load import bound_or_raise, read_system
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.codegen.reads import ACTIVE, ALL, MOVES, TURN
from interpreter.machine import begin
from interpreter.setup.compile_rules import compile_program
from interpreter.world.ways import Ways

KIT = """\
system yard "The yard" version 1.0
unit piece:
  legs   number, starts 2
  tired  mark
place cell, on hex grid:
  ground  one of flat or bog, starts flat
  river   link
campaign game:
  turn-order  list of side
value pace of p (a piece):
  legs of p when p is not tired
  otherwise 1
path way of p (a piece):
  from place of p
  at most pace of p points
  entering c (a cell) costs 2 when ground of c is bog
  entering c (a cell) costs 1
  never into c (a cell) when crossing is river because "there is no bridge"
  never into c (a cell) when there is enemy pieces in c because "taken"
  halting in c (a cell) when there is enemy pieces next to c because "seen"
path late-way of p (a piece):
  from place of p
  at most turn points
  entering c (a cell) costs 1
  never into c (a cell) when side of p is not active because "not now"
order go of p (a piece) to goal (a cell):
  given by side of p
  reaching goal by way of p
  move p to goal
order tire of p (a piece):
  given by side of p
  p becomes tired
order go-late of p (a piece) to goal (a cell):
  given by side of p
  reaching goal by late-way of p
  move p to goal
sequence game-turn:
  for each s in turn-order, as active:
    phase moves "Moves":
      active may go, tire, go-late
map yard "Yard" of cell, 4 by 3, even columns low:
  letters:
    letter | ground
    .      | flat
    b      | bog
  grid:
    01 | . . . .
    02 | . b . .
    03 | . . . .
  river along 0101 to 0102
scenario meet "They meet" on yard:
  side red "Red" red
  side blue "Blue" blue
  forces red of piece:
    name  | in
    red-1 | 0101
  forces blue of piece:
    name   | in
    blue-1 | 0403
  turn-order is red, blue
  end game when turn > 9 because "it is late"
"""


@functools.cache
def made():
    system = read_system([SourceFile("yard.rules", KIT)])
    scenario = next(x for x in system.declarations if isinstance(x, d.Scenario))
    return compile_program(bound_or_raise(system, system.defaults)), scenario


@pytest.fixture
def game():
    return begin(*made(), {"seed": 1})


def reached(game, thing, **how):
    ways = Ways(game.world, **how)
    found = ways.reach("way", (game.world.by_id[thing],))
    return {game.world.grid.label(i): cost for i, cost in found.costs.items()}


@pytest.mark.parametrize("ready", [True, False])
def test_a_ban_may_look_at_the_step(game, ready):
    """0102 cannot be entered over the river from 0101, but from 0201."""
    found = reached(game, "red-1", ready=ready)
    assert found["0201"] == 1
    assert found["0102"] == 2
    game.world.by_id["red-1"].f_legs = 1
    assert "0102" not in reached(game, "red-1", ready=ready)


def test_what_hangs_on_the_mover_is_asked_once_and_changes_nothing(game):
    assert reached(game, "red-1", ready=True) == reached(game, "red-1", ready=False)
    assert reached(game, "blue-1", ready=True) == reached(game, "blue-1", ready=False)


def test_what_paths_read(game):
    ways = game.program.ways
    assert ways["way"].reads[""] == {MOVES, "f_legs", "f_tired", "f_ground"}
    assert ways["late-way"].reads[""] == {MOVES, ACTIVE, TURN}
    assert ALL not in ways["way"].reads["w_way_never0"]
    assert ways["way"].crossing == {"w_way_never0"}


def test_answers_are_kept_until_something_changes_that_they_read(game):
    ways, world = game.world.ways, game.world
    red, blue = world.by_id["red-1"], world.by_id["blue-1"]
    first = ways.reach("way", (red,))
    world.changed()
    world.touch(TURN)
    assert ways.reach("way", (red,)) is first
    world.effects.set(red, "tired", True)
    second = ways.reach("way", (red,))
    assert len(second.points) < len(first.points)
    world.positions.move(blue, world.by_label["0201"], None)
    assert ways.reach("way", (red,)) is not second
    world.touch(ALL)
    assert ways.reach("way", (red,)) is not second


def test_other_worlds_are_not_trusted(game):
    """Where code outside the world changes things, any change makes all answers stale."""
    ways = Ways(game.world)
    red = game.world.by_id["red-1"]
    first = ways.reach("way", (red,))
    red.f_legs = 1
    game.world.changed()
    assert len(ways.reach("way", (red,)).points) < len(first.points)


def test_a_thing_off_the_map_has_no_commands(game):
    red = game.world.by_id["red-1"]
    del red.place.things[red]
    red.place = None
    assert not any(c.startswith("go ") for c in game.legal("red"))
    assert game.why_not("red", "go red-1 to 0201")[0].message == "red-1 is off the map."
