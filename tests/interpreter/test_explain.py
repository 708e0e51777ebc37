"""Explanations: which lines of a value were evaluated, which applied, their results and which rule they cite."""

import pytest

from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from interpreter.examples.examples import run_example
from interpreter.explain.retelling import Teller
from interpreter.machine import begin
from interpreter.messages.inputs import Input, Refused
from tests.interpreter.rulebook import KIT, compiled, do, game_of, story, texts

GRIP = """\
module frost "Frost", default off
value grip of u (a regiment):                                  [Q-20]
  start with strength of u                                     [Q-21]
  halved when u is tired because "tired men"                   [Q-22]
  adds: plus 0
  plus 2 when hold of u > 3                                    [Q-23] -- a remark
  at most 8
value hold of u (a regiment):                                  [Q-24]
  5 when strength of u > 6
  otherwise 1
rule cold adds to grip of v (a regiment), with frost:          [Q-25]
  3 because "ice"
order start of u (a regiment):
  given by side of u
  do raid with u as raider
procedure raid of raider (a regiment):
  let spoils be grip of raider + 1                             [Q-26]
  let fixed be 3
  active rolls 1d6 as die
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may start
"""


@pytest.fixture
def game(request):
    return game_of(story(request.function))


def test_every_line_is_told_with_its_value_its_reason_and_its_citation():
    game = game_of(GRIP)
    found = game.explain("grip of a")
    assert (found.name, found.value) == ("grip of a", "8")
    assert [(s.text, s.applied, s.value, s.because, s.cites) for s in found.steps] == [
        ("start with strength of u", True, "7", "", ("Q-21",)),
        ('halved when u is tired because "tired men"', False, "", "tired men", ("Q-22",)),
        ("adds: plus 0", True, "7", "", ("Q-20",)),
        ("plus 2 when hold of u > 3", True, "9", "", ("Q-23",)),
        ("at most 8", True, "8", "", ("Q-20",)),
    ]
    assert [s.place for s in found.steps] == [f"own.rules:{n}" for n in (3, 4, 5, 6, 7)]
    assert found.cites == ("Q-21", "Q-20", "Q-23")  # of the lines that applied
    (part,) = found.parts
    assert (part.name, part.value, part.cites) == ("hold of a", "5", ("Q-24",))


def test_cases_and_steps_on_one_line_are_told_one_by_one():
    game = game_of(
        GRIP
        + """\
value poise of u (a regiment) = 3 when u is tired, 2 when hold of u > 4,
  otherwise 1                                                  [Q-27]
value reach of u (a regiment) = strength of u / 2, -- a remark
  plus 1 when u is tired, rounded up -- another
value stride of u (a regiment) = strength of u + 1             [Q-28]
status winded of u (a regiment) = poise of u > 1
"""
    )

    def told(what):
        return [(s.text, s.applied, s.value, s.cites) for s in game.explain(what).steps]

    assert told("poise of a") == [
        ("3 when u is tired", False, "", ("Q-27",)),
        ("2 when hold of u > 4", True, "2", ("Q-27",)),
    ]
    assert told("poise of b")[-1] == ("otherwise 1", True, "1", ("Q-27",))
    assert told("reach of a") == [
        ("strength of u / 2", True, "3 1/2", ()),
        ("plus 1 when u is tired", False, "", ()),
        ("rounded up", True, "4", ()),
    ]
    assert told("stride of a") == [("strength of u + 1", True, "8", ("Q-28",))]
    assert told("winded of a") == [("poise of u > 1", True, "yes", ())]


def test_a_line_of_a_module_names_its_module():
    game = game_of(GRIP, modules=("frost",))
    found = game.explain("grip of b")
    assert found.value == "7"  # 4 + 3; its hold is 1
    (line,) = [s for s in found.steps if s.module]
    assert (line.text, line.module, line.value, line.because, line.cites) == (
        '3 because "ice"',
        "frost",
        "7",
        "ice",
        ("Q-25",),
    )


def test_what_is_asked_may_be_any_expression_or_condition():
    game = game_of(GRIP)
    assert game.explain("grip of a + grip of b").value == "12"
    assert [p.name for p in game.explain("grip of a + grip of b").parts] == ["grip of a", "grip of b"]
    assert game.explain("grip of a > grip of b").value == "yes"
    assert game.explain("regiments in 0203").value == "b"
    for what, why in [
        ("grip of", "is not a valid expression"),
        ("grip of everyone", "Unknown name `everyone`"),
        ("1 / (strength of a - 7)", "cannot be divided by 0"),
    ]:
        with pytest.raises(Refused, match=why):
            game.explain(what)


