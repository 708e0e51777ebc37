"""`put d (a fleet, like f)`: which values a new thing copies from another. The rules are those of toy/fleet.rules and those below."""

import pytest

from dsl.load import check_system, read_system
from dsl.text.source import SourceFile
from interpreter.machine import resume
from tests.interpreter.rulebook import ask, do
from tests.interpreter.test_entry_fields import FLEET, fleet

COPIES = (
    FLEET.replace(
        'put f (a fleet, named "{}-squadron" with s, side side of s, morale morale of fleet of s) in place of s',
        'put f (a fleet, like fleet of s, named "{}-squadron" with s, morale 3) in place of s',
    )
    .replace(
        "order hire of t",
        """order twin of s (a ship):
  put d (a ship, like s, named after s, spare (knife, cannon))
order hire of t""",
    )
    .replace("launch, hire", "launch, twin, hire")
)


def test_a_copy_has_fields_side_and_holder_but_no_parts():
    game = fleet(text=COPIES)
    for command in ("hit white-frigate", "hit white-frigate", "rearm white-frigate with swivel", "twin white-frigate"):
        do(game, command)
    assert ask(game, "fleet of white-frigate-2").id == "white"
    assert ask(game, "hull of white-frigate-2") == 4
    assert ask(game, "full hull of white-frigate-2") == 6
    assert ask(game, "gun of white-frigate-2 is swivel")
    assert ask(game, "spare of white-frigate-2 is (knife, cannon)")
    assert ask(game, "white-frigate-2 is frigate")
    assert ask(game, "count sailors of white-frigate-2") == 0
    assert ask(game, "count sailors of white-frigate") == 3
    do(game, "hit white-frigate")
    assert ask(game, "hull of white-frigate-2") == 4


def test_what_the_line_says_beats_what_is_copied():
    game = fleet(text=COPIES)
    do(game, "detach white-sloop-1")
    assert ask(game, "morale of white-sloop-1-squadron") == 3
    assert ask(game, "side of white-sloop-1-squadron").id == "ann"
    assert ask(game, "count ships of white-sloop-1-squadron") == 1
    assert ask(game, "count ships of white") == 3


def test_what_holds_several_things_is_a_list_of_its_own():
    game = fleet(text=COPIES.replace(", spare (knife, cannon))", ")"))
    do(game, "twin white-frigate")
    do(game, "disarm white-frigate")
    assert ask(game, "spare of white-frigate is (swivel, cannon)")
    assert ask(game, "spare of white-frigate-2 is (swivel, swivel)")


def test_a_copy_is_kept_and_told_of():
    game = fleet(text=COPIES)
    for command in ("hit white-frigate", "twin white-frigate", "done", "done"):
        do(game, command)
    later = resume(game.program, game.scenario, game.settings, game.snapshot())
    assert later.digest() == game.digest()
    assert ask(later, "hull of white-frigate-2") == 5
    assert ask(later, "full hull of white-frigate-2") == 6


@pytest.mark.parametrize(
    ("new", "code", "said"),
    [
        ("put d (a ship, like fleet of s)", "E201", "This is a fleet, but a ship is needed here."),
        ("put d (a ship sloop, like s)", "E237", "A copy takes its entry from the original."),
        ("put d (a ship, like first (ships of fleet of s))", "E202", "This may be absent here."),
        ("put d (a ship, like s, colour red)", "E209", "A ship has no field colour."),
    ],
)
def test_what_is_wrong_with_copies(new, code, said):
    text = COPIES.replace("put d (a ship, like s, named after s, spare (knife, cannon))", new)
    found = [(x.code, x.message) for x in check_system(read_system([SourceFile("own.rules", text)])) if x.is_error]
    assert any(c == code and said in m for c, m in found), found
