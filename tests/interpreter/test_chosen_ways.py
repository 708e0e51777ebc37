"""A route chosen by the player: `march a to 0404 via …`, checked step by step with the same refusals.

blue a in 0202 and b in 0203; red x in 0303. 0302 is a wood, 0303 a hill; even columns are half a hex lower.
"""

import itertools

import pytest

from dsl.text.diagnostics import RuleTextError
from interpreter.messages.inputs import Refused
from tests.interpreter.rulebook import KIT, ask, compiled, do, game_of

RULES = """\
order march of u (a regiment) to goal (a hex):
  given by side of u
  reaching goal by march-route of u                                 [Q-1]
  refused when (cost of reaching goal by march-route of u) else 0 > 5 because "it would tire"
  armor of u becomes cost of reaching goal by march-route of u
  move u to goal
order rest of u (a regiment):
  given by side of u
  u becomes tired
path march-route of u (a regiment):
  from place of u
  at most 6 points
  entering h (a hex) costs 3 when terrain of h is wood
  entering h (a hex) costs 1
  never into h (a hex) when there is enemy regiments in h because "held by the enemy"  [Q-2]
  never into h (a hex) when crossing is river because "no bridge"   [Q-3]
  halting in h (a hex) when there is enemy regiments next to h because "next to the enemy" [Q-4]
sequence game-turn:
  for each s in turn-order, as active:
    phase all:
      active may march, rest
"""


@pytest.fixture
def game():
    return game_of(RULES)


def moved(game, command):
    return [e.data["way"] for e in do(game, command, "blue") if e.kind == "move"]


def test_the_cheapest_way_is_gone_unless_one_is_said(game):
    assert moved(game, "march a to 0201") == [["0202", "0201"]]
    assert ask(game, "armor of a") == 1


def test_a_way_is_gone_as_it_is_said_and_costs_what_it_costs(game):
    assert moved(game, "march a to 0201 via 0102 0101") == [["0202", "0102", "0101", "0201"]]
    assert ask(game, "armor of a") == 3
    assert game.why_not("blue", "march a to 0202 via 0101") == []
    assert moved(game, "march a to 0202") == [["0201", "0202"]]
    assert ask(game, "armor of a") == 1  # the next one takes the cheapest way again


LEVEL = """\
path level-route of u (a regiment):
  from place of u
  at most 6 points
  entering h (a hex) costs 1/2
  never into h (a hex) when terrain of h is wood because "no track"
rule keep-to-the-plain forbids order march of u (a regiment) to goal (a hex):
  when there is no cost of reaching goal by level-route of u because "there are trees"
  when cost of reaching goal by level-route of u else 0 > 1 because "too far"
"""


def test_another_path_costs_the_way_that_is_said():
    game = game_of(RULES + LEVEL)
    assert game.why_not("blue", "march a to 0201") == []
    assert [r.message for r in game.why_not("blue", "march a to 0201 via 0102 0101")] == ["Too far."]
    assert [r.message for r in game.why_not("blue", "march a to 0201 via 0102 0103")] == ["Too far."]
    assert [r.message for r in game.why_not("blue", "march a to 0302 via 0201")] == ["There are trees."]
    assert moved(game, "march a to 0102 via 0201") == [["0202", "0201", "0102"]]


TALLY = """\
path level-route of u (a regiment):
  from place of u
  at most 6 points
  entering h (a hex) costs 1/2
rule tally before order march of u (a regiment) to goal (a hex):
  strength of u becomes 10 * (cost of reaching goal by level-route of u else 0)
rule tally-again after order march of u (a regiment) to goal (a hex):
  armor of u becomes 10 + (cost of reaching goal by level-route of u else 9)
"""


def test_another_path_costs_the_way_that_is_said_until_the_order_is_done():
    game = game_of(RULES + TALLY)
    do(game, "march a to 0201 via 0102 0101", "blue")
    assert (ask(game, "strength of a"), ask(game, "armor of a")) == (15, 10)


