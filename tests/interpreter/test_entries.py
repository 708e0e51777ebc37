"""Arguments that are entries of unit lists: a side buys carts and dogs from a list and places them on the map.

A light cart costs 3, a heavy one 9; blue has 20. A mole is hidden wherever it is placed, and so is its entry.
"""

import pytest

from dsl.load import bound_or_raise, check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.machine import begin, resume
from interpreter.messages.inputs import Refused, RuleFailure
from interpreter.setup.compile_rules import compile_program
from tests.interpreter.rulebook import TOY, answer, ask, compiled, do, names

DEPOT = (TOY / "depot.rules").read_text(encoding="utf-8")


def depot(modules=(), text=DEPOT, **settings):
    program, read = compiled((text,), frozenset(modules))
    scenario = next(x for x in read.declarations if isinstance(x, d.Scenario))
    return begin(program, scenario, {"dice": "typed", "seed": 1, **settings})


def test_what_an_entry_prints_can_be_read():
    game = depot()
    assert ask(game, "price of heavy") == 9
    assert ask(game, "twice of heavy") == 18
    assert ask(game, "twice of light") == 3
    assert ask(game, "crew of light") == 2
    assert ask(game, "name of light") == "light"
    assert ask(game, "note of light") is None
    assert ask(game, "total-price") == 12
    assert ask(game, "best") == 9


def test_legal_lists_every_entry_and_a_command_takes_name_or_title():
    """Five of the six fields are dry."""
    game = depot()
    legal = [x for x in game.legal("ann", 100) if x.startswith("buy")]
    assert len(legal) == 10
    assert "buy heavy to 0101" in legal
    do(game, "buy heavy to 0101")
    do(game, 'buy "Light cart" to 0101')
    assert names(game.world.all_of("cart")) == ["heavy-1", "light-1"]
    assert ask(game, "funds of ann") == 8
    with pytest.raises(Refused, match="too dear"):
        do(game, "buy HEAVY to 0102")
    with pytest.raises(Refused, match=r"Hevy is not an entry of cart \(did you mean heavy\?\)"):
        do(game, "buy hevy to 0102")
    with pytest.raises(Refused, match="Wreck is not an entry of cart"):
        do(game, "buy wreck to 0102")
    with pytest.raises(Refused, match="Deep is not an entry of cart"):
        do(game, "buy deep to 0102")


GOODS = (
    DEPOT.replace(
        "  owner-id     number\n",
        "  owner-id     number\n  closed       mark\n  pull         one of horse or ox, starts horse\n",
    )
    .replace("| price | note", "| price | note | closed | pull")
    .replace("| 3     | --", "| 3     | --   | no     | horse")
    .replace("| 9     | slow", "| 9     | slow | yes    | ox")
    .replace("| 1     | 1     | --", "| 1     | 1     | --   | no     | horse")
    + """
status costly of e (an entry of cart):
  when price of e > 5
value fee of e (an entry of cart):
  price of e
  doubled when e is costly
value dear:
  count (entries of cart) that are costly
order hire of e (an entry of cart) to f (a field):
  refused when e is costly because "too costly"
  put c (a cart e, side active, owner-id 1) in f
rule hiring adds to phase work:
  active may hire
"""
)


@pytest.mark.parametrize(
    ("asked", "comes_to"),
    [
        ("fee of heavy", 18), ("fee of light", 3), ("dear", 1), ("heavy is costly", True), ("light is costly", False),
        ("heavy is closed", True), ("light is not closed", True), ("heavy is ox", True), ("light is ox", False),
        ("heavy is light", False), ("heavy is heavy", True), ("count (entries of cart) (where it is closed)", 1),
    ],
)  # fmt: skip
def test_an_entry_is_what_its_list_prints_or_a_status_says(asked, comes_to):
    """A heavy cart costs 9, is closed and drawn by oxen; a light one costs 3, is open and drawn by a horse."""
    assert ask(depot(text=GOODS), asked) == comes_to


def test_a_status_of_an_entry_refuses_an_order():
    game = depot(text=GOODS)
    with pytest.raises(Refused, match="Too costly"):
        do(game, "hire heavy to 0101")
    do(game, "hire light to 0101")


def test_an_entry_whose_name_nobody_could_mean_gets_all_names():
    with pytest.raises(Refused, match=r"Zzz is not an entry of cart \(light, heavy\)"):
        do(depot(), "buy zzz to 0101")


def test_a_question_for_an_entry_is_not_said_to_be_for_the_place_it_goes_to():
    text = DEPOT.replace(
        "order pick of f",
        "order load of e (an entry of cart) to f (a field):\n  active chooses sacks: a number up to 3\n  put c (a cart e, side active, owner-id 1, crew sacks) in f\norder pick of f",
    ).replace("may buy, pick", "may buy, load, pick")
    game = depot(text=text)
    do(game, "load light to 0101")
    assert game.awaiting[0].prompt == "Ann must choose sacks: a number up to 3."