@pytest.mark.parametrize("what", ["grip of everyone", "everyone", "everything of a", "everyone in 0203"])
def test_who_asks_of_what_there_is_not_is_not_told_to_declare_it(what):
    with pytest.raises(Refused) as refused:
        game_of(GRIP).explain(what)
    assert refused.value.hint == "Check the spelling."


def test_alike_parts_are_told_once(game):
    """
    value weight of u (a regiment):
      2 when armor of u is absent
      otherwise 3
    value all-weight:
      start with sum weight of regiments
    """
    found = game.explain("all-weight")
    assert found.value == "12"  # a, x, z: 2 each; b, y: 3 each
    assert [(p.name, p.value) for p in found.parts] == [("weight of a, x, z", "2"), ("weight of b, y", "3")]


def test_alike_parts_that_are_for_two_things_are_told_pair_by_pair(game):
    """
    value gap of u (a regiment) to v (a regiment) = 2
    """
    found = game.explain("gap of a to b + gap of a to x + gap of b to y")
    assert [p.name for p in found.parts] == ["gap of a, b; a, x; b, y"]


def test_names_of_a_procedure_are_told_by_the_line_that_set_them():
    game = game_of(GRIP)
    do(game, "start b")
    found = game.explain("spoils")
    assert (found.value, found.cites) == ("5", ("Q-26",))
    assert [(s.text, s.value) for s in found.steps] == [("let spoils be grip of raider + 1", "5")]
    assert [p.name for p in found.parts] == ["grip of b"]
    game.world.effects.set(game.world.by_id["b"], "strength", 8)
    again = game.explain("spoils")
    assert again == found  # it was set then, and is told as it was then
    assert game.explain("fixed").value == "3"
    with pytest.raises(Refused, match="`die` has not been set yet here"):
        game.explain("die")


LOOT = GRIP.replace("  active rolls 1d6 as die\n", "").replace(
    "  let fixed be 3\n",
    "  strength of raider becomes 1\n  let rest be grip of raider\n",
)


@pytest.mark.parametrize("turns", [0, 1])
def test_what_was_named_is_told_as_it_was_then_also_in_the_turn_after(turns):
    game = game_of(LOOT)
    do(game, "start a")  # 7 + 2 of its hold, at most 8
    for _ in range(turns):
        do(game, "done")
        do(game, "done", "red")
    spoils, rest = game.explain("spoils"), game.explain("rest")
    assert (spoils.value, rest.value) == ("9", "1")
    ((then,), (later,)) = spoils.parts, rest.parts
    assert [(s.text, s.value) for s in then.steps if s.applied] == [
        ("start with strength of u", "7"), ("adds: plus 0", "7"), ("plus 2 when hold of u > 3", "9"), ("at most 8", "8"),
    ]  # fmt: skip
    assert [p.value for p in then.parts] == ["5"]
    assert next((s.value, s.applied) for s in later.steps) == ("1", True)
    assert [p.value for p in later.parts] == ["1"]


def test_two_turns_later_only_the_line_is_told():
    game = game_of(LOOT)
    do(game, "start a")
    for side in ("blue", "red", "blue", "red"):
        do(game, "done", side)
    found = game.explain("spoils")
    assert (found.value, found.parts) == ("9", ())
    assert [s.text for s in found.steps] == ["let spoils be grip of raider + 1"]


SKIRMISH = """\
value mettle of u (a regiment) in skirmish:                    [Q-30]
  start with strength of u
  plus pluck because "pluck"                                   [Q-31]
value hurt of u (a regiment) in skirmish:                      [Q-32]
  start with shot of u + mettle of u
order start of u (a regiment):
  given by side of u
  do skirmish with regiments as many
procedure skirmish of many (some regiments):
  let pluck be count many                                      [Q-33]
  each u in many rolls 1d6 as shot
  for each u in many:
    let blow be hurt of u                                      [Q-34]
    tried of u becomes blow                                    [Q-35]
  for each u in many (where its tried > 9):
    do wear with u as victim and tried of u as wounds          [Q-36]
  remove many (where its strength = 0)
procedure wear of victim (a regiment) under wounds (a number):
  strength of victim becomes highest (0, strength of victim - wounds) [Q-37]
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may start
"""


