"""`do movement` in an example: one phase or step by itself, with what comes before and after it."""

import pytest

from dsl.load import check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from tests.interpreter.rulebook import KIT, compiled

RULES = """
module frost "Frost", default off
enum wave: early, late
order press of u (a regiment):
  given by side of u
  refused when u is tired because "it is tired"
  u becomes tired until end of movement
order dig of u (a regiment):
  given by side of u
  refused when phase is not movement because "only on the march"
  strength of u gains 1 points
order wait of u (a regiment):
  given by side of u
  losses of u becomes 2 until end of rally
sequence game-turn:
  for each s in sides, as active:
    phase movement "Movement Phase":
      for each w in (early, late):
        step pressing:
          active may press when w is early
          active may dig when w is late
      step rally:
        active may wait
        refused when every own regiments is not tired because "somebody must press"
    phase fire:
      each side rolls 1d6 as die
      strength of first own regiments becomes die of active
    phase freezing, with frost:
      strength of all regiments becomes 0
  step dusk:
    strength of all regiments becomes 9
rule scouts before phase movement:
  losses of first own regiments becomes 3
rule rest after phase movement:
  strength of first own regiments gains 10 points
value tally of u (a regiment):
  strength of u
procedure fight of fighter (a regiment):
  step blows:
    fighter becomes tired
    strength of fighter becomes 77 when tally of fighter > 3
example "E":
  put u (a regiment, side blue, strength 4) in 0202
  put v (a regiment, side red, strength 6) in 0203
BODY
"""


def run(body, modules=()):
    text = RULES.replace("BODY", "\n".join("  " + x for x in body.strip().split("\n")))
    program, read = compiled((KIT, text), frozenset(modules))
    assert [(p.code, p.message) for p in check_system(read) if p.is_error] == []
    example = next(x for x in read.declarations if isinstance(x, d.Example))
    found = run_example(program, example, variants(example, read.defaults)[0])
    return [(f.expected, f.got) for f in found.failures]


def test_a_phase_with_what_comes_before_and_after_it_ends_when_it_ends():
    assert (
        run("""
given active is red
do movement
then losses of v = 3
then losses of u = 0
then phase is movement
then phase is pressing
then red may press v
then blue may not press u
red orders press v
red orders done
then v is tired
then red may not press v
red orders dig v
red orders done
then phase is rally
red orders wait v
then losses of v = 2
red orders done
then losses of v = 3
then v is not tired
then strength of v = 17
then phase is not movement
then strength of u = 4
""")
        == []
    )


def test_a_window_that_may_not_be_left_stays_open():
    assert (
        run("""
do movement
blue orders done
blue orders done
then blue may not done because "somebody must press"
then strength of u = 4
""")
        == []
    )


def test_dice_and_chances():
    assert (
        run("""
do fire
then chance that (strength of u > 4) = 1/3
dice 5, 2
then strength of u = 5
then phase is not fire
""")
        == []
    )


def test_a_step_stands_in_its_phase_and_says_of_which_round():
    assert (
        run("""
given w is late
do pressing
then phase is movement
then blue may dig u
then blue may not press u
blue orders dig u
blue orders done
then strength of u = 5
then losses of u = 0
do dusk
then strength of u = 9
then phase is not movement
""")
        == []
    )
    ((_, got),) = run("do pressing\nthen phase is movement")
    assert "once for each w" in got
    assert "given w is" in got


def test_a_step_of_a_procedure_reads_what_is_given():
    assert run("given fighter is u\ndo blows\nthen strength of u = 77\nthen u is tired") == []
    ((_, got),) = run("do blows\nthen u is tired")
    assert got


def test_one_after_the_other():
    assert (
        run("""
do fire
dice 5, 2
given active is red
do fire
dice 1, 3
then strength of v = 1
then strength of u = 5
""")
        == []
    )


def problems(body):
    text = RULES.replace("BODY", "  " + body)
    read = read_system([SourceFile("kit.rules", KIT), SourceFile("own.rules", text)])
    return [(p.code, p.message) for p in check_system(read) if p.is_error]


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ("do freezing", "E200", "a module that is off"),
        ("do fire with u as u", "E211", "takes no arguments"),
        ("do fyre", "E200", "no procedure fyre"),
    ],
)
def test_slips(body, code, words):
    ((found, message),) = problems(body)
    assert found == code
    assert words in message


def test_a_phase_of_a_module():
    text = RULES.replace('example "E":', 'example "E", with frost:').replace(
        "BODY", "  do freezing\n  then strength of u = 0"
    )
    program, read = compiled((KIT, text), frozenset(["frost"]))
    example = next(x for x in read.declarations if isinstance(x, d.Example))
    found = run_example(program, example, variants(example, read.defaults)[0])
    assert found.passed