def test_what_is_put_has_all_of_its_entry_and_a_name_of_its_own():
    game = depot()
    for field in ("0101", "0102"):
        do(game, f"buy light to {field}")
    assert names(game.world.all_of("cart")) == ["light-1", "light-2"]
    assert ask(game, "entry of light-2") == "light"
    assert ask(game, "weight of light-2") == 2
    assert ask(game, "light-2 is light")
    assert ask(game, "owner-id of light-2") == 1


def test_a_choice_of_an_entry_and_a_setting_that_beats_it():
    """Of 20 points 8 are left after a heavy and a light cart: then only a light one can be chosen, and no question is asked."""
    game = depot()
    do(game, "buy heavy to 0101")
    do(game, "buy light to 0101")
    do(game, "pick 0102")
    assert names(game.world.all_of("cart")) == ["heavy-1", "light-1", "light-2"]
    game = depot()
    do(game, "pick 0102")
    assert list(game.awaiting[0].choices) == ["light", "heavy"]
    answer(game, "heavy")
    assert ask(game, "weight of heavy-1") == 5
    assert ask(game, "price of heavy-1") == 9


def test_with_a_module_its_list_counts():
    game = depot(("cheap",))
    assert ask(game, "total-price") == 13
    do(game, "fill 0101")
    assert names(game.world.all_of("cart")) == ["heavy-1", "light-1", "wreck-1"]


def test_why_a_snapshot_and_the_same_commands():
    game, again = depot(), depot()
    for one in (game, again):
        do(one, "buy heavy to 0101")
    assert game.digest() == again.digest()
    assert [(s.text, s.value) for s in game.explain("funds of ann").steps] == [
        ("funds of active loses price of e points", "20 - 9 = 11")
    ]
    for _ in range(2):
        do(game, "done")
    later = resume(game.program, game.scenario, game.settings, game.snapshot())
    do(later, "buy heavy to 0102")
    assert names(later.world.all_of("cart")) == ["heavy-1", "heavy-2"]


def test_what_is_hidden_is_not_called_after_its_entry():
    game = depot(dice="seeded")
    do(game, "dig deep to 0101")
    (mole,) = game.world.all_of("mole")
    assert mole.id.startswith("m-")
    assert mole.template == "deep"


def test_what_no_list_prints_is_told_where_it_is_read():
    text = DEPOT.replace("name of e, owner-id of first carts", "name of e, note of e else name of e")
    do(depot(text=text), "bare light")
    text = DEPOT.replace(
        "list sales of cart, with cheap:\n  name  | title | weight | price | note\n  wreck | Wreck | 1      | 1     | --",
        "list sales of cart, with cheap:\n  name  | title\n  wreck | Wreck",
    )
    game = depot(("cheap",), text)
    with pytest.raises(RuleFailure, match="No unit list gives a value for price of wreck"):
        do(game, "buy wreck to 0101")


def test_an_example_buys():
    text = (
        DEPOT
        + """
example "Buying":
  given active is blue
  do work
  blue orders buy heavy to 0101
  then funds of blue = 11
  then weight of c = 6
  then c is heavy
  then twice of heavy = 18
  blue orders buy heavy to 0102
  then blue may not buy heavy to 0101 because "too dear"
  then count carts = 2
"""
    )
    system = read_system([SourceFile("own.rules", text)])
    assert [(x.code, x.message) for x in check_system(system) if x.is_error] == []
    program = compile_program(bound_or_raise(system, ()), system.files)
    example = program.ruleset.examples[0]
    found = run_example(program, example, variants(example, system.defaults)[0])
    assert found.passed, found.failures


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("value v of e (an entry of cart):\n  owner-id of e", "E209", "No list of cart has a column for `owner-id`."),
        ("value v of e (an entry of cart):\n  depth of e", "E209", "An entry of cart has no `depth`."),
        ("value v of e (an entry of wagon):\n  1", "E103", "There is no type entry of wagon."),
        ("value v of e (an item of cart):\n  1", "E002", "Unexpected `item of`."),
        ("value v of e (an entry of mole):\n  price of heavy\nvalue w:\n  v of heavy", "E201", "`v` needs an entry of mole"),
        ("procedure p of e (an entry of mole) to f (a field):\n  put c (a cart e, side active) in f", "E237", "`e` is an entry of mole"),
        ("procedure p of e (an entry of cart):\n  price of e becomes 3", "E209", "An entry of cart has no field price."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_entries(line, code, said):
    system = read_system([SourceFile("own.rules", DEPOT + line + "\n")])
    found = [(x.code, x.message) for x in check_system(system) if x.is_error]
    assert any(c == code and said in m for c, m in found), found