def skirmish(asked=""):
    """a 7, b 4, x 5, y 3 and z 9 with dice 1 2 3 4 5 and five regiments: each gets its die, its strength and 5.

    asked: what is asked before it begins.
    """
    kit = KIT.replace(
        "  tired      mark\nunit battery", "  tired      mark\n  tried      number, starts 0\nunit battery"
    )
    program, text = compiled((kit, SKIRMISH))
    scenario = next(x for x in text.declarations if isinstance(x, d.Scenario) and x.name == "meeting")
    game = begin(program, scenario, {"dice": "typed", "seed": 1})
    if asked:
        game.explain(asked)
    do(game, "start a")
    for face in "12345":
        game.offer(Input("roll", "umpire", face))
    return game


@pytest.mark.parametrize(("who", "was", "die", "left"), [("a", 7, 1, 0), ("b", 4, 2, 0), ("z", 9, 5, 0)])
def test_a_field_is_told_line_after_line_down_to_the_dice_for_each_thing_also_when_it_is_gone(who, was, die, left):
    found = skirmish().explain(f"strength of {who}")
    assert found.value == str(left)
    blow = die + was + 5
    assert [(s.text, s.value, s.cites) for s in found.steps] == [
        ("strength of victim becomes highest (0, strength of victim - wounds)", "0", ("Q-37",)),
        ("do wear with u as victim and tried of u as wounds", str(blow), ("Q-36",)),
        ("tried of u becomes blow", str(blow), ("Q-35",)),
        ("let blow be hurt of u", str(blow), ("Q-34",)),
    ]
    hurt, pluck, shot = found.parts
    assert (hurt.name, hurt.value, hurt.cites) == (f"hurt of {who}", str(blow), ("Q-32",))
    (mettle,) = hurt.parts
    assert [(s.text, s.value, s.cites) for s in mettle.steps] == [
        ("start with strength of u", str(was), ("Q-30",)),  # as it was then
        ('plus pluck because "pluck"', str(was + 5), ("Q-31",)),
    ]
    assert (pluck.name, pluck.value, [s.cites for s in pluck.steps]) == ("pluck", "5", [("Q-33",)])
    assert (shot.name, shot.value) == (f"shot of {who}", str(die))
    assert [(s.text, s.value) for s in shot.steps] == [("each u in many rolls 1d6 as shot", str(die))]


def test_a_value_of_a_procedure_that_is_over_is_told_as_it_was_asked_for_last():
    game = skirmish()
    found = game.explain("hurt of z")
    assert (found.value, [p.value for p in found.parts if p.name.startswith("mettle")]) == ("19", ["14"])
    assert game.explain("tried of y").value == "12"  # 4 + 3 + 5
    assert [p.name for p in game.explain("tried of y").parts] == ["hurt of y", "pluck", "shot of y"]


def test_what_the_last_input_changed_is_told_for_each_thing():
    told = {x.name: x.value for x in skirmish().explain_changes()}
    assert {n: v for n, v in told.items() if n.startswith("tried")} == {
        "tried of a": "13", "tried of b": "11", "tried of x": "13", "tried of y": "12", "tried of z": "19",
    }  # fmt: skip
    assert [n for n in told if n.startswith("strength")] == [f"strength of {u}" for u in "abxyz"]


@pytest.mark.parametrize("first", ["strength of a", "tired of b"])
def test_what_one_question_found_to_be_left_alone_hides_no_change_from_the_next(first):
    game = skirmish(first)  # asked before anything changed, and again after: what the turn changed is kept from here on
    game.explain(first)
    for field in ("strength", "tried", "tired"):
        for who in "abxyz":
            assert game.explain(f"{field} of {who}") == skirmish().explain(f"{field} of {who}")
    assert [s.text for s in game.explain("tried of y").steps][:1] == ["tried of u becomes blow"]


def test_lines_that_left_a_field_as_it_was_are_told_only_where_no_line_changed_it():
    """`a` has 7: the second and third line set what it has by then."""
    marching = """\
order march of u (a regiment):
  given by side of u
  strength of u becomes {first}
  strength of u becomes 9 when hold of u > 3
  strength of u gains 0 points
"""
    for first, told in (("9", ["strength of u becomes 9"]), ("7", ["strength of u becomes 9 when hold of u > 3"])):
        rules = GRIP.replace("order start", marching.format(first=first) + "order start").replace(
            "may start", "may march"
        )
        game = game_of(rules)
        do(game, "march a")
        assert [s.text for s in game.explain("strength of a").steps] == told
    still = game_of(rules.replace("becomes 9", "becomes 7"))
    do(still, "march a")
    assert [s.text for s in still.explain("strength of a").steps] == ["strength of u gains 0 points"]


