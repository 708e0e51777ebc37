"""Results of emitted rules: loops against numbers computed by hand, and all variants of the emitted text against each other.

The map of `toy/kit.rules`: a (strength 7, no armor) in 0202 and b (4, armor 5) in 0203 under b1 (holding), the battery
g (3) under b2: blue. Red: x (5), y (3, armor 2) under r1 (marching), z (9) under r2 (holding).
"""

import ast
import re
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dsl.text.diagnostics import RuleTextError
from interpreter.codegen.emitted_code import checked
from interpreter.codegen.expressions import value_of
from interpreter.codegen.module import Emitter
from interpreter.explain.evaluating import evaluate, read_expression
from interpreter.machine import rule_failure
from interpreter.messages.inputs import RuleFailure
from interpreter.runtime.audit_trail import Trail
from interpreter.runtime.exact_numbers import divide, fraction, plus, scaled, times
from interpreter.runtime.set_functions import sum_of
from tests.interpreter.rulebook import KIT, ask, compiled, do, game_of, line_of, names, readable, story
from tests.long import either


def every_way(game, expression):
    """What an expression comes to, asked of the plain rules, of loops that may not fall back, and of the other variants."""
    program, world = game.program, game.world
    bound = read_expression(program, world, expression, {})
    kept = world.functions
    answers = []
    source = program.source
    sure = checked(source.text, source.words)
    for caught in (x for x in ast.walk(sure) if isinstance(x, ast.ExceptHandler) and x.type.id == "TROUBLE"):
        caught.type.id = "MemoryError"
    (scope,) = sure.body
    scope.args = ast.parse(f"def scope(W, O, {', '.join(source.options)}): pass").body[0].args
    scope.body += ast.parse("return locals()", mode="exec").body
    space = program.space_of(source) | {"MemoryError": MemoryError, "locals": locals}
    exec(compile(ast.fix_missing_locations(sure), "<rules>", "exec"), space)
    said = [world.options.get(option) for option, _ in source.options.values()]
    settled = [x if word is None else x == word for x, (_, word) in zip(said, source.options.values(), strict=True)]
    made = {"plain": kept, "sure": space["scope"](world, world.options, *settled)}
    for pins in (None, {}):
        made["traced", pins is not None] = program.functions(world, world.options, pins, Trail())
    for functions in made.values():
        world.functions = functions
        world.changed()  # nothing remembered from another way
        space = {**program.constants, **functions, "W": world, "O": world.options}
        answers.append(value_of(program.rules, bound, "<asked>", space))
    world.functions = kept
    answers.append(evaluate(program, world, bound, {}))
    assert all(a == answers[0] for a in answers), dict(zip(made, answers, strict=False))
    assert len({type(a) for a in answers}) == 1, answers
    return answers[0]


@pytest.fixture
def game(request):
    return game_of(story(request.function))


# ---- loops -----------------------------------------------------------------------------------------------------------
def test_a_sum_of_values_that_ask_values(game):
    """
    value part of u (a regiment):
      start with 1
      halved when strength of u > 6
    value might of u (a regiment):
      start with strength of u
      times part of u
      times 3 when there is armor of u
    value total:
      start with sum might of regiments
    value doubled-total:
      start with (sum might of regiments) + (sum part of regiments)
    """
    # a 7/2, b 4 * 3, x 5, y 3 * 3, z 9/2
    assert every_way(game, "total") == 34
    assert type(every_way(game, "total")) is int
    assert every_way(game, "doubled-total") == 34 + 4


def test_what_hangs_on_the_side_alone_is_right_for_each_side(game):
    """
    value weight of s (a side):
      start with sum strength of regiments of s
    value share of u (a regiment):
      start with strength of u / weight of side of u
    value opposed of u (a regiment):
      start with strength of u * weight of foe of side of u
    value shares:
      start with sum share of regiments
    value oppositions:
      start with sum opposed of regiments
    """
    assert every_way(game, "shares") == 2
    assert every_way(game, "oppositions") == 11 * 17 + 17 * 11


