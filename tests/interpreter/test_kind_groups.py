"""Groups of kinds: arguments, fields, sets, events and choices of several kinds, in a game of carts, horses and barns.

Carts carry loads and horses tire; a barn stands still. All can burn, and those that can walk can be led.
"""

import pytest

from dsl.analysis.hidden_reads import hidden_fields
from dsl.load import check_system, read_system
from dsl.rules.variants import variants
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.machine import begin, resume
from interpreter.messages.inputs import Input, Refused
from tests.interpreter.rulebook import TOY, answer, ask, compiled, do, names, texts

FARM = (TOY / "farm.rules").read_text(encoding="utf-8")


def farm(modules=(), text=FARM, **settings):
    program, read = compiled((text,), frozenset(modules))
    scenario = next(x for x in read.declarations if getattr(x, "name", "") == "one")
    return begin(program, scenario, {"dice": "typed", "seed": 1, **settings})


def problems(text):
    system = read_system([SourceFile("own.rules", text)])
    return [(x.code, x.message, x.hint) for x in check_system(system) if x.is_error]


def test_an_argument_of_several_kinds_lists_all_of_them():
    """a cart may go to 0102, 0201 and 0202; the horse in 0201 has six neighbours on a map of three rows."""
    game = farm()
    legal = game.legal("ann", 100)
    assert {x.split(" ")[1] for x in legal if x.startswith("lead")} == {"c1", "h1"}
    assert "follow c1 to h2" in legal
    with pytest.raises(Refused, match="There is no mover b1"):
        do(game, "lead b1 to 0303")


def test_a_field_that_all_have_and_one_that_only_some_have():
    game = farm()
    assert ask(game, "heft of c1") == 5
    assert ask(game, "heft of b1") == 9
    assert ask(game, "sum-heft of ann") == 6
    assert ask(game, "count burnings") == 4
    assert names(ask(game, "movers of ann")) == ["c1", "h1"]
    assert names(ask(game, "movers of ann together with none")) == ["c1", "h1"]
    assert names(ask(game, "movers within 1 of c1")) == ["c1", "h1"]
    assert names(ask(game, "(burnings that are barn or cart)")) == ["b1", "c1"]
    assert ask(game, "b1 is burning")
    assert not ask(game, "b1 is mover")
    assert not ask(game, "h1 is cart or barn")
    assert names(ask(game, "movers (where it is horse and it is not tired)")) == ["h1", "h2"]


def test_what_is_so_of_one_kind_alone_is_asked_after_the_kind_is_known():
    """A cart is led on and on; a horse is tired after one field."""
    game = farm()
    do(game, "lead c1 to 0102")
    do(game, "lead c1 to 0101")
    do(game, "lead h1 to 0202")
    with pytest.raises(Refused, match="It is tired"):
        do(game, "lead h1 to 0201")
    assert ask(game, "tired of h1")


def test_rules_that_wait_for_several_kinds():
    """0301 is wet; 0202 lies next to the barn of the other side in 0302."""
    game = farm()
    assert "Splash: h1 enters 0301." in texts(do(game, "lead h1 to 0301"))
    assert ask(game, "weight of h1") == 5
    do(game, "lead c1 to 0102")
    assert "Near: c1 comes next to b1." in texts(do(game, "lead c1 to 0202"))


def test_fields_of_a_group_hold_any_of_its_kinds_and_survive_a_snapshot():
    game = farm()
    assert ask(game, "led-by of c1 is h1")
    assert names(ask(game, "seen-by of b1")) == ["c1", "h1"]
    do(game, "follow c1 to h2")
    assert ask(game, "led-by of c1 is h2")
    for _ in range(2):
        do(game, "done")
    again = resume(game.program, game.scenario, game.settings, game.snapshot())
    assert ask(again, "led-by of c1 is h2")
    assert names(ask(again, "movers")) == ["c1", "h1", "h2"]


def test_a_list_of_things_is_emptied():
    """`none` used to be in the list as a thing that is nothing."""
    text = (
        FARM
        + """
example "Forgotten":
  put c (a cart, side blue) in 0101
  put b (a barn, side red, seen-by (c)) in 0103
  put k (a barn, side red, seen-by (c)) in 0203
  do forget with b as b
  then seen-by of b are none
  then there is no seen-by of b
  then count seen-by of k = 1
  do forget-all
  then there is no seen-by of k
procedure forget of b (a barn):
  seen-by of b becomes none
procedure forget-all:
  seen-by of barns becomes none
"""
    )
    program, read = compiled((text,))
    (example,) = program.ruleset.examples
    found = run_example(program, example, variants(example, read.defaults)[0])
    assert (found.checks, found.failures) == (4, [])


