"""The example runner: true expectations pass; a failed one shows what was expected, what came, and at which line."""

import pytest

from dsl.load import check_system
from dsl.rules.variants import variants
from dsl.syntax import declarations as d
from dsl.text.source import NOWHERE
from interpreter.examples.example_outcome import Failure
from interpreter.examples.examples import run_example
from tests.interpreter.rulebook import KIT, compiled

RULES = """\
module frost "Frost", default off
module wind "Wind", default on
option gait "Gait": slow, fast; default slow
option load "Load": none, 16, 2d6-2; default none
value burden:
  16 when load is 16
  7 when load is 2d6-2 or none
value grip of u (a regiment):
  start with strength of u
  doubled when gait is fast because "fast"
rule cold adds to grip of u (a regiment), with frost:
  3 because "ice"
value worth:
  start with 4
value edge of u (a regiment) against v (a regiment):
  start with strength of u - strength of v
value lead of u (a regiment):
  start with edge of u against u
  plus 1 when u is within-call to u
status within-call of u (a regiment) to v (a regiment):
  when strength of u < strength of v
value crowd of many (some regiments):
  start with count many
status steady of u (a regiment):
  when morale of u >= high
marker scout:
  truth  mark
  route  number, starts 1
  hidden from enemy: truth
marker agent:
  nerve  number, starts 1
  hidden from enemy: place, nerve
value bluff of c (a scout):
  start with route of c
  plus 5 when c is truth
status told of u (a regiment):
  when strength of u = 4
procedure report of a (an agent) with c (a scout):
  tell sides "Tonight it is {}." with c
  tell side of a "The agent {} has a nerve of {}." with a, nerve of a
  active rolls 1d6 as throw
  tell sides "It comes to {}." with throw
  stop because "nobody comes"
procedure muster:
  active chooses secretly plan: left-hand or right-hand
  active chooses called: up to 1 of own regiments such that every called is tired because "only the weary"
procedure dash of u (a regiment):
  strength of u gains 2 points until end of turn
order rest of u (a regiment):
  given by side of u
  refused when u is tired because "it has rested already"
  u becomes tired
order start of u (a regiment):
  given by side of u
  do raid with u as raider
procedure raid of raider (a regiment):
  active chooses way: left-hand or right-hand
  each side rolls 1d6 as die
  let spoils be die of active + grip of raider
  each u in own regiments chooses gear: spade or rope
procedure finish of u (a regiment):
  end game won by side of u when strength of u > 3 because "too strong"
  end game when strength of u < 3 because "exhausted"
sequence game-turn:
  for each s in (blue-of-all, foe of blue-of-all), as active:
    phase all:
      active may rest, start, hurry
value blue-of-all:
  start with side of first regiments
order hurry of u (a regiment):
  given by side of u
  do dash with u as u
map proving-ground "Proving ground" of hex, 4 by 4, even columns low:
  letters:
    letter | terrain
    .      | clear
  grid:
    01 | . . . .
    02 | . . . .
    03 | . . . .
    04 | . . . .
"""
HEAD = "  put u (a regiment, side blue, strength 4) in 0202\n  put v (a regiment, side red, strength 6) in 0203\n"


def run(body, head=HEAD, *, explain=False):
    """The outcomes of an example's variants, the number of the body's first line being 1."""
    text = RULES + f'example "An example":\n{head}{body}\n'
    _, read = compiled((KIT, text))
    (example,) = [x for x in read.declarations if isinstance(x, d.Example)]
    out = []
    for variant in variants(example, read.defaults):
        program, _ = compiled((KIT, text), variant.modules)
        out.append(run_example(program, example, variant, explain=explain))
    return out


def failures(body, head=HEAD):
    first = (RULES + "x\n" + head).count("\n")
    return [(f.span.line - first, f.expected, f.got) for outcome in run(body, head) for f in outcome.failures]


def passes(body, head=HEAD):
    outcomes = run(body, head)
    assert [f for o in outcomes for f in o.failures] == []
    assert all(o.passed for o in outcomes)
    return [o.checks for o in outcomes]


def test_expectations_that_hold_are_counted():
    assert passes(
        "  then grip of u = 4\n  then grip of v > grip of u\n  then u is not steady\n  then u is next to v"
    ) == [4]