def test_the_highest_the_lowest_the_number_and_the_mean(game):
    """
    value twice of u (a regiment):
      start with strength of u
      doubled when u is not tired
    value shield of u (a regiment):
      armor of u when there is armor of u
    value mood of u (a regiment):
      elite when strength of u > 8
      high when strength of u > 4
      otherwise low
    value most:
      start with highest twice of regiments
    value least-shield:
      start with lowest shield of regiments
    value shields:
      start with sum (shield of regiments)
    value strong:
      start with count of regiments (where twice of it > 9)
    value mean-twice:
      start with average twice of regiments
    value best-mood:
      start with highest mood of regiments
    value worst-mood:
      start with lowest mood of regiments
    """
    assert every_way(game, "most") == 18
    assert every_way(game, "least-shield") == 2
    assert every_way(game, "strong") == 3  # 14, 10, 18
    assert every_way(game, "mean-twice") == Fraction(56, 5)
    assert every_way(game, "best-mood") == "elite"
    assert every_way(game, "worst-mood") == "low"


def test_any_every_no_and_sets(game):
    """
    status stout of u (a regiment):
      when strength of u > 4 and there is armor of u
      when strength of u > 6
    status slight of u (a regiment):
      when u is not stout
    value stout-ones:
      start with regiments that are stout
    status some-stout:
      when any regiments is stout
    status all-stout:
      when every regiments is stout
    status none-slight:
      when no regiments is slight
    status all-either:
      when every regiments is stout or slight
    """
    assert names(every_way(game, "stout-ones")) == ["a", "z"]
    assert every_way(game, "some-stout") is True
    assert every_way(game, "all-stout") is False
    assert every_way(game, "none-slight") is False
    assert every_way(game, "all-either") is True


def test_a_condition_that_is_the_same_for_all_is_tested_again_for_each(game):
    """
    value camp of u (a regiment):
      hex of u when u is not tired
      otherwise north-of of u
    value north-of of u (a regiment) = first (hexes next to u) (where it is not lake)
    status minds of u (a regiment) to v (a regiment):
      when camp of v is within 1 of camp of u
    value minded of v (a regiment) = 1 when any regiments is minds to v, otherwise 0
    value all-minded = sum minded of regiments
    """
    # everybody minds itself; y and z do so after a, who is not near them
    assert [every_way(game, f"minded of {u}") for u in ("a", "y", "z")] == [1, 1, 1]
    assert every_way(game, "all-minded") == 5


def test_two_lists_are_gone_through_in_one_value(game):
    """
    value seen of u (a regiment):
      start with strength of u
      plus sum strength of (regiments next to u)
    value heard of u (a regiment):
      let near be (regiments within 2 of u) (where it is not u)
      start with count of near
      plus sum seen of near
    value all-heard:
      start with sum heard of regiments
    """
    # next to each other: a-b, a-x, b-x; y and z are alone
    # seen: a 16, b 16, x 16, y 3, z 9; within 2: a, b, x hear two each; y and z each other (two apart)
    assert every_way(game, "all-heard") == 3 * (2 + 32) + (1 + 9) + (1 + 3)


def test_what_comes_to_nothing_stays_nothing(game):
    """
    value fit of u (a regiment):
      start with 0
      plus (armor of u else 0)
      halved when strength of u > 4
      times 3 when u is not tired
    value fits:
      start with sum fit of regiments
    """
    assert every_way(game, "fits") == 3 * (5 + 2)


def test_a_table_by_what_changes_and_what_stays(game):
    """
    table worth by posture and terrain, exactly one row:
      posture             | terrain    || foot | horse
      marching            | any        || x1/2 | 1
      attacking, holding  | wood, hill || 3    | 2
      attacking, holding  | clear, lake || 1   | 4
    value foot-worth of u (a regiment):
      start with foot of (worth at (posture of corps of u, terrain of place of u))
      times strength of u
    value foot-total:
      start with sum foot-worth of regiments
    """
    # a clear 7, b wood? 0203 is clear; x and y march: 5/2 and 3/2; z holds: 9
    grounds = {u.id: u.place.f_terrain for u in game.world.all_of("regiment")}
    foot = {
        "holding": {"wood": 3, "hill": 3, "clear": 1, "lake": 1},
        "marching": dict.fromkeys(["wood", "hill", "clear", "lake"], Fraction(1, 2)),
    }
    wanted = sum(foot[u.holder.f_posture][grounds[u.id]] * u.f_strength for u in game.world.all_of("regiment"))
    assert every_way(game, "foot-total") == wanted


