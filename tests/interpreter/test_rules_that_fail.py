"""A rule that fails while somebody asks is a finding with its place, no matter who asks; it is never a fault of the machine."""

import dis
from itertools import pairwise
from types import SimpleNamespace

import pytest

from campaigns.trials.sweep import play
from dsl.load import bound_or_raise, check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.automated.policies import make_policy
from interpreter.examples.examples import run_example
from interpreter.machine import begin
from interpreter.messages.inputs import RuleFailure
from interpreter.program import failures
from interpreter.setup.compile_rules import compile_program

RULES = """system s "S" version 1.0
unit corps, plural corps:
  strength number, starts 1
place area:
  road link
map m "M" of area:
  places:
    area | name
    alba | Alba
    bern | Bern
  alba next to bern
order rest of u (a corps):
  given by side of u
  u gains 1 strength
status crowded of u (a corps):
  when count of (corps in place of u) > 2
value appeal-of-rest of u (a corps):
  -1
sequence game-turn:
  for each s in sides, as active:
    phase rest "Rest":
      active may rest
      refused when any own corps is crowded because "too many in one place"
scenario t "T" on m:
  side x "X" blue
  side y "Y" red
  forces x of corps:
    name | in
    u1   | alba
    u2   | --
"""


@pytest.fixture(scope="module")
def game():
    text = read_system([SourceFile("s.rules", RULES)])
    assert not [p for p in check_system(text) if p.is_error]
    program = compile_program(bound_or_raise(text), text.files)
    return begin(program, next(iter(program.ruleset.scenarios.values())), {"seed": 1})


def test_asking_why_a_phase_may_not_end(game):
    with pytest.raises(RuleFailure) as failure:
        game.why_not("x", "done")
    assert (failure.value.file, failure.value.line) == ("s.rules", 16)
    assert failure.value.message == "`u` is off the map and has no place. Check that `u is on the map` first."


@pytest.mark.parametrize(
    ("line", "named"),
    [("corps in place of u", "u"), ("own corps in place of u", "u"), ("corps in place of first corps", "")],
)
def test_what_is_off_the_map_is_named_as_in_the_rules(line, named):
    rules = RULES.replace("count of (corps in place of u)", f"count of ({line})")
    example = 'example "E":\n  put u (a corps, side x)\n  then u is crowded\n'
    text = read_system([SourceFile("s.rules", rules + example)])
    assert not [p for p in check_system(text) if p.is_error]
    program = compile_program(bound_or_raise(text), text.files)
    found = next(x for x in text.declarations if isinstance(x, d.Example))
    (failure,) = run_example(program, found, variants(found, text.defaults)[0]).failures
    what = f"`{named}` is off the map and has no place. Check that `{named} is on the map` first."
    assert (what if named else "Something here is off the map") in failure.got


def test_two_names_may_be_loaded_at_once(monkeypatch):
    """Python 3.13 and later do so: then the thing off the map was not named."""

    def instructions(code):
        steps = list(dis.get_instructions(code))
        for one, two in pairwise(steps):
            if one.opname == two.opname == "LOAD_FAST":
                fused = SimpleNamespace(
                    opname="LOAD_FAST_LOAD_FAST", argval=(one.argval, two.argval), offset=one.offset
                )
                at = steps.index(one)
                return [*steps[:at], fused, *steps[at + 2 :]]
        return steps

    def fails(l_other, l_u):
        return l_other == l_u.place.things

    monkeypatch.setattr(failures, "dis", SimpleNamespace(get_instructions=instructions))
    with pytest.raises(AttributeError) as failure:
        fails(1, SimpleNamespace(place=None))
    assert failures._whose_place(failure.value) == "u"


def test_a_game_of_machines_tells_the_line(game):
    done = play(game, make_policy("greedy", 1), 1, turns=2)
    assert (done.error["file"], done.error["line"]) == ("s.rules", 16)


ENDLESS = {
    "loops in loops": (
        "repeat at most 1000 times:\n      repeat at most 1000 times:\n        n gains 1 n",
        "loop endlessly",
    ),
    "things without end": (
        "repeat at most 1000 times:\n      put z (a corps, side first sides) in alba",
        "the rules create them endlessly",
    ),
    "squares of squares": (
        "let k be 3\n    repeat at most 200 times:\n      k becomes k * k\n    n becomes k",
        "becomes too large",
    ),
    "fractions of fractions": ("repeat at most 200 times:\n      n becomes n * n + 1 / n", "becomes too large"),
}


@pytest.mark.parametrize("lines, told", ENDLESS.values(), ids=ENDLESS)
def test_what_would_never_end_is_told(lines, told, monkeypatch):
    monkeypatch.setattr("interpreter.world.world.MOST_ROUNDS", 2_000)
    monkeypatch.setattr("interpreter.world.making_things.MOST_THINGS", 300)
    rules = RULES.replace(
        '      active may rest\n      refused when any own corps is crowded because "too many in one place"',
        "      stop",
    )
    rules = rules.replace(
        "sequence game-turn:\n",
        f"campaign war:\n  n number, starts 2\nsequence game-turn:\n  phase first-of-all:\n    {lines}\n",
    )
    text = read_system([SourceFile("s.rules", rules)])
    program = compile_program(bound_or_raise(text), text.files)
    with pytest.raises(RuleFailure) as failure:
        begin(program, next(iter(program.ruleset.scenarios.values())), {"seed": 1})
    assert told in failure.value.message
    assert failure.value.line > 0


def test_a_chance_over_a_thousand_dice_in_a_row_is_told():
    example = (
        "procedure many:\n  repeat at most 1000 times:\n    active rolls 1d6 as d\n    n gains d n\n"
        'example "Many":\n  put u (a corps, side blue) in alba\n  do many\n  then chance that (n > 3) > 1/2\n'
    )
    text = read_system([SourceFile("s.rules", RULES + "campaign war:\n  n number, starts 2\n" + example)])
    program = compile_program(bound_or_raise(text), text.files)
    node = next(x for x in text.declarations if isinstance(x, d.Example))
    outcome = run_example(program, node, variants(node, text.defaults)[0])
    assert "too many dice" in outcome.failures[0].got