@pytest.mark.parametrize(
    ("line", "expected", "got"),
    [
        ("then grip of u = 5", "then grip of u = 5", "4"),
        ("then u is steady", "then u is steady", "no"),
        ("then morale of u is high", "then morale of u is high", "fair"),
        ("then sum strength of regiments > 10", "then sum strength of regiments > 10", "10"),
        ("then blue may rest v", "rest v to be allowed", "This order is given by red, not by blue."),
        ("then blue may not rest u", "rest u to be refused", "it is allowed"),
        (
            'then blue may not rest v because "too late"',
            "the reason 'too late'",
            "This order is given by red, not by blue.",
        ),
        (
            'then blue may not rest v only because "by red", "too late"',
            'only "by red", "too late"',
            '"This order is given by red, not by blue."',
        ),
    ],
)
def test_an_expectation_that_fails_says_what_was_expected_and_what_came(line, expected, got):
    assert failures(f"  then 1 = 1\n  {line}") == [(2, expected, got)]


def test_a_line_that_fails_only_under_other_modules_names_them():
    body = "  answer way with left-hand\n  then grip of u = 4\n  with frost:\n    then grip of u = 4\n  set gait fast:\n    then 1 = 1"
    asked, waits = "the question way to be asked", "the game is waiting for nothing"
    assert failures(body) == [
        (1, asked, waits),
        (4, "then grip of u = 4", "7"),
        (1, asked, f"{waits} (with frost)"),
        (1, asked, f"{waits} (set gait fast)"),
    ]


def test_where_a_line_does_not_hold_it_is_told_what_the_game_waits_for():
    assert failures("  do raid with u as raider\n  then strength of u = 9") == [
        (2, "then strength of u = 9", "4; the game is waiting for an answer to way")
    ]
    (failure,) = failures("  do raid with u as raider\n  then spoils = 9")
    assert failure[2].endswith("the game is waiting for an answer to way")
    (failure,) = failures("  do game-turn\n  then strength of u = 9")
    assert failure[2] == "4; the game is waiting for orders of blue (rest, start, hurry; `blue orders done` ends it)"


def test_an_order_is_not_given_while_something_else_is_awaited():
    (failure,) = failures("  do raid with u as raider\n  blue orders rest u")
    assert failure == (2, "this to be allowed", "You cannot give orders now: the game is waiting for an answer to way.")


@pytest.mark.parametrize(
    ("first", "second", "awaited"),
    [
        ("raid with u as raider", "raid with v as raider", "an answer to way"),
        ("raid with u as raider\n  answer way with left-hand", "dash with u as u", "dice (die)"),
        ("raid with u as raider", "all", "an answer to way"),
    ],
)
def test_nothing_is_begun_while_something_else_is_awaited(first, second, awaited):
    """The suspended action would be dropped silently, and its dice and losses with it."""
    (failure,) = failures(f"  do {first}\n  do {second}\n  then strength of u = 4")
    told = f"{second.split()[0]} cannot begin now: the game is waiting for {awaited}."
    hint = "(Give the dice or the answer before this line, or move what follows into a second example.)"
    assert failure == (2 + first.count("\n"), "this to be allowed", f"{told} {hint}")


def test_a_phase_that_waits_for_orders_only_gives_way_to_what_is_done_next():
    assert passes("  do all\n  then blue may rest u\n  do dash with u as u\n  then strength of u = 6") == [2]


def test_who_is_not_asked_for_orders_may_give_none():
    assert passes("  do game-turn\n  then blue may rest u\n  then red may not rest v") == [2]


def test_an_option_is_given_with_is_or_with_an_equals_sign():
    assert passes("  given load = 16\n  then burden = 16") == [1]
    assert failures("  given load = 17\n  then burden = 16") == [
        (2, "the option load to be 17", "it has no such value")
    ]


def test_a_name_of_a_procedure_hides_no_word_of_a_thing():
    tired = RULES.replace("let spoils be die of active", "let tired be own regiments\n  let spoils be die of active")
    assert tired != RULES
    text = tired + f'example "An example":\n{HEAD}  given u is tired\n  then u is tired\n  then v is not tired\n'
    _, read = compiled((KIT, text))
    (example,) = [x for x in read.declarations if isinstance(x, d.Example)]
    (variant,) = variants(example, read.defaults)
    program, _ = compiled((KIT, text), variant.modules)
    assert run_example(program, example, variant).failures == []


@pytest.mark.parametrize(("line", "expected"), [("may", "allowed"), ("may not", "refused")])
def test_what_may_be_ordered_is_not_known_while_something_is_awaited(line, expected):
    waiting = f"  blue orders start u\n  then blue {line} rest u"
    assert failures(waiting) == [(2, f"rest u to be {expected}", "the game is waiting for an answer to way")]
    assert passes('  given u is tired\n  blue orders start u\n  then blue may not rest u because "rested already"') == [
        1
    ]


