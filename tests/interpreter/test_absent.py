"""A value that may be absent, passed to every operation that takes a thing: a check refuses it, or it has a meaning and runs.

m-1 has no mount, no goal, no lord and nothing else that is optional; m-2 rides h-1, and its goal is 0103.
"""

import pytest

from dsl.load import bound_or_raise, check_system, read_system
from dsl.syntax import declarations as d
from dsl.text.source import SourceFile
from interpreter.machine import begin
from interpreter.messages.inputs import Input
from interpreter.setup.compile_rules import compile_program
from tests.interpreter.rulebook import ask

RULES = """\
scale gait: walk < trot < gallop
scale ratio: 1:2 < 1:1 < 2:1
place hex, on hex grid:
  height number
  road   link
formation stud:
  size number
unit horse, held by stud:
  speed number, starts 3
  gait  gait, starts walk
  lame  mark
  foals list of horse
unit man:
  strength number, starts 1
  mount    horse, optional
  pace     gait, optional
  worth    number, optional
  goal     hex, optional
  lord     side, optional
  luck     dice, optional
  string   list of horse
campaign game:
  turn-order list of side
table pay by gait, exactly one row:
  gait   || coin
  walk   || 1
  trot   || 2
  gallop || 3
value pull of h (a horse):
  speed of h
value rivals of h (a horse) against g (a horse):
  speed of h + speed of g
value herd of h (a horse) with several (some horses):
  count several + speed of h
value mounts of several (some horses):
  count several
status tired of h (a horse):
  when speed of h < 2
status far of h (a horse) from p (a hex):
  when distance from h to p > 1
path walkway of h (a horse):
  from place of h
  at most 3 points
  entering x (a hex) costs 1
procedure groom of h (a horse):
  h becomes lame
procedure tend of them (some horses):
  for each h in them:
    h becomes lame
procedure visit of p (a hex):
  tell sides "{}" with p
order go of m (an own man):
  do act with m as m
sequence game-turn:
  for each s in turn-order, as active:
    phase going:
      active may go
map field "The field" of hex, 4 by 4, even columns low:
  letters:
    letter | height
    .      | 0
  grid:
    01 | . . . .
    02 | . . . .
    03 | . . . .
    04 | . . . .
  road along 0101 to 0401
scenario meet "Meet" on field:
  side blue "Blue" blue
  side red "Red" red
  forces blue of stud:
    name | size
    farm | 2
  forces blue of horse:
    name | in   | stud
    h-1  | 0202 | farm
    h-2  | 0303 | farm
  forces blue of man:
    name | in   | mount | goal
    m-1  | 0101 | --    | --
    m-2  | 0102 | h-1   | 0103
  turn-order is blue, red
  end game when turn > 3 because "it is over"
"""
ACT = "procedure act of m (a man):\n"


def read(text, changed=("", "")):
    idle = "" if "procedure act" in text else f"{ACT}  stop\n"
    rules = RULES.replace(*changed)
    return read_system([SourceFile("absent.rules", f'system stable "Stable" version 1.0\n{rules}{text}{idle}')])


def errors(text):
    return [x for x in check_system(read(text)) if x.is_error]


def game(text, changed=("", "")):
    text = read(text, changed)
    program = compile_program(bound_or_raise(text), text.files)
    scenario = next(x for x in text.declarations if isinstance(x, d.Scenario))
    return begin(program, scenario, {"dice": "seeded", "seed": 1})


def refused(text):
    """Whether a check refuses a text for what may be absent in it, and says where and what to do."""
    found = errors(text)
    assert {x.code for x in found} <= {"E202"}, [x.message for x in found]
    assert all(x.hint and "absent" in x.message and x.span.line > RULES.count("\n") for x in found)
    return bool(found)


# ---- what is asked
NEEDED = [
    "pull of mount of m", "rivals of mount of m against mount of m", "herd of mount of m with horses", "distance from m to mount of m",
    "distance from goal of m to m", "bearing from m to goal of m", "direction from m to goal of m", "odds of 1 to worth of m",
    "steps from walk to pace of m", "pace of m moved 1", "ratio for worth of m rounded down", "pay at pace of m", "worth of m + 1",
    "-worth of m", "worth of m percent of 3", "count hexes between goal of m and 0101", "count horses between mount of m and 0101",
    "count horses within (worth of m) of 0101", "chance that (1d6 > worth of m)", "distance from m to place of mount of m",
]  # fmt: skip
"""What needs all that it is worked out of."""


@pytest.mark.parametrize("asked", NEEDED)
def test_what_needs_a_thing_is_refused_where_it_may_be_absent(asked):
    assert refused(f"value asked of m (a man):\n  {asked}\n")


