"""A rule that waits and only stops itself has done nothing, and nobody is told that it fired."""

import pytest

from dsl.rules.editions import OWN_STOP, SINCE
from tests.interpreter.rulebook import do, game_of
from tests.interpreter.test_incognito import LANES

RULE = """\
rule alarm whenever u (a counter) enters h (a hex):
  {stop}
  worth of u gains 1 points
sequence game-turn"""


def told(stop, **settings):
    """The kinds of the events when a counter of worth 3 moves."""
    text = LANES.replace("sequence game-turn", RULE.format(stop=stop)).replace("name, worth", "name")
    game = game_of(text, scenario="lanes", seed=4, **settings)
    return [e.kind for e in do(game, "shove b-line to 0302", "blue") if e.kind in {"rule", "change", "note"}]


@pytest.mark.parametrize("stop", ["stop when worth of u < 9", "stop alarm when worth of u < 9"])
def test_a_rule_that_only_stops_itself_is_not_reported(stop):
    assert told(stop) == []


def test_before_its_edition_it_was():
    assert "rule" in told("stop when worth of u < 9", edition=SINCE[OWN_STOP] - 1)


@pytest.mark.parametrize(
    "stop",
    ["stop when worth of u > 9", "stop move when worth of u < 9", 'stop when worth of u < 9 because "it is dark"'],
)
def test_one_that_did_something_stops_something_else_or_says_why_is_reported(stop):
    assert "rule" in told(stop)