def test_only_because_names_every_reason_of_a_refusal():
    rules = RULES.replace(
        '"it has rested already"\n', '"it has rested already"\n  refused when grip of u = 4 because "too weak"\n', 1
    )
    text = rules + f'example "An example":\n{HEAD}  given u is tired\n'
    tries = {
        '  then blue may not rest u only because "rested already", "too weak"\n': [],
        '  then blue may not rest u only because "rested already"\n': ['"It has rested already.", "Too weak."'],
        '  then blue may not rest u only because "rested already", "weak", "idle"\n': [
            '"It has rested already.", "Too weak."'
        ],
    }
    for line, got in tries.items():
        program, read = compiled((KIT, text + line))
        (example,) = [x for x in read.declarations if isinstance(x, d.Example)]
        (variant,) = variants(example, read.defaults)
        assert [f.got for f in run_example(program, example, variant).failures] == got


def test_the_reason_of_a_refusal_may_be_told_in_part():
    assert passes('  given u is tired\n  then blue may not rest u because "rested already"\n  then red may rest v') == [
        2
    ]


def test_dice_and_answers_are_used_in_their_turn_and_what_is_left_over_fails():
    whole = "  do raid with u as raider\n  answer way with left-hand\n  dice 2, 3\n  then spoils = 6\n  then die of red = 3\n"
    assert passes(whole) == [2]
    assert passes("  do raid with u as raider\n  dice 2, 3\n  answer way with left-hand\n  then spoils = 6") == [1]
    assert failures(whole + "  answer gear of u with rope\n  dice 4") == [
        (7, "all dice to be used", "1 left over; the game is waiting for nothing")
    ]
    body = "  do raid with u as raider\n  answer way with left-hand\n  answer way with right-hand\n  dice 2, 3\n  then spoils = 6"
    (found,) = failures(body)
    assert found[1] == "the question way to be asked"
    (found,) = failures(
        "  do raid with u as raider\n  answer way with left-hand\n  dice 2, 3, 4\n  answer gear of u with rope\n  then spoils = 6"
    )
    assert (found[1], found[2]) == ("all dice to be used", "1 left over; the game is waiting for nothing")


def test_what_is_taken_without_asking_may_be_answered_just_so():
    body = "  given u is tired\n  do muster\n  answer plan with left-hand\n  answer called with u\n  then 1 = 1"
    assert passes(body) == [1]
    nobody = "  do muster\n  answer plan with left-hand\n  then blue may not answer called with v\n  then blue may answer called with none\n"
    alone = "  put v (a regiment, side red, strength 6) in 0203\n"
    assert passes(nobody + "  answer called with none", alone) == [2]
    ((_, wanted, _),) = failures(nobody + "  answer called with v", alone)
    assert wanted == "the question called to be asked"


def test_an_answer_that_only_says_what_was_taken_is_not_kept_for_the_next_time():
    alone = "  put v (a regiment, side red, strength 6) in 0203\n"
    body = """\
  do muster
  answer plan with left-hand
  answer called with none
  put u (a regiment, side blue, strength 4) in 0202
  given u is tired
  do muster
  answer plan with right-hand
  then blue may answer called with none
  answer called with (u)
  then count of called = 1"""
    assert passes(body, alone) == [2]


def test_an_option_counts_from_its_line_on_once_something_was_expected():
    assert passes("  given gait is fast\n  then grip of u = 8\n  given gait is slow\n  then grip of u = 4") == [2]


def test_a_roll_may_be_given_die_by_die():
    body = "  do raid with u as raider\n  answer way with left-hand\n  dice 2+3, 4\n  then spoils = 6"
    ((_, _, got),) = failures(body)
    assert got.startswith(
        "2+3 is not a possible result of 1d6. (The `dice` line gives this result for the roll `die`.)"
    )


def test_a_number_of_four_digits_is_a_number_where_one_is_wanted():
    assert passes("  given grip of u = 2000\n  given worth = 1999\n  then grip of u = worth + 1") == [1]


def test_dice_and_answers_that_cannot_be_fail_at_their_line():
    (found,) = failures("  do raid with u as raider\n  answer way with upwards\n  then 1 = 1")
    assert found[0] == 2
    assert found[1] == "this to be allowed"
    assert found[2].startswith("`upwards` is not an answer to way.")


def test_variants_run_the_lines_of_a_block_under_other_modules_and_options():
    body = """\
  then grip of u = 4
  with frost:
    then grip of u = 7
  set gait fast:
    then grip of u = 8
  without wind:
    then grip of u = 4"""
    assert passes(body) == [1, 1, 1, 1]
    wrong = body.replace("= 7", "= 4").replace("= 8", "= 4")
    assert failures(wrong) == [(3, "then grip of u = 4", "7"), (5, "then grip of u = 4", "8")]


def test_the_choices_of_an_option_may_be_numbers_and_dice():
    assert passes(
        "  then burden = 7\n  set load 16:\n    then burden = 16\n  set load 2d6-2:\n    then load is 2d6-2"
    ) == [1, 1, 1]
    assert passes("  given load is 16\n  then burden = 16") == [1]
    assert failures("  set load 2d6:\n    then burden = 7")


