"""Text that a later edition of the language rejects is accepted under an earlier one."""

import pytest

from dsl import ir
from dsl.load import bind_system, read_system
from dsl.rules.editions import (
    CLOSED_BY,
    CURRENT,
    DRAWN_THINGS,
    FIRST,
    FRESH_LABELS,
    KEY_BY_KEY,
    KNOWN_LISTS,
    KNOWN_STOPS,
    NO_LESS_THAN_NOTHING,
    ONE_TO_CHOOSE,
    OWN_STOP,
    PLACES_THERE,
    SINCE,
    STAYS_NAMED,
    TOLD_PARTS,
    asks,
)
from dsl.text.source import SourceFile

TEXT = """
place hex, on hex grid:
  height number
  road   link
unit tank:
  fuel   number
  target tank, optional
map plain "Plain" of hex, 8 by 5, even columns low:
  letters:
    letter | height
    .      | 1
  road along {road}
{name}procedure go of u (a tank):
  fuel of u loses 1 {word}
  fuel of {whose} gains 1 points
"""
NEW = {"name": "", "road": "0103 to 0303", "word": "points", "whose": "u"}


def codes(edition, **changes):
    """The errors of the text with some words changed."""
    text = TEXT.format(**{**NEW, **changes})
    rules, found = bind_system(read_system([SourceFile("t.rules", text)], edition=edition))
    assert rules.ruleset.edition == edition
    return {x.code for x in found if x.is_error}


DOUBLING = "".join(f"value v{n} of u (a tank) = v{n + 1} of u + v{n + 1} of u\n" for n in range(20)) + (
    "value v20 of u (a tank) = fuel of u\n"
)
"""Each value works out the next one twice: v1 does so 2 ** 20 - 1 times, v0 twice as often and once."""
HEADED = """list tanks of tank:
  name  | fuel | fuel
  tiger | 3    | 4
table losses by 1d6 as roll:
  roll || much | much
  any  || 1    | 2
"""
"""A list and a table with two columns of the same name."""
DRAWN = """place zone:
  rail   link
map realm "Realm" of zone:
  places:
    zone | name
    east | East
    west | West
  rail along east to west
"""
"""A drawn map with a link between places that are not neighbours."""
REFUSED = [("guards", {"whose": "target of u"}, "E202"), ("counted-in", {"word": "bananas"}, "E200"),
           ("straight-links", {"road": "0103 to 0405"}, "E343"),
           ("joined-links", {"name": DRAWN}, "E334"),
           ("columns-once", {"name": HEADED}, "E102"),
           ("one-name", {"name": 'system one "One" version 1.0\nsystem two "Two" version 1.0\n'}, "E102"),
           ("worked-out", {"name": DOUBLING}, "E239")]  # fmt: skip


def test_each_is_tried_here():
    assert {what for what, _, _ in REFUSED} == set(SINCE) - {
        STAYS_NAMED,
        TOLD_PARTS,
        DRAWN_THINGS,
        PLACES_THERE,
        NO_LESS_THAN_NOTHING,
        FRESH_LABELS,
        OWN_STOP,
        KNOWN_STOPS,
        KEY_BY_KEY,
        KNOWN_LISTS,
        ONE_TO_CHOOSE,
        CLOSED_BY,
    }, "REFUSED needs a text that is taken before the edition and refused since; what refuses no text is taken out here"


@pytest.mark.parametrize(("what", "changes", "code"), REFUSED)
def test_it_is_asked_since_its_edition(what, changes, code):
    assert not codes(CURRENT)
    for edition in range(FIRST, CURRENT + 1):
        assert (code in codes(edition, **changes)) == asks(edition, what) == (edition >= SINCE[what])


def test_what_may_be_absent_is_compared_in_the_first_edition_too():
    text = TEXT.format(**NEW) + "  stop when fuel of target of u < 3\n"
    rules, found = bind_system(read_system([SourceFile("t.rules", text)], edition=FIRST))
    assert [x for x in found if x.is_error] == []
    (test,) = ir.find(rules.routines["procedure go"].body, ir.Compare)
    assert isinstance(test.left, ir.Must)
