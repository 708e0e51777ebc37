"""`S after t` and `S before t`: what comes after or before one of a set, in its order. The rules are those of toy/fleet.rules.

A storm washes sailors overboard along the chart, starting after the last one that was lost, and begins again at the left. White's
chart: the frigate's hand-1, hand-2 and cook, then the hands of the two sloops.
"""

import pytest

from dsl.load import check_system, read_system
from dsl.text.source import SourceFile
from tests.interpreter.rulebook import ask, do
from tests.interpreter.test_entry_fields import FLEET, fleet

STORM = (
    FLEET.replace("unit fleet:\n", "unit fleet:\n  last-gone    sailor, optional\n")
    .replace(
        "order tend of f",
        """value next-gone of f (a fleet):
  first ((sailors of f) after last-gone of f together with sailors of f) (where it is not out)
order storm of f (a fleet):
  repeat at most 2 times while there is next-gone of f:
    let t be next-gone of f else first (sailors of f)
    t becomes out
    last-gone of f becomes t
order rescue of t (a sailor):
  out of t becomes no
order tend of f""",
    )
    .replace("hit, tend", "hit, tend, storm, rescue")
)


def ids(found):
    return [getattr(x, "id", x) for x in found]


@pytest.mark.parametrize(
    ("asked", "comes_to"),
    [
        ("(ships of white) after white-sloop-1", ["white-sloop-2", "white-hulk"]),
        ("(ships of white) after white-hulk", []),
        ("(ships of white) before white-sloop-2", ["white-frigate", "white-sloop-1"]),
        ("(ships of white) before white-frigate", []),
        ("(ships of white) after storm", []),
        ("(ships of white) before storm", []),
        ("(ships of white) after first (ships of white) (where it is hulk)", ["white-hulk"]),
        ("(ships of white) after first (ships of white) (where gun of it is knife)", []),
        ("(near, far) after near", ["far"]),
        ("(3, 4, 5) before 5", [3, 4]),
        ("(ships of white) before white-hulk after white-frigate", ["white-sloop-1", "white-sloop-2"]),
    ],
)
def test_what_comes_after_and_before(asked, comes_to):
    assert ids(ask(fleet(), asked)) == comes_to


def test_along_the_chart_and_again_from_the_left():
    game = fleet(text=STORM)

    def gone():
        return ids(ask(game, "(sailors of white) (where it is out)"))

    do(game, "storm white")
    assert gone() == ["white-frigate-hand-1", "white-frigate-hand-2"]
    do(game, "rescue white-frigate-hand-1")
    do(game, "storm white")
    assert gone() == ["white-frigate-hand-2", "white-frigate-cook", "white-sloop-1-hand"]
    do(game, "storm white")
    assert ask(game, "last-gone of white").id == "white-frigate-hand-1"
    assert len(gone()) == 5
    do(game, "storm white")
    assert len(gone()) == 5


@pytest.mark.parametrize(
    ("asked", "said", "hint"),
    [
        ("ships of white after first (ships of white)", "`after` needs one member of the list, a fleet, but this is an optional ship", "(… of …) after …"),
        ("(ships of f) after sailors of f", "`after` needs one member of the list, a ship, but this is a list of `sailor`.", ""),
        ("(ships of f) before 3", "`before` needs one member of the list, a ship, but this is a number.", ""),
    ],
)  # fmt: skip
def test_what_is_not_among_them(asked, said, hint):
    text = FLEET + f"value odd of f (a fleet):\n  let x be {asked.replace('white', 'f')}\n  count x\n"
    found = [(x.message, x.hint) for x in check_system(read_system([SourceFile("own.rules", text)])) if x.is_error]
    assert any(said in m and hint in h for m, h in found), found