def test_facts_and_values_may_be_given():
    body = """\
  given strength of u is 9
  given morale of u is elite
  given u is tired
  given v is in 0404
  given terrain of 0303 is hill
  given worth = 11
  given grip of v = 1
  given weather is wood
  given armor of u is 3
  then grip of u = 9
  then u is steady
  then u is tired
  then v is in 0404
  then 0303 is hill
  then worth = 11
  then grip of v = 1
  then weather is wood
  then armor of u = 3"""
    assert passes(body) == [9]
    assert failures("  given active is red\n  then blue may rest u\n  then red may rest v") == []


def test_a_value_of_several_things_may_be_given_for_just_these():
    body = """\
  given edge of u against v = 7
  then edge of u against v = 7
  then edge of v against u != 7
  then lead of u = 0
  given edge of u against u = 3
  given u is within-call to u
  then u is within-call to u
  then v is not within-call to u
  then lead of u = 4
  given u is not within-call to u
  then lead of u = 3
  given crowd = 9
  then crowd of own regiments = 9"""
    assert passes(body) == [8]
    for wrong in ("given distance from 0101 to 0102 = 4", "given edge of own regiments against v = 4"):
        (found,) = failures(f"  {wrong}\n  then 1 = 1")
        assert "one plain fact" in found[2]


@pytest.mark.parametrize(
    ("body", "got"),
    [
        ("then the game is won by blue", ""),
        ('then the game is won by blue because "too strong"', ""),
        ("then the game is over", ""),
        ("then the game is not over", "the game is won by blue: too strong"),
        ("then the game is won by red", "the game is won by blue"),
        ('then the game is over because "too weak"', "too strong"),
        ("given strength of u = 2\n  do finish with u as u\n  then the game is won by blue", "the game is over"),
        ("given strength of u = 3\n  do finish with u as u\n  then the game is over", "the game goes on"),
        ("given strength of u = 3\n  do finish with u as u\n  then the game is not over", ""),
    ],
)
def test_whether_the_game_is_over_and_won(body, got):
    first = "" if body.startswith("given") else "  do finish with u as u\n"
    assert [found[2] for found in failures(f"{first}  {body}")] == ([got] if got else [])


def test_a_rule_that_fails_in_an_example_is_a_failure_with_its_place():
    (found,) = failures("  then 1 / (strength of u - 4) = 1")
    assert found[0] == 1
    assert "cannot be divided by 0" in found[2]


def test_orders_in_an_example_are_checked_as_in_play():
    assert passes("  blue orders rest u\n  then u is tired") == [1]
    (found,) = failures("  blue orders rest u\n  blue orders rest u\n  then 1 = 1")
    assert found[:2] == (2, "this to be allowed")
    assert found[2].startswith("It has rested already.")


def test_an_example_that_expects_nothing_has_not_passed():
    (outcome,) = run("  given u is tired")
    assert not outcome.passed
    assert outcome.failures == []


def test_expectations_can_be_explained():
    (outcome,) = run("  then grip of u = 4", explain=True)
    ((text, value, explanation),) = outcome.shown
    assert (text, value) == ("then grip of u = 4", "4")
    assert [s.value for s in explanation.steps] == ["4", ""]


def test_expectations_about_sides_are_shown_with_their_results():
    (outcome,) = run(
        '  then blue may rest u\n  then 1 = 1\n  then blue may not rest v because "given by red"\n  then the game is over'
    )
    assert [(text, value) for text, value, _ in outcome.shown] == [
        ("then blue may rest u", "allowed"),
        ("then 1 = 1", "yes"),
        ('then blue may not rest v because "given by red"', "refused"),
        ("then the game is over", "the game goes on"),
    ]
    assert len(outcome.failures) == 1


SPY = """\
  put c (a scout, side blue, truth yes) in 0303
  put a (a agent, side blue) in 0404
"""


def test_what_a_side_knows_can_be_expected():
    body = (
        SPY
        + """\
  then blue knows truth of c
  then red does not know truth of c
  then red knows route of c
  then red does not know bluff of c
  then red knows place of c
  then red knows of c
  then red does not know of a
  then blue knows of a
  then red does not know place of a
  then red does not know nerve of a
  then red knows count of regiments
  then red does not know count of agents
  reveal c to red
  then red knows bluff of c"""
    )
    assert passes(body) == [13]


@pytest.mark.parametrize(
    ("line", "got"),
    [
        ("then red knows truth of c", "red does not know it"),
        ("then blue does not know truth of c", "blue knows it"),
        ("then red knows of a", "red does not know it"),
        ("then red does not know of c", "red knows it"),
        ("then red knows count of agents", "red does not know it"),
    ],
)
def test_an_expectation_of_knowledge_that_fails(line, got):
    assert failures(f"{SPY}  {line}") == [(3, line, got)]