def test_places_that_do_not_touch_are_joined_by_the_cheapest_way(game):
    ((*first, second),) = [way[:2] for way in moved(game, "march a to 0201 via 0101, 0301")]
    assert (first, second in {"0102", "0201"}) == (["0202"], True)
    assert ask(game, "armor of a") == 5
    assert ask(game, "place of a is in 0201")


@pytest.mark.parametrize(
    ("command", "why", "cites"),
    [
        ("march a to 0301 via 0302", "The move ends in 0302: next to the enemy.", ("Q-4",)),
        ("march a to 0304 via 0303", "0303 is closed: held by the enemy.", ("Q-2",)),
        ("march b to 0105 via 0103 0104 0205 0106", "The route costs", ()),
        ("march a to 0201 via 0101 0102 0101 0102", "It would tire.", ()),
        ("march a to 0102 via 0201 0201", "The route names 0201 twice in a row.", ("Q-1",)),
    ],
)
def test_a_way_that_cannot_be_gone(game, command, why, cites):
    before = game.digest()
    with pytest.raises(Refused) as refused:
        do(game, command, "blue")
    if cites:
        assert (refused.value.message, refused.value.cites) == (why, cites)
    assert game.why_not("blue", command)[0].message == refused.value.message
    assert game.digest() == before


def test_a_way_that_is_not_understood(game):
    for command, message in [
        ("rest a via 0101", "`rest` takes no route."),
        ("march a to 0201 via 9999", "`9999` is not a place."),
        ("march a to 0201 via nowhere", "`nowhere` is not a place."),
    ]:
        with pytest.raises(Refused) as refused:
            do(game, command, "blue")
        assert refused.value.message == message
    with pytest.raises(Refused) as refused:
        do(game, "march a", "blue")
    assert refused.value.hint == "Write it as: march U to GOAL [via PLACE PLACE …]"


def test_a_way_is_played_again(game):
    other = game_of(RULES)
    for one in (game, other):
        do(one, "march a to 0201 via 0102 0101", "blue")
    assert game.digest() == other.digest()
    told = [e.text for e in do(game, "march b to 0203 via 0103 0104", "blue") if e.kind == "order"]
    assert told == ["blue: march b to 0203 via 0103 0104."]


def test_examples_say_ways():
    from dsl.rules.variants import variants
    from interpreter.examples.examples import run_example

    text = (
        RULES
        + """\
example "By the long way":
  put p (a regiment, side blue, strength 1) in 0101
  put foe-man (a regiment, side red, strength 1) in 0801
  blue orders march p to 0102 via 0201
  then armor of p = 2
  then blue may march p to 0101 via 0201, 0202 0102
  then blue may not march p to 0101 via 0202 0302 because "it would tire"
"""
    )
    program, read = compiled((KIT, text))
    (example,) = [x for x in read.declarations if getattr(x, "name", "") == "By the long way"]
    (variant,) = variants(example, frozenset())
    outcome = run_example(program, example, variant)
    assert (outcome.failures, outcome.checks) == ([], 3)


WADING = """\
order wade of u (a regiment) to goal (a hex):
  given by side of u
  reaching goal by wade-route of u
  move u to goal
path wade-route of u (a regiment):
  from place of u
  at most 9 points
  entering h (a hex) costs 1
  halting in h (a hex) when crossing is river because "it has waded"
"""


def test_a_way_ends_with_the_step_that_halts_it_and_goes_on_where_another_step_leads_there():
    """The river is the steps from 0501 down to 0506; beside it movement is free."""
    game = game_of(RULES.replace("may march, rest", "may march, rest, wade") + WADING)
    river = {f"05{row:02}" for row in range(1, 7)}

    def halts(way):
        return [n for n, (a, b) in enumerate(itertools.pairwise(way), 1) if {a, b} <= river]

    (refused,) = game.why_not("blue", "wade a to 0604 via 0502, 0503")
    assert refused.message == "The move ends in 0503: it has waded."
    assert game.why_not("blue", "wade a to 0503 via 0502") == []
    assert game.why_not("blue", "wade a to 0604 via 0503") == []
    (way,) = moved(game, "wade a to 0504 via 0503")
    assert way[-2:] == ["0503", "0504"]
    assert halts(way) == [len(way) - 1]
    (way,) = moved(game, "wade a to 0506")
    assert (len(way), halts(way)) == (4, [])