def test_an_explanation_changes_nothing():
    game = game_of(GRIP)
    do(game, "start b")
    before = game.digest()
    for what in ("spoils", "grip of a", "regiments"):
        game.explain(what)
    assert game.digest() == before


def test_reasons_against_a_command_have_place_and_hint(game):
    """
    order go of u (a regiment) to goal (a hex):
      given by side of u
      reaching goal by route of u                              [Q-9]
      move u to goal
    path route of u (a regiment):
      from place of u
      at most 1 points
      entering h (a hex) costs 1
    sequence game-turn:
      for each s in turn-order, as active:
        phase all:
          active may go
    """
    (reason,) = game.why_not("blue", "go a to 0806")
    assert (reason.message, reason.cites, reason.place) == ("0806 is out of reach of a.", ("Q-9",), "own.rules:4")
    # Of the six hexes around 0202 the three nearest to 0806, of equals the first on the map: 0203 and 0303 are 6 away, 0103 7.
    assert reason.hint == "It can move as far as 0203, 0303, 0103."
    assert texts(do(game, "go a to 0303"))[1] == "a moves from 0202 to 0303."


DAMP = """\
unit drum:
  skins number, starts 1
  soggy mark
value wetness of d (a drum):                                   [Q-40]
  start with skins of d * 2                                    [Q-41]
order rain of d (a drum):
  given by side of d
  skins of d becomes 3                                         [Q-42]
  soggy of d becomes yes when wetness of d > 5                 [Q-43]
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may rain
scenario band "Band" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of drum:
    name | in
    d-1  | 0202
  turn-order is blue, red
"""


def test_the_condition_on_which_a_line_was_done_is_told_too():
    game = game_of(DAMP, scenario="band")
    do(game, "rain d-1")
    found = game.explain("soggy of d-1")
    assert (found.value, found.cites) == ("yes", ("Q-43",))
    wetness = next(p for p in found.parts if p.name == "wetness of d-1")
    assert (wetness.value, wetness.cites) == ("6", ("Q-41",))


FORD = """\
path walk of u (a train):                                      [Q-50]
  from place of u
  at most 4 points                                             [Q-51]
  entering h (a hex) costs 2 when terrain of h is wood
  entering h (a hex) costs 1
  never into h (a hex) when terrain of h is lake because "too deep"  [Q-52]
scenario ford "Ford" on field:
  side blue "The Blues"
  forces blue of train:
    name | stock | in
    t-1  | 1     | 0403
"""


def test_what_a_way_costs_is_told_with_the_way_or_with_what_is_closed_on_it():
    game = game_of(FORD, scenario="ford")
    found = game.explain("cost of reaching 0503 by walk of t-1")
    assert (found.value, [s.text for s in found.steps][1:]) == ("none", ["0503 is closed"])
    assert (found.steps[1].because, found.steps[1].cites) == ("too deep", ("Q-52",))
    found = game.explain("cost of reaching 0401 by walk of t-1")
    (step,) = found.steps
    assert (found.value, step.value, step.cites) == ("2", "0403 → 0402 → 0401", ("Q-51",))
    assert game.explain("cost of reaching 0801 by walk of t-1").steps[0].because == "0801 is out of reach"


REMEMBERED = """\
value edge in raid:                                            [Q-27]
  start with strength of raider                                [Q-28]
  plus 1
order start of u (a regiment):
  given by side of u
  do raid with u as raider
procedure raid of raider (a regiment):
  tell sides "The edge is {}." with edge
  let spoils be edge + edge
  active rolls 1d6 as die
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may start
"""


@pytest.mark.parametrize("side", ["umpire", "red", "blue"])
def test_what_play_has_worked_out_already_is_told_line_by_line(side):
    """Play remembers the values of a procedure; a reader who asks still sees how they were computed."""
    game = game_of(REMEMBERED)
    do(game, "start a")
    for _ in range(2):
        found = game.explain("edge", side)
        assert (found.value, [s.text for s in found.steps]) == ("8", ["start with strength of raider", "plus 1"])