def test_a_secret_answer_is_known_to_who_gave_it():
    body = """\
  do muster
  answer plan with left-hand
  then blue knows plan
  then red does not know plan"""
    assert passes(body) == [2]


def test_what_a_side_is_told_can_be_expected():
    """All of it in order, as the side reads it, since the last `then` lines; nothing of what the side may not know."""
    body = (
        SPY
        + """\
  then blue is told nothing
  do report with c as c and a as a
  then blue is told "Tonight it is c.", "The agent a has a nerve of 1."
  then red is told "Tonight it is c."
  then count agents = 1
  dice 3
  do report with c as c and a as a
  dice 4
  then red is told "It comes to 3.", "Tonight it is c.", "It comes to 4."
  then blue is told "It comes to 3.", "Nobody comes.", "Tonight it is c.", "The agent a has a nerve of 1.", "It comes to 4.", "Nobody comes."
  given turn = 2
  then blue is told nothing
  then red is told nothing"""
    )
    assert failures(body) == []


@pytest.mark.parametrize(
    ("line", "got"),
    [
        ("then red is told nothing", '"Tonight it is c."'),
        ('then red is told "Tonight it is d."', '"Tonight it is c."'),
        ('then blue is told "Tonight it is c."', '"Tonight it is c.", "The agent a has a nerve of 1."'),
        (
            'then blue is told "The agent a has a nerve of 1.", "Tonight it is c."',
            '"Tonight it is c.", "The agent a has a nerve of 1."',
        ),
    ],
)
def test_an_expectation_of_messages_that_fails(line, got):
    assert failures(f"{SPY}  do report with c as c and a as a\n  {line}") == [(4, line, got)]


def test_what_a_side_was_told_before_is_told_no_more():
    body = f'{SPY}  do report with c as c and a as a\n  then count agents = 1\n  dice 4\n  then red is told "It comes to 4."'
    assert failures(body) == []


def test_a_status_that_is_called_told_is_a_word_like_any_other():
    assert passes("  then u is told\n  then v is not told\n  then u is told and u is in 0202") == [3]


def test_what_may_be_answered_can_be_expected():
    body = """\
  put w (a regiment, side blue, strength 1) in 0202
  given u is tired
  do muster
  then blue may answer plan with right-hand
  then blue may not answer plan with upwards
  answer plan with left-hand
  then blue may answer called with none
  then blue may answer called with u
  then blue may not answer called with w because "only the weary"
  then blue may not answer called with u, w because "at most 1"
  then blue may not answer called with v"""
    assert passes(body) == [7]
    assert failures("  do muster\n  then blue may not answer plan with left-hand") == [
        (2, "the answer left-hand to be refused", "it is allowed")
    ]
    assert passes(
        '  do muster\n  then red may not answer plan with left-hand because "not a question for red, but for blue"'
    ) == [1]
    ((number, wanted, got),) = failures("  do muster\n  then blue may not answer called with u")
    assert (number, wanted) == (2, "a rule that can be evaluated")
    assert "called is not an open question for blue here: the game is waiting for an answer to plan" in got


def test_the_turn_runs_to_its_end():
    body = """\
  do game-turn
  blue orders hurry u
  then strength of u = 6
  blue orders done
  then strength of u = 6
  red orders done
  then strength of u = 4"""
    assert passes(body) == [3]


def test_asking_what_another_side_may_do_leaves_the_turn_with_whom_it_is():
    body = """\
  do game-turn
  then red may not rest u
  then active is blue
  blue orders done
  then blue may not rest v
  then active is red"""
    assert passes(body) == [4]


def test_with_a_module_comes_what_it_needs():
    rules = RULES.replace(
        'module frost "Frost", default off',
        'module frost "Frost", default off, needs ice\nmodule ice "Ice", default off',
    )
    rules += 'rule slip adds to grip of u (a regiment), with ice:\n  minus 1 because "slippery"\n'
    text = rules + f'example "An example":\n{HEAD}  with frost:\n    then grip of u = 6\n'
    _, read = compiled((KIT, text))
    (example,) = [x for x in read.declarations if isinstance(x, d.Example)]
    (variant,) = variants(example, read.defaults, read.modules)
    assert variant.modules == {"wind", "frost", "ice"}
    program, _ = compiled((KIT, text), variant.modules)
    assert run_example(program, example, variant).failures == []


