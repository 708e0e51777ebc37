"""Lines shared by several declarations: fields of a group of kinds, owners of an order's arguments, one addition to several phases.

Carts, horses and barns of two farmers: those that can walk can be led. Walking tires them, and nobody else sees how tired they are.
"""

import pytest

from campaigns.trials.mutation import mutate
from dsl.analysis.hidden_reads import hidden_fields
from dsl.load import check_system, read_system
from dsl.rules.variants import variants
from dsl.syntax.format import restyled
from dsl.text.source import SourceFile
from interpreter.examples.examples import run_example
from interpreter.machine import begin, resume
from interpreter.messages.inputs import Refused
from tests.interpreter.rulebook import ask, compiled, do

FARM = """\
system farm "A farm" version 1.0
module night "Night", default off
group mover, plural movers: cart, horse, each with:
  tired        0 .. 3, starts 0
  led-by       mover, optional
  hidden from enemy: tired
group burning: mover, barn, each with:
  weight       number, starts 2
  bulk         number, starts 1
  printed size "<weight>/<bulk>"
unit cart:
  load         number, starts 1
unit horse:
  wild         mark
marker barn:
  hay          number, starts 9
place field, on hex grid:
  wet          mark
list carts of cart:
  name  | size | load
  heavy | 5/2  | 4
map farm "Farm" of field, 4 by 3:
  letters:
    letter | wet
    .      | no
  grid:
    01 | . . . .
    02 | . . . .
    03 | . . . .
value heft of x (a burning):
  weight of x * bulk of x
  plus load of x when x is cart because "it is loaded"
  plus hay of x when x is barn because "it is full"
order lead of m (an own mover) to f (a field):
  refused when m is horse and m is wild because "it is wild"
  refused when tired of m = 3 because "it is too tired"
  move m to f
  tired of m becomes tired of m + 1
order follow of c (an own cart) to m (an own mover):
  led-by of c becomes m
order scare of h (an enemy horse or a cart) by m (an own mover):
  led-by of h becomes absent
  when h is horse:
    h becomes wild
sequence game-turn:
  for each s in turn-order, as active:
    phase work:
      active may lead
    phase evening:
      active may lead
rule company adds to phase work, phase evening:
  active may follow
rule owls adds to phase evening, phase work, with night:
  active may scare
campaign game:
  turn-order   list of side
scenario one "One" on farm:
  side ann "Ann" blue
  side ben "Ben" red
  turn-order is ann, ben
  forces ann of cart:
    name | type  | in
    c1   | heavy | 0101
  forces ann of horse:
    name | in
    h1   | 0102
  forces ben of horse:
    name | in   | tired
    h2   | 0303 | 2
  forces ben of barn:
    name | in   | weight
    b1   | 0403 | 7
  end game when turn > 3 because "over"
"""


def farm(modules=(), text=FARM):
    program, read = compiled((text,), frozenset(modules))
    scenario = next(x for x in read.declarations if getattr(x, "name", "") == "one")
    return begin(program, scenario, {"dice": "typed", "seed": 1})


def problems(text):
    return [(x.code, x.message) for x in check_system(read_system([SourceFile("own.rules", text)])) if x.is_error]


def test_each_kind_has_the_fields_of_its_groups():
    """A heavy cart weighs 5 with a bulk of 2 and is loaded with 4: 14. A barn weighs 7 with a bulk of 1, and 9 of hay: 16."""
    game = farm()
    assert ask(game, "heft of c1") == 14
    assert ask(game, "heft of b1") == 16
    assert ask(game, "heft of h1") == 2
    assert ask(game, "tired of h2") == 2
    do(game, "lead h1 to 0202")
    assert ask(game, "sum tired of movers") == 3


def test_what_a_group_hides_is_hidden_of_each_kind():
    ruleset = farm().program.ruleset
    assert hidden_fields(ruleset, "cart") == hidden_fields(ruleset, "horse") == {"tired"}
    assert hidden_fields(ruleset, "barn") == frozenset()


def test_fields_of_a_group_survive_a_snapshot():
    game = farm()
    do(game, "lead h1 to 0202")
    do(game, "follow c1 to h1")
    for _ in range(4):
        do(game, "done")
    again = resume(game.program, game.scenario, game.settings, game.snapshot())
    assert ask(again, "tired of h1") == 1
    assert ask(again, "led-by of c1 is h1")


