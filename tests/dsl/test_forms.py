"""Every form of the language, and the tree that it is parsed into."""

import importlib.util
import re
from pathlib import Path

import pytest

from dsl.syntax import body_lines as ln
from dsl.syntax import syntax_tree as t
from dsl.syntax.parse import parse
from dsl.text.source import SourceFile

_spec = importlib.util.spec_from_file_location("shapes", Path(__file__).with_name("shapes.py"))
shapes = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(shapes)
shape = shapes.shape

EXPRESSIONS = {
    "3": "Literal(number, 3)",
    "1/2": "Literal(number, 1/2)",
    "40 %": "Literal(percent, 40)",
    "1.5:1": "Literal(odds, 1.5:1)",
    "0304": "Literal(place, 0304)",
    '"text"': "Literal(text, text)",
    "yes": "Name(yes)",
    "name": "Name(name)",
    "own tanks": "Relative(own, tanks)",
    "enemy tanks": "Relative(enemy, tanks)",
    "strength of u": "Of(strength, Name(u))",
    "strength of company of u": "Of(strength, Of(company, Name(u)))",
    "full treads of u": "Of(full treads, Name(u))",
    "sum full treads of tanks": "Aggregated(sum, Of(full treads, Name(tanks)))",
    "full of u": "Of(full, Name(u))",
    "cost of u against h": "Called(Of(cost, Name(u)), [[against, Name(h)]])",
    "cost of u against h from a to b": "Called(Of(cost, Name(u)), [[against, Name(h)], [from, Name(a)], [to, Name(b)]])",
    "distance from a to b": "Called(Name(distance), [[from, Name(a)], [to, Name(b)]])",
    "distance of a to b": "Called(Of(distance, Name(a)), [[to, Name(b)]])",
    "odds of a to b": "Called(Of(odds, Name(a)), [[to, Name(b)]])",
    "tanks in h": "Filter(inside, Name(tanks), Name(h))",
    "tanks next to h": "Filter(neighbours, Name(tanks), Name(h))",
    "tanks within 3 of h": "Filter(within, Name(tanks), Name(h), Literal(number, 3))",
    "tanks held by b": "Filter(held, Name(tanks), Name(b))",
    "tanks (where its strength > 3)": "Filter(where, Name(tanks), Compare(>, Its(strength), Literal(number, 3)))",
    "tanks that are ready or moving": "Filter(that_are, Name(tanks), [ready, moving])",
    "tanks that are not ready": "Filter(that_are, Name(tanks), [ready], True)",
    "tanks except u": "Filter(except, Name(tanks), Name(u))",
    "tanks together with markers": "Filter(union, Name(tanks), Name(markers))",
    "own tanks next to target": "Filter(neighbours, Relative(own, tanks), Name(target))",
    "sum strength of tanks in h": "Aggregated(sum, Of(strength, Filter(inside, Name(tanks), Name(h))))",
    "count tanks": "Aggregated(count, Name(tanks))",
    "highest (a, b)": "Aggregated(highest, Tuple([Name(a), Name(b)]))",
    "first tanks": "Aggregated(first, Name(tanks))",
    "lowest letters of s": "Aggregated(lowest, Of(letters, Name(s)))",
    "1 + 2 * 3": "Binary(+, Literal(number, 1), Binary(*, Literal(number, 2), Literal(number, 3)))",
    "1 - 2 - 3": "Binary(-, Binary(-, Literal(number, 1), Literal(number, 2)), Literal(number, 3))",
    "(1 + 2) * 3": "Binary(*, Binary(+, Literal(number, 1), Literal(number, 2)), Literal(number, 3))",
    "-1": "Literal(number, -1)",
    "- 1": "Literal(number, -1)",
    "- 1/2": "Literal(number, -1/2)",
    "-40 %": "Literal(percent, -40)",
    "3 -1": "Binary(-, Literal(number, 3), Literal(number, 1))",
    "- strength of u": "Negative(Of(strength, Name(u)))",
    "- a * b": "Binary(*, Negative(Name(a)), Name(b))",
    "a * -b": "Binary(*, Name(a), Negative(Name(b)))",
    "a - -b": "Binary(-, Name(a), Negative(Name(b)))",
    "-(a - b)": "Negative(Binary(-, Name(a), Name(b)))",
    "-armour of u else -3": "Negative(Else(Of(armour, Name(u)), Literal(number, -3)))",
    "cost of u against -x - 1": "Binary(-, Called(Of(cost, Name(u)), [[against, Negative(Name(x))]]), Literal(number, 1))",
    "highest (-a, b)": "Aggregated(highest, Tuple([Negative(Name(a)), Name(b)]))",
    "1 / 2 / 3": "Binary(/, Binary(/, Literal(number, 1), Literal(number, 2)), Literal(number, 3))",
    "10 percent of strength of u": "Binary(percent, Literal(number, 10), Of(strength, Name(u)))",
    "column moved 2": "Binary(moved, Name(column), Literal(number, 2))",
    "column moved 1 - 2": "Binary(-, Binary(moved, Name(column), Literal(number, 1)), Literal(number, 2))",
    "steps from low to high": "Called(Name(steps), [[from, Name(low)], [to, Name(high)]])",
    "column for (odds of a to b) rounded down": "ScaleFor(column, Called(Of(odds, Name(a)), [[to, Name(b)]]), Direction(down, away))",
    "the cost of reaching h by way of u": "ReachCost(Name(h), way, Name(u))",
    "armour of u else 0": "Else(Of(armour, Name(u)), Literal(number, 0))",
    "value of gun of u else 0": "Else(Of(value, Of(gun, Name(u))), Literal(number, 0))",
    "value of (gun of u else nothing)": "Of(value, Else(Of(gun, Name(u)), Name(nothing)))",
    "strength of u + strength of v": "Binary(+, Of(strength, Name(u)), Of(strength, Name(v)))",
    "crt at (3, 2:1)": "Filter(lookup, Name(crt), Tuple([Literal(number, 3), Literal(odds, 2:1)]))",
    "armour of (crt at (3, 2:1))": "Of(armour, Filter(lookup, Name(crt), Tuple([Literal(number, 3), Literal(odds, 2:1)])))",
    "chance that (a > 3)": "Chance(Compare(>, Name(a), Literal(number, 3)))",
    "(a, b, c)": "Tuple([Name(a), Name(b), Name(c)])",
    "prevailing grade of tanks by strength then size": "Prevailing(Of(grade, Name(tanks)), strength, [size])",
    "tanks whose strength is highest": "Extremes(Name(tanks), strength, highest)",
    "3 2d6": "ManyDice(Literal(number, 3), 2d6)",
}