@pytest.mark.parametrize(
    ("answer", "fits"),
    [
        ("called with u", True),
        ("called with none", False),
        ("called with v", False),
        ("gear with u", True),
        ("gear of u with u", True),
        ("gear of u with v", False),
    ],
)
def test_an_answer_to_what_could_only_be_answered_so_fits(answer, fits):
    sole = RULES.replace(
        "active chooses way: left-hand or right-hand\n", "active chooses called: one of own regiments\n"
    )
    sole = sole.replace("chooses gear: spade or rope", "chooses gear: one of own regiments")
    text = (
        sole
        + f'example "An example":\n{HEAD}  do raid with u as raider\n  answer {answer}\n  dice 1, 2\n  then die of blue = 1\n'
    )
    _, read = compiled((KIT, text))
    (example,) = [x for x in read.declarations if isinstance(x, d.Example)]
    (variant,) = variants(example, read.defaults)
    program, _ = compiled((KIT, text), variant.modules)
    found = run_example(program, example, variant).failures
    assert [f.expected for f in found] == ([] if fits else [f"the question {answer.partition(' with')[0]} to be asked"])


DUEL = """\
procedure duel of one-man (a regiment) against other-man (a regiment):
  each u in (one-man, other-man) chooses shield: one of (regiments of side of u) (where strength of it < 7)
  active rolls 1d6 as die
procedure levy:
  active chooses dues: a split of 3 among regiments
  active rolls 1d6 as die
"""
FIELD = (
    HEAD + "  put w (a regiment, side red, strength 5) in 0203\n  put t (a regiment, side blue, strength 9) in 0203\n"
)


def duel(*lines):
    """Blue can only choose u, whatever it is asked for; red has a choice of v and w."""
    text = RULES + DUEL + f'example "An example":\n{FIELD}' + "".join(f"  {line}\n" for line in lines)
    program, read = compiled((KIT, text))
    (example,) = [x for x in read.declarations if isinstance(x, d.Example)]
    (variant,) = variants(example, read.defaults)
    first = (RULES + DUEL + "x\n" + FIELD).count("\n")
    return [(f.span.line - first, f.expected, f.got) for f in run_example(program, example, variant).failures]


@pytest.mark.parametrize(
    "answers",
    [
        ["answer shield of t with u", "answer shield of v with w"],
        ["answer shield of v with w", "answer shield of t with u"],
        ["answer shield of v with w"],
        ["answer shield of t with u", "answer shield with w"],
        ["answer shield of t with u", "answer shield of others with w"],
    ],
)
@pytest.mark.parametrize("early", [False, True])
def test_what_is_taken_without_asking_may_be_said_where_the_other_side_is_asked(answers, early):
    begin = ["do duel with t as one-man and v as other-man"]
    lines = [*answers, *begin] if early else [*begin, *answers]
    assert duel(*lines, "then shield of v is w", "then shield of t is u") == []


def test_an_answer_for_several_serves_each_that_is_asked_of_it():
    lines = ["do duel with v as one-man and w as other-man", "answer shield of v, w with w", "then shield of v is w"]
    assert duel(*lines) == []
    lines = ["do duel with t as one-man and v as other-man", "answer shield of t, v with w"]
    assert duel(*lines, "then shield of v is w") == [
        (2, "the question shield of t to be asked", "the game is waiting for dice (die)")
    ]


@pytest.mark.parametrize(
    "answers",
    [
        ["answer dues of t with 2", "answer dues of v with 1"],
        ["answer dues of v with 1", "answer dues of t with 2"],
        ["answer dues of t with 2", "answer dues of u, w with 0", "answer dues of others with 1"],
    ],
)
@pytest.mark.parametrize("early", [False, True])
def test_a_split_may_be_answered_share_by_share(answers, early):
    """Only a split that gave all to one thing, or went evenly, could be answered."""
    lines = [*answers, "do levy"] if early else ["do levy", *answers]
    shared = ["then dues of t = 2", "then dues of v = 1", "then dues of u = 0"]
    assert duel(*lines, *shared, "dice 6") == []
    assert duel("do levy", "answer dues of t with 3", "dice 6", "then dues of t = 3") == []


def test_a_split_that_is_not_whole_is_still_awaited():
    [(line, _, got)] = duel("do levy", "answer dues of t with 2", "then dues of t = 2")
    assert (line, got.partition("; ")[2]) == (3, "the game is waiting for an answer to dues")
    assert duel("do levy", "answer dues of t with 2", "answer dues of v with 2", "then dues of v = 2")[0][0] == 3


def test_an_answer_that_nobody_asks_for_is_told_at_its_own_line():
    lines = ["do duel with t as one-man and v as other-man", "answer shield of w with v", "then 1 = 1", "then 2 = 2"]
    assert duel(*lines) == [
        (2, "the question shield of w to be asked", "the game is waiting for an answer to shield for v"),
    ]