def test_exceptions_of_a_module_count_in_loops():
    text = """
module weather "Weather", default off
value pull of u (a regiment):
  start with strength of u
value pulls:
  start with sum pull of regiments
rule mud excepts pull of u (a regiment), with weather:
  1 when strength of u > 6 because "mud"
"""
    assert every_way(game_of(text), "pulls") == 28
    assert every_way(game_of(text, modules=["weather"]), "pulls") == 1 + 4 + 5 + 3 + 1


def test_what_rules_add_is_added_to_an_exception_too():
    game = game_of("""
value pull of u (a regiment):
  start with strength of u
  adds: plus 0
  plus 100
value pulls:
  start with sum pull of regiments
rule mud excepts pull of u (a regiment):
  let depth be 2
  depth / 4 when strength of u > 6 because "mud"
  0 when strength of u = 3 because "too few to pull"
rule fresh adds to pull of u (a regiment):
  let more be strength of u
  more because "fresh"
  halved when more > 8 because "a crowd"
  halved because "uphill"
""")
    wanted = {
        "a": Fraction(15, 4),  # 1/2 + 7, halved; the printed + 100 is not done
        "b": 104,  # 4 + 4, halved, + 100
        "x": 105,
        "y": Fraction(3, 2),  # 0 + 3, halved
        "z": Fraction(19, 8),  # 1/2 + 9, halved twice
    }
    for name, worth in wanted.items():
        assert every_way(game, f"pull of {name}") == worth
    assert every_way(game, "pulls") == sum(wanted.values())


def test_a_set_that_an_exception_gives_is_added_to():
    game = game_of("""
value helpers of u (a regiment):
  start with own regiments
rule alone excepts helpers of u (a regiment):
  u when strength of u > 6 because "alone"
rule changed adds to helpers of u (a regiment):
  minus regiments (where strength of it > 8) because "too many"
  plus regiments (where strength of it = 4) because "of use to all"
value helpers-of-all:
  start with sum helpers-count of regiments
value helpers-count of u (a regiment):
  count helpers of u
""")
    # own regiments: a, b and x, y, z; z is too strong for anybody, b of use to all; a and z are alone
    wanted = {"a": "ab", "b": "ab", "x": "bxy", "y": "bxy", "z": "b"}
    for name, helpers in wanted.items():
        assert "".join(sorted(names(every_way(game, f"helpers of {name}")))) == helpers
    assert every_way(game, "helpers-of-all") == 11


@pytest.mark.parametrize("line", ["own regiments", "regiments when weather is lake\n  otherwise own regiments"])
def test_a_set_that_rules_add_to_is_gone_through_with_what_they_add(line):
    game = game_of(f"""
value weight of u (a regiment) = strength of u
value helpers of u (a regiment):
  {line}
rule more adds to helpers of u (a regiment):
  plus regiments (where strength of it = 4) because "of use to all"
value lightest of u (a regiment) = lowest weight of helpers of u
value weights of u (a regiment) = sum weight of helpers of u
value total = (sum lightest of regiments) + (sum weights of regiments)
""")
    assert every_way(game, "lightest of x") == 3
    assert every_way(game, "weights of x") == 5 + 3 + 9 + 4
    assert every_way(game, "weights of a") == 7 + 4
    assert every_way(game, "total") == (4 + 4 + 3 * 3) + (11 + 11 + 3 * 21)


def test_an_added_line_makes_a_status_yes_where_an_exception_says_no():
    game = game_of("""
status shaky of u (a regiment):
  when strength of u < 4
  when strength of u = 5
rule old-guard excepts shaky of u (a regiment):
  no when strength of u = 3 because "the old guard"
  no when strength of u = 5 because "the young guard"
  yes when strength of u = 9 because "too many"
rule ill adds to shaky of u (a regiment):
  when strength of u = 3 because "ill"
value shaking:
  start with count regiments that are shaky
""")
    assert [name for name in "abxyz" if every_way(game, f"{name} is shaky")] == ["y", "z"]
    assert every_way(game, "shaking") == 2