STORES = """\
order haul of t (a train) with n (a number):
  given by side of t
  let load be n
  load becomes load + 1                                        [Q-60]
  t gains load stock because "hauled"                [Q-61]
order feed of t (a train):
  given by side of t
  simultaneously:
    t loses 3 stock                                            [Q-62]
    stock of t becomes 10                                      [Q-63]
    t loses 4 stock                                            [Q-64]
order hoard of t (a train):
  given by side of t
  stock of t becomes 40 until end of moves                     [Q-65]
sequence game-turn:
  for each s in turn-order, as active:
    phase moves:
      active may haul, feed, hoard
"""


def stores(*commands):
    game = game_of(STORES)
    for command in commands:
        do(game, command)
    return game


def told(game, what):
    found = game.explain(what)
    return found.value, [(s.text, s.value, s.cites) for s in found.steps]


def test_what_is_gained_is_told_with_what_it_is_added_to():
    """2 and 5 are 7, and 4 are 11."""
    game = stores("haul t1 with 4", "haul t1 with 3")
    assert told(game, "stock of t1") == (
        "11",
        [
            ('t gains load stock because "hauled"', "2 + 5 = 7", ("Q-61",)),
            ('t gains load stock because "hauled"', "7 + 4 = 11", ("Q-61",)),
        ],
    )


def test_a_name_that_got_another_value_is_told_by_the_line_that_gave_it_last():
    assert told(stores("haul t1 with 4"), "load") == (
        "5",
        [("load becomes load + 1", "5", ("Q-60",)), ("let load be n", "4", ())],
    )


def test_what_is_done_at_once_is_told_in_the_order_in_which_it_counts():
    """First what becomes, 10, then what is lost: 3 and 4."""
    assert told(stores("feed t1"), "stock of t1") == (
        "3",
        [
            ("stock of t becomes 10", "10", ("Q-63",)),
            ("t loses 3 stock", "10 - 3 = 7", ("Q-62",)),
            ("t loses 4 stock", "7 - 4 = 3", ("Q-64",)),
        ],
    )


def test_what_no_longer_lasts_is_told():
    game = stores("hoard t1")
    assert told(game, "stock of t1") == ("40", [("stock of t becomes 40 until end of moves", "40", ("Q-65",))])
    do(game, "done")
    assert told(game, "stock of t1") == (
        "2",
        [
            ("stock of t becomes 40 until end of moves", "40", ("Q-65",)),
            ("stock of t becomes 40 until end of moves: expired", "2", ("Q-65",)),
        ],
    )


def test_what_no_longer_lasts_is_all_that_has_changed_of_its_thing(monkeypatch):
    """Nothing else of it needs the turn to be played again."""
    game, played, lead = stores("hoard t1", "done"), [], Teller.lead
    monkeypatch.setattr(Teller, "lead", lambda *args: played.append(args) or lead(*args))
    assert len(told(game, "stock of t1")[1]) == 2
    turns = len(played)
    assert told(game, "side of t1") == ("blue", [])
    assert len(played) == turns
    assert told(game, "stock of t1") == told(stores("hoard t1", "done"), "stock of t1")


TWICE = """\
procedure never of many (some regiments):
  let blow be 1
  each u in many rolls 1d6 as shot
procedure strike of many (some regiments):
  let blow be count many                                       [Q-70]
  each u in many rolls 1d6 as shot
  active rolls 1d6 as last
order start of u (a regiment):
  given by side of u
  do strike with own regiments as many
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may start
"""


def test_a_name_that_two_procedures_know_is_that_of_the_one_that_has_run():
    game = game_of(TWICE)
    do(game, "start a")
    for face in "35":
        game.offer(Input("roll", "umpire", face))
    before = game.digest()
    for _ in range(2):
        assert game.explain("blow").value == "2"
        assert game.explain("shot of b").value == "5"
        with pytest.raises(Refused, match="has not been set yet"):
            game.explain("last")
    assert (game.digest(), list(game.world.frames)) == (
        before,
        ["sequence game-turn", "order start", "procedure strike"],
    )


def test_an_example_that_explains_itself_may_ask_a_name_twice():
    """
    example "twice":
      put a (a regiment, side blue, strength 1) in 0101
      put b (a regiment, side blue, strength 1) in 0102
      do strike with a, b as many
      dice 3, 5, 6
      then blow = 2
      then blow = 2
    """
    program, read = compiled((KIT, TWICE + story(test_an_example_that_explains_itself_may_ask_a_name_twice)))
    example = next(x for x in read.declarations if isinstance(x, d.Example))
    found = run_example(program, example, variants(example, read.defaults)[0], explain=True)
    assert [str(f) for f in found.failures] == []
    assert [(text, value) for text, value, _ in found.shown] == [("then blow = 2", "2"), ("then blow = 2", "2")]
    assert [x.steps[0].cites for _, _, x in found.shown] == [("Q-70",), ("Q-70",)]


