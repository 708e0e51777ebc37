"""What a check finds before play: what is unused, impossible, in conflict, or gives secrets away."""

import pytest

from dsl.load import bound_or_raise, check_system, read_system
from dsl.rules.chains import bind_order
from dsl.text.diagnostics import RuleTextError, did_you_mean, nearest, placed, render
from dsl.text.source import SourceFile

THINGS = """enum stance: ready, dug-in, moving
scale size: small < large
unit tank:
  strength number
  stance   stance
  aroused  mark
  hidden from enemy: aroused
place hex, on hex grid:
  height number
"""


def check(text):
    system = read_system([SourceFile("t.rules", text)])
    return [placed(x, system.files) for x in check_system(system)]


def findings(text, *codes):
    return [(x.code, x.message) for x in check(THINGS + text) if x.code in codes]


# ---- what nothing uses
USED = """value weight of u (a tank):
  start with strength of u
procedure p of u (a tank):
  let x be weight of u
"""


def test_a_value_that_is_read_is_used():
    assert findings(USED, "W606", "W607") == []


@pytest.mark.parametrize(
    "text",
    [
        "value weight of u (a tank):\n  start with strength of u\n",
        "value weight of u (a tank):\n  start with strength of u\n  halved when u is weight\n",
    ],
)
def test_a_value_that_nothing_else_names_is_unused(text):
    assert ("W606", "Nothing reads the value weight.") in findings(text, "W606") or "is weight" in text


@pytest.mark.parametrize(
    "reader",
    [
        'rule night adds to late of u (a tank):\n  when weight of u > 3 because "so"\nstatus late of u (a tank):\n  when turn > 3\n',
        'order go of u (a tank):\n  given by side of u\n  refused when weight of u > 3 because "so"\n',
        'example "e":\n  put x (a tank, side blue, strength 3, stance ready)\n  then weight of x = 3\n',
        "sequence game-turn:\n  phase one:\n    for each u in tanks (where weight of it > 3):\n      remove u\n",
    ],
)  # fmt: skip
def test_values_are_read_in_many_places(reader):
    assert findings("value weight of u (a tank):\n  start with strength of u\n" + reader, "W606") == []


@pytest.mark.parametrize("name, used", [("appeal-of-go", True), ("appeal-of-victim", True), ("appeal-of-og", False)])
def test_what_appeals_to_an_automated_side_is_read_by_it(name, used):
    text = f"""value {name} of u (a tank):
  start with strength of u
order go of u (a tank):
  given by side of u
  active chooses victim: one of own tanks
"""
    assert (findings(text, "W606") == []) is used


def test_a_status_that_nobody_asks():
    assert findings("status late:\n  when turn > 3\n", "W607") == [("W607", "Nothing uses the status late.")]
    assert (
        findings("status late:\n  when turn > 3\nprocedure p of u (a tank):\n  stop when late is yes\n", "W607") == []
    )


def test_a_field_that_nobody_reads():
    assert ("W608", "Nothing reads the field height of a hex.") in findings(USED, "W608")
    kept = THINGS.replace("height number", 'height number, kept for "the look of the map"')
    assert [x.message for x in check(kept + USED) if x.code == "W608"] == [
        "Nothing reads the field stance of a tank.",
        "Nothing reads the field aroused of a tank.",
    ]


def test_a_word_of_a_field_reads_the_field():
    text = USED + "status set of u (a tank):\n  when u is dug-in\nprocedure q of u (a tank):\n  stop when u is set\n"
    assert "Nothing reads the field stance of a tank." not in [m for _, m in findings(text, "W608")]


def test_nothing_is_called_unused_while_there_are_errors():
    assert findings("value weight of u (a tank):\n  start with strenght of u\n", "W606", "W608") == []


def test_a_mark_that_opens_what_is_hidden_is_read():
    """Nothing else needs to read it: `hidden from enemy until seen`."""
    text = "marker lure:\n  seen mark\n  bait number, starts 0\n  hidden from enemy until seen: bait\n"
    told = [message for _, message in findings(text, "W608")]
    assert "Nothing reads the field bait of a lure." in told
    assert "Nothing reads the field seen of a lure." not in told


# ---- what rules add
def test_a_number_is_added_to_a_number():
    assert (
        findings(USED + 'rule night adds to weight of u (a tank):\n  2 left when turn > 3 because "so"\n', "E201") == []
    )


@pytest.mark.parametrize(
    "value, sort", [("stance of u", "a stance"), ("u is aroused", ""), ("side of u", "a side"), ('"much"', "text")]
)
def test_nothing_else_is_added_to_a_number(value, sort):
    found = findings(
        USED + f'rule night adds to weight of u (a tank):\n  {value} when turn > 3 because "so"\n', "E201", "E002"
    )
    assert (
        found == [("E201", f"This line adds {sort}, but `weight` is of type number.")]
        if sort
        else found[0][0] == "E002"
    )


def test_nothing_is_added_to_a_word():
    text = 'value mood of u (a tank):\n  start with stance of u\nrule night adds to mood of u (a tank):\n  1 when turn > 3 because "so"\n'
    assert findings(text, "E201") == [("E201", "This line adds a number, but `mood` is of type stance.")]


