"""What rules say about how their words are drawn, and the defaults where they say nothing."""

import pytest

from campaigns.library.checking import check
from interpreter.messages.view import MapView, PlaceView, ThingView
from ui.maps import symbols
from ui.maps.charting import chart_of_board
from ui.maps.svg_map import ARM_SYMBOLS


def thing(**words):
    return ThingView(**{"id": "a", "name": "a", "kind": "unit", "word": "unit", "template": "", "side": "red", "place": "0101",
                        "holder": "", "fields": {}, **words})  # fmt: skip


def test_whatever_can_be_named_can_be_drawn():
    assert set(symbols.ARMS) == set(ARM_SYMBOLS)
    assert {*symbols.GROUNDS, *symbols.WAYS, *symbols.ARMS, *symbols.SIZES, symbols.CROSSED} == set(symbols.DRAWINGS)


def test_what_nobody_can_draw_is_told(tmp_path):
    (tmp_path / "small.rules").write_text(
        'system small "Small" version 1.0\nplace hex, on hex grid:\n  stuff cover\nenum cover: steppe, karst\n'
        "drawn stuff as ground\ndrawn karst as hill\ndrawn steppe as fields\n"
    )
    report = check(str(tmp_path), symbols.DRAWINGS)
    assert [(x.code, x.message, x.hint) for x in report.diagnostics if x.code == "W346"] == [
        ("W346", "Unknown drawing `hill`.", "Did you mean hills?")
    ]
    assert not [x for x in check(str(tmp_path)).diagnostics if x.code == "W346"]


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
    ({"template": "flak", "kind": "tank"}, "artillery", ""), ({"kind": "tank"}, "armor", ""),
    ({"template": "anti-aircraft-battery"}, "air-defence", "I"), ({"template": "anti-tank-gun"}, "artillery", ""),
    ({"template": "79gtd", "fields": {"arm": "line"}}, "armor", ""), ({"template": "1-rifle", "fields": {"arm": "line"}}, "infantry", ""),
    ({"template": "1-gmrd", "fields": {"arm": "line", "role": "transport"}}, "mechanized", "")])  # fmt: skip
def test_a_counter_is_what_the_rules_say_else_what_its_words_say(words, arm, size):
    drawn = {"panzerwagen": ("armor", "battalion"), "flak": ("artillery",), "line": ("mechanized",), "gtd": ("armor",)}
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
    assert chart.way_signs == {"lane": symbols.WAYS["road"]}