def test_dice_that_nobody_rolls_are_told_at_their_own_line():
    lines = ["do duel with t as one-man and v as other-man", "answer shield of v with w", "dice 3, 4", "then die = 3"]
    assert duel(*lines) == [(3, "all dice to be used", "1 left over; the game is waiting for nothing")]


def test_an_answer_about_another_thing_is_told_as_such():
    lines = ["do duel with t as one-man and v as other-man", "then red may answer shield of w with v"]
    assert duel(*lines) == [
        (2, "the answer w v to be allowed", "shield is asked about v, not about w."),
    ]


def test_an_answer_that_only_lacks_its_rest_is_not_refused_for_what_it_says():
    lines = ["do duel with v as one-man and w as other-man", "then red may not answer shield of v with t"]
    assert duel(*lines) == []
    lines.append("then red may not answer shield of v with w")
    assert duel(*lines) == [
        (3, "the answer v w to be refused", "it is allowed so far. The answer to shield is missing for w.")
    ]


def test_an_option_that_is_given_when_things_have_happened_counts_from_there():
    assert passes("  given gait is fast\n  then grip of u = 8\n  given gait is slow\n  then grip of u = 4") == [2]
    assert passes(
        "  do raid with u as raider\n  set load 16:\n    given gait is fast\n    then burden = 16\n    then grip of u = 8"
    ) == [2]


def test_what_is_put_in_the_midst_of_a_procedure_leaves_it_standing():
    body = """\
  do raid with u as raider
  put w (a regiment, side blue, strength 1) in 0303
  remove w
  answer way with left-hand
  dice 3, 4
  then spoils = 7"""
    assert passes(body) == [1]


def test_what_may_be_absent_needs_no_else_in_an_expectation():
    assert passes("  then (highest strength of regiments in 0202) + 1 = 5") == [1]
    ((_, _, got),) = failures("  then (highest strength of regiments in 0404) + 1 = 5")
    assert "absent" in got


def test_a_phase_is_no_procedure_but_is_done_by_itself():
    assert passes("  do all\n  then blue may rest u\n  blue orders done\n  then u is not tired") == [2]


@pytest.mark.parametrize(
    ("line", "got"),
    [
        ("given strength of u = armor of u", "It has no value now: `armor` is absent here."),
        ("given grip of u = armor of u", "It has no value now: `armor` is absent here."),
        ("given spoils = armor of u", "It has no value now: `armor` is absent here."),
        ("given turn is armor of u", "It has no value now: `armor` is absent here."),
        ("given strength of u = posture of corps of u", "This is a posture, but a number is needed here."),
        ("given weather is 3", "This is a number, but a terrain is needed here."),
        ("given active is u", "This is a regiment, but a side is needed here."),
        ("given morale of u is not low", "`given` must say what is the case, not what is not."),
        ("given strength of u is not 4", "`given` must say what is the case, not what is not."),
        ("given u is in place of t", "The place is missing: place of t is absent here."),
    ],
)
def test_what_is_given_is_there_and_of_its_type(line, got):
    """An absent value used to become part of a number, and a later line failed without a reason; `is not` set what it denied."""
    ((number, _, said),) = failures(f"  put t (a train, side blue)\n  {line}\n  then strength of u + 1 = 5")
    assert (number, said.split(" (")[0]) == (2, got)


@pytest.mark.parametrize(
    ("expected", "got", "said"),
    [
        ("5", "4", "expected 5; got 4"),
        ("a, b", "(none)", "expected a, b; got (none)"),
        ("this to be allowed", "It is late. (Wait.)", "expected this to be allowed, but: It is late. (Wait.)"),
        ("this to be allowed", "It is late.", "expected this to be allowed, but: It is late."),
    ],
)
def test_a_failure_that_is_a_sentence_is_not_what_was_got(expected, got, said):
    assert Failure(NOWHERE, expected, got).said == said


def test_what_is_empty_is_named_where_its_first_is_needed():
    """`The value asked for is absent here.` did not say that it was the order of the sides."""
    text = "procedure gusts:\n  first turn-order rolls 1d6 as gust\n"
    body = '\nexample "Wind":\n{}  dice 3\n  do gusts\n  then gust = 3\n'
    for given, said in (
        ("", "`first turn-order` is absent here."),
        ("  given turn-order is (blue, red)\n", ""),
    ):
        program, read = compiled((KIT, text + body.format(given)))
        example = next(x for x in read.declarations if isinstance(x, d.Example))
        found = run_example(program, example, variants(example, read.defaults)[0])
        assert [x.got.split(": ")[-1] for x in found.failures][:1] == ([said] if said else [])


