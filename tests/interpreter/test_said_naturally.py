"""Forms that a reader expects after learning others: several `become`, `each side chooses`, `repeat 3 times`, `1 week a turn`."""

from dsl.load import bound_or_raise, check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.setup.compile_rules import compile_program

RULES = """system s "S" version 1.0
enum march-order: stay, march
unit corps, plural corps:
  fatigue number, starts 0
  marched mark
  gait    one of trot or halt, starts trot
place area:
  road link
map m "M" of area:
  places:
    area | name
    alba | Alba
    bern | Bern
  alba next to bern
procedure battle:
  each side chooses secretly stance: stay or march
  each side chooses tired: one of own corps
  tired of active become marched until end of turn
  tired of active lose 1 fatigue
  repeat 3 times:
    tired of active gain 2 fatigue
  let marchers be own corps
  marchers become marched
value zeal of u (a corps) in battle:
  fatigue of u
rule eager replaces zeal of u (a corps) in battle:
  fatigue of u + 1
value fighters of s (a side):
  corps (where side of it is s)
value weary of s (a side):
  first corps (where side of it is s) whose fatigue is highest
procedure strike:
  fighters of active becomes marched
  weary of active becomes halt when there is weary of active
example "What a value gives":
  put a (a corps, side blue) in alba
  put b (a corps, side red) in alba
  put c (a corps, side blue, fatigue 2) in alba
  given active is blue
  do strike
  then a is marched
  then c is marched
  then b is not marched
  then gait of c is halt
  then gait of a is trot
example "Chosen by each side":
  begins 1809-01-01, 1 week a turn
  put a (a corps, side blue) in alba
  put b (a corps, side red) in alba
  put c (a corps, side blue) in alba
  given turn is 2
  do battle
  answer stance of blue with march
  answer stance of red with stay
  answer tired of blue with c
  then stance of red is stay
  then c is marched
  then a is marched
  then b is not marched
  then fatigue of c = 5
  then zeal of c = 6
  then date is "8 January 1809"
"""


def test_they_are_read_and_mean_what_they_say():
    text = read_system([SourceFile("s.rules", RULES)])
    assert [p.message for p in check_system(text) if p.is_error] == []
    program = compile_program(bound_or_raise(text), text.files)
    for example in (x for x in text.declarations if isinstance(x, d.Example)):
        outcome = run_example(program, example, variants(example, text.defaults)[0])
        assert [(f.expected, f.got) for f in outcome.failures] == []