@pytest.mark.parametrize("relation", ["adds to", "excepts"])
def test_a_rule_names_parts_apart_from_those_of_the_text_that_it_changes(relation):
    game = game_of(f"""
value pull of u (a regiment):
  start with strength of u
  let share be 5
  adds: plus 0
  plus share
value pulls:
  start with sum pull of regiments
rule mud {relation} pull of v (a regiment):
  let share be 100
  let u be 1
  share + u when strength of v > 6 because "mud"
""")
    # a 7 and z 9 are changed; b 4, x 5, y 3 are not
    wanted = [7 + 101 + 5, 9, 10, 8, 9 + 101 + 5] if relation == "adds to" else [101, 9, 10, 8, 101]
    assert [every_way(game, f"pull of {name}") for name in "abxyz"] == wanted
    assert every_way(game, "pulls") == sum(wanted)


# ---- options ---------------------------------------------------------------------------------------------------------
OPTION = """
option pace "How fast": slow, fast; default slow
value gait of u (a regiment):
  start with strength of u
  doubled when pace is fast
value gaits:
  start with sum gait of regiments
"""


def test_an_option_is_settled_for_each_world():
    slow, fast = game_of(OPTION), game_of(OPTION, options={"pace": "fast"})
    assert slow.program is fast.program
    assert every_way(slow, "gaits") == 28
    assert every_way(fast, "gaits") == 56
    assert every_way(slow, "gaits") == 28


# ---- what is remembered ----------------------------------------------------------------------------------------------
def test_a_new_let_is_seen_by_the_values_that_depend_on_it_and_by_no_others(game):
    """
    procedure tally:
      let tallied be 1
      let aside be 5
      let early be doubled-tally
      let tallied be 10
      let late be doubled-tally
      let together-now be early + late
      for each u in regiments:
        tallied gains 1 points
      let final be doubled-tally
      weather becomes wood when together-now = 22 and final = 30
    value doubled-tally in tally:
      start with tallied
      doubled
    order go of u (a regiment):
      do tally
    sequence game-turn:
      for each s in turn-order, as active:
        phase going:
          active may go
    """
    do(game, "go a")
    assert game.world.game.f_weather == "wood"
    renewed = [x for x in readable(game.program).split("\n") if "F.memo.pop" in x]
    assert renewed
    assert all("v_doubled_tally" in x for x in renewed)


def test_a_name_that_gets_one_value_makes_nothing_stale_and_one_of_many_rounds_does(game):
    """
    procedure tally:
      let early be 3
      let sum-of-rounds be 0
      let first-time be doubled-early
      for each u in regiments:
        let found be strength of u
        sum-of-rounds gains doubled-found points
        sum-of-rounds gains doubled-found points
      do recount
      let last be doubled-early + first-time
      weather becomes wood when last = 38 and sum-of-rounds = 4 * sum strength of regiments
    procedure recount in tally:
      early becomes 16
    value doubled-early in tally:
      start with early
      doubled
    value doubled-found in tally:
      start with found
      doubled
    order go of u (a regiment):
      do tally
    sequence game-turn:
      for each s in turn-order, as active:
        phase going:
          active may go
    """
    do(game, "go a")
    assert game.world.game.f_weather == "wood"
    text = readable(game.program)
    assert "F.memo['v_doubled_early']" in text
    assert "F.memo.pop('v_doubled_early'" not in text
    assert "F.memo.pop('v_doubled_found'" in text


def test_what_only_chooses_among_what_is_remembered_is_not(game):
    """
    procedure tally:
      let ones be own regiments
      let others be enemy regiments
      let first-round be (sum-for of active) + (sum-for of foe of active)
      let second-round be (sum-for of active) + ones-sum + others-sum
      weather becomes wood when first-round = 28 and second-round = 39
    value ones-sum in tally:
      start with sum strength of ones
    value others-sum in tally:
      start with sum strength of others
    value sum-for of s (a side) in tally:
      ones-sum when s is active
      otherwise others-sum
    order go of u (a regiment):
      do tally
    sequence game-turn:
      for each s in turn-order, as active:
        phase going:
          active may go
    """
    do(game, "go a")
    assert game.world.game.f_weather == "wood"
    assert set(re.findall(r"F\.memo(?:\.get)?\W+v_(\w+)", readable(game.program))) == {"ones_sum", "others_sum"}


# ---- errors ----------------------------------------------------------------------------------------------------------
def test_an_error_in_a_loop_is_told_at_its_line(game):
    """
    value spread of u (a regiment):
      start with 12
      divided by strength of u - 5
    value whole-spread:
      start with sum spread of regiments
    """
    here = test_an_error_in_a_loop_is_told_at_its_line
    with pytest.raises(Exception, match="divided by 0") as failed:
        game.world.functions["v_whole_spread"]()
    failure = rule_failure(game.program, failed.value)
    assert isinstance(failure, RuleFailure)
    assert (failure.file, failure.line) == ("own.rules", line_of(here, "divided by"))


