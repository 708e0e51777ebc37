"""Sets compared as wholes, and counters compared as they are printed."""

import pytest

from dsl.load import bound_or_raise, check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.setup.compile_rules import compile_program
from tests.interpreter.rulebook import ask, game_of, names, story

RULES = """system s "S" version 1.0
enum part: A, B, C
enum class: I, II, III, VI
rating armor:
  written "<class><shaped>"
  written "<class>"
  class  class
  shaped letter, optional
enum letter: s, t
rating plate:
  written "<front>/<rear>"
  front armor
  rear  armor
unit tank:
  strength number
  raw      number, optional
  plate    plate, optional
  hull     armor, optional
  marked   mark
  printed strength "<strength>(<raw>)"
place area:
  name-of text, optional
map m "M" of area:
  places:
    area | name
    alba | Alba
    bern | Bern
value strong:
  tanks (where strength of it > 3)
value parts:
  (A, B, A)
status all-three of s (a side):
  when tanks of s is strong
procedure count-off:
  let chosen be strong
  tell sides "{}" with count chosen
example "E":
  put e (a tank, side blue, strength "20(4)", plate "III/VIs", hull "II") in alba
  put f (a tank, side blue, strength 6) in alba
  put g (a tank, side red, strength 1) in bern
  do count-off
  THEN
"""

HOLD = [
    "chosen are e, f",
    "chosen are f, e",
    "chosen is (f, e)",
    "chosen is not e",
    "chosen is not e, g",
    "chosen are not e, f, g",
    "chosen are (tanks in alba)",
    "tanks in bern are g",
    "tanks of red is g",
    "chosen is g or (e, f)",
    "chosen = (f, e)",
    "chosen != tanks",
    "tanks (where strength of it > 90) are none",
    "chosen is not none",
    "parts are A, A, B",
    "parts is not (A, B)",
    "parts is not (A, B, B)",
    "there are tanks in bern",
    "there are no tanks (where strength of it > 90)",
    "any tanks are not marked",
    "blue is all-three",
    "every (e, f) is in chosen",
    "count of (chosen) = 2",
    "red is not all-three",
    'plate of e is "III/VIs"',
    "plate of e is III/VIs",
    "plate of e is III / VIs",
    "plate of e is not III/VI",
    "rear of plate of e is VIs",
    'hull of e is "II"',
    'strength of e is "20(4)"',
    'strength of f is not "20(4)"',
    'strength of e is not "20(5)"',
]
FAIL = [
    "chosen are e",
    "chosen are e, f, g",
    "chosen are e, e",
    "chosen is not f, e",
    "tanks of blue is none",
    "parts are A, B",
    "plate of e is III/III",
    "plate of f is III/III",
    'strength of e is "20(5)"',
    "red is all-three",
    "there are no tanks in bern",
]


def outcome(line):
    text = read_system([SourceFile("s.rules", RULES.replace("THEN", f"then {line}"))])
    assert [(p.code, p.message) for p in check_system(text) if p.is_error] == []
    program = compile_program(bound_or_raise(text), text.files)
    example = next(x for x in text.declarations if isinstance(x, d.Example))
    found = run_example(program, example, variants(example, text.defaults)[0])
    assert found.checks == 1
    return [f.got for f in found.failures]


@pytest.mark.parametrize("line", HOLD)
def test_holds(line):
    assert outcome(line) == []


@pytest.mark.parametrize("line", FAIL)
def test_does_not_hold(line):
    assert len(outcome(line)) == 1


def test_what_came_is_told_whole():
    assert outcome("chosen are e") == ["e, f"]


def test_in_rules_both_emitters_agree():
    """
    status all-under of s (a side) by c (a corps):
      when regiments of s is (regiments held by c)
    value masters of s (a side):
      (regiments of s) (where regiments held by corps of it is (regiments of side of it))
    """
    game = game_of(story(test_in_rules_both_emitters_agree))
    assert ask(game, "all-under of blue by b1")
    assert not ask(game, "all-under of red by r1")
    assert names(ask(game, "masters of blue")) == ["a", "b"]
    assert ask(game, "masters of red") == []
    assert ask(game, "regiments held by b1 = (b, a)")
    assert not ask(game, "regiments held by b1 = (b, x)")


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("chosen are marked", "E214", "every … is marked"),
        ("e is chosen", "E201", "… is in …"),
        ("chosen are e and f", "E002", "then chosen are e, f"),
        ("hull of e is nonsense", "E200", ""),
        ('hull of e is "IX"', "E311", "IX"),
        ("plate of e is III/IX", "E311", "III/IX"),
        ("strength of f is 6 / 2", "E311", "6/2"),
        ("chosen are tanks in alba", "E002", "in brackets"),
        ("chosen are blue", "E201", "every … is"),
        ("chosen = e, f", "E002", "then chosen are e, f"),
        ("chosen are only e", "E002", "then chosen are e"),
        ("e, f are in chosen", "E002", "then every (e, f) is in chosen"),
        ("chosen contains e", "E002", "then e is in chosen"),
        ("there are 2 chosen", "E002", "then count of (chosen) = 2"),
        ("strength of e is 20(4)", "E002", 'strength of e is "20(4)"'),
    ],
)
def test_what_is_said_of_slips(line, code, words):
    text = read_system([SourceFile("s.rules", RULES.replace("THEN", f"then {line}"))])
    found = [p for p in check_system(text) if p.is_error]
    assert [p.code for p in found] == [code]
    assert words in found[0].message + found[0].hint


@pytest.mark.parametrize("given", ["is (blue, red)", "is blue, red", "are blue, red"])
def test_a_list_that_is_given_keeps_its_order(given):
    rules = 'system s "S" version 1.0\ncampaign game:\n  turn-order list of side\nplace area:\n  road link\n'
    lines = ["turn-order are red, blue", "first turn-order is blue", "first (turn-order after blue) is red"]
    wrong = ["first turn-order is red", "first (turn-order after blue) is blue"]
    shown = "".join(f"  then {line}\n" for line in (*lines, *wrong))
    text = read_system([SourceFile("s.rules", f'{rules}example "E":\n  given turn-order {given}\n{shown}')])
    program = compile_program(bound_or_raise(text), text.files)
    example = next(x for x in text.declarations if isinstance(x, d.Example))
    found = run_example(program, example, variants(example, text.defaults)[0])
    assert [f.expected for f in found.failures] == [f"then {line}" for line in wrong]


def test_a_look_up_behind_is():
    """A comparison with a table cell needs no brackets around the lookup."""
    table = """
table price by class, exactly one row:
  class || points | name-of
  I     || 1      | A
  II    || 2      | B
  III   || 3      | A
  VI    || 4      | A
table weight by class, exactly one row:
  class || weight
  I, VI || 5
  II    || 7
  III   || 5
"""
    rules = RULES.replace('example "E":', table.lstrip() + 'example "E":')
    lines = "then weight at I is weight at VI\n  then weight at I is not weight at II\n  then 7 is weight at II\n  then price at I is price at I"
    text = read_system([SourceFile("s.rules", rules.replace("THEN", lines))])
    assert [(p.code, p.message) for p in check_system(text) if p.is_error] == []
    program = compile_program(bound_or_raise(text), text.files)
    example = next(x for x in text.declarations if isinstance(x, d.Example))
    found = run_example(program, example, variants(example, text.defaults)[0])
    assert (found.checks, [f.got for f in found.failures]) == (4, [])