# ---- questions
@pytest.mark.parametrize(
    "choice, legal",
    [
        ("exactly 2 of (ready, moving)", True),
        ("exactly 3 of (ready, moving)", False),
        ("exactly 2 of (ready, ready)", False),
        ("exactly 3 of tanks", True),
        ("exactly 1/2 of tanks", False),
        ("up to 3 of (ready, moving)", True),
        ("up to -1 of tanks", False),
        ("up to 0 of tanks", True),
    ],
)
def test_a_question_has_a_legal_answer(choice, legal):
    assert bool(findings(f"procedure p:\n  active chooses x: {choice}\n", "E241")) is not legal


# ---- secrets
@pytest.mark.parametrize(
    "message, tells",
    [
        ('tell side of u "{}" with aroused of u', False),
        ('tell foe of side of u "{}" with aroused of u', True),
        ('tell sides "{}" with aroused of u', True),
        ('tell foe of side of u "{}" with strength of u', False),
        ('tell foe of side of v "{}" with aroused of u', False),
        ('tell foe of active "{}" with aroused of u', False),
        ('tell foe of side of u "{} {}" with strength of u, aroused of u', True),
    ],
)
def test_a_message_that_certainly_tells_a_secret(message, tells):
    text = f"procedure scout of u (a tank) against v (a tank):\n  {message}\n"
    found = findings(text, "W701")
    assert bool(found) is tells, found


# ---- clashes
def test_two_rules_that_replace_one_thing_show_three_places():
    text = """module fog "Fog"
module night "Night"
value sight:
  start with 6
rule fog-sight replaces sight, with fog:
  start with 2
rule night-sight replaces sight, with night:
  start with 1
"""
    (found,) = [x for x in check(text) if x.code == "E401"]
    assert [m.span.line for m in found.marks] == [7, 5, 3]
    excluded = text.replace('module fog "Fog"', 'module fog "Fog", excludes night')
    assert [x for x in check(excluded) if x.code == "E401"] == []


# ---- circles and chains
def test_the_order_of_binding_puts_what_is_read_first():
    order, length = bind_order({"a": ["b", "c"], "b": ["c"], "c": [], "d": ["a"]})
    assert order.index("c") < order.index("b") < order.index("a") < order.index("d")
    assert length == {"c": 1, "b": 2, "a": 3, "d": 4}


def test_the_order_of_binding_ends_in_a_circle():
    order, _ = bind_order({"a": ["b"], "b": ["a"]})
    assert sorted(order) == ["a", "b"]


def test_a_long_chain_is_no_circle():
    text = "".join(f"value v{i}:\n  start with v{i + 1}\n" for i in range(50)) + "value v50:\n  start with 1\n"
    assert [x.code for x in check(text) if x.is_error] == []


# ---- places and candidates
def test_a_place_is_narrowed_to_the_word_that_is_meant():
    (found,) = [x for x in check('module a "A", needs weather\n') if x.code == "E101"]
    assert (found.span.column, found.span.end_column) == (21, 28)


def test_the_word_is_not_found_inside_another():
    (found,) = [x for x in check("enum red-e: redder, e-red, red, red\n") if x.code == "E102"]
    assert found.span.column == 28


@pytest.mark.parametrize(
    "word, hint", [("strengh", "Did you mean strength?"), ("zzz", ""), ("tankss", "Did you mean tanks or tank?")]
)
def test_candidates(word, hint):
    found = did_you_mean(word, ["strength", "stance", "tank", "tanks"])
    assert found == hint


def test_of_many_words_only_the_likest_are_compared():
    known = [f"word-number-{i}" for i in range(5000)] + ["strength"]
    assert nearest("strenght", known) == ["strength"]


def test_a_long_line_is_cut_around_its_place():
    file = SourceFile("t.rules", "value v:\n  start with 1 + " + "1 + " * 40 + "wiht\n")
    shown = render(check_system(read_system([file]))[0], {"t.rules": file})
    line, bar = shown.split("\n")[2:4]
    assert line[bar.index("^") : bar.rindex("^") + 1] == "wiht"


BROKEN = """order march of u (a tank):
  given by side of u
  u becomes aroused until end of moving
rule early before phase moving:
  stop
sequence game-turn:
  phase moving "Moving":
    active may march
    the river rises
"""


def test_play_and_examples_are_refused_with_what_a_check_finds():
    """Names that an unreadable line would have declared are not reported as missing, by a check or by code that runs the rules."""
    system = read_system([SourceFile("t.rules", THINGS + BROKEN)])
    found = check_system(system)
    assert [(x.code, x.span.line) for x in found] == [("E002", 18)]
    with pytest.raises(RuleTextError) as refused:
        bound_or_raise(system)
    assert list(refused.value.diagnostics) == found


def test_an_unreadable_example_hides_no_other_finding():
    text = 'value v of u (a tank):\n  strenght of u\nexample "One":\n  then then 1\n'
    assert [(x.code, x.span.line) for x in check(THINGS + text)] == [("E209", 11), ("E002", 13)]