@pytest.mark.parametrize(
    "line",
    [
        "horses whose distance to goal of m is lowest",
        "cost of reaching (goal of m) by walkway of h",
        "cost of reaching 0101 by walkway of (mount of m)",
        "when there is walkway of mount of m",
    ],
)
def test_ways_and_distances_to_what_may_be_absent_are_refused(line):
    word = "status" if line.startswith("when") else "value"
    assert refused(f"{word} asked of m (a man) with h (a horse):\n  {line}\n")


ABSENT = [
    "side of mount of m", "owner of mount of m", "place of mount of m", "hex of mount of m", "foe of lord of m", "speed of mount of m",
    "name of mount of m", "entry of mount of m", "stud of mount of m", "holder of mount of m", "side of stud of mount of m",
    "column of goal of m", "row of goal of m", "height of goal of m", "first foals of mount of m",
]  # fmt: skip
"""What is read of what is absent is absent."""


@pytest.mark.parametrize("asked", ABSENT)
def test_what_is_read_of_what_is_absent_is_absent(asked):
    played = game(f"value asked of m (a man):\n  {asked}\n")
    assert ask(played, "asked of m-1") is None
    assert ask(played, "there is asked of m-2") is (
        "foals" not in asked and "lord" not in asked and "entry" not in asked
    )


SETS = {
    "count horses of stud of mount of m": (0, 2),
    "count foals of mount of m": (0, 0),
    "count neighbours of goal of m": (0, 4),
    "count horses of lord of m": (0, 0),
    "count horses in goal of m": (0, 0),
    "count horses in mount of m": (0, 1),
    "count horses next to goal of m": (0, 1),
    "count hexes next to goal of m": (0, 4),
    "count hexes within 2 of goal of m": (0, 11),
    "count horses within 2 of mount of m": (0, 2),
    "count horses held by stud of mount of m": (0, 2),
    "count (horses after mount of m)": (0, 1),
    "count (horses before mount of m)": (0, 0),
    "count (horses except mount of m)": (2, 1),
    "count ((string of m) together with mount of m)": (0, 1),
    "count (mount of m, first horses)": (1, 2),
    "count ((mount of m) that are horse)": (0, 1),
    "count (worth of m, 3)": (1, 1),
    "sum (worth of m, 3)": (3, 3),
    "highest (worth of m, 3)": (3, 3),
    "mounts of mount of m": (0, 1),
    "count mount of mans": (1, 1),
    "count speed of mount of mans": (1, 1),
    "sum pull of mount of mans": (3, 3),
    "count place of mount of mans": (1, 1),
    "count worth of mans": (0, 0),
}
"""What comes to a set, for m-1 and for m-2: what is absent is in none, and nothing is in it or near it."""


@pytest.mark.parametrize(("asked", "first", "second"), [(k, *v) for k, v in SETS.items()])
def test_what_is_absent_is_in_no_set(asked, first, second):
    asked = asked.replace("that are horse", "(where it is not lame)")
    played = game(f"value asked of m (a man):\n  {asked}\n")
    assert (ask(played, "asked of m-1"), ask(played, "asked of m-2")) == (first, second)


OFF_MAP = {
    "count place of horses": 1,
    "count hex of horses": 1,
    "count haunt of horses": 1,
    "count (haunt of horses by m-1)": 1,
    "count (place of h-1, place of h-2)": 1,
    "count ((place of h-2) together with place of h-1)": 1,
    "count ((place of h-1) together with place of h-2)": 1,
    "count (hexes except place of h-2)": 16,
    "count hexes within 1 of (place of horses)": 7,
    "count horses in (place of horses)": 1,
    "count mans next to (place of horses)": 1,
}
"""What comes to a set while h-2 is off the map: a set of places holds no place of it."""


@pytest.mark.parametrize(("asked", "comes"), OFF_MAP.items())
def test_the_place_of_what_is_off_the_map_is_in_no_set(asked, comes):
    haunt = "value haunt of h (a horse):\n  place of h\n"
    haunt_of_his = "value haunt of h (a horse) by m (a man):\n  place of h\n"
    played = game(haunt_of_his if " by " in asked else haunt, ("h-2  | 0303", "h-2  | --"))
    assert ask(played, asked) == comes


HOLDS = {
    "mount of m is lame": (False, False),
    "mount of m is not lame": (True, True),
    "mount of m is not tired": (True, True),
    "mount of m is walk": (False, True),
    "mount of m is in 0202": (False, True),
    "mount of m is not in 0202": (True, False),
    "m is in goal of m": (False, False),
    "m is next to goal of m": (False, True),
    "mount of m is next to 0201": (False, True),
    "mount of m is within 1 of m": (False, True),
    "mount of m is on the map": (False, True),
    "mount of m is not on north edge": (True, True),
    "goal of m is on road": (False, False),
    "mount of m is in horses": (False, True),
    "place of mount of m is 0202": (False, True),
    "mount of m is absent": (True, False),
    "there is road from goal of m to 0102": (False, False),
    "any mount of mans is walk": (True, True),
    "every mount of mans is walk": (False, False),
    "every worth of mans > 2": (False, False),
    "no worth of mans > 2": (True, True),
    "mount of m has done groom this turn": (False, False),
}
"""Conditions of m-1 and of m-2: of what is absent none holds."""


