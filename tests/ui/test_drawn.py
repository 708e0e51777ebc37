"""What rules say of how their words are drawn, and what is guessed where they say nothing."""

import pytest

from dsl.data.drawings import ARMS, GROUNDS, SIZES, WAYS
from interpreter.view import MapView, PlaceView, ThingView
from ui import symbols
from ui.chart import WAYS as WAY_SIGNS
from ui.chart import chart_of_board
from ui.svg_map import ARM_SYMBOLS


def thing(**words):
    return ThingView(**{"id": "a", "name": "a", "kind": "unit", "word": "unit", "template": "", "side": "red", "place": "0101",
                        "holder": "", "fields": {}, **words})  # fmt: skip


def test_whatever_can_be_named_can_be_drawn():
    assert set(symbols.GROUNDS) == set(GROUNDS)
    assert set(symbols.ARMS) == set(ARMS) == set(ARM_SYMBOLS)
    assert set(symbols.SIZES) == set(SIZES)
    assert set(WAYS) <= set(WAY_SIGNS)


def test_a_ground_is_what_the_rules_say_else_what_its_word_says():
    drawn = {"karst": ("hills",), "town-ruins": ("ruins",)}
    assert symbols.ground_of("karst", (), drawn) == symbols.GROUNDS["hills"][1]
    assert symbols.ground_of("town-ruins", (), drawn) == symbols.GROUNDS["ruins"][1]
    assert symbols.ground_of("town-ruins") == symbols.GROUNDS["town"][1]
    assert symbols.ground_of("karst") in symbols.OTHER_GROUNDS
    two = [symbols.ground_of(name, ("karst", "hilly"), drawn).colour for name in ("karst", "hilly")]
    assert two[0] != two[1], "two grounds drawn alike are told apart"


@pytest.mark.parametrize(("words", "arm", "size"), [
    ({"kind": "panzerwagen"}, "armor", "II"), ({"fields": {"arm": "flak"}, "kind": "brigade"}, "artillery", "X"),
    ({"template": "flak", "kind": "tank"}, "artillery", ""), ({"kind": "tank"}, "armor", "")])  # fmt: skip
def test_a_counter_is_what_the_rules_say_else_what_its_words_say(words, arm, size):
    drawn = {"panzerwagen": ("armor", "battalion"), "flak": ("artillery",)}
    assert symbols.arm_of(thing(**words), drawn) == arm
    assert symbols.echelon_of(thing(**words), drawn) == size


def test_the_field_that_tells_the_ground_can_be_named():
    places = tuple(
        PlaceView(f"0{n}01", "", n, 1, {"terrain": "open", "stuff": ("steppe", "karst")[n % 2]}) for n in (1, 2)
    )
    drawn = {"stuff": ("ground",), "karst": ("hills",), "lane": ("road",)}
    board = MapView("m", "", "hex", 2, 1, "even", places, (("lane", "0101", "0201"),), drawn=drawn)
    chart = chart_of_board(board)
    assert {cell.ground_name for cell in chart.cells.values()} == {"steppe", "karst"}
    assert chart.at("0101").ground == symbols.GROUNDS["hills"][1]
    assert chart.way_signs == {"lane": WAY_SIGNS["road"]}
