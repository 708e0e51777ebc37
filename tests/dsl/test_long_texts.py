"""Texts that are deep or long: `check` says what it finds, and neither fails nor takes long."""

from dsl.analysis.said import MOST_KNOWN, Facts
from dsl.binding import context
from dsl.binding.context import MOST_PROBLEMS
from dsl.ir import NOTHING
from dsl.load import MOST_LINES, check_system, read_system
from dsl.rules import chains
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


def test_of_very_many_values_in_a_circle_what_each_reads_is_sought_once(monkeypatch):
    """It was sought again for each value that was reported: 3,000 values that read each other took 11 s."""
    asked = []
    monkeypatch.setattr(context, "readings", lambda *given: asked.append(1) or chains.readings(*given))
    assert "E222" in codes_of(*(f"value v{n} = v{(n + 1) % 400} + v{(3 * n + 1) % 400}" for n in range(400)))
    assert len(asked) == 1


def test_a_chain_of_hundreds_of_procedures_is_refused():
    """Each was bound within the one that calls it, deeper than Python goes, and ended as a fault of ophex."""
    calls = [f"procedure p{n} of g (a gun):\n  do p{n + 1} with g as g" for n in range(600)]
    last = "procedure p600 of g (a gun):\n  heat of g gains 1"
    assert "E239" in codes_of(*calls, last, "procedure fire of g (a gun):", "  do p0 with g as g")


def test_circles_of_procedures_are_sought_only_where_calls_lead_into_one(monkeypatch):
    """A search through all that are called began at each of thousands of procedures."""
    sought = []
    monkeypatch.setattr(chains, "circle", lambda name, given: sought.append(name))
    calls = [f"procedure p{n} of g (a gun):\n  do p{n - 1} with g as g" for n in range(1, 50)]
    ring = [f"procedure r{n} of g (a gun):\n  do r{(n + 1) % 3} with g as g" for n in range(3)]
    fire = ["procedure fire of g (a gun):", "  do p49 with g as g", "  do r0 with g as g"]
    codes_of("procedure p0 of g (a gun):\n  heat of g gains 1", *calls, *ring, *fire)
    assert set(sought) <= {"order work", "procedure fire", *(f"procedure r{n}" for n in range(3))}


def test_lines_times_modules_have_a_maximum():
    """All lines are tried with each module alone: 58 modules and 300 KB took over a minute."""
    modules = [f'module m{n} "M{n}", default off' for n in range(50)]
    long = ["procedure fire of g (a gun):", *["  heat of g gains 1"] * (MOST_LINES // 50)]
    assert codes_of(*modules, *long) == {"E001"}
    assert "E001" not in codes_of(*modules[:5], *long[:100])