@pytest.mark.parametrize(("asked", "first", "second"), [(k, *v) for k, v in HOLDS.items()])
def test_of_what_is_absent_no_condition_holds(asked, first, second):
    played = game(f"status asked of m (a man):\n  when {asked}\n")
    assert (ask(played, "m-1 is asked"), ask(played, "m-2 is asked")) == (first, second)


@pytest.mark.parametrize(
    "asked", ["worth of m > 3", "pace of m > walk", "worth of m is at least 3", "mount of m is far from 0101"]
)
def test_what_may_be_absent_is_not_compared(asked):
    assert refused(f"status asked of m (a man):\n  when {asked}\n")


# ---- what is done
DONE = [
    "move m to goal of m", "move m to mount of m", "move m to place of mount of m", "move (mount of m) to 0102", "move (mount of m) off the map",
    "remove (mount of m)", "put y (a man) in goal of m", "put y (a man, side lord of m) in 0101", "put y (a horse, stud stud of mount of m) in 0101",
    "put y (a man, strength worth of m) in 0101", "put y (a horse, like mount of m) in 0101", "put y (a man, named after mount of m) in 0101",
    "reveal (mount of m) to active", "reveal m to lord of m", "hide m from lord of m", "reveal m to side of mount of m",
    "mount of m becomes lame", "gait of mount of m becomes trot", "speed of mount of m gains 1 points", "speed of mount of m loses 1 points",
    "strength of m becomes worth of m", "side of m becomes lord of m", "side of mount of m becomes active", "do groom with mount of m as h",
    "do visit with goal of m as p", "do visit with place of mount of m as p", 'tell lord of m "x"', 'tell side of mount of m "x"',
    'tell mount of m "x"', "lord of m chooses z: one of horses", "side of mount of m chooses z: one of horses",
    "active chooses z: one of mount of m", "active chooses z: up to (worth of m) of horses", "active chooses z: a number up to worth of m",
    "active chooses z: a number from 1 to worth of m", "active chooses z: a split of worth of m among horses", "lord of m rolls 1d6 as die",
    "mount of m rolls 1d6 as die", "active rolls luck of m as die", "active rolls (worth of m) d6 as die", "lord of m may go",
    "repeat worth of m times:\n    stop", "let y be mount of m\n  y becomes lame", "let y be mount of m\n  do groom with y as h",
]  # fmt: skip


@pytest.mark.parametrize("line", DONE)
def test_what_is_done_to_or_with_a_thing_is_refused_where_it_may_be_absent(line):
    assert refused(f"{ACT}  {line}\n")


DOES_NOTHING = [
    "do tend with mount of m as them", "do tend with (mount of m) as them", "string of m becomes (mount of m)", "mount of m becomes mount of m",
    "active chooses z: some of mount of m", "remove mount of mans", 'tell sides "{}" with mount of m', "end game won by lord of m",
    "for each h in mount of mans:\n    h becomes lame", "each h in mount of mans rolls 1d6 as die", "put y (a man, mount mount of m) in 0101",
    "gait of mount of mans becomes trot", "strength of m becomes 2 until mount of m is lame",
]  # fmt: skip


@pytest.mark.parametrize("line", DOES_NOTHING)
def test_what_takes_several_things_takes_none(line):
    text = f"{ACT}  {line}\n".replace("remove mount of mans", "remove (mount of mans)")
    assert errors(text) == []
    game(text).offer(Input("do", "blue", "go m-1"))


# ---- what is known to be there
KNOWN = [
    "move m to goal of m when there is goal of m",
    "move m to goal of m when there is goal of m and there is goal of m",
    "when there is goal of m:\n    move m to goal of m",
    "do groom with mount of m as h when mount of m is not absent",
    "let y be mount of m\n  y becomes lame when there is y",
    "when pace of m is trot and pace of m > walk:\n    stop",
    "move m to first (hexes in goal of m) when there is hexes in goal of m",
    "strength of m becomes worth of m when there is worth of m and worth of m > 0",
    "repeat at most 2 times while there is mount of m:\n    mount of m becomes lame\n    mount of m becomes absent",
]


@pytest.mark.parametrize("line", KNOWN)
def test_what_a_condition_shows_to_be_there_may_be_used(line):
    played = game(f"{ACT}  {line}\n")
    played.offer(Input("do", "blue", "go m-1, m-2"))
    assert played.world.by_id["m-1"].place.label == "0101"


