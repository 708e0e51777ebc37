"""One line about several things: fields of one type, several changes, a procedure called by its heading, a hook at several places.

Smiths at an anvil: they heat and strike, tire, and rest.
"""

import pytest

from dsl.checks.mutants import mutants
from dsl.load import check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax.format import formatted
from dsl.text.diagnostics import render
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.messages.inputs import Refused
from tests.interpreter.rulebook import KIT, ask, compiled, do, game_of

SMITHY = """\
enum glow: cold, red, white
unit smith:
  arm, back    number, starts 0
  glow         glow, starts cold
  tired, burnt mark
  seen, told   number, starts 0
value blows of s (a smith) = arm of s / 2, rounded up
value pay of s (a smith) = 3 when s is tired, otherwise 5
value bonus of s (a smith) = 2 when arm of s > 9
procedure strike of s (a smith) by points (a number) with heat (a glow):
  arm of s becomes arm of s + points, glow heat
order forge of s (an own smith):
  do strike of s by (2 * 2) with white when s is not burnt
order swap of s (an own smith on the map):
  arm of s becomes back of s, back arm of s
order rest of s (an own smith):
  s becomes tired, arm 0, back 0 when s is not tired
order calm:
  arm of (smiths (where arm of it > 0)) becomes 0, back 7, seen 1 until end of turn
procedure cool: glow of smiths becomes cold
procedure tally: seen of smiths becomes 9
order close of s (an own smith): do cool, tally
value worth of s (a smith) against t (a smith) = arm of s, minus arm of t
rule praised adds to worth: plus 100 * arm of s when s is not t
rule poor excepts pay: 1 when back of s = 1
rule counted after order forge, order swap of u (a smith), order rest:
  for each s in smiths:
    told of s becomes told of s + 1
"""
PLACED = """
sequence game-turn:
  for each s in turn-order, as active:
    phase forging:
      active may forge, swap, rest, calm, close
scenario shop "A shop" on field:
  side red "Red" red
  side blue "Blue" blue
  turn-order is red, blue
  forces red of smith:
    name | in   | arm | back
    anna | 0101 | 3   | 5
    bert | 0102 | 0   | 1
  end game when turn > 3 because "it is evening"
"""


def shop():
    return game_of(SMITHY + PLACED, scenario="shop")


def problems(line):
    system = read_system([SourceFile("kit.rules", KIT), SourceFile("own.rules", SMITHY + line + "\n")])
    return system, [x for x in check_system(system) if x.is_error]


def test_fields_that_are_alike_are_each_a_field():
    game = shop()
    assert [ask(game, x) for x in ("arm of anna", "back of anna", "arm of bert", "back of bert")] == [3, 5, 0, 1]
    assert [ask(game, x) for x in ("tired of anna", "burnt of anna")] == [False, False]


def test_one_line_values_of_two_parts():
    """An arm of 3: two blows. A fresh smith gets 5, a tired one 3; only one who has worked hard has a bonus."""
    game = shop()
    assert ask(game, "blows of anna") == 2
    assert ask(game, "pay of anna") == 5
    do(game, "rest anna")
    assert ask(game, "pay of anna") == 3
    assert ask(game, "bonus of anna") is None


def test_a_procedure_is_called_as_its_heading_says():
    game = shop()
    do(game, "forge anna")
    assert ask(game, "arm of anna") == 7
    assert ask(game, "glow of anna") == "white"


def test_several_procedures_are_done_one_after_another():
    game = shop()
    do(game, "forge anna")
    do(game, "close anna")
    assert [ask(game, x) for x in ("glow of anna", "seen of anna", "seen of bert")] == ["cold", 9, 9]


def test_a_rule_that_names_no_arguments_calls_them_as_what_it_changes_does():
    """Anna's arm is 3 and Bert's 0: 3 - 0 and a hundredfold praise. Bert's back is 1: his value is 1."""
    game = shop()
    assert ask(game, "worth of anna against bert") == 303
    assert ask(game, "worth of anna against anna") == 0
    assert [ask(game, x) for x in ("pay of anna", "pay of bert")] == [5, 1]


def test_several_changes_of_one_line_come_about_at_once():
    """Each reads the old values: arm and back swap."""
    game = shop()
    do(game, "swap anna")
    assert [ask(game, x) for x in ("arm of anna", "back of anna")] == [5, 3]


