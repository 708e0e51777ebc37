"""`none` is the empty set wherever several things are expected, although enums have a word `none`."""

import pytest

from dsl.load import check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from tests.interpreter.rulebook import KIT, ask, compiled, do, game_of, texts

NONES = """\
enum mood: none, calm, wild
enum gift: none, gold
value tally of several (some regiments):
  count several
value tally-beside of u (a regiment) with several (some regiments):
  1 + count several
status crowded of u (a regiment) by several (some regiments):
  when count several > 1
procedure count-them of them (some regiments):
  tell sides "Counted {}." with count them
value loners:
  regiments when turn > 9
  otherwise none
"""
PLAY = """\
order count of u (an own regiment):
  do count-them with none as them
sequence game-turn:
  for each s in turn-order, as active:
    phase going:
      active may count
"""


@pytest.mark.parametrize(
    "asked, comes_to",
    [
        ("tally of none", 0),
        ("tally of nobody", 0),
        ("tally-beside of a with none", 1),
        ("a is crowded by none", False),
        ("count loners", 0),
    ],
)
def test_none_is_the_empty_set_where_several_are_wanted(asked, comes_to):
    game = game_of(NONES + PLAY)
    assert ask(game, asked) == comes_to


def test_a_procedure_is_handed_nobody():
    assert "Counted 0." in texts(do(game_of(NONES + PLAY), "count a"))


def test_a_name_of_a_set_becomes_empty():
    lines = '  let them be trains\n  them becomes none\n  tell sides "Counted {}." with count them'
    assert "Counted 0." in texts(
        do(game_of(NONES + PLAY.replace("  do count-them with none as them", lines)), "count a")
    )


def test_a_none_that_may_be_two_words_is_told_apart():
    text = NONES + "value which:\n  none\n"
    found = check_system(read_system([SourceFile("kit.rules", KIT), SourceFile("own.rules", text)]))
    (told,) = [x for x in found if x.code == "E203"]
    assert "is ambiguous: it is a word of" in told.message
    assert told.hint == "For an empty list, write `nobody`."


GIVEN = """\
marker cache:
  kept  list of regiment
example "Nobody is given":
  put u (a regiment, side blue, strength 4) in 0101
  put c (a cache) in 0101
  given kept of c is u
  given kept of c is none
  given turn-order is none
  then kept of c is none
  then turn-order is none
"""


def test_an_example_is_given_the_empty_set():
    program, read = compiled((KIT, NONES + PLAY + GIVEN))
    assert [x.message for x in check_system(read) if x.is_error] == []
    (example,) = [x for x in read.declarations if isinstance(x, d.Example)]
    found = run_example(program, example, *variants(example, read.defaults))
    assert (found.checks, found.failures) == (2, [])