def test_the_order_of_declarations_does_not_matter():
    """The two groups, last in the file, give the same fields in the same order."""
    groups = FARM[FARM.index("group mover") : FARM.index("unit cart")]
    assert problems(FARM) == problems(FARM.replace(groups, "") + groups) == []
    one, other = farm(), farm(text=FARM.replace(groups, "") + groups)
    assert [list(one.program.ruleset.kinds[k].fields) for k in ("cart", "horse", "barn")] == [
        list(other.program.ruleset.kinds[k].fields) for k in ("cart", "horse", "barn")
    ]


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (("  load         number, starts 1\n", "  load         number, starts 1\n  weight number\n"), "E102", "The field weight is declared twice."),
        (("  bulk         number, starts 1\n", "  tired number, starts 1\n"), "E102", "The field tired is declared twice."),
        (("  tired        0 .. 3, starts 0\n", "  tired        drowsy\n"), "E103", "There is no type drowsy."),
        (("<weight>/<bulk>", "<weight>/<length>"), "E325", "The notation names `length`, but cart has no such field."),
        (("hidden from enemy: tired", "hidden from enemy: wild"), "E209", "A cart has no field `wild` to hide."),
        (("module night", "enum sky: blue, grey\ngroup fair of sky: blue, each with:\n  clouds number\nmodule night"), "E114", "fair is a group of words, and words have no fields."),
        (("(an own cart) to m (an own mover)", "(an own field) to m (an own mover)"), "E255", "`c` belongs to no side: only a thing can be `own` or `enemy`."),
        (("by m (an own mover)", "by m (a mover)"), "E255", "`enemy` depends on who gives `scare`, but the heading does not say who that is."),
        (("value heft of x (a burning)", "value heft of x (an own burning)"), "E255", "`own` has no effect on an argument of `heft`: things of any side are accepted."),
        (("phase evening, phase work, with", "phase evening, phase evening, with"), "E402", "`owls` names the phase evening twice."),
        (("phase evening, phase work, with", "phase evening, phase wrok, with"), "E402", "`owls` adds to the phase wrok, but there is no such declaration."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(change, code, said):
    assert change[0] in FARM
    found = problems(FARM.replace(*change))
    assert (code, said) in found, found
    assert len(found) == len(set(found))


def test_an_order_is_given_by_whose_its_own_argument_is():
    game = farm()
    with pytest.raises(Refused, match="given by ben, not by ann"):
        do(game, "lead h2 to 0302")
    with pytest.raises(Refused, match="It is not yours"):
        do(game, "follow c1 to h2")
    legal = game.legal("ann", 100)
    assert {x.split(" ")[1] for x in legal if x.startswith("lead")} == {"c1", "h1"}
    assert [x for x in legal if x.startswith("follow")] == ["follow c1 to c1", "follow c1 to h1"]
    do(game, "follow c1 to h1")


def test_an_order_against_the_enemy_takes_only_the_enemys():
    game = farm(modules=("night",))
    with pytest.raises(Refused, match="It is your own"):
        do(game, "scare h1 by c1")
    assert [x for x in game.legal("ann", 100) if x.startswith("scare")] == ["scare h2 by c1", "scare h2 by h1"]
    do(game, "scare h2 by h1")
    assert ask(game, "wild of h2")


def test_what_is_several_must_be_own_all():
    text = FARM.replace(
        "module night", "order herd of them (some own movers):\n  tired of them becomes 1\nmodule night"
    )
    text = text.replace("active may follow", "active may follow, herd")
    assert problems(text) == []
    game = farm(text=text)
    with pytest.raises(Refused, match="It is not yours"):
        do(game, "herd h1, h2")
    do(game, "herd h1, c1")
    assert ask(game, "tired of c1") == 1


def test_one_rule_joins_several_phases():
    game = farm(modules=("night",))
    assert {x.split(" ")[0] for x in game.legal("ann", 100)} == {"lead", "follow", "scare", "done"}
    do(game, "done")
    assert {x.split(" ")[0] for x in game.legal("ann", 100)} == {"lead", "follow", "scare", "done"}
    assert {x.split(" ")[0] for x in farm().legal("ann", 100)} == {"lead", "follow", "done"}


def test_one_rule_adds_to_several_values():
    text = (
        FARM
        + "value room of x (a burning):\n  bulk of x\nrule wide adds to heft of x (a burning), room of x:\n  plus 3\n"
    )
    text += "value all-room:\n  sum room of burnings\n"
    assert problems(text) == []
    game = farm(text=text)
    assert ask(game, "heft of h1") == 5
    assert ask(game, "room of c1") == 5


def test_the_lines_of_a_group_are_set_in_columns():
    text = "group mover: cart, horse, each with:   [A-B-01]\n  tired 0 .. 3\n  fast   mark\n"
    assert restyled(text) == (
        "group mover: cart, horse, each with:                                                            [A-B-01]\n"
        "  tired        0 .. 3\n"
        "  fast         mark\n"
    )


def test_whose_an_argument_is_can_be_changed_and_is_noticed(tmp_path):
    """Changes of `follow`: own becomes enemy, or is left out, for the cart and for the thing it follows."""
    text = FARM[: FARM.index("order lead")] + FARM[FARM.index("order follow") : FARM.index("order scare")]
    text += "sequence game-turn:\n  phase work:\n    active may follow\n"
    text += (
        'example "Whose":\n  put c (a cart, side blue) in 0101\n  put d (a horse, side blue) in 0102\n'
        "  put e (a horse, side red) in 0202\n"
        "  then blue may follow c to d\n"
        '  then blue may not follow c to e because "not yours"\n'
        '  then red may not follow c to d because "given by blue"\n'
        '  then red may not follow c to e because "given by blue"\n'
    )
    (tmp_path / "farm.rules").write_text(text, encoding="utf-8")
    found = mutate(str(tmp_path), workers=1)
    assert [x["change"] for x in found["survivors"] if "order follow" in x["text"]] == []
    weak = text.replace('  then blue may not follow c to e because "not yours"\n', "")
    (tmp_path / "farm.rules").write_text(weak, encoding="utf-8")
    found = mutate(str(tmp_path), workers=1)
    assert [x["change"] for x in found["survivors"] if "order follow" in x["text"]] == ["`own` left out"]


def test_a_group_gives_its_fields_in_examples():
    text = (
        FARM
        + 'example "One":\n  put h (a horse, side blue, tired 2, weight 4) in 0101\n  then heft of h = 4\n  then red does not know tired of h\n  then red knows weight of h\n'
    )
    program, read = compiled((text,))
    example = program.ruleset.examples[0]
    found = run_example(program, example, variants(example, read.defaults)[0])
    assert found.passed, found.failures
