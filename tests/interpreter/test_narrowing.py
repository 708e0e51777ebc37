"""Which places are tried as arguments: fewer than the map has, and never one too few."""

import pytest

from interpreter.commands import arguments, narrowing
from tests.interpreter.rulebook import game_of

THROW = """\
unit thrower:
  reach number
order throw of t (a thrower) to goal (a hex):
  given by side of t
  CLAUSE
  tell sides "Thrown."
value slack of t (a thrower):
  reach of t - 1
sequence game-turn:
  for each s in turn-order, as active:
    phase throwing:
      active may throw
scenario range "Range" on field:
  side blue "The Blues"
  side red "The Reds"
  forces blue of thrower:
    name | reach | in
    b-1  | 2     | 0403
    b-2  | 1     | 0101
    b-3  | 9     | --
  forces red of thrower:
    name | reach | in
    r-1  | 1     | 0404
  turn-order is blue, red
"""

CLAUSES = [
    'refused when distance from t to goal > reach of t because "too far"',
    'refused when reach of t < distance from goal to t because "too far"',
    'refused when 1 + distance from t to goal + slack of t > 2 * reach of t because "too far"',
    'refused when distance from t to goal >= reach of t because "too far"',
    'refused when distance from t to goal != 1 because "next to it only"',
    'legal when distance from t to goal = 2 because "two hexes"',
    'legal when distance from t to goal <= slack of t and goal is not in t because "too far"',
    'refused when goal is in t, or distance from t to goal > 1 because "too far"',
    'refused when distance from t to goal > 1 and terrain of goal is lake because "a lake"',
    'refused when distance from t to goal < 2 because "too near"',
    'refused when goal is not next to t because "too far"',
    'refused when distance from t to goal > count (hexes within 1 of goal) because "it depends"',
    'refused when goal is not within (reach of t) of t because "too far"',
    'legal when t is within 2 of goal because "too far"',
    'refused when goal is not within 1 of own throwers because "too far"',
    'refused when goal is not within (count hexes next to goal) of t because "it depends"',
    'refused when distance from t to goal + distance from goal to 0101 > 4 because "too far round"',
    'let limit be reach of t\n  refused when distance from t to goal > limit because "too far"',
    'let limit be count (hexes within 1 of goal)\n  refused when distance from t to goal > limit because "it depends"',
]


def listed(game):
    return [t for t in game.legal("blue", 5000) if t != "done"]


@pytest.mark.parametrize("clause", CLAUSES)
def test_what_is_listed_is_what_asking_of_every_place_would_list(clause, monkeypatch):
    # b-3 is off the map: it has no distance to anything, whether it is asked of one place or of all
    text = THROW.replace("CLAUSE", f'refused when t is not on the map because "off"\n  {clause}')
    found = listed(game_of(text, scenario="range"))
    assert found
    monkeypatch.setattr(arguments, "narrowings", lambda order, at: [])
    assert listed(game_of(text, scenario="range")) == found


@pytest.mark.parametrize(
    ("clause", "asked"),
    [
        (CLAUSES[0], 19 + 3),  # b-1 reaches the 19 hexes within two, b-2 in the corner itself and two more
        (CLAUSES[10], 6 + 2),
        ('refused when goal is not within (reach of t) of t because "too far"', 19 + 3),
        (CLAUSES[-2], 19 + 3),
        (CLAUSES[8], 2 * 48),  # nothing can be said beforehand
    ],
)
def test_how_many_are_asked_about(clause, asked, monkeypatch):
    seen = []
    real = arguments.Domains.of_argument

    def domain(self, order, frame, at):
        values = real(self, order, frame, at)
        if at == 1:
            seen.extend(values)
        return values

    monkeypatch.setattr(arguments.Domains, "of_argument", domain)
    game = game_of(
        THROW.replace("CLAUSE", f'refused when t is not on the map because "off"\n  {clause}'), scenario="range"
    )
    seen.clear()
    listed(game)
    assert len(seen) == asked


def test_a_distance_that_cannot_be_told_leaves_all():
    game = game_of(THROW.replace("CLAUSE", CLAUSES[0]), scenario="range")
    order = game.commands.orders["throw"]
    (where,) = narrowing.narrowings(order, 1)
    frame = game.world.frame("order throw", game.world.by_id["blue"], None)
    frame.n_t = game.world.by_id["b-3"]
    assert where(game.world, frame) is None


def test_listing_changes_nothing_though_an_order_names_what_its_clauses_ask():
    game = game_of(
        THROW.replace("CLAUSE", f'refused when t is not on the map because "off"\n  {CLAUSES[-2]}'), scenario="range"
    )
    listed(game)
    before = game.world.version, game.world.steady
    assert len(listed(game)) == 19 + 3
    assert (game.world.version, game.world.steady) == before