LETTING = (
    "procedure tell-of of n (a man):\n  strength of n gains 1\n" + ACT + "  {}\n  let n be {}\n  do tell-of of n\n"
)


@pytest.mark.parametrize(("there", "chosen"), [
    ("mans", "first mans whose strength is highest"),
    ("mans", "first (mans whose strength is highest) whose strength is lowest"),
    ("mans whose worth is highest", "first mans whose worth is highest"),
])  # fmt: skip
def test_of_a_set_that_is_not_empty_the_first_with_the_highest_number_is_there(there, chosen):
    assert errors(LETTING.format(f"stop when there is no {there}", chosen)) == []
    assert refused(LETTING.format(f"stop when there is {there}", chosen))


def test_where_no_member_of_a_set_may_have_the_number_none_of_them_is_known_to_be_there():
    assert refused(LETTING.format("stop when there is no mans", "first mans whose worth is highest"))


def test_a_clause_that_refuses_what_is_absent_shows_the_rest_that_it_is_there():
    text = 'order ride of m (an own man):\n  refused when there is no goal of m because "where to?"\n  move m to goal of m\n'
    assert errors(text) == []
    assert refused(text.replace("there is no goal of m", "there is goal of m"))


def test_a_rule_that_forbids_an_order_is_asked_of_what_its_own_lines_let_pass():
    """So it may look up what those lines have made sure of. Where a permission may override a line, it may not."""
    order = 'order ride of m (an own man):\n  refused when there is no goal of m because "where to?"\n  move m to goal of m\n'
    rule = 'rule too-far forbids order ride:\n  when distance from m to goal of m > 1 because "too far"\n'
    assert errors(order + rule) == []
    assert refused(order.replace("there is no goal of m", "strength of m = 0") + rule)
    assert refused(order + rule + "rule anyway permits order ride:\n  when strength of m > 3\n")


STOPS = [
    "stop when there is no goal of m",
    "stop when goal of m is absent",
    'stop when there is no goal of m, or strength of m = 0 because "stays"',
    "when there is no goal of m:\n    stop",
]


@pytest.mark.parametrize("line", STOPS)
def test_lines_after_one_that_stops_where_something_is_absent_may_use_it(line):
    played = game(f"{ACT}  {line}\n  move m to goal of m\n")
    played.offer(Input("do", "blue", "go m-1, m-2"))
    assert [played.world.by_id[m].place.label for m in ("m-1", "m-2")] == ["0101", "0103"]


@pytest.mark.parametrize("line", ["stop when there is goal of m", "stop when there is no goal of m and strength of m = 0",
                                  "let n be 1\n  when n = 1:\n    stop when there is no goal of m", "do q when there is no goal of m"])  # fmt: skip
def test_other_lines_show_nothing_to_those_after_them(line):
    assert refused(f"procedure q:\n  stop\n{ACT}  {line}\n  move m to goal of m\n")


def test_a_name_that_is_set_again_may_be_absent_again():
    stops = "  let x be first (horses) (where speed of it > 8)\n  stop when there is no x\n  speed of x becomes 1\n"
    again = "  let x be first (horses) (where speed of it > 9)\n  speed of x becomes 1\n"
    assert errors(ACT + stops) == []
    assert refused(ACT + stops + again)


def test_a_second_check_of_what_is_there_is_no_error():
    keeper = ("  turn-order list of side\n", "  turn-order list of side\n  keeper man, optional\n")
    stops = "  stop when keeper is absent\n  strength of keeper becomes 1\n"
    again = "  strength of m becomes 2 when keeper is absent\n  strength of m becomes 3 when there is keeper\n"
    assert [x for x in check_system(read(ACT + stops + again, keeper)) if x.is_error] == []


def test_what_is_known_in_one_line_is_not_known_in_the_next():
    assert refused(f"{ACT}  move m to goal of m when there is goal of m\n  move m to goal of m\n")
    assert refused(f"{ACT}  when there is no goal of m:\n    move m to goal of m\n")


# ---- what is always there
@pytest.mark.parametrize("asked", ["there is 3", "there is no 3", "3 = absent", "3 is absent", "absent = 3", "m is absent", "strength of m is absent",
                                   "walk is absent", "there is absent", "absent is absent", "count horses is absent", "there is strength of m"])  # fmt: skip
def test_whether_what_is_always_there_is_there_is_no_question(asked):
    (found,) = errors(f"status asked of m (a man):\n  when {asked}\n")
    assert found.code == "E221"
    assert found.message.endswith(" always present.") or "absent" in asked
    assert found.hint == "Use `there is` and `is absent` only with a list or with a value that may be absent."