HOUSE = """\
rule at-home adds to hold of v (a regiment), with frost:
  2 because "at home"
rule outside adds to grip of v (a regiment), with frost:
  1 because "outside"
rule another replaces hold of u (a regiment), with thaw:
  start with 3
module thaw "Thaw", default off
"""


def test_a_line_that_a_rule_without_a_citation_brought_in_cites_nothing():
    """The value that it adds to, or whose declaration it replaces, cites its own rule and no other."""
    found = game_of(GRIP, HOUSE, modules=("frost",)).explain("grip of b")
    cites = {s.because: s.cites for s in (*found.steps, *found.parts[0].steps)}
    assert (cites["outside"], cites["at home"], cites["ice"]) == ((), (), ("Q-25",))
    (part,) = game_of(GRIP, HOUSE, modules=("thaw",)).explain("grip of b").parts
    assert [(s.text, s.cites) for s in part.steps] == [("start with 3", ())]
    assert part.cites == ()


RAID = """
unit mine:
  power number
  hidden from enemy: power
order raid of raider (a regiment):
  given by side of raider
  side of raider rolls 1d6 as luck
  each side rolls 1d6 as die
  each u in own regiments rolls 1d6 as mud
  let spoils be die of active + luck + mud of raider
  strength of raider gains spoils points
  losses of raider gains 1 points when die of active > 3
order lay of raider (a regiment):
  given by side of raider
  put m (a mine, power 0, side side of raider) in 0101
  each u in own regiments rolls 1d6 as yield-of
  side of raider rolls 1d6 as depth
  power of m becomes yield-of of raider + depth
sequence game-turn:
  for each s in turn-order, as active:
    phase moves:
      active may raid, lay
"""


def test_numbers_are_followed_to_the_dice_that_gave_them():
    """a, with strength 7, gets luck 5, mud 3; blue's die is 4, red's 2: 12 more, and 4 is over 3."""
    game = game_of(RAID)
    do(game, "raid a")
    for face in "54236":  # luck, blue, red, a, b
        game.offer(Input("roll", "umpire", face))
    spoils = game.explain("spoils")
    assert (spoils.value, [(p.name, p.value) for p in spoils.parts]) == (
        "12", [("luck", "5"), ("die of blue", "4"), ("mud of a", "3")],
    )  # fmt: skip
    assert [[(s.text, s.value) for s in p.steps] for p in spoils.parts] == [
        [("side of raider rolls 1d6 as luck", "5")], [("each side rolls 1d6 as die", "4")],
        [("each u in own regiments rolls 1d6 as mud", "3")],
    ]  # fmt: skip
    assert [(s.text, s.value) for s in game.explain("losses of a").steps] == [
        ("losses of raider gains 1 points when die of active > 3", "0 + 1 = 1"),
        ("each side rolls 1d6 as die", "4"),
    ]
    for asked, value in {"mud of b": "6", "die of red": "2", "luck": "5"}.items():
        found = game.explain(asked)
        assert (found.value, [s.value for s in found.steps]) == (value, [value])


def test_a_new_thing_is_explained_also_after_something_else_was():
    game = game_of(RAID)
    do(game, "lay a")
    for face in "264":  # for a, for b, the depth
        game.offer(Input("roll", "umpire", face))
    (mine,) = (one.id for one in game.world.by_id.values() if one.kind == "mine")
    assert told(game, "strength of a") == ("7", [])
    assert told(game, f"side of {mine}") == (
        "blue",
        [("put m (a mine, power 0, side side of raider) in 0101", "blue", ())],
    )


@pytest.mark.parametrize(("side", "known"), [("umpire", True), ("blue", True), ("red", False)])
def test_dice_of_what_is_hidden_are_told_to_who_knows_it(side, known):
    game = game_of(RAID)
    do(game, "lay a")
    for face in "264":  # for a, for b, the depth
        game.offer(Input("roll", "umpire", face))
    for asked, value in {"depth": "4", "yield-of of a": "2", "power of m": "6"}.items():
        if known:
            assert game.explain(asked, side).value == value
        else:
            with pytest.raises(Refused):
                game.explain(asked, side)