def test_what_is_not_asked_for_does_not_fail(game):
    """
    value spread of u (a regiment):
      0 when strength of u = 5
      otherwise 12 / (strength of u - 5)
    value whole-spread:
      start with sum spread of regiments
    status any-wide:
      when any regiments is wide
    status wide of u (a regiment):
      when strength of u is 7
      when 12 / (strength of u - 5) > 100
    """
    assert every_way(game, "whole-spread") == 6 - 12 - 6 + 3
    assert every_way(game, "any-wide") is True


def test_every_emitted_line_of_a_rule_knows_its_rule_line(game):
    """
    value might of u (a regiment):
      start with strength of u
      plus 1 when u is tired
    value total:
      start with sum might of regiments
    """
    source = game.program.source
    lines = source.text.split("\n")
    for number, text in enumerate(lines, 1):
        if " += " in text and "f_tired" in lines[number - 2]:
            assert source.lines[number].line == line_of(test_every_emitted_line_of_a_rule_knows_its_rule_line, "plus 1")
            break
    else:
        pytest.fail("the step is not in the text")
    assert all(1 <= n <= len(lines) for n in source.lines)


# ---- random arithmetic -----------------------------------------------------------------------------------------------
numbers = st.one_of(st.integers(-9, 9), st.fractions(-3, 3, max_denominator=6))
steps = st.tuples(
    st.sampled_from(["times", "plus", "minus", "divided", "at least", "at most", "down", "up", "nearest", "instead"]),
    numbers,
    st.sampled_from(["", ">", "<", "=", "and >", "and <"]),
    st.integers(1, 9),
)
routines = st.lists(st.tuples(st.booleans(), st.lists(steps, max_size=5)), min_size=1, max_size=4)


def spoken(number):
    text = str(abs(Fraction(number)))
    return f"(0 - {text})" if number < 0 else f"({text})" if "/" in text else text


def rule_text(made):
    lines = []
    for index, (chained, body) in enumerate(made):
        before = f"v{index - 1} of u" if chained and index else "strength of u"
        lines += [f"value v{index} of u (a regiment):", f"  start with {before}"]
        for op, number, sign, limit in body:
            more, _, sign = sign.rpartition(" ")
            when = f" when strength of u {sign} {limit}" if sign else ""
            when += " and u is not tired" if more else ""
            lines.append("  " + {
                "times": f"times {spoken(number)}", "plus": f"plus {spoken(number)}", "minus": f"minus {spoken(number)}",
                "divided": f"divided by {spoken(number or 1)}", "at least": f"at least {spoken(number)}",
                "at most": f"at most {spoken(number)}", "down": "rounded down", "up": "rounded up",
                "nearest": "rounded nearest with halves away", "instead": f"instead {spoken(number)}",
            }[op] + when)  # fmt: skip
        lines += [f"value all{index}:", f"  start with sum v{index} of regiments"]
    return "\n".join(lines) + "\n"