def test_a_choice_among_several_kinds():
    text = (
        FARM
        + """
order round-up of h (a horse):
  given by side of h
  do gather with burnings as found and side of h as s
rule rounding adds to phase work:
  active may round-up
"""
    )
    game = farm(text=text)
    do(game, "round-up h1")
    asked = game.awaiting[0]
    assert sorted(asked.choices) == ["b1", "c1"]
    answer(game, "b1")
    assert names(ask(game, "seen-by of b1")) == ["c1", "h1"]
    assert ask(game, "weight of h2") == 3
    assert ask(game, "weight of b1") == 10


def test_a_module_forbids_an_order_of_several_kinds():
    game = farm(modules=("storms",))
    with pytest.raises(Refused, match="blown over"):
        do(game, "lead h1 to 0202")
    do(game, "lead c1 to 0102")


def test_what_any_of_the_kinds_hides_is_hidden_of_the_group():
    game = farm()
    assert hidden_fields(game.program.ruleset, "burning") == {"load"}
    assert hidden_fields(game.program.ruleset, "horse") == frozenset()


def test_examples_make_and_compare_several_kinds():
    text = (
        FARM
        + """
example "Together":
  put c (a cart, side blue) in 0101
  put h (a horse, side blue) in 0102
  put b (a barn, side red, seen-by (c, h)) in 0103
  then burnings are c, h, b
  then movers of blue are h, c
  then seen-by of b are c, h
  then (c, h) together with b are burnings
  then heft of c = 5
  do gather with c, h as found and blue as s
  then kept is c
"""
    )
    program, read = compiled((text,))
    example = program.ruleset.examples[0]
    found = run_example(program, example, variants(example, read.defaults)[0])
    assert found.passed, found.failures


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("value v of x (a burning):\n  load of x", "E209", "A cart has `load`, but a horse and a barn do not."),
        ("value v of x (a burning):\n  load of x when x is not cart\n  otherwise 0", "E209", "but a horse and a barn do not"),
        ("value v of x (a cart or a bran):\n  weight of x", "E103", "There is no kind bran."),
        ("value v of x (a cart or a field):\n  1", "E103", "Places cannot be in a group of kinds."),
        ("group loop: cart, loop", "E106", "The group loop contains itself."),
        ("group none-such: cart, wagon", "E103", "There is no kind wagon."),
        ("group cart: horse, barn", "E102", "declared twice"),
        ("unit dog, held by mover:\n  size number", "E103", "mover is a group of kinds, but a single kind is needed here."),
        ("component wheel, part of nothing-known:\n  size number\nvalue v of w (a wheel):\n  1 when w is in place of w", "E103", "nothing-known"),
        ("component wheel, part of nix:\n  size number\nvalue v of w (a wheel):\n  1 when w is in place of w", "E103", "nix"),
        ("list dogs of mover:\n  name | weight\n  rex  | 3", "E103", "mover is a group of kinds"),
        ("procedure p of f (a field):\n  put x (a mover, side active) in f", "E103", "mover is a group of kinds"),
        ("procedure p of x (a burning):\n  load of x becomes 3", "E209", "A cart has `load`"),
        ("procedure p of x (a burning):\n  load of x loses 1 points", "E209", "A cart has `load`"),
        ("value w of x (a horse):\n  1\nvalue v of x (a burning):\n  w of x", "E201", "`w` needs a horse, but this is a burning."),
        ("value w of x (a horse):\n  1\nvalue v of x (a mover):\n  w of x when x is horse\n  w of x when x is cart\n  otherwise 0", "E201", "`w` needs a horse, but this is a cart."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_the_kinds(line, code, said):
    found = problems(FARM + line + "\n")
    assert any(c == code and said in message for c, message, _ in found), found


def test_after_a_kind_is_ruled_in_by_or_both_are_known():
    """`x is cart or horse` leaves the kinds of the group `mover`; both have a weight, a barn is excluded."""
    text = (
        FARM
        + "value v of x (a burning):\n  w of x when x is cart or horse\n  otherwise 0\nvalue w of x (a mover):\n  weight of x\n"
    )
    game = farm(text=text)
    assert ask(game, "v of h1") == 2
    assert ask(game, "v of b1") == 0


def test_a_group_without_the_kind_of_a_module_that_is_off():
    text = FARM.replace("group mover, plural movers: cart, horse", "group mover, plural movers: cart, horse, mule")
    text += "unit mule, with storms:\n  weight number, starts 1\n"
    assert problems(text) == []
    assert ask(farm(text=text), "count movers") == 3


def test_two_fields_of_one_name_and_two_types():
    text = FARM.replace("  tired        mark\n", "  tired        mark\n  load         mark\n")
    text += "value v of x (a mover):\n  load of x\n"
    found = problems(text)
    assert any(
        m == "`load` does not have the same type in all of them: a number for a cart, a yes/no value for a horse."
        for _, m, _ in found
    ), found


def test_the_same_commands_lead_to_the_same_state():
    one, other = farm(), farm()
    for game in (one, other):
        for command in ("lead h1 to 0202", "burn b1 by h1", "done"):
            game.offer(Input("do", game.awaiting[0].side, command))
    assert one.digest() == other.digest()
    assert names(one.world.all_of("burning")) == ["c1", "h1", "h2"]


def test_members_of_several_kinds_are_asked_of_their_holder():
    """A cart holds dogs and hens, and a basket holds hens too: `animals of c` are all of them, in the order of the scenario."""
    text = (
        FARM
        + """
group animal: dog, hen
unit dog, held by cart:
  size number, starts 1
unit basket, held by cart:
  size number, starts 1
unit hen, held by basket:
  size number, starts 2
procedure load of c (a cart):
  put d (a dog, cart c) in place of c
  put b (a basket, cart c) in place of c
  put h (a hen, basket b) in place of c
value herd of c (a cart):
  sum size of animals of c
order fill of c (a cart):
  given by side of c
  do load with c as c
rule filling adds to phase work:
  active may fill
"""
    )
    game = farm(text=text)
    do(game, "fill c1")
    assert ask(game, "herd of c1") == 3
    assert ask(game, "count animals of c1") == 2
    assert ask(game, "count (animals held by c1)") == 2


HAULING = """
order haul of m (a mover) to f (a field):
  given by side of m
  refused when m is not cart because "only a cart hauls"
  refused when load of m < 1 because "it is empty"
  load of m loses 1 points
order near of m (a mover) to f (a field):
  given by side of m
  legal when m is cart and f is within (load of m) of m because "too far"
  move m to f
order far of m (a mover) to f (a field):
  given by side of m
  let reach be load of m when m is cart
  refused when f is not within (reach else 2) of m because "too far"
  move m to f
rule hauling adds to phase work:
  active may haul, near, far
"""


def test_what_an_order_has_let_pass_is_known_after_it():
    """c1 in 0101 has a load of 1 and three neighbours; the horse h1 goes two steps and hauls nothing."""
    game = farm(text=FARM + HAULING)
    legal = game.legal("ann", 200)
    assert not any(x.startswith(("haul h1", "near h1")) for x in legal)
    assert sorted(x for x in legal if x.startswith("near")) == ["near c1 to 0101", "near c1 to 0102", "near c1 to 0201"]
    assert "far h1 to 0401" in legal
    assert "far c1 to 0301" not in legal
    with pytest.raises(Refused, match="Only a cart hauls"):
        do(game, "haul h1 to 0101")
    do(game, "haul c1 to 0101")
    with pytest.raises(Refused, match="It is empty"):
        do(game, "haul c1 to 0101")


def test_what_a_permission_may_lift_is_not_known():
    text = FARM + HAULING + "rule strong permits order haul of m (a mover):\n  when weight of m > 9\n"
    assert ("E209", "A cart has `load`, but a horse does not.") in [(c, m) for c, m, _ in problems(text)]


def test_a_way_of_several_kinds_asks_of_each_what_it_has():
    """A loaded cart may not go where it is wet, and pays two points a field; the horse pays one."""
    text = (
        FARM.replace("weight       number, starts 4", "weight       number, starts 2")
        + """
path trip of m (a mover):
  from place of m
  at most weight of m points
  entering f (a field) costs 2 when m is cart
  entering f (a field) costs 1
  never into f (a field) when f is wet and m is cart and load of m > 0 because "the load gets wet"
order travel of m (a mover) to f (a field):
  given by side of m
  reaching f by trip of m
  move m to f
rule travelling adds to phase work:
  active may travel
"""
    )
    game = farm(text=text)
    assert {x.split(" ")[3] for x in game.legal("ann", 200) if x.startswith("travel c1")} == {"0102", "0201"}
    assert "travel h1 to 0301" in game.legal("ann", 200)


@pytest.mark.parametrize("kind", ["a mover", "a horse or a cart", "a cart"])
def test_a_question_and_dice_of_a_group_say_for_which_thing_they_are(kind):
    """They are worded as for a single kind."""
    said = f"procedure fork of m ({kind}):\n  side of m chooses way: one of fields next to m\n  side of m rolls 1d6 as luck\n"
    called = "    weight of m gains 3 points\nrule fork-off after order follow of m (a cart) to o (a mover):\n  do fork with m as m\n"
    game = farm(text=FARM.replace("  weight of m gains 3 points\n", called[2:], 1) + said)
    do(game, "follow c1 to h1")
    assert game.awaiting[0].prompt.startswith("Ann must choose way for c1: one of ")
    answer(game, "0102")
    assert game.awaiting[0].prompt == "Ann must roll 1d6 for c1 (luck)."
