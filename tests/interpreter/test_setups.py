"""Setups: conditions on forces before a game begins. The counts are those of the forces listed below."""

import pytest

from dsl.load import read_system
from dsl.text.source import SourceFile
from interpreter.machine import begin, resume
from interpreter.messages.inputs import Input, Refused, RuleFailure
from interpreter.setup.objections import objections

RULES = """
system small "Small" version 1.0
module scouting "Scouting", default off
formation corps, plural corps:
  title text, optional
unit base, held by corps:
  staff mark
  scout mark
  rank  number, optional
place hex, on hex grid:
  height number
value staffs of c (a corps):
  (bases held by c) that are staff
setup armies of s (a side): [X-1]
  refused when there is no (corps (where side of it is s)) because "a side needs a Corps"
setup stacks of h (a hex) by s (a side):
  let troops be (bases in h) (where side of it is s)
  refused when count troops > 2 because "two bases are the most in a hex" [X-2, X-3]
setup length:
  warned when count sides > 2 because "more than two sides"
  refused when count sides > 3 because "more than three sides"
setup staff-of of c (a corps):
  refused when count staffs of c > 1 because "one staff and no more" [X-4]
  warned when count (bases held by c) < 2 because "few bases"
rule scouts adds to setup staff-of of k (a corps), with scouting: [X-5]
  warned when there is no ((bases held by k) that are scout) because "nobody scouts for it"
map plain "Plain" of hex, 3 by 1:
  letters:
    letter | height
    .      | 1
  grid:
    01 | . . .
order wait of b (a base):
  given by side of b
  remove b
sequence game-turn:
  phase rest "Rest":
    sides may wait together
"""
SCENARIO = """
scenario one "One" on plain:
  side red "Red" red
  side blue "Blue" blue
{more}
  forces red of corps:
    name | title
    rc   | First Corps
  forces blue of corps:
    name | title
    bc   | --
  forces red of base:
    name | corps | in   | staff | scout
    r-1  | rc    | 0101 | yes   | no
    r-2  | rc    | 0101 | no    | no
  forces blue of base:
    name | corps | in   | staff | scout
    b-1  | bc    | 0301 | yes   | no
    b-2  | bc    | 0301 | no    | yes
"""


def parts(more="", changed=(), modules=()):
    """The program and scenario of the texts above, with lines more, and others in place of some."""
    from dsl.load import bound_or_raise
    from dsl.syntax import declarations as d
    from interpreter.setup.compile_rules import compile_program

    written = RULES + SCENARIO.format(more=more)
    for old, new in changed:
        assert old in written
        written = written.replace(old, new)
    text = read_system([SourceFile("own.rules", written)])
    program = compile_program(bound_or_raise(text, frozenset(modules)), text.files)
    return program, next(x for x in text.declarations if isinstance(x, d.Scenario))


def refusal(*args, **kwargs):
    with pytest.raises(Refused) as caught:
        begin(*parts(*args, **kwargs), {})
    return caught.value


def test_forces_that_no_setup_minds():
    game = begin(*parts(), {})
    assert game.warnings == ()
    assert [x.side for x in game.awaiting] == ["red", "blue"]


def test_a_refusal_names_thing_reason_and_rule():
    found = refusal(changed=[("0101 | no ", "0101 | yes")])
    assert "The rules do not allow one to begin:" in found.message
    assert "First Corps (rc): one staff and no more [X-4]" in found.message
    assert found.cites == ("X-4",)
    assert found.hint


def test_of_a_place_with_a_side():
    row = "    r-2  | rc    | 0101 | no    | no\n"
    found = refusal(changed=[(row, row + row.replace("r-2", "r-3"))])
    assert found.message.endswith("\n  0101, Red: two bases are the most in a hex [X-2, X-3]")
    assert found.cites == ("X-2", "X-3")


def test_every_refusal_is_told_in_the_order_of_the_rules():
    found = refusal('  side green "Green" green\n  side grey "Grey" grey', [("0101 | no ", "0101 | yes")])
    told = [line.strip() for line in found.message.splitlines()[1:]]
    assert told == [
        "Green: a side needs a Corps [X-1]",
        "Grey: a side needs a Corps [X-1]",
        "More than three sides",
        "First Corps (rc): one staff and no more [X-4]",
    ]


def test_a_warning_lets_the_game_begin():
    game = begin(*parts(changed=[("    b-2  | bc    | 0301 | no    | yes\n", "")]), {})
    assert game.warnings == ("bc: few bases",)


def test_what_arrives_later_is_not_there_yet():
    columns = "    name | corps | in   | staff | scout\n    r-1  | rc    | 0101 | yes   | no\n    r-2  | rc    | 0101 | no    | no\n"
    later = "    name | corps | in   | staff | scout | arrives\n    r-1  | rc    | 0101 | yes   | no | --\n    r-2  | rc    | 0101 | yes | no | 2\n"
    assert begin(*parts(changed=[(columns, later)]), {}).warnings == ("First Corps (rc): few bases",)


def test_a_module_adds_lines_under_its_own_names():
    assert begin(*parts(modules=["scouting"]), {}).warnings == ("First Corps (rc): nobody scouts for it [X-5]",)


def test_what_has_begun_is_not_asked_again():
    """Losses may lead to forces with which no game could begin."""
    program, scenario = parts()
    game = begin(program, scenario, {"seed": 3})
    for side, base in (("red", "r-1"), ("red", "r-2"), ("blue", "b-1")):
        game.offer(Input("do", side, f"wait {base}"))
    game.offer(Input("do", "red", "done"))
    game.offer(Input("do", "blue", "done"))
    assert [str(x) for x in objections(game.world)] == ["First Corps (rc): few bases", "bc: few bases"]
    snapshot = game.snapshot()
    assert snapshot is not None
    assert resume(program, scenario, {"seed": 3}, snapshot).warnings == ()


def test_a_setup_that_cannot_be_worked_out_is_a_failure_of_the_rules():
    line = "  warned when count (bases held by c) < 2 because"
    broken = "  warned when 1 / (count (bases held by c) - 2) < 2 because"
    with pytest.raises(RuleFailure) as caught:
        begin(*parts(changed=[(line, broken)]), {})
    assert caught.value.file == "own.rules"
    assert "divide" in str(caught.value).lower() or "zero" in str(caught.value).lower()


def test_a_setup_is_asked_of_no_more_pairs_than_can_be_waited_for():
    size = 'map plain "Plain" of hex, 3 by 1:', 'map plain "Plain" of hex, 60 by 60:'
    row = "    01 | . . .\n", "".join(f"    {n:02} |{' .' * 60}\n" for n in range(1, 61))
    pairs = (
        "setup length:\n",
        'setup far of a (a hex) by b (a hex):\n  warned when distance from a to b > 70 because "far"\nsetup length:\n',
    )
    with pytest.raises(RuleFailure, match=r"The setup far would be evaluated 12,960,000 times; the limit is 100,000\."):
        begin(*parts(changed=[size, row, pairs]), {})