def directly(made, index, unit):
    """The same over Fractions, as one would do it with pencil and paper."""
    chained, body = made[index]
    strength = unit.f_strength
    x = directly(made, index - 1, unit) if chained and index else Fraction(strength)
    for op, number, sign, limit in body:
        more, _, sign = sign.rpartition(" ")
        if sign and not {">": strength > limit, "<": strength < limit, "=": strength == limit}[sign]:
            continue
        if more and unit.f_tired:
            continue
        n = Fraction(number)
        if op == "times":
            x *= n
        elif op in {"plus", "minus"}:
            x += n if op == "plus" else -n
        elif op == "divided":
            x /= n or 1
        elif op == "at least":
            x = max(x, n)
        elif op == "at most":
            x = min(x, n)
        elif op == "down":
            x = Fraction(x.numerator // x.denominator)
        elif op == "up":
            x = Fraction(-(-x.numerator // x.denominator))
        elif op == "nearest":
            whole = (abs(x) * 2 + 1) // 2
            x = Fraction(whole if x >= 0 else -whole)
        else:
            x = n
    return x


@settings(max_examples=either(12, 40), deadline=None)
@given(routines, numbers, st.booleans())
def test_random_arithmetic_is_exact(made, odd, tired):
    """Also if a strength itself is a fraction, as an umpire may have set it."""
    compiled.cache_clear()
    game = game_of(rule_text(made))
    units = list(game.world.all_of("regiment"))
    units[0].f_strength, units[1].f_tired = odd if odd.denominator > 1 else int(odd), tired
    for index in range(len(made)):
        for unit in units:
            assert ask(game, f"v{index} of {unit.id}") == directly(made, index, unit)
        assert every_way(game, f"all{index}") == sum(directly(made, index, u) for u in units)


# ---- random forces -----------------------------------------------------------------------------------------------------
tests = st.recursive(
    st.sampled_from([
        "u is tired", "u is not tired", "strength of u > 4", "strength of u < 8", "(armor of u else 0) > 3", "u is picked",
        "u is dear", "mood of u is high", "there is armor of u", "(shade of side of u) = 2", "u is in ones", "mount of u is horse",
    ]),
    lambda inner: st.tuples(inner, st.sampled_from([" and ", ", or "]), inner).map("".join),
    max_leaves=3,
)  # fmt: skip
SCENE = """
procedure muster of ones (some regiments):
  let others be own regiments
value force of s (a side) in muster:
  ones when s is active
  otherwise others
status picked of u (a regiment) in muster:
  when {0} and strength of u < 9
status dear of u (a regiment) in muster:
  when strength of u is 3
  when morale of u is high and u is in ones
value mood of u (a regiment) in muster:
  high when strength of u > 4
  low when strength of u < 4
value shade of s (a side) in muster:
  start with count of force of s
value might of u (a regiment) in muster:
  let shield be armor of u else 1
  start with strength of u
  halved when {1}
  plus shield when {2}
  times 2/3 when {3}
  plus 1 when shield > 1
value chosen of u (a regiment) in muster:
  (force of side of u) (where strength of it > 2) when {4}
  otherwise force of side of u
value backing of u (a regiment) in muster:
  start with sum strength of chosen of u
  times shade of side of u
value moods of s (a side) in muster:
  let some-there be (force of s) (where there is mood of it)
  let more be (force of s) (where it is dear)
  start with mood of some-there
  plus morale of more
value tone of s (a side) in muster:
  let above be (moods of s) (where it > low)
  highest above when there is above
  otherwise lowest moods of s
value loud of s (a side) in muster:
  start with sum might of force of s
  plus (sum backing of force of s)
  plus (count of force of s) - 2
  times 1/2 when any moods of s is high
  minus (sum strength of (force of s) (where it is picked))
value often of s (a side) in muster:
  start with count of moods of s
value tempers of s (a side) in muster:
  start with morale of force of s
value first-temper of s (a side) in muster:
  let above be (tempers of s) (where every tempers of foe of s < it)
  highest above when there is above
  otherwise lowest ((tempers of s) (where any tempers of foe of s >= it))
value matched of s (a side) in muster:
  start with count of (force of s) (where any tempers of foe of s <= morale of it)
  plus 10 when every tempers of s > low
  plus count of ((tempers of s) (where every tempers of s >= it))
value camp of u (a regiment) in muster:
  hex of u when {2}
  otherwise first (hexes next to u) (where it is not lake)
status ready of u (a regiment) in muster:
  when {3}
status minds of u (a regiment) to v (a regiment) in muster:
  when v is ready and u is not picked and camp of v is within 2 of camp of u
  when camp of v is within 1 of camp of u and {1}
value helpers of u (a regiment) in muster:
  force of side of u when {0}
  otherwise regiments (where it is not u)
rule more adds to helpers of u (a regiment):
  plus regiments (where strength of it = 4) because "of use to all"
value minded of v (a regiment) in muster:
  start with strength of v when any helpers of v is minds to v
  plus 100 * count of ((force of side of v) (where it is minds to v))
  plus 1000 when every helpers of v is ready
value minded-of-all of s (a side) in muster:
  start with sum minded of force of s
  plus (lowest minded of regiments) else 0
"""


@settings(max_examples=either(5, 30), deadline=None)
@given(st.lists(tests, min_size=5, max_size=5), st.sets(st.sampled_from("abxyz")), st.sets(st.sampled_from("abxyz")))
def test_random_rules_come_to_the_same_in_every_way(texts, ones, tired):
    game = game_of(SCENE.format(texts[0].replace("u is picked", "u is dear"), *texts[1:]))
    world = game.world
    frame = world.frame("procedure muster", world.all_of("side")[0], None)
    frame.n_ones = [u for u in world.all_of("regiment") if u.id in ones]
    frame.n_others = [u for u in world.all_of("regiment") if u.id not in ones]
    for u in world.all_of("regiment"):
        u.f_tired = u.id in tired
    world.frames["procedure muster"] = frame
    for side in ("blue", "red"):
        for value in ("tone", "loud", "often", "first-temper", "matched", "minded-of-all"):
            every_way(game, f"{value} of {side}")


exact = st.one_of(
    st.integers(-50, 50), st.fractions(-5, 5, max_denominator=12).map(lambda x: x if x.denominator > 1 else x.numerator)
)


@given(exact, exact)
def test_the_arithmetic_of_the_machine_is_that_of_fractions(a, b):
    assert times(a, b) == Fraction(a) * b
    assert plus(a, b) == Fraction(a) + b
    assert scaled(a, 3, 4) == Fraction(a) * Fraction(3, 4)
    assert sum_of([a, None, b]) == Fraction(a) + b
    found = [times(a, b), plus(a, b), scaled(a, 3, 4), sum_of([a, b])]
    if b:
        assert divide(a, b) == Fraction(a) / b
        found.append(divide(a, b))
    for value in found:
        assert isinstance(value, int) or value.denominator > 1
        if isinstance(value, Fraction):
            assert hash(value) == hash(Fraction(value.numerator, value.denominator))


@given(st.integers(-100, 100), st.integers(1, 30))
def test_a_fraction_soon_made_is_a_fraction(above, below):
    made = fraction(above, below)
    assert (made.numerator, made.denominator) == (Fraction(above, below).numerator, Fraction(above, below).denominator)
    assert made + 1 == Fraction(above, below) + 1
    assert repr(made) == repr(Fraction(above, below))


@pytest.mark.filterwarnings("error")
def test_the_highest_of_what_is_the_same_for_all_is_not_compared_with_nothing():
    game = game_of("value sight of u (a regiment) = 3\nvalue reach = (highest sight of regiments) else 1\n")
    assert every_way(game, "reach") == 3


def test_rules_without_a_value_need_no_function():
    program, _ = compiled(("enum tone: low, high\n",))
    assert program.source.functions == ()


def test_the_kit_itself_compiles_in_both_ways():
    program, _ = compiled((KIT, "value one:\n  start with 1\n"))
    assert "def v_one():" in program.source.text
    assert program.played.code("v_one").co_filename == "<rules>"
    defined = [name for unit in program.traced.all for name, _ in unit.functions]
    assert "v_one" in defined
    assert len(set(defined)) == len(defined)
    assert all(code.co_filename == unit.file for unit in program.traced.all for _, code in unit.functions)


def test_a_routine_is_written_once_when_it_is_first_called_whoever_else_calls_it():
    program, _ = compiled((KIT, "value one:\n  start with 1\nvalue two:\n  start with one + 1\n"))
    units = Emitter(program.rules, traced=True).units()
    assert not any(name == "v_two" for unit in units.files.values() for name, _ in unit.functions)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(units.unit, ["v_one", "v_two"] * 200))
    assert found == [units.unit("v_one"), units.unit("v_two")] * 200
    space = {**program.constants, "PIN": {}, "T": Trail()}
    called = units.functions(space)["v_two"]
    assert [called(), called(), space["v_one"]()] == [2, 2, 1]


# ---- literals --------------------------------------------------------------------------------------------------------
FIXED = (
    "3 = absent",
    "absent = 3",
    '"a" = absent',
    "wood = absent",
    "(3 + 1) is absent",
    "strength of u is not absent",
)


@pytest.mark.parametrize("asked", FIXED)
def test_what_stands_in_the_text_is_never_asked_for_being_absent(asked):
    """Python warned of `3 is None`; a typed question showed that on the screen."""
    rules = f"value odd of u (a regiment):\n  start with 0\n  plus 1 when {asked}\n"
    with pytest.raises(RuleTextError, match="always present"):
        game_of(rules)
