"""A choice that reads something hidden is put even if one answer is legal, also if it reads it by a name set in a line before."""

import pytest

from dsl.rules.editions import PUT_FOR_NAMES, SINCE
from tests.interpreter.rulebook import do, game_of

HUNT = """\
unit force:
  foe      force, optional
  spotted  mark
  hidden from enemy until spotted: place
order raid of s (a side) to h (a hex):
  given by s
  {lines}
  s chooses victims: {choice}
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may raid
scenario hunt "Hunt" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of force:
    name | in   | spotted
    b-1  | 0202 | yes
  forces red of force:
    name | in
    r-1  | 0303
  turn-order is blue, red
"""
PREY = "let prey be enemy forces in h"


def asked(lines, choice, **settings):
    """Whether the choice is put, although one answer is legal."""
    game = game_of(HUNT.format(lines=lines, choice=choice), scenario="hunt", seed=4, **settings)
    do(game, "raid blue to 0303", "blue")
    return "victims" in {x.name for x in game.awaiting}


@pytest.mark.parametrize(
    ("lines", "choice"),
    [
        (PREY, "one of prey"),
        (PREY, "exactly 1 of prey"),
        (f"{PREY}\n  let near be prey", "one of near"),
        (f"let near be hexes next to h\n  {PREY}\n  near becomes place of prey", "one of near"),
        (f"{PREY}\n  let n be count of prey - 1", "up to n of sides"),
    ],
)
def test_it_is_put_for_what_a_name_was_set_from(lines, choice):
    assert asked(lines, choice)
    assert not asked(lines, choice, edition=SINCE[PUT_FOR_NAMES] - 1)


def test_for_what_its_own_line_reads_it_always_was():
    for edition in (SINCE[PUT_FOR_NAMES] - 1, SINCE[PUT_FOR_NAMES]):
        assert asked("let n be 1", "one of (enemy forces in h)", edition=edition)


def test_what_reads_nothing_hidden_is_taken_without_asking():
    assert not asked("let spots be sides except s", "one of spots")