CONDITIONS = {
    "x is a or b": "IsTest(Name(x), [Name(a), Name(b)])",
    "x is not a": "IsTest(Name(x), [Name(a)], True)",
    "x = 3": "Compare(=, Name(x), Literal(number, 3))",
    "x <= 3": "Compare(<=, Name(x), Literal(number, 3))",
    "x != 3": "Compare(!=, Name(x), Literal(number, 3))",
    "x is at least 3": "Compare(>=, Name(x), Literal(number, 3))",
    "x is at most 3": "Compare(<=, Name(x), Literal(number, 3))",
    "u is in h": "IsPlaced(Name(u), in, Name(h))",
    "u is not in h": "IsPlaced(Name(u), in, Name(h), True)",
    "u is next to h": "IsPlaced(Name(u), next, Name(h))",
    "u is within 3 of h": "IsPlaced(Name(u), within, Name(h), Literal(number, 3))",
    "u is on road": "IsPlaced(Name(u), on, Name(road))",
    "there is tanks in h": "Exists(Filter(inside, Name(tanks), Name(h)))",
    "there is no tanks in h": "Exists(Filter(inside, Name(tanks), Name(h)), True)",
    "any tanks is ready": "IsTest(Name(tanks), [Name(ready)], any)",
    "every tanks is ready or moving": "IsTest(Name(tanks), [Name(ready), Name(moving)], every)",
    "no tanks is ready": "IsTest(Name(tanks), [Name(ready)], no)",
    "most tanks is ready": "IsTest(Name(tanks), [Name(ready)], most)",
    "every strength of tanks > 3": "Compare(>, Of(strength, Name(tanks)), Literal(number, 3), every)",
    "any tanks is in h": "IsPlaced(Name(tanks), in, Name(h), any)",
    "not x is a": "Negation(IsTest(Name(x), [Name(a)]))",
    "x is a and y is b": "AllOf([IsTest(Name(x), [Name(a)]), IsTest(Name(y), [Name(b)])])",
    "x is a, or y is b": "AnyOf([IsTest(Name(x), [Name(a)]), IsTest(Name(y), [Name(b)])])",
    "x is a and y is b, or z is c": "AnyOf([AllOf([IsTest(Name(x), [Name(a)]), IsTest(Name(y), [Name(b)])]), IsTest(Name(z), [Name(c)])])",
    "(x is a, or y is b) and z is c": "AllOf([AnyOf([IsTest(Name(x), [Name(a)]), IsTest(Name(y), [Name(b)])]), IsTest(Name(z), [Name(c)])])",
    "not (x is a, or y is b)": "Negation(AnyOf([IsTest(Name(x), [Name(a)]), IsTest(Name(y), [Name(b)])]))",
    "u has done march this turn": "HasDone(Name(u), march, turn)",
    "u has not done march last turn": "HasDone(Name(u), march, turn, True, True)",
    "any own tanks has done march this movement": "HasDone(Relative(own, tanks), march, movement, any)",
    "x is a or b, or y is c": "AnyOf([IsTest(Name(x), [Name(a), Name(b)]), IsTest(Name(y), [Name(c)])])",
}

