"""Texts that are deep or long: `check` says what it finds, and neither fails nor takes long."""

from dsl.analysis.said import MOST_KNOWN, Facts
from dsl.binding.context import MOST_PROBLEMS
from dsl.ir import NOTHING
from dsl.load import check_system, read_system
from dsl.text.source import SourceFile

HEAD = """\
system small "Small" version 1.0
unit gun:
  heat 0 .. 9, starts 1
place hex, on hex grid
"""
TAIL = """\
order work of g (a gun):
  given by side of g
  do fire with g as g
sequence game-turn:
  phase all:
    sides may work
"""


def codes_of(*lines):
    """The codes of what is found in a small system with these lines."""
    text = "\n".join([*lines, ""])
    return {x.code for x in check_system(read_system([SourceFile("small.rules", f"{HEAD}{text}{TAIL}")]))}


def test_hundreds_of_names_each_from_the_one_before():
    """The extent of the last was sought through all of them, deeper than Python goes."""
    lets = [f"  let a{n} be a{n - 1} + 1" for n in range(1, 400)]
    assert "W260" not in codes_of(
        "procedure fire of g (a gun):", "  let a0 be heat of g", *lets, "  heat of g gains a399"
    )


def test_a_chain_of_nested_values_is_refused():
    """58 values, each twenty brackets deep, are fewer than the longest chain, and yet too deep together."""
    deep = [f"value v{n} of g (a gun) = {'(' * 20}v{n - 1} of g{' + 1)' * 20}" for n in range(1, 58)]
    lines = ["value v0 of g (a gun) = heat of g", *deep, "procedure fire of g (a gun):", "  heat of g gains v57 of g"]
    assert "E239" in codes_of(*lines)


def test_a_line_knows_only_the_last_of_very_many_conditions():
    """Each expression was compared with every condition before it: 3,000 lines took minutes."""
    from dsl import ir

    facts = Facts()
    for number in range(3 * MOST_KNOWN):
        one = ir.Compare(">", ir.Constant(number, type=NOTHING), ir.Constant(0, type=NOTHING))
        facts = facts.with_(one)
    assert len(facts.known) == len(facts.asked) == MOST_KNOWN
    assert facts.asked[-1].left.value == 3 * MOST_KNOWN - 1


def test_a_procedure_with_thousands_of_mistakes_is_read_until_there_are_enough():
    """Only between declarations was it asked whether there are enough of them: 4,000 unknown names took 20 s."""
    lines = [f"  heat of g gains nowhere-{n}" for n in range(1_000)]
    text = "\n".join([HEAD, "procedure fire of g (a gun):", *lines, TAIL])
    found = [x for x in check_system(read_system([SourceFile("small.rules", text)])) if x.is_error]
    assert MOST_PROBLEMS < len(found) < 2 * MOST_PROBLEMS