def test_what_is_given_stays_within_the_bounds_of_its_field():
    text = "unit boat:\n  holes 0 .. 4, starts 0\n  planks track\n"
    body = '\nexample "Holes":\n  put b (a boat, planks 6, side blue) in 0101\n  given {}\n  then holes of b + planks of b > 0\n'
    for given, said in (
        ("holes of b = 9", "holes of b runs from 0 to 4; 9 does not fit."),
        ("holes of b is -1", "holes of b runs from 0 to 4; -1 does not fit."),
        ("planks of b = 7", "planks of b runs from 0 to 6; 7 does not fit."),
        ("holes of b = 4", ""),
        ("planks of b = 0 and holes of b = 1", ""),
    ):
        program, read = compiled((KIT, text + body.format(given)))
        example = next(x for x in read.declarations if isinstance(x, d.Example))
        found = run_example(program, example, variants(example, read.defaults)[0])
        assert [x.got for x in found.failures] == ([said] if said else [])


YARD = """
unit boat:
  price  number
list boats of boat:
  name  | price
  skiff | 3
  barge | 9
marker crate:
  price  number, starts 1
order build of e (an entry of boat) to h (a hex):
  put b (a boat e, side active) in h
order stow of b (an own boat):
  put box (a crate, price price of b, side side of b) in place of b
order sail of b (an own boat) to h (a hex):
  move b to h
example "What the yard made":
  blue orders build skiff to 0101
  blue orders build skiff to 0102
  blue orders sail skiff-2 to 0103
  then place of skiff-2 is 0103
  then skiff-1 is next to 0102
  then price of skiff-1 + price of skiff-2 = 6
  blue orders stow skiff-1
  blue orders stow skiff-2
  then count crates = 2
  given price of box-2 = 7
  then price of box-2 = 7
  then place of box-2 is 0103
  then red knows price of skiff-1
  remove skiff-1
  then boats are skiff-2
"""


def test_what_rules_have_made_is_called_by_its_name():
    program, read = compiled((KIT, YARD))
    assert [x for x in check_system(read) if x.is_error] == []
    (example,) = [x for x in read.declarations if isinstance(x, d.Example)]
    found = run_example(program, example, variants(example, read.defaults)[0])
    assert (found.checks, found.failures) == (8, [])


def test_what_rules_have_not_made_is_not_known():
    text = YARD.replace("then boats are skiff-2", "then place of skiff-3 is 0103")
    program, read = compiled((KIT, text))
    (example,) = [x for x in read.declarations if isinstance(x, d.Example)]
    found = run_example(program, example, variants(example, read.defaults)[0])
    assert [x.got for x in found.failures] == ["It has no value now: Nothing is named skiff-3."]
    wrong = check_system(compiled((KIT, YARD.replace("then boats are skiff-2", "then place of raft-1 is 0103")))[1])
    assert [x.message for x in wrong if x.is_error] == ["Unknown name `raft-1`."]


def test_what_may_be_absent_may_be_given_so():
    body = "  given armor of u = armor of v\n  given armor of v is 3\n  given armor of v is absent\n"
    assert passes(f"{body}  then (armor of u else 9) = 9\n  then (armor of v else 9) = 9") == [2]


def test_a_line_that_fails_by_no_rule_says_where_and_why(monkeypatch):
    def broken(*_):
        return None + 1

    monkeypatch.setattr("interpreter.examples.example_given.Givens.given", broken)
    ((number, wanted, got),) = failures("  then strength of u = 4\n  given u is tired\n  then u is tired")
    assert (number, wanted) == (2, "a rule that can be evaluated")
    assert "The error is in this line itself, not in a rule: TypeError: unsupported operand" in got


PUT = """
procedure found of c (a corps):
  put camp (a train, side side of c, stock 5) in 0101
order settle of u (a regiment):
  given by side of u
  do found with corps of u as c
order go of u (a regiment) to goal (a hex):
  given by side of u
  move u to goal
  put wagon (a train, side side of u, stock 9) in goal
rule late whenever u (a regiment) enters h (a hex):
  put cart (a train, side side of u, stock 7) in h
sequence game-turn:
  for each s in turn-order, as active:
    phase moves:
      active may go, settle
example "What orders put":
  put c (a corps, side blue)
  put u (a regiment, side blue, corps c, strength 4) in 0101
  given turn-order is blue
  blue orders settle u
  then stock of camp = 5
  do moves
  blue orders go u to 0202
  then stock of wagon = 9
  blue orders done
  then stock of wagon = 9
  then stock of cart = 7
  then cart is in 0202
  then stock of camp = 5
"""


def test_what_an_order_has_put_is_read_by_its_name_when_the_order_is_over():
    program, read = compiled((KIT, PUT))
    (example,) = [x for x in read.declarations if isinstance(x, d.Example)]
    (variant,) = variants(example, read.defaults)
    found = run_example(program, example, variant)
    assert (found.checks, found.failures) == (6, [])