def test_a_set_is_the_same_for_all_changes_of_a_line():
    """No smith has a strong arm after the first change; the rest of the line still changes the same smiths."""
    game = shop()
    do(game, "calm")
    assert [ask(game, x) for x in ("arm of anna", "back of anna", "seen of anna")] == [0, 7, 1]
    assert [ask(game, x) for x in ("back of bert", "seen of bert")] == [1, 0]


def test_the_condition_of_a_line_is_asked_once():
    game = shop()
    do(game, "rest anna")
    assert [ask(game, x) for x in ("tired of anna", "arm of anna", "back of anna")] == [True, 0, 0]


def test_one_rule_comes_after_several_orders():
    game = shop()
    do(game, "forge anna")
    do(game, "swap bert")
    do(game, "calm")
    assert ask(game, "told of bert") == 2


@pytest.mark.parametrize(
    ("line", "code", "said", "hint"),
    [
        ("procedure p of s (a smith):\n  do strike of s to 3 with red", "E211",
         "strike has no argument after `to`.", "Write: do strike of … by … with …"),
        ("procedure p of s (a smith):\n  do strike of s by 3", "E211", "strike needs heat.",
         "Write: do strike of … by … with …"),
        ("procedure p of s (a smith):\n  do strike of s by red with red", "E201",
         "The argument points of strike must be a number, but this is a glow.", ""),
        ("procedure p of s (a smith):\n  arm of s becomes 1, leg 2", "E209", "leg", ""),
        ("value v of s (a smith on the map):\n  arm of s", "E255", "`on the map` has no effect here", "Remove it"),
        ("order go of s (an own smith) to h (a hex on the map):\n  move s to h", "E255", "never leaves the map", "Remove the words."),
        ("rule r after order forge, order calm:\n  arm of s becomes 0", "E211", "The order calm has no argument `s`.",
         "Let r name only the others."),
        ("rule r before order forge, order forge:\n  arm of smiths becomes 0", "E402",
         "`r` names the order forge twice.", "Remove one."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_place_and_hint(line, code, said, hint):
    system, found = problems(line)
    match = [x for x in found if x.code == code and said in x.message]
    assert match, [(x.code, x.message, x.hint) for x in found]
    assert hint in (match[0].hint or "")
    assert "own.rules" in render(match[0], system.files)


def test_the_style_draws_two_parts_up_and_leaves_more_alone():
    long = """\
unit smith:
  arm,back number,starts 0
value blows of s (a smith):
  start with arm of s / 2
  rounded up
value pay of s (a smith):
  3 when arm of s > 4
  otherwise 5
value told of s (a smith):
  3 when arm of s > 4 because "strong"
  otherwise 5
"""
    short = """\
unit smith:
  arm, back    number, starts 0
value blows of s (a smith) = arm of s / 2, rounded up
value pay of s (a smith) = 3 when arm of s > 4, otherwise 5
value told of s (a smith):
  3 when arm of s > 4 because "strong"
  otherwise 5
"""
    assert formatted(SourceFile("a.rules", long)).text == short
    assert formatted(SourceFile("a.rules", short)).text == short


def test_each_part_of_a_line_is_changed_by_itself():
    _, read = compiled((KIT, SMITHY), frozenset())
    rest = [
        m.change
        for m in mutants(read.declarations)
        if (m.span.file, m.span.line) == ("own.rules", line_of("s becomes tired, arm 0"))
    ]
    assert [x for x in rest if "part" in x] == [f"part {n} of the line left out" for n in (1, 2, 3)]
    told = [m.change for m in mutants(read.declarations) if "no longer among" in m.change]
    assert told == [f"{x} no longer among its texts" for x in ("forge", "swap", "rest")]


def line_of(text):
    return next(n for n, x in enumerate(SMITHY.splitlines(), 1) if text in x)


def test_the_heading_of_an_order_asks_for_what_is_on_the_map():
    game = game_of((SMITHY + PLACED).replace("bert | 0102", "bert | --  "), scenario="shop")
    assert "swap anna" in game.legal("red", 100)
    assert "swap bert" not in game.legal("red", 100)
    with pytest.raises(Refused, match="It is not on the map"):
        do(game, "swap bert")


def test_an_example_calls_a_procedure_by_its_heading():
    text = """
example "Two blows":
  on map field
  put a (a smith, side red) in 0101
  do strike of a by 2 with red
  then arm of a = 2
  then glow of a is red
"""
    program, read = compiled((KIT, SMITHY + PLACED + text), frozenset())
    example = next(x for x in read.declarations if getattr(x, "name", "") == "Two blows")
    found = run_example(program, example, variants(example, read.defaults)[0])
    assert found.passed, found.failures
