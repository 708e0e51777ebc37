"""What would tell a hidden field is hidden with it: the title of the unit list entry that prints the field, and the name behind a label."""

import pytest

from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from interpreter.examples.examples import run_example
from interpreter.queries.project import thing_view
from tests.interpreter.rulebook import compiled, game_with

BLOCKS = """\
system blocks "Blocks" version 1.0
unit block:
  pace  number
  worth number, starts 1
  seen  mark
  {hidden}
place hex, on hex grid:
  height number
list blocks of block:
  name | title             | pace
  foot | Foot of the Guard | 2
  king | The King          | 3
map realm "Realm" of hex, 2 by 1:
  letters:
    letter | height
    .      | 0
  grid:
    01 | . .
order show of b (an own block):
  b becomes seen
sequence game-turn:
  phase all:
    sides may show together
scenario war "War" on realm:
  side red "Red" red
  side blue "Blue" blue
  forces red of block:
    name | type | in
    r    | king | 0101
  forces blue of block:
    name | type | in
    b    | foot | 0201
  end game when turn > 3 because "over"
example "What blue knows of a king":
  put r (a block king, side red) in 0101
  then blue {knows} of r
"""
PACE = "hidden from enemy until seen: name, pace"
WORTH = "hidden from enemy until seen: name, worth"


@pytest.mark.parametrize(
    ("hidden", "knows"),
    [
        (PACE, "does not know title"),  # one entry has this pace, and the title names it
        (WORTH, "knows title"),  # every king may be worth anything
        (PACE, "does not know name"),
        (PACE, "does not know pace"),
        (PACE, "knows worth"),
    ],
)
def test_what_a_side_knows_of_a_hidden_thing(hidden, knows):
    program, text = compiled((BLOCKS.format(hidden=hidden, knows=knows),))
    example = next(x for x in text.declarations if isinstance(x, d.Example))
    (variant,) = variants(example, text.defaults, text.modules)
    outcome = run_example(program, example, variant)
    assert outcome.failures == []


@pytest.mark.parametrize(("hidden", "title"), [(PACE, ""), (WORTH, "The King")])
def test_the_enemy_reads_a_title_only_if_it_may_know_the_entry(hidden, title):
    program, text = compiled((BLOCKS.format(hidden=hidden, knows="knows seen"),))
    game = game_with(program, text, "war")
    king = game.world.by_id["r"]
    assert thing_view(game.world, king, "blue").fields.get("title", "") == title
    assert thing_view(game.world, king, "red").fields["title"] == "The King"