LINES = {
    "let x be 3": "Let(x, Literal(number, 3))",
    "let x be whether y > 3": "Let(x, Compare(>, Name(y), Literal(number, 3)), True)",
    "start with 3": "StartWith(Literal(number, 3))",
    "adds: plus 0": "Adjust(adds, plus, Literal(number, 0))",
    'base: start with 3 when y > 3 because "so"': "StartWith(base, Compare(>, Name(y), Literal(number, 3)), so, Literal(number, 3))",
    "a when b > 3": "Case(Compare(>, Name(b), Literal(number, 3)), Name(a))",
    "otherwise a": "Case(Name(a), True)",
    '2 left when b > 3 because "so"': "Case(Compare(>, Name(b), Literal(number, 3)), so, Literal(number, 2), left)",
    "halved when b > 3": "Adjust(Compare(>, Name(b), Literal(number, 3)), times, Literal(number, 1/2))",
    "doubled": "Adjust(times, Literal(number, 2))",
    "quartered": "Adjust(times, Literal(number, 1/4))",
    "tripled": "Adjust(times, Literal(number, 3))",
    "times 2": "Adjust(times, Literal(number, 2))",
    "divided by 2": "Adjust(divided, Literal(number, 2))",
    "plus 2": "Adjust(plus, Literal(number, 2))",
    "minus 2": "Adjust(minus, Literal(number, 2))",
    "at least 2": "Adjust(at-least, Literal(number, 2))",
    "at most 2": "Adjust(at-most, Literal(number, 2))",
    "rounded down": "Adjust(rounded, Direction(down, away))",
    "rounded up": "Adjust(rounded, Direction(up, away))",
    "rounded nearest": "Adjust(rounded, Direction(nearest, away))",
    "rounded nearest with halves toward zero": "Adjust(rounded, Direction(nearest, toward zero))",
    "rounded nearest with halves even": "Adjust(rounded, Direction(nearest, even))",
    "moved 2": "Adjust(moved, Literal(number, 2))",
    "instead 3 when b > 3": "Adjust(Compare(>, Name(b), Literal(number, 3)), instead, Literal(number, 3))",
    "when b > 3": "Holds(Compare(>, Name(b), Literal(number, 3)))",
    "for each u in tanks:|  stop": "ForEach([Stop()], u, Name(tanks))",
    "for each s in sides, as active, in order of strength of s:|  stop": "ForEach([Stop()], s, Name(sides), active, Of(strength, Name(s)))",
    "repeat at most 3 times while b > 3:|  stop": "Repeat([Stop()], Literal(number, 3), Compare(>, Name(b), Literal(number, 3)))",
    "simultaneously:|  stop": "Simultaneously([Stop()])",
    'phase moving "Moving":|  stop': "Phase([Stop()], moving, Moving)",
    "step firing:|  stop": "Phase([Stop()], firing, True)",
    'step firing "Fire":|  stop': "Phase([Stop()], firing, Fire, True)",
    "when b > 3:|  stop": "When(Compare(>, Name(b), Literal(number, 3)), [Stop()], when)",
    "otherwise when b > 4:|  stop": "When(Compare(>, Name(b), Literal(number, 4)), [Stop()], otherwise when)",
    "otherwise:|  stop": "When([Stop()], otherwise)",
    "defender chooses x: some of own tanks next to h": "Choose(Name(defender), x, Choice(some, Filter(neighbours, Relative(own, tanks), Name(h))))",
    "defender chooses secretly x: one of tanks": "Choose(Name(defender), x, Choice(one, Name(tanks)), True)",
    "defender chooses x: up to 3 of tanks": "Choose(Name(defender), x, Choice(up_to, Name(tanks), Literal(number, 3)))",
    "defender chooses x: exactly 2 of tanks": "Choose(Name(defender), x, Choice(exactly, Name(tanks), Literal(number, 2)))",
    "defender chooses x: hold or run": "Choose(Name(defender), x, Choice(words, [Name(hold), Name(run)]))",
    'defender chooses secretly x "Which?": one of tanks': "Choose(Name(defender), x, Choice(one, Name(tanks)), True, Which?)",
    'each u in tanks chooses x "Which?": a number up to 3': "EachChooses(u, Name(tanks), x, Choice(number, Literal(number, 3)), Which?)",
    "defender chooses x: a number up to 3": "Choose(Name(defender), x, Choice(number, Literal(number, 3)))",
    'each u in tanks chooses x: one of words of u such that b > 3 because "so"': "EachChooses(u, Name(tanks), x, Choice(one, Of(words, Name(u))), SuchThat(Compare(>, Name(b), Literal(number, 3)), so))",
    "defender rolls 2d6+1 as roll": "Rolls(Name(defender), Dice(Literal(dice, 2d6+1)), roll)",
    "defender rolls 3 dice of 1d6 as roll": "Rolls(Name(defender), Dice(Literal(dice, 1d6), Literal(number, 3)), roll)",
    "each side rolls 1d10 as die": "EachRolls(side, Dice(Literal(dice, 1d10)), die)",
    "each u in tanks rolls 1d6 as die when b > 3": "EachRolls(Compare(>, Name(b), Literal(number, 3)), u, Name(tanks), Dice(Literal(dice, 1d6)), die)",
    "active may march, fire": "May(Name(active), [march, fire], alternately)",
    "active may march once": "May(Name(active), [march], once)",
    "strength of u becomes 3": "Becomes(Of(strength, Name(u)), Literal(number, 3))",
    "u becomes damaged until end of moving": "Becomes(Name(u), Name(damaged), Until(end, moving))",
    "u gains 3 points": "Gains(Name(u), Literal(number, 3), points)",
    "u loses 3 points when b > 3": "Gains(Compare(>, Name(b), Literal(number, 3)), Name(u), Literal(number, 3), points, True)",
    "move u to h": "Move(Name(u), Name(h))",
    "move own tanks off the map": "Move(Relative(own, tanks))",
    "move mate of u to h": "Move(Of(mate, Name(u)), Name(h))",
    "move mate of u off the map": "Move(Of(mate, Name(u)))",
    "remove mate of u": "Remove(Of(mate, Name(u)))",
    "put x (a tank tiger, side blue, strength 3) in 0304": "Put(x, tank, tiger, [[side, Name(blue)], [strength, Literal(number, 3)]], Literal(place, 0304), [blue, 3])",
    'remove tanks in h because "lost"': "Remove(lost, Filter(inside, Name(tanks), Name(h)))",
    "reveal u to foe of side of u": "Reveal(Name(u), Of(foe, Of(side, Name(u))))",
    "hide u from foe of side of u": "Reveal(Name(u), Of(foe, Of(side, Name(u))), True)",
    "do battle with u as lead and a, b as others": "Do(battle, [[[Name(u)], lead], [[Name(a), Name(b)], others]])",
    "stop": "Stop()",
    'tell defender "Lost {}" with a, b': "Tell(Name(defender), Lost {}, [Name(a), Name(b)])",
    'end game won by s when b > 3 because "so"': "EndGame(Compare(>, Name(b), Literal(number, 3)), so, Name(s))",
    "given by side of u": "GivenBy(Of(side, Name(u)))",
    "legal from ready or moving to dug-in": "LegalFrom([Name(ready), Name(moving)], [Name(dug-in)])",
    "legal when b > 3": "LegalWhen(Compare(>, Name(b), Literal(number, 3)))",
    'refused when b > 3 because "so"': "Refused(so, Compare(>, Name(b), Literal(number, 3)))",
    "reaching goal by march-route of u": "Reaching(goal, march-route, Name(u))",
    "from place of u": "PathFrom(Of(place, Name(u)))",
    "at most 3 points": "PathBudget(Literal(number, 3))",
    "leg one: along road, at most 3 hexes, until it is on road": "Leg(one, Literal(number, 3), road, IsPlaced(It(), on, Name(road)))",
    'never into h (a hex) when b > 3 because "so"': "PathRule(Compare(>, Name(b), Literal(number, 3)), so, never, h, hex)",
    "entering h (a hex) costs 1/2 when crossing is road": "PathRule(IsTest(Name(crossing), [Name(road)]), costs, h, hex, Literal(number, 1/2))",
    "halting in h (a hex) when b > 3": "PathRule(Compare(>, Name(b), Literal(number, 3)), halting, h, hex)",
    "starting place exempt": "StartExempt(exempt)",
    "on map plain": "OnMap([plain])",
    "begins 1985-08-04, 7 days a turn": "Begins(1985-08-04, 7, days)",
    "on map plain and air": "OnMap([plain, air])",
    "given b = 3": "Given(Compare(=, Name(b), Literal(number, 3)))",
    "given b is c, e": "Given(IsTest(Name(b), [Tuple([Name(c), Name(e)])]))",
    "dice 7, 8": "DiceAre([[7], [8]])",
    "answer joiners with x, y": "Answer(joiners, [Name(x), Name(y)])",
    "answer firing of x, y with hold": "Answer(firing, [Name(x), Name(y)], [Name(hold)])",
    "blue orders march x to 0305": "Orders(blue, march x to 0305)",
    "then b = 3": "Then(Compare(=, Name(b), Literal(number, 3)))",
    "then blue may march x to 0306": "ThenMay(blue, march x to 0306)",
    'then blue may not march x to 0306 because "so"': "ThenMay(so, blue, march x to 0306, True)",
    'then blue may not march x to 0306 only because "so", "too"': "ThenMay(blue, march x to 0306, True, [so, too])",
    'story "The {}" with a': "Story(The {}, [Name(a)])",
    "relate fire of u as weight, b": "Relate([[Of(fire, Name(u)), weight], [Name(b), ]])",
    'warned when b > 3 because "so"': "Warned(so, Compare(>, Name(b), Literal(number, 3)))",
    "red rolls one of guns of s as lucky": "Draws(Name(red), Of(guns, Name(s)), lucky)",
    "defender chooses x: a number from 1 to 6": "Choose(Name(defender), x, Choice(one, Numbers(Literal(number, 1), Literal(number, 6))))",
    "then blue may answer joiners with x": "ThenMayAnswer(blue, joiners, [Name(x)])",
    'then the game is won by blue because "so"': "ThenOver(so, blue)",
    'then the game may not begin because "so"': "ThenBegins(so, True)",
    "then red knows strength of c": "ThenKnows(red, Of(strength, Name(c)))",
    "then red does not know of c": "ThenKnows(red, Name(c), True, True)",
    'then red is told "Lost"': "ThenTold(red, [Lost])",
    "then red is told nothing": "ThenTold(red)",
    "with supply, fog and smoke, without winter:|  stop": "WithBlock([Stop()], [[with, supply], [with, fog], [with, smoke], [without, winter]])",
    "set losses halves:|  stop": "WithBlock([Stop()], losses, Name(halves))",
}