SHUT = """\
order cross of u (a regiment) to goal (a hex):
  given by side of u
  reaching goal by crossing-route of u                              [Q-5]
  move u to goal
path crossing-route of u (a regiment):                              [Q-6]
  from place of u
  at most 2 points                                                  [Q-7]
  entering h (a hex) costs 1
  never into h (a hex) when there is enemy regiments in h because "held by the enemy"  [Q-2]
  never into h (a hex) when crossing is river because "no bridge"   [Q-3]
  never into h (a hex) when h is on-the-way-back from previous because "not back"      [Q-8]
status on-the-way-back of h (a hex) from f (a hex):
  when row of h < row of f
scenario bank "The bank" on field:
  side blue "The Blues"
  side red "The Reds"
  turn-order is blue, red
  forces blue of regiment:
    name | in   | strength
    a    | 0503 | 7
  forces red of regiment:
    name | in   | strength
    x    | 0405 | 7
"""


@pytest.mark.parametrize(
    ("points", "goal", "why", "cites"),
    [
        # A step over the river, and one back: both look at the place before.
        (1, "0504", "0504 is closed: no bridge.", ("Q-3",)),
        (1, "0402", "0402 is closed: not back.", ("Q-8",)),
        # Two steps straight down: the first is over the river.
        (2, "0505", "The route to 0505 is closed in 0504: no bridge.", ("Q-3",)),
        # What nobody closes, and what two bans close of which neither is the one.
        (2, "0506", "0506 is out of reach of a.", ("Q-5",)),
        (2, "0501", "0501 is out of reach of a.", ("Q-5",)),
    ],
)
def test_a_ban_that_looks_at_the_step_names_itself(points, goal, why, cites):
    shut = SHUT.replace("2 points", f"{points} points")
    game = game_of(RULES.replace("may march, rest", "may march, rest, cross") + shut, scenario="bank")
    (reason,) = game.why_not("blue", f"cross a to {goal}")
    assert (reason.message, reason.cites) == (why, cites)


def test_what_a_way_costs_is_told_with_the_step_that_is_closed():
    game = game_of(RULES.replace("may march, rest", "may march, rest, cross") + SHUT, scenario="bank")
    found = game.explain("cost of reaching 0505 by crossing-route of a")
    assert [(s.text, s.because, s.cites) for s in found.steps[1:3]] == [
        ("0504 is closed", "no bridge", ("Q-3",)),
        ("0505 is closed", "no bridge", ("Q-3",)),
    ]


SURE = RULES.replace(
    "(cost of reaching goal by march-route of u) else 0 > 5", "cost of reaching goal by march-route of u > 5"
).replace("becomes cost", "becomes 2 * cost")


def test_what_the_way_of_the_order_costs_is_there_after_it_was_reached():
    game = game_of(SURE)
    assert moved(game, "march a to 0201 via 0102 0101") == [["0202", "0102", "0101", "0201"]]
    assert ask(game, "armor of a") == 6


def test_a_rule_that_forbids_the_order_knows_it_too():
    forbids = """rule tiring forbids order march of u (a regiment) to goal (a hex):
  when cost of reaching goal by march-route of u > 2 because "it would tire"
"""
    with pytest.raises(Refused, match="It would tire"):
        do(game_of(SURE.replace("sequence", f"{forbids}sequence")), "march a to 0201 via 0102 0101", "blue")


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("reaching goal by march-route of u  ", 'refused when u is tired because "tired"'),
        ("2 * cost of reaching goal", "2 * cost of reaching 0101"),
    ],
)
def test_it_may_be_absent_if_nothing_shows_it(line, instead):
    with pytest.raises(RuleTextError, match="absent"):
        game_of(SURE.replace(line, instead, 1))
