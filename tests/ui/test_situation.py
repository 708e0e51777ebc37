"""What is said of a thing in the order of battle: strength, title, and the fields that tell it from others."""

import attrs

from interpreter.view import ThingView
from ui.situation import states, title_of
from ui.symbols import strength_of


def thing(word="unit", name="b-1", changed=(), **fields):
    return ThingView("b-1", name, "base", word, "rifle", "blue", "0101", "", dict(fields), changed)


def test_the_title_of_a_thing_stands_by_itself():
    rifle = thing(title="Rifle Bn", grade="elite", changed=("title", "grade"))
    assert title_of(rifle) == "Rifle Bn"
    assert states(rifle, holds=False) == [("grade", "elite")]


def test_a_title_that_says_no_more_than_the_name_is_left_out():
    assert title_of(thing(title="b-1")) == ""
    assert title_of(thing(title="Rifle Bn", name="Rifle Bn")) == ""
    assert title_of(thing()) == ""


def test_only_of_a_unit_the_first_number_is_taken_for_its_strength():
    assert strength_of(thing(attack="4-3", range="2")) == "4"
    assert strength_of(thing("formation", objective="0906", pips="3")) == ""
    assert strength_of(thing("formation", objective="0906", strength="9")) == "9"


def test_where_a_thing_is_bound_for_is_no_strength():
    flight = thing(over="0612", loads="3")
    assert strength_of(attrs.evolve(flight, pointing=("over",))) == "3"


def test_a_long_word_of_a_holder_is_told_where_it_has_changed():
    staff = thing("formation", supply="out-of-supply", arm="infantry-division", order="hold", changed=("supply",))
    assert states(staff, holds=True) == [("supply", "out-of-supply"), ("order", "hold")]