def only(text):
    parsed = parse(SourceFile("form.rules", text))
    assert parsed.diagnostics == ()
    return parsed.declarations[0]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expression(text):
    assert shape(only(f"value v:\n  start with {text}\n").body[0].value) == EXPRESSIONS[text]


@pytest.mark.parametrize("text", CONDITIONS)
def test_condition(text):
    assert shape(only(f"status v:\n  when {text}\n").body[0].when) == CONDITIONS[text]


@pytest.mark.parametrize("text", LINES)
def test_line(text):
    assert shape(only("procedure p:\n  " + text.replace("|", "\n  ") + "\n").body[0]) == LINES[text]


def test_examples_and_scenarios_choose_modules_in_headings_as_in_blocks():
    chosen = (("with", "supply"), ("with", "fog"), ("without", "winter"), ("without", "mud"))
    for said in ("with supply, fog, without winter, mud", "with supply and with fog, without winter, without mud"):
        assert only(f'example "e", {said}:\n  {said}:\n    stop\n').guards == chosen
        assert only(f'example "e", {said}:\n  {said}:\n    stop\n').body[0].choices == chosen
        assert only(f'scenario s "S" on m:\n  {said}\n').switches == chosen


APART = {"Node", "Line", "Block", "Expectation", "Hint"}
"""Bases of others, and what stands in the lesson of a scenario."""


def test_every_node_of_a_line_and_of_an_expression_is_a_form_here():
    made = {x for room in (t, ln) for x in vars(room).values() if isinstance(x, type) and issubclass(x, t.Node)}
    shown = set(re.findall(r"\b([A-Z]\w*)\(", " ".join([*EXPRESSIONS.values(), *CONDITIONS.values(), *LINES.values()])))
    assert {x.__name__ for x in made} - APART - shown == set(), "write the form and its tree into this file"
