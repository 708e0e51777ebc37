"""Fields that are entries of another kind's lists: the guns of ships and the blades of their crews are in a list of arms.

White: a frigate with a cannon (1.5, far; ball and chain) and two swivels (0.5, near) to spare, two sloops with a swivel each, a
hulk without a gun. Black: two sloops with a swivel each, and the storm with a cannon, a cannon and a swivel to spare.
"""

from fractions import Fraction

import pytest

from dsl.load import bound_or_raise, check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.machine import begin, resume
from interpreter.messages.inputs import Input, Refused
from interpreter.messages.state_data import read_snapshot
from interpreter.play.remodel import remodelled
from interpreter.setup.compile_rules import compile_program
from tests.interpreter.rulebook import TOY, ask, compiled, do, texts

FLEET = (TOY / "fleet.rules").read_text(encoding="utf-8")
MORE = """
module mortars "Mortars", default off
list heavy of arm, with mortars:
  name   | title  | price | power | reach | loads
  mortar | Mortar | 20    | 4     | far   | ball
"""


def fleet(modules=(), text=FLEET, **settings):
    program, read = compiled((text,), frozenset(modules))
    scenario = next(x for x in read.declarations if isinstance(x, d.Scenario))
    return begin(program, scenario, {"dice": "typed", "seed": 1, **settings})


@pytest.mark.parametrize(
    ("asked", "comes_to"),
    [
        ("power of gun of white-frigate", Fraction(3, 2)),
        ("title of gun of white-frigate", "Cannon"),
        ("power of gun of white-hulk", None),
        ("fire of white", Fraction(5, 2)),
        ("far-fire of white", Fraction(3, 2)),
        ("hands of white", 4),
        ("rearming of white-frigate", 6),
        ("sum price of spare of ships of black", 12),
        ("prevailing reach of gun of ships of white", "near"),
        ("count (ships of white) (where gun of it is swivel)", 2),
        ("own-chain of white-frigate", 1),
        ("own-chain of white-hulk", 0),
        ("count (loads of gun of white-hulk)", 0),
        ("gun of white-frigate is cannon", True),
        ("gun of white-frigate is knife or swivel", False),
        ('gun of white-frigate is "cannon"', True),
        ("gun of white-frigate = gun of storm", True),
        ("gun of white-hulk is absent", True),
        ("there is gun of white-frigate", True),
        ("spare of storm is (swivel, cannon)", True),
        ('spare of storm is "cannon+swivel"', True),
        ("any spare of storm is cannon", True),
        ("price of ((gun of white-hulk) else knife)", 1),
    ],
)
def test_what_the_entry_of_a_field_prints(asked, comes_to):
    assert ask(fleet(), asked) == comes_to


def test_what_an_entry_becomes():
    game = fleet()
    assert "rearm white-hulk with cannon" in game.legal("ann", 100)
    with pytest.raises(Refused, match="It has that gun"):
        do(game, "rearm white-frigate with cannon")
    with pytest.raises(Refused, match=r"Canon is not an entry of arm \(did you mean cannon\?\)"):
        do(game, "rearm white-hulk with canon")
    assert "gun of white-hulk becomes cannon (was none)." in texts(do(game, "rearm white-hulk with cannon"))
    assert ask(game, "fire of white") == 4
    told = texts(do(game, "disarm white-hulk"))
    assert "gun of white-hulk becomes none (was cannon)." in told
    assert "spare of white-hulk becomes swivel, cannon (was none)." in told
    assert ask(game, "rearming of white-hulk") == 12
    assert ask(game, "fire of white") == Fraction(5, 2)
    assert [s.value for s in game.explain("gun of white-hulk").steps] == ["cannon", "none"]


def test_it_is_kept_in_snapshots():
    game = fleet()
    for command in ("rearm white-hulk with cannon", "disarm white-frigate", "done", "done"):
        do(game, command)
    later = resume(game.program, game.scenario, game.settings, game.snapshot())
    assert ask(later, "gun of white-hulk is cannon")
    assert ask(later, "gun of white-frigate is absent")
    assert later.digest() == game.digest()


def test_an_entry_whose_list_goes_with_its_module_is_none():
    game = fleet(("mortars",), FLEET + MORE)
    do(game, "rearm white-hulk with mortar")
    assert ask(game, "power of gun of white-hulk") == 4
    for _ in range(2):
        do(game, "done")
    without = fleet((), FLEET + MORE).program
    state = remodelled(read_snapshot(game.snapshot()), game.program, without, game.scenario, game.settings)
    later = resume(without, game.scenario, game.settings, state)
    assert ask(later, "gun of white-hulk is absent")
    assert ask(later, "gun of white-frigate is cannon")


