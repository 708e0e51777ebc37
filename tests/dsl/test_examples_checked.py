"""`check` reads the bodies of examples: misspelt words and wrong types are found, with their place, without a run."""

import pytest

from dsl.load import check_system, read_system
from dsl.text.diagnostics import placed
from dsl.text.source import SourceFile

RULES = """system small "Small" version 1.0
module frost "Frost", default off
option gait "Gait": slow, fast; default slow
enum stance: ready, dug-in, moving
unit tank:
  strength number
  stance   stance, starts ready
  damaged  mark
  weight   number, starts 1
  printed sheet "<strength>/<weight>"
place hex, on hex grid:
  height number
campaign game:
  weather stance, starts ready
value push of u (a tank):
  start with strength of u + weight of u
  doubled when gait is fast
  plus 1 when weather is moving, or u is damaged
value cold of u (a tank), with frost:
  start with push of u
status strong of u (a tank):
  when push of u > 5 and height of place of u > 0
value pull of u (a tank) against v (a tank):
  start with push of u - push of v
order dig of u (a tank) to new (a stance):
  given by side of u
  refused when u is not strong, or pull of u against u > 0 because "it is weak"
  stance of u becomes new
order clash of u (a tank):
  given by side of u
  do duel with u as first-tank
procedure duel of first-tank (a tank):
  active chooses victims: some of own tanks
  active chooses way: left-hand or right-hand
  active rolls 1d6 as die
  each u in victims chooses mood: ready or moving
  let gap be die - strength of first-tank
  strength of victims becomes gap when way is left-hand and every mood of victims is ready
sequence game-turn:
  for each s in sides, as active:
    phase all:
      active may dig, clash
map proving-ground "Proving ground" of hex, 2 by 2, even columns low:
  letters:
    letter | height
    .      | 1
  grid:
    01 | . .
    02 | . .
"""
HEAD = """example "An example":
  put u (a tank, side blue, strength 4) in 0101
  put v (a tank, side red, sheet "6/2") in 0102
"""


def check(body):
    text = RULES + HEAD + body
    system = read_system([SourceFile("t.rules", text)])
    lines = text.split("\n")
    return [
        (x.code, lines[x.span.line - 1][x.span.column - 1 : x.span.end_column - 1], x.message, x.hint)
        for x in (placed(p, system.files) for p in check_system(system))
        if x.code != "W606"
    ]


GOOD = """\
  given strength of u is 9
  given push of v = 3 and v is damaged
  given stance of v is dug-in
  given weather is moving
  given turn is 3
  given u is in 0202
  given gait is fast
  given sheet of v is "3/1"
  then push of u > pull of u against v
  then blue may dig u to dug-in
  then red may not dig x to nowhere because "no"
  do duel with u as first-tank
  answer victims with u
  answer way with left-hand
  then blue may not answer mood of u with dug-in
  answer mood of u with ready
  dice 3
  then gap = 3 - 9
  then mood of u is ready
  then red knows strength of u
  blue orders dig u to moving
  with frost:
    then cold of u = 3
  set gait slow:
    then push of u = 3
"""


def test_an_example_without_fault():
    assert check(GOOD) == []


@pytest.mark.parametrize(
    ("line", "code", "word", "hint"),
    [
        ("then pusch of u = 3", "E209", "pusch", "Did you mean push?"),
        ("then push of w = 3", "E200", "w", ""),
        ("then strength of u = ready", "E201", "strength of u = ready", ""),
        ("then stance of u is redy", "E219", "redy", "Did you mean ready?"),
        ("then cold of u = 3", "E209", "cold", ""),
        ("then gap = stance of u", "E201", "gap = stance of u", ""),
        ("given gait is quick", "E104", "quick", "It can be: slow, fast."),
        ("given gait is fats", "E104", "fats", "Did you mean fast?"),
        ("given strength of u is ready", "E201", "ready", ""),
        ("given stance of u is redy", "E200", "redy", ""),
        ("given speed of u is 3", "E209", "speed", ""),
        ("given u is damged", "E236", "damged", "Did you mean damaged?"),
        ('given sheet of u is "six"', "E311", '"six"', ""),
        ("given weather is 3", "E201", "3", ""),
        ("given turn is ready", "E201", "ready", ""),
        ("given push of u is ready", "E201", "ready", ""),
        ("given strength of u > 3", "E253", "strength of u > 3", ""),
        ("given pull of u against v is ready", "E201", "ready", ""),
        (
            "given distance from 0101 to 0102 = 3",
            "E253",
            "distance from 0101 to 0102",
            "State it for one thing at a time.",
        ),
        ("do dule with u as first-tank", "E200", "dule", "Did you mean duel?"),
        ("do duel with u as second-tank", "E211", "second-tank", ""),
        ("do duel with 0101 as first-tank", "E201", "0101", ""),
        ("answer victim with u", "E254", "victim", "Did you mean victims?"),
        ("answer victims with w", "E200", "w", ""),
        ("answer way with upwards", "E219", "upwards", ""),
        ("answer mood of w with ready", "E200", "w", ""),
        ("answer mood of u with left-hand", "E219", "left-hand", ""),
        ("then blue may answer way with upwards", "E219", "upwards", ""),
        ("then red does not know streng of u", "E209", "streng", "Did you mean strength or strong?"),
        ("blue orders dgi u to ready", "E200", "dgi", "Did you mean dig?"),
        ("blue orders dig u to redy", "E219", "redy", "Did you mean ready?"),
        ("blue orders dig w to ready", "E200", "w", ""),
        ("blue orders dig u", "E211", "dig", ""),
        ("then blue may not dig u to redy", "E219", "redy", "Did you mean ready?"),
        ("on map nowhere", "E318", "nowhere", ""),
        ("put w (a tank, side blue, strength ready) in 0101", "E201", "ready", ""),
        ("put w (a tank, side blue, weigth 3, strength 3) in 0101", "E209", "weigth", "Did you mean weight?"),
    ],
)
def test_what_is_wrong_in_an_example_is_found_with_its_place(line, code, word, hint):
    found = check(f"  {line}\n  then 1 = 1\n")
    assert (code, word) in [(c, w) for c, w, _, _ in found], found
    assert not hint or hint in [h for c, w, _, h in found if (c, w) == (code, word)], found


@pytest.mark.parametrize(
    ("block", "code", "word"),
    [
        ("set gait quick:\n    then push of u = 5", "E104", "quick"),
        ("set gate fast:\n    then push of u = 5", "E104", "gate"),
        ("with frost:\n    then could of u = 5", "E209", "could"),
        ("with frots:\n    then push of u = 5", "E101", "frots"),
    ],
)
def test_blocks_are_read_under_their_own_modules(block, code, word):
    found = check(f"  then push of u = 5\n  {block}\n")
    assert (code, word) in [(c, w) for c, w, _, _ in found], found
