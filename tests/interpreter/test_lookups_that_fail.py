"""A lookup without a row stops play with its rule line, the table and the key, however the table is stored."""

import pytest

from dsl.load import bound_or_raise, check_system, read_system
from dsl.text.source import SourceFile
from interpreter.machine import begin
from interpreter.messages.inputs import Input, RuleFailure
from interpreter.setup.compile_rules import compile_program

RULES = """system s "S" version 1.0
scale column: 1:2 < 1:1 < 2:1
unit corps, plural corps:
  strength number, starts 1
  hits     number, starts 0
place area:
  road link
map m "M" of area:
  places:
    area | name
    alba | Alba
    bern | Bern
  alba next to bern
table crt by 1d6 and column, exactly one row:
  1d6  || 1:2 | 1:1 | 2:1
  1..6 || 1   | 2   | 3
table pair by 1d6 and column, exactly one row:
  1d6  | column || mine | yours
  1..6 | any    || 1    | 2
table steps by margin and column, last row reached:
  margin | column || hits
  2      | any    || 1
table steps-only by margin, last row reached:
  margin || hits
  2      || 1
table wide by 1d6 and 3d1000, exactly one row:
  1d6  | 3d1000 || hits
  1..6 | any    || 1
value looked-up of u (a corps):
  crt at (strength of u + 5, 1:1)
value first-looked-up of u (a corps):
  start with 1 / 2
  plus crt at (strength of u + 5, 2:1)
order rest of u (a corps):
  given by side of u
  RULE
sequence game-turn:
  for each s in sides, as active:
    phase rest "Rest":
      active may rest
scenario t "T" on m:
  side x "X" blue
  side y "Y" red
  forces x of corps:
    name | in | strength
    u1   | alba | 2
    u2   | bern | 1
"""

CASES = {
    "a cell": ("u gains crt at (strength of u + 5, 1:1) hits", "  u gains", "The table crt has no row for 1d6 7, column 1:1."),
    "a row": ("u gains mine of (pair at (strength of u + 5, 1:2)) hits", "  u gains", "The table pair has no row for 1d6 7, column 1:2."),
    "a value": ("u gains looked-up of u hits", "  crt at", "The table crt has no row for 1d6 7, column 1:1."),
    "a sum over several": (
        "u gains sum looked-up of own corps hits", "  crt at", "The table crt has no row for 1d6 7, column 1:1.",
    ),
    "parts of a number": ("u gains first-looked-up of u hits", "  plus crt at", "The table crt has no row for 1d6 7, column 2:1."),
    "not whole": ("u gains crt at (strength of u / 4, 1:1) hits", "  u gains", "The table crt has no row for 1d6 1/2, column 1:1."),
    "the last row": ("u gains steps-only at (strength of u - 1) hits", "  u gains", "The table steps-only has no row for margin 1."),
    "a table searched": ("u gains wide at (strength of u + 5, 3) hits", "  u gains", "The table wide has no row for 1d6 7, 3d1000 3."),
}  # fmt: skip


def played(rule):
    text = read_system([SourceFile("s.rules", RULES.replace("RULE", rule))])
    assert [p for p in check_system(text) if p.is_error] == []
    program = compile_program(bound_or_raise(text), text.files)
    return begin(program, next(iter(program.ruleset.scenarios.values())), {"seed": 1})


@pytest.mark.parametrize(("rule", "begins", "message"), CASES.values(), ids=CASES)
def test_a_look_up_without_a_row(rule, begins, message):
    game = played(rule)
    with pytest.raises(RuleFailure) as failure:
        game.offer(Input("do", "x", "rest u1"))
    lines = RULES.replace("RULE", rule).split("\n")
    assert (failure.value.file, lines[failure.value.line - 1].startswith(begins)) == ("s.rules", True)
    assert failure.value.message == message