def test_the_umpire_gives_another():
    game = fleet()
    game.offer(Input("override", "umpire", "gun of white-hulk becomes cannon\nspare of storm is knife", "found"))
    assert ask(game, "gun of white-hulk is cannon")
    assert ask(game, "rearming of storm") == 1


EXAMPLE = """
example "Arms":
  put f (a fleet van, side blue) in 0101
  put s (a ship sloop, fleet f, gun cannon, spare (swivel, knife))
  put t (a ship hulk, fleet f, gun absent, spare "swivel+cannon")
  put c (a sailor cook, ship s, blade "knife")
  then fire of f = 4
  then gun of s is cannon
  then gun of f-sloop-2 is swivel
  then spare of t is (cannon, swivel)
  then rearming of s = 4
  then blade of c is knife
  given gun of s is swivel
  then power of gun of s = 1/2
  given spare of s is cannon
  then rearming of s = 9
"""


def run(text):
    system = read_system([SourceFile("own.rules", text)])
    assert [(x.code, x.message) for x in check_system(system) if x.is_error] == []
    program = compile_program(bound_or_raise(system, ()), system.files)
    example = program.ruleset.examples[0]
    return run_example(program, example, variants(example, system.defaults)[0])


def test_an_example_puts_things_with_entries():
    found = run(FLEET + EXAMPLE)
    assert found.passed, found.failures


@pytest.mark.parametrize(
    ("old", "new", "code", "said", "hint"),
    [
        ("| cannon | swivel+swivel |", "| canon | swivel+swivel |", "E311", "gun: no unit list has an arm named `canon`.", "Did you mean cannon?"),
        ("| cannon | swivel+swivel |", "| cannon | swivel+swivl |", "E311", "spare: no unit list has an arm named `swivl`.", "Did you mean swivel?"),
        ("| sloop | cannon | cannon+swivel", "| sloop | canon | cannon+swivel", "E311", "gun: no unit list has an arm named `canon`.", "Did you mean cannon?"),
        ("starts knife", "starts knive", "E311", "blade: no unit list has an arm named `knive`.", "Did you mean knife?"),
        ("gun of s becomes e", "gun of s becomes canon", "E200", "No unit list has an arm named canon.", "Did you mean cannon?"),
        ("gun of s becomes absent", 'gun of s becomes "canon"', "E311", "gun: no unit list has an arm named `canon`.", "Did you mean cannon?"),
        ("when gun of s is e because", "when gun of s is canon because", "E200", "No unit list has an arm named canon.", "Did you mean cannon?"),
        ("when gun of s is e because", 'when gun of s is "canon" because', "E311", "No unit list has an arm named `canon`.", "Did you mean cannon?"),
        ("becomes (swivel, cannon)", "becomes (swivel, canon)", "E200", "No unit list has an arm named canon.", "Did you mean cannon?"),
        ("becomes (swivel, cannon)", "becomes (swivel, sloop)", "E201", "This is an entry of ship, but the list holds an entry of arm.", ""),
        ("gun of s becomes e", "gun of s becomes sloop", "E201", "This is an entry of ship, but an optional entry of arm is needed here.", ""),
        ("gun of s becomes e", "blade of first (sailors of s) becomes absent", "E204", "This has no value, but an entry of arm is needed here.", ""),
        ("sum price of spare of s", "sum weight of spare of s", "E209", "An entry of arm has no `weight`.", ""),
        ("sum price of spare of s", "1 + price of gun of s", "E202", "", ""),
        ("entry of arm, optional", "entry of arms, optional", "", "", ""),
        ("entry of arm, optional", "entry of amr, optional", "E103", "There is no type entry of amr.", "Did you mean arm?"),
        ("entry of arm, optional", "item of arm, optional", "E002", "Unexpected `item of`.", ""),
        ("list of entry of arm", "list of entry of amr", "E103", "There is no type entry of amr.", "Did you mean arm?"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_such_fields(old, new, code, said, hint):
    assert old in FLEET
    system = read_system([SourceFile("own.rules", FLEET.replace(old, new))])
    found = [(x.code, x.message, x.hint) for x in check_system(system) if x.is_error]
    if not code:
        assert found == []
    else:
        assert any(c == code and said in m and hint in h for c, m, h in found), found
